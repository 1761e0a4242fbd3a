//! Writing of states as JSON.

use parlor_backgammon::{Die, color_name};
use parlor_formats::state_json::{LastMoveEntry, Message, StateDocument};
use serde::Serialize;

use crate::backgammon::view::Both;

/// State with its fields in the order of the schema.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Written<'a> {
    turn: u64,
    active_player: &'static str,
    dice: Vec<u8>,
    dice_used: Vec<u8>,
    board: [i8; 24],
    bar: Both<u8>,
    home: Both<u8>,
    last_move: Option<WrittenMove>,
    status: &'static str,
    winner: Option<&'static str>,
    players: Both<&'a str>,
    messages: Vec<WrittenMessage<'a>>,
    updated_at: &'a str,
}

#[derive(Serialize)]
struct WrittenMove {
    sequence: u64,
    player: &'static str,
    file: String,
}

#[derive(Serialize)]
struct WrittenMessage<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    text: &'a str,
    timestamp: &'a str,
}

/// Returns the text of `state.json`, indented by two spaces, fields in the order of the schema,
/// with a newline at the end.
pub fn write(state: &StateDocument) -> String {
    let both = |[white, black]: [u8; 2]| Both { white, black };
    let written = Written {
        turn: state.turn,
        active_player: color_name(state.active),
        dice: pips(&state.dice),
        dice_used: pips(&state.used),
        board: state.row.board,
        bar: both(state.row.bar),
        home: both(state.row.home),
        last_move: state.last_move.as_ref().map(written_move),
        status: state.status.name(),
        winner: state.winner.map(color_name),
        players: Both {
            white: &state.players[0],
            black: &state.players[1],
        },
        messages: state.messages.iter().map(written_message).collect(),
        updated_at: &state.updated_at.text,
    };
    serde_json::to_string_pretty(&written).expect("a state is plain data") + "\n"
}

pub(super) fn pips(dice: &[Die]) -> Vec<u8> {
    dice.iter().map(|die| die.pips()).collect()
}

fn written_move(last: &LastMoveEntry) -> WrittenMove {
    WrittenMove {
        sequence: last.sequence,
        player: color_name(last.player),
        file: last.file.to_string(),
    }
}

fn written_message(message: &Message) -> WrittenMessage<'_> {
    WrittenMessage {
        kind: message.kind.name(),
        text: &message.text,
        timestamp: &message.at.text,
    }
}
