//! What luck did at finished tables, beside what it should have done.
//!
//! The newest finished tables are replayed once each, when somebody asks; what they held is kept in memory. Tables whose players
//! brought their own dice do not count: this is about the house's.

mod chi;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parlor_games::{DynPosition, GameKind};
use parlor_store::{Filter, Page, Status, Store, StoreError};
use parlor_table::{Step, Table};
use serde::Serialize;
use tokio::sync::Mutex;
use utoipa::ToSchema;

use crate::live;

/// So many finished tables of each game are looked at, the newest.
pub(crate) const NEWEST: u64 = 2_000;
/// So many rows are asked for at once.
const ROWS: u64 = 500;
/// So long the answer stays as it is.
const KEPT: Duration = Duration::from_secs(60);
/// So long one request goes on reading tables; the next goes on from there.
const PATIENCE: Duration = Duration::from_secs(2);
/// The most kinds of chances that are told apart.
const MOST_GROUPS: usize = 16;

/// What luck did.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub(crate) struct Statistics {
    /// Finished tables that were counted.
    pub(crate) tables: usize,
    /// Finished tables that are still to be counted; ask again.
    pub(crate) waiting: usize,
    /// What was drawn, by game and kind of draw.
    pub(crate) groups: Vec<Group>,
}

/// Draws that are made from the same chances.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Group {
    /// The game's name.
    pub(crate) game: &'static str,
    /// What these draws are called.
    pub(crate) title: &'static str,
    /// How many there were.
    pub(crate) draws: u64,
    /// Each chance: how often it came up.
    pub(crate) chances: Vec<Counted>,
    /// How well all chances together fit; nothing as long as there are too few draws to say.
    pub(crate) fit: Option<Fit>,
    /// Each face of the dice, where dice are thrown independently of each other.
    pub(crate) faces: Vec<Counted>,
    /// How well all faces together fit.
    pub(crate) faces_fit: Option<Fit>,
}

/// How often something came up.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Counted {
    /// What, as text.
    pub(crate) chance: String,
    /// The same in words.
    pub(crate) label: String,
    /// How often.
    pub(crate) times: u64,
    /// How often on average with perfect luck.
    pub(crate) expected: f64,
    /// Its share of all draws with perfect luck.
    pub(crate) fair: f64,
    /// The share that was seen is compatible with a true share from here (99 % confidence, Wilson's interval) …
    pub(crate) low: f64,
    /// … to here.
    pub(crate) high: f64,
}

/// Pearson's chi-squared test.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub(crate) struct Fit {
    /// The sum of squared differences, each divided by what was expected.
    pub(crate) chi_squared: f64,
    /// Degrees of freedom.
    pub(crate) degrees: u32,
    /// How often perfect luck differs at least as much.
    pub(crate) p: f64,
}

/// Chances that were drawn from, and what they show.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    game: &'static str,
    title: &'static str,
    chances: Vec<Chance>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Chance {
    text: String,
    weight: u32,
    label: String,
    faces: Vec<u8>,
}

/// By kind, how often each of its chances came up at one table.
type Counts = BTreeMap<Arc<Kind>, Vec<u64>>;

/// The counts of the house, kept in memory.
#[derive(Default)]
pub(crate) struct Counter {
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    kinds: BTreeSet<Arc<Kind>>,
    tables: BTreeMap<i64, Counts>,
    shown: Option<(Instant, Arc<Statistics>)>,
}

impl Counter {
    /// What luck did, as of a minute ago at most.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn look(&self, store: &Store) -> Result<Arc<Statistics>, StoreError> {
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

/// The newest finished tables of games whose luck the house draws from chances that recur.
async fn newest(store: &Store) -> Result<BTreeSet<i64>, StoreError> {
    let mut ids = BTreeSet::new();
    for kind in GameKind::ALL.iter().filter(|kind| kind.chances_recur()) {
        let filter = Filter {
            game: Some(kind.name().to_owned()),
            statuses: vec![Status::Over],
            ..Filter::default()
        };
        let mut page = Page {
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

impl Known {
    /// What was drawn at a table; nothing where it cannot be read.
    async fn read(&mut self, store: &Store, id: i64) -> Counts {
        let Some(id) = live::id(id) else {
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

/// Replays a table and counts what was drawn from what.
fn count(table: &Table, kinds: &mut BTreeSet<Arc<Kind>>) -> Counts {
    let mut counts = Counts::new();
    let Ok(mut position) = table.kind().start(table.options()) else {
        return counts;
    };
    if table.luck_by_hand() {
        return counts;
    }
    for step in table.steps() {
        let followed = match step {
            Step::Move { seat, text, .. } => {
                parlor_core::Seat::new(*seat).is_ok_and(|seat| position.play(text, seat).is_ok())
            }
            Step::Chance { chance, .. } => {
                let kind = kind(table.kind(), &*position);
                let at = kind.chances.iter().position(|other| other.text == *chance);
                let known = kinds.get(&kind).cloned().or_else(|| {
                    let kind = (kinds.len() < MOST_GROUPS).then(|| Arc::new(kind))?;
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

fn kind(game: GameKind, position: &dyn DynPosition) -> Kind {
    let chance = |(text, weight): (String, u32)| {
        let (label, faces) = (position.chance_label(&text), position.faces(&text));
        Chance {
            text,
            weight,
            label,
            faces,
        }
    };
    let chances = position.chances().into_iter().map(chance).collect();
    Kind {
        game: game.name(),
        title: position.chances_title(),
        chances,
    }
}

fn group(kind: &Kind, times: &[u64]) -> Group {
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
        let on =
            |chance: &Chance| chance.faces.iter().filter(|other| **other == face).count() as u64;
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
    Group {
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
) -> Vec<Counted> {
    let (all, sum) = (
        times.iter().sum::<u64>() as f64,
        weights.iter().sum::<u64>() as f64,
    );
    let counted = |((chance, label), (times, weight)): ((String, String), (&u64, &u64))| {
        let fair = *weight as f64 / sum;
        let (low, high) = chi::wilson(*times as f64, all);
        Counted {
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

/// The test, where every chance is expected often enough for it.
fn fit(counted: &[Counted]) -> Option<Fit> {
    if counted.len() < 2 || counted.iter().any(|counted| counted.expected < 5.0) {
        return None;
    }
    #[allow(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    let part =
        |counted: &Counted| (counted.times as f64 - counted.expected).powi(2) / counted.expected;
    let chi_squared: f64 = counted.iter().map(part).sum();
    let degrees = u32::try_from(counted.len() - 1).unwrap_or(u32::MAX);
    Some(Fit {
        chi_squared,
        degrees,
        p: chi::p_value(chi_squared, degrees),
    })
}
