//! The commands, one module each.

pub mod admin;
pub mod advise;
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

use crate::cli::CliCommand;
use crate::error::CommandError;

/// Runs a command.
///
/// # Errors
/// Any failure of the command.
pub fn run(command: CliCommand, out: &mut dyn Write) -> Result<(), CommandError> {
    match command {
        CliCommand::Play(args) => play::run(&args, out),
        CliCommand::Engine(args) => engine::run(&args, out),
        CliCommand::External(args) => external::run(&args, out),
        CliCommand::Legal(args) => legal::run(&args, out),
        CliCommand::Perft(args) => perft::run(&args, out),
        CliCommand::Export(args) => export::run(&args, out),
        CliCommand::Import(args) => import::run(&args, out),
        CliCommand::Advise(args) => advise::run(&args, out),
        CliCommand::Analyze(args) => analyze::run(&args, out),
        CliCommand::Git(args) => git::run(&args, out),
        CliCommand::Verify(args) => verify::run(&args, out),
        CliCommand::Check(args) => check::run(&args, out),
        CliCommand::Train(args) => train::run(&args, out),
        CliCommand::Bench(args) => bench::run(&args, out),
        CliCommand::Serve(args) => serve::run(&args, out),
        CliCommand::Admin(args) => admin::run(&args, out),
        CliCommand::Completions(args) => completions::run(&args, out),
        CliCommand::Man(args) => man::run(&args, out),
    }
}
