use reqwest::Method;
use serde_json::{Value, json};

use super::accounts::{Member, PASSWORD, member, session};
use super::house::{Answer, House};

/// Starts a rated game between two members.
async fn rated(house: &House, ann: &Member, bob: &Member, listed: bool) -> String {
    let wanted = json!({ "game": "mnk", "rated": true, "listed": listed });
    let made = ann.post(house, "/api/v1/tables", wanted).await.expect(201);
    let id = made["table"]["id"].as_str().unwrap().to_owned();
    let join = json!({ "name": "whatever", "invite": made["invite"] });
    bob.post(house, &format!("/api/v1/tables/{id}/join"), join)
        .await
        .expect(200);
    id
}

async fn play(house: &House, id: &str, players: [&Member; 2], moves: &[&str]) -> Value {
    let mut last = Value::Null;
    for (n, text) in moves.iter().enumerate() {
        let path = format!("/api/v1/tables/{id}/moves");
        last = players[n % 2]
            .post(house, &path, json!({ "move": text }))
            .await
            .expect(200);
    }
    last
}

const FIRST_WINS: [&str; 5] = ["0,0", "1,0", "0,1", "1,1", "0,2"];

#[tokio::test]
async fn a_rated_game_moves_both_ratings_and_counts_once() {
    let house = House::open().await;
    let (ann, bob) = (member(&house, "Ann").await, member(&house, "Bob").await);
    let id = rated(&house, &ann, &bob, true).await;
    assert_eq!(
        house.get("/api/v1/players/Ann").await.expect(200)["games"],
        json!([])
    );
    assert_eq!(
        house.get("/api/v1/leaderboard?game=mnk").await.expect(200)["players"],
        json!([])
    );
    play(&house, &id, [&ann, &bob], &FIRST_WINS).await;
    bob.post(&house, &format!("/api/v1/tables/{id}/resign"), json!({}))
        .await
        .problem(409, "over");
    for (name, elo, wins, losses) in [("Ann", 1016, 1, 0), ("Bob", 984, 0, 1)] {
        let games = house
            .get(&format!("/api/v1/players/{name}"))
            .await
            .expect(200)["games"]
            .clone();
        assert_eq!(games.as_array().unwrap().len(), 1);
        let game = &games[0];
        assert_eq!((&game["game"], &game["elo"]), (&json!("mnk"), &json!(elo)));
        assert_eq!(
            (&game["wins"], &game["losses"], &game["draws"]),
            (&json!(wins), &json!(losses), &json!(0))
        );
        assert_eq!(game["glicko"]["provisional"], true);
        let points = house
            .get(&format!("/api/v1/players/{name}/ratings?game=mnk"))
            .await
            .expect(200)["points"]
            .clone();
        assert_eq!(points.as_array().unwrap().len(), 1);
        assert_eq!(
            (&points[0]["elo_before"], &points[0]["elo"]),
            (&json!(1000), &json!(elo))
        );
    }
    let board = house.get("/api/v1/leaderboard?game=mnk").await.expect(200);
    let names: Vec<&str> = board["players"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| p["name"].as_str().unwrap())
        .collect();
    assert_eq!((names, &board["next"]), (vec!["Ann", "Bob"], &Value::Null));
    let first = house
        .get("/api/v1/leaderboard?game=mnk&limit=1")
        .await
        .expect(200);
    let next = first["next"].as_str().unwrap();
    assert!(
        next.starts_with("1662.3") && next.ends_with("~Ann"),
        "{next}"
    );
    let second = house
        .get(&format!(
            "/api/v1/leaderboard?game=mnk&limit=1&after={next}"
        ))
        .await
        .expect(200);
    assert_eq!(second["players"][0]["name"], "Bob");
    let paced = "/api/v1/leaderboard?game=mnk&pace=blitz";
    let paced = house.get(paced).await.expect(200);
    assert_eq!(
        (&paced["pace"], &paced["players"]),
        (&json!("blitz"), &json!([]))
    );
}

