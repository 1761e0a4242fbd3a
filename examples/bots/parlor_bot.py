#!/usr/bin/env python3
"""A bot for a Parlor house: it listens for challenges, takes them, and plays.

Needs Python 3.9 or newer and nothing else. docs/bots.md walks through it.

    PARLOR_TOKEN=parlor_... ./parlor_bot.py --url http://127.0.0.1:8080
    PARLOR_TOKEN=parlor_... ./parlor_bot.py --url ... --engine "parlor engine ultimate" --games ultimate

Without an engine it plays any legal move. What it has to do it learns from its account's stream of events: whenever
the line breaks, the bot connects again, is told how everything stands, and goes on.
"""

import argparse
import http.client
import json
import os
import random
import shlex
import subprocess
import sys
import time
import urllib.error
import urllib.request

# A quiet stream sends an empty line every 15 seconds: after three of them are missing, the line is dead.
SILENCE = 50
# How long the bot waits before it connects again, in seconds: longer each time, up to the last.
PAUSES = (0.5, 1, 2, 5, 10, 30)


class Refused(Exception):
    """The house said no. `status` is HTTP's, `code` the last part of the problem's type."""

    def __init__(self, status, problem):
        super().__init__(problem.get("detail") or problem.get("title") or f"status {status}")
        self.status = status
        self.code = problem.get("type", "").rsplit("/", 1)[-1]


