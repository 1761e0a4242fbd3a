//! Backgammon: the net, its kernels, the cube, the levels.

use parlor_backgammon::{
    Board, Chance, Crawford, Cube, Dice, Game, Move, Phase, Roll, Rules, Setup, WHITE,
};
use parlor_bots::backgammon::training::BackgammonTraining;
use parlor_bots::backgammon::{
    self, BackgammonEvaluator, BackgammonNetSize, BackgammonNets, Chances, GreedyBackgammon,
    NetPlayer, NetPlayerSettings,
};
use parlor_bots::{Level, Nodes, Prng, Spec, Strategy};
use parlor_core::playout::choose_weighted;
use parlor_core::{Notation, Position, Seat, Turn};
use rand_xoshiro::rand_core::SeedableRng;

type Bot = Box<dyn Strategy<Game>>;

fn bot(spec: &str) -> Bot {
    let spec = spec.parse().expect("names a bot");
    backgammon::build(spec, &Rules::GAME, 1).expect("a bot for every table")
}

/// Resolves chances until a seat is to move.
fn roll_on(game: &mut Game, rng: &mut Prng) {
    let mut chances: Vec<(Chance, u32)> = Vec::new();
    while game.turn() == Turn::Chance {
        game.chances_into(&mut chances);
        game.resolve(
            &choose_weighted(rng, &chances)
                .expect("luck has a choice")
                .clone(),
        );
    }
}

/// Plays a match game and returns the points white wins; the bots sit in seat order. Every move is
/// checked.
fn play(mut game: Game, bots: &mut [Bot; 2], nodes: u64, rng: &mut Prng) -> i32 {
    loop {
        roll_on(&mut game, rng);
        match game.turn() {
            Turn::Over(outcome) => return outcome.payoff(WHITE, 2),
            Turn::Chance => unreachable!("luck has decided"),
            Turn::Move(seat) => {
                let choice = bots[seat.index()]
                    .choose(&game, &mut Nodes(nodes))
                    .expect("a seat is to move");
                assert!(
                    choice
                        .info
                        .value
                        .is_none_or(|value| (-1.0..=1.0).contains(&value)),
                    "{choice:?}"
                );
                game.play(&choice.mv);
            }
        }
    }
}

/// Returns the points per game that the first bot wins, without a cube, as often white as black.
fn points(first: impl Fn() -> Bot, second: impl Fn() -> Bot, games: u32, nodes: u64) -> f64 {
    let mut rng = Prng::seed_from_u64(4);
    let mut bots = [first(), second()];
    let mut sum = 0;
    for n in 0..games {
        let game = Game::new(Rules::GAME);
        if n % 2 == 0 {
            sum += play(game, &mut bots, nodes, &mut rng);
        } else {
            bots.swap(0, 1);
            sum -= play(game, &mut bots, nodes, &mut rng);
            bots.swap(0, 1);
        }
    }
    f64::from(sum) / f64::from(games)
}

/// Returns boards from random games, seen from the player to roll.
fn random_boards(count: usize, seed: u64) -> Vec<Board> {
    let mut rng = Prng::seed_from_u64(seed);
    let mut boards = Vec::new();
    while boards.len() < count {
        let mut game = Game::new(Rules::GAME);
        while boards.len() < count {
            roll_on(&mut game, &mut rng);
            if game.turn().is_over() {
                break;
            }
            boards.push(game.board());
            let m = game
                .random_move(&mut rng, &mut Vec::new())
                .expect("a seat is to move");
            game.play(&m);
        }
    }
    boards
}

/// Returns a money game with this cube and white to decide.
fn money(board: &Board, phase: Phase, cube: Cube, jacoby: bool) -> Game {
    let mut setup = Setup::new(Rules {
        jacoby,
        ..Rules::MONEY
    });
    (setup.counts, setup.phase, setup.cube) = (
        [board.mover().counts(), board.other().counts()],
        phase,
        cube,
    );
    setup.on_roll = WHITE;
    setup.validate().expect("a game")
}

