//! Bearing off without contact, compared with brute force and with GNU Backgammon's databases.

use std::collections::HashMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::rc::Rc;

use parlor_backgammon::{Board, CHECKERS, Cube, Game, Phase, Rules, Setup, Side, WHITE};
use parlor_bots::backgammon::{
    BackgammonEvaluator, BackgammonNets, Chances, NetPlayer, NetPlayerSettings,
};
use parlor_bots::{Nodes, Prng, Strategy};
use parlor_core::random_below;
use rand_xoshiro::rand_core::SeedableRng;

/// Numbers of checkers on the points 1 to 6.
type Home = [u8; 6];

const EMPTY: Home = [0; 6];

fn side(home: Home) -> Side {
    let mut counts = [0; 26];
    counts[1..7].copy_from_slice(&home);
    counts[0] = CHECKERS - home.iter().sum::<u8>();
    Side::from_counts(&counts).expect("fifteen checkers")
}

fn board(mover: Home, other: Home) -> Board {
    Board::new(side(mover), side(other)).expect("homes do not meet")
}

/// Returns every arrangement of 1 to `most` checkers on points up to `last`.
fn homes(most: u8, last: usize) -> Vec<Home> {
    let mut homes = vec![EMPTY];
    for point in 0..last {
        let room = |home: &Home| 0..=most - home.iter().sum::<u8>();
        homes = homes
            .iter()
            .flat_map(|home| room(home).map(|n| with(*home, point, n)))
            .collect();
    }
    homes.retain(|home| *home != EMPTY);
    homes
}

fn with(mut home: Home, point: usize, n: u8) -> Home {
    home[point] = n;
    home
}

/// Returns the results of playing one die; there is always one, as long as there is a checker.
fn one_die(home: Home, die: usize) -> Vec<Home> {
    let highest = (0..6).rev().find(|point| home[*point] > 0);
    let mut results = Vec::new();
    for point in (0..6).filter(|point| home[*point] > 0) {
        let mut after = home;
        after[point] -= 1;
        if point >= die {
            after[point - die] += 1;
            results.push(after);
        } else if point + 1 == die || Some(point) == highest {
            results.push(after);
        }
    }
    if results.is_empty() {
        vec![home]
    } else {
        results
    }
}

/// Returns the results of playing a roll of two dice.
fn plays(home: Home, dice: (usize, usize)) -> Vec<Home> {
    let orders = if dice.0 == dice.1 {
        vec![vec![dice.0; 4]]
    } else {
        vec![vec![dice.0, dice.1], vec![dice.1, dice.0]]
    };
    let mut all = Vec::new();
    for order in orders {
        let mut homes = vec![home];
        for die in order {
            homes = homes
                .into_iter()
                .flat_map(|home| one_die(home, die))
                .collect();
            homes.sort_unstable();
            homes.dedup();
        }
        all.extend(homes);
    }
    all
}

/// Results of every roll, each with its probability.
type Results = Rc<[(Vec<Home>, f64)]>;

fn all_plays(home: Home) -> Results {
    throws()
        .map(|(dice, share)| (plays(home, dice), share))
        .collect()
}

fn throws() -> impl Iterator<Item = ((usize, usize), f64)> {
    (1..=6).flat_map(|a| (1..=6).map(move |b| ((a, b), 1.0 / 36.0)))
}

/// Values of a position before the roll, without a double now: the chance to win, and the points
/// with a cube of 1 that is centered, the mover's, or the opponent's.
#[derive(Clone, Copy)]
struct Worth {
    win: f64,
    nobodys: f64,
    mine: f64,
    theirs: f64,
}

impl Worth {
    /// Returns the values if the mover doubles where it gains.
    fn doubled_or_not(self) -> Worth {
        let double = if 2.0 * self.theirs > 1.0 {
            1.0
        } else {
            2.0 * self.theirs
        };
        let better = |held: f64| if double > held { double } else { held };
        Worth {
            nobodys: better(self.nobodys),
            mine: better(self.mine),
            ..self
        }
    }
}

/// Brute-force recursion with its cache.
#[derive(Default)]
struct Brute {
    known: HashMap<(Home, Home), Worth>,
    plays: HashMap<Home, Results>,
}

