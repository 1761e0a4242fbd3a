//! Statistics of the server's dice: draws at finished tables compared with fair probabilities.
//!
//! The newest finished tables are replayed once each, on request, and their counts are kept in
//! memory. Tables where the players rolled real dice are excluded.

mod chi;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parlor_games::{DynPosition, GameKind};
use parlor_store::{ListFilter, ListPage, RowStatus, Store, StoreError};
use parlor_table::{RecordStep, Table};
use serde::Serialize;
use tokio::sync::Mutex;
use utoipa::ToSchema;

use crate::live;

/// Number of newest finished tables counted per game.
pub(crate) const NEWEST: u64 = 2_000;
/// Number of rows per query.
const ROWS: u64 = 500;
/// Time for which a result is cached.
const KEPT: Duration = Duration::from_secs(60);
/// Time that one request spends reading tables; the next request continues.
const PATIENCE: Duration = Duration::from_secs(2);
/// Maximum number of groups.
const MAX_GROUPS: usize = 16;

/// Statistics of the server's dice.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub(crate) struct Statistics {
    /// Number of finished tables counted.
    pub(crate) tables: usize,
    /// Number of finished tables still to be counted; repeat the request to continue.
    pub(crate) waiting: usize,
    /// Results by game and kind of draw.
    pub(crate) groups: Vec<DrawGroup>,
}

/// Draws from the same set of possible results.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct DrawGroup {
    /// Name of the game.
    pub(crate) game: &'static str,
    /// Name of this kind of draw.
    pub(crate) title: &'static str,
    /// Number of draws.
    pub(crate) draws: u64,
    /// Counts of the possible results.
    pub(crate) chances: Vec<ChanceCount>,
    /// Chi-squared test over all results; `null` while there are too few draws.
    pub(crate) fit: Option<Fit>,
    /// Counts of the faces, for independent dice.
    pub(crate) faces: Vec<ChanceCount>,
    /// Chi-squared test over all faces.
    pub(crate) faces_fit: Option<Fit>,
}

/// Observed and expected frequency of a result.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ChanceCount {
    /// The result in the game's notation.
    pub(crate) chance: String,
    /// The result in words.
    pub(crate) label: String,
    /// Number of occurrences.
    pub(crate) times: u64,
    /// Expected number of occurrences.
    pub(crate) expected: f64,
    /// Expected share of all draws.
    pub(crate) fair: f64,
    /// Lower bound of Wilson's 99 % confidence interval for the true share.
    pub(crate) low: f64,
    /// Upper bound of that interval.
    pub(crate) high: f64,
}

/// Result of Pearson's chi-squared test.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub(crate) struct Fit {
    /// Sum of squared differences, each divided by the expected number.
    pub(crate) chi_squared: f64,
    /// Degrees of freedom.
    pub(crate) degrees: u32,
    /// Probability that fair dice deviate at least as much.
    pub(crate) p: f64,
}

/// A kind of draw: its possible results.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct DrawKind {
    game: &'static str,
    title: &'static str,
    chances: Vec<DrawChance>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct DrawChance {
    text: String,
    weight: u32,
    label: String,
    faces: Vec<u8>,
}

/// Counts of each result, by kind of draw, at one table.
type Counts = BTreeMap<Arc<DrawKind>, Vec<u64>>;

/// Cache of counts and results.
#[derive(Default)]
pub(crate) struct DrawCounter {
    known: Mutex<StatisticsCache>,
}

#[derive(Default)]
struct StatisticsCache {
    kinds: BTreeSet<Arc<DrawKind>>,
    tables: BTreeMap<i64, Counts>,
    shown: Option<(Instant, Arc<Statistics>)>,
}

impl DrawCounter {
    /// Returns the statistics, at most one minute old.
    ///
    /// # Errors
    /// Fails if the store is not available.
    pub(crate) async fn statistics(&self, store: &Store) -> Result<Arc<Statistics>, StoreError> {
        let mut known = self.known.lock().await;
        if let Some((_, shown)) = known
            .shown
            .as_ref()
            .filter(|(at, shown)| at.elapsed() < KEPT && shown.waiting == 0)
        {
            return Ok(shown.clone());
        }
        let wanted = newest(store).await?;
        known.tables.retain(|id, _| wanted.contains(id));
        let began = Instant::now();
        for id in &wanted {
            if began.elapsed() > PATIENCE {
                break;
            }
            if !known.tables.contains_key(id) {
                let counts = known.read(store, *id).await;
                known.tables.insert(*id, counts);
            }
        }
        let shown = Arc::new(known.add_up(wanted.len()));
        known.shown = Some((Instant::now(), shown.clone()));
        Ok(shown)
    }
}

/// Returns the newest finished tables of games with recurring kinds of draws.
async fn newest(store: &Store) -> Result<BTreeSet<i64>, StoreError> {
    let mut ids = BTreeSet::new();
    for kind in GameKind::all().iter().filter(|kind| kind.chances_recur()) {
        let filter = ListFilter {
            game: Some(kind.name().to_owned()),
            statuses: vec![RowStatus::Over],
            ..ListFilter::default()
        };
        let mut page = ListPage {
            before: None,
            limit: ROWS,
        };
        for _ in 0..NEWEST.div_ceil(ROWS) {
            let rows = store.list(&filter, &page).await?;
            page.before = rows.last().map(|row| row.id);
            let by_hand = |summary: &serde_json::Value| summary["luck_by_hand"] == true;
            ids.extend(
                rows.iter()
                    .filter(|row| !row.summary.as_ref().is_some_and(by_hand))
                    .map(|row| row.id),
            );
            if (rows.len() as u64) < ROWS {
                break;
            }
        }
    }
    Ok(ids)
}

