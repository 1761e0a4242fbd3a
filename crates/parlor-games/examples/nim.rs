//! A game defined outside the workspace: installs Nim at program start and lets two generic bots
//! play it.
//!
//! ```sh
//! cargo run --release -p parlor-games --example nim
//! ```

use std::error::Error;

use parlor_bots::Nodes;
use parlor_core::{NoChance, Notation, NotationError, Outcome, Position, Seat, Turn};
use parlor_games::svg::Doc;
use parlor_games::{
    About, Click, Console, Game, GameKind, GamePosition, Input, OptionsError, OptionsReader,
    Preset, TeamPlay, Wording, bots, install,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Heaps of stones. The player who takes the last stone wins.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Nim {
    /// Stones of each heap; at least one heap.
    heaps: Vec<u8>,
    mover: Seat,
}

/// Stones taken from one heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Take {
    heap: usize,
    stones: u8,
}

/// Reason for refusing a [`Take`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum TakeError {
    #[error("the game is over")]
    Over,
    #[error("there is no such heap")]
    NoHeap,
    #[error("take at least one stone")]
    NoStones,
    #[error("the heap has only {0} stones")]
    TooMany(u8),
}

impl Position for Nim {
    type Move = Take;
    type Chance = NoChance;
    type Illegal = TakeError;

    fn seats(&self) -> u8 {
        2
    }

    fn turn(&self) -> Turn {
        if self.heaps.iter().any(|&heap| heap > 0) {
            Turn::Move(self.mover)
        } else {
            Turn::Over(Outcome::won(self.mover.next(2)))
        }
    }

    fn legal_moves_into(&self, out: &mut Vec<Take>) {
        out.clear();
        for (heap, &size) in self.heaps.iter().enumerate() {
            out.extend((1..=size).map(|stones| Take { heap, stones }));
        }
    }

    fn check(&self, take: &Take) -> Result<(), TakeError> {
        if let Turn::Over(_) = self.turn() {
            return Err(TakeError::Over);
        }
        match self.heaps.get(take.heap) {
            None => Err(TakeError::NoHeap),
            Some(_) if take.stones == 0 => Err(TakeError::NoStones),
            Some(&size) if take.stones > size => Err(TakeError::TooMany(size)),
            Some(_) => Ok(()),
        }
    }

    fn play_unchecked(&mut self, take: &Take) {
        self.heaps[take.heap] -= take.stones;
        self.mover = self.mover.next(2);
    }

    fn chances_into(&self, out: &mut Vec<(NoChance, u32)>) {
        out.clear();
    }

    fn resolve_unchecked(&mut self, chance: &NoChance) {
        match *chance {}
    }
}

/// Moves are written as the letter of a heap and the number of stones, such as `b3`; positions as
/// heaps and mover, such as `3,4,5 0`.
impl Notation for Nim {
    fn move_text(&self, take: &Take) -> String {
        format!("{}{}", letter(take.heap), take.stones)
    }

    fn parse_move(&self, text: &str) -> Result<Take, NotationError> {
        let read = || {
            let heap = (0..self.heaps.len()).find(|&heap| text.starts_with(letter(heap)))?;
            let stones = text.get(1..)?.parse().ok()?;
            Some(Take { heap, stones })
        };
        read().ok_or_else(|| NotationError::new(text, "a heap and a number of stones, such as a2"))
    }

    fn chance_text(&self, chance: &NoChance) -> String {
        match *chance {}
    }

    fn parse_chance(&self, text: &str) -> Result<NoChance, NotationError> {
        Err(NotationError::new(text, "possible: nothing in Nim is luck"))
    }

    fn text(&self) -> String {
        let heaps: Vec<String> = self.heaps.iter().map(u8::to_string).collect();
        format!("{} {}", heaps.join(","), self.mover.index())
    }

    fn from_text(text: &str) -> Result<Nim, NotationError> {
        let read = || {
            let (heaps, mover) = text.split_once(' ')?;
            let heaps: Result<Vec<u8>, _> = heaps.split(',').map(str::parse).collect();
            let mover = [Seat::FIRST, Seat::SECOND]
                .into_iter()
                .find(|seat| seat.index().to_string() == mover)?;
            let heaps = heaps.ok()?;
            (heaps.len() <= MOST_HEAPS).then_some(Nim { heaps, mover })
        };
        read().ok_or_else(|| NotationError::new(text, "heaps and the mover, such as \"3,4,5 0\""))
    }
}

