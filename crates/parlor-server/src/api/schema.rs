//! OpenAPI schemas of the JSON that lower crates write. They exist only for the API description; a
//! test validates real responses against each of them.
#![allow(dead_code, reason = "these types are only described, never made")]

use serde::Serialize;
use utoipa::{IntoParams, ToSchema};

/// A table in the path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(crate) struct TableIdPath {
    /// Id of the table.
    #[param(pattern = "^[0-7][0-9a-hjkmnp-tv-z]{10}$", example = "000003nqk8n")]
    id: String,
}

/// A member in the path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
pub(crate) struct NamePath {
    /// Name of the member, in any case.
    #[param(pattern = "^[A-Za-z0-9_-]{1,20}$", example = "Ann")]
    name: String,
}

/// Public state of a table.
#[derive(Serialize, ToSchema)]
#[schema(as = Table)]
pub(crate) struct TableSchema {
    /// Table id, eleven characters.
    #[schema(example = "000003nqk8n")]
    id: String,
    /// Name of the game.
    #[schema(example = "mnk")]
    game: String,
    /// Complete options of the game.
    options: GameOptionsSchema,
    status: StatusSchema,
    /// Version: the number of the table's last event.
    version: u64,
    /// Seats, in order.
    seats: Vec<SeatSchema>,
    turn: TurnSchema,
    /// Current position.
    position: PositionSchema,
    /// Current position in text notation.
    text: String,
    /// Last move, in text notation.
    #[schema(required)]
    last_move: Option<String>,
    /// Number of moves played, not counting those taken back.
    plies: u32,
    /// Clocks; `null` at tables without time control.
    #[schema(required)]
    clock: Option<ClockSchema>,
    /// True if the game affects the players' ratings.
    rated: bool,
    offers: OffersSchema,
    /// Seats that are asked whether they move out of turn, for which the seat on turn waits; `null` if none
    /// is.
    #[schema(required)]
    asked: Option<AskedSchema>,
    /// In team games, the seat that can undo its last move immediately (`POST …/takeback`).
    #[schema(required)]
    undo: Option<u8>,
    #[schema(required)]
    ending: Option<EndingSchema>,
    /// State of the dice or cards; `null` for games without luck.
    #[schema(required)]
    luck: Option<LuckSchema>,
    /// True if the table is listed in the lobby.
    listed: bool,
    /// Table that this one is a rematch of.
    #[schema(required)]
    previous: Option<String>,
    /// Points of the players in the series of rematches, by seat; empty in its first game. A draw
    /// is half a point. This game counts once it is over.
    series: Vec<f64>,
    /// Table of the rematch, once all players agreed to one.
    #[schema(required)]
    next: Option<String>,
    /// Creation time, in milliseconds since the Unix epoch.
    created_at: i64,
    /// Time of the last change, in milliseconds since the Unix epoch.
    updated_at: i64,
}

/// Question to the seats that can move out of turn.
#[derive(Serialize, ToSchema)]
#[schema(as = Asked)]
pub(crate) struct AskedSchema {
    /// Numbers of the seats that have not answered yet.
    seats: Vec<u8>,
    /// Time at which those that have not answered have passed, in milliseconds since the Unix epoch.
    until: i64,
}

/// Occasions on which a player is asked for moves out of turn.
#[derive(Serialize, ToSchema)]
#[schema(as = AskWhen)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AskWhenSchema {
    /// Never.
    Never,
    /// Before what cannot be undone.
    Crucial,
    /// Every time a move is possible.
    Always,
}

/// Name of a game.
#[derive(Serialize, ToSchema)]
#[schema(as = GameName, value_type = String)]
pub(crate) struct GameNameSchema(String);

/// Complete options of a game, in the format of that game.
#[derive(Serialize, ToSchema)]
#[schema(as = GameOptions)]
pub(crate) struct GameOptionsSchema {}

/// Options of a game, in the format of that game; missing ones take their defaults.
#[derive(Serialize, ToSchema)]
#[schema(as = GameOptionsRequest)]
pub(crate) struct GameOptionsRequestSchema {}

/// Position of a game, in the format of that game.
#[derive(Serialize, ToSchema)]
#[schema(as = Position)]
pub(crate) struct PositionSchema {}

