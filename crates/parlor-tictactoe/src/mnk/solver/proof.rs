//! Can one side force a win? A search for yes or no.

use super::squares::{Geometry, Squares, singles};
use super::{Shape, SolverError};

/// Answers whether an attacker can force a run of k against any defence.
///
/// A stone more never hurts its owner, so a cell in no line that is still open to either side need not be
/// tried, and a threat to complete a run leaves one answer.
#[derive(Debug)]
pub struct Prover {
    geometry: Geometry,
    known: Table,
    limit: u64,
    left: u64,
}

/// The board as the question sees it.
#[derive(Clone, Copy)]
struct State {
    attacker: u64,
    defender: u64,
    attacking: bool,
}

impl Prover {
    pub fn new(shape: Shape, limit: u64) -> Prover {
        let slots = if shape.cells() <= 16 {
            1 << 16
        } else {
            1 << 21
        };
        Prover {
            geometry: Geometry::new(shape),
            known: Table::new(slots),
            limit,
            left: limit,
        }
    }

    /// Begins to count looked-at positions anew.
    pub fn refill(&mut self) {
        self.left = self.limit;
    }

    /// Whether the seat to move can force a win.
    pub fn mover_wins(&mut self, squares: Squares) -> Result<bool, SolverError> {
        self.ask(State {
            attacker: squares.own,
            defender: squares.other,
            attacking: true,
        })
    }

    /// Whether the other seat can force a win, or has won.
    pub fn other_wins(&mut self, squares: Squares) -> Result<bool, SolverError> {
        self.ask(State {
            attacker: squares.other,
            defender: squares.own,
            attacking: false,
        })
    }

    fn ask(&mut self, state: State) -> Result<bool, SolverError> {
        if self.geometry.has_run(state.attacker) || self.geometry.has_run(state.defender) {
            return Ok(self.geometry.has_run(state.attacker));
        }
        self.forced(state)
            .ok_or(SolverError::TooHard { limit: self.limit })
    }

    /// The answer, or `None` when the limit is used up. Nobody has a run yet.
    fn forced(&mut self, state: State) -> Option<bool> {
        let State {
            attacker,
            defender,
            attacking,
        } = state;
        let empty = self.geometry.cells & !(attacker | defender);
        let scores = Scores::of(&self.geometry, attacker, defender);
        if scores.danger < self.harmless(attacking) {
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
                self.forced(state.after(answers))
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
            if self.forced(state.after(bit))? == attacking {
                answer = attacking;
                break;
            }
        }
        self.known.put(key, answer);
        Some(answer)
    }

    /// The danger below which the attacker cannot win, by the theorem of Erdős and Selfridge: a defender who
    /// always takes the cell whose lines weigh most (a line weighs 1/2 for each stone that it lacks) gets into every line
    /// when they weigh less than 1 before its move.
    fn harmless(&self, attacking: bool) -> u64 {
        1 << if attacking {
            self.geometry.k - 1
        } else {
            self.geometry.k
        }
    }

    /// The state without its symmetries.
    fn key(&self, state: State) -> [u64; 2] {
        let key = self.geometry.canonical(Squares {
            own: state.attacker,
            other: state.defender,
        });
        let attacking = if state.attacking { Table::ATTACKING } else { 0 };
        [key.own | Table::PRESENT | attacking, key.other]
    }
}

impl State {
    fn after(self, bit: u64) -> State {
        let attacking = !self.attacking;
        if self.attacking {
            State {
                attacker: self.attacker | bit,
                attacking,
                ..self
            }
        } else {
            State {
                defender: self.defender | bit,
                attacking,
                ..self
            }
        }
    }
}

/// What the open lines say about the empty cells.
struct Scores {
    /// The sum over the lines open to the attacker of 2 to the power of its stones there.
    danger: u64,
    /// Cells that complete a run.
    attacker_completes: u64,
    defender_completes: u64,
    /// How much each cell matters, by bit; 0 for cells of no open line.
    weights: [u32; 64],
}

impl Scores {
    fn of(geometry: &Geometry, attacker: u64, defender: u64) -> Scores {
        let mut scores = Scores {
            danger: 0,
            attacker_completes: 0,
            defender_completes: 0,
            weights: [0; 64],
        };
        let nearly = geometry.k - 1;
        for &line in &geometry.lines {
            let (mine, theirs) = (line & attacker, line & defender);
            if mine != 0 && theirs != 0 {
                continue;
            }
            let open = line & !(mine | theirs);
            let stones = (mine | theirs).count_ones();
            if theirs == 0 {
                scores.danger += 1 << stones;
                scores.attacker_completes |= if stones == nearly { open } else { 0 };
            }
            if mine == 0 && stones == nearly {
                scores.defender_completes |= open;
            }
            for bit in singles(open) {
                scores.weights[bit.trailing_zeros() as usize] += 1 << (3 * stones);
            }
        }
        scores
    }

    /// The empty cells of open lines, the weightiest first.
    fn candidates(&self, empty: u64) -> impl Iterator<Item = u64> + use<> {
        let mut cells = [(0u32, 0u64); 64];
        let mut count = 0;
        for bit in singles(empty) {
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

/// Answers by position: a slot keeps the latest.
///
/// Zeros are an empty slot, so that a table costs nothing before it is filled: every key has [`Table::PRESENT`].
#[derive(Debug)]
struct Table {
    slots: Vec<[u64; 2]>,
}

impl Table {
    // None of these bits belongs to a cell.
    const PRESENT: u64 = 1 << 62;
    const ATTACKING: u64 = 1 << 63;
    const YES: u64 = 1 << 63;

    fn new(slots: usize) -> Table {
        Table {
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
