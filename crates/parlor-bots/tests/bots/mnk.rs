//! Perfect play, alpha-beta, tree search and levels on m,n,k boards.

use parlor_bots::mnk::{self, AlphaBeta, MnkPlayouts, Perfect};
use parlor_bots::{Choice, Level, Mcts, Nodes, Random, Spec, Strategy, mcts::MctsSettings};
use parlor_core::{Notation, Outcome, Position, Seat, Turn, random_below};
use parlor_tictactoe::mnk::{Board, BoardRepr, Cell, Rules, Three, solver};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

type Bot = Box<dyn Strategy<Board>>;

fn rules(rows: u8, columns: u8, k: u8, seats: usize) -> Rules {
    let symbols = Rules::default_symbols(seats).expect("no more seats than symbols");
    Rules::new(rows, columns, k, symbols).expect("rules within the limits")
}

fn board(text: &str) -> Board {
    Board::from_text(text).expect("a legal position")
}

fn bot(spec: &str, rules: &Rules, seed: u64) -> Bot {
    mnk::build(spec.parse().expect("names a bot"), rules, seed).expect("a bot for these rules")
}

/// Plays to the end; the bots sit in seat order.
fn play(mut board: Board, bots: &mut [Bot], nodes: u64) -> Outcome {
    loop {
        match board.turn() {
            Turn::Over(outcome) => return outcome,
            Turn::Chance => unreachable!("there is no luck in the family"),
            Turn::Move(seat) => {
                let mv = bots[seat.index()]
                    .choose(&board, &mut Nodes(nodes))
                    .expect("a seat is to move")
                    .mv;
                board.play(&mv);
            }
        }
    }
}

/// Returns the points of the first spec in games with both seats: 2 for a win, 1 for a draw.
fn score(rules: Rules, first: &str, second: &str, games: u64, nodes: u64) -> u32 {
    let mut points = 0;
    for game in 0..games {
        let mut bots = [
            bot(first, &rules, game),
            bot(second, &rules, game + 1_000_000),
        ];
        let seat = if game % 2 == 0 {
            Seat::FIRST
        } else {
            Seat::SECOND
        };
        bots.rotate_left(seat.index());
        let outcome = play(Board::new(rules), &mut bots, nodes);
        points += (outcome.payoff(seat, 2) + 1) as u32;
    }
    points
}

/// Returns a position reached by random moves that is not over.
fn random_position(rules: Rules, rng: &mut Xoshiro256PlusPlus) -> Board {
    loop {
        let mut board = Board::new(rules);
        for _ in 0..random_below(rng, u32::from(rules.shape().cells())) {
            if let Some(mv) = board.random_move(rng, &mut Vec::new()) {
                board.play(&mv);
            }
        }
        if !board.turn().is_over() {
            return board;
        }
    }
}

/// Answers every line of play of the other seat with `bot`, and counts the results.
fn all_replies(bot: &mut Bot, board: &Board, seat: Seat, ends: &mut [u32; 3]) {
    match board.turn() {
        Turn::Over(outcome) => ends[(outcome.payoff(seat, 2) + 1) as usize] += 1,
        Turn::Chance => unreachable!("there is no luck in the family"),
        Turn::Move(mover) => {
            let moves = if mover == seat {
                vec![
                    bot.choose(board, &mut Nodes(u64::MAX))
                        .expect("a seat is to move")
                        .mv,
                ]
            } else {
                board.legal_moves()
            };
            for mv in moves {
                let mut after = board.clone();
                after.play(&mv);
                all_replies(bot, &after, seat, ends);
            }
        }
    }
}

#[test]
fn level_5_never_loses_the_classic_game_whatever_is_played_against_it() {
    for seed in 0..4 {
        for seat in Seat::all(2) {
            let mut ends = [0; 3];
            let rules = Rules::classic();
            all_replies(
                &mut bot("level:5", &rules, seed),
                &Board::new(rules),
                seat,
                &mut ends,
            );
            assert_eq!(ends[0], 0, "lost as seat {seat}, seed {seed}");
            assert!(ends[2] > ends[1], "it punishes mistakes: {ends:?}");
        }
    }
}

