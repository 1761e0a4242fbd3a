//! Timers, seats, and the lists read by admins and the classic API.

use std::sync::Arc;

use futures::future::join_all;
use parlor_store::{
    Append, AttendedTable, AuditFilter, ListFilter, ListPage, ListSlice, LobbyFilter,
    NewStoredTable, PlayerFilter, PlayerRole, RowStatus, RowUpdate, Store, TableSearch, TableSort,
    TableTally, User, UserFilter, UserSort,
};
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};

use crate::accounts::line;
use crate::databases::Database;
use crate::story::{moved, opened};

pub async fn run(database: Arc<Database>) {
    let store = Store::open(&database.url).await.unwrap();
    timer_and_turn_are_kept_until_they_change(&store).await;
    due_tables_are_ordered_by_time(&store).await;
    accounts_find_their_tables(&store).await;
    deleting_a_table_deletes_its_players(&database, &store).await;
    people_are_found_at_their_tables_in_the_lobby(&store).await;
    a_deletion_and_its_audit_line_are_atomic(&database, &store).await;
    admins_filter_and_count(&store).await;
    lists_are_sorted_and_tallied(&store).await;
    tables_are_found_by_parts_of_ids_and_names(&store).await;
    accounts_are_sorted(&store).await;
    equal_options_are_found_in_any_key_order(&store).await;
    if database.is_sqlite() {
        lists_use_indexes(&database).await;
    }
    store.close().await;
}

fn ids(rows: Vec<parlor_store::TableRow>) -> Vec<i64> {
    rows.into_iter().map(|row| row.id).collect()
}

async fn timer_and_turn_are_kept_until_they_change(store: &Store) {
    store.create(opened(1)).await.unwrap();
    let row = store.row(1).await.unwrap().unwrap();
    assert_eq!((row.due_at, row.turn, row.rated), (None, None, false));
    let summary = Some(serde_json::json!({ "clock": null }));
    let new = NewStoredTable {
        due_at: Some(5_000),
        turn: Some("X".into()),
        summary: summary.clone(),
        rated: true,
        ..opened(2)
    };
    store.create(new).await.unwrap();
    assert_eq!(store.row(2).await.unwrap().unwrap().summary, summary);
    let state = async || {
        let row = store.row(2).await.unwrap().unwrap();
        (row.due_at, row.turn, row.rated)
    };
    assert_eq!(state().await, (Some(5_000), Some("X".into()), true));
    store.append(Append::new(2, vec![moved(2)])).await.unwrap();
    assert_eq!(state().await, (Some(5_000), Some("X".into()), true));
    let update = RowUpdate {
        due_at: Some(Some(9_000)),
        turn: Some(Some("O".into())),
        ..RowUpdate::default()
    };
    store
        .append(Append {
            update,
            ..Append::new(2, vec![moved(3)])
        })
        .await
        .unwrap();
    assert_eq!(state().await, (Some(9_000), Some("O".into()), true));
    let update = RowUpdate {
        due_at: Some(None),
        turn: Some(None),
        rated: Some(false),
        ..RowUpdate::default()
    };
    store
        .append(Append {
            update,
            ..Append::new(2, vec![moved(4)])
        })
        .await
        .unwrap();
    assert_eq!(state().await, (None, None, false));
}

async fn due_tables_are_ordered_by_time(store: &Store) {
    let times = [300, 100, 500, 200, 400];
    for (id, due_at) in (10..).zip(times) {
        let new = NewStoredTable {
            status: RowStatus::Playing,
            due_at: Some(due_at),
            ..opened(id)
        };
        store.create(new).await.unwrap();
    }
    for (id, status) in (20..).zip([RowStatus::Open, RowStatus::Over, RowStatus::Aborted]) {
        store
            .create(NewStoredTable {
                status,
                due_at: Some(1),
                ..opened(id)
            })
            .await
            .unwrap();
    }
    store
        .create(NewStoredTable {
            status: RowStatus::Playing,
            ..opened(23)
        })
        .await
        .unwrap();
    let update = RowUpdate {
        due_at: Some(Some(250)),
        ..RowUpdate::default()
    };
    store
        .append(Append {
            update,
            ..Append::new(20, vec![moved(2)])
        })
        .await
        .unwrap();
    assert_eq!(store.due(99, 10).await.unwrap(), [0; 0]);
    assert_eq!(store.due(100, 10).await.unwrap(), [11]);
    assert_eq!(store.due(400, 10).await.unwrap(), [11, 13, 20, 10, 14]);
    assert_eq!(store.due(i64::MAX, 2).await.unwrap(), [11, 13]);
    let later = RowUpdate {
        due_at: Some(Some(450)),
        ..RowUpdate::default()
    };
    store
        .append(Append {
            update: later,
            ..Append::new(11, vec![moved(2)])
        })
        .await
        .unwrap();
    let over = RowUpdate {
        status: Some(RowStatus::Over),
        ..RowUpdate::default()
    };
    store
        .append(Append {
            update: over,
            ..Append::new(13, vec![moved(2)])
        })
        .await
        .unwrap();
    assert_eq!(store.due(450, 10).await.unwrap(), [20, 10, 14, 11]);
}

