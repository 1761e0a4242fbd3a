//! A table as one person sees it at one moment: everything its page is made from.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use parlor_core::Seat;
use parlor_games::{AnyPosition, Click, Draft, GameKind};
use parlor_table::verify::{Report, verify};
use parlor_table::{ClockView, Player, Status, Table, TableId, TableView, Timestamp};

use crate::AppState;
use crate::analyses::{Name, can_be_analysed};
use crate::auth::{self, Token, Who};
use crate::error::Error;
use crate::live::{self, Seen};
use crate::web::analysis::Shown;
use crate::web::history::{self, Played};
use crate::web::look::{self, Look, Sight};
use crate::web::rating::{self, Rated};
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
        Ok(Viewer {
            headers: parts.headers.clone(),
            who: auth::viewer(parts),
        })
    }
}

/// A table as one person sees it.
pub(super) struct Snapshot {
    pub(super) kind: GameKind,
    pub(super) view: TableView,
    /// When it was taken.
    pub(super) now: Timestamp,
    /// The seats that the person holds.
    pub(super) mine: Vec<u8>,
    /// Whether the person is to move.
    pub(super) my_turn: bool,
    /// The seat that the person holds and that may take back at once what it played last.
    pub(super) undo: Option<u8>,
    /// When the last move was made, or the game began.
    pub(super) turn_since: Timestamp,
    /// The clocks, as they stood after the step that is shown when the game is over.
    pub(super) clock: Option<ClockView>,
    /// Whether anybody may still call the game off.
    pub(super) early: bool,
    /// Since when the person on turn is away.
    pub(super) absent_since: Option<Timestamp>,
    /// What those in the seats are rated.
    pub(super) ratings: Vec<Option<Rated>>,
    /// Moves and draws up to now.
    pub(super) moves: Vec<Played>,
    /// How many of them the picture shows.
    pub(super) step: usize,
    pub(super) board: String,
    position: AnyPosition,
    /// What can be clicked: nothing unless the person may move and sees the present.
    pub(super) clicks: Vec<Click>,
    /// What can be said though somebody else is on turn: the moves without a place in the picture.
    pub(super) asides: Vec<Click>,
    /// What can be said instead to give up a part of what is played for.
    pub(super) concessions: Vec<Click>,
    /// The move that was begun.
    pub(super) draft: Option<Draft>,
    /// Whether a move was begun that cannot be gone on with.
    pub(super) dropped: bool,
    /// What is asked of whoever is next.
    pub(super) question: Option<String>,
    /// What has just come about.
    pub(super) news: Option<String>,
    /// Where luck is typed in: what can come up, as text and in words, if the person may type.
    pub(super) chances: Vec<(String, String)>,
    /// Whether the board is turned around.
    pub(super) flipped: bool,
    /// What a check of the finished game's luck says.
    pub(super) report: Option<Report>,
    /// The analysis of the finished game, where such games are analysed.
    pub(super) analysis: Option<Shown>,
    /// What the link of a private table carries, if the person holds it.
    pub(super) invite: Option<Token>,
    /// The address to send to others.
    pub(super) link: String,
    /// The address that it is cloned from.
    pub(super) remote: String,
    /// The name last used in this browser.
    pub(super) name: Option<String>,
    /// The name of the member who looks.
    pub(super) member: Option<String>,
}

