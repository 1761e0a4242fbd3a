//! Win rates of teams of one bot at Pandemic: `cargo run --release -p parlor-bots --example
//! pandemic_teams -- 2 5 100 1 level:4`.
//!
//! Arguments: players, epidemics, games, first seed, bot. Then, in any order: `--nodes N` (maximum
//! per decision), `--threads N` (games played concurrently, 1), `--events none`, `--consent`
//! (players are asked before they are moved), and `--roles Medic,Scientist,...` for seats in order,
//! or `--pool ...` for the roles to deal from. The same arguments play the same games. Progress
//! goes to standard error.
//!
//! With `--positions` it prints a line for each start of a turn as well, for `pandemic_tune chances`: the
//! number of players, the cards of the player deck as a share of 50, the logarithm of the odds of a win by
//! rollouts of the quick policy, and 1 if the game was won, else 0.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::error::Error;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use parlor_bots::pandemic::{PandemicPolicy, PolicyWeights};
use parlor_bots::{Nodes, Prng, Spec, Strategy, pandemic};
use parlor_core::{Notation, Outcome, Position, Turn};
use parlor_pandemic::{Cards, Consent, Game, PandemicEnding, Role, Roles, Rules};
use rand_xoshiro::rand_core::SeedableRng;

/// Rollouts of a position, and their length in turns, as of the adviser.
const ROLLOUTS: u64 = 240;
const TURNS: u32 = 6;
/// Least and greatest chance whose odds are taken.
const EDGE: f64 = 0.002;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str| {
        words
            .iter()
            .position(|word| word == name)
            .and_then(|at| words.get(at + 1))
    };
    let number = |n: usize| {
        words
            .get(n)
            .ok_or("players, epidemics, games, seed, bot")?
            .parse::<u64>()
            .map_err(<Box<dyn Error>>::from)
    };
    let spec: Spec = words.get(4).ok_or("which bot?")?.parse()?;
    let mut rules = Rules::new(number(0)? as u8, number(1)? as u8)?.with_consent(
        if words.iter().any(|w| w == "--consent") {
            Consent::AskedAgain
        } else {
            Consent::Implied
        },
    );
    if option("--events").is_some_and(|which| which == "none") {
        rules = rules.with_events(Cards::NONE);
    }
    rules = rules.with_roles(pool(option("--pool"))?, fixed(option("--roles"))?)?;
    let threads = option("--threads").map_or(Ok(1), |word| word.parse::<u64>())?;
    let nodes = option("--nodes").map_or(Ok(u64::MAX), |word| word.parse())?;
    let positions = words.iter().any(|word| word == "--positions");
    let (games, first) = (number(2)?, number(3)?);
    let (next, results) = (AtomicU64::new(0), Mutex::new(Tally::default()));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let begin = cpu();
                loop {
                    let game = next.fetch_add(1, Ordering::Relaxed);
                    if game >= games {
                        break;
                    }
                    let mut seen = Vec::new();
                    let played = play(rules, spec, nodes, first + game, |position| {
                        if positions {
                            seen.push(share_and_odds(position, first + game));
                        }
                    });
                    print_positions(&seen, &played.0);
                    let mut tally = results.lock().expect("nobody panics");
                    tally.add(first + game, &played);
                    if tally.games() % 20 == 0 {
                        eprintln!("{} games, {} won", tally.games(), tally.ends[0]);
                    }
                }
                results.lock().expect("nobody panics").cpu += cpu() - begin;
            });
        }
    });
    results.into_inner()?.print(rules, spec);
    Ok(())
}

fn role_names(text: &str) -> Result<Vec<Role>, Box<dyn Error>> {
    text.split(',')
        .map(|name| Role::from_name(name).ok_or_else(|| format!("no role {name}").into()))
        .collect()
}

fn pool(text: Option<&String>) -> Result<Roles, Box<dyn Error>> {
    text.map_or(Ok(Roles::ALL), |text| {
        Ok(role_names(text)?.into_iter().collect())
    })
}

fn fixed(text: Option<&String>) -> Result<[Option<Role>; 4], Box<dyn Error>> {
    let mut seats = [None; 4];
    for (seat, role) in seats
        .iter_mut()
        .zip(text.map_or(Ok(Vec::new()), |text| role_names(text))?)
    {
        *seat = Some(role);
    }
    Ok(seats)
}

