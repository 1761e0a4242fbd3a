//! What analyses tell in texts.

use parlor_bots::Nodes;
use parlor_core::Seat;
use parlor_games::analysis::{
    Analysis, AnalysisError, AnalysisSettings, Analyst, Assessment, Decision, Judged, Mark, analyse, follow,
};
use parlor_games::{AnyPosition, GameKind, Story};
use serde_json::{Value, json};

const QUICK: AnalysisSettings = AnalysisSettings { plies: 0, cubeful: true, most: 5 };

fn story(options: Value, steps: &[&str]) -> Story {
    Story { options, names: Vec::new(), steps: steps.iter().map(|&step| step.to_owned()).collect() }
}

fn analysed(options: Value, steps: &[&str]) -> Analysis {
    analyse(GameKind::Backgammon, &story(options, steps), &QUICK, &mut |_, _| true).expect("a game by the rules")
}

fn decision(judged: &Judged) -> &Decision {
    let Judged::Decision(decision) = judged else { panic!("{judged:?} is no decision") };
    decision
}

fn quick() -> Box<dyn Analyst> {
    GameKind::Backgammon.analyst(&QUICK).expect("backgammon is analysed")
}

fn assessed(position: &AnyPosition) -> Assessment {
    quick().position(position, &mut Nodes(u64::MAX))
}

/// A game that a double ends at once.
const SHORT: [&str; 8] = ["3-1", "8/5,6/5", "double", "take", "66", "24/18,24/18,13/7,13/7", "double", "drop"];

#[test]
fn games_without_an_analyst_say_so() {
    for kind in [GameKind::Mnk, GameKind::Ultimate] {
        assert!(!kind.can_analyse());
        let Err(refused) = kind.analyst(&QUICK) else { panic!("{kind} has no analyst") };
        assert_eq!(refused.to_string(), format!("there is no analysis of {}", kind.title()));
    }
    let Err(refused) = GameKind::Backgammon.analyst(&AnalysisSettings { plies: 4, ..QUICK }) else { panic!() };
    assert_eq!(refused, AnalysisError::Plies { plies: 4 });
}

#[test]
fn every_step_of_a_record_is_judged() {
    let analysis = analysed(json!({"cube": "on"}), &SHORT);
    assert_eq!(analysis.steps.len(), SHORT.len());
    let kinds: String =
        analysis.steps.iter().map(|step| if matches!(step, Judged::Luck(_)) { 'l' } else { 'd' }).collect();
    assert_eq!(kinds, "ldddlddd");
    let topics: Vec<(&str, &str, u8)> = [1, 2, 3, 5, 6, 7]
        .map(|n| decision(&analysis.steps[n]))
        .iter()
        .map(|d| (d.topic, d.about.as_str(), d.seat))
        .collect();
    assert_eq!(
        topics,
        [
            ("play", "31", 0),
            ("cube", "double", 1),
            ("cube", "answer", 0),
            ("play", "66", 1),
            ("cube", "double", 0),
            ("cube", "answer", 1),
        ]
    );
}
