//! Analysis of games: the value of every move, the luck of every roll, and totals for both players.

use std::io::Write;

use parlor_backgammon::transcript::{GameRecord, LogStep, Transcript};
use parlor_backgammon::{Crawford, Win};
use parlor_bots::Nodes;
use parlor_core::Turn;
use parlor_games::AnyPosition;
use parlor_games::analysis::{
    Analysis, Analyst, Decision, Judged, Luck, Mark, Totals, Units, follow,
};
use serde::Serialize;

use super::numbers::MoveNumbers;
use super::style::{ProgressLine, Styler, TextStyle};
use super::{AnalyzeArgs, mark_symbol, parallel, signed};
use crate::error::CommandError;

/// Analysis of several games.
#[derive(Serialize)]
struct GamesReport {
    kind: &'static str,
    game: &'static str,
    names: [String; 2],
    /// Match length in points; 0 in money play.
    length: u8,
    method: String,
    units: Units,
    games: Vec<GameReport>,
    /// Totals over all games.
    seats: Vec<Totals>,
}

/// Analysis of one game.
#[derive(Serialize)]
struct GameReport {
    number: usize,
    score: [u32; 2],
    crawford: bool,
    /// Result in words; `None` while the game is unfinished.
    result: Option<String>,
    steps: Vec<JudgedStep>,
    seats: Vec<Totals>,
}

/// A move or roll and its judgment.
#[derive(Serialize)]
pub(super) struct JudgedStep {
    #[serde(flatten)]
    notation: StepNotation,
    /// Step in words.
    label: String,
    #[serde(flatten)]
    pub(super) judged: Judged,
}

/// Notation of a step, as in records.
#[derive(Serialize)]
#[serde(untagged)]
enum StepNotation {
    Move {
        #[serde(rename = "move")]
        text: String,
        #[serde(skip)]
        seat: u8,
    },
    Chance {
        chance: String,
    },
}

impl JudgedStep {
    /// Describes a step, from the position before it.
    pub(super) fn new(before: &AnyPosition, text: String, judged: Judged) -> JudgedStep {
        let (label, notation) = match before.turn() {
            Turn::Move(seat) => (
                before.label(&text),
                StepNotation::Move {
                    seat: before.mover(&text).unwrap_or(seat).number(),
                    text,
                },
            ),
            Turn::Chance | Turn::Over(_) => (
                before.chance_label(&text),
                StepNotation::Chance { chance: text },
            ),
        };
        JudgedStep {
            notation,
            label,
            judged,
        }
    }
}

/// A game to analyze.
struct ReplayedGame<'a> {
    number: usize,
    record: &'a GameRecord,
    /// Every step with the position before it.
    steps: Vec<(AnyPosition, String)>,
    end: AnyPosition,
}

pub fn run(
    args: &AnalyzeArgs,
    transcript: &Transcript,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let played = select_games(args, transcript)?;
    let report = judge(args, transcript, &played)?;
    if args.json {
        writeln!(
            out,
            "{}",
            serde_json::to_string_pretty(&report).map_err(CommandError::other)?
        )?;
        return Ok(());
    }
    GamesPrinter {
        report: &report,
        min_mark: args.only.map(super::MarkFilter::min_mark),
        styler: Styler::stdout(),
        out,
    }
    .print()
}

/// Returns the games that the arguments select.
fn select_games<'a>(
    args: &AnalyzeArgs,
    transcript: &'a Transcript,
) -> Result<Vec<ReplayedGame<'a>>, CommandError> {
    let games = transcript.games();
    let wanted = |n: &usize| args.number.is_none_or(|number| number == n + 1);
    let played: Vec<ReplayedGame<'_>> = (0..games.len())
        .filter(wanted)
        .map(|n| ReplayedGame::new(n + 1, &games[n]))
        .collect();
    match (played.is_empty(), args.number) {
        (false, _) => Ok(played),
        (true, Some(number)) => Err(CommandError::Other(format!(
            "--game: there is no game {number}; the last is game {}",
            games.len()
        ))),
        (true, None) => Err(CommandError::Other(
            "no move has been played yet".to_owned(),
        )),
    }
}

impl ReplayedGame<'_> {
    fn new(number: usize, record: &GameRecord) -> ReplayedGame<'_> {
        let mut position = AnyPosition::new(record.start().clone());
        let mut steps = Vec::new();
        for logged in record.log() {
            let (LogStep::Chance(text) | LogStep::Move(text)) = logged;
            let before = position.clone();
            follow(&mut position, &text).expect("a transcript can be replayed");
            steps.push((before, text));
        }
        ReplayedGame {
            number,
            record,
            steps,
            end: position,
        }
    }
}

