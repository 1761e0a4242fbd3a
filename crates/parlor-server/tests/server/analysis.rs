//! Analyses of finished games: requesting, waiting, and the same result on the page as in the API.

use reqwest::redirect::Policy;
use serde_json::{Value, json};

use super::description::{fits, schema};
use super::house::{Answer, House, classic};
use super::members::form;

/// Steps of [`begun`]'s table: the seat that moves and its move, or a roll without a seat.
pub const OPENING: [(Option<usize>, &str); 8] = [
    (None, "3-1"),
    (Some(0), "13/10,6/5"),
    (Some(1), "roll"),
    (None, "66"),
    (Some(1), "24/18,24/18,13/7,13/7"),
    (Some(0), "roll"),
    (None, "42"),
    (Some(0), "8/4,6/4"),
];

/// A backgammon match with real dice that starts with a known blunder.
async fn begun(house: &House, listed: bool) -> (String, [String; 2]) {
    let options = json!({ "length": 3, "cube": "on" });
    let wanted =
        json!({ "game": "backgammon", "options": options, "luck_by_hand": true, "listed": listed });
    let made = house.create(wanted).await;
    let join = json!({ "name": "Bob", "invite": made.json["invite"] });
    let joined = house
        .post(&format!("/api/v1/tables/{}/join", made.id), join)
        .await
        .expect(200);
    let tokens = [made.token, joined["token"].as_str().unwrap().to_owned()];
    for (seat, text) in OPENING {
        match seat {
            Some(seat) => house
                .act(&tokens[seat], &made.id, "moves", json!({ "move": text }))
                .await
                .expect(200),
            None => house
                .act(&tokens[0], &made.id, "chance", json!({ "chance": text }))
                .await
                .expect(200),
        };
    }
    (made.id, tokens)
}

/// The same match, resigned by the second player.
pub async fn finished(house: &House, listed: bool) -> (String, [String; 2]) {
    let (id, tokens) = begun(house, listed).await;
    house
        .act(&tokens[1], &id, "resign", json!({}))
        .await
        .expect(200);
    (id, tokens)
}

pub fn path(id: &str) -> String {
    format!("/api/v1/tables/{id}/analysis")
}

/// Polls until the analysis is ready.
pub async fn ready(house: &House, id: &str) -> Value {
    for _ in 0..100_000 {
        let answer = house.get(&path(id)).await;
        if answer.status != 202 {
            return answer.expect(200);
        }
        assert_eq!(answer.headers["retry-after"], "1");
        match answer.json["state"].as_str() {
            Some("waiting") => assert!(answer.json["ahead"].as_u64() >= Some(1), "{}", answer.text),
            Some("running") => {
                assert!(
                    answer.json["done"].as_u64() <= answer.json["of"].as_u64()
                        && answer.json["of"] == OPENING.len()
                );
            }
            _ => panic!("{}", answer.text),
        }
    }
    panic!("the analysis is never ready");
}

/// Requests an analysis.
async fn analyzed(house: &House, id: &str) -> Value {
    let asked = house.post(&path(id), json!({})).await;
    assert!(matches!(asked.status.as_u16(), 200 | 202), "{}", asked.text);
    ready(house, id).await
}

/// Returns the part of a page that shows the analysis.
fn panel(page: &str) -> &str {
    let rest = page
        .split("<div id=\"part-analysis\">")
        .nth(1)
        .expect("every table has a place for it");
    rest.split("<div class=\"side\">").next().unwrap()
}

/// Formats a number as the page does.
fn written(number: &Value) -> String {
    let text = format!("{:+.3}", number.as_f64().unwrap()).replace('-', "−");
    if text.ends_with("0.000") {
        "0.000".to_owned()
    } else {
        text
    }
}

#[tokio::test]
async fn a_game_is_analyzed_for_nobody_before_it_is_over_and_then_for_whoever_asks() {
    let house = House::open().await;
    let (id, tokens) = begun(&house, true).await;
    for token in [None, Some(&tokens[0])] {
        for method in [reqwest::Method::GET, reqwest::Method::POST] {
            let mut request = house.request(method, &path(&id));
            request = token
                .into_iter()
                .fold(request, |request, token| request.bearer_auth(token));
            Answer::of(request).await.problem(409, "not-over");
        }
    }
    let page = house.get(&format!("/t/{id}")).await.text;
    assert!(
        page.contains("<div id=\"part-analysis\"></div>"),
        "a game that is played has no panel"
    );
    house
        .act(&tokens[1], &id, "resign", json!({}))
        .await
        .expect(200);
    house.get(&path(&id)).await.problem(404, "not-analysed");
    assert!(
        house
            .get(&format!("/t/{id}"))
            .await
            .text
            .contains("Analyze the game")
    );
    let analysis = analyzed(&house, &id).await;
    assert_eq!(analysis["steps"].as_array().unwrap().len(), OPENING.len());
    assert_eq!(
        house.post(&path(&id), json!({})).await.expect(200),
        analysis,
        "asking again gives what is there"
    );
    house
        .get(&path("00000000000"))
        .await
        .problem(404, "not-found");
}

