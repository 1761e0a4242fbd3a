#!/usr/bin/env python3
"""Load test of a git repository with tables: players push moves concurrently, and a hook runs the referee.

    tools/git_crowd.py --players 10 --seconds 60

Every player has a clone and a table of m,n,k with both seats, so that players do not wait for
each other, and plays legal moves as fast as git allows. Prints the number of players, the duration,
the number of moves and of lost moves, the latency from `parlor git move` to the referee's response
in the clone (median, 95th percentile, maximum), and whether the tables, the history and the seals
verify. Fails if a move is lost: every accepted push must be a move of the record. Needs git and the
built program, by default target/release/parlor; a debug build works but has misleading timings.
"""

import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import tempfile
import threading
import time

HOOK = """#!/bin/sh
exec "{parlor}" git referee >> "{log}" 2>&1
"""


# Timeout for the referee's response to a move, in seconds.
PATIENCE = 60


class Failed(SystemExit):
    """Error for a failed command, with its error output."""


def run(*words, at, check=True, env=None):
    done = subprocess.run(words, cwd=at, capture_output=True, text=True, env=env)
    if check and done.returncode:
        raise Failed(f"{' '.join(map(str, words))}: {done.stderr.strip()}")
    return done


class Player(threading.Thread):
    def __init__(self, number, house, args):
        super().__init__()
        self.name, self.house, self.args = f"p{number}", house, args
        self.clone = house.parent / self.name
        self.times, self.moves, self.error = [], 0, None

    def parlor(self, *words, check=True):
        return run(self.args.parlor, "git", *words, at=self.clone, check=check)

    def run(self):
        try:
            self.play()
        except (Failed, OSError, ValueError, LookupError) as error:
            self.error = str(error)

    def state(self):
        return json.loads((self.clone / "tables" / self.name / "state.json").read_text())

    def play(self):
        end = time.monotonic() + self.args.seconds
        while time.monotonic() < end:
            run("git", "pull", "--quiet", "--rebase", at=self.clone)
            state = self.state()
            if state["status"] == "completed":
                return
            shown = self.parlor("show", self.name, "--legal").stdout.splitlines()
            before, begun = state["turn"], time.monotonic()
            self.parlor("move", self.name, shown[-1])
            self.moves += 1
            while self.state()["turn"] <= before:
                if time.monotonic() > begun + PATIENCE:
                    raise Failed(f"move {self.moves} was pushed, but not answered within {PATIENCE} s")
                run("git", "pull", "--quiet", "--rebase", at=self.clone)
            self.times.append(time.monotonic() - begun)


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("--players", type=int, default=10, help="how many play at once, each at a table (10)")
    args.add_argument("--seconds", type=float, default=60, help="how long new moves are made (60)")
    args.add_argument("--parlor", default="target/release/parlor", help="the program (target/release/parlor)")
    args = args.parse_args()
    args.parlor = str(pathlib.Path(args.parlor).resolve())
    if not os.access(args.parlor, os.X_OK):
        raise SystemExit(f"{args.parlor} cannot be run: build it (cargo build --release -p parlor), or name another with --parlor")
    if args.players < 1:
        raise SystemExit("a crowd has at least one player")
    with tempfile.TemporaryDirectory() as folder:
        house = pathlib.Path(folder).resolve() / "house.git"
        run("git", "init", "--quiet", "--bare", "--initial-branch=main", house, at=folder)
        os.environ.pop("PARLOR_GIT_SECRET_FILE", None)
        env = os.environ | {"PARLOR_GIT_SECRET": os.urandom(32).hex()}
        told = lambda *words: run(args.parlor, "git", *words, at=house, env=env)
        told("init")
        players = [Player(n, house, args) for n in range(args.players)]
        for player in players:
            told("player", player.name, "--email", f"{player.name}@example.org")
            told("new", player.name, "mnk", "--rows", "20", "--columns", "20", "--k", "20", "--players", f"{player.name},{player.name}")
            run("git", "clone", "--quiet", house, player.clone, at=folder)
            run("git", "config", "user.name", player.name, at=player.clone)
            run("git", "config", "user.email", f"{player.name}@example.org", at=player.clone)
        hook = house / "hooks" / "post-receive"
        hook.write_text(HOOK.format(parlor=args.parlor, log=house / "referee.log"))
        hook.chmod(0o755)
        os.environ["PARLOR_GIT_SECRET"] = env["PARLOR_GIT_SECRET"]
        for player in players:
            player.start()
        for player in players:
            player.join()
        for player in players:
            if player.error:
                print(f"{player.name}: {player.error}")
        look = pathlib.Path(folder) / "look"
        run("git", "clone", "--quiet", house, look, at=folder)
        lost = 0
        for player in players:
            turn = json.loads((look / "tables" / player.name / "state.json").read_text())["turn"]
            lost += abs(player.moves - (turn - 1))
        times = sorted(time for player in players for time in player.times)
        moves = [player.moves for player in players]
        verified = run(args.parlor, "verify", ".", at=look, check=False, env=env)
        clean = run("git", "fsck", "--strict", at=house, check=False).returncode == 0
        print(f"players: {len(players)}")
        print(f"seconds: {args.seconds:.0f}")
        print(f"moves: {sum(moves)} ({min(moves)} to {max(moves)} a player)")
        print(f"moves lost: {lost}")
        if times:
            # 95th percentile by the nearest-rank method.
            percentile = times[math.ceil(0.95 * len(times)) - 1]
            print(f"from move to answer: median {statistics.median(times):.2f} s, 95 % {percentile:.2f} s, worst {times[-1]:.2f} s")
        print(f"verify: {verified.stdout.splitlines()[-1] if verified.returncode == 0 else verified.stdout + verified.stderr}")
        print(f"git fsck: {'clean' if clean else 'not clean'}")
        if lost or verified.returncode or not clean or not times or any(player.error for player in players):
            raise SystemExit(1)


if __name__ == "__main__":
    main()
