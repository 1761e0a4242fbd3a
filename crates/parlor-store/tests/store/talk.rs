//! Talk at tables: messages, reports, silences and mutes.

use std::sync::Arc;

use futures::future::join_all;
use parlor_store::{
    AuditFilter, AuditLine, KEPT_MESSAGES, ListPage, ListSlice, NewTalkReport, ReportFilter,
    ReportResult, ReportSort, Silence, Store, StoreError, TalkMessage, TalkPerson, TalkRoom, User,
};
use sea_orm::ConnectionTrait;

use crate::databases::Database;
use crate::story::opened;

pub async fn run(database: Arc<Database>) {
    let store = Store::open(&database.url).await.unwrap();
    let second = Store::open(&database.url).await.unwrap();
    for (id, name) in [(1, "Ann"), (2, "Bob"), (3, "Cid")] {
        store.create_user(User::new(id, name, 5)).await.unwrap();
    }
    messages_are_numbered_and_read_by_room(&store).await;
    a_phrase_keeps_an_argument_of_any_length(&store).await;
    two_at_once_lose_no_message(&store, &second).await;
    old_messages_make_room(&database, &store).await;
    reports_keep_copies_until_they_are_closed(&store).await;
    silences_last_for_their_time(&store).await;
    mutes_belong_to_an_account(&store).await;
    sweeping_and_deleting_remove_talk(&store).await;
    second.close().await;
    store.close().await;
}

fn person(user: i64) -> TalkPerson {
    let name = ["", "Ann", "Bob", "Cid"][user as usize];
    TalkPerson {
        key: format!("key of {name}"),
        user: Some(user),
        name: name.to_owned(),
    }
}

fn guest() -> TalkPerson {
    TalkPerson {
        key: "key of a guest".to_owned(),
        user: None,
        name: "Guest".to_owned(),
    }
}

fn message(at: i64, room: TalkRoom, author: TalkPerson, text: &str) -> TalkMessage {
    TalkMessage {
        n: 0,
        at,
        room,
        author,
        seat: Some(1),
        phrase: None,
        text: text.to_owned(),
    }
}

fn audit(action: &str) -> AuditLine {
    AuditLine {
        at: 9,
        admin_id: None,
        admin_name: "tests".to_owned(),
        action: action.to_owned(),
        target: "somebody".to_owned(),
        detail: String::new(),
    }
}

async fn texts(store: &Store, table: i64, rooms: &[TalkRoom], after: Option<i64>) -> Vec<String> {
    let found = store.talk(table, rooms, after, 100).await.unwrap();
    found.into_iter().map(|message| message.text).collect()
}

async fn messages_are_numbered_and_read_by_room(store: &Store) {
    use TalkRoom::{Players, Watchers};
    let missing = store.say(1, &message(100, Players, person(1), "hi")).await;
    assert!(matches!(missing, Err(StoreError::NotFound)), "{missing:?}");
    store.create(opened(1)).await.unwrap();
    store.create(opened(2)).await.unwrap();
    let hello = message(100, Players, person(1), "Hello \u{1f3b2} ñ");
    assert_eq!(store.say(1, &hello).await.unwrap(), 1);
    let same_time = message(100, Watchers, guest(), "Who leads?");
    assert_eq!(store.say(1, &same_time).await.unwrap(), 2);
    let phrase = TalkMessage {
        phrase: Some("thanks".to_owned()),
        seat: None,
        ..message(40, Players, person(2), "Thank you!")
    };
    assert_eq!(store.say(1, &phrase).await.unwrap(), 3, "a clock behind");
    assert_eq!(store.say(2, &phrase).await.unwrap(), 1, "another table");
    assert_eq!(
        store.talk(1, &[Players], None, 100).await.unwrap(),
        [
            TalkMessage { n: 1, ..hello },
            TalkMessage { n: 3, ..phrase }
        ]
    );
    let all = TalkRoom::ALL;
    assert_eq!(
        texts(store, 1, &all, Some(1)).await,
        ["Who leads?", "Thank you!"]
    );
    assert_eq!(texts(store, 1, &[Watchers], None).await, ["Who leads?"]);
    assert_eq!(texts(store, 1, &[], None).await, [""; 0]);
    let last = store.talk(1, &all, None, 1).await.unwrap();
    assert_eq!(last[0].n, 3, "the last, without a number to begin at");
    let first = store.talk(1, &all, Some(0), 1).await.unwrap();
    assert_eq!(first[0].n, 1, "the first after a number");
    let mut ends = store.talk_ends(&[1, 2, 3]).await.unwrap();
    ends.sort_unstable();
    assert_eq!(ends, [(1, 3), (2, 1)]);
    let written = store.talk_of(2).await.unwrap();
    let places: Vec<_> = written.iter().map(|(table, m)| (*table, m.n)).collect();
    assert_eq!(places, [(2, 1), (1, 3)]);
    assert_eq!(
        store.talk_message(1, 2).await.unwrap().unwrap().author,
        guest()
    );
    assert_eq!(store.talk_message(1, 99).await.unwrap(), None);
    assert_eq!(
        store.load(1).await.unwrap().unwrap().row.version,
        1,
        "the log is not touched"
    );
}

