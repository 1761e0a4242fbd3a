//! Reading.

use parlor_core::{Notation, Position, Seat};

use super::root::Root;
use super::tree::{self, Node, Property};
use super::{SgfError, Wrong, point};
use crate::transcript::{Scribe, Transcript};
use crate::{BAR, BLACK, CHECKERS, Cube, Game, Move, Phase, Play, Roll, Setup, WHITE, Win};

/// Reads a file. The rules are those of its first game; beavers are played if there are some.
///
/// # Errors
/// The first line that is wrong, and what is.
pub fn read(text: &str) -> Result<Transcript, SgfError> {
    let trees = tree::read(text)?;
    let roots: Vec<Root> = trees
        .iter()
        .map(|nodes| Root::take(nodes))
        .collect::<Result<_, _>>()?;
    let first = roots.first().expect("a file without trees was refused");
    let mut rules = first.rules()?;
    rules.beavers |= rules.length == 0 && trees.iter().any(|nodes| has_beaver(nodes));
    let mut scribe = Scribe::new(Game::new(rules.normal()), first.names.clone());
    for (name, value) in &first.tags {
        scribe.tag(name, value);
    }
    for (root, nodes) in roots.iter().zip(&trees) {
        let crawford = Some(root.has_rule("CrawfordGame"));
        scribe
            .begin(root.score, crawford)
            .map_err(|flaws| root.wrong(Wrong::Start(flaws)))?;
        Reader {
            scribe: &mut scribe,
            setup: None,
            turn: None,
            dice: None,
        }
        .game(root, &nodes[1..])?;
    }
    Ok(scribe.finish())
}

/// Whether one double answers another.
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

/// Tells a game to the scribe.
struct Reader<'a> {
    scribe: &'a mut Scribe,
    /// A start that is being set up.
    setup: Option<Setup>,
    /// Whose turn was said to be next.
    turn: Option<Seat>,
    /// Dice that were said to lie, with whose turn it was then. Positions may be set up around them.
    dice: Option<(Option<Seat>, Roll)>,
}

