//! A table as one viewer sees it at one moment: everything its page is made from.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use parlor_core::Seat;
use parlor_games::{AnyPosition, Click, Draft, GameKind};
use parlor_table::verify::{VerificationReport, verify};
use parlor_table::{ClockView, Player, Table, TableId, TableStatus, TableView, Timestamp};

use crate::AppState;
use crate::analyses::{AnalysisKey, can_be_analyzed};
use crate::auth::{self, OpaqueToken, Requester};
use crate::error::Error;
use crate::live::{self, LiveView};
use crate::web::analysis::AnalysisState;
use crate::web::history::{self, PlayedStep};
use crate::web::rating::{self, SeatRating};
use crate::web::viewpoint::{self, Perspective, Viewpoint};
use crate::web::{cookies, phrases};

/// A visitor: the request's headers, and the identity, if known.
#[derive(Debug)]
pub(super) struct Viewer {
    pub(super) headers: HeaderMap,
    pub(super) who: Option<Requester>,
}

impl FromRequestParts<AppState> for Viewer {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Viewer, Infallible> {
        Ok(Viewer {
            headers: parts.headers.clone(),
            who: auth::viewer(parts),
        })
    }
}

/// A table as one viewer sees it.
pub(super) struct TableSnapshot {
    pub(super) kind: GameKind,
    pub(super) view: TableView,
    /// Time of the snapshot.
    pub(super) now: Timestamp,
    /// Seats of the viewer.
    pub(super) mine: Vec<u8>,
    /// True if it is the viewer's turn.
    pub(super) my_turn: bool,
    /// Seat of the viewer that can undo its last step without asking.
    pub(super) undo: Option<u8>,
    /// Time of the last move, or of the start of the game.
    pub(super) turn_since: Timestamp,
    /// Clocks; in a finished game as they were at the step on display.
    pub(super) clock: Option<ClockView>,
    /// True if the game can still be called off.
    pub(super) can_abort: bool,
    /// Time at which the player on turn went away.
    pub(super) absent_since: Option<Timestamp>,
    /// Ratings of the players, by seat.
    pub(super) ratings: Vec<Option<SeatRating>>,
    /// All moves and draws.
    pub(super) moves: Vec<PlayedStep>,
    /// Number of moves and draws that the picture shows.
    pub(super) step: usize,
    pub(super) board: String,
    position: AnyPosition,
    /// Clicks for the viewer's moves; empty unless the viewer can move and sees the latest
    /// position.
    pub(super) clicks: Vec<Click>,
    /// Moves of the viewer out of turn that have no place in the picture.
    pub(super) out_of_turn: Vec<Click>,
    /// Moves that concede part of the stakes.
    pub(super) concessions: Vec<Click>,
    /// Draft of a move.
    pub(super) draft: Option<Draft>,
    /// True if the viewer's draft no longer fits the position.
    pub(super) draft_dropped: bool,
    /// Question to the player on turn.
    pub(super) question: Option<String>,
    /// Latest effects on the board, in words.
    pub(super) news: Option<String>,
    /// Possible results of real dice or cards, as text and label, if the viewer can enter one.
    pub(super) chances: Vec<(String, String)>,
    /// True if the board is flipped.
    pub(super) flipped: bool,
    /// Result of verifying the finished game's luck.
    pub(super) report: Option<VerificationReport>,
    /// Analysis of the finished game, in games that have one.
    pub(super) analysis: Option<AnalysisState>,
    /// Invite of a private table, if the viewer has it.
    pub(super) invite: Option<OpaqueToken>,
    /// URL to share.
    pub(super) link: String,
    /// URL of the git repository.
    pub(super) remote: String,
    /// Name last used in this browser.
    pub(super) name: Option<String>,
    /// Name of the viewer, if a member.
    pub(super) member: Option<String>,
}

