//! The admin pages: their content, access control and audit log.

use parlor_store::{AuditFilter, AuditLine, ListPage, Store};
use reqwest::header::COOKIE;
use reqwest::{Client, Method, redirect};
use serde_json::json;

use super::house::{Answer, House};
use super::members::{Member, form};

pub struct Office {
    pub house: House,
    store: Store,
    keeper: Member,
    browser: Client,
}

impl Office {
    /// Starts a server with an admin called Keeper.
    async fn open() -> Office {
        Office::of(House::open().await).await
    }

    /// Makes an admin of a server.
    pub async fn of(house: House) -> Office {
        let store = Store::open(&house.database()).await.unwrap();
        let keeper = Member::sign_up(&house, "Keeper").await;
        let user = store.user_by_name("Keeper").await.unwrap().unwrap();
        let line = AuditLine {
            at: 0,
            admin_id: None,
            admin_name: "test".into(),
            action: "promote".into(),
            target: "Keeper".into(),
            detail: String::new(),
        };
        assert!(store.set_admin(user.id, true, line).await.unwrap());
        let browser = Client::builder()
            .no_proxy()
            .redirect(redirect::Policy::none())
            .build()
            .unwrap();
        Office {
            house,
            store,
            keeper,
            browser,
        }
    }

    async fn get(&self, path: &str) -> Answer {
        Answer::of(
            self.browser
                .get(format!("{}{path}", self.house.url))
                .header(COOKIE, &self.keeper.cookie),
        )
        .await
    }

    pub async fn page(&self, path: &str) -> String {
        let answer = self.get(path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text);
        answer.text
    }

    async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let request = self
            .browser
            .post(format!("{}{path}", self.house.url))
            .header(COOKIE, &self.keeper.cookie);
        Answer::of(form(request, fields)).await
    }

    async fn log(&self) -> Vec<AuditLine> {
        let entries = self
            .store
            .audit(&AuditFilter::default(), &ListPage::default())
            .await
            .unwrap();
        entries.into_iter().map(|entry| entry.line).collect()
    }
}

fn number(id: &str) -> u64 {
    id.parse::<parlor_table::TableId>().unwrap().number()
}

#[tokio::test]
async fn only_admins_come_in() {
    let office = Office::open().await;
    let ann = Member::sign_up(&office.house, "Ann").await;
    for path in [
        "/admin/tables",
        "/admin/players",
        "/admin/tokens",
        "/admin/log",
        "/admin/log.jsonl",
        "/admin/load",
        "/admin/tables/1",
        "/admin/tables/1/delete",
    ] {
        let url = format!("{}{path}", office.house.url);
        let nobody = Answer::of(office.browser.get(&url)).await;
        assert_eq!(
            (
                nobody.status.as_u16(),
                nobody.headers["location"].to_str().unwrap()
            ),
            (303, &*format!("/login?next={path}"))
        );
        assert_eq!(
            Answer::of(office.browser.get(&url).header(COOKIE, &ann.cookie))
                .await
                .status,
            403,
            "{path}"
        );
        assert_ne!(
            Answer::of(office.browser.get(&url).bearer_auth(&office.keeper.token))
                .await
                .status,
            200,
            "{path}"
        );
    }
    for path in [
        "/admin/tables/1/delete",
        "/admin/tables/delete",
        "/admin/players/1",
        "/admin/tokens/1/revoke",
    ] {
        let post = office
            .browser
            .post(format!("{}{path}", office.house.url))
            .header(COOKIE, &ann.cookie);
        assert_eq!(
            Answer::of(form(post, &[("do", "ban")])).await.status,
            403,
            "{path}"
        );
    }
    assert_eq!(office.log().await.len(), 1, "only the promotion is there");
}

