//! Matches in SGF files.

use parlor_backgammon::sgf::{self, SgfErrorKind};
use parlor_backgammon::transcript::{ImpossibleAction, LogStep, Transcript, TranscriptWriteError};
use parlor_backgammon::{Crawford, Game, Illegal, Rules, Setup, StartLayout};
use parlor_core::Notation;
use proptest::prelude::*;

use crate::transcript::{names, random_log, random_transcript};
use crate::walks::{all_rules, part_of_a_roll, walk};

/// Two games of a match, one dropped and one resigned, with the kind of extra contents that other
/// programs write.
const MATCH: &str = r"(;FF[4]GM[6]CA[UTF-8]AP[GNU Backgammon:1.07.001]
MI[length:3][game:0][ws:0][bs:0]PW[alice]PB[bo\]b]DT[2026-11-21]RO[final]RU[Crawford]RE[W+2]GS[M:0 4][C:1]
;W[31hefe]DA[E ver 3 0C 1][x]C[A comment; with (brackets\)]
;B[52aclq]LU[0.1]
;W[double]
;B[take]
;W[43xtmj]
;B[double](;W[drop])(;W[take];B[66]))
(;GM[6]MI[length:3][game:1][ws:0][bs:2]PW[alice]PB[bob]RU[Crawford:CrawfordGame]RE[B+1R]
;B[64aggk];PL[W]DI[52])
";

