//! Words and sentences about games, options and players.

use std::fmt;

use maud::{Markup, Render, html};
use parlor_games::{AnyPosition, GameKind, OutcomeView, bots, in_order};
use parlor_table::{
    EndReason, HandoverReason, RecordedHandover, SeatView, TableStatus, TableTurn, TableView,
};
use serde_json::Value;

use super::history;
use super::snapshot::TableSnapshot;

/// Maximum number of draws before the first move that are listed in words.
const LONG_SET_UP: usize = 4;
/// Name of a seat without a player in a list.
const FREE: &str = "open seat";

/// Describes options in a few words: by the name of their preset, or one by one.
pub(super) fn options(kind: GameKind, options: &Value) -> String {
    let same = |wanted: &Value| {
        let fields = wanted.as_object().into_iter().flatten();
        let mut fields = fields.peekable();
        fields.peek().is_some() && fields.all(|(field, value)| options.get(field) == Some(value))
    };
    if let Some(preset) = kind
        .presets()
        .into_iter()
        .find(|preset| same(&preset.options))
    {
        return preset.title.to_owned();
    }
    let schema = kind.options_schema();
    let parts = in_order(&schema)
        .into_iter()
        .filter_map(|(field, property)| {
            let value = options.get(field).filter(|value| value.is_number())?;
            Some(format!(
                "{} {value}",
                property["title"].as_str().unwrap_or(field)
            ))
        });
    parts.collect::<Vec<_>>().join(" · ")
}

/// Returns a bot's level and name, or its spec if it is not listed.
pub(super) fn bot(position: &AnyPosition, spec: String) -> String {
    bots::find(position, &spec).map_or(spec, |bot| bot.label())
}

/// Returns the name of each player for a list; of bots that stand in for people, the people's names.
pub(super) fn listed_names(table: &TableView) -> Vec<Option<String>> {
    let name = |seat: &SeatView| match &seat.stands_in_for {
        Some(person) => Some(stand_in(person)),
        None if seat.owner.is_some() => seat.name.as_deref().map(program),
        None => seat.name.clone(),
    };
    table.seats.iter().map(name).collect()
}

/// Returns the name for a list of a bot that stands in for a person.
pub(super) fn stand_in(person: &str) -> String {
    format!("{person} (computer)")
}

/// Returns the name for a list of a member's bot.
pub(super) fn program(name: &str) -> String {
    format!("{name} (bot)")
}

/// Lists the players of a table in one line; seats without a name are open.
pub(super) fn players<'a>(names: impl Iterator<Item = Option<&'a str>>) -> Markup {
    let names: Vec<&str> = names.map(|name| name.unwrap_or(FREE)).collect();
    match names.as_slice() {
        [first, rest @ ..]
            if !rest.is_empty() && *first != FREE && rest.iter().all(|name| name == first) =>
        {
            html! { bdi { (first) } " (all seats)" }
        }
        names => {
            html! { @for (n, name) in names.iter().enumerate() { @if n > 0 { " – " } bdi { (name) } } }
        }
    }
}

/// Describes the clock and the stakes of a game: "5 min + 3 s · rated".
pub(super) fn time_and_stakes(table: &TableView) -> String {
    let time = table
        .clock
        .as_ref()
        .map_or("no clock", |clock| &clock.words);
    let kind = GameKind::from_name(table.game);
    let team = kind.as_ref().is_ok_and(|kind| kind.is_cooperative());
    let stakes = match table.rated {
        true => "rated",
        false if team => "team game",
        false => "casual",
    };
    let own = if kind.is_ok_and(GameKind::chances_recur) {
        " · real dice"
    } else {
        " · real cards"
    };
    let luck = table
        .luck
        .as_ref()
        .filter(|luck| luck.by_hand)
        .map_or("", |_| own);
    format!("{time} · {stakes}{luck}")
}

pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters).collect())
        .unwrap_or_default()
}

/// Returns the name of the player in a seat, or the seat's label if it is open.
pub(super) fn player_name(seat: &SeatView) -> &str {
    seat.name.as_deref().unwrap_or(&seat.label)
}

/// Describes the latest events in sentences: the last move that shows on the board, and the draws
/// and passes after it. A long series of setup draws is left out, since the picture shows its
/// result.
pub(super) fn recent_events(table: &TableSnapshot) -> String {
    let set_up = table.game.moves[..table.board.step]
        .iter()
        .all(|played| played.seat.is_none());
    if set_up && table.board.step > LONG_SET_UP {
        return table.board.news.clone().unwrap_or_default();
    }
    let is_past = table.board.step < table.game.moves.len();
    let mut sentences: Vec<String> = events_before(table, table.board.step).collect();
    if is_past && table.game.kind.is_narrated() {
        // A step that is being told is seen for a moment only.
        sentences.drain(..sentences.len().saturating_sub(1));
    }
    // The end of a game within a match matters more than the move that brought it.
    sentences.splice(0..0, table.board.news.clone());
    sentences.join(" ")
}

