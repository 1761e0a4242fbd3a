//! Analysis of backgammon in text form.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use parlor_backgammon::{Chance, Game, Move, Phase, WHITE};
use parlor_bots::backgammon::analysis::{self as typed, GameStep};
use parlor_bots::backgammon::{Chances, rollout};
use parlor_bots::{Budget, Crew};
use parlor_core::{Notation, Position, Seat, Turn};

use crate::analysis::{
    AnalysisEngine, AnalysisSettings, Analyst, Assessment, Decision, Judged, Luck, Mark, Number,
    Prospects, Ranked, Rollout, RolloutSettings, RolloutTally, Sums, Units,
};
use crate::{AnyPosition, Wording};

/// Factory of backgammon analysts.
pub(super) struct Judges;

impl AnalysisEngine for Judges {
    fn analyst(&self, settings: &AnalysisSettings, crew: Arc<dyn Crew>) -> Box<dyn Analyst> {
        Box::new(Judge::new(settings, crew))
    }

    fn explain(&self, title: &str) -> Option<&'static str> {
        EXPLANATIONS
            .iter()
            .find(|(explained, _)| *explained == title)
            .map(|(_, text)| *text)
    }
}

/// Explanations of numbers and topics, by title.
const EXPLANATIONS: &[(&str, &str)] = &[
    (PLAY, "Decisions how to play a roll."),
    (CUBE, "Decisions to double, and to take or drop."),
    (
        "win",
        "Chance to win the game, gammons and backgammons included.",
    ),
    (
        "win gammon",
        "Chance to win double or more: the opponent has not borne off a checker.",
    ),
    (
        "win backgammon",
        "Chance to win triple: such an opponent still has a checker on the bar or in the winner's home.",
    ),
    (
        "lose gammon",
        "Chance to lose double or more, without having borne off a checker.",
    ),
    (
        "lose backgammon",
        "Chance to lose triple, with a checker on the bar or in the opponent's home.",
    ),
    (
        "cubeless",
        "Value of the position if nobody could double any more.",
    ),
    (
        "no double",
        "Value for the side that may double if it does not.",
    ),
    (
        "double, take",
        "Value for the side that may double if it does and the opponent takes.",
    ),
    (
        "double, drop",
        "Value for the side that may double if it does and the opponent drops: the stake before the double.",
    ),
    (
        "double, beaver",
        "Value for the side that may double if it does and the opponent takes and redoubles at once.",
    ),
    (
        "wrong answers needed",
        "How often the opponent would have to answer wrongly for the double to be right, from 0 to 1.",
    ),
    (
        "error rate",
        "Thousandths of a point lost per decision with a real choice. Below 5 is strong.",
    ),
    (
        "Snowie error rate",
        "Thousandths of a point lost per move of either side, as the program Snowie counts.",
    ),
    (
        "PR",
        "Performance rating: 500 times the points lost per decision with a real choice. Below 3 is world class, above 15 a beginner.",
    ),
];

/// Analyst of backgammon.
pub(crate) struct Judge {
    typed: typed::BackgammonAnalyst,
    settings: AnalysisSettings,
}

/// Topics of decisions.
const PLAY: &str = "play";
const CUBE: &str = "cube";

impl Judge {
    pub(crate) fn new(settings: &AnalysisSettings, crew: Arc<dyn Crew>) -> Judge {
        let typed = typed::AnalystSettings {
            plies: settings.plies,
            cubeful: settings.cubeful,
        };
        Judge {
            typed: typed::BackgammonAnalyst::new(typed).with_crew(crew),
            settings: *settings,
        }
    }

    fn move_step(&mut self, game: &Game, text: &str, budget: &mut dyn Budget) -> Option<Judged> {
        let mv = game.parse_move(text).ok()?;
        Some(match self.typed.judge(game, GameStep::Move(&mv), budget) {
            typed::Judgment::Decision(decision) => {
                Judged::Decision(describe(game, &decision, self.settings.most))
            }
            typed::Judgment::Forced(seat) => Judged::Forced {
                seat: seat.number(),
            },
            _ => Judged::Nothing,
        })
    }

    fn chance_step(&mut self, game: &Game, text: &str) -> Option<Judged> {
        let chance = game.parse_chance(text).ok()?;
        let luck = self.typed.luck(game, &chance)?;
        let text = match chance {
            Chance::Opening { white, black } => format!("{}{}", white.max(black), white.min(black)),
            Chance::Roll(roll) => roll.to_string(),
        };
        Some(Judged::Luck(Luck {
            seat: luck.seat.number(),
            text,
            luck: luck.luck(),
            stake: luck.stake,
        }))
    }
}

