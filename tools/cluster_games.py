#!/usr/bin/env python3
"""Plays on several nodes while nodes and NATS are killed and paused, and checks what all nodes have.

    tools/cluster_games.py --parlor target/release/parlor --games 64 --seconds 300 [--every 5]
    tools/cluster_games.py --parlor target/release/parlor --games 16 --seconds 90 --pause 60
    tools/cluster_games.py --parlor target/release/parlor --games 16 --seconds 60 --database-down 20
    tools/cluster_games.py --parlor target/release/parlor --games 16 --seconds 60 --previous OLDER_PARLOR
    tools/cluster_games.py --parlor target/release/parlor --games 32 --seconds 300 --races 10000

With --previous, nothing fails, but the nodes are those of an older release and are replaced one after
the other. With --races, nothing fails either, and every move is sent to two nodes at once until there
were so many.

Each game has two players on different nodes, or one and a bot, and a watcher on each node. In teams of two
and a bot the others wait for those who are asked for an event, and for consent or not. A client
whose node does not answer goes to the next one and repeats its request. Every acknowledged move must be
in the log exactly once, right after the version it was played on, and all nodes and watchers must have
the same events. Times are printed, not checked. PARLOR_TEST_POSTGRES names the server for the database.
"""

import argparse
import contextlib
import pathlib
import random
import re
import signal
import statistics
import sys
import threading
import time
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from cluster import Cluster, own_postgres, run_in_folder
from live_server import BROKEN, LINES, Client, Fault, binary, events, expect

# Seconds for an answer, after which a client goes to the next node: less than a pause lasts.
PATIENCE = 1.5
# Seconds without an answer of any node, or without news, after which a game is given up.
HOPE = 60
# Seconds of silence on a stream, which has a sign of life every 15 s.
SILENCE = 25
# Seconds for which a server is down.
DOWN = 2
# One move in so many is sent to two nodes at once: in turn the same move, and two that exclude each other.
RACE = 4
# What a player waits between two moves, on average.
PAUSE = 0.2
LARGE = {"game": "mnk", "options": {"rows": 6, "columns": 7, "k": 4}, "clock": None}
SMALL = {"game": "mnk", "options": {"rows": 5, "columns": 5, "k": 4}, "clock": None}
# It is soon lost by players who do nothing but draw.
TEAM = {"game": "pandemic", "clock": None}
KINDS = {
    "six by seven": LARGE,
    "five by five": SMALL,
    "with a clock": LARGE | {"clock": {"kind": "total", "initial_ms": 180_000}},
    "against a bot": SMALL,
    "a team that asks": TEAM | {"options": {"players": 3, "epidemics": 6, "consent": "ask"}},
    "a team that trusts": TEAM | {"options": {"players": 3, "epidemics": 6, "consent": "implied"}},
}
# Events that may come between a move and the version that its player saw.
BESIDE = {"paused", "asked", "passed"}
# What events have that the release before does not know: nodes of that release do not pass it on.
NEW = {"after"}
# All clients come from one address. The bots think for a moment, in which their node may be killed.
SETTINGS = {
    "bot_time_ms": 40,
    "requests_per_second": 0,
    "tables_per_hour": 0,
    "open_tables_per_address": 0,
    "connections_per_address": 4_000,
    "streams_per_address": 4_000,
    "connections": 8_000,
}


class Tally:
    """What all clients count, and the faults they find."""

    def __init__(self, ports, ignored=frozenset()):
        self.ports, self.ignored, self.lock = ports, ignored, threading.Lock()
        self.counts, self.times = Counter(), defaultdict(list)
        self.faults, self.records = [], []

    def count(self, what, number=1):
        with self.lock:
            self.counts[what] += number

    def time(self, what, seconds):
        with self.lock:
            self.times[what].append(seconds)

    def fault(self, text):
        with self.lock:
            self.faults.append(text)
        print(f"fault: {text}", flush=True)

    def comparable(self, event):
        """Returns what all nodes tell of an event."""
        return {name: value for name, value in event.items() if name not in self.ignored}

    def port(self, number):
        return self.ports[number % len(self.ports)]


