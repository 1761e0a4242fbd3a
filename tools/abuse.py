#!/usr/bin/env python3
"""Attacks a server in all ways at once while 16 honest games go on, which must lose nothing.

    tools/abuse.py FOLDER [--seconds 30] [--attacks idle,thinking] [--memory 1000]

FOLDER is for what it writes. Counts are checked, and the memory of the server; times are printed.
"""

import argparse
import multiprocessing
import pathlib
import random
import re
import sqlite3
import statistics
import subprocess
import sys
import threading
import time
from contextlib import closing

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import attacks
from live_server import LINES, Client, GoodClient, Server, Watch, binary, events, expect, memory, run

DUELS, BOT_GAMES = 10, 6
# Seconds between two requests of a player. In five minutes they may make 260 tables each.
PAUSE = 0.35
MOST_GIT_MEMORY = 200 << 20


class Duel(GoodClient):
    """Games of two people, move by move."""

    def __init__(self, port, number):
        super().__init__(port, f"127.0.1.{number}", number, PAUSE)
        self.moves = []

    def timed(self, act, *args):
        start = time.monotonic()
        value = super().timed(act, *args)
        if args[0] == "POST" and args[1].endswith("/moves"):
            self.moves.append(time.monotonic() - start - self.pause)
        return value


class BotGame(GoodClient):
    """Games of a person against a bot that thinks for a third of a second."""

    def __init__(self, port, number):
        super().__init__(port, f"127.0.1.{number}", number, PAUSE)
        self.rng, self.game = random.Random(number), ("ultimate", "mnk")[number % 2]
        self.moves, self.replies = [], []

    def play(self, _):
        self.client.close()
        seats = [{"kind": "me"}, {"kind": "bot", "spec": "level:3"}]
        made = self.client.ok("POST", "/api/v1/tables", {"game": self.game, "seats": seats})
        self.client.token = self.client.token or made["token"]
        path, moved = f"/api/v1/tables/{made['table']['id']}", []
        with closing(self.client.stream(f"{path}/events", LINES)) as stream:
            answered = None
            for event in events(stream):
                if event["type"] == "moved":
                    moved.append(event["move"])
                    if event["seat"] == 1 and answered:
                        self.replies.append(time.monotonic() - answered)
                if event["type"] == "ended":
                    break
                if event["type"] == "started" or (event["type"] == "moved" and event["seat"] == 1):
                    answered = self.move(path)
        record = self.client.ok("GET", f"{path}/verify")
        expect(record["holds"] and record["moves"] == len(moved), f"{path}: {record}")

    def move(self, path):
        """Plays a move, if the game is not over, and returns when it was acknowledged."""
        time.sleep(self.pause)
        legal = self.client.ok("GET", f"{path}/legal")
        if not legal["moves"]:
            return None
        body = {"move": self.rng.choice(legal["moves"]), "version": legal["version"]}
        start = time.monotonic()
        self.client.ok("POST", f"{path}/moves", body)
        self.moves.append(time.monotonic() - start)
        return time.monotonic()


class Backups(threading.Thread):
    """Backs the database up while it is played on; every copy is whole and has no less than the last."""

    def __init__(self, database, work):
        super().__init__(daemon=True)
        self.database, self.work, self.stopping = database, work, threading.Event()
        self.made, self.error = 0, None

    def run(self):
        rows = 0
        try:
            while not self.stopping.wait(2):
                copy = self.work / "backup.db"
                copy.unlink(missing_ok=True)
                subprocess.run([binary(), "admin", "backup", copy, "--database", self.database], check=True, capture_output=True)
                with closing(sqlite3.connect(copy)) as read:
                    expect(read.execute("pragma integrity_check").fetchone() == ("ok",), "a backup is damaged")
                    before, (rows,) = rows, read.execute("select count(*) from table_events").fetchone()
                expect(rows >= before, f"a backup has {rows} events, the one before had {before}")
                self.made += 1
        except Exception as error:
            self.error = f"{type(error).__name__}: {error}"


