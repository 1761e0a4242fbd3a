//! A table as one person sees it at one moment: everything its page is made from.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use parlor_core::Seat;
use parlor_games::{Click, GameKind};
use parlor_table::verify::{Report, verify};
use parlor_table::{Status, Step, Table, TableId, TableView};

use crate::AppState;
use crate::auth::{Token, Who, cookie};
use crate::error::Error;
use crate::web::{memory, words};

/// A browser that looks: its headers, and who it is if it said so.
#[derive(Debug)]
pub(super) struct Viewer {
    pub(super) headers: HeaderMap,
    pub(super) who: Option<Who>,
}

impl FromRequestParts<AppState> for Viewer {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Viewer, Infallible> {
        let who = cookie(&parts.headers).map(|token| Who::guest(token.key()));
        Ok(Viewer { headers: parts.headers.clone(), who })
    }
}

/// A table as one person sees it.
pub(super) struct Snapshot {
    pub(super) kind: GameKind,
    pub(super) view: TableView,
    /// The seats that the person holds.
    pub(super) mine: Vec<u8>,
    /// Moves and draws up to now.
    pub(super) moves: Vec<Played>,
    /// How many of them the picture shows.
    pub(super) step: usize,
    pub(super) svg: String,
    /// What can be clicked: nothing unless the person is to move and sees the present.
    pub(super) clicks: Vec<Click>,
    /// What a check of the finished game's luck says.
    pub(super) report: Option<Report>,
    /// What the link of a private table carries, if the person holds it.
    pub(super) invite: Option<Token>,
    /// The address to send to others.
    pub(super) link: String,
    /// The name last used in this browser.
    pub(super) name: Option<String>,
}

/// A move or draw.
pub(super) struct Played {
    /// Whose move; nothing when luck decided.
    pub(super) seat: Option<u8>,
    /// In words.
    pub(super) label: String,
}

impl Snapshot {
    /// Takes it. `invite` is the one in the address, `step` how many moves the picture shall show.
    pub(super) async fn take(
        state: &AppState,
        viewer: &Viewer,
        id: TableId,
        invite: Option<Token>,
        step: Option<usize>,
    ) -> Result<Snapshot, Error> {
        let Viewer { headers, who } = viewer;
        let who = who.clone();
        let invite = invite.or_else(|| memory::invite(headers, id));
        let mut snapshot = state.read(id, move |table| Snapshot::of(table, who.as_ref())).await?;
        if let Some(step) = step.filter(|step| *step < snapshot.moves.len()) {
            let picture = state.picture(id, Some(step)).await?;
            snapshot.svg = picture.svg;
            snapshot.step = step;
            snapshot.clicks.clear();
        }
        snapshot.link = state.table_url(headers, id, invite.as_ref());
        snapshot.invite = invite;
        snapshot.name = memory::name(headers);
        Ok(snapshot)
    }

    fn of(table: &Table, who: Option<&Who>) -> Snapshot {
        let mine: Vec<u8> =
            who.map(|who| who.seats(table).into_iter().map(Seat::number).collect()).unwrap_or_default();
        let moves = moves(table);
        let to_move = table.on_turn().is_some_and(|seat| mine.contains(&seat.number()));
        let over = matches!(table.status(), Status::Over | Status::Aborted);
        let mut view = table.view();
        name_bots(&mut view, table);
        Snapshot {
            kind: table.kind(),
            svg: table.position().svg(table.last_move()),
            clicks: if to_move { table.position().clicks() } else { Vec::new() },
            report: (over && view.luck.is_some()).then(|| verify(&table.record())),
            view,
            mine,
            step: moves.len(),
            moves,
            invite: None,
            link: String::new(),
            name: None,
        }
    }

    /// The seat on turn, if the person holds it.
    pub(super) fn is_mine_to_move(&self) -> bool {
        !self.clicks.is_empty()
    }
}

fn moves(table: &Table) -> Vec<Played> {
    let played = |step: &Step| match step {
        Step::Move { seat, text, .. } => Played { seat: Some(*seat), label: table.position().label(text) },
        Step::Chance { chance, .. } => Played { seat: None, label: chance.clone() },
    };
    table.steps().iter().map(played).collect()
}

/// Bots are called by their titles.
pub(super) fn name_bots(view: &mut TableView, table: &Table) {
    for seat in view.seats.iter_mut().filter(|seat| seat.kind == "bot") {
        let spec = seat.name.take().unwrap_or_default();
        seat.name = Some(words::bot(table.position(), spec));
    }
}