impl Snapshot {
    /// Takes it. `invite` is the one in the address.
    pub(super) async fn take(
        state: &AppState,
        viewer: &Viewer,
        id: TableId,
        invite: Option<Token>,
        look: Look,
    ) -> Result<Snapshot, Error> {
        let Viewer { headers, who } = viewer;
        let who = who.clone();
        let remembered = headers.clone();
        let invite = invite.or_else(|| memory::invite(headers, id));
        let see = move |seen: Seen<'_>| {
            let flipped = look
                .flipped
                .unwrap_or_else(|| look::flipped(&remembered, seen.table.kind()));
            let mut snapshot = Snapshot::of(seen.table, who.as_ref(), &look, flipped);
            snapshot.absent_since = seen
                .table
                .on_turn()
                .and_then(|seat| seen.absent_since(seat));
            let users: Vec<_> = seen.table.players().iter().map(Player::user).collect();
            (snapshot, users)
        };
        let (mut snapshot, users) = state.live().see(id, see).await?;
        if !snapshot.kind.is_cooperative() {
            snapshot.ratings = rating::of(state, snapshot.kind.name(), id, &users).await;
        }
        snapshot.analysis = analysis(state, &snapshot);
        snapshot.link = state.table_url(headers, id, invite.as_ref());
        snapshot.remote = state.git_url(headers, id);
        snapshot.invite = invite;
        snapshot.name = memory::name(headers);
        snapshot.member = viewer
            .who
            .as_ref()
            .and_then(Who::account)
            .map(|member| member.name.clone());
        Ok(snapshot)
    }

    /// A move as it is written in this game.
    pub(super) fn written(&self, text: &str) -> String {
        self.position.written(text)
    }

    fn of(table: &Table, who: Option<&Who>, look: &Look, flipped: bool) -> Snapshot {
        let mine: Vec<u8> = who
            .map(|who| who.seats(table).into_iter().map(Seat::number).collect())
            .unwrap_or_default();
        let moves = history::played(table);
        let my_turn = table
            .on_turn()
            .is_some_and(|seat| mine.contains(&seat.number()));
        let over = matches!(table.status(), Status::Over | Status::Aborted);
        let mut view = table.view();
        name_bots(&mut view, table);
        let past = look.step.filter(|step| *step < moves.len());
        let present = table.position();
        let begun = look.begun().filter(|_| past.is_none());
        let may = May::of(table, &mine);
        let fits = may.move_at_all() && look.of.is_none_or(|of| of == moves.len());
        let draft = begun
            .filter(|_| fits)
            .and_then(|steps| may.draft(present, steps));
        let sight = Sight {
            seat: mine.first().and_then(|seat| Seat::new(*seat).ok()),
            flipped,
        };
        let earlier = past.and_then(|step| table.after(step));
        let (shown, board) = match (&earlier, &draft) {
            (Some((position, last)), _) => (position, sight.board(position, position.view(*last))),
            (None, Some(draft)) => (present, sight.board(present, draft.view.clone())),
            (None, None) => (
                present,
                sight.board(present, present.view(table.last_mark())),
            ),
        };
        let plays = my_turn && past.is_none();
        let clicks = match &draft {
            Some(draft) => draft.clicks.clone(),
            None if past.is_none() => may.clicks(present),
            None => Vec::new(),
        };
        let on_turn = table.on_turn();
        let aside =
            |click: &Click| click.path.is_empty() && present.seat_of(&click.text) != on_turn;
        let (asides, clicks) = clicks
            .into_iter()
            .partition(|click| may.others && aside(click));
        let clock = past
            .filter(|_| over && view.clock.is_some())
            .and_then(|step| history::clock_after(table, &moves, step));
        Snapshot {
            kind: table.kind(),
            board,
            clicks,
            asides,
            undo: view
                .undo
                .filter(|seat| past.is_none() && mine.contains(seat)),
            concessions: if plays {
                present.concessions()
            } else {
                Vec::new()
            },
            dropped: begun.is_some() && draft.is_none(),
            draft,
            question: present
                .question()
                .filter(|_| table.status() == Status::Playing && past.is_none()),
            news: shown.news(),
            position: present.clone(),
            chances: if past.is_none() && !mine.is_empty() {
                to_type(table)
            } else {
                Vec::new()
            },
            flipped,
            report: (over && view.luck.is_some()).then(|| verify(&table.record())),
            now: live::now(),
            clock: clock.or_else(|| view.clock.clone()),
            early: table.may_be_called_off(),
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

/// Which moves somebody may make.
struct May<'a> {
    mine: &'a [u8],
    /// Whether one of the person's seats is on turn.
    on_turn: bool,
    /// Whether moves of other seats than the one on turn are legal.
    others: bool,
    /// Whether one of those seats is the person's.
    out_of_turn: bool,
}

impl May<'_> {
    fn of<'a>(table: &Table, mine: &'a [u8]) -> May<'a> {
        let holds = |seat: Seat| mine.contains(&seat.number());
        let others = if table.on_turn().is_some() {
            table.position().out_of_turn()
        } else {
            Vec::new()
        };
        May {
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

    /// Without what belongs to others.
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

/// What is known of the analysis of a game.
fn analysis(state: &AppState, table: &Snapshot) -> Option<Shown> {
    let steps = table.moves.len();
    can_be_analysed(table.kind, table.view.status, steps).ok()?;
    Some(
        state
            .analyses()
            .look(Name {
                table: table.view.id,
                steps,
            })
            .map_or(Shown::Offer, Shown::Asked),
    )
}

/// What can come up now, as text and in words, at a table where luck is typed in.
fn to_type(table: &Table) -> Vec<(String, String)> {
    let position = table.position();
    if !table.luck_by_hand() || table.status() != Status::Playing {
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

/// Bots are called by their titles.
pub(super) fn name_bots(view: &mut TableView, table: &Table) {
    for seat in view.seats.iter_mut().filter(|seat| seat.kind == "bot") {
        let spec = seat.name.take().unwrap_or_default();
        seat.name = Some(words::bot(table.position(), spec));
    }
}
