//! Advice to the players of a team as lines of text.

use parlor_games::analysis::{Assessment, Ranked};
use serde::{Deserialize, Serialize};

use crate::chances;

/// Advice about a position, in the form of the API.
#[derive(Debug, Serialize, Deserialize)]
pub struct Advice {
    /// The team's chance to win after the best turn, from 0 to 1; while luck decides, before that.
    pub chance: Option<f64>,
    /// Turns of the team, best first; empty while luck decides.
    pub turns: Vec<Ranked>,
    /// The game so far: the number of moves and draws before turns, and the chance to win then.
    pub course: Vec<(usize, f64)>,
}

impl Advice {
    /// Combines what an analyst says of a position with the game so far.
    pub fn new(assessment: Assessment, course: Vec<(usize, f64)>) -> Advice {
        let decided = assessment.decision.as_ref().map(|best| best.winning);
        let before = assessment.prospects.map(|prospects| prospects.winning);
        Advice {
            chance: decided.or(before),
            turns: assessment.decision.map_or_else(Vec::new, |one| one.ranked),
            course,
        }
    }

    /// Describes the chance, the course of the game in one line, and the best turns.
    pub fn lines(&self) -> Vec<String> {
        let decimals = chances::decimals(self.turns.iter().filter_map(|turn| turn.error));
        let mut lines = Vec::new();
        if let Some(chance) = self.chance {
            let chance = chances::percent(chance, decimals);
            lines.push(format!("Your team wins {chance} of such games."));
        }
        let before = self.course.iter().map(|(_, chance)| *chance);
        let course: Vec<f64> = before.chain(self.chance).collect();
        if let [first, .., now] = course[..] {
            lines.push(format!(
                "The game so far: {} at first, {} now  {}",
                chances::percent(first, 0),
                chances::percent(now, 0),
                chances::curve(&course)
            ));
        }
        if !self.turns.is_empty() {
            lines.push("The best turns:".to_owned());
        }
        for (number, turn) in (1..).zip(&self.turns) {
            lines.extend(describe(number, turn, decimals));
        }
        lines
    }
}

fn describe(number: usize, turn: &Ranked, decimals: usize) -> Vec<String> {
    // An error is 0 only if the chance is exact.
    let error = turn.error.map_or_else(String::new, |error| {
        let shown = if error > 0.0 { error.max(0.001) } else { error };
        format!(" ± {}", chances::percent(shown, decimals))
    });
    let chance = chances::percent(turn.worth, decimals);
    let mut lines = vec![format!("{number}. {chance}{error}  {}", turn.text)];
    if !turn.reasons.is_empty() {
        lines.push(format!("   why: {}", turn.reasons.join("; ")));
    }
    lines.push(format!("   begins with {}", turn.canonical));
    lines
}