fn judge(
    args: &AnalyzeArgs,
    transcript: &Transcript,
    played: &[ReplayedGame<'_>],
) -> Result<GamesReport, CommandError> {
    let settings = args.settings();
    let analyst = parlor_games::backgammon::KIND
        .analyst(&settings)
        .map_err(CommandError::other)?;
    let new_analyst = || {
        parlor_games::backgammon::KIND
            .analyst(&settings)
            .expect("the same call succeeded above")
    };
    let steps: Vec<&(AnyPosition, String)> = played.iter().flat_map(|game| &game.steps).collect();
    let mut progress = ProgressLine::new();
    let work = |analyst: &mut Box<dyn Analyst>, (before, text): &&(AnyPosition, String)| {
        analyst.step(before, text, &mut Nodes(u64::MAX))
    };
    let report_progress = |done, _: &Judged| {
        progress.show(&format!("{done} of {} moves and rolls judged", steps.len()))
    };
    let mut all = parallel::map(args.threads(), &steps, new_analyst, work, report_progress);
    drop(progress);

    let (first, last) = (&played[0], played.last().unwrap_or(&played[0]));
    let begin = AnyPosition::new(first.record.start().clone());
    let mut whole = Analysis::from_steps(&*analyst, &begin, &last.end, all.clone());
    let games = played.iter().map(|game| {
        let rest = all.split_off(game.steps.len());
        let steps = std::mem::replace(&mut all, rest);
        game.report(&*analyst, steps, &transcript.names)
    });
    let mut games: Vec<GameReport> = games.collect();
    let length = transcript.rules().length;
    assign_results(
        &mut whole.seats,
        &mut games,
        length > 0,
        played.len() == transcript.games().len(),
    );
    Ok(GamesReport {
        kind: "games",
        game: parlor_games::backgammon::KIND.name(),
        names: transcript.names.clone(),
        length,
        method: whole.method,
        units: whole.units,
        games,
        seats: whole.seats,
    })
}

/// Assigns results to the unit that is played for: to a match as a whole, or to each game of a
/// session, which then has their sum.
fn assign_results(whole: &mut [Totals], games: &mut [GameReport], is_match: bool, complete: bool) {
    if !is_match {
        for (seat, totals) in whole.iter_mut().enumerate() {
            totals.result = games.iter().map(|game| game.seats[seat].result).sum();
            totals.adjusted = games.iter().map(|game| game.seats[seat].adjusted).sum();
        }
        return;
    }
    let has_many = games.len() > 1;
    let game_totals = games.iter_mut().flat_map(|game| &mut game.seats);
    let clear_result = |totals: &mut Totals| (totals.result, totals.adjusted) = (None, None);
    if !complete {
        whole.iter_mut().for_each(clear_result);
    }
    // The result of a match of one game is that of the game.
    if !complete || has_many {
        game_totals.for_each(clear_result);
    }
}

impl ReplayedGame<'_> {
    fn report(&self, analyst: &dyn Analyst, steps: Vec<Judged>, names: &[String; 2]) -> GameReport {
        let begin = AnyPosition::new(self.record.start().clone());
        let analysis = Analysis::from_steps(analyst, &begin, &self.end, steps);
        let steps = self
            .steps
            .iter()
            .zip(analysis.steps)
            .map(|((before, text), judged)| JudgedStep::new(before, text.clone(), judged));
        GameReport {
            number: self.number,
            score: self.record.score(),
            crawford: self.record.start().crawford() == Crawford::Now
                && self.record.start().rules().length > 1,
            steps: steps.collect(),
            seats: analysis.seats,
            result: self.result(names),
        }
    }

    fn result(&self, names: &[String; 2]) -> Option<String> {
        let result = self.record.result()?;
        let name = &names[result.by.index()];
        let points = format!(
            "{} point{}",
            result.points,
            if result.points == 1 { "" } else { "s" }
        );
        let how = match result.win {
            None => ", because the double was dropped",
            Some(_) if self.record.resigned() => " by resignation",
            Some(Win::Single) => "",
            Some(Win::Gammon) => " with a gammon",
            Some(Win::Backgammon) => " with a backgammon",
        };
        Some(format!("{name} wins {points}{how}."))
    }
}

/// Prints a [`GamesReport`] as text.
struct GamesPrinter<'a> {
    report: &'a GamesReport,
    /// Mildest mark to list; `None` lists everything.
    min_mark: Option<Mark>,
    styler: Styler,
    out: &'a mut dyn Write,
}

/// Luck of at least this much is called lucky, with the thresholds of GNU Backgammon.
const LUCKY: f64 = 0.3;
/// Luck of at least this much is called very lucky.
const VERY_LUCKY: f64 = 0.6;

