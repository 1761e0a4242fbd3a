//! Events of Pandemic in the terminal: typed in the turns of others, people and bots.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::Value;

use crate::{folder, parlor, run};

/// Number of seats of people: Ann's and Bob's. The third is a bot's.
const PEOPLE: usize = 2;
/// Maximum number of games until everything was played once.
const MAX_GAMES: u32 = 200;
/// Events and the verbs of their moves.
const EVENTS: [(&str, &str); 5] = [
    ("Airlift", "airlift"),
    ("Forecast", "forecast"),
    ("Government Grant", "grant"),
    ("One Quiet Night", "quiet-night"),
    ("Resilient Population", "resilient"),
];
const RESILIENT: (&str, &str) = EVENTS[4];

/// Moment at which the terminal waits for input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Moment {
    Actions,
    Intensify,
    SecondEpidemic,
    BeforeInfections,
    BetweenInfections,
    Limit,
    Forecast,
    /// A bot has used all its actions.
    End,
}

/// An event's name and verb, the moment, and true in a bot's turn.
type Window = ((&'static str, &'static str), Moment, bool);

/// Returns the windows in which events have to be played. Others depend on rare luck.
fn all_windows() -> BTreeSet<Window> {
    let mut windows = BTreeSet::from([
        (RESILIENT, Moment::Intensify, false),
        (RESILIENT, Moment::Intensify, true),
    ]);
    for event in EVENTS {
        windows.extend([
            (event, Moment::Actions, false),
            (event, Moment::BeforeInfections, false),
            (event, Moment::BetweenInfections, false),
            (event, Moment::BeforeInfections, true),
        ]);
    }
    windows
}

/// A running game.
struct Terminal {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    /// Lines since the last answer.
    said: Vec<String>,
    /// Lines from below the last map on.
    board: Vec<String>,
}

impl Terminal {
    fn open(seed: u32, record: &str) -> Terminal {
        let seed = seed.to_string();
        let mut child = parlor(&[
            "play",
            "pandemic",
            "--plain",
            "--players",
            "human:Ann,human:Bob,level:1",
            "-o",
            "players=3",
            "--roles",
            "Scientist,Researcher,Medic",
            "--epidemics",
            "3",
            "--consent",
            "implied",
            "--think",
            "20",
            "--seed",
            &seed,
            "--record",
            record,
        ])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
        let input = child.stdin.take().expect("a pipe");
        let output = child.stdout.take().expect("a pipe");
        Terminal {
            child,
            input,
            output: BufReader::new(output).lines(),
            said: Vec::new(),
            board: Vec::new(),
        }
    }

    /// Reads up to the next prompt and returns it with the line before; `None` at the end.
    fn prompt(&mut self) -> Option<String> {
        let ends = ["? lists all):", "press Enter to continue:"];
        loop {
            let line = self.output.next()?.expect("text");
            let is_prompt = ends.iter().any(|end| line.ends_with(*end));
            self.said.push(line);
            if is_prompt {
                break;
            }
        }
        if let Some(start) = self.board_start() {
            self.board = self.said[start..].to_vec();
        }
        let last = self.said.len().saturating_sub(2);
        Some(self.said[last..].join("\n"))
    }

    /// Returns the first line below the last map since the last answer.
    fn board_start(&self) -> Option<usize> {
        let mut lines = self.said.iter();
        lines.rposition(|line| line.starts_with("outbreaks "))
    }

    /// Returns true if the board was printed since the last answer, as it is after each move.
    fn has_board(&self) -> bool {
        self.board_start().is_some()
    }

    fn answer(&mut self, line: &str) {
        self.said.clear();
        writeln!(self.input, "{line}").expect("the program reads");
    }

    /// Returns the lines of the players, by seat, such as ">1 Medic in Paris: b Chi | Airlift".
    fn players(&self) -> Vec<&str> {
        let is_player = |line: &&str| {
            let head = line.as_bytes();
            matches!(head, [b'>' | b' ', b'1'..=b'3', b' ', ..]) && line.contains(" in ")
        };
        let lines = self.board.iter().map(String::as_str);
        lines.filter(is_player).collect()
    }

    /// Returns the seat that holds an event.
    fn holder(&self, event: &str) -> Option<usize> {
        let players = self.players();
        players.iter().position(|line| line.contains(event))
    }

    /// Returns the first city in the infection discards, as a code.
    fn discarded(&self) -> Option<&str> {
        let mut lines = self.board.iter();
        let codes = lines.find_map(|line| line.strip_prefix("infection discards: "));
        codes.and_then(|codes| codes.split(' ').next())
    }

    /// Returns what is typed to play an event; `None` if it has no effect now.
    fn text(&self, verb: &str) -> Option<String> {
        match verb {
            "airlift" => Some("airlift Scientist Sydney".to_owned()),
            "grant" => Some("grant Sydney".to_owned()),
            "resilient" => Some(format!("resilient {}", self.discarded()?)),
            verb => Some(verb.to_owned()),
        }
    }

    /// Types an event, and checks that it is accepted and what the next board shows of it. Returns the
    /// next prompt.
    fn play(&mut self, verb: &str, text: &str) -> Option<String> {
        self.answer(text);
        let prompt = self.prompt();
        let said = self.said.join("\n");
        assert!(self.has_board(), "{text}: {said}");
        let shows = match verb {
            "airlift" => said.contains(" Scientist in Sydney"),
            "grant" => said.contains("Syd*"),
            _ => true,
        };
        assert!(shows, "{text}: {said}");
        prompt
    }