class Roamer(Client):
    """A client that goes to the next node when its own does not answer."""

    def __init__(self, tally, home):
        super().__init__(tally.port(home))
        self.tally, self.home = tally, home

    def connect(self):
        connection = super().connect()
        connection.timeout = PATIENCE
        return connection

    def go_to(self, number):
        port = self.tally.port(number)
        if self.port != port:
            self.close()
            self.port = port

    def move_on(self):
        self.close()
        self.go_to(self.tally.ports.index(self.port) + 1)

    def answer(self, method, path, body=None):
        """Sends a request to one node after the other until it is answered."""
        start, why = time.monotonic(), None
        while time.monotonic() < start + HOPE:
            asked = time.monotonic()
            try:
                done, problem = self.call(method, path, body), "after 503"
            except TimeoutError:
                done, problem = None, "at a paused node"
            except BROKEN:
                done, problem = None, "at a killed node"
            if done is not None and done.status == 503:
                self.tally.time("until a node answered 503", time.monotonic() - asked)
            if done is not None and done.status != 503:
                if why and path.endswith("/moves"):
                    self.tally.time(f"until a client moved that was {why}", time.monotonic() - start)
                return done
            why = why or problem
            self.tally.count(f"requests repeated by clients {problem}")
            self.move_on()
            time.sleep(0.1 if done else 0.01)
        raise Fault(f"{method} {path}: not answered by any node for {HOPE} s")

    def ok(self, method, path, body=None, headers=None):
        answer = self.answer(method, path, body)
        expect(answer.status in (200, 201), f"{method} {path}: {answer}")
        return answer.json()


class Record:
    """A table as its clients saw it."""

    def __init__(self, table, last="ended"):
        self.table, self.path = table, f"/api/v1/tables/{table}"
        self.last = last  # type of the last event
        self.acknowledged = []  # version it was played on, id, move, seat
        self.refused = []  # version, id, problem, time
        self.watchers, self.latest, self.news = [], [], threading.Condition()
        self.reached = 0  # version of the last answer to a move
        self.has_ended = False  # and not been given up after a fault

    def show(self, log):
        """Takes the events that a watcher has got."""
        with self.news:
            if len(log) > len(self.latest):
                self.latest = log[:]
                self.news.notify_all()

    def wait_for(self, condition, what):
        """Waits until a condition holds for the events that some watcher has got, and returns them."""
        with self.news:
            holds = self.news.wait_for(lambda: condition(self.latest), HOPE)
            expect(holds, f"{self.table}: {what} did not come for {HOPE} s after {self.latest[-1:]}")
            return self.latest


class Watcher(threading.Thread):
    """Follows a table on one node, and on the next while that one is gone."""

    def __init__(self, record, tally, home):
        super().__init__(daemon=True)
        self.record, self.tally, self.home = record, tally, home
        self.log, self.error = [], None
        self.start()

    def is_whole(self):
        return bool(self.log) and self.log[-1]["type"] == self.record.last

    def run(self):
        at = self.home
        try:
            while True:
                try:
                    self.follow(self.tally.port(at))
                except BROKEN:
                    pass
                if self.is_whole():
                    return
                self.tally.count("streams opened again")
                at += 1
                time.sleep(0.02)
        except Exception as error:
            self.error = f"{type(error).__name__}: {error}"

    def follow(self, port):
        client, opened = Client(port), time.time() * 1000
        connection = client.connect()
        connection.timeout = SILENCE
        path = f"{self.record.path}/events?after={len(self.log)}"
        try:
            answer = client.request(connection, "GET", path, None, {"Accept": LINES})
            if answer.status == 503:
                return
            expect(answer.status == 200, f"{path}: {answer.status}")
            for event in events(answer):
                self.log.append(self.tally.comparable(event))
                if event["at"] > opened:
                    self.tally.time("from a move to the watchers", time.time() - event["at"] / 1000)
                self.record.show(self.log)
                if self.is_whole():
                    return
        finally:
            connection.close()


