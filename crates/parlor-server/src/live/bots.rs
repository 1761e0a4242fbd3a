//! Bots: searches on a few threads, apart from the tables' tasks.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use parlor_core::Seat;
use parlor_games::AnyPosition;
use parlor_games::bots::{self, Bot};
use parlor_table::{Table, TableId, Timestamp};
use tokio::sync::mpsc;

use super::actor::TableRequest;
use super::idle_bots::IdleBots;
use crate::config::BotConfig;
use crate::people::{People, fingerprints};
use crate::sources::Sources;
use crate::thinking::{IsAwaited, Job, JobKind, Payer, Thinking};

/// Number of budget queries between two reads of the clock.
const NODES_PER_CLOCK_READ: u32 = 16;
/// Maximum time of a search for a move out of turn, since other players wait for it.
const OUT_OF_TURN_TIME: Duration = Duration::from_millis(100);
/// Number of failures after which a random move is played.
const MAX_FAILURES: u32 = 2;
/// Fraction of the remaining time, as a divisor, that a bot uses for a move, in addition to most of
/// the increment.
const TIME_SHARE: u32 = 25;
/// Minimum search time.
const MIN_TIME: Duration = Duration::from_millis(5);
/// Time for which somebody who was heard from awaits a bot's move.
const AWAITED: Duration = Duration::from_secs(15);

/// Limits of the bots' searches, and the bots between their moves, shared by all tables.
pub(super) struct BotPool {
    pub(super) thinking: Thinking,
    pub(super) idle: IdleBots,
    pub(super) time: Duration,
    nodes: u64,
    sources: Sources,
    people: People,
}

impl BotPool {
    pub(super) fn new(bots: &BotConfig, sources: Sources, people: People) -> BotPool {
        BotPool {
            people,
            thinking: Thinking::new(bots),
            idle: IdleBots::new(bots.memory),
            time: bots.time,
            nodes: bots.nodes.max(1),
            sources,
        }
    }

    /// Returns a function that tells whether one of a table's people is there. Where only bots play,
    /// nobody is: those games go on in the time that people's games leave.
    fn is_awaited(&self, table: &Table) -> IsAwaited {
        let (people, players) = (self.people.clone(), fingerprints(table));
        Box::new(move || people.is_any_here(&players, AWAITED))
    }
}

/// The searches for the bots of one table.
#[derive(Default)]
pub(super) struct TableBots {
    thinking: bool,
    /// Version of the table at which bots were last asked for moves out of turn, and how many of
    /// them.
    asked: Option<(u64, usize)>,
    failures: u32,
}

/// Result of a search.
pub(super) struct BotReply {
    pub(super) seat: Seat,
    pub(super) version: u64,
    /// True if another seat is on turn, so that no move is needed.
    pub(super) out_of_turn: bool,
    text: Option<String>,
}

impl TableBots {
    /// Returns true while a search is running.
    pub(super) fn thinking(&self) -> bool {
        self.thinking
    }