impl GamesPrinter<'_> {
    fn print(&mut self) -> Result<(), CommandError> {
        let GamesReport {
            names: [white, black],
            length,
            method,
            units,
            games,
            ..
        } = self.report;
        let kind = match (length, games.len()) {
            (0, 1) => "Single game".to_owned(),
            (0, many) => format!("Session of {many} games"),
            (length, _) => format!("Match to {length}"),
        };
        let title = format!("{kind}: {white} (White) and {black} (Black)");
        writeln!(self.out, "{}", self.styler.apply(TextStyle::Strong, &title))?;
        writeln!(self.out, "Judged by {method}; equities in {}", units.worth)?;
        for game in games {
            self.game(game)?;
        }
        if games.len() > 1 {
            writeln!(
                self.out,
                "\n{}",
                self.styler.apply(TextStyle::Strong, "All games")
            )?;
            self.totals(&self.report.seats)?;
        }
        Ok(())
    }

    fn game(&mut self, game: &GameReport) -> Result<(), CommandError> {
        let [white, black] = game.score;
        let crawford = if game.crawford { ", Crawford" } else { "" };
        let title = format!("Game {}, {white}-{black}{crawford}", game.number);
        writeln!(
            self.out,
            "\n{}",
            self.styler.apply(TextStyle::Strong, &title)
        )?;
        let mut rows = RowBuilder::default();
        for step in &game.steps {
            if let Some(row) = rows.add(step) {
                self.row(&row)?;
            }
        }
        if let Some(row) = rows.finish() {
            self.row(&row)?;
        }
        if let Some(result) = &game.result {
            writeln!(self.out, "{result}")?;
        }
        writeln!(self.out)?;
        self.totals(&game.seats)
    }

    fn row(&mut self, row: &MoveRow<'_>) -> Result<(), CommandError> {
        let mark = row.decision.map_or(Mark::Fine, |decision| decision.mark);
        if self.min_mark.is_some_and(|min| mark < min) {
            return Ok(());
        }
        let names = &self.report.names;
        let width = names
            .iter()
            .map(|name| name.chars().count())
            .max()
            .unwrap_or(0)
            .min(12);
        let name: String = names[usize::from(row.seat)].chars().take(width).collect();
        let dice = row.luck.map(|luck| luck.text.as_str()).unwrap_or_default();
        let loss = if mark == Mark::Fine {
            String::new()
        } else {
            signed(-row.decision.map_or(0.0, |d| d.loss), 3)
        };
        let style = match mark {
            Mark::Blunder => Some(TextStyle::Bad),
            Mark::Error | Mark::Inaccuracy => Some(TextStyle::Warn),
            Mark::Fine => None,
        };
        let judged = format!("{:2} {loss:>6}", mark_symbol(mark));
        let judged = style.map_or(judged.clone(), |style| self.styler.apply(style, &judged));
        let luck = row.luck.map(|luck| self.luck(luck)).unwrap_or_default();
        let line = format!(
            "{:>3}. {name:width$}  {dice:2}  {:26} {judged}  {luck}",
            row.number, row.label
        );
        writeln!(self.out, "{}", line.trim_end())?;
        if let Some(decision) = row.decision.filter(|_| mark != Mark::Fine) {
            let better = format!(
                "{:1$}better: {2}",
                "",
                width + 11,
                best_alternative(decision)
            );
            writeln!(self.out, "{}", self.styler.apply(TextStyle::Faint, &better))?;
        }
        Ok(())
    }

    fn luck(&self, luck: &Luck) -> String {
        let number = signed(luck.luck, 3);
        match luck.luck {
            VERY_LUCKY.. => self
                .styler
                .apply(TextStyle::Good, &format!("{number} very lucky")),
            LUCKY.. => self
                .styler
                .apply(TextStyle::Good, &format!("{number} lucky")),
            x if x <= -VERY_LUCKY => self
                .styler
                .apply(TextStyle::Bad, &format!("{number} very unlucky")),
            x if x <= -LUCKY => self
                .styler
                .apply(TextStyle::Bad, &format!("{number} unlucky")),
            _ => number,
        }
    }

    fn totals(&mut self, seats: &[Totals]) -> Result<(), CommandError> {
        let stake = |number: f64| match self.report.length {
            0 => signed(number, 3),
            _ => format!("{}%", signed(100.0 * number, 2)),
        };
        let part = |totals: &Totals, topic: &str| {
            totals
                .parts
                .iter()
                .find(|part| part.topic == topic)
                .cloned()
        };
        let mut rows: Vec<(String, Vec<String>)> = Vec::new();
        let mut row = |title: &str, cell: &dyn Fn(&Totals) -> String| {
            rows.push((title.to_owned(), seats.iter().map(cell).collect()));
        };
        row("", &|totals| {
            self.report.names[usize::from(totals.seat)]
                .chars()
                .take(16)
                .collect()
        });
        let counted = |totals: &Totals, topic| part(totals, topic).map_or(0, |part| part.counted);
        let lost =
            |totals: &Totals, topic| signed(-part(totals, topic).map_or(0.0, |part| part.loss), 3);
        row("plays with a choice", &|totals| {
            counted(totals, "play").to_string()
        });
        row("cube decisions that count", &|totals| {
            counted(totals, "cube").to_string()
        });
        for (title, mark) in [("inaccuracies ?!", 1), ("errors ?", 2), ("blunders ??", 3)] {
            row(title, &|totals| totals.marks[mark].to_string());
        }
        row("lost by plays", &|totals| lost(totals, "play"));
        row("lost with the cube", &|totals| lost(totals, "cube"));
        row(&format!("lost, {}", self.report.units.stake), &|totals| {
            stake(-totals.cost)
        });
        for (title, at) in seats
            .first()
            .map(|totals| &totals.rates)
            .into_iter()
            .flatten()
            .map(|rate| &rate.0)
            .zip(0..)
        {
            row(title, &|totals| {
                totals
                    .rates
                    .get(at)
                    .map_or(String::new(), |(_, rate)| format!("{:.2}", rate + 0.0))
            });
        }
        row("level", &|totals| skill_level(totals).to_owned());
        row("luck", &|totals| signed(totals.luck, 3));
        row(&format!("luck, {}", self.report.units.stake), &|totals| {
            stake(totals.luck_cost)
        });
        if seats.iter().all(|totals| totals.adjusted.is_some()) {
            row("result", &|totals| stake(totals.result.unwrap_or_default()));
            row("luck-adjusted result", &|totals| {
                stake(totals.adjusted.unwrap_or_default())
            });
        }
        for (title, cells) in rows {
            let cells: Vec<String> = cells.iter().map(|cell| format!("{cell:>16}")).collect();
            writeln!(self.out, "  {title:26}{}", cells.concat())?;
        }
        Ok(())
    }
}

