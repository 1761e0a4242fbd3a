//! Setups of Pandemic for three whose cards are entered by hand: the first player and the holder of the
//! only event are known.

/// City in which nobody is, and where nothing happens unless it is entered.
pub const AFAR: &str = "Sydney";
/// Infection cards of the setup. No two of the cities are connected.
const INFECTED: [&str; 9] = [
    "Lima", "Lagos", "Osaka", "Delhi", "Cairo", "Manila", "Paris", "Montreal", "Moscow",
];
/// Initial hands by seat, before the event and the most populous city replace cards of them.
const HANDS: [[&str; 3]; 3] = [
    ["Essen", "Santiago", "Algiers"],
    ["Osaka", "Madrid", "Khartoum"],
    ["Milan", "Johannesburg", "Riyadh"],
];
/// City whose holder goes first.
const MOST_POPULOUS: &str = "Jakarta";

/// Returns the draws of a setup with fixed roles. The seat `first` begins, and the second one holds the
/// event.
pub fn setup(first: usize, event: &'static str) -> Vec<String> {
    let mut hands = HANDS;
    hands[first][0] = MOST_POPULOUS;
    hands[1][2] = event;
    let infected = INFECTED.iter().map(|city| format!("infect:{city}"));
    let dealt = hands.iter().flatten().map(|card| format!("deal:{card}"));
    infected.chain(dealt).collect()
}
