use reqwest::Method;
use serde_json::{Value, json};

use super::house::{Answer, House, classic};

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
        ("/tables/{id}/return", "post"),
        ("/tables/{id}/stand-in", "put"),
        ("/tables/{id}/abort", "post"),
        ("/tables/{id}/rematch", "post"),
        ("/tables/{id}/luck", "post"),
        ("/tables/{id}/ready", "post"),
        ("/tables/{id}/draw", "post"),
        ("/tables/{id}/takeback", "post"),
        ("/tables/{id}/asking", "put"),
        ("/tables/{id}/pass", "post"),
        ("/tables/{id}/give-time", "post"),
        ("/tables/{id}/claim", "post"),
        ("/tables/{id}/events", "get"),
        ("/tables/{id}/socket", "get"),
        ("/tables/{id}/talk", "get"),
        ("/tables/{id}/talk", "post"),
        ("/tables/{id}/talk/{n}/report", "post"),
        ("/tables/{id}/plan", "get"),
        ("/tables/{id}/record", "get"),
        ("/tables/{id}/verify", "get"),
        ("/tables/{id}/svg", "get"),
        ("/tables/{id}/analysis", "get"),
        ("/tables/{id}/analysis", "post"),
        ("/tables/{id}/advice", "post"),
        ("/verify", "post"),
        ("/accounts", "post"),
        ("/sessions", "get"),
        ("/sessions", "post"),
        ("/sessions", "delete"),
        ("/sessions/{id}", "delete"),
        ("/sessions/current", "delete"),
        ("/me", "get"),
        ("/me", "patch"),
        ("/me", "delete"),
        ("/me/blocks", "get"),
        ("/me/blocks/{name}", "put"),
        ("/me/blocks/{name}", "delete"),
        ("/me/mutes", "get"),
        ("/me/mutes/{name}", "put"),
        ("/me/mutes/{name}", "delete"),
        ("/account/notices", "get"),
        ("/account/notices", "put"),
        ("/account/notices", "delete"),
        ("/account/notices/targets", "post"),
        ("/account/notices/targets/{id}", "delete"),
        ("/account/notices/targets/{id}/test", "post"),
        ("/me/password", "post"),
        ("/me/events", "get"),
        ("/me/export", "get"),
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
        ("/directory/bots", "get"),
        ("/leaderboard", "get"),
        ("/queue", "get"),
        ("/queue", "post"),
    ];
    let paths = description["paths"].as_object().unwrap();
    let classic = [
        ("/tictactoe/api/games/", "get"),
        ("/tictactoe/api/games/", "post"),
        ("/tictactoe/api/games/{id}/", "get"),
        ("/tictactoe/api/games/{id}/", "delete"),
        ("/tictactoe/api/games/{id}/move/", "post"),
    ];
    for (path, method) in classic {
        assert!(paths[path][method].is_object(), "{method} {path}");
    }
    let described: usize = paths
        .values()
        .map(|item| item.as_object().unwrap().len())
        .sum();
    assert_eq!(described, routes.len() + classic.len());
    for (path, method) in routes {
        let operation = &paths[&format!("/api/v1{path}")][method];
        assert!(
            operation["responses"]["default"].is_object(),
            "{method} {path}"
        );
        let retry_after = &operation["responses"]["429"]["headers"]["Retry-After"];
        assert_eq!(retry_after["schema"]["type"], "integer", "{method} {path}");
        assert!(
            operation["description"].is_string() || operation["summary"].is_string(),
            "{method} {path}"
        );
    }
    let page = house.get("/api/docs/").await;
    for path in routes.iter().map(|(path, _)| path) {
        assert!(
            page.text.contains(&format!("<code>/api/v1{path}</code>")),
            "{path}"
        );
    }
    assert!(
        !page.text.contains("https://"),
        "the page needs nothing from elsewhere"
    );
}

/// Returns the operations of the description, each with its method and path.
fn operations(description: &Value) -> Vec<(String, &Value)> {
    let paths = description["paths"].as_object().unwrap();
    let of_path = |(path, item): (&String, &'_ Value)| -> Vec<String> {
        let methods = item.as_object().unwrap().keys();
        methods.map(|method| format!("{method} {path}")).collect()
    };
    let names: Vec<String> = paths.iter().flat_map(of_path).collect();
    let operation = |name: String| {
        let (method, path) = name.split_once(' ').unwrap();
        let operation = &paths[path][method];
        (name, operation)
    };
    names.into_iter().map(operation).collect()
}

