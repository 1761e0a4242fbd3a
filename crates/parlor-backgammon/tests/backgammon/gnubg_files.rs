//! Exchange of match files with GNU Backgammon. Needs its program, given by `PARLOR_TEST_GNUBG`.

#![allow(clippy::unwrap_used, reason = "clippy sees no tests in helpers")]

use std::path::Path;

use parlor_backgammon::transcript::{GameRecord, Transcript};
use parlor_backgammon::{Crawford, Phase, Rules, Setup, StartLayout, ids, mat, sgf};
use parlor_core::Notation;

use crate::gnubg_formats::{Folder, gnubg, mirrored, run};
use crate::transcript::{log_from, names, random_log, random_transcript};
use crate::walks::{all_rules, is_going_on, walk};

/// Each line is a command and two file names, one to load and one to write.
const FILES: &str = "
for c in ['set display off', 'set player 0 human', 'set player 1 human', 'set confirm new off', 'set confirm save off', 'set beavers 3']:
    gnubg.command(c)
out = open('out', 'w')
for line in lines:
    jacoby, command, source, target = line.split(',')
    gnubg.command('set jacoby ' + jacoby)
    gnubg.command(command + ' ' + source)
    gnubg.command('export match mat %s.mat' % target)
    gnubg.command('save match %s.sgf' % target)
    games = [game['info'] for game in gnubg.match(analysis=0, boards=0)['games']]
    points = lambda who: sum(info['points-won'] for info in games if info.get('winner') == who)
    out.write('%d %d\\n' % (points('X'), points('O')))
out.close()
";

/// Returns the contents of a file's games, apart from the rules.
fn contents(transcript: &Transcript) -> Vec<String> {
    let game = |game: &GameRecord| {
        format!(
            "{:?} {:?} {:?}",
            game.score(),
            game.actions(),
            game.result()
        )
    };
    transcript.games().iter().map(game).collect()
}

/// Returns matches and sessions of all kinds that both programs play by the same rules.
fn matches() -> Vec<Transcript> {
    let rules = all_rules()
        .into_iter()
        .filter(|rules| rules.start == StartLayout::Standard && rules.crawford);
    let mut all: Vec<Transcript> = (0..)
        .zip(rules.cycle().take(44))
        .map(|(n, rules)| random_transcript(rules, n))
        .collect();
    for jacoby in [true, false] {
        let rules = Rules {
            jacoby,
            ..Rules::MONEY
        };
        let logs: Vec<_> = (50..60).map(|seed| random_log(rules, seed).0).collect();
        all.push(Transcript::session(rules, names(), &logs).unwrap());
    }
    all
}

/// Lets GNU Backgammon read and rewrite transcripts, and returns the differences.
fn exchange(gnubg: &Path, name: &str, transcripts: &[Transcript]) -> Vec<String> {
    let folder = Folder::new(name);
    let mut lines = Vec::new();
    for (n, transcript) in transcripts.iter().enumerate() {
        let jacoby = if transcript.rules().jacoby {
            "on"
        } else {
            "off"
        };
        std::fs::write(
            folder.0.join(format!("{n}.mat")),
            mat::write(transcript).unwrap(),
        )
        .unwrap();
        std::fs::write(
            folder.0.join(format!("{n}.sgf")),
            sgf::write(transcript).unwrap(),
        )
        .unwrap();
        lines.push(format!("{jacoby},import mat,{n}.mat,m{n}"));
        lines.push(format!("{jacoby},load match,{n}.sgf,s{n}"));
    }
    let found = run(gnubg, &folder, FILES, &lines);
    assert_eq!(found.len(), lines.len());
    let mut wrong = Vec::new();
    for (at, found) in found.iter().enumerate() {
        let (n, kind) = (at / 2, ["m", "s"][at % 2]);
        let (transcript, [white, black]) = (&transcripts[n], transcripts[n].score());
        if *found != format!("{white} {black}") {
            wrong.push(format!(
                "{kind}{n} {:?}: {found} and not {white} {black}",
                transcript.rules()
            ));
        }
        let file = |ending: &str| {
            std::fs::read_to_string(folder.0.join(format!("{kind}{n}.{ending}"))).unwrap()
        };
        let text = mat::read(&file("mat")).map_err(|e| e.to_string());
        let tree = sgf::read(&file("sgf")).map_err(|e| e.to_string());
        for (ending, back) in [("mat", text), ("sgf", tree)] {
            if back.as_ref().map(contents) != Ok(contents(transcript)) {
                wrong.push(format!(
                    "{kind}{n}.{ending} {:?}: {:?}",
                    transcript.rules(),
                    back.err()
                ));
            }
        }
    }
    wrong
}

