//! Analysis of a game of a team: the chance to win turn by turn, and the moments that decided it.

use std::io::Write;

use parlor_bots::Nodes;
use parlor_core::Seat;
use parlor_games::analysis::{
    Analysis, Analyst, Judged, Replay, Totals, TurnStart, TurningPoint, Units,
};
use parlor_games::{AnyPosition, GameKind, Story};
use parlor_table::Record;
use serde::Serialize;

use super::games::{JudgedStep, best_alternative};
use super::style::{ProgressLine, Styler, TextStyle};
use super::{AnalyzeArgs, parallel, wrong_game};
use crate::chances;
use crate::error::CommandError;
use crate::source;

/// Description of what is accepted.
pub const ACCEPTED: &str = "a file with a record, the http URL of a table, or - for standard input";
/// Width of a bar in characters.
const BAR_WIDTH: u8 = 20;
/// Maximum width of a player's name in the list of turns.
const NAME_WIDTH: usize = 40;

/// Analysis of a team's game.
#[derive(Serialize)]
struct TeamReport {
    kind: &'static str,
    game: &'static str,
    names: Vec<String>,
    method: String,
    units: Units,
    /// Result in words; `None` while the game is unfinished.
    result: Option<String>,
    turns: Vec<TurnReport>,
    /// Moves and draws that changed the chance most, the greatest change first.
    turning_points: Vec<PointReport>,
    steps: Vec<JudgedStep>,
    seats: Vec<Totals>,
}

/// Turn of a game.
#[derive(Serialize)]
struct TurnReport {
    /// Number of the turn, from 1.
    turn: usize,
    /// Number of moves and draws before it.
    step: usize,
    /// Number of the seat.
    seat: u8,
    /// The team's chance to win after the best decision at its first choice; `None` without a choice.
    chance: Option<f64>,
}

/// Step that changed the chance to win.
#[derive(Serialize)]
struct PointReport {
    /// Number of the turn, from 1.
    turn: usize,
    /// Number of moves and draws up to it.
    step: usize,
    /// Number of the seat that decided; `None` for a draw.
    seat: Option<u8>,
    change: f64,
    /// The step in words.
    label: String,
    /// Best alternative in words; `None` for a draw.
    better: Option<String>,
}

pub fn run(args: &AnalyzeArgs, kind: GameKind, out: &mut dyn Write) -> Result<(), CommandError> {
    if let Some(option) = args.opponents_only_option() {
        return Err(CommandError::Other(format!(
            "{option} does not apply to games of a team"
        )));
    }
    let missing = || CommandError::Other(format!("missing input: {ACCEPTED}"));
    let input = args.input.as_deref().ok_or_else(missing)?;
    let name = if input == "-" {
        "standard input"
    } else {
        input
    };
    let located = |reason: String| CommandError::Other(format!("{name}: {reason}"));
    let record = read(kind, input).map_err(located)?;
    let story = record.to_story();
    let replay = Replay::new(kind, &story).map_err(|error| located(error.to_string()))?;
    let analysis = judge(args, kind, &replay)?;
    let report = TeamReport::new(kind, &record, story, &replay, analysis);
    if args.json {
        let json = serde_json::to_string_pretty(&report).map_err(CommandError::other)?;
        writeln!(out, "{json}")?;
        return Ok(());
    }
    let printer = TeamPrinter {
        report: &report,
        players: players(&report.names, replay.last()),
        styler: Styler::stdout(),
    };
    printer.print(out)
}

/// Reads a record of a game of this kind.
fn read(kind: GameKind, input: &str) -> Result<Record, String> {
    let bytes = source::read(input)?;
    let record: Record = serde_json::from_slice(&bytes)
        .map_err(|error| format!("not a record of a game: {error}"))?;
    if record.game == kind.name() {
        Ok(record)
    } else {
        Err(wrong_game(&record.game))
    }
}

/// Judges every step, on several threads.
fn judge(args: &AnalyzeArgs, kind: GameKind, replay: &Replay) -> Result<Analysis, CommandError> {
    let settings = args.settings();
    let analyst = kind.analyst(&settings).map_err(CommandError::other)?;
    let new_analyst = || {
        kind.analyst(&settings)
            .expect("the same call succeeded above")
    };
    let steps = replay.steps();
    let mut progress = ProgressLine::new();
    let work = |analyst: &mut Box<dyn Analyst>, (before, text): &(AnyPosition, String)| {
        analyst.step(before, text, &mut Nodes(u64::MAX))
    };
    let report_progress = |done, _: &Judged| {
        progress.show(&format!("{done} of {} moves and draws judged", steps.len()));
    };
    let judged = parallel::map(args.threads(), steps, new_analyst, work, report_progress);
    drop(progress);
    Ok(Analysis::from_steps(
        &*analyst,
        replay.first(),
        replay.last(),
        judged,
    ))
}

impl TeamReport {
    fn new(
        kind: GameKind,
        record: &Record,
        story: Story,
        replay: &Replay,
        analysis: Analysis,
    ) -> TeamReport {
        let turns = turns(replay, &analysis);
        let points = analysis.turning_points();
        let point = |point: TurningPoint| PointReport::new(point, &turns, replay, &analysis);
        let turning_points = points.into_iter().map(point).collect();
        let outcome = record.ending.map(|ending| ending.outcome);
        let result = outcome.map(|outcome| match outcome {
            Some(outcome) => replay.last().result(outcome, &story.names),
            None => "The game was aborted.".to_owned(),
        });
        let steps = replay.steps().iter().zip(analysis.steps);
        TeamReport {
            kind: "team",
            game: kind.name(),
            names: story.names,
            method: analysis.method,
            units: analysis.units,
            result,
            turns,
            turning_points,
            steps: steps
                .map(|((before, text), judged)| JudgedStep::new(before, text.clone(), judged))
                .collect(),
            seats: analysis.seats,
        }
    }
}

