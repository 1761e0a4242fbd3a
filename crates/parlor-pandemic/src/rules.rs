//! Rules of a game.

use parlor_core::Seat;

use crate::{Cards, EventCard, EventCards, Role, Roles};

/// Rules of a game: number of players, difficulty, roles and events.
///
/// ```
/// use parlor_pandemic::{InvalidRules, Rules};
/// let heroic = Rules::new(4, 6).expect("four players, six epidemics");
/// assert_eq!(heroic.epidemics(), 6);
/// assert_eq!(Rules::new(5, 4), Err(InvalidRules::Players(5)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    players: u8,
    epidemics: u8,
    consent: Consent,
    events: EventCards,
    pool: Roles,
    fixed: [Option<Role>; Rules::MAX_PLAYERS],
}

/// Rule about asking the owner of a pawn or a card before another player moves or shares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Consent {
    /// Nobody is asked.
    Implied,
    /// The owner is asked; after a refusal, again only after another move.
    AskedOnce,
    /// The owner is asked; after a refusal, twice more before another move, for something else or
    /// for the same.
    AskedAgain,
}

impl Consent {
    /// Maximum number of times that a player declines before another move.
    pub const MAX_DECLINES: u8 = 3;

    /// Returns how often a player can decline before another move; 0 if nobody is asked.
    pub const fn declines(self) -> u8 {
        match self {
            Consent::Implied => 0,
            Consent::AskedOnce => 1,
            Consent::AskedAgain => Self::MAX_DECLINES,
        }
    }

    /// Returns true if owners are asked.
    pub const fn is_asked(self) -> bool {
        self.declines() > 0
    }
}

/// Error for invalid rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidRules {
    /// Too few or too many players.
    #[error("Pandemic is for 2 to 4 players, not for {0}")]
    Players(u8),
    /// More epidemics than supported.
    #[error("a game has 0 to {most} epidemics, not {0}", most = Rules::MAX_EPIDEMICS)]
    Epidemics(u8),
    /// A role appears twice.
    #[error("two players cannot both be the {0}")]
    SameRole(Role),
    /// There are not enough roles to deal.
    #[error("{0} roles are too few for the players who have none yet")]
    TooFewRoles(u32),
    /// A role is assigned to a seat that does not exist.
    #[error("there is no seat {0} for the {1}")]
    NoSeat(u8, Role),
}

impl Rules {
    /// Maximum number of players.
    pub const MAX_PLAYERS: usize = 4;
    /// Maximum number of epidemic cards. The original game has six; more make smaller piles.
    pub const MAX_EPIDEMICS: u8 = 12;

    /// Creates the standard rules: all roles dealt at random, all five events, and owners
    /// asked once before another player moves their pawn or shares their card. Four epidemics are introductory, five
    /// standard, six heroic.
    ///
    /// # Errors
    /// [`InvalidRules`] for numbers outside 2 to 4 players and 0 to 12 epidemics.
    pub const fn new(players: u8, epidemics: u8) -> Result<Rules, InvalidRules> {
        if players < 2 || players as usize > Self::MAX_PLAYERS {
            return Err(InvalidRules::Players(players));
        }
        if epidemics > Self::MAX_EPIDEMICS {
            return Err(InvalidRules::Epidemics(epidemics));
        }
        Ok(Rules {
            players,
            epidemics,
            consent: Consent::AskedOnce,
            events: EventCards::ALL,
            pool: Roles::ALL,
            fixed: [None; Self::MAX_PLAYERS],
        })
    }

    /// Returns the same rules with or without questions to owners before another player moves their
    /// pawn or shares their card.
    #[must_use]
    pub const fn with_consent(self, consent: Consent) -> Rules {
        Rules { consent, ..self }
    }

    /// Returns the same rules with only these events in the deck; cities are ignored.
    #[must_use]
    pub fn with_events(self, events: Cards) -> Rules {
        Rules {
            events: events.events(),
            ..self
        }
    }

    /// Returns the same rules with other roles: the pool dealt at random, and the roles assigned to
    /// seats from the beginning.
    ///
    /// [`InvalidRules`] if there are too few, one appears twice, or a seat does not exist.
    pub fn with_roles(
        self,
        pool: Roles,
        fixed: [Option<Role>; Self::MAX_PLAYERS],
    ) -> Result<Rules, InvalidRules> {
        let mut left = pool;
        for (seat, role) in fixed.iter().enumerate() {
            let Some(role) = *role else { continue };
            if seat >= self.players as usize {
                return Err(InvalidRules::NoSeat(seat as u8, role));
            }
            if fixed[..seat].contains(&Some(role)) {
                return Err(InvalidRules::SameRole(role));
            }
            left = left.without(role);
        }
        let wanting = fixed[..self.players as usize]
            .iter()
            .filter(|role| role.is_none())
            .count();
        if (left.len() as usize) < wanting {
            return Err(InvalidRules::TooFewRoles(left.len()));
        }
        Ok(Rules {
            pool,
            fixed,
            ..self
        })
    }

    /// Returns the number of players.
    pub const fn players(self) -> u8 {
        self.players
    }

    /// Returns all seats.
    pub fn seats(self) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator {
        Seat::all(self.players)
    }

    /// Returns the number of epidemic cards.
    pub const fn epidemics(self) -> u8 {
        self.epidemics
    }

    /// Returns whether owners of pawns and cards are asked for consent.
    pub const fn consent(self) -> Consent {
        self.consent
    }

    /// Returns the events in the deck.
    pub const fn events(self) -> Cards {
        Cards::from_events(self.events)
    }

    /// Returns true if an event is in the deck.
    pub const fn has_event(self, event: EventCard) -> bool {
        self.events.has(event)
    }

    /// Returns the roles that are dealt at random.
    pub const fn pool(self) -> Roles {
        self.pool
    }

    /// Returns the role assigned to each seat from the beginning, if any.
    pub const fn fixed(self) -> [Option<Role>; Self::MAX_PLAYERS] {
        self.fixed
    }

    /// Returns the number of cards dealt to each player: 4, 3 or 2.
    pub const fn first_hand(self) -> u32 {
        6 - self.players as u32
    }

    /// Returns the number of cities and events left for the deck after dealing.
    pub const fn remaining(self) -> u32 {
        48 + self.events.len() - self.players as u32 * self.first_hand()
    }

    /// Returns an upper bound on the number of moves in a game: at most 354 if nobody is asked for
    /// consent, 3,540 for four players who are asked once, 9,204 if they are asked again.
    ///
    /// Every turn draws two cards, so the deck bounds the number of turns, plus one in which it
    /// runs out. A turn has four actions and the move that ends them. Every city and event is
    /// discarded at most once because of the hand limit. Every event is played at most twice; a
    /// forecast takes five more moves to order its cards. Only with events in play are players
    /// asked before infection cards, at most four times per turn, and twice in an epidemic. With
    /// consent, each of these moves may be asked for and agreed to, and before it every player may
    /// decline as often as the rules allow.
    pub const fn max_moves(self) -> u32 {
        let cards = self.remaining() + self.epidemics as u32;
        let (turns, events) = (cards / 2, self.events.len());
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
        if self.consent.is_asked() {
            moves * (2 + 2 * self.players as u32 * self.consent.declines() as u32)
        } else {
            moves
        }
    }

    /// Returns the number of piles in the deck: one for each epidemic, or one without epidemics.
    pub const fn piles(self) -> u8 {
        if self.epidemics == 0 {
            1
        } else {
            self.epidemics
        }
    }

    /// Returns the size of a pile, including its epidemic; larger piles are on top. Pile 0 is drawn
    /// first.
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