#[tokio::test]
async fn a_link_leads_on_after_the_sign_in() {
    let office = Office::open().await;
    let ask = |path: &str| {
        let url = format!("{}{path}", office.house.url);
        Answer::of(office.browser.get(url))
    };
    let link = "/admin/tables?status=over&q=a%20b";
    let asked = ask(link).await;
    let location = asked.headers["location"].to_str().unwrap().to_owned();
    assert_eq!(
        location,
        "/login?next=/admin/tables%3Fstatus%3Dover%26q%3Da%2520b"
    );
    let page = ask(&location).await.text;
    assert!(
        page.contains("name=\"next\" value=\"/admin/tables?status=over&amp;q=a%20b\""),
        "{page}"
    );
    let sign_in = office.browser.post(format!("{}/login", office.house.url));
    let fields = [
        ("name", "Keeper"),
        ("password", super::members::PASSWORD),
        ("next", "/admin/tables?status=over%26q=a%2520b"),
    ];
    let signed_in = Answer::of(form(sign_in, &fields)).await;
    assert_eq!(signed_in.headers["location"], link);
    let post = office
        .browser
        .post(format!("{}/admin/tables/1/delete", office.house.url));
    let sent = Answer::of(form(post, &[])).await;
    assert_eq!(
        sent.headers["location"], "/login?next=/admin",
        "a form is not sent again"
    );
    for start in ["/admin", "/admin/"] {
        let answer = office.get(start).await;
        assert_eq!(
            (answer.status.as_u16(), &answer.headers["location"]),
            (303, &"/admin/tables".parse().unwrap())
        );
    }
}

#[tokio::test]
async fn the_list_shows_filters_and_searches() {
    let office = Office::open().await;
    let (classic, tokens) = office.house.two(json!({ "game": "mnk" })).await;
    let (won, players) = office.house.two(json!({ "game": "mnk" })).await;
    office
        .house
        .play(&won, &players, &["0,0", "1,0", "0,1", "1,1", "0,2"])
        .await;
    let waiting = office.house.create(json!({ "game": "mnk" })).await.id;
    office.house.play(&classic, &tokens, &["2,2"]).await;
    let page = office.page("/admin/tables").await;
    for column in ["ID", "Status", "Current player", "Created", "Updated"] {
        assert!(page.contains(&format!(">{column}</a>")), "{column}");
    }
    let ids = [&classic, &won, &waiting].map(|id| number(id).to_string());
    assert!(ids.iter().all(|id| page.contains(id)) && page.contains("3 tables"));
    for text in ["In Progress", "X Wins", "Waiting"] {
        assert!(page.contains(&format!("<td>{text}</td>")), "{text}");
    }
    let only = async |query: &str, shown: &[usize]| {
        let page = office.page(&format!("/admin/tables?{query}")).await;
        for (n, id) in ids.iter().enumerate() {
            assert_eq!(
                page.contains(&format!("/admin/tables/{id}\"")),
                shown.contains(&n),
                "{query}: {n}"
            );
        }
    };
    only("status=in_progress", &[0]).await;
    only("status=x_wins", &[1]).await;
    only("status=o_wins", &[]).await;
    only("status=open", &[2]).await;
    only("player=O", &[0]).await;
    only("from=2020-01-01&to=2020-12-31", &[]).await;
    only("from=2020-01-01", &[0, 1, 2]).await;
    only(&format!("q={}", ids[1]), &[1]).await;
    only(&format!("q={won}"), &[1]).await;
    only("q=nonsense", &[]).await;
    only("game=pig", &[]).await;
    assert_eq!(office.get("/admin/tables?from=yesterday").await.status, 422);
}

#[tokio::test]
async fn a_long_list_has_numbered_pages_and_can_be_sorted() {
    let office = Office::open().await;
    let mut ids = Vec::new();
    for _ in 0..53 {
        let id = office.house.create(json!({ "game": "mnk" })).await.id;
        ids.push(number(&id).to_string());
    }
    let rows = |page: &str| -> Vec<String> {
        let links = page.split("<td><a href=\"/admin/tables/").skip(1);
        let id = |link: &str| link.split('"').next().unwrap().to_owned();
        links.map(id).collect()
    };
    let first = office.page("/admin/tables?game=mnk").await;
    let next = "/admin/tables?game=mnk&amp;page=2";
    assert!(first.contains(&format!("href=\"{next}\"")), "{first}");
    let second = office.page("/admin/tables?game=mnk&page=2").await;
    let mut newest = ids.clone();
    newest.sort_by_key(|id| std::cmp::Reverse(id.parse::<u64>().unwrap()));
    assert_eq!(rows(&first), newest[..50]);
    assert_eq!(rows(&second), newest[50..]);
    let beyond = office.page("/admin/tables?game=mnk&page=9").await;
    assert_eq!(rows(&beyond), newest[50..], "the last page");
    let oldest: Vec<String> = newest.iter().rev().cloned().collect();
    let sorted = office.page("/admin/tables?sort=id").await;
    assert_eq!(rows(&sorted), oldest[..50]);
    assert!(sorted.contains("aria-sort=\"ascending\"") && sorted.contains("?sort=-id"));
    assert_eq!(office.get("/admin/tables?sort=secret").await.status, 422);
}

