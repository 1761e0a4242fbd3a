//! Processes on one database, and their knowledge of each other.

use std::sync::Arc;

use futures::future::join_all;
use parlor_store::{
    AnalyzedGame, NewStoredTable, PersonSign, PlayerRole, Store, StoreError, StoredAnalysis,
    WaitingPlayer,
};
use serde_json::json;

use crate::databases::Database;

pub async fn run(database: Arc<Database>) {
    let store = Store::open(&database.url).await.unwrap();
    let second = Store::open(&database.url).await.unwrap();
    processes_that_give_signs_of_life_are_counted(&store, &second).await;
    people_are_where_their_processes_are(&store, &second).await;
    of_many_pairings_of_one_player_one_counts(&store, &second).await;
    a_person_with_two_tickets_is_paired_once(&store, &second).await;
    who_leaves_a_pairing_lets_the_other_wait_on(&store).await;
    the_notes_of_an_account_are_numbered_without_gaps(&store, &second).await;
    one_process_works_on_an_analysis_and_all_have_it(&store, &second).await;
    a_quota_holds_for_requests_at_once(&store, &second).await;
    a_limit_to_open_tables_holds_for_requests_at_once(&store, &second).await;
    assert_eq!(database.is_sqlite(), !store.is_shared());
    store.reserve().unwrap();
    assert_eq!(
        matches!(second.reserve(), Err(StoreError::InUse { .. })),
        database.is_sqlite()
    );
    store.close().await;
    second.reserve().unwrap();
    second.close().await;
}

async fn processes_that_give_signs_of_life_are_counted(store: &Store, second: &Store) {
    assert_eq!(store.beat(1, 1).await.unwrap().nodes, 1);
    assert_eq!(second.beat(-2, 1).await.unwrap().nodes, 2);
    let again = store.beat(1, 1).await.unwrap();
    assert_eq!(again.nodes, 2);
    assert!(again.now > 1_700_000_000_000, "{again:?}");
    second.leave(-2).await.unwrap();
    assert_eq!(store.beat(1, 1).await.unwrap().nodes, 1);
}

async fn a_quota_holds_for_requests_at_once(store: &Store, second: &Store) {
    let spend = (0..20).map(|n| {
        let by = if n % 2 == 0 { store } else { second };
        by.spend(70, 3_600_000, 5)
    });
    let spent = join_all(spend).await.into_iter().map(Result::unwrap);
    assert_eq!(spent.filter(Option::is_none).count(), 5);
}

async fn a_limit_to_open_tables_holds_for_requests_at_once(store: &Store, second: &Store) {
    let (ann, bob, cid) = (71, 72, 73);
    let invite = |id: i64, by: i64, most: u64| {
        let players = vec![(by, PlayerRole::Seated), (bob, PlayerRole::Invited)];
        let table = NewStoredTable {
            players,
            most_open: Some(most),
            ..NewStoredTable::new(id, "chess", 1)
        };
        let at = if id % 2 == 0 { store } else { second };
        at.create(table)
    };
    let answers = join_all((7_000..7_016).map(|id| invite(id, ann, 3))).await;
    let made = answers.iter().filter(|answer| answer.is_ok()).count();
    let is_refused = |answer: &Result<(), StoreError>| {
        matches!(answer, Err(StoreError::TooManyOpen { most: 3 }))
    };
    let refused = answers.iter().filter(|answer| is_refused(answer)).count();
    assert_eq!((made, refused), (3, 13), "{answers:?}");
    invite(7_016, ann, 4).await.unwrap();
    invite(7_017, cid, 1).await.unwrap();
    assert!(is_refused(&invite(7_018, ann, 3).await));
    for id in 7_000..7_016 {
        store.delete(id).await.unwrap();
    }
    invite(7_018, ann, 2).await.unwrap();
}

fn sign(person: i64, is_there: bool, seen_at: i64) -> PersonSign {
    PersonSign {
        person,
        is_there,
        seen_at,
    }
}