#[tokio::test]
async fn variants_and_paces_have_ratings_of_their_own() {
    let house = House::open().await;
    let (ann, bob) = (member(&house, "Ann").await, member(&house, "Bob").await);
    let id = rated(&house, &ann, &bob, true).await;
    play(&house, &id, [&ann, &bob], &FIRST_WINS).await;
    let gomoku = json!({
        "game": "mnk", "rated": true, "options": { "rows": 15, "columns": 15, "k": 5 },
        "clock": { "kind": "total", "initial_ms": 300_000 },
    });
    let made = ann.post(&house, "/api/v1/tables", gomoku).await.expect(201);
    let id = made["table"]["id"].as_str().unwrap();
    let path = format!("/api/v1/tables/{id}");
    bob.post(&house, &format!("{path}/join"), json!({}))
        .await
        .expect(200);
    let rating = |table: &Value, seat: usize| table["ratings"][seat]["rating"].as_f64().unwrap();
    let before = house.get(&path).await.expect(200);
    assert!(rating(&before, 0) > 1_600.0, "it begins with the other one");
    assert_eq!(before["ratings"][0]["change"], Value::Null);
    for (who, text) in [(&ann, "7,7"), (&bob, "0,0")] {
        let moved = json!({ "move": text });
        who.post(&house, &format!("{path}/moves"), moved)
            .await
            .expect(200);
    }
    ann.post(&house, &format!("{path}/resign"), json!({}))
        .await
        .expect(200);
    let after = house.get(&path).await.expect(200);
    assert!(rating(&after, 0) < rating(&before, 0));
    assert!(after["ratings"][1]["change"].as_f64().unwrap() > 0.0);
    let open =
        json!({ "game": "mnk", "seats": [{ "kind": "me" }, { "kind": "bot", "spec": "level:1" }] });
    house.create(open).await;
    for path in ["/tables", "/players/Ann/games", "/players/Bob/games"] {
        let listed = house.get(&format!("/api/v1{path}")).await.expect(200);
        for row in listed["tables"].as_array().unwrap() {
            let table = house.table(row["id"].as_str().unwrap()).await;
            assert_eq!(row["ratings"], table["ratings"], "{path}");
        }
    }
    let profile = house.get("/api/v1/players/Ann").await.expect(200);
    let games: Vec<_> = profile["games"]
        .as_array()
        .unwrap()
        .iter()
        .map(|game| ["game", "variant", "pace", "words"].map(|field| game[field].clone()))
        .collect();
    assert_eq!(
        json!(games),
        json!([
            ["mnk", "", "none", "Classic 3 × 3 · No clock"],
            ["mnk", "15x15x5", "blitz", "Gomoku 15 × 15 · Blitz"],
        ])
    );
    let history = "/api/v1/players/Ann/ratings?game=mnk&variant=15x15x5&pace=blitz";
    let points = house.get(history).await.expect(200)["points"].clone();
    assert_eq!(points.as_array().unwrap().len(), 1);
    assert_eq!(
        (&points[0]["table"], &points[0]["opponent"]),
        (&json!(id), &json!("Bob"))
    );
    let page = house.get("/players/Ann").await.text;
    assert!(page.contains(&format!("<a href=\"/t/{id}\" tabindex=\"-1\">")));
    assert!(page.contains("against Bob") && page.contains("provisional"));
    let page = house
        .get("/leaderboard?game=mnk&variant=15x15x5&pace=blitz")
        .await;
    assert!(page.text.contains("/players/Bob"));
    for wrong in ["variant=Go+moku", "pace=slow"] {
        let answer = house
            .get(&format!("/api/v1/leaderboard?game=mnk&{wrong}"))
            .await;
        assert_eq!(answer.status, 422, "{wrong}");
    }
}

#[tokio::test]
async fn the_declared_level_is_where_a_rating_begins() {
    let house = House::open().await;
    let wanted = json!({ "name": "Cid", "password": PASSWORD, "level": "beginner" });
    let answer = house.post("/api/v1/accounts", wanted).await;
    let cid = Member {
        cookie: session(&answer).unwrap(),
    };
    let ann = member(&house, "Ann").await;
    let id = rated(&house, &ann, &cid, true).await;
    play(&house, &id, [&ann, &cid], &FIRST_WINS).await;
    let cid = house.get("/api/v1/players/Cid").await.expect(200);
    assert_eq!(
        (&cid["level"], &cid["games"][0]["elo"]),
        (&json!("beginner"), &json!(200))
    );
    let ann = house.get("/api/v1/players/Ann").await.expect(200);
    assert_eq!(
        ann["games"][0]["elo"], 1000,
        "a win against somebody 800 points below brings nothing"
    );
}

