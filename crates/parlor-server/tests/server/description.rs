use serde_json::{Value, json};

use super::house::House;

/// Returns a validator for a schema of the API description.
pub fn schema(description: &Value, name: &str) -> jsonschema::Validator {
    let schema = json!({
        "$ref": format!("#/components/schemas/{name}"),
        "components": description["components"],
    });
    jsonschema::validator_for(&schema).unwrap()
}

#[track_caller]
pub fn fits(validator: &jsonschema::Validator, value: &Value) {
    let errors: Vec<String> = validator
        .iter_errors(value)
        .map(|error| format!("{error} at {}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:?} in {value}");
}

#[tokio::test]
async fn the_description_names_every_route_and_the_page_shows_it() {
    let house = House::open().await;
    let description = house.get("/api/openapi.json").await.expect(200);
    assert_eq!(
        description["openapi"]
            .as_str()
            .unwrap()
            .split('.')
            .take(2)
            .collect::<Vec<_>>(),
        ["3", "1"]
    );
    let routes = [
        ("/games", "get"),
        ("/tables", "get"),
        ("/tables", "post"),
        ("/tables/{id}", "get"),
        ("/tables/{id}/join", "post"),
        ("/tables/{id}/leave", "post"),
        ("/tables/{id}/moves", "post"),
        ("/tables/{id}/legal", "get"),
        ("/tables/{id}/clicks", "get"),
        ("/tables/{id}/chance", "post"),
        ("/statistics/dice", "get"),
        ("/tables/{id}/resign", "post"),
        ("/tables/{id}/abort", "post"),
        ("/tables/{id}/rematch", "post"),
        ("/tables/{id}/luck", "post"),
        ("/tables/{id}/ready", "post"),
        ("/tables/{id}/draw", "post"),
        ("/tables/{id}/takeback", "post"),
        ("/tables/{id}/give-time", "post"),
        ("/tables/{id}/claim", "post"),
        ("/tables/{id}/events", "get"),
        ("/tables/{id}/socket", "get"),
        ("/tables/{id}/record", "get"),
        ("/tables/{id}/verify", "get"),
        ("/tables/{id}/svg", "get"),
        ("/tables/{id}/analysis", "get"),
        ("/tables/{id}/analysis", "post"),
        ("/verify", "post"),
        ("/accounts", "post"),
        ("/sessions", "post"),
        ("/sessions/current", "delete"),
        ("/me", "get"),
        ("/me/password", "post"),
        ("/me/events", "get"),
        ("/me/games", "get"),
        ("/bots", "get"),
        ("/bots", "post"),
        ("/bots/{name}", "delete"),
        ("/tokens", "get"),
        ("/tokens", "post"),
        ("/tokens/{id}", "delete"),
        ("/players/{name}", "get"),
        ("/players/{name}/games", "get"),
        ("/players/{name}/ratings", "get"),
        ("/leaderboard", "get"),
        ("/queue", "get"),
        ("/queue", "post"),
    ];
    let paths = description["paths"].as_object().unwrap();
    let described: usize = paths
        .values()
        .map(|item| item.as_object().unwrap().len())
        .sum();
    assert_eq!(described, routes.len());
    for (path, method) in routes {
        let operation = &paths[&format!("/api/v1{path}")][method];
        assert!(
            operation["responses"]["default"].is_object(),
            "{method} {path}"
        );
        assert!(
            operation["description"].is_string() || operation["summary"].is_string(),
            "{method} {path}"
        );
    }
    let page = house.get("/api/docs/").await;
    assert!(page.text.contains("swagger"), "{}", page.text);
    assert!(
        !page.text.contains("https://"),
        "the page needs nothing from elsewhere"
    );
}

#[tokio::test]
async fn what_comes_fits_its_description() {
    let house = House::open().await;
    let description = house.get("/api/openapi.json").await.expect(200);
    let validator = |name: &str| schema(&description, name);
    for game in house
        .get("/api/v1/games")
        .await
        .expect(200)
        .as_array()
        .unwrap()
    {
        fits(&validator("GameInfo"), game);
    }
    let made = house
        .create(json!({ "game": "pig", "options": { "target": 1 } }))
        .await;
    fits(&validator("CreateTableResponse"), &made.json);
    let join = format!("/api/v1/tables/{}/join?view=true", made.id);
    fits(
        &validator("CommandResponse"),
        &house
            .post(&join, json!({ "name": "Bob" }))
            .await
            .expect(200),
    );
    fits(
        &validator("TableResponse"),
        &house
            .get(&format!("/api/v1/tables/{}", made.id))
            .await
            .expect(200),
    );
    fits(
        &validator("LegalMoves"),
        &house
            .get(&format!("/api/v1/tables/{}/legal", made.id))
            .await
            .expect(200),
    );
    let timed = json!({ "game": "mnk", "clock": { "kind": "total", "initial_ms": 60_000 } });
    fits(&validator("CreateTableRequest"), &timed);
    let (id, tokens) = house.two(timed).await;
    let offer = house
        .post_as(
            &tokens[0],
            &format!("/api/v1/tables/{id}/draw"),
            json!({ "action": "offer" }),
        )
        .await;
    fits(&validator("CommandResponse"), &offer.expect(200));
    fits(
        &validator("TableResponse"),
        &house.get(&format!("/api/v1/tables/{id}")).await.expect(200),
    );
    let last = house
        .play(&id, &tokens, &["0,0", "1,0", "0,1", "1,1", "0,2"])
        .await;
    fits(&validator("CommandResponse"), &last);
    for table in [&made.id, &id] {
        fits(
            &validator("TableResponse"),
            &house
                .get(&format!("/api/v1/tables/{table}"))
                .await
                .expect(200),
        );
        fits(
            &validator("Record"),
            &house
                .get(&format!("/api/v1/tables/{table}/record"))
                .await
                .expect(200),
        );
        fits(
            &validator("VerificationResponse"),
            &house
                .get(&format!("/api/v1/tables/{table}/verify"))
                .await
                .expect(200),
        );
    }
    let game = house.two(json!({ "game": "backgammon" })).await.0;
    let clicks = house
        .get(&format!("/api/v1/tables/{game}/clicks"))
        .await
        .expect(200);
    fits(&validator("Clicks"), &clicks);
    let draft = clicks["clicks"][0]["move"].as_str().unwrap();
    fits(
        &validator("Clicks"),
        &house
            .get(&format!("/api/v1/tables/{game}/clicks?draft={draft}"))
            .await
            .expect(200),
    );
    fits(
        &validator("LegalMoves"),
        &house
            .get(&format!("/api/v1/tables/{game}/legal"))
            .await
            .expect(200),
    );
    fits(
        &validator("Statistics"),
        &house.get("/api/v1/statistics/dice").await.expect(200),
    );
    let by_hand = json!({ "game": "backgammon", "luck_by_hand": true });
    fits(&validator("CreateTableRequest"), &by_hand);
    fits(
        &validator("CreateTableResponse"),
        &house.create(by_hand).await.json,
    );
    fits(
        &validator("TableList"),
        &house.get("/api/v1/tables").await.expect(200),
    );
    let problem = house
        .post_as(
            &tokens[0],
            &format!("/api/v1/tables/{id}/moves"),
            json!({ "move": "1,1" }),
        )
        .await;
    fits(&validator("Problem"), &problem.problem(409, "over"));
}
