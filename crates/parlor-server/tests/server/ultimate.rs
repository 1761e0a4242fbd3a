//! The specification of ultimate tic-tac-toe over HTTP, sentence by sentence: moves, time control,
//! completion.

use parlor_table::TimeControl;
use serde_json::{Value, json};

use super::house::House;
use super::stored::{self, TOKENS};

/// Moves of a game that X wins with the last one.
const WON: &str = "37 71 14 41 16 60 00 01 13 32 24 42 27 70 08 80 04 44 43 34 40 72 21 11 10";
/// Moves of a game in which the last one decides the last board and nobody has three in a row.
const DRAWN: &str = "12 25 53 30 04 42 28 80 07 76 68 88 87 70 03 34 41 16 67 78 81 10 08 84 48 77 47 38 11 13 66 22 23 05 58 21 50 \
                     01 56 43 44 00 06 20";
/// Moves after which X has won board 1 and sent O there.
const FREE: &str = "10 01 12 21 11";

/// A server with a game in progress.
struct Game {
    house: House,
    id: String,
    tokens: [String; 2],
}

impl Game {
    async fn after(moves: &str) -> Game {
        Game::of(json!({ "game": "ultimate" }), moves).await
    }

    async fn of(wanted: Value, moves: &str) -> Game {
        let house = House::open().await;
        let (id, tokens) = house.two(wanted).await;
        house
            .play(&id, &tokens, &moves.split_whitespace().collect::<Vec<_>>())
            .await;
        Game { house, id, tokens }
    }

    /// Starts a rated game between two members.
    async fn rated(moves: &str) -> Game {
        let house = House::open().await;
        let tokens = [house.member("Ann").await, house.member("Bob").await];
        let wanted = json!({ "game": "ultimate", "rated": true });
        let made = house
            .post_as(&tokens[0], "/api/v1/tables", wanted)
            .await
            .expect(201);
        let id = made["table"]["id"].as_str().unwrap().to_owned();
        house
            .act(&tokens[1], &id, "join", json!({ "name": "Bob" }))
            .await
            .expect(200);
        house
            .play(&id, &tokens, &moves.split_whitespace().collect::<Vec<_>>())
            .await;
        Game { house, id, tokens }
    }

    async fn play(&self, seat: usize, text: &str) -> super::house::Answer {
        self.house
            .act(
                &self.tokens[seat],
                &self.id,
                "moves",
                json!({ "move": text }),
            )
            .await
    }

    async fn table(&self) -> Value {
        self.house.table(&self.id).await
    }

    /// Returns the time used by each seat according to the log, in milliseconds. The first move is
    /// free.
    async fn used(&self) -> [i64; 2] {
        let log = self.house.log(&self.id).await;
        let moves: Vec<_> = log
            .iter()
            .filter(|event| event["type"] == "moved")
            .collect();
        let mut used = [0, 0];
        for (before, after) in moves.iter().zip(&moves[1..]) {
            used[after["seat"].as_u64().unwrap() as usize] +=
                after["at"].as_i64().unwrap() - before["at"].as_i64().unwrap();
        }
        used
    }

    /// Returns wins, losses, draws and Elo of the two members.
    async fn standings(&self) -> [[i64; 4]; 2] {
        let mut standings = [[0; 4]; 2];
        for (standing, name) in standings.iter_mut().zip(["ann", "bob"]) {
            let profile = self
                .house
                .get(&format!("/api/v1/players/{name}"))
                .await
                .expect(200);
            let game = profile["games"]
                .as_array()
                .unwrap()
                .iter()
                .find(|game| game["game"] == "ultimate");
            *standing = ["wins", "losses", "draws", "elo"]
                .map(|field| game.map_or(0, |game| game[field].as_i64().unwrap()));
        }
        standings
    }
}

fn won(how: &str, seat: u8) -> Value {
    json!({ "how": how, "outcome": { "kind": "won", "seat": seat, "points": 1 } })
}

fn drawn() -> Value {
    json!({ "how": "rules", "outcome": { "kind": "draw" } })
}

mod making_a_move {
    use super::*;

    #[tokio::test]
    async fn n01_verify_it_is_the_players_turn() {
        let game = Game::after("").await;
        assert_eq!(
            game.play(1, "44").await.problem(403, "not-your-turn")["detail"],
            "Not your turn"
        );
    }

