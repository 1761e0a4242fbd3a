//! The page of a git repository with tables, served by a static file host below a path of its own.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{Response, header};
use parlor_core::Seat;
use parlor_games::{AnyPosition, GameKind};
use parlor_git::house::{HouseBranch, add_player, create_house, create_table};
use parlor_git::paths::Slug;
use parlor_git::player::{PlayRequest, play};
use parlor_git::referee::{RunContext, run as referee};
use parlor_git::refereed_table::TableSetup;
use parlor_git::{HouseSecret, Identity, Person, Repository, page};
use parlor_table::TableId;
use serde_json::{Value, json};
use thirtyfour::prelude::*;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::access::findings;
use crate::driver::{Browser, DESK, PHONE, Screen, with_browsers};

/// Path of the page on the host.
const PATH: &str = "/some/where/";

/// A static file host that serves a folder, and that can be stopped and restarted at the same
/// address.
struct Host {
    address: SocketAddr,
    folder: Arc<PathBuf>,
    /// Number of answers by path and status.
    answers: Answers,
    running: Option<JoinHandle<()>>,
}

type Answers = Arc<Mutex<BTreeMap<(String, u16), u32>>>;

impl Host {
    /// Starts a host with only the page.
    async fn open() -> Host {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!(
            "parlor-git-page-{}-{}",
            std::process::id(),
            COUNT.fetch_add(1, Ordering::Relaxed)
        );
        let folder = Arc::new(std::env::temp_dir().join(name));
        let answers = Answers::default();
        let mut host = Host {
            address: ([127, 0, 0, 1], 0).into(),
            folder,
            answers,
            running: None,
        };
        for (name, content) in page::page_files() {
            host.write(name, content);
        }
        host.come_back().await;
        host
    }

    async fn come_back(&mut self) {
        let listener = TcpListener::bind(self.address).await.unwrap();
        self.address = listener.local_addr().unwrap();
        let router = Router::new()
            .fallback(answer)
            .with_state((Arc::clone(&self.folder), Arc::clone(&self.answers)));
        self.running = Some(tokio::spawn(async {
            axum::serve(listener, router).await.unwrap()
        }));
    }

    async fn go_away(&mut self) {
        let running = self.running.take().expect("the host is there");
        running.abort();
        let _ = running.await;
    }

    fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    fn json(&self, path: &str, content: &Value) {
        self.write(path, serde_json::to_string_pretty(content).unwrap());
    }

    /// Returns the URL of the page, with its polling interval in milliseconds.
    fn url(&self, poll: u32, hash: &str) -> String {
        format!("http://{}{PATH}?poll={poll}#/{hash}", self.address)
    }

    fn answered(&self, path: &str, status: u16) -> u32 {
        *self
            .answers
            .lock()
            .unwrap()
            .get(&(path.to_owned(), status))
            .unwrap_or(&0)
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&*self.folder);
    }
}

/// Answers like a strict static host. Each connection closes after its answer, so that a stopped
/// host is really gone.
async fn answer(
    State((folder, answers)): State<(Arc<PathBuf>, Answers)>,
    request: Request,
) -> Response<Body> {
    let path = request
        .uri()
        .path()
        .strip_prefix(PATH)
        .unwrap_or("outside")
        .to_owned();
    let name = if path.is_empty() { "index.html" } else { &path };
    let kind = match name.rsplit_once('.') {
        Some((_, "html")) => "text/html; charset=utf-8",
        Some((_, "css")) => "text/css",
        Some((_, "js")) => "text/javascript",
        Some((_, "svg")) => "image/svg+xml",
        _ => "application/json",
    };
    let found = std::fs::read(folder.join(name));
    let tag = found
        .as_ref()
        .map(|bytes| format!("\"{}\"", tag_of(bytes)))
        .unwrap_or_default();
    let known = request
        .headers()
        .get(header::IF_NONE_MATCH)
        .is_some_and(|known| *known == *tag);
    let (status, body) = match found {
        Ok(_) if known => (304, Vec::new()),
        Ok(bytes) => (200, bytes),
        Err(_) => (404, Vec::new()),
    };
    *answers.lock().unwrap().entry((path, status)).or_default() += 1;
    Response::builder()
        .status(status)
        .header(header::CONTENT_TYPE, kind)
        .header(header::CONTENT_SECURITY_POLICY, "default-src 'self'")
        .header(header::ETAG, tag)
        .header(header::CONNECTION, "close")
        .body(Body::from(body))
        .unwrap()
}

