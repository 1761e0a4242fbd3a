//! Bots think beside the tasks, on a few threads, and give back what they found.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parlor_core::Seat;
use parlor_games::AnyPosition;
use parlor_games::bots::{self, Bot};
use parlor_table::Table;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use super::actor::Request;
use super::stored;
use crate::auth;
use crate::config::Bots;

/// How many nodes go by between two looks at the clock.
const CLOCK_EVERY: u32 = 16;
/// So many bots are kept between their moves; what they remember can take megabytes.
const KEPT: usize = 64;
/// The most time of a bot that is asked whether it moves out of turn; others wait for it, or do not even know.
const ASIDE: Duration = Duration::from_millis(100);
/// After so many failures a move is drawn by lot.
const TRIES: u32 = 2;
/// With clocks a bot uses at most this part of what it has left for a move, and most of what the move gives back.
const SHARE: u32 = 25;
/// The least time to think.
const LEAST: Duration = Duration::from_millis(5);

/// The threads that bots think on.
pub(super) struct Thinkers {
    free: Arc<Semaphore>,
    kept: Arc<Semaphore>,
    time: Duration,
    nodes: u64,
}

impl Thinkers {
    pub(super) fn new(bots: &Bots) -> Thinkers {
        Thinkers {
            free: Arc::new(Semaphore::new(bots.threads.max(1))),
            kept: Arc::new(Semaphore::new(KEPT)),
            time: bots.time,
            nodes: bots.nodes.max(1),
        }
    }

    /// What whoever thinks takes first.
    pub(super) fn turns(&self) -> Arc<Semaphore> {
        self.free.clone()
    }
}

/// The bots of one table. They are kept between moves if there is room, because some remember what they thought.
#[derive(Default)]
pub(super) struct Brains {
    resting: BTreeMap<u8, Resting>,
    thinking: bool,
    /// At which version of the table bots were asked last whether they move out of turn, and how many of them.
    asked: Option<(u64, usize)>,
    failures: u32,
}

struct Resting {
    spec: String,
    bot: Box<dyn Bot>,
    _place: OwnedSemaphorePermit,
}

/// What a bot found, and the bot itself.
pub(super) struct Thought {
    pub(super) seat: Seat,
    pub(super) version: u64,
    /// Whether somebody else is on turn. Then nothing need come of it.
    pub(super) aside: bool,
    spec: String,
    bot: Option<Box<dyn Bot>>,
    text: Option<String>,
}

impl Brains {
    /// Whether a bot is thinking now.
    pub(super) fn thinking(&self) -> bool {
        self.thinking
    }

    /// Sets a bot to think; its [`Thought`] comes to `table`'s task. First those that could move out of turn are asked, one after the
    /// other and once for each state of the table, then the one on turn.
    pub(super) fn think(
        &mut self,
        table: &Table,
        thinkers: &Thinkers,
        to: &mpsc::WeakSender<Request>,
    ) {
        if self.thinking {
            return;
        }
        if let Some((seat, spec)) = self.next_aside(table) {
            self.ask(table, thinkers, to, (seat, spec), true);
        } else if let Some((seat, spec)) = table.bot_to_move() {
            self.ask(table, thinkers, to, (seat, spec.to_owned()), false);
        }
    }

    /// The next bot that could move out of turn and was not asked yet.
    fn next_aside(&mut self, table: &Table) -> Option<(Seat, String)> {
        if self
            .asked
            .is_none_or(|(version, _)| version != table.version())
        {
            self.asked = Some((table.version(), 0));
        }
        let asked = self.asked.as_mut().map(|(_, asked)| asked)?;
        let (seat, spec) = table.bots_out_of_turn().into_iter().nth(*asked)?;
        *asked += 1;
        Some((seat, spec.to_owned()))
    }

    fn ask(
        &mut self,
        table: &Table,
        thinkers: &Thinkers,
        to: &mpsc::WeakSender<Request>,
        (seat, spec): (Seat, String),
        aside: bool,
    ) {
        let known = self
            .resting
            .remove(&seat.number())
            .filter(|resting| resting.spec == spec);
        let job = Job {
            position: table.position().clone(),
            seat,
            version: table.version(),
            spec,
            bot: known.map(|resting| resting.bot),
            aside,
            by_lot: self.failures >= TRIES && !aside,
            time: thinkers.time,
            clock: Allowance::of(
                table,
                if aside {
                    table.on_turn().unwrap_or(seat)
                } else {
                    seat
                },
            ),
            nodes: thinkers.nodes,
        };
        self.thinking = true;
        let (free, to) = (thinkers.free.clone(), to.clone());
        tokio::spawn(async move {
            let _turn = match &job.clock {
                None => free.acquire().await.ok(),
                // Nobody loses on time by standing in line.
                Some(clock) => tokio::time::timeout(clock.left() / 4, free.acquire())
                    .await
                    .ok()
                    .and_then(Result::ok),
            };
            let (seat, version, aside) = (job.seat, job.version, job.aside);
            let thought = tokio::task::spawn_blocking(move || job.run()).await;
            let thought = thought.unwrap_or_else(|_| Thought {
                seat,
                version,
                aside,
                spec: String::new(),
                bot: None,
                text: None,
            });
            if let Some(to) = to.upgrade() {
                // A task that ended does not want it any more.
                let _ = to.send(Request::Thought(Box::new(thought))).await;
            }
        });
    }

