"""A Parlor server in a process of its own and clients for it, for the scripts in tools/full.

The program is target/release/parlor, which is built first, or the one that PARLOR_BINARY names.
"""

import base64
import functools
import http.client
import json
import os
import pathlib
import random
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Seconds for a response, and for the server to start or to stop.
PATIENCE = 30
# Errors of a connection that ended or was never made.
BROKEN = (OSError, http.client.HTTPException)
JSON = "application/json"
LINES = "application/x-ndjson"


class Fault(Exception):
    """A check that failed."""


def expect(holds, what):
    if not holds:
        raise Fault(what)


def run(main):
    """Runs a script in a folder of its own inside the folder of its first argument. A fault or
    SIGTERM ends it in order, so that its processes end and its databases are dropped."""
    base, name = (sys.argv[1] if len(sys.argv) > 1 else None), pathlib.Path(sys.argv[0]).name
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        with tempfile.TemporaryDirectory(dir=base, prefix=f"{name}.") as folder:
            main(pathlib.Path(folder))
    except Fault as fault:
        sys.exit(f"fault: {fault}")


@functools.cache
def binary():
    """Builds the program and returns its path."""
    named = os.environ.get("PARLOR_BINARY")
    if named:
        return pathlib.Path(named).resolve()
    subprocess.run(["cargo", "build", "--release", "--locked", "--quiet"], cwd=ROOT, check=True)
    return ROOT / "target/release/parlor"


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def wait_for(condition, what, seconds=PATIENCE):
    """Returns the first true value of a condition."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        value = condition()
        if value:
            return value
        time.sleep(0.05)
    raise Fault(f"{what}: not within {seconds} s")


class Server:
    """A server on a port of its own. Settings are environment variables without their prefix."""

    def __init__(self, program, work, database, options=(), **settings):
        self.port, self.log, self.metrics_port = free_port(), work / "server.log", free_port()
        self.command = [program, "serve", "--bind", f"127.0.0.1:{self.port}", "--database", database, *options]
        settings["metrics_bind"] = f"127.0.0.1:{self.metrics_port}"
        self.settings = {f"PARLOR_{name.upper()}": str(value) for name, value in settings.items()}
        self.process = None

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.command, env=os.environ | self.settings, stdout=subprocess.PIPE, stderr=log
            )
        line = self.process.stdout.readline()  # the address, once it is ready
        expect(line.startswith(b"http"), f"the server did not start: {self.log.read_text()[-2000:]}")

    def metrics(self):
        """Returns the metrics as text."""
        return Client(self.metrics_port).get("/metrics").body.decode()

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.kill()

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()


class Response:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return f"{self.status} {self.body[:300]!r}"


class Client:
    """A client with one connection from one address."""

    def __init__(self, port, source="127.0.0.1", token=None, tls=None):
        self.port, self.source, self.token, self.tls = port, source, token, tls
        self.connection = None

    def connect(self):
        where = {"timeout": PATIENCE, "source_address": (self.source, 0)}
        if self.tls:
            return http.client.HTTPSConnection("127.0.0.1", self.port, context=self.tls, **where)
        return http.client.HTTPConnection("127.0.0.1", self.port, **where)

    def request(self, connection, method, path, body, headers):
        headers = dict(headers or {})
        if self.token:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body)
            headers.setdefault("Content-Type", JSON)
        connection.request(method, path, body, headers)
        return connection.getresponse()

    def call(self, method, path, body=None, headers=None):
        """Sends a request, which is not repeated if the connection breaks."""
        if self.connection is None:
            self.connection = self.connect()
        try:
            answer = self.request(self.connection, method, path, body, headers)
            return Response(answer.status, answer.headers, answer.read())
        except BROKEN:
            self.close()
            raise

    def get(self, path, headers=None):
        return self.call("GET", path, None, headers)

    def post(self, path, body=None, headers=None):
        return self.call("POST", path, {} if body is None else body, headers)

    def ok(self, method, path, body=None, headers=None):
        """Returns the JSON of a successful response."""
        answer = self.call(method, path, body, headers)
        expect(answer.status in (200, 201), f"{method} {path}: {answer}")
        return answer.json()

    def stream(self, path, accept):
        """Opens a stream on a connection of its own; `.fp` of the result has the bytes."""
        answer = self.request(self.connect(), "GET", path, None, {"Accept": accept})
        expect(answer.status == 200, f"{path}: {answer.status}")
        return answer

    def log(self, table):
        """Returns the events of a table from the store."""
        answer = self.get(f"/api/v1/tables/{table}/events?follow=false", {"Accept": LINES})
        expect(answer.status == 200, f"events of {table}: {answer}")
        return [json.loads(line) for line in answer.body.splitlines() if line]

    def close(self):
        if self.connection is not None:
            self.connection.close()
            self.connection = None


def events(stream):
    """Returns an iterator over the events of a stream, of server-sent events or of lines."""
    sse = stream.headers["Content-Type"].startswith("text/event-stream")
    while line := stream.readline():
        line = line.strip()
        if sse and not line.startswith(b"data:"):
            continue
        if line:
            event = json.loads(line.removeprefix(b"data:"))
            if event.get("type") == "closed":
                return
            yield event


class Socket:
    """A WebSocket, as much of it as these scripts need."""

    def __init__(self, port, path, source="127.0.0.1", token=None):
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE, (source, 0))
        words = [
            f"GET {path} HTTP/1.1",
            f"Host: 127.0.0.1:{port}",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: " + base64.b64encode(os.urandom(16)).decode(),
        ]
        if token:
            words.append(f"Authorization: Bearer {token}")
        self.socket.sendall("\r\n".join([*words, "", ""]).encode())
        self.file = self.socket.makefile("rb")
        words = self.file.readline().split()
        # None if the server hangs up instead of answering.
        self.status = int(words[1]) if words else None
        while self.file.readline().strip():
            pass

    def send(self, message, opcode=1):
        data, mask = message if opcode != 1 else json.dumps(message).encode(), os.urandom(4)
        size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack("!H", len(data))
        masked = bytes(byte ^ mask[at % 4] for at, byte in enumerate(data))
        self.socket.sendall(bytes([0x80 | opcode]) + size + mask + masked)

    def receive(self):
        """Returns the next message; pings are answered."""
        while True:
            first, size = self.file.read(2)
            if size == 126:
                (size,) = struct.unpack("!H", self.file.read(2))
            elif size == 127:
                (size,) = struct.unpack("!Q", self.file.read(8))
            data = self.file.read(size)
            match first & 15:
                case 1:
                    return json.loads(data)
                case 9:
                    self.send(data, 10)
                case 8:
                    raise Fault(f"the server closed the socket: {data!r}")

    def reset(self):
        """Closes the connection without a word: the server sees a reset."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close()

    def close(self):
        self.file.close()
        self.socket.close()


