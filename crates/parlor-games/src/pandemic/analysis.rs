//! Analysis of Pandemic: the team's chance to win, the best turns with their reasons, and luck.

mod reasons;
pub(super) mod trail;

use std::borrow::Cow;
use std::sync::Arc;

use parlor_bots::pandemic::{
    Advice, AdvisedTurn, AdviserSettings, PandemicAdviser, PlannerSettings, WinEstimate,
};
use parlor_bots::{Budget, Crew};
use parlor_core::{Notation, Position, Seat, Turn};
use parlor_pandemic::{Action, Game, Interrupt, Move, Stage, TurnStep};

use super::narrative::{self, label, the};
use crate::AnyPosition;
use crate::analysis::{
    AnalysisEngine, AnalysisSettings, Analyst, Assessment, Decision, Judged, Luck, Mark, Number,
    Prospects, Ranked, Rollout, RolloutSettings, Sums, Units,
};

/// Factory of Pandemic's analysts.
pub(super) struct Analysts;

impl AnalysisEngine for Analysts {
    fn analyst(&self, settings: &AnalysisSettings, crew: Arc<dyn Crew>) -> Box<dyn Analyst> {
        Box::new(TeamAnalyst {
            settings: *settings,
            crew,
            adviser: None,
        })
    }

    fn explain(&self, title: &str) -> Option<&'static str> {
        EXPLANATIONS
            .iter()
            .find(|(explained, _)| *explained == title)
            .map(|(_, text)| *text)
    }
}

/// Topics of decisions.
const ACTIONS: &str = "actions";
const DISCARD: &str = "discard";
const FORECAST: &str = "forecast";
const ANSWER: &str = "answer";
const EVENTS: &str = "events";

/// Explanations of numbers and topics, by title.
const EXPLANATIONS: &[(&str, &str)] = &[
    (
        "value",
        "The team's chance to win if the turn goes on like this, as the computer plays the rest.",
    ),
    (
        "loss",
        "How much of the team's chance to win this costs, compared to the best turn.",
    ),
    (
        "luck",
        "How much a card has changed the team's chance to win.",
    ),
    (ACTIONS, "Decisions what to do with the actions of a turn."),
    (DISCARD, "Decisions which card to discard."),
    (
        FORECAST,
        "Decisions how to put back the cards of a forecast.",
    ),
    (ANSWER, "Answers to the requests of partners."),
    (
        EVENTS,
        "Decisions to play an event between the steps of a turn.",
    ),
];

/// Seed of all rollouts, so that an analysis is the same each time.
const SEED: u64 = 1;
/// Number of alternatives that are compared for a step of a record, besides the move played.
const COMPARED: usize = 2;
/// Number of alternatives that are compared for advice.
const ADVISED: usize = 5;
/// Rollouts for each depth of the settings: of the plans in all, and of each alternative.
const ROLLOUTS: [(u32, u32); 4] = [(96, 96), (240, 256), (640, 640), (2_400, 2_400)];
/// Length of a rollout in turns.
const TURNS: u32 = 6;
/// Number of standard errors above which a loss is not due to the luck of the rollouts.
const SURE: f64 = 2.0;

/// Analyst of Pandemic.
struct TeamAnalyst {
    settings: AnalysisSettings,
    crew: Arc<dyn Crew>,
    /// Adviser for the number of players of the last position, and for as many alternatives.
    adviser: Option<((u8, usize), PandemicAdviser)>,
}

impl TeamAnalyst {
    /// Returns the numbers of rollouts at the depth of the settings.
    fn rollouts(&self) -> (u32, u32) {
        let deepest = ROLLOUTS.len() - 1;
        ROLLOUTS[usize::try_from(self.settings.plies).map_or(deepest, |plies| plies.min(deepest))]
    }

    fn adviser(&mut self, game: &Game, options: usize) -> &mut PandemicAdviser {
        let (plans, each) = self.rollouts();
        let players = game.rules().players();
        let wanted = (players, options.min(self.settings.most.max(1)));
        let crew = Arc::clone(&self.crew);
        let make = || {
            let settings = AdviserSettings {
                planner: PlannerSettings {
                    width: 40,
                    plans: 24,
                    rollouts: plans,
                    turns: TURNS,
                },
                rollouts: each,
                options: wanted.1,
            };
            PandemicAdviser::new(players, settings, SEED).with_crew(crew)
        };
        let kept = self.adviser.take().filter(|(made, _)| *made == wanted);
        let (_, adviser) = self
            .adviser
            .insert(kept.unwrap_or_else(|| (wanted, make())));
        adviser
    }

