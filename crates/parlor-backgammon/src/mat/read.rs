//! Reading of `.mat` files.
//!
//! The text is first split into games and entries, which are then replayed by a
//! [`TranscriptBuilder`]. Money files often omit their rules, so they are replayed twice if
//! necessary.

use parlor_core::{Notation, Position, Seat};

use super::columns::{begins, columns};
use super::{MatError, MatErrorKind};
use crate::transcript::{Transcript, TranscriptBuilder};
use crate::{BLACK, Game, Move, Play, Roll, Rules, WHITE, Win};

/// Reads a file.
///
/// A roll without a play is a pass if no play was possible, the play if there was only one, and
/// otherwise the point where the game was given up. Missing rules of money play are inferred:
/// beavers from their use, the Jacoby rule from the results of the games.
///
/// # Errors
/// Returns the first invalid line and its error.
pub fn read(text: &str) -> Result<Transcript, MatError> {
    let file = MatFile::parse(text)?;
    let rules = file.rules()?;
    let jacoby_guessed = rules.jacoby && file.tag("Jacoby").is_none();
    file.replay(rules).or_else(|e| {
        if jacoby_guessed {
            file.replay(Rules {
                jacoby: false,
                ..rules
            })
        } else {
            Err(e)
        }
    })
}

/// Contents of a file.
struct MatFile<'a> {
    tags: Vec<(&'a str, &'a str)>,
    length: (usize, u32),
    games: Vec<MatGame<'a>>,
}

/// Contents of one game.
struct MatGame<'a> {
    line: usize,
    names: [String; 2],
    score: [u32; 2],
    entries: Vec<(usize, Seat, &'a str)>,
}

fn error_at<W: Into<MatErrorKind>>(line: usize) -> impl Fn(W) -> MatError {
    move |kind| MatError {
        line,
        kind: kind.into(),
    }
}

impl<'a> MatFile<'a> {
    fn parse(text: &'a str) -> Result<MatFile<'a>, MatError> {
        let text = text.trim_start_matches('\u{feff}');
        let mut lines = text
            .lines()
            .enumerate()
            .map(|(n, line)| (n + 1, line))
            .filter(|(_, line)| !line.trim().is_empty());
        let mut tags = Vec::new();
        let length = loop {
            let (line, text) = lines.next().ok_or(MatError {
                line: 1,
                kind: MatErrorKind::NoMatch,
            })?;
            tags.extend(read_tag(text));
            if let Some(length) = read_length(text) {
                break (line, length);
            }
        };
        let mut file = MatFile {
            tags,
            length,
            games: Vec::new(),
        };
        while let Some((line, text)) = lines.next() {
            if is_comment(text) {
                if begins(text.trim_start_matches([';', ' ']), "Set Pos") {
                    return Err(error_at(line)(MatErrorKind::Unknown(
                        "a position that was set up",
                    )));
                }
            } else if is_game(text) {
                let (line, text) =
                    lines
                        .find(|(_, text)| !is_comment(text))
                        .ok_or(error_at(line)(MatErrorKind::Names))?;
                let (names, score) = read_names(text).ok_or(error_at(line)(MatErrorKind::Names))?;
                file.games.push(MatGame {
                    line,
                    names,
                    score,
                    entries: Vec::new(),
                });
            } else {
                let game = file
                    .games
                    .last_mut()
                    .ok_or(error_at(line)(MatErrorKind::NoMatch))?;
                let both = [WHITE, BLACK].into_iter().zip(columns(text));
                game.entries
                    .extend(both.filter_map(|(seat, text)| Some((line, seat, text?))));
            }
        }
        if file.games.is_empty() {
            Err(error_at(line_of(&file))(MatErrorKind::NoMatch))
        } else {
            Ok(file)
        }
    }

    fn tag(&self, name: &str) -> Option<&'a str> {
        self.tags
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| *value)
    }

    /// Returns the rules named by the file, with defaults for the others.
    fn rules(&self) -> Result<Rules, MatError> {
        let (line, length) = self.length;
        let length = u8::try_from(length)
            .ok()
            .filter(|length| *length <= Rules::MAX_LENGTH);
        let length = length.ok_or(error_at(line)(MatErrorKind::Length {
            length: self.length.1,
        }))?;
        let option = |name| self.tag(name).map(|value| value.eq_ignore_ascii_case("on"));
        let entries = || self.games.iter().flat_map(|game| &game.entries);
        Ok(Rules {
            length,
            cube: self.tag("CubeLimit") != Some("1"),
            crawford: option("Crawford").unwrap_or(true),
            jacoby: option("Jacoby").unwrap_or(true),
            beavers: option("Beaver")
                .unwrap_or_else(|| entries().any(|(_, _, text)| begins(text, "beaver"))),
            ..Rules::GAME
        }
        .normalized())
    }

    fn replay(&self, rules: Rules) -> Result<Transcript, MatError> {
        let names = self.games[0].names.clone();
        let mut builder = TranscriptBuilder::new(Game::new(rules), names);
        let derived = ["Crawford", "Jacoby", "Beaver", "CubeLimit"];
        for (name, value) in self
            .tags
            .iter()
            .filter(|(name, _)| !derived.iter().any(|d| d.eq_ignore_ascii_case(name)))
        {
            builder.tag(name, value);
        }
        for (n, game) in self.games.iter().enumerate() {
            builder
                .begin_game(game.score, None)
                .map_err(|flaws| error_at(game.line)(MatErrorKind::Start(flaws)))?;
            let next = self.games.get(n + 1).map(|next| next.score);
            for (line, seat, text) in &game.entries {
                replay_entry(&mut builder, *seat, text, next).map_err(error_at(*line))?;
            }
        }
        Ok(builder.finish())
    }
}