#[test]
fn tree_search_with_10_000_nodes_never_loses_the_classic_game_to_perfect_play() {
    let rules = Rules::classic();
    for seed in 0..200 {
        let mut bots = [
            bot("mcts:nodes=10000", &rules, seed),
            bot("perfect", &rules, seed),
        ];
        bots.rotate_left(seed as usize % 2);
        assert_eq!(
            play(Board::new(rules), &mut bots, u64::MAX),
            Outcome::Draw,
            "seed {seed}"
        );
    }
}

#[test]
fn tree_search_proves_what_can_be_forced_and_then_stops() {
    let mut three = Three::new();
    for (row, column) in [(0, 0), (0, 1)] {
        three.play(&Cell::new(row, column));
    }
    let choice = Mcts::new(3)
        .choose(&three, &mut Nodes(1_000_000))
        .expect("a seat is to move");
    assert_eq!(
        (choice.info.value, choice.info.exact),
        (Some(1.0), true),
        "beside the corner is a mistake"
    );
    assert!(choice.info.nodes < 20_000, "{} nodes", choice.info.nodes);
}

#[test]
fn alpha_beta_agrees_with_the_solver_on_random_positions() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(17);
    let shapes = [
        (3, 3, 3, 1_000),
        (4, 3, 3, 1_000),
        (3, 4, 3, 500),
        (4, 4, 3, 500),
        (4, 4, 4, 300),
        (3, 3, 2, 200),
        (2, 5, 2, 200),
    ];
    let mut exact = 0;
    for (rows, columns, k, positions) in shapes {
        let mut search = AlphaBeta::new();
        let mut solver = solver::Solver::new();
        for _ in 0..positions {
            let position = random_position(rules(rows, columns, k, 2), &mut rng);
            let choice = search
                .choose(&position, &mut Nodes(200_000))
                .expect("a seat is to move");
            if !choice.info.exact {
                continue;
            }
            exact += 1;
            let value = match solver.value(&position).expect("small boards are solved") {
                solver::GameValue::Loss => -1.0,
                solver::GameValue::Draw => 0.0,
                solver::GameValue::Win => 1.0,
            };
            assert_eq!(choice.info.value, Some(value), "{}", position.text());
            let mut after = position.clone();
            after.play(&choice.mv);
            let kept = match solver
                .value(&after)
                .expect("small boards are solved")
                .reversed()
            {
                solver::GameValue::Loss => -1.0,
                solver::GameValue::Draw => 0.0,
                solver::GameValue::Win => 1.0,
            };
            assert_eq!(
                kept,
                value,
                "{} {:?} gives away the value",
                position.text(),
                choice.mv
            );
        }
    }
    assert!(exact > 3_600, "only {exact} of 3,700 positions were solved");
}

#[test]
fn alpha_beta_is_right_about_tiny_and_thin_boards() {
    let value = |rows, columns, k| {
        let start = Board::new(rules(rows, columns, k, 2));
        AlphaBeta::new()
            .choose(&start, &mut Nodes(1_000_000))
            .map(|choice| (choice.info.value, choice.info.exact))
    };
    assert_eq!(
        value(1, 1, 1),
        Some((Some(1.0), true)),
        "the first stone wins"
    );
    assert_eq!(value(5, 5, 1), Some((Some(1.0), true)));
    assert_eq!(value(1, 2, 2), Some((Some(0.0), true)));
    assert_eq!(value(2, 2, 2), Some((Some(1.0), true)));
    assert_eq!(value(1, 9, 3), Some((Some(0.0), true)));
    assert_eq!(value(3, 4, 3), Some((Some(1.0), true)));
    assert_eq!(value(3, 3, 3), Some((Some(0.0), true)));
}

/// Positions that every searching bot has to solve at once: rules, board, and the winning or
/// blocking cell.
const URGENT: [(&str, (u8, u8)); 7] = [
    ("5x5x4 XO XXX../OO.../O..../...../.....", (0, 3)),
    ("5x5x4 XO XX.../OOO../X..../...../.....", (1, 3)),
    (
        "7x7x5 XO XXXX.../OOOO.../......./......./......./......./.......",
        (0, 4),
    ),
    (
        "6x6x4 XOA XXX.../OO...O/AA...A/....../....../......",
        (0, 3),
    ),
    (
        "6x6x4 XOA X.X.X./OOO.../AA...A/....../....../......",
        (1, 3),
    ),
    ("4x4x3 XOA XX../O..O/.A.A/....", (0, 2)),
    (
        "9x9x4 XOA X.X..X.../...OOOX../A.A..A.A./...O...../........./........./........./........./.........",
        (1, 2),
    ),
];

