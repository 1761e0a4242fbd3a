//! A game between strategies, from the first move to the end, with others looking on.

use std::any::Any;
use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};

use parlor_core::playout::draw;
use parlor_core::{Impossible, Outcome, Position, Seat, Turn};
use rand_xoshiro::rand_core::SeedableRng;

use crate::{Budget, Choice, Prng, Strategy};

/// Who sits in a seat.
pub struct Player<P: Position> {
    /// The name to call them by.
    pub name: String,
    /// What chooses their moves.
    pub strategy: Box<dyn Strategy<P>>,
}

impl<P: Position> Player<P> {
    /// A player of this name.
    pub fn new(name: impl Into<String>, strategy: impl Strategy<P> + 'static) -> Player<P> {
        Player {
            name: name.into(),
            strategy: Box::new(strategy),
        }
    }
}

/// A strategy that asks somebody: a person at a terminal, a connection, a script.
///
/// The function is shown the position and gives a move, or `None` to leave the game.
///
/// ```
/// use parlor_bots::game::{Match, Player, Ask, State};
/// use parlor_bots::{Nodes, Random};
/// use parlor_core::testing::pig::{Do, Pig};
///
/// let careful = Ask::new(|pig: &Pig| Some(if pig.pot() < 5 { Do::Roll } else { Do::Hold }));
/// let players = vec![Player::new("Ada", careful), Player::new("Bo", Random::new(1))];
/// let mut game = Match::new(Pig::new(20), players, 1).expect("two players for two seats");
/// let state = game.play(&mut Nodes(0)).expect("every move is legal");
/// assert!(matches!(state, State::Won { .. }));
/// ```
pub struct Ask<F>(F);

impl<F> Ask<F> {
    /// A strategy that asks this function.
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
        (self.0)(position).map(Choice::blind)
    }
}

/// Where luck comes from: one of the listed chances, by whatever means.
pub trait Luck<P: Position>: Send {
    /// One of `chances`, all that luck can do now, with their weights.
    fn draw(&mut self, chances: &[(P::Chance, u32)]) -> Option<P::Chance>;
}

impl<P: Position, F: FnMut(&[(P::Chance, u32)]) -> Option<P::Chance> + Send> Luck<P> for F {
    fn draw(&mut self, chances: &[(P::Chance, u32)]) -> Option<P::Chance> {
        self(chances)
    }
}

/// The same chances for the same seed.
#[derive(Clone, Debug)]
pub struct SeededLuck(Prng);

impl SeededLuck {
    /// Luck from this seed.
    pub fn new(seed: u64) -> SeededLuck {
        SeededLuck(Prng::seed_from_u64(seed))
    }
}

impl<P: Position> Luck<P> for SeededLuck {
    fn draw(&mut self, chances: &[(P::Chance, u32)]) -> Option<P::Chance> {
        draw(&mut self.0, chances).cloned()
    }
}

/// Where a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// This seat is to move.
    Turn(Seat),
    /// Luck decides next.
    Chance,
    /// Over: this seat won.
    Won {
        /// The winner.
        by: Seat,
        /// What the win is worth.
        points: u16,
    },
    /// Over: nobody won.
    Draw,
    /// Over: all won together.
    TeamWon,
    /// Over: all lost together.
    TeamLost,
}

impl State {
    /// The state that a position is in; the only place where states come from.
    pub fn of<P: Position>(position: &P) -> State {
        match position.turn() {
            Turn::Move(seat) => State::Turn(seat),
            Turn::Chance => State::Chance,
            Turn::Over(Outcome::Won { by, points }) => State::Won { by, points },
            Turn::Over(Outcome::Draw) => State::Draw,
            Turn::Over(Outcome::TeamWon) => State::TeamWon,
            Turn::Over(Outcome::TeamLost) => State::TeamLost,
        }
    }

    /// Whether the game is over.
    pub const fn is_over(self) -> bool {
        !matches!(self, State::Turn(_) | State::Chance)
    }
}