impl TableSnapshot {
    /// Loads a table. `invite` is the one in the URL.
    pub(super) async fn load(
        state: &AppState,
        viewer: &Viewer,
        id: TableId,
        invite: Option<OpaqueToken>,
        viewpoint: Viewpoint,
    ) -> Result<TableSnapshot, Error> {
        let Viewer { headers, who } = viewer;
        let who = who.clone();
        let remembered = headers.clone();
        let invite = invite.or_else(|| cookies::invite(headers, id));
        let view = move |seen: LiveView<'_>| {
            let flipped = viewpoint
                .flipped
                .unwrap_or_else(|| viewpoint::is_flipped(&remembered, seen.table.kind()));
            let mut snapshot = TableSnapshot::new(seen.table, who.as_ref(), &viewpoint, flipped);
            snapshot.absent_since = seen
                .table
                .on_turn()
                .and_then(|seat| seen.absent_since(seat));
            let users: Vec<_> = seen.table.players().iter().map(Player::user).collect();
            (snapshot, users)
        };
        let (mut snapshot, users) = state.live().read_with_presence(id, view).await?;
        if !snapshot.kind.is_cooperative() {
            snapshot.ratings = rating::load(state, snapshot.kind.name(), id, &users).await;
        }
        snapshot.analysis = analysis(state, &snapshot);
        snapshot.link = state.table_url(headers, id, invite.as_ref());
        snapshot.remote = state.git_url(headers, id);
        snapshot.invite = invite;
        snapshot.name = cookies::name(headers);
        snapshot.member = viewer
            .who
            .as_ref()
            .and_then(Requester::member)
            .map(|member| member.name.clone());
        Ok(snapshot)
    }

    /// Returns a move in the notation of this game.
    pub(super) fn notation(&self, text: &str) -> String {
        self.position.notation(text)
    }

    fn new(
        table: &Table,
        who: Option<&Requester>,
        viewpoint: &Viewpoint,
        flipped: bool,
    ) -> TableSnapshot {
        let mine: Vec<u8> = who
            .map(|who| who.seats(table).into_iter().map(Seat::number).collect())
            .unwrap_or_default();
        let moves = history::played(table);
        let my_turn = table
            .on_turn()
            .is_some_and(|seat| mine.contains(&seat.number()));
        let over = matches!(table.status(), TableStatus::Over | TableStatus::Aborted);
        let mut view = table.view();
        name_bots(&mut view, table);
        let past = viewpoint.step.filter(|step| *step < moves.len());
        let present = table.position();
        let begun = viewpoint.draft().filter(|_| past.is_none());
        let rights = MoveRights::new(table, &mine);
        let fits =
            rights.move_at_all() && viewpoint.begun_at.is_none_or(|step| step == moves.len());
        let draft = begun
            .filter(|_| fits)
            .and_then(|steps| rights.draft(present, steps));
        let sight = Perspective {
            seat: mine.first().and_then(|seat| Seat::new(*seat).ok()),
            flipped,
        };
        let earlier = past.and_then(|step| table.position_after(step));
        let (shown, board) = match (&earlier, &draft) {
            (Some((position, last)), _) => (position, sight.board(position, position.view(*last))),
            (None, Some(draft)) => (present, sight.board(present, draft.view.clone())),
            (None, None) => (
                present,
                sight.board(present, present.view(table.last_marked_move())),
            ),
        };
        let plays = my_turn && past.is_none();
        let clicks = match &draft {
            Some(draft) => draft.clicks.clone(),
            None if past.is_none() => rights.clicks(present),
            None => Vec::new(),
        };
        let on_turn = table.on_turn();
        let aside =
            |click: &Click| click.path.is_empty() && present.seat_of(&click.text) != on_turn;
        let (out_of_turn, clicks) = clicks
            .into_iter()
            .partition(|click| rights.others && aside(click));
        let clock = past
            .filter(|_| over && view.clock.is_some())
            .and_then(|step| history::clock_after(table, &moves, step));
        TableSnapshot {
            kind: table.kind(),
            board,
            clicks,
            out_of_turn,
            undo: view
                .undo
                .filter(|seat| past.is_none() && mine.contains(seat)),
            concessions: if plays {
                present.concessions()
            } else {
                Vec::new()
            },
            draft_dropped: begun.is_some() && draft.is_none(),
            draft,
            question: present
                .question()
                .filter(|_| table.status() == TableStatus::Playing && past.is_none()),
            news: shown.news(),
            position: present.clone(),
            chances: if past.is_none() && !mine.is_empty() {
                chances_to_enter(table)
            } else {
                Vec::new()
            },
            flipped,
            report: (over && view.luck.is_some()).then(|| verify(&table.record())),
            now: live::now(),
            clock: clock.or_else(|| view.clock.clone()),
            can_abort: table.can_be_aborted(),
            turn_since: history::turn_since(table),
            absent_since: None,
            ratings: Vec::new(),
            view,
            mine,
            my_turn,
            step: past.unwrap_or(moves.len()),
            moves,
            analysis: None,
            invite: None,
            link: String::new(),
            remote: String::new(),
            name: None,
            member: None,
        }
    }
}