class House:
    """The HTTP API, as far as a bot needs it."""

    def __init__(self, url, token):
        self.base = url.rstrip("/") + "/api/v1"
        self.token = token

    def open(self, method, path, body=None, timeout=30):
        """Sends a request and returns the open answer."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self.token}", "Accept": "application/x-ndjson, application/json"}
        if data is not None:
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(self.base + path, data=data, headers=headers, method=method)
        try:
            return urllib.request.urlopen(request, timeout=timeout)
        except urllib.error.HTTPError as error:
            with error:
                raise Refused(error.code, read_problem(error)) from None

    def get(self, path):
        with self.open("GET", path) as answer:
            return json.load(answer)

    def post(self, path, body=None):
        with self.open("POST", path, {} if body is None else body) as answer:
            return json.loads(answer.read() or b"null")

    def events(self, after):
        """What happens to this account, after the event with that number or from how it stands now; ends when the
        server closes the stream."""
        path = "/me/events" if after is None else f"/me/events?after={after}"
        with self.open("GET", path, timeout=SILENCE) as answer:
            for line in answer:
                if line.strip():
                    yield json.loads(line)


def read_problem(answer):
    try:
        return json.load(answer)
    except ValueError:
        return {}


class AnyMove:
    """Plays whatever is legal."""

    def choose(self, house, table):
        legal = house.get(f"/tables/{table['id']}/legal")
        return random.choice(legal["moves"]) if legal["moves"] else None


class Engine:
    """Plays what a program says that speaks the house's engine protocol, such as `parlor engine ultimate`."""

    def __init__(self, command, milliseconds):
        self.milliseconds = milliseconds
        self.process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.ask("ugi", "ugiok")

    def choose(self, house, table):
        answer = self.ask(f"position {table['text']}\ngo movetime {self.milliseconds}", "bestmove ")
        return answer.split()[1]

    def ask(self, lines, wanted):
        """Says something and returns the first line of the answer that begins with `wanted`."""
        self.process.stdin.write(lines + "\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            if line.startswith(wanted):
                return line
            if line.startswith("error"):
                raise RuntimeError(f"the engine says: {line.strip()}")
        raise RuntimeError("the engine has ended")


class Bot:
    """What the bot does about each event."""

    def __init__(self, house, player, games, most):
        self.house = house
        self.player = player
        self.games = games
        self.left = most
        self.after = None
        self.over = set()

    def run(self):
        """Listens until enough games are over. Whatever goes wrong with the line, it is tried again."""
        tries = 0
        while self.left != 0:
            try:
                for event in self.house.events(self.after):
                    tries = 0
                    self.hear(event)
                    self.after = event.get("n", self.after)
                    if self.left == 0:
                        return
                say("the stream has ended")
            except Refused as refused:
                if refused.status in (401, 403):
                    raise
                say(f"refused: {refused}")
            except (OSError, http.client.HTTPException) as error:
                say(f"the line is broken: {error}")
            time.sleep(PAUSES[min(tries, len(PAUSES) - 1)])
            tries += 1

    def hear(self, event):
        """Does what an event asks for. Events of a kind that is not known here are left alone."""
        deed = getattr(self, "on_" + event["type"], None)
        if deed is None:
            return
        try:
            deed(event)
        except Refused as refused:
            # Somebody was faster, or the game has moved on: what is to be done now comes as an event.
            if refused.status not in (403, 404, 409, 422):
                raise
            say(f"{event['type']} at {event.get('table')}: {refused}")

    def on_challenge(self, event):
        wanted = not self.games or event["game"] in self.games
        say(f"{event['players']} ask for {event['game']}: {'yes' if wanted else 'no'}")
        self.house.post(f"/tables/{event['table']}/{'join' if wanted else 'abort'}")

    def on_game_start(self, event):
        say(f"a game of {event['game']} at {event['url']}: {event['players']}")
        self.house.post(f"/tables/{event['table']}/ready")

    def on_your_turn(self, event):
        while True:
            asked = time.monotonic()
            table = self.house.get(f"/tables/{event['table']}")
            trip = time.monotonic() - asked
            turn = table["turn"]
            if table["status"] != "playing" or turn.get("seat") not in table["you"]:
                return
            move = self.player.choose(self.house, table)
            if move is None:
                return
            # The same id for the same position: sending it twice plays it once.
            body = {"move": move, "id": f"bot-{table['version']}", "version": table["version"]}
            # Clocks that allow for the delay of the network take this off the time of the turn.
            if (table["clock"] or {}).get("lag"):
                body["lag_ms"] = min(round(1000 * trip), 60000)
            try:
                return self.house.post(f"/tables/{table['id']}/moves", body)
            except Refused as refused:
                if refused.code != "stale-version":
                    raise
                # The game has moved on, perhaps to our turn again.

    def on_offer(self, event):
        if event["offer"] == "rematch":
            self.house.post(f"/tables/{event['table']}/rematch")
        else:
            self.house.post(f"/tables/{event['table']}/{event['offer']}", {"action": "decline"})

    def on_game_over(self, event):
        say(f"over at {event['url']}: {json.dumps(event.get('ending'))}")
        # It is told twice if the line broke while it was handled.
        if event["table"] not in self.over:
            self.over.add(event["table"])
            self.left -= 1

    def on_closed(self, event):
        say(f"the server closes the stream: {event['reason']}")


def say(text):
    print(text, file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser(description="A bot for a Parlor house.")
    parser.add_argument("--url", default="http://127.0.0.1:8080", help="where the house is (%(default)s)")
    parser.add_argument("--token", default=os.environ.get("PARLOR_TOKEN"), help="the bot's token; PARLOR_TOKEN is safer")
    parser.add_argument("--engine", help="a program that finds the moves, such as `parlor engine ultimate`")
    parser.add_argument("--movetime", type=int, default=1000, help="milliseconds the engine may think (%(default)s)")
    parser.add_argument("--games", nargs="*", default=[], help="the games it takes challenges for; all when not said")
    parser.add_argument("--stop-after", type=int, default=-1, help="leave after so many games")
    args = parser.parse_args()
    if not args.token:
        parser.error("a token is needed: make one for your bot, see docs/bots.md")
    house = House(args.url, args.token)
    player = Engine(args.engine, args.movetime) if args.engine else AnyMove()
    try:
        Bot(house, player, args.games, args.stop_after).run()
    except Refused as refused:
        sys.exit(f"the house does not let the bot in: {refused}")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
