use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use parlor_games::GameKind;
use parlor_games::bots::{Budget, Thought};
use parlor_table::{Command, Issuer, NewTable, Player, SeatKey, Secret, TableId, TimeControl};
use serde_json::{Value, json};

use super::*;

fn pool_of(config: &BotConfig) -> BotPool {
    let sources = Sources::system();
    let people = People::new(sources.clone(), false);
    BotPool::new(config, sources, people)
}

/// Bot with one of the faults that a bot can have.
enum FaultyBot {
    Panics,
    HasNoMove,
    /// Searches until its budget is spent or 10,000 nodes are searched, and tells how many.
    Counts(Arc<AtomicU64>),
}

impl Bot for FaultyBot {
    fn name(&self) -> String {
        "faulty".to_owned()
    }

    fn think(&mut self, _: &AnyPosition, budget: &mut dyn Budget) -> Option<Thought> {
        match self {
            FaultyBot::Panics => panic!("the net is torn"),
            FaultyBot::HasNoMove => {}
            FaultyBot::Counts(searched) => {
                let nodes = (0..10_000).find(|nodes| budget.spent(*nodes));
                searched.store(nodes.unwrap_or(u64::MAX), Ordering::Relaxed);
            }
        }
        None
    }

    fn interject(
        &mut self,
        position: &AnyPosition,
        _: Seat,
        budget: &mut dyn Budget,
    ) -> Option<Thought> {
        self.think(position, budget)
    }
}

fn task(bot: Option<FaultyBot>, random: bool, out_of_turn: bool) -> BotTask {
    let game = GameKind::all()[0];
    let (idle, table) = (IdleBots::new(1 << 20), TableId::new(1).unwrap());
    if let Some(bot) = bot {
        idle.put(table, Seat::FIRST, "random".to_owned(), Box::new(bot));
    }
    BotTask {
        table,
        position: game.start(&Value::Null).expect("the default options"),
        seat: Seat::FIRST,
        version: 1,
        spec: "random".to_owned(),
        idle,
        out_of_turn,
        random,
        time: Duration::from_secs(1),
        clock: None,
        nodes: 100,
        sources: Sources::system(),
    }
}

#[test]
fn a_bot_that_panics_is_dropped_without_a_move() {
    for out_of_turn in [false, true] {
        let task = task(Some(FaultyBot::Panics), false, out_of_turn);
        let (idle, table) = (task.idle.clone(), task.table);
        assert_eq!(task.run(&|| Duration::ZERO).text, None);
        assert!(idle.take(table, Seat::FIRST, "random").is_none());
    }
}

#[test]
fn a_bot_without_a_move_is_kept_for_another_try() {
    let task = task(Some(FaultyBot::HasNoMove), false, false);
    let (idle, table) = (task.idle.clone(), task.table);
    assert_eq!(task.run(&|| Duration::ZERO).text, None);
    assert!(idle.take(table, Seat::FIRST, "random").is_some());
}

#[test]
fn after_repeated_failures_a_random_legal_move_is_played() {
    let table = table_of_bots(1);
    let pool = pool_of(&BotConfig::default());
    let mut bots = TableBots::default();
    for failures in 0..MAX_FAILURES {
        let (spec, seat) = ("random".to_owned(), Seat::FIRST);
        let task = BotTask::new(&table, &pool, seat, spec, false, failures);
        assert!(!task.random);
        bots.failed(&table, &pool);
    }
    let (spec, seat) = ("random".to_owned(), Seat::FIRST);
    assert!(BotTask::new(&table, &pool, seat, spec, false, bots.failures).random);
    let task = task(Some(FaultyBot::Panics), true, false);
    let mut position = task.position.clone();
    let text = task.run(&|| Duration::ZERO).text.expect("a move");
    assert!(position.play(&text, Seat::FIRST).is_ok(), "{text}");
}

/// Returns the number of nodes that a bot searches within these limits.
fn searched(time: Duration, nodes: u64, clock: Option<Allowance>, out_of_turn: bool) -> u64 {
    let count = Arc::new(AtomicU64::new(0));
    let bot = FaultyBot::Counts(count.clone());
    let task = BotTask {
        time,
        nodes,
        clock,
        ..task(Some(bot), false, out_of_turn)
    };
    drop(task.run(&|| Duration::ZERO));
    count.load(Ordering::Relaxed)
}

#[test]
fn a_search_ends_with_its_nodes_or_its_time() {
    let (hour, none) = (Duration::from_secs(3_600), Duration::ZERO);
    for out_of_turn in [false, true] {
        assert_eq!(searched(none, u64::MAX, None, out_of_turn), 0);
    }
    assert_eq!(searched(hour, 100, None, false), 100);
    assert_eq!(searched(hour, 3, None, true), 3);
}