async fn people_are_where_their_processes_are(store: &Store, second: &Store) {
    let now = store.beat(1, 1).await.unwrap().now;
    let (ann, bob) = (-7, 8);
    let told = [sign(ann, true, now - 500), sign(bob, false, now - 900)];
    store.tell_presence(1, &told).await.unwrap();
    second
        .tell_presence(2, &[sign(bob, true, now - 700)])
        .await
        .unwrap();
    let seen = second.presence(&[ann, bob, 9], 99).await.unwrap();
    assert_eq!((seen[0].person, seen[0].is_there), (ann, true));
    assert_eq!(
        seen[1..],
        [sign(bob, false, now - 700)],
        "process 2 never gave a sign of life"
    );
    second.beat(2, 1).await.unwrap();
    assert!(store.presence(&[bob], 99).await.unwrap()[0].is_there);
    second.leave(2).await.unwrap();
    let left = store.presence(&[bob], 99).await.unwrap();
    assert!(!left[0].is_there && left[0].seen_at >= now, "{left:?}");
    let elsewhere = async |node| {
        let present = store.present_elsewhere(node, now - 600).await.unwrap();
        let ours = present.into_iter();
        let mut ours: Vec<_> = ours
            .filter(|sign| [ann, bob].contains(&sign.person))
            .map(|sign| (sign.person, sign.is_there))
            .collect();
        ours.sort_unstable();
        ours
    };
    assert_eq!(elsewhere(99).await, [(ann, true), (bob, false)]);
    assert_eq!(
        elsewhere(1).await,
        [(bob, false)],
        "process 1 knows itself who is there"
    );
    let others = store.presence(&[bob], 2).await.unwrap();
    assert!(others[0].seen_at < now, "process 2 told the last sign");
    assert_eq!(store.presence(&[], 99).await.unwrap(), []);
}

fn waiting(ticket: i64, node: i64) -> WaitingPlayer {
    WaitingPlayer {
        ticket,
        node,
        terms: "chess".to_owned(),
        player: format!("player {ticket}"),
        rating: 1_500,
        most: 4_294_967_295,
        since: 0,
        pairing: None,
    }
}

async fn of_many_pairings_of_one_player_one_counts(store: &Store, second: &Store) {
    for ticket in 1..=4 {
        store.wait(waiting(ticket, 1)).await.unwrap();
    }
    let pairings = [[1, 2], [3, 1], [2, 1], [1, 4]];
    let pair = pairings.iter().zip(50..).map(|(tickets, table)| {
        let by = if table % 2 == 0 { store } else { second };
        by.pair(*tickets, table)
    });
    let paired = join_all(pair).await;
    let paired: Vec<bool> = paired.into_iter().map(Result::unwrap).collect();
    let accepted = paired.iter().filter(|paired| **paired).count();
    assert_eq!(accepted, 1, "{paired:?}");
    let (_, players) = second.waiting().await.unwrap();
    let offered: Vec<_> = players.iter().filter_map(|player| player.pairing).collect();
    assert_eq!(offered.len(), 2, "{players:?}");
    assert_eq!(offered[0].table, offered[1].table);
    assert_eq!(offered[0].seat + offered[1].seat, 1);
    let tickets: Vec<i64> = players.iter().map(|player| player.ticket).collect();
    store.stop_waiting(&tickets).await.unwrap();
    assert_eq!(store.waiting().await.unwrap().1, []);
}

async fn a_person_with_two_tickets_is_paired_once(store: &Store, second: &Store) {
    let ticket = |ticket, player: &str| WaitingPlayer {
        player: player.to_owned(),
        ..waiting(ticket, 1)
    };
    for (number, player) in [(1, "Ann"), (2, "Bob"), (3, "Ann"), (4, "Bob")] {
        store.wait(ticket(number, player)).await.unwrap();
    }
    let (one, other) = tokio::join!(store.pair([1, 2], 70), second.pair([3, 4], 71));
    let paired = [one.unwrap(), other.unwrap()];
    assert!(paired[0] != paired[1], "{paired:?}");
    let (tickets, table) = if paired[0] {
        ([1, 2], 70)
    } else {
        ([3, 4], 71)
    };
    for ticket in tickets {
        assert!(store.accept_pairing(ticket, table).await.unwrap());
    }
    assert!(second.settle_pairing(table).await.unwrap());
    let (_, players) = second.waiting().await.unwrap();
    let left: Vec<i64> = players.iter().map(|player| player.ticket).collect();
    assert_eq!(left, tickets, "the others wait no more");
    store.stop_waiting(&tickets).await.unwrap();
}

