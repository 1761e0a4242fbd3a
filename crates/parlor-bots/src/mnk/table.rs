//! The transposition table of the alpha-beta search.

/// What a stored score says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// It is at least this.
    Lower,
    /// It is this.
    Exact,
    /// It is at most this.
    Upper,
}

/// What is known about a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) key: u64,
    /// Seen from the seat to move, wins counted from this position.
    pub(super) score: i32,
    /// The best move found.
    pub(super) best: u16,
    /// How deep the search below was.
    pub(super) depth: i8,
    pub(super) bound: Bound,
    /// Whether the bound is proven: nothing below was estimated.
    pub(super) proven: bool,
}

/// One entry per slot; a deeper one of the same position stays.
pub(super) struct Table {
    slots: Vec<Option<Entry>>,
}

impl Table {
    /// A table of `1 << bits` entries of 24 bytes.
    pub(super) fn new(bits: u32) -> Table {
        Table {
            slots: vec![None; 1 << bits],
        }
    }

    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        self.slots[self.slot(key)].filter(|entry| entry.key == key)
    }

    pub(super) fn put(&mut self, entry: Entry) {
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