/// Calls `visit` with each object within a value.
fn each_object<'a>(value: &'a Value, visit: &mut impl FnMut(&'a serde_json::Map<String, Value>)) {
    match value {
        Value::Object(object) => {
            visit(object);
            object.values().for_each(|value| each_object(value, visit));
        }
        Value::Array(items) => items.iter().for_each(|value| each_object(value, visit)),
        _ => {}
    }
}

#[tokio::test]
async fn generators_of_clients_find_names_and_descriptions_of_everything() {
    let house = House::open().await;
    let description = house.get("/api/openapi.json").await.expect(200);
    assert_eq!(description["servers"][0]["url"], "/");
    let mut ids = std::collections::BTreeSet::new();
    for (name, operation) in operations(&description) {
        let id = operation["operationId"].as_str().expect(&name);
        let is_snake = |c: char| c.is_ascii_lowercase() || c == '_';
        assert!(id.contains('_') && id.chars().all(is_snake), "{id}");
        assert!(ids.insert(id), "{id} occurs twice");
        assert!(operation["summary"].is_string(), "{name}");
        let tags = operation["tags"].as_array().unwrap();
        let described = |tag: &Value| {
            let all = description["tags"].as_array().unwrap();
            all.iter()
                .any(|known| known["name"] == *tag && known["description"].is_string())
        };
        assert!(tags.len() == 1 && described(&tags[0]), "{name}: {tags:?}");
        for (status, response) in operation["responses"].as_object().unwrap() {
            let text = response["description"].as_str().unwrap_or_default();
            assert!(!text.is_empty(), "{name}: {status}");
        }
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            assert!(parameter["description"].is_string(), "{name}: {parameter}");
        }
    }
    each_object(&description, &mut |object| {
        if let Some(reference) = object.get("$ref") {
            let place = reference.as_str().unwrap().strip_prefix('#').unwrap();
            assert!(description.pointer(place).is_some(), "{reference}");
        }
    });
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
    let talk = format!("/api/v1/tables/{id}/talk");
    let said = json!({ "phrase": "hello", "room": "players" });
    fits(&validator("SayRequest"), &said);
    let said = house.post_as(&tokens[0], &talk, said).await;
    fits(&validator("TalkLine"), &said.expect(201));
    let talk = house.get_as(&tokens[0], &talk).await;
    fits(&validator("TalkResponse"), &talk.expect(200));
    let team = house.two(json!({ "game": "pandemic" })).await.0;
    let plan = format!("/api/v1/tables/{team}/plan?moves=drive:Chicago");
    fits(
        &validator("PlanResponse"),
        &house.get(&plan).await.expect(200),
    );
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

#[tokio::test]
async fn the_record_api_answers_as_described() {
    let house = House::open().await;
    let description = house.get("/api/openapi.json").await.expect(200);
    let check = |name: &str, value: &Value| fits(&schema(&description, name), value);
    const GAMES: &str = "/tictactoe/api/games/";
    let made = house.post(GAMES, json!({})).await.expect(201);
    check("ClassicGame", &made);
    let game = format!("{GAMES}{}/", made["id"]);
    let wanted = json!({ "position": 4, "player": "X" });
    check("ClassicMove", &wanted);
    let moved = house.post(&format!("{game}move/"), wanted.clone()).await;
    check("MovedGame", &moved.expect(200));
    let refused = house.post(&format!("{game}move/"), wanted).await;
    check("ClassicBadRequest", &refused.expect(400));
    check("ShownGame", &house.get(&game).await.expect(200));
    for query in ["", "?page=1"] {
        let list = house.get(&format!("{GAMES}{query}")).await.expect(200);
        check("ClassicList", &list);
    }
    let missing = house.get(&format!("{GAMES}?page=2")).await.expect(404);
    check("ClassicDetail", &missing);
}

