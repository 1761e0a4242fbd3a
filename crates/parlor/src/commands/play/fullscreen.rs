//! Event loop of the full-screen interface: terminal input, and bots on a background thread.

use std::io::{self, Stdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;
use std::time::{Duration, Instant};

use parlor_bots::Budget;
use parlor_core::Seat;
use parlor_games::bots::{Bot, Deadline, Thought};
use parlor_table::runner::Mover;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{
    self, DisableMouseCapture, EnableMouseCapture, Event, KeyEventKind, MouseButton, MouseEventKind,
};
use ratatui::crossterm::execute;

use super::app::{App, KeyEffect};
use super::draw::draw;
use super::session::TerminalSession;
use crate::error::CommandError;

/// Interval of checks on a thinking bot.
const TICK: Duration = Duration::from_millis(40);
/// Waiting time for input when nothing else can happen.
const IDLE: Duration = Duration::from_secs(3600);

/// Runs the full-screen interface and returns the session when the player quits.
pub fn run(session: TerminalSession) -> Result<TerminalSession, CommandError> {
    let mut terminal = ratatui::try_init()?;
    let guard = TerminalGuard::new()?;
    let mut app = App::new(session);
    let played = play(&mut terminal, &mut app);
    drop(guard);
    played?;
    let is_over = app.is_over();
    let mut session = app.session;
    if !is_over {
        session.abandon();
    }
    Ok(session)
}

/// Guard that restores the terminal when dropped.
struct TerminalGuard;

impl TerminalGuard {
    /// Enables the mouse. A panic hook on top of ratatui's disables it again, so that the message of a
    /// panic appears on a normal screen.
    fn new() -> io::Result<TerminalGuard> {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let _ = execute!(io::stdout(), DisableMouseCapture);
            before(panic);
        }));
        let guard = TerminalGuard;
        execute!(io::stdout(), EnableMouseCapture)?;
        Ok(guard)
    }
}

impl Drop for TerminalGuard {
    fn drop(&mut self) {
        let _ = execute!(io::stdout(), DisableMouseCapture);
        ratatui::restore();
    }
}

/// Minimum delay of a bot's move while a person could still move out of turn.
const BYSTANDER_DELAY: Duration = Duration::from_millis(1500);

/// A bot thinking on a background thread.
struct BackgroundSearch {
    seat: Seat,
    since: Instant,
    /// Length of the log when it started.
    log_length: usize,
    stop: Arc<AtomicBool>,
    done: Receiver<(Box<dyn Bot>, Option<Thought>)>,
}

impl Drop for BackgroundSearch {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

fn play(
    terminal: &mut Terminal<CrosstermBackend<Stdout>>,
    app: &mut App,
) -> Result<(), CommandError> {
    let mut search: Option<BackgroundSearch> = None;
    loop {
        terminal.draw(|frame| draw(app, frame))?;
        if std::mem::take(&mut app.asks_adviser) {
            app.show_advice();
            continue;
        }
        if search.is_none() {
            if app.session.play_interjection()? {
                app.apply_news();
                continue;
            }
            search = start_bot(app);
        }
        let timeout = if search.is_some() { TICK } else { IDLE };
        if event::poll(timeout)? && handle(app, &event::read()?) == KeyEffect::Quit {
            return Ok(());
        }
        let Some(work) = &search else { continue };
        let is_stale = app.session.table().log().len() != work.log_length;
        if is_stale {
            work.stop.store(true, Ordering::Relaxed);
        } else if app.session.bystander().is_some()
            && (app.typed_move.is_some() || work.since.elapsed() < BYSTANDER_DELAY)
        {
            continue;
        }
        match work.done.try_recv() {
            Ok((bot, _)) if is_stale => app.session.return_bot(work.seat, bot),
            Ok(answer) => play_bot_move(app, work.seat, answer)?,
            Err(TryRecvError::Empty) => continue,
            Err(TryRecvError::Disconnected) => {
                return Err(CommandError::Other(format!(
                    "{} crashed",
                    app.session.title(work.seat)
                )));
            }
        }
        search = None;
    }
}

fn handle(app: &mut App, event: &Event) -> KeyEffect {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => app.handle_key(*key),
        Event::Mouse(mouse) if mouse.kind == MouseEventKind::Down(MouseButton::Left) => {
            app.click_at(mouse.column, mouse.row);
            KeyEffect::Continue
        }
        _ => KeyEffect::Continue,
    }
}

/// Starts the bot on turn, if there is one.
fn start_bot(app: &mut App) -> Option<BackgroundSearch> {
    let Some(Mover::Bot(seat)) = app.session.mover() else {
        return None;
    };
    let mut bot = app.session.take_bot(seat)?;
    let position = app.session.position().clone();
    let stop = Arc::new(AtomicBool::new(false));
    let (stopped, mut deadline) = (Arc::clone(&stop), Deadline::after(app.session.think));
    let (send, done) = channel();
    thread::spawn(move || {
        let mut budget = |nodes| stopped.load(Ordering::Relaxed) || deadline.spent(nodes);
        let thought = bot.think(&position, &mut budget);
        // The receiver is gone if the player has quit.
        let _ = send.send((bot, thought));
    });
    let log_length = app.session.table().log().len();
    Some(BackgroundSearch {
        seat,
        since: Instant::now(),
        log_length,
        stop,
        done,
    })
}

fn play_bot_move(
    app: &mut App,
    seat: Seat,
    (bot, thought): (Box<dyn Bot>, Option<Thought>),
) -> Result<(), CommandError> {
    app.session.return_bot(seat, bot);
    let text = thought.map(|thought| thought.text);
    app.session.play_as_bot(seat, text)?;
    app.apply_news();
    Ok(())
}
