//! Advice to the players of a team: the best turns from the present position, and the course of the game,
//! for those who ask.
//!
//! It is computed for nobody unasked, neither stored nor shown to others, and only from what everybody
//! at the table sees. The computing time is that of the client who asks, as for analyses.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use parlor_games::analysis::{AnalysisSettings, Assessment, Replay};
use parlor_games::bots::Deadline;
use parlor_games::{AnyPosition, Story};
use parlor_table::{Refusal, Table, TableId, TableStatus};

use crate::AppState;
use crate::auth::Requester;
use crate::error::{Error, Throttle};
use crate::thinking::{Full, Job, JobKind, Places};

/// Maximum time to compare turns, and to estimate the course of the game, while few ask. A bot may wait
/// for as long.
const TIME: Duration = Duration::from_millis(800);
const COURSE_TIME: Duration = Duration::from_millis(400);
/// Number of requests of a member, or of the guests of a network, that are answered at once: one for each
/// player of two teams.
const AT_ONCE: usize = 8;
/// Number of requests of all that are answered or wait at once. Those who wait cost little, and so many
/// networks do not come by chance.
const IN_ALL: usize = 256;
/// Number of requests at once that take their full time. Beyond it each takes as much less, so that nobody
/// waits long, down to this part of the time.
const UNHURRIED: usize = 4;
const SHORTEST: usize = 10;
/// Time after which those beyond may ask again, in seconds.
const RETRY_SECONDS: u32 = 5;

/// Advice at one version of a table.
#[derive(Debug)]
pub(crate) struct Advice {
    /// Version of the table.
    pub(crate) version: u64,
    /// Assessment of its position.
    pub(crate) assessment: Assessment,
    /// Chance to win at the start of turns: the number of moves and draws before each, and the chance
    /// from 0 to 1.
    pub(crate) course: Vec<(usize, f64)>,
}

/// Position that somebody asks about.
struct Question {
    version: u64,
    position: AnyPosition,
    /// The game so far.
    story: Story,
}

/// Returns the places of requests for advice that are answered or wait.
pub(crate) fn places() -> Arc<Places> {
    Places::new(AT_ONCE, IN_ALL, None)
}

/// Returns the error of a request for which there is no place.
fn refused(full: Full) -> Error {
    match full {
        Full::OfClient(count) => Error::throttled(
            format!(
                "{count} questions of yours, or of guests beside you, are being answered: wait for one of them"
            ),
            Throttle::at_once("advice-at-once", count),
        ),
        Full::OfAll(_) => {
            Error::crowded("many ask the adviser just now: try again in a few seconds")
                .retry_after(RETRY_SECONDS)
        }
    }
}

/// Returns true for the addresses where the adviser is asked, which changes nothing although it is a
/// POST.
pub(crate) fn is_asked_at(path: &str) -> bool {
    path.ends_with("/advice") && (path.starts_with("/t/") || path.starts_with("/api/v1/tables/"))
}

/// Returns the error of a request that was not answered in time.
pub(crate) fn too_late() -> Error {
    let detail = "the adviser was too busy to answer in time: ask again in a few seconds";
    Error::not_served("the adviser took too long", detail).retry_after(RETRY_SECONDS)
}

impl Question {
    /// Returns the position of a table that somebody asks about.
    ///
    /// # Errors
    /// If only others may ask, or there is no advice.
    fn new(table: &Table, who: &Requester) -> Result<Question, Error> {
        if who.seats(table).is_empty() {
            return Err(Refusal::NotSeated.into());
        }
        if !table.has_advice() {
            return Err(Error::forbidden(
                "no-advice",
                "there is no adviser at this table",
            ));
        }
        if table.status() != TableStatus::Playing {
            return Err(Error::new(
                StatusCode::CONFLICT,
                "not-playing",
                "Not possible right now",
                "advice is given while a game is played",
            ));
        }
        Ok(Question {
            version: table.version(),
            position: table.position().clone(),
            story: table.record().to_story(),
        })
    }

