//! Transposition table of the alpha-beta search.

/// Relation of a stored score to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// The true score is at least this.
    Lower,
    /// The score is exact.
    Exact,
    /// The true score is at most this.
    Upper,
}

/// Stored search result of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct TranspositionEntry {
    pub(super) key: u64,
    /// Score for the seat to move, with wins counted from this position.
    pub(super) score: i32,
    /// Best move found.
    pub(super) best: u16,
    /// Depth of the search.
    pub(super) depth: i8,
    pub(super) bound: Bound,
    /// True if the bound is proven: nothing below it was estimated.
    pub(super) proven: bool,
}

/// Direct-mapped table; a proven entry is not replaced by an unproven one of the same position.
pub(super) struct TranspositionTable {
    slots: Vec<Option<TranspositionEntry>>,
}

impl TranspositionTable {
    /// Creates a table of `1 << bits` entries of 24 bytes.
    pub(super) fn new(bits: u32) -> TranspositionTable {
        TranspositionTable {
            slots: vec![None; 1 << bits],
        }
    }

    /// Returns the size of the table in bytes.
    pub(super) fn memory(&self) -> usize {
        size_of_val(self.slots.as_slice())
    }

    pub(super) fn get(&self, key: u64) -> Option<TranspositionEntry> {
        self.slots[self.slot(key)].filter(|entry| entry.key == key)
    }

    pub(super) fn put(&mut self, entry: TranspositionEntry) {
        let slot = self.slot(entry.key);
        let keep =
            self.slots[slot].is_some_and(|old| old.key == entry.key && old.proven && !entry.proven);
        if !keep {
            self.slots[slot] = Some(entry);
        }
    }

    fn slot(&self, key: u64) -> usize {
        key as usize & (self.slots.len() - 1)
    }
}