    fn move_step(&mut self, game: &Game, text: &str, budget: &mut dyn Budget) -> Option<Judged> {
        let mv = game.parse_move(text).ok()?;
        let seat = game.mover(&mv)?.number();
        if is_forced(game) {
            return Some(Judged::Forced { seat });
        }
        let advice = self
            .adviser(game, COMPARED)
            .advise(game, Some(&mv), budget)?;
        advice.played?;
        Some(Judged::Decision(describe(game, &advice, seat)))
    }

    fn chance_step(&mut self, game: &Game, text: &str, budget: &mut dyn Budget) -> Option<Judged> {
        let chance = game.parse_chance(text).ok().filter(|_| game.is_set_up())?;
        let (luck, _) = self.adviser(game, COMPARED).luck(game, &chance, budget)?;
        Some(Judged::Luck(Luck {
            seat: game.active().number(),
            text: narrative::chance(game, text),
            luck,
            stake: 1.0,
        }))
    }
}

impl Analyst for TeamAnalyst {
    fn method(&self) -> String {
        format!("{} rollouts of {TURNS} turns", self.rollouts().1)
    }

    fn units(&self, _: &AnyPosition) -> Units {
        Units {
            worth: Cow::Borrowed("the team's chance to win"),
            stake: Cow::Borrowed("games"),
            is_team_chance: true,
        }
    }

    fn step(&mut self, before: &AnyPosition, text: &str, budget: &mut dyn Budget) -> Judged {
        let Some(game) = before.downcast_ref::<Game>() else {
            return Judged::Nothing;
        };
        let judged = match game.turn() {
            Turn::Chance => self.chance_step(game, text, budget),
            Turn::Move(_) => self.move_step(game, text, budget),
            Turn::Over(_) => None,
        };
        judged.unwrap_or(Judged::Nothing)
    }

    fn position(&mut self, position: &AnyPosition, budget: &mut dyn Budget) -> Assessment {
        let mut assessment = Assessment {
            prospects: None,
            decision: None,
        };
        let Some(game) = position.downcast_ref::<Game>() else {
            return assessment;
        };
        match game.turn() {
            Turn::Move(seat) => {
                let advice = self.adviser(game, ADVISED).advise(game, None, budget);
                let seat = seat.number();
                assessment.decision = advice.map(|advice| describe(game, &advice, seat));
            }
            Turn::Chance => assessment.prospects = self.prospects(position, budget),
            Turn::Over(_) => {}
        }
        assessment
    }

    fn prospects(&mut self, position: &AnyPosition, budget: &mut dyn Budget) -> Option<Prospects> {
        let game = position.downcast_ref::<Game>()?;
        let estimate = self.adviser(game, ADVISED).estimate(game, budget);
        Some(Prospects {
            seat: game.active().number(),
            worth: estimate.chance,
            error: error(estimate),
            winning: estimate.chance,
            details: Vec::new(),
            method: method(estimate),
        })
    }

    /// There is none: the analysis itself consists of rollouts.
    fn rollout(
        &mut self,
        _: &AnyPosition,
        _: Option<&str>,
        _: &RolloutSettings,
        _: &mut dyn Budget,
    ) -> Option<Box<dyn Rollout>> {
        None
    }

    fn result(&self, last: &AnyPosition, seat: Seat) -> Option<f64> {
        let game = last.downcast_ref::<Game>()?;
        let outcome = game.turn().outcome()?;
        let won = f64::from(outcome.payoff(seat, game.seats()));
        Some((won + 1.0) / 2.0)
    }

    fn rates(&self, _: &Sums, _: u8) -> Vec<Number> {
        Vec::new()
    }
}

/// Returns true if there is no choice but which step of the turn comes next.
fn is_forced(game: &Game) -> bool {
    let legal = game.legal_moves();
    let goes_on = |m: &Move| {
        matches!(
            m,
            Move::Step(
                TurnStep::Draw
                    | TurnStep::Infect
                    | TurnStep::InfectAll
                    | TurnStep::Intensify
                    | TurnStep::Epidemic
            )
        )
    };
    legal.len() == 1 || legal.iter().all(goes_on)
}

