//! The adviser of a team at a table in the terminal. It knows no more than the players.

use std::sync::Arc;
use std::time::Duration;

use parlor_games::analysis::{AnalysisError, AnalysisSettings, Replay};
use parlor_games::bots::Deadline;

use super::session::TerminalSession;
use crate::advice::Advice;
use crate::crew::ThreadCrew;

/// Word that asks the adviser.
pub const WORD: &str = "advice";
/// Answer at a table without an adviser.
const NO_ADVICE: &str = "There is no adviser at this table.";
/// Maximum time to compare turns, and to estimate the course of the game.
const TIME: Duration = Duration::from_millis(800);
const COURSE_TIME: Duration = Duration::from_millis(400);

/// Returns true if a line asks the adviser. In games that never have one, it is an answer like any other.
pub fn is_asked(session: &TerminalSession, line: &str) -> bool {
    let kind = session.table().kind();
    kind.is_cooperative() && kind.can_analyze() && line.trim().eq_ignore_ascii_case(WORD)
}

/// Returns the advice about the present position in lines, or why there is none.
pub fn lines(session: &TerminalSession) -> Vec<String> {
    if !session.has_advice() {
        return vec![NO_ADVICE.to_owned()];
    }
    match compute(session) {
        Ok(advice) => advice.lines(),
        Err(error) => vec![format!("The adviser cannot help: {error}.")],
    }
}

fn compute(session: &TerminalSession) -> Result<Advice, AnalysisError> {
    let table = session.table();
    let analyst = |settings: AnalysisSettings| {
        let crew = Arc::new(ThreadCrew::all_cores());
        table.kind().analyst_with_crew(&settings, crew)
    };
    let mut adviser = analyst(AnalysisSettings::ADVICE)?;
    let assessment = adviser.position(session.position(), &mut Deadline::after(TIME));
    let replay = Replay::new(table.kind(), &table.record().to_story())?;
    let mut estimator = analyst(AnalysisSettings::COURSE)?;
    let course = replay.course(&mut *estimator, &mut Deadline::after(COURSE_TIME));
    Ok(Advice::new(assessment, course))
}