fn line_of(file: &MatFile<'_>) -> usize {
    file.length.0
}

fn is_comment(text: &str) -> bool {
    text.trim_start().starts_with([';', '#'])
}

fn is_game(text: &str) -> bool {
    let rest = text.trim().strip_prefix("Game ");
    rest.is_some_and(|number| number.trim().bytes().all(|b| b.is_ascii_digit()))
}

/// Reads a tag: `; [Name "value"]`.
fn read_tag(text: &str) -> Option<(&str, &str)> {
    let inner = text
        .trim()
        .strip_prefix(';')?
        .trim()
        .strip_prefix('[')?
        .strip_suffix(']')?;
    let (name, value) = inner.split_once(' ')?;
    Some((name, value.trim().strip_prefix('"')?.strip_suffix('"')?))
}

/// Reads the match length: ` 7 point match`.
fn read_length(text: &str) -> Option<u32> {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words[..] {
        [number, point, game] if begins(point, "point") && begins(game, "match") => {
            number.parse().ok()
        }
        _ => None,
    }
}

/// Reads names and scores: ` alice : 0    bob : 0`.
fn read_names(text: &str) -> Option<([String; 2], [u32; 2])> {
    let (left, rest) = text.trim().split_once(':')?;
    let rest = rest.trim_start();
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (first, rest) = rest.split_at(digits);
    let (right, second) = rest.rsplit_once(':')?;
    let names = [left, right].map(|name| name.split_whitespace().collect::<Vec<_>>().join(" "));
    Some((names, [first.parse().ok()?, second.trim().parse().ok()?]))
}

/// Replays one entry. `next` is the score at the start of the next game.
fn replay_entry(
    builder: &mut TranscriptBuilder,
    seat: Seat,
    text: &str,
    next: Option<[u32; 2]>,
) -> Result<(), MatErrorKind> {
    let words = [
        ("double", Move::Double),
        ("redouble", Move::Double),
        ("beaver", Move::Beaver),
        ("take", Move::Take),
    ];
    let more = [
        ("accept", Move::Take),
        ("drop", Move::Drop),
        ("pass", Move::Drop),
    ];
    let known = words
        .iter()
        .chain(&more)
        .find(|(word, _)| begins(text, word));
    if let Some((dice, play)) = text.split_once(':')
        && let Ok(roll) = dice.parse::<Roll>()
    {
        builder.roll(seat, roll)?;
        return replay_roll(builder, seat, play.trim());
    }
    match known {
        Some((_, m)) => Ok(builder.play_as(seat, m)?),
        None if begins(text, "win") => check_result(builder, seat, text, next),
        None if begins(text, "resign") => Ok(()),
        None if begins(text, "raccoon") => Err(MatErrorKind::Unknown("a raccoon")),
        None => Err(MatErrorKind::Word(text.chars().take(40).collect())),
    }
}

/// Replays the play of a roll.
fn replay_roll(
    builder: &mut TranscriptBuilder,
    seat: Seat,
    play: &str,
) -> Result<(), MatErrorKind> {
    if begins(play, "illegal") {
        return Err(MatErrorKind::Unknown("an illegal play"));
    }
    let empty = play.trim_matches(['?', ' ']).is_empty() || begins(play, "cannot");
    let legal = builder.game().legal_moves();
    let m = match &legal[..] {
        [only] if empty => *only,
        _ if empty && !begins(play, "cannot") => return Ok(()),
        _ if empty => Move::Play(Play::PASS),
        _ => builder.game().parse_move(play)?,
    };
    Ok(builder.play_as(seat, &m)?)
}

/// Checks the result of a game, or records that the loser gave up.
fn check_result(
    builder: &mut TranscriptBuilder,
    seat: Seat,
    text: &str,
    next: Option<[u32; 2]>,
) -> Result<(), MatErrorKind> {
    let bad = || MatErrorKind::Word(text.chars().take(40).collect());
    let number = text.split_whitespace().nth(1).ok_or_else(bad)?;
    let found: u32 = number.parse().map_err(|_| bad())?;
    if builder.is_in_progress() {
        let cube = u32::from(builder.game().cube().value());
        let as_lost = match found.div_ceil(cube) {
            0 | 1 => Win::Single,
            2 => Win::Gammon,
            _ => Win::Backgammon,
        };
        builder.resign(seat.next(2), as_lost);
    }
    let (result, before) = builder.last_result().ok_or_else(bad)?;
    let expected = u32::from(result.points);
    let length = u32::from(builder.game().rules().length);
    // Some programs write only as many points as were needed.
    let needed = length.saturating_sub(before[result.by.index()]);
    // Some programs write the result without the Jacoby rule, but continue with the correct score.
    let agrees_with_next = next.is_some_and(|next| {
        next[result.by.index()] == before[result.by.index()].saturating_add(expected)
    });
    let fits = found == expected
        || length > 0 && found == needed.min(expected)
        || length == 0 && agrees_with_next;
    if fits {
        Ok(())
    } else {
        Err(MatErrorKind::Points { found, expected })
    }
}
