//! Plans of teammates: several moves of the one on turn, one after the other.
//!
//! A plan is a phrase with an argument, as a suggestion is. It is shown for as long as what is left of it
//! fits the position.

use axum::http::StatusCode;
use parlor_games::{Click, PlanError, PlannedMove, TurnPlan, planning_seat};
use parlor_table::{RecordStep, Table, TableId};
use serde::Serialize;
use utoipa::ToSchema;

use super::suggestions::{Worded, ensure_team};
use crate::AppState;
use crate::api::schema;
use crate::error::Error;

/// Maximum number of moves of a plan.
const MAX_MOVES: usize = 12;
/// Maximum length of a plan in words, in characters, so that its message can be stored.
const MAX_WORDS: usize = 900;

/// Moves of one seat that a teammate proposes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Plan {
    /// Number of moves and draws of the game before the plan.
    pub(crate) since: usize,
    /// Moves, each legal after those before it.
    pub(crate) moves: Vec<String>,
}

/// Move of a plan.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PlanStep {
    /// Text of the move.
    r#move: String,
    /// Description of the move.
    label: String,
    /// Ids of the elements of the picture between which something moves, or of the one where the move
    /// happens; empty if it has no place.
    way: Vec<String>,
}

impl From<PlannedMove> for PlanStep {
    fn from(planned: PlannedMove) -> PlanStep {
        let PlannedMove { text, label, way } = planned;
        PlanStep {
            r#move: text,
            label,
            way,
        }
    }
}

/// Rest of a plan, and how it can go on.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PlanResponse {
    /// Version of the table that this refers to.
    version: u64,
    /// Number of moves and draws of the game so far.
    step: usize,
    /// Seat whose moves they are.
    seat: u8,
    /// Moves that are left to play.
    moves: Vec<PlanStep>,
    /// Clicks of the moves that can come next; none after twelve moves, or if luck decides or the turn is
    /// over.
    #[schema(value_type = Vec<schema::ClickSchema>)]
    next: Vec<Click>,
}

impl Plan {
    /// Reads what is stored of a plan.
    pub(super) fn stored(argument: &str) -> Option<Plan> {
        let (since, moves) = argument.split_once(' ')?;
        Some(Plan {
            since: since.parse().ok()?,
            moves: moves.split(' ').map(str::to_owned).collect(),
        })
    }
}

/// Checks the moves of a plan at a table, and puts it in words.
///
/// # Errors
/// For the first move that does not fit, with its number; or if there is none, or too many.
pub(super) fn word(table: &Table, moves: &[String]) -> Result<Worded, Error> {
    ensure_team(table)?;
    if moves.is_empty() {
        return Err(refused("a plan has at least one move"));
    }
    let plan = follow(table, moves)?;
    let texts: Vec<&str> = plan.moves.iter().map(|step| step.text.as_str()).collect();
    Ok(Worded {
        // A move is one word.
        phrase: format!("plan:{} {}", table.steps().len(), texts.join(" ")),
        text: format!("How about: {}?", words(&plan.moves)),
    })
}

/// Returns the moves of a plan in words: "1 Drive to Cairo, 2 Treat blue".
fn words(moves: &[PlannedMove]) -> String {
    let mut words = String::new();
    for (n, step) in moves.iter().enumerate() {
        let comma = if n > 0 { ", " } else { "" };
        let more = format!("{comma}{} {}", n + 1, step.label);
        if words.chars().count() + more.chars().count() > MAX_WORDS {
            return words + " …";
        }
        words += &more;
    }
    words
}

/// Plans moves from the present position of a table.
fn follow(table: &Table, moves: &[String]) -> Result<TurnPlan, Error> {
    if moves.len() > MAX_MOVES {
        return Err(refused(&format!(
            "a plan has at most {MAX_MOVES} moves, not {}",
            moves.len()
        )));
    }
    TurnPlan::new(table.position(), moves).map_err(|error| {
        let problem = refused(&error.to_string());
        match error {
            PlanError::Step { number, .. } => problem.with("step", number),
            PlanError::NobodyOnTurn => problem,
        }
    })
}

fn refused(detail: &str) -> Error {
    Error::unprocessable(detail).with("field", "plan")
}

/// Returns the moves of a plan that are left to play; `None` if the game has gone another way since.
fn left<'m>(table: &Table, since: usize, moves: &'m [String]) -> Option<&'m [String]> {
    let played = table.steps().get(since..)?;
    let (start, _) = table.position_after(since)?;
    let seat = planning_seat(&start)?.number();
    let mut left = moves;
    for step in played {
        let RecordStep::Move { seat: by, text, .. } = step else {
            return None;
        };
        match left.split_first() {
            Some((next, rest)) if *by == seat && next == text => left = rest,
            _ if *by == seat => return None,
            // Others answer, or do something of their own that leaves the plan possible.
            _ => {}
        }
    }
    Some(left)
}

/// Returns what is left of a plan at a table, and what can follow.
fn look(table: &Table, since: Option<usize>, moves: &[String]) -> Result<PlanResponse, Error> {
    ensure_team(table)?;
    let moves = match since {
        Some(since) => left(table, since, moves).ok_or_else(out_of_date)?,
        None => moves,
    };
    let plan = follow(table, moves)?;
    let is_full = plan.moves.len() == MAX_MOVES;
    Ok(PlanResponse {
        version: table.version(),
        step: table.steps().len(),
        seat: plan.seat.number(),
        moves: plan.moves.into_iter().map(PlanStep::from).collect(),
        next: if is_full { Vec::new() } else { plan.next },
    })
}

fn out_of_date() -> Error {
    Error::new(
        StatusCode::CONFLICT,
        "plan-out-of-date",
        "Not possible right now",
        "the game has gone another way since this plan was made",
    )
}

impl AppState {
    /// Returns what is left of moves that were planned after `since` moves and draws, or are planned
    /// now, and what can follow.
    ///
    /// # Errors
    /// For the first move that does not fit, with its number; or if the game has gone another way.
    pub(crate) async fn plan(
        &self,
        id: TableId,
        since: Option<usize>,
        moves: Vec<String>,
    ) -> Result<PlanResponse, Error> {
        self.read(id, move |table| look(table, since, &moves))
            .await?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_plans_are_cut_in_words() {
        let step = |label: &str| PlannedMove {
            text: String::new(),
            label: label.to_owned(),
            way: Vec::new(),
        };
        assert_eq!(words(&[step("Drive"), step("Treat")]), "1 Drive, 2 Treat");
        let long: Vec<PlannedMove> = (0..MAX_MOVES).map(|_| step(&"a".repeat(99))).collect();
        let cut = words(&long);
        assert!(cut.ends_with(" …") && cut.chars().count() < MAX_WORDS + 3);
    }
}