impl Brute {
    fn worth(&mut self, mover: Home, other: Home) -> Worth {
        if let Some(known) = self.known.get(&(mover, other)) {
            return *known;
        }
        let mut sum = Worth {
            win: 0.0,
            nobodys: 0.0,
            mine: 0.0,
            theirs: 0.0,
        };
        let plays = Rc::clone(self.plays.entry(mover).or_insert_with(|| all_plays(mover)));
        for (afters, share) in plays.iter() {
            let least = f64::NEG_INFINITY;
            let mut best = Worth {
                win: least,
                nobodys: least,
                mine: least,
                theirs: least,
            };
            for &after in afters {
                let then = if after == EMPTY {
                    Worth {
                        win: 1.0,
                        nobodys: 1.0,
                        mine: 1.0,
                        theirs: 1.0,
                    }
                } else {
                    let next = self.worth(other, after).doubled_or_not();
                    Worth {
                        win: 1.0 - next.win,
                        nobodys: -next.nobodys,
                        mine: -next.theirs,
                        theirs: -next.mine,
                    }
                };
                best.win = best.win.max(then.win);
                best.nobodys = best.nobodys.max(then.nobodys);
                best.mine = best.mine.max(then.mine);
                best.theirs = best.theirs.max(then.theirs);
            }
            sum.win += share * best.win;
            sum.nobodys += share * best.nobodys;
            sum.mine += share * best.mine;
            sum.theirs += share * best.theirs;
        }
        self.known.insert((mover, other), sum);
        sum
    }
}

fn eval() -> BackgammonEvaluator {
    BackgammonEvaluator::new(&BackgammonNets::built_in())
}

#[test]
fn chances_with_few_checkers_agree_with_brute_force() {
    let (mut brute, eval, homes) = (Brute::default(), eval(), homes(3, 6));
    for mover in &homes {
        for other in &homes {
            let (exact, told) = (
                brute.worth(*mover, *other),
                eval.chances(&board(*mover, *other)),
            );
            assert!(
                (exact.win - f64::from(told.win)).abs() < 1e-6,
                "{mover:?} {other:?}: {} {told:?}",
                exact.win
            );
            assert_eq!(
                told,
                Chances {
                    win: told.win,
                    ..Chances::default()
                }
            );
        }
    }
}

#[test]
fn chances_with_six_checkers_agree_with_brute_force() {
    let (mut brute, eval) = (Brute::default(), eval());
    // Limited to the lowest points, where the recursion is shorter, plus one wide arrangement.
    let low = homes(6, 2)
        .into_iter()
        .filter(|home| home.iter().sum::<u8>() == 6);
    let mut all: Vec<Home> = low.collect();
    all.extend([[0, 0, 4, 2, 0, 0], [1, 1, 1, 1, 1, 1]]);
    for mover in &all {
        for other in &all {
            let (exact, told) = (
                brute.worth(*mover, *other),
                eval.chances(&board(*mover, *other)),
            );
            assert!(
                (exact.win - f64::from(told.win)).abs() < 1e-6,
                "{mover:?} {other:?}: {} {told:?}",
                exact.win
            );
        }
    }
}

/// Returns a money game for this position and cube.
fn game(mover: Home, other: Home, phase: Phase, cube: Cube) -> Game {
    let board = board(mover, other);
    let mut setup = Setup::new(Rules::MONEY);
    (setup.counts, setup.phase, setup.cube) = (
        [board.mover().counts(), board.other().counts()],
        phase,
        cube,
    );
    setup.on_roll = WHITE;
    setup.validate().expect("a game")
}

