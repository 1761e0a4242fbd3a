//! Plans for the rest of a team's turn.

use parlor_games::{PlanError, TurnPlan};
use serde_json::json;

use crate::pandemic::{play, set_up};

const DRIVES: [&str; 4] = [
    "drive:Chicago",
    "drive:Atlanta",
    "drive:Chicago",
    "drive:Montreal",
];

/// Returns the number of the step that is refused.
fn wrong_step(plan: Result<TurnPlan, PlanError>) -> usize {
    match plan {
        Err(PlanError::Step { number, .. }) => number,
        other => panic!("{other:?}"),
    }
}

#[test]
fn each_move_of_a_plan_is_legal_after_those_before_it() {
    let position = set_up(json!({}));
    let before = position.text();
    let plan = TurnPlan::new(&position, &DRIVES).expect("four actions");
    let ways: Vec<String> = plan.moves.iter().map(|step| step.way.join(" ")).collect();
    assert_eq!(
        ways,
        [
            "city-Atlanta city-Chicago",
            "city-Chicago city-Atlanta",
            "city-Atlanta city-Chicago",
            "city-Chicago city-Montreal"
        ]
    );
    assert_eq!(plan.moves[3].label, "Drive to Montreal");
    assert!(plan.next.iter().any(|click| click.text == "draw"));
    let goes_on = plan
        .next
        .iter()
        .any(|click| click.text.starts_with("drive"));
    assert!(!goes_on, "no action is left");
    let five = [&DRIVES[..], &["drive:Chicago"]].concat();
    assert_eq!(wrong_step(TurnPlan::new(&position, &five)), 5);
    assert_eq!(wrong_step(TurnPlan::new(&position, &["drive:Paris"])), 1);
    assert_eq!(wrong_step(TurnPlan::new(&position, &["nonsense"])), 1);
    let drawn = [&DRIVES[..], &["draw"]].concat();
    let drawn = TurnPlan::new(&position, &drawn).expect("the turn may end");
    assert_eq!(drawn.next, [], "luck decides");
    let beyond = [&DRIVES[..], &["draw", "drive:Chicago"]].concat();
    assert_eq!(wrong_step(TurnPlan::new(&position, &beyond)), 6);
    assert_eq!(position.text(), before, "nothing is played");
}

#[test]
fn those_who_are_asked_on_the_way_are_taken_to_agree() {
    let mut position = set_up(json!({ "consent": "ask" }));
    let moves = ["take:Atlanta:Medic", "drive:Chicago"];
    let plan = TurnPlan::new(&position, &moves).expect("the Medic agrees");
    play(&mut position, &["take:Atlanta:Medic"]);
    assert!(position.consent().is_some(), "the Medic is asked");
    let rest = TurnPlan::new(&position, &moves[1..]).expect("the Medic agrees");
    assert_eq!((rest.seat, &rest.moves[..]), (plan.seat, &plan.moves[1..]));
}

#[test]
fn nobody_plans_while_luck_decides() {
    let dealt = crate::pandemic::start(json!({}));
    let plan = TurnPlan::new(&dealt, &["drive:Chicago"]);
    assert_eq!(plan, Err(PlanError::NobodyOnTurn));
}
