//! Bots: searches on a few threads, apart from the tables' tasks.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parlor_core::Seat;
use parlor_games::AnyPosition;
use parlor_games::bots::{self, Bot};
use parlor_table::Table;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use super::actor::TableRequest;
use super::stored;
use crate::auth;
use crate::config::BotConfig;

/// Number of budget queries between two reads of the clock.
const NODES_PER_CLOCK_READ: u32 = 16;
/// Maximum number of idle bots kept between their moves; their memory can take megabytes.
const IDLE_BOTS: usize = 64;
/// Maximum time of a search for a move out of turn, since other players wait for it.
const OUT_OF_TURN_TIME: Duration = Duration::from_millis(100);
/// Number of failures after which a random move is played.
const MAX_FAILURES: u32 = 2;
/// Fraction of the remaining time, as a divisor, that a bot uses for a move, in addition to most of
/// the increment.
const TIME_SHARE: u32 = 25;
/// Minimum search time.
const MIN_TIME: Duration = Duration::from_millis(5);

/// Limits of the bots' searches, shared by all tables.
pub(super) struct BotPool {
    free: Arc<Semaphore>,
    kept: Arc<Semaphore>,
    time: Duration,
    nodes: u64,
}

impl BotPool {
    pub(super) fn new(bots: &BotConfig) -> BotPool {
        BotPool {
            free: Arc::new(Semaphore::new(bots.threads.max(1))),
            kept: Arc::new(Semaphore::new(IDLE_BOTS)),
            time: bots.time,
            nodes: bots.nodes.max(1),
        }
    }

    /// Returns the semaphore that limits concurrent searches.
    pub(super) fn search_permits(&self) -> Arc<Semaphore> {
        self.free.clone()
    }
}

/// The bots of one table. They are kept between moves if there is room, because some remember their
/// search.
#[derive(Default)]
pub(super) struct TableBots {
    resting: BTreeMap<u8, IdleBot>,
    thinking: bool,
    /// Version of the table at which bots were last asked for moves out of turn, and how many of
    /// them.
    asked: Option<(u64, usize)>,
    failures: u32,
}

struct IdleBot {
    spec: String,
    bot: Box<dyn Bot>,
    _place: OwnedSemaphorePermit,
}

/// Result of a search, and the bot itself.
pub(super) struct BotReply {
    pub(super) seat: Seat,
    pub(super) version: u64,
    /// True if another seat is on turn, so that no move is needed.
    pub(super) out_of_turn: bool,
    spec: String,
    bot: Option<Box<dyn Bot>>,
    text: Option<String>,
}

impl TableBots {
    /// Returns true while a search is running.
    pub(super) fn thinking(&self) -> bool {
        self.thinking
    }

    /// Starts a search whose [`BotReply`] is sent to the table's task. First the bots that could
    /// move out of turn are asked, one after the other and once per version of the table, then the
    /// one on turn.
    pub(super) fn think(
        &mut self,
        table: &Table,
        thinkers: &BotPool,
        to: &mpsc::WeakSender<TableRequest>,
    ) {
        if self.thinking {
            return;
        }
        if let Some((seat, spec)) = self.next_out_of_turn(table) {
            self.ask(table, thinkers, to, (seat, spec), true);
        } else if let Some((seat, spec)) = table.bot_to_move() {
            self.ask(table, thinkers, to, (seat, spec.to_owned()), false);
        }
    }

    /// Returns the next bot that could move out of turn and was not asked yet.
    fn next_out_of_turn(&mut self, table: &Table) -> Option<(Seat, String)> {
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
        thinkers: &BotPool,
        to: &mpsc::WeakSender<TableRequest>,
        (seat, spec): (Seat, String),
        out_of_turn: bool,
    ) {
        let known = self
            .resting
            .remove(&seat.number())
            .filter(|resting| resting.spec == spec);
        let job = BotTask {
            position: table.position().clone(),
            seat,
            version: table.version(),
            spec,
            bot: known.map(|resting| resting.bot),
            out_of_turn,
            random: self.failures >= MAX_FAILURES && !out_of_turn,
            time: thinkers.time,
            clock: Allowance::for_seat(
                table,
                if out_of_turn {
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
                // A bot with a clock does not wait long for a permit, so that it cannot lose on
                // time in the queue.
                Some(clock) => tokio::time::timeout(clock.left() / 4, free.acquire())
                    .await
                    .ok()
                    .and_then(Result::ok),
            };
            let (seat, version, out_of_turn) = (job.seat, job.version, job.out_of_turn);
            let thought = tokio::task::spawn_blocking(move || job.run()).await;
            let thought = thought.unwrap_or_else(|_| BotReply {
                seat,
                version,
                out_of_turn,
                spec: String::new(),
                bot: None,
                text: None,
            });
            if let Some(to) = to.upgrade() {
                // The task may have ended.
                let _ = to.send(TableRequest::BotReply(Box::new(thought))).await;
            }
        });
    }

