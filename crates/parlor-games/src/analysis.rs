//! What an analysis of a game tells, whatever the game.
//!
//! Every step of a record gets a [`Judged`]: what it was worth to decide so and what else could have been decided, or how lucky a draw
//! was. All worths are in the [`Analysis::unit`], seen from who decides unless said otherwise.

use serde::Serialize;

/// The analysis of a record.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Analysis {
    /// What worths are counted in, for people: "points".
    pub unit: &'static str,
    /// How it was made, for people: "2-ply, cubeful".
    pub method: String,
    /// One for each step of the record, in its order.
    pub steps: Vec<Judged>,
    /// One for each seat.
    pub seats: Vec<Totals>,
}

/// What a step shows.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Judged {
    /// A seat decided.
    Decision(Decision),
    /// Luck decided.
    Luck(Luck),
    /// Nothing that can be judged.
    Nothing,
}

/// A decision.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Decision {
    /// Who decided.
    pub seat: u8,
    /// What it was about: "42", "cube".
    pub about: String,
    /// What the position is worth to the first seat of the table after the best decision: what a graph shows.
    pub standing: f64,
    /// What could have been decided, the best first. Long lists are cut, but what was played is always there.
    pub ranked: Vec<Ranked>,
    /// Which of them was played.
    pub played: Option<usize>,
    /// How much less than the best it was worth, 0 or more.
    pub loss: f64,
    /// How bad that is.
    pub mark: Mark,
}

/// Something that could have been decided.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ranked {
    /// As players write it.
    pub text: String,
    /// What it is worth.
    pub worth: f64,
    /// How much less than the best.
    pub loss: f64,
    /// More about it, for people, with the titles of [`Ranked::details`]' numbers: ("win", 0.53).
    pub details: Vec<(&'static str, f64)>,
    /// How it was judged: "2-ply", "rollout".
    pub method: String,
}

/// A draw.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Luck {
    /// Whose luck it was.
    pub seat: u8,
    /// The draw as players write it: "42".
    pub text: String,
    /// How much more than the average draw it was worth to that seat.
    pub luck: f64,
}

/// How bad a mistake is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// None, or next to nothing.
    Fine,
    /// A small one.
    Inaccuracy,
    /// One that costs games in the long run.
    Error,
    /// One that costs games at once.
    Blunder,
}

/// All decisions and draws of a seat.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Totals {
    /// The seat.
    pub seat: u8,
    /// Decisions of each kind of mark, from [`Mark::Fine`] on.
    pub marks: [u32; 4],
    /// What all mistakes cost together.
    pub loss: f64,
    /// All luck together.
    pub luck: f64,
    /// The rates that players of this game compare, with their names: ("error rate", 7.2).
    pub rates: Vec<(String, f64)>,
}
