//! A game that is not in this workspace, run as the program that installs it.

use std::path::PathBuf;
use std::process::Command;

/// Cargo builds the examples of a package together with its tests.
fn example(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a test is a program");
    let folder = test.ancestors().nth(2).expect("target/debug/deps/games-*");
    folder.join("examples").join(name)
}

#[test]
fn an_installed_game_is_found_by_name_and_played_by_bots() {
    let output = Command::new(example("nim"))
        .output()
        .expect("the example was built");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    // Heaps of 3, 4 and 5 are won by whoever begins, with two stones from the first heap.
    assert!(text.starts_with("level:5 plays a2: 1,4,5 1\n"), "{text}");
    assert!(
        text.ends_with("Over(Won { by: Seat(0), points: 1 })\n"),
        "{text}"
    );
}