def new_table(client, game="mnk", seats=2):
    """Creates a table with all seats held by the client, and returns its id."""
    made = client.ok("POST", "/api/v1/tables", {"game": game, "seats": [{"kind": "me"}] * seats})
    client.token = client.token or made["token"]
    return made["table"]["id"]


def random_moves(seed):
    """Returns the moves of a random game of tic-tac-toe."""
    moves, rng = [], random.Random(seed)
    free = [(row, column) for row in range(3) for column in range(3)]
    marks = {}
    lines = [[(i, j) for j in range(3)] for i in range(3)] + [[(j, i) for j in range(3)] for i in range(3)]
    lines += [[(i, i) for i in range(3)], [(i, 2 - i) for i in range(3)]]
    while free:
        cell = free.pop(rng.randrange(len(free)))
        marks[cell] = len(moves) % 2
        moves.append("{},{}".format(*cell))
        if any(all(marks.get(cell) == side for cell in line) for line in lines for side in (0, 1)):
            break
    return moves


def check_log(log, sent, table):
    """Checks that a log has exactly the moves that were sent, in order and without gaps."""
    expect([event["version"] for event in log] == list(range(1, len(log) + 1)), f"{table}: gaps in the log")
    moved = [(event["id"], event["move"], event["seat"]) for event in log if event["type"] == "moved"]
    expect(moved == sent, f"{table}: the log has {moved}, sent were {sent}")


class GoodClient(threading.Thread):
    """A client that keeps within all limits, and plays games until it is told to stop."""

    def __init__(self, port, source, seed, pause=0.02):
        super().__init__(daemon=True)
        self.client, self.seed, self.pause = Client(port, source), seed, pause
        self.stopping = threading.Event()
        self.games = self.answers = 0
        self.slowest = 0.0
        self.error = None

    def run(self):
        try:
            while True:
                self.play(random_moves(self.seed * 1000 + self.games))
                self.games += 1
                if self.stopping.is_set():
                    return
        except Exception as error:
            self.error = f"{type(error).__name__}: {error}"

    def timed(self, act, *args):
        start = time.monotonic()
        value = act(*args)
        self.slowest = max(self.slowest, time.monotonic() - start)
        self.answers += 1
        time.sleep(self.pause)
        return value

    def play(self, moves):
        client, sent = self.client, []
        client.close()  # every game needs a new connection
        table = self.timed(new_table, client)
        api = f"/api/v1/tables/{table}"
        for path in ("/", f"/t/{table}", api, f"{api}/svg", "/healthz"):
            answer = self.timed(client.get, path)
            expect(answer.status == 200, f"{path}: {answer}")
        for number, move in enumerate(moves):
            body = {"move": move, "id": f"m{number}"}
            done = self.timed(client.ok, "POST", f"{api}/moves", body)
            sent.append((body["id"], move, number % 2))
        expect(done["status"] == "over", f"{table} is not over: {done}")
        check_log(self.timed(client.log, table), sent, table)
        verdict = self.timed(client.ok, "GET", f"{api}/verify")
        expect(verdict["holds"] and verdict["moves"] == len(moves), f"{table}: {verdict}")

    def play_on(self, games=1):
        """Waits until the client has played more games."""
        games += self.games
        wait_for(lambda: self.games >= games or self.error, "another game of the well-behaved client", 10 * PATIENCE)

    def finish(self):
        """Lets the client play its game to the end."""
        self.stopping.set()
        self.join(10 * PATIENCE)
        expect(not self.is_alive(), "the well-behaved client got no answer")
        expect(self.error is None, f"the well-behaved client: {self.error}")
        expect(self.games > 0, "the well-behaved client played no game")


def memory(pid):
    """Returns the most memory that a process has needed so far."""
    try:
        for text in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
            if text.startswith("VmHWM:"):
                return int(text.split()[1]) << 10
    except OSError:
        pass
    return 0


def program(pid):
    """Returns the program that a process runs; None if it has ended."""
    try:
        return os.readlink(f"/proc/{pid}/exe")
    except OSError:
        return None


class Watch(threading.Thread):
    """Notes the most memory that the programs started by a process have needed."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.most, self.stopping = pid, 0, threading.Event()

    def run(self):
        tasks, own = pathlib.Path(f"/proc/{self.pid}/task"), program(self.pid)
        while not self.stopping.wait(0.02):
            try:
                children = [child for task in tasks.iterdir() for child in (task / "children").read_text().split()]
            except OSError:
                continue
            # Until it runs another program, a new process shares the memory of the first.
            self.most = max([self.most, *(memory(child) for child in children if program(child) not in (own, None))])