#[tokio::test]
async fn ones_tables_are_listed_with_those_that_wait_for_one_first() {
    let house = House::open().await;
    let (ann, bob) = (member(&house, "Ann").await, member(&house, "Bob").await);
    let waits_for_ann = rated(&house, &ann, &bob, true).await;
    let waits_for_bob = rated(&house, &ann, &bob, true).await;
    play(&house, &waits_for_bob, [&ann, &bob], &["1,1"]).await;
    let open = ann
        .post(&house, "/api/v1/tables", json!({ "game": "mnk" }))
        .await
        .expect(201);
    let mine = async |who: &Member| {
        let tables = who.get(&house, "/api/v1/me/games").await.expect(200)["tables"].clone();
        let row = |table: &Value| {
            (
                table["id"].as_str().unwrap().to_owned(),
                table["my_turn"] == true,
            )
        };
        tables
            .as_array()
            .unwrap()
            .iter()
            .map(row)
            .collect::<Vec<_>>()
    };
    let open = open["table"]["id"].as_str().unwrap().to_owned();
    let anns = vec![
        (waits_for_ann.clone(), true),
        (open, false),
        (waits_for_bob.clone(), false),
    ];
    assert_eq!(mine(&ann).await, anns);
    assert_eq!(
        mine(&bob).await,
        vec![(waits_for_bob, true), (waits_for_ann, false)]
    );
}

#[tokio::test]
async fn a_table_that_no_list_shows_is_in_its_players_own_list_only() {
    let house = House::open().await;
    let (ann, bob) = (member(&house, "Ann").await, member(&house, "Bob").await);
    let shown = rated(&house, &ann, &bob, true).await;
    let hidden = rated(&house, &ann, &bob, false).await;
    let ids = |answer: &Value| -> Vec<String> {
        answer["tables"]
            .as_array()
            .unwrap()
            .iter()
            .map(|t| t["id"].as_str().unwrap().to_owned())
            .collect()
    };
    let path = "/api/v1/players/ann/games";
    assert_eq!(ids(&house.get(path).await.expect(200)), [shown.as_str()]);
    assert_eq!(
        ids(&bob.get(&house, path).await.expect(200)),
        [shown.as_str()],
        "Bob sat there, but asks for Ann's"
    );
    assert_eq!(
        ids(&ann.get(&house, path).await.expect(200)),
        [hidden.as_str(), shown.as_str()]
    );
    let first = ann
        .get(&house, &format!("{path}?limit=1"))
        .await
        .expect(200);
    assert_eq!(
        (ids(&first), &first["next"]),
        (vec![hidden.clone()], &json!(hidden))
    );
    let second = ann
        .get(&house, &format!("{path}?limit=1&before={hidden}"))
        .await
        .expect(200);
    assert_eq!(ids(&second), [shown.as_str()]);
}

#[tokio::test]
async fn who_is_not_there_and_what_is_no_game_is_told() {
    let house = House::open().await;
    for path in [
        "/players/Nobody",
        "/players/%FF",
        "/players/Nobody/games",
        "/players/Nobody/ratings?game=mnk",
    ] {
        house
            .get(&format!("/api/v1{path}"))
            .await
            .problem(404, "not-found");
    }
    assert_eq!(
        house
            .get("/api/v1/leaderboard?game=chess")
            .await
            .problem(422, "bad-content")["field"],
        "game"
    );
    house
        .get("/api/v1/leaderboard")
        .await
        .problem(400, "bad-request");
    house
        .get("/api/v1/leaderboard?game=mnk&after=x")
        .await
        .problem(422, "bad-content");
}

#[tokio::test]
async fn the_profile_page_shows_a_graph_and_the_same_as_numbers() {
    let house = House::open().await;
    let (ann, bob) = (member(&house, "Ann").await, member(&house, "Bob").await);
    for _ in 0..2 {
        let id = rated(&house, &ann, &bob, true).await;
        play(&house, &id, [&ann, &bob], &FIRST_WINS).await;
    }
    let page = house.get("/players/Ann").await;
    assert_eq!(page.status, 200);
    for part in [
        "<svg class=\"graph\"",
        "role=\"group\"",
        "From 1500 to ",
        " in 2 games",
        "<td>+162</td>",
        "Elo is the simpler number",
    ] {
        assert!(page.text.contains(part), "{part} in {}", page.text);
    }
    assert!(
        !page.text.contains("/account"),
        "only one's own profile leads to the account"
    );
    assert!(
        ann.get(&house, "/players/Ann")
            .await
            .text
            .contains("href=\"/account\"")
    );
    let board = house.get("/leaderboard").await;
    assert!(
        board.text.contains("href=\"/players/Bob\"")
            && board.text.contains("<td class=\"more\">1031</td>"),
        "{}",
        board.text
    );
    let nobody = Answer::of(
        house
            .request(Method::GET, "/players/Nobody")
            .header("accept", "text/html"),
    )
    .await;
    assert_eq!(
        (nobody.status.as_u16(), nobody.text.contains("<h1>")),
        (404, true)
    );
    let moved = house.get("/players/ann").await;
    assert!(
        moved.text.contains("<h1><bdi>Ann</bdi></h1>"),
        "the other case leads there"
    );
}
