//! Analysis of backgammon decisions and of luck.

use parlor_backgammon::{
    BLACK, Board, Chance, Crawford, Cube, Dice, Game, Move, Phase, Roll, Rules, Setup, WHITE, Win,
};
use parlor_bots::backgammon::analysis::{
    AnalystSettings, BackgammonAnalyst, DecisionAnalysis, GameStep, Judgment, MistakeGrade,
    RollLuck,
};
use parlor_bots::backgammon::rollout::{self, RolloutTally};
use parlor_bots::{Nodes, Prng};
use parlor_core::playout::choose_weighted;
use parlor_core::{Notation, Position, Seat, Turn};
use rand_xoshiro::rand_core::SeedableRng;

use crate::backgammon::board;

fn many() -> Nodes {
    Nodes(u64::MAX)
}

fn analyst(plies: u32) -> BackgammonAnalyst {
    BackgammonAnalyst::new(AnalystSettings {
        plies,
        cubeful: true,
    })
}

/// Returns a game by these rules with white on roll.
fn game(rules: Rules, board: &Board, phase: Phase, change: impl FnOnce(&mut Setup)) -> Game {
    let mut setup = Setup::new(rules);
    (setup.counts, setup.phase, setup.on_roll) = (
        [board.mover().counts(), board.other().counts()],
        phase,
        WHITE,
    );
    change(&mut setup);
    setup.validate().expect("a game")
}

fn money(board: &Board, phase: Phase) -> Game {
    game(Rules::MONEY, board, phase, |_| ())
}

/// Returns the same game with the colors swapped.
fn turned(game: &Game) -> Game {
    let mut setup = Setup::from_game(game);
    setup.counts.swap(0, 1);
    setup.score.swap(0, 1);
    setup.on_roll = setup.on_roll.next(2);
    setup.cube = Cube::new(
        setup.cube.turned(),
        setup.cube.owner().map(|owner| owner.next(2)),
    )
    .expect("a cube");
    setup.validate().expect("the same game")
}

fn dice(text: &str) -> Phase {
    Phase::Moving(Dice::from(text.parse::<Roll>().expect("two dice")))
}

fn decided(plies: u32, game: &Game, played: Option<&str>) -> DecisionAnalysis {
    let played = played.map(|text| game.parse_move(text).expect("a move"));
    analyst(plies)
        .decision(game, played.as_ref(), &mut many())
        .expect("a decision")
}

fn equity(decision: &DecisionAnalysis, mv: Move) -> f64 {
    decision
        .ranked
        .iter()
        .find(|ranked| ranked.mv == mv)
        .expect("it is listed")
        .equity
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-5
}

/// Two checkers on 5 and 2 while the opponent is off with any roll: 19 of 36 rolls win.
fn last_roll() -> Board {
    board(&[(5, 1), (2, 1)], &[(1, 2)])
}

#[test]
fn equities_of_the_last_roll_are_as_counted_by_hand() {
    let win = 19.0 / 36.0;
    let decision = decided(0, &money(&last_roll(), Phase::Cube), Some("roll"));
    let cube = decision.cube.expect("it is about the cube");
    assert!(
        near(cube.held, 2.0 * win - 1.0)
            && near(cube.taken, 2.0 * (2.0 * win - 1.0))
            && near(cube.dropped, 1.0)
    );
    assert!(cube.advice.double && cube.advice.answer == Move::Take && !cube.advice.too_good);
    assert!(
        near(decision.loss(), 2.0 * win - 1.0) && decision.counts,
        "{decision:?}"
    );
    assert_eq!(
        (decision.seat, decision.ranked[0].mv, decision.stake),
        (WHITE, Move::Double, 1.0)
    );
    assert!(near(f64::from(decision.chances.win), win) && near(decision.winning, win));
    // Dropping costs the difference from the value of taking.
    let answer = decided(0, &money(&last_roll(), Phase::Doubled), Some("drop"));
    assert_eq!((answer.seat, answer.ranked[0].mv), (BLACK, Move::Take));
    assert!(
        near(answer.loss(), 1.0 - 2.0 * (2.0 * win - 1.0))
            && near(f64::from(answer.chances.win), 1.0 - win)
    );
}

