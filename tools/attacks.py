"""Attacks of strangers on a Parlor server, each for a time and from addresses of its own.

An attack takes the server's port, the first three bytes of its addresses and the time at which it
ends. It returns what the server answered, counted, and raises a Fault if it answered what it must not.
"""

import json
import os
import random
import resource
import socket
import time
from collections import Counter

from live_server import BROKEN, PATIENCE, Client, Socket, expect, new_table
from git_packs import Attacker
from http2 import NeverReads

# Limits of the server, by default, and the seconds in which each comes back by one.
TABLES, SECONDS_PER_TABLE = 240, 15
SIGN_UPS, SECONDS_PER_SIGN_UP = 20, 180
WRONG_PASSWORDS, SECONDS_PER_PASSWORD = 10, 30
# Requests of one address whose answers are not read, and of one connection at once.
UNREAD, STREAMS = 256, 64
NAME, PASSWORD = "Victim", "a long and unusual sentence"


def going(until):
    return time.monotonic() < until


def idle(port, addresses, until):
    """1,100 connections that send nothing, half a header, or nothing after an answer."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard), hard))
    counts, held = Counter(), {}
    words = [b"", b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ", b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"]
    while going(until):
        for number in range(1_100):
            if number not in held:
                held[number] = socket.create_connection(("127.0.0.1", port), PATIENCE, (f"{addresses}.1", 0))
                held[number].setblocking(False)
                counts["opened"] += 1
                try:
                    held[number].sendall(words[number % 3])
                except OSError:
                    pass  # the server has closed it already
        time.sleep(0.5)
        for number, one in list(held.items()):
            try:
                gone = one.recv(4096) == b""
            except BlockingIOError:
                gone = False
            except OSError:
                gone = True
            if gone:
                counts["closed by the server"] += 1
                held.pop(number).close()
    expect(counts["closed by the server"] >= 1_100 - 512, f"idle connections: {counts}")
    return counts


def thinking(port, addresses, until):
    """200 games of one guest against the strongest bot of the game that takes it the most memory."""
    client, counts, tables = Client(port, f"{addresses}.1"), Counter(), []
    seats = [{"kind": "bot", "spec": "level:5"}, {"kind": "me"}]
    while going(until):
        if len(tables) < 200:
            made = client.post("/api/v1/tables", {"game": "ultimate", "seats": seats})
            counts[f"tables: {made.status}"] += 1
            expect(made.status in (201, 429), f"a table with a bot: {made}")
            if made.status == 201:
                client.token = client.token or made.json()["token"]
                tables.append(made.json()["table"]["id"])
        for table in random.sample(tables, min(4, len(tables))):
            legal = client.get(f"/api/v1/tables/{table}/legal")
            expect(legal.status in (200, 429), f"legal moves: {legal}")
            if legal.status == 200 and legal.json()["moves"]:
                move = {"move": random.choice(legal.json()["moves"]), "version": legal.json()["version"]}
                moved = client.post(f"/api/v1/tables/{table}/moves", move)
                counts[f"moves: {moved.status}"] += 1
                expect(moved.status in (200, 403, 409, 429), f"a move: {moved}")  # 403: it is the bot's turn
    return counts


def networks(port, addresses, until):
    """A game against the strongest bot from each of a hundred networks, which have a share of the time each."""
    first, counts, games = addresses.rpartition(".")[0], Counter(), []
    seats = [{"kind": "me"}, {"kind": "bot", "spec": "level:5"}]
    while going(until):
        if len(games) < 100:
            client = Client(port, f"{first}.{len(games) + 1}.1")
            made = client.post("/api/v1/tables", {"game": "ultimate", "seats": seats})
            expect(made.status == 201, f"a table with a bot: {made}")
            client.token = made.json()["token"]
            games.append((client, made.json()["table"]["id"]))
        for client, table in random.sample(games, min(4, len(games))):
            client.close()  # the server may have closed the connection, which was idle for long
            legal = client.get(f"/api/v1/tables/{table}/legal")
            expect(legal.status == 200, f"legal moves: {legal}")
            if legal.json()["moves"]:
                move = {"move": random.choice(legal.json()["moves"]), "version": legal.json()["version"]}
                moved = client.post(f"/api/v1/tables/{table}/moves", move)
                counts[f"moves: {moved.status}"] += 1
                expect(moved.status in (200, 403, 409), f"a move: {moved}")  # 403: it is the bot's turn
    return counts


def pages(port, addresses, until):
    """The page of a long game and the lobby, asked for from a hundred networks at once."""
    first, counts = addresses.rpartition(".")[0], Counter()
    host = Client(port, f"{first}.0.1")
    options = {"rows": 20, "columns": 20, "k": 20}
    made = host.post("/api/v1/tables", {"game": "mnk", "options": options, "seats": [{"kind": "me"}] * 2})
    expect(made.status == 201, f"a table: {made}")
    host.token, table = made.json()["token"], made.json()["table"]["id"]
    readers = [Client(port, f"{first}.{number}.1") for number in range(1, 101)]
    cells = [f"{row},{column}" for row in range(20) for column in range(20)]
    while going(until):
        for cell in cells[:40]:
            host.post(f"/api/v1/tables/{table}/moves", {"move": cell})
        del cells[:40]
        asked = []
        for reader in readers:
            try:
                reader.connection = reader.connection or reader.connect()
                reader.connection.request("GET", random.choice([f"/t/{table}", f"/t/{table}/state", "/"]), headers={"Accept-Encoding": "gzip"})
                asked.append(reader)
            except BROKEN:
                counts["closed"] += 1
                reader.close()
        for reader in asked:
            try:
                answer = reader.connection.getresponse()
                answer.read()
                counts[answer.status] += 1
            except BROKEN:
                counts["closed"] += 1
                reader.close()
    failed = [status for status in counts if status not in (200, 429, 503, "closed")]
    expect(counts[200] > 0 and not failed, f"pages: {counts}")
    return counts


def tables(port, addresses, until):
    """New tables without end from one address, with a new guest each time."""
    counts, start = Counter(), time.monotonic()
    while going(until):
        client = Client(port, f"{addresses}.1")
        made = client.post("/api/v1/tables", {"game": "mnk", "seats": [{"kind": "me"}, {"kind": "open"}]})
        client.close()
        counts[made.status] += 1
        expect(made.status in (201, 429), f"a new table: {made}")
        if made.status == 429:
            # Nobody can foretell when one of the open tables fills up.
            wait = made.headers.get("Retry-After")
            expect(wait is None or int(wait) > 0, f"a table too many: {made.headers}")
            time.sleep(0.05)
    expect(counts[201] <= TABLES + (time.monotonic() - start) / SECONDS_PER_TABLE + 1, f"tables: {counts}")
    return counts


def logins(port, addresses, until):
    """Wrong passwords for one account, and sign-ups, from one address."""
    client, counts, start = Client(port, f"{addresses}.1"), Counter(), time.monotonic()
    while going(until):
        wrong = client.post("/api/v1/sessions", {"name": NAME, "password": f"{random.random()}"})
        counts[f"wrong password: {wrong.status}"] += 1
        expect(wrong.status in (401, 429), f"a wrong password: {wrong}")
        account = {"name": f"a{random.randrange(10**9)}", "password": f"{random.random()} and more"}
        made = client.post("/api/v1/accounts", account)
        counts[f"sign-up: {made.status}"] += 1
        expect(made.status in (201, 429), f"a sign-up: {made}")
    seconds = time.monotonic() - start
    expect(counts["wrong password: 401"] <= WRONG_PASSWORDS + seconds / SECONDS_PER_PASSWORD + 1, f"logins: {counts}")
    expect(counts["sign-up: 201"] <= SIGN_UPS + seconds / SECONDS_PER_SIGN_UP + 1, f"sign-ups: {counts}")
    return counts


def requests(port, addresses, until):
    """Pages as fast as one connection brings them."""
    client, counts = Client(port, f"{addresses}.1"), Counter()
    while going(until):
        counts[client.get(random.choice(["/", "/healthz", "/leaderboard", "/api/v1/tables"])).status] += 1
    expect(set(counts) <= {200, 429}, f"requests: {counts}")
    return counts


def bodies(port, addresses, until):
    """Bodies that are too large, that never end, and that are no JSON."""
    counts = Counter()
    head = b"POST /api/v1/tables HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    waiting = []
    while going(until):
        for content in (b"Content-Length: 1000000\r\n\r\n" + b" " * 1_000_000, b"Content-Length: 9\r\n\r\n{", b"Content-Length: 9\r\n\r\n[[[[[[[[["):
            one = socket.create_connection(("127.0.0.1", port), PATIENCE, (f"{addresses}.1", 0))
            try:
                one.sendall(head + content)
            except OSError:
                pass  # the server need not read more than the limit
            waiting.append(one)
        if len(waiting) > 150:
            counts += answers(waiting)
            waiting = []
    counts += answers(waiting)
    expect(set(counts) <= {"400", "408", "413", "422", "429", "503", "closed"}, f"bodies: {counts}")
    return counts


def answers(connections):
    """Reads the status that each connection is answered with, and closes it."""
    counts = Counter()
    for one in connections:
        try:
            words = one.recv(4096).split()
            counts[words[1].decode() if len(words) > 1 else "closed"] += 1
        except OSError:
            counts["closed"] += 1
        one.close()
    return counts


def streams(port, addresses, until):
    """Sockets and streams, opened at once and dropped without a word."""
    host, counts = Client(port, f"{addresses}.2"), Counter()
    path = f"/api/v1/tables/{new_table(host)}"
    while going(until):
        held = []
        for number in range(80):
            try:
                one = Socket(port, f"{path}/socket", f"{addresses}.1")
            except OSError:
                counts["socket: reset"] += 1
                continue
            # An address that is refused too often is shut out for a while.
            counts[f"socket: {one.status or 'closed'}"] += 1
            expect(one.status in (101, 429, None), f"a socket: {one.status}")
            if one.status == 101:
                junk = [os.urandom(60), b'{"type":"subscribe"}', b"[" * 100, b"{}"][number % 4]
                try:
                    one.send(junk, 1 + number % 3) if number % 3 else one.send({"type": "subscribe", "after": 0})
                except OSError:
                    pass
            held.append(one)
        for one in held:
            one.reset()
    return counts


def fragments(port, addresses, until):
    """Empty parts of a message that never ends, over 20 sockets as fast as they take them."""
    host, counts, sockets = Client(port, f"{addresses}.2"), Counter(), []
    path = f"/api/v1/tables/{new_table(host)}/socket"
    parts = bytes([0, 0x80, 0, 0, 0, 0]) * 1000
    while going(until):
        try:
            if len(sockets) < 20:
                one = Socket(port, path, f"{addresses}.1")
                counts[f"socket: {one.status or 'closed'}"] += 1
                one.socket.settimeout(1)
                if one.status == 101:
                    one.socket.sendall(bytes([1, 0x80, 0, 0, 0, 0]))
                    sockets.append(one)
        except OSError:
            counts["socket: reset"] += 1
        for one in list(sockets):
            try:
                one.socket.sendall(parts)
                counts["parts"] += 1000
            except OSError:
                counts["cut off"] += 1
                sockets.remove(one)
        if not sockets:
            time.sleep(0.05)
    expect(counts["cut off"] > 0, f"parts of a message: {counts}")
    return counts


def unread(port, addresses, until):
    """500 requests a second for the largest answers, over 100 connections of HTTP/2 that read nothing."""
    counts, most, connections = Counter(), 0, []
    while going(until):
        connections = [one for one in connections if not one.is_closed]
        connections += [NeverReads(port, f"{addresses}.1") for _ in range(100 - len(connections))]
        free = [one for one in connections for _ in range(STREAMS - len(one.asked))]
        for one in random.sample(free, min(100, len(free))):
            one.ask(random.choice(["/api/openapi.json", "/api/v1/tables", "/api/v1/games", "/"]))
        time.sleep(0.2)
        for one in connections:
            one.listen()
            counts.update(one.take_counts())
        most = max(most, sum(len(one.unread) for one in connections))
    # Of those that the server drops, some are counted here until we hear of it.
    expect(0 < most <= UNREAD * 5 // 4, f"answers that nobody reads at once: {most}, {counts}")
    return counts + Counter({"most at once": most})


def posts(port, addresses, until):
    """5,120 requests at once from 40 addresses whose bodies never come, over 80 connections of HTTP/2."""
    counts, connections = Counter(), [None] * 80
    while going(until):
        for number, one in enumerate(connections):
            if one is None or one.is_closed:
                connections[number] = one = NeverReads(port, f"{addresses}.{1 + number // 2}")
                counts["connections"] += 1
            # Those that are refused come back at 20 a second from each address.
            for _ in range(min(5, STREAMS - len(one.asked))):
                one.ask_without_body("/api/v1/tables")
                counts["requests"] += 1
            one.listen()
            counts.update(one.take_counts())
        time.sleep(0.5)
    expect(counts["answers"] == 0 and counts["refused"] + counts["reset"] > 0, f"requests without their bodies: {counts}")
    return counts


def double_moves(port, addresses, until):
    """Two moves for the same version at once: exactly one of them is taken."""
    host, other, counts = Client(port, f"{addresses}.1"), None, Counter()
    table = new_table(host)
    other = Client(port, f"{addresses}.1", host.token)
    cells = []
    while going(until):
        path = f"/api/v1/tables/{table}"
        shown = host.get(path)
        if shown.status == 429:
            time.sleep(0.1)
            continue
        expect(shown.status == 200, f"the table: {shown}")
        if shown.json()["status"] == "over" or not cells:
            made = host.post("/api/v1/tables", {"game": "mnk", "options": {"rows": 12, "columns": 12, "k": 12}, "seats": [{"kind": "me"}] * 2})
            if made.status == 429:
                counts["no more tables"] += 1
                break
            table = made.json()["table"]["id"]
            cells = [f"{row},{column}" for row in range(12) for column in range(12)]
            continue
        statuses = []
        for client in (host, other):
            body = json.dumps({"move": cells.pop(), "version": shown.json()["version"]})
            client.connection = client.connection or client.connect()
            head = {"Authorization": f"Bearer {client.token}", "Content-Type": "application/json"}
            client.connection.request("POST", f"{path}/moves", body, head)
        for client in (host, other):
            answer = client.connection.getresponse()
            answer.read()
            statuses.append(answer.status)
        counts["pairs"] += 1
        if 429 not in statuses:
            expect(sorted(statuses) == [200, 409], f"two moves at once: {statuses}")
            counts["one of two taken"] += 1
    return counts


def packs(port, addresses, until):
    """Bombs for git, pushed to the remote of a table."""
    attacker = Attacker(port, 1, until)
    attacker.client = Client(port, f"{addresses}.1")
    attacker.run()
    expect(attacker.error is None, attacker.error)
    return attacker.counts


def junk(port, addresses, until):
    """Random requests: words that are no HTTP, wrong methods, long paths, JSON that fits nothing."""
    document = Client(port, f"{addresses}.1").ok("GET", "/api/openapi.json")
    routes = [(method.upper(), path) for path, item in document["paths"].items() for method in item if method != "parameters"]
    values = [None, True, -1, 1e300, "", "\0", "x" * 5_000, [], {}, [[]] * 50, {"kind": "me"}, "../../etc/passwd", "' or 1=1 --"]
    names = ["game", "seats", "name", "password", "move", "version", "id", "options", "clock", "after", "seat"]
    client, counts = Client(port, f"{addresses}.1"), Counter()
    while going(until):
        method, path = random.choice(routes)
        path = path.replace("{", "").replace("}", "")
        body = {name: random.choice(values) for name in random.sample(names, 3)}
        if method != "GET" or not path.endswith(("events", "socket")):
            try:
                counts[client.call(method, path, body if method != "GET" else None).status] += 1
            except BROKEN:
                counts["closed"] += 1
        with socket.create_connection(("127.0.0.1", port), PATIENCE, (f"{addresses}.2", 0)) as one:
            noise = random.choice([os.urandom(200), b"GET / HTTP/9.9\r\n\r\n", b"GET /" + b"a" * 9_000 + b" HTTP/1.1\r\n\r\n"])
            try:
                one.sendall(noise)
                one.shutdown(socket.SHUT_WR)
                counts[f"noise: {(one.recv(100).split() + [b'', b'closed'])[1].decode(errors='replace')}"] += 1
            except OSError:
                counts["noise: closed"] += 1
    failed = [status for status in counts if isinstance(status, int) and status >= 500]
    expect(not failed, f"random requests: {counts}")
    return counts


ATTACKS = {attack.__name__: attack for attack in (idle, thinking, networks, pages, tables, logins, requests, bodies, streams, fragments, unread, posts, double_moves, packs, junk)}


def attack(name, port, number, seconds, results):
    """Runs an attack in this process, and puts its name, what it counted and its fault into a queue.

    Attackers share this machine with what they attack, which in earnest they do not: they give way.
    """
    os.nice(10)
    try:
        counts, fault = ATTACKS[name](port, f"127.{10 + number}.0", time.monotonic() + seconds), None
    except Exception as error:
        counts, fault = Counter(), f"{type(error).__name__}: {error}"
    results.put((name, {str(what): count for what, count in counts.items()}, fault))