/// State of a game in a list of tables.
#[derive(Serialize, ToSchema)]
#[schema(as = GameSummary)]
pub(crate) struct GameSummarySchema {
    turn: TurnSchema,
    /// Number of moves played, not counting those taken back.
    plies: u32,
    /// Time control; `null` without one.
    #[schema(required = false)]
    clock: Option<TimeControlSchema>,
    /// True if the players roll real dice and enter the results.
    #[schema(required = false)]
    luck_by_hand: bool,
    /// Current position in text notation.
    text: String,
    /// Last move, in text notation.
    #[schema(required)]
    last_move: Option<String>,
    #[schema(required)]
    ending: Option<EndingSchema>,
    /// Table of the rematch, once all players agreed to one.
    next: Option<String>,
}

/// Player in a list of tables.
#[derive(Serialize, ToSchema)]
#[schema(as = SeatSummary)]
pub(crate) struct SeatSummarySchema {
    /// Name of the side, as the game calls it.
    #[schema(example = "X")]
    label: String,
    kind: SeatKindSchema,
    /// Name of the player; for a bot of the house, the spec it can be requested by.
    #[schema(required)]
    name: Option<String>,
    /// Name of the person who left and for whom this bot plays; omitted otherwise.
    #[schema(required = false)]
    stands_in_for: Option<String>,
    /// True if the player has an account.
    #[schema(required = false)]
    member: bool,
    /// Name of the member to whom the bot belongs; omitted for people and the house's own bots.
    #[schema(required = false)]
    owner: String,
}

/// Status of a table.
#[derive(Serialize, ToSchema)]
#[schema(as = Status)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StatusSchema {
    /// Waiting for players.
    Open,
    /// The game is in progress.
    Playing,
    /// The game has ended.
    Over,
    /// The game was called off.
    Aborted,
}

/// Public state of a seat.
#[derive(Serialize, ToSchema)]
#[schema(as = Seat)]
pub(crate) struct SeatSchema {
    /// Number of the seat, from 0.
    seat: u8,
    /// Name of the side, as the game calls it.
    #[schema(example = "X")]
    label: String,
    kind: SeatKindSchema,
    /// Name of the player; for a bot of the house, the spec it can be requested by.
    #[schema(required)]
    name: Option<String>,
    /// Name of the person who left and for whom this bot plays.
    #[schema(required)]
    stands_in_for: Option<String>,
    /// True if the player has an account.
    member: bool,
    /// Name of the member to whom the bot belongs; `null` for people and the house's own bots.
    #[schema(required)]
    owner: Option<String>,
    /// True if the player declared to be ready.
    ready: bool,
    /// True if the player asks for a rematch.
    rematch: bool,
    /// True if the player declined the rematch that others asked for last.
    declined_rematch: bool,
    /// Occasions on which the player is asked for moves out of turn.
    asking: AskWhenSchema,
}

/// Time control.
#[derive(Serialize, ToSchema)]
#[schema(as = TimeControl)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum TimeControlSchema {
    /// Fixed time for the whole game, with an optional increment per move.
    Total {
        /// Initial time of each player, in milliseconds.
        #[schema(minimum = 1_000, maximum = 86_400_000, example = 360_000)]
        initial_ms: u64,
        /// Increment per move, in milliseconds; 0 by default.
        #[schema(maximum = 600_000, required = false)]
        increment_ms: u64,
    },
    /// Fixed time for the whole game, from which the first part of each turn takes nothing (a simple
    /// delay).
    Delay {
        /// Initial time of each player, in milliseconds.
        #[schema(minimum = 1_000, maximum = 86_400_000, example = 120_000)]
        initial_ms: u64,
        /// Time of each turn during which the clock stands still, in milliseconds.
        #[schema(minimum = 1, maximum = 600_000, example = 8_000)]
        delay_ms: u64,
    },
    /// Fixed time for the whole game, to which the time of each turn is returned after it, up to the
    /// delay.
    Bronstein {
        /// Initial time of each player, in milliseconds.
        #[schema(minimum = 1_000, maximum = 86_400_000, example = 120_000)]
        initial_ms: u64,
        /// Maximum time that is returned after each turn, in milliseconds.
        #[schema(minimum = 1, maximum = 600_000, example = 8_000)]
        delay_ms: u64,
    },
    /// Fixed time for each move.
    Correspondence {
        /// Days per move.
        #[schema(minimum = 1, maximum = 30)]
        days: u64,
    },
}

