//! The suite that every game runs: what must hold whatever the rules are.

use std::fmt::Debug;

use rand::Rng;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

use crate::playout::draw;
use crate::{Notation, Outcome, Seat, Turn, below, perft};

/// How hard to try. Every check panics with the position's text when it fails.
///
/// ```
/// use parlor_core::testing::{Suite, pig::Pig};
/// Suite { games: 20, ..Suite::default() }.run(&Pig::new(20));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Suite {
    /// Random games to play.
    pub games: u32,
    /// No game may be longer than this many plies.
    pub max_plies: u32,
    /// Seed of the random games.
    pub seed: u64,
    /// How many moves of other positions are offered to `check` in each position.
    pub strangers: usize,
}

impl Default for Suite {
    fn default() -> Self {
        Suite {
            games: 100,
            max_plies: 10_000,
            seed: 1,
            strangers: 24,
        }
    }
}

impl Suite {
    /// Plays random games from `start` and checks every position on the way.
    ///
    /// # Panics
    /// When the game breaks a rule of the suite, with what and where.
    pub fn run<P: Notation>(&self, start: &P) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let mut pool = Vec::new();
        for _ in 0..self.games {
            self.game(start, &mut rng, &mut pool);
        }
    }

    fn game<P: Notation, R: Rng>(&self, start: &P, rng: &mut R, pool: &mut Vec<P::Move>) {
        let mut position = start.clone();
        let mut log = Vec::new();
        let mut plies = 0;
        loop {
            position_is_sound(&position);
            check_agrees(&position, pool);
            let before = position.text();
            let parent = position.clone();
            match position.turn() {
                Turn::Over(outcome) => {
                    payoffs_sum(outcome, position.seats());
                    break;
                }
                Turn::Chance => {
                    let chances = position.chances();
                    let chance = draw(rng, &chances).expect("a chance has weights above 0");
                    log.push(Step::Chance(position.chance_text(chance)));
                    position.resolve(chance);
                }
                Turn::Move(_) => {
                    let m = position
                        .random_move(rng, &mut Vec::new())
                        .expect("a seat to move has a move");
                    remember(pool, &m, self.strangers, rng);
                    log.push(Step::Move(position.move_text(&m)));
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
        replay_equals(start, &log, &position);
    }
}

enum Step {
    Move(String),
    Chance(String),
}

fn remember<M: Clone, R: Rng>(pool: &mut Vec<M>, m: &M, limit: usize, rng: &mut R) {
    if pool.len() < limit {
        pool.push(m.clone());
    } else if limit > 0 {
        pool[below(rng, limit as u32) as usize] = m.clone();
    }
}

/// Over, chance and move agree with the lists; texts are distinct and read back.
fn position_is_sound<P: Notation>(position: &P) {
    let text = position.text();
    let moves = position.legal_moves();
    let chances = position.chances();
    match position.turn() {
        Turn::Over(_) => assert!(
            moves.is_empty() && chances.is_empty(),
            "over, but not the end: {text}"
        ),
        Turn::Chance => {
            assert!(
                !chances.is_empty() && moves.is_empty(),
                "luck's turn without chances, or with moves: {text}"
            )
        }
        Turn::Move(seat) => {
            assert!(
                seat.number() < position.seats(),
                "seat {seat} of {} is on turn: {text}",
                position.seats()
            );
            assert!(
                !moves.is_empty() && chances.is_empty(),
                "a seat's turn without moves, or with chances: {text}"
            );
        }
    }
    assert!(
        chances.iter().all(|(_, weight)| *weight > 0),
        "a chance without weight: {text}"
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
            .unwrap_or_else(|| panic!("{m:?} belongs to nobody: {text}"));
        assert!(
            seat.number() < position.seats(),
            "{m:?} belongs to seat {seat}: {text}"
        );
    }
    round_trips(
        &moves,
        |m| position.move_text(m),
        |t| position.parse_move(t),
        &text,
    );
    let outcomes: Vec<P::Chance> = chances.into_iter().map(|(chance, _)| chance).collect();
    round_trips(
        &outcomes,
        |c| position.chance_text(c),
        |t| position.parse_chance(t),
        &text,
    );
    let again =
        P::from_text(&text).unwrap_or_else(|reason| panic!("its own text is refused: {reason}"));
    assert_eq!(
        again.text(),
        text,
        "the text of a position does not round-trip"
    );
    assert_eq!(
        again.turn(),
        position.turn(),
        "read back, the turn is another: {text}"
    );
    assert_eq!(
        again.legal_moves(),
        moves,
        "read back, the moves are others: {text}"
    );
}

fn round_trips<T: PartialEq + Debug, E: Debug>(
    items: &[T],
    write: impl Fn(&T) -> String,
    read: impl Fn(&str) -> Result<T, E>,
    at: &str,
) {
    let mut texts: Vec<String> = items.iter().map(&write).collect();
    for (item, text) in items.iter().zip(&texts) {
        assert!(
            !text.is_empty() && !text.contains(char::is_whitespace),
            "{text:?} is no single word: {at}"
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
        "two different things have one text: {at}"
    );
}

/// A stranger's move is refused, or leads where a listed move leads.
fn check_agrees<P: Notation>(position: &P, pool: &[P::Move]) {
    let moves = position.legal_moves();
    for stranger in pool.iter().filter(|m| !moves.contains(m)) {
        if position.check(stranger).is_err() {
            continue;
        }
        let reach = |m: &P::Move| {
            let mut child = position.clone();
            child.play_unchecked(m);
            child.text()
        };
        let there = reach(stranger);
        let listed = moves.iter().any(|m| reach(m) == there);
        assert!(
            listed,
            "{stranger:?} passes check but is not generated: {}",
            position.text()
        );
    }
}

fn payoffs_sum(outcome: Outcome, seats: u8) {
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
    assert_eq!(sum, expected, "the payoffs of {outcome:?} do not sum");
}

fn replay_equals<P: Notation>(start: &P, log: &[Step], end: &P) {
    let mut again = start.clone();
    for step in log {
        match step {
            Step::Move(text) => {
                again.play(&again.parse_move(text).expect("a logged move reads back"))
            }
            Step::Chance(text) => again.resolve(
                &again
                    .parse_chance(text)
                    .expect("a logged chance reads back"),
            ),
        }
    }
    assert_eq!(
        again.text(),
        end.text(),
        "replaying the log leads elsewhere"
    );
}

/// Checks a table of perft counts against the generator.
///
/// The table is text: a line `position TEXT` (or `position startpos`) begins a block, the lines `DEPTH COUNT` after it
/// are facts about it, `#` begins a comment. Counts above `limit` are left out. Returns how many counts were checked.
///
/// # Panics
/// When a count is wrong or the table cannot be read.
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
