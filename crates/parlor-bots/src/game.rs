//! Game between strategies, with observers.

use std::any::Any;
use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};

use parlor_core::playout::choose_weighted;
use parlor_core::{ImpossibleChance, Outcome, Position, Seat, Turn};
use rand_xoshiro::rand_core::SeedableRng;

use crate::{Budget, Choice, Prng, Strategy};

/// Player of a seat.
pub struct NamedPlayer<P: Position> {
    /// Name of the player.
    pub name: String,
    /// Strategy that chooses the player's moves.
    pub strategy: Box<dyn Strategy<P>>,
}

impl<P: Position> NamedPlayer<P> {
    /// Creates a player with this name.
    pub fn new(name: impl Into<String>, strategy: impl Strategy<P> + 'static) -> NamedPlayer<P> {
        NamedPlayer {
            name: name.into(),
            strategy: Box::new(strategy),
        }
    }
}

/// Strategy that asks a function for each move: a person at a terminal, a connection, a script.
///
/// The function gets the position and returns a move, or `None` to leave the game.
///
/// ```
/// use parlor_bots::game::{GameRunner, NamedPlayer, Ask, GameState};
/// use parlor_bots::{Nodes, Random};
/// use parlor_core::testing::pig::{PigMove, Pig};
///
/// let careful = |pig: &Pig| Some(if pig.pot() < 5 { PigMove::Roll } else { PigMove::Hold });
/// let ada = NamedPlayer::new("Ada", Ask::new(careful));
/// let players = vec![ada, NamedPlayer::new("Bo", Random::new(1))];
/// let mut game = GameRunner::new(Pig::new(20), players, 1).expect("two players for two seats");
/// let state = game.play(&mut Nodes(0)).expect("every move is legal");
/// assert!(matches!(state, GameState::Won { .. }));
/// ```
pub struct Ask<F>(F);

impl<F> Ask<F> {
    /// Creates a strategy that asks this function.
    pub fn new<P: Position>(ask: F) -> Ask<F>
    where
        F: FnMut(&P) -> Option<P::Move> + Send,
    {
        Ask(ask)
    }
}

impl<P: Position, F: FnMut(&P) -> Option<P::Move> + Send> Strategy<P> for Ask<F> {
    fn name(&self) -> String {
        "human".to_owned()
    }

    fn choose(&mut self, position: &P, _: &mut dyn Budget) -> Option<Choice<P::Move>> {
        (self.0)(position).map(Choice::new)
    }
}

/// Source of luck that chooses one of the listed chances.
pub trait LuckSource<P: Position>: Send {
    /// Chooses one of `chances`, which are all that can happen now, with their weights.
    fn draw(&mut self, chances: &[(P::Chance, u32)]) -> Option<P::Chance>;
}

impl<P: Position, F: FnMut(&[(P::Chance, u32)]) -> Option<P::Chance> + Send> LuckSource<P> for F {
    fn draw(&mut self, chances: &[(P::Chance, u32)]) -> Option<P::Chance> {
        self(chances)
    }
}

/// Random chances, the same for the same seed.
#[derive(Clone, Debug)]
pub struct SeededLuck(Prng);

impl SeededLuck {
    /// Creates a source of luck from a seed.
    pub fn new(seed: u64) -> SeededLuck {
        SeededLuck(Prng::seed_from_u64(seed))
    }
}

impl<P: Position> LuckSource<P> for SeededLuck {
    fn draw(&mut self, chances: &[(P::Chance, u32)]) -> Option<P::Chance> {
        choose_weighted(&mut self.0, chances).cloned()
    }
}

/// State of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameState {
    /// A seat is to move.
    Turn(Seat),
    /// Chance decides next.
    Chance,
    /// The game is over and a seat won.
    Won {
        /// Winner.
        by: Seat,
        /// Points won.
        points: u16,
    },
    /// The game is over without a winner.
    Draw,
    /// The game is over and all seats won together.
    TeamWon,
    /// The game is over and all seats lost together.
    TeamLost,
}

