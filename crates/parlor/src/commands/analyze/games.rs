//! Games that were played: every move with what it was worth, every roll with its luck, and what comes of it for both players.

use std::io::Write;

use parlor_backgammon::transcript::{GameRecord, Logged, Transcript};
use parlor_backgammon::{Crawford, Win};
use parlor_bots::Nodes;
use parlor_core::Turn;
use parlor_games::analysis::{
    Analysis, Analyst, Decision, Judged, Luck, Mark, Totals, Units, follow,
};
use parlor_games::{AnyPosition, GameKind};
use serde::Serialize;

use super::numbers::Numbers;
use super::paint::{Ink, Paint, Progress};
use super::{Analyze, sign_of, signed, spread};
use crate::failure::Failure;

/// Everything that is told of games.
#[derive(Serialize)]
struct Report {
    kind: &'static str,
    game: &'static str,
    names: [String; 2],
    /// Points to win; 0 in money play.
    length: u8,
    method: String,
    units: Units,
    games: Vec<Told>,
    /// The sums over all of these games.
    seats: Vec<Totals>,
}

/// A game.
#[derive(Serialize)]
struct Told {
    number: usize,
    score: [u32; 2],
    crawford: bool,
    /// How it came out, in words; nothing while it goes on.
    result: Option<String>,
    steps: Vec<Step>,
    seats: Vec<Totals>,
}

/// Something that happened.
#[derive(Serialize)]
struct Step {
    #[serde(flatten)]
    done: Done,
    /// As it is told to people.
    label: String,
    #[serde(flatten)]
    judged: Judged,
}

/// What was done, as records have it.
#[derive(Serialize)]
#[serde(untagged)]
enum Done {
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

/// A game that is to be judged.
struct Played<'a> {
    number: usize,
    record: &'a GameRecord,
    /// What happened, each with the position before it.
    steps: Vec<(AnyPosition, String)>,
    end: AnyPosition,
}

pub fn run(args: &Analyze, transcript: &Transcript, out: &mut dyn Write) -> Result<(), Failure> {
    let played = chosen(args, transcript)?;
    let report = judged(args, transcript, &played)?;
    if args.json {
        writeln!(
            out,
            "{}",
            serde_json::to_string_pretty(&report).map_err(Failure::refused)?
        )?;
        return Ok(());
    }
    Teller {
        report: &report,
        least: args.only.map(super::Only::least),
        paint: Paint::stdout(),
        out,
    }
    .tell()
}

/// The games that are asked for.
fn chosen<'a>(args: &Analyze, transcript: &'a Transcript) -> Result<Vec<Played<'a>>, Failure> {
    let games = transcript.games();
    let wanted = |n: &usize| args.number.is_none_or(|number| number == n + 1);
    let played: Vec<Played<'_>> = (0..games.len())
        .filter(wanted)
        .map(|n| Played::new(n + 1, &games[n]))
        .collect();
    match (played.is_empty(), args.number) {
        (false, _) => Ok(played),
        (true, Some(number)) => Err(Failure::Refused(format!(
            "--game: there is no game {number}; the last is game {}",
            games.len()
        ))),
        (true, None) => Err(Failure::Refused(
            "nothing was played yet: there is no move to judge".to_owned(),
        )),
    }
}

impl Played<'_> {
    fn new(number: usize, record: &GameRecord) -> Played<'_> {
        let mut position = AnyPosition::Backgammon(record.start().clone());
        let mut steps = Vec::new();
        for logged in record.log() {
            let (Logged::Chance(text) | Logged::Move(text)) = logged;
            let before = position.clone();
            follow(&mut position, &text).expect("a transcript can always be played again");
            steps.push((before, text));
        }
        Played {
            number,
            record,
            steps,
            end: position,
        }
    }
}

