//! Reading of SGF files.

use parlor_core::{Notation, Position, Seat};

use super::root::Root;
use super::tree::{self, Node, Property};
use super::{SgfError, SgfErrorKind, point};
use crate::transcript::{Transcript, TranscriptBuilder};
use crate::{BAR, BLACK, CHECKERS, Cube, Game, Move, Phase, Play, Roll, Setup, WHITE, Win};

/// Reads a file. The rules are those of its first game; beavers are allowed if any occur.
///
/// # Errors
/// Returns the first invalid line and its error.
pub fn read(text: &str) -> Result<Transcript, SgfError> {
    let trees = tree::read(text)?;
    let roots: Vec<Root> = trees
        .iter()
        .map(|nodes| Root::parse(nodes))
        .collect::<Result<_, _>>()?;
    let first = roots.first().expect("a file without trees was refused");
    let mut rules = first.rules()?;
    rules.beavers |= rules.length == 0 && trees.iter().any(|nodes| has_beaver(nodes));
    let mut builder = TranscriptBuilder::new(Game::new(rules.normalized()), first.names.clone());
    for (name, value) in &first.tags {
        builder.tag(name, value);
    }
    for (root, nodes) in roots.iter().zip(&trees) {
        let crawford = Some(root.has_rule("CrawfordGame"));
        builder
            .begin_game(root.score, crawford)
            .map_err(|flaws| root.error(SgfErrorKind::Start(flaws)))?;
        GameReader {
            builder: &mut builder,
            setup: None,
            turn: None,
            dice: None,
        }
        .read_game(root, &nodes[1..])?;
    }
    Ok(builder.finish())
}

/// Returns `true` if one double answers another.
fn has_beaver(nodes: &[Node]) -> bool {
    let doubles: Vec<bool> = nodes
        .iter()
        .map(|node| node.iter().any(|p| is_move(p) && p.values[0] == "double"))
        .collect();
    doubles.windows(2).any(|pair| pair == [true, true])
}

fn is_move(property: &Property) -> bool {
    matches!(property.name.as_str(), "W" | "B")
}

/// Replays the nodes of a game.
struct GameReader<'a> {
    builder: &'a mut TranscriptBuilder,
    /// Starting position being set up.
    setup: Option<Setup>,
    /// Side that was found to be next.
    turn: Option<Seat>,
    /// Dice that were found to be rolled, with the side on turn at that time. The position may be
    /// set up around them.
    dice: Option<(Option<Seat>, Roll)>,
}