async fn a_phrase_keeps_an_argument_of_any_length(store: &Store) {
    store.create(opened(13)).await.unwrap();
    let phrases = [64, 65, 900].map(|length| format!("plan:{}", "ñ".repeat(length - 5)));
    for phrase in &phrases {
        let said = TalkMessage {
            phrase: Some(phrase.clone()),
            ..message(100, TalkRoom::Players, guest(), "How about this?")
        };
        store.say(13, &said).await.unwrap();
    }
    let found = store.talk(13, &TalkRoom::ALL, None, 100).await.unwrap();
    let found: Vec<_> = found.into_iter().filter_map(|said| said.phrase).collect();
    assert_eq!(found, phrases);
}

async fn two_at_once_lose_no_message(store: &Store, second: &Store) {
    store.create(opened(3)).await.unwrap();
    let said = (0..12).map(|n| {
        let store = if n % 2 == 0 { store } else { second };
        let text = n.to_string();
        async move {
            let new = message(500, TalkRoom::Players, person(1), &text);
            store.say(3, &new).await.unwrap()
        }
    });
    let mut numbers = join_all(said).await;
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=12).collect::<Vec<_>>());
}

async fn old_messages_make_room(database: &Database, store: &Store) {
    store.create(opened(4)).await.unwrap();
    let row = |n: u64| format!("(4, {n}, {n}, 'players', 'key', 1, 'Ann', NULL, NULL, 'x')");
    let rows: Vec<String> = (1..=KEPT_MESSAGES).map(row).collect();
    let db = database.raw().await;
    db.execute_unprepared(&format!(
        "INSERT INTO table_talk (table_id, n, at, room, person, user_id, name, seat, phrase, text) VALUES {}",
        rows.join(", ")
    ))
    .await
    .unwrap();
    db.close().await.unwrap();
    let last = KEPT_MESSAGES as i64 + 20;
    for n in KEPT_MESSAGES as i64 + 1..=last {
        let new = message(n, TalkRoom::Players, person(1), "x");
        assert_eq!(store.say(4, &new).await.unwrap(), n);
    }
    let kept = store.talk(4, &TalkRoom::ALL, Some(0), 5_000).await.unwrap();
    let count = kept.len() as u64;
    assert!(
        (KEPT_MESSAGES..KEPT_MESSAGES + 20).contains(&count),
        "{count}"
    );
    assert_eq!(kept.last().unwrap().n, last);
}

async fn reports_keep_copies_until_they_are_closed(store: &Store) {
    let open = ReportFilter { open_only: true };
    let report = |n, reporter: TalkPerson| NewTalkReport {
        table: 1,
        n,
        at: 200,
        reporter,
        reason: "abuse".to_owned(),
        note: "rude".to_owned(),
    };
    let by = |who| async move { store.report_talk(&report(3, who)).await.unwrap() };
    assert_eq!(by(person(1)).await, ReportResult::Stored);
    assert_eq!(by(person(1)).await, ReportResult::Known);
    assert_eq!(by(guest()).await, ReportResult::Stored);
    assert_eq!(
        store.report_talk(&report(7, person(1))).await.unwrap(),
        ReportResult::NoMessage
    );
    assert_eq!(store.count_talk_reports(open).await.unwrap(), 2);
    let page = ListPage {
        before: None,
        limit: 10,
    };
    let found = store.talk_reports(open, &page).await.unwrap();
    assert_eq!(found[1].report, report(3, person(1)));
    assert_eq!(found[1].author, person(2));
    let copies: Vec<&str> = found[1].messages.iter().map(|m| m.text.as_str()).collect();
    assert_eq!(
        copies,
        ["Hello \u{1f3b2} ñ", "Thank you!"],
        "of that room only"
    );
    let older = ListPage {
        before: Some(found[0].id),
        limit: 10,
    };
    assert_eq!(store.talk_reports(open, &older).await.unwrap(), found[1..]);
    for (sort, ascending, order) in [
        (ReportSort::Id, true, [1, 0]),
        (ReportSort::Table, false, [0, 1]),
    ] {
        let slice = ListSlice {
            sort,
            ascending,
            offset: 0,
            limit: 10,
        };
        let sorted = store.sorted_talk_reports(open, &slice).await.unwrap();
        assert_eq!(sorted, order.map(|n| found[n].clone()), "{sort:?}");
    }
    let id = found[1].id;
    assert_eq!(
        store.talk_report(id).await.unwrap().as_ref(),
        Some(&found[1])
    );
    assert!(
        store
            .close_talk_report(id, 300, audit("close report"))
            .await
            .unwrap()
    );
    assert!(
        !store
            .close_talk_report(id, 301, audit("close report"))
            .await
            .unwrap()
    );
    let closed = store.talk_report(id).await.unwrap().unwrap();
    assert_eq!((closed.closed_at, closed.messages), (Some(300), Vec::new()));
    assert_eq!(store.count_talk_reports(open).await.unwrap(), 1);
    assert_eq!(by(person(1)).await, ReportResult::Known, "once and for all");
    assert_eq!(store.talk_reports_by(1).await.unwrap().len(), 1);
    let lines = store.audit(&AuditFilter::default(), &page).await.unwrap();
    assert_eq!(lines.len(), 1, "what was not closed left no line");
}