#[test]
fn prospects_of_the_last_roll_are_worth_the_same_with_any_cube() {
    // Doubling is pointless after the last roll.
    for owner in [WHITE, BLACK] {
        let owned = |setup: &mut Setup| setup.cube = Cube::new(1, Some(owner)).expect("a cube");
        let phase = if owner == WHITE {
            Phase::Cube
        } else {
            Phase::Rolling
        };
        let game = game(Rules::MONEY, &last_roll(), phase, owned);
        let before = analyst(1)
            .prospects(&game, &mut many())
            .expect("a position before a roll");
        assert!(
            near(before.equity, 2.0 / 36.0) && near(before.cubeless, before.equity),
            "{before:?}"
        );
        assert!(before.seat == WHITE && near(before.winning, 19.0 / 36.0) && before.games == 0);
    }
}

#[test]
fn equities_are_per_point_on_the_cube_and_stakes_say_what_that_is() {
    let doubled = |setup: &mut Setup| setup.cube = Cube::new(2, Some(WHITE)).expect("a cube");
    let decision = decided(
        0,
        &game(Rules::MONEY, &last_roll(), Phase::Cube, doubled),
        None,
    );
    let cube = decision.cube.expect("it is about the cube");
    assert!(near(cube.held, 2.0 / 36.0) && near(cube.dropped, 1.0) && cube.again);
    assert_eq!(decision.stake, 4.0);
    // Two points to go for each side: the cube decides the match, and half the winning chance is at
    // stake.
    let at_two = |setup: &mut Setup| setup.score = [3, 3];
    let rules = Rules::match_to(5).expect("a match");
    let decision = decided(0, &game(rules, &last_roll(), Phase::Cube, at_two), None);
    let cube = decision.cube.expect("it is about the cube");
    assert!(near(cube.dropped, 1.0), "{cube:?}");
    let leads = decision.stake * 2.0;
    // From 50 percent to the chance of a leader who is 1 away against 2 away, and as far the other
    // way.
    assert!((0.3..0.45).contains(&leads), "{leads}");
    // A double plays for the match.
    assert!(
        near((cube.taken * decision.stake) + 0.5, 19.0 / 36.0),
        "{cube:?}"
    );
    assert!(near(
        decision.winning,
        0.5 + decision.ranked[0].equity * decision.stake
    ));
}

#[test]
fn a_position_too_good_to_double_is_reported() {
    let closed = board(
        &[(1, 2), (2, 2), (3, 2), (4, 2), (5, 2), (6, 3), (7, 2)],
        &[(25, 5), (6, 4), (8, 3), (13, 3)],
    );
    let rules = Rules {
        jacoby: false,
        ..Rules::MONEY
    };
    let decision = decided(
        0,
        &game(rules, &closed, Phase::Cube, |_| ()),
        Some("double"),
    );
    let advice = decision.cube.expect("it is about the cube").advice;
    assert!(!advice.double && advice.too_good && advice.answer == Move::Drop);
    assert!(decision.loss() > 0.1 && decision.ranked[0].mv == Move::Roll);
    // With the Jacoby rule gammons need a turned cube.
    let advice = decided(0, &money(&closed, Phase::Cube), None)
        .cube
        .expect("about the cube")
        .advice;
    assert!(advice.double && !advice.too_good);
}

#[test]
fn beavers_are_judged_if_the_rules_have_them() {
    // 13 of 36 rolls win.
    let bad = board(&[(6, 1), (2, 1)], &[(1, 2)]);
    let beavers = Rules {
        beavers: true,
        ..Rules::MONEY
    };
    let (win, answer) = (
        13.0 / 36.0,
        decided(
            0,
            &game(beavers, &bad, Phase::Doubled, |_| ()),
            Some("take"),
        ),
    );
    assert_eq!(answer.ranked[0].mv, Move::Beaver);
    assert!(
        near(answer.ranked[0].equity, 4.0 * (1.0 - 2.0 * win))
            && near(answer.loss(), 2.0 * (1.0 - 2.0 * win))
    );
    assert_eq!(
        answer.cube.expect("about the cube").advice.answer,
        Move::Beaver
    );
    let plain = decided(0, &money(&bad, Phase::Doubled), Some("take"));
    assert!(plain.loss() == 0.0 && plain.ranked.len() == 2);
    // A player who is beavered may still drop, at the value of the first double.
    let beavered = decided(
        0,
        &game(beavers, &bad, Phase::Beavered, |_| ()),
        Some("drop"),
    );
    assert_eq!((beavered.seat, beavered.ranked[0].mv), (WHITE, Move::Take));
    assert!(
        near(equity(&beavered, Move::Drop), -2.0)
            && near(beavered.loss(), 2.0 - 4.0 * (1.0 - 2.0 * win))
    );
}

