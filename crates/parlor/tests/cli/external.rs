//! `parlor external`: the bot as another program's external player.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use parlor_backgammon::fibs::FibsBoard;
use parlor_backgammon::{Dice, Game, Phase, Rules, Setup};
use parlor_core::{Notation, Position};

use crate::{parlor, run};

/// A listening bot, killed when the test ends.
pub struct ListeningBot {
    child: Child,
    address: String,
}

impl Drop for ListeningBot {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl ListeningBot {
    pub fn start(args: &[&str]) -> ListeningBot {
        let mut command =
            parlor(&[&["external", "backgammon", "--listen", "127.0.0.1:0"], args].concat());
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn().expect("the program starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe"))
            .read_line(&mut line)
            .expect("it says where it is");
        let address = line
            .trim()
            .strip_prefix("listening on ")
            .unwrap_or_else(|| panic!("{line:?}"))
            .to_owned();
        ListeningBot { child, address }
    }

    /// Sends lines over one connection, each after the answer to the one before.
    pub fn answers(&self, lines: &[String]) -> Vec<String> {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        let mut answers = BufReader::new(stream.try_clone().expect("a second handle"));
        let mut ask = |line: &String| {
            // GNU Backgammon ends its lines like this.
            stream
                .write_all(format!("{line}\n\0").as_bytes())
                .expect("it reads");
            let mut answer = String::new();
            answers.read_line(&mut answer).expect("it answers");
            assert!(answer.ends_with('\n'), "{answer:?}");
            answer.trim_end().to_owned()
        };
        lines.iter().map(&mut ask).collect()
    }
}

/// Returns the board line of a game.
pub fn line(game: &Game) -> String {
    FibsBoard::from_game(game, ["gnubg", "parlor"])
        .expect("a side is on turn")
        .to_line()
}

pub fn after(rules: Rules, words: &[&str]) -> Game {
    let mut game = Game::new(rules);
    for word in words {
        match game.parse_chance(word) {
            Ok(chance) => game.resolve(&chance),
            Err(_) => game.play(&game.parse_move(word).expect("a move")),
        }
    }
    game
}

/// Returns a position with a checker on the bar against a closed board.
fn shut_out() -> Game {
    let mut setup = Setup::new(Rules::MONEY);
    setup.counts = [[0; 26]; 2];
    (1..=6).for_each(|point| setup.counts[1][point] = 2);
    (setup.counts[1][7], setup.counts[0][25], setup.counts[0][6]) = (3, 1, 14);
    setup.phase = Phase::Moving(Dice::from(
        "31".parse::<parlor_backgammon::Roll>().expect("a roll"),
    ));
    setup.validate().expect("a game")
}

#[test]
fn it_answers_plays_rolls_and_doubles_for_both_sides() {
    let bot = ListeningBot::start(&["--level", "4"]);
    let opening = after(Rules::MONEY, &["3-1"]);
    let reply = after(Rules::MONEY, &["3-1", "8/5,6/5", "roll", "31"]);
    let to_roll = after(Rules::MONEY, &["3-1", "8/5,6/5"]);
    let doubled = after(Rules::MONEY, &["3-1", "8/5,6/5", "double"]);
    let answers = bot.answers(&[&opening, &reply, &to_roll, &doubled, &shut_out()].map(line));
    assert_eq!(answers[0], "8/5 6/5");
    assert!(
        reply
            .parse_move(&answers[1])
            .is_ok_and(|m| reply.check(&m).is_ok()),
        "{answers:?}"
    );
    assert_eq!(answers[2..], ["roll", "take", ""]);
}

#[test]
fn an_invalid_line_is_reported_and_the_next_one_answered() {
    let bot = ListeningBot::start(&["--plies", "0", "--cubeless"]);
    let good = line(&after(Rules::GAME, &["3-1"]));
    let cut = good.replace(":3:1:", ":9:1:");
    let answers = bot.answers(&[
        "hello".to_owned(),
        cut,
        "board:a:b".to_owned(),
        good.clone(),
    ]);
    assert!(
        answers[..3]
            .iter()
            .all(|answer| answer.starts_with("error ")),
        "{answers:?}"
    );
    assert_eq!(answers[3], "8/5 6/5");
    // After one client has left, another can connect.
    assert_eq!(bot.answers(&[good]), ["8/5 6/5"]);
}

