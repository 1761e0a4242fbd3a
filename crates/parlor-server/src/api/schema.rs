//! The shapes of JSON that the floors below write, for the description of the API only. A test holds every one against
//! what really comes.
#![allow(dead_code, reason = "these types are only described, never made")]

use serde::Serialize;
use utoipa::ToSchema;

/// A table as everybody sees it.
#[derive(Serialize, ToSchema)]
pub(crate) struct Table {
    /// Its name: eleven characters.
    #[schema(example = "000003nqk8n")]
    id: String,
    /// The game's name.
    #[schema(example = "mnk")]
    game: String,
    /// The game's complete options.
    #[schema(value_type = Object)]
    options: (),
    status: Status,
    /// Number of its last event.
    version: u64,
    /// Who sits where.
    seats: Vec<Seat>,
    turn: Turn,
    /// The position as the game shows it.
    #[schema(value_type = Object)]
    position: (),
    /// The position as text.
    text: String,
    /// The last move.
    #[schema(required)]
    last_move: Option<String>,
    /// Moves played, without those that were taken back.
    plies: u32,
    /// The clocks, at tables that have them.
    #[schema(required)]
    clock: Option<Clock>,
    /// Whether the game counts for the players' ratings.
    rated: bool,
    offers: Offers,
    /// The seat that may take back at once what it played last (`POST …/takeback`), in games that all win or lose together.
    #[schema(required)]
    undo: Option<u8>,
    #[schema(required)]
    ending: Option<Ending>,
    /// The luck of the table, in games that have luck.
    #[schema(required)]
    luck: Option<Luck>,
    /// Whether the lobby shows it.
    listed: bool,
    /// The table it is a rematch of.
    #[schema(required)]
    previous: Option<String>,
    /// The table of its rematch.
    #[schema(required)]
    next: Option<String>,
    /// When it was made, in milliseconds since 1970.
    created_at: i64,
    /// When it last changed, in milliseconds since 1970.
    updated_at: i64,
}

/// How far a table has come.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Status {
    /// A seat is open.
    Open,
    /// The game is on.
    Playing,
    /// The game has ended.
    Over,
    /// The game was called off.
    Aborted,
}

/// A seat as everybody sees it.
#[derive(Serialize, ToSchema)]
pub(crate) struct Seat {
    /// Its number.
    seat: u8,
    /// What it is called in this game.
    #[schema(example = "X")]
    label: String,
    kind: SeatKind,
    /// Who sits there; a bot's name is what to ask for it by.
    #[schema(required)]
    name: Option<String>,
    /// Whether it is a person with an account.
    member: bool,
    /// Whether it said that it is there.
    ready: bool,
    /// Whether it asks for a rematch.
    rematch: bool,
}

/// How much time the players have.
#[derive(Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum TimeControl {
    /// So much for the whole game.
    Total {
        /// What each player has at the start, in milliseconds.
        #[schema(minimum = 1_000, maximum = 86_400_000, example = 360_000)]
        initial_ms: u64,
        /// What each move adds, in milliseconds; nothing when not said.
        #[schema(maximum = 600_000, required = false)]
        increment_ms: u64,
    },
    /// So much for each move.
    Correspondence {
        /// Days.
        #[schema(minimum = 1, maximum = 30)]
        days: u64,
    },
}

/// The clocks of a table.
///
/// A running clock shows `left_ms` of its seat minus what has passed since `since`. What passes on the way between you and
/// the house is yours to measure, by `ping` and `pong` on the socket; the house charges a move when it accepts it.
#[derive(Serialize, ToSchema)]
pub(crate) struct Clock {
    control: TimeControl,
    /// The same in words.
    #[schema(example = "5 min + 3 s")]
    words: String,
    /// Milliseconds left by seat, as of `since`.
    left_ms: Vec<i64>,
    /// The seat whose clock runs.
    #[schema(required)]
    running: Option<u8>,
    /// Since when, in milliseconds since 1970.
    #[schema(required)]
    since: Option<i64>,
    /// When something happens by itself, in milliseconds since 1970: a clock reaches zero, or a game that nobody begins or a
    /// table that nobody comes to is called off.
    #[schema(required)]
    due_at: Option<i64>,
}

/// What is offered at a table at the moment.
#[derive(Serialize, ToSchema)]
pub(crate) struct Offers {
    /// The seats that offer a draw.
    draw: Vec<u8>,
    /// The seat that asks for its last move back.
    #[schema(required)]
    takeback: Option<u8>,
}

