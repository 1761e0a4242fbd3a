#!/usr/bin/env python3
"""Plays matches between GNU Backgammon and `parlor external backgammon` and prints the share won, raw and luck-adjusted.

    parlor external backgammon --listen 127.0.0.1:4711 --level 5 &
    tools/gnubg_match.py --port 4711 --matches 100 --length 7 --plies 0

GNU Backgammon runs the matches: it rolls the dice, plays its own side at --plies, and requests the other side's moves
over the socket. The sides swap after every match. It also measures the luck of the dice; the luck-adjusted share is
the raw one minus that luck, and its standard error is several times smaller. Needs `gnubg` 1.07 with its embedded
Python.
"""

import argparse
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile

INSIDE = r"""
import gnubg, json, os, traceback
conf = json.loads(os.environ['MATCH_CONF'])
out = open(conf['out'], 'w')
def do(*commands):
    for command in commands:
        gnubg.command(command)
def engine(player):
    do('set player %d gnubg' % player,
       'set player %d name gnu' % player,
       'set player %d chequerplay evaluation plies %d' % (player, conf['plies']),
       'set player %d chequerplay evaluation cubeful on' % player,
       'set player %d cubedecision evaluation plies %d' % (player, conf['plies']),
       'set player %d cubedecision evaluation cubeful on' % player)
try:
    do('set threads 1', 'set automatic game on', 'set automatic roll off', 'set display off', 'set beavers 0',
       'set confirm new off', 'set confirm save off', 'set rng mersenne', 'set cube use on', 'set analysis cube on',
       'set analysis cubedecision evaluation plies 0', 'set analysis chequerplay evaluation plies 0',
       'set analysis luckanalysis plies 0', 'set seed %d' % conf['seed'])
    for number in range(conf['matches']):
        ours = number % 2
        engine(1 - ours)
        do('set player %d external 127.0.0.1:%d' % (ours, conf['port']), 'set player %d name parlor' % ours,
           'new match %d' % conf['length'], 'analyse match')
        match = gnubg.match(analysis=0, boards=0, statistics=1)
        me = 'X' if ours == 0 else 'O'
        games = match['games']
        score = {'X': 0, 'O': 0}
        for game in games:
            if game['info'].get('winner'):
                score[game['info']['winner']] += game['info']['points-won']
        them = 'O' if me == 'X' else 'X'
        sides = {name: match['stats'][side] for name, side in (('parlor', me), ('gnubg', them))}
        row = dict(done=max(score.values()) >= conf['length'], won=score[me] > score[them],
                   adjusted=0.5 + sides['parlor']['dice']['luck-adjusted-result'], games=len(games),
                   sides={name: dict(moves=side['moves'], cube=side['cube']) for name, side in sides.items()})
        out.write(json.dumps(row) + '\n')
        out.flush()
        do('set player %d gnubg' % ours)
except Exception:
    out.write(json.dumps({'error': traceback.format_exc()}) + '\n')
out.close()
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=4711)
    parser.add_argument("--matches", type=int, default=20)
    parser.add_argument("--length", type=int, default=7)
    parser.add_argument("--plies", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    gnubg = shutil.which("gnubg", path=os.environ.get("PATH", "") + ":/usr/games")
    if gnubg is None:
        sys.exit("gnubg is not installed")
    with tempfile.TemporaryDirectory() as folder:
        script, out = os.path.join(folder, "inside.py"), os.path.join(folder, "out")
        with open(script, "w") as file:
            file.write(INSIDE)
        conf = dict(vars(args), out=out)
        env = dict(os.environ, MATCH_CONF=json.dumps(conf), HOME=folder, LC_ALL="C")
        subprocess.run([gnubg, "-t", "-q", "-r", "-s", folder, "-p", script], env=env, cwd=folder,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, check=False)
        with open(out) as file:
            rows = [json.loads(line) for line in file]
    for row in rows:
        if "error" in row:
            sys.exit("inside gnubg:\n" + row["error"])
    tell(args, [row for row in rows if row["done"]])


def tell(args, rows):
    if not rows:
        sys.exit("no match was finished: is somebody listening on port %d?" % args.port)
    games = sum(row["games"] for row in rows)
    print("%d matches to %d points, %d games, GNU Backgammon %d-ply" % (len(rows), args.length, games, args.plies))
    for name, values in (("won", [float(row["won"]) for row in rows]), ("won, luck-adjusted", [row["adjusted"] for row in rows])):
        mean = sum(values) / len(values)
        variance = sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)
        print("%-20s %6.2f %%  standard error %.2f %%" % (name, 100 * mean, 100 * math.sqrt(variance / len(values))))
    for name in ("parlor", "gnubg"):
        total = lambda part, key: sum(row["sides"][name][part][key] for row in rows)
        plays = 1000 * total("moves", "error-skill") / max(1, total("moves", "unforced-moves"))
        cube = 1000 * total("cube", "error-skill") / max(1, total("cube", "close-cube"))
        print("%-7s loses %.2f thousandths per unforced play, %.2f per close cube decision (%d)"
              % (name, plays, cube, total("cube", "close-cube")))
        kinds = [key for key in rows[0]["sides"][name]["cube"] if key.startswith(("missed", "wrong"))]
        print("        " + ", ".join("%s %d" % (kind, total("cube", kind)) for kind in kinds))


if __name__ == "__main__":
    main()
