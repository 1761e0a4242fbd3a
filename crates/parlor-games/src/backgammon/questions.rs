//! Questions and news of a game, as sentences.

use parlor_backgammon::{Game, GameResult, Phase, Win};
use parlor_core::Seat;

use super::COLORS;

/// Returns the question to the player who is next.
pub(super) fn question(game: &Game) -> Option<String> {
    let who = name(game.on_roll());
    let other = name(game.on_roll().next(2));
    let cube = u32::from(game.cube().value());
    if let Some(win) = game.resigning() {
        return Some(format!("{who} resigns {}: accept or refuse?", win.words()));
    }
    match game.phase() {
        Phase::Opening => Some(
            "Each player throws one die: the higher roll goes first and plays both.".to_owned(),
        ),
        Phase::Rolling => Some(format!("{who} rolls.")),
        Phase::Doubled => Some(format!("{who} doubles to {}: take or drop?", 2 * cube)),
        Phase::Beavered => Some(format!("{other} beavers to {}: take or drop?", 4 * cube)),
        Phase::Cube | Phase::Moving(_) | Phase::Over => None,
    }
}

/// Returns the result of the last game, until the next begins.
pub(super) fn news(game: &Game) -> Option<String> {
    let last = game.last_result()?;
    let begun = !matches!(game.phase(), Phase::Opening | Phase::Over)
        && game.white_board() != game.rules().start.board();
    if begun {
        None
    } else {
        Some(
            format!("{} {}", result(last), standing(game))
                .trim_end()
                .to_owned(),
        )
    }
}

fn result(last: GameResult) -> String {
    let (who, points) = (name(last.by), last.points);
    let points = if points == 1 {
        "1 point".to_owned()
    } else {
        format!("{points} points")
    };
    match last.win {
        Some(Win::Single) => format!("{who} wins {points}."),
        Some(Win::Gammon) => format!("{who} wins a gammon, {points}."),
        Some(Win::Backgammon) => format!("{who} wins a backgammon, {points}."),
        None => format!("{} drops: {who} wins {points}.", name(last.by.next(2))),
    }
}

fn standing(game: &Game) -> String {
    if !game.rules().is_match() {
        return String::new();
    }
    let [white, black] = game.score();
    match (game.phase(), game.last_result()) {
        (Phase::Over, Some(last)) => {
            format!(
                "{} wins the match, {}-{}.",
                name(last.by),
                white.max(black),
                white.min(black)
            )
        }
        _ => format!("{white}-{black} in the match to {}.", game.rules().length),
    }
}

fn name(seat: Seat) -> &'static str {
    COLORS.get(seat.index()).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use parlor_backgammon::Rules;
    use parlor_core::{Notation, Position};

    use super::*;

    fn play(game: &mut Game, text: &str) {
        let m = game.parse_move(text).expect("a move");
        game.try_play(&m).expect(text);
    }

    fn roll(game: &mut Game, text: &str) {
        let chance = game.parse_chance(text).expect("a roll");
        game.try_resolve(&chance).expect(text);
    }

    #[test]
    fn a_double_is_asked_about_and_a_drop_is_told_until_somebody_moves() {
        let mut game = Game::new(Rules::match_to(3).expect("a length"));
        assert_eq!(
            question(&game).as_deref(),
            Some("Each player throws one die: the higher roll goes first and plays both.")
        );
        roll(&mut game, "3-1");
        assert_eq!((question(&game), news(&game)), (None, None));
        play(&mut game, "8/5,6/5");
        play(&mut game, "double");
        assert_eq!(
            question(&game).as_deref(),
            Some("Black doubles to 2: take or drop?")
        );
        play(&mut game, "drop");
        let told = "White drops: Black wins 1 point. 0-1 in the match to 3.";
        assert_eq!(news(&game).as_deref(), Some(told));
        roll(&mut game, "1-2");
        assert_eq!(news(&game).as_deref(), Some(told));
        assert_eq!(game.white_board(), game.rules().start.board());
        play(&mut game, "24/22,24/23");
        assert_eq!(news(&game), None);
    }
}