#[tokio::test]
async fn events_and_options_and_positions_of_every_game_fit_their_schemas() {
    let house = House::open().await;
    let description = house.get("/api/openapi.json").await.expect(200);
    let entry = schema(&description, "LogEntry");
    let games = house.get("/api/v1/games").await.expect(200);
    for game in games.as_array().unwrap() {
        let name = game["name"].as_str().unwrap();
        let seats = json!([{ "kind": "me", "name": "Ann" }, { "kind": "bot", "spec": "random" }]);
        let wanted = json!({ "game": name, "seats": seats });
        let request = schema(&description, "CreateTableRequest");
        fits(&request, &wanted);
        for preset in game["presets"].as_array().unwrap() {
            fits(
                &request,
                &json!({ "game": name, "options": preset["options"] }),
            );
        }
        let made = house.create(wanted).await;
        let title: String = name
            .split('-')
            .map(|word| word[..1].to_uppercase() + &word[1..])
            .collect();
        let table = &made.json["table"];
        fits(
            &schema(&description, &format!("{title}Options")),
            &table["options"],
        );
        fits(
            &schema(&description, &format!("{title}Position")),
            &table["position"],
        );
        for line in house.log(&made.id).await {
            fits(&entry, &line);
        }
    }
    let mut timed = classic();
    timed["clock"] = json!({ "kind": "total", "initial_ms": 60_000 });
    let (id, tokens) = house.two(timed).await;
    house.play(&id, &tokens, &["0,0", "1,0"]).await;
    for (token, verb, body) in [
        (0, "draw", json!({ "action": "offer" })),
        (1, "draw", json!({ "action": "decline" })),
        (0, "takeback", json!({ "action": "offer" })),
        (1, "takeback", json!({ "action": "accept" })),
        (0, "give-time", json!({ "seconds": 5 })),
        (1, "resign", json!({})),
        (0, "rematch", json!({})),
        (1, "rematch", json!({})),
    ] {
        let path = format!("/api/v1/tables/{id}/{verb}");
        house.post_as(&tokens[token], &path, body).await.expect(200);
    }
    let log = house.log(&id).await;
    assert!(log.len() > 14, "{log:?}");
    log.iter().for_each(|line| fits(&entry, line));

    let (id, tokens) = house.two(json!({ "game": "pandemic" })).await;
    for (token, method, verb, body) in [
        (1, Method::POST, "resign", json!({})),
        (
            0,
            Method::PUT,
            "stand-in",
            json!({ "seat": 1, "spec": "level:1" }),
        ),
        (1, Method::POST, "return", json!({})),
        (0, Method::POST, "resign", json!({})),
    ] {
        let request = house.request(method, &format!("/api/v1/tables/{id}/{verb}"));
        let answer = Answer::of(request.bearer_auth(&tokens[token]).json(&body)).await;
        answer.expect(200);
    }
    let log = house.log(&id).await;
    let kinds: Vec<_> = log.iter().map(|line| line["type"].as_str()).collect();
    for kind in ["resigned", "stand_in_chosen", "returned"] {
        assert!(kinds.contains(&Some(kind)), "{kinds:?}");
    }
    log.iter().for_each(|line| fits(&entry, line));
    let shown = house.get(&format!("/api/v1/tables/{id}")).await.expect(200);
    fits(&schema(&description, "TableResponse"), &shown);
    let record = house.get(&format!("/api/v1/tables/{id}/record")).await;
    fits(&schema(&description, "Record"), &record.expect(200));
    let list = house.get("/api/v1/tables").await.expect(200);
    fits(&schema(&description, "TableList"), &list);
}

#[tokio::test]
async fn variants_have_names_and_a_discriminator() {
    let house = House::open().await;
    let description = house.get("/api/openapi.json").await.expect(200);
    let schemas = &description["components"]["schemas"];
    assert_eq!(
        schemas["SeatRequest"]["discriminator"]["mapping"]["bot"],
        "#/components/schemas/SeatRequestBot"
    );
    for (name, schema) in schemas.as_object().unwrap() {
        for variant in schema["oneOf"].as_array().into_iter().flatten() {
            let is_named = variant["$ref"].is_string() || variant["type"] != "object";
            assert!(is_named, "{name}: {variant}");
        }
    }
}
