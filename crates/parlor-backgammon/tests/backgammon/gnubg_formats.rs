//! Comparison of IDs with GNU Backgammon. Needs its program, given by `PARLOR_TEST_GNUBG`.

#![allow(clippy::unwrap_used, reason = "clippy sees no tests in helpers")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use parlor_backgammon::{Cube, Game, Phase, Setup, StartLayout, WHITE, ids};
use parlor_core::Notation;

use crate::walks::{all_rules, is_going_on, walk};

/// Temporary folder, removed when the test ends.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("parlor-gnubg-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Returns the path of GNU Backgammon.
pub fn gnubg() -> PathBuf {
    let path = std::env::var_os("PARLOR_TEST_GNUBG");
    path.expect("PARLOR_TEST_GNUBG names the program gnubg")
        .into()
}

/// Runs a script in GNU Backgammon's embedded Python. It reads `lines` from the file `in` of its
/// folder and writes the file `out`.
pub fn run(gnubg: &Path, folder: &Folder, script: &str, lines: &[String]) -> Vec<String> {
    let here = &folder.0;
    std::fs::write(here.join("in"), lines.join("\n")).unwrap();
    std::fs::write(
        here.join("script.py"),
        format!("import gnubg\nlines = open('in').read().split('\\n')\n{script}"),
    )
    .unwrap();
    let said = std::fs::File::create(here.join("said")).unwrap();
    let status = Command::new(gnubg)
        .args(["-t", "-q", "-r", "-s", ".", "-p", "script.py"])
        .current_dir(here)
        .env("HOME", here)
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::null())
        .stdout(said.try_clone().unwrap())
        .stderr(said)
        .status()
        .unwrap();
    let said = String::from_utf8_lossy(&std::fs::read(here.join("said")).unwrap()).into_owned();
    assert!(status.success(), "{said}");
    let out = std::fs::read_to_string(here.join("out")).unwrap_or_else(|e| panic!("{e}: {said}"));
    out.lines().map(str::to_owned).collect()
}

const IDS: &str = "
out = open('out', 'w')
for c in ['set display off', 'set player 0 human', 'set player 1 human', 'set confirm new off', 'set beavers 3', 'new session']:
    gnubg.command(c)
for line in lines:
    kind, id, then = line.split(' ', 2)
    gnubg.command('set %s %s' % (kind, id))
    for c in then.split(',') if then else []:
        gnubg.command(c)
    out.write(gnubg.gnubgid() + '\\n')
out.close()
";

/// Returns the same game with the colors swapped.
pub fn mirrored(game: &Game) -> Game {
    let mut setup = Setup::from_game(game);
    setup.counts.reverse();
    setup.score.reverse();
    setup.on_roll = setup.on_roll.next(2);
    setup.cube = Cube::new(
        setup.cube.turned(),
        setup.cube.owner().map(|owner| owner.next(2)),
    )
    .unwrap();
    setup.validate().unwrap()
}

/// Returns the same game before its double was offered.
fn before_the_double(game: &Game) -> Game {
    if !matches!(game.phase(), Phase::Doubled | Phase::Beavered) {
        return game.clone();
    }
    Setup {
        phase: Phase::Cube,
        last: None,
        ..Setup::from_game(game)
    }
    .validate()
    .unwrap()
}

/// Returns the questions for GNU Backgammon and the expected answers.
fn questions() -> (Vec<String>, Vec<String>) {
    let (mut asked, mut right) = (Vec::new(), Vec::new());
    let rules = all_rules()
        .into_iter()
        .filter(|rules| rules.cube && rules.start == StartLayout::Standard);
    for (seed, rules) in (0..).zip(rules.cycle().take(44)) {
        let mut n = 0u32;
        walk(rules, 1_000 + seed, |game, _| {
            n += 1;
            if !is_going_on(game)
                || !n.is_multiple_of(3) && !matches!(game.phase(), Phase::Doubled | Phase::Beavered)
            {
                return;
            }
            let id = |game: &Game| ids::gnubg_id(game).unwrap();
            // GNU Backgammon does not read a pending double; it must be offered again.
            let before = before_the_double(game);
            let then = match game.phase() {
                Phase::Doubled => "double",
                Phase::Beavered => "double,redouble",
                _ => "",
            };
            asked.push(format!("gnubgid {} {then}", id(&before)));
            right.push(id(game));
            // GNU Backgammon turns the board of an XGID so that the player on roll is at the
            // bottom.
            asked.push(format!("xgid {} ", ids::xgid(&before).unwrap()));
            right.push(id(&if before.on_roll() == WHITE {
                before
            } else {
                mirrored(&before)
            }));
        });
    }
    (asked, right)
}

#[test]
#[ignore = "needs PARLOR_TEST_GNUBG"]
fn ids_are_those_of_gnubg() {
    let gnubg = gnubg();
    let folder = Folder::new("ids");
    let (asked, right) = questions();
    let with = |then: &str| asked.iter().filter(|line| line.ends_with(then)).count();
    assert!(
        asked.len() > 4_000 && with(" double") > 100 && with("redouble") > 5,
        "only {} questions",
        asked.len()
    );
    let found = run(&gnubg, &folder, IDS, &asked);
    assert_eq!(found.len(), asked.len());
    let wrong: Vec<_> = (0..asked.len())
        .filter(|n| found[*n] != right[*n])
        .collect();
    for n in wrong.iter().take(20) {
        eprintln!("{}: {} and not {}", asked[*n], found[*n], right[*n]);
        eprintln!(
            "   {:?}",
            ids::game_from_id(&found[*n]).map(|game| game.text())
        );
    }
    assert!(
        wrong.is_empty(),
        "{} of {} differ",
        wrong.len(),
        asked.len()
    );
}
