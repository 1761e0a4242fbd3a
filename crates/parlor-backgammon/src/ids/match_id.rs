//! Match IDs: everything but the checkers in 67 bits, each field from its lowest bit.

use parlor_core::Seat;

use super::{IdError, IdWriteError, base64, roll_faces, validate_phase};
use crate::{BLACK, Board, Crawford, Cube, Die, Game, Phase, Roll, Rules, Setup, WHITE, Win};

/// Game state for a game in progress. 0 means no game; other values mean that it is over.
const PLAYING: u32 = 1;
/// Owner of a centered cube.
const NOBODY: u32 = 3;

/// Returns the Match ID of a game: 12 characters.
///
/// # Errors
/// Returns an error if a Match ID cannot express the position.
pub fn match_id(game: &Game) -> Result<String, IdWriteError> {
    let [high, low] = roll_faces(game)?;
    let beavered = game.phase() == Phase::Beavered;
    let doubled = beavered || game.phase() == Phase::Doubled;
    let other = game.on_roll().next(2);
    // After a beaver the first double is already on the cube.
    let (turned, owner) = match game.cube() {
        cube if beavered => (cube.turned() + 1, Some(other)),
        cube => (cube.turned(), cube.owner()),
    };
    let resigned = game.resigning().map_or(0, |win| u32::from(win.factor()));
    let turn = if game.phase() == Phase::Doubled || resigned > 0 {
        other
    } else {
        game.on_roll()
    };
    let [white, black] = game.score();
    let mut bits = Bits {
        bytes: [0; 9],
        at: 0,
    };
    bits.put(4, u32::from(turned));
    bits.put(2, owner.map_or(NOBODY, player));
    bits.put(1, player(game.on_roll()));
    bits.put(1, u32::from(game.crawford() == Crawford::Now));
    bits.put(3, PLAYING);
    bits.put(1, player(turn));
    bits.put(1, u32::from(doubled));
    bits.put(2, resigned);
    bits.put(3, u32::from(high));
    bits.put(3, u32::from(low));
    bits.put(15, u32::from(game.rules().length));
    bits.put(15, u32::from(black));
    bits.put(15, u32::from(white));
    bits.put(1, u32::from(!game.rules().jacoby));
    Ok(base64::write(&bits.bytes))
}

/// Reads a Match ID. The board is seen from the player on roll.
///
/// # Errors
/// [`IdError`] if the ID is invalid, or inconsistent with the board.
pub fn game_from_match_id(text: &str, board: &Board) -> Result<Game, IdError> {
    let bytes = base64::read::<9>(text.trim(), "a Match ID")?;
    let fields = MatchIdFields::read(&mut Bits { bytes, at: 0 });
    let length = u8::try_from(fields.length)
        .ok()
        .filter(|length| *length <= Rules::MAX_LENGTH);
    let length = length.ok_or_else(|| bad("match length", fields.length, "0 to 64"))?;
    let rules = Rules {
        length,
        cube: true,
        jacoby: fields.no_jacoby == 0,
        ..Rules::GAME
    }
    .normalized();
    let mut setup = Setup::new(rules);
    setup.on_roll = seat(fields.on_roll);
    let sides = [board.mover().counts(), board.other().counts()];
    setup.counts = if setup.on_roll == WHITE {
        sides
    } else {
        [sides[1], sides[0]]
    };
    if rules.is_match() {
        setup.score = [fields.scores[1], fields.scores[0]]
            .map(|score| u8::try_from(score).unwrap_or(u8::MAX));
    }
    setup.crawford = crawford(&setup, fields.crawford == 1);
    fields.set_cube_and_phase(&mut setup)?;
    validate_phase(setup)
}

/// Returns the state of the Crawford rule, given whether this is the Crawford game.
pub(super) fn crawford(setup: &Setup, now: bool) -> Crawford {
    let Rules { length, cube, .. } = setup.rules;
    let within_one = setup
        .score
        .iter()
        .any(|score| score.saturating_add(1) == length);
    match now {
        // A match to one point has no Crawford game, whatever the ID claims.
        _ if length == 1 || !cube => Crawford::Before,
        true => Crawford::Now,
        false if within_one => Crawford::After,
        false => Crawford::Before,
    }
}

