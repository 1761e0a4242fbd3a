//! A plain second implementation of the rules: the effect of one die, and every order tried. Slow,
//! and shares no code with the generator.

use std::collections::BTreeSet;

use parlor_backgammon::{Board, CheckerStep, Dice};

/// Returns the dice as pips.
pub fn faces(dice: Dice) -> Vec<u8> {
    dice.faces().iter().map(|die| die.pips()).collect()
}

/// Returns the step of a die from a point, by the rules alone.
pub fn step(board: &Board, from: u8, die: u8) -> Option<CheckerStep> {
    let mover = board.mover();
    if mover.count(from) == 0 || (mover.bar() > 0 && from != 25) {
        return None;
    }
    if from > die {
        let to = from - die;
        return (board.other().count(25 - to) < 2).then_some(CheckerStep { from, to });
    }
    let behind = |above: u8| (above + 1..=25).any(|point| mover.count(point) > 0);
    (from > 0 && !behind(6) && (from == die || !behind(from)))
        .then_some(CheckerStep { from, to: 0 })
}

/// Returns all final boards of playing the dice in every order, with the dice used.
fn ends(board: &Board, dice: &[u8]) -> BTreeSet<(Vec<u8>, Board)> {
    let mut open = BTreeSet::from([(Vec::new(), *board)]);
    let mut ends = BTreeSet::new();
    while let Some((used, board)) = open.pop_first() {
        let times = |dice: &[u8], die: u8| dice.iter().filter(|known| **known == die).count();
        let mut stuck = true;
        for die in (1..=6).filter(|die| times(&used, *die) < times(dice, *die)) {
            for step in (1..=25).filter_map(|from| step(&board, from, die)) {
                stuck = false;
                open.insert(([&used[..], &[die]].concat(), board.stepped(step)));
            }
        }
        if stuck {
            ends.insert((used, board));
        }
    }
    ends
}

/// Returns every distinct result of playing these dice: as many as possible, and if only one of
/// two, the higher.
pub fn results(board: &Board, dice: &[u8]) -> BTreeSet<Board> {
    let mut all = ends(board, dice);
    let most = all.iter().map(|(used, _)| used.len()).max().unwrap_or(0);
    all.retain(|(used, _)| used.len() == most);
    if most == 1 {
        let high = all.iter().map(|(used, _)| used[0]).max();
        all.retain(|(used, _)| Some(used[0]) == high);
    }
    all.into_iter().map(|(_, board)| board).collect()
}

/// Collects the boards that result from making exactly these steps, in any legal order, each with a
/// different die.
pub fn walks(board: &Board, dice: &[u8], steps: &[CheckerStep], out: &mut BTreeSet<Board>) {
    if steps.is_empty() {
        out.insert(*board);
    }
    for (n, wanted) in steps.iter().enumerate() {
        for (m, die) in dice.iter().enumerate() {
            if step(board, wanted.from, *die) == Some(*wanted) {
                let (steps, dice) = (
                    [&steps[..n], &steps[n + 1..]].concat(),
                    [&dice[..m], &dice[m + 1..]].concat(),
                );
                walks(&board.stepped(*wanted), &dice, &steps, out);
            }
        }
    }
}
