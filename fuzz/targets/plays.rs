//! Any board, any dice, any play: the generator lists what the plain rules lead to, and the check
//! agrees with both.

#![no_main]

use std::collections::BTreeSet;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use parlor_backgammon::{
    Board, CheckerStep, Dice, Die, Move, Phase, Play, Roll, Rules, Setup, Side, WHITE,
};
use parlor_core::{Notation, Position};

#[path = "../../crates/parlor-backgammon/tests/backgammon/plain.rs"]
mod plain;

#[derive(Arbitrary, Debug)]
struct Input {
    mover: [u8; 15],
    other: [u8; 15],
    dice: [u8; 2],
    /// Below four the dice are a double of which so many remain.
    left: u8,
    steps: [(u8, u8); 4],
    count: u8,
}

impl Input {
    fn board(&self) -> Board {
        let mut counts = [[0u8; 26]; 2];
        for point in self.mover {
            counts[0][usize::from(point % 26)] += 1;
        }
        for point in self.other.map(|point| usize::from(point % 26)) {
            let taken = (1..=24).contains(&point) && counts[0][25 - point] > 0;
            counts[1][if taken { 0 } else { point }] += 1;
        }
        let [mover, other] =
            counts.map(|counts| Side::from_counts(&counts).expect("fifteen checkers"));
        Board::new(mover, other).expect("no point is shared")
    }

    fn dice(&self) -> Dice {
        let [one, other] = self.dice.map(|n| Die::new(n % 6 + 1).expect("a face"));
        if self.left < 4 {
            Dice::Same {
                die: one,
                times: self.left + 1,
            }
        } else {
            Roll::new(one, other).into()
        }
    }

    fn play(&self) -> Play {
        let steps = self.steps.map(|(from, to)| CheckerStep {
            from: from % 28,
            to: to % 28,
        });
        Play::new(&steps[..usize::from(self.count % 5)]).expect("at most four")
    }
}

fuzz_target!(|input: Input| {
    let (board, dice, play) = (input.board(), input.dice(), input.play());
    let setup = Setup {
        counts: [board.mover().counts(), board.other().counts()],
        on_roll: WHITE,
        phase: Phase::Moving(dice),
        ..Setup::new(Rules::GAME)
    };
    let Ok(game) = setup.validate() else { return };
    let known = plain::results(&board, &plain::faces(dice));
    let mut listed: Vec<(Play, Board)> = Vec::new();
    board.results_into(dice, &mut listed);
    assert_eq!(listed.len(), known.len());
    assert_eq!(
        listed
            .iter()
            .map(|(_, after)| *after)
            .collect::<BTreeSet<_>>(),
        known
    );
    assert_eq!(board.count_plays(dice), known.len() as u64);
    for (play, after) in &listed {
        assert_eq!(board.played(play), *after);
        assert_eq!(game.check(&Move::Play(*play)), Ok(()));
    }
    let mut ends = BTreeSet::new();
    plain::walks(&board, &plain::faces(dice), play.steps(), &mut ends);
    let legal = ends.iter().any(|end| known.contains(end));
    assert_eq!(game.check(&Move::Play(play)).is_ok(), legal, "{play:?}");
    let text = game.move_text(&Move::Play(play));
    if legal {
        let read = game
            .parse_move(&text)
            .expect("what was written can be read");
        let after = |m: &Move| {
            let mut game = game.clone();
            game.play(m);
            game
        };
        assert_eq!(after(&read), after(&Move::Play(play)), "{text}");
    }
});
