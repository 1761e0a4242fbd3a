//! Ultimate tic-tac-toe: the net, its search, proofs and levels.

use parlor_bots::ultimate::training::{
    UltimateSample, UltimateSelfPlayer, UltimateTrainer, playouts,
};
use parlor_bots::ultimate::{self, NetSearch, NetSearchSettings, UltimateNet};
use parlor_bots::{Choice, Level, Nodes, Prng, Spec, Strategy};
use parlor_core::{Outcome, Position, Seat, Turn, random_below};
use parlor_tictactoe::ultimate::{Game, Move, Rules, has_line};
use rand_xoshiro::rand_core::SeedableRng;

type Bot = Box<dyn Strategy<Game>>;

const STANDARD: Rules = Rules {
    open: false,
    count: false,
};

fn bot(spec: &str, rules: &Rules, seed: u64) -> Bot {
    ultimate::build(spec.parse().expect("names a bot"), rules, seed).expect("a bot for these rules")
}

/// Plays on from a position; the bots sit in seat order.
fn play(mut game: Game, bots: &mut [Bot; 2], nodes: u64) -> Outcome {
    loop {
        match game.turn() {
            Turn::Over(outcome) => return outcome,
            Turn::Chance => unreachable!("there is no luck in the game"),
            Turn::Move(seat) => {
                let mv = bots[seat.index()]
                    .choose(&game, &mut Nodes(nodes))
                    .expect("a seat is to move")
                    .mv;
                game.play(&mv);
            }
        }
    }
}

/// Returns a standard position after this many random moves; `None` if the game ended before.
fn random_position(plies: u32, rng: &mut Prng) -> Option<Game> {
    let mut game = Game::new(STANDARD);
    for _ in 0..plies {
        let mv = game.random_move(rng, &mut Vec::new())?;
        game.play(&mv);
    }
    (!game.turn().is_over()).then_some(game)
}

fn random_positions(count: usize, plies: std::ops::Range<u32>, seed: u64) -> Vec<Game> {
    let mut rng = Prng::seed_from_u64(seed);
    let length = plies.end - plies.start;
    std::iter::from_fn(|| {
        Some(random_position(
            plies.start + random_below(&mut rng, length),
            &mut rng,
        ))
    })
    .flatten()
    .take(count)
    .collect()
}

fn assert_line_is_legal(game: &Game, choice: &Choice<Move>) {
    assert_eq!(choice.info.line.first().unwrap_or(&choice.mv), &choice.mv);
    let mut after = *game;
    choice.info.line.iter().for_each(|mv| after.play(mv));
}

/// Returns the value for the seat on turn by exhaustive search.
fn brute_force(game: &Game) -> i32 {
    let Turn::Move(seat) = game.turn() else {
        unreachable!("a game that is over has no seat on turn")
    };
    let value = |mv: Move| {
        let mut after = *game;
        after.play(&mv);
        match after.turn() {
            Turn::Over(outcome) => outcome.payoff(seat, 2),
            _ => -brute_force(&after),
        }
    };
    game.legal_moves()
        .into_iter()
        .map(value)
        .max()
        .expect("a seat on turn has moves")
}

#[test]
fn the_tables_of_the_search_agree_with_the_net() {
    let net = UltimateNet::built_in();
    for (i, game) in random_positions(300, 0..60, 1).into_iter().enumerate() {
        let mut search = NetSearch::new(i as u64);
        search.choose(&game, &mut Nodes(0));
        assert_evaluations(&net, &game, &search);
    }
}

fn assert_evaluations(net: &UltimateNet, game: &Game, search: &NetSearch) {
    let looked = search.root_moves();
    assert_eq!(looked.len(), game.legal_moves().len());
    for (mv, visits, value) in looked {
        let mut after = *game;
        after.play(&mv);
        let Some(exact) = net.evaluate_game(&after).map(|value| -value) else {
            continue;
        };
        if visits == 1 && value != -1.0 {
            assert!(
                (value - exact).abs() < 0.06,
                "{value} in the tables, {exact} by the net, {mv} in {game:?}"
            );
        }
    }
}

#[test]
fn a_net_survives_being_stored() {
    let net = UltimateNet::built_in();
    assert_eq!(UltimateNet::from_bytes(&net.to_bytes()), Some(net.clone()));
    assert_eq!(UltimateNet::from_bytes(&net.to_bytes()[1..]), None);
    assert_eq!(net.to_bytes().len(), UltimateNet::BYTES);
}

