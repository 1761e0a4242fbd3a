//! Reading.
//!
//! The text is first taken apart into games and entries, then told to a scribe, who knows the rules. Money files often do not say by
//! which rules they were played: they are told twice if need be.

use parlor_core::{Notation, Position, Seat};

use super::columns::{begins, columns};
use super::{MatError, Wrong};
use crate::transcript::{Scribe, Transcript};
use crate::{BLACK, Game, Move, Play, Roll, Rules, WHITE, Win};

/// Reads a file.
///
/// A roll without a play is a pass if nothing could be played, the play if there was but one, and else the end of a game given up.
/// Rules of money play that the file does not name are found out: beavers by whether there are some, Jacoby by what the games
/// were worth.
///
/// # Errors
/// The first line that is wrong, and what is.
pub fn read(text: &str) -> Result<Transcript, MatError> {
    let file = File::take(text)?;
    let rules = file.rules()?;
    let guessed = rules.jacoby && file.tag("Jacoby").is_none();
    file.tell(rules).or_else(|e| {
        if guessed {
            file.tell(Rules {
                jacoby: false,
                ..rules
            })
        } else {
            Err(e)
        }
    })
}

/// A file, taken apart.
struct File<'a> {
    tags: Vec<(&'a str, &'a str)>,
    length: (usize, u32),
    games: Vec<Entries<'a>>,
}

/// A game, taken apart.
struct Entries<'a> {
    line: usize,
    names: [String; 2],
    score: [u32; 2],
    entries: Vec<(usize, Seat, &'a str)>,
}

fn at<W: Into<Wrong>>(line: usize) -> impl Fn(W) -> MatError {
    move |what| MatError {
        line,
        what: what.into(),
    }
}

impl<'a> File<'a> {
    fn take(text: &'a str) -> Result<File<'a>, MatError> {
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
                what: Wrong::NoMatch,
            })?;
            tags.extend(read_tag(text));
            if let Some(length) = read_length(text) {
                break (line, length);
            }
        };
        let mut file = File {
            tags,
            length,
            games: Vec::new(),
        };
        while let Some((line, text)) = lines.next() {
            if is_comment(text) {
                if begins(text.trim_start_matches([';', ' ']), "Set Pos") {
                    return Err(at(line)(Wrong::Unknown("a position that was set up")));
                }
            } else if is_game(text) {
                let (line, text) = lines
                    .find(|(_, text)| !is_comment(text))
                    .ok_or(at(line)(Wrong::Names))?;
                let (names, score) = read_names(text).ok_or(at(line)(Wrong::Names))?;
                file.games.push(Entries {
                    line,
                    names,
                    score,
                    entries: Vec::new(),
                });
            } else {
                let game = file.games.last_mut().ok_or(at(line)(Wrong::NoMatch))?;
                let both = [WHITE, BLACK].into_iter().zip(columns(text));
                game.entries
                    .extend(both.filter_map(|(seat, text)| Some((line, seat, text?))));
            }
        }
        if file.games.is_empty() {
            Err(at(line_of(&file))(Wrong::NoMatch))
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

    /// The rules, as far as the file names them.
    fn rules(&self) -> Result<Rules, MatError> {
        let (line, length) = self.length;
        let length = u8::try_from(length)
            .ok()
            .filter(|length| *length <= Rules::MAX_LENGTH);
        let length = length.ok_or(at(line)(Wrong::Length {
            length: self.length.1,
        }))?;
        let said = |name| self.tag(name).map(|value| value.eq_ignore_ascii_case("on"));
        let entries = || self.games.iter().flat_map(|game| &game.entries);
        Ok(Rules {
            length,
            cube: self.tag("CubeLimit") != Some("1"),
            crawford: said("Crawford").unwrap_or(true),
            jacoby: said("Jacoby").unwrap_or(true),
            beavers: said("Beaver")
                .unwrap_or_else(|| entries().any(|(_, _, text)| begins(text, "beaver"))),
            ..Rules::GAME
        }
        .normal())
    }

    fn tell(&self, rules: Rules) -> Result<Transcript, MatError> {
        let names = self.games[0].names.clone();
        let mut scribe = Scribe::new(Game::new(rules), names);
        let derived = ["Crawford", "Jacoby", "Beaver", "CubeLimit"];
        for (name, value) in self
            .tags
            .iter()
            .filter(|(name, _)| !derived.iter().any(|d| d.eq_ignore_ascii_case(name)))
        {
            scribe.tag(name, value);
        }
        for (n, game) in self.games.iter().enumerate() {
            scribe
                .begin(game.score, None)
                .map_err(|flaws| at(game.line)(Wrong::Start(flaws)))?;
            let next = self.games.get(n + 1).map(|next| next.score);
            for (line, seat, text) in &game.entries {
                entry(&mut scribe, *seat, text, next).map_err(at(*line))?;
            }
        }
        Ok(scribe.finish())
    }
}