#[test]
fn a_bot_without_time_on_its_clock_searches_for_a_moment() {
    let hour = Duration::from_secs(3_600);
    let clock = |left| Allowance {
        end: Instant::now() + left,
        increment: Duration::ZERO,
    };
    let at_once = searched(Duration::ZERO, 100, Some(clock(Duration::ZERO)), false);
    assert!(at_once > 0, "the least time is more than none");
    assert_eq!(searched(hour, 100, Some(clock(hour * 100)), false), 100);
}

#[test]
fn a_bot_uses_a_share_of_its_time_and_most_of_the_increment() {
    let longest = |left, increment| {
        longest_search(Duration::from_secs(left), Duration::from_secs(increment)).as_millis()
    };
    assert_eq!(longest(100, 0), 4_000);
    assert_eq!(longest(100, 10), 12_000);
    assert_eq!(longest(10, 60), 5_400, "at most half of what is left");
    assert_eq!(longest(0, 60), 0);
}

fn member(number: u64) -> Player {
    let user = parlor_table::UserId::new(number).unwrap();
    Player::member("Somebody", user).unwrap()
}

#[test]
fn the_time_since_the_last_move_is_used_by_the_side_on_turn_only() {
    let at = |ms: i64| Timestamp::from_millis(1_800_000_000_000 + ms);
    let game = GameKind::from_name("mnk").unwrap();
    let players = vec![Player::bot("random"), member(1)];
    let new = |clock| NewTable {
        clock,
        ..NewTable::new(TableId::new(1).unwrap(), game, json!({}), players.clone())
    };
    let untimed = Table::create(at(0), new(None)).unwrap();
    assert_eq!(time_left(&untimed, Seat::FIRST, at(0)), None);
    assert!(Allowance::for_seat(&untimed, Seat::FIRST, at(0)).is_none());
    let clock = TimeControl::total(600_000, 3_000).ok();
    let mut table = Table::create(at(0), new(clock)).unwrap();
    let move_ = Command::play("1,1");
    table
        .apply(at(9_000), &Issuer::Bot(Seat::FIRST), move_)
        .unwrap();
    let left = |seat, ms| time_left(&table, seat, at(ms)).unwrap().as_millis();
    assert_eq!(left(Seat::FIRST, 20_000), 600_000, "nobody was ready");
    assert_eq!(left(Seat::SECOND, 20_000), 589_000);
    assert_eq!(
        left(Seat::SECOND, 8_000),
        600_000,
        "a clock that runs backwards"
    );
    assert_eq!(left(Seat::SECOND, 700_000), 0);
    let allowance = Allowance::for_seat(&table, Seat::SECOND, at(9_000)).unwrap();
    assert_eq!(allowance.increment, Duration::from_secs(3));
    let end = allowance.end.saturating_duration_since(Instant::now());
    assert!(end > Duration::from_secs(300) && end <= Duration::from_secs(600));
}

#[test]
fn a_bot_may_think_through_its_delay() {
    let at = |ms: i64| Timestamp::from_millis(1_800_000_000_000 + ms);
    let game = GameKind::from_name("mnk").unwrap();
    let players = vec![Player::bot("random"), member(1)];
    let new = NewTable {
        clock: TimeControl::delay(60_000, 8_000).ok(),
        ..NewTable::new(TableId::new(1).unwrap(), game, json!({}), players)
    };
    let mut table = Table::create(at(0), new).unwrap();
    table
        .apply(at(0), &Issuer::Bot(Seat::FIRST), Command::play("1,1"))
        .unwrap();
    let left = |seat, ms| time_left(&table, seat, at(ms)).unwrap().as_millis();
    assert_eq!(left(Seat::SECOND, 0), 68_000);
    assert_eq!(left(Seat::SECOND, 9_000), 59_000);
    assert_eq!(left(Seat::FIRST, 9_000), 60_000);
    let allowance = Allowance::for_seat(&table, Seat::SECOND, at(0)).unwrap();
    assert_eq!(allowance.increment, Duration::from_secs(8));
}

#[test]
fn a_bot_that_cannot_be_made_moves_at_random_but_not_out_of_turn() {
    let unknown = |out_of_turn| BotTask {
        spec: "level:99".to_owned(),
        ..task(None, false, out_of_turn)
    };
    assert!(unknown(true).run(&|| Duration::ZERO).text.is_none());
    assert!(unknown(false).run(&|| Duration::ZERO).text.is_some());
}

#[test]
fn a_random_move_is_one_of_the_seat() {
    let task = BotTask {
        seat: Seat::SECOND,
        ..task(None, true, false)
    };
    assert_eq!(task.random_move(), None, "the first seat is on turn");
}

#[test]
fn a_search_that_is_over_leaves_its_move_and_room_for_the_next() {
    let mut bots = TableBots {
        thinking: true,
        failures: 1,
        ..TableBots::default()
    };
    let reply = BotReply {
        text: Some("1,1".to_owned()),
        ..task(Some(FaultyBot::HasNoMove), false, false).run(&|| Duration::ZERO)
    };
    let text = bots.finish(reply);
    assert_eq!((text.as_deref(), bots.thinking()), (Some("1,1"), false));
    bots.succeeded();
    assert_eq!(bots.failures, 0);
}

