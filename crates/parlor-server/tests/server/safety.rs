//! Access control: every route with no, a wrong, a foreign and a revoked credential.

use reqwest::header::{COOKIE, ORIGIN};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

use super::house::{Answer, House};
use super::members::{Member, form};

/// Routes that create something but are open to anonymous clients.
const OPEN: [&str; 5] = [
    "POST /api/v1/tables",
    "POST /api/v1/accounts",
    "POST /api/v1/sessions",
    "POST /api/v1/queue",
    "POST /api/v1/verify",
];
/// Signing out without a session is allowed.
const HARMLESS: &str = "DELETE /api/v1/sessions/current";

/// Credentials of an outsider.
#[derive(Clone, Debug)]
enum Stranger {
    Nobody,
    Token(String),
    Cookie(String),
}

impl Stranger {
    fn dress(&self, request: RequestBuilder) -> RequestBuilder {
        match self {
            Stranger::Nobody => request,
            Stranger::Token(token) => request.bearer_auth(token),
            Stranger::Cookie(cookie) => request.header(COOKIE, cookie),
        }
    }
}

struct Scene {
    house: House,
    ann: Member,
    /// Table where Ann plays Bob, with Ann on turn.
    playing: String,
    /// Private table where Ann waits for an opponent.
    private: String,
    /// Tokens of its invite and of its watchers' link.
    links: [String; 2],
    strangers: Vec<(&'static str, Stranger)>,
}

async fn scene() -> Scene {
    let house = House::open().await;
    let ann = Member::sign_up(&house, "Ann").await;
    let bob = Member::sign_up(&house, "Bob").await;
    let mallory = Member::sign_up(&house, "Mallory").await;
    let revoked = Member::token(&ann, &house, "old").await;
    let gone = house
        .request(Method::DELETE, &format!("/api/v1/tokens/{}", revoked.id))
        .header(COOKIE, &ann.cookie);
    Answer::of(gone).await.expect(204);
    let wanted = json!({ "game": "mnk", "rated": true, "clock": { "kind": "total", "initial_ms": 600_000 } });
    let playing = house
        .post_as(&ann.token, "/api/v1/tables", wanted)
        .await
        .expect(201);
    let playing = playing["table"]["id"].as_str().unwrap().to_owned();
    house
        .post_as(
            &bob.token,
            &format!("/api/v1/tables/{playing}/join"),
            json!({ "name": "Bob" }),
        )
        .await
        .expect(200);
    let private = house
        .post_as(
            &ann.token,
            "/api/v1/tables",
            json!({ "game": "mnk", "listed": false }),
        )
        .await
        .expect(201);
    let url = reqwest::Url::parse(private["watch_url"].as_str().unwrap()).unwrap();
    let watch = url.query().unwrap().strip_prefix("watch=").unwrap();
    let links = [private["invite"].as_str().unwrap(), watch].map(str::to_owned);
    let private = private["table"]["id"].as_str().unwrap().to_owned();
    let strangers = vec![
        ("nobody", Stranger::Nobody),
        (
            "a token that was never given out",
            Stranger::Token(format!("parlor_{}", "0".repeat(40))),
        ),
        (
            "a guest's token that holds nothing",
            Stranger::Token("0".repeat(40)),
        ),
        (
            "another member's token",
            Stranger::Token(mallory.token.clone()),
        ),
        (
            "another member's session",
            Stranger::Cookie(mallory.cookie.clone()),
        ),
        ("a revoked token", Stranger::Token(revoked.text)),
        (
            "a session that never was",
            Stranger::Cookie(format!("parlor_session={}", "0".repeat(40))),
        ),
    ];
    Scene {
        house,
        ann,
        playing,
        private,
        links,
        strangers,
    }
}

/// Returns a body that is valid for an authorized caller.
fn body(method: &Method, path: &str) -> Value {
    match path.rsplit('/').next().unwrap_or_default() {
        "join" => json!({ "name": "Mallory" }),
        "moves" => json!({ "move": "1,1" }),
        "draw" | "takeback" => json!({ "action": "offer" }),
        "claim" => json!({ "claim": "win" }),
        "asking" => json!({ "when": "always" }),
        "stand-in" => json!({ "seat": 1, "spec": "level:2" }),
        "give-time" => json!({ "seconds": 15 }),
        "chance" => json!({ "chance": "31" }),
        "luck" => json!({ "text": "mine" }),
        "tokens" => json!({ "name": "mine", "scopes": ["play"] }),
        "bots" => json!({ "name": "Robot" }),
        "me" if method == Method::DELETE => json!({ "password": "a good password", "sure": true }),
        "notices" => json!({ "kinds": [], "utc_offset": 0, "quiet": null, "digest_at": null }),
        "targets" => json!({ "kind": "ntfy", "address": "https://ntfy.example/mine" }),
        "password" => json!({ "current": "a good password", "new": "another password" }),
        _ => json!({}),
    }
}

/// Returns the method and path of every route in the API description.
async fn routes(house: &House) -> Vec<(Method, String)> {
    let description = house.get("/api/openapi.json").await.expect(200);
    let mut routes = Vec::new();
    for (path, methods) in description["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            if let Ok(method) = method.to_uppercase().parse::<Method>() {
                routes.push((method, path.clone()));
            }
        }
    }
    assert!(routes.len() > 30, "{routes:?}");
    routes
}

