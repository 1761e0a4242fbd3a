//! Open connections, their limits, and which one gives way.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Client;
use super::busy::Requests;
use super::by_address::{ByAddress, GivingWay, Place};
use super::cut::Cut;

/// Open connections of all clients.
#[derive(Debug)]
pub(crate) struct Connections {
    max: Option<usize>,
    max_per_address: Option<usize>,
    open: Mutex<OpenConnections>,
}

#[derive(Debug, Default)]
struct OpenConnections {
    by_address: ByAddress<OpenConnection>,
    idle: GivingWay,
}

/// An open connection: its use, and the way to close it.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenConnection {
    /// Its requests under way.
    pub(crate) requests: Requests,
    /// Closes it.
    pub(crate) cut: Cut,
}

/// Permit for one open connection, returned when dropped.
#[derive(Debug)]
pub(crate) struct ConnectionPermit {
    connections: Arc<Connections>,
    place: Place,
}

impl Connections {
    pub(crate) fn new(max: Option<usize>, max_per_address: Option<usize>) -> Connections {
        Connections {
            max,
            max_per_address,
            open: Mutex::default(),
        }
    }

    /// Acquires a permit for a connection; `None` if the client has too many, or the server has and
    /// all are in use. Otherwise, at the server's limit, an idle one is closed for it. A trusted
    /// proxy has no limit of its own: all of its clients' connections come from it.
    pub(crate) fn open(
        self: &Arc<Connections>,
        client: Client,
        is_proxy: bool,
        connection: OpenConnection,
    ) -> Option<ConnectionPermit> {
        let mut open = self.lock();
        let reached = |max: Option<usize>, count| max.is_some_and(|max| count >= max);
        let count = open.by_address.len_of(client);
        let is_allowed = is_proxy || !reached(self.max_per_address, count);
        if !is_allowed || (reached(self.max, open.by_address.len()) && !open.make_room()) {
            metrics::counter!("parlor_connections_refused_total").increment(1);
            return None;
        }
        let place = open.by_address.add(client, connection);
        open.show();
        Some(ConnectionPermit {
            connections: self.clone(),
            place,
        })
    }

    fn lock(&self) -> MutexGuard<'_, OpenConnections> {
        // No code that can panic runs while this lock is held.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenConnections {
    /// Closes an idle connection; returns false if there is none.
    fn make_room(&mut self) -> bool {
        let idle_since = |connection: &OpenConnection| connection.requests.idle_since();
        let idle = self.idle.remove_from(&mut self.by_address, 0, idle_since);
        if let Some(idle) = &idle {
            metrics::counter!("parlor_connections_closed_for_others_total").increment(1);
            idle.cut.cut();
        }
        idle.is_some()
    }

    fn show(&self) {
        metrics::gauge!("parlor_connections").set(self.by_address.len() as f64);
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut open = self.connections.lock();
        // A connection that gave way is no longer there.
        open.by_address.remove(self.place);
        open.show();
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
        let open = |address| connections.open(client(address), false, OpenConnection::default());
        let first = open("2001:db8::1");
        assert!(first.is_some());
        assert!(open("2001:db8::2").is_none(), "the same network");
        assert!(open("2001:db8:0:1::1").is_some(), "another network");
        drop(first);
        assert!(open("2001:db8::2").is_some());
    }

    #[tokio::test]
    async fn at_the_limit_an_idle_connection_gives_way_and_a_busy_one_does_not() {
        let connections = Arc::new(Connections::new(Some(2), None));
        let [idle, busy, late] = [(); 3].map(|()| OpenConnection::default());
        let request = busy.requests.begin();
        let open = |address, connection: &OpenConnection| {
            connections.open(client(address), false, connection.clone())
        };
        let first = open("10.0.0.1", &idle);
        let second = open("10.0.0.2", &busy);
        let third = open("10.0.0.3", &late);
        assert!(first.is_some() && second.is_some() && third.is_some());
        idle.cut.wait().await;
        drop(first);
        let third_request = late.requests.begin();
        assert!(
            open("10.0.0.4", &OpenConnection::default()).is_none(),
            "both are in use"
        );
        let rest_of_body = busy.requests.wait_for_body();
        // It is looked for what is idle only every now and then.
        let admitted = async {
            while open("10.0.0.4", &OpenConnection::default()).is_none() {
                tokio::task::yield_now().await;
            }
        };
        let patience = std::time::Duration::from_secs(60);
        tokio::time::timeout(patience, admitted)
            .await
            .expect("one waits for the rest of its request");
        busy.cut.wait().await;
        drop((request, rest_of_body, third_request));
    }
}