impl GameState {
    /// Returns the state of a position.
    pub fn from_position<P: Position>(position: &P) -> GameState {
        match position.turn() {
            Turn::Move(seat) => GameState::Turn(seat),
            Turn::Chance => GameState::Chance,
            Turn::Over(Outcome::Won { by, points }) => GameState::Won { by, points },
            Turn::Over(Outcome::Draw) => GameState::Draw,
            Turn::Over(Outcome::TeamWon) => GameState::TeamWon,
            Turn::Over(Outcome::TeamLost) => GameState::TeamLost,
        }
    }

    /// Returns true if the game is over.
    pub const fn is_over(self) -> bool {
        !matches!(self, GameState::Turn(_) | GameState::Chance)
    }
}

/// Event that observers are notified of.
#[derive(Debug)]
pub enum GameEvent<'a, P: Position> {
    /// A move was played.
    Moved {
        /// Seat that moved.
        seat: Seat,
        /// Name of the player.
        name: &'a str,
        /// Move.
        mv: &'a P::Move,
        /// Position after it.
        after: &'a P,
    },
    /// A chance was resolved.
    Resolved {
        /// Result of the chance.
        chance: &'a P::Chance,
        /// Position after it.
        after: &'a P,
    },
    /// The state changed. Sent after every move and chance, and to a new observer.
    State(GameState),
    /// A player is to move.
    Turn {
        /// Seat to move.
        seat: Seat,
        /// Name of the player.
        name: &'a str,
    },
    /// The game ended.
    Ended {
        /// Final state.
        state: GameState,
        /// Name of the winner, if one seat won.
        winner: Option<&'a str>,
        /// Final position.
        position: &'a P,
    },
}

/// Observer of a game.
///
/// Every closure `FnMut(&GameEvent<P>) -> Result<(), Box<dyn Error + Send + Sync>>` is one.
pub trait Observer<P: Position>: Send {
    /// Called for every event, in order.
    ///
    /// # Errors
    /// Any failure on the observer's side. The game goes on, and its driver can retrieve the
    /// failures.
    fn notify(&mut self, event: &GameEvent<'_, P>) -> Result<(), Box<dyn Error + Send + Sync>>;
}

impl<P, F> Observer<P> for F
where
    P: Position,
    F: FnMut(&GameEvent<'_, P>) -> Result<(), Box<dyn Error + Send + Sync>> + Send,
{
    fn notify(&mut self, event: &GameEvent<'_, P>) -> Result<(), Box<dyn Error + Send + Sync>> {
        self(event)
    }
}

/// Identifier of an observer, for its removal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObserverId(u32);

/// Failure of an observer, which does not affect the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObserverFailure {
    /// Observer that failed.
    pub observer: ObserverId,
    /// Error message.
    pub reason: String,
    /// True if the observer panicked. It was then removed, since its state may be broken.
    pub panicked: bool,
}

/// The number of players does not match the seats of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a game with {seats} seats cannot be played by {players} players")]
pub struct WrongPlayers {
    /// Number of seats of the game.
    pub seats: u8,
    /// Number of players given.
    pub players: usize,
}

/// Error that stops a game. The position is unchanged, and the game can be continued.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Stopped<M, I: Error> {
    /// A player chose an illegal move.
    #[error("{name} cannot play {mv:?}: {reason}")]
    Illegal {
        /// Seat of the player.
        seat: Seat,
        /// Name of the player.
        name: String,
        /// Chosen move.
        mv: M,
        /// Reason for the refusal.
        reason: I,
    },
    /// A player chose a move that belongs to another seat.
    #[error("{name} cannot play {mv:?}: the move belongs to another seat")]
    NotTheirs {
        /// Seat of the player.
        seat: Seat,
        /// Name of the player.
        name: String,
        /// Chosen move.
        mv: M,
    },
    /// A player returned no move and left the game.
    #[error("{name} left the game")]
    Left {
        /// Seat of the player.
        seat: Seat,
        /// Name of the player.
        name: String,
    },
    /// The source of luck returned nothing.
    #[error("the source of luck returned no chance")]
    NoLuck,
    /// The source of luck returned an impossible chance.
    #[error(transparent)]
    BadLuck(#[from] ImpossibleChance),
}

/// Error that stops a game over `P`.
pub type StoppedAt<P> = Stopped<<P as Position>::Move, <P as Position>::Illegal>;

/// Runs a game between strategies.
///
/// It asks the strategy on turn, checks and plays its move, resolves chances, and notifies the
/// observers.
pub struct GameRunner<P: Position> {
    position: P,
    state: GameState,
    players: Vec<NamedPlayer<P>>,
    luck: Box<dyn LuckSource<P>>,
    observers: Vec<(ObserverId, Box<dyn Observer<P>>)>,
    next_observer: u32,
    failures: Vec<ObserverFailure>,
}

impl<P: Position> GameRunner<P> {
    /// Creates a game from this position, with one player per seat, in the order of the seats, and
    /// luck from a seed.
    ///
    /// # Errors
    /// [`WrongPlayers`] if there are more or fewer players than seats.
    pub fn new(
        position: P,
        players: Vec<NamedPlayer<P>>,
        seed: u64,
    ) -> Result<GameRunner<P>, WrongPlayers> {
        Self::with_luck(position, players, SeededLuck::new(seed))
    }

