//! Advice and analysis of a team's game.

use parlor_bots::Nodes;
use parlor_core::{Notation, Turn};
use parlor_games::analysis::{
    Analysis, AnalysisSettings, Analyst, Decision, Judged, Mark, Replay, analyze, follow,
};
use parlor_games::pandemic::KIND;
use parlor_games::{AnyPosition, Story};
use parlor_pandemic::Game;
use serde_json::json;

use super::pandemic::start;

const QUICK: AnalysisSettings = AnalysisSettings {
    plies: 0,
    cubeful: true,
    most: 5,
};

/// A position in which the last cure is two moves away.
const CURE_AHEAD: &str = "2p4e roles=Dispatcher,Medic at=Chi,Lim hands=LonNYkParMilEss/BogLimMex stage=actions:4 cured=ykr cubes=Tok:r3";
/// A position in which London breaks out for the eighth time whatever is done.
const LOST: &str = "2p4e events=none roles=Researcher,Scientist at=Syd,Syd hands=JakManOsaLim/SgoHoKBogMex stage=actions:1 outbreaks=7 cubes=Lon:b3 infection=*/Lon";
/// A position in which Lagos breaks out for the eighth time unless it is treated.
const DANGER: &str = "2p4e events=none roles=Medic,Scientist at=Kha,Syd hands=JakManOsaLim/SgoHoKBogMex stage=actions:4 outbreaks=7 cubes=Lag:y3 infection=*/Lag";

fn position(text: &str) -> AnyPosition {
    AnyPosition::new(Game::from_text(text).expect("a position"))
}

fn analyst() -> Box<dyn Analyst> {
    KIND.analyst(&QUICK).expect("teams are advised")
}

fn advice(text: &str) -> Decision {
    let assessment = analyst().position(&position(text), &mut Nodes(u64::MAX));
    assessment.decision.expect("a seat is to move")
}

#[test]
fn a_win_at_once_is_advised_with_its_way_and_its_reason() {
    let decision = advice(CURE_AHEAD);
    let best = &decision.ranked[0];
    assert_eq!((best.worth, best.error), (1.0, None));
    assert_eq!((best.method.as_str(), decision.winning), ("certain", 1.0));
    let text = "Drives to Atlanta, cures blue with ";
    assert!(best.text.starts_with(text), "{}", best.text);
    assert_eq!(best.reasons, ["wins the game"]);
    let way = ["city-Chicago", "city-Atlanta"].map(str::to_owned).to_vec();
    assert_eq!(best.trail, [way, vec!["city-Atlanta".to_owned()]]);
    assert_eq!(&*decision.topic, "actions");
}

#[test]
fn a_lost_position_is_lost_by_every_move() {
    let decision = advice(LOST);
    assert_eq!((decision.winning, decision.standing), (0.0, 0.0));
    assert!(decision.ranked.len() > 1);
    for one in &decision.ranked {
        assert_eq!((one.worth, one.loss), (0.0, 0.0), "{one:?}");
    }
}

#[test]
fn a_danger_that_a_turn_removes_is_a_reason_for_it() {
    let decision = advice(DANGER);
    let best = &decision.ranked[0];
    assert!(best.text.contains("treats yellow"), "{best:?}");
    let says = |reason: &String| reason.starts_with("keeps Lagos from an outbreak: ");
    assert!(best.reasons.iter().any(says), "{best:?}");
}

#[test]
fn advice_is_the_same_each_time_and_for_all_that_cannot_be_seen() {
    let now = position(DANGER);
    let seen = position(&now.text());
    let of = |position: &AnyPosition| analyst().position(position, &mut Nodes(u64::MAX));
    assert_eq!(of(&now), of(&now));
    assert_eq!(of(&now), of(&seen));
}

/// Plays a game in which each seat does the first thing that it can, with the first luck.
fn played(steps: usize) -> Story {
    let options = json!({ "players": 2, "epidemics": 4, "consent": "implied" });
    let mut position = start(options.clone());
    let mut texts = Vec::new();
    for n in 0..steps {
        let text = match position.turn() {
            Turn::Over(_) => break,
            Turn::Chance => {
                let chances = position.chances();
                let (text, _) = &chances[(7 * n) % chances.len()];
                position.resolve(text).expect("a possible chance");
                text.clone()
            }
            Turn::Move(seat) => {
                let legal = position.legal();
                // Events of partners come out of turn.
                let other = legal.iter().find(|m| m.seat != seat);
                let chosen = other.unwrap_or(&legal[n % legal.len()]).clone();
                position.play(&chosen.text, chosen.seat).expect("legal");
                chosen.text
            }
        };
        texts.push(text);
    }
    Story {
        options,
        names: Vec::new(),
        steps: texts,
    }
}