/// Clocks of a table.
///
/// A running clock shows `left_ms` of its seat minus the time elapsed since `since`, of which the
/// first `delay_ms` take nothing. Clients can
/// measure their network delay with `ping` and `pong` on the socket; the server charges a move when
/// it accepts it.
#[derive(Serialize, ToSchema)]
#[schema(as = Clock)]
pub(crate) struct ClockSchema {
    control: TimeControlSchema,
    /// The time control in words.
    #[schema(example = "5 min + 3 s")]
    words: String,
    /// Milliseconds left per seat, as of `since`.
    left_ms: Vec<i64>,
    /// Seat whose clock is running.
    #[schema(required)]
    running: Option<u8>,
    /// Time since which the clock has been running, in milliseconds since the Unix epoch.
    #[schema(required)]
    since: Option<i64>,
    /// Time from `since` on for which the running clock stands still, in milliseconds; 0 without a
    /// delay.
    delay_ms: i64,
    /// Allowance of each seat for the delay of the network; omitted at tables without one.
    #[schema(required = false)]
    lag: Vec<LagSchema>,
    /// Time of the next automatic event, in milliseconds since the Unix epoch: a clock has reached
    /// zero, and no move is expected to be on its way, or a table that has not filled up or started is
    /// called off.
    #[schema(required)]
    due_at: Option<i64>,
    /// True if that event calls the table off: it waits for players, or for the first move, in rated
    /// games of either player.
    aborts: bool,
}

/// Allowance of a seat for the delay of the network.
#[derive(Serialize, ToSchema)]
#[schema(as = Lag)]
pub(crate) struct LagSchema {
    /// Round trip that was measured for the seat's last move, in milliseconds; 0 if none was.
    measured_ms: u32,
    /// Part of it that was taken off the time of that turn, in milliseconds.
    allowed_ms: u32,
    /// Most that will be for the next move, in milliseconds.
    quota_ms: i64,
}

/// Delay of the network for a move.
#[derive(Serialize, ToSchema)]
#[schema(as = MoveLag)]
#[serde(deny_unknown_fields)]
pub(crate) struct MoveLagSchema {
    /// Round trip that was measured, in milliseconds.
    #[schema(maximum = 60_000)]
    measured_ms: u32,
    /// Part of it that was taken off the time of the turn, in milliseconds; not more than was measured.
    #[schema(maximum = 60_000)]
    allowed_ms: u32,
}

/// Open offers at a table.
#[derive(Serialize, ToSchema)]
#[schema(as = Offers)]
pub(crate) struct OffersSchema {
    /// Seats that offer a draw.
    draw: Vec<u8>,
    /// Seat that asks to take back its last move.
    #[schema(required)]
    takeback: Option<u8>,
}

/// Kind of player in a seat.
#[derive(Serialize, ToSchema)]
#[schema(as = SeatKind)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SeatKindSchema {
    /// Empty seat.
    Open,
    /// A human player.
    Human,
    /// A built-in bot or a member's bot account.
    Bot,
}

/// Next event under the rules.
#[derive(Serialize, ToSchema)]
#[schema(as = Turn)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum TurnSchema {
    /// A seat is to move.
    Move {
        /// Number of the seat.
        seat: u8,
    },
    /// Dice or cards are to be drawn.
    Chance,
    /// The game is over.
    Over {
        /// Outcome of the game, however it ended; `null` if it was aborted, or if nobody was left to
        /// win it.
        #[schema(required)]
        outcome: Option<OutcomeSchema>,
    },
}

/// Outcome of a game under its rules.
#[derive(Serialize, ToSchema)]
#[schema(as = Outcome)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum OutcomeSchema {
    /// One seat won.
    Won {
        /// Seat of the winner.
        #[schema(maximum = 255)]
        seat: u8,
        /// Points for the win.
        #[schema(maximum = 65_535)]
        points: u16,
    },
    /// A draw.
    Draw,
    /// All seats won together.
    TeamWon,
    /// All seats lost together.
    TeamLost,
}

/// Ending of a game.
#[derive(Serialize, ToSchema)]
#[schema(as = Ending)]
pub(crate) struct EndingSchema {
    how: HowSchema,
    /// Outcome; `null` if the game was called off.
    #[schema(required)]
    outcome: Option<OutcomeSchema>,
}

/// Reason for the end of a game.
#[derive(Serialize, ToSchema)]
#[schema(as = How)]
#[serde(rename_all = "snake_case")]
pub(crate) enum HowSchema {
    /// Decided by the rules.
    Rules,
    /// A player resigned.
    Resignation,
    /// The players agreed on a draw.
    Agreement,
    /// A player ran out of time.
    Time,
    /// A player claimed the game after the opponent left.
    Claim,
    /// The game was called off.
    Abort,
}

