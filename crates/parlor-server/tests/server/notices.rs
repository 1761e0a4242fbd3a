//! Notices to members who have no page open, at addresses that a test listens at.

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use futures::FutureExt;
use parlor_server::HostResolver;
use parlor_store::Store;
use reqwest::Method;
use reqwest::header::COOKIE;
use ring::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use ring::rand::SystemRandom;
use ring::{aead, hkdf, signature};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, timeout};

use super::house::{Answer, House, Lines, PATIENCE};
use super::members::{Member, form};
use super::nodes::until_ready;
use super::sources::ManualClock;
use crate::new_database::in_new_database;

const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;

/// Request that was posted to a receiver.
#[derive(Debug)]
struct Posted {
    path: String,
    headers: HeaderMap,
    body: Bytes,
}

impl Posted {
    fn text(&self) -> String {
        String::from_utf8(self.body.to_vec()).unwrap()
    }
}

/// Server that takes notices.
struct Receiver {
    url: String,
    status: Arc<AtomicU16>,
    posts: mpsc::UnboundedReceiver<Posted>,
}

#[derive(Clone)]
struct Inbox {
    status: Arc<AtomicU16>,
    posts: mpsc::UnboundedSender<Posted>,
}

async fn take(State(inbox): State<Inbox>, request: Request) -> StatusCode {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, 1 << 20).await.unwrap();
    let posted = Posted {
        path: parts.uri.path().to_owned(),
        headers: parts.headers,
        body,
    };
    inbox.posts.send(posted).unwrap();
    StatusCode::from_u16(inbox.status.load(Ordering::SeqCst)).unwrap()
}

impl Receiver {
    async fn open() -> Receiver {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let status = Arc::new(AtomicU16::new(200));
        let (sender, posts) = mpsc::unbounded_channel();
        let inbox = Inbox {
            status: status.clone(),
            posts: sender,
        };
        let router = Router::new().fallback(take).with_state(inbox);
        tokio::spawn(async move { axum::serve(listener, router).await });
        Receiver { url, status, posts }
    }

    fn answer(&self, status: u16) {
        self.status.store(status, Ordering::SeqCst);
    }

    async fn next(&mut self) -> Posted {
        let posted = timeout(PATIENCE, self.posts.recv()).await;
        posted.expect("a notice comes in time").unwrap()
    }

    fn is_empty(&mut self) -> bool {
        self.posts.try_recv().is_err()
    }
}

/// A house whose clock a test moves, with two members.
struct Scene {
    house: House,
    clock: ManualClock,
    ann: Member,
    bob: Member,
    receiver: Receiver,
}

async fn scene() -> Scene {
    let clock = ManualClock::new();
    let sources = clock.sources();
    let house = House::alone_with(|config| {
        config.sources = sources;
        config.notices.to_private = true;
        config.notices.contact = Some("mailto:ops@house.example".to_owned());
        config.public_url = Some("http://house.example".to_owned());
    })
    .await;
    let [ann, bob] = [
        Member::sign_up(&house, "Ann").await,
        Member::sign_up(&house, "Bob").await,
    ];
    Scene {
        house,
        clock,
        ann,
        bob,
        receiver: Receiver::open().await,
    }
}

async fn send(house: &House, method: Method, who: &Member, path: &str, body: Value) -> Answer {
    let path = format!("/api/v1/account/notices{path}");
    let request = house.request(method, &path).bearer_auth(&who.token);
    Answer::of(request.json(&body)).await
}

impl Scene {
    /// Adds an address of Ann and returns its number.
    async fn add(&self, kind: &str, path: &str) -> i64 {
        let address = format!("{}{path}", self.receiver.url);
        let new = json!({ "kind": kind, "address": address });
        let added = send(&self.house, Method::POST, &self.ann, "/targets", new).await;
        added.expect(201)["id"].as_i64().unwrap()
    }

    async fn wish(&self, wishes: Value) {
        let set = send(&self.house, Method::PUT, &self.ann, "", wishes).await;
        assert_eq!(set.status, 204, "{}", set.text);
    }

    async fn view(&self) -> Value {
        let shown = send(&self.house, Method::GET, &self.ann, "", json!({})).await;
        shown.expect(200)
    }