#[test]
fn every_decision_and_draw_of_a_team_is_judged_by_the_chance_to_win() {
    let story = played(110);
    let analysis = analyze(KIND, &story, &QUICK, &mut |_, _| true).expect("a game by the rules");
    assert_eq!(analysis.steps.len(), story.steps.len());
    assert!(analysis.units.is_team_chance);
    let (mut decisions, mut draws) = (0, 0);
    for step in &analysis.steps {
        match step {
            Judged::Decision(decision) => {
                decisions += 1;
                let played = decision.played.expect("what was played is compared");
                assert!((0.0..=1.0).contains(&decision.winning), "{decision:?}");
                assert!(
                    decision.loss <= decision.ranked[played].loss,
                    "{decision:?}"
                );
                assert!(decision.mark == Mark::Fine || decision.loss >= 0.02);
            }
            Judged::Luck(luck) => {
                draws += 1;
                assert!((-1.0..=1.0).contains(&luck.luck), "{luck:?}");
            }
            Judged::Forced { .. } | Judged::Nothing => {}
        }
    }
    assert!(decisions > 10 && draws > 5, "{decisions} and {draws}");
    let json = serde_json::to_string(&analysis).expect("plain data");
    let read: Analysis = serde_json::from_str(&json).expect("it reads back");
    assert_eq!(serde_json::to_string(&read).expect("plain data"), json);
}

/// Plays a game in which the Dispatcher asks for the Medic's pawn at every action. Returns it with the
/// steps that answer.
fn with_questions(steps: usize) -> (Story, Vec<usize>) {
    let options = json!({ "players": 2, "roles": ["Dispatcher", "Medic"], "events": [] });
    let mut position = start(options.clone());
    let (mut texts, mut answers) = (Vec::new(), Vec::new());
    for n in 0..steps {
        let text = match position.turn() {
            Turn::Over(_) => break,
            Turn::Chance => {
                let chances = position.chances();
                chances[(7 * n) % chances.len()].0.clone()
            }
            Turn::Move(_) => {
                let legal = position.legal();
                let begins = |head: &str| legal.iter().find(|m| m.text.starts_with(head));
                let chosen = ["agree", "drive:Medic:", "draw"]
                    .into_iter()
                    .find_map(begins);
                chosen.unwrap_or(&legal[0]).text.clone()
            }
        };
        if position.consent().is_some() {
            answers.push(n);
        }
        follow(&mut position, &text).expect("legal");
        texts.push(text);
    }
    let story = Story {
        options,
        names: Vec::new(),
        steps: texts,
    };
    (story, answers)
}

#[test]
fn whoever_answers_a_request_does_not_begin_a_turn() {
    let (story, answers) = with_questions(60);
    assert!(answers.len() >= 4, "{answers:?}");
    let replay = Replay::new(KIND, &story).expect("a game by the rules");
    assert_eq!(replay.steps().len(), story.steps.len());
    let turns = replay.turns();
    assert!(turns.len() >= 3, "{turns:?}");
    assert!(turns.windows(2).all(|pair| pair[0].seat != pair[1].seat));
    assert!(turns.iter().all(|turn| !answers.contains(&turn.step)));
    assert!(turns.iter().all(|turn| turn.position.consent().is_none()));

    let course = replay.course(&mut *analyst(), &mut Nodes(1));
    let steps: Vec<usize> = course.iter().map(|(step, _)| *step).collect();
    assert_eq!(
        steps,
        turns.iter().map(|turn| turn.step).collect::<Vec<_>>()
    );
    assert!(
        course
            .iter()
            .all(|(_, chance)| (0.0..=1.0).contains(chance))
    );

    let mut broken = story;
    broken.steps.push("dance".to_owned());
    let error = Replay::new(KIND, &broken).expect_err("no step of a game");
    assert!(error.to_string().starts_with("step "), "{error}");
}
