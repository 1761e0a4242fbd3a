//! The toy dice game at the table; only there so that chance can be tried on every floor.

use parlor_core::testing::pig::{Do, Pig};
use parlor_core::{Position, Seat};
use serde_json::{Value, json};

use crate::options::Reader;
use crate::svg::Doc;
use crate::tenant::Tenant;
use crate::{AnyPosition, Click, GameKind, OptionsError, TurnView};

impl Tenant for Pig {
    const KIND: GameKind = GameKind::Pig;

    fn of(any: &AnyPosition) -> Option<&Pig> {
        let AnyPosition::Pig(position) = any else {
            return None;
        };
        Some(position)
    }

    fn seat_name(&self, seat: Seat) -> String {
        format!("Player {}", seat.number() + 1)
    }

    fn view(&self, last: Option<&str>) -> Value {
        json!({
            "game": "pig", "target": self.target(), "banked": self.banked(), "pot": self.pot(),
            "turn": TurnView::from(self.turn()), "last": last,
        })
    }

    fn clicks(&self) -> Vec<Click> {
        let click = |m: Do| {
            let text = parlor_core::Notation::move_text(self, &m);
            Click::whole(text.clone(), vec![format!("button-{text}")], text)
        };
        self.legal_moves().into_iter().map(click).collect()
    }

    fn label(&self, text: &str) -> String {
        text.to_owned()
    }

    fn terminal(&self, _: Option<&str>) -> String {
        format!(
            "{} : {}  (+{})\n",
            self.banked()[0],
            self.banked()[1],
            self.pot()
        )
    }
}

pub(crate) fn start(options: &Value) -> Result<Pig, OptionsError> {
    let mut reader = Reader::new(options, &["target"]);
    let target = reader.number("target", 1, 200).unwrap_or(50);
    reader.finish()?;
    Ok(Pig::new(u16::from(target)))
}

pub(crate) fn normal_options(position: &Pig) -> Value {
    json!({ "target": position.target() })
}

pub(crate) fn schema() -> Value {
    json!({
        "type": "object", "additionalProperties": false,
        "properties": { "target": { "title": "Points to win", "type": "integer", "minimum": 1, "maximum": 200, "default": 50 } },
    })
}

pub(crate) fn svg(view: &Value) -> String {
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