impl GameReader<'_> {
    fn read_game(mut self, root: &Root, nodes: &[Node]) -> Result<(), SgfError> {
        for node in nodes {
            for property in node {
                self.read_property(property).map_err(|kind| SgfError {
                    line: property.line,
                    kind,
                })?;
            }
        }
        let line = root.result.as_ref().map_or(root.line, |(line, _)| *line);
        self.record_unplayed_roll()
            .and_then(|()| self.check_result(root))
            .map_err(|kind| SgfError { line, kind })
    }

    fn read_property(&mut self, property: &Property) -> Result<(), SgfErrorKind> {
        let value = property.values[0].trim();
        match property.name.as_str() {
            "W" => self.read_move(WHITE, value),
            "B" => self.read_move(BLACK, value),
            "DI" => {
                self.dice = Some((self.turn, value.parse()?));
                Ok(())
            }
            "PL" => self.set_turn(value),
            "AE" | "AW" | "AB" | "CV" | "CP" => self.change_position(property),
            _ => Ok(()),
        }
    }

    fn set_turn(&mut self, value: &str) -> Result<(), SgfErrorKind> {
        let seat = match value {
            "W" | "White" | "w" => WHITE,
            "B" | "Black" | "b" => BLACK,
            _ => return Err(bad("PL", value)),
        };
        self.turn = Some(seat);
        if let Some(setup) = &mut self.setup {
            setup.on_roll = seat;
        }
        Ok(())
    }

    /// Applies a change of the position at the start of a game.
    fn change_position(&mut self, property: &Property) -> Result<(), SgfErrorKind> {
        if self.setup.is_none() {
            if !self.builder.is_unplayed() {
                return Err(SgfErrorKind::Unknown(
                    "a position changed in the middle of a game",
                ));
            }
            let on_roll = self.turn.unwrap_or(WHITE);
            self.setup = Some(Setup {
                on_roll,
                phase: Phase::Rolling,
                ..Setup::from_game(self.builder.game())
            });
        }
        let setup = self.setup.as_mut().expect("set above");
        let value = property.values[0].trim();
        match property.name.as_str() {
            "CV" => {
                let turned =
                    (0..=Cube::MAX_TURNS).find(|turned| value == (1u16 << turned).to_string());
                let turned = turned.ok_or_else(|| bad("CV", value))?;
                setup.cube = Cube::new(turned, setup.cube.owner()).expect("the number was checked");
            }
            "CP" => {
                let owner = match value {
                    "w" => Some(WHITE),
                    "b" => Some(BLACK),
                    "c" => None,
                    _ => return Err(bad("CP", value)),
                };
                setup.cube = Cube::new(setup.cube.turned(), owner).expect("the number was checked");
            }
            name => property
                .values
                .iter()
                .try_for_each(|value| checkers(setup, name, value.trim()))?,
        }
        Ok(())
    }

    /// Starts the game from the position that was set up, if any.
    fn apply_setup(&mut self) -> Result<(), SgfErrorKind> {
        let Some(mut setup) = self.setup.take() else {
            return Ok(());
        };
        for counts in &mut setup.counts {
            let on: u32 = counts[1..].iter().map(|n| u32::from(*n)).sum();
            counts[0] = u32::from(CHECKERS).saturating_sub(on) as u8;
        }
        let rolling = setup.validate().map_err(SgfErrorKind::Start)?;
        if rolling.can_double(setup.on_roll) {
            setup.phase = Phase::Cube;
        }
        self.builder
            .begin_game_at(&setup)
            .map_err(SgfErrorKind::Start)
    }

    /// Records dice that were rolled but not played.
    fn record_unplayed_roll(&mut self) -> Result<(), SgfErrorKind> {
        self.apply_setup()?;
        let Some((seat, roll)) = self.dice.take() else {
            return Ok(());
        };
        let seat = seat.unwrap_or(self.builder.game().on_roll());
        Ok(self.builder.roll(seat, roll)?)
    }

    fn read_move(&mut self, seat: Seat, value: &str) -> Result<(), SgfErrorKind> {
        if let Some(setup) = &mut self.setup {
            setup.on_roll = seat;
        }
        self.apply_setup()?;
        self.turn = None;
        let m = match value {
            "double" if self.builder.game().phase() == Phase::Doubled => Move::Beaver,
            "double" => Move::Double,
            "take" => Move::Take,
            "drop" => Move::Drop,
            _ => return self.read_play(seat, value),
        };
        Ok(self.builder.play_as(seat, &m)?)
    }

    fn read_play(&mut self, seat: Seat, value: &str) -> Result<(), SgfErrorKind> {
        let (Some(dice), Some(letters)) = (value.get(..2), value.get(2..)) else {
            return Err(bad("a move", value));
        };
        let roll: Roll = dice.parse()?;
        self.dice = None;
        self.builder.roll(seat, roll)?;
        let points: Option<Vec<u8>> = letters
            .bytes()
            .map(|letter| point(seat == WHITE, letter))
            .collect();
        let points = points
            .filter(|points| points.len() % 2 == 0)
            .ok_or_else(|| bad("a move", value))?;
        // A roll without a play, although one was possible, means that the file ends before the
        // play.
        if points.is_empty() && self.builder.game().forced_move().is_none() {
            return Ok(());
        }
        let words: Vec<String> = points
            .chunks(2)
            .map(|pair| format!("{}/{}", pair[0], pair[1]))
            .collect();
        let m = if words.is_empty() {
            Move::Play(Play::PASS)
        } else {
            self.builder.game().parse_move(&words.join(","))?
        };
        Ok(self.builder.play_as(seat, &m)?)
    }

    /// Checks the result, or records a resignation.
    fn check_result(&mut self, root: &Root) -> Result<(), SgfErrorKind> {
        let Some((_, found)) = &root.result else {
            return Ok(());
        };
        let Some((by, points)) = found.split_once('+') else {
            return Ok(());
        };
        let by = match by {
            "W" | "w" => WHITE,
            "B" | "b" => BLACK,
            _ => return Err(bad("RE", found)),
        };
        let points: u32 = points
            .trim_end_matches(['R', 'r'])
            .parse()
            .map_err(|_| bad("RE", found))?;
        if self.builder.is_in_progress() {
            let as_lost = match points.div_ceil(u32::from(self.builder.game().cube().value())) {
                0 | 1 => Win::Single,
                2 => Win::Gammon,
                _ => Win::Backgammon,
            };
            self.builder.resign(by.next(2), as_lost);
        }
        let (result, _) = self.builder.last_result().expect("the game has a result");
        if (result.by, u32::from(result.points)) == (by, points) {
            return Ok(());
        }
        let color = if result.by == WHITE { 'W' } else { 'B' };
        Err(SgfErrorKind::Result {
            found: found.clone(),
            expected: format!("{color}+{}", result.points),
        })
    }
}

fn bad(property: &'static str, value: &str) -> SgfErrorKind {
    SgfErrorKind::Value {
        property,
        value: value.chars().take(40).collect(),
    }
}

/// Removes or places checkers on a point or, as in `a:y`, on several.
fn checkers(setup: &mut Setup, name: &str, value: &str) -> Result<(), SgfErrorKind> {
    let property = if name == "AE" { "AE" } else { "AW or AB" };
    let (first, last) = match *value.as_bytes() {
        [one] => (one, one),
        [first, b':', last] => (first, last),
        _ => return Err(bad(property, value)),
    };
    for letter in first..=last {
        let on_board = |white| point(white, letter).filter(|point| (1..=BAR).contains(point));
        let (Some(white), Some(black)) = (on_board(true), on_board(false)) else {
            return Err(bad(property, value));
        };
        let [whites, blacks] = &mut setup.counts;
        let (whites, blacks) = (
            &mut whites[usize::from(white)],
            &mut blacks[usize::from(black)],
        );
        match name {
            "AW" => *whites = whites.saturating_add(1),
            "AB" => *blacks = blacks.saturating_add(1),
            _ => (*whites, *blacks) = (0, 0),
        }
    }
    Ok(())
}