#[test]
fn values_of_the_last_checkers_with_the_cube_agree_with_brute_force() {
    let (mut brute, homes) = (Brute::default(), homes(3, 6));
    let mut bot = NetPlayer::new(NetPlayerSettings::with_plies(0));
    let mut says = |game: &Game| {
        let choice = bot
            .choose(game, &mut Nodes(u64::MAX))
            .expect("a seat is to move");
        // A third of the points at stake.
        3.0 * choice.info.value.expect("a value")
    };
    let own = Cube::new(1, Some(WHITE)).expect("a cube of 2");
    for mover in &homes {
        for other in homes.iter().step_by(3) {
            let exact = brute.worth(*mover, *other);
            let doubled = exact.doubled_or_not();
            let cases = [
                (Phase::Cube, Cube::default(), doubled.nobodys),
                (Phase::Cube, own, doubled.mine),
                // Seen from the player who was doubled.
                (
                    Phase::Doubled,
                    Cube::default(),
                    -(2.0 * exact.theirs).min(1.0),
                ),
            ];
            for (phase, cube, points) in cases {
                let told = says(&game(*mover, *other, phase, cube));
                assert!(
                    (told - points).abs() < 1e-5,
                    "{mover:?} {other:?} {phase:?} {cube:?}: {told} {points}"
                );
            }
        }
    }
}

#[test]
fn longer_bear_offs_come_close_to_brute_force() {
    let (mut brute, eval) = (Brute::default(), eval());
    let mut worst = 0.0f64;
    for mover in [
        [7, 0, 0, 0, 0, 0],
        [4, 4, 0, 0, 0, 0],
        [2, 3, 2, 0, 0, 0],
        [1, 2, 2, 2, 0, 0],
        [9, 0, 0, 0, 0, 0],
    ] {
        for other in [
            [7, 0, 0, 0, 0, 0],
            [8, 0, 0, 0, 0, 0],
            [3, 4, 0, 0, 0, 0],
            [3, 2, 2, 0, 0, 0],
            [2, 1, 1, 0, 0, 0],
        ] {
            let (exact, told) = (
                brute.worth(mover, other),
                eval.chances(&board(mover, other)),
            );
            worst = worst.max((exact.win - f64::from(told.win)).abs());
        }
    }
    assert!(worst < 0.002, "{worst}");
}

/// Brute-force chance that a side with all fifteen checkers left loses a gammon when it brings the
/// first one off as soon as it can, against a side that only rolls aces, so that its plays do not
/// matter.
#[derive(Default)]
struct Gammons {
    known: HashMap<(u8, Home), f64>,
}

impl Gammons {
    /// Returns the chance with the side that rolls aces on roll.
    fn before(&mut self, aces: u8, other: Home) -> f64 {
        let mut after = |off: u8| {
            if off >= aces {
                1.0
            } else {
                self.after(aces - off, other)
            }
        };
        // Two checkers, or four with a double.
        30.0 / 36.0 * after(2) + 6.0 / 36.0 * after(4)
    }

    /// Returns the chance with the other side on roll.
    fn after(&mut self, aces: u8, other: Home) -> f64 {
        if let Some(known) = self.known.get(&(aces, other)) {
            return *known;
        }
        let mut sum = 0.0;
        for (afters, share) in all_plays(other).iter() {
            let off = afters
                .iter()
                .any(|after| after.iter().sum::<u8>() < CHECKERS);
            let each = afters
                .iter()
                .map(|after| if off { 0.0 } else { self.before(aces, *after) });
            sum += share * each.fold(1.0, f64::min);
        }
        self.known.insert((aces, other), sum);
        sum
    }
}

#[test]
fn gammon_chances_agree_with_brute_force() {
    let (mut brute, eval) = (Gammons::default(), eval());
    let others = [
        [0, 0, 0, 0, 0, 15],
        [0, 0, 0, 0, 15, 0],
        [0, 0, 0, 5, 5, 5],
        [1, 0, 0, 0, 0, 14],
        [0, 0, 3, 6, 6, 0],
    ];
    for other in others {
        for aces in 1..=4 {
            let mover = [aces, 0, 0, 0, 0, 0];
            let (exact, told) = (
                brute.before(aces, other),
                eval.chances(&board(mover, other)),
            );
            assert!(
                (exact - f64::from(told.win_gammon)).abs() < 1e-5,
                "{aces} {other:?}: {exact} {told:?}"
            );
            let (exact, told) = (brute.after(aces, other), eval.chances(&board(other, mover)));
            assert!(
                (exact - f64::from(told.lose_gammon)).abs() < 1e-5,
                "{other:?} {aces}: {exact} {told:?}"
            );
        }
    }
}