async fn accounts_find_their_tables(store: &Store) {
    use PlayerRole::{Invited, Seated};
    let tables = [
        vec![(7, Seated), (8, Invited)],
        vec![(8, Seated), (7, Seated)],
        vec![(8, Invited), (8, Seated)],
    ];
    for (id, players) in (30..).zip(tables) {
        store
            .create(NewStoredTable {
                players,
                ..opened(id)
            })
            .await
            .unwrap();
    }
    assert_eq!(
        store.players(30).await.unwrap(),
        [(7, Seated), (8, Invited)]
    );
    assert_eq!(
        store.players(32).await.unwrap(),
        [(8, Seated)],
        "named twice, seated once"
    );
    assert_eq!(store.players(999).await.unwrap(), []);

    let of = async |user: i64, filter: PlayerFilter, before, limit| -> Vec<(i64, PlayerRole)> {
        let found = store
            .tables_of(user, &filter, &ListPage { before, limit })
            .await
            .unwrap();
        found
            .into_iter()
            .map(|(row, role)| (row.id, role))
            .collect()
    };
    let any = PlayerFilter::default();
    assert_eq!(
        of(8, any.clone(), None, 50).await,
        [(32, Seated), (31, Seated), (30, Invited)]
    );
    assert_eq!(of(8, any.clone(), Some(32), 1).await, [(31, Seated)]);
    assert_eq!(of(9, any.clone(), None, 50).await, []);
    let asked = PlayerFilter {
        roles: vec![Invited],
        ..PlayerFilter::default()
    };
    assert_eq!(of(8, asked, None, 50).await, [(30, Invited)]);

    // Account 8 accepts, account 7 leaves, and a move is made.
    let players = Some(vec![(8, Seated), (9, Invited)]);
    let update = RowUpdate {
        status: Some(RowStatus::Playing),
        ..RowUpdate::default()
    };
    store
        .append(Append {
            players,
            update,
            ..Append::new(30, vec![moved(2)])
        })
        .await
        .unwrap();
    store.append(Append::new(30, vec![moved(3)])).await.unwrap();
    assert_eq!(
        store.players(30).await.unwrap(),
        [(8, Seated), (9, Invited)]
    );
    assert_eq!(of(7, any.clone(), None, 50).await, [(31, Seated)]);
    let playing = PlayerFilter {
        statuses: vec![RowStatus::Playing],
        ..PlayerFilter::default()
    };
    assert_eq!(of(8, playing, None, 50).await, [(30, Seated)]);
    store
        .append(Append {
            players: Some(Vec::new()),
            ..Append::new(30, vec![moved(4)])
        })
        .await
        .unwrap();
    assert_eq!(store.players(30).await.unwrap(), []);
    let stale = store
        .append(Append {
            players: Some(vec![(7, Seated)]),
            ..Append::new(30, vec![moved(3)])
        })
        .await;
    assert!(stale.is_err() && store.players(30).await.unwrap().is_empty());

    // All in one batch: the last write determines the seats.
    let (one, two, gone, again) = tokio::join!(
        store.create(NewStoredTable {
            players: vec![(7, Seated)],
            ..opened(33)
        }),
        store.append(Append {
            players: Some(vec![(8, Seated)]),
            ..Append::new(33, vec![moved(2)])
        }),
        store.delete(33),
        store.create(NewStoredTable {
            players: vec![(9, Seated)],
            ..opened(33)
        }),
    );
    assert!(one.is_ok() && two.is_ok() && gone.unwrap() && again.is_ok());
    assert_eq!(store.players(33).await.unwrap(), [(9, Seated)]);
}