/// Describes the latest events of the game in sentences, whatever step is on display.
pub(super) fn last_events(table: &TableSnapshot) -> String {
    let events = events_before(table, table.game.moves.len());
    events.collect::<Vec<String>>().join(" ")
}

/// Describes the viewer's last move and all that has happened since, or the latest events to one who
/// watches, one sentence per event, and what follows from them.
pub(super) fn recap(table: &TableSnapshot) -> Vec<String> {
    let moves = &table.game.moves;
    let latest = moves.len() - history::recent(moves, moves.len()).len();
    let own = history::own_last(moves, &table.may.seats);
    let from = own.map_or(latest, |since| latest.min(since - 1));
    events(table, from, moves.len())
        .chain(table.latest_news())
        .collect()
}

/// Describes a change of who plays a seat.
pub(super) fn handover(table: &TableSnapshot, change: &RecordedHandover) -> Sentence {
    let RecordedHandover { why, name, bot, .. } = change;
    let bot = bot.as_deref().map(|spec| table.bot(spec));
    let bot = bot.unwrap_or_default();
    let plays_on = |reason: &str| {
        let after = format!(" {reason}. A computer plays on: {bot}.");
        Sentence::new("", name, after)
    };
    match why {
        HandoverReason::Resigned => plays_on("left"),
        HandoverReason::Away => plays_on("was away for too long"),
        HandoverReason::Time => plays_on("ran out of time"),
        HandoverReason::Chosen => Sentence::new(
            "The computer that plays for ",
            name,
            format!(" is now: {bot}."),
        ),
        HandoverReason::Returned => Sentence::new("", name, " is back."),
    }
}

/// Returns a sentence for each of the latest events up to a step.
fn events_before(table: &TableSnapshot, step: usize) -> impl Iterator<Item = String> {
    let step = step.min(table.game.moves.len());
    let recent = history::recent(&table.game.moves, step);
    events(table, step - recent.len(), step)
}

/// Returns a sentence for each event after one step up to another, and for each change of a player.
fn events(table: &TableSnapshot, from: usize, to: usize) -> impl Iterator<Item = String> {
    let seat_of = |seat: Option<u8>| table.game.view.seats.get(usize::from(seat?));
    let moves = &table.game.moves;
    let changes = move |at: usize| {
        let changes = table.game.handovers.iter();
        let now = changes.filter(move |change| change.step == at);
        now.map(move |change| handover(table, change).to_string())
    };
    let steps = (from..)
        .zip(&moves[from..to])
        .flat_map(move |(at, played)| {
            let told = match seat_of(played.seat) {
                Some(seat) => format!("{}: {}.", seat.label, played.label),
                // Dice belong to whoever plays them.
                None => {
                    let next = match (moves.get(at + 1), &table.game.view.turn) {
                        (Some(next), _) => next.seat,
                        (None, TableTurn::Move { seat }) => Some(*seat),
                        (None, _) => None,
                    };
                    match seat_of(next).filter(|_| played.is_roll()) {
                        Some(seat) => format!("{} has {}.", seat.label, played.label),
                        None => format!("{}.", capital(&played.label)),
                    }
                }
            };
            changes(at).chain([told])
        });
    // A step that is seen again is told without the changes after it.
    let is_latest = to == moves.len();
    steps.chain(changes(to).filter(move |_| is_latest))
}

/// Returns points with halves as "½".
pub(super) fn points(points: f64) -> String {
    let whole = points.trunc();
    match (points > whole, whole > 0.0) {
        (true, true) => format!("{whole}½"),
        (true, false) => "½".to_owned(),
        (false, _) => whole.to_string(),
    }
}

/// A sentence with the name of a player in it. In HTML the name stands apart, so that its script does
/// not turn the words around it.
pub(super) struct Sentence {
    before: String,
    name: String,
    after: String,
}

impl Sentence {
    fn new(before: impl Into<String>, name: &str, after: impl Into<String>) -> Sentence {
        Sentence {
            before: before.into(),
            name: name.to_owned(),
            after: after.into(),
        }
    }
}

impl<T: Into<String>> From<T> for Sentence {
    fn from(text: T) -> Sentence {
        Sentence::new(text, "", "")
    }
}

impl fmt::Display for Sentence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.before, self.name, self.after)
    }
}

impl Render for Sentence {
    fn render(&self) -> Markup {
        html! { (self.before) @if !self.name.is_empty() { bdi { (self.name) } } (self.after) }
    }
}

