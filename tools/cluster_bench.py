#!/usr/bin/env python3
"""Measures a house of one node and of three: moves per second, CPU per move, and the time to watchers.

    cargo build --release --locked -p parlor-server --example load
    tools/cluster_bench.py --parlor target/release/parlor --load target/release/examples/load

Prints the figures of docs/scale.md. Clients, nodes and databases share the machine, so that the CPU per
move says more than the moves per second.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from cluster import Cluster, Process, fixed_ports, is_ready, run_in_folder
from live_server import LINES, Client, events

TICK = os.sysconf("SC_CLK_TCK")
# No limits, since all clients come from one address.
SETTINGS = {
    "requests_per_second": 0,
    "tables_per_hour": 0,
    "open_tables_per_address": 0,
    "connections_per_address": 4_000,
    "answers_per_address": 4_000,
    "streams_per_address": 4_000,
    "connections": 8_000,
    "metrics_bind": "off",
    "log": "warn",
}
# Moves whose way to a watcher is timed, and the pause between two of them.
TIMED, PAUSE = 200, 0.01


def seconds_of_cpu(pids):
    """Returns the CPU time that processes have used, with that of their threads."""
    used = 0
    for pid in pids:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        used += int(fields[11]) + int(fields[12])
    return used / TICK


def processes_called(name):
    """Returns the processes of a program."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and (entry / "comm").read_text().strip() == name:
                found.append(int(entry.name))
        except OSError:  # it has ended
            pass
    return found


def play(load, addresses, games, seconds):
    """Plays on all nodes at once and returns the moves per second of all."""
    command = [load, "--games", str(games // len(addresses)), "--seconds", str(seconds), "--way", "rest", "--url"]
    running = [subprocess.Popen([*command, address], stdout=subprocess.PIPE, text=True) for address in addresses]
    return [json.loads(one.communicate()[0]) for one in running]


def measure(name, nodes, others, load, options):
    """Prints the figures of a house; `others` are programs that work for it, such as the database."""
    addresses = [f"http://127.0.0.1:{node.port}" for node in nodes]
    mine = [node.process.pid for node in nodes]
    sampled = {}

    def sample():
        # Processes of the database come and go with connections: those that are there in the middle.
        time.sleep(2)
        pids = {other: processes_called(other) for other in others}
        before = {other: seconds_of_cpu(found) for other, found in pids.items()}
        cpu, start = seconds_of_cpu(mine), time.monotonic()
        time.sleep(options.seconds - 4)
        sampled["nodes"] = (seconds_of_cpu(mine) - cpu) / (time.monotonic() - start)
        for other, found in pids.items():
            sampled[other] = (seconds_of_cpu(found) - before[other]) / (time.monotonic() - start)

    sampler = threading.Thread(target=sample)
    sampler.start()
    results = play(load, addresses, options.games, options.seconds)
    sampler.join()
    rate = sum(result["moves_per_second"] for result in results)
    worst = max(results, key=lambda result: result["p99_ms"])
    cpu = ", ".join(f"{part} {share / rate * 1e6:.0f} us" for part, share in sampled.items())
    print(f"{name}: {rate:.0f} moves/s, p50 {worst['p50_ms']:.1f} ms, p99 {worst['p99_ms']:.1f} ms; CPU per move: {cpu}", flush=True)


def time_to_watchers(name, cluster):
    """Prints the time from sending a move at one node to the event at a watcher of another."""
    mover, watcher = (Client(node.port) for node in cluster.nodes[:2])
    waits = []
    while len(waits) < TIMED:
        made = mover.ok("POST", "/api/v1/tables", {
            "game": "mnk", "options": {"rows": 15, "columns": 15, "k": 5}, "clock": None,
            "seats": [{"kind": "me"}] * 2,
        })
        mover.token = mover.token or made["token"]
        table, version = made["table"]["id"], made["table"]["version"]
        stream = events(watcher.stream(f"/api/v1/tables/{table}/events?after={version}", LINES))
        # Only every third cell, so that nobody wins soon.
        for cell in range(0, 225, 3):
            start = time.monotonic()
            answer = mover.post(f"/api/v1/tables/{table}/moves", {"move": f"{cell // 15},{cell % 15}"})
            if answer.status != 200:
                break
            next(stream)
            waits.append(time.monotonic() - start)
            time.sleep(PAUSE)
    waits.sort()
    print(
        f"{name}: from sending a move to the event at another node: "
        f"p50 {statistics.median(waits) * 1e3:.1f} ms, p99 {waits[int(len(waits) * 0.99)] * 1e3:.1f} ms ({len(waits)})",
        flush=True,
    )


def main(work, options):
    port = fixed_ports(1)[0]
    environment = {f"PARLOR_{key.upper()}": str(value) for key, value in SETTINGS.items()}
    command = [options.parlor, "serve", "--bind", f"127.0.0.1:{port}", "--database", f"sqlite:{work / 'house.db'}"]
    alone = Process("node", command, port, is_ready, work / "node.log", **environment)
    alone.start()
    try:
        measure("one node, SQLite", [alone], [], options.load, options)
    finally:
        alone.stop()
    with Cluster(options.parlor, work, 1, proxy=False, **SETTINGS) as one:
        measure("one node, PostgreSQL", one.nodes, ["postgres"], options.load, options)
    with Cluster(options.parlor, work, 3, proxy=False, **SETTINGS) as three:
        measure("three nodes, PostgreSQL and NATS", three.nodes, ["postgres", "nats-server"], options.load, options)
        time_to_watchers("NATS", three)
    with Cluster(options.parlor, work, 2, bus=False, proxy=False, **SETTINGS) as notified:
        time_to_watchers("PostgreSQL's notifications", notified)


if __name__ == "__main__":
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--parlor", type=pathlib.Path, required=True, metavar="PATH")
    words.add_argument("--load", type=pathlib.Path, required=True, metavar="PATH", help="the load generator")
    words.add_argument("--games", type=int, default=96)
    words.add_argument("--seconds", type=int, default=10)
    given = words.parse_args()
    run_in_folder(lambda work: main(work, given))