#[test]
fn wins_are_taken_and_threats_of_the_next_seat_blocked() {
    for (text, (row, column)) in URGENT {
        let position = board(text);
        for spec in mnk::offers(position.rules()) {
            if matches!(spec, Spec::Random)
                || matches!(spec, Spec::Level(level) if level.number() < 4)
            {
                continue;
            }
            let mv = mnk::build(spec, position.rules(), 1)
                .expect("it is offered")
                .choose(&position, &mut Nodes(300));
            let mv = mv.expect("a seat is to move").mv;
            assert_eq!(mv, Cell::new(row, column), "{spec} in {text}");
        }
    }
}

#[test]
fn a_series_of_fours_is_found_with_a_tiny_budget() {
    // A four in the row makes a three in the column; a four there makes a three on the diagonal;
    // then follows an open four on it.
    let position = board(
        "9x9x5 XO O.......O/.....O.../.....X.../...X.X.../.OXXX..../........./........./........./O.O......",
    );
    let choice = AlphaBeta::new()
        .choose(&position, &mut Nodes(200))
        .expect("a seat is to move");
    assert_eq!(
        (choice.info.value, choice.info.exact),
        (Some(1.0), true),
        "{choice:?}"
    );
    assert_eq!(
        (choice.mv, choice.info.depth),
        (Cell::new(4, 5), 7),
        "{choice:?}"
    );
}

#[test]
fn perfect_play_keeps_the_value_and_does_not_dawdle() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut solver = solver::Solver::new();
    for _ in 0..300 {
        let position = random_position(rules(4, 4, 3, 2), &mut rng);
        let mv = Perfect::new(1)
            .choose(&position, &mut Nodes(0))
            .expect("a seat is to move")
            .mv;
        let mut after = position.clone();
        after.play(&mv);
        let value = |board: &Board, solver: &mut solver::Solver| {
            solver.value(board).expect("16 cells are solved")
        };
        assert_eq!(
            value(&after, &mut solver).reversed(),
            value(&position, &mut solver),
            "{}",
            position.text()
        );
        let wins_now = position.legal_moves().iter().any(|mv| {
            let mut after = position.clone();
            after.play(mv);
            after
                .turn()
                .outcome()
                .is_some_and(|outcome| outcome.winner().is_some())
        });
        assert_eq!(
            after.turn().is_over(),
            wins_now || after.legal_moves().is_empty(),
            "{}",
            position.text()
        );
    }
}

#[test]
fn playouts_that_see_threats_solve_what_plain_ones_miss() {
    let position = board("5x5x4 XO XX.../OOO../X..../...../.....");
    let BoardRepr::Small(grid) = position.repr() else {
        panic!("5x5 is a small board")
    };
    let mut keen = Mcts::with_policy(1, MnkPlayouts, MctsSettings::default());
    let choice = keen
        .choose(grid, &mut Nodes(10))
        .expect("a seat is to move");
    assert_eq!(choice.mv, Cell::new(1, 3));
    assert_eq!(keen.root_moves().len(), 1, "a forced move leaves no other");
}

#[test]
fn each_level_clearly_beats_the_one_below() {
    let rules = rules(6, 6, 4, 2);
    for level in 2..=5 {
        let (better, worse) = (format!("level:{level}"), format!("level:{}", level - 1));
        let points = score(rules, &better, &worse, 100, 10_000);
        assert!(
            points >= 120,
            "{better} makes {points} of 200 points against {worse}"
        );
    }
}

#[test]
fn level_1_still_beats_random_play() {
    let points = score(rules(5, 5, 4, 2), "level:1", "random", 100, 1_000);
    assert!(points >= 120, "{points} of 200 points");
}

