#!/usr/bin/env python3
"""Plays in a new house and keeps its database, with what the server told of it, for the tests of
later releases (crates/parlor-server/tests/server/earlier.rs).

    tools/earlier_house.py --parlor OLDER_PARLOR --out crates/parlor-server/tests/earlier

The folder gets `house.db.gz` and `house.json.gz`: the tokens, and what each address answered.
"""

import argparse
import gzip
import json
import pathlib
import random
import signal
import sqlite3
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from live_server import Client, Server, expect, wait_for

# Games, each with its options, the players beside oneself, and the number of moves to play; None is all.
# The other games of the house are played once to the end.
GAMES = [
    ("mnk", {}, [], None),
    ("mnk", {"rows": 15, "columns": 15, "k": 5}, [{"kind": "bot", "spec": "level:2"}], 6),
    ("ultimate", {}, [], None),
    ("backgammon", {"length": 3, "cube": "on"}, [{"kind": "bot", "spec": "level:1"}], 40),
    ("pandemic", {}, [{"kind": "bot", "spec": "level:1"}], None),
    ("pandemic", {"players": 4}, [], 12),
]
PASSWORD = "a long way to Tipperary"
MEMBERS = ["Ada", "Grace"]
CLOCK = {"kind": "correspondence", "days": 14}


class House:
    def __init__(self, port):
        self.guest, self.rng, self.told = Client(port), random.Random(11), {"tokens": {}, "answers": {}, "running": []}

    def play(self, client, table, moves):
        """Plays random moves for all seats that the client has; returns true at the end of the game."""
        path, played = f"/api/v1/tables/{table}", 0
        while moves is None or played < moves:
            view = client.ok("GET", path)
            if view["status"] != "playing":
                return True
            legal = client.ok("GET", f"{path}/legal")["moves"]
            if not legal:
                continue  # a bot thinks
            move = {"move": self.rng.choice(legal), "version": view["version"]}
            done = client.post(f"{path}/moves", move)
            expect(done.status in (200, 403, 409), f"{move}: {done}")
            played += done.status == 200
        return False

    def games(self):
        names = [game["name"] for game in self.guest.ok("GET", "/api/v1/games")]
        unlisted = [(name, {}, [], None) for name in names if name not in {game for game, *_ in GAMES}]
        for game, options, others, moves in GAMES + unlisted:
            seats = [{"kind": "me"}] * (options.get("players", 2) - len(others)) + others
            made = self.guest.ok("POST", "/api/v1/tables", {"game": game, "options": options, "seats": seats})
            self.guest.token = self.guest.token or made["token"]
            table = made["table"]["id"]
            if not self.play(self.guest, table, moves):
                self.keep_running("guest", table)
            self.remember(table)
        self.told["tokens"]["guest"] = self.guest.token

    def keep_running(self, who, table):
        self.told["running"].append({"table": table, "by": who})

    def remember(self, table):
        """Asks for all that a later release must tell as well."""
        path = f"/api/v1/tables/{table}"
        view = self.guest.ok("GET", path)
        for address in [f"{path}/record", f"{path}/verify"] if view["status"] == "over" else []:
            self.told["answers"][address] = self.guest.ok("GET", address)
        log = [event for event in self.guest.log(table)]
        self.told["answers"][f"{path}/events?follow=false"] = log

    def members(self, port):
        members = []
        for name in MEMBERS:
            client = Client(port)
            made = client.post("/api/v1/accounts", {"name": name, "password": PASSWORD})
            expect(made.status == 201, f"{name}: {made}")
            cookie = made.headers["Set-Cookie"].split(";")[0]
            client.token = client.ok("POST", "/api/v1/tokens", {"name": "kept"}, {"Cookie": cookie})["token"]
            self.told["tokens"][name] = client.token
            members.append(client)
        first, second = members
        for moves in (None, 3):
            wanted = {"game": "mnk", "rated": True, "clock": CLOCK, "seats": [{"kind": "me"}, {"kind": "open"}]}
            table = first.ok("POST", "/api/v1/tables", wanted)["table"]["id"]
            second.ok("POST", f"/api/v1/tables/{table}/join", {})
            self.play_both(members, table, moves)
            self.remember(table)
        challenge = {"game": "backgammon", "seats": [{"kind": "me"}, {"kind": "player", "name": MEMBERS[1]}]}
        first.ok("POST", "/api/v1/tables", challenge)
        for name in MEMBERS:
            self.told["answers"][f"/api/v1/players/{name}"] = self.guest.ok("GET", f"/api/v1/players/{name}")

    def play_both(self, members, table, moves):
        path, played = f"/api/v1/tables/{table}", 0
        while moves is None or played < moves:
            view = self.guest.ok("GET", path)
            if view["status"] != "playing":
                return
            client = members[view["turn"]["seat"]]
            legal = client.ok("GET", f"{path}/legal")["moves"]
            client.ok("POST", f"{path}/moves", {"move": self.rng.choice(legal)})
            played += 1
        self.keep_running(MEMBERS[self.guest.ok("GET", path)["turn"]["seat"]], table)


def main(work, options):
    file = work / "house.db"
    settings = {"requests_per_second": 0, "tables_per_hour": 0, "bot_time_ms": 20}
    with Server(options.parlor.resolve(), work, f"sqlite:{file}", **settings) as server:
        house = House(server.port)
        house.games()
        house.members(server.port)
        wait_for(lambda: house.guest.get("/readyz").status == 200, "the house")
    # One file, without what was deleted.
    with sqlite3.connect(file) as database:
        database.execute("pragma journal_mode = delete")
        database.execute("vacuum")
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "house.db.gz").write_bytes(gzip.compress(file.read_bytes(), 9, mtime=0))
    told = json.dumps(house.told, separators=(",", ":"), sort_keys=True)
    (options.out / "house.json.gz").write_bytes(gzip.compress(told.encode(), 9, mtime=0))


if __name__ == "__main__":
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--parlor", type=pathlib.Path, required=True, help="the program of the older release")
    words.add_argument("--out", type=pathlib.Path, required=True, help="the folder")
    given = words.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory(prefix="parlor-earlier.") as folder:
        main(pathlib.Path(folder), given)
