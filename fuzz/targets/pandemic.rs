//! Any text as a position of Pandemic, and any bytes as what is then done: whatever is accepted is
//! a game that can be played and written.

#![no_main]

use libfuzzer_sys::fuzz_target;
use parlor_core::{Notation, Position, Turn};
use parlor_pandemic::{Consent, Game};

/// Each byte picks a move or a chance; when they are used up, the first one is taken until the game
/// is over.
fn play(game: &mut Game, bytes: &[u8]) {
    let most = 2 * game.rules().with_consent(Consent::AskedAgain).max_moves() as usize + 400;
    for step in 0.. {
        assert!(step < most, "a game without end: {}", game.text());
        let pick =
            |len: usize| usize::from(bytes.get(step).copied().unwrap_or_default()) * len / 256;
        match game.turn() {
            Turn::Over(_) => break,
            Turn::Chance => {
                let chances = game.chances();
                let chance = chances[pick(chances.len())].0;
                assert_eq!(game.parse_chance(&game.chance_text(&chance)), Ok(chance));
                game.resolve(&chance);
            }
            Turn::Move(_) => {
                let moves = game.legal_moves();
                let m = moves[pick(moves.len())];
                assert_eq!(game.parse_move(&game.move_text(&m)), Ok(m));
                game.play(&m);
            }
        }
        if step < bytes.len() {
            assert_eq!(Game::from_text(&game.text()).as_ref(), Ok(&*game));
        }
    }
}

/// The first line is a position, the second a move or a chance from there, the rest are choices.
fn follow(text: &str) {
    let mut lines = text.splitn(3, '\n');
    let Ok(mut game) = Game::from_text(lines.next().unwrap_or_default()) else {
        return;
    };
    assert_eq!(Game::from_text(&game.text()).as_ref(), Ok(&game));
    assert_eq!(game.setup().validate().as_ref(), Ok(&game));
    let step = lines.next().unwrap_or_default();
    if let Ok(m) = game.parse_move(step)
        && game.check(&m).is_ok()
    {
        game.play(&m);
    } else if let Ok(chance) = game.parse_chance(step) {
        let _ = game.try_resolve(&chance);
    }
    play(&mut game, lines.next().unwrap_or_default().as_bytes());
}

fuzz_target!(|text: &str| follow(text));