const MOST_HEAPS: usize = 8;

fn letter(heap: usize) -> char {
    "abcdefgh".chars().nth(heap).unwrap_or('?')
}

/// View of a Nim position.
#[derive(Serialize, Deserialize, JsonSchema)]
struct NimView {
    heaps: Vec<u8>,
}

/// Nim: take stones from one heap at a time.
struct NimGame;

impl Game for NimGame {
    type Position = Nim;
    type View = NimView;

    const ABOUT: About = About {
        name: "nim",
        title: "Nim",
        summary: "Take stones from one heap at a time; whoever takes the last one wins.",
        rules: "Players take turns taking any number of stones from one heap.\n\nWhoever takes the \
last stone wins.",
        can_be_drawn: false,
        ..About::SKILL
    };

    fn options_schema() -> Value {
        json!({
            "type": "object", "additionalProperties": false,
            "properties": {
                "heaps": {
                    "title": "Heaps", "type": "integer",
                    "minimum": 1, "maximum": MOST_HEAPS, "default": 3,
                },
            },
        })
    }

    fn presets() -> Vec<Preset> {
        vec![Preset {
            title: "Three heaps",
            options: json!({ "heaps": 3 }),
        }]
    }

    /// Creates heaps of 3, 4, 5, ... stones from the options.
    fn start(options: &Value) -> Result<Nim, OptionsError> {
        let mut reader = OptionsReader::new(options, &["heaps"]);
        let heaps = reader.number("heaps", 1, 8).unwrap_or(3);
        reader.finish()?;
        Ok(Nim {
            heaps: (3..3 + heaps).collect(),
            mover: Seat::FIRST,
        })
    }

    fn options(position: &Nim) -> Value {
        json!({ "heaps": position.heaps.len() })
    }

    fn view(position: &Nim, _: Option<&str>) -> NimView {
        NimView {
            heaps: position.heaps.clone(),
        }
    }

    fn picture(view: &NimView) -> String {
        let width = 40.0 * view.heaps.len() as f64;
        let mut doc = Doc::new(width, 60.0, "Nim");
        for (n, heap) in view.heaps.iter().enumerate() {
            let x = 40.0 * n as f64 + 20.0;
            doc.text(x, 40.0, 24.0, "label", &heap.to_string());
        }
        doc.finish()
    }
}

impl GamePosition for Nim {
    type Game = NimGame;
}

impl Wording for Nim {}
impl TeamPlay for Nim {}
impl Console for Nim {}

impl Input for Nim {
    fn clicks(&self) -> Vec<Click> {
        let button = |take: &Take| {
            let text = self.move_text(take);
            Click::whole(text.clone(), Vec::new(), text)
        };
        self.legal_moves().iter().map(button).collect()
    }
}

/// Plays the strongest bot against the weakest and returns the moves.
fn play() -> Result<Vec<String>, Box<dyn Error>> {
    install(&[GameKind::new::<NimGame>()])?;
    let mut position = GameKind::from_name("nim")?.start(&json!({ "heaps": 3 }))?;
    let mut players = [
        bots::bot(&position, "level:5", 1)?,
        bots::bot(&position, "level:1", 2)?,
    ];
    let mut moves = Vec::new();
    while let Turn::Move(seat) = position.turn() {
        let bot = &mut players[seat.index()];
        let thought = bot.think(&position, &mut Nodes(20_000));
        let text = thought.ok_or("a bot found no move")?.text;
        position.play(&text, seat)?;
        moves.push(format!("{} plays {text}: {}", bot.name(), position.text()));
    }
    Ok(moves)
}

#[expect(clippy::print_stdout, reason = "a program writes to its terminal")]
fn main() -> Result<(), Box<dyn Error>> {
    for line in play()? {
        println!("{line}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    /// Heaps of 3, 4 and 5 are won by the first player, with two stones from the first heap.
    #[test]
    fn an_installed_game_is_found_by_name_and_won_by_the_stronger_bot() {
        let moves = super::play().expect("the game is installed once");
        assert_eq!(moves[0], "level:5 plays a2: 1,4,5 1");
        let last = moves.last().expect("a game has moves");
        assert!(
            last.starts_with("level:5 ") && last.ends_with(": 0,0,0 1"),
            "{moves:?}"
        );
    }
}
