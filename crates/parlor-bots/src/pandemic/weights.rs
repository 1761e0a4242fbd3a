//! Weights of the features.

mod built_in;

use std::sync::Arc;

use super::features::{FEATURES, FeatureShape};

/// Parameters of the quick policy.
#[derive(Clone, Debug, PartialEq)]
pub struct PolicyWeights {
    /// Weight of each feature.
    pub linear: [f32; FEATURES],
    /// Parameters of the features.
    pub shape: FeatureShape,
    /// Expected outbreaks, scaled up by those that already happened, above which One Quiet Night is
    /// played.
    pub quiet: f32,
    /// Expected outbreaks above which a forecast is played.
    pub forecast: f32,
    /// Contribution of each feature to the log odds of a win at the start of a turn.
    pub leaf: [f32; FEATURES],
}

impl PolicyWeights {
    /// Returns the built-in weights for games of `players` seats, 2 to 4.
    pub fn built_in(players: u8) -> Arc<PolicyWeights> {
        let at = usize::from(players.clamp(2, 4)) - 2;
        Arc::new(PolicyWeights {
            leaf: built_in::LEAVES[at],
            ..PolicyWeights::from_list(&built_in::POLICIES[at])
        })
    }

    /// Number of tunable parameters.
    pub const COUNT: usize = FEATURES + 7;

    /// Returns the parameters of the policy as a list, for tuning.
    pub fn to_list(&self) -> [f32; PolicyWeights::COUNT] {
        let mut list = [0.0; PolicyWeights::COUNT];
        list[..FEATURES].copy_from_slice(&self.linear);
        let FeatureShape {
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

    /// Creates weights from such a list, with the built-in odds.
    pub fn from_list(list: &[f32; PolicyWeights::COUNT]) -> PolicyWeights {
        let mut linear = [0.0; FEATURES];
        linear.copy_from_slice(&list[..FEATURES]);
        let at = |n: usize| list[FEATURES + n];
        let shape = FeatureShape {
            share: at(0),
            share_far: at(1),
            share_best: at(2),
            guarded: at(3),
            base: at(4),
        };
        PolicyWeights {
            linear,
            shape,
            quiet: at(5),
            forecast: at(6),
            leaf: built_in::LEAVES[0],
        }
    }
}
