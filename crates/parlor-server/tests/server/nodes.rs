//! Several servers on one database: whatever happens on one is so on all.

use std::time::Duration;

use futures::future::join_all;
use parlor_games::GameKind;
use parlor_server::Sources;
use parlor_store::{AnalyzedGame, NewStoredTable, Store};
use parlor_table::{Player, TableId, Timestamp};
use reqwest::Method;
use sea_orm::{ConnectionTrait, Database};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use super::analysis;
use super::house::{Answer, House, Lines, PATIENCE, classic};
use super::socket::Socket;
use super::stored;
use super::windows::{Case, Event, Mover, Team, Window};
use crate::new_database::in_new_database;

/// Way in which the nodes of a test tell each other what happens.
#[derive(Clone, Copy)]
pub(super) enum Bus {
    /// By notifications of PostgreSQL.
    Postgres,
    /// By NATS.
    Nats,
    /// Not at all: they ask the database.
    None,
}

/// Runs a test with two nodes on a new database.
async fn on_two<F>(bus: Bus, test: impl FnOnce(House, House) -> F + Send + 'static)
where
    F: Future<Output = ()> + Send + 'static,
{
    let variable = match bus {
        Bus::Postgres | Bus::Nats => "PARLOR_TEST_POSTGRES",
        Bus::None => "PARLOR_TEST_MYSQL",
    };
    in_new_database(variable, move |url| async move {
        let [a, b] = [node(&url, bus).await, node(&url, bus).await];
        until_ready([&a, &b], "nodes: 2").await;
        test(a, b).await;
    })
    .await;
}

/// Starts a node on a database.
pub(super) async fn node(url: &str, bus: Bus) -> House {
    let address = match bus {
        Bus::Nats => {
            let server = std::env::var("PARLOR_TEST_NATS").expect("the address of a NATS server");
            // Not the hints of other tests.
            let prefix: String = url.chars().filter(char::is_ascii_alphanumeric).collect();
            Some(format!("{server}/{prefix}"))
        }
        Bus::Postgres | Bus::None => None,
    };
    House::on_with(Store::open(url).await.unwrap(), |config| {
        config.bus = address
    })
    .await
}

/// Waits until the nodes' reports have this line.
pub(super) async fn until_ready(nodes: [&House; 2], line: &str) {
    for house in nodes {
        let started = Instant::now();
        while !house.get("/readyz").await.text.contains(line) {
            assert!(started.elapsed() < PATIENCE, "no {line:?}");
            sleep(Duration::from_millis(20)).await;
        }
    }
}

/// Reads a stream up to the end of the game.
async fn whole_game(mut lines: Lines) -> Vec<Value> {
    let mut events = Vec::new();
    while let Some(event) = lines.next().await {
        let is_end = event["type"] == "ended";
        events.push(event);
        if is_end {
            break;
        }
    }
    events
}

/// Plays a game whose players are on different nodes, each sending the version that it has seen.
async fn play_across(a: House, b: House) {
    let (id, tokens) = a.two(classic()).await;
    let streams = [Lines::open(&a, &id, 0).await, Lines::open(&b, &id, 0).await];
    let path = format!("/api/v1/tables/{id}/moves");
    let mut version = a.table(&id).await["version"].clone();
    for (n, text) in ["0,0", "1,0", "0,1", "1,1", "0,2"].iter().enumerate() {
        let house = [&a, &b][n % 2];
        let body = json!({ "move": text, "version": version });
        let played = house.post_as(&tokens[n % 2], &path, body).await.expect(200);
        version = played["version"].clone();
    }
    let [seen_by_a, seen_by_b] = streams.map(whole_game);
    let (seen_by_a, seen_by_b) = tokio::join!(seen_by_a, seen_by_b);
    assert_eq!(seen_by_a, seen_by_b);
    let versions: Vec<_> = seen_by_a
        .iter()
        .map(|event| event["version"].as_u64())
        .collect();
    assert_eq!(
        versions,
        (1..=versions.len() as u64).map(Some).collect::<Vec<_>>()
    );
    assert_eq!(b.table(&id).await, a.table(&id).await);
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_POSTGRES"]
async fn players_on_two_nodes_play_a_game() {
    on_two(Bus::Postgres, play_across).await;
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_POSTGRES and PARLOR_TEST_NATS"]
async fn players_on_two_nodes_play_a_game_by_nats() {
    on_two(Bus::Nats, |a, b| async move {
        until_ready([&a, &b], "bus: NATS, connected").await;
        play_across(a, b).await;
    })
    .await;
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_MYSQL"]
async fn players_on_two_nodes_play_a_game_without_a_bus() {
    on_two(Bus::None, |a, b| async move {
        until_ready([&a, &b], "bus: none\n").await;
        play_across(a, b).await;
    })
    .await;
}

/// Writes messages on two nodes in turn, which a listener on one of them gets all, in order.
async fn talk_across(a: House, b: House) {
    let (id, tokens) = a.two(classic()).await;
    let mut bob = Socket::open(&b, &id, Some(&tokens[1])).await;
    bob.say(json!({ "type": "talk", "after": 0 })).await;
    for n in 0..4 {
        let phrase = ["hello", "thanks"][n % 2];
        let said = json!({ "phrase": phrase });
        let said = [&a, &b][n % 2].act(&tokens[n % 2], &id, "talk", said).await;
        let said = said.expect(201);
        assert_eq!(bob.told().await, json!({ "type": "talk", "message": said }));
    }
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_POSTGRES"]
async fn messages_reach_listeners_on_another_node() {
    on_two(Bus::Postgres, talk_across).await;
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_MYSQL"]
async fn messages_reach_listeners_on_another_node_without_a_bus() {
    on_two(Bus::None, talk_across).await;
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_POSTGRES"]
async fn what_is_not_a_move_is_known_to_the_other_node_too() {
    on_two(Bus::Postgres, |a, b| async move {
        let made = a.create(classic()).await;
        // Both have the open table in memory before Bob joins at B.
        assert_eq!(b.table(&made.id).await["status"], "open");
        let join = format!("/api/v1/tables/{}/join", made.id);
        let bob = b.post(&join, json!({ "name": "Bob" })).await.expect(200)["token"].clone();
        let bob = bob.as_str().unwrap();
        a.act(&made.token, &made.id, "moves", json!({ "move": "1,1" }))
            .await
            .expect(200);
        b.act(bob, &made.id, "draw", json!({ "action": "offer" }))
            .await
            .expect(200);
        let offered = |event: &Value| event["type"] == "draw_offered";
        a.until(&made.id, 0, offered).await;
        assert_eq!(a.table(&made.id).await["offers"]["draw"], json!([1]));
        a.act(&made.token, &made.id, "resign", json!({}))
            .await
            .expect(200);
        let late = b
            .act(bob, &made.id, "moves", json!({ "move": "0,0" }))
            .await;
        assert_eq!(late.status, 409, "{late:?}");
    })
    .await;
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_MYSQL"]
async fn a_node_that_was_right_to_refuse_does_not_refuse_what_it_has_not_heard_of() {
    on_two(Bus::None, |a, b| async move {
        let options = json!({ "rows": 4, "columns": 4, "k": 4 });
        let seats = json!([{ "kind": "me" }, { "kind": "open" }]);
        let (id, tokens) = a
            .two(json!({ "game": "mnk", "seats": seats, "options": options }))
            .await;
        let path = format!("/api/v1/tables/{id}/moves");
        let first = a.table(&id).await["version"].as_u64().unwrap();
        // Plays the cell with a number as the player whose turn comes after so many moves.
        let play = async |house: &House, cell: u64, moves: u64| {
            let text = format!("{},{}", cell / 4, cell % 4);
            let body = json!({ "move": text, "version": first + moves });
            let token = &tokens[usize::try_from(moves % 2).unwrap()];
            house.post_as(token, &path, body).await
        };
        for moves in [0, 3, 6] {
            play(&a, moves, moves).await.expect(200);
            // Another window of the same player still shows the position before.
            let late = play(&b, 15, moves).await;
            late.problem(409, "stale-version");
            play(&a, moves + 1, moves + 1).await.expect(200);
            // At once, and without a hint: the version tells that there is something to read.
            play(&b, moves + 2, moves + 2).await.expect(200);
        }
    })
    .await;
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_POSTGRES"]
async fn of_double_moves_on_two_nodes_one_is_accepted() {
    on_two(Bus::Postgres, |a, b| async move {
        let options = json!({ "rows": 8, "columns": 8, "k": 8 });
        let seats = json!([{ "kind": "me" }, { "kind": "open" }]);
        let wanted = json!({ "game": "mnk", "seats": seats, "options": options });
        let (id, tokens) = a.two(wanted).await;
        let path = format!("/api/v1/tables/{id}/moves");
        for n in 0..32 {
            let cells = [
                format!("{},{}", n / 8, n % 8),
                format!("{},{}", 7 - n / 8, n % 8),
            ];
            let cells = if n % 8 < 4 {
                cells
            } else {
                [cells[1].clone(), cells[0].clone()]
            };
            let version = a.log(&id).await.len().max(b.log(&id).await.len());
            let sent = [&a, &b].into_iter().zip(cells).map(|(house, cell)| {
                let body = json!({ "move": cell, "version": version });
                house.post_as(&tokens[n % 2], &path, body)
            });
            let answers = join_all(sent).await;
            let accepted = answers.iter().filter(|answer| answer.status == 200).count();
            let refused = answers.iter().filter(|answer| answer.status == 409).count();
            assert_eq!((accepted, refused), (1, 1), "{answers:?}");
        }
        let (at_a, at_b) = (a.log(&id).await, b.log(&id).await);
        assert_eq!(at_a, at_b);
        let moves = at_a.iter().filter(|event| event["type"] == "moved");
        assert_eq!(moves.count(), 32);
    })
    .await;
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_POSTGRES"]
async fn those_who_look_on_at_another_node_are_counted() {
    on_two(Bus::Postgres, |a, b| async move {
        let (id, tokens) = a.two(classic()).await;
        let subscribe = json!({ "type": "subscribe", "after": 3, "audience": true });
        let mut ann = Socket::open(&a, &id, Some(&tokens[0])).await;
        ann.say(subscribe.clone()).await;
        assert_eq!(ann.told().await["count"], 0);
        let mut watcher = Socket::open(&b, &id, None).await;
        watcher.say(subscribe.clone()).await;
        assert_eq!(watcher.told().await["count"], 1);
        assert_eq!(ann.told().await["count"], 1);
        let mut other = Socket::open(&a, &id, None).await;
        other.say(subscribe).await;
        assert_eq!(other.told().await["count"], 2);
        assert_eq!(watcher.told().await["count"], 2);
        drop(watcher);
        assert_eq!(ann.told().await["count"], 2);
        assert_eq!(ann.told().await["count"], 1);
    })
    .await;
}

/// Returns the next notification of this type.
async fn notified(lines: &mut Lines, kind: &str) -> Value {
    loop {
        let line = lines
            .next()
            .await
            .unwrap_or_else(|| panic!("the stream ended before {kind}"));
        if line["type"] == kind {
            return line;
        }
    }
}

async fn people_hear_on_any_node(a: House, b: House) {
    let (ann, bob) = (a.member("Ann").await, b.member("Bob").await);
    let listen = b
        .request(Method::GET, "/api/v1/me/events")
        .bearer_auth(&bob);
    let mut heard = Lines::of(listen).await;
    notified(&mut heard, "caught_up").await;
    let seats = json!([{ "kind": "me" }, { "kind": "player", "name": "Bob" }]);
    let wanted = json!({ "game": "mnk", "seats": seats });
    let made = a.post_as(&ann, "/api/v1/tables", wanted).await.expect(201);
    let id = made["table"]["id"].as_str().unwrap();
    assert_eq!(notified(&mut heard, "challenge").await["table"], id);
    b.act(&bob, id, "join", json!({})).await.expect(200);
    assert_eq!(notified(&mut heard, "game_start").await["table"], id);
    a.act(&ann, id, "moves", json!({ "move": "1,1" }))
        .await
        .expect(200);
    assert_eq!(notified(&mut heard, "your_turn").await["table"], id);
    a.act(&ann, id, "resign", json!({})).await.expect(200);
    assert_eq!(notified(&mut heard, "game_over").await["table"], id);
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_POSTGRES"]
async fn a_member_hears_on_one_node_what_happens_on_another() {
    on_two(Bus::Postgres, people_hear_on_any_node).await;
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_MYSQL"]
async fn a_member_hears_without_a_bus_what_happens_on_another_node() {
    on_two(Bus::None, people_hear_on_any_node).await;
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_MYSQL"]
async fn a_member_hears_what_is_logged_on_another_node_without_a_bus() {
    on_two(Bus::None, |a, b| async move {
        let (ann, bob) = (a.member("Ann").await, b.member("Bob").await);
        let listen = b
            .request(Method::GET, "/api/v1/me/events")
            .bearer_auth(&bob);
        let mut heard = Lines::of(listen).await;
        notified(&mut heard, "caught_up").await;
        let seats = json!([{ "kind": "me" }, { "kind": "player", "name": "Bob" }]);
        for n in [1, 3] {
            let wanted = json!({ "game": "mnk", "seats": seats });
            let made = a.post_as(&ann, "/api/v1/tables", wanted).await.expect(201);
            let id = made["table"]["id"].as_str().unwrap();
            let challenge = notified(&mut heard, "challenge").await;
            assert_eq!(
                (&challenge["table"], &challenge["n"]),
                (&json!(id), &json!(n))
            );
            a.act(&ann, id, "abort", json!({})).await.expect(200);
            let gone = notified(&mut heard, "challenge_gone").await;
            assert_eq!((&gone["table"], &gone["n"]), (&json!(id), &json!(n + 1)));
        }
    })
    .await;
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_POSTGRES and PARLOR_TEST_NATS"]
async fn a_member_hears_by_nats_what_happens_on_another_node() {
    on_two(Bus::Nats, |a, b| async move {
        until_ready([&a, &b], "bus: NATS, connected").await;
        people_hear_on_any_node(a, b).await;
    })
    .await;
}

/// Pairs guests who wait at different nodes, ten pairs at once.
async fn people_are_paired_across(a: House, b: House) {
    let wait = |house: &House| {
        let wish = json!({ "game": "mnk", "clock": null });
        Lines::of(house.request(Method::POST, "/api/v1/queue").json(&wish))
    };
    let mut first = wait(&a).await;
    assert_eq!(notified(&mut first, "waiting").await["waiting"], 1);
    let mut second = wait(&b).await;
    let matched = [
        notified(&mut first, "matched").await,
        notified(&mut second, "matched").await,
    ];
    assert_eq!(matched[0]["table"], matched[1]["table"]);
    let mut seats = matched.each_ref().map(|matched| matched["seat"].as_u64());
    seats.sort_unstable();
    assert_eq!(seats, [Some(0), Some(1)]);
    let id = matched[0]["table"].as_str().unwrap();
    assert_eq!(b.table(id).await["status"], "playing");

    let many = join_all((0..20).map(|n| wait([&a, &b][n % 2]))).await;
    let matched = many.into_iter().map(|mut lines| async move {
        let matched = notified(&mut lines, "matched").await;
        assert_eq!(lines.next().await, None, "the match is the last event");
        matched["table"].as_str().unwrap().to_owned()
    });
    let mut tables = join_all(matched).await;
    tables.sort_unstable();
    let pairs = tables.chunks(2);
    assert!(pairs.clone().all(|pair| pair[0] == pair[1]), "{tables:?}");
    tables.dedup();
    assert_eq!(tables.len(), 10);
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_POSTGRES"]
async fn people_who_wait_at_two_nodes_are_paired() {
    on_two(Bus::Postgres, people_are_paired_across).await;
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_MYSQL"]
async fn people_who_wait_at_two_nodes_are_paired_without_a_bus() {
    on_two(Bus::None, people_are_paired_across).await;
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_POSTGRES"]
async fn who_waits_at_a_node_that_stops_waits_no_more() {
    on_two(Bus::Postgres, |mut a, b| async move {
        let wish = json!({ "game": "mnk" });
        let wait = a.request(Method::POST, "/api/v1/queue").json(&wish);
        let mut lost = Lines::of(wait).await;
        notified(&mut lost, "waiting").await;
        a.close().await;
        let wait = b.request(Method::POST, "/api/v1/queue").json(&wish);
        let mut alone = Lines::of(wait).await;
        assert_eq!(notified(&mut alone, "waiting").await["waiting"], 1);
    })
    .await;
}

/// Waits until a table's state at a node names exactly these seats as away.
async fn until_away(house: &House, id: &str, seats: Value) {
    let started = Instant::now();
    loop {
        let state = house.get(&format!("/api/v1/tables/{id}")).await.expect(200);
        let away = state["away"]
            .as_array()
            .unwrap()
            .iter()
            .map(|away| &away["seat"]);
        if away.cloned().collect::<Value>() == seats {
            return;
        }
        assert!(started.elapsed() < PATIENCE, "not exactly {seats} are away");
        sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_POSTGRES"]
async fn who_is_connected_to_one_node_is_there_for_the_other() {
    on_two(Bus::Postgres, |mut a, b| async move {
        let clock = json!({ "kind": "total", "initial_ms": 600_000 });
        let (id, tokens) = a.two(json!({ "game": "mnk", "clock": clock })).await;
        until_away(&b, &id, json!([0, 1])).await;
        // Not a stream of the table: whoever has any is there.
        let listen = a.request(Method::GET, "/api/v1/me/events");
        let heard = Lines::of(listen.bearer_auth(&tokens[1])).await;
        until_away(&b, &id, json!([0])).await;
        until_away(&a, &id, json!([0])).await;
        drop(heard);
        until_away(&b, &id, json!([0, 1])).await;
        let path = format!("/api/v1/tables/{id}/events");
        let request = a.request(Method::GET, &path).bearer_auth(&tokens[0]);
        let _watching = Lines::of(request).await;
        until_away(&b, &id, json!([1])).await;
        // Those who were connected to a node that stops are away.
        a.close().await;
        until_away(&b, &id, json!([0, 1])).await;
    })
    .await;
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_POSTGRES"]
async fn a_deleted_table_and_a_revoked_token_end_the_streams_of_all_nodes() {
    on_two(Bus::Postgres, |a, b| async move {
        let made = a.create(classic()).await;
        let mut stream = Lines::open(&b, &made.id, 0).await;
        stream.next().await.expect("the first event");
        let id: TableId = made.id.parse().unwrap();
        let store = a.store();
        assert!(
            store
                .delete(i64::try_from(id.number()).unwrap())
                .await
                .unwrap()
        );
        while stream.next().await.is_some() {}
        assert_eq!(
            b.get(&format!("/api/v1/tables/{}", made.id)).await.status,
            404
        );

        let account = json!({ "name": "Bob", "password": "correct horse" });
        let made = a.post("/api/v1/accounts", account).await;
        let cookie = made.headers["set-cookie"].to_str().unwrap();
        let cookie = cookie.split(';').next().unwrap();
        let signed_in = |house: &House, method, path: &str| {
            house.request(method, path).header("cookie", cookie)
        };
        let wanted = signed_in(&a, Method::POST, "/api/v1/tokens").json(&json!({ "name": "test" }));
        let token = Answer::of(wanted).await.expect(201);
        let listen = b.request(Method::GET, "/api/v1/me/events");
        let mut heard = Lines::of(listen.bearer_auth(token["token"].as_str().unwrap())).await;
        notified(&mut heard, "caught_up").await;
        let path = format!("/api/v1/tokens/{}", token["id"]);
        let revoked = signed_in(&a, Method::DELETE, &path);
        Answer::of(revoked).await.expect(204);
        let mut last = Value::Null;
        while let Some(line) = heard.next().await {
            last = line;
        }
        assert_eq!(last, json!({ "type": "closed", "reason": "revoked" }));
    })
    .await;
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_POSTGRES"]
async fn a_rematch_that_is_accepted_at_two_nodes_at_once_is_one_game() {
    on_two(Bus::Postgres, |a, b| async move {
        let tokens = [a.member("Ann").await, b.member("Bob").await];
        for n in 1..=5 {
            let made = a.post_as(&tokens[0], "/api/v1/tables", classic()).await;
            let id = made.expect(201)["table"]["id"].as_str().unwrap().to_owned();
            let bob = json!({ "name": "Bob" });
            a.act(&tokens[1], &id, "join", bob).await.expect(200);
            a.act(&tokens[0], &id, "resign", json!({}))
                .await
                .expect(200);
            let asked = a.act(&tokens[0], &id, "rematch", json!({})).await;
            asked.expect(200);
            let (one, other) = tokio::join!(
                a.act(&tokens[1], &id, "rematch", json!({})),
                b.act(&tokens[1], &id, "rematch", json!({})),
            );
            let next = one.expect(200)["next"].clone();
            assert_eq!(other.expect(200)["next"], next);
            for token in &tokens {
                let listen = a.request(Method::GET, "/api/v1/me/events?after=0");
                let mut heard = Lines::of(listen.bearer_auth(token)).await;
                let mut started = Vec::new();
                loop {
                    let line = heard.next().await.expect("the summary ends");
                    match line["type"].as_str() {
                        Some("caught_up") => break,
                        Some("game_start") if line["n"].is_u64() => {
                            started.push(line["table"].clone());
                        }
                        _ => {}
                    }
                }
                assert_eq!(started.len(), 2 * n, "{started:?}");
                assert_eq!(started.last(), Some(&next));
            }
        }
    })
    .await;
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_POSTGRES"]
async fn a_bot_of_a_node_that_is_gone_moves_for_those_who_only_follow_the_table() {
    in_new_database("PARLOR_TEST_POSTGRES", |url| async move {
        let b = node(&url, Bus::Postgres).await;
        // The other node gives one sign of life, stores a move that its bot has to answer, and dies.
        let a = Store::open(&url).await.unwrap();
        a.beat(77, 1).await.unwrap();
        until_ready([&b, &b], "nodes: 2").await;
        let mut players = stored::guests();
        players[1] = Player::bot("level:1");
        let now = stored::now();
        let mut table = stored::table_at(now, GameKind::all()[0], None, players);
        stored::play_at(&mut table, now, &["1,1"]);
        let row = NewStoredTable {
            due_at: Some(now + 30_000),
            ..stored::row(&table)
        };
        a.create(row).await.unwrap();
        let mut events = Lines::open(&b, &table.id().to_string(), table.version()).await;
        let began = Instant::now();
        assert_eq!(events.next().await.unwrap()["seat"], 1);
        // Due tables are looked for after half a minute in any case.
        assert!(began.elapsed() < Duration::from_secs(20));
    })
    .await;
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_POSTGRES"]
async fn who_plays_at_another_node_is_asked_there_while_a_person_or_a_bot_waits_at_this_one() {
    on_two(Bus::Postgres, |a, b| async move {
        for (event, window) in [
            (Event::Airlift, Window::BeforeInfections),
            (Event::Forecast, Window::BeforeInfections),
            (Event::Grant, Window::BeforeInfections),
            (Event::QuietNight, Window::BeforeInfections),
            (Event::Resilient, Window::Intensify),
        ] {
            for mover in [Mover::Person, Mover::Bot] {
                let case = Case {
                    event,
                    window,
                    mover,
                };
                // The draws that open the window are entered at A, which then thinks and asks.
                let mut team = Team::seat([&a, &b], case, "crucial").await;
                let streams = [
                    Lines::open(&a, &team.id, 0).await,
                    Lines::open(&b, &team.id, 0).await,
                ];
                team.play_in_window().await;
                let [seen_by_a, seen_by_b] = streams.map(whole_game);
                let (seen_by_a, seen_by_b) = tokio::join!(seen_by_a, seen_by_b);
                assert_eq!(seen_by_a, seen_by_b, "{case:?}");
            }
        }
    })
    .await;
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_POSTGRES"]
async fn nobody_is_asked_while_a_node_could_not_read_it() {
    in_new_database("PARLOR_TEST_POSTGRES", |url| async move {
        let house = node(&url, Bus::Postgres).await;
        let earlier = Store::open(&url).await.unwrap();
        earlier.beat(77, 0).await.unwrap();
        until_ready([&house, &house], "nodes: 2").await;
        let new = json!({ "game": "pandemic", "seats": [{ "kind": "me" }, { "kind": "open" }] });
        let usual = async || house.post("/api/v1/tables", new.clone()).await;
        usual().await.problem(503, "unavailable");
        let known = json!({ "game": "pandemic", "options": { "consent": "ask" } });
        let (id, [_, bob]) = house.two(known).await;
        let choose = async || {
            let request = house.request(Method::PUT, &format!("/api/v1/tables/{id}/asking"));
            Answer::of(request.bearer_auth(&bob).json(&json!({ "when": "always" }))).await
        };
        let before = house.log(&id).await;
        let problem = choose().await.problem(503, "unavailable");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains("is being updated"), "{detail}");
        assert_eq!(house.log(&id).await, before);

        earlier.leave(77).await.unwrap();
        until_ready([&house, &house], "nodes: 1").await;
        assert_eq!(choose().await.status, 200);
        assert_eq!(usual().await.status, 201);
        // If Bob holds an event, he is asked at once.
        let log = house.log(&id).await;
        assert!(log.iter().any(|event| event["type"] == "asking"));
    })
    .await;
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_POSTGRES"]
async fn nobody_returns_while_a_node_could_not_read_it() {
    in_new_database("PARLOR_TEST_POSTGRES", |url| async move {
        let house = node(&url, Bus::Postgres).await;
        let earlier = Store::open(&url).await.unwrap();
        earlier.beat(77, 2).await.unwrap();
        until_ready([&house, &house], "nodes: 2").await;
        let (id, [ann, bob]) = house.two(json!({ "game": "pandemic" })).await;
        house.act(&bob, &id, "resign", json!({})).await.expect(200);
        let comes_back = async || house.act(&bob, &id, "return", json!({})).await;
        comes_back().await.problem(503, "unavailable");
        let request = house.request(Method::PUT, &format!("/api/v1/tables/{id}/stand-in"));
        let level = json!({ "seat": 1, "spec": "level:1" });
        let chosen = Answer::of(request.bearer_auth(&ann).json(&level)).await;
        chosen.problem(503, "unavailable");
        let log = house.log(&id).await;
        let unread =
            |event: &Value| event["type"] == "returned" || event["type"] == "stand_in_chosen";
        assert!(!log.iter().any(unread), "{log:?}");

        earlier.leave(77).await.unwrap();
        until_ready([&house, &house], "nodes: 1").await;
        comes_back().await.expect(200);
    })
    .await;
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_POSTGRES"]
async fn an_analysis_that_one_node_makes_is_there_for_the_other() {
    on_two(Bus::Postgres, |a, b| async move {
        let (id, _) = analysis::finished(&a, true).await;
        let path = analysis::path(&id);
        b.get(&path).await.problem(404, "not-analysed");
        let asked = a.post(&path, json!({})).await;
        assert!(matches!(asked.status.as_u16(), 200 | 202), "{}", asked.text);
        let shown = analysis::ready(&b, &id).await;
        assert_eq!(
            shown["steps"].as_array().map(Vec::len),
            Some(analysis::OPENING.len())
        );
        assert_eq!(shown, analysis::ready(&a, &id).await);
        let page = b.get(&format!("/t/{id}")).await.text;
        assert!(
            page.contains("Analyzed at"),
            "the page of the other node shows it, too"
        );
    })
    .await;
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_POSTGRES"]
async fn an_analysis_of_a_node_that_died_is_finished_by_another() {
    on_two(Bus::Postgres, |a, b| async move {
        let (id, _) = analysis::finished(&a, true).await;
        let table: TableId = id.parse().unwrap();
        let game = AnalyzedGame {
            table: i64::try_from(table.number()).unwrap(),
            steps: i64::try_from(analysis::OPENING.len()).unwrap(),
        };
        let dead = 4_711;
        assert!(a.store().claim_analysis(game, dead).await.unwrap());
        assert!(a.store().continue_analysis(game, dead, 3).await.unwrap());
        let shown = b.get(&analysis::path(&id)).await.expect(202);
        let steps = analysis::OPENING.len();
        assert_eq!(shown, json!({ "state": "running", "done": 3, "of": steps }));
        analysis::ready(&b, &id).await;
        assert!(
            !a.store().continue_analysis(game, dead, 4).await.unwrap(),
            "it wakes up too late"
        );
    })
    .await;
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_MYSQL"]
async fn what_a_player_reads_is_not_older_than_the_question() {
    on_two(Bus::None, |a, b| async move {
        let (id, tokens) = a.two(classic()).await;
        let path = format!("/api/v1/tables/{id}");
        b.get_as(&tokens[1], &path).await.expect(200);
        for (n, text) in ["0,0", "1,0", "0,1", "1,1"].iter().enumerate() {
            let body = json!({ "move": text });
            let played = a.act(&tokens[n % 2], &id, "moves", body).await.expect(200);
            let legal = b.get_as(&tokens[0], &format!("{path}/legal")).await;
            let moves = legal.expect(200)["moves"].as_array().map(Vec::len);
            assert_eq!(moves, Some(9 - n - 1), "after {text}");
            let seen = b.get_as(&tokens[1], &path).await.expect(200);
            assert_eq!(seen["version"], played["version"]);
        }
    })
    .await;
}

/// Takes a game that is under way back to a version, as a failover to a replica that was behind does.
async fn lose_events(url: &str, id: &str, version: u64) {
    let database = Database::connect(url).await.unwrap();
    let number = id.parse::<TableId>().unwrap().number();
    for statement in [
        format!("DELETE FROM table_events WHERE table_id = {number} AND version > {version}"),
        format!(
            "UPDATE game_tables SET version = {version}, status = 'playing' WHERE id = {number}"
        ),
    ] {
        database.execute_unprepared(&statement).await.unwrap();
    }
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_POSTGRES"]
async fn a_database_with_fewer_events_than_a_node_is_right() {
    in_new_database("PARLOR_TEST_POSTGRES", |url| async move {
        let house = node(&url, Bus::Postgres).await;
        let (id, tokens) = house.two(classic()).await;
        house.play(&id, &tokens, &["0,0", "1,0"]).await;
        let version = house.table(&id).await["version"].as_u64().unwrap();
        lose_events(&url, &id, version - 1).await;
        let path = format!("/api/v1/tables/{id}");
        house.get_as(&tokens[1], &path).await;
        let seen = house.get_as(&tokens[1], &path).await.expect(200);
        assert_eq!(seen["version"], json!(version - 1));
        let body = json!({ "move": "2,2", "version": version - 1 });
        let played = house.act(&tokens[1], &id, "moves", body).await.expect(200);
        assert_eq!(played["version"], json!(version));
    })
    .await;
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_POSTGRES"]
async fn an_end_that_the_database_has_lost_is_shown_to_nobody() {
    in_new_database("PARLOR_TEST_POSTGRES", |url| async move {
        let house = node(&url, Bus::Postgres).await;
        let (id, tokens) = house.two(classic()).await;
        house.play(&id, &tokens, &["0,0", "1,0"]).await;
        let version = house.table(&id).await["version"].as_u64().unwrap();
        let mut watcher = Lines::open(&house, &id, version).await;
        house
            .act(&tokens[0], &id, "resign", json!({}))
            .await
            .expect(200);
        while watcher.next().await.unwrap()["type"] != "ended" {}
        lose_events(&url, &id, version).await;
        // The watcher's stream ends, and nobody asks for anything that would tell the node.
        while watcher.next().await.is_some() {}
        let seen = house.table(&id).await;
        assert_eq!(
            (&seen["version"], &seen["status"]),
            (&json!(version), &json!("playing"))
        );
        let mut again = Lines::open(&house, &id, 0).await;
        while again.next().await.unwrap()["version"] != json!(version) {}
        let body = json!({ "move": "2,2" });
        let played = house.act(&tokens[0], &id, "moves", body).await.expect(200);
        assert_eq!(played["version"], json!(version + 1));
        assert_eq!(again.next().await.unwrap()["version"], json!(version + 1));
    })
    .await;
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_POSTGRES"]
async fn a_house_that_was_killed_gives_less_than_two_seconds_back_too() {
    in_new_database("PARLOR_TEST_POSTGRES", |url| async move {
        let store = Store::open(&url).await.unwrap();
        // A node that was just killed.
        store.beat(7, 1).await.unwrap();
        let _house = node(&url, Bus::Postgres).await;
        let outages = store.outages(0).await.unwrap();
        assert_eq!(outages.len(), 1, "{outages:?}");
        let lasted = outages[0].ended_at - outages[0].began_at;
        assert!(lasted >= parlor_store::SILENT_MS, "{lasted} ms");
        // A node that joins one that runs tells of none.
        let _other = node(&url, Bus::Postgres).await;
        assert_eq!(store.outages(0).await.unwrap(), outages);
    })
    .await;
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_POSTGRES"]
async fn a_node_with_a_wrong_clock_changes_nothing() {
    in_new_database("PARLOR_TEST_POSTGRES", |url| async move {
        let right = node(&url, Bus::Postgres).await;
        let store = Store::open(&url).await.unwrap();
        let wrong = House::on_with(store, |config| {
            let now = || Timestamp::from_millis(stored::now() + 400_000);
            config.sources = Sources::new(now, |bytes| bytes.fill(7));
        })
        .await;
        wrong.get("/readyz").await.problem(503, "unavailable");
        wrong
            .post("/api/v1/tables", classic())
            .await
            .problem(503, "unavailable");
        let account = json!({ "name": "Bob", "password": "correct horse" });
        let refused = wrong.post("/api/v1/accounts", account).await;
        refused.problem(503, "unavailable");
        let clock = json!({ "kind": "total", "initial_ms": 2_000 });
        let (id, tokens) = right.two(json!({ "game": "mnk", "clock": clock })).await;
        for token in &tokens {
            right.act(token, &id, "ready", json!({})).await.expect(200);
        }
        let began = stored::now();
        let refused = wrong.act(&tokens[0], &id, "moves", json!({ "move": "1,1" }));
        refused.await.problem(503, "unavailable");
        // The flag falls by the right clock, though the other node looks for due tables, too.
        let log = right.until(&id, 0, |event| event["type"] == "ended").await;
        let flagged = log.iter().find(|event| event["type"] == "flagged").unwrap();
        let after = flagged["at"].as_i64().unwrap() - began;
        assert!((1_500..60_000).contains(&after), "after {after} ms");
    })
    .await;
}
