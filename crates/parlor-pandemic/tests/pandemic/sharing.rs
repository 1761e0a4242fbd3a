//! Sharing knowledge, and hands that exceed the limit because of it.

use parlor_core::{Position, Turn};
use parlor_pandemic::{Action, Card, City, Illegal};

use crate::help::{after, city, count, lists, play, refused, seat, table};

const PAIR: &str = "roles=Medic,Scientist";

#[test]
fn the_card_of_the_city_is_given_or_taken_where_both_are() {
    let game = after(&format!("{PAIR} hands=Atl/Lon"), "give:Atlanta:Scientist");
    assert!(game.hand(seat(1)).has(City::ATLANTA) && !game.hand(seat(0)).has(City::ATLANTA));
    assert_eq!(game.actions(), 3);
    let game = after(&format!("{PAIR} hands=Lon/Atl"), "take:Atlanta:Scientist");
    assert!(game.hand(seat(0)).has(City::ATLANTA));
}

#[test]
fn another_citys_card_is_not_shared() {
    let game = table(&format!("{PAIR} hands=AtlLon/Par"));
    let wrong = Illegal::OtherCity {
        here: City::ATLANTA,
    };
    assert_eq!(refused(&game, "give:London:Scientist"), wrong);
    assert_eq!(refused(&game, "take:Paris:Scientist"), wrong);
}

#[test]
fn nothing_is_shared_over_a_distance() {
    let game = table(&format!("{PAIR} at=Atl,Lon hands=Atl/Lon"));
    assert_eq!(
        refused(&game, "give:Atlanta:Scientist"),
        Illegal::NotTogether
    );
    assert_eq!(
        refused(&game, "take:London:Scientist"),
        Illegal::NotTogether
    );
    assert_eq!(
        refused(&game, "give:Atlanta:Medic"),
        Illegal::NotTogether,
        "nor with oneself"
    );
}

#[test]
fn only_what_is_held_is_shared_and_never_an_event() {
    let game = table(&format!("{PAIR} hands=Airlift/Forecast"));
    assert_eq!(
        refused(&game, "give:Atlanta:Scientist"),
        Illegal::NoCard(Card::City(City::ATLANTA))
    );
    assert_eq!(count(&game, "give:") + count(&game, "take:"), 0);
    let nobody = Action::Give {
        card: City::ATLANTA,
        to: seat(9),
    };
    assert_eq!(game.check(&nobody.into()), Err(Illegal::NoPawn));
}

#[test]
fn the_researcher_gives_any_city_card() {
    let words = "roles=Researcher,Scientist at=Osa,Osa hands=LonPar+Airlift/Mil";
    let game = table(words);
    assert_eq!(count(&game, "give:"), 2);
    let game = after(words, "give:London:Scientist");
    assert!(game.hand(seat(1)).has(city("London")));
}

#[test]
fn the_researcher_gives_in_the_others_turn_as_well() {
    let game = table("roles=Researcher,Scientist at=Osa,Osa active=1 hands=LonPar/Mil");
    assert!(lists(&game, "take:London:Researcher") && lists(&game, "take:Paris:Researcher"));
    assert_eq!(
        refused(&game, "give:Milan:Researcher"),
        Illegal::OtherCity {
            here: city("Osaka")
        }
    );
}

#[test]
fn the_researcher_takes_by_the_rule_for_all() {
    let game = table("roles=Researcher,Scientist at=Osa,Osa hands=Lon/MilOsa");
    assert_eq!(
        refused(&game, "take:Milan:Scientist"),
        Illegal::OtherCity {
            here: city("Osaka")
        }
    );
    assert!(lists(&game, "take:Osaka:Scientist"));
}

#[test]
fn a_shared_card_beyond_the_limit_is_settled_at_once_by_its_receiver() {
    let words = format!("{PAIR} hands=Atl/LonParMilEssMadNYkWas");
    let mut game = table(&words);
    play(&mut game, "give:Atlanta:Scientist");
    assert_eq!(game.turn(), Turn::Move(seat(1)));
    assert_eq!(refused(&game, "drive:Miami"), Illegal::LimitFirst(1));
    assert_eq!(refused(&game, "draw"), Illegal::LimitFirst(1));
    play(&mut game, "discard:London drive:Miami");
    assert_eq!(
        (game.turn(), game.hand(seat(1)).len()),
        (Turn::Move(seat(0)), 7)
    );
}

#[test]
fn a_full_hand_may_play_an_event_instead_of_discarding() {
    let words = format!("{PAIR} hands=Atl/LonParMilEssMadNYk+One-Quiet-Night");
    let game = after(&words, "give:Atlanta:Scientist quiet-night");
    assert_eq!(
        (game.turn(), game.hand(seat(1)).len(), game.quiet_night()),
        (Turn::Move(seat(0)), 7, true)
    );
}

#[test]
fn another_player_may_play_an_event_while_a_hand_is_full() {
    let words = format!("{PAIR} hands=Atl+One-Quiet-Night/LonParMilEssMadNYkWas");
    let game = after(&words, "give:Atlanta:Scientist quiet-night");
    assert_eq!(
        game.turn(),
        Turn::Move(seat(1)),
        "the hand is still too full"
    );
}

#[test]
fn with_three_players_the_one_who_shares_is_named() {
    let game = table("3p4e roles=Medic,Scientist,Researcher hands=Atl/Lon/Par");
    for m in [
        "give:Atlanta:Scientist",
        "give:Atlanta:Researcher",
        "take:Paris:Researcher",
    ] {
        assert!(lists(&game, m), "{m}");
    }
    assert_eq!(count(&game, "give:") + count(&game, "take:"), 3);
}
