//! Analyses of finished games: made when somebody asks, one at a time, and kept in memory for a while.
//!
//! A game that is still played is analysed for nobody: it would tell the players what to do. Analyses take turns with the house's
//! bots, step by step, so that those who play wait for one step at most.

mod desk;

use std::sync::Arc;

use axum::http::StatusCode;
use parlor_games::analysis::{Analysis, AnalysisSettings, analyse};
use parlor_games::{GameKind, Story};
use parlor_table::{Status, Table, TableId};
use tokio::runtime::Handle;
use tokio::sync::Semaphore;

use self::desk::{Desk, Full, Progress};
use crate::AppState;
use crate::edge::Client;
use crate::error::Error;

pub(crate) use self::desk::Name;

/// How the analysis of a game stands.
pub(crate) type Standing = desk::Standing<Analysis>;

/// The longest game that is analysed, in moves and draws.
const MOST_STEPS: usize = 4_000;
/// How far ahead is looked, and how many alternatives are told: a long match then takes seconds.
const SETTINGS: AnalysisSettings = AnalysisSettings {
    plies: 2,
    cubeful: true,
    most: 6,
};

/// The analyses of the house.
pub(crate) struct Analyses {
    desk: Desk<Analysis>,
    /// What bots take before they think.
    turns: Arc<Semaphore>,
}

/// A game to analyse.
struct Game {
    kind: GameKind,
    story: Story,
}

impl Analyses {
    /// None is there yet. Whoever thinks takes one of `turns` first.
    pub(crate) fn new(turns: Arc<Semaphore>) -> Analyses {
        Analyses {
            desk: Desk::new(),
            turns,
        }
    }

    /// How an analysis stands; nothing when nobody has asked for it lately.
    pub(crate) fn look(&self, name: Name) -> Option<Standing> {
        self.desk.look(name)
    }

    /// Stops what is under way.
    pub(crate) fn close(&self) {
        self.desk.close();
    }

    fn begin(&self, name: Name, game: Game) -> Result<Standing, Full> {
        let (turns, runtime) = (self.turns.clone(), Handle::current());
        self.desk.begin(name, move |progress: &Progress| {
            let take = || runtime.block_on(turns.acquire()).ok();
            let mut turn = take();
            game.analyse(|done| {
                // Whoever came meanwhile is next.
                drop(turn.take());
                turn = take();
                progress.tell(done)
            })
        })
    }
}

/// Whether a game can be analysed, as it stands.
///
/// # Errors
/// Why not.
pub(crate) fn can_be_analysed(kind: GameKind, status: Status, steps: usize) -> Result<(), Error> {
    let conflict = |code, detail| {
        Error::new(
            StatusCode::CONFLICT,
            code,
            "Not as the table stands",
            detail,
        )
    };
    if !kind.can_analyse() {
        let detail = "games of this kind are not analysed here";
        return Err(Error::new(
            StatusCode::NOT_FOUND,
            "no-analysis",
            "Not found",
            detail,
        ));
    }
    match status {
        Status::Over if steps <= MOST_STEPS => Ok(()),
        Status::Over => Err(conflict(
            "too-long",
            format!("games of more than {MOST_STEPS} moves and draws are not analysed"),
        )),
        Status::Open | Status::Playing => Err(conflict(
            "not-over",
            "a game is analysed when it is over, and before that for nobody".to_owned(),
        )),
        Status::Aborted => Err(conflict(
            "called-off",
            "a game that was called off is not analysed".to_owned(),
        )),
    }
}

impl AppState {
    /// How the analysis of a table's game stands; nothing when nobody has asked for it lately.
    ///
    /// # Errors
    /// When there is no such table, or its game cannot be analysed.
    pub(crate) async fn analysis(&self, id: TableId) -> Result<Option<Standing>, Error> {
        Ok(self.analyses().look(self.analysed(id).await?))
    }

    /// Has the game of a table analysed for a client, unless it is already.
    ///
    /// # Errors
    /// When there is no such table, its game cannot be analysed, or too much is asked for.
    pub(crate) async fn analyse(&self, id: TableId, client: Client) -> Result<Standing, Error> {
        let name = self.analysed(id).await?;
        if let Some(standing) = self.analyses().look(name) {
            return Ok(standing);
        }
        self.asked_analyses().count(client)?;
        let game = self.read(id, Game::of).await?;
        self.analyses().begin(name, game).map_err(|Full| {
            self.asked_analyses().forgive(client);
            Error::too_many("several games are being analysed already; ask again in a minute")
        })
    }

    /// What an analysis of a table's game is called.
    async fn analysed(&self, id: TableId) -> Result<Name, Error> {
        let stand = |table: &Table| (table.kind(), table.status(), table.steps().len());
        let (kind, status, steps) = self.read(id, stand).await?;
        can_be_analysed(kind, status, steps)?;
        Ok(Name { table: id, steps })
    }
}

impl Game {
    fn of(table: &Table) -> Game {
        Game {
            kind: table.kind(),
            story: table.record().story(),
        }
    }

    /// Analyses it. `go_on` is told how many steps are done and says whether to go on.
    fn analyse(self, mut go_on: impl FnMut(usize) -> bool) -> Result<Analysis, String> {
        let Game { kind, story } = self;
        let analysis = analyse(kind, &story, &SETTINGS, &mut |done, _| go_on(done));
        let analysis = analysis.map_err(|error| error.to_string())?;
        if analysis.steps.len() < story.steps.len() {
            return Err("it was stopped".to_owned());
        }
        Ok(analysis)
    }
}