/// Returns a hash of the content.
fn tag_of(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// A classic game as a referee writes it, move by move.
struct Game {
    position: AnyPosition,
    steps: Vec<(Value, String)>,
    messages: Vec<Value>,
}

const SEATS: [&str; 2] = ["x", "o"];

impl Game {
    fn begin() -> Game {
        let position = parlor_games::mnk::KIND.start(&Value::Null).unwrap();
        let start = (json!({ "n": 0, "text": "Start" }), position.svg(None));
        let mut game = Game {
            position,
            steps: vec![start],
            messages: Vec::new(),
        };
        game.say("info", "Game started. X to move.");
        game
    }

    fn say(&mut self, kind: &str, text: &str) {
        self.messages
            .push(json!({ "type": kind, "text": text, "timestamp": "2026-11-22T08:00:00Z" }));
    }

    fn play(&mut self, text: &str) {
        let n = self.steps.len();
        let seat = (n - 1) % 2;
        self.position
            .play(text, Seat::new(u8::try_from(seat).unwrap()).unwrap())
            .unwrap();
        let step = json!({ "n": n, "seat": SEATS[seat], "text": text });
        self.steps.push((step, self.position.svg(Some(text))));
    }

    fn state(&self) -> Value {
        let played = self.steps.len() - 1;
        let last = json!({ "sequence": played, "player": SEATS[(played + 1) % 2], "file": format!("{played:04}-{}-a1b2c3.json", SEATS[(played + 1) % 2]) });
        json!({
            "game": "mnk", "turn": played + 1, "activePlayer": SEATS[played % 2], "players": { "x": "alice", "o": "bob" },
            "status": "playing", "winner": null, "outcome": null, "position": self.position.text(), "view": {},
            "lastMove": if played == 0 { Value::Null } else { last }, "messages": self.messages,
            "updatedAt": format!("2026-11-22T08:00:{played:02}Z"),
        })
    }

    /// Writes all files as after a push. The state comes first, so the page may see it without the
    /// rest.
    fn write(&self, host: &Host, id: &str) {
        host.json(&format!("tables/{id}/state.json"), &self.state());
        self.write_rest(host, id);
    }

    fn write_rest(&self, host: &Host, id: &str) {
        let (steps, pictures): (Vec<&Value>, Vec<&String>) =
            self.steps.iter().map(|(step, svg)| (step, svg)).unzip();
        for (n, picture) in pictures.iter().enumerate() {
            host.write(&format!("tables/{id}/steps/{n}.svg"), picture);
        }
        host.write(
            &format!("tables/{id}/board.svg"),
            pictures[pictures.len() - 1],
        );
        host.json(
            &format!("tables/{id}/steps/index.json"),
            &json!({ "steps": steps }),
        );
        host.json(
            &format!("tables/{id}/table.json"),
            &agreed("mnk", Value::Null, Value::Null),
        );
        let entry = json!({
            "id": id, "game": "mnk", "title": "Tic-tac-toe", "players": { "x": "alice", "o": "bob" }, "status": "playing",
            "winner": null, "turn": steps.len(), "updatedAt": "2026-11-22T08:00:00Z",
        });
        host.json("tables/index.json", &json!({ "tables": [entry] }));
    }
}

fn agreed(game: &str, luck: Value, result: Value) -> Value {
    json!({
        "format": "parlor-git-table/1", "table": "0c5m8xq3k2a", "game": game, "options": { "rows": 3, "symbols": "XO" },
        "players": { "x": "alice", "o": "bob" }, "luck": luck, "createdAt": "2026-11-22T07:00:00Z", "result": result,
    })
}

/// Returns the published backgammon state with an opening roll of 3 and 1.
fn backgammon() -> Value {
    json!({
        "turn": 12, "activePlayer": "white", "dice": [3, 1], "diceUsed": [3],
        "board": [-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2],
        "bar": { "white": 0, "black": 0 }, "home": { "white": 0, "black": 0 }, "lastMove": null, "status": "playing",
        "winner": null, "players": { "white": "alice", "black": "bot:level:3" }, "messages": [], "updatedAt": "2026-11-22T08:00:00Z",
    })
}

/// Script that is true when the picture shows this many stones.
fn stones(count: usize) -> String {
    format!("document.querySelectorAll('[data-part=picture] .stone').length === {count}")
}

/// Returns the errors in the browser's log, except failed downloads.
async fn faults(browser: &Browser) -> Vec<String> {
    browser
        .complaints()
        .await
        .into_iter()
        .filter(|complaint| !complaint.contains("Failed to load resource"))
        .collect()
}

const NONE: Vec<String> = Vec::new();
const STALE: &str = "document.querySelector('[data-part=stale]').checkVisibility()";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_game_in_a_repository_is_followed_live_and_back_through_its_steps() {
    with_browsers(async |_, browsers| {
        let host = Host::open().await;
        let mut game = Game::begin();
        game.write(&host, "friday");
        let ann = browsers.open(DESK).await;
        ann.go(&host.url(100, "")).await;
        ann.says("[data-part=open]", "alice and bob").await;
        ann.click("[data-part=open] a").await;
        ann.says("[data-part=headline]", "alice (X) to move").await;
        assert_eq!(
            ann.value("document.title").await,
            json!("alice (X) to move · friday · Parlor")
        );
        ann.says("[data-part=subtitle]", "Tic-tac-toe").await;
        ann.until(&stones(0)).await;

        // A move arrives with its state; the picture may come later.
        game.play("1,1");
        game.say("warning", "state.json was changed by Mallory: taken back.");
        host.json("tables/friday/state.json", &game.state());
        ann.says("[data-part=headline]", "bob (O) to move").await;
        ann.says("[data-part=said]", "taken back. bob (O) to move.")
            .await;
        game.write_rest(&host, "friday");
        ann.until(&stones(1)).await;
        ann.says("[data-part=messages] li:first-child.warning", "Warning")
            .await;
        ann.says("[data-part=files]", "0001-x-a1b2c3.json").await;
        ann.says("[data-part=turn]", "Turn 2").await;
        for text in ["0,0", "0,2"] {
            game.play(text);
        }
        game.write(&host, "friday");
        ann.until(&stones(3)).await;
        ann.says("[data-part=where]", "Step 3 of 3").await;
        ann.picture("git-page-table").await;

        // Step back with the keyboard; a new move is then announced, but not shown.
        ann.press(Key::Left).await;
        ann.until(&stones(2)).await;
        ann.press(Key::Left).await;
        ann.until(&stones(1)).await;
        ann.says("[data-part=where]", "Step 1 of 3").await;
        ann.says("[data-part=past]", "Earlier position: X 1,1")
            .await;
        ann.says("[data-part=moves] [aria-current=step]", "1,1")
            .await;
        game.play("2,0");
        game.write(&host, "friday");
        ann.says("[data-part=stepper] .live", "Live, 1 new").await;
        ann.says("[data-part=headline]", "alice (X) to move").await;
        ann.until(&stones(1)).await;
        ann.picture("git-page-past").await;
        ann.click("[data-step=first]").await;
        ann.until(&stones(0)).await;
        ann.click("[data-step=on]").await;
        ann.until(&stones(1)).await;
        // The URL holds the step, so it can be shared.
        assert_eq!(ann.value("location.hash").await, json!("#/t/friday/1"));
        ann.driver.refresh().await.unwrap();
        ann.until(&stones(1)).await;
        ann.says("[data-part=where]", "Step 1 of 4").await;
        ann.click("[data-step=live]").await;
        ann.until(&stones(4)).await;
        game.play("1,2");
        game.write(&host, "friday");
        ann.until(&stones(5)).await;
        ann.click("[data-part=moves] li:nth-child(3) a").await;
        ann.until(&stones(2)).await;
        // Stepping past the last step returns to live.
        for count in 3..=5 {
            ann.press(Key::Right).await;
            ann.until(&stones(count)).await;
        }
        ann.until("document.querySelector('[data-step=live][aria-pressed=true]')")
            .await;

        // Unchanged files were not sent again.
        assert!(host.answered("tables/friday/state.json", 304) > 0);
        assert_eq!(ann.complaints().await, NONE);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_page_that_cannot_be_fresh_says_so_until_it_is() {
    with_browsers(async |_, browsers| {
        let mut host = Host::open().await;
        let mut game = Game::begin();
        game.play("1,1");
        game.write(&host, "friday");
        let ann = browsers.open(DESK).await;
        ann.go(&host.url(100, "t/friday")).await;
        ann.until(&stones(1)).await;
        assert_eq!(ann.value(STALE).await, json!(false));

        // A half-written state is ignored, and the old one stays.
        let whole = serde_json::to_string(&game.state()).unwrap();
        host.write("tables/friday/state.json", &whole[..whole.len() / 2]);
        ann.until(STALE).await;
        ann.says("[data-part=stale]", "state.json is incomplete").await;
        ann.until(&stones(1)).await;
        host.write("tables/friday/state.json", "[]");
        ann.says("[data-part=stale]", "has an unexpected format").await;
        game.play("0,0");
        game.write(&host, "friday");
        ann.until(&format!("!{STALE}")).await;
        ann.until(&stones(2)).await;

        host.go_away().await;
        ann.until(STALE).await;
        ann.says("[data-part=stale]", "The server is not responding").await;
        ann.until("/^Last updated .+; trying again in \\d+ s$/.test(document.querySelector('[data-part=stale-text]').textContent)")
            .await;
        ann.says("[data-part=said]", "cannot be read").await;
        ann.says("[data-part=headline]", "alice (X) to move").await;
        ann.picture("git-page-stale").await;
        game.play("2,2");
        game.write(&host, "friday");
        host.come_back().await;
        ann.until(&format!("!{STALE}")).await;
        ann.until(&stones(3)).await;
        ann.says("[data-part=said]", "bob (O) to move").await;

        // A deleted table differs from an unknown one: its last state stays.
        std::fs::remove_file(host.folder.join("tables/friday/state.json")).unwrap();
        ann.until(STALE).await;
        ann.until(&stones(3)).await;
        assert_eq!(faults(&ann).await, NONE);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn whoever_comes_back_or_asks_for_it_is_not_kept_waiting() {
    with_browsers(async |_, browsers| {
        let mut host = Host::open().await;
        let mut game = Game::begin();
        game.write(&host, "friday");
        let ann = browsers.open(DESK).await;
        // A page that polls once a minute won't poll again during this test.
        ann.go(&host.url(60_000, "t/friday")).await;
        ann.until(&stones(0)).await;
        game.play("1,1");
        game.write(&host, "friday");
        let hide = |is: bool| {
            format!("(Object.defineProperty(document, 'hidden', {{ value: {is}, configurable: true }}), document.dispatchEvent(new Event('visibilitychange')))")
        };
        ann.value(&hide(true)).await;
        ann.value(&hide(false)).await;
        ann.until(&stones(1)).await;
        host.go_away().await;
        ann.value("dispatchEvent(new Event('online'))").await;
        ann.says("[data-part=stale-text]", "trying again in ").await;
        host.come_back().await;
        ann.click("[data-part=stale-now]").await;
        ann.until(&format!("!{STALE}")).await;
        assert_eq!(faults(&ann).await, NONE);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn nothing_that_others_wrote_does_anything_or_breaks_the_page() {
    with_browsers(async |_, browsers| {
        let host = Host::open().await;
        let evil = "<img src=x onerror='window.hacked = 1'>";
        let message = |kind: &str| json!({ "type": kind, "text": evil, "timestamp": "yesterday" });
        host.json(
            "tables/evil/state.json",
            &json!({
                "game": evil, "turn": evil, "activePlayer": "constructor", "players": { "constructor": evil, "o": 7, "__proto__x": null },
                "lastMove": { "file": "../../../x\" onclick=\"", "player": evil }, "messages": [message("error"), message("constructor"), 7, null],
                "dice": [9, "x", 2], "updatedAt": evil,
            }),
        );
        host.write(
            "tables/evil/board.svg",
            "<svg xmlns='http://www.w3.org/2000/svg' xmlns:l='http://www.w3.org/1999/xlink' viewBox='0 0 9 9' onload='window.hacked = 1' style='color: red'>\
             <script>window.hacked = 1</script><foreignObject><body xmlns='http://www.w3.org/1999/xhtml' onload='window.hacked = 1'/></foreignObject>\
             <a href='javascript:window.hacked = 1'><rect width='9' height='9'/></a><style>* { display: none }</style>\
             <use href='http://127.0.0.1:1/x.svg#a'/><use l:href='other.svg#a'/><rect id='kept' width='5' height='5' fill='url(#a)'/>\
             <rect id='bare' width='5' height='5' fill='url(http://127.0.0.1:1/x)' onclick='window.hacked = 1'/>\
             <set attributeName='href' to='x'/><use id='own' href='#kept'/></svg>",
        );
        host.json("tables/empty/state.json", &json!({}));
        host.json("tables/odd/state.json", &json!({ "board": 3, "dice": {}, "messages": "x", "players": ["a"], "lastMove": [] }));
        host.json("tables/odd/table.json", &json!({ "luck": { "commitment": 3 }, "options": [], "result": 7 }));
        host.json("tables/odd/steps/index.json", &json!({ "steps": [null, { "n": -1 }, { "n": "2" }, { "n": 0 }] }));
        host.write("tables/odd/board.svg", "<svg xmlns='http://www.w3.org/2000/svg'><g>");
        let entries = json!([null, 7, {}, { "id": "../x" }, { "id": "evil", "players": evil, "title": evil }, { "id": "empty", "updatedAt": 3 }]);
        host.json("tables/index.json", &json!({ "tables": entries }));

        let ann = browsers.open(DESK).await;
        ann.go(&host.url(100, "")).await;
        ann.until("document.querySelectorAll('[data-part=open] li').length === 2").await;
        ann.says("[data-part=open]", evil).await;
        for (id, says) in [("evil", evil), ("empty", "The game goes on"), ("odd", "The game goes on")] {
            ann.go(&host.url(100, &format!("t/{id}"))).await;
            ann.says("[data-part=table]:not([hidden])", says).await;
            if id == "evil" {
                ann.until("document.querySelector('[data-part=picture] #kept')").await;
                let left = "[...document.querySelectorAll('[data-part=picture] *')].flatMap((e) => [e.localName, ...[...e.attributes].map((a) => a.name)])";
                let left = ann.value(left).await;
                let left: Vec<&str> = left.as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
                let rect = ["rect", "id", "width", "height"];
                let expected = [&["svg", "xmlns", "xmlns:l", "viewBox", "use", "use"][..], &rect, &["fill"], &rect, &["use", "id", "href"]].concat();
                assert_eq!(left, expected);
                assert_eq!(ann.value("document.querySelectorAll('main [onclick], main [onerror], .side img').length").await, json!(0));
            }
        }
        ann.until("document.querySelector('[data-part=picture] img')").await;
        for id in ["nobody", "No%20Name"] {
            ann.go(&host.url(100, &format!("t/{id}"))).await;
            ann.says("[data-part=unknown]:not([hidden])", "No such table").await;
        }
        // A table that appears later is shown.
        ann.go(&host.url(100, "t/nobody")).await;
        ann.says("[data-part=unknown]:not([hidden])", "keeps looking").await;
        Game::begin().write(&host, "nobody");
        ann.says("[data-part=table]:not([hidden])", "alice (X) to move").await;
        assert_eq!(ann.value("window.hacked ?? null").await, Value::Null);
        // The browser reports policy violations as soon as it parses such a picture, before anything
        // is removed from it.
        let mut faults = faults(&ann).await;
        faults.retain(|fault| !fault.contains("violates the following Content Security Policy"));
        assert_eq!(faults, NONE);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn dice_luck_and_the_end_of_a_game_are_told() {
    with_browsers(async |_, browsers| {
        let host = Host::open().await;
        let start = parlor_games::backgammon::KIND.start(&Value::Null).unwrap();
        let secret = "00".repeat(32);
        let commitment = "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925";
        let luck = |secret: Value| json!({ "commitment": commitment, "secret": secret });
        host.json("tables/dice/state.json", &backgammon());
        host.json(
            "tables/dice/table.json",
            &agreed("backgammon", luck(Value::Null), Value::Null),
        );
        host.write("tables/dice/board.svg", start.svg(None));
        let ann = browsers.open(DESK).await;
        ann.go(&host.url(100, "t/dice")).await;
        ann.says("[data-part=dice]", "Dice: 3, 1; 3 used").await;
        ann.until("document.querySelectorAll('[data-part=dice] .die').length === 2")
            .await;
        ann.until("document.querySelectorAll('[data-part=dice] .used').length === 1")
            .await;
        ann.says("[data-part=players] [data-turn]", "to move").await;
        ann.says("[data-part=players]", "Computer, level 3").await;
        ann.says("[data-part=luck]", commitment).await;
        // Without pictures of past positions there are no steps.
        assert_eq!(
            ann.value("document.querySelector('[data-part=stepper]').checkVisibility()")
                .await,
            json!(false)
        );

        let mut over = backgammon();
        (over["status"], over["winner"]) = (json!("completed"), json!("black"));
        let result =
            json!({ "how": "resignation", "outcome": { "kind": "won", "seat": 1, "points": 1 } });
        host.json(
            "tables/dice/table.json",
            &agreed("backgammon", luck(json!(secret)), result),
        );
        host.json("tables/dice/state.json", &over);
        ann.says(
            "[data-part=headline]",
            "Computer, level 3 (Black) won, by resignation",
        )
        .await;
        ann.says("[data-part=players] [data-won]", "Black").await;
        ann.says(
            "[data-part=luck-text]",
            "parlor verify tables/dice/record.json",
        )
        .await;
        ann.says("[data-part=luck]", &secret).await;
        ann.says(
            "[data-part=luck] .good",
            "The secret matches the commitment",
        )
        .await;
        host.json(
            "tables/dice/table.json",
            &agreed("backgammon", luck(json!("11".repeat(32))), Value::Null),
        );
        ann.driver.refresh().await.unwrap();
        ann.says("[data-part=luck] .bad", "does not match").await;
        assert_eq!(faults(&ann).await, NONE);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn the_page_of_a_repository_fits_and_hinders_nobody_by_day_and_night() {
    with_browsers(async |_, browsers| {
        let host = Host::open().await;
        let mut game = Game::begin();
        game.play("1,1");
        game.play("0,0");
        game.say(
            "error",
            "0003-o-0123456789abcdef0123456789abcdef0123456789abcdef.json by Mallory: it is not your turn.",
        );
        game.write(&host, "friday");
        for (id, kind) in [("dice", parlor_games::backgammon::KIND), ("nine", parlor_games::ultimate::KIND), ("world", parlor_games::pandemic::KIND)]
        {
            let state = if id == "dice" {
                backgammon()
            } else {
                json!({ "game": kind.name(), "players": { "one": "ann", "two": "ben" }, "activePlayer": "one" })
            };
            host.json(&format!("tables/{id}/state.json"), &state);
            host.write(&format!("tables/{id}/board.svg"), kind.start(&Value::Null).unwrap().svg(None));
        }
        let narrow = Screen { width: 360, ..PHONE };
        for (name, screen) in [
            ("desk", DESK),
            ("desk-dark", Screen { dark: true, ..DESK }),
            ("phone", Screen { dark: false, ..narrow }),
            ("phone-dark", narrow),
        ] {
            let ann = browsers.open(screen).await;
            for page in ["", "t/friday", "t/friday/1", "t/dice", "t/nine", "t/world", "t/nobody"] {
                ann.go("about:blank").await;
                ann.go(&host.url(60_000, page)).await;
                ann.until("document.querySelector('[data-part=wait]')?.hidden").await;
                ann.until("[...document.images].every((image) => image.complete)").await;
                if page == "t/friday/1" {
                    ann.until(&stones(1)).await;
                }
                let wide = ann.value("document.documentElement.scrollWidth <= innerWidth").await;
                assert_eq!(wide, json!(true), "{page}, {name}: nothing sticks out to the side");
                if page == "t/world" {
                    let scrolls = "document.querySelector('[data-part=frame]').scrollWidth > innerWidth";
                    let is_phone = screen.width == narrow.width;
                    assert_eq!(ann.value(scrolls).await, json!(is_phone), "{name}: the map moves sideways on phones");
                }
                ann.picture(&format!("git-page-{}-{name}", page.replace('/', "-"))).await;
                // Colors are checked once light and once dark.
                if screen.dark == screen.touch {
                    assert_eq!(findings(&ann).await, NONE, "{page}, {name}");
                }
            }
            assert_eq!(faults(&ann).await, NONE);
        }
    })
    .await;
}

/// A bare repository with its referee, players with clones, and a page written to a host's folder.
struct Repositories {
    dir: tempfile::TempDir,
    place: HouseBranch,
    secret: HouseSecret,
}

/// Time of the moves in these repositories, in seconds since the Unix epoch; commits carry later
/// times.
const THEN: i64 = 1_700_000_000;

fn git(at: &Path, args: &[&str]) {
    let done = Command::new("git")
        .arg("-C")
        .arg(at)
        .args(args)
        .output()
        .expect("git starts");
    assert!(
        done.status.success(),
        "git {args:?}: {}",
        String::from_utf8_lossy(&done.stderr)
    );
}

impl Repositories {
    fn open(people: &[&str]) -> Repositories {
        let dir = tempfile::tempdir().unwrap();
        let bare = dir.path().join("house.git");
        git(
            dir.path(),
            &[
                "init",
                "--quiet",
                "--bare",
                "--initial-branch=main",
                "house.git",
            ],
        );
        let place = HouseBranch {
            repository: Repository::open(&bare).unwrap(),
            name: "main".to_owned(),
            remote: None,
        };
        let secret = HouseSecret::new([7; 32]);
        create_house(&place, &secret, Identity::Email, THEN).unwrap();
        for name in people {
            let person = Person {
                emails: vec![format!("{name}@example.org")],
                ..Person::default()
            };
            add_player(&place, &secret, name, &person, THEN).unwrap();
            git(dir.path(), &["clone", "--quiet", "house.git", name]);
            git(&dir.path().join(name), &["config", "user.name", name]);
            git(
                &dir.path().join(name),
                &["config", "user.email", &format!("{name}@example.org")],
            );
        }
        git(dir.path(), &["clone", "--quiet", "house.git", "pages"]);
        Repositories { dir, place, secret }
    }

    fn table(&self, number: u64, slug: &str, game: GameKind, players: [&str; 2]) -> Slug {
        let slug: Slug = slug.parse().unwrap();
        let options = Value::Null;
        let players = players.map(str::to_owned).to_vec();
        let invitation = TableSetup {
            table: TableId::new(number).unwrap(),
            game,
            options,
            players,
            now: THEN,
        };
        create_table(&self.place, &self.secret, &slug, &invitation).unwrap();
        slug
    }

    /// Runs the referee and updates the page, as a job does after each push.
    fn answer(&self, host: &Host) {
        let around = RunContext {
            actor: None,
            now: i64::MAX,
        };
        let report = referee(&self.place, &self.secret, &around).unwrap();
        assert_eq!(report.problems, NONE);
        let pages = self.dir.path().join("pages");
        git(&pages, &["pull", "--quiet"]);
        page::build(&pages, &host.folder).unwrap();
    }

    /// Pushes for a player, then runs the referee and updates the page.
    fn play(&self, host: &Host, player: &str, slug: &Slug, text: &str) {
        let clone = self.dir.path().join(player);
        git(&clone, &["pull", "--quiet", "--rebase"]);
        let wanted = PlayRequest {
            table: slug,
            text,
            seat: None,
            comment: None,
            remote: Some("origin"),
            now: THEN,
        };
        play(&Repository::open(&clone).unwrap(), &wanted).unwrap();
        self.answer(host);
    }

    /// Returns the state that the referee wrote, as the page's host serves it.
    fn state(host: &Host, slug: &Slug) -> Value {
        serde_json::from_slice(&std::fs::read(host.folder.join(slug.file("state.json"))).unwrap())
            .unwrap()
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn games_of_a_real_house_are_followed_live_from_the_first_move_to_the_end() {
    with_browsers(async |_, browsers| {
        let (host, house) = (Host::open().await, Repositories::open(&["alice", "bob"]));
        let slug = house.table(1, "friday", parlor_games::mnk::KIND, ["alice", "bob"]);
        let dice = house.table(2, "dice", parlor_games::backgammon::KIND, ["alice", "bob"]);
        house.answer(&host);
        let ann = browsers.open(DESK).await;
        ann.go(&host.url(100, "")).await;
        ann.until("document.querySelectorAll('[data-part=open] li').length === 2").await;
        ann.click("[data-part=open] a[href='#/t/friday']").await;
        ann.says("[data-part=headline]", "alice (X) to move").await;
        ann.says("[data-part=messages]", "Game started. X to move.").await;
        ann.until(&stones(0)).await;
        // From here on the page must update without a reload.
        ann.value("window.sameAsEver = true").await;

        house.play(&host, "alice", &slug, "1,1");
        ann.until(&stones(1)).await;
        ann.says("[data-part=headline]", "bob (O) to move").await;
        ann.says("[data-part=where]", "Step 1 of 1").await;
        ann.says("[data-part=moves] [aria-current=step]", "X row 2, column 2").await;
        ann.until("/^0001-x-[0-9a-f]{6}\\.json$/.test(document.querySelector('[data-part=files] code')?.textContent)")
            .await;

        // Alice is not Bob: the referee rejects the move, the page says why, and the board stays.
        house.play(&host, "alice", &slug, "0,0");
        ann.says("[data-part=messages] li:first-child.error", "o is bob, but the commit comes from alice").await;
        ann.says("[data-part=said]", "was rejected").await;
        ann.says("[data-part=headline]", "bob (O) to move").await;
        ann.until(&stones(1)).await;
        ann.picture("git-page-real-refused").await;

        for (count, row, column) in [(2, 0, 0), (3, 0, 2), (4, 1, 0), (5, 2, 0)] {
            let (player, seat) = if count % 2 == 0 { ("bob", "O") } else { ("alice", "X") };
            house.play(&host, player, &slug, &format!("{row},{column}"));
            ann.until(&stones(count)).await;
            let told = format!("{seat} row {}, column {}", row + 1, column + 1);
            ann.says("[data-part=moves] [aria-current=step]", &told).await;
        }
        ann.says("[data-part=headline]", "alice (X) won").await;
        ann.says("[data-part=players] [data-won]", "alice").await;
        ann.says("[data-part=messages] li:first-child", "Game over: X wins.").await;
        ann.says("[data-part=stepper] .live", "The end").await;
        ann.press(Key::Left).await;
        ann.until(&stones(4)).await;
        ann.picture("git-page-real-over").await;

        // The other table, a game with luck.
        ann.value("location.hash = '#/t/dice'").await;
        ann.says("[data-part=luck-text]", "the referee committed to a secret").await;
        let on_turn = || {
            let state = Repositories::state(&host, &dice);
            let white = state["activePlayer"] == "white";
            let words =
                if white { ("alice", "alice (White)", "bob (Black)") } else { ("bob", "bob (Black)", "alice (White)") };
            (words, state["turn"].clone())
        };
        for _ in 0..3 {
            let ((player, ..), _) = on_turn();
            let folder = parlor_git::player::read_folder(&host.folder.join(dice.file(""))).unwrap();
            let legal = parlor_git::player::position(&folder).unwrap().0.legal().remove(0).text;
            house.play(&host, player, &dice, &legal);
            let ((_, seated, _), turn) = on_turn();
            ann.says("[data-part=turn]", &format!("Turn {turn}")).await;
            ann.says("[data-part=headline]", &format!("{seated} to move")).await;
        }
        let ((player, _, winner), _) = on_turn();
        house.play(&host, player, &dice, "resign");
        ann.says("[data-part=headline]", &format!("{winner} won, by resignation")).await;
        ann.says("[data-part=luck] .good", "The secret matches the commitment").await;
        ann.picture("git-page-real-dice").await;
        ann.value("location.hash = '#/'").await;
        ann.until("document.querySelectorAll('[data-part=over] li').length === 2").await;
        ann.says("[data-part=over]", "alice won").await;
        assert_eq!(ann.value("window.sameAsEver ?? false").await, json!(true), "the page was not loaded again");
        assert_eq!(ann.complaints().await, NONE);
    })
    .await;
}
