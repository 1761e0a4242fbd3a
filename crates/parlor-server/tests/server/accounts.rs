use futures::future::join_all;
use parlor_store::{AuditLine, Ban, Store};
use reqwest::Method;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::house::{Answer, Folder, House, classic, sqlite};

/// A member's browser.
pub struct Member {
    /// Cookies that the browser sends back.
    pub cookie: String,
}

pub const PASSWORD: &str = "correct horse battery";

/// Signs a member up.
pub async fn member(house: &House, name: &str) -> Member {
    let answer = house
        .post(
            "/api/v1/accounts",
            json!({ "name": name, "password": PASSWORD }),
        )
        .await;
    let cookie = session(&answer).unwrap();
    answer.expect(201);
    Member { cookie }
}

impl Member {
    pub async fn ask(
        &self,
        house: &House,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Answer {
        let mut request = house.request(method, path).header("cookie", &self.cookie);
        if let Some(body) = body {
            request = request.json(&body);
        }
        Answer::of(request).await
    }

    pub async fn get(&self, house: &House, path: &str) -> Answer {
        self.ask(house, Method::GET, path, None).await
    }

    pub async fn post(&self, house: &House, path: &str, body: Value) -> Answer {
        self.ask(house, Method::POST, path, Some(body)).await
    }
}

/// Returns the session cookie that a response sets.
pub fn session(answer: &Answer) -> Option<String> {
    let mut cookies = answer
        .headers
        .get_all("set-cookie")
        .iter()
        .map(|cookie| cookie.to_str().unwrap());
    let session = cookies.rfind(|cookie| cookie.starts_with("parlor_session="))?;
    Some(session.split(';').next().unwrap().to_owned())
}

async fn login(house: &House, name: &str, password: &str) -> Answer {
    house
        .post(
            "/api/v1/sessions",
            json!({ "name": name, "password": password }),
        )
        .await
}

/// Acts like the admin command: in another process, on the same database.
async fn ban(house: &House, name: &str) {
    let store = Store::open(&house.database()).await.unwrap();
    let id = store.user_by_name(name).await.unwrap().unwrap().id;
    let line = AuditLine {
        at: 1,
        admin_id: None,
        admin_name: "test".to_owned(),
        action: "ban".to_owned(),
        target: name.to_owned(),
        detail: String::new(),
    };
    assert!(
        store
            .ban(
                id,
                Ban {
                    at: 1,
                    reason: "spoke rudely".to_owned()
                },
                line
            )
            .await
            .unwrap()
    );
    store.close().await;
}

#[tokio::test]
async fn who_signs_up_is_signed_in_by_a_cookie_that_no_script_can_read() {
    let house = House::open().await;
    let wanted = json!({ "name": "Ann", "password": PASSWORD, "level": "club" });
    let answer = house.post("/api/v1/accounts", wanted).await;
    let cookie = answer.headers["set-cookie"].to_str().unwrap().to_owned();
    for part in ["HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=2592000"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(
        !cookie.contains("Secure"),
        "this house is reached without encryption"
    );
    let ann = Member {
        cookie: session(&answer).unwrap(),
    };
    let me = answer.expect(201);
    assert_eq!(
        (&me["name"], &me["level"], &me["admin"]),
        (&json!("Ann"), &json!("club"), &json!(false))
    );
    assert_eq!(me["scopes"], json!(["play", "read", "account"]));
    assert_eq!(ann.get(&house, "/api/v1/me").await.expect(200), me);
    house.get("/api/v1/me").await.problem(401, "no-token");
}

#[tokio::test]
async fn behind_https_the_cookie_never_leaves_it() {
    let house =
        House::with(|config| config.public_url = Some("https://games.example.org".to_owned()))
            .await;
    let answer = house
        .post(
            "/api/v1/accounts",
            json!({ "name": "Ann", "password": PASSWORD }),
        )
        .await;
    assert!(
        answer.headers["set-cookie"]
            .to_str()
            .unwrap()
            .ends_with("; Secure")
    );
}

#[tokio::test]
async fn what_cannot_be_an_account_is_refused_with_the_field_that_is_wrong() {
    let house = House::open().await;
    let sign_up = async |name: &str, password: &str| {
        house
            .post(
                "/api/v1/accounts",
                json!({ "name": name, "password": password }),
            )
            .await
    };
    for name in ["", "with blank", "Änn", "a23456789012345678901", "<b>"] {
        assert_eq!(
            sign_up(name, PASSWORD).await.problem(422, "bad-content")["field"],
            "name",
            "{name}"
        );
    }
    for name in [
        "admin",
        "Parlor",
        "GUEST",
        "_Root_",
        "support-1",
        "adm1n",
        "no-reply",
    ] {
        let refused = sign_up(name, PASSWORD).await.problem(422, "bad-content");
        let detail = refused["detail"].as_str().unwrap();
        assert!(detail.contains("taken for the house"), "{detail}");
    }
    for password in ["short12", &"x".repeat(201)] {
        assert_eq!(
            sign_up("Ann", password).await.problem(422, "bad-content")["field"],
            "password"
        );
    }
    member(&house, "Ann").await;
    for name in ["Ann", "ANN"] {
        assert_eq!(
            sign_up(name, PASSWORD).await.problem(409, "name-taken")["field"],
            "name"
        );
    }
    member(&house, "Arnold").await;
    for name in ["Amold", "arno1d"] {
        let refused = sign_up(name, PASSWORD).await.problem(409, "name-taken");
        let detail = refused["detail"].as_str().unwrap();
        assert_eq!(
            detail,
            format!("{name} could be taken for Arnold: choose another name")
        );
    }
    let level = json!({ "name": "Bob", "password": PASSWORD, "level": "grandmaster" });
    house
        .post("/api/v1/accounts", level)
        .await
        .problem(422, "bad-content");
}

#[tokio::test]
async fn a_wrong_name_and_a_wrong_password_are_answered_alike() {
    let house = House::open().await;
    member(&house, "Ann").await;
    let unknown = login(&house, "Nobody", PASSWORD).await;
    let impossible = login(&house, "<no name>", PASSWORD).await;
    let wrong = login(&house, "Ann", "correct horse battery?").await;
    assert_eq!(unknown.text, wrong.text);
    assert_eq!(impossible.text, wrong.text);
    assert!(session(&unknown).is_none() && session(&wrong).is_none());
    wrong.problem(401, "wrong-login");
    assert_eq!(
        login(&house, "ann", PASSWORD).await.status,
        204,
        "the case of a name does not matter"
    );
}

#[tokio::test]
async fn a_cookie_that_the_client_chose_never_becomes_a_session() {
    let house = House::open().await;
    member(&house, "Ann").await;
    let chosen = format!("parlor_session={}", "ab".repeat(20));
    let login = json!({ "name": "Ann", "password": PASSWORD });
    let request = house
        .request(Method::POST, "/api/v1/sessions")
        .header("cookie", &chosen)
        .json(&login);
    let fresh = session(&Answer::of(request).await).unwrap();
    assert_ne!(fresh, chosen);
    let me = async |cookie: &str| {
        Answer::of(
            house
                .request(Method::GET, "/api/v1/me")
                .header("cookie", cookie),
        )
        .await
    };
    me(&chosen).await.problem(401, "no-token");
    assert_eq!(me(&fresh).await.expect(200)["name"], "Ann");
}

#[tokio::test]
async fn a_login_ends_the_session_that_the_browser_had() {
    let house = House::open().await;
    let ann = member(&house, "Ann").await;
    let again = ann
        .post(
            &house,
            "/api/v1/sessions",
            json!({ "name": "Ann", "password": PASSWORD }),
        )
        .await;
    let second = Member {
        cookie: session(&again).unwrap(),
    };
    assert_ne!(ann.cookie, second.cookie);
    ann.get(&house, "/api/v1/me").await.problem(401, "no-token");
    second.get(&house, "/api/v1/me").await.expect(200);
}

/// Signs a member in with another browser.
async fn signed_in_with(house: &House, name: &str, agent: &str) -> Member {
    let login = json!({ "name": name, "password": PASSWORD });
    let request = house
        .request(Method::POST, "/api/v1/sessions")
        .header("user-agent", agent)
        .json(&login);
    let cookie = session(&Answer::of(request).await).unwrap();
    Member { cookie }
}

const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

#[tokio::test]
async fn a_member_sees_where_they_are_signed_in_and_signs_out_there() {
    let house = House::open().await;
    let ann = member(&house, "Ann").await;
    let bob = member(&house, "Bob").await;
    let lost = signed_in_with(&house, "Ann", FIREFOX).await;
    let third = signed_in_with(&house, "Ann", "curl/8.5.0").await;
    let list = async |member: &Member| {
        let listed = member.get(&house, "/api/v1/sessions").await.expect(200);
        listed["sessions"].as_array().unwrap().clone()
    };
    let sessions = list(&ann).await;
    let browsers: Vec<_> = sessions.iter().map(|one| &one["browser"]).collect();
    assert!(browsers.contains(&&json!("Firefox on Linux")) && browsers.len() == 3);
    let current = sessions.iter().filter(|one| one["current"] == true);
    assert_eq!(current.count(), 1);
    assert_eq!(list(&bob).await.len(), 1);

    let theirs = sessions
        .iter()
        .find(|one| one["browser"] == "Firefox on Linux")
        .unwrap();
    let path = format!("/api/v1/sessions/{}", theirs["id"].as_str().unwrap());
    let end = async |member: &Member| member.ask(&house, Method::DELETE, &path, None).await;
    end(&bob).await.problem(404, "not-found");
    lost.get(&house, "/api/v1/me").await.expect(200);
    end(&ann).await.expect(204);
    lost.get(&house, "/api/v1/me")
        .await
        .problem(401, "no-token");
    end(&ann).await.problem(404, "not-found");

    let others = ann.ask(&house, Method::DELETE, "/api/v1/sessions", None);
    others.await.expect(204);
    third
        .get(&house, "/api/v1/me")
        .await
        .problem(401, "no-token");
    ann.get(&house, "/api/v1/me").await.expect(200);
    bob.get(&house, "/api/v1/me").await.expect(200);
}

#[tokio::test]
async fn the_account_page_lists_sessions_and_ends_them() {
    let house = House::open().await;
    let ann = member(&house, "Ann").await;
    let lost = signed_in_with(&house, "Ann", FIREFOX).await;
    let page = ann.get(&house, "/account").await.text;
    assert!(page.contains("Firefox on Linux") && page.contains("this browser"));
    let from = page.find("/account/sessions/").unwrap();
    let path = page[from..].split('"').next().unwrap();
    let ended = house
        .request(Method::POST, path)
        .header("cookie", &ann.cookie)
        .header("origin", &house.url);
    assert_eq!(Answer::of(ended).await.status, 200, "after the redirect");
    lost.get(&house, "/api/v1/me")
        .await
        .problem(401, "no-token");
    assert!(!ann.get(&house, "/account").await.text.contains("Firefox"));
}

#[tokio::test]
async fn those_who_ask_for_many_at_once_get_no_more_bots_and_tokens() {
    let house = House::with(|config| config.limits.tokens_per_hour = None).await;
    let ann = member(&house, "Ann").await;
    let made = async |path: &str| {
        let ask = async |n: u32| {
            let wanted = json!({ "name": format!("a{n}") });
            let answer = ann.post(&house, path, wanted).await;
            if answer.status == 201 {
                return true;
            }
            answer.problem(422, "bad-content");
            false
        };
        let all = join_all((0..60).map(ask)).await;
        all.into_iter().filter(|made| *made).count()
    };
    assert_eq!(made("/api/v1/bots").await, 20);
    assert_eq!(made("/api/v1/tokens").await, 50);
}

#[tokio::test]
async fn a_member_takes_everything_along() {
    let house = House::with(|config| config.limits.exports_per_hour = Some(2)).await;
    let ann = member(&house, "Ann").await;
    member(&house, "Bob").await;
    ann.post(&house, "/api/v1/bots", json!({ "name": "AnnsBot" }))
        .await
        .expect(201);
    let game = json!({ "game": "mnk", "seats": [{ "kind": "me" }, { "kind": "bot", "spec": "random" }], "listed": false });
    let made = ann.post(&house, "/api/v1/tables", game).await.expect(201);
    let id = made["table"]["id"].as_str().unwrap();
    let play = json!({ "move": "2,2" });
    let path = format!("/api/v1/tables/{id}/moves");
    ann.post(&house, &path, play).await.expect(200);
    let export = ann.get(&house, "/api/v1/me/export").await;
    assert_eq!(
        export.headers["content-disposition"],
        "attachment; filename=\"parlor-Ann.jsonl\""
    );
    let lines: Vec<Value> = export
        .text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let kinds: Vec<_> = lines.iter().map(|line| &line["type"]).collect();
    assert_eq!(
        kinds,
        [
            "account", "session", "token", "bot", "notices", "note", "table"
        ]
    );
    assert_eq!(
        (&lines[0]["account"]["name"], &lines[3]["bot"]["name"]),
        (&json!("Ann"), &json!("AnnsBot"))
    );
    assert_eq!(lines[5]["note"]["table"], id);
    let record = &lines[6]["record"];
    assert_eq!(record["table"], id);
    assert!(!record["log"].as_array().unwrap().is_empty(), "{record}");
    assert!(!export.text.contains("Bob"));
    house
        .get("/api/v1/me/export")
        .await
        .problem(401, "no-token");
    let again = ann.get(&house, "/api/v1/me/export").await;
    assert_eq!(again.status, 200);
    let refused = ann.get(&house, "/api/v1/me/export").await;
    refused.problem(429, "too-many-requests");
}

#[tokio::test]
async fn tokens_revoked_and_made_again_are_counted() {
    let house = House::with(|config| config.limits.tokens_per_hour = Some(3)).await;
    let ann = member(&house, "Ann").await;
    let bob = member(&house, "Bob").await;
    let make = async |member: &Member| {
        let wanted = json!({ "name": "program" });
        member.post(&house, "/api/v1/tokens", wanted).await
    };
    for _ in 0..3 {
        let id = make(&ann).await.expect(201)["id"].to_string();
        let path = format!("/api/v1/tokens/{id}");
        let revoked = ann.ask(&house, Method::DELETE, &path, None).await;
        revoked.expect(204);
    }
    let refused = make(&ann).await;
    assert!(refused.headers.contains_key("retry-after"));
    refused.problem(429, "too-many-requests");
    make(&bob).await.expect(201);
}

#[tokio::test]
async fn the_oldest_of_too_many_sessions_ends() {
    let house = House::with(|config| {
        config.limits.logins_per_hour = None;
        config.limits.logins_per_account = None;
    })
    .await;
    let first = member(&house, "Ann").await;
    for _ in 0..49 {
        signed_in_with(&house, "Ann", FIREFOX).await;
    }
    first.get(&house, "/api/v1/me").await.expect(200);
    let last = signed_in_with(&house, "Ann", FIREFOX).await;
    first
        .get(&house, "/api/v1/me")
        .await
        .problem(401, "no-token");
    let listed = last.get(&house, "/api/v1/sessions").await.expect(200);
    assert_eq!(listed["sessions"].as_array().unwrap().len(), 50);
}

#[tokio::test]
async fn after_a_logout_the_cookie_is_worth_nothing() {
    let house = House::open().await;
    let ann = member(&house, "Ann").await;
    let answer = ann
        .ask(&house, Method::DELETE, "/api/v1/sessions/current", None)
        .await;
    assert_eq!(session(&answer).unwrap(), "parlor_session=");
    answer.expect(204);
    ann.get(&house, "/api/v1/me").await.problem(401, "no-token");
}

#[tokio::test]
async fn a_new_password_ends_all_sessions_but_the_one_it_came_from() {
    let house = House::open().await;
    let ann = member(&house, "Ann").await;
    let elsewhere = session(&login(&house, "Ann", PASSWORD).await).unwrap();
    let elsewhere = Member { cookie: elsewhere };
    let change = |current: &str, new: &str| json!({ "current": current, "new": new });
    let wrong = ann
        .post(
            &house,
            "/api/v1/me/password",
            change("not the password", "something longer"),
        )
        .await;
    assert_eq!(wrong.problem(403, "wrong-password")["field"], "current");
    let short = ann
        .post(&house, "/api/v1/me/password", change(PASSWORD, "short"))
        .await;
    assert_eq!(short.problem(422, "bad-content")["field"], "new");
    elsewhere.get(&house, "/api/v1/me").await.expect(200);
    let changed = ann
        .post(
            &house,
            "/api/v1/me/password",
            change(PASSWORD, "something longer"),
        )
        .await;
    let now = Member {
        cookie: session(&changed).unwrap(),
    };
    changed.expect(204);
    now.get(&house, "/api/v1/me").await.expect(200);
    for old in [&ann, &elsewhere] {
        old.get(&house, "/api/v1/me").await.problem(401, "no-token");
    }
    login(&house, "Ann", PASSWORD)
        .await
        .problem(401, "wrong-login");
    assert_eq!(login(&house, "Ann", "something longer").await.status, 204);
}

#[tokio::test]
async fn a_member_closes_the_account_over_the_api() {
    let house = House::open().await;
    let ann = member(&house, "Ann").await;
    let close = async |body: Value| {
        let path = "/api/v1/me";
        ann.ask(&house, Method::DELETE, path, Some(body)).await
    };
    let unsure = close(json!({ "password": PASSWORD })).await;
    assert_eq!(unsure.problem(422, "bad-content")["field"], "sure");
    let wrong = json!({ "password": "wrong words", "sure": true });
    let wrong = close(wrong).await.problem(403, "wrong-password");
    assert_eq!(wrong["field"], "password");
    let wanted = json!({ "name": "program", "scopes": ["play", "read"] });
    let made = ann.post(&house, "/api/v1/tokens", wanted).await.expect(201);
    let token = made["token"].as_str().unwrap();
    let sure = json!({ "password": PASSWORD, "sure": true });
    let by_token = house.request(Method::DELETE, "/api/v1/me");
    Answer::of(by_token.bearer_auth(token).json(&sure))
        .await
        .problem(403, "wrong-scope");
    let table = json!({ "game": "mnk", "seats": [{ "kind": "me" }, { "kind": "open" }] });
    let table = ann.post(&house, "/api/v1/tables", table).await.expect(201);
    let waiting = close(sure.clone()).await.problem(422, "bad-content");
    assert!(waiting["detail"].as_str().unwrap().contains("not over"));
    let id = table["table"]["id"].as_str().unwrap();
    ann.post(&house, &format!("/api/v1/tables/{id}/abort"), json!({}))
        .await
        .expect(200);
    let closed = close(sure).await;
    assert_eq!(session(&closed).as_deref(), Some("parlor_session="));
    closed.expect(204);
    ann.get(&house, "/api/v1/me").await.problem(401, "no-token");
    let program = house.get_as(token, "/api/v1/me/games").await;
    assert!(program.status.is_client_error(), "{}", program.text);
    login(&house, "Ann", PASSWORD).await.expect(401);
    member(&house, "Ann").await;
}

#[tokio::test]
async fn a_banned_member_is_out_at_once_and_cannot_come_back() {
    let house = House::open().await;
    let ann = member(&house, "Ann").await;
    let token = ann
        .post(&house, "/api/v1/tokens", json!({ "name": "program" }))
        .await
        .expect(201);
    let token = token["token"].as_str().unwrap().to_owned();
    let bot = ann
        .post(&house, "/api/v1/bots", json!({ "name": "AnnsBot" }))
        .await
        .expect(201);
    let bot = bot["token"].as_str().unwrap().to_owned();
    for token in [&token, &bot] {
        house
            .post_as(token, "/api/v1/tables", classic())
            .await
            .expect(201);
    }
    ban(&house, "Ann").await;
    ann.get(&house, "/api/v1/me").await.problem(401, "no-token");
    for token in [&token, &bot] {
        house
            .post_as(token, "/api/v1/tables", classic())
            .await
            .problem(401, "no-token");
    }
    let refused = login(&house, "Ann", PASSWORD).await.problem(403, "banned");
    assert!(refused["detail"].as_str().unwrap().contains("spoke rudely"));
    login(&house, "Ann", "a wrong password")
        .await
        .problem(401, "wrong-login");
    assert_eq!(
        house.get("/api/v1/players/Ann").await.expect(200)["banned"],
        true
    );
}

#[tokio::test]
async fn one_place_guesses_only_so_many_passwords_of_one_account() {
    let house = House::with(|config| config.limits.logins_per_account = Some(60)).await;
    member(&house, "Ann").await;
    member(&house, "Bob").await;
    let right = login(&house, "Ann", PASSWORD).await;
    let device = right.cookie("parlor_device");
    let wrong = async || login(&house, "Ann", "a wrong password").await;
    let mut refused = wrong().await;
    for _ in 0..9 {
        assert_eq!(refused.status, 401);
        refused = wrong().await;
    }
    let wait = refused.headers["retry-after"].to_str().unwrap();
    assert!((1..=30).contains(&wait.parse::<u64>().unwrap()), "{wait}");
    assert!(refused.headers.contains_key("ratelimit-policy"));
    refused.problem(429, "too-many-requests");
    // The right password from an unknown browser has to wait as well, or it could be told by that.
    assert_eq!(login(&house, "Ann", PASSWORD).await.status, 429);
    let known = house
        .request(Method::POST, "/api/v1/sessions")
        .header("cookie", &device)
        .json(&json!({ "name": "Ann", "password": PASSWORD }));
    assert_eq!(Answer::of(known).await.status, 204);
    assert_eq!(login(&house, "Bob", PASSWORD).await.status, 204);
}

#[tokio::test]
async fn one_address_makes_only_so_many_accounts_and_mistakes_do_not_count() {
    let house = House::with(|config| config.limits.sign_ups_per_hour = Some(2)).await;
    let sign_up = async |name: &str, password: &str| {
        let account = json!({ "name": name, "password": password });
        house.post("/api/v1/accounts", account).await
    };
    sign_up("Ann", PASSWORD).await.expect(201);
    sign_up("ann", PASSWORD).await.problem(409, "name-taken");
    for weak in ["short", "password", "Bob12345", "qwertyuiop"] {
        let refused = sign_up("Bob", weak).await.problem(422, "bad-content");
        assert_eq!(refused["field"], "password");
    }
    sign_up("Bob", PASSWORD).await.expect(201);
    sign_up("Cid", PASSWORD)
        .await
        .problem(429, "too-many-requests");
}

#[tokio::test]
async fn a_page_of_another_site_cannot_sign_anybody_in_or_out() {
    let house = House::open().await;
    let ann = member(&house, "Ann").await;
    for (method, path) in [
        (Method::POST, "/api/v1/sessions"),
        (Method::DELETE, "/api/v1/sessions/current"),
        (Method::POST, "/logout"),
    ] {
        let request = house
            .request(method, path)
            .header("cookie", &ann.cookie)
            .header("origin", "https://evil.example");
        Answer::of(request).await.problem(403, "cross-site");
    }
    ann.get(&house, "/api/v1/me").await.expect(200);
}

#[tokio::test]
async fn seats_that_were_taken_as_a_guest_are_still_there_after_signing_up() {
    let house = House::open().await;
    let made = house.create(classic()).await;
    let ann = member(&house, "Ann").await;
    let both = Member {
        cookie: format!("{}; parlor_guest={}", ann.cookie, made.token),
    };
    let path = format!("/api/v1/tables/{}", made.id);
    assert_eq!(both.get(&house, &path).await.expect(200)["you"], json!([0]));
    house
        .post(&format!("{path}/join"), json!({ "name": "Bob" }))
        .await
        .expect(200);
    both.post(&house, &format!("{path}/moves"), json!({ "move": "1,1" }))
        .await
        .expect(200);
    let seats = house.table(&made.id).await["seats"].clone();
    assert_eq!(
        (&seats[0]["name"], &seats[0]["member"]),
        (&json!("Ann"), &json!(false)),
        "the guest called themselves Ann"
    );
    let new = both
        .post(&house, "/api/v1/tables", json!({ "game": "mnk" }))
        .await
        .expect(201);
    let seat = &new["table"]["seats"][0];
    assert_eq!(
        (&seat["name"], &seat["member"]),
        (&json!("Ann"), &json!(true)),
        "new seats are the member's"
    );
}

#[tokio::test]
async fn no_secret_is_kept_as_it_was_shown() {
    let folder = Folder::new();
    let house = House::on(Store::open(&sqlite(&folder.0)).await.unwrap()).await;
    let ann = member(&house, "Ann").await;
    let token = ann
        .post(&house, "/api/v1/tokens", json!({ "name": "program" }))
        .await
        .expect(201);
    let path = folder.0.join("parlor.db");
    let mut written = std::fs::read(&path).unwrap();
    written.extend(std::fs::read(path.with_extension("db-wal")).unwrap());
    let contains = |text: &str| {
        let bytes = text.as_bytes();
        written.windows(bytes.len()).any(|window| window == bytes)
    };

    let (_, session) = ann.cookie.split_once('=').unwrap();
    let token = token["token"].as_str().unwrap();
    let token = token.strip_prefix("parlor_").unwrap();
    for secret in [PASSWORD, session, token] {
        assert!(!contains(secret), "the database contains {secret}");
    }
    // Their replacements are there, so the search would have found them.
    for kept in ["$argon2id$", "program"] {
        assert!(contains(kept), "the database contains {kept}");
    }
    for secret in [session, token] {
        let hash = hex::encode(Sha256::digest(secret));
        assert!(contains(&hash), "the database contains a hash of {secret}");
    }
    drop(house);
}

async fn send(house: &House, path: &str, cookie: &str, fields: &'static str) -> reqwest::Response {
    let client = reqwest::Client::builder()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .unwrap();
    let request = client
        .post(format!("{}{path}", house.url))
        .header("cookie", cookie)
        .body(fields);
    request
        .header("content-type", "application/x-www-form-urlencoded")
        .send()
        .await
        .unwrap()
}

#[tokio::test]
async fn forms_sign_up_in_and_out_and_lead_on() {
    let house = House::open().await;
    let fields =
        "name=Ann&password=correct+horse+battery&level=casual&next=%2Fleaderboard%3Fgame%3Dmnk";
    let answer = send(&house, "/signup", "", fields).await;
    assert_eq!(
        (answer.status().as_u16(), &answer.headers()["location"]),
        (303, &"/leaderboard?game=mnk".parse().unwrap())
    );
    let cookie = answer.headers()["set-cookie"]
        .to_str()
        .unwrap()
        .split(';')
        .next()
        .unwrap()
        .to_owned();
    let ann = Member { cookie };
    for path in ["/", "/nothing-here", "/about"] {
        let request = house
            .request(Method::GET, path)
            .header("cookie", &ann.cookie)
            .header("accept", "text/html");
        let page = Answer::of(request).await.text;
        assert!(
            page.contains("href=\"/players/Ann\"") && !page.contains("Sign in"),
            "{path}"
        );
    }
    let taken = send(
        &house,
        "/signup",
        "",
        "name=ANN&password=correct+horse+battery",
    )
    .await;
    assert_eq!(taken.status(), 409);
    let page = taken.text().await.unwrap();
    assert!(
        page.contains("This name is already taken.") && page.contains("aria-invalid=\"true\""),
        "{page}"
    );
    assert!(
        page.contains("value=\"ANN\"") && !page.contains("correct horse"),
        "the password is not sent back"
    );
    let wrong = send(&house, "/login", "", "name=Ann&password=wrong+password").await;
    assert_eq!(
        (
            wrong.status().as_u16(),
            wrong.headers().contains_key("set-cookie")
        ),
        (401, false)
    );
    let elsewhere = send(
        &house,
        "/login",
        "",
        "name=Ann&password=correct+horse+battery&next=https://evil.example",
    )
    .await;
    assert_eq!(elsewhere.headers()["location"], "/");
    send(&house, "/logout", &ann.cookie, "").await;
    ann.get(&house, "/api/v1/me").await.problem(401, "no-token");
}

#[tokio::test]
async fn the_account_page_is_its_owners_and_shows_a_new_token_once() {
    let house = House::open().await;
    let stranger = send(&house, "/account/tokens", "", "name=x").await;
    assert_eq!(stranger.headers()["location"], "/login?next=/account");
    let ann = member(&house, "Ann").await;
    let made = send(
        &house,
        "/account/tokens",
        &ann.cookie,
        "name=%3Cb%3Emine&scope.play=yes&days=7",
    )
    .await;
    assert_eq!(
        (made.status().as_u16(), &made.headers()["cache-control"]),
        (200, &"no-store".parse().unwrap())
    );
    let page = made.text().await.unwrap();
    let text = page
        .split("value=\"parlor_")
        .nth(1)
        .expect("the token")
        .split('"')
        .next()
        .unwrap();
    assert_eq!(text.len(), 40);
    assert!(
        page.contains("&lt;b&gt;mine") && !page.contains("<b>mine"),
        "names are texts"
    );
    let again = ann.get(&house, "/account").await.text;
    assert!(again.contains("&lt;b&gt;mine") && !again.contains(text));
    let bot = send(&house, "/account/bots", &ann.cookie, "name=AnnsBot")
        .await
        .text()
        .await
        .unwrap();
    assert!(bot.contains("value=\"parlor_"));
    let changed = send(
        &house,
        "/account/password",
        &ann.cookie,
        "current=correct+horse+battery&new=something+longer",
    )
    .await;
    assert!(changed.status() == 200 && changed.headers().contains_key("set-cookie"));
    ann.get(&house, "/api/v1/me").await.problem(401, "no-token");
}

#[tokio::test]
async fn guests_are_not_named_like_those_who_run_the_house() {
    let house = House::open().await;
    let made = house.create(classic()).await;
    let join = format!("/api/v1/tables/{}/join", made.id);
    let seats = |name: &str| json!({ "game": "mnk", "seats": [{ "kind": "me", "name": name }, { "kind": "open" }] });
    for name in ["Admin", "the moderator", "Parlor Team"] {
        let joined = house.post(&join, json!({ "name": name })).await;
        assert_eq!(joined.problem(422, "bad-content")["field"], "name");
        let created = house.post("/api/v1/tables", seats(name)).await;
        assert_eq!(created.problem(422, "bad-content")["field"], "name");
    }
    house
        .post("/api/v1/tables", seats("Guest 2"))
        .await
        .expect(201);
    house
        .post(&join, json!({ "name": "Addam" }))
        .await
        .expect(200);
}