async fn seen(scene: &Scene) -> (Value, Value) {
    (
        scene.house.table(&scene.playing).await,
        scene.house.table_as(&scene.ann.token, &scene.private).await,
    )
}

#[tokio::test]
async fn no_stranger_changes_a_table_by_any_route() {
    let scene = scene().await;
    let before = seen(&scene).await;
    for (method, path) in routes(&scene.house).await {
        let name = format!("{method} {path}");
        if method == Method::GET
            || OPEN.contains(&name.as_str())
            || name == HARMLESS
            || !path.contains("/tables/{id}")
        {
            continue;
        }
        // The watchers of a public table may write to each other, which is no part of the table.
        let is_talk = path.contains("/talk");
        let tables: &[&String] = if is_talk {
            &[&scene.private]
        } else {
            &[&scene.playing, &scene.private]
        };
        for (who, stranger) in &scene.strangers {
            for table in tables {
                let address = path.replace("{id}", table).replace("{n}", "1");
                let request = scene
                    .house
                    .request(method.clone(), &address)
                    .json(&body(&method, &path));
                let answer = Answer::of(stranger.dress(request)).await;
                let status = answer.status.as_u16();
                assert!(
                    matches!(status, 401 | 403 | 404 | 409),
                    "{name} by {who}: {status} {}",
                    answer.text
                );
            }
        }
    }
    assert_eq!(seen(&scene).await, before);
}

/// Routes of pages and of git that show a table.
const SHOWING: [(Method, &str); 6] = [
    (Method::GET, "/t/{id}"),
    (Method::GET, "/t/{id}/state"),
    (Method::GET, "/git/{id}.git"),
    (
        Method::GET,
        "/git/{id}.git/info/refs?service=git-upload-pack",
    ),
    (Method::POST, "/git/{id}.git/git-upload-pack"),
    (Method::GET, "/tictactoe/api/games/{id}/"),
];

#[tokio::test]
async fn no_route_shows_a_private_table_to_strangers() {
    let scene = scene().await;
    let mut routes = routes(&scene.house).await;
    routes.extend(SHOWING.map(|(method, path)| (method, path.to_owned())));
    routes.retain(|(_, path)| path.contains("/{id}") && !path.contains("/tokens/"));
    assert!(routes.len() > 30, "{routes:?}");
    for (method, path) in routes {
        let name = format!("{method} {path}");
        for (who, stranger) in &scene.strangers {
            let request = scene
                .house
                .request(method.clone(), &path.replace("{id}", &scene.private))
                .json(&body(&method, &path));
            let answer = Answer::of(stranger.dress(request)).await;
            let status = answer.status.as_u16();
            assert!(
                matches!(status, 401 | 403 | 404),
                "{name} by {who}: {status} {}",
                answer.text
            );
            assert!(!answer.text.contains("Ann"), "{name} by {who}");
        }
    }
}