    /// Starts a search for `payer` whose [`BotReply`] is sent to the table's task. First the bots
    /// that could move out of turn are asked, one after the other and once per version of the
    /// table, then the one on turn.
    pub(super) fn think(
        &mut self,
        table: &Table,
        payer: Payer,
        thinkers: &BotPool,
        to: &mpsc::WeakSender<TableRequest>,
    ) {
        if self.thinking {
            return;
        }
        let (seat, spec, out_of_turn) = match self.next_out_of_turn(table) {
            Some((seat, spec)) => (seat, spec, true),
            // It waits for those who are asked.
            None => match table.bot_to_move().filter(|_| table.asked().is_empty()) {
                Some((seat, spec)) => (seat, spec.to_owned(), false),
                None => return,
            },
        };
        let task = BotTask::new(table, thinkers, seat, spec, out_of_turn, self.failures);
        self.thinking = true;
        let is_awaited = thinkers.is_awaited(table);
        let thinking = thinkers.thinking.clone();
        tokio::spawn(task.run_with_permit(thinking, payer, is_awaited, to.clone()));
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

    /// Records that the search is over and returns the move it found.
    pub(super) fn finish(&mut self, reply: BotReply) -> Option<String> {
        self.thinking = false;
        reply.text
    }

    /// Records that the last move was played.
    pub(super) fn succeeded(&mut self) {
        self.failures = 0;
    }

    /// Records that the last move could not be played, and drops the table's bots.
    pub(super) fn failed(&mut self, table: &Table, thinkers: &BotPool) {
        self.failures += 1;
        thinkers.idle.forget(table.id());
    }
}

/// Time that a bot has on its clock.
struct Allowance {
    /// Time at which the clock reaches zero.
    end: Instant,
    /// Increment or delay per move.
    increment: Duration,
}

impl Allowance {
    /// Returns the allowance of a seat at `now`; `None` at tables without clocks.
    fn for_seat(table: &Table, seat: Seat, now: Timestamp) -> Option<Allowance> {
        let control = table.clock()?;
        let each_move = control.increment_ms() + control.delay_ms();
        Some(Allowance {
            end: Instant::now() + time_left(table, seat, now)?,
            increment: Duration::from_millis(each_move),
        })
    }

    /// Returns the maximum time for a search that starts now.
    fn longest(&self) -> Duration {
        let left = self.end.saturating_duration_since(Instant::now());
        longest_search(left, self.increment)
    }
}

/// Returns the time that a seat has on its clock at `now`, with what is left of its delay; `None` at
/// tables without clocks.
fn time_left(table: &Table, seat: Seat, now: Timestamp) -> Option<Duration> {
    let clock = table.clock_view()?;
    let since = clock.since.filter(|_| clock.running == Some(seat.number()));
    let used = since.map_or(0, |since| (now.millis() - since.millis()).max(0));
    let standing = since.map_or(0, |_| clock.delay_ms);
    let left = clock.left_ms.get(seat.index())? + standing - used;
    Some(Duration::from_millis(u64::try_from(left).unwrap_or(0)))
}

/// Returns the maximum time for a search by a bot with this time on its clock and this increment
/// per move.
fn longest_search(left: Duration, increment: Duration) -> Duration {
    // The increment is added only after the move.
    let back = (increment * 4 / 5).min(left / 2);
    left / TIME_SHARE + back
}

/// A search. Until it has a permit, its bot stays among the idle ones, whose memory is bounded, and
/// goes back there before the permit does.
struct BotTask {
    table: TableId,
    position: AnyPosition,
    seat: Seat,
    version: u64,
    spec: String,
    idle: IdleBots,
    /// True if another seat is on turn.
    out_of_turn: bool,
    random: bool,
    time: Duration,
    clock: Option<Allowance>,
    nodes: u64,
    sources: Sources,
}

/// Function that a search calls often, which may block for others and returns for how long it has.
type Pause<'a> = &'a dyn Fn() -> Duration;

impl BotTask {
    fn new(
        table: &Table,
        thinkers: &BotPool,
        seat: Seat,
        spec: String,
        out_of_turn: bool,
        failures: u32,
    ) -> BotTask {
        let on_turn = table.on_turn().filter(|_| out_of_turn).unwrap_or(seat);
        BotTask {
            table: table.id(),
            position: table.position().clone(),
            seat,
            version: table.version(),
            spec,
            idle: thinkers.idle.clone(),
            out_of_turn,
            random: failures >= MAX_FAILURES && !out_of_turn,
            time: thinkers.time,
            clock: Allowance::for_seat(table, on_turn, thinkers.sources.now()),
            nodes: thinkers.nodes,
            sources: thinkers.sources.clone(),
        }
    }

