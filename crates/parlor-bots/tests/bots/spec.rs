//! Names of strategies.

use parlor_bots::{Level, Spec};
use proptest::prelude::*;

fn specs() -> impl Strategy<Value = Spec> {
    let nodes = proptest::option::of(1..=u64::MAX);
    prop_oneof![
        Just(Spec::Random),
        Just(Spec::Perfect),
        nodes.clone().prop_map(|nodes| Spec::Mcts { nodes }),
        nodes.prop_map(|nodes| Spec::AlphaBeta { nodes }),
        (1..=5_u8).prop_map(|n| Spec::Level(Level::new(n).expect("1 to 5 are levels"))),
    ]
}

proptest! {
    #[test]
    fn every_spec_reads_back_from_its_text(spec in specs()) {
        prop_assert_eq!(spec.to_string().parse(), Ok(spec));
    }

    #[test]
    fn every_accepted_text_is_canonical(text in "(random|perfect|mcts|alphabeta|level)(:(nodes=)?[0-9+]{0,3})?") {
        if let Ok(spec) = text.parse::<Spec>() {
            prop_assert_eq!(spec.to_string(), text);
        }
    }
}

#[test]
fn an_unknown_bot_is_refused_with_all_forms() {
    for text in [
        "",
        "Random",
        "random:1",
        "perfect:",
        "mcts:",
        "mcts:nodes=",
        "mcts:nodes=0",
        "level",
        "level:0",
        "level:6",
    ] {
        let error = text.parse::<Spec>().expect_err("names no bot").to_string();
        assert!(
            error.starts_with(&format!("there is no bot {text:?}: ")),
            "{error}"
        );
        assert!(
            error.contains("mcts:nodes=N") && error.contains("level:1 to level:5"),
            "{error}"
        );
    }
    let long = "x"
        .repeat(10_000)
        .parse::<Spec>()
        .expect_err("names no bot")
        .to_string();
    assert!(long.len() < 300, "{} characters", long.len());
}