/// Returns the cube actions of the strong levels with a centered cube: before the roll, and when
/// offered a double.
fn cube_actions(board: &Board, jacoby: bool) -> [Move; 2] {
    [Phase::Cube, Phase::Doubled].map(|phase| {
        let game = money(board, phase, Cube::default(), jacoby);
        bot("level:5")
            .choose(&game, &mut Nodes(u64::MAX))
            .expect("a seat is to move")
            .mv
    })
}

/// Returns a board of the mover's and the opponent's checkers, each (point, count); the rest is
/// borne off.
pub fn board(mover: &[(usize, u8)], other: &[(usize, u8)]) -> Board {
    let side = |points: &[(usize, u8)]| {
        let mut counts = [0; 26];
        points.iter().for_each(|(point, n)| counts[*point] += n);
        counts[0] = 15 - counts.iter().sum::<u8>();
        parlor_backgammon::Side::from_counts(&counts).expect("fifteen checkers")
    };
    Board::new(side(mover), side(other)).expect("no shared point")
}

#[test]
fn outputs_of_the_net_are_valid_chances() {
    let eval = BackgammonEvaluator::new(&BackgammonNets::built_in());
    for board in random_boards(20_000, 1) {
        let c = eval.chances(&board);
        assert!(
            0.0 <= c.win_backgammon && c.win_backgammon <= c.win_gammon && c.win_gammon <= c.win,
            "{board:?} {c:?}"
        );
        assert!(
            0.0 <= c.lose_backgammon && c.lose_backgammon <= c.lose_gammon,
            "{board:?} {c:?}"
        );
        assert!(
            c.win <= 1.0 && c.lose_gammon <= 1.0 - c.win,
            "{board:?} {c:?}"
        );
        assert!(
            board.other().off() == 0 || c.win_gammon == 0.0,
            "{board:?} {c:?}"
        );
        assert!(
            board.mover().off() == 0 || c.lose_gammon == 0.0,
            "{board:?} {c:?}"
        );
    }
}

#[test]
fn portable_and_simd_evaluations_agree_to_the_last_bit() {
    let nets = BackgammonNets::built_in();
    let (wide, plain) = (
        BackgammonEvaluator::new(&nets),
        BackgammonEvaluator::portable(&nets),
    );
    for board in random_boards(2_000, 2) {
        let bits = |c: Chances| c.to_array().map(f32::to_bits);
        assert_eq!(
            bits(wide.chances(&board)),
            bits(plain.chances(&board)),
            "{board:?}"
        );
    }
}

#[test]
fn colors_do_not_matter() {
    let mut rng = Prng::seed_from_u64(3);
    for board in random_boards(300, 3) {
        let rolls: Vec<(Roll, u32)> = Roll::all().map(|roll| (roll, roll.weight())).collect();
        let roll = *choose_weighted(&mut rng, &rolls).expect("a roll");
        let white = money(
            &board,
            Phase::Moving(Dice::from(roll)),
            Cube::default(),
            false,
        );
        let mut setup = Setup::from_game(&white);
        setup.counts.swap(0, 1);
        setup.on_roll = Seat::SECOND;
        let black = setup
            .validate()
            .expect("the same game with the colors changed");
        let choose = |game: &Game| {
            bot("level:4")
                .choose(game, &mut Nodes(u64::MAX))
                .expect("a seat is to move")
        };
        let (one, other) = (choose(&white), choose(&black));
        assert_eq!(
            (one.mv, one.info.value),
            (other.mv, other.info.value),
            "{board:?}"
        );
    }
}

#[test]
fn the_player_who_starts_has_a_small_advantage() {
    let chances = NetPlayer::new(NetPlayerSettings::with_plies(1))
        .chances(&Board::START, &mut Nodes(u64::MAX));
    // The starting roll may be a double here: about 52.5 of 100 games are won, slightly more than a
    // quarter of them gammons.
    assert!(
        (0.51..0.54).contains(&chances.win) && (0.03..0.12).contains(&chances.equity()),
        "{chances:?}"
    );
    assert!((0.11..0.18).contains(&chances.win_gammon), "{chances:?}");
}

