//! Sending of notices: a task that may fall behind, and never holds a move up.
//!
//! A notice is sent at least once. A node that sends to an address holds a lease on it; if it is killed after
//! it has sent and before that is stored, another node sends the same once more.

use std::time::Duration;

use axum::http::StatusCode;
use parlor_store::{Delivery, DueNotice, NewNotice, NoticeTarget, StoreError, TargetClaim};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use super::address::WebAddress;
use super::message::{self, House, Message, TargetKind};
use super::news::{self, key_of};
use super::outgoing::{Answer, NoAnswer};
use super::reading::{peek, read_marked, read_unseen, signs};
use super::wishes::Wishes;
use crate::AppState;
use crate::live::table_id;

/// Number of messages that a node sends at once.
pub(super) const AT_ONCE: usize = 8;
/// Interval at which the database is asked for what is due.
const ASK_EVERY: Duration = Duration::from_secs(2);
/// Time for which marks are gathered before the news are read.
const GATHER: Duration = Duration::from_millis(250);
/// Pause after an error of the database.
const RETRY: Duration = Duration::from_secs(2);
/// Interval at which old notices are forgotten, and those that wait are counted.
const TIDY_EVERY: Duration = Duration::from_secs(300);
/// Time for which an address is left to a node, longer than sending can take, in milliseconds.
const LEASE_MS: i64 = 60_000;
/// Number of notices in a message.
const MAX_DUE: u64 = 50;
/// Time after which a notice is dropped, sent or not, in milliseconds.
const FORGET_MS: i64 = 3 * 24 * 3_600_000;
/// Time for which a notice waits while a page or a program of the member is connected, in milliseconds.
const WAIT_MS: i64 = 60_000;
/// Time in which one message to an address comes back to its quota, in milliseconds.
const PERIOD_MS: i64 = 60_000;
/// Number of messages to an address before it has to wait for that.
const BURST: i64 = 20;
/// Shortest and longest time until a failed message is sent again, in milliseconds.
const BACK_OFF_MS: [i64; 2] = [60_000, 6 * 3_600_000];
/// Time after which an address that fails is removed, in milliseconds.
const GIVE_UP_MS: i64 = 7 * 24 * 3_600_000;

/// Reads news and sends notices, until the store is closed.
pub(crate) async fn run(state: AppState) {
    if !state.notices().is_on() {
        return;
    }
    let mut sending = JoinSet::new();
    let mut tidied: Option<Instant> = None;
    loop {
        tokio::select! {
            () = state.hub().marks().changed() => sleep(GATHER).await,
            Some(_) = sending.join_next() => {}
            () = sleep(ASK_EVERY) => {}
        }
        // A node whose clock is wrong changes nothing.
        if state.nodes().is_clock_wrong() {
            continue;
        }
        let mut done = work(&state, &mut sending).await;
        if done.is_ok() && tidied.is_none_or(|at| at.elapsed() >= TIDY_EVERY) {
            tidied = Some(Instant::now());
            done = tidy(&state).await;
        }
        match done {
            Ok(()) => {}
            Err(StoreError::Closed) => return,
            Err(error) => {
                tracing::debug!(%error, "notices wait");
                sleep(RETRY).await;
            }
        }
    }
}

/// Reads what is new, and begins to send what is due.
async fn work(state: &AppState, sending: &mut JoinSet<()>) -> Result<(), StoreError> {
    read_marked(state).await?;
    read_unseen(state).await?;
    while sending.try_join_next().is_some() {}
    let room = AT_ONCE.saturating_sub(sending.len());
    if room == 0 {
        return Ok(());
    }
    let now = state.now().millis();
    let (store, node) = (state.store(), state.nodes().number());
    for id in store.due_notice_targets(now, room as u64).await? {
        let claim = store.claim_notice_target(id, node, now, now + LEASE_MS);
        if let Some(claim) = claim.await? {
            sending.spawn(deliver(state.clone(), claim));
        }
    }
    Ok(())
}

async fn tidy(state: &AppState) -> Result<(), StoreError> {
    let store = state.store();
    store
        .forget_notices(state.now().millis() - FORGET_MS)
        .await?;
    let waiting = store.waiting_notices().await?;
    metrics::gauge!("parlor_notices_waiting").set(waiting as f64);
    Ok(())
}

