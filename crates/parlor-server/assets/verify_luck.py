#!/usr/bin/env python3
"""Verifies the luck of a game: repeats every draw (each roll of backgammon, each card of Pandemic) and compares it.

usage: verify_luck.py RECORD
       RECORD is the record of a finished game: a file, or its URL (https://…/api/v1/tables/ID/record).

Needs only Python's standard library. The exit status is 0 if every draw is correct, 1 if one is not, and 2 if there is
nothing to check.
"""
import hashlib
import hmac
import json
import sys
import urllib.request

# Possible results of each draw with their weights, in the order that the server uses.

FACES = range(1, 7)


class Dice:
    """Backgammon. In the opening roll each side throws one die; white's comes first, and equal dice are thrown again.
    Every other roll is two dice, the higher first."""

    OPENING = [(f"{white}-{black}", 1) for white in FACES for black in FACES if white != black]
    ROLLS = [(f"{high}{low}", 1 if high == low else 2) for high in FACES for low in range(1, high + 1)]
    WORD = "rolls"

    def __init__(self, options):
        self.begun = False

    def chances(self, rolled):
        if not self.begun and "-" not in rolled:
            raise ValueError("the game does not begin with an opening roll")
        self.begun = True
        return Dice.OPENING if "-" in rolled else Dice.ROLLS

    def drawn(self, rolled):
        pass

    def played(self, move):
        pass


class Cards:
    """Pandemic. The infection deck is a stack of layers, the last one on top; within a layer every order is equally
    likely. The player deck is divided into piles with one epidemic each, larger piles first."""

    CITIES = (
        "Atlanta Chicago Essen London Madrid Milan Montreal New-York Paris San-Francisco St-Petersburg Washington "
        "Bogota Buenos-Aires Johannesburg Khartoum Kinshasa Lagos Lima Los-Angeles Mexico-City Miami Santiago Sao-Paulo "
        "Algiers Baghdad Cairo Chennai Delhi Istanbul Karachi Kolkata Moscow Mumbai Riyadh Tehran "
        "Bangkok Beijing Ho-Chi-Minh-City Hong-Kong Jakarta Manila Osaka Seoul Shanghai Sydney Taipei Tokyo"
    ).split()
    EVENTS = "Airlift Forecast Government-Grant One-Quiet-Night Resilient-Population".split()
    ROLES = (
        "Contingency-Planner Dispatcher Medic Operations-Expert Quarantine-Specialist Researcher Scientist".split()
    )
    WORD = "draws"

    def __init__(self, options):
        named = [name.replace(" ", "-") for name in options["events"]]
        given = [name.replace(" ", "-") for name in options["roles"]]
        self.unseen = Cards.CITIES + [event for event in Cards.EVENTS if event in named]
        self.roles = [role for role in Cards.ROLES if role not in given]
        self.layers, self.discard = [list(Cards.CITIES)], []
        self.looked = None  # during a forecast: cards still to be placed, and cards placed so far
        self.intensifies = False
        epidemics, players = options["epidemics"], options["players"]
        size, larger = divmod(len(self.unseen) - players * (6 - players), max(epidemics, 1))
        self.piles = [[size + (pile < larger) + (epidemics > 0), epidemics > 0] for pile in range(max(epidemics, 1))]

    def chances(self, drawn):
        kind = drawn.split(":")[0]
        self.intensify()
        if kind in ("infect", "bottom", "look"):
            if not self.layers:
                self.layers, self.discard = [self.discard], []
            layer = self.layers[0 if kind == "bottom" else -1]
            return [(f"{kind}:{city}", 1) for city in Cards.CITIES if city in layer]
        if kind == "role":
            return [(f"role:{role}", 1) for role in self.roles]
        if kind == "deal":
            return [(f"deal:{card}", 1) for card in self.unseen]
        left, epidemic = self.piles[0]
        if not epidemic:
            return [(f"draw:{card}", 1) for card in self.unseen]
        others = [(f"draw:{card}", left - 1) for card in self.unseen if left > 1]
        return others + [("draw:Epidemic", len(self.unseen) if others else 1)]

    def drawn(self, drawn):
        kind, card = drawn.split(":")
        if kind in ("infect", "bottom", "look"):
            place = 0 if kind == "bottom" else -1
            self.layers[place].remove(card)
            self.layers = [layer for layer in self.layers if layer]
            self.intensifies = kind == "bottom"
            if kind != "look":
                self.discard.append(card)
            elif self.looked:
                self.looked[0].append(card)
            else:
                self.looked = ([card], [])
        elif kind == "role":
            self.roles.remove(card)
        else:
            if card != "Epidemic":
                self.unseen.remove(card)
            if kind == "draw":
                pile = self.piles[0]
                pile[0], pile[1] = pile[0] - 1, pile[1] and card != "Epidemic"
                if not pile[0]:
                    self.piles.pop(0)

    def played(self, move):
        verb, _, city = move.partition(":")
        if verb == "resilient":
            self.discard.remove(city)
        elif verb == "intensify":
            self.intensify()
        elif verb == "next":
            seen, placed = self.looked
            seen.remove(city)
            placed.append(city)
            if len(seen) == 1:  # the last card is placed automatically
                placed.append(seen.pop())
            if not seen:
                self.layers += [[city] for city in reversed(placed)]
                self.looked = None

    def intensify(self):
        """Ends an epidemic. The server does this automatically unless a player could act before."""
        if self.intensifies:
            self.layers += [self.discard] if self.discard else []
            self.discard, self.intensifies = [], False