#[tokio::test]
async fn filters_are_choices_with_counts() {
    let office = Office::open().await;
    let (playing, _) = office.house.two(json!({ "game": "mnk" })).await;
    let (won, players) = office.house.two(json!({ "game": "mnk" })).await;
    office
        .house
        .play(&won, &players, &["0,0", "1,0", "0,1", "1,1", "0,2"])
        .await;
    let ids = [playing, won].map(|id| number(&id).to_string());
    let page = office.page("/admin/tables").await;
    for (link, text) in [
        ("status=in_progress", "In Progress (1)"),
        ("status=x_wins", "X Wins (1)"),
        ("status=o_wins", "O Wins (0)"),
        // The winner stays the current player.
        ("player=X", "Player X (2)"),
        ("winner=X", "Player X (1)"),
        ("game=mnk", "Tic-tac-toe (2)"),
        ("created=year", "This year (2)"),
    ] {
        let choice = format!("<a href=\"/admin/tables?{link}\">{text}</a>");
        assert!(page.contains(&choice), "{choice} in {page}");
    }
    let page = office.page("/admin/tables?winner=X&game=mnk").await;
    assert!(page.contains("<h1>Tic-Tac-Toe Games</h1>") && page.contains("1 table<"));
    assert!(page.contains(&ids[1]) && !page.contains(&ids[0]));
    let none = "/admin/tables?winner=X&amp;game=mnk&amp;status=in_progress\">In Progress (0)";
    assert!(page.contains(none), "{page}");
    let record = office.page(&format!("/admin/tables/{}", ids[1])).await;
    let title = format!("<h1>Game {} - X Wins</h1>", ids[1]);
    assert!(record.contains(&title), "{record}");
}

#[tokio::test]
async fn tables_are_found_by_what_is_inside_ids_and_names() {
    let office = Office::open().await;
    let ann = Member::sign_up(&office.house, "Annabel").await;
    let create = office
        .house
        .request(Method::POST, "/api/v1/tables")
        .bearer_auth(&ann.token)
        .json(&json!({ "game": "mnk" }));
    let created = Answer::of(create).await.expect(201);
    let hers = number(created["table"]["id"].as_str().unwrap()).to_string();
    let other = office.house.create(json!({ "game": "mnk" })).await.id;
    let other = number(&other).to_string();
    let found = async |text: &str| {
        let page = office.page(&format!("/admin/tables?q={text}")).await;
        [&hers, &other].map(|id| page.contains(&format!("/admin/tables/{id}\"")))
    };
    assert_eq!(found("nabe").await, [true, false]);
    assert_eq!(found("NABE").await, [true, false]);
    assert!(found(&hers[2..]).await[0], "the end of an id");
    let address = "/admin/tables?q=nabe";
    assert!(office.page(address).await.contains("<td>Annabel</td>"));
}

#[tokio::test]
async fn selected_tables_are_deleted_after_a_question() {
    let office = Office::open().await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        let id = office.house.create(json!({ "game": "mnk" })).await.id;
        ids.push(number(&id));
    }
    let fields = ids[..2].iter().map(|id| format!("table.{id}"));
    let fields: Vec<String> = fields.collect();
    let mut chosen: Vec<(&str, &str)> = fields.iter().map(|name| (name.as_str(), "yes")).collect();
    let address = "/admin/tables/delete";
    assert_eq!(office.post(address, &[]).await.status, 422, "none");
    let question = office.post(address, &chosen).await;
    assert_eq!(question.status, 200);
    assert!(question.text.contains("Delete 2 tables?"));
    assert!(fields.iter().all(|name| question.text.contains(name)));
    assert!(office.page("/admin/tables").await.contains("3 tables"));
    chosen.push(("sure", "yes"));
    assert_eq!(office.post(address, &chosen).await.status, 303);
    let page = office.page("/admin/tables").await;
    assert!(page.contains("1 table<") && page.contains(&ids[2].to_string()));
    let log = office.log().await;
    let deleted = log.iter().filter(|line| line.action == "delete table");
    assert_eq!(deleted.count(), 2, "one line for each");
}

