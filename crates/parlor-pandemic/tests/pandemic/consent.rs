//! Consent of the owner of a pawn or a card.

use parlor_core::{Notation, Position, Turn};
use parlor_pandemic::{Color, Consent, EventCard, Flaw, Game, Illegal, Interrupt, Role};

use crate::help::{city, count, cubes, lists, play, refused, seat, table};

fn ask(words: &str) -> Game {
    table(&format!(
        "3p4e consent=yes roles=Dispatcher,Scientist,Medic {words}"
    ))
}

#[test]
fn the_owner_of_a_pawn_is_asked_and_agrees() {
    let mut game = ask("cubes=Chi:b3 cured=b");
    play(&mut game, "drive:Medic:Chicago");
    assert_eq!(game.turn(), Turn::Move(seat(2)));
    let request = game.parse_move("drive:Medic:Chicago").expect("a move");
    assert_eq!(
        game.interrupt(),
        Some(Interrupt::Consent {
            asked: seat(2),
            by: seat(0),
            request
        })
    );
    assert_eq!(game.legal_moves().len(), 2);
    assert_eq!(
        (game.pawn(seat(2)), game.actions()),
        (city("Atlanta"), 4),
        "nothing has happened yet"
    );
    assert_eq!(refused(&game, "draw"), Illegal::AnswerFirst);
    play(&mut game, "agree");
    assert_eq!(
        (game.pawn(seat(2)), game.actions(), game.turn()),
        (city("Chicago"), 3, Turn::Move(seat(0)))
    );
    assert_eq!(
        cubes(&game, "Chicago", Color::Blue),
        0,
        "the Medic works where he is sent"
    );
}

#[test]
fn a_declined_move_has_no_effect_and_costs_no_action() {
    let mut game = ask("");
    play(&mut game, "drive:Medic:Chicago decline");
    assert_eq!(
        (game.pawn(seat(2)), game.actions(), game.turn()),
        (city("Atlanta"), 4, Turn::Move(seat(0)))
    );
    assert_eq!(game.interrupt(), None);
}

#[test]
fn a_player_who_declined_is_not_asked_again_at_once() {
    let mut game = ask("hands=AtlAirlift//".replace("AtlA", "Atl+A").as_str());
    play(&mut game, "drive:Medic:Chicago decline");
    assert_eq!(
        refused(&game, "drive:Medic:Chicago"),
        Illegal::Declined(Role::Medic)
    );
    assert_eq!(
        refused(&game, "drive:Medic:Miami"),
        Illegal::Declined(Role::Medic)
    );
    assert_eq!(
        refused(&game, "give:Atlanta:Medic"),
        Illegal::Declined(Role::Medic)
    );
    assert_eq!(
        refused(&game, "airlift:Medic:Tokyo"),
        Illegal::Declined(Role::Medic)
    );
    assert!(
        lists(&game, "drive:Scientist:Chicago"),
        "the other may be asked"
    );
    play(&mut game, "drive:Miami");
    assert!(lists(&game, "drive:Medic:Chicago"));
}

#[test]
fn agreements_reset_refusals_but_refusals_do_not() {
    let mut game = ask("");
    play(
        &mut game,
        "drive:Medic:Chicago decline drive:Scientist:Chicago decline",
    );
    assert_eq!(
        refused(&game, "drive:Medic:Miami"),
        Illegal::Declined(Role::Medic)
    );
    assert_eq!(
        refused(&game, "drive:Scientist:Miami"),
        Illegal::Declined(Role::Scientist)
    );
    let mut game = ask("");
    play(
        &mut game,
        "drive:Medic:Chicago decline drive:Scientist:Chicago agree",
    );
    assert!(lists(&game, "drive:Medic:Chicago"));
}

#[test]
fn a_player_who_declined_may_be_asked_in_another_way() {
    let mut game = table("3p4e consent=again roles=Dispatcher,Scientist,Medic");
    play(&mut game, "drive:Medic:Chicago decline");
    assert!(game.text().ends_with("declined=2"), "{}", game.text());
    assert!(lists(&game, "drive:Medic:Miami"));
    play(&mut game, "drive:Medic:Miami decline");
    assert!(lists(&game, "drive:Medic:Chicago"), "a mind may change");
    play(&mut game, "drive:Medic:Chicago decline");
    assert!(game.text().ends_with("declined=222"), "{}", game.text());
    assert_eq!(Game::from_text(&game.text()).as_ref(), Ok(&game));
    assert_eq!(
        refused(&game, "drive:Medic:Washington"),
        Illegal::Declined(Role::Medic),
        "three times are enough"
    );
    assert!(lists(&game, "drive:Scientist:Chicago"));
    play(&mut game, "drive:Scientist:Chicago agree");
    assert!(lists(&game, "drive:Medic:Chicago"));
    assert_eq!(
        (game.pawn(seat(2)), game.actions()),
        (city("Atlanta"), 3),
        "refusals cost nothing"
    );
}

