//! The full screen itself: the terminal, its events, and bots that think meanwhile.

use std::io::{self, Stdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;
use std::time::{Duration, Instant};

use parlor_bots::Budget;
use parlor_core::Seat;
use parlor_games::bots::{Bot, Deadline, Thought};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{
    self, DisableMouseCapture, EnableMouseCapture, Event, KeyEventKind, MouseButton, MouseEventKind,
};
use ratatui::crossterm::execute;

use super::app::{App, Next};
use super::draw::draw;
use super::session::{Mover, Session};
use crate::failure::Failure;

/// How long to wait for a key before looking whether a bot is done.
const TICK: Duration = Duration::from_millis(40);
/// How long to wait for a key when nothing else can happen.
const REST: Duration = Duration::from_secs(3600);

/// Plays on a full screen and gives the game back when it is left.
pub fn run(session: Session) -> Result<Session, Failure> {
    let mut terminal = ratatui::try_init()?;
    let screen = Screen::open()?;
    let mut app = App::new(session);
    let played = play(&mut terminal, &mut app);
    drop(screen);
    played?;
    let over = app.is_over();
    let mut session = app.session;
    if !over {
        session.leave();
    }
    Ok(session)
}

/// Puts the terminal back as it was, whatever happens.
struct Screen;

impl Screen {
    /// The hook of a panic is ours on top of ratatui's, so that the message is read on a normal screen.
    fn open() -> io::Result<Screen> {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let _ = execute!(io::stdout(), DisableMouseCapture);
            before(panic);
        }));
        let screen = Screen;
        execute!(io::stdout(), EnableMouseCapture)?;
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = execute!(io::stdout(), DisableMouseCapture);
        ratatui::restore();
    }
}

/// How long a bot's move waits at least while a person could play something before it.
const COURTESY: Duration = Duration::from_millis(1500);

/// A bot at work.
struct Thinking {
    seat: Seat,
    since: Instant,
    /// How long the log was that it thinks about.
    length: usize,
    stop: Arc<AtomicBool>,
    done: Receiver<(Box<dyn Bot>, Option<Thought>)>,
}

impl Drop for Thinking {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

fn play(terminal: &mut Terminal<CrosstermBackend<Stdout>>, app: &mut App) -> Result<(), Failure> {
    let mut thinking: Option<Thinking> = None;
    loop {
        terminal.draw(|frame| draw(app, frame))?;
        if thinking.is_none() {
            if let Some(entries) = app.session.aside() {
                app.follow(&entries);
                continue;
            }
            thinking = begin(app);
        }
        let patience = if thinking.is_some() { TICK } else { REST };
        if event::poll(patience)? && handle(app, &event::read()?) == Next::Leave {
            return Ok(());
        }
        let Some(work) = &thinking else { continue };
        let stale = app.session.table().log().len() != work.length;
        if stale {
            work.stop.store(true, Ordering::Relaxed);
        } else if app.session.bystander().is_some()
            && (app.typing.is_some() || work.since.elapsed() < COURTESY)
        {
            continue;
        }
        match work.done.try_recv() {
            Ok((bot, _)) if stale => app.session.give_back(work.seat, bot),
            Ok(answer) => finish(app, work.seat, answer)?,
            Err(TryRecvError::Empty) => continue,
            Err(TryRecvError::Disconnected) => {
                return Err(Failure::Refused(format!(
                    "{} has failed",
                    app.session.title(work.seat)
                )));
            }
        }
        thinking = None;
    }
}

fn handle(app: &mut App, event: &Event) -> Next {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => app.key(*key),
        Event::Mouse(mouse) if mouse.kind == MouseEventKind::Down(MouseButton::Left) => {
            app.point(mouse.column, mouse.row);
            Next::Stay
        }
        _ => Next::Stay,
    }
}

/// Sets a bot to work, if it is one's turn.
fn begin(app: &mut App) -> Option<Thinking> {
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
        // Nobody listens any more when the game was left meanwhile.
        let _ = send.send((bot, thought));
    });
    let length = app.session.table().log().len();
    Some(Thinking {
        seat,
        since: Instant::now(),
        length,
        stop,
        done,
    })
}

fn finish(
    app: &mut App,
    seat: Seat,
    (bot, thought): (Box<dyn Bot>, Option<Thought>),
) -> Result<(), Failure> {
    app.session.give_back(seat, bot);
    let title = app.session.title(seat);
    let thought = thought.ok_or_else(|| Failure::Refused(format!("{title} has no move")))?;
    let entries = app
        .session
        .play(&thought.text)
        .map_err(|why| Failure::Refused(format!("{title}: {why}")))?;
    app.follow(&entries);
    Ok(())
}