    /// Computes the answer, as one of so many that are asked for at once.
    fn answer(self, at_once: usize) -> Result<Advice, Error> {
        let hurry = u32::try_from(at_once.div_ceil(UNHURRIED).clamp(1, SHORTEST)).unwrap_or(1);
        let kind = self.position.kind();
        let analyst = kind.analyst(&AnalysisSettings::ADVICE);
        let mut analyst = analyst.map_err(Error::internal)?;
        let assessment = analyst.position(&self.position, &mut Deadline::after(TIME / hurry));
        let replay = Replay::new(kind, &self.story).map_err(Error::internal)?;
        let analyst = kind.analyst(&AnalysisSettings::COURSE);
        let mut analyst = analyst.map_err(Error::internal)?;
        let course = replay.course(&mut *analyst, &mut Deadline::after(COURSE_TIME / hurry));
        Ok(Advice {
            version: self.version,
            assessment,
            course,
        })
    }
}

impl AppState {
    /// Advises a player of a team about the present position of a table.
    ///
    /// # Errors
    /// If there is no such table, the person has no seat there, there is no advice, or there are too
    /// many requests.
    pub(crate) async fn advise(&self, id: TableId, who: &Requester) -> Result<Advice, Error> {
        let by = who.clone();
        let asked = self.read(id, move |table| Question::new(table, &by)).await;
        let question = asked??;
        let payer = who.payer();
        let place = self
            .advice_places()
            .take(payer.sharing())
            .map_err(refused)?;
        let job = Job {
            kind: JobKind::Analysis,
            name: format!("advice for {}", question.position.kind().name()),
            is_awaited: Box::new(|| true),
        };
        let permit = tokio::select! {
            permit = self.live().thinking().permit(payer, job) => permit,
            () = self.closing() => None,
        };
        let ending = || Error::crowded("the server is ending; ask again").retry_after(1);
        let permit = permit.ok_or_else(ending)?;
        let places = self.advice_places().clone();
        let work = move || {
            // Both are held until the work is done, even if the client has left.
            let _held = (place, permit);
            question.answer(places.taken())
        };
        let answered = tokio::task::spawn_blocking(work).await;
        answered.map_err(Error::internal)?
    }
}

#[cfg(test)]
mod tests {
    use parlor_table::UserId;

    use super::*;
    use crate::edge::Client;
    use crate::thinking::Payer;

    #[test]
    fn guests_of_a_network_share_its_places() {
        let places = places();
        let guest = |n| Payer::Address(Client([203, 0, 113, n].into())).sharing();
        let _held: Vec<_> = (0..AT_ONCE as u8)
            .map(|n| places.take(guest(n)).expect("there is room"))
            .collect();
        assert_eq!(places.take(guest(200)).err(), Some(Full::OfClient(AT_ONCE)));
        assert!(places.take(Payer::Unknown).is_ok());
    }

    #[test]
    fn questions_to_the_adviser_are_told_by_their_address() {
        assert!(is_asked_at("/t/038rgpa4xp4/advice"));
        assert!(is_asked_at("/api/v1/tables/038rgpa4xp4/advice"));
        for path in ["/t/038rgpa4xp4/moves", "/api/v1/tables", "/advice"] {
            assert!(!is_asked_at(path), "{path}");
        }
    }

    #[test]
    fn beyond_the_places_one_is_told_whether_to_wait_or_to_ask_again() {
        let places = places();
        let member = |n| Payer::Member(UserId::new(n).expect("a number"));
        let take = |n| places.take(member(n)).map_err(refused);
        let mut held: Vec<_> = (0..AT_ONCE).map(|_| take(1).ok()).collect();
        assert!(held.iter().all(Option::is_some));
        let own = take(1).expect_err("these are taken");
        assert_eq!(own.status, StatusCode::TOO_MANY_REQUESTS);
        held.extend((2..).take(IN_ALL - AT_ONCE).map(|n| take(n).ok()));
        let full = take(1_000).expect_err("all are taken");
        assert_eq!(full.status, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(full.retry_after, Some(RETRY_SECONDS));
        held.pop();
        assert!(take(1_000).is_ok());
    }
}
