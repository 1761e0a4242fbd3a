//! The pages without scripts: plain links and forms, sent by an HTTP client.

use std::collections::{BTreeMap, BTreeSet};

use parlor_games::GameKind;
use reqwest::header::{COOKIE, LOCATION, SET_COOKIE};
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder, Response, StatusCode};

use crate::house::House;

/// A visitor whose browser keeps cookies and runs no scripts.
struct Person {
    client: Client,
    house: String,
    cookies: BTreeMap<String, String>,
}

impl Person {
    fn new(house: &House) -> Person {
        let client = Client::builder()
            .no_proxy()
            .redirect(Policy::none())
            .build()
            .unwrap();
        Person {
            client,
            house: house.url(""),
            cookies: BTreeMap::new(),
        }
    }

    async fn send(&mut self, request: RequestBuilder) -> Response {
        let cookies: Vec<String> = self
            .cookies
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let request = request
            .header(COOKIE, cookies.join("; "))
            .header("accept", "text/html");
        let response = request.send().await.unwrap();
        for cookie in response.headers().get_all(SET_COOKIE) {
            let cookie = cookie.to_str().unwrap();
            assert!(
                cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"),
                "{cookie}"
            );
            let (name, value) = cookie.split(';').next().unwrap().split_once('=').unwrap();
            self.cookies.insert(name.to_owned(), value.to_owned());
        }
        response
    }

    async fn see(&mut self, path: &str) -> String {
        let request = self.client.get(format!("{}{path}", self.house));
        let response = self.send(request).await;
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        response.text().await.unwrap()
    }

    /// Sends a form and returns the redirect's location, or the status and page of an error.
    async fn submit(
        &mut self,
        path: &str,
        fields: &[(&str, &str)],
    ) -> Result<String, (StatusCode, String)> {
        let encode = |text: &str| {
            text.bytes()
                .map(|b| {
                    if b.is_ascii_alphanumeric() {
                        char::from(b).to_string()
                    } else {
                        format!("%{b:02X}")
                    }
                })
                .collect::<String>()
        };
        let body: Vec<String> = fields
            .iter()
            .map(|(name, value)| format!("{}={}", encode(name), encode(value)))
            .collect();
        let request = self
            .client
            .post(format!("{}{path}", self.house))
            .body(body.join("&"));
        let response = self
            .send(request.header("content-type", "application/x-www-form-urlencoded"))
            .await;
        match response.headers().get(LOCATION) {
            Some(to) => Ok(to.to_str().unwrap().to_owned()),
            None => Err((response.status(), response.text().await.unwrap())),
        }
    }
}

fn link(page: &str) -> String {
    let (_, rest) = page
        .split_once("id=\"link\"")
        .expect("the host sees the link");
    let (_, rest) = rest.split_once("value=\"").unwrap();
    let (url, _) = rest.split_once('"').unwrap();
    format!("/t/{}", url.split_once("/t/").unwrap().1)
}