    /// Keeps the bot for its next move and returns the move it found.
    pub(super) fn take_back(&mut self, thought: BotReply, thinkers: &BotPool) -> Option<String> {
        self.thinking = false;
        let BotReply {
            seat,
            spec,
            bot,
            text,
            ..
        } = thought;
        if let Some((bot, place)) = bot.zip(thinkers.kept.clone().try_acquire_owned().ok()) {
            self.resting.insert(
                seat.number(),
                IdleBot {
                    spec,
                    bot,
                    _place: place,
                },
            );
        }
        text
    }

    /// Records that the last move was played.
    pub(super) fn succeeded(&mut self) {
        self.failures = 0;
    }

    /// Records that the last move could not be played, and drops the bot.
    pub(super) fn failed(&mut self, seat: Seat) {
        self.failures += 1;
        self.resting.remove(&seat.number());
    }
}

/// Time that a bot has on its clock.
struct Allowance {
    /// Time at which the clock reaches zero.
    end: Instant,
    /// Increment per move.
    increment: Duration,
}

impl Allowance {
    /// Returns the allowance of a seat; `None` at tables without clocks.
    fn for_seat(table: &Table, seat: Seat) -> Option<Allowance> {
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

    /// Returns the maximum time for a search that starts now.
    fn longest(&self) -> Duration {
        // The increment is added only after the move.
        let back = (self.increment * 4 / 5).min(self.left() / 2);
        self.left() / TIME_SHARE + back
    }
}

struct BotTask {
    position: AnyPosition,
    seat: Seat,
    version: u64,
    spec: String,
    bot: Option<Box<dyn Bot>>,
    /// True if another seat is on turn.
    out_of_turn: bool,
    random: bool,
    time: Duration,
    clock: Option<Allowance>,
    nodes: u64,
}

impl BotTask {
    fn run(mut self) -> BotReply {
        // One thread per bot, although `bots::bot_with_crew` could lend it more. Its time is
        // limited, so that with idle threads a level would play better on a quiet server, in rated
        // games too; and no table waits for threads lent to another.
        let bot = self
            .bot
            .take()
            .or_else(|| bots::bot(&self.position, &self.spec, auth::random_u64()).ok());
        let (bot, text) = match bot {
            Some(bot) if !self.random => self.ask(bot),
            _ if self.out_of_turn => (None, None),
            _ => (None, self.random_move()),
        };
        BotReply {
            seat: self.seat,
            version: self.version,
            out_of_turn: self.out_of_turn,
            spec: self.spec,
            bot,
            text,
        }
    }

    /// Searches for a move. A bot that panics is dropped.
    fn ask(&self, mut bot: Box<dyn Bot>) -> (Option<Box<dyn Bot>>, Option<String>) {
        let time = if self.out_of_turn {
            self.time.min(OUT_OF_TURN_TIME)
        } else {
            self.time
        };
        let time = self
            .clock
            .as_ref()
            .map_or(time, |clock| time.min(clock.longest()).max(MIN_TIME));
        let (end, mut asked, mut late) = (Instant::now() + time, 0u32, false);
        let mut budget = |nodes: u64| {
            if asked.is_multiple_of(NODES_PER_CLOCK_READ) {
                late = Instant::now() >= end;
            }
            asked = asked.wrapping_add(1);
            late || nodes >= self.nodes
        };
        let thought = catch_unwind(AssertUnwindSafe(|| {
            if self.out_of_turn {
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

    /// Returns a random legal move of the seat.
    fn random_move(&self) -> Option<String> {
        let mut moves = self.position.legal();
        moves.retain(|m| m.seat == self.seat);
        let index = auth::random_u64().checked_rem(moves.len() as u64)?;
        Some(moves.swap_remove(usize::try_from(index).ok()?).text)
    }
}
