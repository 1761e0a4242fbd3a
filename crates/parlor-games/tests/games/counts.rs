//! Perft, playouts and other counts.

use parlor_games::{backgammon, mnk, ultimate};

#[test]
fn counts_agree_with_what_is_known_of_the_classic_board() {
    let start = mnk::KIND
        .start(&serde_json::Value::Null)
        .expect("the defaults are a game");
    assert_eq!(
        (0..=5).map(|depth| start.perft(depth)).collect::<Vec<_>>(),
        [1, 9, 72, 504, 3024, 15_120]
    );
    let divided = start.divide(5);
    assert_eq!(divided.len(), 9);
    assert_eq!(
        divided.iter().map(|(_, leaves)| leaves).sum::<u64>(),
        15_120
    );
}

#[test]
fn a_net_judges_hundreds_of_positions_in_a_game_of_backgammon() {
    let start = backgammon::KIND
        .start(&serde_json::Value::Null)
        .expect("the defaults are a game");
    let judged = start.evaluations(10, 7).expect("a net");
    assert_eq!(start.evaluations(10, 7), Some(judged));
    assert!((2_000..30_000).contains(&judged), "{judged}");
    assert_eq!(start.evaluations(0, 7), Some(0));
    let start = mnk::KIND
        .start(&serde_json::Value::Null)
        .expect("the defaults are a game");
    assert_eq!(start.evaluations(1, 7), None);
}

#[test]
fn playouts_are_the_same_for_the_same_seed() {
    let start = mnk::KIND
        .start(&serde_json::Value::Null)
        .expect("the defaults are a game");
    let played = start.playouts(100, 7);
    assert_eq!(played, start.playouts(100, 7));
    assert_eq!(start.simulations(500, 1), 500);
    assert!(played.games == 100 && (500..=900).contains(&played.plies));
    let start = ultimate::KIND
        .start(&serde_json::Value::Null)
        .expect("the defaults are a game");
    let played = start.playouts(1000, 7);
    assert_eq!(played, start.playouts(1000, 7));
    assert!(
        played.games == 1000 && (57_000..=61_000).contains(&played.plies),
        "58.9 moves each are usual"
    );
    assert_eq!(start.playouts(0, 7), Default::default());
}
