use futures::FutureExt;

use super::*;

fn frame(version: u64) -> EventFrame {
    EventFrame {
        version,
        kind: "moved".to_owned(),
        json: String::new(),
    }
}

fn feed() -> Arc<Feed> {
    Feeds::default().open(TableId::new(7).unwrap(), Followed::nothing)
}

fn heard(watcher: &mut Watcher) -> Vec<u64> {
    std::iter::from_fn(|| watcher.next().now_or_never()?.ok())
        .map(|frame| frame.version)
        .collect()
}

#[test]
fn events_come_once_and_in_order_whoever_publishes_them() {
    let feed = feed();
    let mut watcher = feed.watch();
    assert!(feed.begin(3));
    assert!(feed.publish([4, 5].map(frame)));
    assert!(feed.publish([3, 4, 5, 6].map(frame)), "some are known");
    assert!(!feed.publish([8].map(frame)), "7 is missing");
    assert!(feed.publish([7, 8].map(frame)));
    assert_eq!(heard(&mut watcher), [4, 5, 6, 7, 8]);
}

#[test]
fn who_read_less_than_the_others_have_must_read_again() {
    let feed = feed();
    let (_slow, _quick) = (feed.watch(), feed.watch());
    assert!(feed.begin(6));
    assert!(!feed.begin(5), "6 is never sent");
    assert!(feed.begin(6));
}

#[test]
fn spectators_on_all_nodes_count_and_those_here_until_they_leave() {
    let audience = Audience::default();
    let count = audience.count();
    let spectators = [audience.enter(), audience.enter()];
    audience.hear(7, 3);
    audience.hear(8, 1);
    audience.hear(7, 2);
    assert_eq!(audience.here(), 2);
    assert_eq!(*count.borrow(), 5);
    drop(spectators);
    assert_eq!(audience.here(), 0);
    assert_eq!(*count.borrow(), 3);
}

#[test]
fn a_deleted_table_ends_the_streams_and_a_feed_without_watchers_is_dropped() {
    let feeds = Feeds::default();
    let id = TableId::new(7).unwrap();
    let mut watcher = feeds.open(id, Followed::nothing).watch();
    assert!(feeds.get(id).is_some_and(|feed| feed.is_watched()));
    feeds.close(id);
    assert_eq!(
        watcher.next().now_or_never().unwrap().unwrap_err(),
        NoFrame::Closed
    );
    let watcher = feeds.open(id, Followed::nothing).watch();
    drop(watcher);
    assert!(feeds.get(id).is_none() && feeds.lock().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_node_that_falls_silent_has_no_spectators_any_more() {
    let audience = Audience::default();
    let count = audience.count();
    audience.hear(7, 3);
    tokio::time::advance(COUNT_AGE - Duration::from_millis(1)).await;
    assert_eq!((audience.here(), *count.borrow()), (0, 3));
    audience.hear(8, 1);
    tokio::time::advance(Duration::from_millis(1)).await;
    assert_eq!((audience.here(), *count.borrow()), (0, 1));
}

#[test]
fn only_a_change_of_the_count_is_news() {
    let audience = Audience::default();
    let mut count = audience.count();
    assert!(count.has_changed().unwrap(), "the count itself is news");
    count.mark_unchanged();
    audience.hear(7, 0);
    assert!(!count.has_changed().unwrap());
    let spectator = audience.enter();
    assert!(count.has_changed().unwrap());
    assert_eq!(*count.borrow_and_update(), 1);
    drop(spectator);
    assert_eq!((count.has_changed().unwrap(), *count.borrow()), (true, 0));
}

fn log(events: u64) -> Vec<LogEntry> {
    let entry = |version| LogEntry {
        version,
        at: parlor_table::Timestamp::from_millis(0),
        event: parlor_table::TableEvent::Started,
        after: None,
    };
    (1..=events).map(entry).collect()
}

#[test]
fn a_log_is_published_from_the_first_event_that_watchers_lack() {
    let feed = feed();
    feed.publish_log(&log(3), 1);
    assert_eq!(feed.latest(), Some(3), "nobody watches");
    let mut watcher = feed.watch();
    assert!(feed.begin(3));
    feed.publish_log(&log(6), 5);
    assert_eq!(heard(&mut watcher), [4, 5, 6]);
    feed.publish_log(&log(6), 6);
    assert_eq!((heard(&mut watcher), feed.latest()), (vec![], Some(6)));
}

#[test]
fn a_frame_is_what_everybody_may_see_of_an_event() {
    let frame = EventFrame::from_entry(&log(1)[0]);
    assert_eq!((frame.version, frame.kind.as_str()), (1, "started"));
    let json: serde_json::Value = serde_json::from_str(&frame.json).unwrap();
    assert_eq!(json, log(1)[0].public());
}

#[test]
fn a_slow_watcher_learns_that_it_has_missed_something() {
    let feed = feed();
    let mut watcher = feed.watch();
    assert!(feed.publish((1..=BACKLOG as u64 + 1).map(frame)));
    let first = watcher.next().now_or_never().unwrap();
    assert_eq!(first.unwrap_err(), NoFrame::Lagged);
}

#[test]
fn only_feeds_with_watchers_are_watched() {
    let feeds = Feeds::default();
    let [kept, watched] = [7, 8].map(|id| {
        let id = TableId::new(id).unwrap();
        feeds.open(id, Followed::nothing)
    });
    drop(kept.watch());
    let _watcher = watched.watch();
    assert!(!kept.is_watched() && watched.is_watched());
    let ids: Vec<u64> = feeds
        .watched()
        .iter()
        .map(|feed| feed.id().number())
        .collect();
    assert_eq!(ids, [8]);
    assert!(format!("{watched:?}").contains("TableId(8)"), "{watched:?}");
}

#[test]
fn a_feed_is_shared_while_anybody_holds_it() {
    let feeds = Feeds::default();
    let id = TableId::new(7).unwrap();
    let feed = feeds.open(id, Followed::nothing);
    assert!(Arc::ptr_eq(&feed, &feeds.open(id, Followed::nothing)));
    let spectator = feed.audience().enter();
    assert_eq!(feeds.get(id).unwrap().audience().here(), 1);
    drop(spectator);
    // A feed made after the table was deleted outlives the one before it.
    feeds.close(id);
    let next = feeds.open(id, Followed::nothing);
    assert!(!Arc::ptr_eq(&feed, &next));
    drop(feed);
    assert!(feeds.get(id).is_some_and(|feed| Arc::ptr_eq(&feed, &next)));
}
