//! Descriptions of the house's own metrics, for those who read them.

use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};

const COUNTERS: [(&str, &str); 18] = [
    (
        "parlor_accounts_created_total",
        "Accounts that were created.",
    ),
    (
        "parlor_answers_dropped_total",
        "Answers that were dropped because nobody read them.",
    ),
    (
        "parlor_answers_refused_total",
        "Requests that were refused because too many answers were open.",
    ),
    (
        "parlor_bot_tables_refused_total",
        "Tables for bots alone that were refused.",
    ),
    (
        "parlor_connections_closed_for_others_total",
        "Idle connections that were closed because the house was full.",
    ),
    (
        "parlor_connections_refused_total",
        "Connections that were refused.",
    ),
    ("parlor_errors_total", "Answers that are errors, by code."),
    (
        "parlor_events_total",
        "Events at tables, without those of their creation.",
    ),
    (
        "parlor_floods_total",
        "Addresses that were shut out for a while because they flooded the server.",
    ),
    (
        "parlor_hints_dropped_total",
        "Hints to other servers that were not sent.",
    ),
    (
        "parlor_notices_failed_total",
        "Notices that an address did not take.",
    ),
    ("parlor_notices_sent_total", "Notices that were sent."),
    (
        "parlor_pairings_total",
        "Games of people who waited for an opponent.",
    ),
    (
        "parlor_streams_refused_total",
        "Streams and sockets that were refused.",
    ),
    ("parlor_tables_created_total", "Tables that were created."),
    ("parlor_talk_messages_total", "Messages at tables."),
    ("parlor_talk_reports_total", "Reports of messages."),
    (
        "parlor_throttled_total",
        "Requests that were refused because of a limit, by its name.",
    ),
];

const GAUGES: [(&str, &str); 18] = [
    ("parlor_answers", "Answers that are computed or read."),
    (
        "parlor_answers_bytes",
        "Size of these answers, as far as it is known.",
    ),
    ("parlor_bot_tables", "Tables where only bots play."),
    ("parlor_build_info", "1, with the version."),
    ("parlor_connections", "Open connections."),
    (
        "parlor_database_ping_seconds",
        "Time of the last answer of the database.",
    ),
    ("parlor_database_up", "1 if the database answers, else 0."),
    (
        "parlor_disk_free_bytes",
        "Room on the disk of the database, if it is a file.",
    ),
    ("parlor_idle_bots", "Bots in memory that are not searching."),
    ("parlor_idle_bots_bytes", "Memory of these bots."),
    ("parlor_listeners", "Streams of what happens to one person."),
    ("parlor_live_tables", "Tables in memory."),
    (
        "parlor_nodes",
        "Servers on the database, including this one.",
    ),
    (
        "parlor_notices_waiting",
        "Notices that wait to be sent, counted every five minutes.",
    ),
    ("parlor_queue", "People who wait here for an opponent."),
    ("parlor_streams", "Open streams and sockets."),
    ("parlor_thinking_running", "Searches and analyses that run."),
    (
        "parlor_thinking_waiting",
        "Searches and analyses that wait for computing time.",
    ),
];

const HISTOGRAMS: [(&str, &str); 3] = [
    (
        "parlor_git_seconds",
        "Time for which git worked for a request.",
    ),
    (
        "parlor_thinking_seconds",
        "Computing time of searches and analyses, by kind.",
    ),
    (
        "parlor_thinking_wait_seconds",
        "Time that they waited for it, by kind.",
    ),
];

/// Names of the limits that are no rates. Rates begin their own counters.
const LIMITS: [&str; 8] = [
    "advice-at-once",
    "analyses-at-once",
    "bot-tables",
    "git",
    "git-at-once",
    "messages",
    "open-tables",
    "streams",
];

/// Metrics whose values have labels: each begins when it is used, or for the labels that are known.
const LABELED: [&str; 5] = [
    "parlor_build_info",
    "parlor_errors_total",
    "parlor_thinking_seconds",
    "parlor_thinking_wait_seconds",
    "parlor_throttled_total",
];

/// Gauges of which 0 would be wrong until they are measured.
const MEASURED: [&str; 4] = [
    "parlor_database_ping_seconds",
    "parlor_database_up",
    "parlor_disk_free_bytes",
    "parlor_nodes",
];

/// Codes of errors that are faults of the house: alerts wait for these.
const FAULTS: [&str; 2] = ["internal", "unavailable"];

/// Describes all metrics to the recorder, and begins those that count from 0: an alert on a metric that is
/// missing until its first use would not be told from one on a wrong name.
pub(super) fn begin() {
    let begins = |name: &str| !LABELED.contains(&name) && !MEASURED.contains(&name);
    for (name, help) in COUNTERS {
        describe_counter!(name, help);
        if begins(name) {
            counter!(name).increment(0);
        }
    }
    for (name, help) in GAUGES {
        describe_gauge!(name, help);
        if begins(name) {
            gauge!(name).increment(0.0);
        }
    }
    for code in FAULTS {
        counter!("parlor_errors_total", "code" => code).increment(0);
    }
    for policy in LIMITS {
        counter!("parlor_throttled_total", "policy" => policy).increment(0);
    }
    for (name, help) in HISTOGRAMS {
        describe_histogram!(name, help);
        if begins(name) {
            // One that is known counts from 0.
            drop(histogram!(name));
        }
    }
}
