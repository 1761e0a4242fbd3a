//! What is good and bad about a position, in numbers.

/// How many features there are.
pub const FEATURES: usize = 64;

/// What each feature measures. The weights are in the same order.
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
    /// And the next five: how many cards a color wants.
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

/// Where features go: into a sum of weights, or into a list.
pub trait Sink {
    /// A feature has this value more.
    fn add(&mut self, feature: usize, value: f32);
}

/// A sum with weights.
pub(super) struct Sum<'a> {
    pub(super) weights: &'a [f32; FEATURES],
    pub(super) sum: f32,
}

impl Sink for Sum<'_> {
    #[inline]
    fn add(&mut self, feature: usize, value: f32) {
        self.sum += self.weights[feature] * value;
    }
}

/// All features in a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed(pub [f32; FEATURES]);

impl Sink for Listed {
    #[inline]
    fn add(&mut self, feature: usize, value: f32) {
        self.0[feature] += value;
    }
}

/// How features are formed, where that is no matter of weights.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// What a card in another's hand is worth to who collects it when both stand where it can be handed over.
    pub share: f32,
    /// How that shrinks with every action on the way there.
    pub share_far: f32,
    /// How much more the one card counts that is nearest to be handed over.
    pub share_best: f32,
    /// How much a danger counts where the Quarantine Specialist stands beside it.
    pub guarded: f32,
    /// How much a city counts whose card is nowhere near the top.
    pub base: f32,
}
