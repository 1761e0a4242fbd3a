//! Proof search: can one side force a win?

use super::squares::{Geometry, Squares, single_bits};
use super::{BoardShape, SolverError};

/// Search that decides whether an attacker can force a run of k against any defense.
///
/// An extra stone never hurts its owner, so cells that lie on no line still open to either side are
/// skipped, and a threat to complete a run leaves one reply.
#[derive(Debug)]
pub struct WinProver {
    geometry: Geometry,
    known: ProofTable,
    limit: u64,
    left: u64,
}

/// Position from the attacker's point of view.
#[derive(Clone, Copy)]
struct ProofState {
    attacker: u64,
    defender: u64,
    attacking: bool,
}

impl WinProver {
    pub fn new(shape: BoardShape, limit: u64) -> WinProver {
        let slots = if shape.cells() <= 16 {
            1 << 16
        } else {
            1 << 21
        };
        WinProver {
            geometry: Geometry::new(shape),
            known: ProofTable::new(slots),
            limit,
            left: limit,
        }
    }

    /// Resets the count of visited positions.
    pub fn reset_count(&mut self) {
        self.left = self.limit;
    }

    /// Returns true if the seat to move can force a win.
    pub fn mover_wins(&mut self, squares: Squares) -> Result<bool, SolverError> {
        self.prove(ProofState {
            attacker: squares.own,
            defender: squares.other,
            attacking: true,
        })
    }

    /// Returns true if the other seat can force a win, or has won.
    pub fn other_wins(&mut self, squares: Squares) -> Result<bool, SolverError> {
        self.prove(ProofState {
            attacker: squares.other,
            defender: squares.own,
            attacking: false,
        })
    }

    fn prove(&mut self, state: ProofState) -> Result<bool, SolverError> {
        if self.geometry.has_run(state.attacker) || self.geometry.has_run(state.defender) {
            return Ok(self.geometry.has_run(state.attacker));
        }
        self.search(state)
            .ok_or(SolverError::TooHard { limit: self.limit })
    }

    /// Returns the answer, or `None` if the limit is reached. Neither side may have a run yet.
    fn search(&mut self, state: ProofState) -> Option<bool> {
        let ProofState {
            attacker,
            defender,
            attacking,
        } = state;
        let empty = self.geometry.cells & !(attacker | defender);
        let scores = LineScores::new(&self.geometry, attacker, defender);
        if scores.danger < self.harmless_danger(attacking) {
            return Some(false);
        }
        let (own, against) = if attacking {
            (scores.attacker_completes, scores.defender_completes)
        } else {
            (scores.defender_completes, scores.attacker_completes)
        };
        if own != 0 {
            return Some(attacking);
        }
        if against != 0 {
            let answers = against & empty;
            return if answers.is_power_of_two() {
                self.search(state.after(answers))
            } else {
                Some(!attacking)
            };
        }
        let key = self.key(state);
        if let Some(known) = self.known.get(key) {
            return Some(known);
        }
        self.left = self.left.checked_sub(1)?;
        let mut answer = !attacking;
        for bit in scores.candidates(empty) {
            if self.search(state.after(bit))? == attacking {
                answer = attacking;
                break;
            }
        }
        self.known.put(key, answer);
        Some(answer)
    }

    /// Returns the danger below which the attacker cannot win, by the theorem of Erdős and
    /// Selfridge: a defender who always takes the cell with the heaviest lines (a line weighs 1/2
    /// to the power of its missing stones) blocks every line if they weigh less than 1 in total
    /// before the defender's move.
    fn harmless_danger(&self, attacking: bool) -> u64 {
        1 << if attacking {
            self.geometry.k - 1
        } else {
            self.geometry.k
        }
    }

    /// Returns the table key: the state normalized by symmetry.
    fn key(&self, state: ProofState) -> [u64; 2] {
        let key = self.geometry.canonical(Squares {
            own: state.attacker,
            other: state.defender,
        });
        let attacking = if state.attacking {
            ProofTable::ATTACKING
        } else {
            0
        };
        [key.own | ProofTable::PRESENT | attacking, key.other]
    }
}

impl ProofState {
    fn after(self, bit: u64) -> ProofState {
        let attacking = !self.attacking;
        if self.attacking {
            ProofState {
                attacker: self.attacker | bit,
                attacking,
                ..self
            }
        } else {
            ProofState {
                defender: self.defender | bit,
                attacking,
                ..self
            }
        }
    }
}

/// Summary of the open lines.
struct LineScores {
    /// Sum of 2 to the power of the attacker's stones, over all lines open to the attacker.
    danger: u64,
    /// Cells that complete a run.
    attacker_completes: u64,
    defender_completes: u64,
    /// Weight of each cell, by bit; 0 for cells on no open line.
    weights: [u32; 64],
}

impl LineScores {
    fn new(geometry: &Geometry, attacker: u64, defender: u64) -> LineScores {
        let mut scores = LineScores {
            danger: 0,
            attacker_completes: 0,
            defender_completes: 0,
            weights: [0; 64],
        };
        let almost = geometry.k - 1;
        for &line in &geometry.lines {
            let (mine, theirs) = (line & attacker, line & defender);
            if mine != 0 && theirs != 0 {
                continue;
            }
            let open = line & !(mine | theirs);
            let stones = (mine | theirs).count_ones();
            if theirs == 0 {
                scores.danger += 1 << stones;
                scores.attacker_completes |= if stones == almost { open } else { 0 };
            }
            if mine == 0 && stones == almost {
                scores.defender_completes |= open;
            }
            for bit in single_bits(open) {
                scores.weights[bit.trailing_zeros() as usize] += 1 << (3 * stones);
            }
        }
        scores
    }

    /// Returns the empty cells of open lines, heaviest first.
    fn candidates(&self, empty: u64) -> impl Iterator<Item = u64> + use<> {
        let mut cells = [(0u32, 0u64); 64];
        let mut count = 0;
        for bit in single_bits(empty) {
            let weight = self.weights[bit.trailing_zeros() as usize];
            if weight > 0 {
                cells[count] = (weight, bit);
                count += 1;
            }
        }
        cells[..count].sort_unstable_by(|a, b| b.cmp(a));
        cells.into_iter().take(count).map(|(_, bit)| bit)
    }
}

/// Table of answers by position; each slot keeps the latest entry.
///
/// An all-zero slot is empty, so a fresh table needs no initialization; every key contains
/// [`ProofTable::PRESENT`].
#[derive(Debug)]
struct ProofTable {
    slots: Vec<[u64; 2]>,
}

impl ProofTable {
    // None of these bits belongs to a cell.
    const PRESENT: u64 = 1 << 62;
    const ATTACKING: u64 = 1 << 63;
    const YES: u64 = 1 << 63;

    fn new(slots: usize) -> ProofTable {
        ProofTable {
            slots: vec![[0; 2]; slots],
        }
    }

    fn slot(&self, [one, two]: [u64; 2]) -> usize {
        let mixed = (one ^ two.rotate_left(29)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mixed = (mixed ^ (mixed >> 32) ^ two).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        (mixed >> 40) as usize & (self.slots.len() - 1)
    }

    fn get(&self, key: [u64; 2]) -> Option<bool> {
        let [one, two] = self.slots[self.slot(key)];
        ([one, two & !Self::YES] == key).then_some(two & Self::YES != 0)
    }

    fn put(&mut self, key: [u64; 2], answer: bool) {
        let slot = self.slot(key);
        self.slots[slot] = [key[0], key[1] | if answer { Self::YES } else { 0 }];
    }
}
