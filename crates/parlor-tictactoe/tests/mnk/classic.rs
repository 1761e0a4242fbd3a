//! The 3x3 game, enumerated to the last leaf.

use std::collections::{BTreeMap, BTreeSet};

use parlor_core::{Outcome, Position, Seat, Turn};
use parlor_tictactoe::mnk::three::{FULL, LINES};
use parlor_tictactoe::mnk::{Board, Cell, Grid, Illegal, MnkPosition, Rules, Three};

fn children<P: Position>(position: &P) -> impl Iterator<Item = P> {
    position.legal_moves().into_iter().map(|m| {
        let mut child = position.clone();
        child.play(&m);
        child
    })
}

/// Returns all positions reachable from the empty board.
pub fn reachable() -> Vec<Board> {
    let mut known = BTreeSet::new();
    let mut found = vec![Board::new(Rules::classic())];
    let mut at = 0;
    while at < found.len() {
        for child in children(&found[at].clone()) {
            if known.insert(symbols(&child)) {
                found.push(child);
            }
        }
        at += 1;
    }
    found
}

fn symbols(board: &Board) -> Vec<char> {
    board
        .cells()
        .map(|cell| board.symbol_at(cell).unwrap_or('.'))
        .collect()
}

/// Returns the eight images of a board, straight from the definition of rotations and reflections.
fn images(cells: &[char]) -> Vec<Vec<char>> {
    let mut all = Vec::new();
    let mut now = cells.to_vec();
    for _ in 0..4 {
        now = (0..9).map(|i| now[(2 - i % 3) * 3 + i / 3]).collect();
        all.push(now.clone());
        all.push((0..9).map(|i| now[i / 3 * 3 + 2 - i % 3]).collect());
    }
    all
}

#[test]
fn there_are_5478_reachable_positions_958_of_them_final_765_up_to_symmetry() {
    let all = reachable();
    assert_eq!(all.len(), 5_478);
    assert_eq!(
        all.iter().filter(|board| board.turn().is_over()).count(),
        958
    );
    let distinct: BTreeSet<_> = all
        .iter()
        .filter_map(|board| images(&symbols(board)).into_iter().min())
        .collect();
    assert_eq!(distinct.len(), 765);
}

#[derive(Default)]
struct Games {
    by_length: BTreeMap<u16, u64>,
    first: u64,
    second: u64,
    draws: u64,
}

fn count<P: MnkPosition>(position: &P, games: &mut Games) {
    let Turn::Over(outcome) = position.turn() else {
        return children(position).for_each(|child| count(&child, games));
    };
    *games.by_length.entry(position.stones()).or_default() += 1;
    match outcome {
        Outcome::Draw => games.draws += 1,
        outcome if outcome.winner() == Some(Seat::FIRST) => games.first += 1,
        _ => games.second += 1,
    }
}

fn expect_all_games<P: MnkPosition>(start: &P) {
    let mut games = Games::default();
    count(start, &mut games);
    assert_eq!(
        (games.first, games.second, games.draws),
        (131_184, 77_904, 46_080)
    );
    let lengths = [
        (5, 1_440),
        (6, 5_328),
        (7, 47_952),
        (8, 72_576),
        (9, 127_872),
    ];
    assert_eq!(games.by_length, BTreeMap::from(lengths));
    assert_eq!(games.by_length.values().sum::<u64>(), 255_168);
}

#[test]
fn there_are_255168_games_on_the_fast_path() {
    expect_all_games(&Three::new());
}

#[test]
fn there_are_255168_games_on_the_general_grid() {
    expect_all_games(&Grid::<2>::new(Rules::classic().shape()).expect("nine cells fit a word"));
}

/// Adds the weights of all endings of random play from here, X wins, O wins and draws.
fn weigh(position: &Three, weight: u64, ends: &mut [u64; 3]) {
    let Turn::Over(outcome) = position.turn() else {
        let moves = position.count_moves(&mut Vec::new());
        return children(position).for_each(|child| weigh(&child, weight / moves, ends));
    };
    ends[outcome.winner().map_or(2, Seat::index)] += weight;
}

