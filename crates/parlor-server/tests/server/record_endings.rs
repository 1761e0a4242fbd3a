//! The record API against a model of the description it follows, for every way in which a game ends,
//! and the same truth in the other lists.

use futures::future::join_all;
use parlor_games::classic as record;
use parlor_store::{NewStoredTable, RowStatus};
use parlor_table::TableId;
use reqwest::Method;
use serde_json::{Value, json};

use super::house::{Answer, House, classic};
use super::stored::{self, TOKENS};

const GAMES: &str = "/tictactoe/api/games/";
/// Lines that win, as positions.
pub const LINES: [[usize; 3]; 8] = [
    [0, 1, 2],
    [3, 4, 5],
    [6, 7, 8],
    [0, 3, 6],
    [1, 4, 7],
    [2, 5, 8],
    [0, 4, 8],
    [2, 4, 6],
];

/// The described game: stored fields that each move changes. The player is switched only if the game
/// goes on.
#[derive(Clone)]
struct Model {
    board: [Option<&'static str>; 9],
    current_player: &'static str,
    status: &'static str,
}

/// A way to end a game that the description does not have.
#[derive(Clone, Copy, Debug)]
enum Cut {
    /// A mark has won, and stays the current player as after a line.
    Won(&'static str),
    /// A draw, after which the player who moved last stays the current one, as on a full board.
    Draw,
}

impl Model {
    fn new() -> Model {
        Model {
            board: [None; 9],
            current_player: "X",
            status: "in_progress",
        }
    }

    fn play(&mut self, position: usize) {
        assert_eq!(
            (self.status, self.board[position]),
            ("in_progress", None),
            "the model refuses it"
        );
        self.board[position] = Some(self.current_player);
        let has = |line: &[usize; 3]| {
            line.iter()
                .all(|cell| self.board[*cell] == Some(self.current_player))
        };
        self.status = if LINES.iter().any(has) {
            won_by(self.current_player)
        } else if self.board.iter().all(Option::is_some) {
            "draw"
        } else {
            "in_progress"
        };
        if self.status == "in_progress" {
            self.current_player = other(self.current_player);
        }
    }

    fn cut(&mut self, cut: Cut) {
        match cut {
            Cut::Won(mark) => {
                self.status = won_by(mark);
                self.current_player = mark;
            }
            Cut::Draw => {
                self.status = "draw";
                if self.board.iter().any(Option::is_some) {
                    self.current_player = other(self.current_player);
                }
            }
        }
    }

    #[track_caller]
    fn assert_shown(&self, shown: &Value) {
        assert_eq!(shown["board"], json!(self.board), "{shown}");
        assert_eq!(
            (&shown["status"], &shown["current_player"]),
            (&json!(self.status), &json!(self.current_player)),
            "{shown}"
        );
    }
}

fn other(mark: &str) -> &'static str {
    if mark == "X" { "O" } else { "X" }
}

fn won_by(mark: &str) -> &'static str {
    if mark == "X" { "x_wins" } else { "o_wins" }
}

/// Returns the text of a move in the notation of tables.
fn text(position: usize) -> String {
    format!("{},{}", position / 3, position % 3)
}

fn number(id: &str) -> i64 {
    let id: TableId = id.parse().unwrap();
    i64::try_from(id.number()).unwrap()
}

/// Asserts that all APIs tell of a table what the model has: the record, lists of records, and the
/// turn in the API's states and lists.
async fn assert_everywhere(house: &House, id: &str, model: &Model) {
    let key = number(id);
    let shown = house.get(&format!("{GAMES}{key}/")).await.expect(200);
    model.assert_shown(&shown);
    for list in [GAMES.to_owned(), format!("{GAMES}?page=1")] {
        let list = house.get(&list).await.expect(200);
        let games = list.as_array().or(list["results"].as_array()).unwrap();
        let listed = games.iter().find(|game| game["id"] == key).unwrap();
        model.assert_shown(listed);
    }
    let turn = match (model.status, model.current_player) {
        ("in_progress", "X") => json!({ "kind": "move", "seat": 0 }),
        ("in_progress", _) => json!({ "kind": "move", "seat": 1 }),
        ("draw", _) => json!({ "kind": "over", "outcome": { "kind": "draw" } }),
        (_, mark) => {
            let seat = u8::from(mark == "O");
            json!({ "kind": "over", "outcome": { "kind": "won", "seat": seat, "points": 1 } })
        }
    };
    let table = house.table(id).await;
    assert_eq!(table["turn"], turn);
    let list = house.get("/api/v1/tables?limit=100").await.expect(200);
    let tables = list["tables"].as_array().unwrap();
    let listed = tables.iter().find(|table| table["id"] == id).unwrap();
    assert_eq!(listed["summary"]["turn"], turn);
    let row = house.store().row(key).await.unwrap().unwrap();
    assert_eq!(row.turn.as_deref(), Some(model.current_player));
}

