#!/usr/bin/env python3
"""Rolls every die of a game of backgammon again and compares.

usage: verify_luck.py RECORD
       RECORD is a file with the record of a finished game, or its address (https://…/api/v1/tables/ID/record).

Nothing but Python's own library is needed. The exit status is 0 when everything holds, 1 when something does not, and 2
when there is nothing to check.
"""
import hashlib
import hmac
import json
import sys
import urllib.request

# What can come up, with its weight, in the order in which the house counts. At an opening roll each side throws one die,
# white's is named first, and equal dice are thrown again. Every other roll is two dice, the higher named first.
FACES = range(1, 7)
OPENING = [(f"{white}-{black}", 1) for white in FACES for black in FACES if white != black]
ROLLS = [(f"{high}{low}", 1 if high == low else 2) for high in FACES for low in range(1, high + 1)]


def number(secret, table, texts, n, attempt):
    """The 64 bits that belong to one attempt at draw number n."""
    lines = ["parlor-luck/1", table, str(len(texts)), *[text.encode().hex() for text in texts], str(n), str(attempt)]
    digest = hmac.new(secret, "\n".join(lines).encode(), hashlib.sha256).digest()
    return int.from_bytes(digest[:8], "big")


def draw(secret, table, texts, n, chances):
    """What comes up as draw number n."""
    total = sum(weight for _, weight in chances)
    fair = 2**64 - 2**64 % total  # numbers from here on would favor the first chances
    attempt = 0
    while (ticket := number(secret, table, texts, n, attempt)) >= fair:
        attempt += 1
    ticket %= total
    for name, weight in chances:
        if ticket < weight:
            return name
        ticket -= weight


def problems(record):
    """Everything that does not hold, in words."""
    luck = record["luck"]
    secret = bytes.fromhex(luck["secret"])
    if hashlib.sha256(secret).hexdigest() != luck["commitment"]:
        yield "the secret is not the one that was committed to before the game"
    draws = [(step, entry) for step, entry in enumerate(record["log"]) if "chance" in entry]
    if draws and "-" not in draws[0][1]["chance"]:
        yield "the game does not begin with an opening roll"
    for n, (step, entry) in enumerate(draws):
        if entry["n"] != n:
            yield f"step {step}: draw number {entry['n']} stands where number {n} belongs"
        rolled = entry["chance"]
        expected = draw(secret, record["table"], luck["texts"], n, OPENING if "-" in rolled else ROLLS)
        if rolled != expected:
            yield f"step {step}: the record says {rolled}, but roll number {n} of this secret is {expected}"


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
    if record.get("game") != "backgammon" or not luck.get("secret"):
        print("There is nothing to check: this is no finished game of backgammon with the house's dice.")
        return 2
    found = list(problems(record))
    for problem in found:
        print(problem)
    rolls = sum("chance" in entry for entry in record["log"])
    print(f"{rolls} rolls: {'NOT all as they should be' if found else 'all follow from the secret'}.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