#[tokio::test]
async fn the_blunder_is_named_and_the_sums_are_the_sums_of_the_steps() {
    let house = House::open().await;
    let (id, _) = finished(&house, true).await;
    let analysis = analyzed(&house, &id).await;
    let steps = analysis["steps"].as_array().unwrap();
    let kinds: Vec<&str> = steps
        .iter()
        .map(|step| step["kind"].as_str().unwrap())
        .collect();
    assert_eq!((kinds[0], kinds[1], kinds[3]), ("luck", "decision", "luck"));
    let blunder = &steps[1];
    assert_eq!(
        (&blunder["mark"], &blunder["seat"], &blunder["about"]),
        (&json!("blunder"), &json!(0), &json!("31"))
    );
    assert_eq!(blunder["ranked"][0]["text"], "8/5 6/5");
    let played = &blunder["ranked"][blunder["played"].as_u64().unwrap() as usize];
    assert_eq!(played["move"], "13/10,6/5");
    for seat in 0..2 {
        let decisions = || {
            steps
                .iter()
                .filter(|step| step["kind"] == "decision" && step["seat"] == seat)
        };
        let loss: f64 = decisions().map(|step| step["loss"].as_f64().unwrap()).sum();
        assert!((loss - analysis["seats"][seat]["loss"].as_f64().unwrap()).abs() < 1e-9);
        for step in decisions() {
            let worths: Vec<f64> = step["ranked"]
                .as_array()
                .unwrap()
                .iter()
                .map(|r| r["worth"].as_f64().unwrap())
                .collect();
            assert!(worths.is_sorted_by(|one, other| one >= other), "{worths:?}");
        }
    }
}

#[tokio::test]
async fn what_comes_fits_its_description() {
    let house = House::open().await;
    let (id, _) = finished(&house, true).await;
    let description = house.get("/api/openapi.json").await.expect(200);
    let asked = house.post(&path(&id), json!({})).await;
    fits(
        &schema(
            &description,
            if asked.status == 202 {
                "PendingAnalysis"
            } else {
                "Analysis"
            },
        ),
        &asked.json,
    );
    fits(&schema(&description, "Analysis"), &ready(&house, &id).await);
    let pending = schema(&description, "PendingAnalysis");
    fits(&pending, &json!({ "state": "waiting", "ahead": 2 }));
    assert!(!pending.is_valid(&json!({ "state": "running" })));
}

#[tokio::test]
async fn the_page_shows_the_numbers_of_the_api() {
    let house = House::open().await;
    let (id, _) = finished(&house, true).await;
    let analysis = analyzed(&house, &id).await;
    let steps = analysis["steps"].as_array().unwrap();
    for (n, step) in steps.iter().enumerate() {
        let page = house.get(&format!("/t/{id}?step={}", n + 1)).await.text;
        let panel = panel(&page);
        match step["kind"].as_str().unwrap() {
            "decision" => {
                for (choice, ranked) in step["ranked"].as_array().unwrap().iter().enumerate() {
                    let row = format!(
                        "<th class=\"name\" scope=\"row\">{}",
                        ranked["text"].as_str().unwrap()
                    );
                    let row = panel
                        .split(&row)
                        .nth(1)
                        .unwrap_or_else(|| panic!("{row} in {panel}"))
                        .split("</tr>")
                        .next()
                        .unwrap();
                    assert!(
                        row.contains(&format!("<td>{}</td>", written(&ranked["worth"]))),
                        "{ranked} in {row}"
                    );
                    assert_eq!(row.contains("played"), step["played"] == choice, "{row}");
                }
                let loss = written(&json!(-step["loss"].as_f64().unwrap()));
                assert!(
                    step["mark"] == "fine" || panel.contains(&format!(", {loss}</b>")),
                    "{loss} in {panel}"
                );
            }
            "luck" => assert!(
                panel.contains(&format!("<b>{}</b>", written(&step["luck"]))),
                "{step} in {panel}"
            ),
            _ => {}
        }
        for seat in analysis["seats"].as_array().unwrap() {
            for total in [json!(-seat["loss"].as_f64().unwrap()), seat["luck"].clone()] {
                assert!(
                    panel.contains(&format!("<td>{}</td>", written(&total))),
                    "{total} in {panel}"
                );
            }
        }
    }
    let page = house.get(&format!("/t/{id}?step=2")).await.text;
    let moves = page.split("id=\"part-moves\"").nth(1).unwrap();
    assert!(
        moves.contains("??")
            && moves.contains(&written(&json!(-steps[1]["loss"].as_f64().unwrap()))),
        "{moves}"
    );
    assert!(
        page.contains("<svg class=\"graph standing\"")
            && page.contains("class=\"mistake blunder\"")
    );
}

