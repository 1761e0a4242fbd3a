//! Notices: read once, sent by one process at a time, and gone with the account.

use std::sync::Arc;

use parlor_store::{
    AuditLine, Closing, Delivery, NewNotice, NewStoredTable, NoticeTarget, NoticeWishes, Store,
    StoredEvent, TalkMessage, TalkPerson, TalkRoom, User,
};
use serde_json::json;

use super::databases::Database;

pub async fn run(database: Arc<Database>) {
    let store = Store::open(&database.url).await.unwrap();
    for (id, name) in [(1, "Ann"), (2, "Bob")] {
        store.create_user(User::new(id, name, 0)).await.unwrap();
    }
    addresses_are_counted_and_known_again(&store).await;
    news_are_read_once(&store).await;
    one_process_at_a_time_sends_to_an_address(&store).await;
    a_failure_waits_and_an_address_that_is_gone_is_removed(&store).await;
    talk_is_heard_by_those_who_have_a_seat(&store).await;
    what_is_stored_goes_with_the_account(&store).await;
    house_keys_are_made_once(&store).await;
    store.close().await;
}

fn wishes() -> NoticeWishes {
    NoticeWishes {
        kinds: "turn result".to_owned(),
        utc_offset: 120,
        quiet: Some([22 * 60, 7 * 60]),
        digest_at: None,
    }
}

fn target(id: i64, address: &str) -> NoticeTarget {
    NoticeTarget {
        stop: format!("stop {id}"),
        ..NoticeTarget::new(id, 1, "ntfy", address.to_owned(), 100)
    }
}

fn notice(source: &str, due_at: i64) -> NewNotice {
    NewNotice {
        source: source.to_owned(),
        at: 150,
        due_at,
        kind: "turn".to_owned(),
        table: Some(7),
        text: "It is your turn \u{1f3b2}".to_owned(),
    }
}

async fn addresses_are_counted_and_known_again(store: &Store) {
    let add = async |id, address: &str| {
        let usual = wishes();
        let added = store.add_notice_target(target(id, address), &usual, 2);
        added.await.unwrap()
    };
    assert_eq!(store.notice_reader(1).await.unwrap(), None);
    assert_eq!(add(10, "https://one.example/a").await, Some(10));
    assert_eq!(add(11, "https://one.example/a").await, Some(10), "the same");
    assert_eq!(add(12, "https://one.example/b").await, Some(12));
    assert_eq!(
        add(13, "https://one.example/c").await,
        None,
        "two are enough"
    );
    let stranger = NoticeTarget::new(14, 99, "ntfy", String::new(), 0);
    let added = store.add_notice_target(stranger, &wishes(), 2).await;
    assert_eq!(added.unwrap(), None, "no such account");
    let reader = store.notice_reader(1).await.unwrap().unwrap();
    assert_eq!((reader.wishes, reader.seen_at), (wishes(), 100));
    let quiet = NoticeWishes {
        quiet: None,
        digest_at: Some(18 * 60),
        ..wishes()
    };
    assert!(store.set_notice_wishes(1, &quiet, 999).await.unwrap());
    let reader = store.notice_reader(1).await.unwrap().unwrap();
    assert_eq!((reader.wishes, reader.seen_at), (quiet, 100));
    assert!(!store.set_notice_wishes(99, &wishes(), 1).await.unwrap());
    let found = store.notice_target_to_stop("stop 12").await.unwrap();
    assert_eq!(found.unwrap().id, 12);
    assert!(
        !store.remove_notice_target(2, 12).await.unwrap(),
        "not Bob's"
    );
    assert!(store.remove_notice_target(1, 12).await.unwrap());
    let left = store.notice_targets(&[1, 2]).await.unwrap();
    assert_eq!(left.iter().map(|one| one.id).collect::<Vec<_>>(), [10]);
}

async fn news_are_read_once(store: &Store) {
    let readers = store.unseen_notice_readers(101, 10).await.unwrap();
    assert_eq!(readers.len(), 1);
    assert_eq!(store.notice_readers(&[1, 2]).await.unwrap(), readers);
    let targets = store.notice_targets(&[1]).await.unwrap();
    let targets: Vec<_> = targets.iter().collect();
    let add = async |notices: &[NewNotice]| {
        let added = store.add_notices(&readers[0], 5, 160, &targets, notices, 2);
        added.await.unwrap()
    };
    assert!(add(&[notice("a", 200), notice("b", 300)]).await);
    assert!(!add(&[notice("c", 200)]).await, "another one was faster");
    let reader = store.notice_reader(1).await.unwrap().unwrap();
    assert_eq!((reader.last_note, reader.seen_at), (5, 160));
    let again = [notice("a", 200), notice("d", 200)];
    let added = store.add_notices(&reader, 6, 170, &targets, &again, 2);
    assert!(added.await.unwrap());
    assert_eq!(
        store.waiting_notices().await.unwrap(),
        2,
        "there is no room"
    );
    store.saw_no_news(&[1, 2], 180).await.unwrap();
    let reader = store.notice_reader(1).await.unwrap().unwrap();
    assert_eq!((reader.last_note, reader.seen_at), (6, 180));
    assert_eq!(store.unseen_notice_readers(180, 10).await.unwrap(), []);
}