class Board:
    """As much of the rules as it takes to play random moves to the end."""

    def __init__(self, options, rng):
        self.rng, self.k = rng, options["k"]
        self.free = [f"{row},{column}" for row in range(options["rows"]) for column in range(options["columns"])]
        self.taken, self.is_over = {}, False

    def choose(self):
        return self.rng.choice(self.free)

    def choose_other(self, move):
        """Returns another move, if there is one."""
        return self.rng.choice([other for other in self.free if other != move] or [move])

    def play(self, move, seat):
        self.free.remove(move)
        cell = tuple(map(int, move.split(",")))
        self.taken[cell] = seat
        lines = (self.line(cell, step) for step in ((0, 1), (1, 0), (1, 1), (1, -1)))
        self.is_over = not self.free or max(lines) >= self.k

    def line(self, cell, step):
        """Returns the length of the line through a cell."""
        length = 1
        for sign in (1, -1):
            row, column = cell
            while self.taken.get((row := row + sign * step[0], column := column + sign * step[1])) == self.taken[cell]:
                length += 1
        return length


class Player(threading.Thread):
    """Plays one game after the other, for both sides, which begin on different nodes."""

    def __init__(self, number, tally, stopping, options):
        super().__init__(daemon=True)
        self.number, self.tally, self.stopping = number, tally, stopping
        self.race, self.pause = (1, 0) if options.races else (RACE, PAUSE)
        # Nodes of the release before cannot read that players are asked.
        self.when_asked = None if options.previous else "always"
        kinds = [kind for kind in KINDS if not (options.races and kind.startswith(("against", "a team")))]
        self.kind = kinds[number % len(kinds)]
        self.rng = random.Random(f"{options.seed} {number}")
        self.seats = [Roamer(tally, number + seat) for seat in range(2)]
        self.twin = Roamer(tally, number)  # sends the other request of a race
        self.moves, self.error = 0, None

    def run(self):
        try:
            for seat in self.seats:  # a token that comes with a seat could be lost with the answer
                made = seat.ok("POST", "/api/v1/tables", {"game": "mnk", "seats": [{"kind": "me"}] * 2})
                seat.token = made["token"]
            while not self.stopping.is_set():
                self.play(self.kind)
        except Exception as error:
            self.error = f"player {self.number}: {type(error).__name__}: {error}"

    def play(self, kind):
        for seat in self.seats:
            seat.go_to(seat.home)
        if kind.startswith("a team"):
            return self.play_together(kind)
        (first, second), bot = self.seats, kind.endswith("bot")
        other = {"kind": "bot", "spec": "level:4"} if bot else {"kind": "open"}
        made = first.ok("POST", "/api/v1/tables", KINDS[kind] | {"seats": [{"kind": "me"}, other]})
        version, record = made["table"]["version"], Record(made["table"]["id"])
        self.tally.records.append(record)
        record.watchers = [Watcher(record, self.tally, home) for home in range(len(self.tally.ports))]
        if not bot:
            version = second.ok("POST", f"{record.path}/join", {})["version"]
        board, seat = Board(KINDS[kind]["options"], self.rng), 0
        while not board.is_over:
            if bot and seat == 1:
                move = self.bots_move(record, version)
            else:
                time.sleep(self.rng.uniform(0, 2 * self.pause))
                move = self.move(record, board, seat, version)
            board.play(move, seat)
            # A pause may have come before the move; a bot's answer, too, if the request was repeated.
            version, seat = version + 1 if bot else max(version + 1, record.reached), 1 - seat
        record.wait_for(lambda log: log[-1]["type"] == "ended", "the end")
        record.has_ended = True
        self.tally.count("games")

    def play_together(self, kind):
        """Plays a game of both and a bot, as a team, to its end."""
        first, second = self.seats
        others = [{"kind": "me"}, {"kind": "open"}, {"kind": "bot", "spec": "level:1"}]
        made = first.ok("POST", "/api/v1/tables", KINDS[kind] | {"seats": others})
        record = Record(made["table"]["id"], last="revealed")
        self.tally.records.append(record)
        record.watchers = [Watcher(record, self.tally, home) for home in range(len(self.tally.ports))]
        second.ok("POST", f"{record.path}/join", {})
        for seat in self.seats if self.when_asked else ():
            seat.ok("PUT", f"{record.path}/asking", {"when": self.when_asked})
        while (table := first.ok("GET", record.path))["status"] == "playing":
            asked = (table.get("asked") or {}).get("seats", [])
            seat = asked[0] if asked else table["turn"].get("seat")
            if seat is None or seat >= len(self.seats):
                record.wait_for(lambda log: len(log) > table["version"], "the bot's move")
                self.tally.count("moves of bots")
            elif asked and self.rng.random() < 0.7:
                # If the request is repeated, or the time was over, nobody is asked any more.
                answer = self.seats[seat].answer("POST", f"{record.path}/pass", {})
                expect(answer.status in (200, 409), f"{record.table}: pass: {answer}")
                self.tally.count("passes")
            else:
                time.sleep(self.rng.uniform(0, self.pause))
                self.move_in_team(record, seat)
        record.wait_for(lambda log: log[-1]["type"] == record.last, "the end")
        record.has_ended = True
        self.tally.count("games of teams")

    def move_in_team(self, record, seat):
        """Plays a move of a seat, on turn or not, unless the table has changed meanwhile."""
        player = self.seats[seat]
        legal = player.ok("GET", f"{record.path}/legal")
        own = [move for move, owner in zip(legal["moves"], legal["seats"]) if owner == seat]
        if own:
            self.moves += 1
            move = "draw" if "draw" in own else self.rng.choice(own)
            self.send(record, player, (f"{self.number}-{self.moves}", move), seat, legal["version"])

    def move(self, record, board, seat, version):
        """Plays a move, sometimes by two requests at once, and returns the one that was accepted."""
        self.moves += 1
        player, own = self.seats[seat], (f"{self.number}-{self.moves}", board.choose())
        if self.moves % self.race:
            sent = [own]
            played = {own} & {self.send(record, player, own, seat, version)}
        else:
            is_same = self.moves // self.race % 2 == 0
            sent = [own, own if is_same else (f"{own[0]}-other", board.choose_other(own[1]))]
            self.twin.token, self.twin.port = player.token, player.port
            self.twin.move_on()
            with ThreadPoolExecutor(2) as pool:
                results = pool.map(lambda *one: self.send(record, *one, seat, version), (player, self.twin), sent)
                played = set(results) - {None}
            self.tally.count("races")
            self.tally.count("moves sent to two nodes at once" if is_same else "moves sent with one that excludes it")
        expect(len(played) == 1, f"{record.table}: of {sent} on version {version}, {len(played)} were accepted; {record.refused[-2:]}")
        return played.pop()[1]

    def send(self, record, client, move, seat, version):
        """Sends a move, and returns it unless it is refused."""
        start = time.monotonic()
        answer = client.answer("POST", f"{record.path}/moves", {"id": move[0], "move": move[1], "version": version})
        done = answer.json()
        if answer.status == 200:
            self.tally.time("answer to a move", time.monotonic() - start)
            self.tally.count("acknowledged")
            record.acknowledged.append((version, *move, seat))
            expect(done["version"] > version, f"{record.table}: {move} on {version} is acknowledged as {done['version']}")
            record.reached = max(record.reached, done["version"])
            return move
        problem = done["type"].rpartition("/")[2]
        self.tally.count(f"refused as {problem} ({answer.status})")
        if problem != "others-asked":  # that does not take another move
            record.refused.append((version, move[0], done, time.time() * 1000))
        return None

    def bots_move(self, record, version):
        start = time.monotonic()
        log = record.wait_for(lambda log: len(log) > version, "the bot's move")
        self.tally.time("answer of a bot", time.monotonic() - start)
        self.tally.count("moves of bots")
        expect(log[version]["type"] == "moved" and log[version]["seat"] == 1, f"{record.table}: not a bot's move: {log[version]}")
        return log[version]["move"]