/// Plays a game between bots of one kind, each of which may play events out of turn. `look` is called at the
/// start of every turn.
fn play(
    rules: Rules,
    spec: Spec,
    nodes: u64,
    seed: u64,
    mut look: impl FnMut(&Game),
) -> (Game, u32) {
    let (mut game, mut luck, mut scratch) =
        (Game::new(rules), Prng::seed_from_u64(seed), Vec::new());
    let mut bots: Vec<Box<dyn Strategy<Game>>> = rules
        .seats()
        .map(|_| pandemic::build(spec, &rules, seed).expect("it suits"))
        .collect();
    let (mut turns, mut active) = (0, None);
    loop {
        match game.turn() {
            Turn::Over(_) => return (game, turns),
            Turn::Chance => {
                let chance = game
                    .random_chance(&mut luck, &mut scratch)
                    .expect("luck decides");
                game.resolve(&chance);
            }
            Turn::Move(seat) => {
                if active != Some(game.active()) {
                    (active, turns) = (Some(game.active()), turns + 1);
                    look(&game);
                }
                let others = rules.seats().filter(|other| *other != seat);
                let said = others.into_iter().find_map(|other| {
                    bots[other.index()].interject(&game, other, &mut Nodes(nodes))
                });
                let choice = said.or_else(|| bots[seat.index()].choose(&game, &mut Nodes(nodes)));
                game.play(&choice.expect("a seat is to move").mv);
            }
        }
    }
}

/// Returns the cards of the player deck as a share of 50, and the logarithm of the odds of a win.
fn share_and_odds(game: &Game, seed: u64) -> [f64; 2] {
    let share = f64::from(game.deck().len()) / 50.0;
    let mut policy = PandemicPolicy::new(PolicyWeights::built_in(game.rules().players()));
    let game = Game::from_text(&game.text()).expect("its own text");
    let won: f64 = (0..ROLLOUTS)
        .map(|n| {
            let mut rng = Prng::seed_from_u64(seed ^ n.wrapping_mul(0x9E37_79B9_7F4A_7C15));
            f64::from(policy.roll_out(game, TURNS, &mut rng).win)
        })
        .sum();
    let chance = (won / ROLLOUTS as f64).clamp(EDGE, 1.0 - EDGE);
    [share, (chance / (1.0 - chance)).ln()]
}

fn print_positions(seen: &[[f64; 2]], last: &Game) {
    let won = u8::from(last.turn() == Turn::Over(Outcome::TeamWon));
    for [share, odds] in seen {
        println!("{} {share:.3} {odds:.3} {won}", last.rules().players());
    }
}

/// Results of the games.
#[derive(Default)]
struct Tally {
    ends: [u32; 4],
    cures: u32,
    turns: u32,
    cpu: f64,
    won: Vec<u64>,
}

impl Tally {
    fn add(&mut self, seed: u64, (game, turns): &(Game, u32)) {
        let end = match game.ending() {
            Some(PandemicEnding::Cured) => 0,
            Some(PandemicEnding::Outbreaks) => 1,
            Some(PandemicEnding::Cubes(_)) => 2,
            _ => 3,
        };
        if end == 0 {
            self.won.push(seed);
        }
        self.ends[end] += 1;
        self.cures += u32::from(game.cures());
        self.turns += turns;
    }

    fn games(&self) -> u32 {
        self.ends.iter().sum()
    }

    fn print(mut self, rules: Rules, spec: Spec) {
        let [won, outbreaks, cubes, cards] = self.ends;
        let games = self.games();
        let each = |sum: f64| sum / f64::from(games.max(1));
        let (low, high) = wilson(won, games);
        println!(
            "{} players, {} epidemics, {spec}: won {won} of {games} = {:.1} % ({:.1} to {:.1}); lost by outbreaks {outbreaks}, cubes {cubes}, \
             cards {cards}; cures {:.2}, turns {:.1}; CPU {:.2} s a game, {:.3} s a turn",
            rules.players(),
            rules.epidemics(),
            100.0 * each(f64::from(won)),
            100.0 * low,
            100.0 * high,
            each(f64::from(self.cures)),
            each(f64::from(self.turns)),
            each(self.cpu),
            self.cpu / f64::from(self.turns.max(1)),
        );
        self.won.sort_unstable();
        println!("won with seeds {:?}", self.won);
    }
}

/// Returns the 95 % confidence interval of a share by Wilson's formula.
fn wilson(won: u32, games: u32) -> (f64, f64) {
    let (n, z) = (f64::from(games.max(1)), 1.96_f64);
    let p = f64::from(won) / n;
    let middle = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    (middle - half, middle + half)
}

/// Returns the CPU time of this thread in seconds, or 0 if the system does not report it.
fn cpu() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    told.split(' ')
        .next()
        .and_then(|nanoseconds| nanoseconds.parse::<f64>().ok())
        .unwrap_or(0.0)
        * 1e-9
}