async fn the_notes_of_an_account_are_numbered_without_gaps(store: &Store, second: &Store) {
    assert_eq!(store.last_notes(&[1, 2]).await.unwrap(), []);
    // 600 tables made through both, each of which concerns account 1, and every other one 2, twice.
    let create = (1..=600).map(|id| {
        let by = if id % 2 == 0 { store } else { second };
        let mut notes = vec![(1, json!(id))];
        if id % 2 == 0 {
            notes.extend([(2, json!(id)), (2, json!(-id))]);
        }
        by.create(NewStoredTable {
            notes,
            ..NewStoredTable::new(id, "mnk", 5)
        })
    });
    let created = join_all(create).await;
    assert!(created.iter().all(Result::is_ok));
    let again = NewStoredTable {
        notes: vec![(1, json!(0))],
        ..NewStoredTable::new(7, "mnk", 5)
    };
    assert!(matches!(store.create(again).await, Err(StoreError::Exists)));
    for user in [1, 2] {
        let mut notes = Vec::new();
        while let Ok(page) = second.account_log(user, notes.len() as u64, 100).await
            && !page.is_empty()
        {
            notes.extend(page);
        }
        let numbers: Vec<u64> = notes.iter().map(|note| note.n).collect();
        assert_eq!(numbers, (1..=600).collect::<Vec<_>>());
        let mut tables: Vec<i64> = notes.iter().filter_map(|note| note.body.as_i64()).collect();
        tables.sort_unstable();
        tables.dedup();
        assert_eq!(tables.len(), 600, "each note once");
    }
    let ends = store.last_notes(&[1, 2, 3]).await.unwrap();
    assert_eq!(ends, [(1, 600), (2, 600)]);
}

async fn who_leaves_a_pairing_lets_the_other_wait_on(store: &Store) {
    for ticket in [-1, 2] {
        store.wait(waiting(ticket, 1)).await.unwrap();
    }
    assert!(store.pair([-1, 2], 60).await.unwrap());
    assert!(store.accept_pairing(-1, 60).await.unwrap());
    assert!(!store.accept_pairing(-1, 61).await.unwrap());
    assert!(!store.settle_pairing(60).await.unwrap(), "one has accepted");
    store.release_pairing(60).await.unwrap();
    assert!(store.pair([-1, 2], 62).await.unwrap());
    for ticket in [-1, 2] {
        assert!(store.accept_pairing(ticket, 62).await.unwrap());
    }
    assert!(store.settle_pairing(62).await.unwrap());
    assert!(!store.settle_pairing(62).await.unwrap(), "it was settled");
    store.go_on_waiting(1).await.unwrap();
    let (_, players) = store.waiting().await.unwrap();
    assert!(players.iter().all(|player| {
        let pairing = player.pairing.unwrap();
        pairing.is_made && pairing.is_accepted && pairing.table == 62
    }));
    store.leave(1).await.unwrap();
    assert_eq!(store.waiting().await.unwrap().1, []);
}

async fn one_process_works_on_an_analysis_and_all_have_it(store: &Store, second: &Store) {
    let table = NewStoredTable::new(771, "backgammon", 1);
    store.create(table).await.unwrap();
    let game = AnalyzedGame {
        table: 771,
        steps: 40,
    };
    assert_eq!(second.analysis(game).await.unwrap(), None);
    let claims = (1..=8).map(|node| {
        let store = if node % 2 == 0 { store } else { second };
        async move { store.claim_analysis(game, node).await.unwrap() }
    });
    let claims = join_all(claims).await;
    let holders: Vec<i64> = (1..)
        .zip(&claims)
        .filter(|(_, has)| **has)
        .map(|(n, _)| n)
        .collect();
    let &[holder] = &holders[..] else {
        panic!("{holders:?} all have it");
    };
    assert!(store.continue_analysis(game, holder, 7).await.unwrap());
    let running = StoredAnalysis::Running { done: 7 };
    assert_eq!(second.analysis(game).await.unwrap(), Some(running));
    let other = holder + 100;
    assert!(!second.claim_analysis(game, other).await.unwrap());
    assert!(!second.continue_analysis(game, other, 9).await.unwrap());

    // A holder that gives up leaves it to the next, and can write nothing late.
    assert!(store.end_analysis(game, holder, None).await.unwrap());
    let abandoned = Some(StoredAnalysis::Abandoned);
    assert_eq!(second.analysis(game).await.unwrap(), abandoned);
    assert!(second.claim_analysis(game, other).await.unwrap());
    let late = Some("late".to_owned());
    assert!(!store.end_analysis(game, holder, late).await.unwrap());
    let result = "\u{1F3B2} ".repeat(40_000);
    assert!(
        second
            .end_analysis(game, other, Some(result.clone()))
            .await
            .unwrap()
    );
    let ready = Some(StoredAnalysis::Ready(result));
    assert_eq!(store.analysis(game).await.unwrap(), ready);
    assert!(!store.claim_analysis(game, holder).await.unwrap());
    store.forget_analyses().await.unwrap();
    assert_eq!(
        store.analysis(game).await.unwrap(),
        ready,
        "it is not a week old"
    );
    assert!(store.delete(771).await.unwrap());
    assert_eq!(second.analysis(game).await.unwrap(), None);
}
