//! Matches in `.mat` files.

use parlor_backgammon::mat::{self, MatErrorKind, TranscriptWriteError};
use parlor_backgammon::transcript::{
    ActionKind, ImpossibleAction, LogStep, SingleLogError, Transcript,
};
use parlor_backgammon::{Crawford, Game, GameResult, Illegal, Rules, StartLayout, Win};
use parlor_core::{Notation, Seat};
use proptest::prelude::*;

use crate::transcript::{names, random_log, random_transcript};
use crate::walks::{all_rules, part_of_a_roll, walk};

/// A match with one of everything: doubles taken and dropped, a dance, resignations, the Crawford
/// game.
const MATCH: &str = r#"; [Site "A house: of games"]
; [EventDate "2026.11.21"]
; [Crawford "On"]
; [CubeLimit "1024"]

 5 point match

 Game 1
 alice : 0                      bob the second : 0
  1)                             31: 8/5 6/5
  2) 52: 24/22 13/8               Doubles => 2
  3)  Takes                      43: 24/20 13/10
  4)  Doubles => 4                Drops
      Wins 2 points

 Game 2
 alice : 2                      bob the second : 0
  1) 63: 24/15                   41: 6/5 24/20
  2) 66:                          Wins 2 points

 Game 3
 alice : 2                      bob the second : 2
  1) 21: 13/11 6/5               41: 24/20* 6/5
  2)  Doubles => 2                Takes
  3) 33: 25/22 24/21 13/10 13/10 11: 8/7 8/7 6/5 6/5
  4) 22: 6/4(2) 13/9             65: 13/7 13/8
      Wins 2 points

 Game 4
 alice : 4                      bob the second : 2
  1)                             64: 24/14
  2) 11: 8/7 8/7 6/5 6/5         32: 24/21 13/11
"#;

#[test]
fn a_match_with_everything_is_understood() {
    let transcript = mat::read(MATCH).expect("a match");
    assert_eq!(transcript.names, ["alice", "bob the second"]);
    assert_eq!(
        transcript.tags[0],
        ("Site".to_owned(), "A house: of games".to_owned())
    );
    assert_eq!(transcript.rules(), Rules::match_to(5).expect("a length"));
    let results: Vec<_> = transcript
        .games()
        .iter()
        .map(|game| (game.result(), game.resigned()))
        .collect();
    let won = |by, points, win| Some(GameResult { by, points, win });
    let (white, black) = (Seat::FIRST, Seat::SECOND);
    assert_eq!(
        results,
        [
            (won(white, 2, None), false),
            (won(black, 2, Some(Win::Gammon)), true),
            (won(white, 2, Some(Win::Single)), true),
            (None, false),
        ]
    );
    let last = &transcript.games()[3];
    assert_eq!(
        (last.score(), last.start().crawford()),
        ([4, 2], Crawford::Now)
    );
    assert_eq!(transcript.score(), [4, 2]);
    // Bob resigned game 3 out of turn, so the match is not a single log.
    assert_eq!(
        transcript.log(),
        Err(SingleLogError::Disconnected { game: 4 })
    );
    assert_eq!(
        mat::read(&mat::write(&transcript).expect("a file")),
        Ok(transcript)
    );
}

#[test]
fn what_is_written_looks_like_what_gnubg_writes() {
    let text = mat::write(&mat::read(MATCH).expect("a match")).expect("a file");
    let begin = " 5 point match\n\n Game 1\n alice : 0                      bob the second : 0\n";
    assert!(text.contains(begin), "{text}");
    for line in [
        "  1)                             31: 8/5 6/5",
        "  2) 52: 24/22 13/8               Doubles => 2",
        "  3)  Takes                      43: 24/20 13/10",
        "  4)  Doubles => 4                Drops",
        "      Wins 2 points",
        "  1) 63: 24/18 18/15             41: 24/20 6/5",
        "  2) 66:                          Wins 2 points",
    ] {
        assert!(
            text.lines().any(|written| written == line),
            "{line:?} is not in\n{text}"
        );
    }
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
            .push(("Event".to_owned(), "The \u{e9}vening".to_owned()));
        let text = mat::write(&transcript).expect("a file");
        assert_eq!(
            mat::read(&text).as_ref(),
            Ok(&transcript),
            "seed {seed}:\n{text}"
        );
        // Line ends of other systems.
        assert_eq!(mat::read(&text.replace('\n', "\r\n")), Ok(transcript));
    }
}

#[test]
fn an_unfinished_game_comes_back_too() {
    let rules = Rules::match_to(3).expect("a length");
    let (log, _) = random_log(rules, 9);
    for until in 2..log.len() {
        let transcript = Transcript::replay(rules, names(), &log[..until]).expect("a log");
        let text = mat::write(&transcript).expect("a file");
        let back = mat::read(&text).expect("a file");
        // A roll without its play is played if there is only one way.
        let last = transcript
            .games()
            .last()
            .and_then(|game| game.actions().last());
        let forced = matches!(last.map(|action| action.kind), Some(ActionKind::Roll(_)));
        assert!(back == transcript || forced, "{text}");
    }
}