/// Returns the player number of a seat: white is 1.
fn player(seat: Seat) -> u32 {
    u32::from(seat == WHITE)
}

fn seat(player: u32) -> Seat {
    if player == 1 { WHITE } else { BLACK }
}

fn bad(name: &'static str, found: u32, expected: &'static str) -> IdError {
    IdError::Field {
        name,
        text: found.to_string(),
        expected,
    }
}

/// Fields of a Match ID, in order.
struct MatchIdFields {
    turned: u32,
    owner: u32,
    on_roll: u32,
    crawford: u32,
    state: u32,
    turn: u32,
    doubled: u32,
    resigned: u32,
    dice: [u32; 2],
    length: u32,
    scores: [u32; 2],
    no_jacoby: u32,
}

impl MatchIdFields {
    fn read(bits: &mut Bits) -> MatchIdFields {
        MatchIdFields {
            turned: bits.get(4),
            owner: bits.get(2),
            on_roll: bits.get(1),
            crawford: bits.get(1),
            state: bits.get(3),
            turn: bits.get(1),
            doubled: bits.get(1),
            resigned: bits.get(2),
            dice: [bits.get(3), bits.get(3)],
            length: bits.get(15),
            scores: [bits.get(15), bits.get(15)],
            no_jacoby: bits.get(1),
        }
    }

    /// Sets the cube and the phase, including pending offers.
    fn set_cube_and_phase(&self, setup: &mut Setup) -> Result<(), IdError> {
        if self.state != PLAYING {
            return Err(bad(
                "state of the game",
                self.state,
                "1, a game that goes on",
            ));
        }
        setup.resigning = match self.resigned {
            0 => None,
            1 => Some(Win::Single),
            2 => Some(Win::Gammon),
            _ => Some(Win::Backgammon),
        };
        let offered = self.doubled == 1 || setup.resigning.is_some();
        let owner = if self.owner > 1 {
            None
        } else {
            Some(seat(self.owner))
        };
        let beavered = self.doubled == 1 && self.turn == self.on_roll;
        if !offered && self.turn != self.on_roll {
            return Err(bad(
                "turn",
                self.turn,
                "the player on roll, as nothing is offered",
            ));
        }
        if beavered && (self.turned == 0 || owner != Some(setup.on_roll.next(2))) {
            return Err(bad("turn", self.turn, "the player who was doubled"));
        }
        let (turned, owner) = match self.turned as u8 {
            1 if beavered => (0, None),
            turned if beavered => (turned - 1, Some(setup.on_roll)),
            turned => (turned, owner),
        };
        setup.cube = Cube::new(turned, owner)
            .ok_or_else(|| bad("cube", self.turned, "0 to 10, as a power of two"))?;
        setup.rules.beavers |= beavered;
        setup.phase = match self.roll()? {
            None if beavered => Phase::Beavered,
            None if self.doubled == 1 => Phase::Doubled,
            None => Phase::Rolling,
            Some(_) if self.doubled == 1 => {
                return Err(bad(
                    "double",
                    self.doubled,
                    "0, as the dice have been rolled",
                ));
            }
            Some(roll) => Phase::Moving(roll.into()),
        };
        Ok(())
    }

    fn roll(&self) -> Result<Option<Roll>, IdError> {
        match self.dice.map(|die| Die::new(die as u8)) {
            [Some(one), Some(other)] => Ok(Some(Roll::new(one, other))),
            _ if self.dice == [0, 0] => Ok(None),
            _ => Err(bad(
                "roll",
                10 * self.dice[0] + self.dice[1],
                "two dice of 1 to 6, or 0",
            )),
        }
    }
}

/// Bits one after another.
struct Bits {
    bytes: [u8; 9],
    at: usize,
}

impl Bits {
    fn put(&mut self, count: usize, value: u32) {
        for n in 0..count {
            self.bytes[self.at / 8] |= ((value >> n & 1) as u8) << (self.at % 8);
            self.at += 1;
        }
    }

    fn get(&mut self, count: usize) -> u32 {
        let bits = (self.at..self.at + count).rev();
        self.at += count;
        bits.fold(0, |value, at| {
            value << 1 | u32::from(self.bytes[at / 8] >> (at % 8) & 1)
        })
    }
}