class Chaos(threading.Thread):
    """Kills and pauses nodes and NATS, each as often as the others, in random order."""

    def __init__(self, cluster, tally, options):
        super().__init__(daemon=True)
        self.cluster, self.tally, self.rng = cluster, tally, random.Random(options.seed)
        self.every, self.paused = options.every, options.pause
        self.stopping = threading.Event()

    def run(self):
        servers = [*self.cluster.nodes, self.cluster.nats]
        strikes, start = [], time.monotonic()
        while not self.stopping.wait(max(0, start + self.every - time.monotonic())):
            start = time.monotonic()
            if not strikes:
                strikes = [(server, strike) for server in servers for strike in (self.kill, self.pause)]
                self.rng.shuffle(strikes)
            try:
                for server in servers:
                    expect(server.is_running(), f"{server.name} has ended by itself: {server.log.read_text()[-2000:]}")
                server, strike = strikes.pop()
                strike(server)
                self.tally.count(f"{server.name.split()[0]} {strike.__doc__}")
            except Exception as error:
                self.stopping.set()
                return self.tally.fault(f"{type(error).__name__}: {error}")

    def kill(self, server):
        """killed"""
        server.signal(signal.SIGKILL)
        time.sleep(DOWN)
        server.start()

    def pause(self, server):
        """paused"""
        server.signal(signal.SIGSTOP)
        time.sleep(self.paused)
        server.signal(signal.SIGCONT)