    /// Lets Bob challenge Ann and Ann accept, and returns the table. Bob moves first.
    async fn game(&self) -> String {
        let id = self.challenge().await;
        self.accept(&id).await;
        id
    }

    /// Takes Ann's seat at a table to which she is challenged.
    async fn accept(&self, table: &str) {
        let token = &self.ann.token;
        let joined = self.house.act(token, table, "join", json!({})).await;
        joined.expect(200);
    }

    async fn challenge(&self) -> String {
        let seats = json!([{ "kind": "me" }, { "kind": "player", "name": "Ann" }]);
        let wanted = json!({ "game": "mnk", "seats": seats });
        let made = self
            .house
            .post_as(&self.bob.token, "/api/v1/tables", wanted);
        let made = made.await.expect(201);
        made["table"]["id"].as_str().unwrap().to_owned()
    }

    async fn play(&self, who: &Member, table: &str, text: &str) {
        let body = json!({ "move": text });
        let played = self.house.act(&who.token, table, "moves", body).await;
        played.expect(200);
    }
}

fn wishes(kinds: &[&str]) -> Value {
    json!({ "kinds": kinds, "utc_offset": 0, "quiet": null, "digest_at": null })
}

#[tokio::test(flavor = "multi_thread")]
async fn what_happens_is_told_at_an_address_that_only_its_owner_sees() {
    let mut scene = scene().await;
    scene.add("ntfy", "/ann").await;
    let id = scene.challenge().await;
    let challenge = scene.receiver.next().await;
    assert_eq!(challenge.path, "/ann");
    assert!(
        challenge.text().starts_with("Bob challenges you to "),
        "{}",
        challenge.text()
    );
    let click = challenge.headers["click"].to_str().unwrap();
    assert_eq!(click, format!("http://house.example/t/{id}"));
    scene.accept(&id).await;
    scene.play(&scene.bob, &id, "1,1").await;
    let turn = scene.receiver.next().await.text();
    assert!(turn.starts_with("It's your turn in "), "{turn}");
    assert!(turn.ends_with(" against Bob."), "{turn}");
    let talk = format!("/api/v1/tables/{id}/talk");
    let hello = json!({ "text": "Are you there?" });
    scene
        .house
        .post_as(&scene.bob.token, &talk, hello)
        .await
        .expect(201);
    let message = scene.receiver.next().await.text();
    assert_eq!(message, "Bob wrote at your table.");
    let resigned = scene
        .house
        .act(&scene.bob.token, &id, "resign", json!({}))
        .await;
    resigned.expect(200);
    let result = scene.receiver.next().await.text();
    assert!(result.starts_with("You won "), "{result}");
    let bobs = send(&scene.house, Method::GET, &scene.bob, "", json!({})).await;
    assert_eq!(bobs.expect(200)["targets"], json!([]));
    let target = &scene.view().await["targets"][0];
    assert!(target["address"].as_str().unwrap().ends_with("/ann"));
    assert!(target["sent_at"].is_i64());
    let export = scene
        .house
        .get_as(&scene.ann.token, "/api/v1/me/export")
        .await;
    assert!(
        export.text.contains(r#"{"type":"notices""#),
        "{}",
        export.text
    );
    let bobs = scene
        .house
        .get_as(&scene.bob.token, "/api/v1/me/export")
        .await;
    assert!(!bobs.text.contains(&scene.receiver.url));
    let metrics = scene.house.metrics().await;
    assert!(metrics.contains("parlor_notices_sent_total"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_decrypts_what_is_pushed_and_knows_the_house() {
    let mut scene = scene().await;
    let random = SystemRandom::new();
    let browser = EphemeralPrivateKey::generate(&ECDH_P256, &random).unwrap();
    let public = browser.compute_public_key().unwrap();
    let public = public.as_ref().to_vec();
    let auth = [9; 16];
    let keys = json!({
        "p256dh": URL_SAFE_NO_PAD.encode(&public), "auth": URL_SAFE_NO_PAD.encode(auth),
    });
    let address = format!("{}/push/1", scene.receiver.url);
    let new = json!({ "kind": "web_push", "address": address });
    let refused = send(
        &scene.house,
        Method::POST,
        &scene.ann,
        "/targets",
        new.clone(),
    )
    .await;
    assert_eq!(refused.problem(422, "bad-content")["field"], "keys");
    let mut new = new;
    new["keys"] = keys;
    let added = send(&scene.house, Method::POST, &scene.ann, "/targets", new).await;
    added.expect(201);
    scene.wish(wishes(&["turn"])).await;
    let id = scene.game().await;
    scene.play(&scene.bob, &id, "1,1").await;
    let posted = scene.receiver.next().await;
    assert_eq!(posted.headers["content-encoding"], "aes128gcm");
    assert!(posted.headers.contains_key("ttl"));
    let (salt, house_key) = (&posted.body[..16], &posted.body[21..86]);
    let theirs = UnparsedPublicKey::new(&ECDH_P256, house_key);
    let shared = agree_ephemeral(browser, &theirs, |secret| {
        hkdf::Salt::new(hkdf::HKDF_SHA256, &auth).extract(secret)
    });
    let info = [b"WebPush: info\0", public.as_slice(), house_key].concat();
    let secret = derived(&shared.unwrap(), &info);
    let record = hkdf::Salt::new(hkdf::HKDF_SHA256, salt).extract(&secret);
    let key = derived(&record, b"Content-Encoding: aes128gcm\0");
    let nonce = derived(&record, b"Content-Encoding: nonce\0");
    let key = aead::UnboundKey::new(&aead::AES_128_GCM, &key[..16]).unwrap();
    let nonce = aead::Nonce::try_assume_unique_for_key(&nonce[..12]).unwrap();
    let mut sealed = posted.body[86..].to_vec();
    let read = aead::LessSafeKey::new(key)
        .open_in_place(nonce, aead::Aad::empty(), &mut sealed)
        .unwrap();
    let (delimiter, text) = read.split_last().unwrap();
    assert_eq!(*delimiter, 2);
    let notice: Value = serde_json::from_slice(text).unwrap();
    assert_eq!(notice["url"], format!("/t/{id}"));
    assert!(notice["body"].as_str().unwrap().contains("your turn"));
    let authorization = posted.headers["authorization"].to_str().unwrap();
    let token = authorization.strip_prefix("vapid t=").unwrap();
    let (token, public) = token.split_once(", k=").unwrap();
    assert_eq!(public, scene.view().await["key"]);
    let (signed, signature) = token.rsplit_once('.').unwrap();
    let decode = |text: &str| URL_SAFE_NO_PAD.decode(text).unwrap();
    let key =
        signature::UnparsedPublicKey::new(&signature::ECDSA_P256_SHA256_FIXED, decode(public));
    key.verify(signed.as_bytes(), &decode(signature)).unwrap();
    let claims: Value = serde_json::from_slice(&decode(signed.split_once('.').unwrap().1)).unwrap();
    assert_eq!(claims["aud"], scene.receiver.url);
    assert_eq!(claims["sub"], "mailto:ops@house.example");
    let stop = notice["stop"].as_str().unwrap();
    assert_eq!(scene.house.post(stop, json!({})).await.status, 200);
    assert_eq!(scene.view().await["targets"], json!([]));
}

/// Waits until the house has read all notes of Ann's log, and so what happened before them.
async fn until_read(house: &House) {
    let (store, started) = (house.store(), Instant::now());
    loop {
        let readers = store.unseen_notice_readers(i64::MAX, 10).await.unwrap();
        let [ann] = readers.as_slice() else {
            panic!("only Ann wants notices: {readers:?}");
        };
        let ends = store.last_notes(&[ann.user]).await.unwrap();
        if ends == [(ann.user, ann.last_note)] {
            return;
        }
        assert!(started.elapsed() < PATIENCE, "{ann:?} of {ends:?}");
        sleep(Duration::from_millis(20)).await;
    }
}

/// Waits until nobody at a table has a stream open.
async fn until_away(house: &House, table: &str) {
    let started = Instant::now();
    let path = format!("/api/v1/tables/{table}");
    while house.get(&path).await.expect(200)["away"]
        .as_array()
        .unwrap()
        .len()
        < 2
    {
        assert!(started.elapsed() < PATIENCE, "somebody is there");
        sleep(Duration::from_millis(20)).await;
    }
}

fn derived(key: &hkdf::Prk, info: &[u8]) -> [u8; 32] {
    let mut bytes = [0; 32];
    let info = [info];
    let okm = key.expand(&info, hkdf::HKDF_SHA256).unwrap();
    okm.fill(&mut bytes).unwrap();
    bytes
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_sent_while_a_page_or_program_is_connected() {
    let mut scene = scene().await;
    scene.add("ntfy", "/ann").await;
    scene.wish(wishes(&["turn"])).await;
    let id = scene.game().await;
    let request = scene.house.request(Method::GET, "/api/v1/me/events");
    let mut stream = Lines::of(request.bearer_auth(&scene.ann.token)).await;
    scene.play(&scene.bob, &id, "1,1").await;
    while stream.next().await.unwrap()["type"] != "your_turn" {}
    let offer = json!({ "action": "offer" });
    let offered = scene.house.act(&scene.bob.token, &id, "draw", offer).await;
    offered.expect(200);
    until_read(&scene.house).await;
    drop(stream);
    until_away(&scene.house, &id).await;
    scene.play(&scene.ann, &id, "0,0").await;
    scene.play(&scene.bob, &id, "2,2").await;
    let first = scene.receiver.next().await;
    assert!(first.text().contains("your turn"), "{}", first.text());
    assert!(
        scene.receiver.is_empty(),
        "the first turn was told by the stream"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn quiet_hours_and_a_digest_collect_what_is_still_true() {
    let mut scene = scene().await;
    scene.add("discord", "/hook").await;
    let shown = |minutes: i64| {
        let minute = (1_800_000_000_000 / MINUTE_MS + minutes) % (24 * 60);
        format!("{:02}:{:02}", minute / 60, minute % 60)
    };
    let mut quiet = wishes(&["turn", "result"]);
    quiet["quiet"] = json!({ "from": shown(-60), "to": shown(120) });
    scene.wish(quiet).await;
    let [one, two, three] = [scene.game().await, scene.game().await, scene.game().await];
    for id in [&one, &two, &three] {
        scene.play(&scene.bob, id, "1,1").await;
    }
    until_waiting(&scene.house, 3).await;
    scene.play(&scene.ann, &two, "0,0").await;
    assert!(scene.receiver.is_empty());
    scene.clock.advance(119 * MINUTE_MS);
    let late = 1_800_000_000_000 + 119 * MINUTE_MS;
    let due = scene.house.store().due_notice_targets(late, 10).await;
    assert_eq!(due.unwrap(), [0; 0], "the quiet hours are not over");
    scene.clock.advance(2 * MINUTE_MS);
    let posted = scene.receiver.next().await;
    let message: Value = serde_json::from_slice(&posted.body).unwrap();
    let text = message["content"].as_str().unwrap();
    assert!(text.starts_with("Parlor: 2 notices\n"), "{text}");
    assert!(text.contains(&format!("/t/{one}")) && text.contains(&format!("/t/{three}")));
    assert!(
        !text.contains(&format!("/t/{two}")),
        "it is not her turn: {text}"
    );
    let mut daily = wishes(&["turn", "result"]);
    daily["digest_at"] = json!(shown(5 * 60));
    scene.wish(daily).await;
    for (n, id) in [&one, &three].into_iter().enumerate() {
        scene
            .house
            .act(&scene.bob.token, id, "resign", json!({}))
            .await
            .expect(200);
        until_waiting(&scene.house, n as u64 + 1).await;
    }
    assert!(scene.receiver.is_empty());
    scene.clock.advance(3 * HOUR_MS);
    let posted = scene.receiver.next().await;
    let message: Value = serde_json::from_slice(&posted.body).unwrap();
    let text = message["content"].as_str().unwrap();
    assert_eq!(text.matches("You won ").count(), 2, "{text}");
}

/// Waits until so many notices wait to be sent.
async fn until_waiting(house: &House, count: u64) {
    let started = Instant::now();
    while house.store().waiting_notices().await.unwrap() != count {
        assert!(started.elapsed() < PATIENCE, "not {count} notices");
        sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_fails_is_tried_again_and_one_that_is_gone_is_removed() {
    let mut scene = scene().await;
    let dead = scene.add("ntfy", "/dead").await;
    scene.wish(wishes(&["turn"])).await;
    let id = scene.game().await;
    scene.receiver.answer(503);
    scene.play(&scene.bob, &id, "1,1").await;
    assert_eq!(scene.receiver.next().await.path, "/dead");
    until_failed(&scene).await;
    assert!(scene.receiver.is_empty(), "it waits");
    scene.receiver.answer(410);
    scene.clock.advance(2 * MINUTE_MS);
    scene.receiver.next().await;
    let started = Instant::now();
    let view = loop {
        let view = scene.view().await;
        if view["targets"] == json!([]) {
            break view;
        }
        assert!(started.elapsed() < PATIENCE, "{view}");
        sleep(Duration::from_millis(20)).await;
    };
    let gone = view["gone"].as_str().unwrap();
    assert!(
        gone.starts_with("ntfy at 127.0.0.1 was removed: it answered 410"),
        "{gone}"
    );
    let path = format!("/targets/{dead}/test");
    let missing = send(&scene.house, Method::POST, &scene.ann, &path, json!({})).await;
    missing.problem(404, "not-found");
}

async fn until_failed(scene: &Scene) {
    let started = Instant::now();
    while scene.view().await["targets"][0]["failures"] != 1 {
        assert!(started.elapsed() < PATIENCE, "no failure");
        sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_node_has_claimed_is_sent_by_another() {
    let mut scene = scene().await;
    let target = scene.add("ntfy", "/ann").await;
    scene.wish(wishes(&["turn"])).await;
    let id = scene.game().await;
    let now = 1_800_000_000_000;
    let store = scene.house.store();
    // Another node holds the address, and is gone.
    let claim = store
        .claim_notice_target(target, 77, now, now + MINUTE_MS)
        .await;
    let claim = claim.unwrap().unwrap();
    scene.play(&scene.bob, &id, "1,1").await;
    until_waiting(&scene.house, 1).await;
    let due = scene.house.store().due_notice_targets(now, 10).await;
    assert_eq!(due.unwrap(), [0; 0], "it is left to the other node");
    scene.clock.advance(MINUTE_MS);
    scene.receiver.next().await;
    until_waiting(&scene.house, 0).await;
    let sent = parlor_store::Delivery::Sent {
        at: Some(now),
        full_at: now,
    };
    let late = scene.house.store().end_notice_delivery(&claim, sent, &[]);
    assert!(
        !late.await.unwrap(),
        "what the dead node does late is refused"
    );
    assert!(scene.receiver.is_empty(), "it was sent once");
}

#[tokio::test]
#[ignore = "needs PARLOR_TEST_POSTGRES"]
async fn two_nodes_tell_once() {
    in_new_database("PARLOR_TEST_POSTGRES", |url| async move {
        let open = async || {
            let store = Store::open(&url).await.unwrap();
            House::on_with(store, |config| config.notices.to_private = true).await
        };
        let (house, other) = (open().await, open().await);
        until_ready([&house, &other], "nodes: 2").await;
        let ann = Member::sign_up(&house, "Ann").await;
        let bob = Member::sign_up(&house, "Bob").await;
        let mut scene = Scene {
            house,
            clock: ManualClock::new(),
            ann,
            bob,
            receiver: Receiver::open().await,
        };
        scene.add("ntfy", "/ann").await;
        scene.wish(wishes(&["turn"])).await;
        let id = scene.game().await;
        let play = async |house: &House, who: &Member, text: &str| {
            let body = json!({ "move": text });
            house.act(&who.token, &id, "moves", body).await.expect(200);
        };
        for (his, hers) in [("0,0", "1,0"), ("2,1", "1,1"), ("2,2", "0,2")] {
            play(&scene.house, &scene.bob, his).await;
            scene.receiver.next().await;
            assert!(scene.receiver.is_empty(), "one notice for each turn");
            play(&other, &scene.ann, hers).await;
        }
    })
    .await;
}

#[tokio::test]
async fn nothing_is_sent_into_private_networks() {
    let house = House::with(|config| {
        config.notices.resolver = HostResolver::new(|host| {
            let address = match host.as_str() {
                "private.example" => "10.0.0.7",
                "mapped.example" => "::ffff:169.254.169.254",
                _ => "0.0.0.0",
            };
            async move { Ok(vec!["1.1.1.1".parse().unwrap(), address.parse().unwrap()]) }.boxed()
        });
    })
    .await;
    let ann = Member::sign_up(&house, "Ann").await;
    let add = async |address: &str| {
        let new = json!({ "kind": "slack", "address": address });
        send(&house, Method::POST, &ann, "/targets", new).await
    };
    for address in [
        "https://127.0.0.1/x",
        "https://[::1]/x",
        "http://hook.example/x",
        "https://hook.example:22/x",
        "https://ann@hook.example/x",
    ] {
        let refused = add(address).await.problem(422, "bad-content");
        assert_eq!(refused["field"], "address", "{address}");
    }
    for host in ["private.example", "mapped.example", "2130706433"] {
        let added = add(&format!("https://{host}/x")).await.expect(201);
        let path = format!("/targets/{}/test", added["id"]);
        let tested = send(&house, Method::POST, &ann, &path, json!({})).await;
        let tested = tested.expect(200);
        assert_eq!(
            (&tested["taken"], &tested["status"]),
            (&json!(false), &Value::Null)
        );
        let detail = tested["detail"].as_str().unwrap();
        assert!(detail.contains("private network"), "{host}: {detail}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_accounts_page_does_it_all_without_a_script() {
    let mut scene = scene().await;
    let post = async |path: &str, fields: &[(&str, &str)]| {
        let request = scene.house.request(Method::POST, path);
        let request = form(request.header(COOKIE, &scene.ann.cookie), fields);
        Answer::of(request).await
    };
    let address = format!("{}/topic", scene.receiver.url)
        .replace(':', "%3A")
        .replace('/', "%2F");
    let fields = [("kind", "ntfy"), ("address", address.as_str())];
    let page = post("/account/notices/targets", &fields).await;
    assert_eq!(page.status, 200);
    assert!(page.text.contains("<b>ntfy</b> 127.0.0.1"), "{}", page.text);
    assert!(
        !page.text.contains("/topic"),
        "the page shows the host alone"
    );
    let fields = [
        ("kind.turn", "yes"),
        ("quiet-from", "22%3A00"),
        ("quiet-to", "07%3A00"),
        ("utc-offset", "120"),
    ];
    post("/account/notices", &fields).await;
    let view = scene.view().await;
    assert_eq!(view["wishes"]["kinds"], json!(["turn"]));
    assert_eq!(
        view["wishes"]["quiet"],
        json!({ "from": "22:00", "to": "07:00" })
    );
    assert_eq!(view["wishes"]["utc_offset"], 120);
    let half = post("/account/notices", &[("quiet-from", "22%3A00")]).await;
    assert_eq!(half.status, 422);
    let target = view["targets"][0]["id"].as_i64().unwrap();
    let test = format!("/account/notices/targets/{target}/test");
    let tested = post(&test, &[]).await;
    assert!(
        tested.text.contains("The address took the test"),
        "{}",
        tested.text
    );
    let posted = scene.receiver.posts.try_recv().unwrap();
    let actions = posted.headers["actions"].to_str().unwrap();
    let stop = actions.split(", ").nth(2).unwrap();
    let stop = stop.strip_prefix("http://house.example").unwrap();
    let asked = scene.house.get(stop).await;
    assert!(asked.text.contains("Turn off"), "{}", asked.text);
    assert_eq!(
        scene.view().await["targets"].as_array().unwrap().len(),
        1,
        "a link stops nothing"
    );
    scene.receiver.answer(403);
    let tested = post(&test, &[]).await;
    assert!(tested.text.contains("it answered 403"), "{}", tested.text);
    assert!(scene.receiver.posts.try_recv().is_ok());
    post("/account/notices/end", &[]).await;
    assert_eq!(scene.view().await["targets"], json!([]));
    let worker = scene.house.get("/notices-worker.js").await;
    let kind = worker.headers["content-type"].to_str().unwrap();
    assert!(kind.starts_with("text/javascript"), "{kind}");
    assert!(worker.text.contains("showNotification"));
}

#[tokio::test]
async fn a_house_may_send_no_notices_at_all() {
    let house = House::with(|config| config.notices.on = false).await;
    let ann = Member::sign_up(&house, "Ann").await;
    let refused = send(&house, Method::GET, &ann, "", json!({})).await;
    refused.problem(403, "notices-off");
    let page = house.request(Method::GET, "/account");
    let page = Answer::of(page.header(COOKIE, &ann.cookie)).await;
    assert!(!page.text.contains("id=\"notices\""), "{}", page.text);
    let export = house.get_as(&ann.token, "/api/v1/me/export").await;
    assert_eq!(export.status, 200);
}