/// Public state of a table's verifiable luck.
#[derive(Serialize, ToSchema)]
#[schema(as = Luck)]
pub(crate) struct LuckSchema {
    /// SHA-256 of the secret, published when the table is created; `null` where the players enter
    /// rolls by hand.
    #[schema(required)]
    commitment: Option<String>,
    /// True if the players roll real dice and enter the results. Such luck cannot be verified.
    by_hand: bool,
    /// Texts that the seats contributed.
    texts: Vec<String>,
    /// Number of draws so far.
    drawn: u32,
    /// The secret; `null` until the game is over.
    #[schema(required)]
    secret: Option<String>,
}

/// Clicks on the picture that enter a move.
#[derive(Serialize, ToSchema)]
#[schema(as = Click)]
pub(crate) struct ClickSchema {
    /// Text of the move; for a partial move, the `draft` to pass to `GET /tables/{id}/clicks`.
    r#move: String,
    /// Ids of the elements to click, in order; empty if the move has no place on the picture.
    path: Vec<String>,
    /// Description of the move.
    label: String,
    /// True for a partial move; omitted for a complete one.
    #[schema(required = false)]
    partial: bool,
    /// Seat that can play the move; omitted for the seat on turn.
    #[schema(required = false)]
    seat: u8,
}

/// Complete record of a game.
#[derive(Serialize, ToSchema)]
#[schema(as = Record)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordSchema {
    /// Name of the format.
    #[schema(example = "parlor-record/1")]
    format: String,
    /// Id of the table.
    table: String,
    /// Name of the game.
    game: String,
    /// Complete options of the game.
    options: GameOptionsSchema,
    /// Players by seat.
    players: Vec<RecordedPlayerSchema>,
    /// Luck of the table; `null` for games without luck.
    #[schema(required)]
    luck: Option<RecordedLuckSchema>,
    /// Moves and draws, in order.
    log: Vec<RecordStepSchema>,
    /// Changes of the players during the game, in order; omitted if there were none.
    #[schema(required = false)]
    handovers: Vec<RecordedHandoverSchema>,
    /// Time control of the table; omitted without clocks, and without `handovers` and any `lag`.
    #[schema(required = false)]
    clock: Option<TimeControlSchema>,
    #[schema(required)]
    ending: Option<EndingSchema>,
    /// Final position, in text notation.
    position: String,
}

/// Player in a record.
#[derive(Serialize, ToSchema)]
#[schema(as = RecordedPlayer)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordedPlayerSchema {
    /// Number of the seat.
    #[schema(maximum = 255)]
    seat: u8,
    /// `open`, `human` or `bot`.
    kind: String,
    /// Display name.
    #[schema(required)]
    name: Option<String>,
    /// Name of the person who left and for whom this bot played to the end; omitted otherwise.
    #[schema(required = false)]
    stands_in_for: Option<String>,
    /// Name of the member to whom this bot belongs; omitted for people and the house's own bots.
    #[schema(required = false)]
    owner: Option<String>,
}

/// Change of who plays a seat: the person to whom it belongs, or a bot that stands in.
#[derive(Serialize, ToSchema)]
#[schema(as = RecordedHandover)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordedHandoverSchema {
    /// Number of moves and draws before it.
    step: u64,
    /// Number of the seat.
    #[schema(maximum = 255)]
    seat: u8,
    /// Time of the change, in milliseconds since the Unix epoch.
    at: i64,
    why: HandoverReasonSchema,
    /// Name of the person.
    name: String,
    /// Spec of the bot that plays from then on; omitted if the person does.
    bot: Option<String>,
}

/// Reason why a seat changes its player during a game.
#[derive(Serialize, ToSchema)]
#[schema(as = HandoverReason)]
#[serde(rename_all = "snake_case")]
pub(crate) enum HandoverReasonSchema {
    /// The person resigned.
    Resigned,
    /// The others claimed a bot for the person, who was away.
    Away,
    /// The seat ran out of time.
    Time,
    /// The others chose another bot.
    Chosen,
    /// The person came back.
    Returned,
}

/// Luck in a record.
#[derive(Serialize, ToSchema)]
#[schema(as = RecordedLuck)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordedLuckSchema {
    /// SHA-256 of the secret, published when the table was created; omitted where the players
    /// entered rolls by hand.
    commitment: Option<String>,
    /// True if the players rolled real dice and entered the results; omitted otherwise.
    #[schema(required = false)]
    by_hand: bool,
    /// Texts that the seats contributed.
    texts: Vec<String>,
    /// The secret; `null` until the game is over.
    #[schema(required)]
    secret: Option<String>,
}