/// Who sits in a seat.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SeatKind {
    /// Nobody yet.
    Open,
    /// A person.
    Human,
    /// A bot of the house.
    Bot,
}

/// What happens next under the rules.
#[derive(Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Turn {
    /// This seat is to move.
    Move {
        /// The seat's number.
        seat: u8,
    },
    /// Luck decides.
    Chance,
    /// The game is over.
    Over {
        /// How it came out.
        outcome: Outcome,
    },
}

/// How a game came out.
#[derive(Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Outcome {
    /// One seat won.
    Won {
        /// The winner's number.
        seat: u8,
        /// What the win is worth.
        points: u16,
    },
    /// Nobody won.
    Draw,
    /// All seats won together.
    TeamWon,
    /// All seats lost together.
    TeamLost,
}

/// How a game ended.
#[derive(Serialize, ToSchema)]
pub(crate) struct Ending {
    how: How,
    /// Who won; nothing when the game was called off.
    #[schema(required)]
    outcome: Option<Outcome>,
}

/// Why a game is over.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum How {
    /// The rules say so.
    Rules,
    /// A seat gave up.
    Resignation,
    /// All agreed on a draw.
    Agreement,
    /// A seat had no time left.
    Time,
    /// A seat claimed the game that the other side had left.
    Claim,
    /// The game was called off.
    Abort,
}

/// The luck of a table as everybody sees it.
#[derive(Serialize, ToSchema)]
pub(crate) struct Luck {
    /// SHA-256 of the secret, published at the table's creation; nothing where luck is typed in by hand.
    #[schema(required)]
    commitment: Option<String>,
    /// Whether the players bring their own luck and type in what it did, so that nobody can verify it.
    by_hand: bool,
    /// The seats' texts.
    texts: Vec<String>,
    /// Draws so far.
    drawn: u32,
    /// The secret, when the game is over.
    #[schema(required)]
    secret: Option<String>,
}

/// How a click path makes a move.
#[derive(Serialize, ToSchema)]
pub(crate) struct Click {
    /// The move's text; of a part, what `GET /tables/{id}/clicks` takes as `draft`.
    r#move: String,
    /// Ids of the picture's elements, to be clicked in this order; empty where the move is only said.
    path: Vec<String>,
    /// The move in words.
    label: String,
    /// Whether it is only a part of a move; not there when it is a whole one.
    #[schema(required = false)]
    partial: bool,
    /// Whose it is; not there when it is the seat on turn.
    #[schema(required = false)]
    seat: u8,
}

/// A whole game.
#[derive(Serialize, ToSchema)]
pub(crate) struct Record {
    /// The name of the format.
    #[schema(example = "parlor-record/1")]
    format: String,
    /// The table's id.
    table: String,
    /// The game's name.
    game: String,
    /// The game's options.
    #[schema(value_type = Object)]
    options: (),
    /// Who sat where: `seat`, `kind`, `name`.
    #[schema(value_type = Vec<Object>)]
    players: (),
    /// `commitment`, `texts` and, at the end, `secret`; nothing in games without luck.
    #[schema(value_type = Option<Object>, required)]
    luck: (),
    /// Everything that was played and drawn, in order: `seat`, `move`, `at` or `n`, `chance`, `at`.
    #[schema(value_type = Vec<Object>)]
    log: (),
    #[schema(required)]
    ending: Option<Ending>,
    /// The last position, as text.
    position: String,
}

/// What a verification looked at.
#[derive(Serialize, ToSchema)]
pub(crate) struct Report {
    /// Moves replayed.
    moves: usize,
    /// Draws of luck in the record.
    draws: usize,
    /// Whether the draws could be derived again: the game has luck and its secret is in the record.
    luck_checked: bool,
    /// What does not hold.
    problems: Vec<Finding>,
}

/// Something that does not hold.
#[derive(Serialize, ToSchema)]
pub(crate) struct Finding {
    /// The step of the log it was found at, from 0; nothing when it is about the whole record.
    #[schema(required)]
    step: Option<usize>,
    /// A stable name for programs.
    rule: String,
    /// What is wrong.
    message: String,
}

/// The analysis of a finished game. Worths are seen from who decides unless said otherwise.
#[derive(Serialize, ToSchema)]
pub(crate) struct Analysis {
    units: Units,
    /// How it was made, for people.
    method: String,
    /// One for each step of the record's log, in its order.
    steps: Vec<Judged>,
    /// One for each seat.
    seats: Vec<Totals>,
}