impl Reader<'_> {
    fn game(mut self, root: &Root, nodes: &[Node]) -> Result<(), SgfError> {
        for node in nodes {
            for property in node {
                self.property(property).map_err(|what| SgfError {
                    line: property.line,
                    what,
                })?;
            }
        }
        let line = root.result.as_ref().map_or(root.line, |(line, _)| *line);
        self.rolled()
            .and_then(|()| self.result(root))
            .map_err(|what| SgfError { line, what })
    }

    fn property(&mut self, property: &Property) -> Result<(), Wrong> {
        let value = property.values[0].trim();
        match property.name.as_str() {
            "W" => self.moved(WHITE, value),
            "B" => self.moved(BLACK, value),
            "DI" => {
                self.dice = Some((self.turn, value.parse()?));
                Ok(())
            }
            "PL" => self.player(value),
            "AE" | "AW" | "AB" | "CV" | "CP" => self.change(property),
            _ => Ok(()),
        }
    }

    fn player(&mut self, value: &str) -> Result<(), Wrong> {
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

    /// A change of the position at the beginning of a game.
    fn change(&mut self, property: &Property) -> Result<(), Wrong> {
        if self.setup.is_none() {
            if !self.scribe.is_untouched() {
                return Err(Wrong::Unknown("a position changed in the middle of a game"));
            }
            let on_roll = self.turn.unwrap_or(WHITE);
            self.setup = Some(Setup {
                on_roll,
                phase: Phase::Rolling,
                ..Setup::of(self.scribe.game())
            });
        }
        let setup = self.setup.as_mut().expect("just made");
        let value = property.values[0].trim();
        match property.name.as_str() {
            "CV" => {
                let turned = (0..=Cube::MOST).find(|turned| value == (1u16 << turned).to_string());
                let turned = turned.ok_or_else(|| bad("CV", value))?;
                setup.cube = Cube::new(turned, setup.cube.owner()).expect("not beyond the most");
            }
            "CP" => {
                let owner = match value {
                    "w" => Some(WHITE),
                    "b" => Some(BLACK),
                    "c" => None,
                    _ => return Err(bad("CP", value)),
                };
                setup.cube = Cube::new(setup.cube.turned(), owner).expect("not beyond the most");
            }
            name => property
                .values
                .iter()
                .try_for_each(|value| checkers(setup, name, value.trim()))?,
        }
        Ok(())
    }

    /// Begins from the start that was set up, if one was.
    fn set_up(&mut self) -> Result<(), Wrong> {
        let Some(mut setup) = self.setup.take() else {
            return Ok(());
        };
        for counts in &mut setup.counts {
            let on: u32 = counts[1..].iter().map(|n| u32::from(*n)).sum();
            counts[0] = u32::from(CHECKERS).saturating_sub(on) as u8;
        }
        let rolling = setup.validate().map_err(Wrong::Start)?;
        if rolling.may_double(setup.on_roll) {
            setup.phase = Phase::Cube;
        }
        self.scribe.begin_at(&setup).map_err(Wrong::Start)
    }

    /// Throws the dice that were said to lie and with which nothing was done.
    fn rolled(&mut self) -> Result<(), Wrong> {
        self.set_up()?;
        let Some((seat, roll)) = self.dice.take() else {
            return Ok(());
        };
        let seat = seat.unwrap_or(self.scribe.game().on_roll());
        Ok(self.scribe.throw(seat, roll)?)
    }

    fn moved(&mut self, seat: Seat, value: &str) -> Result<(), Wrong> {
        if let Some(setup) = &mut self.setup {
            setup.on_roll = seat;
        }
        self.set_up()?;
        self.turn = None;
        let m = match value {
            "double" if self.scribe.game().phase() == Phase::Doubled => Move::Beaver,
            "double" => Move::Double,
            "take" => Move::Take,
            "drop" => Move::Drop,
            _ => return self.played(seat, value),
        };
        Ok(self.scribe.act(seat, &m)?)
    }

    fn played(&mut self, seat: Seat, value: &str) -> Result<(), Wrong> {
        let (Some(dice), Some(way)) = (value.get(..2), value.get(2..)) else {
            return Err(bad("a move", value));
        };
        let roll: Roll = dice.parse()?;
        self.dice = None;
        self.scribe.throw(seat, roll)?;
        let points: Option<Vec<u8>> = way
            .bytes()
            .map(|letter| point(seat == WHITE, letter))
            .collect();
        let points = points
            .filter(|points| points.len() % 2 == 0)
            .ok_or_else(|| bad("a move", value))?;
        // A roll without a play that is no dance has still to be played: the file ends there.
        if points.is_empty() && self.scribe.game().forced().is_none() {
            return Ok(());
        }
        let words: Vec<String> = points
            .chunks(2)
            .map(|pair| format!("{}/{}", pair[0], pair[1]))
            .collect();
        let m = if words.is_empty() {
            Move::Play(Play::PASS)
        } else {
            self.scribe.game().parse_move(&words.join(","))?
        };
        Ok(self.scribe.act(seat, &m)?)
    }

    /// Compares the result, or writes down that somebody gave up.
    fn result(&mut self, root: &Root) -> Result<(), Wrong> {
        let Some((_, said)) = &root.result else {
            return Ok(());
        };
        let Some((by, points)) = said.split_once('+') else {
            return Ok(());
        };
        let by = match by {
            "W" | "w" => WHITE,
            "B" | "b" => BLACK,
            _ => return Err(bad("RE", said)),
        };
        let points: u32 = points
            .trim_end_matches(['R', 'r'])
            .parse()
            .map_err(|_| bad("RE", said))?;
        if self.scribe.is_going_on() {
            let as_lost = match points.div_ceil(u32::from(self.scribe.game().cube().value())) {
                0 | 1 => Win::Single,
                2 => Win::Gammon,
                _ => Win::Backgammon,
            };
            self.scribe.resign(by.next(2), as_lost);
        }
        let (result, _) = self.scribe.last().expect("the game has a result");
        if (result.by, u32::from(result.points)) == (by, points) {
            return Ok(());
        }
        let color = if result.by == WHITE { 'W' } else { 'B' };
        Err(Wrong::Result {
            said: said.clone(),
            right: format!("{color}+{}", result.points),
        })
    }
}

fn bad(property: &'static str, value: &str) -> Wrong {
    Wrong::Value {
        property,
        value: value.chars().take(40).collect(),
    }
}

/// Takes away or sets checkers on a point or, `a:y`, on several.
fn checkers(setup: &mut Setup, name: &str, value: &str) -> Result<(), Wrong> {
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
