//! Drawing of the full-screen interface.

use parlor_core::Seat;
use parlor_games::console::{Accent, Spot, Tint};
use parlor_table::TableStatus;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::app::{App, width};

/// Colors of the seats. They are only an aid: marks differ in their symbols as well.
const SEAT_COLORS: [Color; 8] = [
    Color::Cyan,
    Color::Yellow,
    Color::Magenta,
    Color::Green,
    Color::LightBlue,
    Color::LightRed,
    Color::White,
    Color::LightGreen,
];
/// Width of the panel with players and moves.
const PANEL_WIDTH: u16 = 30;
const HELP: &str = "arrows/hjkl move · Enter play · mouse · : type · q quit";
const HELP_NARROW: &str = "arrows/hjkl move · Enter play · mouse · : type · L log · q quit";
const HELP_LOG: &str = "press any key to return to the board";
const HELP_ADVICE: &str = " · a adviser";
const HELP_OVER: &str = "q quit";
const HELP_TYPING: &str = "Enter play · Tab complete · Esc cancel";
const HELP_PATH: &str = "Enter select · Esc start the move over";

/// Draws the screen.
pub fn draw(app: &mut App, frame: &mut Frame<'_>) {
    let message = match &app.typed_move {
        _ if app.confirming_quit => "Quit the game? y / n".to_owned(),
        Some(text) => format!(":{text}▏"),
        None => app.message.clone(),
    };
    let message = wrap(&format!(" {message}"), frame.area().width);
    let message_lines = message.len().clamp(1, 3) as u16;
    let [title, body, message_area, help] = Layout::vertical([
        Constraint::Length(2),
        Constraint::Min(1),
        Constraint::Length(message_lines),
        Constraint::Length(1),
    ])
    .areas(frame.area());
    let board_width = app
        .screen
        .lines
        .iter()
        .map(|line| line.chars().count())
        .max()
        .unwrap_or_default() as u16
        + 2;
    let panel_width = if body.width >= board_width + PANEL_WIDTH {
        PANEL_WIDTH
    } else {
        0
    };
    let [board, panel] =
        Layout::horizontal([Constraint::Min(1), Constraint::Length(panel_width)]).areas(body);

    let kind = app.session.table().kind();
    frame.render_widget(
        Paragraph::new(Line::from(format!(" {}", kind.title())).bold()),
        title,
    );
    if let Some(lines) = &app.advice {
        let lines = lines.iter().flat_map(|line| wrap(line, body.width));
        let lines: Vec<Line<'_>> = lines.map(Line::from).collect();
        frame.render_widget(Paragraph::new(lines), body);
    } else if panel_width == 0 && app.showing_log {
        frame.render_widget(Paragraph::new(panel_lines(app, board)), board);
    } else {
        draw_board(app, board, frame.buffer_mut());
        frame.render_widget(Paragraph::new(panel_lines(app, panel)), panel);
    }
    app.is_narrow = panel_width == 0;
    let style = if app.confirming_quit || app.is_over() {
        Style::new().add_modifier(Modifier::BOLD)
    } else {
        Style::new()
    };
    frame.render_widget(
        Paragraph::new(message.into_iter().map(Line::from).collect::<Vec<_>>()).style(style),
        message_area,
    );
    let keys = match () {
        () if app.showing_log || app.advice.is_some() => HELP_LOG,
        () if app.is_over() => HELP_OVER,
        () if app.typed_move.is_some() => HELP_TYPING,
        () if !app.path.is_empty() => HELP_PATH,
        () if app.is_narrow && !app.log.is_empty() => HELP_NARROW,
        () => HELP,
    };
    let has_advice = matches!(keys, HELP | HELP_NARROW) && app.session.has_advice();
    let adviser = if has_advice { HELP_ADVICE } else { "" };
    frame.render_widget(
        Paragraph::new(format!(" {keys}{adviser}")).style(Style::new().add_modifier(Modifier::DIM)),
        help,
    );
}

