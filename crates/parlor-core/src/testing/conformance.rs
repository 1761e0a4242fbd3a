//! The conformance suite: properties that every game must have, whatever its rules.

use std::fmt::Debug;

use rand::Rng;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

use crate::playout::choose_weighted;
use crate::{Notation, Outcome, Seat, Turn, perft, random_below};

/// Configuration of the conformance suite. A failing check panics with the position's text.
///
/// ```
/// use parlor_core::testing::{Suite, pig::Pig};
/// Suite { games: 20, ..Suite::default() }.run(&Pig::new(20));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Suite {
    /// Number of random games to play.
    pub games: u32,
    /// Maximum number of plies of a game; a longer one fails.
    pub max_plies: u32,
    /// Seed of the random games.
    pub seed: u64,
    /// Number of moves from other positions that are passed to `check` in each position.
    pub foreign_moves: usize,
}

impl Default for Suite {
    fn default() -> Self {
        Suite {
            games: 100,
            max_plies: 10_000,
            seed: 1,
            foreign_moves: 24,
        }
    }
}

impl Suite {
    /// Plays random games from `start` and checks every position on the way.
    ///
    /// # Panics
    /// Panics with a description and the position if a check fails.
    pub fn run<P: Notation>(&self, start: &P) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let mut pool = Vec::new();
        for _ in 0..self.games {
            self.play_game(start, &mut rng, &mut pool);
        }
    }

    fn play_game<P: Notation, R: Rng>(&self, start: &P, rng: &mut R, pool: &mut Vec<P::Move>) {
        let mut position = start.clone();
        let mut log = Vec::new();
        let mut plies = 0;
        loop {
            assert_consistent(&position);
            assert_check_agrees(&position, pool);
            let before = position.text();
            let parent = position.clone();
            match position.turn() {
                Turn::Over(outcome) => {
                    assert_payoffs_sum(outcome, position.seats());
                    break;
                }
                Turn::Chance => {
                    let chances = position.chances();
                    let chance =
                        choose_weighted(rng, &chances).expect("a chance has weights above 0");
                    log.push(ReplayStep::Chance(position.chance_text(chance)));
                    position.resolve(chance);
                }
                Turn::Move(_) => {
                    let m = position
                        .random_move(rng, &mut Vec::new())
                        .expect("the seat to move has a legal move");
                    remember_move(pool, &m, self.foreign_moves, rng);
                    log.push(ReplayStep::Move(position.move_text(&m)));
                    position.play(&m);
                    plies += 1;
                }
            }
            assert_eq!(
                parent.text(),
                before,
                "playing on a clone changed the original"
            );
            assert!(
                plies <= self.max_plies,
                "no end after {plies} plies: {}",
                position.text()
            );
        }
        assert_replays_to(start, &log, &position);
    }
}

enum ReplayStep {
    Move(String),
    Chance(String),
}

fn remember_move<M: Clone, R: Rng>(pool: &mut Vec<M>, m: &M, limit: usize, rng: &mut R) {
    if pool.len() < limit {
        pool.push(m.clone());
    } else if limit > 0 {
        pool[random_below(rng, limit as u32) as usize] = m.clone();
    }
}

/// Checks that the turn agrees with the moves and chances, and that all texts are distinct and
/// round-trip.
fn assert_consistent<P: Notation>(position: &P) {
    let text = position.text();
    let moves = position.legal_moves();
    let chances = position.chances();
    match position.turn() {
        Turn::Over(_) => assert!(
            moves.is_empty() && chances.is_empty(),
            "game over, but moves or chances remain: {text}"
        ),
        Turn::Chance => {
            assert!(
                !chances.is_empty() && moves.is_empty(),
                "chance turn without chances, or with moves: {text}"
            )
        }
        Turn::Move(seat) => {
            assert!(
                seat.number() < position.seats(),
                "seat {seat} of {} is to move: {text}",
                position.seats()
            );
            assert!(
                !moves.is_empty() && chances.is_empty(),
                "seat turn without moves, or with chances: {text}"
            );
        }
    }
    assert!(
        chances.iter().all(|(_, weight)| *weight > 0),
        "a chance has weight 0: {text}"
    );
    assert_eq!(
        position.count_moves(&mut Vec::new()),
        moves.len() as u64,
        "count_moves disagrees: {text}"
    );
    for m in &moves {
        position
            .check(m)
            .unwrap_or_else(|reason| panic!("{m:?} is generated but refused ({reason}): {text}"));
        let seat = position
            .mover(m)
            .unwrap_or_else(|| panic!("{m:?} has no mover: {text}"));
        assert!(
            seat.number() < position.seats(),
            "{m:?} belongs to seat {seat}: {text}"
        );
    }
    assert_round_trips(
        &moves,
        |m| position.move_text(m),
        |t| position.parse_move(t),
        &text,
    );
    let outcomes: Vec<P::Chance> = chances.into_iter().map(|(chance, _)| chance).collect();
    assert_round_trips(
        &outcomes,
        |c| position.chance_text(c),
        |t| position.parse_chance(t),
        &text,
    );
    let again = P::from_text(&text).unwrap_or_else(|reason| {
        panic!("the position cannot be parsed from its own text: {reason}")
    });
    assert_eq!(
        again.text(),
        text,
        "the text of a position does not round-trip"
    );
    assert_eq!(
        again.turn(),
        position.turn(),
        "parsing the text gives another turn: {text}"
    );
    assert_eq!(
        again.legal_moves(),
        moves,
        "parsing the text gives other moves: {text}"
    );
}