fn judged(
    args: &Analyze,
    transcript: &Transcript,
    played: &[Played<'_>],
) -> Result<Report, Failure> {
    let settings = args.settings();
    let analyst = GameKind::Backgammon
        .analyst(&settings)
        .map_err(Failure::refused)?;
    let tool = || {
        GameKind::Backgammon
            .analyst(&settings)
            .expect("one was made already")
    };
    let steps: Vec<&(AnyPosition, String)> = played.iter().flat_map(|game| &game.steps).collect();
    let mut progress = Progress::new();
    let work = |analyst: &mut Box<dyn Analyst>, (before, text): &&(AnyPosition, String)| {
        analyst.step(before, text, &mut Nodes(u64::MAX))
    };
    let say = |done, _: &Judged| {
        progress.say(&format!("{done} of {} moves and rolls judged", steps.len()))
    };
    let mut all = spread::each(args.threads(), &steps, tool, work, say);
    drop(progress);

    let (first, last) = (&played[0], played.last().unwrap_or(&played[0]));
    let begin = AnyPosition::Backgammon(first.record.start().clone());
    let mut whole = Analysis::of(&*analyst, &begin, &last.end, all.clone());
    let games = played.iter().map(|game| {
        let rest = all.split_off(game.steps.len());
        let steps = std::mem::replace(&mut all, rest);
        game.told(&*analyst, steps, &transcript.names)
    });
    let mut games: Vec<Told> = games.collect();
    let length = transcript.rules().length;
    settle(
        &mut whole.seats,
        &mut games,
        length > 0,
        played.len() == transcript.games().len(),
    );
    Ok(Report {
        kind: "games",
        game: GameKind::Backgammon.name(),
        names: transcript.names.clone(),
        length,
        method: whole.method,
        units: whole.units,
        games,
        seats: whole.seats,
    })
}

/// Results belong to what is played for: a match as a whole, or each game of a session, of which they are summed up.
fn settle(whole: &mut [Totals], games: &mut [Told], is_match: bool, complete: bool) {
    if !is_match {
        for (seat, totals) in whole.iter_mut().enumerate() {
            totals.result = games.iter().map(|game| game.seats[seat].result).sum();
            totals.adjusted = games.iter().map(|game| game.seats[seat].adjusted).sum();
        }
        return;
    }
    let many = games.len() > 1;
    let of_games = games.iter_mut().flat_map(|game| &mut game.seats);
    let unsettled = |totals: &mut Totals| (totals.result, totals.adjusted) = (None, None);
    if !complete {
        whole.iter_mut().for_each(unsettled);
    }
    // A match of one game is settled by it.
    if !complete || many {
        of_games.for_each(unsettled);
    }
}

impl Played<'_> {
    fn told(&self, analyst: &dyn Analyst, steps: Vec<Judged>, names: &[String; 2]) -> Told {
        let begin = AnyPosition::Backgammon(self.record.start().clone());
        let analysis = Analysis::of(analyst, &begin, &self.end, steps);
        let told = self
            .steps
            .iter()
            .zip(analysis.steps)
            .map(|((before, text), judged)| {
                let text = text.clone();
                let (label, done) = match before.turn() {
                    Turn::Move(seat) => (
                        before.label(&text),
                        Done::Move {
                            text,
                            seat: seat.number(),
                        },
                    ),
                    Turn::Chance | Turn::Over(_) => {
                        (before.chance_label(&text), Done::Chance { chance: text })
                    }
                };
                Step {
                    done,
                    label,
                    judged,
                }
            });
        Told {
            number: self.number,
            score: self.record.score(),
            crawford: self.record.start().crawford() == Crawford::Now
                && self.record.start().rules().length > 1,
            steps: told.collect(),
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
            None => ", as the double was dropped",
            Some(_) if self.record.resigned() => ", as the other resigned",
            Some(Win::Single) => "",
            Some(Win::Gammon) => " with a gammon",
            Some(Win::Backgammon) => " with a backgammon",
        };
        Some(format!("{name} wins {points}{how}."))
    }
}

/// Writes what was found about games.
struct Teller<'a> {
    report: &'a Report,
    /// The least mark that is listed; without one everything is.
    least: Option<Mark>,
    paint: Paint,
    out: &'a mut dyn Write,
}

/// Luck from which on it is called so, and very much so: as GNU Backgammon does.
const LUCKY: f64 = 0.3;
const VERY_LUCKY: f64 = 0.6;