#[tokio::test]
async fn all_tables_that_match_are_deleted_after_a_question() {
    let office = Office::open().await;
    let create = async |game: &str| office.house.create(json!({ "game": game })).await;
    for _ in 0..52 {
        create("mnk").await;
    }
    let kept = number(&create("ultimate").await.id).to_string();
    let list = "/admin/tables?game=mnk";
    let page = office.page(&format!("{list}&select=page")).await;
    assert_eq!(page.matches(" checked").count(), 50);
    assert!(page.contains("Select all 52 tables that match"), "{page}");
    let page = office.page(&format!("{list}&select=all")).await;
    assert!(page.contains("All 52 tables that match selected"));
    let (address, all) = ("/admin/tables/delete", [("all", "yes"), ("game", "mnk")]);
    let question = office.post(address, &all).await;
    assert!(question.text.contains("Delete 52 tables?"));
    assert!(question.text.contains(r#"name="count" value="52""#));
    create("mnk").await;
    let mut sure = all.to_vec();
    sure.extend([("sure", "yes"), ("count", "52")]);
    let again = office.post(address, &sure).await;
    assert_eq!(again.status, 200);
    assert!(again.text.contains("Delete 53 tables?"), "one came since");
    sure.pop();
    sure.push(("count", "53"));
    assert_eq!(office.post(address, &sure).await.status, 303);
    let page = office.page("/admin/tables").await;
    assert!(page.contains("1 table<") && page.contains(&kept), "{page}");
    let deletions = AuditFilter {
        search: Some("delete table".to_owned()),
        ..AuditFilter::default()
    };
    let lines = office.store.count_audit(&deletions).await.unwrap();
    assert_eq!(lines, 53, "one line for each");
}

#[tokio::test]
async fn a_record_is_read_only_with_a_picture_and_collapsed_timestamps() {
    let office = Office::open().await;
    let (id, tokens) = office.house.two(json!({ "game": "mnk" })).await;
    office.house.play(&id, &tokens, &["2,2"]).await;
    let page = office.page(&format!("/admin/tables/{}", number(&id))).await;
    assert!(page.contains("Game State") && page.contains("<svg"));
    let stamps = page
        .split("<details")
        .nth(1)
        .expect("a section that can be opened");
    assert!(stamps.contains("Timestamps") && !stamps.split('>').next().unwrap().contains("open"));
    assert!(stamps.contains("Created") && stamps.contains("Updated"));
    let main = page
        .split("<main")
        .nth(1)
        .unwrap()
        .split("</main>")
        .next()
        .unwrap();
    assert!(
        !main.contains("<form") && !main.contains("<input"),
        "nothing can be changed"
    );
    for path in ["/admin/tables", "/admin/tables/add", "/admin/tables/1"] {
        assert!(
            matches!(office.post(path, &[]).await.status.as_u16(), 404 | 405),
            "{path}: nothing can be added"
        );
    }
    assert_eq!(office.get("/admin/tables/12345").await.status, 404);
}

#[tokio::test]
async fn deleting_asks_first_closes_the_table_and_is_logged() {
    let office = Office::open().await;
    let (id, _) = office.house.two(json!({ "game": "mnk" })).await;
    let mut watcher = super::house::Lines::open(&office.house, &id, 0).await;
    watcher.next().await.expect("its creation");
    let address = format!("/admin/tables/{}", number(&id));
    assert!(
        office
            .page(&format!("{address}/delete"))
            .await
            .contains("Delete this table?")
    );
    office.house.table(&id).await;
    let deleted = office.post(&format!("{address}/delete"), &[]).await;
    assert_eq!(
        (
            deleted.status.as_u16(),
            deleted.headers["location"].to_str().unwrap()
        ),
        (303, "/admin/tables")
    );
    assert_eq!(
        office
            .house
            .get(&format!("/api/v1/tables/{id}"))
            .await
            .status,
        404
    );
    while watcher.next().await.is_some() {}
    let log = office.log().await;
    assert_eq!(
        (log[0].admin_name.as_str(), log[0].action.as_str()),
        ("Keeper", "delete table")
    );
    assert!(log[0].target.contains(&number(&id).to_string()));
    let page = office.page("/admin/log").await;
    assert!(page.contains("delete table") && page.contains("Keeper"));
    let download = office.page("/admin/log.jsonl").await;
    let lines: Vec<serde_json::Value> = download
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), log.len());
    assert_eq!(
        (&lines[0]["admin"], &lines[0]["action"]),
        (&"Keeper".into(), &"delete table".into())
    );
    assert_eq!(
        office.post(&format!("{address}/delete"), &[]).await.status,
        404
    );
    assert_eq!(
        office.log().await.len(),
        2,
        "what was not done is not logged"
    );
}

