#!/usr/bin/env python3
"""Plays every game of a server to its end with a client that openapi-python-client generated.

    openapi-python-client generate --url URL/api/openapi.json --output-path client
    PYTHONPATH=client python3 tools/play_generated_client.py URL
"""

import random
import sys

from parlor_client import AuthenticatedClient, Client
from parlor_client.api.games import list_games
from parlor_client.api.play import list_legal_moves, play_move
from parlor_client.api.records import verify_table
from parlor_client.api.tables import create_table
from parlor_client.models import (
    CreateTableRequest,
    GameName,
    MoveRequest,
    Problem,
    SeatRequestMe,
    Status,
)

MOST_MOVES = 5_000


def expect(answer):
    """Returns an answer that is no problem document."""
    if answer is None or isinstance(answer, Problem):
        raise SystemExit(f"refused: {answer}")
    return answer


def play(url, game, rng):
    """Plays one game, with every seat in our hands, and returns its moves and its ending."""
    me = SeatRequestMe(kind="me")
    request = CreateTableRequest(game=GameName(game.name), seats=[me] * 2)
    made = expect(create_table.sync(client=Client(base_url=url), body=request))
    table, moves = made.table, 0
    client = AuthenticatedClient(base_url=url, token=made.token)
    while table.status == Status.PLAYING:
        legal = expect(list_legal_moves.sync(table.id, client=client))
        move = MoveRequest(move=rng.choice(legal.moves), version=legal.version)
        table = expect(play_move.sync(table.id, client=client, body=move, view=True)).table
        moves += 1
        if moves > MOST_MOVES:
            raise SystemExit(f"{game.name} has not ended after {moves} moves")
    if game.has_luck and not expect(verify_table.sync(table.id, client=client)).holds:
        raise SystemExit(f"the luck of {game.name} was not as promised")
    return moves, table.ending


def main():
    url, rng = sys.argv[1], random.Random(17)
    for game in expect(list_games.sync(client=Client(base_url=url))):
        moves, ending = play(url, game, rng)
        print(f"{game.name}: {moves} moves, {ending.how}, {ending.outcome}")


if __name__ == "__main__":
    main()
