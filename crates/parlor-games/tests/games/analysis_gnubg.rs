//! Comparison with GNU Backgammon's analysis, if `PARLOR_TEST_GNUBG` contains the program's path.

#![allow(clippy::unwrap_used, reason = "clippy sees no tests in helpers")]

use std::path::Path;
use std::process::{Command, Stdio};

use parlor_bots::{Nodes, Prng};
use parlor_core::{Turn, random_below};
use parlor_games::analysis::{Analysis, AnalysisSettings, Judged, analyze, follow};
use parlor_games::{Story, bots};
use rand_xoshiro::rand_core::SeedableRng;
use serde_json::{Value, json};

/// Prints the results for each player, and for each play its luck, the equity of the best play and
/// its winning probability.
const SCRIPT: &str = "
import gnubg, json
for c in ['set threads 1', 'set confirm new off', 'set confirm save off', 'import mat \"match.mat\"', 'set analysis luckanalysis plies 0',
          'set analysis chequerplay evaluation plies 0', 'set analysis cubedecision evaluation plies 0',
          'set analysis chequerplay evaluation cubeful on', 'analyse match']:
    gnubg.command(c)
found = gnubg.match(analysis=1, boards=0, statistics=1, verbose=1)
plays = []
for game in found['games']:
    for step in game['game']:
        if step['action'] == 'move':
            told = step.get('analysis', {})
            best = told['moves'][0] if told.get('moves') else None
            plays.append([told.get('luck-value'), best and best['score'], best and best['probs'][0]])
stats = [[sum(game['stats'][name][part][key] for game in found['games']) for name in 'XO']
         for part, key in [('moves', 'total-moves'), ('moves', 'unforced-moves'), ('cube', 'total-cube')]]
open('out', 'w').write(json.dumps({'plays': plays, 'stats': stats}))
";

/// Returns a match between a strong and a casual bot.
fn a_match() -> Story {
    let options = json!({"length": 5, "cube": "on"});
    let mut position = parlor_games::backgammon::KIND.start(&options).unwrap();
    let mut players = ["level:4", "level:2"].map(|spec| bots::bot(&position, spec, 1).unwrap());
    let (mut rng, mut steps) = (Prng::seed_from_u64(11), Vec::new());
    loop {
        let text = match position.turn() {
            Turn::Over(_) => break,
            Turn::Move(seat) => {
                players[seat.index()]
                    .think(&position, &mut Nodes(u64::MAX))
                    .unwrap()
                    .text
            }
            Turn::Chance => {
                let mut all = position.chances();
                let mut pick = random_below(&mut rng, all.iter().map(|(_, weight)| weight).sum());
                let at = all.iter().position(|(_, weight)| {
                    let here = pick < *weight;
                    pick = pick.wrapping_sub(*weight);
                    here
                });
                all.swap_remove(at.unwrap()).0
            }
        };
        follow(&mut position, &text).unwrap();
        steps.push(text);
    }
    Story {
        options,
        names: vec!["ann".into(), "bob".into()],
        steps,
    }
}

fn by_gnubg(program: &Path, story: &Story) -> Value {
    let here = std::env::temp_dir().join(format!("parlor-gnubg-analysis-{}", std::process::id()));
    std::fs::create_dir_all(&here).unwrap();
    std::fs::write(
        here.join("match.mat"),
        parlor_games::backgammon::KIND.export("mat", story).unwrap(),
    )
    .unwrap();
    std::fs::write(here.join("script.py"), SCRIPT).unwrap();
    let ran = Command::new(program)
        .args(["-t", "-q", "-r", "-s", ".", "-p", "script.py"])
        .current_dir(&here)
        .env("HOME", &here)
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let out = std::fs::read_to_string(here.join("out"));
    std::fs::remove_dir_all(&here).unwrap();
    let said = || String::from_utf8_lossy(&ran.stdout).into_owned();
    serde_json::from_str(&out.unwrap_or_else(|error| panic!("{error}: {}", said()))).unwrap()
}