async fn silences_last_for_their_time(store: &Store) {
    let silence = |person, until| Silence {
        person,
        at: 400,
        until,
        reason: "spam".to_owned(),
    };
    let keys = [guest().key, person(2).key];
    store
        .silence(&silence(guest(), 500), audit("silence"))
        .await
        .unwrap();
    store
        .silence(&silence(person(2), 600), audit("silence"))
        .await
        .unwrap();
    store
        .silence(&silence(person(2), 700), audit("silence"))
        .await
        .unwrap();
    let of = |now| {
        let keys = &keys;
        async move { store.silences_of(keys, now).await.unwrap() }
    };
    assert_eq!(
        of(450).await,
        [silence(person(2), 700), silence(guest(), 500)]
    );
    assert_eq!(of(500).await, [silence(person(2), 700)]);
    assert_eq!(of(700).await, []);
    assert_eq!(store.silences_of(&[], 450).await.unwrap(), []);
    assert_eq!(store.silences(450).await.unwrap().len(), 2);
    assert!(
        store
            .end_silence(&person(2).key, audit("unsilence"))
            .await
            .unwrap()
    );
    assert!(
        !store
            .end_silence(&person(2).key, audit("unsilence"))
            .await
            .unwrap()
    );
    assert_eq!(of(450).await, [silence(guest(), 500)]);
}

async fn mutes_belong_to_an_account(store: &Store) {
    assert!(store.mute(1, 2, 10, 1).await.unwrap());
    assert!(store.mute(1, 2, 11, 1).await.unwrap(), "again");
    assert!(!store.mute(1, 3, 12, 1).await.unwrap(), "no more than one");
    assert!(store.mute(1, 3, 12, 2).await.unwrap());
    assert!(!store.mute(9, 3, 12, 2).await.unwrap(), "no such account");
    let muted = store.mutes_of(1).await.unwrap();
    let names: Vec<_> = muted.iter().map(|m| (m.name.as_str(), m.at)).collect();
    assert_eq!(names, [("Cid", 12), ("Bob", 10)]);
    assert!(store.unmute(1, 3).await.unwrap());
    assert!(!store.unmute(1, 3).await.unwrap());
    assert!(store.block(1, 3, 13, 9).await.unwrap());
    let unheard = store.unheard_by(1).await.unwrap();
    assert_eq!(unheard.into_iter().collect::<Vec<_>>(), [2, 3]);
    assert!(store.unheard_by(2).await.unwrap().is_empty());
}

async fn sweeping_and_deleting_remove_talk(store: &Store) {
    assert!(store.sweep_talk(100).await.unwrap() > 2);
    assert_eq!(texts(store, 1, &TalkRoom::ALL, None).await.len(), 2);
    assert_eq!(store.silences(450).await.unwrap().len(), 1);
    store.sweep_talk(501).await.unwrap();
    assert!(store.talk_reports_by(1).await.unwrap().is_empty(), "closed");
    let open = ReportFilter { open_only: true };
    assert_eq!(
        store.count_talk_reports(open).await.unwrap(),
        1,
        "open ones stay"
    );
    assert!(store.silences(450).await.unwrap().is_empty());
    let kept = texts(store, 4, &TalkRoom::ALL, None).await.len();
    assert!(store.delete(4).await.unwrap());
    assert!(kept > 0 && texts(store, 4, &TalkRoom::ALL, None).await.is_empty());
}
