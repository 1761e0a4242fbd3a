//! All plays of a roll as listed by GNU Backgammon. Needs its program, given by
//! `PARLOR_TEST_GNUBG`.

use std::collections::BTreeSet;

use parlor_backgammon::{Board, Dice, Game, Roll, Rules};
use parlor_core::playout::Scratch;
use parlor_core::{Position, random_below};
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};

use crate::brute::side;
use crate::gnubg_formats::{Folder, gnubg, run};

/// Answers each line, a board and a roll, with the boards after each play in GNU Backgammon's
/// hints. Plays one of each list itself and stops if the result differs.
const SCRIPT: &str = r"
def after(row, play):
    own = [ord(c) - 64 if 'A' <= c <= 'O' else 0 for c in row]
    other = [ord(c) - 96 if 'a' <= c <= 'o' else 0 for c in row]
    for start, end in play:
        own[start] -= 1
        if end > 0:
            own[end] += 1
            if other[end]:
                other[end] -= 1
                other[0] += 1
    return own, other

def text(own, other):
    assert all(a >= 0 and b in (0, 1) or a == 0 for a, b in zip(own, other))
    return ''.join(chr(64 + a) if a else chr(96 + b) if b else '-' for a, b in zip(own, other))

def played(move):
    gnubg.command('move ' + move)
    mine, yours = gnubg.board()
    if gnubg.posinfo()['turn'] == 1:
        return None
    own = [0] + list(mine)
    other = [yours[24]] + list(yours[23::-1]) + [0]
    return own, other

out = open('out', 'w')
for c in ['display off', 'player 0 human', 'player 1 human', 'confirm new off', 'automatic game off', 'automatic roll off',
          'automatic move off', 'automatic bearoff off', 'evaluation chequerplay evaluation plies 0',
          'evaluation chequerplay evaluation cubeful off']:
    gnubg.command('set ' + c)
gnubg.command('new session')
for n, line in enumerate(lines):
    row, dice = line.split()
    gnubg.command('set xgid XGID=%s:0:0:1:%s:0:0:0:0:10' % (row, dice))
    try:
        plays = [hint['move'] for hint in gnubg.hint(10000)['hint']]
    except RuntimeError:
        plays = []
    results = [after(row, gnubg.parsemove(play)) for play in plays]
    if plays and n % 5 == 0:
        at = n % len(plays)
        seen = played(plays[at])
        expected = results[at]
        if seen is not None and seen != expected:
            raise SystemExit('%s %s %s: %s, not %s' % (row, dice, plays[at], seen, expected))
    out.write(' '.join(sorted(text(*result) for result in results) or ['pass']) + '\n')
out.close()
";

/// Returns a board in the form of an XGID, the mover in capitals.
fn row(board: &Board) -> String {
    let character = |place: u8| match (board.mover().count(place), board.other().count(25 - place))
    {
        (own, _) if own > 0 && place > 0 => char::from(b'A' - 1 + own),
        (_, other) if other > 0 && place < 25 => char::from(b'a' - 1 + other),
        _ => '-',
    };
    (0..=25).map(character).collect()
}

/// Returns boards and rolls from random games, and some that no game would produce.
fn positions() -> Vec<(Board, Roll)> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut scratch: Scratch<Game> = Scratch::default();
    let mut positions = Vec::new();
    while positions.len() < 6_000 {
        let mut game = Game::new(Rules::GAME);
        while !game.turn().is_over() {
            if let Some(dice) = game.dice() {
                let faces = dice.faces();
                if random_below(&mut rng, 5) == 0 {
                    positions.push((game.board(), Roll::new(faces[0], faces[1])));
                }
                let m = game
                    .random_move(&mut rng, &mut scratch.moves)
                    .expect("dice lie");
                game.play_unchecked(&m);
            } else {
                let chance = game
                    .random_chance(&mut rng, &mut scratch.chances)
                    .expect("luck decides");
                game.resolve_unchecked(&chance);
            }
        }
    }
    for seed in 0..4_000u64 {
        let (mover, taken) = side(seed, 3 + (seed % 23) as u8, 0);
        let (other, _) = side(seed + 1_000_000, 25 - (seed % 19) as u8, taken);
        if mover.off() < 15 && other.off() < 15 {
            let roll = Roll::all().nth((seed % 21) as usize).expect("one of 21");
            positions.push((Board::new(mover, other).expect("no point is shared"), roll));
        }
    }
    positions
}

fn results(board: &Board, roll: Roll) -> BTreeSet<String> {
    let mut boards: Vec<Board> = Vec::new();
    board.afterstates_into(Dice::from(roll), &mut boards);
    if boards == [*board] {
        return BTreeSet::from(["pass".to_owned()]);
    }
    boards.iter().map(row).collect()
}

#[test]
#[ignore = "needs PARLOR_TEST_GNUBG"]
fn every_roll_has_the_results_that_gnubg_lists() {
    let gnubg = gnubg();
    let positions = positions();
    let count =
        |which: &dyn Fn(&(Board, Roll)) -> bool| positions.iter().filter(|p| which(p)).count();
    let sorts = [
        count(&|(board, _)| board.mover().bar() > 0),
        count(&|(board, _)| board.mover().bar() > 1),
        count(&|(board, _)| board.mover().is_home()),
        count(&|(_, roll)| roll.is_double()),
        count(&|(board, roll)| results(board, *roll).contains("pass")),
    ];
    assert!(
        positions.len() > 9_000 && sorts.iter().all(|n| *n > 250),
        "{sorts:?} of {}",
        positions.len()
    );
    let lines: Vec<String> = positions
        .iter()
        .map(|(board, roll)| format!("{} {roll}", row(board)))
        .collect();
    // GNU Backgammon waits ten milliseconds per answer, so several instances run in parallel.
    let parts: Vec<&[String]> = lines.chunks(lines.len().div_ceil(12)).collect();
    let answer = &|part: usize| {
        run(
            &gnubg,
            &Folder::new(&format!("moves-{part}")),
            SCRIPT,
            parts[part],
        )
    };
    let answers: Vec<String> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..parts.len())
            .map(|part| scope.spawn(move || answer(part)))
            .collect();
        running
            .into_iter()
            .flat_map(|part| part.join().expect("it ends"))
            .collect()
    });
    assert_eq!(answers.len(), lines.len());
    let mut plays = 0;
    for (((board, roll), line), answer) in positions.iter().zip(&lines).zip(&answers) {
        let theirs: Vec<&str> = answer.split(' ').collect();
        let distinct: BTreeSet<String> = theirs.iter().map(|row| (*row).to_owned()).collect();
        assert_eq!(results(board, *roll), distinct, "{line}");
        assert_eq!(
            theirs.len(),
            distinct.len(),
            "{line}: it lists a result twice"
        );
        plays += theirs.len();
    }
    eprintln!("{plays} plays of {} positions, {sorts:?}", positions.len());
}
