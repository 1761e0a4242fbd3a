//! Things that are open, such as connections, by the address of their client.

use std::cmp::Reverse;
use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::time::Instant;

use super::Client;

/// Open things of all clients.
#[derive(Debug)]
pub(super) struct ByAddress<T> {
    all: usize,
    last: u64,
    addresses: HashMap<IpAddr, HashMap<u64, T>>,
}

/// Place of one open thing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    client: Client,
    number: u64,
}

impl Place {
    /// Returns whose thing it is.
    pub(super) fn client(self) -> Client {
        self.client
    }
}

impl<T> Default for ByAddress<T> {
    fn default() -> ByAddress<T> {
        ByAddress {
            all: 0,
            last: 0,
            addresses: HashMap::new(),
        }
    }
}

impl<T> ByAddress<T> {
    /// Returns the number of things that are open.
    pub(super) fn len(&self) -> usize {
        self.all
    }

    /// Returns the number of things that a client has open.
    pub(super) fn len_of(&self, client: Client) -> usize {
        self.addresses.get(&client.0).map_or(0, HashMap::len)
    }

    /// Adds a thing of a client.
    pub(super) fn add(&mut self, client: Client, thing: T) -> Place {
        self.last += 1;
        self.all += 1;
        let things = self.addresses.entry(client.0).or_default();
        things.insert(self.last, thing);
        Place {
            client,
            number: self.last,
        }
    }

    /// Returns a thing, unless it was removed.
    pub(super) fn get_mut(&mut self, place: Place) -> Option<&mut T> {
        let things = self.addresses.get_mut(&place.client.0)?;
        things.get_mut(&place.number)
    }

    /// Removes a thing, unless it was removed before.
    pub(super) fn remove(&mut self, place: Place) -> Option<T> {
        let address = place.client.0;
        let things = self.addresses.get_mut(&address)?;
        let removed = things.remove(&place.number)?;
        if things.is_empty() {
            self.addresses.remove(&address);
        }
        self.all -= 1;
        Some(removed)
    }

    /// Returns the places of all idle things in the order in which they should give way: always the one
    /// that has been idle for longest of the address that then has the most. Of addresses that have
    /// equally many, the one whose thing has been idle for longest comes first.
    fn idle(&self, idle_since: impl Fn(&T) -> Option<Instant>) -> VecDeque<Place> {
        let mut found = Vec::new();
        for (address, things) in &self.addresses {
            let since = |(number, thing): (&u64, &T)| Some((idle_since(thing)?, *number));
            let mut idle: Vec<(Instant, u64)> = things.iter().filter_map(since).collect();
            idle.sort_unstable();
            let client = Client(*address);
            found.extend(
                idle.into_iter()
                    .enumerate()
                    .map(|(before, (since, number))| {
                        let left = things.len() - before;
                        (Reverse(left), since, Place { client, number })
                    }),
            );
        }
        found.sort_unstable_by_key(|(left, since, _)| (*left, *since));
        found.into_iter().map(|(.., place)| place).collect()
    }
}

/// Idle things that can give way when there is no more room.
///
/// To find them, all that is open is looked at. At most a twentieth of the time is spent on that: a flood
/// of those who want room could stop the house with it.
#[derive(Debug, Default)]
pub(super) struct GivingWay {
    places: VecDeque<Place>,
    /// Time before which they are not looked for again.
    not_before: Option<Instant>,
}

impl GivingWay {
    /// Removes an idle thing of the address that has the most things open, and at least so many: the one
    /// that has been idle for longest. `idle_since` is asked since when a thing has been idle, if it is.
    pub(super) fn remove_from<T>(
        &mut self,
        open: &mut ByAddress<T>,
        least: usize,
        idle_since: impl Fn(&T) -> Option<Instant>,
    ) -> Option<T> {
        let now = Instant::now();
        if self.not_before.is_none_or(|time| now >= time) {
            self.places = open.idle(&idle_since);
            self.not_before = Some(now + 20 * now.elapsed());
        }
        while let Some(place) = self.places.front().copied() {
            if open.len_of(place.client) < least {
                return None;
            }
            self.places.pop_front();
            if open
                .get_mut(place)
                .is_some_and(|thing| idle_since(thing).is_some())
            {
                return open.remove(place);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn client(n: u8) -> Client {
        Client([10, 0, 0, n].into())
    }

    #[test]
    fn things_are_counted_in_all_and_by_address() {
        let mut open = ByAddress::default();
        let places = [1, 1, 2].map(|n| open.add(client(n), n));
        assert_eq!((open.len(), open.len_of(client(1))), (3, 2));
        assert_eq!(open.remove(places[0]), Some(1));
        assert_eq!(open.remove(places[0]), None, "removed before");
        assert_eq!((open.len(), open.len_of(client(1))), (2, 1));
        open.remove(places[1]);
        assert_eq!(open.addresses.len(), 1, "addresses are forgotten");
    }

    #[test]
    fn the_longest_idle_of_the_address_with_the_most_gives_way() {
        let now = Instant::now();
        let second = |n| Some(now + Duration::from_secs(n));
        let mut open = ByAddress::default();
        for (n, name, since) in [
            (1, "busy", None),
            (1, "b", second(3)),
            (1, "a", second(2)),
            (2, "other", second(1)),
            (3, "busy", None),
            (3, "busy", None),
            (3, "busy", None),
            (3, "busy", None),
        ] {
            open.add(client(n), (name, since));
        }
        let mut giving_way = GivingWay::default();
        let mut next = || {
            let removed = giving_way.remove_from(&mut open, 0, |(_, since)| *since);
            removed.map(|(name, _)| name)
        };
        // Address 3 has the most, and needs all of them. After the first, 1 and 2 have one idle each.
        assert_eq!(
            [next(), next(), next(), next()],
            [Some("a"), Some("b"), Some("other"), None]
        );
        assert_eq!(open.len(), 5);
    }
}