/// Asserts that the record API has no game of this id.
async fn assert_no_game(house: &House, id: &str) {
    let key = number(id);
    let missing = json!({ "detail": "Not found." });
    let path = format!("{GAMES}{key}/");
    assert_eq!(house.get(&path).await.expect(404), missing);
    let body = json!({ "position": 0 });
    let moved = house.post(&format!("{path}move/"), body).await;
    assert_eq!(moved.expect(404), missing);
    let gone = Answer::of(house.request(Method::DELETE, &path)).await;
    assert_eq!(gone.expect(404), missing);
    let list = house.get(GAMES).await.expect(200);
    assert!(
        list.as_array()
            .unwrap()
            .iter()
            .all(|game| game["id"] != key)
    );
    let page = house.get(&format!("{GAMES}?page=1")).await.expect(200);
    assert_eq!(page["count"], page["results"].as_array().unwrap().len());
}

/// Begins a game with these moves, and a model of it.
async fn begun(house: &House, moves: &[usize]) -> (String, [String; 2], Model) {
    let (id, tokens) = house.two(classic()).await;
    let mut model = Model::new();
    for (n, position) in moves.iter().enumerate() {
        model.play(*position);
        let played = json!({ "move": text(*position) });
        house
            .act(&tokens[n % 2], &id, "moves", played)
            .await
            .expect(200);
    }
    (id, tokens, model)
}

/// The story test of endings, which also runs on other databases.
pub async fn story(house: &House) {
    by_the_rules(house).await;
    by_resignation_and_agreement(house).await;
    on_time(house).await;
    by_a_claim(house).await;
    without_a_result(house).await;
}

async fn by_the_rules(house: &House) {
    for moves in [
        &[0, 3, 1, 4, 2][..],
        &[0, 3, 1, 4, 8, 5],
        &[0, 1, 2, 4, 3, 5, 7, 6, 8],
        &[0, 1, 2, 3, 4, 6, 5, 7, 8],
    ] {
        let (id, _, mut model) = begun(house, &moves[..moves.len() - 1]).await;
        assert_everywhere(house, &id, &model).await;
        // The same game in the record API.
        let game = house.post(GAMES, json!({})).await.expect(201);
        let path = format!("{GAMES}{}/move/", game["id"]);
        let mut last = Value::Null;
        for position in moves {
            last = house
                .post(&path, json!({ "position": position }))
                .await
                .expect(200);
        }
        model.play(moves[moves.len() - 1]);
        model.assert_shown(&last);
        let (id, _, model) = begun(house, moves).await;
        assert_everywhere(house, &id, &model).await;
    }
}

async fn by_resignation_and_agreement(house: &House) {
    for played in [&[][..], &[4], &[4, 0]] {
        for (loser, winner) in [(0, "O"), (1, "X")] {
            let (id, tokens, mut model) = begun(house, played).await;
            house
                .act(&tokens[loser], &id, "resign", json!({}))
                .await
                .expect(200);
            model.cut(Cut::Won(winner));
            assert_everywhere(house, &id, &model).await;
        }
        let (id, tokens, mut model) = begun(house, played).await;
        for (token, action) in tokens.iter().zip(["offer", "accept"]) {
            let body = json!({ "action": action });
            house.act(token, &id, "draw", body).await.expect(200);
        }
        model.cut(Cut::Draw);
        assert_everywhere(house, &id, &model).await;
    }
}

async fn on_time(house: &House) {
    let mut timed = classic();
    timed["clock"] = json!({ "kind": "total", "initial_ms": 1_000 });
    let (id, tokens) = house.two(timed).await;
    let mut model = Model::new();
    model.play(4);
    let body = json!({ "move": text(4) });
    house.act(&tokens[0], &id, "moves", body).await.expect(200);
    let events = house.until(&id, 0, |event| event["type"] == "ended").await;
    assert_eq!(events.last().unwrap()["ending"]["how"], "time");
    model.cut(Cut::Won("X"));
    assert_everywhere(house, &id, &model).await;
}

async fn by_a_claim(house: &House) {
    let at = stored::now() - 7 * 24 * 3_600_000;
    for (claim, cut) in [("win", Cut::Won("X")), ("draw", Cut::Draw)] {
        let mut table = stored::table_at(at, record::KIND, None, stored::guests());
        let mut model = Model::new();
        model.play(4);
        stored::play_at(&mut table, at, &["1,1"]);
        let row = NewStoredTable {
            options: record::options(),
            ..stored::row(&table)
        };
        house.store().create(row).await.unwrap();
        let id = table.id().to_string();
        let body = json!({ "claim": claim });
        house.act(TOKENS[0], &id, "claim", body).await.expect(200);
        model.cut(cut);
        assert_everywhere(house, &id, &model).await;
    }
}

/// A table that waits is no game yet, and one that was aborted no longer is.
async fn without_a_result(house: &House) {
    let waiting = house.create(classic()).await;
    assert_no_game(house, &waiting.id).await;
    let join = format!("/api/v1/tables/{}/join", waiting.id);
    house
        .post(&join, json!({ "name": "Bob" }))
        .await
        .expect(200);
    assert_everywhere(house, &waiting.id, &Model::new()).await;
    let (id, tokens, _) = begun(house, &[4]).await;
    house
        .act(&tokens[1], &id, "abort", json!({}))
        .await
        .expect(200);
    assert_no_game(house, &id).await;
    let over = json!({ "kind": "over", "outcome": null });
    assert_eq!(house.table(&id).await["turn"], over);
    let row = house.store().row(number(&id)).await.unwrap().unwrap();
    assert_eq!(row.turn, None);
}

