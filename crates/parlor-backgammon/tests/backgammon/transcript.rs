//! Conversion between logs and transcripts.

use parlor_backgammon::transcript::{
    ActionKind, LogStep, ReplayError, ReplayErrorKind, SingleLogError, Transcript,
};
use parlor_backgammon::{Game, Illegal, Rules, Win};
use parlor_core::{Notation, Seat};

use crate::walks::{Event, all_rules, walk_from};

pub fn names() -> [String; 2] {
    ["alice".to_owned(), "bob".to_owned()]
}

/// Returns the log of a random game and its final position.
pub fn random_log(rules: Rules, seed: u64) -> (Vec<LogStep>, Game) {
    log_from(Game::new(rules), seed)
}

/// Returns the log of a random game from any position, and its final position.
pub fn log_from(start: Game, seed: u64) -> (Vec<LogStep>, Game) {
    let mut log = Vec::new();
    let mut end = None;
    walk_from(start, seed, |game, event| match event {
        Some(Event::Rolled(chance)) => log.push(LogStep::Chance(game.chance_text(chance))),
        Some(Event::Moved(m)) => log.push(LogStep::Move(game.move_text(m))),
        None => end = Some(game.clone()),
    });
    (log, end.expect("an end"))
}

pub fn random_transcript(rules: Rules, seed: u64) -> Transcript {
    Transcript::replay(rules, names(), &random_log(rules, seed).0).expect("a log")
}

fn log_of(texts: &[&str]) -> Vec<LogStep> {
    let logged = |text: &&str| match text.strip_prefix('!') {
        Some(chance) => LogStep::Chance(chance.to_owned()),
        None => LogStep::Move((*text).to_owned()),
    };
    texts.iter().map(logged).collect()
}

#[test]
fn every_log_comes_back_from_its_transcript() {
    for (seed, rules) in (0..).zip(all_rules().into_iter().cycle().take(50)) {
        let (log, end) = random_log(rules, seed);
        let transcript = Transcript::replay(rules, names(), &log).expect("a log");
        assert_eq!(transcript.log(), Ok(log), "seed {seed}");
        let last = transcript.games().last().expect("a game");
        assert_eq!((last.result(), last.resigned()), (end.last_result(), false));
        assert_eq!(last.end(), end);
        if rules.is_match() {
            let capped = transcript
                .score()
                .map(|score| score.min(u32::from(rules.length)) as u8);
            assert_eq!(capped, end.score());
        }
        for game in transcript.games() {
            let again = Transcript::replay_from(game.start().clone(), names(), &game.log())
                .expect("a log of its own");
            assert_eq!(
                (again.games().len(), again.games()[0].actions()),
                (1, game.actions())
            );
        }
    }
}

#[test]
fn a_session_keeps_its_games_and_adds_up_their_points() {
    let logs: Vec<_> = (0..5).map(|seed| random_log(Rules::MONEY, seed)).collect();
    let apart: Vec<_> = logs.iter().map(|(log, _)| log.clone()).collect();
    let session = Transcript::session(Rules::MONEY, names(), &apart).expect("logs");
    let mut score = [0, 0];
    for (game, (log, end)) in session.games().iter().zip(&logs) {
        assert_eq!(
            (game.score(), game.log(), game.end()),
            (score, log.clone(), end.clone())
        );
        let result = end.last_result().expect("it is over");
        score[result.by.index()] += u32::from(result.points);
    }
    assert_eq!(
        (session.score(), session.log()),
        (score, Err(SingleLogError::Disconnected { game: 2 }))
    );
}

#[test]
fn a_partial_log_makes_a_transcript() {
    let rules = Rules::match_to(3).expect("a length");
    let (log, _) = random_log(rules, 7);
    for until in 1..log.len() {
        let transcript = Transcript::replay(rules, names(), &log[..until]).expect("a log");
        let back = transcript.log().expect("one match");
        // The decision to roll only becomes visible with the roll.
        let lost = usize::from(log[until - 1] == LogStep::Move("roll".to_owned()));
        assert_eq!(back, log[..until - lost]);
    }
}

