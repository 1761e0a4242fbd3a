//! The full screen without a screen: what is chosen, what keys do, what is said.

use parlor_games::Click;
use parlor_games::console::{Screen, Spot};
use parlor_table::{Entry, Event};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::session::{Mover, Session};

/// What a key led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Go on.
    Stay,
    /// The person wants out.
    Leave,
}

/// A direction of the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Left,
    Right,
    Up,
    Down,
}

/// A game on a full screen.
pub struct App {
    pub session: Session,
    /// The board as it is shown.
    pub screen: Screen,
    clicks: Vec<Click>,
    /// Index of the spot under the cursor.
    pub cursor: usize,
    /// Ids chosen so far of a move that takes several.
    pub path: Vec<String>,
    /// What is said below the board.
    pub message: String,
    /// The moves and chances so far, a line each.
    pub log: Vec<String>,
    /// Whether the question is open if the game is to be left.
    pub asking: bool,
    /// A move that is being typed.
    pub typing: Option<String>,
    /// Whether the list of moves is shown in place of the board, where both have no room.
    pub reading: bool,
    /// Whether they had no room when they were drawn last.
    pub narrow: bool,
    /// Where the board was drawn last, to find what the mouse points at: the first character's column and line, and how far it
    /// is scrolled.
    pub origin: ((u16, u16), (u16, u16)),
}

impl App {
    /// A screen for a game.
    pub fn new(session: Session) -> App {
        let screen = session.position().screen(None);
        let cursor = middle(&screen.spots);
        let mut app = App {
            screen,
            clicks: Vec::new(),
            cursor,
            path: Vec::new(),
            message: String::new(),
            log: Vec::new(),
            asking: false,
            typing: None,
            reading: false,
            narrow: false,
            origin: ((0, 0), (0, 0)),
            session,
        };
        let opening = app.session.table().log().to_vec();
        app.follow(&opening);
        app
    }

    /// Takes in what has happened at the table.
    pub fn follow(&mut self, entries: &[Entry]) {
        for (entry, told) in entries.iter().zip(self.session.told(entries)) {
            match &entry.event {
                Event::Moved { seat, text, .. } => {
                    let mark = self.session.position().seat_name(*seat);
                    let text = told.unwrap_or_else(|| self.session.position().written(text));
                    self.log
                        .push(format!("{:>3}. {mark} {text}", self.log.len() + 1));
                }
                Event::Chance { chance, .. } => {
                    self.log.push(format!(
                        "     luck: {}",
                        told.unwrap_or_else(|| chance.clone())
                    ));
                }
                _ => {}
            }
        }
        let table = self.session.table();
        let screen = table.position().screen(table.last_mark());
        // Other things to point at are pointed at from their beginning.
        if !screen.spots.iter().map(|spot| &spot.id).eq(self
            .screen
            .spots
            .iter()
            .map(|spot| &spot.id))
        {
            self.cursor = 0;
        }
        self.screen = screen;
        self.clicks = table.position().choices();
        self.path.clear();
        self.message = self.state();
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.session.mover().is_none()
    }

    /// Whether a person can play something.
    fn is_asked(&self) -> bool {
        matches!(self.session.mover(), Some(Mover::Person(_))) || self.session.bystander().is_some()
    }

    /// Who is to move, or how it ended.
    fn state(&self) -> String {
        let table = self.session.table();
        match (
            self.session.mover(),
            table.ending().and_then(|ending| ending.outcome),
        ) {
            (Some(Mover::Person(seat)), _) => {
                let asked = table
                    .position()
                    .question()
                    .map_or_else(String::new, |question| format!(": {question}"));
                format!(
                    "{} ({}) to move{asked}",
                    self.session.title(seat),
                    table.position().seat_name(seat)
                )
            }
            (Some(Mover::Bot(seat)), _) => {
                let bystander = self.session.bystander().map_or_else(String::new, |seat| {
                    format!(
                        "  {} can play an event: `:` and its name",
                        self.session.title(seat)
                    )
                });
                format!("{} is thinking …{bystander}", self.session.title(seat))
            }
            (None, Some(outcome)) => table.position().result(outcome, self.session.names()),
            (None, None) => "The game is over.".to_owned(),
        }
    }

    /// Does what a key says.
    pub fn key(&mut self, key: KeyEvent) -> Next {
        if key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('c') {
            return Next::Leave;
        }
        if self.asking {
            self.asking = false;
            return if matches!(key.code, KeyCode::Char('y' | 'Y') | KeyCode::Enter) {
                Next::Leave
            } else {
                Next::Stay
            };
        }
        if std::mem::take(&mut self.reading) {
            return Next::Stay;
        }
        if let Some(text) = self.typing.take() {
            self.typed(text, key.code);
            return Next::Stay;
        }
        match key.code {
            KeyCode::Char(':') if self.is_asked() => {
                self.path.clear();
                self.typing = Some(String::new());
            }
            KeyCode::Char('q') | KeyCode::Esc if self.is_over() => return Next::Leave,
            KeyCode::Esc if !self.path.is_empty() => self.path.clear(),
            KeyCode::Char('q') | KeyCode::Esc => self.asking = true,
            KeyCode::Char('L') => self.reading = self.narrow,
            KeyCode::Left | KeyCode::Char('h') => self.walk(Way::Left),
            KeyCode::Right | KeyCode::Char('l') => self.walk(Way::Right),
            KeyCode::Up | KeyCode::Char('k') => self.walk(Way::Up),
            KeyCode::Down | KeyCode::Char('j') => self.walk(Way::Down),
            KeyCode::Enter | KeyCode::Char(' ') => self.choose(),
            _ => {}
        }
        Next::Stay
    }