#[tokio::test]
async fn every_ending_is_the_same_in_all_apis() {
    story(&House::open().await).await;
}

#[tokio::test]
async fn rows_of_earlier_releases_tell_the_same_truth() {
    let house = House::open().await;
    let key = 4711;
    let row = NewStoredTable {
        status: RowStatus::Over,
        options: record::options(),
        summary: Some(json!({
            "turn": { "kind": "move", "seat": 1 },
            "plies": 1,
            "text": "3x3x3 XO .../.X./...",
            "last_move": "1,1",
            "ending": { "how": "resignation", "outcome": { "kind": "won", "seat": 0, "points": 1 } },
        })),
        ..NewStoredTable::new(key, record::KIND.name(), 0)
    };
    house.store().create(row).await.unwrap();
    let games = house.get(GAMES).await.expect(200);
    assert_eq!(
        (&games[0]["status"], &games[0]["current_player"]),
        (&json!("x_wins"), &json!("X"))
    );
    let tables = house.get("/api/v1/tables").await.expect(200);
    assert_eq!(
        tables["tables"][0]["summary"]["turn"],
        json!({ "kind": "over", "outcome": { "kind": "won", "seat": 0, "points": 1 } })
    );
}

#[tokio::test]
async fn a_move_is_played_only_in_the_version_it_names() {
    let house = House::open().await;
    let made = house.post(GAMES, json!({})).await;
    let tag = |answer: &Answer| answer.headers["etag"].to_str().unwrap().to_owned();
    let first = tag(&made);
    let game = format!("{GAMES}{}/", made.expect(201)["id"]);
    assert_eq!(tag(&house.get(&game).await), first);
    let path = format!("{game}move/");
    let with_tag = |tags: &str, position: u8| {
        let request = house.request(Method::POST, &path).header("if-match", tags);
        Answer::of(request.json(&json!({ "position": position })))
    };
    let moved = with_tag(&format!("\"1000\", {first}"), 0).await;
    let second = tag(&moved);
    assert_ne!(first, second);
    moved.expect(200);
    let version: u64 = second.trim_matches('"').parse().unwrap();
    let stale = json!({ "detail": format!("The game is at version {version}.") });
    assert_eq!(with_tag(&first, 1).await.expect(412), stale);
    let named = |version: Value, position: u8| {
        house.post(&path, json!({ "position": position, "version": version }))
    };
    assert_eq!(named(json!(version - 1), 1).await.expect(409), stale);
    assert_eq!(named(json!("new"), 1).await.expect(409), stale);
    let o = named(json!(version), 1).await.expect(200);
    assert_eq!(o["board"][1], "O");
    with_tag("*", 2).await.expect(200);
    named(Value::Null, 3).await.expect(200);
}

#[tokio::test]
async fn of_moves_at_once_in_one_version_one_is_played() {
    let house = House::open().await;
    for _ in 0..10 {
        let made = house.post(GAMES, json!({})).await;
        let tag = made.headers["etag"].to_str().unwrap().to_owned();
        let game = format!("{GAMES}{}/", made.expect(201)["id"]);
        let path = format!("{game}move/");
        let moves = (0..4).map(|position| {
            let request = house.request(Method::POST, &path).header("if-match", &tag);
            Answer::of(request.json(&json!({ "position": position })))
        });
        let answers = join_all(moves).await;
        let of = |status: u16| answers.iter().filter(|it| it.status == status).count();
        assert_eq!((of(200), of(412)), (1, 3));
        let board = house.get(&game).await.expect(200)["board"].clone();
        let marks = board.as_array().unwrap().iter();
        assert_eq!(marks.filter(|mark| !mark.is_null()).count(), 1);
    }
}

#[tokio::test]
async fn a_list_without_pages_says_where_it_is_cut() {
    let house = House::open().await;
    let row = |key| NewStoredTable {
        status: RowStatus::Playing,
        options: record::options(),
        ..NewStoredTable::new(key, record::KIND.name(), 0)
    };
    let created = join_all((1..=1_000).map(|key| house.store().create(row(key)))).await;
    created.into_iter().for_each(|done| done.unwrap());
    let whole = house.get(GAMES).await;
    assert!(!whole.headers.contains_key("link"));
    assert_eq!(whole.expect(200).as_array().unwrap().len(), 1_000);
    house.store().create(row(1_001)).await.unwrap();
    let cut = house.get(GAMES).await;
    assert_eq!(
        cut.headers["link"],
        format!("<{GAMES}?page=21>; rel=\"next\"")
    );
    let games = cut.expect(200);
    assert_eq!(games.as_array().unwrap().len(), 1_000);
    assert_eq!(games[0]["id"], 1_001);
    let rest = house.get(&format!("{GAMES}?page=21")).await.expect(200);
    assert_eq!(rest["results"].as_array().unwrap().len(), 1);
    assert_eq!(rest["results"][0]["id"], 1);
}
