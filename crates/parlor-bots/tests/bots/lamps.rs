//! Toy team game with a move out of turn.

use parlor_core::{NoChance, Outcome, Position, Seat, Turn};

/// Three lamps have to be lit in two turns, one each. The second seat has a spare lamp that counts
/// for two, and may light it on either turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lamps {
    lit: u8,
    turns: u8,
    spare_used: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lamp {
    Light,
    Wait,
    Spare,
}

#[derive(Debug, PartialEq, thiserror::Error)]
#[error("this cannot be done now")]
pub struct NotNow;

impl Position for Lamps {
    type Move = Lamp;
    type Chance = NoChance;
    type Illegal = NotNow;

    fn seats(&self) -> u8 {
        2
    }

    fn turn(&self) -> Turn {
        match (self.lit, self.turns) {
            (3.., _) => Turn::Over(Outcome::TeamWon),
            (_, 2..) => Turn::Over(Outcome::TeamLost),
            (_, 0) => Turn::Move(Seat::FIRST),
            _ => Turn::Move(Seat::SECOND),
        }
    }

    fn legal_moves_into(&self, out: &mut Vec<Lamp>) {
        out.clear();
        if !self.turn().is_over() {
            out.extend([Lamp::Wait, Lamp::Light]);
            out.extend((!self.spare_used).then_some(Lamp::Spare));
        }
    }

    fn check(&self, m: &Lamp) -> Result<(), NotNow> {
        if self.legal_moves().contains(m) {
            Ok(())
        } else {
            Err(NotNow)
        }
    }

    fn mover(&self, m: &Lamp) -> Option<Seat> {
        match m {
            Lamp::Spare => Some(Seat::SECOND),
            Lamp::Light | Lamp::Wait => self.turn().seat(),
        }
    }

    fn play_unchecked(&mut self, m: &Lamp) {
        match m {
            Lamp::Light => (self.lit, self.turns) = (self.lit + 1, self.turns + 1),
            Lamp::Wait => self.turns += 1,
            Lamp::Spare => (self.lit, self.spare_used) = (self.lit + 2, true),
        }
    }

    fn chances_into(&self, out: &mut Vec<(NoChance, u32)>) {
        out.clear();
    }

    fn resolve_unchecked(&mut self, c: &NoChance) {
        match *c {}
    }
}