/// Returns a random arrangement of this many checkers.
fn some_home(checkers: u8, rng: &mut Prng) -> Home {
    let mut home = EMPTY;
    (0..checkers).for_each(|_| home[random_below(rng, 6) as usize] += 1);
    home
}

/// Answers each line, the checkers of the player on roll and of the opponent on the points 1 to 6,
/// with its five chances.
const SCRIPT: &str = r"
import gnubg
out = open('out', 'w')
for c in ['set display off', 'set player 0 human', 'set player 1 human', 'set confirm new off', 'new session']:
    gnubg.command(c)
cube, plain = gnubg.cubeinfo(1, -1, 1, 0, (0, 0), 0, 0), gnubg.evalcontext(0, 0, 1, 0, 0.0)
for line in open('in').read().split('\n'):
    mover, other = [tuple(int(n) for n in home.split(',')) + (0,) * 19 for home in line.split(' ')]
    out.write(' '.join('%.6f' % x for x in gnubg.evaluate((other, mover), cube, plain)[:5]) + '\n')
out.close()
";

/// Returns the chances by GNU Backgammon's databases for each position.
fn gnubg(program: &Path, positions: &[(Home, Home)]) -> Vec<Chances> {
    let folder = std::env::temp_dir().join(format!("parlor-gnubg-bearoff-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("room for a folder");
    let text = |home: &Home| home.map(|n| n.to_string()).join(",");
    let lines: Vec<String> = positions
        .iter()
        .map(|(mover, other)| format!("{} {}", text(mover), text(other)))
        .collect();
    std::fs::write(folder.join("in"), lines.join("\n")).expect("room for a file");
    std::fs::write(folder.join("script.py"), SCRIPT).expect("room for a file");
    let status = Command::new(program)
        .args(["-t", "-q", "-r", "-s", ".", "-p", "script.py"])
        .current_dir(&folder)
        .env("HOME", &folder)
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert!(
        status.is_ok_and(|status| status.success()),
        "it runs and ends"
    );
    let out = std::fs::read_to_string(folder.join("out")).expect("it has answered");
    let _ = std::fs::remove_dir_all(&folder);
    let number = |text: &str| text.parse().expect("a number");
    let chances = |line: &str| {
        let numbers: Vec<f32> = line.split(' ').map(number).collect();
        Chances::from_array(numbers.try_into().expect("five numbers"))
    };
    out.lines().map(chances).collect()
}

#[test]
#[ignore = "needs PARLOR_TEST_GNUBG"]
fn chances_are_those_of_gnubg() {
    let program = std::env::var_os("PARLOR_TEST_GNUBG").expect("it names the program gnubg");
    let (eval, mut rng) = (eval(), Prng::seed_from_u64(12));
    let mut positions = Vec::new();
    for n in 0..900u64 {
        let checkers = 1 + (n % 15) as u8;
        // About as many on both sides, and sometimes far more.
        let other = if n % 4 == 0 {
            15
        } else {
            (checkers + random_below(&mut rng, 5) as u8)
                .saturating_sub(2)
                .clamp(1, 15)
        };
        positions.push((some_home(checkers, &mut rng), some_home(other, &mut rng)));
    }
    let theirs = gnubg(Path::new(&program), &positions);
    assert_eq!(theirs.len(), positions.len());
    let (mut exact, mut worst, mut gammons) = (0.0f32, 0.0f32, 0.0f32);
    for ((mover, other), theirs) in positions.iter().zip(&theirs) {
        let ours = eval.chances(&board(*mover, *other));
        let few = |home: &Home| home.iter().sum::<u8>() <= 6;
        let miss = (ours.win - theirs.win).abs();
        if few(mover) && few(other) {
            exact = exact.max(miss);
        } else {
            worst = worst.max(miss);
        }
        let missed = [
            ours.win_gammon - theirs.win_gammon,
            ours.lose_gammon - theirs.lose_gammon,
        ];
        gammons = missed
            .into_iter()
            .fold(gammons, |worst, miss| worst.max(miss.abs()));
    }
    // Its databases store chances in sixteen bits.
    assert!(
        exact < 1e-4 && worst < 1e-3 && gammons < 1e-3,
        "{exact} {worst} {gammons}"
    );
}
