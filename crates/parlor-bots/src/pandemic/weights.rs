//! What the features are worth.

mod house;

use std::sync::Arc;

use super::features::{FEATURES, Shape};

/// Everything that the quick policy knows of good and bad.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// What each feature is worth.
    pub linear: [f32; FEATURES],
    /// How features are formed.
    pub shape: Shape,
    /// From how many expected outbreaks on, more when many happened already, an infection step is skipped by One Quiet Night.
    pub quiet: f32,
    /// The same for a forecast.
    pub forecast: f32,
    /// What each feature adds to the logarithmic odds of a win at the beginning of a turn.
    pub leaf: [f32; FEATURES],
}

impl Weights {
    /// The weights of the house for games of so many players, 2 to 4.
    pub fn house(players: u8) -> Arc<Weights> {
        let at = usize::from(players.clamp(2, 4)) - 2;
        Arc::new(Weights {
            leaf: house::LEAVES[at],
            ..Weights::from_list(&house::POLICIES[at])
        })
    }

    /// How many numbers they are.
    pub const COUNT: usize = FEATURES + 7;

    /// Those of the policy in a list, for programs that tune them.
    pub fn to_list(&self) -> [f32; Weights::COUNT] {
        let mut list = [0.0; Weights::COUNT];
        list[..FEATURES].copy_from_slice(&self.linear);
        let Shape {
            share,
            share_far,
            share_best,
            guarded,
            base,
        } = self.shape;
        list[FEATURES..].copy_from_slice(&[
            share,
            share_far,
            share_best,
            guarded,
            base,
            self.quiet,
            self.forecast,
        ]);
        list
    }

    /// The weights of such a list, with odds of the house.
    pub fn from_list(list: &[f32; Weights::COUNT]) -> Weights {
        let mut linear = [0.0; FEATURES];
        linear.copy_from_slice(&list[..FEATURES]);
        let at = |n: usize| list[FEATURES + n];
        let shape = Shape {
            share: at(0),
            share_far: at(1),
            share_best: at(2),
            guarded: at(3),
            base: at(4),
        };
        Weights {
            linear,
            shape,
            quiet: at(5),
            forecast: at(6),
            leaf: house::LEAVES[0],
        }
    }
}