#[tokio::test]
async fn a_ban_shuts_out_at_once_until_it_is_lifted() {
    let office = Office::open().await;
    let ann = Member::sign_up(&office.house, "Ann").await;
    let me = || office.house.request(Method::GET, "/api/v1/me");
    Answer::of(me().bearer_auth(&ann.token)).await.expect(200);
    let user = office.store.user_by_name("Ann").await.unwrap().unwrap();
    let address = format!("/admin/players/{}", user.id);
    assert!(office.page("/admin/players?q=ann").await.contains(&address));
    assert_eq!(
        office
            .post(&address, &[("do", "ban"), ("reason", "rude")])
            .await
            .status,
        422,
        "it asks first"
    );
    assert_eq!(
        office
            .post(
                &address,
                &[("do", "ban"), ("reason", "rude"), ("sure", "yes")]
            )
            .await
            .status,
        303
    );
    assert!(matches!(
        Answer::of(me().bearer_auth(&ann.token))
            .await
            .status
            .as_u16(),
        401 | 403
    ));
    assert!(matches!(
        Answer::of(me().header(COOKIE, &ann.cookie))
            .await
            .status
            .as_u16(),
        401 | 403
    ));
    let login = json!({ "name": "Ann", "password": super::members::PASSWORD });
    assert!(
        office
            .house
            .post("/api/v1/sessions", login.clone())
            .await
            .status
            .is_client_error()
    );
    assert!(
        office
            .page("/admin/players?kind=banned")
            .await
            .contains(&address)
    );
    assert_eq!(office.post(&address, &[("do", "unban")]).await.status, 303);
    office
        .house
        .post("/api/v1/sessions", login)
        .await
        .expect(204);
    let keeper = office.store.user_by_name("Keeper").await.unwrap().unwrap();
    let own = office
        .post(
            &format!("/admin/players/{}", keeper.id),
            &[("do", "ban"), ("sure", "yes")],
        )
        .await;
    assert_eq!(own.status, 422, "nobody bans themselves");
    let page = office.page(&address).await;
    let history = page.split("id=\"history\"").nth(1).expect("a history");
    assert!(history.contains("unban") && history.contains("rude"));
    let about = format!("/admin/log?about=player%20Ann%20%28{}%29", user.id);
    assert!(history.contains(&about), "{history}");
    let lines = office.page(&about).await;
    assert!(lines.contains("History of player Ann") && !lines.contains("promote"));
    assert_eq!(office.get("/admin/log?about=everything").await.status, 422);
    let log: Vec<String> = office
        .log()
        .await
        .into_iter()
        .map(|line| line.action)
        .collect();
    assert_eq!(log, ["unban", "ban", "promote"]);
}

#[tokio::test]
async fn a_new_password_replaces_a_lost_one_and_ends_the_sessions() {
    let office = Office::open().await;
    let ann = Member::sign_up(&office.house, "Ann").await;
    let id = async |name: &str| {
        let user = office.store.user_by_name(name).await.unwrap();
        user.expect("an account").id
    };
    let address = format!("/admin/players/{}", id("Ann").await);
    assert!(office.page(&address).await.contains("Reset the password"));
    let reset = ("do", "reset-password");
    assert_eq!(
        office.post(&address, &[reset]).await.status,
        422,
        "it asks first"
    );
    let answer = office.post(&address, &[reset, ("sure", "yes")]).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    let shown = answer.text.split("readonly value=\"").nth(1);
    let password = shown.expect("the password").split('"').next().unwrap();
    let me = || office.house.request(Method::GET, "/api/v1/me");
    let session = Answer::of(me().header(COOKIE, &ann.cookie)).await;
    assert_ne!(session.status, 200, "{}", session.text);
    Answer::of(me().bearer_auth(&ann.token)).await.expect(200);
    for (password, status) in [(super::members::PASSWORD, 401), (password, 204)] {
        let login = json!({ "name": "Ann", "password": password });
        office
            .house
            .post("/api/v1/sessions", login)
            .await
            .expect(status);
    }
    let own = format!("/admin/players/{}", id("Keeper").await);
    assert!(!office.page(&own).await.contains("Reset the password"));
    assert_eq!(
        office.post(&own, &[reset, ("sure", "yes")]).await.status,
        422,
        "nobody goes around their own password"
    );
    let log = office.log().await;
    assert_eq!(
        (log[0].action.as_str(), log.len()),
        ("reset password", 2),
        "{log:?}"
    );
    assert!(!log[0].detail.contains(password));
}