fn line_of(file: &File<'_>) -> usize {
    file.length.0
}

fn is_comment(text: &str) -> bool {
    text.trim_start().starts_with([';', '#'])
}

fn is_game(text: &str) -> bool {
    let rest = text.trim().strip_prefix("Game ");
    rest.is_some_and(|number| number.trim().bytes().all(|b| b.is_ascii_digit()))
}

/// `; [Name "value"]`.
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

/// ` 7 point match`.
fn read_length(text: &str) -> Option<u32> {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words[..] {
        [number, point, game] if begins(point, "point") && begins(game, "match") => {
            number.parse().ok()
        }
        _ => None,
    }
}

/// ` alice : 0    bob : 0`.
fn read_names(text: &str) -> Option<([String; 2], [u32; 2])> {
    let (left, rest) = text.trim().split_once(':')?;
    let rest = rest.trim_start();
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (first, rest) = rest.split_at(digits);
    let (right, second) = rest.rsplit_once(':')?;
    let names = [left, right].map(|name| name.split_whitespace().collect::<Vec<_>>().join(" "));
    Some((names, [first.parse().ok()?, second.trim().parse().ok()?]))
}

/// Tells one entry. `next` are the points at the beginning of the next game.
fn entry(scribe: &mut Scribe, seat: Seat, text: &str, next: Option<[u32; 2]>) -> Result<(), Wrong> {
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
        scribe.throw(seat, roll)?;
        return rolled(scribe, seat, play.trim());
    }
    match known {
        Some((_, m)) => Ok(scribe.act(seat, m)?),
        None if begins(text, "win") => won(scribe, seat, text, next),
        None if begins(text, "resign") => Ok(()),
        None if begins(text, "raccoon") => Err(Wrong::Unknown("a raccoon")),
        None => Err(Wrong::Word(text.chars().take(40).collect())),
    }
}

/// What was done with the roll.
fn rolled(scribe: &mut Scribe, seat: Seat, play: &str) -> Result<(), Wrong> {
    if begins(play, "illegal") {
        return Err(Wrong::Unknown("an illegal play"));
    }
    let nothing = play.trim_matches(['?', ' ']).is_empty() || begins(play, "cannot");
    let legal = scribe.game().legal_moves();
    let m = match &legal[..] {
        [only] if nothing => *only,
        _ if nothing && !begins(play, "cannot") => return Ok(()),
        _ if nothing => Move::Play(Play::PASS),
        _ => scribe.game().parse_move(play)?,
    };
    Ok(scribe.act(seat, &m)?)
}

/// Who won how much: known already, unless the other gave up.
fn won(scribe: &mut Scribe, seat: Seat, text: &str, next: Option<[u32; 2]>) -> Result<(), Wrong> {
    let bad = || Wrong::Word(text.chars().take(40).collect());
    let number = text.split_whitespace().nth(1).ok_or_else(bad)?;
    let said: u32 = number.parse().map_err(|_| bad())?;
    if scribe.is_going_on() {
        let cube = u32::from(scribe.game().cube().value());
        let as_lost = match said.div_ceil(cube) {
            0 | 1 => Win::Single,
            2 => Win::Gammon,
            _ => Win::Backgammon,
        };
        scribe.resign(seat.next(2), as_lost);
    }
    let (result, before) = scribe.last().ok_or_else(bad)?;
    let right = u32::from(result.points);
    let length = u32::from(scribe.game().rules().length);
    // Some write no more points than were needed.
    let needed = length.saturating_sub(before[result.by.index()]);
    // Some write what the game would be worth without Jacoby, and then go on with the right points.
    let counted = next.is_some_and(|next| {
        next[result.by.index()] == before[result.by.index()].saturating_add(right)
    });
    let fits = said == right || length > 0 && said == needed.min(right) || length == 0 && counted;
    if fits {
        Ok(())
    } else {
        Err(Wrong::Points { said, right })
    }
}