/// Returns the chance to win in each turn.
fn turns(replay: &Replay, analysis: &Analysis) -> Vec<TurnReport> {
    let starts = replay.turns();
    let ends = starts.iter().skip(1).map(|next| next.step);
    let ends = ends.chain([analysis.steps.len()]);
    let standing = |judged: &Judged| match judged {
        Judged::Decision(decision) => Some(decision.standing),
        Judged::Forced { .. } | Judged::Luck(_) | Judged::Nothing => None,
    };
    let turn = |(turn, (start, end)): (usize, (&TurnStart<'_>, usize))| TurnReport {
        turn,
        step: start.step,
        seat: start.seat.number(),
        chance: analysis.steps[start.step..end].iter().find_map(standing),
    };
    (1..).zip(starts.iter().zip(ends)).map(turn).collect()
}

impl PointReport {
    fn new(
        point: TurningPoint,
        turns: &[TurnReport],
        replay: &Replay,
        analysis: &Analysis,
    ) -> PointReport {
        let at = point.step - 1;
        let (before, text) = &replay.steps()[at];
        let begun = |turn: &&TurnReport| turn.step <= at;
        PointReport {
            turn: turns.iter().filter(begun).count(),
            step: point.step,
            seat: point.seat,
            change: point.change,
            label: match point.seat {
                Some(_) => before.label(text),
                None => before.chance_label(text),
            },
            better: match &analysis.steps[at] {
                Judged::Decision(decision) => Some(best_alternative(decision).to_owned()),
                Judged::Forced { .. } | Judged::Luck(_) | Judged::Nothing => None,
            },
        }
    }
}

/// Returns the players in words: "Ann (Medic)".
fn players(names: &[String], position: &AnyPosition) -> Vec<String> {
    let seats = Seat::all(position.seats()).zip(names);
    seats
        .map(|(seat, name)| format!("{name} ({})", position.seat_name(seat)))
        .collect()
}

/// Prints a [`TeamReport`] as text.
struct TeamPrinter<'a> {
    report: &'a TeamReport,
    players: Vec<String>,
    styler: Styler,
}

impl TeamPrinter<'_> {
    fn print(&self, out: &mut dyn Write) -> Result<(), CommandError> {
        let report = self.report;
        writeln!(out, "{}", self.strong(&self.players.join(", ")))?;
        writeln!(
            out,
            "{}, turn by turn, by {}",
            capital(&report.units.worth),
            report.method
        )?;
        let widths = self.players.iter().map(|name| name.chars().count());
        let width = widths.max().unwrap_or(0).min(NAME_WIDTH);
        for turn in &report.turns {
            let name: String = self.player(turn.seat).chars().take(width).collect();
            let chance = turn.chance.map_or_else(|| "no choice".to_owned(), shown);
            let line = format!("{:>3}. {name:width$}  {chance}", turn.turn);
            writeln!(out, "{}", line.trim_end())?;
        }
        let result = report.result.as_deref();
        writeln!(out, "{}", result.unwrap_or("The game is not over."))?;
        if !report.turning_points.is_empty() {
            writeln!(out, "\n{}", self.strong("Moments that decided it"))?;
        }
        for point in &report.turning_points {
            self.point(point, out)?;
        }
        self.sums(out)
    }

    fn point(&self, point: &PointReport, out: &mut dyn Write) -> Result<(), CommandError> {
        let style = if point.change < 0.0 {
            TextStyle::Bad
        } else {
            TextStyle::Good
        };
        let change = format!("{:>7}", chances::change(point.change));
        let change = self.styler.apply(style, &change);
        let who = point.seat.map_or("draw", |seat| self.player(seat));
        writeln!(out, "{change}  turn {}, {who}: {}", point.turn, point.label)?;
        if let Some(better) = &point.better {
            let better = format!("{:9}better: {better}", "");
            writeln!(out, "{}", self.styler.apply(TextStyle::Faint, &better))?;
        }
        Ok(())
    }

    /// Prints what the team lost by its decisions and won or lost by luck.
    fn sums(&self, out: &mut dyn Write) -> Result<(), CommandError> {
        let (mut lost, mut good, mut bad) = (0.0, 0.0, 0.0);
        for step in &self.report.steps {
            match &step.judged {
                Judged::Decision(decision) => lost -= decision.loss,
                Judged::Luck(luck) if luck.luck > 0.0 => good += luck.luck,
                Judged::Luck(luck) => bad += luck.luck,
                Judged::Forced { .. } | Judged::Nothing => {}
            }
        }
        let [lost, good, bad] = [lost, good, bad].map(chances::change);
        writeln!(
            out,
            "\nLost by decisions {lost}, good luck {good}, bad luck {bad}"
        )?;
        let note =
            "Sums over all steps: a chance that is lost, won back and lost again counts each time.";
        writeln!(out, "{}", self.styler.apply(TextStyle::Faint, note))?;
        Ok(())
    }

    fn player(&self, seat: u8) -> &str {
        self.players
            .get(usize::from(seat))
            .map_or("", String::as_str)
    }

    fn strong(&self, text: &str) -> String {
        self.styler.apply(TextStyle::Strong, text)
    }
}

/// Formats a chance with its bar.
fn shown(chance: f64) -> String {
    let (text, bar) = (chances::percent(chance, 1), chances::bar(chance, BAR_WIDTH));
    format!("{text:>6}  {bar}")
}

/// Returns a text with an initial capital.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}
