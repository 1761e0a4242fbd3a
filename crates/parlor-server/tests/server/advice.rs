//! Advice to the players of a team.

use std::time::Duration;

use parlor_store::Store;
use reqwest::Method;
use reqwest::header::{ACCEPT, COOKIE};
use serde_json::{Value, json};

use super::analysis;
use super::description::{fits, schema};
use super::house::{Answer, Folder, House, classic, sqlite};

fn path(id: &str) -> String {
    format!("/api/v1/tables/{id}/advice")
}

#[tokio::test]
async fn a_player_of_a_team_is_advised_when_asking_and_nobody_is_told() {
    let house = House::open().await;
    let description = house.get("/api/openapi.json").await.expect(200);
    let (id, tokens) = house.two(json!({ "game": "pandemic" })).await;
    let log = house.log(&id).await.len();
    let legal = house.get(&format!("/api/v1/tables/{id}/legal")).await;
    let legal = legal.expect(200)["moves"].clone();
    // Partners are advised about the turn of the one who plays, too.
    for token in &tokens {
        let advice = house.act(token, &id, "advice", json!({})).await.expect(200);
        fits(&schema(&description, "AdviceResponse"), &advice);
        assert_eq!(advice["version"], house.table(&id).await["version"]);
        let turns = advice["turns"].as_array().unwrap();
        assert!((2..=4).contains(&turns.len()), "{advice}");
        let chance = |turn: &Value| turn["worth"].as_f64().unwrap();
        assert!(turns.is_sorted_by(|better, worse| chance(better) >= chance(worse)));
        assert_eq!(advice["chance"], turns[0]["worth"]);
        assert!(advice["course"].is_array(), "{advice}");
        for turn in turns {
            assert!(legal.as_array().unwrap().contains(&turn["move"]), "{turn}");
            assert!(turn["error"].as_f64() < Some(0.1), "{turn}");
        }
    }
    assert_eq!(house.log(&id).await.len(), log);
    let watcher = house.member("Wes").await;
    house
        .act(&watcher, &id, "advice", json!({}))
        .await
        .problem(403, "not-seated");
    house.post(&path(&id), json!({})).await.expect(401);
}

#[tokio::test]
async fn an_adviser_that_is_too_busy_says_so() {
    let folder = Folder::new();
    let store = Store::open(&sqlite(&folder.0)).await.unwrap();
    let house = House::on(store.clone()).await;
    let (id, tokens) = house.two(json!({ "game": "pandemic" })).await;
    let hasty = House::on_with(store, |config| {
        config.limits.request_time = Duration::from_millis(1);
    })
    .await;
    let late = hasty.act(&tokens[0], &id, "advice", json!({})).await;
    assert_eq!(late.status, 503);
    assert_eq!(late.headers["retry-after"], "5");
    assert!(
        late.text.contains("the adviser was too busy"),
        "{}",
        late.text
    );
}

#[tokio::test]
async fn opponents_and_teams_that_did_not_want_it_have_no_adviser() {
    let house = House::open().await;
    let unadvised = json!({ "game": "pandemic", "advice": false });
    for wanted in [classic(), unadvised] {
        let (id, tokens) = house.two(wanted.clone()).await;
        house
            .act(&tokens[0], &id, "advice", json!({}))
            .await
            .problem(403, "no-advice");
        let first = &house.log(&id).await[0];
        let refuses = wanted["advice"] == false;
        assert_eq!(first["without_advice"] == true, refuses, "{first}");
        let page = house.get(&format!("/t/{id}")).await.text;
        assert_eq!(page.contains("No adviser at this table"), refuses);
    }
    let open = house.create(json!({ "game": "pandemic" })).await;
    house
        .act(&open.token, &open.id, "advice", json!({}))
        .await
        .problem(409, "not-playing");
}

#[tokio::test]
async fn the_page_advises_its_players_with_and_without_the_script() {
    let house = House::open().await;
    let (id, tokens) = house.two(json!({ "game": "pandemic" })).await;
    let (page, ask) = (format!("/t/{id}"), format!("/t/{id}/advice"));
    let as_player = |method: Method, path: &str| {
        let cookie = format!("parlor_guest={}", tokens[0]);
        house.request(method, path).header(COOKIE, cookie)
    };
    let own = Answer::of(as_player(Method::GET, &page)).await.text;
    assert!(own.contains(&format!("action=\"{ask}\" data-advice")));
    assert!(!own.contains("Your team wins"), "nobody is advised unasked");
    assert!(!house.get(&page).await.text.contains("data-advice"));
    let script = as_player(Method::POST, &ask).header(ACCEPT, "application/json");
    let answer = Answer::of(script).await.expect(200);
    let html = answer["html"].as_str().unwrap();
    assert!(
        html.contains("Your team wins") && html.contains("data-trail"),
        "{html}"
    );
    let without = Answer::of(as_player(Method::POST, &ask)).await;
    assert_eq!(without.status, 200);
    assert!(without.text.contains("Your team wins") && !without.text.contains("data-trail"));
    assert!(without.text.contains(&format!("href=\"{page}\"")));
    house.post(&ask, json!({})).await.expect(403);
}