#[tokio::test]
async fn without_the_script_a_form_asks_and_leads_back_to_the_step() {
    let house = House::open().await;
    let (id, _) = finished(&house, true).await;
    let client = reqwest::Client::builder()
        .no_proxy()
        .redirect(Policy::none())
        .build()
        .unwrap();
    let url = format!("{}/t/{id}/analysis", house.url);
    let answer = Answer::of(form(client.post(url), &[("step", "2")])).await;
    assert_eq!(answer.status, 303);
    assert_eq!(
        answer.headers["location"],
        format!("/t/{id}?step=2#part-analysis")
    );
    let page = house.get(&format!("/t/{id}?step=2")).await.text;
    let waiting = panel(&page);
    assert!(
        waiting.contains("Refresh") || waiting.contains("graph standing"),
        "{waiting}"
    );
    ready(&house, &id).await;
    let page = house.get(&format!("/t/{id}?step=2")).await.text;
    let shown = panel(&page);
    assert!(
        shown.contains(">Blunder</button>, ")
            && shown.contains("Previous mistake")
            && !shown.contains("Refresh")
    );
}

#[tokio::test]
async fn an_analysis_names_nobody() {
    let house = House::open().await;
    let (id, tokens) = finished(&house, true).await;
    let analysis = analyzed(&house, &id).await.to_string();
    for secret in [
        tokens[0].as_str(),
        tokens[1].as_str(),
        "Bob",
        "\"key\"",
        "\"invite\"",
    ] {
        assert!(!analysis.contains(secret), "{analysis}");
    }
}

#[tokio::test]
async fn games_of_other_kinds_and_games_that_were_called_off_have_none() {
    let house = House::open().await;
    let (id, tokens) = house.two(classic()).await;
    house
        .play(&id, &tokens, &["0,0", "1,0", "0,1", "1,1", "0,2"])
        .await;
    house.get(&path(&id)).await.problem(404, "no-analysis");
    house
        .post(&path(&id), json!({}))
        .await
        .problem(404, "no-analysis");
    assert!(
        house
            .get(&format!("/t/{id}"))
            .await
            .text
            .contains("<div id=\"part-analysis\"></div>")
    );
    let (id, tokens) = house.two(json!({ "game": "backgammon" })).await;
    house
        .act(&tokens[0], &id, "abort", json!({}))
        .await
        .expect(200);
    house
        .post(&path(&id), json!({}))
        .await
        .problem(409, "called-off");
}

#[tokio::test]
async fn one_address_has_only_so_many_games_analyzed_and_asking_again_is_free() {
    let house = House::with(|config| config.limits.analyses_per_hour = Some(1)).await;
    let (first, _) = finished(&house, true).await;
    let (second, _) = finished(&house, true).await;
    analyzed(&house, &first).await;
    house
        .post(&path(&second), json!({}))
        .await
        .problem(429, "too-many-requests");
    house.get(&path(&second)).await.problem(404, "not-analysed");
    house.post(&path(&first), json!({})).await.expect(200);
}

#[tokio::test]
async fn an_analysis_outlives_a_call_for_a_rematch_and_a_restart() {
    let house = House::open().await;
    let (id, tokens) = finished(&house, true).await;
    let analysis = analyzed(&house, &id).await;
    let version = house.table(&id).await["version"].as_u64();
    house
        .act(&tokens[0], &id, "rematch", json!({}))
        .await
        .expect(200);
    assert!(house.table(&id).await["version"].as_u64() > version);
    assert_eq!(house.get(&path(&id)).await.expect(200), analysis);
    let house = house.restart().await;
    assert_eq!(ready(&house, &id).await, analysis);
}