#[test]
#[ignore = "needs PARLOR_TEST_GNUBG"]
fn what_we_write_is_read_by_gnubg_and_what_it_writes_of_it_by_us() {
    let gnubg = gnubg();
    // After a dropped beaver GNU Backgammon 1.07 reads no other text, so each file gets its own
    // process.
    let (beavers, others): (Vec<_>, Vec<_>) = matches()
        .into_iter()
        .partition(|transcript| transcript.rules().beavers);
    let mut wrong = exchange(&gnubg, "files", &others);
    for (n, transcript) in beavers.into_iter().enumerate() {
        wrong.extend(exchange(&gnubg, &format!("beaver{n}"), &[transcript]));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Loads the files named by the lines, goes to the last of their few actions, and prints the final
/// positions.
const ENDS: &str = "
for c in ['set display off', 'set player 0 human', 'set player 1 human', 'set confirm new off', 'set beavers 3', 'set jacoby on']:
    gnubg.command(c)
out = open('out', 'w')
for line in lines:
    gnubg.command('load match ' + line)
    for _ in range(12):
        gnubg.command('next')
    out.write(gnubg.gnubgid() + '\\n')
out.close()
";

#[test]
#[ignore = "needs PARLOR_TEST_GNUBG"]
fn games_that_begin_anywhere_end_for_gnubg_where_they_end_for_us() {
    let gnubg = gnubg();
    let folder = Folder::new("ends");
    let mut starts = Vec::new();
    for (seed, rules) in [Rules::match_to(5).unwrap(), Rules::MONEY]
        .into_iter()
        .cycle()
        .take(16)
        .enumerate()
    {
        let mut n = 0u32;
        walk(rules, seed as u64, |game, _| {
            n += 1;
            if n.is_multiple_of(7)
                && game.phase() == Phase::Cube
                && game.crawford() != Crawford::Now
            {
                starts.push(
                    Setup {
                        last: None,
                        ..Setup::from_game(game)
                    }
                    .validate()
                    .unwrap(),
                );
            }
        });
    }
    let (mut lines, mut right) = (Vec::new(), Vec::new());
    for (n, start) in starts.into_iter().enumerate() {
        let log = log_from(start.clone(), 3).0;
        let until = log.len().min(1 + n % 9);
        let transcript = Transcript::replay_from(start, names(), &log[..until]).unwrap();
        let Some(end) = transcript.games().last().map(GameRecord::end) else {
            continue;
        };
        if !is_going_on(&end) || transcript.games().len() > 1 {
            continue;
        }
        std::fs::write(
            folder.0.join(format!("{n}.sgf")),
            sgf::write(&transcript).unwrap(),
        )
        .unwrap();
        lines.push(format!("{n}.sgf"));
        // In files white is player 0, in IDs player 1.
        right.push(ids::gnubg_id(&mirrored(&end)).unwrap());
    }
    assert!(lines.len() > 40, "only {} files", lines.len());
    let found = run(&gnubg, &folder, ENDS, &lines);
    let text = |id: &String| ids::game_from_id(id).map(|game| game.text());
    for (n, found) in found.iter().enumerate() {
        let file = std::fs::read_to_string(folder.0.join(&lines[n])).unwrap();
        assert_eq!(
            found,
            &right[n],
            "{:?}\n{:?}\n{file}",
            text(found),
            text(&right[n])
        );
    }
}

/// Plays matches and sessions and saves them; each line is a length, 0 for a session of five games,
/// and a file name.
const PLAY: &str = "
for c in ['set display off', 'set automatic game off', 'set confirm new off', 'set confirm save off', 'set rng mersenne', 'set seed 7']:
    gnubg.command(c)
for c in ['gnubg', 'chequerplay evaluation plies 0', 'cubedecision evaluation plies 0', 'chequerplay evaluation noise 0.2']:
    gnubg.command('set player 0 ' + c)
    gnubg.command('set player 1 ' + c)
gnubg.command('set defaultnames alice bob')
out = open('out', 'w')
for line in lines:
    length, name = line.split()
    gnubg.command('new match ' + length if length != '0' else 'new session')
    while True:
        games = [game['info'] for game in gnubg.match(analysis=0, boards=0)['games']]
        score = [sum(info['points-won'] for info in games if info.get('winner') == who) for who in 'XO']
        if max(score) >= int(length) > 0 or length == '0' and len(games) == 5:
            break
        gnubg.command('new game')
    gnubg.command('export match mat %s.mat' % name)
    gnubg.command('save match %s.sgf' % name)
    out.write('%d %d\\n' % tuple(score))
out.close()
";

#[test]
#[ignore = "needs PARLOR_TEST_GNUBG"]
fn matches_that_gnubg_plays_against_itself_are_read_from_both_kinds_of_files() {
    let gnubg = gnubg();
    let folder = Folder::new("played");
    let lengths = [1, 2, 3, 5, 7, 0, 0];
    let lines: Vec<String> = lengths
        .iter()
        .enumerate()
        .map(|(n, length)| format!("{length} p{n}"))
        .collect();
    let found = run(&gnubg, &folder, PLAY, &lines);
    assert_eq!(found.len(), lengths.len());
    for (n, score) in found.iter().enumerate() {
        let file = |ending: &str| {
            std::fs::read_to_string(folder.0.join(format!("p{n}.{ending}"))).unwrap()
        };
        let text = mat::read(&file("mat")).unwrap_or_else(|e| panic!("{e}\n{}", file("mat")));
        let tree = sgf::read(&file("sgf")).unwrap_or_else(|e| panic!("{e}\n{}", file("mat")));
        let [white, black] = tree.score();
        assert_eq!(*score, format!("{white} {black}"));
        let again = mat::read(&mat::write(&text).unwrap()).unwrap();
        assert_eq!(
            (contents(&again), sgf::read(&sgf::write(&tree).unwrap())),
            (contents(&text), Ok(tree.clone()))
        );
        assert_eq!(
            (text.names.as_slice(), contents(&text)),
            (tree.names.as_slice(), contents(&tree)),
            "{}",
            file("mat")
        );
    }
}
