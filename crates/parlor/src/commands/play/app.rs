//! State of the full-screen interface: cursor, input, messages. Drawing is done elsewhere.

use std::sync::mpsc::Receiver;

use parlor_games::Click;
use parlor_games::console::{Screen, Spot};
use parlor_table::runner::Mover;
use parlor_table::{LogEntry, TableEvent};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::advice;
use super::session::TerminalSession;

/// Effect of a key or click.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyEffect {
    /// Keep running.
    Continue,
    /// Quit the program.
    Quit,
}

/// A direction for the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CursorDirection {
    Left,
    Right,
    Up,
    Down,
}

/// A game on a full screen.
pub struct App {
    pub session: TerminalSession,
    /// Entries of the table's log that are not shown yet.
    news: Receiver<Vec<LogEntry>>,
    /// The displayed board.
    pub screen: Screen,
    clicks: Vec<Click>,
    /// Index of the spot under the cursor.
    pub cursor: usize,
    /// Ids selected so far for a move that takes several clicks.
    pub path: Vec<String>,
    /// Text below the board.
    pub message: String,
    /// Moves and chances so far, one line each.
    pub log: Vec<String>,
    /// True while the player is asked to confirm quitting.
    pub confirming_quit: bool,
    /// Move being typed.
    pub typed_move: Option<String>,
    /// True if the list of moves replaces the board, on a screen too narrow for both.
    pub showing_log: bool,
    /// Advice that covers the board until a key is pressed.
    pub advice: Option<Vec<String>>,
    /// True if the adviser is asked and has not answered: the event loop calls
    /// [`App::show_advice`] once the screen says so.
    pub asks_adviser: bool,
    /// True if the screen was too narrow for both when last drawn.
    pub is_narrow: bool,
    /// Column and line of the board's first character when last drawn, and its scroll offset. Needed
    /// to find the spot under the mouse.
    pub origin: ((u16, u16), (u16, u16)),
}

impl App {
    /// Creates the interface for a session.
    pub fn new(mut session: TerminalSession) -> App {
        let news = session.observe();
        let screen = session.position().screen(None);
        let cursor = middle(&screen.spots);
        let mut app = App {
            screen,
            clicks: Vec::new(),
            cursor,
            path: Vec::new(),
            message: String::new(),
            log: Vec::new(),
            confirming_quit: false,
            typed_move: None,
            showing_log: false,
            advice: None,
            asks_adviser: false,
            is_narrow: false,
            origin: ((0, 0), (0, 0)),
            news,
            session,
        };
        let opening = app.session.table().log().to_vec();
        app.apply_entries(&opening);
        app
    }

    /// Updates the screen after commands to the table.
    pub fn apply_news(&mut self) {
        while let Ok(entries) = self.news.try_recv() {
            self.apply_entries(&entries);
        }
    }

    fn apply_entries(&mut self, entries: &[LogEntry]) {
        let narratives = self.session.table().narrate(entries);
        for (entry, narrative) in entries.iter().zip(narratives) {
            match &entry.event {
                TableEvent::Moved { seat, text, .. } => {
                    let mark = self.session.position().seat_name(*seat);
                    let text = narrative.unwrap_or_else(|| self.session.position().notation(text));
                    self.log
                        .push(format!("{:>3}. {mark} {text}", self.log.len() + 1));
                }
                TableEvent::Chance { chance, .. } => {
                    self.log.push(format!(
                        "     luck: {}",
                        narrative.unwrap_or_else(|| chance.clone())
                    ));
                }
                _ => {}
            }
        }
        let table = self.session.table();
        let screen = table.position().screen(table.last_marked_move());
        // With different spots the cursor starts over.
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
        self.message = self.status_text();
    }

    /// True if the game is over.
    pub fn is_over(&self) -> bool {
        self.session.mover().is_none()
    }

    /// True if a person can move now.
    fn accepts_moves(&self) -> bool {
        matches!(self.session.mover(), Some(Mover::Person(_))) || self.session.bystander().is_some()
    }

