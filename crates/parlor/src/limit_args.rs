//! Command-line arguments for the limits of bots and clients.

use std::num::{NonZeroU32, NonZeroUsize};
use std::str::FromStr;

use clap::Args;
use serde::Serialize;

/// Limits of the house's bots.
#[derive(Args, Clone, Debug, Default, Serialize)]
#[command(next_help_heading = "Bots")]
pub struct BotArgs {
    /// Number of bots that think at once [default: one less than there are cores]
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroUsize>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    bot_threads: Option<NonZeroUsize>,
    /// Thinking time of a bot per move, in milliseconds [default: 300]
    #[arg(long, value_name = "MS", value_parser = number::<u64>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    bot_time_ms: Option<u64>,
    /// Maximum number of nodes that a bot searches per move [default: 200000]
    #[arg(long, value_name = "N", value_parser = number::<u64>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    bot_nodes: Option<u64>,
    /// Memory for what bots remember between their moves, in MiB [default: 64]
    #[arg(long, value_name = "MIB", value_parser = number::<usize>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    bot_memory_mb: Option<usize>,
    /// Games at once between bots alone [default: 64]
    #[arg(long, value_name = "N", value_parser = number::<usize>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    bot_tables: Option<usize>,
    /// Games at once between bots alone, made by one member or from one address [default: 4]
    #[arg(long, value_name = "N", value_parser = number::<usize>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    bot_tables_per_client: Option<usize>,
}

/// Limits of clients; 0 lifts a limit per second or hour, and of connections.
#[derive(Args, Clone, Debug, Default, Serialize)]
#[command(
    next_help_heading = "Limits per client (0 for none per second or hour, and of connections)"
)]
pub struct LimitArgs {
    /// Requests, and messages on sockets, per second from one address [default: 100]
    #[arg(long, value_name = "N", value_parser = number::<u32>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    requests_per_second: Option<u32>,
    /// Requests from one address at once, before that rate applies [default: 1000]
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroU32>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    request_burst: Option<NonZeroU32>,
    /// Refused requests of one address in a second, before its connections are closed and new ones are not
    /// served for ten seconds [default: 1000]
    #[arg(long, value_name = "N", value_parser = number::<u32>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    refusals_per_second: Option<u32>,
    /// Largest body of a request, in bytes [default: 65536]
    #[arg(long, value_name = "BYTES", value_parser = positive::<NonZeroUsize>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    body_bytes: Option<NonZeroUsize>,
    /// Room on the disk of the database, in MiB, below which games go on, but nothing new can begin
    /// [default: 256]
    #[arg(long, value_name = "MIB", value_parser = number::<u64>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    disk_reserve_mb: Option<u64>,
    /// New tables per hour, for each guest or member and each address [default: 240]
    #[arg(long, value_name = "N", value_parser = number::<u32>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    tables_per_hour: Option<u32>,
    /// Tables with free seats at once from one address; 0 for any number [default: 60]
    #[arg(long, value_name = "N", value_parser = number::<u32>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    open_tables_per_address: Option<u32>,
    /// Days without a move after which a game without a clock leaves the list of live games; 0 for never
    /// [default: 3]
    #[arg(long, value_name = "N", value_parser = number::<u32>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    asleep_days: Option<u32>,
    /// New accounts per hour from one address [default: 20]
    #[arg(long, value_name = "N", value_parser = number::<u32>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    sign_ups_per_hour: Option<u32>,
    /// Attempts to sign in per hour from one address, not counting known browsers [default: 300]
    #[arg(long, value_name = "N", value_parser = number::<u32>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    logins_per_hour: Option<u32>,
    /// Attempts to sign in per hour to one account, not counting known browsers; 0 also lifts the number at
    /// once [default: 60]
    #[arg(long, value_name = "N", value_parser = number::<u32>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    logins_per_account: Option<u32>,
    /// Attempts to sign in to one account from one place, an address or a known browser, before one must
    /// wait between them [default: 10]
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroU32>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    logins_at_once: Option<NonZeroU32>,
    /// Seconds that one must wait then [default: 30]
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroU32>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    login_pause_seconds: Option<NonZeroU32>,
    /// New API tokens per hour, for each account [default: 60]
    #[arg(long, value_name = "N", value_parser = number::<u32>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    tokens_per_hour: Option<u32>,
    /// Exports of all data of an account per hour [default: 6]
    #[arg(long, value_name = "N", value_parser = number::<u32>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    exports_per_hour: Option<u32>,
    /// Challenges of one member by another per hour [default: 10]
    #[arg(long, value_name = "N", value_parser = number::<u32>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    challenges_per_hour: Option<u32>,
    /// Analyses per hour from one address [default: 60]
    #[arg(long, value_name = "N", value_parser = number::<u32>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    analyses_per_hour: Option<u32>,
    /// Messages per minute at tables, for each person; ten times as many from one address; 0 also
    /// lifts the number at once [default: 6]
    #[arg(long, value_name = "N", value_parser = number::<u32>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    talk_per_minute: Option<u32>,
    /// Messages of one person at tables, before one must wait between them [default: 5]
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroU32>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    talk_at_once: Option<NonZeroU32>,
    /// Seconds that one must wait then [default: 2]
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroU32>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    talk_pause_seconds: Option<NonZeroU32>,
    /// Reports of messages per hour, for each person and each address [default: 20]
    #[arg(long, value_name = "N", value_parser = number::<u32>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    reports_per_hour: Option<u32>,
    /// Days for which messages at tables are kept; 0 for ever [default: 30]
    #[arg(long, value_name = "N", value_parser = number::<u32>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    talk_days: Option<u32>,
    /// Open connections from one address [default: 512, at most half of all]
    #[arg(long, value_name = "N", value_parser = number::<usize>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    connections_per_address: Option<usize>,
    /// Open connections in all [default: as many as the limit of open files allows]
    #[arg(long, value_name = "N", value_parser = number::<usize>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    connections: Option<usize>,
    /// Seconds until the headers of a connection's first request must be complete [default: 10]
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroU32>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    header_seconds: Option<NonZeroU32>,
    /// Seconds from an answer until the headers of the next request must be complete [default: 75]
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroU32>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    idle_seconds: Option<NonZeroU32>,
    /// Seconds after which a body that makes no progress is given up [default: 10]
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroU32>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    body_seconds: Option<NonZeroU32>,
    /// Seconds until an answer must have begun [default: 20]
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroU32>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    answer_seconds: Option<NonZeroU32>,
    /// Seconds after which an answer that nobody reads is dropped [default: 60]
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroU32>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    unread_seconds: Option<NonZeroU32>,
    /// Requests from one address at once, until their answers are read [default: 256]
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroUsize>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    answers_per_address: Option<NonZeroUsize>,
    /// Requests at once in all, until their answers are read [default: 4096]
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroUsize>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    answers: Option<NonZeroUsize>,
    /// Open event streams and sockets from one address; a page of a table with talk has two [default: 128]
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroUsize>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    streams_per_address: Option<NonZeroUsize>,
    /// Open event streams and sockets in all [default: 20000]
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroUsize>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    streams: Option<NonZeroUsize>,
    /// Seconds per minute that git may work for one address [default: 15]
    #[arg(long, value_name = "N", value_parser = number::<u32>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    git_seconds_per_minute: Option<u32>,
    /// Requests of git from one address at once [default: 4]
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroUsize>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    git_at_once: Option<NonZeroUsize>,
    /// Messages per second on one socket [default: 50]
    #[arg(long, value_name = "N", value_parser = number::<u32>, allow_negative_numbers = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    messages_per_second: Option<u32>,
}