GAMES = {"backgammon": Dice, "pandemic": Cards}


def number(secret, table, texts, n, attempt):
    """Returns the 64-bit number of one attempt at draw number n."""
    lines = ["parlor-luck/1", table, str(len(texts)), *[text.encode().hex() for text in texts], str(n), str(attempt)]
    digest = hmac.new(secret, "\n".join(lines).encode(), hashlib.sha256).digest()
    return int.from_bytes(digest[:8], "big")


def draw(secret, table, texts, n, chances):
    """Returns the result of draw number n."""
    total = sum(weight for _, weight in chances)
    fair = 2**64 - 2**64 % total  # larger numbers would favor the first chances
    attempt = 0
    while (ticket := number(secret, table, texts, n, attempt)) >= fair:
        attempt += 1
    ticket %= total
    for name, weight in chances:
        if ticket < weight:
            return name
        ticket -= weight


def problems(record):
    """Yields a description of each problem in the record."""
    luck = record["luck"]
    secret = bytes.fromhex(luck["secret"])
    if hashlib.sha256(secret).hexdigest() != luck["commitment"]:
        yield "the secret is not the one that was committed to before the game"
    game = GAMES[record["game"]](record["options"])
    n = 0
    for step, entry in enumerate(record["log"]):
        if "move" in entry:
            game.played(entry["move"])
            continue
        if entry["n"] != n:
            yield f"step {step}: draw number {entry['n']} stands where number {n} belongs"
        drawn = entry["chance"]
        try:
            expected = draw(secret, record["table"], luck["texts"], n, game.chances(drawn))
            if drawn != expected:
                yield f"step {step}: the record says {drawn}, but draw number {n} of this secret is {expected}"
            game.drawn(drawn)
        except (ValueError, IndexError, KeyError) as error:
            # The draws after this one cannot be checked.
            yield f"step {step}: {drawn} cannot come up there ({error})"
            return
        n += 1


def load(place):
    if place.startswith(("http://", "https://")):
        with urllib.request.urlopen(place) as answer:
            return json.load(answer)
    with open(place, encoding="utf-8") as file:
        return json.load(file)


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__.strip())
        return 2
    record = load(sys.argv[1])
    luck = record.get("luck") or {}
    if record.get("game") not in GAMES or not luck.get("secret"):
        print("There is nothing to check: this is no finished game with luck that the house drew.")
        return 2
    found = list(problems(record))
    for problem in found:
        print(problem)
    draws = sum("chance" in entry for entry in record["log"])
    print(f"{draws} {GAMES[record['game']].WORD}: {'NOT all as they should be' if found else 'all follow from the secret'}.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
