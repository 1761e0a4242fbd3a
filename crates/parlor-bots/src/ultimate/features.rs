//! Input features of the net, as the indices of those that are active.
//!
//! Features are seen from the seat on turn: *mine* and *theirs*.

use super::state::{ALL, FREE, LINES, UltimateState, bits, completing};

/// Number of features of one board's marks.
pub(super) const PER_BOARD: usize = 76;

/// Marks on each of the nine undecided boards.
pub(super) const BOARDS: usize = 0;
/// Marks on a board whose win would win the game for me.
pub(super) const MINE_DECIDES: usize = BOARDS + 9 * PER_BOARD;
/// Marks on a board whose win would win the game for them.
pub(super) const THEIRS_DECIDES: usize = MINE_DECIDES + PER_BOARD;
/// Marks on the target board.
pub(super) const TARGET: usize = THEIRS_DECIDES + PER_BOARD;
/// Marks on the target board if its win would win the game for me.
pub(super) const TARGET_MINE_DECIDES: usize = TARGET + PER_BOARD;
/// Marks on the target board if its win would win the game for them.
pub(super) const TARGET_THEIRS_DECIDES: usize = TARGET_MINE_DECIDES + PER_BOARD;
/// Index of the target board, or a free choice.
pub(super) const WHICH: usize = TARGET_THEIRS_DECIDES + PER_BOARD;
/// Owners of the three boards of each line: a number below 64 for each of the eight lines.
pub(super) const OWNERS: usize = WHICH + 10;
/// Number of features.
pub(super) const FEATURES: usize = OWNERS + 8 * 64;

/// Calls `on` with the features, below [`PER_BOARD`], of the marks on one board.
pub(super) fn each_board_feature(mine: u16, theirs: u16, mut on: impl FnMut(usize)) {
    bits(mine).for_each(&mut on);
    bits(theirs).for_each(|square| on(9 + square));
    let mut alive = [false; 2];
    for (line, mask) in LINES.into_iter().enumerate() {
        let (m, t) = (
            (mine & mask).count_ones() as usize,
            (theirs & mask).count_ones() as usize,
        );
        alive[0] |= t == 0;
        alive[1] |= m == 0;
        match (m, t) {
            (1 | 2, 0) => on(18 + 4 * line + m - 1),
            (0, 1 | 2) => on(20 + 4 * line + t - 1),
            _ => {}
        }
    }
    let empty = ALL & !(mine | theirs);
    for (at, marks) in [(0, mine), (1, theirs)] {
        let wins = completing(marks) & empty;
        bits(wins).for_each(|square| on(50 + 9 * at + square));
        if wins != 0 {
            on(67 + 3 * at + wins.count_ones().min(3) as usize);
        }
        if !alive[at] {
            on(74 + at);
        }
    }
}

/// Returns the owners of the boards of a line, encoded as a number below 64.
#[inline]
pub(super) fn owners(line: usize, mine: u16, theirs: u16, drawn: u16) -> usize {
    bits(LINES[line]).fold(0, |number, board| {
        let has = |mask: u16| usize::from(mask >> board & 1);
        number * 4 + has(mine) + 2 * has(theirs) + 3 * has(drawn)
    })
}

/// Calls `on` with every active feature of a position.
pub(super) fn each_feature(state: &UltimateState, mut on: impl FnMut(usize)) {
    let side = usize::from(state.side);
    let won = (state.won[side], state.won[side ^ 1]);
    let live = state.live();
    let (mine, theirs) = (completing(won.0) & live, completing(won.1) & live);
    for board in bits(live) {
        let target = usize::from(state.target) == board;
        let (decides, threatens) = (mine >> board & 1 != 0, theirs >> board & 1 != 0);
        let (m, t) = state.pair(board);
        each_board_feature(m, t, |feature| {
            on(BOARDS + board * PER_BOARD + feature);
            let mut when = |holds: bool, base: usize| {
                if holds {
                    on(base + feature);
                }
            };
            when(decides, MINE_DECIDES);
            when(threatens, THEIRS_DECIDES);
            when(target, TARGET);
            when(target && decides, TARGET_MINE_DECIDES);
            when(target && threatens, TARGET_THEIRS_DECIDES);
        });
    }
    on(WHICH + usize::from(state.target.min(FREE)));
    for line in 0..8 {
        on(OWNERS + line * 64 + owners(line, won.0, won.1, state.drawn));
    }
}
