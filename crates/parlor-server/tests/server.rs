//! End-to-end tests: a real server on its own port, queried by a real client.
//!
//! One module for each group of routes.
#![allow(clippy::unwrap_used, reason = "clippy sees no tests in helpers")]
#[path = "server/new_database.rs"]
mod new_database;

mod server {
    mod accounts;
    mod admin;
    mod advice;
    mod analysis;
    mod answers;
    mod backgammon;
    mod bad_input;
    mod blocks;
    mod bots;
    mod clocks;
    mod connections;
    mod databases;
    mod description;
    mod earlier;
    mod earlier_nodes;
    mod events;
    mod example_bot;
    mod games;
    mod git;
    mod git_bombs;
    mod hands;
    mod house;
    mod limits;
    mod lobby;
    mod luck;
    mod members;
    mod nodes;
    mod notices;
    mod offers;
    mod ops;
    mod pandemic;
    mod play;
    mod players;
    mod private;
    mod queue;
    mod record_endings;
    mod restart;
    mod safety;
    mod silence;
    mod socket;
    mod sources;
    mod stand_ins;
    mod stored;
    mod streams;
    mod tables;
    mod talk;
    mod thinking;
    mod tictactoe;
    mod tls;
    mod tokens;
    mod ultimate;
    mod windows;
    mod written_bot;
}
