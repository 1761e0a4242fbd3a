//! Bots against each other: whole games at tables, counted by an observer.

use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use parlor_bots::{Alone, Budget, Nodes};
use parlor_games::bots::Deadline;
use parlor_games::{GameKind, OutcomeView};
use parlor_table::runner::{GameEvent, TableRunner};
use parlor_table::{LogEntry, NewTable, Player, Table, TableEvent};
use serde::Serialize;
use serde_json::Value;

use crate::error::CommandError;
use crate::game_args::PositionArgs;
use crate::local_table::{self, Randomness};

/// Bots that play against each other, or together.
#[derive(Args, Debug)]
pub struct ContestArgs {
    /// Let these bots play whole games; they take turns to begin
    #[arg(
        long,
        value_name = "BOT,…",
        value_delimiter = ',',
        conflicts_with = "seconds"
    )]
    bots: Vec<String>,
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 100, requires = "bots", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games: u64,
    /// Seed of the first game; each further one has the next
    #[arg(long, value_name = "N", default_value_t = 1, requires = "bots")]
    seed: u64,
    /// Nodes of a bot per move, instead of a time: the same games on every machine
    #[arg(long, value_name = "N", requires = "bots", conflicts_with = "think", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Thinking time of a bot per move, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 1000, requires = "bots", value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    think: u64,
}

impl ContestArgs {
    /// True if bots are named.
    pub fn is_wanted(&self) -> bool {
        !self.bots.is_empty()
    }

    fn budget(&self) -> Box<dyn Budget> {
        match self.nodes {
            Some(nodes) => Box::new(Nodes(nodes)),
            None => Box::new(Deadline::after(Duration::from_millis(self.think))),
        }
    }
}

/// Results of the bots, in the order in which they were named.
#[derive(Debug, Serialize)]
struct ContestReport {
    game: &'static str,
    options: Value,
    games: u64,
    seed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    /// Thinking time per move in milliseconds, if nodes are not limited.
    #[serde(skip_serializing_if = "Option::is_none")]
    think: Option<u64>,
    bots: Vec<BotReport>,
    drawn: u64,
    /// Games that all seats won together.
    won_together: u64,
    /// Games that all seats lost together.
    lost_together: u64,
    moves: u64,
    moves_per_second: f64,
}

#[derive(Debug, Serialize)]
struct BotReport {
    bot: String,
    won: u64,
    points: u64,
}

/// Lets the bots play, and prints their results.
pub fn run(
    args: &ContestArgs,
    position: &PositionArgs,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    if position.is_past_start() {
        return Err(CommandError::Other(
            "--bots plays games from their start; remove --position and --moves".into(),
        ));
    }
    let kind = position.kind();
    let (start, options) = local_table::start(kind, position.options(), args.bots.len())?;
    let mut report = ContestReport {
        game: kind.name(),
        options: start.options(),
        games: args.games,
        seed: args.seed,
        nodes: args.nodes,
        think: args.nodes.is_none().then_some(args.think),
        bots: args.bots.iter().map(|bot| BotReport::new(bot)).collect(),
        drawn: 0,
        won_together: 0,
        lost_together: 0,
        moves: 0,
        moves_per_second: 0.0,
    };
    let begun = Instant::now();
    for game in 0..args.games {
        let first = usize::try_from(game).unwrap_or_default() % args.bots.len();
        play(
            args,
            kind,
            &options,
            args.seed.wrapping_add(game),
            first,
            &mut report,
        )?;
    }
    report.moves_per_second = report.moves as f64 / begun.elapsed().as_secs_f64().max(1e-9);
    report.print(json, out)
}

/// Plays one game, in which the bot number `first` begins, and adds it to the report.
fn play(
    args: &ContestArgs,
    kind: GameKind,
    options: &Value,
    seed: u64,
    first: usize,
    report: &mut ContestReport,
) -> Result<(), CommandError> {
    let mut specs: Vec<&str> = args.bots.iter().map(String::as_str).collect();
    specs.rotate_left(first);
    let random = Randomness::new(Some(seed))?;
    let now = local_table::now();
    let players = specs.into_iter().map(Player::bot).collect();
    let new = NewTable {
        secret: Some(random.secret()),
        ..NewTable::new(random.table_id(now), kind, options.clone(), players)
    };
    let table = Table::create(now, new).map_err(CommandError::other)?;
    let bots = local_table::bots(&table, &random, &Arc::new(Alone))?;
    let mut runner = TableRunner::new(table, bots, local_table::now);
    runner.add_observer(|_: &Table, event: &GameEvent<'_>| {
        report.count(event, first);
        Ok(())
    });
    runner
        .play_bots(|| args.budget())
        .map_err(CommandError::other)
}

impl BotReport {
    fn new(bot: &str) -> BotReport {
        BotReport {
            bot: bot.to_owned(),
            won: 0,
            points: 0,
        }
    }
}

impl ContestReport {
    /// Counts an event of a game in which the bot number `first` sits in the first seat.
    fn count(&mut self, event: &GameEvent<'_>, first: usize) {
        match event {
            GameEvent::Logged(entries) => {
                let is_move = |entry: &&LogEntry| matches!(entry.event, TableEvent::Moved { .. });
                self.moves += entries.iter().filter(is_move).count() as u64;
            }
            GameEvent::Ended(ending) => match ending.outcome {
                Some(OutcomeView::Won { seat, points }) => {
                    let bot = (usize::from(seat) + first) % self.bots.len();
                    self.bots[bot].won += 1;
                    self.bots[bot].points += u64::from(points);
                }
                Some(OutcomeView::TeamWon) => self.won_together += 1,
                Some(OutcomeView::TeamLost) => self.lost_together += 1,
                Some(OutcomeView::Draw) | None => self.drawn += 1,
            },
            GameEvent::State(_) | GameEvent::Turn(_) => {}
        }
    }

    fn print(&self, json: bool, out: &mut dyn Write) -> Result<(), CommandError> {
        if json {
            let line = serde_json::to_string(self).map_err(CommandError::other)?;
            return Ok(writeln!(out, "{line}")?);
        }
        let together = self.won_together + self.lost_together > 0;
        for BotReport { bot, won, points } in self.bots.iter().filter(|_| !together) {
            writeln!(out, "{bot:<20}won {won}, {points} points")?;
        }
        let totals = [
            ("drawn", self.drawn),
            ("won together", self.won_together),
            ("lost together", self.lost_together),
        ];
        for (name, games) in totals.into_iter().filter(|(_, games)| *games > 0) {
            writeln!(out, "{name:<20}{games}")?;
        }
        let (games, moves) = (self.games, self.moves);
        let speed = self.moves_per_second;
        Ok(writeln!(
            out,
            "{games} games, {moves} moves, {speed:.0} moves/s"
        )?)
    }
}