async fn one_process_at_a_time_sends_to_an_address(store: &Store) {
    assert_eq!(store.due_notice_targets(199, 10).await.unwrap(), [0; 0]);
    assert_eq!(store.due_notice_targets(300, 10).await.unwrap(), [10]);
    let claim = async |node, now| {
        let claimed = store.claim_notice_target(10, node, now, now + 60);
        claimed.await.unwrap()
    };
    let one = claim(1, 210).await.unwrap();
    assert_eq!(claim(2, 269).await, None);
    assert_eq!(store.due_notice_targets(269, 10).await.unwrap(), [0; 0]);
    let due = store.due_notices(10, 269, 10).await.unwrap();
    assert_eq!(due.len(), 1);
    assert_eq!((due[0].source.as_str(), due[0].table), ("a", Some(7)));
    // The first process has died: another one takes over, and what the first one does late is refused.
    let other = claim(2, 270).await.unwrap();
    let sent = |at| Delivery::Sent {
        at: Some(at),
        full_at: at + 5,
    };
    let ended = store.end_notice_delivery(&one, sent(271), &due);
    assert!(!ended.await.unwrap());
    let later = store.end_notice_delivery(&other, Delivery::Later(280), &due);
    assert!(later.await.unwrap());
    assert_eq!(store.due_notice_targets(279, 10).await.unwrap(), [0; 0]);
    let third = claim(1, 280).await.unwrap();
    let ended = store.end_notice_delivery(&third, sent(281), &due);
    assert!(ended.await.unwrap());
    assert_eq!(store.due_notice_targets(299, 10).await.unwrap(), [0; 0]);
    let stored = store.notice_targets(&[1]).await.unwrap();
    assert_eq!((stored[0].sent_at, stored[0].full_at), (Some(281), 286));
}

async fn a_failure_waits_and_an_address_that_is_gone_is_removed(store: &Store) {
    let claim = async |now| {
        let claimed = store.claim_notice_target(10, 1, now, now + 60).await;
        claimed.unwrap().unwrap()
    };
    let failed = |at| Delivery::Failed {
        at,
        retry_at: at + 100,
    };
    for at in [310, 420] {
        let due = store.due_notices(10, at, 10).await.unwrap();
        let claimed = claim(at).await;
        let ended = store.end_notice_delivery(&claimed, failed(at), &due);
        assert!(ended.await.unwrap());
        assert_eq!(store.due_notice_targets(at + 99, 10).await.unwrap(), [0; 0]);
        assert_eq!(store.due_notice_targets(at + 100, 10).await.unwrap(), [10]);
    }
    let stored = store.notice_targets(&[1]).await.unwrap();
    assert_eq!(
        (stored[0].failures, stored[0].failing_since),
        (2, Some(310))
    );
    let gone = Delivery::Gone("it was removed".to_owned());
    let claimed = claim(600).await;
    let ended = store.end_notice_delivery(&claimed, gone, &[]);
    assert!(ended.await.unwrap());
    assert_eq!(store.notice_targets(&[1]).await.unwrap(), []);
    assert_eq!(store.waiting_notices().await.unwrap(), 0);
    let reader = store.notice_reader(1).await.unwrap().unwrap();
    assert_eq!(reader.gone.as_deref(), Some("it was removed"));
    store.set_notice_wishes(1, &wishes(), 700).await.unwrap();
    let reader = store.notice_reader(1).await.unwrap().unwrap();
    assert_eq!(reader.gone, None, "it was read");
}

async fn talk_is_heard_by_those_who_have_a_seat(store: &Store) {
    let seated = |user| (user, parlor_store::PlayerRole::Seated);
    let first = StoredEvent {
        version: 1,
        at: 1,
        body: json!({ "type": "opened" }),
    };
    let table = NewStoredTable {
        events: vec![first],
        players: vec![seated(1), (2, parlor_store::PlayerRole::Invited)],
        ..NewStoredTable::new(7, "mnk", 1)
    };
    store.create(table).await.unwrap();
    let say = async |at, room, user: Option<i64>| {
        let author = TalkPerson {
            key: "key".to_owned(),
            user,
            name: "Somebody".to_owned(),
        };
        let message = TalkMessage {
            n: 0,
            at,
            room,
            author,
            seat: None,
            phrase: None,
            text: "Hello".to_owned(),
        };
        store.say(7, &message).await.unwrap()
    };
    let first = say(500, TalkRoom::Players, Some(2)).await;
    say(501, TalkRoom::Players, Some(1)).await;
    say(502, TalkRoom::Watchers, None).await;
    let guest = say(503, TalkRoom::Players, None).await;
    let heard = store.talk_heard_by(&[1, 2], 500).await.unwrap();
    let heard: Vec<_> = heard
        .iter()
        .map(|one| (one.reader, one.table, one.n, one.author))
        .collect();
    assert_eq!(heard, [(1, 7, first, Some(2)), (1, 7, guest, None)]);
    assert_eq!(store.talk_heard_by(&[1], 504).await.unwrap(), []);
}

async fn what_is_stored_goes_with_the_account(store: &Store) {
    store
        .add_notice_target(target(20, "https://one.example/d"), &wishes(), 2)
        .await
        .unwrap();
    store.delete(7).await.unwrap();
    let line = AuditLine {
        at: 9,
        admin_id: None,
        admin_name: "tests".to_owned(),
        action: "close account".to_owned(),
        target: "somebody".to_owned(),
        detail: String::new(),
    };
    let closed = store.close_account(1, 10, line).await.unwrap();
    assert_eq!(closed, Closing::Closed);
    assert_eq!(store.notice_reader(1).await.unwrap(), None);
    assert_eq!(store.notice_targets(&[1]).await.unwrap(), []);
}

async fn house_keys_are_made_once(store: &Store) {
    assert_eq!(store.house_key("push", "one").await.unwrap(), "one");
    assert_eq!(store.house_key("push", "two").await.unwrap(), "one");
    assert_eq!(store.house_key("other", "two").await.unwrap(), "two");
}