#[test]
fn an_impossible_step_is_reported() {
    let read = |texts: &[&str]| {
        Transcript::replay(Rules::MONEY, names(), &log_of(texts)).expect_err("a wrong log")
    };
    let wrong = read(&["!3-1", "8/5,6/5", "roll", "!64", "24/15"]);
    assert_eq!(
        wrong.to_string(),
        "step 5 of the log, \"24/15\": No remaining die moves a checker from point 24 to point 15"
    );
    assert_eq!(
        read(&["!31"]),
        ReplayError {
            at: 1,
            text: "31".to_owned(),
            kind: ReplayErrorKind::Chance(parlor_core::ImpossibleChance("31".to_owned()))
        }
    );
    assert_eq!(
        read(&["!3-1", "take"]).kind,
        ReplayErrorKind::Move(Illegal::DiceToPlay)
    );
    assert!(matches!(
        read(&["!3-1", "what?"]).kind,
        ReplayErrorKind::Text(_)
    ));
}

#[test]
fn actions_have_a_seat_and_a_kind() {
    let log = log_of(&[
        "!1-6", "13/7,8/7", "double", "take", "!55", "13/3(2)", "double", "drop",
    ]);
    let transcript = Transcript::replay(Rules::MONEY, names(), &log).expect("a log");
    let game = &transcript.games()[0];
    let (white, black) = (Seat::FIRST, Seat::SECOND);
    let seats: Vec<Seat> = game.actions().iter().map(|action| action.seat).collect();
    assert_eq!(seats, [black, white, black, white, black, white]);
    assert!(matches!(game.actions()[3].kind, ActionKind::Play { .. }));
    assert_eq!(game.actions()[5].kind, ActionKind::Drop);
    let result = game.result().expect("it is over");
    assert_eq!((result.by, result.points, result.win), (black, 2, None));
    assert_eq!((transcript.score(), transcript.log()), ([0, 2], Ok(log)));
}

#[test]
fn resigning_loses_the_agreed_size() {
    let resigned = |rules, as_lost| {
        let log = log_of(&["!1-6", "13/7,8/7", "double", "take"]);
        let mut transcript = Transcript::replay(rules, names(), &log).expect("a log");
        transcript
            .resign(Seat::SECOND, as_lost)
            .expect("a game goes on");
        assert!(
            transcript.games()[0].resigned() && transcript.resign(Seat::SECOND, as_lost).is_err()
        );
        transcript.score()
    };
    assert_eq!(resigned(Rules::MONEY, Win::Gammon), [4, 0]);
    assert_eq!(
        resigned(Rules::match_to(7).expect("a length"), Win::Single),
        [2, 0]
    );
    let mut jacoby = Transcript::replay(Rules::MONEY, names(), &log_of(&["!6-1"])).expect("a log");
    jacoby
        .resign(Seat::FIRST, Win::Backgammon)
        .expect("a game goes on");
    assert_eq!(jacoby.score(), [0, 1]);
}

#[test]
fn a_log_may_begin_anywhere() {
    let start =
        Game::from_text("game+cube -b----E-C---eE---c-e----B- 1 w:31 0-0").expect("a position");
    let transcript =
        Transcript::replay_from(start.clone(), names(), &log_of(&["8/5,6/5"])).expect("a log");
    assert!(!transcript.games()[0].starts_at_opening());
    assert_eq!(transcript.games()[0].start(), &start);
    assert_eq!(transcript.log(), Ok(log_of(&["8/5,6/5"])));
    let nothing =
        Transcript::replay(Rules::GAME, names(), &[]).expect("nothing is wrong with nothing");
    assert_eq!(
        (nothing.log(), nothing.score()),
        (Err(SingleLogError::Empty), [0, 0])
    );
}