#[test]
fn random_play_wins_for_x_737_of_1260_and_for_o_121_of_420_and_draws_8_of_63() {
    let orders = (1..=9).product::<u64>();
    let mut ends = [0; 3];
    weigh(&Three::new(), orders, &mut ends);
    assert_eq!(
        ends,
        [orders / 1260 * 737, orders / 420 * 121, orders / 63 * 8]
    );
    assert_eq!(ends.iter().sum::<u64>(), orders);
}

/// Plays a line for `seat`, with the other seat's stones where they complete nothing.
fn play_line(line: u16, seat: Seat) -> Three {
    let cells = |set: u16| {
        (0..9)
            .filter(move |i| set >> i & 1 == 1)
            .map(|i| Cell::from_index(i, 3))
    };
    let others: Vec<Cell> = cells(FULL & !line).collect();
    let free_of_lines = |set: &[usize]| {
        let stones = set.iter().fold(0, |all, &i| all | 1 << others[i].index(3));
        LINES.iter().all(|line| stones & line != *line)
    };
    let three = [[0, 1, 2], [0, 1, 3], [0, 2, 4], [1, 3, 4], [0, 3, 5]];
    let quiet = three
        .iter()
        .find(|set| free_of_lines(&set[..]))
        .expect("three cells outside a line can be quiet");
    let mut others = quiet.iter().map(|&i| others[i]);
    let mut mine = cells(line);
    let mut position = Three::new();
    while let Turn::Move(mover) = position.turn() {
        let cell = if mover == seat {
            mine.next()
        } else {
            others.next()
        };
        position.play(&cell.expect("the line ends the game first"));
    }
    position
}

#[test]
fn all_eight_lines_win_for_both_seats() {
    for line in LINES {
        for seat in Seat::all(2) {
            let end = play_line(line, seat);
            assert_eq!(end.turn(), Turn::Over(Outcome::won(seat)));
            let cells: u16 = end
                .winning_cells()
                .iter()
                .map(|cell| 1 << cell.index(3))
                .sum();
            assert_eq!(cells, line);
            assert_eq!(end.stones_of(seat) & line, line);
        }
    }
}

#[test]
fn a_full_board_with_a_line_is_a_win() {
    let mut board = Board::new(Rules::classic());
    for index in [0, 1, 2, 3, 4, 6, 5, 7, 8] {
        board.play(&Cell::from_index(index, 3));
    }
    assert_eq!(
        (board.turn(), board.stones()),
        (Turn::Over(Outcome::won(Seat::FIRST)), 9)
    );
}

#[test]
fn the_fast_path_and_the_general_grid_agree_everywhere() {
    fn walk(fast: &Three, general: &Grid<2>) {
        assert_eq!(fast.turn(), general.turn());
        assert_eq!(fast.legal_moves(), general.legal_moves());
        assert_eq!(fast.winning_cells(), general.winning_cells());
        for cell in fast.legal_moves() {
            let (mut one, mut other) = (*fast, *general);
            one.play(&cell);
            other.play(&cell);
            assert_eq!(one.check(&cell), other.check(&cell));
            assert_eq!(one.at(cell), other.at(cell));
            walk(&one, &other);
        }
    }
    let general = Grid::new(Rules::classic().shape()).expect("nine cells fit a word");
    walk(&Three::new(), &general);
}

#[test]
fn a_move_is_refused_first_because_the_game_is_over_then_off_the_board_then_occupied() {
    let texts = |board: &Board, row, column| {
        board
            .check(&Cell::new(row, column))
            .map_err(|e: Illegal| e.to_string())
    };
    let mut board = Board::new(Rules::classic());
    board.play(&Cell::new(0, 0));
    assert_eq!(
        texts(&board, 3, 0),
        Err("Position must be between 0 and 8".to_owned())
    );
    assert_eq!(
        texts(&board, 0, 255),
        Err("Position must be between 0 and 8".to_owned())
    );
    assert_eq!(
        texts(&board, 0, 0),
        Err("Position already occupied".to_owned())
    );
    for index in [3, 1, 4, 2] {
        board.play(&Cell::from_index(index, 3));
    }
    for (row, column) in [(9, 9), (0, 0), (2, 2)] {
        assert_eq!(
            texts(&board, row, column),
            Err("Game is already finished".to_owned())
        );
    }
    let wide = Board::new(Rules::new(4, 7, 4, &['X', 'O']).expect("rules within the limits"));
    assert_eq!(
        texts(&wide, 0, 7),
        Err("Position must be between 0 and 27".to_owned())
    );
}
