//! Analyses in text form.

use parlor_bots::Nodes;
use parlor_games::analysis::{
    Analysis, AnalysisError, AnalysisSettings, Analyst, Assessment, Decision, Judged, Mark, Part,
    RolloutSettings, RolloutTally, analyze, follow,
};
use parlor_games::{AnyPosition, Story};
use serde_json::{Value, json};

const QUICK: AnalysisSettings = AnalysisSettings {
    plies: 0,
    cubeful: true,
    most: 5,
};

fn story(options: Value, steps: &[&str]) -> Story {
    Story {
        options,
        names: Vec::new(),
        steps: steps.iter().map(|&step| step.to_owned()).collect(),
    }
}

fn analyzed(options: Value, steps: &[&str]) -> Analysis {
    analyze(
        parlor_games::backgammon::KIND,
        &story(options, steps),
        &QUICK,
        &mut |_, _| true,
    )
    .expect("a game by the rules")
}

fn decision(judged: &Judged) -> &Decision {
    let Judged::Decision(decision) = judged else {
        panic!("{judged:?} is no decision")
    };
    decision
}

fn quick() -> Box<dyn Analyst> {
    parlor_games::backgammon::KIND
        .analyst(&QUICK)
        .expect("backgammon is analyzed")
}

fn assessed(position: &AnyPosition) -> Assessment {
    quick().position(position, &mut Nodes(u64::MAX))
}

/// A short game that ends with a dropped double.
const SHORT: [&str; 8] = [
    "3-1",
    "8/5,6/5",
    "double",
    "take",
    "66",
    "24/18,24/18,13/7,13/7",
    "double",
    "drop",
];

#[test]
fn games_without_an_analyst_say_so() {
    for kind in [parlor_games::mnk::KIND, parlor_games::ultimate::KIND] {
        assert!(!kind.can_analyze());
        let Err(refused) = kind.analyst(&QUICK) else {
            panic!("{kind} has no analyst")
        };
        assert_eq!(
            refused.to_string(),
            format!("there is no analysis of {}", kind.title())
        );
    }
    let Err(refused) =
        parlor_games::backgammon::KIND.analyst(&AnalysisSettings { plies: 4, ..QUICK })
    else {
        panic!()
    };
    assert_eq!(refused, AnalysisError::Plies { plies: 4 });
}

