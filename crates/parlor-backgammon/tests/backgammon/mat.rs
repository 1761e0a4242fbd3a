//! Matches as text.

use parlor_backgammon::mat::{self, MatError, Unwritable, Wrong};
use parlor_backgammon::transcript::{Act, NoLog, Transcript};
use parlor_backgammon::{Crawford, Game, Rules, Start, Win};
use parlor_core::{Notation, Seat};
use proptest::prelude::*;

use crate::transcript::{names, random_log, random_transcript};
use crate::walks::all_rules;

/// Rules of which nothing gets lost on the way.
fn writable() -> impl Iterator<Item = Rules> + Clone {
    all_rules().into_iter().filter(|rules| rules.start != Start::Printed)
}

#[test]
fn every_game_comes_back_from_its_file() {
    for (seed, rules) in (0..).zip(writable().cycle().take(60)) {
        let mut transcript = random_transcript(rules, seed);
        transcript.tags.push(("Event".to_owned(), "The \u{e9}vening".to_owned()));
        let text = mat::write(&transcript).expect("a file");
        assert_eq!(mat::read(&text).as_ref(), Ok(&transcript), "seed {seed}:\n{text}");
        // As other systems end their lines.
        assert_eq!(mat::read(&text.replace('\n', "\r\n")), Ok(transcript));
    }
}

#[test]
fn a_game_that_goes_on_comes_back_too() {
    let rules = Rules::match_to(3).expect("a length");
    let (log, _) = random_log(rules, 9);
    for until in 2..log.len() {
        let transcript = Transcript::replay(rules, names(), &log[..until]).expect("a log");
        let text = mat::write(&transcript).expect("a file");
        let back = mat::read(&text).expect("a file");
        // A roll without its play is played if there is but one way.
        let forced = matches!(
            transcript.games().last().and_then(|game| game.actions().last()).map(|a| a.act),
            Some(Act::Roll(_))
        );
        assert!(back == transcript || forced, "{text}");
    }
}