/// What the numbers of an analysis are counted in, for people.
#[derive(Serialize, ToSchema)]
pub(crate) struct Units {
    /// Worths and losses.
    worth: String,
    /// What is at stake, such as the `cost` of all mistakes.
    #[schema(example = "points")]
    stake: String,
}

/// What the analysis says about a step.
#[derive(Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Judged {
    /// A seat decided.
    Decision {
        /// Who decided.
        seat: u8,
        /// What kind of decision it was.
        topic: String,
        /// What it was about.
        about: String,
        /// What the position is worth to seat 0 after the best decision.
        standing: f64,
        /// How likely seat 0 then is to win what is played for, from 0 to 1.
        winning: f64,
        /// What to decide in words, where the list does not say it by itself.
        #[schema(required)]
        verdict: Option<String>,
        /// Numbers behind the verdict, each with its title before it.
        #[schema(value_type = Vec<Vec<Value>>)]
        details: (),
        /// What could have been decided, the best first; long lists are cut.
        ranked: Vec<Ranked>,
        /// How many there were before the list was cut.
        all: usize,
        /// Which of them was played, from 0.
        #[schema(required)]
        played: Option<usize>,
        /// How much less than the best it was worth, 0 or more.
        loss: f64,
        mark: Mark,
        /// Whether the decision counts in rates.
        counts: bool,
        /// What a worth of 1 amounts to, in the unit of what is at stake.
        stake: f64,
    },
    /// A seat moved and had no choice.
    Forced {
        /// The seat.
        seat: u8,
    },
    /// Luck decided.
    Luck {
        /// Whose luck it was.
        seat: u8,
        /// The draw as players write it.
        text: String,
        /// How much more than the average draw it was worth to that seat.
        luck: f64,
        /// What a worth of 1 amounts to, in the unit of what is at stake.
        stake: f64,
    },
    /// Nothing that can be judged.
    Nothing,
}

/// Something that could have been decided.
#[derive(Serialize, ToSchema)]
pub(crate) struct Ranked {
    /// The move's text.
    r#move: String,
    /// As players write it.
    text: String,
    /// What it is worth.
    worth: f64,
    /// The standard error of that, where it was found by playing on.
    #[schema(required)]
    error: Option<f64>,
    /// How much less than the best.
    loss: f64,
    /// More numbers, each with its title before it.
    #[schema(value_type = Vec<Vec<Value>>)]
    details: (),
    /// How it was judged.
    method: String,
}

/// How bad a mistake is.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Mark {
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
#[derive(Serialize, ToSchema)]
pub(crate) struct Totals {
    /// The seat.
    seat: u8,
    /// Decisions that count, by how bad they were: fine, inaccuracies, errors, blunders.
    marks: Vec<u32>,
    /// What all mistakes cost together.
    loss: f64,
    /// The same in the unit of what is at stake.
    cost: f64,
    /// All luck together.
    luck: f64,
    /// The same in the unit of what is at stake.
    luck_cost: f64,
    /// For each kind of decision, the most frequent first.
    parts: Vec<Part>,
    /// The rates that players of this game compare, each with its name before it.
    #[schema(value_type = Vec<Vec<Value>>)]
    rates: (),
    /// What the seat made of the game, in the unit of what is at stake; nothing where the rules did not end it.
    #[schema(required)]
    result: Option<f64>,
    /// That result without the luck of all seats.
    #[schema(required)]
    adjusted: Option<f64>,
}

/// The decisions of one kind.
#[derive(Serialize, ToSchema)]
pub(crate) struct Part {
    /// What they are about.
    topic: String,
    /// How many there were, those left out that were forced.
    decisions: u32,
    /// How many of them count in rates.
    counted: u32,
    /// What mistakes in them cost.
    loss: f64,
    /// The same in the unit of what is at stake.
    cost: f64,
}

/// Why a request was not done (RFC 9457).
#[derive(Serialize, ToSchema)]
pub(crate) struct Problem {
    /// A stable name for programs.
    #[schema(example = "/problems/stale-version")]
    r#type: String,
    /// The problem in general.
    title: String,
    /// The status of the response.
    status: u16,
    /// This case of it; the game's own reason where there is one.
    detail: String,
    /// The table's version now, when you decided on an older one.
    current: Option<u64>,
}