#[tokio::test]
async fn a_private_table_is_shown_to_its_players_and_by_both_links() {
    let Scene {
        house,
        ann,
        private,
        links,
        ..
    } = scene().await;
    let table = format!("/api/v1/tables/{private}");
    for rest in ["", "/svg", "/legal", "/events?follow=false", "/verify"] {
        let path = format!("{table}{rest}");
        for token in links.iter().chain([&ann.token]) {
            assert_eq!(house.get_as(token, &path).await.status, 200, "{path}");
        }
    }
    let [invite, watch] = &links;
    for (name, token) in [("invite", invite), ("watch", watch)] {
        let page = house.get(&format!("/t/{private}?{name}={token}")).await;
        assert_eq!(page.status, 200);
        assert!(!page.text.contains("Let others watch"), "for players only");
        assert!(page.text.contains("Take a seat"));
        assert_eq!(page.text.contains(invite), name == "invite");
        let cookie = page.cookie("parlor_tables");
        let state = house
            .request(Method::GET, &format!("/t/{private}/state"))
            .header(COOKIE, cookie);
        assert_eq!(Answer::of(state).await.status, 200);
    }
    let page = house
        .request(Method::GET, &format!("/t/{private}"))
        .header(COOKIE, &ann.cookie);
    let page = Answer::of(page).await;
    assert!(
        page.text.contains(&format!("?watch={watch}")),
        "{}",
        page.text
    );
    // The watchers' link gives no seat.
    let join = json!({ "name": "Wes", "invite": watch });
    house
        .post(&format!("{table}/join"), join)
        .await
        .problem(403, "invite-needed");
    let git = |token: &str| {
        let path = format!("/git/{private}.git/info/refs?service=git-upload-pack");
        Answer::of(
            house
                .request(Method::GET, &path)
                .basic_auth("any", Some(token)),
        )
    };
    assert_eq!(git(watch).await.status, 200);
    assert_eq!(git(&"0".repeat(40)).await.status, 403);
}

#[tokio::test]
async fn what_is_ones_own_is_told_and_given_to_nobody_else() {
    let scene = scene().await;
    let keys = scene.ann.tokens(&scene.house).await;
    let first = keys[0]["id"].to_string();
    for (method, path) in routes(&scene.house).await {
        let name = format!("{method} {path}");
        let own = ["me", "tokens", "bots", "account/"]
            .map(|start| format!("/api/v1/{start}"))
            .iter()
            .any(|start| path.starts_with(start.as_str()));
        if !own {
            continue;
        }
        let path = path.replace("{id}", &first).replace("{name}", "Ann");
        for (who, stranger) in &scene.strangers {
            let member = who.starts_with("another member");
            // A block or mute of Ann is in the list of whoever makes it.
            let is_own_list = path.contains("/me/blocks/") || path.contains("/me/mutes/");
            let names_another = path.ends_with(&first) || path.ends_with("/Ann") && !is_own_list;
            if member && !names_another {
                continue; // They get their own data, which another test checks.
            }
            if path.ends_with("/events") && *who == "a guest's token that holds nothing" {
                continue; // Guests receive events of their own tables.
            }
            let request = scene
                .house
                .request(method.clone(), &path)
                .json(&body(&method, &path));
            let answer = Answer::of(stranger.dress(request)).await;
            let status = answer.status.as_u16();
            assert!(
                matches!(status, 401 | 403 | 404),
                "{name} by {who}: {status} {}",
                answer.text
            );
        }
    }
    assert_eq!(scene.ann.tokens(&scene.house).await, keys);
    scene
        .house
        .post_as(
            &scene.ann.token,
            &format!("/api/v1/tables/{}/moves", scene.playing),
            json!({ "move": "1,1" }),
        )
        .await
        .expect(200);
}

