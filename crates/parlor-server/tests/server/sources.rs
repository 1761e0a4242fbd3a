//! Time and randomness that a test provides: days pass at once, and luck repeats itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU8, Ordering};
use std::time::Duration;

use parlor_server::Sources;
use parlor_table::Timestamp;
use serde_json::{Value, json};

use super::house::House;
use super::members::Member;

const HOUR_MS: i64 = 3_600_000;
const DAY_MS: i64 = 24 * HOUR_MS;

/// Clock that a test moves by hand.
#[derive(Clone)]
pub struct ManualClock(Arc<AtomicI64>);

impl ManualClock {
    pub fn new() -> ManualClock {
        ManualClock(Arc::new(AtomicI64::new(1_800_000_000_000)))
    }

    pub fn advance(&self, ms: i64) {
        self.0.fetch_add(ms, Ordering::SeqCst);
    }

    /// Returns sources with this clock and the bytes 0, 1, 2 and so on as randomness.
    pub fn sources(&self) -> Sources {
        let (clock, next) = (self.clone(), AtomicU8::new(0));
        let random = move |bytes: &mut [u8]| {
            for byte in bytes {
                *byte = next.fetch_add(1, Ordering::SeqCst);
            }
        };
        Sources::new(
            move || Timestamp::from_millis(clock.0.load(Ordering::SeqCst)),
            random,
        )
    }

    async fn house(&self) -> House {
        let sources = self.sources();
        House::alone_with(|config| config.sources = sources).await
    }
}

fn one_day() -> Value {
    json!({ "game": "mnk", "clock": { "kind": "correspondence", "days": 1 } })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_in_time_is_played_and_one_after_a_day_is_too_late() {
    let clock = ManualClock::new();
    let house = clock.house().await;
    let (id, [ann, bob]) = house.two(one_day()).await;
    let play = async |token: &str, text: &str| {
        house
            .act(token, &id, "moves", json!({ "move": text }))
            .await
    };
    play(&ann, "1,1").await.expect(200);
    clock.advance(DAY_MS - HOUR_MS);
    play(&bob, "0,0").await.expect(200);
    clock.advance(DAY_MS + HOUR_MS);
    let late = play(&ann, "0,1").await;
    assert_eq!(late.status, 409, "{}", late.text);
    let table = house.table(&id).await;
    assert_eq!(table["status"], "over");
    assert_eq!(table["plies"], 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_out_of_memory_is_flagged_once_its_day_is_over() {
    let clock = ManualClock::new();
    let sources = clock.sources();
    let house = House::alone_with(|config| {
        config.sources = sources;
        config.limits.idle = Duration::ZERO;
    })
    .await;
    let (id, [ann, _]) = house.two(one_day()).await;
    house
        .act(&ann, &id, "moves", json!({ "move": "1,1" }))
        .await
        .expect(200);
    clock.advance(DAY_MS + HOUR_MS);
    let log = house.until(&id, 0, |entry| entry["type"] == "ended").await;
    let flagged = log.iter().find(|entry| entry["type"] == "flagged");
    assert_eq!(flagged.expect("a fallen flag")["seat"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_ends_after_its_time() {
    let clock = ManualClock::new();
    let house = clock.house().await;
    let ann = Member::sign_up(&house, "Ann").await;
    let me = async || {
        let request = house.request(reqwest::Method::GET, "/account");
        let answer = request.header("cookie", &ann.cookie).send().await.unwrap();
        answer.url().path().to_owned()
    };
    assert_eq!(me().await, "/account");
    clock.advance(29 * DAY_MS);
    assert_eq!(me().await, "/account");
    clock.advance(400 * DAY_MS);
    assert_eq!(me().await, "/login");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_randomness_gives_the_same_luck() {
    let mut rolls = Vec::new();
    for _ in 0..2 {
        let house = ManualClock::new().house().await;
        let (id, _) = house.two(json!({ "game": "backgammon" })).await;
        let table = house.table(&id).await;
        let log = house.until(&id, 0, |entry| entry["type"] == "chance").await;
        let drawn = log.into_iter().find(|entry| entry["type"] == "chance");
        let commitment = table["luck"]["commitment"].clone();
        assert_eq!(commitment.as_str().map(str::len), Some(64));
        rolls.push((id, commitment, drawn.expect("the first roll")));
    }
    assert_eq!(rolls[0], rolls[1]);
}