#[test]
fn only_a_refused_resignation_is_lost() {
    let log = |text: &str| {
        let step = |word: &str| match word.strip_prefix('!') {
            Some(chance) => LogStep::Chance(chance.to_owned()),
            None => LogStep::Move(word.to_owned()),
        };
        text.split(' ').map(step).collect::<Vec<_>>()
    };
    let read = |text: &str| Transcript::replay(Rules::MONEY, names(), &log(text)).expect("a log");
    let offered = read(
        "!3-1 8/5,6/5 roll !64 resign:1 refuse 24/14 resign:3 refuse double take !31 24/20 resign:2 accept",
    );
    let silent = read("!3-1 8/5,6/5 roll !64 24/14 double take !31 24/20 resign:2 accept");
    assert!(offered.games()[0].resigned() && offered.score() == [4, 0]);
    assert_eq!(
        mat::read(&mat::write(&offered).expect("a file")),
        Ok(silent)
    );
    // White's first play stays in white's column.
    let offered = read("!3-1 resign:1 refuse 8/5,6/5 roll !64 24/14");
    let silent = read("!3-1 8/5,6/5 roll !64 24/14");
    assert_eq!(
        mat::write(&offered).expect("a file"),
        mat::write(&silent).expect("a file")
    );
}

#[test]
fn other_programs_habits_are_understood() {
    let money = "\u{feff}; [Player 1 \"a\"]\n\n 0 point match\n\n Game 1\n a : 3 b : 12\n  1) 31: 8/5 6/5          42: 8/4 6/4\n";
    let read = |rest: &str| {
        mat::read(&format!("{money}{rest}")).map(|transcript| transcript.games()[0].clone())
    };
    let last = |rest: &str| {
        read(rest)
            .expect("a game")
            .actions()
            .last()
            .expect("an action")
            .kind
    };
    let played = |rest: &str, text: &str| match last(rest) {
        ActionKind::Play { play, .. } => assert_eq!(format!("{play:?}"), text),
        other => panic!("{other:?}"),
    };
    played("  2) 66: 24/18(2) 13/7(2)\n", "24/18,24/18,13/7,13/7");
    played("  2) 65: 24/13\n", "24/18,18/13");
    assert!(matches!(
        last("  2) 65: ????        Wins 1 point\n"),
        ActionKind::Accept
    ));
    assert!(matches!(
        last("  2)  Doubles => 2       Accepts\n"),
        ActionKind::Take
    ));
    assert!(matches!(
        last("  2)  Doubles => 2       Beavers => 4\n  3) 65: 24/13\n"),
        ActionKind::Play { .. }
    ));
    assert_eq!(read("").expect("a game").score(), [3, 12]);
    let resigned =
        read("                                  Wins 2 points and the match\n").expect("a game");
    assert_eq!(
        resigned.result().map(|result| (result.by, result.points)),
        Some((Seat::SECOND, 2))
    );
}

#[test]
fn no_score_of_a_session_is_too_high() {
    let rows = "  1) 31: 8/5 6/5\n                                  Wins 1 point\n";
    let game = " Game 1\n a : 4294967295   b : 4294967295\n";
    let transcript =
        mat::read(&format!(" 0 point match\n{game}{rows}{game}{rows}")).expect("a session");
    assert_eq!(transcript.score(), [u32::MAX; 2]);
    assert!(mat::read(&format!(" 0 point match\n{}", game.replace('5', "55"))).is_err());
}

#[test]
fn the_jacoby_rule_is_inferred_from_the_value_of_a_gammon() {
    let mut seed = 0;
    // A gammon with the cube in the middle.
    let transcript = loop {
        let transcript = random_transcript(
            Rules {
                jacoby: false,
                ..Rules::MONEY
            },
            seed,
        );
        let gammon = transcript.games()[0]
            .result()
            .is_some_and(|result| result.win > Some(Win::Single));
        let turned = transcript.games()[0]
            .actions()
            .iter()
            .any(|action| action.kind == ActionKind::Take);
        if gammon && !turned {
            break transcript;
        }
        seed += 1;
    };
    let text = mat::write(&transcript)
        .expect("a file")
        .replace("; [Jacoby \"Off\"]\n", "");
    assert_eq!(mat::read(&text), Ok(transcript));
    let single = text
        .replace("Wins 2 points", "Wins 1 point")
        .replace("Wins 3 points", "Wins 1 point");
    assert!(mat::read(&single).expect("a file").rules().jacoby);
}