/// Sends what is due at an address, and stores the outcome.
async fn deliver(state: AppState, claim: TargetClaim) {
    if let Err(error) = try_to_deliver(&state, &claim).await {
        // The lease ends by itself.
        tracing::debug!(%error, "the outcome of a notice is not stored");
    }
}

async fn try_to_deliver(state: &AppState, claim: &TargetClaim) -> Result<(), StoreError> {
    let (store, target) = (state.store(), &claim.target);
    let due = store.due_notices(target.id, state.now().millis(), MAX_DUE);
    let due = due.await?;
    let outcome = attempt(state, target, &due).await?;
    let gone = match &outcome {
        Delivery::Gone(words) => Some(words.clone()),
        _ => None,
    };
    let is_stored = store.end_notice_delivery(claim, outcome, &due).await?;
    match gone {
        Some(words) if is_stored => tell_gone(state, target, words).await,
        _ => Ok(()),
    }
}

/// Sends notices to an address, unless they have to wait or are no longer true.
async fn attempt(
    state: &AppState,
    target: &NoticeTarget,
    due: &[DueNotice],
) -> Result<Delivery, StoreError> {
    let now = state.now().millis();
    let nothing = Delivery::Sent {
        at: None,
        full_at: target.full_at,
    };
    let reader = state.store().notice_reader(target.user).await?;
    let Some(reader) = reader.filter(|_| !due.is_empty()) else {
        return Ok(nothing);
    };
    let quiet_until = Wishes::from(&reader.wishes).after_quiet(now);
    if quiet_until > now {
        return Ok(Delivery::Later(quiet_until));
    }
    let sign = signs(state, &[target.user]).await?.remove(&target.user);
    if sign.is_some_and(|sign| sign.is_there) {
        return Ok(Delivery::Later(now + WAIT_MS));
    }
    let full_at = target.full_at.max(now) + PERIOD_MS;
    let wait = full_at - (now + PERIOD_MS * BURST);
    if wait > 0 {
        return Ok(Delivery::Later(now + wait));
    }
    let mut news = Vec::new();
    for notice in due {
        if is_true(state, target.user, notice).await? {
            news.push(notice.clone());
        }
    }
    if news.is_empty() {
        return Ok(nothing);
    }
    let sent = send(state, target, &Message::new(&news)).await;
    Ok(judge(target, sent, now, full_at))
}

/// Returns true unless a notice says what has changed since.
async fn is_true(state: &AppState, user: i64, notice: &DueNotice) -> Result<bool, StoreError> {
    let table = notice.table.and_then(table_id);
    let (Some(table), Some(key)) = (table, key_of(user)) else {
        return Ok(true);
    };
    let source = notice.source.clone();
    let is_true = match notice.kind.as_str() {
        "turn" => {
            peek(state, table, move |table| {
                news::turn(table, &key).is_some_and(|news| news.source == source)
            })
            .await?
        }
        "challenge" => peek(state, table, move |table| news::is_challenged(table, &key)).await?,
        _ => Some(true),
    };
    Ok(is_true.unwrap_or(false))
}

/// Sends a message to an address.
pub(super) async fn send(
    state: &AppState,
    target: &NoticeTarget,
    message: &Message,
) -> Result<Answer, NoAnswer> {
    let notices = state.notices();
    let outgoing = notices.outgoing();
    let to = WebAddress::parse(&target.address, outgoing.is_to_private())?;
    let house = House {
        public_url: state.public_url(),
        stop: &target.stop,
        contact: notices.contact(state),
        now: state.now().millis(),
    };
    let key = notices.house_key(state.store()).await;
    let key = key.map_err(|_| NoAnswer::Unavailable)?;
    let post = message::post(message, target, &to, &house, key)?;
    let sent = outgoing.post(&to, post).await;
    let is_taken = sent.as_ref().is_ok_and(|answer| answer.status.is_success());
    let name = if is_taken {
        "parlor_notices_sent_total"
    } else {
        "parlor_notices_failed_total"
    };
    metrics::counter!(name).increment(1);
    sent
}