/// A team's table at which a bot may move out of turn.
fn with_bot_out_of_turn() -> Table {
    let game = GameKind::from_name("pandemic").unwrap();
    let key = SeatKey::from_token("a guest's token");
    let players = || {
        let guest = Player::human("Guest", key).unwrap();
        vec![guest, Player::bot("random")]
    };
    let table = |n| {
        let new = NewTable {
            secret: Some(Secret::new([n; 32])),
            ..NewTable::new(TableId::new(1).unwrap(), game, json!({}), players())
        };
        Table::create(Timestamp::from_millis(1), new).unwrap()
    };
    let may_move = |table: &Table| {
        table.on_turn() == Some(Seat::FIRST) && !table.bots_out_of_turn().is_empty()
    };
    (0..=255).map(table).find(may_move).unwrap()
}

#[test]
fn bots_are_asked_for_moves_out_of_turn_once_for_each_version() {
    let mut table = with_bot_out_of_turn();
    let mut bots = TableBots::default();
    let next = Some((Seat::SECOND, "random".to_owned()));
    assert_eq!(bots.next_out_of_turn(&table), next);
    assert_eq!(bots.next_out_of_turn(&table), None);
    assert_eq!(bots.next_out_of_turn(&table), None);
    let drive = table.position().legal().remove(0).text;
    let by = Issuer::Key(SeatKey::from_token("a guest's token"));
    let now = table.updated_at();
    table.apply(now, &by, Command::play(drive)).unwrap();
    assert_eq!(bots.next_out_of_turn(&table), next);
}

fn table_of_bots(number: u64) -> Table {
    let game = GameKind::all()[0];
    let players = vec![Player::bot("random"); 2];
    let new = NewTable::new(TableId::new(number).unwrap(), game, Value::Null, players);
    Table::create(Timestamp::from_millis(1), new).unwrap()
}

/// Bot with a large memory, which counts those of its kind while it thinks.
struct LargeBot {
    alive: Arc<()>,
    most: Arc<AtomicUsize>,
}

impl Bot for LargeBot {
    fn name(&self) -> String {
        "large".to_owned()
    }

    fn think(&mut self, _: &AnyPosition, _: &mut dyn Budget) -> Option<Thought> {
        // The test has one itself.
        let alive = Arc::strong_count(&self.alive) - 1;
        self.most.fetch_max(alive, Ordering::Relaxed);
        None
    }

    fn interject(
        &mut self,
        position: &AnyPosition,
        _: Seat,
        budget: &mut dyn Budget,
    ) -> Option<Thought> {
        self.think(position, budget)
    }

    fn memory(&self) -> usize {
        3 << 20
    }
}

#[tokio::test]
async fn bots_that_wait_for_a_permit_stay_in_the_bounded_memory_of_idle_ones() {
    let config = BotConfig {
        threads: 1,
        memory: 10 << 20,
        ..BotConfig::default()
    };
    let pool = pool_of(&config);
    let (alive, most) = (Arc::new(()), Arc::new(AtomicUsize::new(0)));
    let job = Job {
        kind: JobKind::Move { deadline: None },
        name: "job".to_owned(),
        is_awaited: Box::new(|| true),
    };
    let busy = pool.thinking.permit(Payer::Unknown, job).await;
    let (sender, mut replies) = mpsc::channel(40);
    for number in 1..=40 {
        let table = table_of_bots(number);
        let bot = LargeBot {
            alive: alive.clone(),
            most: most.clone(),
        };
        pool.idle
            .put(table.id(), Seat::FIRST, "random".to_owned(), Box::new(bot));
        TableBots::default().think(&table, Payer::Unknown, &pool, &sender.downgrade());
    }
    let waiting = || -> usize { pool.thinking.clients().iter().map(|c| c.waiting).sum() };
    while 40 > waiting() {
        tokio::task::yield_now().await;
    }
    assert_eq!(Arc::strong_count(&alive) - 1, 3, "those that fit in 10 MiB");
    assert_eq!(pool.idle.len(), 3);
    drop(busy);
    for _ in 0..40 {
        replies.recv().await.expect("each search has a reply");
    }
    assert!((1..=3).contains(&most.load(Ordering::Relaxed)));
    assert!(pool.idle.bytes() <= 10 << 20);
}

#[tokio::test]
async fn a_bot_whose_table_is_gone_is_dropped_after_its_search() {
    let pool = pool_of(&BotConfig::default());
    let (sender, replies) = mpsc::channel(1);
    drop(replies);
    let task = BotTask::new(
        &table_of_bots(1),
        &pool,
        Seat::FIRST,
        "random".to_owned(),
        false,
        0,
    );
    let (payer, to) = (Payer::Unknown, sender.downgrade());
    task.run_with_permit(pool.thinking.clone(), payer, Box::new(|| true), to)
        .await;
    assert_eq!((pool.idle.len(), pool.idle.bytes()), (0, 0));
}
