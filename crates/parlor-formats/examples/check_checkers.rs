//! Checks the checkers of the `state.json` named by the first argument.
#![allow(clippy::print_stdout)]

use parlor_backgammon::StartLayout;
use parlor_formats::state_json::PartialState;
use serde_json::{Value, from_value};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("no file named")?;
    let json: Value = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    let pair = |field: &str| {
        let count = |color: &str| from_value(json[field][color].clone()).ok();
        Some([count("white")?, count("black")?])
    };
    let state = PartialState {
        board: from_value(json["board"].clone()).ok(),
        bar: pair("bar"),
        home: pair("home"),
        ..PartialState::default()
    };
    for fault in state.check(StartLayout::Standard).faults {
        println!("{}: {fault}", fault.rule());
    }
    Ok(())
}
