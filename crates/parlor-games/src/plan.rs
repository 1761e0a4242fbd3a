//! Plans for the rest of a team's turn: moves of the seat on turn, one after the other.

use parlor_core::{Seat, Turn};

use crate::{AnyPosition, Click};

/// Rest of a turn as planned, until luck decides or another seat comes on turn.
///
/// Nothing is played. The seats that are asked on the way are taken to agree.
///
/// ```
/// # use parlor_games::{GameKind, TurnPlan};
/// let mut game = GameKind::from_name("pandemic")?.start(&serde_json::Value::Null)?;
/// while let Some((chance, _)) = game.chances().first() {
///     game.resolve(chance).expect("it is possible");
/// }
/// let plan = TurnPlan::new(&game, &["drive:Chicago", "drive:Montreal"])?;
/// assert_eq!(plan.moves[1].way, ["city-Chicago", "city-Montreal"]);
/// let wrong = TurnPlan::new(&game, &["drive:Chicago", "drive:Miami"]).unwrap_err();
/// assert!(wrong.to_string().starts_with("step 2, drive:Miami: "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TurnPlan {
    /// Seat whose moves they are.
    pub seat: Seat,
    /// Moves, each legal after those before it.
    pub moves: Vec<PlannedMove>,
    /// Clicks of the moves that can come next; none if luck decides or the turn is over.
    pub next: Vec<Click>,
}

/// Move of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedMove {
    /// Canonical text of the move.
    pub text: String,
    /// Move as an instruction, as in [`Click::label`].
    pub label: String,
    /// Elements of the picture as in [`Input::way`](crate::Input::way).
    pub way: Vec<String>,
}

/// Reason why moves are no plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// No seat is on turn.
    #[error("nobody is on turn")]
    NobodyOnTurn,
    /// A move does not fit those before it.
    #[error("step {number}, {text}: {reason}")]
    Step {
        /// Number of the step, from 1.
        number: usize,
        /// Text of the move.
        text: String,
        /// Reason, as for a move that is refused.
        reason: String,
    },
}

impl TurnPlan {
    /// Plans moves of the seat on turn; while another seat is asked, of the one that asks.
    ///
    /// # Errors
    /// [`PlanError`] for the first move that is not possible.
    pub fn new<T: AsRef<str>>(position: &AnyPosition, moves: &[T]) -> Result<TurnPlan, PlanError> {
        let seat = planning_seat(position).ok_or(PlanError::NobodyOnTurn)?;
        let mut position = position.clone();
        agree(&mut position);
        let mut planned = Vec::new();
        for (n, text) in moves.iter().enumerate() {
            let text = text.as_ref();
            let wrong = |reason: String| PlanError::Step {
                number: n + 1,
                text: text.to_owned(),
                reason,
            };
            if position.turn() != Turn::Move(seat) {
                return Err(wrong("The turn is over, or luck decides".to_owned()));
            }
            let before = position.clone();
            let played = position.play(text, seat);
            let text = played.map_err(|reason| wrong(reason.to_string()))?;
            planned.push(PlannedMove::new(&before, text));
            agree(&mut position);
        }
        let mut next = Vec::new();
        if position.turn() == Turn::Move(seat) {
            next = position.clicks();
            next.retain(|click| !click.partial && position.seat_of(&click.text) == Some(seat));
        }
        Ok(TurnPlan {
            seat,
            moves: planned,
            next,
        })
    }
}

impl PlannedMove {
    /// Describes a legal move.
    fn new(before: &AnyPosition, text: String) -> PlannedMove {
        let clicks = before.clicks();
        let click = clicks.into_iter().find(|click| click.text == text);
        PlannedMove {
            label: click.map_or_else(|| text.clone(), |click| click.label),
            way: before.way(&text),
            text,
        }
    }
}

/// Returns the seat whose moves are planned; `None` if no seat is on turn.
pub fn planning_seat(position: &AnyPosition) -> Option<Seat> {
    let asks = position.consent().map(|request| request.by);
    asks.or_else(|| position.turn().seat())
}

/// Lets the seats that are asked agree.
fn agree(position: &mut AnyPosition) {
    while let Some(request) = position.consent() {
        if position.play(&request.agree, request.seat).is_err() {
            return;
        }
    }
}
