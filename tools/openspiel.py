#!/usr/bin/env python3
"""Parlor's m,n,k games against OpenSpiel's: do they agree, and which is faster?

    pip install open_spiel            # 2.0.2 was used
    tools/openspiel.py agree          # rules: random games through both programs
    tools/openspiel.py speed          # random playouts per second, both in this run, one thread each

`--parlor PATH` names the program (default target/release/parlor). Exit code 1 when the two disagree.
"""
import argparse
import json
import random
import subprocess
import sys
import time

import pyspiel

# rows, columns, k
BOARDS = [(3, 3, 3), (4, 5, 3), (5, 5, 4), (6, 4, 4), (15, 15, 5)]


def load(rows, columns, k):
    return pyspiel.load_game("tic_tac_toe" if (rows, columns, k) == (3, 3, 3) else f"mnk(m={columns},n={rows},k={k})")


def random_games(rows, columns, k, games, rng):
    """Yields (board as JSON rows, legal cells, outcome) for every position of random games."""
    game = load(rows, columns, k)
    for _ in range(games):
        state = game.new_initial_state()
        board = [[None] * columns for _ in range(rows)]
        while True:
            legal = sorted((a // columns, a % columns) for a in state.legal_actions())
            outcome = state.returns() if state.is_terminal() else None
            yield [list(row) for row in board], legal, outcome
            if state.is_terminal():
                break
            row, column = rng.choice(legal)
            board[row][column] = "XO"[state.current_player()]
            state.apply_action(row * columns + column)


def outcome_of(view_turn):
    if view_turn["kind"] != "over":
        return None
    outcome = view_turn["outcome"]
    if outcome["kind"] == "draw":
        return [0.0, 0.0]
    return [1.0, -1.0] if outcome["seat"] == 0 else [-1.0, 1.0]


def agree(args):
    rng = random.Random(args.seed)
    positions = disagreements = 0
    for rows, columns, k in BOARDS:
        games = args.games if rows < 10 else max(1, args.games // 20)
        cases = list(random_games(rows, columns, k, games, rng))
        lines = "".join(json.dumps({"board": board, "k": k}) + "\n" for board, _, _ in cases)
        run = subprocess.run([args.parlor, "legal", "mnk", "--jsonl"], input=lines, capture_output=True, text=True, check=True)
        answers = run.stdout.splitlines()
        assert len(answers) == len(cases), f"{len(answers)} answers to {len(cases)} positions"
        for at, ((board, legal, outcome), line) in enumerate(zip(cases, answers)):
            answer = json.loads(line)
            moves = sorted(tuple(map(int, m["move"].split(","))) for m in answer.get("moves", []))
            bad = "error" in answer or moves != legal
            if outcome is not None and at:  # the position before said how this one ends
                before = json.loads(answers[at - 1])["moves"]
                ends = [outcome_of(m["turn"]) for m in before if m["board"] == board]
                bad = bad or ends != [outcome]
            positions += 1
            if bad:
                disagreements += 1
                print(f"{rows}x{columns}x{k}: {board}: OpenSpiel {legal} {outcome}, parlor {line[:200]}")
        print(f"{rows}x{columns}x{k}: {len(cases)} positions of {games} games compared")
    print(f"{positions} positions, {disagreements} disagreements")
    return disagreements == 0


def openspiel_python(game, seconds, rng):
    games, end = 0, time.process_time() + seconds
    while time.process_time() < end:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
        games += 1
    return games / seconds


def openspiel_cpp(game, seconds):
    """Playouts inside OpenSpiel's own C++: a tree search of two nodes whose leaves are valued by many random games.

    They begin a ply or two after the start, which is in OpenSpiel's favor.
    """
    batch = 2000 if game.num_distinct_actions() < 100 else 100
    evaluator = pyspiel.RandomRolloutEvaluator(batch, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, 2, 100, False, 1, False)
    state, games, start = game.new_initial_state(), 0, time.process_time()
    while time.process_time() - start < seconds:
        bot.mcts_search(state)
        games += 2 * batch
    return games / (time.process_time() - start)


def ours(args, rows, columns, k):
    command = [args.parlor, "bench", "mnk", "--rows", str(rows), "--columns", str(columns), "--k", str(k), "--json"]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def speed(args):
    rng = random.Random(args.seed)
    print("board     OpenSpiel Python  OpenSpiel C++    parlor   playouts/s, one thread, medians of", args.rounds)
    for rows, columns, k in [(3, 3, 3), (5, 5, 4), (15, 15, 5)]:
        game = load(rows, columns, k)
        rounds = [
            (openspiel_python(game, 1.0, rng), openspiel_cpp(game, 1.0), ours(args, rows, columns, k)["playouts_per_second"])
            for _ in range(args.rounds)
        ]
        python, cpp, parlor = (sorted(column)[args.rounds // 2] for column in zip(*rounds))
        print(f"{rows}x{columns}x{k:<4} {python:14,.0f} {cpp:16,.0f} {parlor:13,.0f}   {parlor / cpp:,.0f} times the C++")
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["agree", "speed"])
    parser.add_argument("--parlor", default="target/release/parlor")
    parser.add_argument("--games", type=int, default=400, help="random games per small board")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    sys.exit(0 if {"agree": agree, "speed": speed}[args.what](args) else 1)


if __name__ == "__main__":
    main()