#[tokio::test]
async fn members_close_their_accounts_and_their_games_stay() {
    let office = Office::open().await;
    let house = &office.house;
    let ann = Member::sign_up(house, "Ann").await;
    let id = office.store.user_by_name("Ann").await.unwrap().unwrap().id;
    let table =
        json!({ "game": "mnk", "seats": [{ "kind": "me" }, { "kind": "bot", "spec": "level:1" }] });
    let create = house
        .request(Method::POST, "/api/v1/tables")
        .bearer_auth(&ann.token)
        .json(&table);
    let made = Answer::of(create).await.expect(201);
    let game = made["table"]["id"].as_str().unwrap().to_owned();
    let close = async |fields: &[(&str, &str)]| {
        let post = office.browser.post(format!("{}/account/close", house.url));
        Answer::of(form(post.header(COOKIE, &ann.cookie), fields)).await
    };
    let (sure, right) = (("sure", "yes"), ("password", super::members::PASSWORD));
    assert_eq!(close(&[right]).await.status, 422, "it asks first");
    assert_eq!(
        close(&[sure, ("password", "wrong words")]).await.status,
        403
    );
    let playing = close(&[sure, right]).await;
    assert_eq!(playing.status, 422);
    assert!(playing.text.contains("There are games that are not over"));
    let path = format!("/api/v1/tables/{game}/resign");
    house
        .post_as(&ann.token, &path, json!({}))
        .await
        .expect(200);
    assert_eq!(close(&[sure, right]).await.status, 303);

    let name = format!("gone-{id:x}");
    let login = json!({ "name": "Ann", "password": super::members::PASSWORD });
    house.post("/api/v1/sessions", login).await.expect(401);
    let me = house.request(Method::GET, "/api/v1/me");
    let token = Answer::of(me.bearer_auth(&ann.token)).await;
    assert!(token.status.is_client_error(), "{}", token.text);
    let row = office.store.row(number(&game).cast_signed()).await;
    let seats = row.unwrap().expect("the game stays").seats.to_string();
    assert!(seats.contains(&name) && !seats.contains("Ann"), "{seats}");
    let told = house
        .get(&format!("/api/v1/tables/{game}"))
        .await
        .expect(200);
    assert_eq!(told["seats"][0]["name"], name, "{told}");
    let profile = office.page(&format!("/players/{name}")).await;
    assert!(profile.contains("closed account"), "{profile}");
    let address = format!("/admin/players/{id}");
    let page = office.page(&address).await;
    assert!(page.contains("closed for good") && page.contains("close account"));
    let unban = office.post(&address, &[("do", "unban")]).await;
    assert_eq!(unban.status, 422, "not even an admin opens it again");
    Member::sign_up(house, "Ann").await;
}

#[tokio::test]
async fn an_admin_closes_accounts_but_no_admins() {
    let office = Office::open().await;
    Member::sign_up(&office.house, "Eve").await;
    let id = async |name: &str| {
        let user = office.store.user_by_name(name).await.unwrap();
        user.expect("an account").id
    };
    let (eve, keeper) = (id("Eve").await, id("Keeper").await);
    let address = format!("/admin/players/{eve}");
    let close = ("do", "close");
    assert_eq!(office.post(&address, &[close]).await.status, 422);
    let closed = office.post(&address, &[close, ("sure", "yes")]).await;
    assert_eq!(closed.status, 303, "{}", closed.text);
    let user = office.store.user(eve).await.unwrap().unwrap();
    assert!(user.is_closed() && !user.name.contains("Eve"));
    let log = office.log().await;
    assert_eq!(
        (log[0].admin_name.as_str(), log[0].action.as_str()),
        ("Keeper", "close account")
    );
    assert!(!log[0].target.contains("Eve"), "{log:?}");
    let own = format!("/admin/players/{keeper}");
    let refused = office.post(&own, &[close, ("sure", "yes")]).await;
    assert_eq!(refused.status, 422, "no admin is closed");
}

