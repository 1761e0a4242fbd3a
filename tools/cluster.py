#!/usr/bin/env python3
"""Runs a house of several nodes: `parlor serve` on one PostgreSQL database and NATS, behind HAProxy.

    tools/cluster.py --nodes 3 --parlor target/release/parlor [--database URL] [--nats URL] [--port 8080]

Without --database, a database is created at PARLOR_TEST_POSTGRES and dropped at the end; without
--nats, a NATS server of its own is started. Prints the addresses; Ctrl-C stops everything.
"""

import argparse
import contextlib
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from urllib.parse import urlsplit

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live_server import BROKEN, PATIENCE, Client, Fault, binary, expect, wait_for

POSTGRES = "postgres://postgres@127.0.0.1:5432/postgres"
# Packages of Debian that have the programs.
PACKAGES = {"psql": "postgresql-client", "nats-server": "nats-server", "haproxy": "haproxy"}
# Requests go to the nodes in turn. A node that refuses the connection has not seen the request, which
# may then go to another. Connections to a node that does not answer the health check are closed, since
# requests and streams would otherwise wait for it until a time-out.
HAPROXY = """\
global
    maxconn {connections}

defaults
    mode http
    timeout connect 2s
    timeout http-request 10s
    timeout client 1h
    timeout server 1h
    timeout tunnel 1h
    retries 3
    retry-on conn-failure
    option redispatch 1

frontend games
    bind 127.0.0.1:{port}
    default_backend parlor

backend parlor
    balance roundrobin
    option forwardfor
    option http-no-delay # else HAProxy keeps each event of a stream for 0.2 s
    option httpchk
    http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host localhost
    http-check expect status 200
    timeout check 1s
    default-server check inter 1s fastinter 250ms fall 2 rise 1 on-marked-down shutdown-sessions
"""
CONNECTIONS = 4_000


def program(name):
    path = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    expect(path, f"{name} is missing: apt-get install {PACKAGES[name]}")
    return path


def fixed_ports(count):
    """Returns free ports below those that the system gives to clients: the port of a server that is
    down for a moment must not be taken meanwhile."""
    held = []
    with contextlib.ExitStack() as stack:
        while len(held) < count:
            one = stack.enter_context(socket.socket())
            with contextlib.suppress(OSError):
                one.bind(("127.0.0.1", random.randrange(20_000, 32_000)))
                held.append(one.getsockname()[1])
    return held