    /// Takes the bot back and returns the move it found.
    pub(super) fn rest(&mut self, thought: Thought, thinkers: &Thinkers) -> Option<String> {
        self.thinking = false;
        let Thought {
            seat,
            spec,
            bot,
            text,
            ..
        } = thought;
        if let Some((bot, place)) = bot.zip(thinkers.kept.clone().try_acquire_owned().ok()) {
            self.resting.insert(
                seat.number(),
                Resting {
                    spec,
                    bot,
                    _place: place,
                },
            );
        }
        text
    }

    /// The last move was played.
    pub(super) fn succeeded(&mut self) {
        self.failures = 0;
    }

    /// The last move could not be played: the bot is not asked again as it is.
    pub(super) fn failed(&mut self, seat: Seat) {
        self.failures += 1;
        self.resting.remove(&seat.number());
    }
}

/// What a bot may use of its clock.
struct Allowance {
    /// When the clock is at zero.
    end: Instant,
    /// What a move gives back.
    increment: Duration,
}

impl Allowance {
    /// Nothing at tables without clocks.
    fn of(table: &Table, seat: Seat) -> Option<Allowance> {
        let clock = table.clock_view()?;
        let since = clock.since.filter(|_| clock.running == Some(seat.number()));
        let used = since.map_or(0, |since| stored::now().millis() - since.millis());
        let left = clock.left_ms.get(seat.index())? - used.max(0);
        let left = Duration::from_millis(u64::try_from(left).unwrap_or(0));
        let increment = Duration::from_millis(clock.control.increment_ms());
        Some(Allowance {
            end: Instant::now() + left,
            increment,
        })
    }

    fn left(&self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }

    /// The longest time to think that begins now.
    fn longest(&self) -> Duration {
        // What a move gives back is only there after it.
        let back = (self.increment * 4 / 5).min(self.left() / 2);
        self.left() / SHARE + back
    }
}

struct Job {
    position: AnyPosition,
    seat: Seat,
    version: u64,
    spec: String,
    bot: Option<Box<dyn Bot>>,
    /// Whether another seat is on turn.
    aside: bool,
    by_lot: bool,
    time: Duration,
    clock: Option<Allowance>,
    nodes: u64,
}

impl Job {
    fn run(mut self) -> Thought {
        // One thread for each bot, also where `bots::bot_with_crew` could lend it more. Its time is limited, so that with idle threads a level
        // would play better the emptier the house is, in rated games too; and no table waits for what another has borrowed.
        let bot = self
            .bot
            .take()
            .or_else(|| bots::bot(&self.position, &self.spec, auth::random()).ok());
        let (bot, text) = match bot {
            Some(bot) if !self.by_lot => self.ask(bot),
            _ if self.aside => (None, None),
            _ => (None, self.lot()),
        };
        Thought {
            seat: self.seat,
            version: self.version,
            aside: self.aside,
            spec: self.spec,
            bot,
            text,
        }
    }

    /// A bot that panics is lost, nothing else.
    fn ask(&self, mut bot: Box<dyn Bot>) -> (Option<Box<dyn Bot>>, Option<String>) {
        let time = if self.aside {
            self.time.min(ASIDE)
        } else {
            self.time
        };
        let time = self
            .clock
            .as_ref()
            .map_or(time, |clock| time.min(clock.longest()).max(LEAST));
        let (end, mut asked, mut late) = (Instant::now() + time, 0u32, false);
        let mut budget = |nodes: u64| {
            if asked.is_multiple_of(CLOCK_EVERY) {
                late = Instant::now() >= end;
            }
            asked = asked.wrapping_add(1);
            late || nodes >= self.nodes
        };
        let thought = catch_unwind(AssertUnwindSafe(|| {
            if self.aside {
                bot.interject(&self.position, self.seat, &mut budget)
            } else {
                bot.think(&self.position, &mut budget)
            }
        }));
        match thought {
            Ok(thought) => (Some(bot), thought.map(|thought| thought.text)),
            Err(_) => (None, None),
        }
    }

    /// Any move of the seat's.
    fn lot(&self) -> Option<String> {
        let mut moves = self.position.legal();
        moves.retain(|m| m.seat == self.seat);
        let index = auth::random().checked_rem(moves.len() as u64)?;
        Some(moves.swap_remove(usize::try_from(index).ok()?).text)
    }
}