#[test]
fn rolls_count_as_decisions_only_when_a_double_is_close_or_right() {
    let count =
        |board: &Board, played: &str| decided(0, &money(board, Phase::Cube), Some(played)).counts;
    assert!(!count(&Board::START, "roll") && count(&Board::START, "double"));
    assert!(count(&last_roll(), "roll"));
    assert!(decided(0, &money(&Board::START, Phase::Doubled), Some("take")).counts);
    let close = decided(0, &money(&Board::START, Phase::Cube), None)
        .cube
        .expect("about the cube");
    let needed = close.wrong_answers_needed().expect("a double is wrong");
    let doubled = needed * close.dropped + (1.0 - needed) * close.taken;
    assert!(
        (0.1..0.9).contains(&needed) && near(doubled, close.held),
        "{close:?} {needed}"
    );
    assert!(
        decided(0, &money(&last_roll(), Phase::Cube), None)
            .cube
            .and_then(|cube| cube.wrong_answers_needed())
            .is_none()
    );
}

#[test]
fn there_is_no_cube_decision_if_the_cube_cannot_be_turned() {
    let mut analyst = analyst(0);
    let crawford = |setup: &mut Setup| (setup.score, setup.crawford) = ([4, 0], Crawford::Now);
    let rules = Rules::match_to(5).expect("a match");
    let rolling = game(rules, &Board::START, Phase::Rolling, crawford);
    assert!(analyst.decision(&rolling, None, &mut many()).is_none());
    let before = analyst
        .prospects(&rolling, &mut many())
        .expect("a position before a roll");
    assert!(
        near(before.equity, before.cubeless),
        "a dead cube adds nothing: {before:?}"
    );
    assert!(before.winning > 0.75, "{before:?}");
    let new = Game::new(Rules::MONEY);
    assert!(
        analyst.decision(&new, None, &mut many()).is_none()
            && analyst.prospects(&new, &mut many()).is_none()
    );
}

#[test]
fn opening_plays_are_ranked_and_their_mistakes_marked() {
    let mut game = Game::new(Rules::MONEY);
    game.resolve(&game.parse_chance("3-1").expect("a roll"));
    for plies in 0..=2 {
        let decision = decided(plies, &game, Some("13/10,6/5"));
        assert_eq!(game.move_text(&decision.ranked[0].mv), "8/5,6/5");
        assert_eq!(decision.ranked.len(), 16, "all plays are listed");
        assert!(decision.ranked.is_sorted_by(|a, b| a.equity >= b.equity));
        let played = decision.played.expect("it is a play");
        assert_eq!(game.move_text(&decision.ranked[played].mv), "13/10,6/5");
        assert_eq!(
            (decision.ranked[0].plies, decision.ranked[played].plies),
            (plies, plies)
        );
        assert_eq!(
            MistakeGrade::from_loss(decision.loss()),
            MistakeGrade::Blunder
        );
        assert!(
            (0.1..0.3).contains(&decision.ranked[0].equity) && decision.counts,
            "{:?}",
            decision.ranked[0]
        );
    }
    // The same play in another order.
    assert_eq!(
        decided(0, &game, Some("6/5,13/10")).loss(),
        decided(0, &game, Some("13/10,6/5")).loss()
    );
}

#[test]
fn the_played_move_is_searched_as_deeply_as_the_best() {
    let mut game = Game::new(Rules::GAME);
    game.resolve(&game.parse_chance("6-5").expect("a roll"));
    for play in game.legal_moves() {
        let decision = decided(1, &game, Some(&game.move_text(&play)));
        let played = decision.played.expect("it is a play");
        assert_eq!(
            decision.ranked[played].plies,
            1,
            "{}",
            game.move_text(&play)
        );
        assert!(decision.loss() >= 0.0);
    }
    // A budget too small for any look-ahead still gives a result.
    let hurried = analyst(2)
        .decision(&game, None, &mut Nodes(0))
        .expect("a decision");
    assert!(hurried.ranked.iter().all(|ranked| ranked.plies == 0));
}