    /// Returns the name of searches that take about as long.
    fn usual_name(&self) -> String {
        let when = if self.out_of_turn { "out of turn" } else { "" };
        // A number of nodes that somebody chose makes no name of its own.
        let (bot, _) = self.spec.split_once("=").unwrap_or((&self.spec, ""));
        format!("{} {bot} {when}", self.position.kind().name())
    }

    /// Searches on a thread once there is a permit for it, and sends the result to the table's
    /// task.
    async fn run_with_permit(
        mut self,
        thinking: Thinking,
        payer: Payer,
        is_awaited: IsAwaited,
        to: mpsc::WeakSender<TableRequest>,
    ) {
        let deadline = self.clock.as_ref().map(|clock| clock.end);
        let job = Job {
            kind: JobKind::Move { deadline },
            name: self.usual_name(),
            is_awaited,
        };
        let Some(permit) = thinking.permit(payer, job).await else {
            return;
        };
        if permit.is_hurried() {
            self.time = MIN_TIME;
        }
        let nothing = BotReply {
            seat: self.seat,
            version: self.version,
            out_of_turn: self.out_of_turn,
            text: None,
        };
        let (idle, table) = (self.idle.clone(), self.table);
        let search = move || {
            // A clock goes on, so that a bot which has one does not wait in the middle of its search.
            let may_wait = self.clock.is_none();
            let reply = self.run(&|| {
                if may_wait {
                    permit.lend()
                } else {
                    Duration::ZERO
                }
            });
            drop(permit);
            reply
        };
        let reply = tokio::task::spawn_blocking(search).await.unwrap_or(nothing);
        let request = TableRequest::BotReply(Box::new(reply));
        let is_told = match to.upgrade() {
            Some(to) => to.send(request).await.is_ok(),
            None => false,
        };
        if !is_told {
            // The table's task has ended, and with it the need for its bots.
            idle.forget(table);
        }
    }

    /// Searches with the seat's bot, which is idle before and after.
    fn run(self, pause: Pause<'_>) -> BotReply {
        let bot = self.idle.take(self.table, self.seat, &self.spec);
        let (bot, text) = self.search(bot, pause);
        if let Some(bot) = bot {
            self.idle.put(self.table, self.seat, self.spec, bot);
        }
        BotReply {
            seat: self.seat,
            version: self.version,
            out_of_turn: self.out_of_turn,
            text,
        }
    }

    /// Returns the bot, unless it failed, and the move it found.
    fn search(
        &self,
        bot: Option<Box<dyn Bot>>,
        pause: Pause<'_>,
    ) -> (Option<Box<dyn Bot>>, Option<String>) {
        // One thread per bot, although `bots::bot_with_crew` could lend it more. Its time is
        // limited, so that with idle threads a level would play better on a quiet server, in rated
        // games too; and no table waits for threads lent to another.
        let fresh = || bots::bot(&self.position, &self.spec, self.sources.random_u64()).ok();
        match bot.or_else(fresh) {
            Some(bot) if !self.random => self.ask(bot, pause),
            _ if self.out_of_turn => (None, None),
            _ => (None, self.random_move()),
        }
    }

    /// Searches for a move. A bot that panics is dropped.
    fn ask(
        &self,
        mut bot: Box<dyn Bot>,
        pause: Pause<'_>,
    ) -> (Option<Box<dyn Bot>>, Option<String>) {
        let time = if self.out_of_turn {
            self.time.min(OUT_OF_TURN_TIME)
        } else {
            self.time
        };
        let time = self
            .clock
            .as_ref()
            .map_or(time, |clock| time.min(clock.longest()).max(MIN_TIME));
        let (mut end, mut asked, mut late) = (Instant::now() + time, 0u32, false);
        let mut budget = |nodes: u64| {
            if asked.is_multiple_of(NODES_PER_CLOCK_READ) {
                end += pause();
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
        let index = self.sources.random_u64().checked_rem(moves.len() as u64)?;
        Some(moves.swap_remove(usize::try_from(index).ok()?).text)
    }
}

#[cfg(test)]
mod tests;