    /// Creates a game with another source of luck.
    ///
    /// # Errors
    /// [`WrongPlayers`] if there are more or fewer players than seats.
    pub fn with_luck(
        position: P,
        players: Vec<NamedPlayer<P>>,
        luck: impl LuckSource<P> + 'static,
    ) -> Result<GameRunner<P>, WrongPlayers> {
        if players.len() != usize::from(position.seats()) {
            return Err(WrongPlayers {
                seats: position.seats(),
                players: players.len(),
            });
        }
        Ok(GameRunner {
            state: GameState::from_position(&position),
            position,
            players,
            luck: Box::new(luck),
            observers: Vec::new(),
            next_observer: 0,
            failures: Vec::new(),
        })
    }

    /// Returns the current position.
    pub fn position(&self) -> &P {
        &self.position
    }

    /// Returns the state of the game.
    pub fn state(&self) -> GameState {
        self.state
    }

    /// Returns the players, by seat.
    pub fn players(&self) -> &[NamedPlayer<P>] {
        &self.players
    }

    /// Adds an observer. It is notified of the current state at once, and of every event from now
    /// on.
    pub fn add_observer(&mut self, observer: impl Observer<P> + 'static) -> ObserverId {
        let id = ObserverId(self.next_observer);
        self.next_observer += 1;
        let mut others = std::mem::replace(&mut self.observers, vec![(id, Box::new(observer))]);
        self.announce();
        others.append(&mut self.observers);
        self.observers = others;
        id
    }

    /// Removes an observer; returns true if it existed.
    pub fn remove_observer(&mut self, id: ObserverId) -> bool {
        let before = self.observers.len();
        self.observers.retain(|(other, _)| *other != id);
        self.observers.len() < before
    }

    /// Returns the failures of observers since the last call.
    pub fn take_failures(&mut self) -> Vec<ObserverFailure> {
        std::mem::take(&mut self.failures)
    }

    /// Plays one move or resolves one chance, and returns the state after it. A finished game is
    /// left as it is.
    ///
    /// # Errors
    /// [`Stopped`], with the game unchanged.
    pub fn step(&mut self, budget: &mut dyn Budget) -> Result<GameState, StoppedAt<P>> {
        match self.state {
            GameState::Turn(seat) => self.step_move(seat, budget)?,
            GameState::Chance => self.step_chance()?,
            GameState::Won { .. } | GameState::Draw | GameState::TeamWon | GameState::TeamLost => {}
        }
        Ok(self.state)
    }

    /// Plays until the game is over. Every move gets this budget.
    ///
    /// # Errors
    /// [`Stopped`]; the game stays where it stopped, and can be continued.
    pub fn play(&mut self, budget: &mut dyn Budget) -> Result<GameState, StoppedAt<P>> {
        while !self.state.is_over() {
            self.step(budget)?;
        }
        Ok(self.state)
    }

