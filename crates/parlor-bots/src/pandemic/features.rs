//! Features of a position.

/// Number of features.
pub const FEATURES: usize = 64;

/// Index of each feature, in the order of the weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(dead_code, reason = "some are reached by counting on")]
pub(super) enum Feature {
    ThreesNow,
    ThreesLater,
    TwosNow,
    TwosLater,
    OnesLater,
    Chains,
    Threes,
    Twos,
    Cubes,
    Supply,
    ThreesLaterByOutbreaks,
    ThreesNowByOutbreaks,
    Struck,
    CuredCubes,
    Eradicated,
    FarThrees,
    FarTwos,
    FarMedic,
    FarThreesNext,
    FarStations,
    FarOnes,
    /// First of six features for the number of cards still missing for a color.
    Missing0,
    Missing1,
    Missing2,
    Missing3,
    Missing4,
    Missing5,
    Ready,
    ReadyFar,
    Cures1,
    Cures2,
    Cures3,
    Slack0,
    Slack1,
    Slack2,
    Lost,
    MissingByTime,
    Wanted,
    Spare,
    Over,
    Airlift,
    Forecast,
    Grant,
    QuietNight,
    Resilient,
    StationMean,
    Stations,
    Outbreaks,
    OutbreaksSquared,
    Deck,
    Rate,
    EpidemicsLeft,
    One,
    SameCollector,
    ReadyNext,
    CubesByRate,
    MissingBest,
    MissingWorst,
    Fours,
    FarFriends,
    WantedByTime,
    Held,
    SlackMean,
    Late,
}

/// Destination of feature values: a weighted sum or a list.
pub trait FeatureSink {
    /// Adds `value` to a feature.
    fn add(&mut self, feature: usize, value: f32);
}

/// Weighted sum of features.
pub(super) struct WeightedSum<'a> {
    pub(super) weights: &'a [f32; FEATURES],
    pub(super) sum: f32,
}

impl FeatureSink for WeightedSum<'_> {
    #[inline]
    fn add(&mut self, feature: usize, value: f32) {
        self.sum += self.weights[feature] * value;
    }
}

/// List of all feature values.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureList(pub [f32; FEATURES]);

impl FeatureSink for FeatureList {
    #[inline]
    fn add(&mut self, feature: usize, value: f32) {
        self.0[feature] += value;
    }
}

/// Parameters of the features that are not linear weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FeatureShape {
    /// Value of a card in a partner's hand to the player who collects its color, when both stand
    /// where it can be handed over.
    pub share: f32,
    /// Decay of that value with every action needed to get there.
    pub share_far: f32,
    /// Extra value of the one card that is nearest to being handed over.
    pub share_best: f32,
    /// Factor on dangers next to the Quarantine Specialist.
    pub guarded: f32,
    /// Base weight of a city whose card is nowhere near the top.
    pub base: f32,
}