    #[tokio::test]
    async fn n02_update_time_used_by_the_current_player() {
        let game = Game::after("44 40").await;
        let clock = game.play(0, "00").await.expect(200)["clock"].clone();
        let used = game.used().await;
        assert_eq!(
            clock["left_ms"],
            json!([360_000 - used[0], 360_000 - used[1]])
        );
    }

    #[tokio::test]
    async fn n03_check_if_the_player_has_run_out_of_time() {
        let house = House::open().await;
        let at = stored::now() - 400_000;
        let mut table = stored::table_at(
            at,
            parlor_games::ultimate::KIND,
            TimeControl::total(360_000, 0).ok(),
            stored::guests(),
        );
        stored::play_at(&mut table, at, &["44", "40"]);
        // The server does not notice that the table is due: the move comes first.
        stored::write(
            &house.database(),
            parlor_store::NewStoredTable {
                due_at: None,
                ..stored::row(&table)
            },
        )
        .await;
        let id = table.id().to_string();
        let late = house
            .act(TOKENS[0], &id, "moves", json!({ "move": "00" }))
            .await
            .problem(409, "time-exceeded");
        assert_eq!(late["detail"], "Time control exceeded - game forfeited");
        assert_eq!(house.table(&id).await["ending"], won("time", 1));
        assert_eq!(house.log(&id).await.last().unwrap()["type"], "ended");
    }

    #[tokio::test]
    async fn n04_verify_the_move_is_in_the_correct_board() {
        let game = Game::after("44 40").await;
        let refused = game.play(0, "11").await.problem(422, "illegal-move");
        assert_eq!(refused["detail"], "Must play in the indicated board");
    }

    #[tokio::test]
    async fn n05_verify_the_board_is_playable_and_the_position_is_empty() {
        let game = Game::after(FREE).await;
        assert_eq!(
            game.play(1, "15").await.problem(422, "illegal-move")["detail"],
            "Board already completed"
        );
        let game = Game::after("44").await;
        assert_eq!(
            game.play(1, "44").await.problem(422, "illegal-move")["detail"],
            "Position already taken"
        );
    }

    #[tokio::test]
    async fn n06_make_the_move_by_updating_the_appropriate_board() {
        let position = Game::after("40").await.table().await["position"].clone();
        assert_eq!(
            position["boards"][4],
            json!(["X", "", "", "", "", "", "", "", ""])
        );
        assert_eq!(
            position["boards"][0],
            json!(["", "", "", "", "", "", "", "", ""])
        );
    }

    #[tokio::test]
    async fn n07_check_for_a_winner_at_the_meta_board_level() {
        let (before, last) = WON.rsplit_once(' ').unwrap();
        let game = Game::after(before).await;
        assert_eq!(game.table().await["status"], "playing");
        assert_eq!(
            game.play(0, last).await.expect(200)["ending"],
            won("rules", 0)
        );
    }

    #[tokio::test]
    async fn n08_check_for_a_draw_when_all_boards_are_completed() {
        let (before, last) = DRAWN.rsplit_once(' ').unwrap();
        let game = Game::after(before).await;
        assert_eq!(game.table().await["status"], "playing");
        assert_eq!(game.play(1, last).await.expect(200)["ending"], drawn());
    }

    #[tokio::test]
    async fn n09_determine_the_next_board_based_on_the_position_played() {
        for (moves, target) in [
            ("", Value::Null),
            ("47", json!(7)),
            (FREE, Value::Null),
            (WON, Value::Null),
        ] {
            assert_eq!(
                Game::after(moves).await.table().await["position"]["target"],
                target,
                "{moves}"
            );
        }
    }

    #[tokio::test]
    async fn n10_switch_the_current_player() {
        let game = Game::after("44").await;
        let table = game.table().await;
        assert_eq!(
            (&table["turn"], &table["clock"]["running"]),
            (&json!({ "kind": "move", "seat": 1 }), &json!(1))
        );
        assert_eq!(
            game.play(1, "40").await.expect(200)["turn"],
            json!({ "kind": "move", "seat": 0 })
        );
    }

    #[tokio::test]
    async fn n11_save_the_updated_game_state() {
        let game = Game::after("44 40").await;
        let before = game.table().await;
        let Game { house, id, tokens } = game;
        let game = Game {
            house: house.restart().await,
            id,
            tokens,
        };
        let after = game.table().await;
        // The time of the restart may have been given back.
        for saved in ["status", "seats", "turn", "position", "text", "last_move"] {
            assert_eq!(after[saved], before[saved]);
        }
        game.play(0, "00").await.expect(200);
    }
}

mod time_control {
    use super::*;