fn assert_round_trips<T: PartialEq + Debug, E: Debug>(
    items: &[T],
    write: impl Fn(&T) -> String,
    read: impl Fn(&str) -> Result<T, E>,
    at: &str,
) {
    let mut texts: Vec<String> = items.iter().map(&write).collect();
    for (item, text) in items.iter().zip(&texts) {
        assert!(
            !text.is_empty() && !text.contains(char::is_whitespace),
            "{text:?} is not a single word: {at}"
        );
        assert_eq!(
            read(text).as_ref().ok(),
            Some(item),
            "{text:?} does not read back: {at}"
        );
    }
    texts.sort();
    texts.dedup();
    assert_eq!(
        texts.len(),
        items.len(),
        "two different values have the same text: {at}"
    );
}

/// Checks that a move from another position is either refused or leads to the same position as a
/// legal move.
fn assert_check_agrees<P: Notation>(position: &P, pool: &[P::Move]) {
    let moves = position.legal_moves();
    for foreign in pool.iter().filter(|m| !moves.contains(m)) {
        if position.check(foreign).is_err() {
            continue;
        }
        let reach = |m: &P::Move| {
            let mut child = position.clone();
            child.play_unchecked(m);
            child.text()
        };
        let there = reach(foreign);
        let listed = moves.iter().any(|m| reach(m) == there);
        assert!(
            listed,
            "{foreign:?} passes check but is not generated: {}",
            position.text()
        );
    }
}

fn assert_payoffs_sum(outcome: Outcome, seats: u8) {
    let sum: i32 = Seat::all(seats)
        .map(|seat| outcome.payoff(seat, seats))
        .sum();
    let expected = match outcome {
        Outcome::Won { by, points } => {
            assert!(
                by.number() < seats && points > 0,
                "{outcome:?} at a table of {seats}"
            );
            0
        }
        Outcome::Draw => 0,
        Outcome::TeamWon => i32::from(seats),
        Outcome::TeamLost => -i32::from(seats),
    };
    assert_eq!(
        sum, expected,
        "the payoffs of {outcome:?} have the wrong sum"
    );
}

fn assert_replays_to<P: Notation>(start: &P, log: &[ReplayStep], end: &P) {
    let mut again = start.clone();
    for step in log {
        match step {
            ReplayStep::Move(text) => {
                again.play(&again.parse_move(text).expect("a logged move can be parsed"))
            }
            ReplayStep::Chance(text) => again.resolve(
                &again
                    .parse_chance(text)
                    .expect("a logged chance can be parsed"),
            ),
        }
    }
    assert_eq!(
        again.text(),
        end.text(),
        "replaying the log leads to another position"
    );
}

/// Checks a table of perft counts against the move generator.
///
/// Each block of the table begins with a line `position TEXT` (or `position startpos`), followed by
/// lines `DEPTH COUNT`; lines that start with `#` are comments. Counts above `limit` are skipped.
/// Returns the number of counts checked.
///
/// # Panics
/// Panics if a count is wrong or the table cannot be parsed.
pub fn perft_table<P: Notation>(start: &P, table: &str, limit: u64) -> usize {
    let mut position = start.clone();
    let mut checked = 0;
    for line in table
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        if let Some(text) = line.strip_prefix("position ") {
            position = match text.trim() {
                "startpos" => start.clone(),
                text => P::from_text(text).unwrap_or_else(|reason| panic!("{reason}")),
            };
            continue;
        }
        let numbers: Vec<u64> = line
            .split_whitespace()
            .map_while(|word| word.parse().ok())
            .collect();
        let [depth, count] = numbers[..] else {
            panic!("{line:?} is not a line of a perft table: DEPTH COUNT")
        };
        if count <= limit {
            assert_eq!(
                perft(&position, depth as u32),
                count,
                "perft {depth} of {}",
                position.text()
            );
            checked += 1;
        }
    }
    checked
}
