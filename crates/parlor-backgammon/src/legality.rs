//! Legality of moves, step by step and with the reason for a refusal. Independent of the generator.

use crate::game::{Game, Move, Phase};
use crate::generator::PlaySink;
use crate::illegal::Illegal;
use crate::play::{CheckerStep, Play};
use crate::{BAR, Board, Dice, Die, OFF};

/// Replaces the contents of `out` with the plays for these dice.
pub(crate) fn moves_into(board: &Board, dice: Dice, out: &mut Vec<Move>) {
    board.plays_to(dice, out);
}

impl PlaySink for Vec<Move> {
    #[inline]
    fn emit(&mut self, play: &Play, _: Board) {
        self.push(Move::Play(*play));
    }

    fn discard(&mut self) {
        self.clear();
    }
}

pub(crate) fn check(game: &Game, m: &Move) -> Result<(), Illegal> {
    match (game.phase(), m) {
        _ if game.resigning().is_some() => match m {
            Move::Accept | Move::Refuse => Ok(()),
            _ => Err(Illegal::AnswerTheResignation),
        },
        (_, Move::Resign(_)) if game.can_resign() => Ok(()),
        (Phase::Cube | Phase::Moving(_), Move::Resign(_)) => Err(Illegal::Refused),
        (
            Phase::Cube | Phase::Moving(_) | Phase::Doubled | Phase::Beavered,
            Move::Accept | Move::Refuse,
        ) => Err(Illegal::NoResignation),
        (Phase::Over, _) => Err(Illegal::Over),
        (Phase::Opening | Phase::Rolling, _) => Err(Illegal::NotRolled),
        (Phase::Moving(dice), Move::Play(play)) => check_play(&game.board(), dice, play),
        (Phase::Moving(_), _) => Err(Illegal::DiceToPlay),
        (Phase::Cube, Move::Roll | Move::Double) => Ok(()),
        (Phase::Cube, Move::Play(_)) => Err(Illegal::RollFirst),
        (Phase::Cube, _) => Err(Illegal::NoDouble),
        (Phase::Doubled | Phase::Beavered, Move::Take | Move::Drop) => Ok(()),
        (Phase::Doubled, Move::Beaver) if game.can_beaver() => Ok(()),
        (Phase::Doubled | Phase::Beavered, Move::Beaver) => Err(Illegal::NoBeaver),
        (Phase::Doubled | Phase::Beavered, _) => Err(Illegal::AnswerTheDouble),
    }
}

/// Checks a play: its steps, in some order, must follow the rules one by one, and no more dice can
/// have been playable.
fn check_play(board: &Board, dice: Dice, play: &Play) -> Result<(), Illegal> {
    if play.is_pass() {
        return if board.is_stuck(dice) {
            Ok(())
        } else {
            Err(Illegal::MustMove)
        };
    }
    let result = board_after(board, dice, play)?;
    let mut results: Vec<(Play, Board)> = Vec::new();
    board.results_into(dice, &mut results);
    if results.iter().any(|(_, after)| *after == result) {
        return Ok(());
    }
    let can = results.first().map_or(0, |(play, _)| play.steps().len());
    match dice {
        Dice::Two { high, .. } if can == play.steps().len() => {
            Err(Illegal::MustUseHigher { die: high })
        }
        _ => Err(Illegal::MustUseMore { can: can as u8 }),
    }
}

/// Returns the board after the steps, made in the first order that the rules allow.
///
/// # Errors
/// Returns the reason why the steps cannot be made in the given order.
pub(crate) fn board_after(board: &Board, dice: Dice, play: &Play) -> Result<Board, Illegal> {
    let as_given = make_steps(*board, &dice.faces(), play.steps());
    as_given.or_else(|reason| {
        let mut steps = play.steps().to_vec();
        steps.sort_by_key(|step| std::cmp::Reverse(step.from));
        orders(&steps)
            .into_iter()
            .find_map(|order| make_steps(*board, &dice.faces(), &order).ok())
            .ok_or(reason)
    })
}

/// Returns all orders of up to four steps, the given one first.
fn orders(steps: &[CheckerStep]) -> Vec<Vec<CheckerStep>> {
    if steps.len() <= 1 {
        return vec![steps.to_vec()];
    }
    let mut all = Vec::new();
    for first in 0..steps.len() {
        let mut rest = steps.to_vec();
        let step = rest.remove(first);
        for order in orders(&rest) {
            all.push(std::iter::once(step).chain(order).collect());
        }
    }
    all
}

/// Makes the steps one by one, each with one of the dice.
///
/// # Errors
/// Returns the reason why a step cannot be made after those before it.
fn make_steps(board: Board, dice: &[Die], steps: &[CheckerStep]) -> Result<Board, Illegal> {
    let Some((step, rest)) = steps.split_first() else {
        return Ok(board);
    };
    let mut refused = None;
    for (n, die) in dice
        .iter()
        .enumerate()
        .filter(|(n, die)| !dice[..*n].contains(die))
    {
        if board.step_with(step.from, *die) == Ok(*step) {
            let left = [&dice[..n], &dice[n + 1..]].concat();
            match make_steps(board.stepped(*step), &left, rest) {
                Ok(after) => return Ok(after),
                Err(reason) => refused = refused.or(Some(reason)),
            }
        }
    }
    Err(refused.unwrap_or_else(|| step_refusal(&board, dice, *step)))
}

/// Returns the reason why none of the dice makes this step.
fn step_refusal(board: &Board, dice: &[Die], step: CheckerStep) -> Illegal {
    let CheckerStep { from, to } = step;
    if to >= from || from > BAR {
        return Illegal::NoStep { from, to };
    }
    let reaches = |die: &&Die| {
        if to == OFF {
            die.pips() >= from
        } else {
            die.pips() == step.pips()
        }
    };
    match dice
        .iter()
        .find(reaches)
        .or(dice.first())
        .map(|die| board.step_with(from, *die))
    {
        Some(Err(reason @ (Illegal::NoChecker { .. } | Illegal::BarFirst))) => reason,
        Some(Err(reason)) if dice.iter().any(|die| reaches(&die)) => reason,
        _ => Illegal::NoDie { from, to },
    }
}

impl Board {
    /// Returns `true` if nothing can be played with these dice.
    pub fn is_stuck(&self, dice: Dice) -> bool {
        !dice
            .faces()
            .iter()
            .any(|die| (1..=BAR).any(|from| self.step_with(from, *die).is_ok()))
    }

    /// Returns the step that a die makes from a point, judged on its own: a complete play may have
    /// to use the dice differently.
    ///
    /// # Errors
    /// Returns the reason if the die cannot move a checker from there.
    pub fn step_with(&self, from: u8, die: Die) -> Result<CheckerStep, Illegal> {
        let mover = self.mover();
        if from == OFF || mover.count(from) == 0 {
            return Err(Illegal::NoChecker { from });
        }
        if mover.bar() > 0 && from != BAR {
            return Err(Illegal::BarFirst);
        }
        let step = CheckerStep {
            from,
            to: from.saturating_sub(die.pips()),
        };
        if step.to != OFF {
            return if self.is_blocked(step.to) {
                Err(Illegal::Blocked { to: step.to })
            } else {
                Ok(step)
            };
        }
        if !mover.is_home() {
            return Err(Illegal::NotHome);
        }
        if die.pips() > from && mover.rearmost() > from {
            return Err(Illegal::HigherFirst { from });
        }
        Ok(step)
    }
}