impl StatisticsCache {
    /// Returns the counts of a table; none if it cannot be read.
    async fn read(&mut self, store: &Store, id: i64) -> Counts {
        let Some(id) = live::table_id(id) else {
            return Counts::new();
        };
        let Ok(Some(table)) = live::load(store, id).await else {
            return Counts::new();
        };
        let kinds = std::mem::take(&mut self.kinds);
        let counted = tokio::task::spawn_blocking(move || {
            let mut kinds = kinds;
            let counts = count(&table, &mut kinds);
            (kinds, counts)
        });
        let (kinds, counts) = counted.await.unwrap_or_default();
        self.kinds = kinds;
        counts
    }

    fn add_up(&self, wanted: usize) -> Statistics {
        let mut sums = Counts::new();
        for (kind, times) in self.tables.values().flatten() {
            let sum = sums
                .entry(kind.clone())
                .or_insert_with(|| vec![0; times.len()]);
            sum.iter_mut()
                .zip(times)
                .for_each(|(sum, times)| *sum += times);
        }
        let groups = sums
            .iter()
            .map(|(kind, times)| group(kind, times))
            .collect();
        Statistics {
            tables: self.tables.len(),
            waiting: wanted.saturating_sub(self.tables.len()),
            groups,
        }
    }
}

/// Replays a table and counts its draws.
fn count(table: &Table, kinds: &mut BTreeSet<Arc<DrawKind>>) -> Counts {
    let mut counts = Counts::new();
    let Ok(mut position) = table.kind().start(table.options()) else {
        return counts;
    };
    if table.luck_by_hand() {
        return counts;
    }
    for step in table.steps() {
        let followed = match step {
            RecordStep::Move { seat, text, .. } => {
                parlor_core::Seat::new(*seat).is_ok_and(|seat| position.play(text, seat).is_ok())
            }
            RecordStep::Chance { chance, .. } => {
                let kind = kind(table.kind(), &*position);
                let at = kind.chances.iter().position(|other| other.text == *chance);
                let known = kinds.get(&kind).cloned().or_else(|| {
                    let kind = (kinds.len() < MAX_GROUPS).then(|| Arc::new(kind))?;
                    kinds.insert(kind.clone());
                    Some(kind)
                });
                if let (Some(kind), Some(at)) = (known, at) {
                    let size = kind.chances.len();
                    counts.entry(kind).or_insert_with(|| vec![0; size])[at] += 1;
                }
                position.resolve(chance).is_ok()
            }
        };
        if !followed {
            break;
        }
    }
    counts
}

fn kind(game: GameKind, position: &dyn DynPosition) -> DrawKind {
    let chance = |(text, weight): (String, u32)| {
        let (label, faces) = (position.chance_label(&text), position.faces(&text));
        DrawChance {
            text,
            weight,
            label,
            faces,
        }
    };
    let chances = position.chances().into_iter().map(chance).collect();
    DrawKind {
        game: game.name(),
        title: position.chances_title(),
        chances,
    }
}

fn group(kind: &DrawKind, times: &[u64]) -> DrawGroup {
    let weights: Vec<u64> = kind
        .chances
        .iter()
        .map(|chance| u64::from(chance.weight))
        .collect();
    let chances = kind
        .chances
        .iter()
        .map(|chance| (chance.text.clone(), chance.label.clone()));
    let chances = compare(chances, times, &weights);
    let faces: BTreeSet<u8> = kind
        .chances
        .iter()
        .flat_map(|chance| chance.faces.iter().copied())
        .collect();
    let shown = |face: u8, numbers: &[u64]| -> u64 {
        let on = |chance: &DrawChance| {
            chance.faces.iter().filter(|other| **other == face).count() as u64
        };
        kind.chances
            .iter()
            .zip(numbers)
            .map(|(chance, n)| on(chance) * n)
            .sum()
    };
    let seen: Vec<u64> = faces.iter().map(|face| shown(*face, times)).collect();
    let due: Vec<u64> = faces.iter().map(|face| shown(*face, &weights)).collect();
    let faces = compare(
        faces
            .iter()
            .map(|face| (face.to_string(), face.to_string())),
        &seen,
        &due,
    );
    DrawGroup {
        game: kind.game,
        title: kind.title,
        draws: times.iter().sum(),
        fit: fit(&chances),
        chances,
        faces_fit: fit(&faces),
        faces,
    }
}

#[allow(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn compare(
    names: impl Iterator<Item = (String, String)>,
    times: &[u64],
    weights: &[u64],
) -> Vec<ChanceCount> {
    let (all, sum) = (
        times.iter().sum::<u64>() as f64,
        weights.iter().sum::<u64>() as f64,
    );
    let counted = |((chance, label), (times, weight)): ((String, String), (&u64, &u64))| {
        let fair = *weight as f64 / sum;
        let (low, high) = chi::wilson(*times as f64, all);
        ChanceCount {
            chance,
            label,
            times: *times,
            expected: all * fair,
            fair,
            low,
            high,
        }
    };
    names.zip(times.iter().zip(weights)).map(counted).collect()
}

/// Returns the test, if every result is expected often enough for it.
fn fit(counted: &[ChanceCount]) -> Option<Fit> {
    if counted.len() < 2 || counted.iter().any(|counted| counted.expected < 5.0) {
        return None;
    }
    #[allow(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    let part = |counted: &ChanceCount| {
        (counted.times as f64 - counted.expected).powi(2) / counted.expected
    };
    let chi_squared: f64 = counted.iter().map(part).sum();
    let degrees = u32::try_from(counted.len() - 1).unwrap_or(u32::MAX);
    Some(Fit {
        chi_squared,
        degrees,
        p: chi::p_value(chi_squared, degrees),
    })
}