def spread(seconds):
    """Describes times by their median, 99th percentile and maximum."""
    if len(seconds) < 2:
        return "too few"
    part = statistics.quantiles(seconds, n=100)
    return f"median {part[49] * 1000:.1f} ms, p99 {part[98] * 1000:.1f} ms, at most {max(seconds) * 1000:.1f} ms"


def honest(port):
    """Starts the honest players."""
    players = [Duel(port, number) for number in range(1, DUELS + 1)]
    players += [BotGame(port, number) for number in range(DUELS + 1, DUELS + BOT_GAMES + 1)]
    for player in players:
        player.start()
    return players


def report(when, players):
    for player in players:
        player.finish()
    moves = [seconds for player in players for seconds in player.moves]
    replies = [seconds for player in players[DUELS:] for seconds in player.replies]
    print(f"{when}: {sum(player.games for player in players)} honest games, {len(moves)} moves: {spread(moves)}")
    print(f"{when}: {len(replies)} replies of bots: {spread(replies)}", flush=True)


def attack_all(server, names, seconds):
    """Runs attacks at once, each in a process of its own, and checks what each of them found."""
    start = multiprocessing.get_context("spawn")
    results = start.Queue()
    running = [start.Process(target=attacks.attack, args=(name, server.port, number, seconds, results)) for number, name in enumerate(names)]
    for process in running:
        process.start()
    players = honest(server.port)
    found = [results.get(timeout=seconds + 120) for _ in running]
    for process in running:
        process.join()
    report("under attack", players)
    for name, counts, fault in sorted(found):
        print(f"{name}: {', '.join(f'{count}x {what}' for what, count in sorted(counts.items()))}", flush=True)
    faults = [f"{name}: {fault}" for name, _, fault in found if fault]
    expect(not faults, "\n".join(faults))


def main(work, seconds, names, most_memory):
    database = f"sqlite:{work}/parlor.db"
    with Server(binary(), work, database, log="warn") as server:
        member, account = Client(server.port, "127.0.2.1"), {"name": attacks.NAME, "password": attacks.PASSWORD}
        expect(member.post("/api/v1/accounts", account).status == 201, "the member's account")
        players = honest(server.port)
        time.sleep(min(10, seconds / 3))
        report("quiet", players)
        quiet = memory(server.process.pid)
        watch, backups = Watch(server.process.pid), Backups(database, work)
        watch.start()
        backups.start()
        attack_all(server, names, seconds)
        backups.stopping.set()
        backups.join()
        watch.stopping.set()
        expect(backups.error is None, backups.error)
        member.close()  # the server has closed the connection, which was idle
        signed_in = member.post("/api/v1/sessions", account)
        expect(signed_in.status == 204, f"the member signs in: {signed_in}")
        after = honest(server.port)
        report("afterwards", after)
        expect(server.process.poll() is None, "the server has ended")
        most = memory(server.process.pid)
        failed = re.findall(r'^axum_http_requests_total\{.*status="(5\d\d)".*\} (\d+)', server.metrics(), re.MULTILINE)
        expect(all(status == "503" for status, _ in failed), f"the server failed: {failed}")
        print(f"{backups.made} backups; memory: {quiet >> 20} MB before, at most {most >> 20} MB, its git {watch.most >> 20} MB", flush=True)
    log = server.log.read_text()
    expect("panicked" not in log, log[-2000:])
    expect(most < most_memory << 20 and watch.most < MOST_GIT_MEMORY, "too much memory")


if __name__ == "__main__":
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("folder")
    words.add_argument("--seconds", type=float, default=30)
    words.add_argument("--attacks", default=",".join(attacks.ATTACKS), metavar="NAME,...")
    words.add_argument("--memory", type=int, default=1000, metavar="MB", help="limit of the server's memory")
    options = words.parse_args()
    run(lambda work: main(work, options.seconds, options.attacks.split(","), options.memory))