    #[tokio::test]
    async fn n1_each_player_has_360_seconds_in_total() {
        let clock = Game::after("").await.table().await["clock"].clone();
        assert_eq!(clock["left_ms"], json!([360_000, 360_000]));
        assert_eq!(
            clock["control"],
            json!({ "kind": "total", "initial_ms": 360_000, "increment_ms": 0 })
        );
    }

    #[tokio::test]
    async fn n2_and_n5_time_used_is_tracked_per_player_and_the_rest_remains() {
        let game = Game::after("44 40 00 01 11 12").await;
        let used = game.used().await;
        assert_eq!(
            game.table().await["clock"]["left_ms"],
            json!([360_000 - used[0], 360_000 - used[1]])
        );
    }

    #[tokio::test]
    async fn n3_the_elapsed_time_since_the_last_move_is_added_when_a_player_makes_a_move() {
        let game = Game::after("44").await;
        let before = game.table().await["clock"].clone();
        game.play(1, "44").await.problem(422, "illegal-move");
        assert_eq!(
            game.table().await["clock"],
            before,
            "a refused move is no move"
        );
        let moved = game.play(1, "40").await.expect(200);
        let log = game.house.log(&game.id).await;
        let elapsed = moved["clock"]["since"].as_i64().unwrap() - before["since"].as_i64().unwrap();
        assert_eq!(log.last().unwrap()["at"], moved["clock"]["since"]);
        assert_eq!(
            moved["clock"]["left_ms"],
            json!([360_000, 360_000 - elapsed])
        );
    }

    #[tokio::test]
    async fn n4_a_player_who_exceeds_the_time_limit_forfeits_the_game() {
        let clock = json!({ "kind": "total", "initial_ms": 1_000 });
        let game = Game::of(json!({ "game": "ultimate", "clock": clock }), "44").await;
        let seen = game
            .house
            .until(&game.id, 3, |event| event["type"] == "ended")
            .await;
        let flagged = &seen[seen.len() - 2];
        assert_eq!(
            (&flagged["type"], &flagged["seat"]),
            (&json!("flagged"), &json!(1))
        );
        assert_eq!(seen.last().unwrap()["ending"], won("time", 0));
        let used = flagged["at"].as_i64().unwrap() - seen[0]["at"].as_i64().unwrap();
        assert!(used >= 1_000, "not before: {used}");
    }
}

mod game_completion {
    use super::*;

    #[tokio::test]
    async fn when_1_a_player_wins_by_creating_three_in_a_row_at_the_meta_board_level() {
        let game = Game::rated(WON).await;
        let table = game.table().await;
        assert_eq!(table["ending"], won("rules", 0));
        let line = table["position"]["lines"][0].as_array().unwrap();
        assert!(
            line.iter()
                .all(|board| table["position"]["meta"][board.as_u64().unwrap() as usize] == "X")
        );
        assert_eq!(game.standings().await, [[1, 0, 0, 1_016], [0, 1, 0, 984]]);
    }

    #[tokio::test]
    async fn when_2_all_boards_are_completed_with_no_winner() {
        let game = Game::rated(DRAWN).await;
        assert_eq!(game.table().await["ending"], drawn());
        assert_eq!(game.standings().await, [[0, 0, 1, 1_000], [0, 0, 1, 1_000]]);
    }

    #[tokio::test]
    async fn when_3_a_player_resigns() {
        let game = Game::rated("44 40").await;
        let resigned = game
            .house
            .act(&game.tokens[0], &game.id, "resign", json!({}))
            .await
            .expect(200);
        assert_eq!(resigned["ending"], won("resignation", 1));
        assert_eq!(game.standings().await, [[0, 1, 0, 984], [1, 0, 0, 1_016]]);
    }

    #[tokio::test]
    async fn when_4_a_player_exceeds_their_time_limit() {
        let house = House::open().await;
        let tokens = [house.member("Ann").await, house.member("Bob").await];
        let clock = json!({ "kind": "total", "initial_ms": 1_000 });
        let wanted = json!({ "game": "ultimate", "rated": true, "clock": clock });
        let made = house
            .post_as(&tokens[0], "/api/v1/tables", wanted)
            .await
            .expect(201);
        let id = made["table"]["id"].as_str().unwrap().to_owned();
        house
            .act(&tokens[1], &id, "join", json!({ "name": "Bob" }))
            .await
            .expect(200);
        house.play(&id, &tokens, &["44", "40"]).await;
        house.until(&id, 3, |event| event["type"] == "ended").await;
        let game = Game { house, id, tokens };
        assert_eq!(game.standings().await, [[0, 1, 0, 984], [1, 0, 0, 1_016]]);
    }