#[test]
fn with_three_seats_a_search_wins_more_than_its_share() {
    let rules = rules(5, 5, 4, 3);
    let (mut won, mut lost) = (0, 0);
    for game in 0..30 {
        let mut bots: [Bot; 3] = [
            bot("level:4", &rules, game),
            bot("random", &rules, game + 100),
            bot("random", &rules, game + 200),
        ];
        let seat = (game % 3) as usize;
        bots.rotate_right(seat);
        match play(Board::new(rules), &mut bots, 300).winner() {
            Some(by) if by.index() == seat => won += 1,
            Some(_) => lost += 1,
            None => {}
        }
    }
    assert!(won >= 15 && lost <= 2, "won {won} and lost {lost} of 30");
}

fn assert_line_is_legal(board: &Board, choice: &Choice<Cell>) {
    let mut board = board.clone();
    choice.info.line.iter().for_each(|mv| board.play(mv));
    assert!(
        choice
            .info
            .line
            .first()
            .is_none_or(|first| *first == choice.mv),
        "{choice:?}"
    );
}

#[test]
fn every_offered_bot_is_deterministic_for_a_seed() {
    for rules in [
        rules(3, 3, 3, 2),
        rules(6, 7, 4, 2),
        rules(6, 6, 4, 3),
        rules(15, 15, 5, 2),
    ] {
        for spec in mnk::offers(&rules) {
            let moves = || {
                let mut bot = mnk::build(spec, &rules, 5).expect("it is offered");
                let mut board = Board::new(rules);
                let mut moves = Vec::new();
                while moves.len() < 5 {
                    let choice = bot
                        .choose(&board, &mut Nodes(150))
                        .expect("a seat is to move");
                    assert_line_is_legal(&board, &choice);
                    board.play(&choice.mv);
                    moves.push(choice);
                }
                moves
            };
            assert_eq!(moves(), moves(), "{spec} on {:?}", rules.shape());
        }
    }
}

#[test]
fn bots_that_do_not_suit_a_game_are_refused_with_the_reason() {
    let refused = |spec: &str, rules: &Rules| {
        let spec: Spec = spec.parse().expect("names a bot");
        mnk::build(spec, rules, 1)
            .err()
            .map(|unsuitable| unsuitable.to_string())
            .expect("it does not suit")
    };
    let three = rules(6, 6, 4, 3);
    assert_eq!(
        refused("perfect", &three),
        "perfect cannot play here: perfect play is known only for two seats"
    );
    assert_eq!(
        refused("alphabeta:nodes=5", &three),
        "alphabeta:nodes=5 cannot play here: it needs exactly 2 seats, and this game has 3; use mcts instead",
    );
    assert_eq!(
        refused("perfect", &rules(15, 15, 5, 2)),
        "perfect cannot play here: perfect play is known only on boards of up to 25 cells and 7 a side",
    );
    assert!(!mnk::offers(&three).contains(&Spec::Perfect));
    assert_eq!(mnk::offers(&Rules::classic()).len(), 9);
}

#[test]
fn every_bot_plays_every_kind_of_board_to_the_end() {
    let kinds = [
        (1, 1, 1, 2),
        (1, 9, 3, 2),
        (3, 3, 1, 2),
        (7, 2, 7, 2),
        (26, 26, 26, 2),
        (8, 8, 5, 4),
        (9, 9, 3, 8),
        (3, 3, 2, 8),
    ];
    for (rows, columns, k, seats) in kinds {
        let rules = rules(rows, columns, k, seats);
        for spec in mnk::offers(&rules) {
            let mut bots: Vec<Bot> = (0..seats as u64)
                .map(|seed| mnk::build(spec, &rules, seed).expect("offered"))
                .collect();
            play(Board::new(rules), &mut bots, 3);
        }
    }
}

#[test]
fn a_named_bot_returns_its_name() {
    let rules = Rules::classic();
    for text in [
        "random",
        "perfect",
        "mcts",
        "mcts:nodes=7",
        "alphabeta",
        "level:3",
    ] {
        assert_eq!(bot(text, &rules, 1).name(), text);
    }
    assert_eq!(Strategy::<Board>::name(&Random::new(1)), "random");
    assert_eq!(
        Perfect::new(1).choose(&Board::new(self::rules(9, 9, 5, 2)), &mut Nodes(1)),
        None
    );
    assert_eq!(Level::all().count(), 5);
}