def listens(port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


def is_ready(port):
    client = Client(port)
    with contextlib.suppress(*BROKEN), contextlib.closing(client):
        return client.get("/readyz").status == 200
    return False


def postgres():
    """Returns the URL of the PostgreSQL server that new databases are made at."""
    return os.environ.get("PARLOR_TEST_POSTGRES", POSTGRES)


def statement(text):
    quietly = {**os.environ, "PGOPTIONS": "-c client_min_messages=warning"}
    subprocess.run([program("psql"), postgres(), "--quiet", "--command", text], env=quietly, check=True)


def with_prefix(bus):
    """Gives a bus a prefix of its own, since others may use the same server."""
    return bus if urlsplit(bus).path.strip("/") else f"{bus.rstrip('/')}/parlor_{os.getpid()}"


class Process:
    """A server that can be killed, paused and started again."""

    def __init__(self, name, command, port, ready, log, user=None, **environment):
        self.name, self.command, self.port, self.ready, self.log = name, command, port, ready, log
        self.user, self.environment, self.process = user, os.environ | environment, None

    def start(self, wait=True):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.command, env=self.environment, user=self.user, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        if wait:
            self.wait_until_ready()

    def wait_until_ready(self):
        wait_for(lambda: self.ready(self.port) or not self.is_running(), f"the start of {self.name}")
        expect(self.is_running(), f"{self.name} has ended: {self.log.read_text()[-2000:]}")

    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def signal(self, which):
        """Sends a signal, and waits for the end after one that ends the process."""
        self.process.send_signal(which)
        if which in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
            self.process.wait(PATIENCE)

    def stop(self):
        if not self.is_running():
            return
        self.signal(signal.SIGCONT)  # it may be paused
        try:
            self.signal(signal.SIGTERM)
        except subprocess.TimeoutExpired:
            self.signal(signal.SIGKILL)


def own_postgres(work):
    """Returns a PostgreSQL server of its own, which can be stopped without harm to others."""
    programs = max(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    data, (port,) = work / "postgres", fixed_ports(1)
    user = "postgres" if os.getuid() == 0 else None  # it refuses to run as root
    data.mkdir()
    if user:
        work.chmod(0o755)
        shutil.chown(data, user)
    initdb = [programs / "initdb", "-D", data, "-U", "postgres", "-A", "trust"]
    subprocess.run(initdb, user=user, stdout=subprocess.DEVNULL, check=True)
    command = [programs / "postgres", "-D", data, "-p", str(port), "-h", "127.0.0.1", "-k", data]

    def is_up(_):
        asked = [program("psql"), f"postgres://postgres@127.0.0.1:{port}/postgres", "--quiet", "--command", "select 1"]
        return subprocess.run(asked, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0

    return Process("PostgreSQL", command, port, is_up, work / "postgres.log", user=user)


class Cluster:
    """Nodes on one database, and what they need. Settings are environment variables of the nodes
    without their prefix. Nodes are counted from 1. Without a bus there is no NATS either."""

    def __init__(self, parlor, work, nodes=3, database=None, nats=None, proxy=True, port=None, bus=True, **settings):
        *ports, nats_port, front = fixed_ports(nodes + 2)
        self.parlor, self.work, self.settings = parlor, work, settings
        self.own_database = None if database else f"parlor_cluster_{os.getpid()}"
        self.database = database or urlsplit(postgres())._replace(path=f"/{self.own_database}").geturl()
        self.nats = None if nats or not bus else self.nats_server(nats_port)
        self.bus = ["--bus", with_prefix(nats or f"nats://127.0.0.1:{nats_port}")] if bus else []
        self.nodes = [self.node(number, at) for number, at in enumerate(ports, 1)]
        self.proxy = self.haproxy(port or front) if proxy else None

    def nats_server(self, port):
        command = [program("nats-server"), "--addr", "127.0.0.1", "--port", str(port)]
        return Process("NATS", command, port, listens, self.work / "nats.log")

    def node(self, number, port):
        settings = {"metrics_bind": "off", "log": "warn", "trusted_proxies": "127.0.0.1"} | self.settings
        environment = {f"PARLOR_{name.upper()}": str(value) for name, value in settings.items()}
        command = [self.parlor, "serve", "--bind", f"127.0.0.1:{port}", "--database", self.database, *self.bus]
        return Process(f"node {number}", command, port, is_ready, self.work / f"node{number}.log", **environment)

    def haproxy(self, port):
        servers = "".join(f"    server node{at} 127.0.0.1:{node.port}\n" for at, node in enumerate(self.nodes, 1))
        file = self.work / "haproxy.cfg"
        file.write_text(HAPROXY.format(port=port, connections=CONNECTIONS) + servers)
        # Ready once a node answers behind it.
        return Process("HAProxy", [program("haproxy"), "-db", "-f", file], port, is_ready, self.work / "haproxy.log")

    @property
    def address(self):
        """The address of the house."""
        return f"http://127.0.0.1:{self.proxy.port}"

    @property
    def addresses(self):
        """The addresses of the nodes."""
        return [f"http://127.0.0.1:{node.port}" for node in self.nodes]

    def start(self):
        if self.own_database:
            statement(f"create database {self.own_database}")
        if self.nats:
            self.nats.start()
        for node in self.nodes:
            node.start(wait=False)
        for node in self.nodes:
            node.wait_until_ready()
        if self.proxy:
            self.proxy.start()

    def kill(self, number, which=signal.SIGKILL):
        """Sends a signal to a node."""
        self.nodes[number - 1].signal(which)

    def start_node(self, number):
        self.nodes[number - 1].start()

    def stop(self):
        for process in filter(None, [self.proxy, *self.nodes, self.nats]):
            process.stop()
        if self.own_database:
            statement(f"drop database if exists {self.own_database} with (force)")

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()


def run_in_folder(main):
    """Runs a script in a folder of its own. A fault, Ctrl-C or SIGTERM ends it in order, so that its
    processes end and its database is dropped."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        with tempfile.TemporaryDirectory(prefix="parlor-cluster.") as folder:
            main(pathlib.Path(folder))
    except Fault as fault:
        sys.exit(f"fault: {fault}")
    except KeyboardInterrupt:
        pass


def main(work, options):
    parlor = options.parlor or binary()
    # HAProxy would share the port with another one, and both would get some of the connections.
    expect(not listens(options.port), f"port {options.port} is taken: choose another with --port")
    with Cluster(parlor, work, options.nodes, options.database, options.nats, port=options.port) as cluster:
        print(f"the house: {cluster.address}")
        for node, address in zip(cluster.nodes, cluster.addresses):
            print(f"{node.name}: {address}, process {node.process.pid}, log in {node.log}")
        print("Ctrl-C stops everything.", flush=True)
        while True:
            signal.pause()


if __name__ == "__main__":
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--nodes", type=int, default=3)
    words.add_argument("--parlor", type=pathlib.Path, metavar="PATH", help="the program (default: a release build)")
    words.add_argument("--database", metavar="URL", help="of PostgreSQL (default: a new one, dropped at the end)")
    words.add_argument("--nats", metavar="URL", help="nats://HOST:PORT/PREFIX (default: a server of its own)")
    words.add_argument("--port", type=int, default=8080, help="of HAProxy (default: 8080)")
    given = words.parse_args()
    run_in_folder(lambda work: main(work, given))
