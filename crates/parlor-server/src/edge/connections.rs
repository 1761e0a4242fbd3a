//! Count of open connections, and its limits.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Client;

/// Counter of open connections.
#[derive(Debug)]
pub(crate) struct Connections {
    max: Option<usize>,
    max_per_address: Option<usize>,
    open: Mutex<(usize, HashMap<IpAddr, usize>)>,
}

/// Permit for one open connection, returned when dropped.
#[derive(Debug)]
pub(crate) struct ConnectionPermit {
    connections: Arc<Connections>,
    client: Client,
}

impl Connections {
    pub(crate) fn new(max: Option<usize>, max_per_address: Option<usize>) -> Connections {
        Connections {
            max,
            max_per_address,
            open: Mutex::default(),
        }
    }

    /// Acquires a permit for a connection; `None` if the client or the server has too many. A
    /// trusted proxy has no limit of its own: all of its clients' connections come from it.
    pub(crate) fn open(
        self: &Arc<Connections>,
        client: Client,
        is_proxy: bool,
    ) -> Option<ConnectionPermit> {
        let mut guard = self.lock();
        let (all, each) = &mut *guard;
        let mine = each.get(&client.0).copied().unwrap_or_default();
        let reached = |max: Option<usize>, count| max.is_some_and(|max| count >= max);
        if reached(self.max, *all) || (!is_proxy && reached(self.max_per_address, mine)) {
            metrics::counter!("parlor_connections_refused_total").increment(1);
            return None;
        }
        *all += 1;
        each.insert(client.0, mine + 1);
        metrics::gauge!("parlor_connections").set(*all as f64);
        Some(ConnectionPermit {
            connections: self.clone(),
            client,
        })
    }

    fn lock(&self) -> MutexGuard<'_, (usize, HashMap<IpAddr, usize>)> {
        // No code that can panic runs while this lock is held.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut guard = self.connections.lock();
        let (all, each) = &mut *guard;
        *all -= 1;
        if let Some(mine) = each.get_mut(&self.client.0) {
            *mine -= 1;
            if *mine == 0 {
                each.remove(&self.client.0);
            }
        }
        metrics::gauge!("parlor_connections").set(*all as f64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(address: &str) -> Client {
        Client::of(address.parse().expect("an address"))
    }

    #[test]
    fn a_closed_connection_makes_room_for_another_of_its_network() {
        let connections = Arc::new(Connections::new(None, Some(1)));
        let open = |address| connections.open(client(address), false);
        let first = open("2001:db8::1");
        assert!(first.is_some());
        assert!(open("2001:db8::2").is_none(), "the same network");
        assert!(open("2001:db8:0:1::1").is_some(), "another network");
        drop(first);
        assert!(open("2001:db8::2").is_some());
    }

    #[test]
    fn the_total_counts_all_addresses() {
        let connections = Arc::new(Connections::new(Some(2), None));
        let open = ["10.0.0.1", "10.0.0.2"].map(|address| connections.open(client(address), false));
        assert!(open.iter().all(Option::is_some));
        assert!(connections.open(client("10.0.0.3"), true).is_none());
    }
}
