#!/usr/bin/env python3
"""Mean loss of cube decisions according to GNU Backgammon, for the output of the example `backgammon_cubes`.

    cargo run -p parlor-bots --example backgammon_cubes -- 300 1 2 0 > cubes
    tools/gnubg_cubes.py --plies 2 < cubes

Prints the mean loss per decision, its standard error, and the kinds of mistakes. Losses are in units of the current
cube (in a match, on a scale where a win is 1 and a loss is -1). A decision to double counts if doubling and rolling
differ by less than 0.25, an answer if doubling loses less than 0.15. Needs `gnubg` 1.07 with its embedded Python.
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
conf = json.loads(os.environ['CUBES_CONF'])
out = open(conf['out'], 'w')
try:
    for command in ('set threads 1', 'set display off', 'set jacoby on', 'set beavers 0', 'set confirm new off',
                    'set player 0 human', 'set player 1 human', 'set automatic roll off', 'set automatic game off', 'new session'):
        gnubg.command(command)
    for line in conf['lines']:
        gnubg.command('set xgid ' + line.split()[0])
        found = gnubg.cfevaluate(gnubg.board(), gnubg.cubeinfo(), gnubg.evalcontext(1, conf['plies'], 1, 1, 0.0))
        out.write(json.dumps(found[1:4]) + '\n')
except Exception:
    out.write(json.dumps({'error': traceback.format_exc()}) + '\n')
out.close()
"""


def judged(lines, plies):
    """Returns the equities of each line: of rolling, of a double that is taken, and of a double that is dropped."""
    gnubg = shutil.which("gnubg") or "/usr/games/gnubg"
    with tempfile.TemporaryDirectory() as folder:
        script, out = os.path.join(folder, "script.py"), os.path.join(folder, "out")
        with open(script, "w") as file:
            file.write(INSIDE)
        conf = {"out": out, "lines": lines, "plies": plies}
        env = dict(os.environ, CUBES_CONF=json.dumps(conf), HOME=folder, LC_ALL="C")
        quiet = subprocess.DEVNULL
        subprocess.run([gnubg, "-t", "-q", "-r", "-s", folder, "-p", script], env=env, stdin=quiet, stdout=quiet, stderr=quiet)
        with open(out) as file:
            found = [json.loads(line) for line in file]
    if found and "error" in found[-1]:
        sys.exit(found[-1]["error"])
    return found


def tell(name, losses, kinds):
    """Prints a line about one kind of decision; `kinds` names its two kinds of mistakes."""
    count = max(1, len(losses))
    mean = sum(loss for loss, _ in losses) / count
    error = math.sqrt(sum((loss - mean) ** 2 for loss, _ in losses)) / count
    parts = []
    for number, kind in enumerate(kinds):
        these = [loss for loss, which in losses if which == number and loss > 1e-9]
        parts.append("%s %d times, %.4f" % (kind, len(these), sum(these) / count))
    print("%-8s %4d decisions, mean loss %.4f (%.4f): %s" % (name, len(losses), mean, error, "; ".join(parts)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plies", type=int, default=2)
    options = parser.parse_args()
    lines = [line.strip() for line in sys.stdin if line.strip()]
    doubles, answers = [], []
    for line, (rolled, taken, dropped) in zip(lines, judged(lines, options.plies)):
        _, double, answer = line.split()
        doubled = min(taken, dropped)
        best = max(rolled, doubled)
        if abs(rolled - doubled) < 0.25:
            doubles.append((best - doubled, 1) if double == "double" else (best - rolled, 0))
        if best - doubled < 0.15:
            answers.append((max(0.0, dropped - taken), 1) if answer == "drop" else (max(0.0, taken - dropped), 0))
    tell("doubles", doubles, ("missed", "wrong"))
    tell("answers", answers, ("wrong take", "wrong drop"))


if __name__ == "__main__":
    main()
