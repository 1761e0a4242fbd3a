use serde_json::Value;

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
    assert!(names.contains(&"mnk"), "{names:?}");
    for game in games.as_array().unwrap() {
        jsonschema::meta::validate(&game["options"])
            .unwrap_or_else(|error| panic!("{}: {error}", game["name"]));
        let schema = jsonschema::validator_for(&game["options"]).unwrap();
        for preset in game["presets"].as_array().unwrap() {
            assert!(
                preset["options"] == Value::Null || schema.is_valid(&preset["options"]),
                "{preset}"
            );
        }
        assert!(!game["bots"].as_array().unwrap().is_empty());
        assert!(!game["rules"].as_str().unwrap().is_empty());
    }
}
