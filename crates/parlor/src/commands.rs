//! One file for each command.

pub mod admin;
pub mod analyze;
pub mod bench;
pub mod check;
pub mod completions;
pub mod engine;
pub mod export;
pub mod external;
pub mod git;
pub mod import;
pub mod legal;
pub mod man;
pub mod perft;
pub mod play;
pub mod serve;
pub mod train;
pub mod verify;

use std::io::Write;

use crate::cli::Command;
use crate::failure::Failure;

/// Does what a command line asks for.
///
/// # Errors
/// What the command could not do.
pub fn run(command: Command, out: &mut dyn Write) -> Result<(), Failure> {
    match command {
        Command::Play(args) => play::run(&args, out),
        Command::Engine(args) => engine::run(&args, out),
        Command::External(args) => external::run(&args, out),
        Command::Legal(args) => legal::run(&args, out),
        Command::Perft(args) => perft::run(&args, out),
        Command::Export(args) => export::run(&args, out),
        Command::Import(args) => import::run(&args, out),
        Command::Analyze(args) => analyze::run(&args, out),
        Command::Git(args) => git::run(&args, out),
        Command::Verify(args) => verify::run(&args, out),
        Command::Check(args) => check::run(&args, out),
        Command::Train(args) => train::run(&args, out),
        Command::Bench(args) => bench::run(&args, out),
        Command::Serve(args) => serve::run(&args, out),
        Command::Admin(args) => admin::run(&args, out),
        Command::Completions(args) => completions::run(&args, out),
        Command::Man(args) => man::run(&args, out),
    }
}