impl Analyst for Judge {
    fn method(&self) -> String {
        let cube = if self.settings.cubeful {
            ""
        } else {
            ", without the cube"
        };
        format!("{}{cube}", plies(self.settings.plies))
    }

    fn units(&self, position: &AnyPosition) -> Units {
        let is_match = position
            .downcast_ref::<Game>()
            .is_some_and(|game| game.rules().is_match());
        Units {
            worth: Cow::Borrowed(if is_match {
                "points, as the score has it"
            } else {
                "points for each on the cube"
            }),
            stake: Cow::Borrowed(if is_match {
                "share of the match"
            } else {
                "points"
            }),
            is_team_chance: false,
        }
    }

    fn step(&mut self, before: &AnyPosition, text: &str, budget: &mut dyn Budget) -> Judged {
        let Some(game) = before.downcast_ref::<Game>() else {
            return Judged::Nothing;
        };
        let judged = match game.turn() {
            Turn::Chance => self.chance_step(game, text),
            Turn::Move(_) => self.move_step(game, text, budget),
            Turn::Over(_) => None,
        };
        judged.unwrap_or(Judged::Nothing)
    }

    fn position(&mut self, position: &AnyPosition, budget: &mut dyn Budget) -> Assessment {
        let Some(game) = position.downcast_ref::<Game>() else {
            return Assessment {
                prospects: None,
                decision: None,
            };
        };
        let prospects = self.typed.prospects(game, budget);
        let decision = self.typed.decision(game, None, budget);
        assessment(game, prospects, decision, self.settings.most)
    }

    fn rollout(
        &mut self,
        position: &AnyPosition,
        played: Option<&str>,
        settings: &RolloutSettings,
        budget: &mut dyn Budget,
    ) -> Option<Box<dyn Rollout>> {
        let game = position.downcast_ref::<Game>()?;
        let played = played.and_then(|text| game.parse_move(text).ok());
        let RolloutSettings {
            plies,
            truncate,
            seed,
            most,
        } = *settings;
        let settings = rollout::BackgammonRolloutSettings {
            plies,
            truncate,
            seed,
            ..rollout::BackgammonRolloutSettings::default()
        };
        let rolled = self
            .typed
            .roll_out(game, played.as_ref(), settings, most, budget)?;
        Some(Box::new(Played {
            game: game.clone(),
            rolled,
            most: self.settings.most,
        }))
    }

    fn result(&self, last: &AnyPosition, seat: Seat) -> Option<f64> {
        let game = last.downcast_ref::<Game>()?;
        let outcome = game.turn().outcome()?;
        let won = f64::from(outcome.payoff(seat, 2));
        // A match is worth one win or loss.
        Some(if game.rules().is_match() {
            (won + 1.0) / 2.0
        } else {
            won
        })
    }

    fn rates(&self, sums: &Sums, seat: u8) -> Vec<Number> {
        let (loss, counted) = (sums.loss(seat), f64::from(sums.counted(seat).max(1)));
        let all = f64::from(sums.moves(PLAY).max(1));
        vec![
            number("error rate", 1000.0 * loss / counted),
            number("Snowie error rate", 1000.0 * loss / all),
            number("PR", 500.0 * loss / counted),
        ]
    }
}

/// Position being rolled out.
struct Played {
    game: Game,
    rolled: typed::RolloutAnalysis,
    most: usize,
}

impl Rollout for Played {
    fn run(&self, games: Range<u32>) -> RolloutTally {
        self.rolled.rollout().run(games)
    }

    fn assess(&self, tally: &RolloutTally) -> Assessment {
        assessment(
            &self.game,
            self.rolled.prospects(tally),
            self.rolled.decision(tally),
            self.most,
        )
    }
}

fn assessment(
    game: &Game,
    prospects: Option<typed::PositionProspects>,
    decision: Option<typed::DecisionAnalysis>,
    most: usize,
) -> Assessment {
    let prospects = prospects.map(|found| {
        let mut details = details(&found.chances);
        details.push(number("cubeless", found.cubeless));
        Prospects {
            seat: found.seat.number(),
            worth: found.equity,
            error: found.error,
            winning: found.winning,
            details,
            method: method(found.plies, found.games),
        }
    });
    Assessment {
        prospects,
        decision: decision.map(|decision| describe(game, &decision, most)),
    }
}