class Outage(threading.Thread):
    """Stops the database once."""

    def __init__(self, database, tally, options):
        super().__init__(daemon=True)
        self.database, self.tally = database, tally
        self.every, self.down = options.every, options.database_down
        self.stopping = threading.Event()

    def run(self):
        if self.stopping.wait(self.every):
            return
        self.database.signal(signal.SIGINT)  # it closes all connections and ends
        time.sleep(self.down)
        self.database.start()
        self.tally.count("database stopped")


class Races(threading.Thread):
    """Lets nothing fail, and ends the play after so many races."""

    def __init__(self, tally, options):
        super().__init__(daemon=True)
        self.tally, self.races, self.stopping = tally, options.races, threading.Event()

    def run(self):
        while self.tally.counts["races"] < self.races and not self.stopping.wait(0.1):
            pass
        self.stopping.set()


class Upgrade(threading.Thread):
    """Replaces the nodes of an older release one after the other."""

    def __init__(self, cluster, parlor, tally, options):
        super().__init__(daemon=True)
        self.cluster, self.parlor, self.tally, self.every = cluster, parlor, tally, options.every
        self.stopping = threading.Event()

    def run(self):
        try:
            left = len(self.cluster.nodes)
            for node in self.cluster.nodes:
                if self.stopping.wait(self.every):
                    return
                node.signal(signal.SIGTERM)
                node.command[0] = self.parlor
                node.start()
                self.tally.count("nodes replaced")
                left -= 1
                self.begin(node.port, is_mixed=left > 0)
                self.come_back(node.port, is_mixed=left > 0)
        except Exception as error:
            self.stopping.set()
            self.tally.fault(f"{type(error).__name__}: {error}")


    def begin(self, port, is_mixed):
        """A new node is asked for a table whose usual options earlier nodes cannot read: it is refused as long as there
        is one, and then all nodes can read the table."""
        client, start = Client(port), time.monotonic()
        wanted = {"game": "pandemic", "seats": [{"kind": "me"}, {"kind": "bot", "spec": "level:1"}]}
        while True:
            answer = client.call("POST", "/api/v1/tables", wanted)
            if is_mixed or answer.status == 201 or time.monotonic() > start + HOPE:
                break
            time.sleep(0.1)
        expect(answer.status == (503 if is_mixed else 201), f"POST /api/v1/tables: {answer}")
        if not is_mixed:
            for node in self.cluster.nodes:
                Client(node.port).ok("GET", f"/api/v1/tables/{answer.json()['table']['id']}")
        self.tally.count("tables during the upgrade refused" if is_mixed else "tables after it")

    def come_back(self, port, is_mixed):
        """Somebody who left a team takes the seat back at a new node: it is refused as long as there is one that could not
        read it. All nodes can read that somebody left."""
        ann, bob, start = Client(port), Client(port), time.monotonic()
        wanted = {"game": "pandemic", "options": {"consent": "ask"}, "seats": [{"kind": "me"}, {"kind": "open"}]}
        path = f"/api/v1/tables/{ann.ok('POST', '/api/v1/tables', wanted)['table']['id']}"
        bob.token = bob.ok("POST", f"{path}/join", {"name": "Bob"})["token"]
        bob.ok("POST", f"{path}/resign", {})
        while True:
            answer = bob.call("POST", f"{path}/return", {})
            if is_mixed or answer.status == 200 or time.monotonic() > start + HOPE:
                break
            time.sleep(0.1)
        expect(answer.status == (503 if is_mixed else 200), f"POST {path}/return: {answer}")
        for node in self.cluster.nodes:
            seat = Client(node.port).ok("GET", path)["seats"][1]
            expect(seat["kind"] == ("bot" if is_mixed else "human"), f"{path}: {seat}")
        self.tally.count("returns during the upgrade refused" if is_mixed else "returns after it")