/// What observers are told.
#[derive(Debug)]
pub enum Event<'a, P: Position> {
    /// A move was played.
    Moved {
        /// Whose move.
        seat: Seat,
        /// The name of the player.
        name: &'a str,
        /// The move.
        mv: &'a P::Move,
        /// The position after it.
        after: &'a P,
    },
    /// Luck decided.
    Resolved {
        /// What it did.
        chance: &'a P::Chance,
        /// The position after it.
        after: &'a P,
    },
    /// The game is in this state now; told after every move and chance, and to a new observer.
    State(State),
    /// This player is to move now.
    Turn {
        /// The seat.
        seat: Seat,
        /// The name of the player.
        name: &'a str,
    },
    /// The game is over.
    Ended {
        /// How it came out.
        state: State,
        /// The name of the winner, if one seat won.
        winner: Option<&'a str>,
        /// The last position.
        position: &'a P,
    },
}

/// Somebody who looks on.
///
/// Every closure `FnMut(&Event<P>) -> Result<(), Box<dyn Error + Send + Sync>>` is one.
pub trait Observer<P: Position>: Send {
    /// Told of everything that happens, in order.
    ///
    /// # Errors
    /// Whatever went wrong on the observer's side. The game goes on, and its driver can ask for the failures.
    fn notice(&mut self, event: &Event<'_, P>) -> Result<(), Box<dyn Error + Send + Sync>>;
}

impl<P, F> Observer<P> for F
where
    P: Position,
    F: FnMut(&Event<'_, P>) -> Result<(), Box<dyn Error + Send + Sync>> + Send,
{
    fn notice(&mut self, event: &Event<'_, P>) -> Result<(), Box<dyn Error + Send + Sync>> {
        self(event)
    }
}

/// The name of an observer, to remove it by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObserverId(u32);

/// An observer failed; the game did not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Which observer.
    pub observer: ObserverId,
    /// What it said.
    pub reason: String,
    /// Whether it panicked. It was then removed, since nobody knows what it is still good for.
    pub panicked: bool,
}

/// A game that cannot begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a game with {seats} seats cannot be played by {players} players")]
pub struct WrongPlayers {
    /// Seats of the game.
    pub seats: u8,
    /// Players that were given.
    pub players: usize,
}

/// A game that cannot go on as it is. It is unchanged, and can be asked to go on again.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Stopped<M, I: Error> {
    /// A player wants to do what the rules refuse.
    #[error("{name} cannot play {mv:?}: {reason}")]
    Illegal {
        /// The seat.
        seat: Seat,
        /// The name of the player.
        name: String,
        /// The move.
        mv: M,
        /// Why it is refused.
        reason: I,
    },
    /// A player wants to make somebody else's move.
    #[error("{name} cannot play {mv:?}: the move belongs to another seat")]
    NotTheirs {
        /// The seat.
        seat: Seat,
        /// The name of the player.
        name: String,
        /// The move.
        mv: M,
    },
    /// A player gave no move: they left.
    #[error("{name} left the game")]
    Left {
        /// The seat.
        seat: Seat,
        /// The name of the player.
        name: String,
    },
    /// The source of luck gave nothing.
    #[error("luck gave nothing where it had to decide")]
    NoLuck,
    /// The source of luck gave what cannot be.
    #[error(transparent)]
    BadLuck(#[from] Impossible),
}

/// Why a game over `P` stopped.
pub type StoppedAt<P> = Stopped<<P as Position>::Move, <P as Position>::Illegal>;

/// A game between strategies.
///
/// It asks the strategy on turn, checks its move, plays it, lets luck decide where luck has to, and tells its observers.
pub struct Match<P: Position> {
    position: P,
    state: State,
    players: Vec<Player<P>>,
    luck: Box<dyn Luck<P>>,
    observers: Vec<(ObserverId, Box<dyn Observer<P>>)>,
    next_observer: u32,
    failures: Vec<Failure>,
}

impl<P: Position> Match<P> {
    /// A game from this position on, with one player for each seat, in the order of the seats, and luck from a seed.
    ///
    /// # Errors
    /// [`WrongPlayers`] when there are more or fewer players than seats.
    pub fn new(position: P, players: Vec<Player<P>>, seed: u64) -> Result<Match<P>, WrongPlayers> {
        Self::with_luck(position, players, SeededLuck::new(seed))
    }

