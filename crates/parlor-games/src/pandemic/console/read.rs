//! Parsing of typed answers.

use parlor_core::{Notation, Position};
use parlor_pandemic::{Action, City, EventPlay, Game, Move, TurnStep};

use crate::console::Unread;
use crate::pandemic::label;

/// Common words for moves.
const SAID: [(&str, &str); 9] = [
    ("yes", "agree"),
    ("y", "agree"),
    ("ok", "agree"),
    ("no", "decline"),
    ("n", "decline"),
    ("pass", "draw"),
    ("end", "draw"),
    ("all", "infect:all"),
    ("quiet", "quiet-night"),
];

/// Parses a move from its text, its words separated by spaces, an unambiguous prefix, or the name
/// of a city to move to. An illegal move is rejected with the reason.
pub(in crate::pandemic) fn answer(game: &Game, line: &str) -> Result<String, Unread> {
    let line = line.trim();
    if matches!(line, "?" | "help" | "moves") {
        return Err(Unread(all_moves(game)));
    }
    let said = SAID
        .iter()
        .find(|(said, _)| said.eq_ignore_ascii_case(line))
        .map_or(line, |(_, text)| text);
    let legal = game.legal_moves();
    if let Some(m) = typed(game, said)
        .or_else(|| plain_way(game, said, &legal))
        .or_else(|| begun(game, said, &legal))
    {
        return match game.check(&m) {
            Ok(()) => Ok(game.move_text(&m)),
            Err(reason) => Err(Unread(format!("{reason}."))),
        };
    }
    let error = game
        .parse_move(line)
        .err()
        .map_or_else(String::new, |error| error.to_string());
    Err(Unread(format!(
        "Invalid input: {error}. Enter ? for all moves."
    )))
}

/// Parses a move in notation, with spaces allowed instead of colons.
fn typed(game: &Game, line: &str) -> Option<Move> {
    let words: Vec<&str> = line.split_whitespace().collect();
    game.parse_move(line)
        .or_else(|_| game.parse_move(&words.join(":")))
        .ok()
}

/// Interprets the name of a city: a move there that costs no card, or the card of a forecast.
fn plain_way(game: &Game, line: &str, legal: &[Move]) -> Option<Move> {
    let city = City::from_name(line.strip_prefix("go ").unwrap_or(line))?;
    let leads = |m: &&Move| match **m {
        Move::Action(Action::Travel { pawn, way, to }) => {
            way.is_free() && pawn == game.active() && to == city
        }
        Move::Step(TurnStep::Next { city: next }) => next == city,
        _ => false,
    };
    legal.iter().find(leads).copied()
}

/// Returns the legal move with this text, or the only one that starts with it.
fn begun(game: &Game, line: &str, legal: &[Move]) -> Option<Move> {
    let letters = |text: &str| {
        text.chars()
            .filter(|c| c.is_alphanumeric())
            .collect::<String>()
            .to_lowercase()
    };
    let wanted = letters(line);
    if wanted.is_empty() {
        return None;
    }
    let texts: Vec<(Move, String)> = legal
        .iter()
        .map(|m| (*m, letters(&game.move_text(m))))
        .collect();
    if let Some((m, _)) = texts.iter().find(|(_, text)| *text == wanted) {
        return Some(*m);
    }
    let mut fitting = texts.iter().filter(|(_, text)| text.starts_with(&wanted));
    match (fitting.next(), fitting.next()) {
        (Some((m, _)), None) => Some(*m),
        _ => None,
    }
}

/// Lists all legal moves by verb; those that lead to many cities are grouped by their common part.
fn all_moves(game: &Game) -> String {
    let mut verbs: Vec<(String, Vec<String>)> = Vec::new();
    for m in game.legal_moves() {
        let text = game.move_text(&m);
        let (verb, rest) = text.split_once(':').unwrap_or((&text, ""));
        // The part shared by many cities comes before them.
        let (first, last) = match (m, rest.rsplit_once(':')) {
            (
                Move::Action(Action::Travel { .. }) | Move::Event(EventPlay::Airlift { .. }),
                Some((role, city)),
            ) => (format!("{verb} {role}"), city),
            (Move::Action(Action::Cure { cards }), _) => (
                format!("cure {}", cards.color()),
                rest.split_once(':').map_or("", |(_, cards)| cards),
            ),
            _ => (verb.to_owned(), rest),
        };
        match verbs.iter_mut().find(|(known, _)| *known == first) {
            Some((_, rest)) => rest.push(last.to_owned()),
            None => verbs.push((first, vec![last.to_owned()])),
        }
    }
    let line = |(verb, rest): (String, Vec<String>)| match rest[..] {
        [ref only] if only.is_empty() => format!("  {verb}: {}", label(game, &verb)),
        _ if rest.len() > 40 => format!("  {verb} and any other city"),
        _ => format!("  {verb} {}", rest.join(" | ").replace(':', " ")),
    };
    verbs.into_iter().map(line).collect::<Vec<_>>().join("\n")
}