#[tokio::test]
async fn accounts_are_sorted_and_counted_by_kind() {
    let office = Office::open().await;
    for name in ["Ann", "Bob"] {
        Member::sign_up(&office.house, name).await;
    }
    let names = |page: &str| -> Vec<String> {
        let links = page.split("<td><a href=\"/admin/players/").skip(1);
        let name = |link: &str| {
            let name = link.split('>').nth(1).unwrap();
            name.split('<').next().unwrap().to_owned()
        };
        links.map(name).collect()
    };
    let page = office.page("/admin/players").await;
    assert_eq!(names(&page), ["Bob", "Ann", "Keeper"], "newest first");
    for (link, text) in [
        ("kind=person", "People (3)"),
        ("kind=admin", "Admins (1)"),
        ("kind=bot", "Bots (0)"),
    ] {
        let choice = format!("<a href=\"/admin/players?{link}\">{text}</a>");
        assert!(page.contains(&choice), "{choice} in {page}");
    }
    let page = office.page("/admin/players?sort=name").await;
    assert_eq!(names(&page), ["Ann", "Bob", "Keeper"]);
    let page = office.page("/admin/players?sort=-name&q=b").await;
    assert_eq!(names(&page), ["Bob"]);
}

#[tokio::test]
async fn tokens_and_the_log_are_sorted_and_paged() {
    let office = Office::open().await;
    let ann = Member::sign_up(&office.house, "Ann").await;
    for name in ["middle", "first", "last"] {
        ann.token(&office.house, name).await;
    }
    let page = office.page("/admin/tokens?q=ann&sort=name").await;
    let [first, middle, last] =
        ["first", "middle", "last"].map(|name| page.find(&format!("<td>{name}</td>")));
    assert!(first.is_some() && first < last && last < middle, "{page}");
    assert!(page.contains(
        r#"<th aria-sort="ascending"><a href="/admin/tokens?q=ann&amp;sort=-name">Name"#
    ));
    for n in 0..60 {
        let line = AuditLine {
            at: n,
            admin_id: None,
            admin_name: "test".to_owned(),
            action: format!("act {n:02}"),
            target: "house".to_owned(),
            detail: String::new(),
        };
        office.store.record_audit(line).await.unwrap();
    }
    let page = office.page("/admin/log?q=act&sort=action").await;
    assert!(page.contains("60 lines"), "{page}");
    assert!(page.contains("act 00") && page.contains("act 49") && !page.contains("act 50"));
    let link = "/admin/log?q=act&amp;sort=action&amp;page=2";
    assert!(page.contains(link), "{page}");
    let page = office.page("/admin/log?q=act&sort=action&page=2").await;
    assert!(page.contains("act 50") && page.contains("act 59") && !page.contains("act 49"));
    for path in ["/admin/log", "/admin/tokens", "/admin/talk"] {
        let wrong = office.get(&format!("{path}?sort=detail")).await;
        assert_eq!(wrong.status, 422, "{path}");
    }
}

#[tokio::test]
async fn a_token_is_revoked_for_good() {
    let office = Office::open().await;
    let ann = Member::sign_up(&office.house, "Ann").await;
    let page = office.page("/admin/tokens?q=ann").await;
    assert!(
        page.contains("everything") && !page.contains(&ann.token),
        "the text of a token is nowhere"
    );
    let link = page
        .split("href=\"")
        .find(|part| part.contains("/revoke"))
        .expect("a way to revoke it");
    let link = link.split('"').next().unwrap();
    assert!(office.page(link).await.contains("Revoke this token?"));
    assert_eq!(office.post(link, &[]).await.status, 303);
    let me = office
        .house
        .request(Method::GET, "/api/v1/me")
        .bearer_auth(&ann.token);
    assert_eq!(Answer::of(me).await.status, 401);
    assert!(office.page("/admin/tokens").await.contains("revoked"));
    assert_eq!(office.log().await[0].action, "revoke token");
}