/// Converts advice to text, for a decision by this seat.
fn describe(game: &Game, advice: &Advice, seat: u8) -> Decision {
    let best = advice.turns.first();
    let chance = best.map_or(0.0, |best| best.estimate.chance);
    let played = advice.played.and_then(|played| advice.turns.get(played));
    let loss = played.map_or(0.0, sure_loss);
    let (topic, about) = subject(game);
    Decision {
        seat,
        topic: Cow::Borrowed(topic),
        about,
        standing: chance,
        winning: chance,
        verdict: None,
        details: Vec::new(),
        ranked: advice.turns.iter().map(|turn| ranked(game, turn)).collect(),
        all: advice.turns.len(),
        played: advice.played,
        loss,
        mark: mark(loss),
        counts: advice.turns.len() > 1,
        stake: 1.0,
    }
}

fn ranked(game: &Game, turn: &AdvisedTurn) -> Ranked {
    let first = turn.moves.first();
    Ranked {
        canonical: first.map(|m| game.move_text(m)).unwrap_or_default(),
        text: words(game, &turn.moves),
        worth: turn.estimate.chance,
        error: error(turn.estimate),
        loss: turn.loss,
        details: Vec::new(),
        method: method(turn.estimate),
        reasons: reasons::list(game, turn),
        trail: trail::places(game, &turn.moves),
    }
}

/// Returns the loss of a turn, or 0 if it may as well be due to the luck of the rollouts.
fn sure_loss(turn: &AdvisedTurn) -> f64 {
    if turn.loss > SURE * turn.loss_error {
        turn.loss
    } else {
        0.0
    }
}

const fn mark(loss: f64) -> Mark {
    if loss < 0.02 {
        Mark::Fine
    } else if loss < 0.05 {
        Mark::Inaccuracy
    } else if loss < 0.1 {
        Mark::Error
    } else {
        Mark::Blunder
    }
}

fn error(estimate: WinEstimate) -> Option<f64> {
    (estimate.rollouts > 0).then_some(estimate.error)
}

fn method(estimate: WinEstimate) -> String {
    match estimate.rollouts {
        0 => "certain".to_owned(),
        rollouts => format!("{rollouts} rollouts"),
    }
}

/// Returns the topic of the decision in a position, and its subject.
fn subject(game: &Game) -> (&'static str, String) {
    let full = game.rules().seats().find(|seat| game.is_over_limit(*seat));
    match (game.interrupt(), game.stage(), full) {
        (Some(Interrupt::Consent { .. }), ..) => (ANSWER, "request".to_owned()),
        (Some(_), ..) => (FORECAST, "order".to_owned()),
        (None, Stage::Actions | Stage::Infect(_), Some(seat)) => {
            (DISCARD, format!("hand of {}", the(game, seat)))
        }
        (None, Stage::Actions, None) => (ACTIONS, narrative::count(game.actions(), "action")),
        (None, ..) => (EVENTS, "before the next step".to_owned()),
    }
}

/// Describes the moves of a turn, without the draw at its end.
fn words(game: &Game, moves: &[Move]) -> String {
    let mut game = *game;
    let mut said: Vec<(String, u32)> = Vec::new();
    let by = game.turn().seat();
    for m in moves {
        let draw = matches!(m, Move::Step(TurnStep::Draw));
        if !draw || said.is_empty() {
            let text = label(&game, &game.move_text(m));
            let text = match game.mover(m).filter(|mover| Some(*mover) != by) {
                Some(other) => format!("{} {text}", the(&game, other)),
                None => text,
            };
            match said.last_mut() {
                Some((last, times)) if *last == text => *times += 1,
                _ => said.push((text, 1)),
            }
        }
        game.play_unchecked(m);
    }
    let each = said.into_iter().map(|(text, times)| match times {
        1 => text,
        2 => format!("{text} twice"),
        _ => format!("{text} {times} times"),
    });
    let all: Vec<String> = each.collect();
    narrative::sentence(&all.join(", "))
        .trim_end_matches('.')
        .to_owned()
}

/// Returns the city in which an action takes place, from the position before it.
fn place(game: &Game, action: Action) -> parlor_pandemic::City {
    match action {
        Action::Travel { to, .. } | Action::Expert { to, .. } => to,
        Action::Build { .. }
        | Action::Treat { .. }
        | Action::Give { .. }
        | Action::Take { .. }
        | Action::Cure { .. }
        | Action::Fetch { .. } => game.pawn(game.active()),
    }
}