    /// Goes on with a move that is being typed; Tab completes it as far as the legal moves agree.
    fn typed(&mut self, mut text: String, key: KeyCode) {
        match key {
            KeyCode::Enter if text.trim().is_empty() => return,
            KeyCode::Enter => return self.say(&text),
            KeyCode::Esc => return,
            KeyCode::Backspace => drop(text.pop()),
            KeyCode::Tab => text = self.completed(&text),
            KeyCode::Char(letter) => text.push(letter),
            _ => {}
        }
        self.typing = Some(text);
    }

    /// Plays a move that was typed.
    fn say(&mut self, line: &str) {
        let read = self
            .session
            .position()
            .answer(line)
            .map_err(|unread| unread.to_string());
        match read.and_then(|text| self.session.say(&text).map_err(|reason| reason.to_string())) {
            Ok(entries) => self.follow(&entries),
            Err(reason) => self.refuse(&reason),
        }
    }

    /// What all legal moves have in common that begin with this text.
    fn completed(&self, text: &str) -> String {
        let begins = |known: &&str| {
            known
                .get(..text.len())
                .is_some_and(|begin| begin.eq_ignore_ascii_case(text))
        };
        let mut fitting = self
            .clicks
            .iter()
            .map(|click| click.text.as_str())
            .filter(begins);
        let Some(first) = fitting.next() else {
            return text.to_owned();
        };
        let common = |common: &str, other: &str| {
            common
                .chars()
                .zip(other.chars())
                .take_while(|(a, b)| a == b)
                .count()
        };
        let all = fitting.fold(first.to_owned(), |all, other| {
            all.chars().take(common(&all, other)).collect()
        });
        if all.len() < text.len() {
            text.to_owned()
        } else {
            all
        }
    }

    /// Chooses the spot at a place of the screen, if there is one.
    pub fn point(&mut self, column: u16, line: u16) {
        let ((left, top), (right, down)) = self.origin;
        let (Some(x), Some(y)) = (column.checked_sub(left), line.checked_sub(top)) else {
            return;
        };
        let (x, y) = (x + right, y + down);
        let at = |spot: &Spot| spot.y == y && (spot.x..spot.x + width(spot)).contains(&x);
        if let Some(index) = self.screen.spots.iter().position(at) {
            self.cursor = index;
            self.choose();
        }
    }

    /// Moves the cursor to the nearest spot that way, at best straight on.
    fn walk(&mut self, way: Way) {
        let Some(here) = self.screen.spots.get(self.cursor) else {
            return;
        };
        let distance = |spot: &Spot| {
            let (dx, dy) = (
                i32::from(spot.x) - i32::from(here.x),
                i32::from(spot.y) - i32::from(here.y),
            );
            // A line is about twice as high as a character is wide.
            let (along, across) = match way {
                Way::Left => (-dx, 2 * dy),
                Way::Right => (dx, 2 * dy),
                Way::Up => (-2 * dy, dx),
                Way::Down => (2 * dy, dx),
            };
            (along > 0).then_some(along + 3 * across.abs())
        };
        let spots = self.screen.spots.iter().enumerate();
        let nearest = spots
            .filter_map(|(index, spot)| Some((distance(spot)?, index)))
            .min();
        self.cursor = nearest.map_or(self.cursor, |(_, index)| index);
    }

    /// Adds the spot under the cursor to the path, and plays the move that the path makes.
    fn choose(&mut self) {
        let Some(spot) = self
            .screen
            .spots
            .get(self.cursor)
            .filter(|_| self.is_asked())
        else {
            return;
        };
        self.path.push(spot.id.clone());
        let whole = self
            .clicks
            .iter()
            .find(|click| click.path == self.path)
            .map(|click| click.text.clone());
        if let Some(text) = whole {
            match self.session.say(&text) {
                Ok(entries) => self.follow(&entries),
                Err(reason) => self.refuse(&reason.to_string()),
            }
        } else if !self
            .clicks
            .iter()
            .any(|click| click.path.starts_with(&self.path))
        {
            self.refuse("That is no legal move.");
        } else {
            self.walk_on();
        }
    }

    /// The cursor goes to the first spot that the path can go on with, if it is far away in a menu.
    fn walk_on(&mut self) {
        let next = |click: &Click| click.path.strip_prefix(&self.path[..])?.first().cloned();
        let next: Vec<String> = self.clicks.iter().filter_map(next).collect();
        let fits = |spot: &Spot| next.contains(&spot.id);
        if !self.screen.spots.get(self.cursor).is_some_and(fits) {
            self.cursor = self
                .screen
                .spots
                .iter()
                .position(fits)
                .unwrap_or(self.cursor);
        }
    }

    fn refuse(&mut self, reason: &str) {
        self.path.clear();
        self.message = format!("{reason}  {}", self.state());
    }
}

/// How many characters a spot takes.
pub fn width(spot: &Spot) -> u16 {
    u16::try_from(spot.text.chars().count()).unwrap_or(u16::MAX)
}

/// The spot in the middle of all, where most games begin.
fn middle(spots: &[Spot]) -> usize {
    let most = |of: fn(&Spot) -> u16| spots.iter().map(of).max().unwrap_or_default();
    let least = |of: fn(&Spot) -> u16| spots.iter().map(of).min().unwrap_or_default();
    let (x, y) = (
        (most(|s| s.x) + least(|s| s.x)) / 2,
        (most(|s| s.y) + least(|s| s.y)) / 2,
    );
    let far = |spot: &Spot| 2 * spot.y.abs_diff(y) + spot.x.abs_diff(x);
    spots
        .iter()
        .enumerate()
        .min_by_key(|(_, spot)| far(spot))
        .map_or(0, |(index, _)| index)
}
