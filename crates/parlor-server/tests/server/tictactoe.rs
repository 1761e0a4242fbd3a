use futures::future::join_all;
use reqwest::{Body, Method};
use serde_json::{Value, json};

use super::house::{Answer, House, classic};
use super::record_endings::LINES;

const GAMES: &str = "/tictactoe/api/games/";

async fn new_game(house: &House) -> (i64, Value) {
    let game = house.post(GAMES, json!({})).await.expect(201);
    (game["id"].as_i64().unwrap(), game)
}

async fn play(house: &House, id: i64, position: impl Into<Value>) -> Answer {
    house
        .post(
            &format!("{GAMES}{id}/move/"),
            json!({ "position": position.into() }),
        )
        .await
}

/// The story test of the record API, which also runs on other databases.
pub async fn story(house: &House) {
    let (id, game) = new_game(house).await;
    assert_eq!(
        game["board"],
        json!([null, null, null, null, null, null, null, null, null])
    );
    assert_eq!(
        (&game["current_player"], &game["status"]),
        (&json!("X"), &json!("in_progress"))
    );
    assert!(game["created_at"].as_str().unwrap().ends_with('Z'));
    assert_eq!(game["created_at"], game["updated_at"]);
    assert!(id > 0 && id < 1 << 53);
    assert_eq!(game.as_object().unwrap().len(), 6);

    let moved = play(house, id, 4).await.expect(200);
    assert_eq!(
        (&moved["message"], &moved["board"][4]),
        (&json!("Move successful"), &json!("X"))
    );
    assert_eq!(moved["current_player"], "O");
    let error = |answer: Answer| answer.expect(400)["error"].as_str().unwrap().to_owned();
    assert_eq!(error(play(house, id, 4).await), "Position already occupied");
    for wrong in [
        json!(9),
        json!(-1),
        json!("0"),
        json!(true),
        json!(null),
        json!(1.0),
        json!([0]),
        json!(1u64 << 63),
    ] {
        assert_eq!(
            error(play(house, id, wrong).await),
            "Position must be between 0 and 8"
        );
    }
    let path = format!("{GAMES}{id}/move/");
    let other = house
        .post(&path, json!({ "position": 0, "player": "X" }))
        .await;
    assert_eq!(error(other), "Not your turn");
    house
        .post(&path, json!({ "position": 0, "player": "O" }))
        .await
        .expect(200);
    let shown = house.get(&format!("{GAMES}{id}/")).await.expect(200);
    assert_eq!(
        shown["board_display"],
        "O |   |  \n---------\n  | X |  \n---------\n  |   |  "
    );
    for position in [1, 2] {
        play(house, id, position).await.expect(200);
    }
    let won = play(house, id, 7).await.expect(200);
    assert_eq!(
        (&won["status"], &won["current_player"]),
        (&json!("x_wins"), &json!("X"))
    );
    assert_eq!(error(play(house, id, 99).await), "Game is already finished");

    let (second, _) = new_game(house).await;
    let listed = house.get(GAMES).await.expect(200);
    let ids: Vec<i64> = listed
        .as_array()
        .unwrap()
        .iter()
        .map(|game| game["id"].as_i64().unwrap())
        .collect();
    assert_eq!(ids, [second, id], "newest first");
    assert_eq!(listed[1]["board"], won["board"]);
    let page = house.get(&format!("{GAMES}?page=1")).await.expect(200);
    assert_eq!(
        (&page["count"], &page["next"], &page["previous"]),
        (&json!(2), &Value::Null, &Value::Null)
    );
    assert_eq!(page["results"], listed);

    let gone = Answer::of(house.request(Method::DELETE, &format!("{GAMES}{second}/"))).await;
    assert_eq!((gone.status.as_u16(), gone.text.as_str()), (204, ""));
    let missing = house.get(&format!("{GAMES}{second}/")).await.expect(404);
    assert_eq!(missing, json!({ "detail": "Not found." }));
}

#[tokio::test]
async fn a_game_goes_through_its_whole_life() {
    story(&House::open().await).await;
}

#[tokio::test]
async fn all_lines_win_for_both_and_a_full_board_is_a_draw() {
    let house = House::open().await;
    for line in LINES {
        let others: Vec<usize> = (0..9).filter(|position| !line.contains(position)).collect();
        // Two other squares that form no line with a third before the winner does.
        let (id, _) = new_game(&house).await;
        let mut last = Value::Null;
        for position in [line[0], others[0], line[1], others[1], line[2]] {
            last = play(&house, id, position).await.expect(200);
        }
        assert_eq!(last["status"], "x_wins", "{line:?}");
        let third = others.iter().skip(2).find(|third| {
            !LINES.contains(&{
                let mut three = [others[0], others[1], **third];
                three.sort_unstable();
                three
            })
        });
        let (id, _) = new_game(&house).await;
        for position in [
            others[0],
            line[0],
            others[1],
            line[1],
            *third.unwrap(),
            line[2],
        ] {
            last = play(&house, id, position).await.expect(200);
        }
        assert_eq!(
            (&last["status"], &last["current_player"]),
            (&json!("o_wins"), &json!("O")),
            "{line:?}"
        );
    }
    let (id, _) = new_game(&house).await;
    let mut last = Value::Null;
    for position in [0, 1, 2, 4, 3, 5, 7, 6, 8] {
        last = play(&house, id, position).await.expect(200);
    }
    assert_eq!(last["status"], "draw");
}