#[test]
fn passes_and_only_plays_are_forced_and_resignations_are_not_judged() {
    let mut analyst = analyst(0);
    let barred = board(
        &[(25, 1), (6, 4), (8, 10)],
        &[(1, 2), (2, 2), (3, 2), (4, 2), (5, 2), (6, 2), (13, 3)],
    );
    let stuck = money(&barred, dice("42"));
    let pass = stuck.parse_move("pass").expect("a move");
    assert_eq!(
        analyst.judge(&stuck, GameStep::Move(&pass), &mut many()),
        Judgment::Forced(WHITE)
    );
    let one = money(&board(&[(1, 1)], &[(1, 2)]), dice("42"));
    let off = one.parse_move("1/off").expect("a move");
    assert_eq!(
        analyst.judge(&one, GameStep::Move(&off), &mut many()),
        Judgment::Forced(WHITE)
    );
    let mut game = money(&last_roll(), Phase::Cube);
    let resign = Move::Resign(Win::Single);
    assert_eq!(
        analyst.judge(&game, GameStep::Move(&resign), &mut many()),
        Judgment::Nothing
    );
    game.play(&resign);
    assert_eq!(
        analyst.judge(&game, GameStep::Move(&Move::Accept), &mut many()),
        Judgment::Nothing
    );
    // An illegal step is not judged.
    assert_eq!(
        analyst.judge(&game, GameStep::Move(&Move::Take), &mut many()),
        Judgment::Nothing
    );
}

fn luck(game: &Game, text: &str) -> RollLuck {
    analyst(0)
        .luck(game, &game.parse_chance(text).expect("a roll"))
        .expect("it can fall so")
}

#[test]
fn the_luck_of_all_rolls_sums_to_zero() {
    let contact = board(
        &[(24, 2), (13, 4), (8, 3), (6, 6)],
        &[(22, 1), (13, 6), (8, 3), (6, 5)],
    );
    let matches = |setup: &mut Setup| {
        (setup.score, setup.cube) = ([1, 2], Cube::new(1, Some(Seat::SECOND)).expect("a cube"))
    };
    let games = [
        money(&contact, Phase::Rolling),
        money(&last_roll(), Phase::Rolling),
        game(
            Rules::match_to(5).expect("a match"),
            &contact,
            Phase::Rolling,
            matches,
        ),
        Game::new(Rules::MONEY),
    ];
    for game in games {
        let mut analyst = analyst(0);
        let chances = game.chances();
        let all: f64 = chances.iter().map(|(_, weight)| f64::from(*weight)).sum();
        let mut sum = 0.0;
        for (chance, weight) in &chances {
            let luck = analyst.luck(&game, chance).expect("it can fall so");
            // The opening roll is lucky for the player who starts.
            let white = if luck.seat == WHITE {
                luck.luck()
            } else {
                -luck.luck()
            };
            sum += white * luck.stake * f64::from(*weight) / all;
        }
        assert!(sum.abs() < 1e-6, "{} {sum}", game.text());
    }
}

#[test]
fn luck_is_the_equity_of_a_roll_above_the_mean() {
    let rolling = money(&last_roll(), Phase::Rolling);
    let (good, bad) = (luck(&rolling, "52"), luck(&rolling, "41"));
    assert!(near(good.equity, 1.0) && near(bad.equity, -1.0) && near(good.mean, 2.0 / 36.0));
    assert!(near(good.luck() - bad.luck(), 2.0));
    // Being the player who starts is luck.
    let new = Game::new(Rules::MONEY);
    let (white, black) = (luck(&new, "3-1"), luck(&new, "1-3"));
    assert_eq!((white.seat, black.seat), (WHITE, BLACK));
    assert!(
        near(white.luck(), black.luck()) && near(white.mean, 0.0) && white.luck() > 0.1,
        "{white:?}"
    );
    assert!(
        analyst(0)
            .luck(&rolling, &new.parse_chance("3-1").expect("an opening roll"))
            .is_none()
    );
}