/// Move or draw in a record.
#[derive(Serialize, ToSchema)]
#[schema(as = RecordStep)]
#[serde(untagged)]
pub(crate) enum RecordStepSchema {
    Move(RecordedMoveSchema),
    Chance(RecordedChanceSchema),
}

/// Move in a record.
#[derive(Serialize, ToSchema)]
#[schema(as = RecordedMove)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordedMoveSchema {
    /// Seat that moved.
    #[schema(maximum = 255)]
    seat: u8,
    /// Text of the move.
    r#move: String,
    /// Time of the move, in milliseconds since the Unix epoch.
    at: i64,
    /// Delay of the network, and what was allowed for it; omitted if none was measured.
    #[schema(required = false)]
    lag: MoveLagSchema,
}

/// Draw in a record.
#[derive(Serialize, ToSchema)]
#[schema(as = RecordedChance)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordedChanceSchema {
    /// Index of the draw, from 0.
    #[schema(maximum = 4_294_967_295i64)]
    n: u32,
    /// Result in the game's notation.
    chance: String,
    /// Time of the draw, in milliseconds since the Unix epoch.
    at: i64,
}

/// Report of a verification.
#[derive(Serialize, ToSchema)]
#[schema(as = Report)]
pub(crate) struct ReportSchema {
    /// Number of moves replayed.
    moves: usize,
    /// Number of draws in the record.
    draws: usize,
    /// True if the draws were derived again, which needs the secret in the record.
    luck_checked: bool,
    /// Failed checks.
    problems: Vec<FindingSchema>,
}

/// A failed check.
#[derive(Serialize, ToSchema)]
#[schema(as = Finding)]
pub(crate) struct FindingSchema {
    /// Index of the step in the log, from 0; `null` if the check concerns the whole record.
    #[schema(required)]
    step: Option<usize>,
    /// Stable identifier for programs.
    rule: String,
    /// Description of the failure.
    message: String,
}

/// Analysis of a finished game. Values are seen from the deciding player unless noted otherwise.
#[derive(Serialize, ToSchema)]
#[schema(as = Analysis)]
pub(crate) struct AnalysisSchema {
    units: UnitsSchema,
    /// Description of the method.
    method: String,
    /// One entry for each step of the record's log, in order.
    steps: Vec<JudgedSchema>,
    /// One entry for each seat.
    seats: Vec<TotalsSchema>,
}

/// Units of an analysis, as text.
#[derive(Serialize, ToSchema)]
#[schema(as = Units)]
pub(crate) struct UnitsSchema {
    /// Unit of values and losses.
    worth: String,
    /// True if values are a team's chance to win, from 0 to 1 and the same for all seats; omitted
    /// otherwise.
    #[schema(required = false)]
    is_team_chance: bool,
    /// Unit of the stakes, such as the `cost` of all mistakes.
    #[schema(example = "points")]
    stake: String,
}

/// Analysis of one step.
#[derive(Serialize, ToSchema)]
#[schema(as = Judged)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum JudgedSchema {
    /// A decision of a player.
    Decision {
        /// Seat that decided.
        seat: u8,
        /// Kind of decision.
        topic: String,
        /// Description of the decision to make.
        about: String,
        /// Value of the position for seat 0 after the best decision.
        standing: f64,
        /// Probability that seat 0 wins after the best decision, from 0 to 1.
        winning: f64,
        /// Verdict in words, where the list of alternatives does not show it.
        #[schema(required)]
        verdict: Option<String>,
        /// Figures behind the verdict, as pairs of title and number.
        #[schema(value_type = Vec<Vec<Value>>)]
        details: (),
        /// Alternatives, best first; long lists are truncated.
        ranked: Vec<RankedSchema>,
        /// Number of alternatives before truncation.
        all: usize,
        /// Index of the alternative played, from 0.
        #[schema(required)]
        played: Option<usize>,
        /// Value lost compared to the best alternative, 0 or more.
        loss: f64,
        mark: MarkSchema,
        /// True if the decision counts in rates.
        counts: bool,
        /// Stake that corresponds to a value of 1.
        stake: f64,
    },
    /// A move without alternatives.
    Forced {
        /// Number of the seat.
        seat: u8,
    },
    /// A roll of the dice or a card drawn.
    Luck {
        /// Seat that was lucky or unlucky.
        seat: u8,
        /// The draw in players' notation.
        text: String,
        /// Value gained by that seat compared to the average draw.
        luck: f64,
        /// Stake that corresponds to a value of 1.
        stake: f64,
    },
    /// A step that is not analyzed.
    Nothing,
}