#[tokio::test]
async fn of_equal_moves_at_once_all_but_one_find_the_square_occupied() {
    let house = House::open().await;
    for _ in 0..20 {
        let (id, _) = new_game(&house).await;
        let path = format!("{GAMES}{id}/move/");
        let moves = (0..8).map(|_| house.post(&path, json!({ "position": 4 })));
        let answers = join_all(moves).await;
        let (played, refused): (Vec<_>, Vec<_>) =
            answers.iter().partition(|answer| answer.status == 200);
        assert_eq!((played.len(), refused.len()), (1, 7));
        for answer in refused {
            assert_eq!(answer.status, 400);
            assert_eq!(answer.json, json!({ "error": "Position already occupied" }));
        }
    }
}

#[tokio::test]
async fn of_two_moves_at_once_one_is_played() {
    let house = House::open().await;
    for _ in 0..20 {
        let (id, _) = new_game(&house).await;
        let path = format!("{GAMES}{id}/move/");
        let bodies = (0..4).map(|position| json!({ "position": position, "player": "X" }));
        let answers = join_all(bodies.map(|body| house.post(&path, body))).await;
        let played = answers.iter().filter(|answer| answer.status == 200).count();
        assert_eq!(played, 1);
        for answer in answers.iter().filter(|answer| answer.status != 200) {
            assert_eq!(answer.status, 400);
            assert_eq!(answer.json, json!({ "error": "Not your turn" }));
        }
        let board = house.get(&format!("{GAMES}{id}/")).await.expect(200)["board"].clone();
        assert_eq!(
            board
                .as_array()
                .unwrap()
                .iter()
                .filter(|cell| !cell.is_null())
                .count(),
            1
        );
    }
}

#[tokio::test]
async fn errors_have_the_shape_that_clients_of_this_api_know() {
    let house = House::open().await;
    let (id, _) = new_game(&house).await;
    for path in [
        format!("{GAMES}12345/"),
        format!("{GAMES}x/"),
        format!("{GAMES}-1/"),
        "/tictactoe/api/what/".to_owned(),
    ] {
        assert_eq!(
            house.get(&path).await.expect(404),
            json!({ "detail": "Not found." }),
            "{path}"
        );
    }
    assert_eq!(
        house.get(&format!("{GAMES}?page=7")).await.expect(404),
        json!({ "detail": "Invalid page." })
    );
    for method in [Method::PUT, Method::PATCH] {
        let text = format!("Method \"{method}\" not allowed.");
        let answer = Answer::of(house.request(method, &format!("{GAMES}{id}/"))).await;
        assert_eq!(answer.expect(405), json!({ "detail": text }));
    }
    let send = |kind: &'static str, body: Body| {
        let request = house
            .request(Method::POST, &format!("{GAMES}{id}/move/"))
            .header("content-type", kind);
        Answer::of(request.body(body))
    };
    let text = send("application/json", Body::from("{")).await.expect(400);
    assert!(
        text["detail"]
            .as_str()
            .unwrap()
            .starts_with("JSON parse error"),
        "{text}"
    );
    let text = send("application/json", Body::from(vec![b'"', 0xff, b'"']))
        .await
        .expect(400);
    assert!(
        text["detail"]
            .as_str()
            .unwrap()
            .starts_with("JSON parse error"),
        "{text}"
    );
    let text = send("text/plain", Body::from("0")).await.expect(415);
    assert_eq!(
        text,
        json!({ "detail": "Unsupported media type \"text/plain\" in request." })
    );
    let bare = Answer::of(house.request(Method::POST, &format!("{GAMES}{id}/move"))).await;
    assert_eq!(
        bare.expect(400),
        json!({ "error": "Position must be between 0 and 8" }),
        "with the slash added"
    );
}

#[tokio::test]
async fn tables_of_others_are_shown_but_not_touched() {
    let house = House::open().await;
    let (table, _) = house.two(classic()).await;
    house
        .create(json!({ "game": "mnk", "options": { "rows": 4, "columns": 4 } }))
        .await;
    house
        .create(json!({ "game": "mnk", "listed": false }))
        .await;
    let listed = house.get(GAMES).await.expect(200);
    assert_eq!(listed.as_array().unwrap().len(), 1);
    let id = listed[0]["id"].as_i64().unwrap();
    assert_eq!(
        id,
        table.parse::<parlor_table::TableId>().unwrap().number() as i64
    );
    assert_eq!(play(&house, id, 0).await.status, 403);
    assert_eq!(
        Answer::of(house.request(Method::DELETE, &format!("{GAMES}{id}/")))
            .await
            .status,
        403
    );
    assert_eq!(house.table(&table).await["version"], 3);
}

#[tokio::test]
async fn games_are_read_in_pages_when_pages_are_asked_for() {
    let house = House::open().await;
    for _ in 0..51 {
        new_game(&house).await;
    }
    let first = house.get(&format!("{GAMES}?page=1")).await.expect(200);
    assert_eq!(
        (&first["count"], first["results"].as_array().unwrap().len()),
        (&json!(51), 50)
    );
    assert!(
        first["next"]
            .as_str()
            .unwrap()
            .ends_with("/tictactoe/api/games/?page=2")
    );
    let second = house
        .get(
            first["next"]
                .as_str()
                .unwrap()
                .split_once("/tictactoe")
                .map(|(_, rest)| format!("/tictactoe{rest}"))
                .unwrap()
                .as_str(),
        )
        .await
        .expect(200);
    assert_eq!(second["results"].as_array().unwrap().len(), 1);
    assert_eq!(second["next"], Value::Null);
}

#[tokio::test]
async fn games_survive_a_restart() {
    let house = House::open().await;
    let (id, _) = new_game(&house).await;
    let moved = play(&house, id, 4).await.expect(200);
    let house = house.restart().await;
    let shown = house.get(&format!("{GAMES}{id}/")).await.expect(200);
    assert_eq!(
        (&shown["board"], &shown["updated_at"]),
        (&moved["board"], &moved["updated_at"])
    );
}