async fn deleting_a_table_deletes_its_players(database: &Database, store: &Store) {
    assert!(store.delete(31).await.unwrap());
    assert_eq!(store.players(31).await.unwrap(), []);
    assert_eq!(
        store
            .tables_of(7, &PlayerFilter::default(), &ListPage::default())
            .await
            .unwrap(),
        []
    );
    assert_eq!(
        rows(database, "SELECT 1 FROM table_players WHERE table_id = 31").await,
        0
    );
    assert_eq!(
        rows(database, "SELECT 1 FROM table_players WHERE table_id = 32").await,
        1
    );
}

async fn people_are_found_at_their_tables_in_the_lobby(store: &Store) {
    let chess = |id, people: &[i64]| NewStoredTable {
        game: "chess".to_owned(),
        people: people.to_vec(),
        made_from: Some(-5),
        ..opened(id)
    };
    let hidden = NewStoredTable {
        in_lobby: false,
        ..chess(803, &[-1])
    };
    for new in [chess(801, &[-1, -1, 2]), chess(802, &[2]), hidden] {
        store.create(new).await.unwrap();
    }
    let filter = |status| LobbyFilter {
        status,
        game: Some("chess".to_owned()),
    };
    let attended = async |status, people: &[i64]| -> Vec<(i64, i64)> {
        let found = store.attended_tables(&filter(status), people).await;
        let pair = |at: AttendedTable| (at.table, at.person);
        let mut found: Vec<_> = found.unwrap().into_iter().map(pair).collect();
        found.sort_unstable();
        found
    };
    let open = RowStatus::Open;
    assert_eq!(
        attended(open, &[-1, 2, 3]).await,
        [(801, -1), (801, 2), (802, 2)]
    );
    assert_eq!(attended(open, &[]).await, []);
    assert_eq!(store.open_tables_from(-5).await.unwrap(), 3);
    let started = Append {
        update: RowUpdate {
            status: Some(RowStatus::Playing),
            ..RowUpdate::default()
        },
        people: Some(vec![3]),
        ..Append::new(802, vec![moved(2)])
    };
    store.append(started).await.unwrap();
    assert_eq!(store.open_tables_from(-5).await.unwrap(), 2);
    assert_eq!(attended(RowStatus::Playing, &[2, 3]).await, [(802, 3)]);
    let at = store.row(802).await.unwrap().unwrap().updated_at;
    let playing = filter(RowStatus::Playing);
    for (since, ids) in [(at, vec![802]), (at + 1, vec![])] {
        assert_eq!(store.active_tables(&playing, since).await.unwrap(), ids);
    }
    assert!(store.delete(801).await.unwrap());
    assert_eq!(attended(open, &[-1, 2, 3]).await, []);
}

async fn rows(database: &Database, query: &str) -> usize {
    let raw = database.raw().await;
    let found = raw
        .query_all_raw(Statement::from_string(raw.get_database_backend(), query))
        .await
        .unwrap();
    raw.close().await.unwrap();
    found.len()
}

async fn a_deletion_and_its_audit_line_are_atomic(database: &Database, store: &Store) {
    let log = async || {
        store
            .audit(&AuditFilter::default(), &ListPage::default())
            .await
            .unwrap()
    };
    join_all((40..44).map(|id| store.create(opened(id))))
        .await
        .into_iter()
        .for_each(Result::unwrap);
    assert!(
        store
            .delete_audited(40, line("delete table", "40"))
            .await
            .unwrap()
    );
    assert!(
        !store
            .delete_audited(40, line("delete table", "40"))
            .await
            .unwrap()
    );
    assert_eq!(log().await.len(), 1);
    assert_eq!(log().await[0].line, line("delete table", "40"));

    let poison = if database.is_sqlite() {
        "CREATE TRIGGER poison BEFORE INSERT ON audit WHEN NEW.target = 'poison'
         BEGIN SELECT RAISE(ABORT, 'poison'); END"
    } else {
        "ALTER TABLE audit ADD CONSTRAINT poison CHECK (target <> 'poison')"
    };
    let raw = database.raw().await;
    raw.execute_unprepared(poison).await.unwrap();
    raw.close().await.unwrap();
    store.create_user(User::new(1, "Ada", 0)).await.unwrap();
    let (bad, good) = tokio::join!(
        store.delete_audited(41, line("delete", "poison")),
        store.delete_audited(42, line("delete", "42"))
    );
    assert!(bad.is_err() && good.unwrap());
    assert!(
        store.row(41).await.unwrap().is_some(),
        "a table whose line cannot be written stays"
    );
    assert!(store.row(42).await.unwrap().is_none() && log().await.len() == 2);
    let ban = parlor_store::Ban {
        at: 1,
        reason: String::new(),
    };
    assert!(store.ban(1, ban, line("ban", "poison")).await.is_err());
    assert_eq!(store.user(1).await.unwrap().unwrap().ban, None);
}