#[test]
fn the_wrong_line_is_named() {
    let line = |of: &str, by: &str| {
        assert_eq!(MATCH.matches(of).count(), 1, "{of:?}");
        let e = mat::read(&MATCH.replace(of, by)).expect_err("a wrong line");
        (e.line, e.kind)
    };
    let illegal = |reason| MatErrorKind::Move(ImpossibleAction::Illegal(reason));
    assert_eq!(
        line(" 5 point match", " 99 point match"),
        (6, MatErrorKind::Length { length: 99 })
    );
    assert_eq!(
        line(" 5 point match", " points"),
        (1, MatErrorKind::NoMatch)
    );
    assert_eq!(
        line("31: 8/5 6/5", "33: 8/5 6/5"),
        (10, MatErrorKind::Move(ImpossibleAction::FirstDouble))
    );
    assert_eq!(
        line("52: 24/22 13/8 ", "52: 24/22 13/12"),
        (11, illegal(Illegal::NoDie { from: 13, to: 12 }))
    );
    assert_eq!(
        line("  3)  Takes ", "  3)  Drinks"),
        (12, MatErrorKind::Word("Drinks".to_owned()))
    );
    assert_eq!(
        line("  3)  Takes ", "  3)        "),
        (12, illegal(Illegal::AnswerTheDouble))
    );
    assert_eq!(
        line("  4)  Doubles => 4 ", "  4)  Beavers => 4 "),
        (13, illegal(Illegal::NoDouble))
    );
    assert_eq!(line(" 31: 8/5 6/5", " 31: eight"), (10, mat_word("eight")));
    assert!(matches!(
        line(
            " alice : 2                      bob the second : 0",
            " alice"
        )
        .1,
        MatErrorKind::Names
    ));
    assert!(matches!(
        line(
            " alice : 4                      bob the second : 2",
            " alice : 5   bob : 2"
        ),
        (30, MatErrorKind::Start(_))
    ));
    assert_eq!(
        line(
            "  2) 66:                          Wins 2",
            "  2) 66:                          Wins 5"
        )
        .1,
        points(5, 3)
    );
    assert_eq!(
        line("31: 8/5 6/5", "31: Illegal play (x)").1,
        MatErrorKind::Unknown("an illegal play")
    );
    let e = mat::read(MATCH.split("      Wins").next().expect("a part"))
        .map(|transcript| transcript.score());
    assert_eq!(e, Ok([2, 0]));
    assert!(mat::read("").is_err() && mat::read(" 5 point match\n").is_err());
}

fn points(found: u32, expected: u32) -> MatErrorKind {
    MatErrorKind::Points { found, expected }
}

/// Returns the error of a play that cannot be read.
fn mat_word(play: &str) -> MatErrorKind {
    let game = Game::new(Rules::GAME);
    MatErrorKind::Play(game.parse_move(play).expect_err("no play"))
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
    assert_eq!(mat::write(&printed), Err(TranscriptWriteError::OtherStart));
    let mut middle = None;
    walk(Rules::GAME, 1, |game, _| {
        middle = middle.take().or(part_of_a_roll(game))
    });
    let middle = middle.expect("a double");
    let mut moves = Vec::new();
    parlor_core::Position::legal_moves_into(&middle, &mut moves);
    let log = [LogStep::Move(middle.move_text(&moves[0]))];
    let middle = Transcript::replay_from(middle, names(), &log).expect("a log");
    assert_eq!(
        mat::write(&middle),
        Err(TranscriptWriteError::InTheMiddle { game: 1 })
    );
}

#[test]
fn names_and_tags_do_not_break_a_file() {
    for (name, comes_back_as) in [
        ("a: 3  b", "a_ 3 b"),
        ("", "White"),
        ("  Game 7", "Game 7"),
        ("31: 8/5", "31_ 8/5"),
        ("; a\nb", "a_b"),
        (
            "a very long name that is longer than the column",
            "a very long name that is longer than the column",
        ),
    ] {
        let mut transcript = random_transcript(Rules::GAME, 3);
        transcript.names[0] = name.to_owned();
        transcript.tags = vec![("Ev]ent \"".to_owned(), "a\n\"b\"]".to_owned())];
        let back = mat::read(&mat::write(&transcript).expect("a file")).expect("a file");
        assert_eq!(
            (back.names[0].as_str(), back.games()),
            (comes_back_as, transcript.games())
        );
        assert_eq!(back.tags, [("Event".to_owned(), "a 'b']".to_owned())]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::default())]

    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC*", lines in prop::collection::vec("[ -~]{0,60}", 0..20)) {
        let _ = mat::read(&text);
        let _ = mat::read(&format!(" 3 point match\n Game 1\n a : 0  b : 0\n{}", lines.join("\n")));
    }

    #[test]
    fn a_damaged_file_is_refused_or_still_means_a_match(at in 0usize..1_400, by in "[ -~\n\u{e9}]{0,3}", cut in 0usize..4) {
        let at = at.min(MATCH.len());
        let end = (at + cut).min(MATCH.len());
        if let Ok(transcript) = mat::read(&format!("{}{by}{}", &MATCH[..at], &MATCH[end..])) {
            // Names may have lost characters that cannot be written.
            let text = mat::write(&transcript).expect("a file");
            let back = mat::read(&text).map(|back| back.games().len());
            prop_assert_eq!(back, Ok(transcript.games().len()));
        }
    }
}
