//! A limit for lines of the log that strangers, or a database that is away, can cause.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Time in which lines are counted.
const WINDOW: Duration = Duration::from_secs(60);
/// Lines of a kind in that time.
const MOST: u64 = 60;

/// Lines of one kind, of which the log gets at most 60 a minute.
///
/// ```
/// use parlor_store::{LogLine, LineLimit};
///
/// static LINES: LineLimit = LineLimit::new();
/// assert_eq!(LINES.line(), Some(LogLine { left_out: 0 }));
/// ```
#[derive(Debug)]
pub struct LineLimit(Mutex<Window>);

#[derive(Debug)]
struct Window {
    since: Option<Instant>,
    count: u64,
}

/// A line that may be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// Number of lines of the minute before that were left out.
    pub left_out: u64,
}

impl LineLimit {
    /// Creates a limit that no line has been counted for.
    pub const fn new() -> LineLimit {
        LineLimit(Mutex::new(Window {
            since: None,
            count: 0,
        }))
    }

    /// Counts a line. Returns `None` if it is left out.
    pub fn line(&self) -> Option<LogLine> {
        self.line_at(Instant::now())
    }

    fn line_at(&self, now: Instant) -> Option<LogLine> {
        let mut window = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut left_out = 0;
        let is_over = |since| now.saturating_duration_since(since) >= WINDOW;
        if window.since.is_none_or(is_over) {
            left_out = window.count.saturating_sub(MOST);
            *window = Window {
                since: Some(now),
                count: 0,
            };
        }
        window.count += 1;
        (window.count <= MOST).then_some(LogLine { left_out })
    }
}

impl Default for LineLimit {
    fn default() -> LineLimit {
        LineLimit::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixty_lines_a_minute_are_written_and_the_others_are_counted() {
        let (limit, start) = (LineLimit::new(), Instant::now());
        let written = (0..1_000).filter(|_| limit.line_at(start).is_some());
        assert_eq!(written.count(), 60);
        let soon = start + Duration::from_secs(59);
        assert_eq!(limit.line_at(soon), None);
        let later = start + Duration::from_secs(60);
        assert_eq!(limit.line_at(later), Some(LogLine { left_out: 941 }));
        assert_eq!(limit.line_at(later), Some(LogLine { left_out: 0 }));
    }
}
