use parlor_games::GameKind;
use serde_json::{Value, json};

use super::house::House;

#[tokio::test]
async fn the_catalogue_names_every_game_with_its_options_presets_and_bots() {
    let house = House::open().await;
    let games = house.get("/api/v1/games").await.expect(200);
    let names: Vec<&str> = games
        .as_array()
        .unwrap()
        .iter()
        .map(|game| game["name"].as_str().unwrap())
        .collect();
    let listed: Vec<&str> = GameKind::all().iter().map(|kind| kind.name()).collect();
    assert_eq!(names, listed);
    for game in games.as_array().unwrap() {
        jsonschema::meta::validate(&game["options"])
            .unwrap_or_else(|error| panic!("{}: {error}", game["name"]));
        let schema = jsonschema::validator_for(&game["options"]).unwrap();
        for preset in game["presets"].as_array().unwrap() {
            let options = &preset["options"];
            assert!(
                *options == Value::Null || schema.is_valid(options),
                "{preset}"
            );
            let wish = json!({ "game": game["name"], "options": options });
            house.post("/api/v1/tables", wish).await.expect(201);
        }
        let bots = game["bots"].as_array().unwrap();
        assert!(!bots.is_empty());
        for bot in bots {
            let seats =
                json!([{ "kind": "me", "name": "Ann" }, { "kind": "bot", "spec": bot["spec"] }]);
            let wish = json!({ "game": game["name"], "seats": seats });
            house.post("/api/v1/tables", wish).await.expect(201);
        }
        assert!(!game["rules"].as_str().unwrap().is_empty());
    }
}

#[tokio::test]
async fn presets_of_team_games_say_how_hard_they_are() {
    let house = House::open().await;
    let games = house.get("/api/v1/games").await.expect(200);
    for game in games.as_array().unwrap() {
        for preset in game["presets"].as_array().unwrap() {
            let is_hard = preset["difficulty"].is_string() && preset["bots_win"].is_string();
            assert_eq!(is_hard, game["name"] == "pandemic", "{preset}");
        }
    }
}

#[tokio::test]
async fn the_lobby_of_a_game_offers_a_table_of_it() {
    let house = House::open().await;
    let lobby = |query: &str| {
        let url = format!("{}/{query}", house.url);
        async move { reqwest::get(url).await.unwrap().text().await.unwrap() }
    };
    for (query, title, board) in [
        ("", "Tic-tac-toe", None),
        ("?game=backgammon", "Backgammon", Some("backgammon:0")),
        ("?game=ultimate", "Ultimate tic-tac-toe", Some("ultimate:0")),
    ] {
        let page = lobby(query).await;
        let open: Vec<&str> = page.split("<details name=\"game\" open>").skip(1).collect();
        assert_eq!(open.len(), 1, "{query}");
        assert!(
            open[0].starts_with(&format!("<summary><h3>{title}")),
            "{query}"
        );
        let form = page.split(" data-queue>").nth(1).unwrap();
        let selected = form
            .split("<option value=\"")
            .find(|option| option.contains(" selected"));
        let selected = selected.and_then(|option| option.split('"').next());
        match board {
            Some(board) => assert_eq!(selected, Some(board)),
            None => assert!(
                selected.is_some_and(|clock| clock.contains('+')),
                "{selected:?}"
            ),
        }
    }
}