    #[tokio::test]
    async fn but_nobody_loses_a_rated_game_before_both_have_moved() {
        let game = Game::rated("44").await;
        let resigned = game
            .house
            .act(&game.tokens[1], &game.id, "resign", json!({}))
            .await
            .expect(200);
        assert_eq!(
            resigned["ending"],
            json!({ "how": "abort", "outcome": null })
        );
        for name in ["ann", "bob"] {
            let profile = format!("/api/v1/players/{name}");
            let profile = game.house.get(&profile).await.expect(200);
            assert_eq!(profile["games"], json!([]));
        }
    }

    #[tokio::test]
    async fn then_1_the_game_is_over() {
        let game = Game::after(WON).await;
        let table = game.table().await;
        assert_eq!(
            (&table["status"], &table["clock"]["running"]),
            (&json!("over"), &Value::Null)
        );
        assert_eq!(
            game.play(1, "55").await.problem(409, "over")["detail"],
            "Game is already finished"
        );
        for verb in ["resign", "abort", "ready"] {
            game.house
                .act(&game.tokens[1], &game.id, verb, json!({}))
                .await
                .problem(409, "over");
        }
    }

    #[tokio::test]
    async fn then_2_the_winner_is_set_if_there_is_one() {
        let ending =
            async |moves: &str| Game::after(moves).await.table().await["ending"]["outcome"].clone();
        assert_eq!(ending(WON).await, won("rules", 0)["outcome"]);
        assert_eq!(ending(DRAWN).await, drawn()["outcome"]);
    }

    #[tokio::test]
    async fn then_3_wins_losses_and_draws_are_counted_for_members_also_when_nothing_is_rated() {
        let house = House::open().await;
        let ann = house.member("Ann").await;
        let made = house
            .post_as(&ann, "/api/v1/tables", json!({ "game": "ultimate" }))
            .await
            .expect(201);
        let id = made["table"]["id"].as_str().unwrap().to_owned();
        let joined = house
            .post(
                &format!("/api/v1/tables/{id}/join"),
                json!({ "name": "Guest" }),
            )
            .await
            .expect(200);
        let tokens = [ann, joined["token"].as_str().unwrap().to_owned()];
        house
            .act(&tokens[1], &id, "resign", json!({}))
            .await
            .expect(200);
        let profile = house.get("/api/v1/players/ann").await.expect(200);
        let game = &profile["games"][0];
        assert_eq!(
            (&game["wins"], &game["losses"], &game["elo"]),
            (&json!(1), &json!(0), &json!(1_000))
        );
    }

    #[tokio::test]
    async fn then_3_who_plays_against_oneself_and_a_game_called_off_count_for_nothing() {
        let house = House::open().await;
        let ann = house.member("Ann").await;
        for (seats, end) in [
            (json!([{ "kind": "me" }, { "kind": "me" }]), "resign"),
            (json!(null), "abort"),
        ] {
            let wanted = json!({ "game": "ultimate", "seats": seats });
            let made = house
                .post_as(&ann, "/api/v1/tables", wanted)
                .await
                .expect(201);
            house
                .act(&ann, made["table"]["id"].as_str().unwrap(), end, json!({}))
                .await
                .expect(200);
        }
        assert_eq!(
            house.get("/api/v1/players/ann").await.expect(200)["games"],
            json!([])
        );
    }

    #[tokio::test]
    async fn then_4_ratings_change_once_whatever_comes_after_the_end() {
        let game = Game::rated("44 40").await;
        let resign = || {
            game.house
                .act(&game.tokens[0], &game.id, "resign", json!({}))
        };
        let answers = futures::future::join_all((0..5).map(|_| resign())).await;
        assert_eq!(
            answers.iter().filter(|answer| answer.status == 200).count(),
            1
        );
        for (seat, text) in [(0, "00"), (1, "40")] {
            game.play(seat, text).await.problem(409, "over");
        }
        game.house
            .act(&game.tokens[1], &game.id, "resign", json!({}))
            .await
            .problem(409, "over");
        assert_eq!(game.standings().await, [[0, 1, 0, 984], [1, 0, 0, 1_016]]);
        let history = game
            .house
            .get("/api/v1/players/bob/ratings?game=ultimate")
            .await
            .expect(200);
        assert_eq!(
            history["points"].as_array().map(Vec::len),
            Some(1),
            "{history}"
        );
    }
}