/// Draws the board, scrolled so that the cursor is visible.
fn draw_board(app: &mut App, area: Rect, buffer: &mut Buffer) {
    let cursor = app
        .screen
        .spots
        .get(app.cursor)
        .map_or((0, 0), |spot| (spot.x + width(spot), spot.y + 1));
    let most = (
        app.screen
            .lines
            .iter()
            .map(|line| line.chars().count())
            .max()
            .unwrap_or_default() as u16,
        app.screen.lines.len() as u16,
    );
    let scroll = |cursor: u16, room: u16, all: u16| {
        if all <= room {
            0
        } else {
            cursor.saturating_sub(room / 2).min(all - room)
        }
    };
    let left = area.x + 2.min(area.width);
    let area = Rect {
        x: left,
        width: area.right() - left,
        ..area
    };
    let (right, down) = (
        scroll(cursor.0, area.width, most.0),
        scroll(cursor.1, area.height, most.1),
    );
    app.origin = ((area.x, area.y), (right, down));
    let mut put = |x: u16, y: u16, text: &str, style: Style| {
        for (x, symbol) in (x..).zip(text.chars()) {
            let (Some(x), Some(y)) = (x.checked_sub(right), y.checked_sub(down)) else {
                continue;
            };
            if x < area.width && y < area.height {
                buffer[(area.x + x, area.y + y)]
                    .set_char(symbol)
                    .set_style(style);
            }
        }
    };
    for (y, line) in (0..).zip(&app.screen.lines) {
        put(0, y, line, Style::new().add_modifier(Modifier::DIM));
    }
    for (index, spot) in app.screen.spots.iter().enumerate() {
        let chosen = app.path.contains(&spot.id);
        put(
            spot.x,
            spot.y,
            &spot.text,
            style_of(spot, chosen, index == app.cursor && !app.is_over()),
        );
    }
}

fn style_of(spot: &Spot, chosen: bool, under_cursor: bool) -> Style {
    let mut style = Style::new().remove_modifier(Modifier::DIM);
    if let Some(seat) = spot.seat {
        style = style
            .fg(SEAT_COLORS[usize::from(seat) % SEAT_COLORS.len()])
            .add_modifier(Modifier::BOLD);
    }
    style = match spot.tint {
        None => style,
        Some(Tint::Blue) => style.fg(Color::LightBlue),
        Some(Tint::Yellow) => style.fg(Color::Yellow),
        Some(Tint::Gray) => style.fg(Color::Gray),
        Some(Tint::Red) => style.fg(Color::LightRed),
    };
    style = match spot.accent {
        Accent::None => style,
        Accent::Near => style.add_modifier(Modifier::UNDERLINED),
        Accent::Last => style.add_modifier(Modifier::UNDERLINED),
        Accent::Won => style.add_modifier(Modifier::REVERSED),
    };
    if chosen {
        style = style.bg(Color::DarkGray);
    }
    if under_cursor {
        style.add_modifier(Modifier::REVERSED)
    } else {
        style
    }
}

/// Returns the lines of the panel: players and latest moves.
fn panel_lines(app: &App, area: Rect) -> Vec<Line<'static>> {
    let session = &app.session;
    let on_turn = session
        .table()
        .on_turn()
        .filter(|_| session.table().status() == TableStatus::Playing);
    let line = |seat: Seat| {
        let pointer = if on_turn == Some(seat) { "▶ " } else { "  " };
        let mark = Style::new()
            .fg(SEAT_COLORS[seat.index() % SEAT_COLORS.len()])
            .add_modifier(Modifier::BOLD);
        Line::from(vec![
            Span::raw(pointer),
            Span::styled(session.position().seat_name(seat), mark),
            Span::raw(format!("  {}", session.names()[seat.index()])),
        ])
    };
    let mut lines: Vec<Line<'static>> = Seat::all(session.position().seats()).map(line).collect();
    lines.push(Line::default());
    let room = usize::from(area.height).saturating_sub(lines.len());
    // The latest moves, as many as fit.
    let recent = app
        .log
        .iter()
        .rev()
        .take(room)
        .flat_map(|line| wrap(line, area.width).into_iter().rev())
        .take(room);
    let recent: Vec<String> = recent.collect();
    lines.extend(recent.into_iter().rev().map(Line::from));
    lines
}