impl Teller<'_> {
    fn tell(&mut self) -> Result<(), Failure> {
        let Report {
            names: [white, black],
            length,
            method,
            units,
            games,
            ..
        } = self.report;
        let what = match (length, games.len()) {
            (0, 1) => "Single game".to_owned(),
            (0, many) => format!("Session of {many} games"),
            (length, _) => format!("Match to {length}"),
        };
        let title = format!("{what}: {white} (White) and {black} (Black)");
        writeln!(self.out, "{}", self.paint.ink(Ink::Strong, &title))?;
        writeln!(self.out, "Judged by {method}; equities in {}", units.worth)?;
        for game in games {
            self.game(game)?;
        }
        if games.len() > 1 {
            writeln!(self.out, "\n{}", self.paint.ink(Ink::Strong, "All games"))?;
            self.totals(&self.report.seats)?;
        }
        Ok(())
    }

    fn game(&mut self, game: &Told) -> Result<(), Failure> {
        let [white, black] = game.score;
        let crawford = if game.crawford { ", Crawford" } else { "" };
        let title = format!("Game {}, {white}-{black}{crawford}", game.number);
        writeln!(self.out, "\n{}", self.paint.ink(Ink::Strong, &title))?;
        let mut rows = Rows::default();
        for step in &game.steps {
            if let Some(row) = rows.take(step) {
                self.row(&row)?;
            }
        }
        if let Some(row) = rows.rest() {
            self.row(&row)?;
        }
        if let Some(result) = &game.result {
            writeln!(self.out, "{result}")?;
        }
        writeln!(self.out)?;
        self.totals(&game.seats)
    }

    fn row(&mut self, row: &Row<'_>) -> Result<(), Failure> {
        let mark = row.decision.map_or(Mark::Fine, |decision| decision.mark);
        if self.least.is_some_and(|least| mark < least) {
            return Ok(());
        }
        let names = &self.report.names;
        let wide = names
            .iter()
            .map(|name| name.chars().count())
            .max()
            .unwrap_or(0)
            .min(12);
        let name: String = names[usize::from(row.seat)].chars().take(wide).collect();
        let dice = row.luck.map(|luck| luck.text.as_str()).unwrap_or_default();
        let loss = if mark == Mark::Fine {
            String::new()
        } else {
            signed(-row.decision.map_or(0.0, |d| d.loss), 3)
        };
        let ink = match mark {
            Mark::Blunder => Some(Ink::Bad),
            Mark::Error | Mark::Inaccuracy => Some(Ink::Warn),
            Mark::Fine => None,
        };
        let judged = format!("{:2} {loss:>6}", sign_of(mark));
        let judged = ink.map_or(judged.clone(), |ink| self.paint.ink(ink, &judged));
        let luck = row.luck.map(|luck| self.luck(luck)).unwrap_or_default();
        let line = format!(
            "{:>3}. {name:wide$}  {dice:2}  {:26} {judged}  {luck}",
            row.number, row.label
        );
        writeln!(self.out, "{}", line.trim_end())?;
        if let Some(decision) = row.decision.filter(|_| mark != Mark::Fine) {
            let better = format!("{:1$}better: {2}", "", wide + 11, better(decision));
            writeln!(self.out, "{}", self.paint.ink(Ink::Faint, &better))?;
        }
        Ok(())
    }

    fn luck(&self, luck: &Luck) -> String {
        let number = signed(luck.luck, 3);
        match luck.luck {
            VERY_LUCKY.. => self.paint.ink(Ink::Good, &format!("{number} very lucky")),
            LUCKY.. => self.paint.ink(Ink::Good, &format!("{number} lucky")),
            x if x <= -VERY_LUCKY => self.paint.ink(Ink::Bad, &format!("{number} very unlucky")),
            x if x <= -LUCKY => self.paint.ink(Ink::Bad, &format!("{number} unlucky")),
            _ => number,
        }
    }

    fn totals(&mut self, seats: &[Totals]) -> Result<(), Failure> {
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
            .map(|rate| rate.0)
            .zip(0..)
        {
            row(title, &|totals| {
                totals
                    .rates
                    .get(at)
                    .map_or(String::new(), |(_, rate)| format!("{:.2}", rate + 0.0))
            });
        }
        row("level", &|totals| rating(totals).to_owned());
        row("luck", &|totals| signed(totals.luck, 3));
        row(&format!("luck, {}", self.report.units.stake), &|totals| {
            stake(totals.luck_cost)
        });
        if seats.iter().all(|totals| totals.adjusted.is_some()) {
            row("result", &|totals| stake(totals.result.unwrap_or_default()));
            row("result without luck", &|totals| {
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

/// What a player like this is called, by what is lost with a decision that counts. The bounds are those of GNU Backgammon's manual.
fn rating(totals: &Totals) -> &'static str {
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

/// What would have been best.
fn better(decision: &Decision) -> &str {
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

/// A line of the list: what a seat did, and with which roll.
struct Row<'a> {
    number: usize,
    seat: u8,
    luck: Option<&'a Luck>,
    label: &'a str,
    decision: Option<&'a Decision>,
}

/// Makes rows of steps.
#[derive(Default)]
struct Rows<'a> {
    /// The roll that was not played yet.
    luck: Option<&'a Luck>,
    numbers: Numbers,
}

impl<'a> Rows<'a> {
    /// The row that a step makes, if it makes one: rolls belong to the plays after them, and to roll is worth a row only if it was wrong.
    fn take(&mut self, step: &'a Step) -> Option<Row<'a>> {
        let decision = match &step.judged {
            Judged::Luck(luck) => {
                self.luck = Some(luck);
                return None;
            }
            Judged::Decision(decision) => Some(decision),
            Judged::Forced { .. } | Judged::Nothing => None,
        };
        let Done::Move { text, seat } = &step.done else {
            return None;
        };
        let (seat, rolls) = (*seat, text == "roll");
        if rolls && decision.is_none_or(|decision| decision.mark == Mark::Fine) {
            return None;
        }
        // A double that was not made has the number of the play after it.
        let number = if rolls {
            self.numbers.next(seat)
        } else {
            self.numbers.count(seat)
        };
        let label = if rolls {
            "does not double"
        } else {
            &step.label
        };
        Some(Row {
            number,
            seat,
            luck: self.luck.take(),
            label,
            decision,
        })
    }

    /// The row of a roll with which nothing was done.
    fn rest(mut self) -> Option<Row<'a>> {
        let luck = self.luck?;
        let number = self.numbers.count(luck.seat);
        Some(Row {
            number,
            seat: luck.seat,
            luck: Some(luck),
            label: "(not played)",
            decision: None,
        })
    }
}
