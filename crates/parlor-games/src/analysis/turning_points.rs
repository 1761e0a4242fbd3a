//! Steps that changed a team's chance to win.

use super::{Analysis, Judged};

/// Maximum number of turning points.
const MOST: usize = 5;
/// Smallest change of the chance to win that decides anything.
const NOTABLE: f64 = 0.03;

/// Step that has changed the chance to win: a mistake or a draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurningPoint {
    /// Number of moves and draws up to it, itself included.
    pub step: usize,
    /// Change of the value, in [`Units::worth`](super::Units::worth).
    pub change: f64,
    /// Number of the seat that decided; `None` for luck.
    pub seat: Option<u8>,
}

impl Analysis {
    /// Returns the change of the value by each decision and draw, in order.
    pub fn changes(&self) -> impl Iterator<Item = TurningPoint> {
        (1..)
            .zip(&self.steps)
            .filter_map(|(step, judged)| match judged {
                Judged::Decision(decision) => Some(TurningPoint {
                    step,
                    change: -decision.loss,
                    seat: Some(decision.seat),
                }),
                Judged::Luck(luck) => Some(TurningPoint {
                    step,
                    change: luck.luck,
                    seat: None,
                }),
                Judged::Forced { .. } | Judged::Nothing => None,
            })
    }

    /// Returns the few steps that have changed a team's chance to win most, the greatest change first.
    pub fn turning_points(&self) -> Vec<TurningPoint> {
        let mut all: Vec<TurningPoint> = self
            .changes()
            .filter(|point| point.change.abs() >= NOTABLE)
            .collect();
        all.sort_by(|one, other| other.change.abs().total_cmp(&one.change.abs()));
        all.truncate(MOST);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_changes_come_first_and_small_ones_not_at_all() {
        let draw = |luck: f64| {
            let text =
                format!(r#"{{"kind":"luck","seat":0,"text":"a card","luck":{luck},"stake":1.0}}"#);
            serde_json::from_str::<Judged>(&text).expect("a draw")
        };
        let json = r#"{"units":{"worth":"chance","stake":"games","is_team_chance":true},"method":"","steps":[],"seats":[]}"#;
        let mut analysis: Analysis = serde_json::from_str(json).expect("an analysis");
        analysis.steps = [0.01, -0.2, 0.0, 0.05, -0.02, 0.3].map(draw).to_vec();
        let found: Vec<(usize, f64)> = analysis
            .turning_points()
            .iter()
            .map(|point| (point.step, point.change))
            .collect();
        assert_eq!(found, [(6, 0.3), (2, -0.2), (4, 0.05)]);
    }
}