#[test]
fn nobody_declines_more_often_than_the_rules_can_count() {
    let mut setup = ask("").setup();
    setup.declines[1] = 4;
    let flaws = setup.validate().expect_err("four refusals");
    assert_eq!(flaws.0, [Flaw::Declines(seat(1), 4)]);
}

#[test]
fn giving_and_taking_need_the_other_players_consent() {
    let mut game = ask("hands=Atl/Lon/");
    play(&mut game, "give:Atlanta:Scientist");
    assert_eq!(game.turn(), Turn::Move(seat(1)));
    play(&mut game, "agree");
    assert!(game.hand(seat(1)).has(city("Atlanta")));
    play(&mut game, "take:Atlanta:Scientist");
    assert_eq!(game.turn(), Turn::Move(seat(1)));
    play(&mut game, "decline");
    assert!(game.hand(seat(1)).has(city("Atlanta")));
    assert_eq!(game.actions(), 3);
}

#[test]
fn an_airlift_asks_the_owner_even_of_the_pawn_on_turn() {
    let mut game = ask("hands=/Airlift/");
    play(&mut game, "airlift:Dispatcher:Tokyo");
    assert_eq!(game.turn(), Turn::Move(seat(0)));
    play(&mut game, "decline");
    assert_eq!(
        game.holder(EventCard::Airlift),
        Some(seat(1)),
        "the card is kept"
    );
    play(&mut game, "airlift:Scientist:Tokyo");
    assert_eq!(
        game.pawn(seat(1)),
        city("Tokyo"),
        "nobody asks for the own pawn"
    );
}

#[test]
fn moving_ones_own_pawn_needs_no_consent() {
    let mut game = ask("at=Atl,Lon,Cai");
    play(&mut game, "join:Dispatcher:London");
    assert_eq!(
        (game.interrupt(), game.pawn(seat(0))),
        (None, city("London"))
    );
}

#[test]
fn answers_without_a_question_are_refused() {
    let game = ask("");
    assert_eq!(refused(&game, "agree"), Illegal::NotAsked);
    assert_eq!(refused(&game, "decline"), Illegal::NotAsked);
}

#[test]
fn no_questions_are_asked_without_consent() {
    let mut game = ask("").with_consent(Consent::Implied);
    play(&mut game, "drive:Medic:Chicago");
    assert_eq!((game.pawn(seat(2)), game.actions()), (city("Chicago"), 3));
}

#[test]
fn switching_consent_off_keeps_an_open_question() {
    let mut game = ask("");
    play(&mut game, "drive:Medic:Chicago");
    let mut plan = game.with_consent(Consent::Implied);
    assert_eq!(plan.turn(), Turn::Move(seat(2)));
    assert_eq!(Game::from_text(&plan.text()).as_ref(), Ok(&plan));
    play(&mut plan, "agree drive:Scientist:Miami");
    assert_eq!(
        (plan.pawn(seat(2)), plan.pawn(seat(1))),
        (city("Chicago"), city("Miami"))
    );
}

#[test]
fn asking_for_a_shuttle_to_a_neighbor_asks_for_a_drive() {
    let mut game = ask("stations=AtlChi");
    play(&mut game, "shuttle:Medic:Chicago");
    let drive = game.parse_move("drive:Medic:Chicago").expect("a move");
    assert!(
        matches!(game.interrupt(), Some(Interrupt::Consent { request, .. }) if request == drive)
    );
}

#[test]
fn the_hand_limit_applies_before_and_after_a_question() {
    let mut game = ask("hands=Atl/LonParMilEssMadNYk+Airlift/");
    play(&mut game, "give:Atlanta:Scientist agree");
    assert_eq!(game.turn(), Turn::Move(seat(1)));
    play(&mut game, "airlift:Medic:Tokyo decline");
    assert_eq!(game.turn(), Turn::Move(seat(1)), "still eight cards");
    assert_eq!(
        count(&game, "airlift:"),
        2 * 47,
        "the Medic is not asked again"
    );
    play(&mut game, "discard:Airlift");
    assert_eq!(game.turn(), Turn::Move(seat(0)));
}

#[test]
fn the_question_is_in_the_text_of_the_game() {
    let mut game = ask("");
    play(&mut game, "drive:Medic:Chicago");
    assert!(
        game.text().ends_with(" ask=drive:Medic:Chicago"),
        "{}",
        game.text()
    );
    let wrong = game
        .text()
        .replace("drive:Medic:Chicago", "drive:Medic:London");
    let told = Game::from_text(&wrong)
        .expect_err("no such connection")
        .expected;
    assert_eq!(
        told,
        "a position of Pandemic: the move asked for is not possible: Atlanta and London are not connected"
    );
}
