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
