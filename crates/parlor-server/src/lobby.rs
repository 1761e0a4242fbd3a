//! Order of the tables in the lobby.
//!
//! Open tables are those where somebody waits: a person with a connection open comes before one who was
//! only heard from lately. Of one person's tables the latest comes first, and the others after the first
//! ones of everybody else, so that nobody fills the list alone. Games in progress follow the same order;
//! those without anybody come after them, the latest move first.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

use parlor_games::GameKind;
use parlor_store::{AttendedTable, LobbyFilter, PersonSign, RowStatus, StoreError};
use parlor_table::TableId;

use crate::AppState;
use crate::error::Error;
use crate::live;

/// Time for which somebody without a connection still counts as present.
const LATELY: Duration = Duration::from_secs(60);
/// One day, in milliseconds.
const DAY_MS: i64 = 24 * 3_600_000;

/// Tables of one page of a list in the lobby.
#[derive(Debug)]
pub(crate) struct LobbyPage {
    /// The tables, in order.
    pub(crate) ids: Vec<TableId>,
    /// True if there are more after them.
    pub(crate) has_more: bool,
}

impl AppState {
    /// Returns `limit` tables of a list in the lobby, after the first `skip`: the open ones or those in
    /// progress, of one game or of all.
    pub(crate) async fn lobby(
        &self,
        status: RowStatus,
        game: Option<GameKind>,
        skip: usize,
        limit: usize,
    ) -> Result<LobbyPage, Error> {
        let filter = LobbyFilter {
            status,
            game: game.map(|game| game.name().to_owned()),
        };
        let wanted = skip.saturating_add(limit).saturating_add(1);
        let mut ids = self.attended(&filter).await?;
        if status == RowStatus::Playing && ids.len() < wanted {
            let known: HashSet<i64> = ids.iter().copied().collect();
            let days = self.limits().asleep_days.map(i64::from);
            let awake_since =
                days.map_or(0, |days| self.now().millis() - days.saturating_mul(DAY_MS));
            let active = self.store().active_tables(&filter, awake_since).await?;
            ids.extend(active.into_iter().filter(|id| !known.contains(id)));
        }
        let has_more = ids.len() >= wanted;
        let page = ids.into_iter().skip(skip).take(limit);
        Ok(LobbyPage {
            ids: page.filter_map(live::table_id).collect(),
            has_more,
        })
    }

    /// Returns the tables where somebody is present, in order.
    async fn attended(&self, filter: &LobbyFilter) -> Result<Vec<i64>, StoreError> {
        let mut signs = self.people().present(LATELY);
        if self.store().is_shared() {
            let lately = i64::try_from(LATELY.as_millis()).unwrap_or(i64::MAX);
            let since = self.now().millis() - lately;
            let node = self.nodes().number();
            signs.extend(self.store().present_elsewhere(node, since).await?);
        }
        let people = connections(&signs);
        let numbers: Vec<i64> = people.keys().copied().collect();
        let attended = self.store().attended_tables(filter, &numbers).await?;
        Ok(ranked(attended, &people))
    }
}

/// Returns everybody who is present, and whether they have a connection open.
fn connections(signs: &[PersonSign]) -> HashMap<i64, bool> {
    let mut people = HashMap::new();
    for sign in signs {
        *people.entry(sign.person).or_default() |= sign.is_there;
    }
    people
}

/// Returns the tables in the order of the lobby. `people` are connected or not.
fn ranked(mut attended: Vec<AttendedTable>, people: &HashMap<i64, bool>) -> Vec<i64> {
    attended.sort_by_key(|at| Reverse((at.updated_at, at.table)));
    let mut counts: HashMap<i64, u32> = HashMap::new();
    let mut ranks = BTreeMap::new();
    for AttendedTable {
        person,
        table,
        updated_at,
    } in attended
    {
        let nth = counts.entry(person).or_default();
        *nth += 1;
        let is_connected = people.get(&person).copied().unwrap_or_default();
        let rank = (!is_connected, *nth, Reverse((updated_at, table)));
        let best = ranks.entry(table).or_insert(rank);
        *best = rank.min(*best);
    }
    let mut tables: Vec<(i64, _)> = ranks.into_iter().collect();
    tables.sort_by_key(|(_, rank)| *rank);
    tables.into_iter().map(|(table, _)| table).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(person: i64, table: i64, updated_at: i64) -> AttendedTable {
        AttendedTable {
            person,
            table,
            updated_at,
        }
    }

    #[test]
    fn whoever_is_connected_comes_first_and_then_the_latest() {
        let people = HashMap::from([(1, false), (2, true), (3, true)]);
        let attended = vec![at(1, 10, 900), at(2, 20, 100), at(3, 30, 200)];
        assert_eq!(ranked(attended, &people), [30, 20, 10]);
    }

    #[test]
    fn nobody_fills_the_list_with_tables_of_their_own() {
        let people = HashMap::from([(1, true), (2, true)]);
        let mut attended: Vec<_> = (1..=50).map(|n| at(1, 100 + n, 1_000 + n)).collect();
        attended.push(at(2, 7, 5));
        let ranked = ranked(attended, &people);
        assert_eq!((ranked.len(), &ranked[..3]), (51, &[150, 7, 149][..]));
    }

    #[test]
    fn a_table_has_the_place_of_its_first_player() {
        let people = HashMap::from([(1, false), (2, true)]);
        let attended = vec![at(1, 10, 5), at(2, 10, 5), at(1, 20, 9)];
        assert_eq!(ranked(attended, &people), [10, 20]);
    }

    #[test]
    fn somebody_at_two_servers_is_one_person() {
        let sign = |person, is_there| PersonSign {
            person,
            is_there,
            seen_at: 0,
        };
        let people = connections(&[sign(1, true), sign(1, false), sign(2, false)]);
        assert_eq!(people, HashMap::from([(1, true), (2, false)]));
    }
}