    /// The same, with luck from elsewhere.
    ///
    /// # Errors
    /// [`WrongPlayers`] when there are more or fewer players than seats.
    pub fn with_luck(
        position: P,
        players: Vec<Player<P>>,
        luck: impl Luck<P> + 'static,
    ) -> Result<Match<P>, WrongPlayers> {
        if players.len() != usize::from(position.seats()) {
            return Err(WrongPlayers {
                seats: position.seats(),
                players: players.len(),
            });
        }
        Ok(Match {
            state: State::of(&position),
            position,
            players,
            luck: Box::new(luck),
            observers: Vec::new(),
            next_observer: 0,
            failures: Vec::new(),
        })
    }

    /// The position now.
    pub fn position(&self) -> &P {
        &self.position
    }

    /// Where the game stands.
    pub fn state(&self) -> State {
        self.state
    }

    /// The players, by seat.
    pub fn players(&self) -> &[Player<P>] {
        &self.players
    }

    /// Adds an observer. It is told at once where the game stands, and of everything from now on.
    pub fn observe(&mut self, observer: impl Observer<P> + 'static) -> ObserverId {
        let id = ObserverId(self.next_observer);
        self.next_observer += 1;
        let mut others = std::mem::replace(&mut self.observers, vec![(id, Box::new(observer))]);
        self.announce();
        others.append(&mut self.observers);
        self.observers = others;
        id
    }

    /// Removes an observer; whether there was one of this name.
    pub fn unobserve(&mut self, id: ObserverId) -> bool {
        let before = self.observers.len();
        self.observers.retain(|(other, _)| *other != id);
        self.observers.len() < before
    }

    /// The failures of observers since this was last asked.
    pub fn take_failures(&mut self) -> Vec<Failure> {
        std::mem::take(&mut self.failures)
    }

    /// One move or one chance, and the state after it. Nothing happens in a game that is over.
    ///
    /// # Errors
    /// [`Stopped`]; nothing has changed then.
    pub fn step(&mut self, budget: &mut dyn Budget) -> Result<State, StoppedAt<P>> {
        match self.state {
            State::Turn(seat) => self.step_move(seat, budget)?,
            State::Chance => self.step_chance()?,
            State::Won { .. } | State::Draw | State::TeamWon | State::TeamLost => {}
        }
        Ok(self.state)
    }

    /// Steps until the game is over. Every move gets this budget.
    ///
    /// # Errors
    /// [`Stopped`]; the game then stands where it stopped, and can be played on.
    pub fn play(&mut self, budget: &mut dyn Budget) -> Result<State, StoppedAt<P>> {
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
        let event = Event::Moved {
            seat,
            name,
            mv: &mv,
            after: &self.position,
        };
        tell(&mut self.observers, &mut self.failures, &event);
        self.enter();
        Ok(())
    }

    /// The first move that anybody makes out of turn.
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

    /// What the player on turn does.
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
        let event = Event::Resolved {
            chance: &chance,
            after: &self.position,
        };
        tell(&mut self.observers, &mut self.failures, &event);
        self.enter();
        Ok(())
    }

    /// Enters the state that the position is in now, and says so.
    fn enter(&mut self) {
        self.state = State::of(&self.position);
        self.announce();
    }

    /// Tells the observers where the game stands.
    fn announce(&mut self) {
        let state = self.state;
        tell(
            &mut self.observers,
            &mut self.failures,
            &Event::State(state),
        );
        let name = |seat: Seat| self.players[seat.index()].name.as_str();
        let event = match state {
            State::Chance => return,
            State::Turn(seat) => Event::Turn {
                seat,
                name: name(seat),
            },
            State::Won { by, .. } => Event::Ended {
                state,
                winner: Some(name(by)),
                position: &self.position,
            },
            State::Draw | State::TeamWon | State::TeamLost => Event::Ended {
                state,
                winner: None,
                position: &self.position,
            },
        };
        tell(&mut self.observers, &mut self.failures, &event);
    }
}

/// Tells every observer; notes failures, and removes who panicked.
fn tell<P: Position>(
    observers: &mut Vec<(ObserverId, Box<dyn Observer<P>>)>,
    failures: &mut Vec<Failure>,
    event: &Event<'_, P>,
) {
    observers.retain_mut(|(id, observer)| {
        // An observer that panicked is never called again, so nobody sees what it left half done.
        let (reason, panicked) = match catch_unwind(AssertUnwindSafe(|| observer.notice(event))) {
            Ok(Ok(())) => return true,
            Ok(Err(reason)) => (reason.to_string(), false),
            Err(panic) => (panic_text(panic.as_ref()), true),
        };
        failures.push(Failure {
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