/// Moves that the viewer is allowed to make.
struct MoveRights<'a> {
    mine: &'a [u8],
    /// True if one of the viewer's seats is on turn.
    on_turn: bool,
    /// True if seats other than the one on turn have legal moves.
    others: bool,
    /// True if one of those seats is the viewer's.
    out_of_turn: bool,
}

impl MoveRights<'_> {
    fn new<'a>(table: &Table, mine: &'a [u8]) -> MoveRights<'a> {
        let holds = |seat: Seat| mine.contains(&seat.number());
        let others = if table.on_turn().is_some() {
            table.position().out_of_turn()
        } else {
            Vec::new()
        };
        MoveRights {
            mine,
            on_turn: table.on_turn().is_some_and(holds),
            others: !others.is_empty(),
            out_of_turn: others.into_iter().any(holds),
        }
    }

    fn move_at_all(&self) -> bool {
        self.on_turn || self.out_of_turn
    }

    fn clicks(&self, position: &AnyPosition) -> Vec<Click> {
        if self.move_at_all() {
            self.own(position, position.clicks())
        } else {
            Vec::new()
        }
    }

    fn draft(&self, position: &AnyPosition, steps: &str) -> Option<Draft> {
        let mut draft = position.draft(steps)?;
        draft.clicks = self.own(position, draft.clicks);
        let own = |text: &str| {
            !self.others || position.seat_of(text).is_some_and(|seat| self.holds(seat))
        };
        (steps.is_empty() || own(steps)).then_some(draft)
    }

    /// Removes the clicks of other seats.
    fn own(&self, position: &AnyPosition, mut clicks: Vec<Click>) -> Vec<Click> {
        if self.others {
            clicks.retain(|click| {
                position
                    .seat_of(&click.text)
                    .is_some_and(|seat| self.holds(seat))
            });
        }
        clicks
    }

    fn holds(&self, seat: Seat) -> bool {
        self.mine.contains(&seat.number())
    }
}

/// Returns the state of a game's analysis; `None` if it can't be analyzed.
fn analysis(state: &AppState, table: &TableSnapshot) -> Option<AnalysisState> {
    let steps = table.moves.len();
    can_be_analyzed(table.kind, table.view.status, steps).ok()?;
    Some(
        state
            .analyses()
            .status(AnalysisKey {
                table: table.view.id,
                steps,
            })
            .map_or(AnalysisState::Offered, AnalysisState::Requested),
    )
}

/// Returns the possible results, as text and label, at a table with real dice or cards.
fn chances_to_enter(table: &Table) -> Vec<(String, String)> {
    let position = table.position();
    if !table.luck_by_hand() || table.status() != TableStatus::Playing {
        return Vec::new();
    }
    let chances = position.chances().into_iter();
    chances
        .map(|(text, _)| {
            let label = position.chance_label(&text);
            (text, label)
        })
        .collect()
}

/// Replaces the specs of bots by their titles.
pub(super) fn name_bots(view: &mut TableView, table: &Table) {
    for seat in view.seats.iter_mut().filter(|seat| seat.kind == "bot") {
        let spec = seat.name.take().unwrap_or_default();
        seat.name = Some(phrases::bot(table.position(), spec));
    }
}