async fn admins_filter_and_count(store: &Store) {
    let base = 1_000_000;
    for n in 0..40 {
        let status = RowStatus::ALL[n as usize % 4];
        let turn = [Some("X".to_owned()), Some("O".to_owned()), None][n as usize % 3].clone();
        store
            .create(NewStoredTable {
                status,
                turn,
                created_at: base + n,
                ..opened(base + n)
            })
            .await
            .unwrap();
    }
    let list = async |filter: ListFilter, expected: &[i64]| {
        let found = ids(store
            .list(
                &filter,
                &ListPage {
                    before: None,
                    limit: 100,
                },
            )
            .await
            .unwrap());
        assert_eq!(
            found,
            expected.iter().map(|n| base + n).collect::<Vec<_>>(),
            "{filter:?}"
        );
        assert_eq!(
            store.count(&filter).await.unwrap(),
            expected.len() as u64,
            "{filter:?}"
        );
        if let Some(middle) = found.get(found.len() / 2) {
            let page = ListPage {
                before: Some(*middle),
                limit: 1,
            };
            let next = ids(store.list(&filter, &page).await.unwrap());
            assert_eq!(
                next,
                found
                    .get(found.len() / 2 + 1)
                    .copied()
                    .into_iter()
                    .collect::<Vec<_>>()
            );
        }
    };
    let turn = Some("X".to_owned());
    let playing = vec![RowStatus::Playing];
    let filter = ListFilter {
        turn: turn.clone(),
        statuses: playing.clone(),
        ..ListFilter::default()
    };
    list(filter.clone(), &[33, 21, 9]).await;
    list(
        ListFilter {
            created_from: Some(base + 10),
            created_before: Some(base + 33),
            ..filter.clone()
        },
        &[21],
    )
    .await;
    list(
        ListFilter {
            turn: Some("x".into()),
            ..ListFilter::default()
        },
        &[],
    )
    .await;
    let prefix = ListFilter {
        ids: ListFilter::decimal_prefix("100001"),
        ..ListFilter::default()
    };
    list(prefix.clone(), &[19, 18, 17, 16, 15, 14, 13, 12, 11, 10]).await;
    list(
        ListFilter {
            turn,
            ids: ListFilter::decimal_prefix("1000012"),
            ..ListFilter::default()
        },
        &[12],
    )
    .await;
    let update = RowUpdate {
        result: Some("X".into()),
        ..RowUpdate::default()
    };
    store
        .append(Append {
            update,
            ..Append::new(base + 7, vec![moved(2)])
        })
        .await
        .unwrap();
    assert_eq!(
        store
            .row(base + 7)
            .await
            .unwrap()
            .unwrap()
            .result
            .as_deref(),
        Some("X")
    );
    list(
        ListFilter {
            result: Some("X".into()),
            ..ListFilter::default()
        },
        &[7],
    )
    .await;
    list(
        ListFilter {
            result: Some("draw".into()),
            ..ListFilter::default()
        },
        &[],
    )
    .await;
    list(
        ListFilter {
            ids: vec![base + 39..=i64::MAX, base..=base],
            ..ListFilter::default()
        },
        &[39, 0],
    )
    .await;
}

/// Number of the first table of those that are sorted and searched.
const SORTED: i64 = 8_100_000;