/// One alternative of a decision.
#[derive(Serialize, ToSchema)]
#[schema(as = Ranked)]
pub(crate) struct RankedSchema {
    /// Text of the move.
    r#move: String,
    /// The move in players' notation.
    text: String,
    /// Value of the move.
    worth: f64,
    /// Standard error of the value, if it comes from a rollout.
    #[schema(required)]
    error: Option<f64>,
    /// Value lost compared to the best alternative.
    loss: f64,
    /// Further figures, as pairs of title and number.
    #[schema(value_type = Vec<Vec<Value>>)]
    details: (),
    /// Method of evaluation.
    method: String,
    /// Reasons for the move in words, the most important first; omitted if there are none.
    #[schema(required = false)]
    reasons: Vec<String>,
    /// The move, and what is planned after it, on the board: ids of elements of the picture, one for what
    /// happens at a place, or the two between which something moves; omitted if it has no places.
    #[schema(required = false)]
    trail: Vec<Vec<String>>,
}

/// Severity of a mistake.
#[derive(Serialize, ToSchema)]
#[schema(as = Mark)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MarkSchema {
    /// No mistake, or a negligible one.
    Fine,
    /// A small mistake.
    Inaccuracy,
    /// A mistake that costs games in the long run.
    Error,
    /// A mistake that can cost the game at once.
    Blunder,
}

/// Totals of one seat over a game.
#[derive(Serialize, ToSchema)]
#[schema(as = Totals)]
pub(crate) struct TotalsSchema {
    /// Number of the seat.
    seat: u8,
    /// Number of counted decisions by severity: fine, inaccuracies, errors, blunders.
    marks: Vec<u32>,
    /// Total value lost by mistakes.
    loss: f64,
    /// Total stake lost by mistakes.
    cost: f64,
    /// Total value gained by luck.
    luck: f64,
    /// Total stake gained by luck.
    luck_cost: f64,
    /// Totals by kind of decision, the most frequent first.
    parts: Vec<PartSchema>,
    /// Error rates customary in this game, as pairs of name and number.
    #[schema(value_type = Vec<Vec<Value>>)]
    rates: (),
    /// Result of the seat, in stakes; `null` unless the rules decided the game.
    #[schema(required)]
    result: Option<f64>,
    /// Luck-adjusted result.
    #[schema(required)]
    adjusted: Option<f64>,
}

/// Totals for one kind of decision.
#[derive(Serialize, ToSchema)]
#[schema(as = Part)]
pub(crate) struct PartSchema {
    /// Kind of decision.
    topic: String,
    /// Number of decisions, excluding forced ones.
    decisions: u32,
    /// Number of decisions that count in rates.
    counted: u32,
    /// Value lost by mistakes.
    loss: f64,
    /// Stake lost by mistakes.
    cost: f64,
}

/// Problem details of a failed request (RFC 9457).
#[derive(Serialize, ToSchema)]
#[schema(as = Problem)]
pub(crate) struct ProblemSchema {
    /// Stable identifier for programs.
    #[schema(example = "/problems/stale-version")]
    r#type: String,
    /// Short summary of the kind of problem.
    title: String,
    /// HTTP status code.
    status: u16,
    /// Explanation of this occurrence; for illegal moves, the reason given by the game.
    detail: String,
    /// Current version of the table, if the request was based on an older one.
    current: Option<u64>,
}

/// Occupant of a seat in an event.
#[derive(Serialize, ToSchema)]
#[schema(as = Player)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum PlayerSchema {
    /// Empty seat.
    Open,
    /// A person.
    Human {
        /// Display name.
        name: String,
        /// Number of the account; omitted for guests.
        #[schema(required = false)]
        user: u64,
        /// Name of the member to whom the bot belongs that plays here; omitted for people.
        #[schema(required = false)]
        owner: String,
    },
    /// A bot.
    Bot {
        /// Spec of the bot, such as `level:3`.
        spec: String,
    },
}

/// Claim to a game that a player has left.
#[derive(Serialize, ToSchema)]
#[schema(as = Claim)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ClaimSchema {
    /// A win.
    Win,
    /// A draw.
    Draw,
    /// A bot in place of the absent partner.
    StandIn,
}