/// Returns for each play the luck of its roll and, if there was a choice, the value of the best
/// play and its winning probability.
fn plays(analysis: &Analysis) -> Vec<(f64, Option<(f64, f64)>)> {
    let mut luck = 0.0;
    let plays = analysis.steps.iter().filter_map(|step| match step {
        Judged::Luck(roll) => {
            luck = roll.luck;
            None
        }
        Judged::Decision(decision) if decision.topic == "play" => {
            let best = &decision.ranked[0];
            Some((luck, Some((best.worth, best.details[0].1))))
        }
        Judged::Forced { .. } => Some((luck, None)),
        Judged::Decision(_) | Judged::Nothing => None,
    });
    plays.collect()
}

fn mean_difference(pairs: &[(f64, f64)]) -> f64 {
    pairs.iter().map(|(a, b)| (a - b).abs()).sum::<f64>() / pairs.len() as f64
}

/// Returns Pearson's correlation coefficient.
fn correlation(pairs: &[(f64, f64)]) -> f64 {
    let n = pairs.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / n;
    let (a, b) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let sum = |of: &dyn Fn(f64, f64) -> f64| {
        pairs
            .iter()
            .map(|pair| of(pair.0 - a, pair.1 - b))
            .sum::<f64>()
    };
    sum(&|x, y| x * y) / (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt()
}

#[test]
#[ignore = "needs PARLOR_TEST_GNUBG"]
fn gnubg_counts_the_same_decisions_and_judges_them_alike() {
    let program = std::env::var_os("PARLOR_TEST_GNUBG").expect("it names the program gnubg");
    let story = a_match();
    let settings = AnalysisSettings {
        plies: 0,
        ..AnalysisSettings::default()
    };
    let analysis = analyze(
        parlor_games::backgammon::KIND,
        &story,
        &settings,
        &mut |_, _| true,
    )
    .unwrap();
    let found = by_gnubg(Path::new(&program), &story);

    let (mine, theirs) = (plays(&analysis), found["plays"].as_array().unwrap());
    assert_eq!(mine.len(), theirs.len());
    let decisions = |topic: &str| {
        let of_topic = |seat: usize| {
            analysis.seats[seat]
                .parts
                .iter()
                .find(|part| part.topic == topic)
        };
        json!([0, 1].map(|seat| of_topic(seat).map_or(0, |part| part.decisions)))
    };
    assert_eq!(
        (decisions("play"), decisions("cube")),
        (found["stats"][1].clone(), found["stats"][2].clone())
    );
    let all: u64 = found["stats"][0]
        .as_array()
        .unwrap()
        .iter()
        .map(|n| n.as_u64().unwrap())
        .sum();
    assert_eq!(all, mine.len() as u64);

    let luck: Vec<(f64, f64)> = mine
        .iter()
        .zip(theirs)
        .filter_map(|(mine, theirs)| Some((mine.0, theirs[0].as_f64()?)))
        .collect();
    let best = |n: usize, mine: (f64, f64), theirs: &Value| {
        Some(([mine.0, mine.1][n], theirs[n + 1].as_f64()?))
    };
    let both = mine
        .iter()
        .zip(theirs)
        .filter_map(|((_, mine), theirs)| Some(((*mine)?, theirs)));
    let both: Vec<((f64, f64), &Value)> = both.collect();
    let [worth, win] = [0, 1].map(|n| {
        both.iter()
            .filter_map(|(mine, theirs)| best(n, *mine, theirs))
            .collect::<Vec<_>>()
    });
    assert!(luck.len() == mine.len() && worth.len() == both.len() && win.len() > 20);
    let means = [&luck, &worth, &win].map(|pairs| mean_difference(pairs));
    // The luck of other rolls differs much more.
    let shuffled: Vec<(f64, f64)> = luck
        .iter()
        .zip(luck.iter().rev())
        .map(|(mine, theirs)| (mine.0, theirs.1))
        .collect();
    assert!(mean_difference(&shuffled) > 3.0 * means[0]);
    assert!(correlation(&luck) > 0.95, "{}", correlation(&luck));
    // The two analyses should be close, but they use different nets.
    assert!(
        means[0] < 0.04 && means[1] < 0.1 && means[2] < 0.033,
        "luck, equity, win: {means:?}"
    );
}
