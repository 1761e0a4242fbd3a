//! Sentences about games, options and players.

use parlor_games::{AnyPosition, GameKind, OutcomeView, TurnView, bots, in_order};
use parlor_table::{How, SeatView, Status, TableView};
use serde_json::Value;

use super::history;
use super::snapshot::Snapshot;

/// With more draws than this before the first move a set-up is not told in words.
const LONG_SET_UP: usize = 4;
/// What a seat without a player is called in a list.
const FREE: &str = "free";

/// Options in a few words: the name people know them by, or one by one.
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
    let said = in_order(&schema)
        .into_iter()
        .filter_map(|(field, property)| {
            let value = options.get(field).filter(|value| value.is_number())?;
            Some(format!(
                "{} {value}",
                property["title"].as_str().unwrap_or(field)
            ))
        });
    said.collect::<Vec<_>>().join(" · ")
}

/// A bot's title, or its spec if it is none of those that are offered.
pub(super) fn bot(position: &AnyPosition, spec: String) -> String {
    let title = bots::list(position)
        .into_iter()
        .find(|bot| bot.spec == spec)
        .map(|bot| bot.title.to_owned());
    title.unwrap_or(spec)
}

/// The players of a table in one line; seats without a name are free.
pub(super) fn players<'a>(names: impl Iterator<Item = Option<&'a str>>) -> String {
    let names: Vec<&str> = names.map(|name| name.unwrap_or(FREE)).collect();
    match names.as_slice() {
        [first, rest @ ..]
            if !rest.is_empty() && *first != FREE && rest.iter().all(|name| name == first) =>
        {
            format!("{first}, all seats")
        }
        names => names.join(" – "),
    }
}

/// How much time there is, and what for the game is played: "5 min + 3 s, rated".
pub(super) fn pace(table: &TableView) -> String {
    let time = table
        .clock
        .as_ref()
        .map_or("no clock", |clock| &clock.words);
    let kind = GameKind::from_name(table.game);
    let team = kind.as_ref().is_ok_and(|kind| kind.is_cooperative());
    let stakes = match table.rated {
        true => "rated",
        false if team => "as a team",
        false => "for fun",
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

/// Who sits in a seat, or its label when nobody does.
pub(super) fn who(seat: &SeatView) -> &str {
    seat.name.as_deref().unwrap_or(&seat.label)
}

/// What happened lately, in full sentences: the last move that shows, and the luck and the passes after it. Before the first move it is
/// only luck; of a long set-up the picture tells more.
pub(super) fn recent(table: &Snapshot) -> String {
    let set_up = table.moves[..table.step]
        .iter()
        .all(|played| played.seat.is_none());
    if set_up && table.step > LONG_SET_UP {
        return table.news.clone().unwrap_or_default();
    }
    let told = history::recent(&table.moves, table.step)
        .iter()
        .map(|played| {
            let seat = played
                .seat
                .and_then(|seat| table.view.seats.get(usize::from(seat)));
            seat.map_or_else(
                || format!("{}.", capital(&played.label)),
                |seat| format!("{}: {}.", seat.label, played.label),
            )
        });
    let told: Vec<String> = told.chain(table.news.clone()).collect();
    told.join(" ")
}

/// How the table stands, in one sentence, for the one who looks.
pub(super) fn standing(table: &Snapshot) -> String {
    let view = &table.view;
    match view.status {
        Status::Open => match view.seats.iter().filter(|seat| seat.kind == "open").count() {
            1 if table.mine.is_empty() => "A seat is free".to_owned(),
            n if table.mine.is_empty() => format!("{n} seats are free"),
            1 => "Waiting for another player".to_owned(),
            n => format!("Waiting for {n} more players"),
        },
        Status::Playing => match view.turn {
            TurnView::Move { seat } => to_move(table, seat),
            TurnView::Chance if !table.chances.is_empty() && !table.kind.chances_recur() => {
                "Draw a card, and type in what came up".to_owned()
            }
            TurnView::Chance if !table.chances.is_empty() => {
                "Roll, and type in what came up".to_owned()
            }
            TurnView::Chance if by_hand(view) && table.kind.chances_recur() => {
                "The dice are rolling".to_owned()
            }
            TurnView::Chance | TurnView::Over { .. } => "Luck decides".to_owned(),
        },
        Status::Over => ended(table),
        Status::Aborted => "The game was called off".to_owned(),
    }
}

fn by_hand(view: &TableView) -> bool {
    view.luck.as_ref().is_some_and(|luck| luck.by_hand)
}

fn to_move(table: &Snapshot, seat: u8) -> String {
    let Some(view) = table.view.seats.get(usize::from(seat)) else {
        return String::new();
    };
    let mine = table.mine.contains(&seat);
    match (mine, view.kind) {
        (true, _) if table.mine.len() > 1 => format!("{} to move", view.label),
        (true, _) => "Your turn".to_owned(),
        (false, "bot") => format!("{} is thinking", who(view)),
        (false, _) => format!("{} to move", who(view)),
    }
}

fn ended(table: &Snapshot) -> String {
    let Some(ending) = table.view.ending else {
        return "The game is over".to_owned();
    };
    let how = match ending.how {
        How::Resignation if ending.outcome == Some(OutcomeView::TeamLost) => {
            ": nobody is left to play"
        }
        How::Resignation => " by resignation",
        How::Time => " on time",
        How::Agreement => " by agreement",
        How::Claim => ", because the other side left",
        How::Rules | How::Abort => "",
    };
    match ending.outcome {
        Some(OutcomeView::Won { seat, .. }) if table.mine == [seat] => format!("You won{how}"),
        Some(OutcomeView::Won { seat, .. }) => {
            let winner = table.view.seats.get(usize::from(seat));
            let name = winner.map_or("Nobody", |winner| {
                if table.mine.len() > 1 {
                    &winner.label
                } else {
                    who(winner)
                }
            });
            format!("{name} won{how}")
        }
        Some(OutcomeView::Draw) => format!("A draw{how}"),
        Some(OutcomeView::TeamWon) if table.mine.is_empty() => format!("The team won{how}"),
        Some(OutcomeView::TeamWon) => format!("You won together{how}"),
        Some(OutcomeView::TeamLost) if table.mine.is_empty() => format!("The team lost{how}"),
        Some(OutcomeView::TeamLost) => format!("You lost together{how}"),
        None => format!("The game ended{how}"),
    }
}