#[test]
fn a_win_in_one_is_played_without_a_search() {
    let wins = |game: &Game, mv: &Move| {
        let mut after = *game;
        after.play(mv);
        after.turn()
            == game
                .turn()
                .seat()
                .map_or(Turn::Chance, |seat| Turn::Over(Outcome::won(seat)))
    };
    let mut seen = 0;
    for game in random_positions(1_500, 30..60, 2) {
        let could = game.legal_moves().iter().any(|mv| wins(&game, mv));
        if could {
            seen += 1;
            let choice = NetSearch::new(1)
                .choose(&game, &mut Nodes(0))
                .expect("a seat is to move");
            assert!(wins(&game, &choice.mv), "{game:?}");
            assert_eq!((choice.info.value, choice.info.exact), (Some(1.0), true));
        }
    }
    assert!(seen > 50, "{seen} positions with a win");
}

#[test]
fn proven_values_are_correct() {
    let mut values = [0; 3];
    let few = |game: &Game| game.legal_moves().len() < 10 && open_squares(game) <= 9;
    for game in random_positions(6_000, 50..70, 3).into_iter().filter(few) {
        let choice = NetSearch::new(1)
            .choose(&game, &mut Nodes(100_000))
            .expect("a seat is to move");
        let forced = game.legal_moves().len() == 1;
        assert!(
            choice.info.exact || forced,
            "so near the end everything can be proven: {game:?}"
        );
        let value = brute_force(&game);
        if choice.info.exact {
            assert_eq!(choice.info.value, Some(f64::from(value)), "{game:?}");
        }
        let mut after = game;
        after.play(&choice.mv);
        let got = match after.turn() {
            Turn::Over(outcome) => outcome.payoff(game.turn().seat().expect("not over"), 2),
            _ => -brute_force(&after),
        };
        assert_eq!(got, value, "the move keeps what can be had: {game:?}");
        values[(value + 1) as usize] += 1;
    }
    assert!(values.iter().all(|&count| count > 20), "{values:?}");
}

fn open_squares(game: &Game) -> u32 {
    (0..9)
        .filter(|board| game.decided() >> board & 1 == 0)
        .map(|board| game.empty(board).count_ones())
        .sum()
}

#[test]
fn the_same_seed_and_nodes_play_the_same_moves() {
    for rules in Rules::ALL {
        for spec in ultimate::offers(&rules) {
            let mut bot = ultimate::build(spec, &rules, 5).expect("it is offered");
            let mut moves = || {
                bot.forget();
                let mut game = Game::new(rules);
                let mut moves = Vec::new();
                while moves.len() < 6 {
                    let choice = bot
                        .choose(&game, &mut Nodes(150))
                        .expect("a seat is to move");
                    assert_line_is_legal(&game, &choice);
                    game.play(&choice.mv);
                    moves.push(choice);
                }
                moves
            };
            assert_eq!(moves(), moves(), "{spec} under {rules}");
        }
    }
}

#[test]
fn the_next_search_builds_on_the_last() {
    let mut search = NetSearch::new(1);
    let mut game = Game::new(STANDARD);
    let choice = search
        .choose(&game, &mut Nodes(3_000))
        .expect("a seat is to move");
    choice.info.line[..2].iter().for_each(|mv| game.play(mv));
    search.choose(&game, &mut Nodes(0));
    let kept: u32 = search
        .root_moves()
        .into_iter()
        .map(|(_, visits, _)| visits)
        .sum();
    assert!(kept > 100, "{kept} visits");
    search.forget();
    search.choose(&game, &mut Nodes(0));
    assert!(
        search
            .root_moves()
            .into_iter()
            .all(|(_, visits, _)| visits == 1)
    );
}

#[test]
fn every_bot_plays_every_variation_to_the_end() {
    for rules in Rules::ALL {
        for spec in ultimate::offers(&rules) {
            let mut bots =
                [1, 2].map(|seed| ultimate::build(spec, &rules, seed).expect("it is offered"));
            play(Game::new(rules), &mut bots, 30);
        }
    }
}

#[test]
fn bots_that_do_not_suit_the_game_are_refused_with_the_reason() {
    let refused = |spec: &str| {
        let spec: Spec = spec.parse().expect("names a bot");
        ultimate::build(spec, &STANDARD, 1)
            .err()
            .map(|unsuitable| unsuitable.to_string())
            .expect("it does not suit")
    };
    assert_eq!(
        refused("perfect"),
        "perfect cannot play here: perfect play of this game is unknown"
    );
    assert_eq!(
        refused("alphabeta:nodes=5"),
        "alphabeta:nodes=5 cannot play here: it is not available for this game; use mcts instead"
    );
    assert_eq!(ultimate::offers(&STANDARD).len(), 7);
    assert_eq!(bot("mcts:nodes=7", &STANDARD, 1).name(), "mcts:nodes=7");
    assert_eq!(bot("level:2", &STANDARD, 1).name(), "level:2");
}