/// Breaks a text into lines of a given width; all but the first are indented.
fn wrap(text: &str, width: u16) -> Vec<String> {
    const INDENT: &str = "     ";
    let width = usize::from(width).max(INDENT.len() + 1);
    let mut lines = vec![String::new()];
    for word in text.split_inclusive(' ') {
        let line = lines.last_mut().expect("the first line exists");
        if line.chars().count() + word.trim_end().chars().count() > width && !line.trim().is_empty()
        {
            lines.push(format!("{INDENT}{word}"));
        } else {
            line.push_str(word);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
    use serde_json::{Value, json};

    use super::super::app::{App, KeyEffect};
    use super::super::session::{SessionConfig, TerminalSession};
    use super::draw;

    fn app(options: Value) -> App {
        app_of("mnk", options)
    }

    fn app_of(game: &str, options: Value) -> App {
        let config = SessionConfig {
            game: parlor_games::GameKind::from_name(game).expect("a listed game"),
            options,
            players: vec!["human:Ann".to_owned(), "human:Bob".to_owned()],
            seed: Some(1),
            think: Duration::from_millis(1),
            advice: true,
        };
        App::new(TerminalSession::new(config).expect("two people and a board"))
    }

    fn shown(app: &mut App, width: u16, height: u16) -> Vec<String> {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| draw(app, frame)).unwrap();
        let buffer = terminal.backend().buffer();
        let line = |y| {
            (0..width)
                .map(|x| buffer[(x, y)].symbol())
                .collect::<String>()
                .trim_end()
                .to_owned()
        };
        (0..height).map(line).collect()
    }

    fn press(app: &mut App, keys: &str) -> KeyEffect {
        let code = |key| match key {
            '⏎' => KeyCode::Enter,
            '→' => KeyCode::Right,
            '␛' => KeyCode::Esc,
            '⇥' => KeyCode::Tab,
            key => KeyCode::Char(key),
        };
        keys.chars()
            .map(|key| app.handle_key(KeyEvent::new(code(key), KeyModifiers::NONE)))
            .last()
            .unwrap_or(KeyEffect::Continue)
    }

    #[test]
    fn the_screen_shows_board_players_moves_and_help() {
        let mut app = app(Value::Null);
        press(&mut app, "⏎k⏎");
        let screen = shown(&mut app, 60, 11);
        assert_eq!(
            screen,
            [
                " Tic-tac-toe",
                "",
                "      0   1   2               ▶ X  Ann",
                "   0    │ O │                   O  Bob",
                "     ───┼───┼───",
                "   1    │ X │                   1. X 1,1",
                "     ───┼───┼───                2. O 0,1",
                "   2    │   │",
                "",
                " Ann (X) to move",
                " arrows/hjkl move · Enter play · mouse · : type · q quit",
            ]
        );
    }

    #[test]
    fn a_taken_cell_is_refused_and_the_game_goes_on() {
        let mut app = app(Value::Null);
        press(&mut app, "⏎⏎");
        assert!(
            app.message.starts_with("That is not a legal move."),
            "{}",
            app.message
        );
        assert_eq!(app.session.table().plies(), 1);
    }

    #[test]
    fn a_whole_game_is_played_with_keys() {
        let mut app = app(Value::Null);
        press(&mut app, "⏎k⏎h⏎l→⏎jj⏎");
        assert!(app.is_over(), "{:?}", app.log);
        assert_eq!(app.message, "Player X Ann wins!");
        assert_eq!(press(&mut app, "q"), KeyEffect::Quit);
    }

    #[test]
    fn quitting_must_be_confirmed() {
        let mut app = app(Value::Null);
        assert_eq!(press(&mut app, "q"), KeyEffect::Continue);
        assert!(shown(&mut app, 60, 11)[9].contains("Quit the game?"));
        assert_eq!(press(&mut app, "n"), KeyEffect::Continue);
        assert_eq!(press(&mut app, "␛y"), KeyEffect::Quit);
    }

    #[test]
    fn a_click_plays_on_its_spot() {
        let mut app = app(Value::Null);
        shown(&mut app, 60, 11);
        app.click_at(6, 3);
        assert_eq!(app.session.table().last_move(), Some("0,0"));
        app.click_at(59, 0);
        assert_eq!(app.session.table().plies(), 1, "no spot there");
    }

    #[test]
    fn a_board_larger_than_the_screen_scrolls_to_the_cursor() {
        let mut app = app(json!({"rows": 19, "columns": 19, "k": 5}));
        press(&mut app, "jjjjjjjjjjjjlllllllllllll⏎");
        assert_eq!(app.session.table().last_move(), Some("18,18"));
        assert!(
            shown(&mut app, 30, 12)
                .iter()
                .any(|line| line.contains('X'))
        );
    }

    #[test]
    fn a_game_with_hundreds_of_moves_is_played_by_typing_and_by_a_menu() {
        let mut app = app_of("pandemic", json!({"consent": "implied"}));
        let screen = shown(&mut app, 80, 24).join("\n");
        assert!(
            screen.contains(">Atl*") && screen.contains("[draw]") && screen.contains("L log"),
            "{screen}"
        );
        press(&mut app, ":dance⏎");
        assert!(app.message.contains("Invalid input"), "{}", app.message);
        press(&mut app, ":drive:chi⇥");
        assert_eq!(app.typed_move.as_deref(), Some("drive:Chicago"));
        press(&mut app, "⏎");
        assert_eq!(app.session.table().last_move(), Some("drive:Chicago"));
        press(&mut app, ":pass⏎");
        assert!(app.session.table().plies() >= 2, "{}", app.message);
        press(&mut app, "L");
        let log = shown(&mut app, 80, 24).join("\n");
        assert!(
            log.contains("drives to Chicago") && log.contains(" draws "),
            "{log}"
        );
        press(&mut app, " ");
        assert!(
            shown(&mut app, 80, 24).join("\n").contains("Atl*"),
            "back on the board"
        );
    }

    #[test]
    fn the_adviser_is_asked_with_a_key_and_covers_the_board_until_the_next() {
        let mut app = app_of("pandemic", json!({"consent": "implied"}));
        assert!(shown(&mut app, 80, 24)[23].contains("a adviser"));
        press(&mut app, "a");
        assert!(std::mem::take(&mut app.asks_adviser));
        app.show_advice();
        let screen = shown(&mut app, 80, 24).join("\n");
        for part in [
            "Your team wins ",
            "The best turns:",
            "1. ",
            "begins with ",
            "press any key",
        ] {
            assert!(screen.contains(part), "{part}: {screen}");
        }
        press(&mut app, "a");
        assert!(!app.asks_adviser && app.advice.is_none());
        assert!(shown(&mut app, 80, 24).join("\n").contains("Atl*"));
    }

    #[test]
    fn opponents_have_no_adviser() {
        let mut app = app(Value::Null);
        press(&mut app, "a");
        assert!(!app.asks_adviser);
        assert!(!shown(&mut app, 80, 24)[23].contains("adviser"));
    }

    #[test]
    fn every_screen_size_can_be_drawn() {
        let mut app = app(Value::Null);
        for (width, height) in [(1, 1), (2, 3), (5, 4), (200, 2), (3, 100)] {
            shown(&mut app, width, height);
        }
    }
}
