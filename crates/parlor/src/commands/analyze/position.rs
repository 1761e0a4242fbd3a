//! Analysis of one position: board, prospects and best decision.

use std::io::Write;
use std::ops::Range;

use parlor_backgammon::{Game, ids};
use parlor_bots::Nodes;
use parlor_core::{Position, Seat};
use parlor_games::AnyPosition;
use parlor_games::analysis::{
    Assessment, Decision, Prospects, Rollout, RolloutSettings, RolloutTally, Units,
};
use serde::Serialize;

use super::style::{ProgressLine, Styler, TextStyle};
use super::{AnalyzeArgs, input, parallel, signed};
use crate::error::CommandError;

/// Number of rollout games between updates of the progress line.
const BATCH_GAMES: usize = 36;

/// Analysis of a position.
#[derive(Serialize)]
struct PositionReport {
    kind: &'static str,
    game: &'static str,
    /// Position as text.
    position: String,
    xgid: Option<String>,
    gnubg_id: Option<String>,
    method: String,
    units: Units,
    /// Size and settings of the rollout, if there was one.
    rollout: Option<RolloutReport>,
    #[serde(flatten)]
    assessment: Assessment,
}

#[derive(Serialize)]
struct RolloutReport {
    games: u32,
    #[serde(flatten)]
    settings: RolloutSettings,
}

pub fn run(args: &AnalyzeArgs, game: &Game, out: &mut dyn Write) -> Result<(), CommandError> {
    let mut game = game.clone();
    if args.cubeless {
        game = input::without_cube(&game);
    }
    if let Some(dice) = &args.dice {
        game = input::with_dice(&game, dice).map_err(CommandError::Other)?;
    }
    if game.turn().is_over() {
        return Err(CommandError::Other(
            "the game is over in this position; there is nothing to decide".to_owned(),
        ));
    }
    let (xgid, gnubg_id) = (ids::xgid(&game).ok(), ids::gnubg_id(&game).ok());
    let position = AnyPosition::new(game);
    let mut analyst = parlor_games::backgammon::KIND
        .analyst(&args.settings())
        .map_err(CommandError::other)?;
    let assessment = match args.rollout {
        None => analyst.position(&position, &mut Nodes(u64::MAX)),
        Some(games) => {
            let rollout = analyst.rollout(
                &position,
                None,
                &args.rollout_settings(),
                &mut Nodes(u64::MAX),
            );
            let rollout = rollout.ok_or_else(|| {
                CommandError::Other(
                    "--rollout: a game cannot be rolled out before its first roll".to_owned(),
                )
            })?;
            run_rollout(&*rollout, games, args.threads())
        }
    };
    let report = PositionReport {
        kind: "position",
        game: parlor_games::backgammon::KIND.name(),
        position: position.text(),
        xgid,
        gnubg_id,
        method: analyst.method(),
        units: analyst.units(&position),
        rollout: args.rollout.map(|games| RolloutReport {
            games,
            settings: args.rollout_settings(),
        }),
        assessment,
    };
    if args.json {
        writeln!(
            out,
            "{}",
            serde_json::to_string_pretty(&report).map_err(CommandError::other)?
        )?;
        return Ok(());
    }
    PositionPrinter {
        position: &position,
        styler: Styler::stdout(),
        out,
    }
    .print(&report)
}

/// Plays the games of a rollout and returns the resulting assessment.
fn run_rollout(rollout: &dyn Rollout, games: u32, threads: usize) -> Assessment {
    let batches: Vec<Range<u32>> = (0..games)
        .step_by(BATCH_GAMES)
        .map(|from| from..games.min(from.saturating_add(BATCH_GAMES as u32)))
        .collect();
    let mut progress = ProgressLine::new();
    let mut whole = RolloutTally::default();
    let merge = |_, part: &RolloutTally| {
        whole.merge(part);
        if progress.is_visible() {
            progress.show(&progress_text(
                &rollout.assess(&whole),
                whole.games(),
                games,
            ));
        }
    };
    parallel::map(
        threads,
        &batches,
        || (),
        |(), batch| rollout.run(batch.clone()),
        merge,
    );
    drop(progress);
    rollout.assess(&whole)
}