async fn lists_are_sorted_and_tallied(store: &Store) {
    let rows = [
        ("mnk", RowStatus::Playing, Some("X"), 50),
        ("pig", RowStatus::Playing, Some("O"), 40),
        ("mnk", RowStatus::Open, None, 30),
        ("mnk", RowStatus::Playing, Some("X"), 20),
    ];
    for (id, (game, status, turn, created_at)) in (SORTED..).zip(rows) {
        let table = NewStoredTable {
            game: game.into(),
            status,
            turn: turn.map(str::to_owned),
            created_at,
            ..opened(id)
        };
        store.create(table).await.unwrap();
    }
    let filter = ListFilter {
        ids: vec![SORTED..=SORTED + 3],
        ..ListFilter::default()
    };
    for (sort, ascending, order) in [
        (TableSort::Id, true, [0, 1, 2, 3]),
        (TableSort::Id, false, [3, 2, 1, 0]),
        (TableSort::Created, true, [3, 2, 1, 0]),
        (TableSort::Game, true, [0, 2, 3, 1]),
        (TableSort::Status, false, [3, 1, 0, 2]),
    ] {
        let slice = |offset, limit| ListSlice {
            sort,
            ascending,
            offset,
            limit,
        };
        let sorted = async |offset, limit| {
            let found = store.sorted_tables(&filter, &slice(offset, limit)).await;
            let numbers = ids(found.unwrap()).into_iter().map(|id| id - SORTED);
            numbers.collect::<Vec<_>>()
        };
        assert_eq!(sorted(0, 9).await, order, "{sort:?}, {ascending}");
        assert_eq!(sorted(1, 2).await, order[1..3], "{sort:?}, {ascending}");
        assert_eq!(sorted(4, 2).await, [0; 0]);
    }
    let tallies = store.tally_tables(&filter, &[40, 30]).await.unwrap();
    let tally = |game: &str, status, turn: Option<&str>, age| TableTally {
        game: game.into(),
        status,
        result: None,
        turn: turn.map(str::to_owned),
        age,
        count: 1,
    };
    assert_eq!(tallies.len(), 4, "{tallies:?}");
    for expected in [
        tally("mnk", RowStatus::Playing, Some("X"), 0),
        tally("pig", RowStatus::Playing, Some("O"), 0),
        tally("mnk", RowStatus::Open, None, 1),
        tally("mnk", RowStatus::Playing, Some("X"), 2),
    ] {
        assert!(tallies.contains(&expected), "{expected:?} in {tallies:?}");
    }
    let together = store.tally_tables(&filter, &[]).await.unwrap();
    let playing = TableTally {
        count: 2,
        ..tally("mnk", RowStatus::Playing, Some("X"), 0)
    };
    assert!(together.contains(&playing), "{together:?}");
}

async fn tables_are_found_by_parts_of_ids_and_names(store: &Store) {
    store
        .create_user(User::new(8_190, "Zoe_Renamed", 0))
        .await
        .unwrap();
    let seat = |label: &str, name: &str| json!({ "kind": "human", "label": label, "member": true, "name": name });
    for (id, name, players) in [
        (8_123_456, "Yolanda", vec![]),
        (
            8_123_789,
            "Quentin \"Q\"",
            vec![(8_190, PlayerRole::Seated)],
        ),
        (8_124_000, "human", vec![(8_190, PlayerRole::Invited)]),
    ] {
        let table = NewStoredTable {
            seats: json!([seat("White", name)]),
            players,
            ..opened(id)
        };
        store.create(table).await.unwrap();
    }
    let find = async |text: &str, ids_besides: &[i64]| {
        let search = TableSearch {
            text: text.into(),
            ids: ids_besides.iter().map(|id| *id..=*id).collect(),
        };
        let filter = ListFilter {
            search: Some(search),
            ids: vec![8_120_000..=8_130_000],
            ..ListFilter::default()
        };
        let found = ids(store.list(&filter, &ListPage::default()).await.unwrap());
        assert_eq!(store.count(&filter).await.unwrap(), found.len() as u64);
        found
    };
    assert_eq!(find("2345", &[]).await, [8_123_456], "inside the id");
    assert_eq!(find("8123", &[]).await, [8_123_789, 8_123_456]);
    assert_eq!(find("LAND", &[]).await, [8_123_456], "inside a seat's name");
    assert_eq!(find("oe_re", &[]).await, [8_123_789], "an account's name");
    assert_eq!(find("oeXre", &[]).await, [0; 0]);
    assert_eq!(find("n \"q", &[]).await, [8_123_789], "quotes");
    assert_eq!(find("human", &[]).await, [8_124_000], "no kind of a seat");
    assert_eq!(find("\",\"", &[]).await, [0; 0]);
    assert_eq!(find(",", &[]).await, [0; 0]);
    assert_eq!(find("nobody", &[8_124_000]).await, [8_124_000]);
}

