//! Endings and the moment at which they occur.

use parlor_core::{Outcome, Position, Turn};
use parlor_pandemic::{Illegal, PandemicEnding};

use crate::help::{after, play, refused, seat, table};

const PAIR: &str = "roles=Scientist,Medic";

#[test]
fn the_fourth_cure_wins_at_once() {
    let game = after(
        &format!("{PAIR} hands=LonParMilEss/ cured=ykr cubes=Del:k3"),
        "cure:blue",
    );
    assert_eq!(
        (game.ending(), game.turn()),
        (Some(PandemicEnding::Cured), Turn::Over(Outcome::TeamWon))
    );
    assert_eq!((game.cures(), game.actions()), (4, 3));
    assert!(game.legal_moves().is_empty() && game.chances().is_empty());
    assert_eq!(refused(&game, "draw"), Illegal::Over);
}

/// Returns a game with this many cards left in the deck: no epidemic, the rest discarded.
fn last_cards(cards: usize, words: &str) -> parlor_pandemic::Game {
    let mut setup = table(&format!("2p0e {PAIR} {words}")).setup();
    let game = table(&format!("2p0e {PAIR} {words}"));
    let unseen: Vec<_> = game.deck().unseen().iter().collect();
    setup.discard = unseen[cards..]
        .iter()
        .fold(setup.discard, |discard, card| discard.with(*card));
    setup.validate().expect("a short deck")
}

#[test]
fn the_fourth_cure_wins_even_with_an_empty_deck() {
    let mut game = last_cards(0, "hands=LonParMilEss/ cured=ykr");
    play(&mut game, "cure:blue");
    assert_eq!(game.ending(), Some(PandemicEnding::Cured));
}

#[test]
fn three_cures_do_not_win() {
    let game = after(&format!("{PAIR} hands=LonParMilEss/ cured=yk"), "cure:blue");
    assert_eq!(game.ending(), None);
}

#[test]
fn the_last_two_cards_can_be_drawn() {
    let mut game = last_cards(2, "");
    play(&mut game, "draw");
    let drawn: Vec<_> = game.deck().unseen().iter().collect();
    play(
        &mut game,
        &format!(
            "draw:{} draw:{} infect:Lima infect:Cairo",
            drawn[0].text(),
            drawn[1].text()
        ),
    );
    assert_eq!(
        (game.ending(), game.active(), game.deck().len()),
        (None, seat(1), 0)
    );
    play(&mut game, "drive:Miami draw");
    assert_eq!(
        (game.ending(), game.turn()),
        (Some(PandemicEnding::Cards), Turn::Over(Outcome::TeamLost))
    );
}

#[test]
fn drawing_from_a_single_card_loses() {
    let mut game = last_cards(1, "");
    assert_eq!(game.ending(), None, "not before two cards have to be drawn");
    play(&mut game, "drive:Miami draw");
    assert_eq!(
        (game.ending(), game.deck().len(), game.hand(seat(0)).len()),
        (Some(PandemicEnding::Cards), 1, 0)
    );
}

#[test]
fn the_eighth_outbreak_loses() {
    let words =
        format!("{PAIR} at=Sgo,Sgo stage=turning:2 infection=*/LonOsa cubes=Lon:b3 outbreaks=7");
    let game = after(&words, "infect:London");
    assert_eq!(
        (game.ending(), game.turn()),
        (
            Some(PandemicEnding::Outbreaks),
            Turn::Over(Outcome::TeamLost)
        )
    );
    assert!(game.chances().is_empty(), "the second card is not turned");
}

#[test]
fn seven_outbreaks_do_not_lose() {
    let words =
        format!("{PAIR} at=Sgo,Sgo stage=turning:1 infection=*/LonOsa cubes=Lon:b3 outbreaks=6");
    assert_eq!(after(&words, "infect:London").ending(), None);
}

#[test]
fn all_players_win_or_lose_together() {
    let game = after(
        &format!("{PAIR} hands=LonParMilEss/ cured=ykr"),
        "cure:blue",
    );
    let outcome = game.turn().outcome().expect("over");
    assert_eq!(
        [outcome.payoff(seat(0), 2), outcome.payoff(seat(1), 2)],
        [1, 1]
    );
}