    /// Describes whose turn it is, or the result.
    fn status_text(&self) -> String {
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
                        "  {} may play an event: type `:` and its name",
                        self.session.title(seat)
                    )
                });
                format!("{} is thinking …{bystander}", self.session.title(seat))
            }
            (None, Some(outcome)) => table.position().result(outcome, self.session.names()),
            (None, None) => "The game is over.".to_owned(),
        }
    }

    /// Handles a key.
    pub fn handle_key(&mut self, key: KeyEvent) -> KeyEffect {
        if key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('c') {
            return KeyEffect::Quit;
        }
        if self.confirming_quit {
            self.confirming_quit = false;
            return if matches!(key.code, KeyCode::Char('y' | 'Y') | KeyCode::Enter) {
                KeyEffect::Quit
            } else {
                KeyEffect::Continue
            };
        }
        if self.advice.take().is_some() || std::mem::take(&mut self.showing_log) {
            return KeyEffect::Continue;
        }
        if let Some(text) = self.typed_move.take() {
            self.edit_typed_move(text, key.code);
            return KeyEffect::Continue;
        }
        match key.code {
            KeyCode::Char(':') if self.accepts_moves() => {
                self.path.clear();
                self.typed_move = Some(String::new());
            }
            KeyCode::Char('q') | KeyCode::Esc if self.is_over() => return KeyEffect::Quit,
            KeyCode::Esc if !self.path.is_empty() => self.path.clear(),
            KeyCode::Char('q') | KeyCode::Esc => self.confirming_quit = true,
            KeyCode::Char('a') if self.session.has_advice() => {
                self.path.clear();
                self.asks_adviser = true;
                self.message = "The adviser is thinking …".to_owned();
            }
            KeyCode::Char('L') => self.showing_log = self.is_narrow,
            KeyCode::Left | KeyCode::Char('h') => self.move_cursor(CursorDirection::Left),
            KeyCode::Right | KeyCode::Char('l') => self.move_cursor(CursorDirection::Right),
            KeyCode::Up | KeyCode::Char('k') => self.move_cursor(CursorDirection::Up),
            KeyCode::Down | KeyCode::Char('j') => self.move_cursor(CursorDirection::Down),
            KeyCode::Enter | KeyCode::Char(' ') => self.select_spot(),
            _ => {}
        }
        KeyEffect::Continue
    }

    /// Computes advice and shows it, which takes about a second.
    pub fn show_advice(&mut self) {
        self.advice = Some(advice::lines(&self.session));
        self.message = self.status_text();
    }

    /// Edits the typed move; Tab completes it to the longest common prefix of the legal moves.
    fn edit_typed_move(&mut self, mut text: String, key: KeyCode) {
        match key {
            KeyCode::Enter if text.trim().is_empty() => return,
            KeyCode::Enter => return self.play_typed_move(&text),
            KeyCode::Esc => return,
            KeyCode::Backspace => drop(text.pop()),
            KeyCode::Tab => text = self.completed(&text),
            KeyCode::Char(letter) => text.push(letter),
            _ => {}
        }
        self.typed_move = Some(text);
    }

    /// Plays a typed move.
    fn play_typed_move(&mut self, line: &str) {
        let read = self
            .session
            .position()
            .answer(line)
            .map_err(|unread| unread.to_string());
        match read.and_then(|text| {
            self.session
                .play_as_person(&text)
                .map_err(|reason| reason.to_string())
        }) {
            Ok(()) => self.apply_news(),
            Err(reason) => self.show_error(&reason),
        }
    }

    /// Returns the longest common prefix of all legal moves that begin with a text.
    fn completed(&self, text: &str) -> String {
        let has_prefix = |known: &&str| {
            known
                .get(..text.len())
                .is_some_and(|begin| begin.eq_ignore_ascii_case(text))
        };
        let mut matching = self
            .clicks
            .iter()
            .map(|click| click.text.as_str())
            .filter(has_prefix);
        let Some(first) = matching.next() else {
            return text.to_owned();
        };
        let common = |common: &str, other: &str| {
            common
                .chars()
                .zip(other.chars())
                .take_while(|(a, b)| a == b)
                .count()
        };
        let all = matching.fold(first.to_owned(), |all, other| {
            all.chars().take(common(&all, other)).collect()
        });
        if all.len() < text.len() {
            text.to_owned()
        } else {
            all
        }
    }

    /// Selects the spot at a position of the screen, if there is one.
    pub fn click_at(&mut self, column: u16, line: u16) {
        if self.advice.take().is_some() {
            return;
        }
        let ((left, top), (right, down)) = self.origin;
        let (Some(x), Some(y)) = (column.checked_sub(left), line.checked_sub(top)) else {
            return;
        };
        let (x, y) = (x + right, y + down);
        let is_hit = |spot: &Spot| spot.y == y && (spot.x..spot.x + width(spot)).contains(&x);
        if let Some(index) = self.screen.spots.iter().position(is_hit) {
            self.cursor = index;
            self.select_spot();
        }
    }

    /// Moves the cursor to the nearest spot in a direction, preferring a straight line.
    fn move_cursor(&mut self, direction: CursorDirection) {
        let Some(here) = self.screen.spots.get(self.cursor) else {
            return;
        };
        let distance = |spot: &Spot| {
            let (dx, dy) = (
                i32::from(spot.x) - i32::from(here.x),
                i32::from(spot.y) - i32::from(here.y),
            );
            // Characters are about twice as high as wide.
            let (along, across) = match direction {
                CursorDirection::Left => (-dx, 2 * dy),
                CursorDirection::Right => (dx, 2 * dy),
                CursorDirection::Up => (-2 * dy, dx),
                CursorDirection::Down => (2 * dy, dx),
            };
            (along > 0).then_some(along + 3 * across.abs())
        };
        let spots = self.screen.spots.iter().enumerate();
        let nearest = spots
            .filter_map(|(index, spot)| Some((distance(spot)?, index)))
            .min();
        self.cursor = nearest.map_or(self.cursor, |(_, index)| index);
    }

    /// Adds the spot under the cursor to the path, and plays the move if the path is complete.
    fn select_spot(&mut self) {
        let Some(spot) = self
            .screen
            .spots
            .get(self.cursor)
            .filter(|_| self.accepts_moves())
        else {
            return;
        };
        self.path.push(spot.id.clone());
        let complete = self
            .clicks
            .iter()
            .find(|click| click.path == self.path)
            .map(|click| click.text.clone());
        if let Some(text) = complete {
            match self.session.play_as_person(&text) {
                Ok(()) => self.apply_news(),
                Err(reason) => self.show_error(&reason.to_string()),
            }
        } else if !self
            .clicks
            .iter()
            .any(|click| click.path.starts_with(&self.path))
        {
            self.show_error("That is not a legal move.");
        } else {
            self.advance_cursor();
        }
    }

    /// Moves the cursor to the first spot that can continue the path, unless it is on one already.
    fn advance_cursor(&mut self) {
        let next = |click: &Click| click.path.strip_prefix(&self.path[..])?.first().cloned();
        let next: Vec<String> = self.clicks.iter().filter_map(next).collect();
        let can_continue = |spot: &Spot| next.contains(&spot.id);
        if !self.screen.spots.get(self.cursor).is_some_and(can_continue) {
            self.cursor = self
                .screen
                .spots
                .iter()
                .position(can_continue)
                .unwrap_or(self.cursor);
        }
    }

    fn show_error(&mut self, reason: &str) {
        self.path.clear();
        self.message = format!("{reason}  {}", self.status_text());
    }
}

/// Returns the width of a spot in characters.
pub fn width(spot: &Spot) -> u16 {
    u16::try_from(spot.text.chars().count()).unwrap_or(u16::MAX)
}

/// Returns the index of the spot nearest to the center, where most games begin.
fn middle(spots: &[Spot]) -> usize {
    let max = |coordinate: fn(&Spot) -> u16| spots.iter().map(coordinate).max().unwrap_or_default();
    let min = |coordinate: fn(&Spot) -> u16| spots.iter().map(coordinate).min().unwrap_or_default();
    let (x, y) = (
        (max(|s| s.x) + min(|s| s.x)) / 2,
        (max(|s| s.y) + min(|s| s.y)) / 2,
    );
    let distance = |spot: &Spot| 2 * spot.y.abs_diff(y) + spot.x.abs_diff(x);
    spots
        .iter()
        .enumerate()
        .min_by_key(|(_, spot)| distance(spot))
        .map_or(0, |(index, _)| index)
}