def logs_of(port, tally):
    """Returns the events of all tables as a node has them, and the version that it shows."""
    client = Client(port)

    def log(record):
        return [tally.comparable(event) for event in client.log(record.table)]

    return [(log(record), client.ok("GET", record.path)["version"]) for record in tally.records]


def check(tally):
    """Compares what the clients saw with what each node has."""
    with ThreadPoolExecutor(len(tally.ports)) as pool:
        nodes = list(pool.map(lambda port: logs_of(port, tally), tally.ports))
    for record, *found in zip(tally.records, *nodes):
        log = found[0][0]
        for number, (other, version) in enumerate(found, 1):
            if other != log:
                tally.fault(f"{record.table}: node 1 has {log}, node {number} has {other}")
            if version != len(log):
                tally.fault(f"{record.table}: node {number} shows version {version}, the log has {len(log)} events")
        if [event["version"] for event in log] != list(range(1, len(log) + 1)):
            tally.fault(f"{record.table}: gaps in {log}")
        for watcher in record.watchers:
            if watcher.log != (log if record.has_ended else log[: len(watcher.log)]):
                tally.fault(f"{record.table}: node 1 has {log}, the watcher of node {watcher.home + 1} got {watcher.log}")
        check_moves(record, log, tally)


def check_moves(record, log, tally):
    """Every acknowledged move is where it has to be, and nothing else is."""
    for version, number, move, seat in set(record.acknowledged):
        event = next((event for event in log[version:] if event["type"] not in BESIDE), {})
        if (event.get("id"), event.get("move"), event.get("seat")) != (number, move, seat):
            tally.fault(f"{record.table}: {number}, {move} of seat {seat} on version {version}, is acknowledged; the log has {event}")
    stored = Counter(event["id"] for event in log if event["type"] == "moved" and event["id"])
    sent = {number for _, number, _, _ in record.acknowledged}
    for number in set(stored) | sent:
        if stored[number] != 1 or number not in sent:
            tally.fault(f"{record.table}: {number} is stored {stored[number]} times, acknowledged: {number in sent}")
    for version, number, problem, at in record.refused:
        # Somebody must have been faster, and before the refusal.
        if number in stored or version >= len(log) or log[version]["at"] > at:
            tally.fault(f"{record.table}: {number} on version {version} was refused with {problem}; the log has {log[version:]}")
    tally.count("moves checked", len(sent))


def report(tally, rate):
    print(f"{tally.counts['games']} games, {rate:.0f} moves acknowledged per second")
    for what, number in sorted(tally.counts.items()):
        print(f"  {number:7} {what}")
    for what, times in sorted(tally.times.items()):
        part = statistics.quantiles(times * 2, n=100)  # of one alone, there are no quantiles
        print(f"  {what}: median {part[49]:.3f} s, p99 {part[98]:.3f} s, at most {max(times):.3f} s ({len(times)})")