    fn step_move(&mut self, on_turn: Seat, budget: &mut dyn Budget) -> Result<(), StoppedAt<P>> {
        let (seat, mv) = match self.interjection(on_turn, budget) {
            Some(interjection) => interjection,
            None => (on_turn, self.chosen(on_turn, budget)?),
        };
        let player = &self.players[seat.index()];
        if let Err(reason) = self.position.check(&mv) {
            return Err(Stopped::Illegal {
                seat,
                name: player.name.clone(),
                mv,
                reason,
            });
        }
        if self.position.mover(&mv) != Some(seat) {
            return Err(Stopped::NotTheirs {
                seat,
                name: player.name.clone(),
                mv,
            });
        }
        self.position.play_unchecked(&mv);
        let name = &self.players[seat.index()].name;
        let event = GameEvent::Moved {
            seat,
            name,
            mv: &mv,
            after: &self.position,
        };
        notify_all(&mut self.observers, &mut self.failures, &event);
        self.update_state();
        Ok(())
    }

    /// Returns the first move that a player makes out of turn.
    fn interjection(&mut self, on_turn: Seat, budget: &mut dyn Budget) -> Option<(Seat, P::Move)> {
        let others = Seat::all(self.position.seats())
            .zip(&mut self.players)
            .filter(|(seat, _)| *seat != on_turn);
        for (seat, player) in others {
            if let Some(choice) = player.strategy.interject(&self.position, seat, budget) {
                return Some((seat, choice.mv));
            }
        }
        None
    }

    /// Asks the player on turn for a move.
    fn chosen(&mut self, seat: Seat, budget: &mut dyn Budget) -> Result<P::Move, StoppedAt<P>> {
        let player = &mut self.players[seat.index()];
        let choice = player.strategy.choose(&self.position, budget);
        choice.map(|choice| choice.mv).ok_or_else(|| Stopped::Left {
            seat,
            name: player.name.clone(),
        })
    }

    fn step_chance(&mut self) -> Result<(), StoppedAt<P>> {
        let chance = self
            .luck
            .draw(&self.position.chances())
            .ok_or(Stopped::NoLuck)?;
        self.position.try_resolve(&chance)?;
        let event = GameEvent::Resolved {
            chance: &chance,
            after: &self.position,
        };
        notify_all(&mut self.observers, &mut self.failures, &event);
        self.update_state();
        Ok(())
    }

    /// Updates the state from the position and announces it.
    fn update_state(&mut self) {
        self.state = GameState::from_position(&self.position);
        self.announce();
    }

    /// Notifies the observers of the current state.
    fn announce(&mut self) {
        let state = self.state;
        notify_all(
            &mut self.observers,
            &mut self.failures,
            &GameEvent::State(state),
        );
        let name = |seat: Seat| self.players[seat.index()].name.as_str();
        let event = match state {
            GameState::Chance => return,
            GameState::Turn(seat) => GameEvent::Turn {
                seat,
                name: name(seat),
            },
            GameState::Won { by, .. } => GameEvent::Ended {
                state,
                winner: Some(name(by)),
                position: &self.position,
            },
            GameState::Draw | GameState::TeamWon | GameState::TeamLost => GameEvent::Ended {
                state,
                winner: None,
                position: &self.position,
            },
        };
        notify_all(&mut self.observers, &mut self.failures, &event);
    }
}

/// Notifies every observer; records failures, and removes those that panicked.
fn notify_all<P: Position>(
    observers: &mut Vec<(ObserverId, Box<dyn Observer<P>>)>,
    failures: &mut Vec<ObserverFailure>,
    event: &GameEvent<'_, P>,
) {
    observers.retain_mut(|(id, observer)| {
        // An observer that panicked is never called again, so its broken state does no harm.
        let (reason, panicked) = match catch_unwind(AssertUnwindSafe(|| observer.notify(event))) {
            Ok(Ok(())) => return true,
            Ok(Err(reason)) => (reason.to_string(), false),
            Err(panic) => (panic_text(panic.as_ref()), true),
        };
        failures.push(ObserverFailure {
            observer: *id,
            reason,
            panicked,
        });
        !panicked
    });
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("it panicked").to_owned()
}