#[tokio::test]
async fn forms_of_the_pages_serve_no_stranger_either() {
    let scene = scene().await;
    let before = seen(&scene).await;
    let verbs = [
        "play",
        "join",
        "leave",
        "ready",
        "resign",
        "abort",
        "rematch",
        "rematch/decline",
        "return",
        "stand-in",
        "analysis",
        "luck",
        "draw",
        "draw/accept",
        "draw/decline",
        "takeback",
        "takeback/accept",
        "takeback/decline",
        "give-time",
        "claim",
    ];
    let no_redirects = reqwest::Client::builder()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .unwrap();
    for verb in verbs {
        for (who, stranger) in &scene.strangers {
            for table in [&scene.playing, &scene.private] {
                let url = format!("{}/t/{table}/{verb}", scene.house.url);
                let fields = [
                    ("move", "1%2C1"),
                    ("name", "Mallory"),
                    ("claim", "win"),
                    ("text", "mine"),
                ];
                let answer =
                    Answer::of(stranger.dress(form(no_redirects.post(url), &fields))).await;
                let status = answer.status.as_u16();
                assert!(
                    matches!(status, 401 | 403 | 404 | 409),
                    "{verb} by {who}: {status}"
                );
            }
        }
    }
    assert_eq!(seen(&scene).await, before);
}

#[tokio::test]
async fn a_page_of_another_site_can_do_nothing_with_a_members_cookie() {
    let scene = scene().await;
    let before = seen(&scene).await;
    let moves = format!("/api/v1/tables/{}/moves", scene.playing);
    let attacks = [
        (moves.as_str(), body(&Method::POST, &moves)),
        ("/api/v1/tokens", body(&Method::POST, "tokens")),
        ("/api/v1/bots", body(&Method::POST, "bots")),
        ("/api/v1/tables", json!({ "game": "mnk" })),
        ("/logout", json!({})),
        ("/account/password", json!({})),
    ];
    for (path, json) in &attacks {
        for (header, value) in [
            (ORIGIN.as_str(), "https://evil.example"),
            (ORIGIN.as_str(), "null"),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
        ] {
            let request = scene
                .house
                .request(Method::POST, path)
                .header(COOKIE, &scene.ann.cookie)
                .header(header, value);
            let answer = Answer::of(request.json(json)).await;
            assert_eq!(
                answer.status.as_u16(),
                403,
                "{path} with {header}: {value}: {}",
                answer.text
            );
        }
    }
    let socket = format!("/api/v1/tables/{}/socket", scene.playing);
    let upgrade = scene
        .house
        .request(Method::GET, &socket)
        .header(COOKIE, &scene.ann.cookie)
        .header(ORIGIN, "https://evil.example");
    let upgrade = upgrade
        .header("connection", "upgrade")
        .header("upgrade", "websocket");
    let upgrade = upgrade
        .header("sec-websocket-version", "13")
        .header("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==");
    Answer::of(upgrade).await.problem(403, "cross-site");
    assert_eq!(seen(&scene).await, before);
    assert_eq!(
        Answer::of(
            scene
                .house
                .request(Method::GET, "/api/v1/me")
                .header(COOKIE, &scene.ann.cookie)
        )
        .await
        .expect(200)["name"],
        "Ann"
    );
}

#[tokio::test]
async fn cookies_are_out_of_the_reach_of_scripts_and_of_other_sites() {
    let house = House::open().await;
    let answer = house
        .post(
            "/api/v1/accounts",
            json!({ "name": "Ann", "password": "a good password" }),
        )
        .await;
    let cookies: Vec<&str> = answer
        .headers
        .get_all("set-cookie")
        .iter()
        .map(|value| value.to_str().unwrap())
        .collect();
    let session = cookies
        .iter()
        .find(|cookie| cookie.starts_with("parlor_session="))
        .expect("a session");
    for part in ["HttpOnly", "SameSite=Lax", "Path=/"] {
        assert!(session.contains(part), "{session}");
    }
    assert!(
        !answer
            .text
            .contains(session.split(['=', ';']).nth(1).unwrap()),
        "the answer repeats the session"
    );
}