/// Returns games played for a while at random, with few doubles.
fn random_games(count: usize, rules: Rules) -> Vec<Game> {
    let mut rng = Prng::seed_from_u64(5);
    let (mut games, mut chances) = (Vec::new(), Vec::<(Chance, u32)>::new());
    while games.len() < count {
        let mut game = Game::new(rules);
        for step in 0.. {
            match game.turn() {
                Turn::Over(_) => break,
                Turn::Chance => {
                    game.chances_into(&mut chances);
                    game.resolve(
                        &choose_weighted(&mut rng, &chances)
                            .expect("luck has a choice")
                            .clone(),
                    );
                }
                Turn::Move(_) => {
                    games.push(game.clone());
                    let mv = match game.phase() {
                        Phase::Cube if step % 11 > 0 => Move::Roll,
                        Phase::Doubled if step % 3 > 0 => Move::Take,
                        _ => game
                            .random_move(&mut rng, &mut Vec::new())
                            .expect("a seat is to move"),
                    };
                    game.play(&mv);
                }
            }
        }
    }
    games.truncate(count);
    games
}

#[test]
fn every_decision_of_a_game_is_in_order_and_the_same_for_both_colors() {
    for rules in [
        Rules {
            beavers: true,
            ..Rules::MONEY
        },
        Rules::match_to(5).expect("a match"),
        Rules::GAME,
    ] {
        let mut analyst = analyst(0);
        for game in random_games(400, rules) {
            let Some(decision) = analyst.decision(&game, None, &mut many()) else {
                panic!("{}", game.text())
            };
            assert_eq!(Some(decision.seat), game.turn().seat());
            assert!(
                decision
                    .ranked
                    .iter()
                    .all(|one| game.check(&one.mv).is_ok() && one.loss >= 0.0),
                "{}",
                game.text()
            );
            assert!(
                decision.ranked.is_sorted_by(|a, b| a.loss <= b.loss)
                    && decision.ranked[0].loss == 0.0
            );
            assert!(
                decision.stake > 0.0 && (0.0..=1.0).contains(&decision.winning),
                "{}",
                game.text()
            );
            assert_eq!(
                decision.ranked.len() as u64,
                game.count_moves(&mut Vec::new())
            );
            let other = analyst
                .decision(&turned(&game), None, &mut many())
                .expect("the same decision");
            assert_eq!(
                (&decision.ranked, decision.cube),
                (&other.ranked, other.cube),
                "{}",
                game.text()
            );
        }
    }
}

#[test]
fn a_rollout_replaces_the_searched_equities() {
    let mut start = Game::new(Rules::MONEY);
    start.resolve(&start.parse_chance("2-1").expect("a roll"));
    let played = start.parse_move("24/22,6/5").expect("a play");
    let settings = rollout::BackgammonRolloutSettings {
        truncate: Some(3),
        ..rollout::BackgammonRolloutSettings::default()
    };
    let rolled = analyst(0)
        .roll_out(&start, Some(&played), settings, 3, &mut many())
        .expect("there is something to roll out");
    assert_eq!(
        rolled.decision(&RolloutTally::default()),
        analyst(0).decision(&start, Some(&played), &mut many())
    );
    let tally = rolled.rollout().run(0..36);
    let decision = rolled.decision(&tally).expect("a decision");
    let played = decision.played.expect("it was judged");
    assert!(decision.ranked.iter().filter(|one| one.games == 36).count() >= 3);
    assert_eq!(
        (decision.ranked[0].games, decision.ranked[played].games),
        (36, 36)
    );
    assert!(
        decision.ranked.is_sorted_by(|a, b| a.equity >= b.equity) && decision.ranked[0].loss == 0.0
    );
    assert!(
        decision.ranked[0].error.is_some_and(|error| error < 0.05),
        "{:?}",
        decision.ranked[0]
    );
    // For cube decisions: the exact chances of a last roll lead to the exact decision.
    let last = money(&last_roll(), Phase::Cube);
    let rolled = analyst(0)
        .roll_out(&last, Some(&Move::Roll), settings, 3, &mut many())
        .expect("a position");
    let tally = rolled.rollout().run(0..36);
    let (decision, before) = (
        rolled.decision(&tally).expect("a decision"),
        rolled.prospects(&tally).expect("a roll"),
    );
    assert!(
        near(decision.loss(), 2.0 / 36.0) && decision.ranked[0].games == 36 && before.games == 36,
        "{decision:?}"
    );
    assert!(near(f64::from(before.chances.win), 19.0 / 36.0));
}