/// Whole number with a greatest value.
pub trait WholeNumber: FromStr {
    /// Greatest value.
    const MOST: u64;
}

impl WholeNumber for u32 {
    const MOST: u64 = u32::MAX as u64;
}

impl WholeNumber for NonZeroU32 {
    const MOST: u64 = u32::MAX as u64;
}

impl WholeNumber for u64 {
    const MOST: u64 = u64::MAX;
}

impl WholeNumber for usize {
    const MOST: u64 = usize::MAX as u64;
}

impl WholeNumber for NonZeroUsize {
    const MOST: u64 = usize::MAX as u64;
}

/// Parses a number that may be 0.
pub fn number<N: WholeNumber>(text: &str) -> Result<N, String> {
    whole_number(0, text)
}

/// Parses a number that may not be 0.
pub fn positive<N: WholeNumber>(text: &str) -> Result<N, String> {
    whole_number(1, text)
}

fn whole_number<N: WholeNumber>(least: u8, text: &str) -> Result<N, String> {
    let reason = |_| format!("write a whole number from {least} to {}", N::MOST);
    text.parse().map_err(reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_limits() {
        assert_eq!(number::<u32>("0"), Ok(0));
        assert_eq!(positive("1"), Ok(NonZeroU32::MIN));
        for text in ["-1", "1.5", "many", "", "99999999999999999999"] {
            assert!(number::<u64>(text).is_err() && positive::<NonZeroU32>(text).is_err());
        }
        assert!(positive::<NonZeroUsize>("0").is_err());
        let reason = positive::<NonZeroU32>("0").unwrap_err();
        assert_eq!(reason, "write a whole number from 1 to 4294967295");
        assert_eq!(
            number::<u64>("-1").unwrap_err(),
            "write a whole number from 0 to 18446744073709551615"
        );
    }
}