#[tokio::test]
async fn a_private_game_is_played_by_forms_alone() {
    let house = House::open().await;
    let [mut ann, mut bob, mut eve] = [(); 3].map(|()| Person::new(&house));
    let new = [
        ("game", "mnk"),
        ("preset", "0"),
        ("opponent", "friend"),
        ("name", "Ann <script>"),
    ];
    let table = ann.submit("/new", &new).await.unwrap();
    let link = link(&ann.see(&table).await);
    assert!(link.contains("?invite="));
    assert!(
        !eve.see("/").await.contains(&table),
        "a private table is not in the lobby"
    );
    let hidden = eve.client.get(house.url(&table));
    let hidden = eve.send(hidden).await;
    assert_eq!(hidden.status(), StatusCode::FORBIDDEN);
    let hidden = hidden.text().await.unwrap();
    assert!(hidden.contains("This table is private") && !hidden.contains("Ann"));
    let join = format!("{table}/join");
    let (status, _) = eve.submit(&join, &[("name", "Eve")]).await.unwrap_err();
    assert_eq!(status, StatusCode::FORBIDDEN);
    let page = bob.see(&link).await;
    assert!(
        page.contains("Take a seat")
            && page.contains("Ann &lt;script&gt;")
            && !page.contains("Ann <script>")
    );
    bob.submit(&join, &[("name", "Bob")])
        .await
        .expect("the link was remembered");
    let play = format!("{table}/play");
    for (n, cell) in ["1,1", "0,0", "0,2", "1,0"].into_iter().enumerate() {
        let person = if n % 2 == 0 { &mut ann } else { &mut bob };
        assert_eq!(
            person.submit(&play, &[("move", cell)]).await.unwrap(),
            table
        );
    }
    let (status, page) = bob.submit(&play, &[("move", "2,0")]).await.unwrap_err();
    assert_eq!(status, StatusCode::FORBIDDEN);
    assert!(page.contains("Not your turn") && page.contains("Back to the table"));
    let (status, _) = eve.submit(&play, &[("move", "2,0")]).await.unwrap_err();
    assert_eq!(status, StatusCode::FORBIDDEN);
    let (status, _) = ann.submit(&play, &[("move", "1,1")]).await.unwrap_err();
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        ann.see("/").await.contains("Your turn"),
        "the lobby knows whose turn it is"
    );
    ann.submit(&play, &[("move", "2,0")]).await.unwrap();
    assert!(bob.see(&table).await.contains("You lost"));
    for wrong in ["step=abc", "step=-1", "step=", "of=x"] {
        let page = bob.see(&format!("{table}?{wrong}")).await;
        assert!(page.contains("data-step=\"5\""), "{wrong} is ignored");
    }
    assert!(ann.see(&table).await.contains("You won"));
    assert!(
        bob.see(&format!("{table}?step=1"))
            .await
            .contains("Move 1 of 5")
    );
}

#[tokio::test]
async fn rules_of_ones_own_are_taken_and_wrong_ones_refused_with_the_reason() {
    let house = House::open().await;
    let mut ann = Person::new(&house);
    let own = |rows: &'static str, k: &'static str| {
        [
            ("game", "mnk"),
            ("preset", "own"),
            ("option.rows", rows),
            ("option.columns", "5"),
            ("option.k", k),
            ("opponent", "here"),
        ]
    };
    let table = ann.submit("/new", &own("4", "4")).await.unwrap();
    let page = ann.see(&table).await;
    assert!(page.contains("Rows 4") && page.contains("cell-3-4") && !page.contains("cell-4-0"));
    for (rows, k) in [("99", "3"), ("4", "9"), ("four", "3")] {
        let (status, page) = ann.submit("/new", &own(rows, k)).await.unwrap_err();
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(page.contains("That didn't work"));
    }
    for wrong in [
        [("game", "chess"), ("preset", "0")],
        [("game", "mnk"), ("preset", "77")],
    ] {
        assert_eq!(
            ann.submit("/new", &wrong).await.unwrap_err().0,
            StatusCode::UNPROCESSABLE_ENTITY
        );
    }
}

#[tokio::test]
async fn luck_is_promised_before_the_game_and_checked_after_it() {
    let house = House::open().await;
    let mut ann = Person::new(&house);
    let table = ann
        .submit(
            "/new",
            &[("game", "pig"), ("preset", "0"), ("opponent", "here")],
        )
        .await
        .unwrap();
    let page = ann.see(&table).await;
    assert!(page.contains("Commitment") && !page.contains("Secret</dt>"));
    ann.submit(&format!("{table}/luck"), &[("text", "seven & eleven")])
        .await
        .unwrap();
    assert!(ann.see(&table).await.contains("seven &amp; eleven"));
    ann.submit(&format!("{table}/play"), &[("move", "roll")])
        .await
        .unwrap();
    let (status, _) = ann
        .submit(&format!("{table}/luck"), &[("text", "too late")])
        .await
        .unwrap_err();
    assert_eq!(status, StatusCode::CONFLICT);
    ann.submit(&format!("{table}/resign"), &[]).await.unwrap();
    let page = ann.see(&table).await;
    assert!(
        page.contains("Secret</dt>") && page.contains("Verified"),
        "{page}"
    );
}