/// One-line progress report of a rollout.
fn progress_text(so_far: &Assessment, done: u32, games: u32) -> String {
    let best = so_far
        .decision
        .as_ref()
        .and_then(|decision| decision.ranked.first());
    let (name, worth, error) = match (best, &so_far.prospects) {
        (Some(best), _) => (best.text.as_str(), best.worth, best.error),
        (None, Some(prospects)) => ("", prospects.worth, prospects.error),
        (None, None) => return format!("{done} of {games} games"),
    };
    format!(
        "{done} of {games} games: {name} {} ± {:.3}",
        signed(worth, 3),
        error.unwrap_or_default()
    )
}

/// Prints a [`PositionReport`] as text.
struct PositionPrinter<'a> {
    position: &'a AnyPosition,
    styler: Styler,
    out: &'a mut dyn Write,
}

impl PositionPrinter<'_> {
    fn print(&mut self, report: &PositionReport) -> Result<(), CommandError> {
        write!(self.out, "{}", self.position.terminal(None))?;
        if let Some(xgid) = &report.xgid {
            writeln!(self.out, "{xgid}")?;
        }
        if let Some(id) = &report.gnubg_id {
            writeln!(self.out, "GNU Backgammon ID {id}")?;
        }
        writeln!(self.out)?;
        let Assessment {
            prospects,
            decision,
        } = &report.assessment;
        if let Some(prospects) = prospects {
            self.prospects(prospects, &report.units)?;
        }
        match decision {
            Some(decision) if decision.topic == "cube" => self.cube(decision)?,
            Some(decision) => self.plays(decision)?,
            None if prospects.is_none() => {
                writeln!(
                    self.out,
                    "Before the first roll both sides are equal; use --dice 3-1 to roll (White's die first)."
                )?;
            }
            None => {}
        }
        Ok(())
    }

    fn name(&self, seat: u8) -> String {
        Seat::new(seat)
            .map(|seat| self.position.seat_name(seat))
            .unwrap_or_default()
    }

    fn prospects(&mut self, prospects: &Prospects, units: &Units) -> Result<(), CommandError> {
        let name = self.name(prospects.seat);
        let title = format!("{name} before the roll ({})", prospects.method);
        writeln!(self.out, "{}", self.styler.apply(TextStyle::Strong, &title))?;
        let mut others = Vec::new();
        let mut chances = Vec::new();
        for (title, number) in &prospects.details {
            match &**title {
                "win" | "win gammon" | "win backgammon" | "lose gammon" | "lose backgammon" => {
                    chances.push(format!("{title} {:.1}%", 100.0 * number));
                }
                _ => others.push(format!("{title} {}", signed(*number, 3))),
            }
        }
        writeln!(self.out, "  {}", chances.join(", "))?;
        let error = prospects
            .error
            .map(|error| format!(" ± {error:.3}"))
            .unwrap_or_default();
        let mut worth = vec![format!("equity {}{error}", signed(prospects.worth, 3))];
        worth.append(&mut others);
        writeln!(self.out, "  {} ({})", worth.join(", "), units.worth)?;
        if units.stake.contains("match") {
            writeln!(
                self.out,
                "  wins the match {:.1}%",
                100.0 * prospects.winning
            )?;
        }
        writeln!(self.out)?;
        Ok(())
    }

    fn plays(&mut self, decision: &Decision) -> Result<(), CommandError> {
        let name = self.name(decision.seat);
        let title = format!("{name} to play {}", decision.about);
        writeln!(self.out, "{}", self.styler.apply(TextStyle::Strong, &title))?;
        let width = decision
            .ranked
            .iter()
            .map(|one| one.text.chars().count())
            .max()
            .unwrap_or(0)
            .max(8);
        let method_width = decision
            .ranked
            .iter()
            .map(|one| one.method.chars().count())
            .max()
            .unwrap_or(0);
        let errors = decision.ranked.iter().any(|one| one.error.is_some());
        let error = |text: &str| {
            if errors {
                format!(" {text:>6}")
            } else {
                String::new()
            }
        };
        let head = format!(
            "     {:method_width$}  {:width$}  equity{}    loss   win  w gam  w bg  l gam  l bg",
            "",
            "play",
            error("±")
        );
        writeln!(self.out, "{}", self.styler.apply(TextStyle::Faint, &head))?;
        for (n, one) in decision.ranked.iter().enumerate() {
            let chances = |title: &str| {
                one.details
                    .iter()
                    .find(|(known, _)| *known == title)
                    .map_or(0.0, |(_, x)| 100.0 * x)
            };
            let loss = if n == 0 {
                String::new()
            } else {
                signed(-one.loss, 3)
            };
            let line = format!(
                "{:>3}  {:method_width$}  {:width$}  {}{}  {loss:>6} {:>5.1}  {:>5.1} {:>5.1}  {:>5.1} {:>5.1}",
                n + 1,
                one.method,
                one.text,
                signed(one.worth, 3),
                error(
                    &one.error
                        .map(|error| format!("{error:.3}"))
                        .unwrap_or_default()
                ),
                chances("win"),
                chances("win gammon"),
                chances("win backgammon"),
                chances("lose gammon"),
                chances("lose backgammon"),
            );
            writeln!(
                self.out,
                "{}",
                if n == 0 {
                    self.styler.apply(TextStyle::Strong, &line)
                } else {
                    line
                }
            )?;
        }
        if decision.all > decision.ranked.len() {
            let more = format!(
                "     {} more; --moves shows them",
                decision.all - decision.ranked.len()
            );
            writeln!(self.out, "{}", self.styler.apply(TextStyle::Faint, &more))?;
        }
        Ok(())
    }

    fn cube(&mut self, decision: &Decision) -> Result<(), CommandError> {
        let name = self.name(decision.seat);
        let question = if decision.about == "double" {
            "to roll or double"
        } else {
            "to answer the double"
        };
        writeln!(
            self.out,
            "{}",
            self.styler
                .apply(TextStyle::Strong, &format!("{name} {question}"))
        )?;
        let best = decision.ranked.first().map_or(0.0, |best| best.worth);
        // All alternatives come from the same estimated chances and share their error.
        let error = decision.ranked.first().and_then(|best| best.error);
        let error = error
            .map(|error| format!(" (chances ± {error:.3} points)"))
            .unwrap_or_default();
        if decision.about == "double" {
            for (title, worth) in decision
                .details
                .iter()
                .filter(|(title, _)| *title != "wrong answers needed")
            {
                writeln!(
                    self.out,
                    "  {title:16} {}  {}",
                    signed(*worth, 3),
                    signed(worth - best, 3)
                )?;
            }
        } else {
            for one in &decision.ranked {
                writeln!(
                    self.out,
                    "  {:16} {}  {}",
                    one.text.to_lowercase(),
                    signed(one.worth, 3),
                    signed(-one.loss, 3)
                )?;
            }
        }
        let verdict = match decision.about.as_str() {
            "double" => decision.verdict.clone(),
            _ => decision.ranked.first().map(|best| best.text.clone()),
        };
        writeln!(
            self.out,
            "{}",
            self.styler.apply(
                TextStyle::Strong,
                &format!("Best: {}{error}", verdict.unwrap_or_default())
            )
        )?;
        if let Some((_, share)) = decision
            .details
            .iter()
            .find(|(title, _)| *title == "wrong answers needed")
        {
            writeln!(
                self.out,
                "Doubling is right if the opponent answers wrongly {:.0}% of the time.",
                100.0 * share
            )?;
        }
        Ok(())
    }
}