#[test]
fn a_taken_port_and_wrong_options_are_refused_in_one_line() {
    let bot = ListeningBot::start(&[]);
    let again = run(&["external", "backgammon", "--listen", &bot.address]);
    again.is_refused_with(&format!("cannot listen on {}", bot.address));
    run(&["external", "backgammon", "--listen", "nowhere"]).is_refused_with("nowhere");
    run(&["external", "backgammon", "--level", "6"]).is_refused_with("a level from 1 to 5");
    run(&["external", "backgammon", "--threads", "0"])
        .is_refused_with("a number of threads from 1 to 256");
    run(&["external", "chess"]).is_refused_with("chess");
}

#[test]
fn several_threads_find_the_same_plays() {
    let games = ["3-1", "4-2", "6-2", "5-1"].map(|roll| line(&after(Rules::GAME, &[roll])));
    let answers = ["1", "3"].map(|threads| {
        ListeningBot::start(&["--plies", "2", "--threads", threads]).answers(&games)
    });
    assert_eq!(answers[0], answers[1]);
}

/// Lets GNU Backgammon play a match of two points against the bot at an address, and prints who won
/// each game, how many plays it had, and the errors of the program.
const GNUBG_SCRIPT: &str = "
import gnubg, json
for c in ['set threads 1', 'set automatic game on', 'set automatic roll off', 'set display off', 'set beavers 0',
          'set confirm new off', 'set confirm save off', 'set rng mersenne', 'set seed 7',
          'set player 0 gnubg', 'set player 0 chequerplay evaluation plies 0', 'set player 0 cubedecision evaluation plies 0',
          'set player 1 external ADDRESS', 'set player 1 name parlor', 'new match 2']:
    gnubg.command(c)
games = gnubg.match(analysis=0, boards=0, statistics=0)['games']
played = [[game['info'].get('winner'), game['info'].get('points-won'),
           sum(1 for step in game['game'] if step['action'] == 'move' and step['player'] == 'O'), ] for game in games]
open('out', 'w').write(json.dumps(played))
";

#[test]
#[ignore = "needs PARLOR_TEST_GNUBG"]
fn gnubg_plays_a_whole_match_against_it() {
    let program = std::env::var_os("PARLOR_TEST_GNUBG").expect("it names the program gnubg");
    let bot = ListeningBot::start(&["--plies", "0"]);
    let place = crate::folder("external-gnubg");
    let script = GNUBG_SCRIPT.replace("ADDRESS", &bot.address);
    std::fs::write(place.join("script.py"), script).expect("a folder of the test");
    let ran = std::process::Command::new(program)
        .args(["-t", "-q", "-r", "-s", ".", "-p", "script.py"])
        .current_dir(&place)
        .env("HOME", &place)
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::null())
        .output()
        .expect("GNU Backgammon starts");
    let said = String::from_utf8_lossy(&ran.stdout);
    let out = std::fs::read_to_string(place.join("out"))
        .unwrap_or_else(|error| panic!("{error}: {said}"));
    let games: Vec<(String, u32, u32)> = serde_json::from_str(&out).expect("JSON");
    let points = |side: &str| -> u32 {
        let won = games.iter().filter(|(winner, _, _)| winner == side);
        won.map(|(_, points, _)| points).sum()
    };
    let (gnubg, parlor) = (points("X"), points("O"));
    assert!(gnubg.max(parlor) >= 2 && gnubg.min(parlor) < 2, "{games:?}");
    let plays: u32 = games.iter().map(|(_, _, plays)| plays).sum();
    assert!(
        plays >= 5,
        "the bot answered {plays} times: {games:?}\n{said}"
    );
}
