//! Limits of connections.

use std::io;
use std::time::Duration;

/// Files that a server must be allowed to open: half of them for connections, and half for the
/// database, repositories and pages.
pub const MIN_FILES: u64 = 128;

/// Limits of connections: how long an idle one lasts, and how many there are. `None` means
/// unlimited.
#[derive(Clone, Debug)]
pub struct ConnectionLimits {
    /// Timeout from the start of a connection until the headers of its first request are complete.
    pub header_time: Duration,
    /// Timeout from an answer until the headers of the next request are complete. Proxies keep
    /// connections for a minute, and must not meet one that is just being closed.
    pub idle_time: Duration,
    /// Timeout of a request's body that makes no progress.
    pub body_time: Duration,
    /// Time without progress after which an answer is dropped that its client does not read. Only
    /// time in which there is something to read counts.
    pub unread_time: Duration,
    /// Open connections per address; an IPv6 network (/64) counts as one address. Not applied
    /// to trusted proxies.
    pub per_address: Option<usize>,
    /// Open connections in total. At the limit, an idle connection of the address that has the most
    /// gives way to a new one.
    pub total: Option<usize>,
}

/// The total follows from the number of files that the process may open now: see
/// [`raise_file_limit`].
impl Default for ConnectionLimits {
    fn default() -> ConnectionLimits {
        const PER_ADDRESS: usize = 512;
        let total = file_limit().map(connections_for);
        ConnectionLimits {
            header_time: Duration::from_secs(10),
            idle_time: Duration::from_secs(75),
            body_time: Duration::from_secs(10),
            unread_time: Duration::from_secs(60),
            // A club behind one address needs some hundreds, and half is left for the others.
            per_address: Some(total.map_or(PER_ADDRESS, |total| PER_ADDRESS.min(total / 2))),
            total,
        }
    }
}

impl ConnectionLimits {
    /// Returns how many connections there should be at most, if these limits allow more than so many
    /// open files leave room for.
    pub fn room_if_exceeded(&self, files: u64) -> Option<usize> {
        let room = connections_for(files);
        let is_exceeded = self.total.is_none_or(|total| total > room);
        is_exceeded.then_some(room)
    }

    /// Returns how many connections there can be in all, if these limits allow one address more than
    /// that.
    pub fn all_if_exceeded_by_one(&self, files: u64) -> Option<usize> {
        let room = connections_for(files);
        let all = self.total.map_or(room, |total| total.min(room));
        let is_exceeded = self.per_address.is_some_and(|of_one| of_one > all);
        is_exceeded.then_some(all)
    }
}

/// Raises the number of files that the process may open as far as the system allows, and returns
/// it. Each connection is an open file.
///
/// # Errors
/// An I/O error if the system refuses.
pub fn raise_file_limit() -> io::Result<u64> {
    rlimit::increase_nofile_limit(u64::MAX)
}

#[cfg(unix)]
fn file_limit() -> Option<u64> {
    let limits = rlimit::getrlimit(rlimit::Resource::NOFILE);
    limits.ok().map(|(soft, _)| soft)
}

#[cfg(not(unix))]
fn file_limit() -> Option<u64> {
    None
}

/// Returns the number of connections that leaves a reserve of files for the database, repositories
/// and pages.
fn connections_for(files: u64) -> usize {
    const LEAST_RESERVE: u64 = 128;
    const MAX_RESERVE: u64 = 512;
    let reserve = (files / 4).clamp(LEAST_RESERVE.min(files / 2), MAX_RESERVE);
    usize::try_from(files - reserve).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::{ConnectionLimits, MIN_FILES, connections_for};

    #[test]
    fn files_are_left_for_everything_else() {
        assert_eq!(connections_for(1024), 768);
        assert_eq!(connections_for(256), 128);
        assert_eq!(connections_for(100), 50);
        assert_eq!(connections_for(1 << 20), (1 << 20) - 512);
        assert_eq!(connections_for(0), 0);
    }

    #[test]
    fn the_least_number_of_files_leaves_half_of_them_for_connections() {
        assert_eq!(connections_for(MIN_FILES), 64);
    }

    #[test]
    fn more_connections_of_one_address_than_in_all_are_noticed() {
        let all = |per_address, total| {
            let limits = ConnectionLimits {
                per_address,
                total,
                ..ConnectionLimits::default()
            };
            limits.all_if_exceeded_by_one(1024)
        };
        assert_eq!(all(Some(1_000_000), Some(700)), Some(700));
        assert_eq!(all(Some(701), Some(700)), Some(700));
        assert_eq!(all(Some(769), Some(2000)), Some(768), "the files");
        assert_eq!(all(Some(769), None), Some(768));
        assert_eq!(all(Some(700), Some(700)), None);
        assert_eq!(all(None, Some(700)), None, "unlimited by intent");
    }

    #[test]
    fn more_connections_than_files_are_noticed() {
        let room = |total| {
            let limits = ConnectionLimits {
                total,
                ..ConnectionLimits::default()
            };
            limits.room_if_exceeded(1024)
        };
        assert_eq!(
            [Some(768), Some(769), None].map(room),
            [None, Some(768), Some(768)]
        );
    }
}