#[tokio::test]
async fn a_finished_game_of_a_team_is_analyzed_by_its_chance_to_win() {
    let house = House::open().await;
    // Without epidemics, no team has lost by then.
    let options = json!({ "consent": "implied", "events": [], "epidemics": 0 });
    let seats = json!([{ "kind": "me" }, { "kind": "me" }]);
    let wanted = json!({ "game": "pandemic", "options": options, "seats": seats });
    let made = house.create(wanted).await;
    // Nothing is done for some turns.
    for _ in 0..3 {
        let legal = house
            .get(&format!("/api/v1/tables/{}/legal", made.id))
            .await;
        let legal = legal.expect(200)["moves"].clone();
        let goes_on = |text: &&str| legal.as_array().unwrap().contains(&json!(text));
        let step = ["draw", "intensify"].into_iter().find(goes_on);
        let moved = json!({ "move": step.expect("hands are not full yet") });
        house
            .act(&made.token, &made.id, "moves", moved)
            .await
            .expect(200);
    }
    let advice = house.act(&made.token, &made.id, "advice", json!({})).await;
    let course = advice.expect(200)["course"].clone();
    let chances = course.as_array().unwrap().iter().map(|point| &point[1]);
    assert!(chances.clone().count() >= 2, "{course}");
    assert!(
        chances
            .clone()
            .all(|chance| (0.0..=1.0).contains(&chance.as_f64().unwrap()))
    );
    let done = house.act(&made.token, &made.id, "resign", json!({})).await;
    done.expect(200);
    let path = analysis::path(&made.id);
    house.post(&path, json!({})).await;
    let mut found = house.get(&path).await;
    while found.status == 202 {
        found = house.get(&path).await;
    }
    let found = found.expect(200);
    let description = house.get("/api/openapi.json").await.expect(200);
    fits(&schema(&description, "Analysis"), &found);
    assert_eq!(found["units"]["is_team_chance"], true);
    let steps = found["steps"].as_array().unwrap();
    let of_kind = |kind: &str| steps.iter().filter(|step| step["kind"] == kind).count();
    assert!(of_kind("decision") > 0 && of_kind("luck") > 0, "{found}");
    let page = house.get(&format!("/t/{}", made.id)).await.text;
    assert!(page.contains("The team's chance to win"), "{page}");
    assert!(page.contains("Lost by decisions") && page.contains("Bad luck"));
    assert!(page.contains("Sums over all steps"));
    assert!(!page.contains("luck-adjusted"));
}

#[tokio::test]
async fn a_member_has_eight_questions_at_once_and_who_waits_when_the_server_ends_is_told() {
    let mut house = House::with(|config| config.bots.threads = 1).await;
    let seats = json!([{ "kind": "me" }, { "kind": "me" }]);
    let wanted = json!({ "game": "pandemic", "seats": seats });
    let mut tables = Vec::new();
    for name in ["Ann", "Bob"] {
        let token = house.member(name).await;
        let made = house.post_as(&token, "/api/v1/tables", wanted.clone());
        let made = made.await.expect(201);
        tables.push((token, made["table"]["id"].as_str().unwrap().to_owned()));
    }
    let mut asked = Vec::new();
    for (token, id) in tables.iter().cycle().take(16) {
        let request = house.request(Method::POST, &path(id)).bearer_auth(token);
        asked.push(tokio::spawn(Answer::of(request.json(&json!({})))));
    }
    let waiting = "\nparlor_thinking_waiting 15\n";
    while !house.metrics().await.contains(waiting) {}
    let (token, id) = &tables[0];
    let ninth = house.act(token, id, "advice", json!({})).await;
    assert_eq!(ninth.status, 429, "{}", ninth.text);
    house.close().await;
    let mut refused = 0;
    for answer in asked {
        let answer = answer.await.unwrap();
        match answer.status.as_u16() {
            200 => {}
            503 => refused += 1,
            other => panic!("{other}: {}", answer.text),
        }
    }
    assert!(refused >= 8, "{refused} of 16");
}