#[test]
fn undisputed_opening_plays_are_found() {
    let known = [
        ("31", "8/5,6/5"),
        ("42", "8/4,6/4"),
        ("61", "13/7,8/7"),
        ("53", "8/3,6/3"),
        ("65", "24/13"),
    ];
    for level in ["level:4", "level:5"] {
        for (roll, play) in known {
            let mut game = Game::new(Rules::GAME);
            let thrown = roll
                .chars()
                .map(|die| die.to_string())
                .collect::<Vec<_>>()
                .join("-");
            game.resolve(&game.parse_chance(&thrown).expect("an opening roll"));
            let choice = bot(level)
                .choose(&game, &mut Nodes(u64::MAX))
                .expect("a seat is to move");
            assert_eq!(game.move_text(&choice.mv), play, "{level} plays {roll}");
        }
    }
}

#[test]
fn the_bot_beats_a_greedy_player_by_far() {
    let won = points(
        || bot("level:4"),
        || Box::new(GreedyBackgammon),
        300,
        u64::MAX,
    );
    assert!(won > 0.7, "{won:+.3} points per game");
}

#[test]
fn each_level_is_stronger_than_the_ones_below() {
    let level = |n: u8| move || bot(&format!("level:{n}"));
    let random = || bot("random");
    assert!(
        points(level(1), random, 40, u64::MAX) > 1.0,
        "1 against random moves"
    );
    assert!(
        points(level(2), level(1), 300, u64::MAX) > 0.1,
        "2 against 1"
    );
    assert!(
        points(level(3), level(1), 300, u64::MAX) > 0.3,
        "3 against 1"
    );
    assert!(
        points(level(4), level(2), 300, u64::MAX) > 0.2,
        "4 against 2"
    );
    assert!(points(level(5), level(3), 60, 4_000) > 0.1, "5 against 3");
}

#[test]
fn every_level_plays_whole_matches_with_the_cube_by_the_rules() {
    let mut rng = Prng::seed_from_u64(9);
    for level in Level::all() {
        let spec = Spec::Level(level).to_string();
        for rules in [
            Rules::match_to(3).expect("a match"),
            Rules {
                beavers: true,
                ..Rules::MONEY
            },
        ] {
            let game = Game::new(rules);
            assert!(
                play(game, &mut [bot(&spec), bot(&spec)], 2_000, &mut rng) != 0,
                "{spec} {rules:?}"
            );
        }
    }
}

#[test]
fn there_is_a_move_with_the_smallest_budget() {
    let mut game = Game::new(Rules::MONEY);
    game.resolve(&game.parse_chance("6-2").expect("an opening roll"));
    let hurried = bot("level:5")
        .choose(&game, &mut Nodes(0))
        .expect("a seat is to move");
    assert_eq!(hurried.info.depth, 0);
    let calm = bot("level:5")
        .choose(&game, &mut Nodes(u64::MAX))
        .expect("a seat is to move");
    assert!(
        calm.info.depth >= 1 && calm.info.nodes > hurried.info.nodes,
        "{:?}",
        calm.info
    );
    assert!(game.check(&hurried.mv).is_ok() && game.check(&calm.mv).is_ok());
}

#[test]
fn nobody_doubles_at_the_start_and_everybody_takes() {
    assert_eq!(cube_actions(&Board::START, false), [Move::Roll, Move::Take]);
    assert_eq!(cube_actions(&Board::START, true), [Move::Roll, Move::Take]);
}

#[test]
fn a_last_roll_is_doubled_from_a_half_and_taken_up_to_three_quarters() {
    // The opponent is off with any roll. A checker on 5 goes off with 31 of 36 rolls, one on 6 with
    // 27, two on 5 and 2 with 19, two on 6 and 2 with 13.
    assert_eq!(
        cube_actions(&board(&[(5, 1)], &[(1, 2)]), true),
        [Move::Double, Move::Drop]
    );
    assert_eq!(
        cube_actions(&board(&[(6, 1)], &[(1, 2)]), true),
        [Move::Double, Move::Take]
    );
    assert_eq!(
        cube_actions(&board(&[(5, 1), (2, 1)], &[(1, 2)]), true),
        [Move::Double, Move::Take]
    );
    assert_eq!(
        cube_actions(&board(&[(6, 1), (2, 1)], &[(1, 2)]), true),
        [Move::Roll, Move::Beaver].map(no_beaver)
    );
}

