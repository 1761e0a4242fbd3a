//! Events of Pandemic in every window: at each moment of a person's and a bot's turn at which one
//! can be played, its holder is asked, the others wait, and it has its effect.
//!
//! Cards are entered by hand, so that each table has the hands and the draws that it needs.

use parlor_games::pandemic::KIND;
use serde_json::{Value, json};

use super::hands::{self, AFAR};
use super::house::{Answer, House, moves_of};

const ANN: usize = 0;
const BOB: usize = 1;
/// Seat of the bot, or of Cy, whom a bot replaces.
const THIRD: usize = 2;
/// City of the setup that is removed by Resilient Population.
const REMOVED: &str = "Paris";

/// An event card, the only one in its deck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    Airlift,
    Forecast,
    Grant,
    QuietNight,
    Resilient,
}

impl Event {
    const fn name(self) -> &'static str {
        match self {
            Event::Airlift => "Airlift",
            Event::Forecast => "Forecast",
            Event::Grant => "Government Grant",
            Event::QuietNight => "One Quiet Night",
            Event::Resilient => "Resilient Population",
        }
    }

    /// Returns the city whose infection card is removed.
    const fn removed(window: Window) -> &'static str {
        match window {
            // The city that the epidemic has just struck.
            Window::Intensify => AFAR,
            _ => REMOVED,
        }
    }

    /// Returns the move that plays it.
    fn text(self, window: Window) -> String {
        match self {
            Event::Airlift => format!("airlift:Researcher:{AFAR}"),
            Event::Forecast => "forecast".to_owned(),
            Event::Grant => format!("grant:{AFAR}"),
            Event::QuietNight => "quiet-night".to_owned(),
            Event::Resilient => format!("resilient:{}", Event::removed(window)),
        }
    }

    /// Returns the windows in which it can have an effect.
    fn windows(self) -> Vec<Window> {
        let is_open = |window: &Window| match window {
            Window::Intensify => self == Event::Resilient,
            // The infection discards have just been reshuffled.
            Window::SecondEpidemic => self != Event::Resilient,
            _ => true,
        };
        Window::ALL.into_iter().filter(is_open).collect()
    }
}

/// A moment of a turn at which events can be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    BeforeActions,
    BetweenActions,
    AfterActions,
    /// A hand is too large.
    Limit,
    Intensify,
    SecondEpidemic,
    BeforeInfections,
    BetweenInfections,
}

impl Window {
    const ALL: [Window; 8] = [
        Window::BeforeActions,
        Window::BetweenActions,
        Window::AfterActions,
        Window::Limit,
        Window::Intensify,
        Window::SecondEpidemic,
        Window::BeforeInfections,
        Window::BetweenInfections,
    ];

    /// Returns the number of turns before the one with this window.
    const fn turns_before(self) -> usize {
        match self {
            // The first player has seven cards after her first turn.
            Window::Limit => 3,
            // The first pile has five cards: its last one and the next one can be epidemics.
            Window::SecondEpidemic => 2,
            _ => 0,
        }
    }

    /// Returns the number of epidemics in the game.
    const fn epidemics(self) -> u8 {
        match self {
            Window::Intensify | Window::SecondEpidemic => 12,
            _ => 0,
        }
    }

    /// Returns true if a position of the right turn is in this window.
    fn is_at(self, position: &Value) -> bool {
        let number = |field: &str| position[field].as_u64().unwrap();
        let (actions, left) = (number("actions"), number("infections_left"));
        match (self, position["phase"].as_str().unwrap()) {
            (Window::BeforeActions, "actions") => actions == 4,
            (Window::BetweenActions, "actions") => (1..4).contains(&actions),
            (Window::AfterActions, "actions") => actions == 0,
            (Window::BeforeInfections, "infect") => left == number("rate"),
            (Window::BetweenInfections, "infect") => left < number("rate"),
            (Window::Limit, "limit")
            | (Window::Intensify, "intensify")
            | (Window::SecondEpidemic, "next_epidemic") => true,
            _ => false,
        }
    }

    /// Returns the number of infection cards that are turned in this turn after the window.
    const fn infections(self, event: Event) -> usize {
        match (self, event) {
            (Window::BetweenInfections, _) => 1,
            (_, Event::QuietNight) => 0,
            _ => 2,
        }
    }
}

/// Player on turn in the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mover {
    /// Ann.
    Person,
    Bot,
    /// Cy, who leaves while Bob is asked, so that a bot goes on. Bots do not stop between infection
    /// cards, and how many actions they take, and cards, is up to them.
    StandIn,
}

impl Mover {
    /// Returns those in whose turns the window opens.
    fn all(window: Window) -> &'static [Mover] {
        match window {
            Window::BetweenActions
            | Window::AfterActions
            | Window::Limit
            | Window::BetweenInfections => &[Mover::Person, Mover::StandIn],
            Window::BeforeActions
            | Window::Intensify
            | Window::SecondEpidemic
            | Window::BeforeInfections => &[Mover::Person, Mover::Bot],
        }
    }

    const fn seat(self) -> usize {
        match self {
            Mover::Person => ANN,
            Mover::Bot | Mover::StandIn => THIRD,
        }
    }
}

/// An event in a window.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub event: Event,
    pub window: Window,
    pub mover: Mover,
}

impl Case {
    /// Returns the seat that begins, so that the mover is on turn in the window.
    fn first(self) -> usize {
        (self.mover.seat() + 3 - self.window.turns_before() % 3) % 3
    }
}

/// A table of Ann, who enters the draws, Bob, who holds the event, and a bot or Cy.
pub struct Team<'a> {
    case: Case,
    pub id: String,
    tokens: [String; 3],
    /// House at which all play but Bob.
    home: &'a House,
    /// House at which Bob plays.
    bobs: &'a House,
    /// Number of turns so far.
    turns: usize,
    /// Seat whose turn it is.
    active: Value,
}