/// Turn and clocks at a table.
#[derive(Serialize, ToSchema)]
#[schema(as = Situation)]
pub(crate) struct SituationSchema {
    /// Seat on turn, luck, or the outcome.
    turn: TurnSchema,
    /// Clocks; omitted in an untimed game.
    #[schema(required = false)]
    clock: ClockReadingSchema,
}

/// Clocks at the time of an event.
#[derive(Serialize, ToSchema)]
#[schema(as = ClockReading)]
pub(crate) struct ClockReadingSchema {
    /// Time left by seat, in milliseconds.
    left_ms: Vec<i64>,
    /// Seat whose clock runs from this event on; omitted if none runs.
    #[schema(required = false)]
    running: u8,
    /// Time for which that clock stands still from this event on, in milliseconds; omitted without a
    /// delay.
    #[schema(required = false)]
    delay_ms: i64,
}

/// Declares the entries of a table's log, each with its version and time.
macro_rules! log_entry {
    ($($(#[$about:meta])* $name:ident { $($fields:tt)* })*) => {
        /// Event at a table, with its version and time.
        #[derive(Serialize, ToSchema)]
        #[schema(as = LogEntry)]
        #[serde(tag = "type", rename_all = "snake_case")]
        pub(crate) enum LogEntrySchema {
            $(
                $(#[$about])*
                $name {
                    /// Number of the event, from 1.
                    version: u64,
                    /// Time of the event, in milliseconds since the Unix epoch.
                    at: i64,
                    /// Turn and clocks after the event, if it may have changed them; events from before
                    /// this was kept have none.
                    #[schema(required = false)]
                    after: SituationSchema,
                    $($fields)*
                },
            )*
        }
    };
}

log_entry! {
    /// The table was created.
    Created {
        /// Id of the table.
        table: String,
        /// Name of the game.
        game: String,
        /// Complete options of the game.
        options: GameOptionsSchema,
        /// Players by seat.
        seats: Vec<PlayerSchema>,
        /// True if the lobby lists the table and anyone may join.
        listed: bool,
        /// True if only its players, and those with a link from them, may see the table; omitted
        /// otherwise.
        #[schema(required = false)]
        private: bool,
        /// SHA-256 of the secret behind the table's luck; `null` in games without luck.
        #[schema(required)]
        commitment: Option<String>,
        /// True if the players roll real dice and enter the results; omitted otherwise.
        #[schema(required = false)]
        luck_by_hand: bool,
        /// Table that this one is a rematch of.
        #[schema(required)]
        previous: Option<String>,
        /// Half points that the players won in the earlier games of the series of rematches, by
        /// seat; omitted in its first game.
        #[schema(required = false)]
        series: Vec<u32>,
        /// Time control; omitted without one.
        #[schema(required = false)]
        clock: TimeControlSchema,
        /// True if the game affects the players' ratings; omitted otherwise.
        #[schema(required = false)]
        rated: bool,
        /// True if people cannot write to each other at the table; omitted otherwise.
        #[schema(required = false)]
        without_talk: bool,
        /// True if nobody is advised at the table; omitted otherwise.
        #[schema(required = false)]
        without_advice: bool,
        /// True if a takeback takes back the increments for the moves, too; omitted otherwise.
        #[schema(required = false)]
        increments_return: bool,
        /// True if the clocks allow for the delay of the network; omitted otherwise.
        #[schema(required = false)]
        lag_allowance: bool,
    }
    /// A player took a seat.
    Joined {
        /// Number of the seat.
        seat: u8,
        player: PlayerSchema,
    }
    /// A seat was given up before the start.
    Left {
        /// Number of the seat.
        seat: u8,
    }
    /// A seat mixed a text into the table's luck.
    LuckText {
        /// Number of the seat.
        seat: u8,
        /// The text.
        text: String,
    }
    /// All seats are taken and the game has begun.
    Started {}
    /// A seat is ready to play.
    Ready {
        /// Number of the seat.
        seat: u8,
    }
    /// A move was played.
    Moved {
        /// Seat that moved.
        seat: u8,
        /// Text of the move.
        r#move: String,
        /// The client's id of the move.
        #[schema(required)]
        id: Option<String>,
        /// Delay of the network, and what was allowed for it; omitted if none was measured.
        #[schema(required = false)]
        lag: MoveLagSchema,
    }
    /// Dice were rolled or cards drawn.
    Chance {
        /// Index of this draw, from 0.
        n: u32,
        /// Result in the game's notation.
        chance: String,
    }
    /// A seat offered a draw or agreed to one.
    DrawOffered {
        /// Number of the seat.
        seat: u8,
    }
    /// A seat declined the draw that others had offered.
    DrawDeclined {
        /// Number of the seat.
        seat: u8,
    }
    /// A seat asked to take back its last move.
    TakebackOffered {
        /// Number of the seat.
        seat: u8,
    }
    /// A seat declined a request to take back a move.
    TakebackDeclined {
        /// Number of the seat.
        seat: u8,
    }
    /// The last moves were taken back.
    TakenBack {
        /// Number of moves and draws removed.
        moves: u32,
    }
    /// A seat gave another more time.
    TimeGiven {
        /// Seat that gave the time.
        seat: u8,
        /// Seat that received it.
        to: u8,
        /// Time given, in milliseconds.
        ms: i64,
    }
    /// Nobody could play for a while, so that the running clock stood still.
    Paused {
        /// Time from which, in milliseconds since the Unix epoch.
        from: i64,
        /// Time until which, in milliseconds since the Unix epoch.
        until: i64,
    }
    /// A seat chose when it is asked for moves out of turn.
    Asking {
        /// Number of the seat.
        seat: u8,
        when: AskWhenSchema,
    }
    /// Seats that can move out of turn are asked, and the seat on turn waits for them.
    Asked {
        /// Numbers of the seats.
        seats: Vec<u8>,
        /// Time at which those that have not answered have passed, in milliseconds since the Unix epoch.
        until: i64,
    }
    /// A seat that was asked does not move out of turn now.
    Passed {
        /// Number of the seat.
        seat: u8,
        /// True if it is not asked again in this turn; omitted otherwise.
        #[schema(required = false)]
        rest_of_turn: bool,
        /// True if it gave no answer in time; omitted otherwise.
        #[schema(required = false)]
        unanswered: bool,
    }
    /// A seat claimed a game that the opponent had left, or a bot for an absent partner.
    Claimed {
        /// Number of the seat.
        seat: u8,
        claim: ClaimSchema,
    }
    /// A seat ran out of time.
    Flagged {
        /// Number of the seat.
        seat: u8,
        /// Spec of the bot that takes over, if the game goes on.
        #[schema(required)]
        replaced_by: Option<String>,
        /// Name of the person for whom that bot plays; omitted otherwise.
        #[schema(required = false)]
        name: String,
    }
    /// A seat resigned.
    Resigned {
        /// Number of the seat.
        seat: u8,
        /// Spec of the bot that takes over, if the game goes on.
        #[schema(required)]
        replaced_by: Option<String>,
        /// Name of the person for whom that bot plays; omitted otherwise.
        #[schema(required = false)]
        name: String,
    }
    /// Those who remain in a team chose the bot that plays for somebody who left.
    StandInChosen {
        /// Seat of the bot.
        seat: u8,
        /// Seat that chose.
        by: u8,
        /// Spec of the bot.
        spec: String,
    }
    /// A person who had left took the seat back from the bot.
    Returned {
        /// Number of the seat.
        seat: u8,
        /// Name of the person.
        name: String,
    }
    /// A seat asked for a rematch or agreed to one.
    RematchOffered {
        /// Number of the seat.
        seat: u8,
    }
    /// A seat declined the rematch that others had asked for.
    RematchDeclined {
        /// Number of the seat.
        seat: u8,
    }
    /// All players agreed to a rematch at another table.
    RematchAgreed {
        /// Id of the table of the rematch.
        next: String,
    }
    /// The game is over.
    Ended { ending: EndingSchema, }
    /// The secret behind the table's luck was published.
    Revealed {
        /// The secret, in hexadecimal.
        secret: String,
    }
}

/// Line of the personal stream.
#[derive(Serialize, ToSchema)]
#[schema(as = MyEvent)]
#[serde(untagged)]
pub(crate) enum MyEventSchema {
    Notification(crate::hub::Notification),
    Control(super::me_events::MyEventsControl),
    End(super::events::StreamEnd),
}

/// Line of a table's stream.
#[derive(Serialize, ToSchema)]
#[schema(as = TableStreamEvent)]
#[serde(untagged)]
pub(crate) enum TableStreamSchema {
    Entry(Box<LogEntrySchema>),
    End(super::events::StreamEnd),
}

/// Line of the stream of somebody who waits for an opponent.
#[derive(Serialize, ToSchema)]
#[schema(as = QueueStreamEvent)]
#[serde(untagged)]
pub(crate) enum QueueStreamSchema {
    Event(crate::queue::QueueEvent),
    End(super::events::StreamEnd),
}