/// Maps a beaver to a take.
fn no_beaver(m: Move) -> Move {
    if m == Move::Beaver { Move::Take } else { m }
}

#[test]
fn a_hopeless_race_is_dropped() {
    let far_ahead = board(&[(1, 3), (2, 3)], &[(6, 5), (8, 5), (13, 5)]);
    assert_eq!(cube_actions(&far_ahead, true)[1], Move::Drop);
}

#[test]
fn a_sure_gammon_is_played_on_for_unless_gammons_need_a_turned_cube() {
    // Six points closed, five checkers on the bar behind them.
    let closed = board(
        &[(1, 2), (2, 2), (3, 2), (4, 2), (5, 2), (6, 3), (7, 2)],
        &[(25, 5), (6, 4), (8, 3), (13, 3)],
    );
    assert_eq!(cube_actions(&closed, false), [Move::Roll, Move::Drop]);
    assert_eq!(cube_actions(&closed, true), [Move::Double, Move::Drop]);
}

#[test]
fn in_a_match_the_score_decides_about_the_cube() {
    let at = |score: [u8; 2], crawford: Crawford, phase: Phase| {
        let mut setup = Setup::new(Rules::match_to(5).expect("a match"));
        (setup.score, setup.crawford, setup.phase, setup.on_roll) = (score, crawford, phase, WHITE);
        let game = setup.validate().expect("a game");
        bot("level:4")
            .choose(&game, &mut Nodes(u64::MAX))
            .expect("a seat is to move")
            .mv
    };
    // After the Crawford game the trailer has nothing to lose, and a leader who is an odd number of
    // points ahead should not drop too soon.
    assert_eq!(at([2, 4], Crawford::After, Phase::Cube), Move::Double);
    assert_eq!(at([2, 4], Crawford::After, Phase::Doubled), Move::Take);
    assert_eq!(at([0, 0], Crawford::Before, Phase::Cube), Move::Roll);
}

#[test]
fn training_improves_and_resumes_from_a_checkpoint() {
    let mut training =
        BackgammonTraining::new(&BackgammonNets::zero(BackgammonNetSize::Small), 1, 4_000);
    let first = training.round();
    let stored = training.to_bytes();
    let mut later = BackgammonTraining::from_bytes(&stored).expect("a training");
    assert!(BackgammonTraining::from_bytes(&stored[1..]).is_none());
    for _ in 0..2 {
        training.round();
        later.round();
    }
    assert!(
        training.to_bytes() == later.to_bytes(),
        "what was put aside goes another way"
    );
    let last = training.round();
    assert!(last.error < 0.8 * first.error, "{first:?} {last:?}");
    assert_eq!(training.games(), 4 * BackgammonTraining::ROUND);
}

#[test]
fn a_net_round_trips_through_bytes() {
    let nets = BackgammonNets::built_in();
    assert_eq!(
        BackgammonNets::from_bytes(&nets.to_bytes()),
        Some(nets.clone())
    );
    assert_eq!(BackgammonNets::from_bytes(&nets.to_bytes()[1..]), None);
}

#[test]
fn only_what_suits_is_offered() {
    for rules in [
        Rules::GAME,
        Rules::MONEY,
        Rules::match_to(7).expect("a match"),
    ] {
        let offers = backgammon::offers(&rules);
        assert!(
            offers
                .iter()
                .all(|spec| backgammon::build(*spec, &rules, 0).is_ok())
        );
        assert_eq!(offers.len(), 6);
        for spec in ["mcts", "alphabeta", "perfect"] {
            let refused = backgammon::suits(spec.parse().expect("a bot"), &rules)
                .expect_err("no such bot here");
            assert!(refused.to_string().starts_with(spec), "{refused}");
        }
    }
}

mod full {
    use super::*;

    #[test]
    fn each_level_beats_the_next_lower_one() {
        // Three hundred games have a standard error of 0.07 to 0.09 points.
        let least = [(2, 0.8), (3, 0.8), (4, 0.4), (5, 0.0)];
        for (number, least) in least {
            let level = |n: u8| move || bot(&format!("level:{n}"));
            let won = points(level(number), level(number - 1), 300, 20_000);
            assert!(won > least, "level {number}: {won:+.3} points per game");
        }
    }
}
