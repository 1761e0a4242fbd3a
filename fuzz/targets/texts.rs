//! Any text: whatever reads positions, plays, rolls and whole matches answers, and what it
//! understood can be written and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use parlor_backgammon::fibs::FibsBoard;
use parlor_backgammon::{Game, ids, mat, sgf};
use parlor_core::{Notation, Position};

/// The first line is a position, each further one is tried as a move or a roll from there.
fn follow(text: &str) {
    let mut lines = text.lines();
    let Ok(mut game) = Game::from_text(lines.next().unwrap_or_default()) else {
        return;
    };
    for line in lines {
        assert_eq!(Game::from_text(&game.text()).as_ref(), Ok(&game));
        if let Ok(m) = game.parse_move(line) {
            let text = game.move_text(&m);
            assert!(!text.contains(char::is_whitespace), "{text}");
            if game.check(&m).is_ok() {
                let mut same = game.clone();
                same.play(
                    &game
                        .parse_move(&text)
                        .expect("what was written can be read"),
                );
                game.play(&m);
                assert_eq!(same, game, "{text}");
            }
        }
        if let Ok(chance) = game.parse_chance(line)
            && game.try_resolve(&chance).is_ok()
        {
            assert!(!game.legal_moves().is_empty());
        }
    }
}

fn others(text: &str) {
    for game in [ids::game_from_id(text), ids::game_from_xgid(text)]
        .into_iter()
        .flatten()
    {
        let _ = ids::xgid(&game);
        let _ = ids::gnubg_id(&game);
    }
    if let Ok(board) = FibsBoard::parse(text) {
        let _ = board.to_game();
        let _ = FibsBoard::parse(&board.to_line());
    }
    for transcript in [mat::read(text).ok(), sgf::read(text).ok()]
        .into_iter()
        .flatten()
    {
        let _ = transcript.log();
        let _ = mat::write(&transcript);
        let _ = sgf::write(&transcript);
    }
}

fuzz_target!(|text: &str| {
    follow(text);
    others(text);
});
