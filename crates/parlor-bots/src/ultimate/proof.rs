//! Exact endgame search: alpha-beta to the end of the game, with three values.

use super::state::{FREE, GameStatus, MoveCode, UltimateState, has_line};
use crate::Budget;

/// Maximum number of empty squares on open boards for which a proof is tried.
const ROOM: u32 = 24;
/// Number of positions of a proof that count as one node of a budget; they are that much cheaper.
const POSITIONS: u64 = 8;
/// Maximum number of nodes of a proof.
const NODES: u64 = 4_000;
/// Log2 of the number of table entries.
const TABLE_BITS: u32 = 15;

/// Bounds on the value of a position for the seat on turn: -1, 0 or 1.
#[derive(Clone, Copy, Default)]
struct ProofEntry {
    key: u64,
    lower: i8,
    upper: i8,
}

/// Endgame search with its transposition table.
#[derive(Default)]
pub(super) struct EndgameProver {
    table: Vec<ProofEntry>,
    positions: u64,
}

/// The budget is spent.
struct BudgetSpent;

impl EndgameProver {
    /// Returns the size of the table in bytes.
    pub(super) fn memory(&self) -> usize {
        size_of_val(self.table.as_slice())
    }

    /// Returns a move that is proven best with its value, if the position is near enough to its
    /// end, and the nodes used.
    pub(super) fn prove(
        &mut self,
        state: &UltimateState,
        budget: &mut dyn Budget,
    ) -> (Option<(MoveCode, i8)>, u64) {
        if state.room() > ROOM {
            return (None, 0);
        }
        if self.table.is_empty() {
            self.table = vec![ProofEntry::default(); 1 << TABLE_BITS];
        }
        self.positions = 0;
        let proven = self.best(state, budget).ok().flatten();
        (proven, self.positions.div_ceil(POSITIONS))
    }

    fn best(
        &mut self,
        state: &UltimateState,
        budget: &mut dyn Budget,
    ) -> Result<Option<(MoveCode, i8)>, BudgetSpent> {
        let mut best = None;
        for (_, step) in ordered(state) {
            let worst = best.map_or(-1, |(_, value)| value);
            if worst == 1 {
                break;
            }
            let mut child = *state;
            let value = match child.play(step) {
                GameStatus::Won => 1,
                GameStatus::Drawn => 0,
                GameStatus::Open => -self.value(&child, -1, -worst, budget)?,
            };
            if best.is_none() || value > worst {
                best = Some((step, value));
            }
        }
        Ok(best)
    }

    /// Returns the value for the seat on turn, exact if it lies between the bounds.
    fn value(
        &mut self,
        state: &UltimateState,
        mut lower: i8,
        mut upper: i8,
        budget: &mut dyn Budget,
    ) -> Result<i8, BudgetSpent> {
        if state.winning().is_some() {
            return Ok(1);
        }
        // A side that can no longer make a line of boards cannot win.
        let side = usize::from(state.side);
        let can_win = |side: usize| has_line(state.won[side] | state.live());
        (lower, upper) = (
            lower.max(if can_win(side ^ 1) { -1 } else { 0 }),
            upper.min(i8::from(can_win(side))),
        );
        if lower >= upper {
            return Ok(lower.min(upper));
        }
        self.positions += 1;
        if self.positions.is_multiple_of(POSITIONS) {
            let nodes = self.positions / POSITIONS;
            if nodes >= NODES || budget.spent(nodes) {
                return Err(BudgetSpent);
            }
        }
        let key = key(state);
        let place = (key >> (64 - TABLE_BITS)) as usize;
        let known = self.table[place];
        let mut entry = ProofEntry {
            key,
            lower: -1,
            upper: 1,
        };
        if known.key == key {
            entry = known;
            (lower, upper) = (lower.max(known.lower), upper.min(known.upper));
            if lower >= upper {
                return Ok(if known.lower >= upper {
                    known.lower
                } else {
                    known.upper
                });
            }
        }
        let (floor, mut best) = (lower, -1);
        for (_, step) in ordered(state) {
            let mut child = *state;
            let value = match child.play(step) {
                GameStatus::Won => 1,
                GameStatus::Drawn => 0,
                GameStatus::Open => -self.value(&child, -upper, -lower, budget)?,
            };
            best = best.max(value);
            lower = lower.max(best);
            if lower >= upper {
                break;
            }
        }
        if best > floor {
            entry.lower = best;
        }
        if best < upper {
            entry.upper = best;
        }
        self.table[place] = entry;
        Ok(best)
    }
}

/// Returns the moves in search order: those that leave the opponent fewest replies first, with a
/// bonus for won boards.
fn ordered(state: &UltimateState) -> Vec<(i32, MoveCode)> {
    let score = |step: MoveCode| {
        let mut child = *state;
        let end = child.play(step);
        let wins = child.won[usize::from(state.side)].count_ones()
            - state.won[usize::from(state.side)].count_ones();
        let free = if child.target == FREE {
            20
        } else {
            child.empty(usize::from(child.target)).count_ones() as i32
        };
        (
            free - 15 * wins as i32 - if end == GameStatus::Won { 100 } else { 0 },
            step,
        )
    };
    let mut steps: Vec<(i32, MoveCode)> = state.steps().map(score).collect();
    steps.sort_unstable();
    steps
}

/// Hashes a position; collisions are very rare.
fn key(state: &UltimateState) -> u64 {
    let mix =
        |sum: u64, word: u64| (sum.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let pack = |marks: &[u16]| marks.iter().fold(0, |all, &m| all << 9 | u64::from(m));
    let words = state
        .marks
        .iter()
        .flat_map(|marks| [pack(&marks[..5]), pack(&marks[5..])]);
    let key = words.fold(u64::from(state.target) << 1 | u64::from(state.side), mix);
    mix(key ^ key >> 29, 1) | 1
}