def report_logs(cluster, tally):
    """Counts the warnings and errors of the nodes by their text."""
    for node in cluster.nodes:
        text, lines = node.log.read_text(), Counter()
        if "panicked" in text:
            tally.fault(f"{node.name} panicked: {text[text.index('panicked') - 200 :][:1500]}")
        for line in text.splitlines():
            if found := re.search(r"(WARN|ERROR) .*", line):
                lines[re.sub(r"\d+", "#", found[0])[:160]] += 1
        for line, number in lines.most_common(6):
            print(f"  {node.name}: {number} times {line}")


def play(cluster, database, tally, options):
    """Lets all play until the time is up, then to the end of their games. Returns the moves acknowledged
    per second until then."""
    stopping, start = threading.Event(), time.monotonic()
    players = [Player(number, tally, stopping, options) for number in range(options.games)]
    if options.races:
        chaos = Races(tally, options)
    elif options.previous:
        chaos = Upgrade(cluster, options.parlor or binary(), tally, options)
    else:
        chaos = Outage(database, tally, options) if database else Chaos(cluster, tally, options)
    for thread in (*players, chaos):
        thread.start()
    chaos.stopping.wait(options.seconds)  # a fault ends it early
    rate = tally.counts["acknowledged"] / (time.monotonic() - start)
    chaos.stopping.set()
    stopping.set()
    chaos.join()
    for player in players:
        player.join(2 * HOPE)
        if player.is_alive() or player.error:
            tally.fault(player.error or f"player {player.number} does not end")
    await_watchers(tally)
    return rate


def await_watchers(tally):
    """Waits until the watchers have seen the ends of their games."""
    until = time.monotonic() + HOPE
    for record in tally.records:
        for watcher in record.watchers if record.has_ended else ():
            watcher.join(max(0, until - time.monotonic()))
            if watcher.error or watcher.is_alive():
                tally.fault(f"{record.table}: the watcher of node {watcher.home + 1}: {watcher.error or 'did not see the end'}")


def main(work, options):
    with contextlib.ExitStack() as stack:
        database = url = None
        if options.database_down:
            database = own_postgres(work)
            database.start()
            stack.callback(database.stop)
            url = f"postgres://postgres@127.0.0.1:{database.port}/postgres"
        cluster = Cluster(options.previous or options.parlor or binary(), work, options.nodes, database=url, proxy=False, **SETTINGS)
        stack.enter_context(cluster)
        tally = Tally([node.port for node in cluster.nodes], NEW if options.previous else frozenset())
        rate = play(cluster, database, tally, options)
        check(tally)
        report(tally, rate)
        report_logs(cluster, tally)
    expect(not tally.faults, f"{len(tally.faults)} checks failed")
    expect(tally.counts["acknowledged"] > options.games, "hardly anything was played")
    expect(tally.counts["races"] >= options.races, f"only {tally.counts['races']} races in the time")
    replaced = tally.counts["nodes replaced"]
    expect(not options.previous or replaced == options.nodes, f"{replaced} nodes were replaced in the time")


if __name__ == "__main__":
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--parlor", type=pathlib.Path, metavar="PATH", help="the program (default: a release build)")
    words.add_argument("--nodes", type=int, default=3)
    words.add_argument("--games", type=int, default=64, help="number of games at once")
    words.add_argument("--seconds", type=float, default=300)
    words.add_argument("--every", type=float, default=5, metavar="SECONDS", help="time between two blows")
    words.add_argument("--pause", type=float, default=3, metavar="SECONDS", help="for which a server is paused")
    words.add_argument("--database-down", type=float, metavar="SECONDS", help="stop the database once, and nothing else")
    words.add_argument("--previous", type=pathlib.Path, metavar="PATH", help="a program of an older release, whose nodes are replaced")
    words.add_argument("--races", type=int, default=0, metavar="NUMBER", help="send every move to two nodes, and let nothing fail")
    words.add_argument("--seed", type=int, default=17)
    given = words.parse_args()
    run_in_folder(lambda work: main(work, given))