/// Converts a decision to text, with at most `most` alternatives in addition to the move played.
fn describe(game: &Game, decision: &typed::DecisionAnalysis, most: usize) -> Decision {
    let first = if decision.seat == WHITE { 1.0 } else { -1.0 };
    let best = decision.ranked.first().map_or(0.0, |best| best.equity);
    // Keep the move played even if it is not among the best.
    let kept: Vec<usize> = (0..decision.ranked.len())
        .filter(|n| *n < most || decision.played == Some(*n))
        .collect();
    let again = decision.cube.is_some_and(|cube| cube.again);
    let text = |mv: &Move| {
        words(mv, again).map_or_else(
            || Wording::notation(game, &game.move_text(mv)),
            str::to_owned,
        )
    };
    let ranked = kept.iter().map(|n| &decision.ranked[*n]).map(|one| Ranked {
        canonical: game.move_text(&one.mv),
        text: text(&one.mv),
        worth: one.equity,
        error: one.error,
        loss: one.loss,
        details: details(&one.chances),
        method: method(one.plies, one.games),
        reasons: Vec::new(),
        trail: Vec::new(),
    });
    Decision {
        seat: decision.seat.number(),
        topic: Cow::Borrowed(if decision.cube.is_some() { CUBE } else { PLAY }),
        about: about(game),
        standing: first * best,
        winning: if decision.seat == WHITE {
            decision.winning
        } else {
            1.0 - decision.winning
        },
        verdict: decision.cube.as_ref().map(verdict),
        details: decision.cube.as_ref().map_or_else(Vec::new, cube_details),
        ranked: ranked.collect(),
        all: decision.ranked.len(),
        played: decision
            .played
            .and_then(|played| kept.iter().position(|n| *n == played)),
        loss: decision.loss(),
        mark: mark(typed::MistakeGrade::from_loss(decision.loss())),
        counts: decision.counts,
        stake: decision.stake,
    }
}

fn plies(plies: u32) -> String {
    format!("{plies}-ply")
}

fn method(looked: u32, games: u32) -> String {
    if games > 0 {
        format!("{games} games")
    } else {
        plies(looked)
    }
}

/// Returns the subject of the decision.
fn about(game: &Game) -> String {
    match game.phase() {
        Phase::Moving(dice) => dice
            .faces()
            .iter()
            .take(2)
            .map(ToString::to_string)
            .collect(),
        Phase::Cube => "double".to_owned(),
        _ => "answer".to_owned(),
    }
}

/// Returns an action on the cube in words; `None` for plays.
const fn words(mv: &Move, again: bool) -> Option<&'static str> {
    Some(match mv {
        Move::Roll if again => "No redouble",
        Move::Roll => "No double",
        Move::Double if again => "Redouble",
        Move::Double => "Double",
        Move::Take => "Take",
        Move::Drop => "Drop",
        Move::Beaver => "Beaver",
        _ => return None,
    })
}

/// Returns the best actions of both sides: "Double, take".
fn verdict(cube: &typed::CubeAnalysis) -> String {
    let advice = cube.advice;
    let first = match (advice.double, advice.too_good) {
        (true, _) => words(&Move::Double, cube.again).unwrap_or_default(),
        (false, false) => words(&Move::Roll, cube.again).unwrap_or_default(),
        (false, true) if cube.again => "Too good to redouble",
        (false, true) => "Too good to double",
    };
    let answer = words(&advice.answer, cube.again)
        .unwrap_or_default()
        .to_lowercase();
    format!("{first}, {answer}")
}

/// Returns the numbers behind the verdict, from the point of view of the side that may double.
fn cube_details(cube: &typed::CubeAnalysis) -> Vec<Number> {
    let mut details = vec![
        number("no double", cube.held),
        number("double, take", cube.taken),
        number("double, drop", cube.dropped),
    ];
    details.extend(
        cube.beavered
            .map(|beavered| number("double, beaver", beavered)),
    );
    details.extend(
        cube.wrong_answers_needed()
            .map(|share| number("wrong answers needed", share)),
    );
    details
}

fn number(title: &'static str, value: f64) -> Number {
    (Cow::Borrowed(title), value)
}

fn details(chances: &Chances) -> Vec<Number> {
    let titles = [
        "win",
        "win gammon",
        "win backgammon",
        "lose gammon",
        "lose backgammon",
    ];
    titles
        .into_iter()
        .zip(chances.to_array().map(f64::from))
        .map(|(title, chance)| number(title, chance))
        .collect()
}

const fn mark(mark: typed::MistakeGrade) -> Mark {
    match mark {
        typed::MistakeGrade::Fine => Mark::Fine,
        typed::MistakeGrade::Inaccuracy => Mark::Inaccuracy,
        typed::MistakeGrade::Error => Mark::Error,
        typed::MistakeGrade::Blunder => Mark::Blunder,
    }
}
