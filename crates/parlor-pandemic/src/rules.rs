//! What a table plays.

use parlor_core::Seat;

use crate::{Cards, Event, Role, Roles};

/// How many players, how hard, which roles and events.
///
/// ```
/// use parlor_pandemic::{BadRules, Rules};
/// let heroic = Rules::new(4, 6).expect("four players, six epidemics");
/// assert_eq!(heroic.epidemics(), 6);
/// assert_eq!(Rules::new(5, 4), Err(BadRules::Players(5)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    players: u8,
    epidemics: u8,
    consent: bool,
    events: u8,
    pool: Roles,
    fixed: [Option<Role>; Rules::MOST_PLAYERS],
}

/// Rules that nobody can play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadRules {
    /// Too few or too many players.
    #[error("Pandemic is for 2 to 4 players, not for {0}")]
    Players(u8),
    /// More epidemics than there is room for.
    #[error("a game has 0 to {most} epidemics, not {0}", most = Rules::MOST_EPIDEMICS)]
    Epidemics(u8),
    /// A role twice.
    #[error("two players cannot both be the {0}")]
    SameRole(Role),
    /// Not enough roles to deal.
    #[error("{0} roles are too few for the players who have none yet")]
    TooFewRoles(u32),
    /// A role for a seat that the table does not have.
    #[error("there is no seat {0} for the {1}")]
    NoSeat(u8, Role),
}

impl Rules {
    /// The most players.
    pub const MOST_PLAYERS: usize = 4;
    /// The most epidemic cards. The box has six; more make smaller piles.
    pub const MOST_EPIDEMICS: u8 = 12;

    /// A game of the box: all roles dealt at random, all five events, and nobody is moved or given a card unasked. Four
    /// epidemics are introductory, five standard, six heroic.
    ///
    /// # Errors
    /// [`BadRules`] for numbers outside 2 to 4 players and 0 to 12 epidemics.
    pub const fn new(players: u8, epidemics: u8) -> Result<Rules, BadRules> {
        if players < 2 || players as usize > Self::MOST_PLAYERS {
            return Err(BadRules::Players(players));
        }
        if epidemics > Self::MOST_EPIDEMICS {
            return Err(BadRules::Epidemics(epidemics));
        }
        Ok(Rules {
            players,
            epidemics,
            consent: true,
            events: 0b11111,
            pool: Roles::ALL,
            fixed: [None; Self::MOST_PLAYERS],
        })
    }

    /// The same, with or without asking the owner of a pawn or a card before another player moves or takes it.
    #[must_use]
    pub const fn with_consent(self, consent: bool) -> Rules {
        Rules { consent, ..self }
    }

    /// The same with only these events in the deck; cities are ignored.
    #[must_use]
    pub fn with_events(self, events: Cards) -> Rules {
        Rules {
            events: (events.0 >> crate::City::COUNT) as u8,
            ..self
        }
    }

    /// The same with other roles: those that are dealt at random, and those that seats have from the beginning.
    ///
    /// # Errors
    /// [`BadRules`] when there are too few, a role is there twice, or a seat is not.
    pub fn with_roles(
        self,
        pool: Roles,
        fixed: [Option<Role>; Self::MOST_PLAYERS],
    ) -> Result<Rules, BadRules> {
        let mut left = pool;
        for (seat, role) in fixed.iter().enumerate() {
            let Some(role) = *role else { continue };
            if seat >= self.players as usize {
                return Err(BadRules::NoSeat(seat as u8, role));
            }
            if fixed[..seat].contains(&Some(role)) {
                return Err(BadRules::SameRole(role));
            }
            left = left.without(role);
        }
        let wanting = fixed[..self.players as usize]
            .iter()
            .filter(|role| role.is_none())
            .count();
        if (left.len() as usize) < wanting {
            return Err(BadRules::TooFewRoles(left.len()));
        }
        Ok(Rules {
            pool,
            fixed,
            ..self
        })
    }

    /// How many players.
    pub const fn players(self) -> u8 {
        self.players
    }

    /// All seats.
    pub fn seats(self) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator {
        Seat::all(self.players)
    }

    /// How many epidemic cards.
    pub const fn epidemics(self) -> u8 {
        self.epidemics
    }

    /// Whether the owner of a pawn or a card is asked.
    pub const fn consent(self) -> bool {
        self.consent
    }

    /// The events in the deck.
    pub const fn events(self) -> Cards {
        Cards((self.events as u64) << crate::City::COUNT)
    }

    /// Whether an event is in the deck.
    pub fn has_event(self, event: Event) -> bool {
        self.events().has(event)
    }

    /// The roles that are dealt at random.
    pub const fn pool(self) -> Roles {
        self.pool
    }

    /// The role that each seat has from the beginning, if it has one.
    pub const fn fixed(self) -> [Option<Role>; Self::MOST_PLAYERS] {
        self.fixed
    }

    /// How many cards each player is dealt: 4, 3 or 2.
    pub const fn first_hand(self) -> u32 {
        6 - self.players as u32
    }

    /// How many cities and events remain for the deck once all hands are dealt.
    pub const fn remaining(self) -> u32 {
        48 + self.events.count_ones() - self.players as u32 * self.first_hand()
    }

    /// No game is longer than this many moves: at most 354 where nobody is asked, 3,540 with four players who are.
    ///
    /// Every turn draws two cards, so that the deck allows so many turns and one more that ends with it; a turn has four actions and the
    /// end of them. Every city and event is discarded at most once because a hand was too large. Every event is played at most twice,
    /// a forecast with five words about the order; and only where there are events is anybody asked before infection cards, at most four
    /// in a turn, and twice in an epidemic. Where owners are asked, each of these moves may be asked for and agreed to, and before it every
    /// player may decline one question.
    pub const fn most_moves(self) -> u32 {
        let cards = self.remaining() + self.epidemics as u32;
        let (turns, events) = (cards / 2, self.events.count_ones());
        let last = crate::RATES.len() - 1;
        let rate = crate::RATES[if (self.epidemics as usize) < last {
            self.epidemics as usize
        } else {
            last
        }];
        let stops = if events == 0 {
            0
        } else {
            turns * rate as u32 + 2 * self.epidemics as u32 + 2 * events + 2 * 5
        };
        let moves = 5 * (turns + 1) + 48 + events + stops;
        if self.consent {
            moves * (2 + 2 * self.players as u32)
        } else {
            moves
        }
    }

    /// How many piles the deck is made of: one for each epidemic, or a single one without any.
    pub const fn piles(self) -> u8 {
        if self.epidemics == 0 {
            1
        } else {
            self.epidemics
        }
    }

    /// How many cards a pile has, its epidemic included; larger piles lie on top. Pile 0 is drawn first.
    ///
    /// ```
    /// # use parlor_pandemic::Rules;
    /// let rules = Rules::new(2, 6).expect("a game of the box");
    /// assert_eq!((0..6).map(|pile| rules.pile(pile)).collect::<Vec<_>>(), [9, 9, 9, 8, 8, 8]);
    /// ```
    pub const fn pile(self, pile: u8) -> u8 {
        let piles = self.piles() as u32;
        let larger = (pile as u32) < self.remaining() % piles;
        (self.remaining() / piles) as u8 + larger as u8 + (self.epidemics > 0) as u8
    }
}