#[test]
fn the_net_has_no_move_if_the_game_is_over_or_of_other_rules() {
    let mut rng = Prng::seed_from_u64(4);
    let mut game = Game::new(STANDARD);
    while let Some(mv) = game.random_move(&mut rng, &mut Vec::new()) {
        game.play(&mv);
    }
    assert_eq!(NetSearch::new(1).choose(&game, &mut Nodes(10)), None);
    let open = Game::new(Rules {
        open: true,
        count: false,
    });
    assert_eq!(NetSearch::new(1).choose(&open, &mut Nodes(10)), None);
}

/// Returns the points of the first bot in games with both seats, in half points, with at most this
/// many nodes per move.
fn points(
    first: &dyn Fn(u64) -> Bot,
    second: &dyn Fn(u64) -> Bot,
    rules: Rules,
    games: u64,
    nodes: u64,
) -> u32 {
    let mut points = 0;
    for game in 0..games {
        let mut bots = [first(game), second(game + 1_000_000)];
        let seat = if game % 2 == 0 {
            Seat::FIRST
        } else {
            Seat::SECOND
        };
        bots.rotate_left(seat.index());
        points += (play(Game::new(rules), &mut bots, nodes).payoff(seat, 2) + 1) as u32;
    }
    points
}

/// With less time for level 5 and fewer games than in the table made by
/// `examples/ultimate_levels.rs`.
#[test]
fn each_level_beats_the_one_below() {
    for (rules, games, nodes) in [
        (STANDARD, 40, 1_500),
        (
            Rules {
                open: true,
                count: true,
            },
            20,
            1_500,
        ),
    ] {
        for (below, level) in Level::all().zip(Level::all().skip(1)) {
            let make =
                |level: Level| move |seed| bot(&Spec::Level(level).to_string(), &rules, seed);
            let score = points(&make(level), &make(below), rules, games, nodes);
            assert!(
                score * 10 >= games as u32 * 2 * 6,
                "{level:?} gets {score} of {} under {rules}",
                2 * games
            );
        }
    }
}

/// Player that wins a board if possible, or else blocks the opponent, or else plays at random.
struct Beginner(Prng);

impl Strategy<Game> for Beginner {
    fn name(&self) -> String {
        "beginner".to_owned()
    }

    fn choose(&mut self, game: &Game, _: &mut dyn parlor_bots::Budget) -> Option<Choice<Move>> {
        let seat = game.turn().seat()?;
        let moves = game.legal_moves();
        let lines = |seat: Seat| {
            let completes = |mv: &&Move| has_line(game.marks(seat, mv.board()) | 1 << mv.square());
            moves.iter().find(completes).copied()
        };
        let any = moves[random_below(&mut self.0, moves.len() as u32) as usize];
        let mv = lines(seat).or_else(|| lines(seat.next(2))).unwrap_or(any);
        Some(Choice::new(mv))
    }
}

#[test]
fn level_one_loses_to_a_beginner() {
    let games = 100;
    let beginner = |seed| -> Bot { Box::new(Beginner(Prng::seed_from_u64(seed))) };
    let score = points(
        &beginner,
        &|seed| bot("level:1", &STANDARD, seed),
        STANDARD,
        games,
        1_000,
    );
    assert!(
        score * 10 >= games as u32 * 2 * 7,
        "the beginner gets {score} of {}",
        2 * games
    );
}

#[test]
fn a_net_learns_from_games_of_its_own() {
    let mut samples = playouts(4_000, 8, 1);
    let stored: Vec<UltimateSample> = samples
        .iter()
        .map(|sample| UltimateSample::from_bytes(&sample.to_bytes()))
        .collect();
    assert_eq!(stored, samples);
    let mut trainer = UltimateTrainer::new(1);
    let before = trainer.error(samples.iter(), 1.0);
    for _ in 0..3 {
        for batch in samples.chunks(200) {
            trainer.step(batch.iter(), 1.0, 2e-3);
        }
    }
    let after = trainer.error(samples.iter(), 1.0);
    assert!(after < 0.8 * before, "from {before} to {after}");
    let played = samples.len();
    UltimateSelfPlayer::new(trainer.net(), NetSearchSettings::default(), 20, 1).game(&mut samples);
    assert!(samples.len() > played + 10);
    assert!(
        samples
            .iter()
            .all(|sample| sample.value.abs() <= 1.0 && sample.result.abs() <= 1.0)
    );
}
