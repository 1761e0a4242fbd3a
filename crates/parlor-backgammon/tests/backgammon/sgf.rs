//! Matches as trees.

use parlor_backgammon::sgf;
use parlor_backgammon::transcript::{Act, Transcript};
use parlor_backgammon::{Rules, Start};

use crate::transcript::{names, random_log, random_transcript};
use crate::walks::all_rules;

#[test]
fn every_game_comes_back_from_its_file() {
    let writable = all_rules().into_iter().filter(|rules| rules.start != Start::Printed);
    for (seed, rules) in (0..).zip(writable.cycle().take(60)) {
        let mut transcript = random_transcript(rules, seed);
        transcript.tags.push(("Event".to_owned(), "an [odd\\] \u{e9}vening".to_owned()));
        let text = sgf::write(&transcript).expect("a file");
        assert_eq!(sgf::read(&text).as_ref(), Ok(&transcript), "seed {seed}:\n{text}");
        assert_eq!(sgf::read(&text.replace('\n', "\r\n")), Ok(transcript));
    }
}

#[test]
fn a_game_that_goes_on_comes_back_too() {
    let rules = Rules::match_to(3).expect("a length");
    let (log, _) = random_log(rules, 9);
    for until in 1..log.len() {
        let transcript = Transcript::replay(rules, names(), &log[..until]).expect("a log");
        let text = sgf::write(&transcript).expect("a file");
        assert_eq!(sgf::read(&text), Ok(transcript));
    }
    let _ = Act::Drop;
}