async fn accounts_are_sorted(store: &Store) {
    for (id, name, at) in [
        (8_301, "sort-b", 3),
        (8_302, "Sort-a", 2),
        (8_303, "sort-c", 1),
    ] {
        store.create_user(User::new(id, name, at)).await.unwrap();
    }
    let filter = UserFilter {
        search: Some("SORT-".into()),
        ..UserFilter::default()
    };
    for (sort, ascending, order) in [
        (UserSort::Id, false, [8_303, 8_302, 8_301]),
        (UserSort::Name, true, [8_302, 8_301, 8_303]),
        (UserSort::Created, true, [8_303, 8_302, 8_301]),
        (UserSort::Kind, true, [8_301, 8_302, 8_303]),
    ] {
        let slice = ListSlice {
            sort,
            ascending,
            offset: 0,
            limit: 9,
        };
        let found = store.sorted_users(&filter, &slice).await.unwrap();
        let found: Vec<i64> = found.into_iter().map(|user| user.id).collect();
        assert_eq!(found, order, "{sort:?}");
    }
}

async fn equal_options_are_found_in_any_key_order(store: &Store) {
    let options = json!({"rows": 3, "columns": 3, "more": {"a": 1, "b": [1, 2]}});
    for (id, options) in [
        (700, options.clone()),
        (701, json!({"rows": 4})),
        (702, options.clone()),
    ] {
        store
            .create(NewStoredTable {
                options,
                ..opened(id)
            })
            .await
            .unwrap();
    }
    let find = async |options: Value| {
        let filter = ListFilter {
            options: Some(options),
            ..ListFilter::default()
        };
        let found = ids(store.list(&filter, &ListPage::default()).await.unwrap());
        assert_eq!(store.count(&filter).await.unwrap(), found.len() as u64);
        found
    };
    let turned: Value =
        serde_json::from_str(r#"{"more":{"b":[1,2],"a":1},"columns":3,"rows":3}"#).unwrap();
    assert_eq!(find(turned).await, [702, 700]);
    assert_eq!(find(json!({"rows": 4})).await, [701]);
    assert_eq!(find(json!({"rows": 3, "columns": 3})).await, [0; 0]);
}

/// Only SQLite reports its plan independently of the tables' contents.
async fn lists_use_indexes(database: &Database) {
    let raw = database.raw().await;
    let plan = async |query: &str| {
        let explain = Statement::from_string(
            raw.get_database_backend(),
            format!("EXPLAIN QUERY PLAN {query}"),
        );
        let rows = raw.query_all_raw(explain).await.unwrap();
        rows.iter()
            .map(|row| row.try_get::<String>("", "detail").unwrap())
            .collect::<Vec<_>>()
            .join("; ")
    };
    let questions = [
        (
            "game_tables_due",
            "SELECT id FROM game_tables WHERE status IN ('open', 'playing') AND due_at <= 9",
        ),
        (
            "game_tables_options",
            "SELECT * FROM game_tables WHERE game = 'mnk' AND listed = TRUE AND options_hash = 'x' ORDER BY id DESC LIMIT 9",
        ),
        (
            "game_tables_status_id",
            "SELECT * FROM game_tables WHERE status = 'open' AND turn = 'X' ORDER BY id DESC LIMIT 9",
        ),
        (
            "game_tables_lobby",
            "SELECT id FROM game_tables WHERE status = 'playing' AND in_lobby = TRUE AND listed = TRUE AND (due_at IS NOT NULL OR updated_at >= 9) ORDER BY id DESC LIMIT 9",
        ),
        (
            "game_tables_made_from",
            "SELECT id FROM game_tables WHERE made_from = 9 AND status = 'open'",
        ),
        (
            "table_people_person",
            "SELECT * FROM table_people WHERE person = 1 ORDER BY table_id DESC LIMIT 9",
        ),
        (
            "table_players_user",
            "SELECT * FROM table_players WHERE user_id = 1 ORDER BY table_id DESC LIMIT 9",
        ),
        (
            "ratings_glicko",
            "SELECT * FROM ratings WHERE game = 'mnk' AND glicko <= 9 ORDER BY glicko DESC LIMIT 9",
        ),
        (
            "rating_changes_user",
            "SELECT * FROM rating_changes WHERE user_id = 1 AND game = 'mnk' ORDER BY at DESC LIMIT 9",
        ),
    ];
    for (index, query) in questions {
        let plan = plan(query).await;
        assert!(
            plan.contains(index) && !plan.contains("TEMP B-TREE"),
            "{query}: {plan}"
        );
    }
    raw.close().await.unwrap();
}