#[tokio::test]
async fn a_page_needs_only_its_games_styles_for_its_first_paint_and_allows_nothing_foreign() {
    let house = House::open().await;
    let mut ann = Person::new(&house);
    let table = ann
        .submit(
            "/new",
            &[("game", "mnk"), ("preset", "2"), ("opponent", "here")],
        )
        .await
        .unwrap();
    for path in ["/", &table] {
        let request = ann.client.get(house.url(path));
        let response = ann.send(request).await;
        let policy = response.headers()["content-security-policy"]
            .to_str()
            .unwrap()
            .to_owned();
        assert!(
            policy.contains("default-src 'self'; style-src 'self' 'sha256-")
                && !policy.contains("unsafe"),
            "{policy}"
        );
        let page = response.text().await.unwrap();
        assert!(page.contains("<style>"));
        // The lobby shows a board, too.
        assert_eq!(page.matches("rel=\"stylesheet\"").count(), 1);
        assert!(!page.contains("style=") && !page.contains("onclick"));
        // Only a board needs a script at once.
        let embedded = page.matches("<script>").count();
        assert_eq!(embedded, usize::from(path != "/"), "{path}");
        assert!(
            !page.contains("https://"),
            "everything comes from this server"
        );
    }
    let sizes = [
        zipped(&ann, &house, "/").await,
        zipped(&ann, &house, &table).await,
    ];
    let page = ann.see(&table).await;
    let mut files = 0;
    let is_file = |text: &&str| text.ends_with(".js") || text.ends_with(".css");
    for url in page.split('"').filter(is_file) {
        files += zipped(&ann, &house, url).await;
    }
    assert!(
        sizes.into_iter().all(|size| size + files <= 50 << 10),
        "{sizes:?} and {files} bytes"
    );
    // Parts that only teams need are on their pages alone.
    let of_team = [("game", "pandemic"), ("preset", "0"), ("opponent", "here")];
    let of_team = ann.submit("/new", &of_team).await.unwrap();
    for name in ["/advice.js", "/ways.js"] {
        assert!(!page.contains(name), "{name}");
        assert!(ann.see(&of_team).await.contains(name), "{name}");
    }
    assert!(
        ann.client
            .get(house.url("/assets/../Cargo.toml"))
            .send()
            .await
            .unwrap()
            .status()
            == StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn a_page_names_all_modules_of_its_table_at_once() {
    let house = House::open().await;
    let mut ann = Person::new(&house);
    for kind in GameKind::all() {
        let fields = [("game", kind.name()), ("preset", "0"), ("opponent", "here")];
        let table = ann.submit("/new", &fields).await.unwrap();
        let page = ann.see(&table).await;
        let urls: BTreeSet<&str> = page
            .split('"')
            .filter(|text| text.ends_with(".js"))
            .collect();
        let mut imported = BTreeSet::new();
        for url in &urls {
            let (folder, name) = url.rsplit_once('/').unwrap();
            let script = ann.see(url).await;
            let others = script.split("from \"./").skip(1);
            for other in others.map(|rest| rest.split('"').next().unwrap()) {
                let other = format!("{folder}/{other}");
                assert!(
                    urls.contains(other.as_str()),
                    "{kind}: {name} imports {other}"
                );
                imported.insert(other);
            }
            let later = script.split("import(\"./").skip(1);
            let later = later.map(|rest| rest.split('"').next().unwrap());
            imported.extend(later.map(|other| format!("{folder}/{other}")));
        }
        for url in &urls {
            let preload = format!("rel=\"modulepreload\" href=\"{url}\"");
            assert!(
                imported.contains(*url) || !page.contains(&preload),
                "{kind}: nothing imports {url}"
            );
        }
    }
}

#[tokio::test]
async fn a_page_loads_the_style_of_the_game_on_it_and_of_no_other() {
    let house = House::open().await;
    let mut ann = Person::new(&house);
    let sheets = |page: &str| -> Vec<String> {
        let urls = page.split('"').filter(|text| text.ends_with(".css"));
        urls.map(str::to_owned).collect()
    };
    let styled = GameKind::all()
        .iter()
        .filter(|kind| !kind.style().is_empty());
    for kind in styled {
        let fields = [("game", kind.name()), ("preset", "0"), ("opponent", "here")];
        let table = ann.submit("/new", &fields).await.unwrap();
        let [url] = &sheets(&ann.see(&table).await)[..] else {
            panic!("a page of {kind} has one sheet");
        };
        assert!(url.ends_with(&format!("/{kind}-system.css")), "{url}");
        let sheet = ann.client.get(house.url(url)).send().await.unwrap();
        let header = |name| sheet.headers()[name].to_str().unwrap().to_owned();
        assert_eq!(header("content-type"), "text/css; charset=utf-8");
        assert!(header("cache-control").contains("immutable"));
        // Sheets are sent without the white space that means nothing.
        let dense = |text: &str| -> String {
            let dense: String = text.split_whitespace().collect();
            dense.replace(";}", "}")
        };
        let lines = kind.style().lines().map(str::trim);
        let rules: Vec<&str> = lines.filter(|line| !line.starts_with("/*")).collect();
        let on_screens = rules.join("\n").replace(
            "(prefers-color-scheme: dark)",
            "screen and (prefers-color-scheme: dark)",
        );
        assert_eq!(dense(&sheet.text().await.unwrap()), dense(&on_screens));
        let old = url.split('/').nth(2).unwrap();
        let stale = house.url(&url.replace(old, "0123456789"));
        let stale = ann.client.get(stale).send().await.unwrap();
        assert_eq!(stale.headers()["cache-control"], "no-store");
    }
    assert_eq!(sheets(&ann.see("/leaderboard").await), Vec::<String>::new());
}

/// Returns the compressed size of a page, in bytes.
async fn zipped(person: &Person, house: &House, path: &str) -> usize {
    let cookie = format!("parlor_guest={}", person.cookies["parlor_guest"]);
    let request = person
        .client
        .get(house.url(path))
        .header(COOKIE, cookie)
        .header("accept-encoding", "gzip");
    let response = request.send().await.unwrap();
    assert_eq!(response.headers()["content-encoding"], "gzip");
    response.bytes().await.unwrap().len()
}

#[tokio::test]
async fn a_game_against_the_computer_is_not_called_off() {
    let house = House::open().await;
    let mut ann = Person::new(&house);
    for (opponent, can_call_off) in [("bot", false), ("here", true)] {
        let fields = [
            ("game", "mnk"),
            ("preset", "0"),
            ("opponent", opponent),
            ("bot", "level:1"),
        ];
        let table = ann.submit("/new", &fields).await.unwrap();
        let page = ann.see(&table).await;
        assert!(page.contains("Yes, resign"), "{opponent}");
        assert_eq!(
            page.contains("Call off the game"),
            can_call_off,
            "{opponent}"
        );
    }
}

#[tokio::test]
async fn a_bot_of_the_house_has_its_face_where_it_is_chosen_and_where_it_sits() {
    let house = House::open().await;
    let mut ann = Person::new(&house);
    let lobby = ann.see("/").await;
    assert!(lobby.contains("face-4") && lobby.contains("Level 4, Heron (strong)"));
    let fields = [
        ("game", "mnk"),
        ("preset", "0"),
        ("opponent", "bot"),
        ("bot", "level:4"),
    ];
    let table = ann.submit("/new", &fields).await.unwrap();
    let page = ann.see(&table).await;
    assert_eq!(page.matches("class=\"face ").count(), 1, "people have none");
    assert!(page.contains("face-4") && page.contains("Level 4, Heron</bdi>"));
}

#[tokio::test]
async fn a_friend_and_the_computer_need_two_other_seats() {
    let house = House::open().await;
    let mut ann = Person::new(&house);
    let fields = |players| {
        [
            ("game", "pandemic"),
            ("preset", "own"),
            ("opponent", "both"),
            ("bot", "level:1"),
            ("option.players", players),
        ]
    };
    for players in ["2", "3"] {
        let table = ann.submit("/new", &fields(players)).await.unwrap();
        let id = table.trim_start_matches("/t/");
        let view = ann.see(&format!("/api/v1/tables/{id}")).await;
        let view: serde_json::Value = serde_json::from_str(&view).unwrap();
        assert_eq!(view["seats"].as_array().unwrap().len(), 3, "{view}");
    }
}

#[tokio::test]
async fn a_form_of_another_site_is_refused() {
    let house = House::open().await;
    let mut ann = Person::new(&house);
    let request = ann
        .client
        .post(house.url("/new"))
        .header("origin", "https://elsewhere.example");
    let response = ann
        .send(
            request
                .header("content-type", "application/x-www-form-urlencoded")
                .body("game=mnk"),
        )
        .await;
    assert_eq!(response.status(), StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn people_get_pages_whatever_they_send_to_a_table() {
    let house = House::open().await;
    let (mut ann, mut eve) = (Person::new(&house), Person::new(&house));
    let fields = [("game", "mnk"), ("preset", "0"), ("opponent", "here")];
    let table = ann.submit("/new", &fields).await.unwrap();
    // The table is private, and Eve has no cookie.
    let mut whatever = vec!["join", "play", "talk", "talk/mute", "talk/report", "luck"];
    whatever.extend([
        "ready", "resign", "rematch", "claim", "dice", "analysis", "flip",
    ]);
    for verb in whatever {
        let sent = eve
            .submit(&format!("{table}/{verb}"), &[("move", "1,1")])
            .await;
        let (status, page) = sent.unwrap_err();
        assert_eq!(status, StatusCode::FORBIDDEN, "{verb}");
        assert!(
            page.contains("</html>") && page.contains("private"),
            "{verb}: {page}"
        );
    }
    let request = eve.client.post(house.url(&format!("{table}/play")));
    let request = request.header("accept", "application/json").body("");
    let refused = request.send().await.unwrap();
    let kind = refused.headers()["content-type"].to_str().unwrap();
    assert_eq!(
        kind, "application/problem+json",
        "the script reads problems"
    );
    // A parameter that is there twice.
    let page = ann.see(&format!("{table}?step=1&step=0")).await;
    assert!(page.contains("data-step=\"0\""));
    // The address of a form, opened again.
    let request = ann.client.get(house.url(&format!("{table}/play")));
    let led = ann.send(request).await;
    assert!(led.status().is_redirection());
    assert_eq!(led.headers()[LOCATION], table.as_str());
    let request = ann.client.delete(house.url("/settings"));
    let refused = ann.send(request).await;
    assert_eq!(refused.status(), StatusCode::METHOD_NOT_ALLOWED);
    assert!(refused.text().await.unwrap().contains("</html>"));
}

/// The rules are part of the page only when they are opened: without scripts, a link leads to them.
#[tokio::test]
async fn the_rules_of_a_table_are_a_link_away() {
    let house = House::open().await;
    let mut ann = Person::new(&house);
    for kind in GameKind::all() {
        let fields = [("game", kind.name()), ("preset", "0"), ("opponent", "here")];
        let table = ann.submit("/new", &fields).await.unwrap();
        let page = ann.see(&table).await;
        let rules = format!("/rules/{}", kind.name());
        assert!(page.contains(&format!("<a href=\"{rules}\">")), "{kind}");
        let text = ann.see(&format!("{rules}/text")).await;
        assert!(text.starts_with("<p>") && !page.contains(&text), "{kind}");
        assert!(ann.see(&rules).await.contains(&text), "{kind}");
    }
}

#[tokio::test]
async fn odd_addresses_and_cookies_are_answered_calmly() {
    let house = House::open().await;
    let mut ann = Person::new(&house);
    let table = ann
        .submit(
            "/new",
            &[
                ("game", "mnk"),
                ("preset", "0"),
                ("opponent", "here"),
                ("listed", "yes"),
            ],
        )
        .await
        .unwrap();
    let status = async |person: &mut Person, path: &str| {
        let request = person.client.get(house.url(path));
        let response = person.send(request).await;
        let page = (response.status(), response.text().await.unwrap());
        assert!(page.1.contains("</html>"), "{path} is answered by a page");
        page.0.as_u16()
    };
    assert_eq!(
        status(&mut ann, &format!("{table}?step=999999999")).await,
        200
    );
    assert_eq!(status(&mut ann, &format!("{table}?step=-1")).await, 200);
    assert_eq!(
        status(&mut ann, &format!("{table}?invite=%00%ff")).await,
        200
    );
    for nowhere in [
        "/t/00000000000",
        "/t/x",
        "/t/%ff%fe",
        "/rules/chess",
        "/assets/none.js",
        "/no/such/page",
    ] {
        assert_eq!(status(&mut ann, nowhere).await, 404, "{nowhere}");
    }
    for name in ["parlor_guest", "parlor_tables", "parlor_name"] {
        for value in [
            "",
            "-",
            "...---",
            "zzzzzzzzzzz-1.zzzzzzzzzzz",
            "c3",
            "00",
            &"a".repeat(3000),
        ] {
            let mut eve = Person::new(&house);
            eve.cookies.insert(name.to_owned(), value.to_owned());
            assert_eq!(
                (status(&mut eve, "/").await, status(&mut eve, &table).await),
                (200, 200),
                "{name}={value}"
            );
        }
    }
}

#[tokio::test]
async fn symbols_and_names_are_never_taken_for_markup() {
    let house = House::open().await;
    let mut ann = Person::new(&house);
    let new = [
        ("game", "mnk"),
        ("preset", "own"),
        ("option.symbols", "<&"),
        ("opponent", "here"),
        ("name", "\"><img src=x>"),
        ("listed", "yes"),
    ];
    let table = ann.submit("/new", &new).await.unwrap();
    ann.submit(&format!("{table}/play"), &[("move", "0,0")])
        .await
        .unwrap();
    let mut eve = Person::new(&house);
    for page in [
        ann.see(&table).await,
        ann.see("/").await,
        eve.see("/").await,
        eve.see(&table).await,
    ] {
        assert!(page.contains("&quot;&gt;&lt;img src=x&gt;") && !page.contains("<img"));
    }
    assert!(eve.see(&table).await.contains("row 1, column 1, &lt;"));
}

#[tokio::test]
async fn a_seat_can_be_given_up_before_the_game_and_a_game_called_off_early() {
    let house = House::open().await;
    let (mut ann, mut bob) = (Person::new(&house), Person::new(&house));
    let new = [
        ("game", "mnk"),
        ("preset", "0"),
        ("opponent", "friend"),
        ("listed", "yes"),
        ("begins", "other"),
    ];
    let table = ann.submit("/new", &new).await.unwrap();
    assert!(
        bob.see("/").await.contains(&table),
        "an open table is in the lobby"
    );
    ann.submit(&format!("{table}/leave"), &[]).await.unwrap();
    assert!(ann.see(&table).await.contains("called off"));
    let table = ann.submit("/new", &new).await.unwrap();
    bob.submit(&format!("{table}/join"), &[("name", "Bob")])
        .await
        .unwrap();
    assert!(
        bob.see(&table).await.contains("Your turn"),
        "the opponent goes first"
    );
    assert!(
        Person::new(&house)
            .see("/")
            .await
            .contains("<bdi>Bob</bdi> – <bdi>Guest</bdi>"),
        "a live table is in the lobby"
    );
    let (status, _) = bob
        .submit(&format!("{table}/leave"), &[])
        .await
        .unwrap_err();
    assert_eq!(status, StatusCode::CONFLICT);
    bob.submit(&format!("{table}/abort"), &[]).await.unwrap();
    assert!(ann.see(&table).await.contains("called off"));
}

#[tokio::test]
async fn a_seat_in_a_team_is_left_and_taken_back_by_forms_alone() {
    let house = House::open().await;
    let [mut ann, mut bob, mut eve] = [(); 3].map(|()| Person::new(&house));
    let new = [
        ("game", "pandemic"),
        ("preset", "0"),
        ("opponent", "friend"),
        ("listed", "yes"),
    ];
    let table = ann.submit("/new", &new).await.unwrap();
    let at = |verb: &str| format!("{table}/{verb}");
    bob.submit(&at("join"), &[("name", "Bob")]).await.unwrap();
    bob.submit(&at("resign"), &[]).await.unwrap();
    let page = ann.see(&table).await;
    for words in [
        "<bdi>Bob</bdi> left. A computer plays on: Level 3",
        "for <bdi>Bob</bdi>",
        "Computer for <bdi>Bob</bdi>",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    assert!(!page.contains("Take your seat again"), "{page}");
    let page = bob.see(&table).await;
    assert!(page.contains("Take your seat again"), "{page}");
    assert!(!page.contains("Computer for"), "{page}");
    let lobby = bob.see("/").await;
    assert!(lobby.contains("You left"), "{lobby}");
    assert!(lobby.contains("<bdi>Bob (computer)</bdi>"), "{lobby}");

    let level = [("seat", "1"), ("spec", "level:4")];
    ann.submit(&at("stand-in"), &level).await.unwrap();
    let page = ann.see(&table).await;
    assert!(page.contains("<bdi>Bob</bdi> is now: Level 4"), "{page}");
    for person in [&mut bob, &mut eve] {
        let (status, _) = person.submit(&at("stand-in"), &level).await.unwrap_err();
        assert_eq!(status, StatusCode::FORBIDDEN);
    }
    let (status, _) = eve.submit(&at("return"), &[]).await.unwrap_err();
    assert_eq!(status, StatusCode::FORBIDDEN);

    bob.submit(&at("return"), &[]).await.unwrap();
    let page = ann.see(&table).await;
    assert!(page.contains("<bdi>Bob</bdi> is back."), "{page}");
    assert!(!page.contains("Computer for"), "{page}");
    let (status, page) = bob.submit(&at("return"), &[]).await.unwrap_err();
    assert_eq!(status, StatusCode::CONFLICT);
    assert!(page.contains("have not left this game"), "{page}");
    let (status, page) = ann.submit(&at("stand-in"), &level).await.unwrap_err();
    assert_eq!(status, StatusCode::CONFLICT);
    assert!(page.contains("for somebody who left"), "{page}");
}

#[tokio::test]
async fn clocks_and_offers_work_by_forms_alone() {
    let house = House::open().await;
    let (mut ann, mut bob) = (Person::new(&house), Person::new(&house));
    let new = [
        ("game", "mnk"),
        ("preset", "0"),
        ("opponent", "friend"),
        ("name", "Ann"),
        ("listed", "yes"),
    ];
    let table = ann
        .submit("/new", &[&new[..], &[("clock", "300+3")]].concat())
        .await
        .unwrap();
    bob.submit(&format!("{table}/join"), &[("name", "Bob")])
        .await
        .unwrap();
    let page = ann.see(&table).await;
    assert!(
        page.contains("5 min + 3 s · casual")
            && page.contains("5:00</span>")
            && page.contains("Press Ready")
    );
    let at = |verb: &str| format!("{table}/{verb}");
    ann.submit(&at("ready"), &[]).await.unwrap();
    assert!(bob.see(&table).await.contains("ready"));
    ann.submit(&at("play"), &[("move", "1,1")]).await.unwrap();
    bob.submit(&at("play"), &[("move", "0,0")]).await.unwrap();
    ann.submit(&at("takeback"), &[]).await.unwrap();
    assert!(
        bob.see(&table)
            .await
            .contains("<bdi>Ann</bdi> asks to take back the last move.")
    );
    bob.submit(&at("takeback/decline"), &[]).await.unwrap();
    assert!(ann.see(&table).await.contains("Move 2 of 2"));
    let (status, page) = ann
        .submit(&at("claim"), &[("claim", "win")])
        .await
        .unwrap_err();
    assert!(
        status == StatusCode::CONFLICT && page.contains("othing to claim"),
        "{status}"
    );
    // A browser may send a form again.
    let page = ann.see(&table).await;
    let version = page.split("data-version=\"").nth(1).unwrap();
    let version = [("version", version.split('"').next().unwrap())];
    ann.submit(&at("give-time"), &version).await.unwrap();
    let again = ann.submit(&at("give-time"), &version).await.unwrap_err();
    assert_eq!(again.0, StatusCode::CONFLICT);
    assert!(bob.see(&table).await.contains("5:1"));
    bob.submit(&at("draw"), &[]).await.unwrap();
    assert!(
        ann.see(&table)
            .await
            .contains("<bdi>Bob</bdi> offers a draw.")
    );
    let (status, _) = bob.submit(&at("draw/accept"), &[]).await.unwrap_err();
    assert_eq!(
        status,
        StatusCode::CONFLICT,
        "you can't accept your own offer"
    );
    ann.submit(&at("draw/accept"), &[]).await.unwrap();
    assert!(bob.see(&table).await.contains("Draw by agreement"));
    for wrong in ["0+0", "40d", "own"] {
        let fields = [&new[..], &[("clock", wrong), ("minutes", "many")]].concat();
        let (status, page) = ann.submit("/new", &fields).await.unwrap_err();
        assert!(
            status == StatusCode::UNPROCESSABLE_ENTITY && page.contains("time control"),
            "{wrong}"
        );
    }
    let (status, page) = ann
        .submit("/new", &[&new[..], &[("rated", "yes")]].concat())
        .await
        .unwrap_err();
    assert!(
        status.is_client_error() && page.contains("sign in"),
        "{status}"
    );
}

/// Returns the first text between two others.
fn between<'a>(page: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let rest = &page[page.find(before)? + before.len()..];
    rest.get(..rest.find(after)?)
}

#[tokio::test]
async fn a_move_in_parts_is_made_by_links_and_played_by_a_form() {
    let house = House::open().await;
    let mut ann = Person::new(&house);
    let table = ann
        .submit(
            "/new",
            &[
                ("game", "backgammon"),
                ("opponent", "here"),
                ("name", "Ann"),
            ],
        )
        .await
        .unwrap();
    let mut page = ann.see(&table).await;
    for step in 0..3 {
        let Some(way) = between(
            &page,
            "<ul class=\"ways\"><li><a class=\"button\" href=\"",
            "\"",
        ) else {
            break;
        };
        assert!(step < 2, "two dice are played in two steps at most");
        page = ann.see(&way.replace("&amp;", "&")).await;
        assert!(
            page.contains("Undo<span class=\"wide\">\u{a0}step</span>"),
            "{page}"
        );
    }
    let whole = between(&page, "name=\"move\" value=\"", "\"")
        .expect("the whole move can be played")
        .to_owned();
    let version = between(&page, "name=\"version\" value=\"", "\"")
        .unwrap()
        .to_owned();
    let back = between(&page, "class=\"button\" href=\"", "\"")
        .unwrap()
        .replace("&amp;", "&");
    assert!(
        ann.see(&back).await.contains("class=\"ways\""),
        "after undoing a step there are steps to choose again"
    );
    let fields = [("move", whole.as_str()), ("version", version.as_str())];
    assert_eq!(
        ann.submit(&format!("{table}/play"), &fields).await,
        Ok(table.clone())
    );
    let played = ann.see(&table).await;
    assert!(
        played.contains(&whole.replace(',', " ")),
        "the list of moves has it"
    );
    let (status, said) = ann
        .submit(&format!("{table}/play"), &fields)
        .await
        .unwrap_err();
    assert!(status == StatusCode::CONFLICT && said.contains("Back to the table"));
    let mut stale = async |of: usize| {
        let page = ann.see(&format!("{table}?draft=24/23&of={of}")).await;
        page.contains("was dropped")
    };
    assert!(stale(0).await, "dice were rolled since");
    assert!(!stale(1).await, "it was played");
    let flipped = ann.submit(&format!("{table}/flip"), &[]).await.unwrap();
    assert!(flipped == table && ann.see(&table).await.contains("aria-pressed=\"true\""));
}

#[tokio::test]
async fn talk_is_hidden_and_shown_again_among_the_settings() {
    let house = House::open().await;
    let mut ann = Person::new(&house);
    for (word, offers) in [
        ("off", "Show talk at tables"),
        ("on", "Hide talk at all tables"),
    ] {
        let back = ann.submit("/settings/talk", &[("talk", word)]).await;
        assert_eq!(back, Ok("/settings".to_owned()));
        assert!(ann.see("/settings").await.contains(offers), "{word}");
    }
}