#[test]
fn a_match_with_everything_is_understood() {
    // The text gives the win to white, but black won.
    let e = sgf::read(MATCH).expect_err("a wrong result");
    assert_eq!(
        (e.line, e.kind),
        (
            2,
            SgfErrorKind::Result {
                found: "W+2".to_owned(),
                expected: "B+2".to_owned()
            }
        )
    );
    let transcript = sgf::read(&MATCH.replace("RE[W+2]", "RE[B+2]")).expect("a match");
    assert_eq!(transcript.names, ["alice", "bo]b"]);
    let tags = [("EventDate", "2026.11.21"), ("Round", "final")];
    assert_eq!(
        transcript.tags,
        tags.map(|(name, value)| (name.to_owned(), value.to_owned()))
    );
    assert_eq!(
        (transcript.score(), transcript.rules()),
        ([0, 3], Rules::match_to(3).expect("a length"))
    );
    let texts = |n: usize| {
        let text = |logged| match logged {
            LogStep::Chance(text) | LogStep::Move(text) => text,
        };
        transcript.games()[n]
            .log()
            .into_iter()
            .map(text)
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(
        texts(0),
        "3-1 8/5,6/5 roll 52 24/22,13/8 double take 43 24/20,13/10 double drop"
    );
    assert_eq!(texts(1), "4-6 24/14 52 resign:1 accept");
    assert_eq!(transcript.games()[1].start().crawford(), Crawford::Now);
    assert!(transcript.games()[1].resigned());
    assert_eq!(
        sgf::read(&sgf::write(&transcript).expect("a file")),
        Ok(transcript)
    );
}

#[test]
fn every_game_comes_back_from_its_file() {
    let writable = all_rules()
        .into_iter()
        .filter(|rules| rules.start != StartLayout::Printed);
    for (seed, rules) in (0..).zip(writable.cycle().take(60)) {
        let mut transcript = random_transcript(rules, seed);
        transcript
            .tags
            .push(("Event".to_owned(), "an [odd\\] \u{e9}vening".to_owned()));
        let text = sgf::write(&transcript).expect("a file");
        assert_eq!(
            sgf::read(&text).as_ref(),
            Ok(&transcript),
            "seed {seed}:\n{text}"
        );
        assert_eq!(sgf::read(&text.replace('\n', "\r\n")), Ok(transcript));
    }
}

#[test]
fn an_unfinished_game_comes_back_too() {
    let rules = Rules::match_to(3).expect("a length");
    let (log, _) = random_log(rules, 9);
    for until in 1..log.len() {
        let transcript = Transcript::replay(rules, names(), &log[..until]).expect("a log");
        let text = sgf::write(&transcript).expect("a file");
        assert_eq!(sgf::read(&text), Ok(transcript));
    }
}

#[test]
fn a_game_that_begins_anywhere_comes_back_too() {
    let mut starts = Vec::new();
    walk(Rules::match_to(5).expect("a length"), 4, |game, _| {
        starts.push(game.clone())
    });
    walk(Rules::MONEY, 5, |game, _| starts.push(game.clone()));
    let mut written = 0;
    for start in starts {
        let start = Setup {
            last: None,
            ..Setup::from_game(&start)
        }
        .validate()
        .expect("a game");
        let (log, _) = crate::transcript::log_from(start.clone(), 3);
        let transcript = Transcript::replay_from(start.clone(), names(), &log).expect("a log");
        if transcript.games().is_empty() {
            assert_eq!(sgf::write(&transcript), Err(TranscriptWriteError::Empty));
        }
        let Ok(text) = sgf::write(&transcript) else {
            continue;
        };
        let back = sgf::read(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        // Dice to play, and the decision to roll, are written as actions of the position before.
        let same = |one: &Transcript, other: &Transcript| {
            one.games()
                .iter()
                .map(|game| game.actions().to_vec())
                .eq(other.games().iter().map(|game| game.actions().to_vec()))
        };
        assert!(same(&back, &transcript), "{}\n{text}", start.text());
        assert_eq!(
            (back.score(), back.rules()),
            (transcript.score(), transcript.rules())
        );
        written += 1;
    }
    assert!(written > 100, "only {written}");
}

#[test]
fn a_position_that_gnubg_has_set_up_is_understood() {
    let text = "(;GM[6]MI[length:5][game:0][ws:1][bs:2]PW[a]PB[b]RU[Crawford]\n;PL[B]DI[54]\n;CP[b]\n;CV[2]\n\
                ;PL[B]AE[a:y]AW[a][c][c][c][c][c][f][f][f][f][f][g][r][r][s]AB[x][w][v][u][u][t][t][m][l][l][i][b][b][b][y]\n\
                ;B[54yetx]\n;PL[W]DI[62]\n;W[62])\n";
    let transcript = sgf::read(text).expect("a file");
    let game = &transcript.games()[0];
    assert!(!game.starts_at_opening());
    assert_eq!(
        game.start().text(),
        "match5+cube aAcE--EA-a--ba----BAbbaaa- 2b b:cube 1-2"
    );
    let log = game.log();
    assert_eq!(
        log[1..],
        ["54", "bar/20,5/1", "62"].map(|text| match text.len() {
            2 => LogStep::Chance(text.to_owned()),
            _ => LogStep::Move(text.to_owned()),
        })
    );
}

#[test]
fn the_wrong_line_is_named() {
    let right = MATCH.replace("RE[W+2]", "RE[B+2]");
    let line = |of: &str, by: &str| {
        assert_eq!(right.matches(of).count(), 1, "{of:?}");
        let e = sgf::read(&right.replace(of, by)).expect_err("a wrong line");
        (e.line, e.kind.to_string())
    };
    let error = |line: usize, what: &str| (line, what.to_owned());
    assert_eq!(
        line("(;FF[4]GM[6]", "(;FF[4]GM[1]"),
        error(1, "GM is \"1\": 6 is backgammon")
    );
    assert_eq!(
        line("[length:3][game:0]", "[length:65]"),
        error(
            2,
            "a match is to at most 64 points, not to 65; money play has 0"
        )
    );
    assert_eq!(
        line("[length:3][game:0]", "[length:three]"),
        error(2, "MI cannot be \"length:three\"")
    );
    assert_eq!(
        line(";W[31hefe]", ";W[33hefe]"),
        error(3, "a game does not start with a double")
    );
    assert_eq!(
        line(";W[31hefe]", ";W[31hefa]"),
        error(
            3,
            "No remaining die moves a checker from point 6 to point 1"
        )
    );
    assert_eq!(
        line(";W[31hefe]", ";W[31hef]"),
        error(3, "a move cannot be \"31hef\"")
    );
    assert_eq!(
        line(";W[31hefe]", ";W[redouble]"),
        error(3, "\"re\" is not a roll of two dice, such as 31")
    );
    assert_eq!(
        line(";B[52aclq]", ";W[52aclq]"),
        error(4, "it is not the turn of white")
    );
    assert_eq!(
        line(";B[take]", ";AE[a:y]"),
        error(
            6,
            "a position changed in the middle of a game cannot be read"
        )
    );
    assert_eq!(line("[ws:0][bs:2]", "[ws:0][bs:3]").0, 9);
    assert_eq!(
        line("DI[52])", "DI[52]"),
        error(11, "unexpected end of file")
    );
    assert_eq!(
        line("RE[B+1R]", "RE[B+4R]"),
        error(9, "the result of the game is B+3, not B+4R")
    );
    let syntax = |text: &str, what: &str| {
        assert_eq!(sgf::read(text).expect_err("no SGF").kind.to_string(), what);
    };
    syntax("", "unexpected end of file");
    syntax("()", "a game tree has no nodes");
    syntax(
        ";W[31]",
        "not SGF: expected game trees such as (;GM[6]\u{2026})",
    );
    syntax("(W[31])", "a property appears before the first node");
    syntax("(;W)", "a property has no value");
    syntax("(;W[31)", "unterminated value");
    syntax("(;))", "unmatched closing parenthesis");
    assert!(matches!(
        sgf::read("(;GM[6];B[take])").expect_err("no double").kind,
        SgfErrorKind::Move(ImpossibleAction::Illegal(Illegal::NotRolled))
    ));
}

#[test]
fn what_the_format_cannot_express_is_refused() {
    let printed = random_transcript(
        Rules {
            start: StartLayout::Printed,
            ..Rules::GAME
        },
        1,
    );
    assert_eq!(sgf::write(&printed), Err(TranscriptWriteError::OtherStart));
    let mut middle: Option<Game> = None;
    walk(Rules::GAME, 1, |game, _| {
        middle = middle.take().or(part_of_a_roll(game))
    });
    let (log, _) = crate::transcript::log_from(middle.clone().expect("a double"), 1);
    let transcript =
        Transcript::replay_from(middle.expect("a double"), names(), &log).expect("a log");
    assert_eq!(
        sgf::write(&transcript),
        Err(TranscriptWriteError::InTheMiddle { game: 1 })
    );
}

proptest! {
    #![proptest_config(ProptestConfig::default())]

    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC*", nodes in prop::collection::vec("(A[EWB]|CV|CP|PL|DI|W|B|RE)\\[[a-z0-9:+]{0,6}\\]", 0..12)) {
        let _ = sgf::read(&text);
        let _ = sgf::read(&format!("(;GM[6]MI[length:3];{})", nodes.join(";")));
    }

    #[test]
    fn a_damaged_file_is_refused_or_still_means_a_match(at in 0usize..600, by in "[ -~\n\u{e9}]{0,3}", cut in 0usize..4) {
        let at = at.min(MATCH.len());
        let end = (at + cut).min(MATCH.len());
        let text = format!("{}{by}{}", &MATCH[..at], &MATCH[end..]).replace("RE[W+2]", "");
        if let Ok(transcript) = sgf::read(&text) {
            let back = sgf::read(&sgf::write(&transcript).expect("a file"));
            prop_assert_eq!(back.map(|back| back.games().to_vec()), Ok(transcript.games().to_vec()));
        }
    }
}