    /// Returns the first city card of a seat, as a code.
    fn card(&self, seat: usize) -> String {
        let line = self.players()[seat];
        let (_, hand) = line.split_once(": ").expect("a hand");
        let code = hand.split(' ').nth(1).expect("a card");
        code.to_owned()
    }
}

/// Returns the moment of a prompt.
fn moment(prompt: &str) -> Moment {
    let known = [
        (" cards: discard ", Moment::Limit),
        ("The forecast: ", Moment::Forecast),
        ("All actions are used", Moment::End),
        ("Before the epidemic puts ", Moment::Intensify),
        ("A second epidemic was drawn", Moment::SecondEpidemic),
        (" more infection card", Moment::BetweenInfections),
        (" turned next. ", Moment::BeforeInfections),
        ("such as drive Paris", Moment::Actions),
    ];
    let found = known.iter().find(|(part, _)| prompt.contains(*part));
    found
        .unwrap_or_else(|| panic!("an unknown prompt: {prompt}"))
        .1
}

/// Returns the first of the cards that a forecast's prompt names.
fn first_card(prompt: &str) -> &str {
    let (_, cards) = prompt.split_once(", ").expect("cards");
    let ends = [", ", " or ", "?"];
    let end = ends.iter().filter_map(|end| cards.find(*end)).min();
    &cards[..end.expect("a question")]
}

/// Plays a game in which the people do nothing but draw, and type events in each other's turns and in
/// the bot's as long as they are wanted. Returns the events typed, each with its holder.
fn play(terminal: &mut Terminal, wanted: &mut BTreeSet<Window>) -> Vec<(usize, &'static str)> {
    let mut typed = Vec::new();
    let mut prompt = terminal.prompt();
    while let Some(asked) = prompt {
        let now = moment(&asked);
        let is_bots = asked.ends_with("press Enter to continue:");
        let last = asked.lines().last().unwrap_or_default();
        let mover = if is_bots {
            PEOPLE
        } else {
            usize::from(!last.starts_with("Ann, "))
        };
        let holder = |window: &Window| {
            let ((event, _), at, in_bots) = window;
            let is_open = (*at, *in_bots) == (now, is_bots);
            let holder = terminal.holder(event).filter(|_| is_open)?;
            (holder < PEOPLE && holder != mover).then_some(holder)
        };
        let fitting = wanted.iter().find_map(|window| {
            let text = terminal.text(window.0.1)?;
            Some((*window, holder(window)?, text))
        });
        if let Some((window, holder, text)) = fitting {
            let verb = window.0.1;
            prompt = terminal.play(verb, &text);
            wanted.remove(&window);
            typed.push((holder, verb));
            continue;
        }
        let answer = match now {
            Moment::Forecast => first_card(&asked).to_owned(),
            _ if is_bots => String::new(),
            Moment::Limit => format!("discard {}", terminal.card(mover)),
            Moment::Actions | Moment::End => "draw".to_owned(),
            Moment::Intensify => "intensify".to_owned(),
            Moment::SecondEpidemic => "epidemic".to_owned(),
            Moment::BeforeInfections | Moment::BetweenInfections => "infect".to_owned(),
        };
        terminal.answer(&answer);
        prompt = terminal.prompt();
        assert!(
            prompt.is_none() || terminal.has_board(),
            "{asked} {answer}: {:?}",
            terminal.said
        );
    }
    typed
}

/// Returns the events that people played according to a record, each with the seat.
fn recorded(file: &str) -> Vec<(usize, String)> {
    let text = std::fs::read(file).expect("the record");
    let record: Value = serde_json::from_slice(&text).expect("JSON");
    let steps = record["log"].as_array().expect("steps");
    let event = |step: &Value| {
        let verb = step["move"].as_str()?.split(':').next()?;
        let seat = usize::try_from(step["seat"].as_u64()?).ok()?;
        let is_event = EVENTS.iter().any(|(_, event)| *event == verb);
        (is_event && seat < PEOPLE).then(|| (seat, verb.to_owned()))
    };
    steps.iter().filter_map(event).collect()
}

#[test]
fn every_event_is_typed_in_the_turns_of_other_people_and_of_bots() {
    let folder = folder("windows");
    let mut wanted = all_windows();
    for seed in 1..=MAX_GAMES {
        let file = folder.join(format!("{seed}.json"));
        let file = file.to_str().expect("a plain path");
        let mut terminal = Terminal::open(seed, file);
        let typed = play(&mut terminal, &mut wanted);
        drop(terminal.input);
        let status = terminal.child.wait().expect("the program ends");
        assert!(status.success(), "{status}: {:?}", terminal.said);
        let typed: Vec<(usize, String)> = typed
            .into_iter()
            .map(|(seat, verb)| (seat, verb.to_owned()))
            .collect();
        assert_eq!(recorded(file), typed, "seed {seed}");
        assert_eq!(run(&["verify", file]).code, Some(0), "seed {seed}");
        if wanted.is_empty() {
            return;
        }
    }
    panic!("never played: {wanted:?}");
}
