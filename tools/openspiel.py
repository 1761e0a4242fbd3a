#!/usr/bin/env python3
"""Compares Parlor's m,n,k games, ultimate tic-tac-toe and backgammon with OpenSpiel's: rules and speed.

    pip install open_spiel            # tested with 2.0.2; ultimate tic-tac-toe is broken before 2.0.1
    tools/openspiel.py agree          # compares the legal moves in random games
    tools/openspiel.py speed          # compares random playouts per second, on one thread each
    tools/openspiel.py perft          # compares perft counts, and the leaves counted per second

`--parlor PATH` names the program (default target/release/parlor), `--only NAME` selects one game, such as 5x5x4,
ultimate or backgammon. The exit status is 1 if the two disagree.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import time

import pyspiel


class SameMoves:
    """A game whose moves both programs list individually."""

    @staticmethod
    def listed(answer):
        """Returns the legal moves in Parlor's output, in the form that `positions` yields."""
        return sorted(m["move"] for m in answer["moves"])


class Mnk(SameMoves):
    """An m,n,k game: its name in both programs, and the conversion of its positions."""

    kind, key = "mnk", "board"

    def __init__(self, rows, columns, k):
        self.rows, self.columns, self.k = rows, columns, k
        self.name = f"{rows}x{columns}x{k}"
        self.options = ["--rows", str(rows), "--columns", str(columns), "--k", str(k)]
        classic = (rows, columns, k) == (3, 3, 3)
        self.game = pyspiel.load_game("tic_tac_toe" if classic else f"mnk(m={columns},n={rows},k={k})")
        # Games on the largest board are slow in Python.
        self.fewer = 1 if rows < 10 else 20

    def positions(self, rng):
        """Yields (position in Parlor's JSON form, legal moves, outcome) for every position of a random game."""
        state = self.game.new_initial_state()
        board = [[None] * self.columns for _ in range(self.rows)]
        while True:
            legal = {f"{a // self.columns},{a % self.columns}": a for a in state.legal_actions()}
            yield {"board": [list(row) for row in board], "k": self.k}, sorted(legal), outcome(state)
            if state.is_terminal():
                break
            action = rng.choice(list(legal.values()))
            board[action // self.columns][action % self.columns] = "XO"[state.current_player()]
            state.apply_action(action)


class Ultimate(SameMoves):
    """Ultimate tic-tac-toe. If the choice of board is free, OpenSpiel uses two actions: the board, then the square."""

    kind, key, name, options, fewer = "ultimate", "boards", "ultimate", [], 1

    def __init__(self):
        self.game = pyspiel.load_game("ultimate_tic_tac_toe")

    def moves(self, state, last):
        """Returns the legal moves as {text: actions}, and the board that the player must play in, or None."""
        if state.is_terminal():
            return {}, None
        actions = state.legal_actions()
        if not state.action_to_string(actions[0]).startswith("Choose local board"):
            return {f"{last}{square}": [square] for square in actions}, last
        moves = {}
        for board in actions:
            chosen = state.child(board)
            moves.update({f"{board}{square}": [board, square] for square in chosen.legal_actions()})
        return moves, None

    def positions(self, rng):
        state, last = self.game.new_initial_state(), None
        boards = [[""] * 9 for _ in range(9)]
        while True:
            moves, target = self.moves(state, last)
            yield {"boards": [list(board) for board in boards], "target": target}, sorted(moves), outcome(state)
            if state.is_terminal():
                break
            text, actions = rng.choice(list(moves.items()))
            board, last = map(int, text)
            boards[board][last] = "XO"[state.current_player()]
            for action in actions:
                state.apply_action(action)


class Backgammon:
    """Backgammon, compared by the positions after a whole roll.

    Single actions cannot be compared: OpenSpiel uses two for a double, and lists many that lead to the same position.
    Its O corresponds to Parlor's white and moves from its own point 24, which is number 23 of the row.
    """

    kind, name, options, fewer = "backgammon", "backgammon", [], 4
    players = {1: "white", 0: "black"}

    def __init__(self):
        self.game = pyspiel.load_game("backgammon")

    @staticmethod
    def result(state):
        """Returns the row, the checkers on the bar, and the winner or None."""
        row = tuple(state.board(1, n) - state.board(0, n) for n in range(24))
        seen = state.observation_tensor(0)
        black, white = int(seen[192]), int(seen[195])
        winner = None
        if state.is_terminal():
            winner = "white" if state.returns()[1] > 0 else "black"
        return row, (white, black), winner

    def results(self, state):
        """Returns all results of a roll, each with the actions that lead to it."""
        found = {}
        for action in state.legal_actions():
            child = state.child(action)
            if child.is_chance_node() or child.is_terminal():
                found[self.result(child)] = [action]
            else:  # the second half of a double
                for result, more in self.results(child).items():
                    found[result] = [action, *more]
        return found

    def state_json(self, state):
        row, (white, black), _ = self.result(state)
        player = self.players[state.current_player()]
        seen = state.observation_tensor(0)
        dice = [int(die) for die in seen[198:200]]
        board = lambda sign: sum(sign * count for count in row if sign * count > 0)
        return {
            "turn": 2, "activePlayer": player, "dice": dice * 2 if dice[0] == dice[1] else dice, "diceUsed": [],
            "board": list(row), "bar": {"white": white, "black": black},
            "home": {"white": 15 - white - board(1), "black": 15 - black - board(-1)},
            "lastMove": {"sequence": 1, "player": "black" if player == "white" else "white",
                         "file": f"0001-{'black' if player == 'white' else 'white'}-000000.json"},
            "status": "playing", "winner": None, "players": {"white": "o", "black": "x"}, "messages": [],
            "updatedAt": "2026-01-01T00:00:00Z",
        }

    def positions(self, rng):
        state = self.game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(rolled(state, rng))
                continue
            results = self.results(state)
            yield self.state_json(state), sorted(map(str, results)), None
            # Chosen among results, since a choice among actions would favor results that several actions lead to.
            for action in rng.choice(list(results.values())):
                state.apply_action(action)

    @staticmethod
    def listed(answer):
        """Returns the results in Parlor's output, in the form that `positions` yields."""
        found = []
        for view in answer["moves"]:
            winner = view["result"]["winner"] if view["turn"]["kind"] == "over" else None
            found.append(str((tuple(view["board"]), (view["bar"]["white"], view["bar"]["black"]), winner)))
        return sorted(found)


def rolled(state, rng):
    outcomes, weights = zip(*state.chance_outcomes())
    return rng.choices(outcomes, weights)[0]


def outcome(state):
    return state.returns() if state.is_terminal() else None


AGREE = [Mnk(3, 3, 3), Mnk(4, 5, 3), Mnk(5, 5, 4), Mnk(6, 4, 4), Mnk(15, 15, 5), Ultimate(), Backgammon()]
SPEED = [Mnk(3, 3, 3), Mnk(5, 5, 4), Mnk(15, 15, 5), Ultimate(), Backgammon()]


def outcome_of(view_turn):
    if view_turn["kind"] != "over":
        return None
    result = view_turn["outcome"]
    if result["kind"] == "draw":
        return [0.0, 0.0]
    return [1.0, -1.0] if result["seat"] == 0 else [-1.0, 1.0]


def agree(args, chosen):
    rng = random.Random(args.seed)
    positions = disagreements = 0
    for game in chosen(AGREE):
        games = max(1, args.games // game.fewer)
        cases = [case for _ in range(games) for case in game.positions(rng)]
        lines = "".join(json.dumps(position) + "\n" for position, _, _ in cases)
        command = [args.parlor, "legal", game.kind, "--jsonl"]
        run = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
        answers = [json.loads(line) for line in run.stdout.splitlines()]
        assert len(answers) == len(cases), f"{len(answers)} answers to {len(cases)} positions"
        for at, ((position, legal, result), answer) in enumerate(zip(cases, answers)):
            bad = "error" in answer or game.listed(answer) != legal
            if result is not None and at:  # Parlor's answer for the position before includes this outcome
                before = answers[at - 1].get("moves", [])
                ends = [outcome_of(m["turn"]) for m in before if m[game.key] == position[game.key]]
                bad = bad or ends != [result]
            positions += 1
            if bad:
                disagreements += 1
                print(f"{game.name}: {position}: OpenSpiel {legal} {result}, parlor {str(answer)[:200]}")
        print(f"{game.name}: {len(cases)} positions of {games} games compared")
    print(f"{positions} positions, {disagreements} disagreements")
    return disagreements == 0


def openspiel_python(game, seconds, rng):
    games, end = 0, time.process_time() + seconds
    while time.process_time() < end:
        state = game.new_initial_state()
        while not state.is_terminal():
            chance = state.is_chance_node()
            state.apply_action(rolled(state, rng) if chance else rng.choice(state.legal_actions()))
        games += 1
    return games / seconds


def openspiel_cpp(game, seconds):
    """Measures playouts in OpenSpiel's C++ code: a tree search of two nodes that evaluates leaves by many playouts.

    They begin a ply or two after the start, which is in OpenSpiel's favor.
    """
    batch = 2000 if game.num_distinct_actions() < 100 else 100
    evaluator = pyspiel.RandomRolloutEvaluator(batch, 1)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, 2, 100, False, 1, False)
    state, games, start = game.new_initial_state(), 0, time.process_time()
    if state.is_chance_node():
        state.apply_action(0)
    while time.process_time() - start < seconds:
        bot.mcts_search(state)
        games += 2 * batch
    return games / (time.process_time() - start)


def ours(args, game):
    """Returns Parlor's playouts per second of CPU time; `parlor bench` itself measures wall-clock time."""
    command = [args.parlor, "bench", game.kind, *game.options, "--json"]
    wall, before = time.perf_counter(), os.times()
    figures = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    wall, after = time.perf_counter() - wall, os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return figures["playouts_per_second"] / min(1.0, used / wall)


def speed(args, chosen):
    rng = random.Random(args.seed)
    print("game      OpenSpiel Python  OpenSpiel C++    parlor   playouts/s, one thread, medians of", args.rounds)
    for game in chosen(SPEED):
        rounds = [
            (openspiel_python(game.game, 1.0, rng), openspiel_cpp(game.game, 1.0), ours(args, game))
            for _ in range(args.rounds)
        ]
        python, cpp, parlor = (sorted(column)[args.rounds // 2] for column in zip(*rounds))
        print(f"{game.name:<10} {python:13,.0f} {cpp:16,.0f} {parlor:13,.0f}   {parlor / cpp:,.0f} times the C++")
    return True


def leaves(state, depth):
    """Counts the ways to play `depth` more moves, without playing the last one. Choosing a board is not a move by itself."""
    if state.is_terminal():
        return 0
    actions = state.legal_actions()
    chooses = state.action_to_string(actions[0]).startswith("Choose local board")
    if depth == 1 and not chooses:
        return len(actions)
    return sum(leaves(state.child(action), depth if chooses else depth - 1) for action in actions)


def perft(args, chosen):
    """Compares the counts at one depth, and measures Parlor's speed at a greater depth."""
    agreed = True
    print("game      depth     leaves  OpenSpiel Python      parlor   leaves/s, one thread")
    for game in (game for game in chosen(SPEED) if not isinstance(game, Backgammon)):  # its counts are checked by the crate's tests
        depth = 4 if game.game.num_distinct_actions() < 100 else 2
        command = [args.parlor, "perft", game.kind, *game.options, "--depth", str(depth)]
        counted = int(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()[-1])
        start = time.process_time()
        theirs = leaves(game.game.new_initial_state(), depth)
        python = theirs / (time.process_time() - start)
        command = [args.parlor, "bench", game.kind, *game.options, "--json"]
        figures = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        print(f"{game.name:<9} {depth:5} {theirs:10,} {python:17,.0f} {figures['perft_nodes_per_second']:11,.0f}")
        if counted != theirs:
            print(f"{game.name}: parlor counts {counted:,}")
            agreed = False
    return agreed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["agree", "speed", "perft"])
    parser.add_argument("--parlor", default="target/release/parlor")
    parser.add_argument("--only", metavar="NAME", choices=[game.name for game in AGREE], help="one game instead of all")
    parser.add_argument("--games", type=int, default=400, help="random games per small board")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    chosen = lambda games: [game for game in games if args.only in (None, game.name)]
    sys.exit(0 if {"agree": agree, "speed": speed, "perft": perft}[args.what](args, chosen) else 1)


if __name__ == "__main__":
    main()