/// Returns the skill level for the average loss per counted decision, with the bounds of GNU
/// Backgammon's manual.
fn skill_level(totals: &Totals) -> &'static str {
    let counted: u32 = totals.parts.iter().map(|part| part.counted).sum();
    if counted == 0 {
        return "";
    }
    match totals.loss / f64::from(counted) {
        ..0.002 => "engine",
        ..0.005 => "world class",
        ..0.008 => "expert",
        ..0.012 => "advanced",
        ..0.018 => "club",
        ..0.026 => "casual",
        ..0.035 => "beginner",
        _ => "learner",
    }
}

/// Returns the best alternative in words.
pub(super) fn best_alternative(decision: &Decision) -> &str {
    let best = decision
        .ranked
        .first()
        .map_or("", |best| best.text.as_str());
    if decision.about == "double" {
        decision.verdict.as_deref().unwrap_or(best)
    } else {
        best
    }
}

/// Line of the move list: a seat's move and its roll.
struct MoveRow<'a> {
    number: usize,
    seat: u8,
    luck: Option<&'a Luck>,
    label: &'a str,
    decision: Option<&'a Decision>,
}

/// Combines steps into rows.
#[derive(Default)]
struct RowBuilder<'a> {
    /// Roll whose play has not come yet.
    luck: Option<&'a Luck>,
    numbers: MoveNumbers,
}

impl<'a> RowBuilder<'a> {
    /// Adds a step and returns the row that it completes, if any. Rolls belong to the play after them;
    /// a decision to roll has a row only if it was an error.
    fn add(&mut self, step: &'a JudgedStep) -> Option<MoveRow<'a>> {
        let decision = match &step.judged {
            Judged::Luck(luck) => {
                self.luck = Some(luck);
                return None;
            }
            Judged::Decision(decision) => Some(decision),
            Judged::Forced { .. } | Judged::Nothing => None,
        };
        let StepNotation::Move { text, seat } = &step.notation else {
            return None;
        };
        let (seat, rolls) = (*seat, text == "roll");
        if rolls && decision.is_none_or(|decision| decision.mark == Mark::Fine) {
            return None;
        }
        // A missed double has the number of the play after it.
        let number = if rolls {
            self.numbers.peek(seat)
        } else {
            self.numbers.advance(seat)
        };
        let label = if rolls {
            "does not double"
        } else {
            &step.label
        };
        Some(MoveRow {
            number,
            seat,
            luck: self.luck.take(),
            label,
            decision,
        })
    }

    /// Returns the row of a last roll that was not played.
    fn finish(mut self) -> Option<MoveRow<'a>> {
        let luck = self.luck?;
        let number = self.numbers.advance(luck.seat);
        Some(MoveRow {
            number,
            seat: luck.seat,
            luck: Some(luck),
            label: "(not played)",
            decision: None,
        })
    }
}