/// Returns what follows from an attempt to send.
fn judge(
    target: &NoticeTarget,
    sent: Result<Answer, NoAnswer>,
    now: i64,
    full_at: i64,
) -> Delivery {
    let (reason, retry_after) = match sent {
        Ok(answer) if answer.status.is_success() => {
            let at = Some(now);
            return Delivery::Sent { at, full_at };
        }
        Ok(Answer { status, .. }) if is_gone(status) => {
            return gone(target, &format!("it answered {status}"));
        }
        Ok(answer) => {
            let seconds = i64::from(answer.retry_after.unwrap_or_default());
            (format!("it answered {}", answer.status), seconds * 1_000)
        }
        Err(error @ NoAnswer::Unencryptable) => return gone(target, &error.to_string()),
        Err(error) => (error.to_string(), 0),
    };
    if target
        .failing_since
        .is_some_and(|since| now - since >= GIVE_UP_MS)
    {
        return gone(target, &format!("it took nothing for a week; {reason}"));
    }
    tracing::debug!(address = target.id, reason, "a notice was not sent");
    let [least, most] = BACK_OFF_MS;
    let doubled = least.saturating_mul(1 << target.failures.clamp(0, 20));
    Delivery::Failed {
        at: now,
        retry_at: now + doubled.max(retry_after).min(most),
    }
}

/// Returns true for the answer of an address that is no more.
fn is_gone(status: StatusCode) -> bool {
    matches!(status, StatusCode::NOT_FOUND | StatusCode::GONE)
}

/// Returns the outcome that an address takes no notices any more.
fn gone(target: &NoticeTarget, reason: &str) -> Delivery {
    let kind = TargetKind::from_name(&target.kind).map_or("address", TargetKind::title);
    let to = WebAddress::parse(&target.address, true);
    let host = to.as_ref().map_or("", WebAddress::host);
    let host: String = host.chars().take(100).collect();
    Delivery::Gone(format!("{kind} at {host} was removed: {reason}."))
}

/// Tells a member at the other addresses that one is gone.
async fn tell_gone(
    state: &AppState,
    target: &NoticeTarget,
    words: String,
) -> Result<(), StoreError> {
    let store = state.store();
    let Some(reader) = store.notice_reader(target.user).await? else {
        return Ok(());
    };
    let now = state.now().millis();
    let told = [NewNotice {
        source: format!("gone/{}", target.id),
        at: now,
        due_at: Wishes::from(&reader.wishes).due_at(now),
        kind: "gone".to_owned(),
        table: None,
        text: words,
    }];
    let others = store.notice_targets(&[target.user]).await?;
    let others: Vec<&NoticeTarget> = others.iter().collect();
    let (last, seen_at) = (reader.last_note, reader.seen_at);
    let added = store.add_notices(&reader, last, seen_at, &others, &told, u64::MAX);
    added.await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(failures: i32, failing_since: Option<i64>) -> NoticeTarget {
        NoticeTarget {
            failures,
            failing_since,
            ..NoticeTarget::new(1, 1, "ntfy", "https://ntfy.example/ann".to_owned(), 0)
        }
    }

    fn answer(status: u16, retry_after: Option<u32>) -> Result<Answer, NoAnswer> {
        Ok(Answer {
            status: StatusCode::from_u16(status).unwrap(),
            retry_after,
        })
    }

    fn retry(failures: i32, sent: Result<Answer, NoAnswer>) -> i64 {
        match judge(&target(failures, Some(0)), sent, 1_000, 0) {
            Delivery::Failed {
                at: 1_000,
                retry_at,
            } => retry_at - 1_000,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn each_failure_doubles_the_wait_up_to_six_hours() {
        assert_eq!(retry(0, answer(500, None)), 60_000);
        assert_eq!(retry(3, Err(NoAnswer::Timeout)), 8 * 60_000);
        assert_eq!(retry(30, answer(302, None)), 6 * 3_600_000);
        assert_eq!(retry(0, answer(429, Some(90))), 90_000);
        assert_eq!(retry(0, answer(429, Some(u32::MAX))), 6 * 3_600_000);
    }

    #[test]
    fn an_address_that_is_gone_or_fails_for_a_week_is_removed() {
        let removed = |target: NoticeTarget, status, now| match judge(
            &target,
            answer(status, None),
            now,
            0,
        ) {
            Delivery::Gone(words) => words,
            other => panic!("{other:?}"),
        };
        for status in [404, 410] {
            let words = removed(target(0, None), status, 0);
            let start = format!("ntfy at ntfy.example was removed: it answered {status}");
            assert!(words.starts_with(&start), "{words}");
        }
        removed(target(30, Some(1)), 500, GIVE_UP_MS + 1);
    }
}