/// Describes the status of the table in one sentence, for its viewer.
pub(super) fn status_line(table: &TableSnapshot) -> Sentence {
    let view = &table.game.view;
    match view.status {
        TableStatus::Open => match view.seats.iter().filter(|seat| seat.kind == "open").count() {
            1 if table.may.seats.is_empty() => "One seat is open".into(),
            n if table.may.seats.is_empty() => format!("{n} seats are open").into(),
            1 => "Waiting for another player".into(),
            n => format!("Waiting for {n} more players").into(),
        },
        TableStatus::Playing => match view.turn {
            TableTurn::Move { .. } if table.may.is_asked => "Do you want to step in?".into(),
            TableTurn::Move { seat } => turn_line(table, seat),
            TableTurn::Chance
                if !table.may.chances.is_empty() && !table.game.kind.chances_recur() =>
            {
                "Draw a card and enter it".into()
            }
            TableTurn::Chance if !table.may.chances.is_empty() => {
                "Roll the dice and enter the result".into()
            }
            TableTurn::Chance if by_hand(view) && table.game.kind.chances_recur() => {
                "The dice are rolling".into()
            }
            TableTurn::Chance | TableTurn::Over { .. } => "Luck decides".into(),
        },
        TableStatus::Over => ending_line(table),
        TableStatus::Aborted => "The game was called off".into(),
    }
}

fn by_hand(view: &TableView) -> bool {
    view.luck.as_ref().is_some_and(|luck| luck.by_hand)
}

/// Returns the seat that asks the one on turn for consent.
fn asker(table: &TableSnapshot) -> Option<&SeatView> {
    let seat = table.game.asker?;
    table.game.view.seats.get(usize::from(seat))
}

fn turn_line(table: &TableSnapshot, seat: u8) -> Sentence {
    // The one on turn waits for those who are asked.
    let asked = table.game.view.asked.as_ref();
    let seat = asked
        .and_then(|asked| asked.seats.first().copied())
        .unwrap_or(seat);
    let Some(view) = table.game.view.seats.get(usize::from(seat)) else {
        return "".into();
    };
    if asked.is_some() {
        return Sentence::new("", player_name(view), " may step in");
    }
    let mine = table.may.seats.contains(&seat);
    if let Some(asker) = asker(table) {
        let (own, by) = (table.may.seats.len(), player_name(asker));
        match (mine, own) {
            (true, 1) => return Sentence::new("", by, " asks you"),
            (true, _) => return Sentence::new("", by, format!(" asks {}", view.label)),
            (false, 0) => return Sentence::new("", player_name(view), " is asked"),
            (false, _) => {}
        }
    }
    match (mine, view.kind) {
        (true, _) if table.may.seats.len() > 1 => format!("{} to move", view.label).into(),
        (true, _) => "Your turn".into(),
        (false, _) if table.may.seats.is_empty() => {
            Sentence::new("", player_name(view), " to move")
        }
        (false, _) => Sentence::new("Waiting for ", player_name(view), ""),
    }
}

fn ending_line(table: &TableSnapshot) -> Sentence {
    let Some(ending) = table.game.view.ending else {
        return "The game is over".into();
    };
    let mine = table.may.seats.as_slice();
    let lost = matches!((ending.outcome, mine), (Some(OutcomeView::Won { seat, .. }), [me]) if seat != *me);
    let how = match ending.how {
        EndReason::Resignation if ending.outcome == Some(OutcomeView::TeamLost) => {
            ": everybody has left"
        }
        EndReason::Resignation => " by resignation",
        EndReason::Time => " on time",
        EndReason::Agreement => " by agreement",
        EndReason::Claim if lost => ", you had left",
        EndReason::Claim => ", opponent left",
        EndReason::Rules | EndReason::Abort => "",
    };
    match ending.outcome {
        Some(OutcomeView::Won { seat, .. }) if mine == [seat] => format!("You won{how}").into(),
        Some(OutcomeView::Won { .. }) if lost => format!("You lost{how}").into(),
        Some(OutcomeView::Won { seat, .. }) => {
            let winner = table.game.view.seats.get(usize::from(seat));
            let name = winner.map_or("Nobody", |winner| {
                if table.may.seats.len() > 1 {
                    &winner.label
                } else {
                    player_name(winner)
                }
            });
            Sentence::new("", name, format!(" won{how}"))
        }
        Some(OutcomeView::Draw) => format!("Draw{how}").into(),
        Some(OutcomeView::TeamWon) if table.may.seats.is_empty() => {
            format!("The team won{how}").into()
        }
        Some(OutcomeView::TeamWon) => format!("You won together{how}").into(),
        Some(OutcomeView::TeamLost) if table.may.seats.is_empty() => {
            format!("The team lost{how}").into()
        }
        Some(OutcomeView::TeamLost) => format!("You lost together{how}").into(),
        None => format!("The game ended{how}").into(),
    }
}