#[test]
fn every_step_of_a_record_is_judged() {
    let analysis = analyzed(json!({"cube": "on"}), &SHORT);
    assert_eq!(analysis.steps.len(), SHORT.len());
    let kinds: String = analysis
        .steps
        .iter()
        .map(|step| {
            if matches!(step, Judged::Luck(_)) {
                'l'
            } else {
                'd'
            }
        })
        .collect();
    assert_eq!(kinds, "ldddlddd");
    let topics: Vec<(&str, &str, u8)> = [1, 2, 3, 5, 6, 7]
        .map(|n| decision(&analysis.steps[n]))
        .iter()
        .map(|d| (&*d.topic, d.about.as_str(), d.seat))
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

#[test]
fn plays_are_told_as_players_write_them_and_cubes_in_words() {
    let analysis = analyzed(json!({"cube": "on"}), &SHORT);
    let play = decision(&analysis.steps[1]);
    assert_eq!(
        (
            play.ranked[0].text.as_str(),
            play.ranked[0].canonical.as_str()
        ),
        ("8/5 6/5", "8/5,6/5")
    );
    assert_eq!(
        (play.played, play.loss, play.mark, play.counts),
        (Some(0), 0.0, Mark::Fine, true)
    );
    assert_eq!(
        (play.ranked.len(), play.all, play.verdict.clone()),
        (5, 16, None)
    );
    assert_eq!(play.ranked[0].details[0].0, "win");
    let double = decision(&analysis.steps[2]);
    assert_eq!(double.verdict.as_deref(), Some("No double, take"));
    let texts: Vec<&str> = double.ranked.iter().map(|one| one.text.as_str()).collect();
    assert_eq!(
        (texts, double.played, double.mark),
        (vec!["No double", "Double"], Some(1), Mark::Blunder)
    );
    let titles: Vec<&str> = double.details.iter().map(|(title, _)| &**title).collect();
    assert_eq!(
        titles,
        [
            "no double",
            "double, take",
            "double, drop",
            "wrong answers needed"
        ]
    );
    let redouble = decision(&analysis.steps[6]);
    assert_eq!(redouble.verdict.as_deref(), Some("No redouble, take"));
    assert_eq!(
        (redouble.ranked[0].text.as_str(), redouble.stake),
        ("No redouble", 2.0)
    );
    let Judged::Luck(luck) = &analysis.steps[4] else {
        panic!("a roll")
    };
    assert_eq!((luck.seat, luck.text.as_str(), luck.stake), (1, "66", 2.0));
    assert!(luck.luck > 0.1, "{luck:?}");
}

#[test]
fn what_was_played_is_told_however_bad() {
    let mut position = parlor_games::backgammon::KIND
        .start(&json!({}))
        .expect("options");
    follow(&mut position, "3-1").expect("a roll");
    let mut thorough = parlor_games::backgammon::KIND
        .analyst(&AnalysisSettings { most: 100, ..QUICK })
        .expect("an analyst");
    let all = thorough
        .position(&position, &mut Nodes(u64::MAX))
        .decision
        .expect("a play")
        .ranked;
    let worst = all.last().expect("there are plays");
    let Judged::Decision(play) = quick().step(&position, &worst.canonical, &mut Nodes(u64::MAX))
    else {
        panic!("a play")
    };
    assert_eq!(
        (all.len(), play.ranked.len(), play.played, play.loss),
        (16, 6, Some(5), worst.loss)
    );
    assert_eq!(&play.ranked[5], worst);
}

#[test]
fn standings_are_seen_from_the_first_seat() {
    let black = analyzed(json!({}), &["1-3", "8/5,6/5"]);
    let white = analyzed(json!({}), &["3-1", "8/5,6/5"]);
    let [black, white] = [&black, &white].map(|analysis| decision(&analysis.steps[1]));
    assert_eq!((black.seat, white.seat), (1, 0));
    assert!(white.standing > 0.1 && white.winning > 0.52, "{white:?}");
    assert!(
        (white.standing + black.standing).abs() < 1e-9
            && (white.winning + black.winning - 1.0).abs() < 1e-6
    );
    assert_eq!(white.ranked, black.ranked);
}

#[test]
fn totals_are_sums_of_what_was_judged() {
    let analysis = analyzed(json!({"cube": "on"}), &SHORT);
    for totals in &analysis.seats {
        let mine: Vec<&Decision> = analysis
            .steps
            .iter()
            .filter_map(|step| match step {
                Judged::Decision(decision) if decision.seat == totals.seat => Some(decision),
                _ => None,
            })
            .collect();
        let loss: f64 = mine.iter().map(|decision| decision.loss).sum();
        let cost: f64 = mine
            .iter()
            .map(|decision| decision.loss * decision.stake)
            .sum();
        assert!((totals.loss - loss).abs() < 1e-9 && (totals.cost - cost).abs() < 1e-9);
        let counted = mine.iter().filter(|decision| decision.counts).count() as u32;
        assert_eq!(
            (
                totals.marks.iter().sum::<u32>(),
                totals.parts.iter().map(|part| part.counted).sum()
            ),
            (counted, counted)
        );
        let rate = |name: &str| {
            totals
                .rates
                .iter()
                .find(|(title, _)| *title == name)
                .expect("a rate")
                .1
        };
        assert!((rate("error rate") - 1000.0 * loss / f64::from(counted)).abs() < 1e-9);
        assert!((rate("PR") - rate("error rate") / 2.0).abs() < 1e-9);
        // Each side made one play.
        assert!((rate("Snowie error rate") - 1000.0 * loss / 2.0).abs() < 1e-9);
    }
    let topics = |seat: usize| {
        analysis.seats[seat]
            .parts
            .iter()
            .map(|part: &Part| (&*part.topic, part.decisions))
            .collect::<Vec<_>>()
    };
    assert_eq!(topics(0), [("cube", 2), ("play", 1)]);
    // White doubled and Black dropped, with the cube at 2.
    assert_eq!(
        [0, 1].map(|seat| analysis.seats[seat].result),
        [Some(2.0), Some(-2.0)]
    );
    let adjusted = [0, 1].map(|seat: usize| analysis.seats[seat].adjusted.expect("it is over"));
    assert!((adjusted[0] + adjusted[1]).abs() < 1e-9);
    let luck = analysis.seats[0].luck_cost - analysis.seats[1].luck_cost;
    assert!((adjusted[0] - (2.0 - luck)).abs() < 1e-9);
}

#[test]
fn a_match_is_analyzed_over_its_games() {
    let steps = [
        "3-1",
        "8/5,6/5",
        "roll",
        "64",
        "24/14",
        "double",
        "drop",
        "2-1",
        "13/11,6/5",
    ];
    let analysis = analyzed(json!({"length": 3, "cube": "on"}), &steps);
    assert_eq!(analysis.units.stake, "share of the match");
    assert_eq!(decision(&analysis.steps[6]).seat, 1);
    let last = decision(&analysis.steps[8]);
    assert!((0.5..0.8).contains(&last.winning), "{last:?}");
    assert!(
        analysis
            .seats
            .iter()
            .all(|seat| seat.result.is_none() && seat.adjusted.is_none()),
        "it goes on"
    );
    // The winner of a match gets the whole stake.
    let won = analyzed(
        json!({"length": 1}),
        &["3-1", "8/5,6/5", "11", "resign:1", "accept"],
    );
    assert_eq!(won.steps[3..], [Judged::Nothing, Judged::Nothing]);
    assert_eq!(
        [won.seats[0].result, won.seats[1].result],
        [Some(1.0), Some(0.0)]
    );
}

#[test]
fn an_analysis_can_be_stopped_and_says_where_a_record_is_wrong() {
    let story = story(json!({"cube": "on"}), &SHORT);
    let mut heard = Vec::new();
    let stopped = analyze(
        parlor_games::backgammon::KIND,
        &story,
        &QUICK,
        &mut |done, all| {
            heard.push((done, all));
            done < 3
        },
    );
    assert_eq!(stopped.expect("a game by the rules").steps.len(), 3);
    assert_eq!(heard, [(0, 8), (1, 8), (2, 8), (3, 8), (3, 8)]);
    let wrong = Story {
        steps: vec!["3-1".into(), "8/6".into()],
        ..story
    };
    let error = analyze(
        parlor_games::backgammon::KIND,
        &wrong,
        &QUICK,
        &mut |_, _| true,
    )
    .expect_err("no play of 31");
    assert!(error.to_string().starts_with("step 2, 8/6: "), "{error}");
}

#[test]
fn steps_may_be_judged_in_any_order() {
    let story = story(json!({"cube": "on"}), &SHORT);
    let whole = analyze(
        parlor_games::backgammon::KIND,
        &story,
        &QUICK,
        &mut |_, _| true,
    )
    .expect("a game by the rules");
    let mut positions = vec![
        story
            .start(parlor_games::backgammon::KIND)
            .expect("options"),
    ];
    for step in &story.steps {
        let mut next = positions.last().expect("the first").clone();
        follow(&mut next, step).expect("a game by the rules");
        positions.push(next);
    }
    let mut analyst = quick();
    for n in (0..story.steps.len()).rev() {
        assert_eq!(
            analyst.step(&positions[n], &story.steps[n], &mut Nodes(u64::MAX)),
            whole.steps[n]
        );
    }
    assert_eq!(
        analyst.step(&positions[0], "8/5,6/5", &mut Nodes(u64::MAX)),
        Judged::Nothing
    );
    let other = parlor_games::mnk::KIND.start(&json!({})).expect("options");
    assert_eq!(
        analyst.step(&other, "1,1", &mut Nodes(u64::MAX)),
        Judged::Nothing
    );
}

#[test]
fn positions_are_assessed_for_what_comes_next() {
    let mut position = parlor_games::backgammon::KIND
        .start(&json!({"cube": "on"}))
        .expect("options");
    assert_eq!(
        assessed(&position),
        Assessment {
            prospects: None,
            decision: None
        }
    );
    for (step, about) in [
        ("3-1", Some("31")),
        ("8/5,6/5", Some("double")),
        ("double", Some("answer")),
        ("take", None),
    ] {
        follow(&mut position, step).expect("by the rules");
        let found = assessed(&position);
        assert_eq!(
            found
                .decision
                .as_ref()
                .map(|decision| decision.about.as_str()),
            about
        );
        assert!(
            found
                .decision
                .is_none_or(|decision| decision.played.is_none() && decision.loss == 0.0)
        );
        assert_eq!(
            found.prospects.map(|before| before.seat),
            Some(u8::from(step != "3-1"))
        );
    }
}

#[test]
fn a_rollout_tells_its_errors_and_can_be_shared() {
    let mut position = parlor_games::backgammon::KIND
        .start(&json!({}))
        .expect("options");
    follow(&mut position, "2-1").expect("a roll");
    let settings = RolloutSettings {
        truncate: Some(2),
        most: 2,
        ..RolloutSettings::default()
    };
    let mut analyst = quick();
    let rollout = analyst
        .rollout(&position, Some("6/3"), &settings, &mut Nodes(u64::MAX))
        .expect("a position");
    assert_eq!(
        rollout.assess(&RolloutTally::default()).prospects,
        assessed(&position).prospects
    );
    let mut tally = rollout.run(18..36);
    tally.merge(&rollout.run(0..18));
    let found = rollout.assess(&tally).decision.expect("a play");
    let rolled: Vec<bool> = found
        .ranked
        .iter()
        .map(|one| one.method == "36 games" && one.error.is_some())
        .collect();
    assert_eq!(rolled.iter().filter(|rolled| **rolled).count(), 3);
    assert!(
        rolled[0]
            && found
                .played
                .is_some_and(|played| rolled[played] && found.ranked[played].text == "6/3")
    );
    let none = parlor_games::mnk::KIND.start(&json!({})).expect("options");
    assert!(
        analyst
            .rollout(&none, None, &settings, &mut Nodes(u64::MAX))
            .is_none()
    );
}

#[test]
fn an_analysis_is_json() {
    let analysis =
        serde_json::to_value(analyzed(json!({"cube": "on"}), &SHORT)).expect("plain data");
    assert_eq!(analysis["steps"][0]["kind"], "luck");
    assert_eq!(analysis["steps"][1]["ranked"][0]["move"], "8/5,6/5");
    assert_eq!(analysis["steps"][2]["mark"], "blunder");
    assert_eq!(analysis["seats"][1]["seat"], 1);
}
