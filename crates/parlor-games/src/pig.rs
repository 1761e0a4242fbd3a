//! Pig, a minimal dice game that exists to test chance at every level.

use parlor_core::Position;
use parlor_core::testing::pig::{Pig, PigMove};
use serde_json::{Value, json};

use crate::game::{About, Game, GamePosition, Preset};
use crate::svg::Doc;
use crate::{
    Click, Console, GameKind, Input, OptionsError, OptionsReader, TeamPlay, TurnView, Wording,
};

/// Pig: roll as often as you dare.
pub struct PigGame;

/// Handle to the game.
pub const KIND: GameKind = GameKind::new::<PigGame>();

impl Game for PigGame {
    type Position = Pig;
    type View = Value;

    const ABOUT: About = About {
        name: "pig",
        title: "Pig",
        summary: "Roll as often as you dare; a one loses the turn's points.",
        rules: "Roll or hold.",
        has_luck: true,
        can_be_drawn: false,
        chances_recur: true,
        ..About::SKILL
    };

    fn options_schema() -> Value {
        json!({
            "type": "object", "additionalProperties": false,
            "properties": { "target": { "title": "Points to win", "type": "integer", "minimum": 1, "maximum": 200, "default": 50 } },
        })
    }

    fn presets() -> Vec<Preset> {
        vec![Preset {
            title: "Pig",
            options: Value::Null,
        }]
    }

    fn start(options: &Value) -> Result<Pig, OptionsError> {
        let mut reader = OptionsReader::new(options, &["target"]);
        let target = reader.number("target", 1, 200).unwrap_or(50);
        reader.finish()?;
        Ok(Pig::new(u16::from(target)))
    }

    fn options(position: &Pig) -> Value {
        json!({ "target": position.target() })
    }

    fn view(position: &Pig, last: Option<&str>) -> Value {
        json!({
            "game": "pig", "target": position.target(), "banked": position.banked(), "pot": position.pot(),
            "turn": TurnView::from(position.turn()), "last": last,
        })
    }

    fn picture(view: &Value) -> String {
        draw(view)
    }
}

impl GamePosition for Pig {
    type Game = PigGame;
}

impl Wording for Pig {}

impl Input for Pig {
    fn clicks(&self) -> Vec<Click> {
        let click = |m: PigMove| {
            let text = parlor_core::Notation::move_text(self, &m);
            Click::whole(text.clone(), vec![format!("button-{text}")], text)
        };
        self.legal_moves().into_iter().map(click).collect()
    }
}

impl TeamPlay for Pig {}

impl Console for Pig {
    fn terminal(&self, _: Option<&str>) -> String {
        let [first, second] = self.banked();
        format!("{first} : {second}  (+{})\n", self.pot())
    }
}

fn draw(view: &Value) -> String {
    let mut doc = Doc::new(300.0, 120.0, "Pig");
    doc.text(
        150.0,
        40.0,
        24.0,
        "label",
        &format!("{} (+{})", view["banked"], view["pot"]),
    );
    doc.open(
        "g",
        &[
            ("id", "button-roll"),
            ("class", "place"),
            ("aria-label", "roll"),
        ],
    );
    doc.empty(
        "rect",
        &[
            ("x", "20"),
            ("y", "60"),
            ("width", "120"),
            ("height", "50"),
            ("class", "cell"),
            ("fill", "#eee"),
        ],
    );
    doc.text(80.0, 92.0, 20.0, "label", "roll");
    doc.close();
    doc.open(
        "g",
        &[
            ("id", "button-hold"),
            ("class", "place"),
            ("aria-label", "hold"),
        ],
    );
    doc.empty(
        "rect",
        &[
            ("x", "160"),
            ("y", "60"),
            ("width", "120"),
            ("height", "50"),
            ("class", "cell"),
            ("fill", "#eee"),
        ],
    );
    doc.text(220.0, 92.0, 20.0, "label", "hold");
    doc.close();
    doc.finish()
}
