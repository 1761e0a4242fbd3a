//! A table as one viewer sees it at one moment: everything its page is made from.

use std::collections::BTreeSet;
use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use parlor_core::Seat;
use parlor_games::bots::{self, BotInfo};
use parlor_games::{ActionKind, AnyPosition, Click, Draft, GameKind, Perspective};
use parlor_table::verify::{VerificationReport, verify};
use parlor_table::{
    AskWhen, ClockView, Player, RecordedHandover, Table, TableId, TableStatus, TableView,
    Timestamp, UserId,
};

use crate::AppState;
use crate::analyses::{AnalysisKey, can_be_analyzed};
use crate::auth::{self, OpaqueToken, Requester};
use crate::error::Error;
use crate::live::LiveView;
use crate::ratings::{self, PlayerRating, RatedSeats, RatingPool};
use crate::web::analysis::AnalysisState;
use crate::web::faces::{Face, name_bots};
use crate::web::history::{self, PlayedStep};
use crate::web::viewpoint::{self, Viewpoint};
use crate::web::{advice, cookies, phrases};

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
    pub(super) game: GameSnapshot,
    pub(super) may: Permissions,
    pub(super) board: BoardSnapshot,
    pub(super) surroundings: Surroundings,
}

/// The game at the table, the same for every viewer.
pub(super) struct GameSnapshot {
    pub(super) kind: GameKind,
    pub(super) view: TableView,
    /// True if the game can have an adviser, and the table was created without it.
    pub(super) is_unadvised: bool,
    /// Time of the snapshot.
    pub(super) now: Timestamp,
    /// Time of the last move, or of the start of the game.
    pub(super) turn_since: Timestamp,
    /// Clocks; in a finished game as they were at the step on display.
    pub(super) clock: Option<ClockView>,
    /// Time at which the player on turn went away.
    pub(super) absent_since: Option<Timestamp>,
    /// Time for which the player on turn may be away, in milliseconds, until the game can be claimed.
    pub(super) patience_ms: Option<i64>,
    /// Time from which the game of the player on turn can be claimed, if that player stays away.
    pub(super) claimable_from: Option<Timestamp>,
    /// Time for which nobody could play just before, in milliseconds.
    pub(super) paused_ms: Option<i64>,
    /// Faces of the house's bots, by seat.
    pub(super) faces: Vec<Option<Face>>,
    /// Changes of the players during the game.
    pub(super) handovers: Vec<RecordedHandover>,
    /// All moves and draws.
    pub(super) moves: Vec<PlayedStep>,
    /// Number of the move that each of them belongs to.
    pub(super) numbers: Vec<usize>,
    /// Question to the player on turn.
    pub(super) question: Option<String>,
    /// Seat that asks the one on turn for consent.
    pub(super) asker: Option<u8>,
    /// Result of verifying the finished game's luck.
    pub(super) report: Option<VerificationReport>,
}

/// Permissions of the viewer.
pub(super) struct Permissions {
    /// Seats of the viewer.
    pub(super) seats: Vec<u8>,
    /// True if the others wait for the viewer: on turn, or asked for a move out of turn.
    pub(super) is_on_turn: bool,
    /// True if the viewer is asked for a move out of turn.
    pub(super) is_asked: bool,
    /// True if the others wait for the viewer's answer to a question: to step in, to agree, or to discard.
    pub(super) owes_answer: bool,
    /// Occasions on which the viewer is asked for such moves, in games that may have them.
    pub(super) asking: Option<AskWhen>,
    /// True if the game can still be called off.
    pub(super) abort: bool,
    /// True if the viewer may ask for advice.
    pub(super) advice: bool,
    /// True if the viewer left the game and can take the seat back.
    pub(super) returns: bool,
    /// Bots that play for those who left, if the viewer may choose others.
    pub(super) stand_ins: Vec<StandIn>,
    /// Seat of the viewer that can undo its last step without asking.
    pub(super) undo: Option<u8>,
    /// Moves of the viewer out of turn that have no place in the picture.
    pub(super) out_of_turn: Vec<Click>,
    /// Moves that concede part of the stakes.
    pub(super) concessions: Vec<Click>,
    /// Possible results of real dice or cards, as text and label, if the viewer can enter one.
    pub(super) chances: Vec<(String, String)>,
}

/// A bot that plays for somebody who left, and those that could.
pub(super) struct StandIn {
    /// Seat of the bot.
    pub(super) seat: u8,
    /// Name of the person who left.
    pub(super) name: String,
    /// Spec of the bot.
    pub(super) spec: String,
    /// Bots to choose from.
    pub(super) choices: Vec<BotInfo>,
}

/// The picture of the game, and what can be clicked in it.
pub(super) struct BoardSnapshot {
    /// Picture or, in games with their own layout, HTML.
    pub(super) picture: String,
    /// True if the board is flipped.
    pub(super) flipped: bool,
    /// Number of moves and draws that the picture shows.
    pub(super) step: usize,
    position: AnyPosition,
    /// Clicks for the viewer's moves; empty unless the viewer can move and sees the latest
    /// position.
    pub(super) clicks: Vec<Click>,
    /// Kinds of moves that the viewer chooses between, in games that tell them apart.
    pub(super) kinds: Vec<ActionKind>,
    /// Clicks that choose the viewer's next move in advance; empty while the viewer can move.
    pub(super) premoves: Vec<Click>,
    /// Moves of the teammate on turn that the viewer may suggest.
    pub(super) suggestions: Vec<Click>,
    /// Draft of a move.
    pub(super) draft: Option<Draft>,
    /// True if the viewer's draft no longer fits the position, and was not played.
    pub(super) draft_dropped: bool,
    /// Latest effects on the board, in words.
    pub(super) news: Option<String>,
    /// Ids of the elements that show what has changed since the viewer's last move.
    pub(super) changed: Vec<String>,
}

impl BoardSnapshot {
    /// Returns the ids of the elements that teammates can point at.
    pub(super) fn landmarks(&self) -> Vec<String> {
        let landmarks = self.position.landmarks();
        landmarks.into_iter().map(|(id, _)| id).collect()
    }
}

/// Contents of the page around the game.
pub(super) struct Surroundings {
    /// Ratings of the players, by seat.
    pub(super) ratings: Vec<Option<PlayerRating>>,
    /// Analysis of the finished game, in games that have one.
    pub(super) analysis: Option<AnalysisState>,
    /// Invite of a table that is joined by a link, if the viewer has it.
    pub(super) invite: Option<OpaqueToken>,
    /// URL for watchers of a private table, if the viewer is a player or a watcher.
    pub(super) watch_link: Option<String>,
    /// URL to share.
    pub(super) link: String,
    /// URL of the git repository.
    pub(super) remote: String,
    /// Name last used in this browser.
    pub(super) name: Option<String>,
    /// Name of the viewer, if a member.
    pub(super) member: Option<String>,
}

/// Facts about a table's links.
struct TableLinks {
    /// True if the viewer's link is the invite.
    is_invite: bool,
    /// Token of the watchers' link of a private table.
    watch: Option<String>,
}

impl TableSnapshot {
    /// Loads a table. `link` is the token in the URL.
    pub(super) async fn load(
        state: &AppState,
        viewer: &Viewer,
        id: TableId,
        link: Option<OpaqueToken>,
        viewpoint: Viewpoint,
    ) -> Result<TableSnapshot, Error> {
        let link = link.or_else(|| cookies::link_token(&viewer.headers, id));
        let key = link.as_ref().map(OpaqueToken::key);
        // Its task goes on with moves while the page is made from a copy.
        let copy = |seen: LiveView<'_>| {
            let on_turn = seen.table.on_turn();
            let absent_since = on_turn.and_then(|seat| seen.absent_since(seat));
            (seen.table.clone(), absent_since, seen.now)
        };
        let (table, absent_since, now) = state.live().read_with_presence(id, copy).await?;
        let links = TableLinks {
            is_invite: key.is_some_and(|key| table.is_invite(&key)),
            watch: table.watch_token(),
        };
        let shown = ShownTable::new(&table, viewer.who.as_ref(), &viewpoint, &viewer.headers);
        let users: Vec<_> = table.players().iter().map(Player::user).collect();
        let (may, board) = (shown.permissions(), shown.board());
        let game = shown.game(absent_since, now);
        let invite = link.filter(|_| links.is_invite);
        let watch = links.watch;
        let surroundings = Surroundings::load(state, viewer, &game, &users, invite, watch).await;
        Ok(TableSnapshot {
            game,
            may,
            board,
            surroundings,
        })
    }

    /// Returns the number of the move that a step, from 1, belongs to; 0 before the first move.
    pub(super) fn move_number(&self, step: usize) -> usize {
        let at = step.checked_sub(1).and_then(|at| self.game.numbers.get(at));
        at.copied().unwrap_or_default()
    }

    /// Returns the step on display in words: "Move 3 of 12".
    pub(super) fn where_in_game(&self) -> String {
        match self.move_number(self.board.step) {
            0 => "Start".to_owned(),
            number => format!(
                "Move {number} of {}",
                self.move_number(self.game.moves.len())
            ),
        }
    }

    /// Returns the effects of the latest move on the board, in words.
    pub(super) fn latest_news(&self) -> Option<String> {
        self.board.position.news()
    }

    /// Returns the level and name of a bot.
    pub(super) fn bot(&self, spec: &str) -> String {
        phrases::bot(&self.board.position, spec.to_owned())
    }

    /// Returns a move in the notation of this game.
    pub(super) fn notation(&self, text: &str) -> String {
        self.board.position.notation(text)
    }
}

impl Surroundings {
    async fn load(
        state: &AppState,
        viewer: &Viewer,
        game: &GameSnapshot,
        users: &[Option<UserId>],
        invite: Option<OpaqueToken>,
        watch: Option<String>,
    ) -> Surroundings {
        let Viewer { headers, who } = viewer;
        let id = game.view.id;
        let clock = game.view.clock.as_ref().map(|clock| clock.control);
        let pool = RatingPool::new(game.kind, &game.view.options, clock);
        let ratings = ratings::of_players(state, RatedSeats::new(id, pool, users)).await;
        let member = who.as_ref().and_then(Requester::member);
        Surroundings {
            ratings,
            analysis: analysis(state, game).await,
            link: state.table_url(headers, id, invite.as_ref()),
            watch_link: watch.map(|token| state.watch_url(headers, id, &token)),
            remote: state.git_url(headers, id),
            invite,
            name: cookies::name(headers),
            member: member.map(|member| member.name.clone()),
        }
    }
}

/// A table, the viewer's rights at it, and the step and draft on display.
struct ShownTable<'a> {
    table: &'a Table,
    rights: MoveRights,
    /// True if the viewer left the game and can take the seat back.
    returns: bool,
    moves: Vec<PlayedStep>,
    /// Earlier step on display; `None` shows the present.
    past: Option<usize>,
    /// True if that step is shown as it was, without the result of the game.
    is_told: bool,
    /// True if a move that the viewer has begun no longer fits, and was not played.
    draft_dropped: bool,
    draft: Option<Draft>,
    /// Clicks for the viewer's moves.
    clicks: Vec<Click>,
    /// Moves of the viewer out of turn that have no place in the picture.
    out_of_turn: Vec<Click>,
    sight: Perspective,
}

impl<'a> ShownTable<'a> {
    fn new(
        table: &'a Table,
        who: Option<&Requester>,
        viewpoint: &Viewpoint,
        headers: &HeaderMap,
    ) -> ShownTable<'a> {
        let seats = who.map(|who| who.seats(table)).unwrap_or_default();
        let returns = who.is_some_and(|who| who.can_return(table));
        let rights = MoveRights::new(table, seats);
        let moves = history::played(table);
        let past = viewpoint.step.filter(|step| *step < moves.len());
        let begun = viewpoint.draft().filter(|_| past.is_none());
        let fits =
            rights.move_at_all() && viewpoint.begun_at.is_none_or(|step| step == moves.len());
        let draft = begun
            .filter(|_| fits)
            .and_then(|steps| rights.draft(table.position(), steps));
        // A draft that the viewer has sent just before is played, not dropped.
        let played = viewpoint
            .begun_at
            .is_some_and(|step| history::is_own(&moves, step, &rights.seats));
        let draft_dropped = begun.is_some() && draft.is_none() && !played;
        let sight = Perspective {
            seat: rights.seats.first().copied(),
            counted_by: None,
            ended: false,
            flipped: viewpoint
                .flipped
                .unwrap_or_else(|| viewpoint::is_flipped(headers, table.kind())),
        };
        let clicks = match &draft {
            Some(draft) => draft.clicks.clone(),
            None if past.is_none() => rights.clicks(table.position()),
            None => Vec::new(),
        };
        let on_turn = table.on_turn();
        let aside = |click: &Click| {
            click.path.is_empty() && table.position().seat_of(&click.text) != on_turn
        };
        let (out_of_turn, clicks) = clicks
            .into_iter()
            .partition(|click| rights.others && aside(click));
        ShownTable {
            table,
            rights,
            returns,
            moves,
            past,
            is_told: viewpoint.told && past.is_some(),
            draft_dropped,
            draft,
            clicks,
            out_of_turn,
            sight,
        }
    }

    fn permissions(&self) -> Permissions {
        let present = self.table.position();
        let is_present = self.past.is_none();
        let seats: Vec<u8> = self.rights.seats.iter().map(|seat| seat.number()).collect();
        let undo = self.table.view().undo;
        Permissions {
            is_on_turn: self.rights.on_turn || self.rights.is_asked,
            is_asked: self.rights.is_asked,
            owes_answer: self.rights.is_asked || (self.rights.on_turn && present.awaits_answer()),
            asking: self
                .rights
                .seats
                .first()
                .filter(|_| self.table.kind().is_cooperative())
                .map(|seat| self.table.asks_when(*seat)),
            abort: self.table.can_be_aborted(),
            advice: self.table.has_advice()
                && self.table.status() == TableStatus::Playing
                && !seats.is_empty(),
            returns: self.returns,
            stand_ins: self.stand_ins(),
            undo: undo.filter(|seat| is_present && seats.contains(seat)),
            out_of_turn: self.out_of_turn.clone(),
            concessions: if self.rights.on_turn && is_present {
                present.concessions()
            } else {
                Vec::new()
            },
            chances: if is_present && !seats.is_empty() {
                chances_to_enter(self.table)
            } else {
                Vec::new()
            },
            seats,
        }
    }

    /// Returns the bots that play for those who left the viewer's team.
    fn stand_ins(&self) -> Vec<StandIn> {
        let (table, mine) = (self.table, &self.rights.seats);
        let is_team = table.kind().is_cooperative() && table.status() == TableStatus::Playing;
        if mine.is_empty() || !is_team {
            return Vec::new();
        }
        let stand_in = |seat: Seat| {
            let name = table.person_gone(seat)?.name()?;
            let spec = table.players().get(seat.index())?.name()?;
            let mut choices = bots::list(table.position());
            choices.retain(|bot| bot.spec.starts_with("level:"));
            Some(StandIn {
                seat: seat.number(),
                name: name.to_owned(),
                spec: spec.to_owned(),
                choices,
            })
        };
        Seat::all(table.position().seats())
            .filter_map(stand_in)
            .collect()
    }

    /// Returns the clicks that choose a move in advance.
    fn premoves(&self) -> Vec<Click> {
        let waits = !self.rights.seats.is_empty() && !self.rights.move_at_all();
        let is_present = self.past.is_none() && self.table.status() == TableStatus::Playing;
        if waits && is_present {
            self.table.position().premoves()
        } else {
            Vec::new()
        }
    }

    /// Returns the moves of the teammate on turn that the viewer may suggest.
    fn suggestions(&self) -> Vec<Click> {
        let table = self.table;
        let waits = !self.rights.seats.is_empty() && !self.rights.on_turn && self.past.is_none();
        let is_team = table.kind().is_cooperative() && table.has_talk();
        if !waits || !is_team || table.status() != TableStatus::Playing {
            return Vec::new();
        }
        let (position, on_turn) = (table.position(), table.on_turn());
        let mut clicks = position.clicks();
        let mut seen = BTreeSet::new();
        clicks.retain(|click| {
            let is_whole = !click.partial && !click.path.is_empty();
            // A move has several paths that end at the same place.
            is_whole
                && position.seat_of(&click.text) == on_turn
                && seen.insert((click.text.clone(), click.path.last().cloned()))
        });
        clicks
    }

    fn board(&self) -> BoardSnapshot {
        let (table, present) = (self.table, self.table.position());
        let earlier = self.past.and_then(|step| table.position_after(step));
        let (shown, view) = match (&earlier, &self.draft) {
            (Some((position, last)), _) => (position, position.view(*last)),
            (None, Some(draft)) => (present, draft.view.clone()),
            (None, None) => (present, present.view(table.last_marked_move())),
        };
        BoardSnapshot {
            picture: shown.page_for(view, self.perspective(shown)),
            flipped: self.sight.flipped,
            step: self.past.unwrap_or(self.moves.len()),
            position: present.clone(),
            clicks: self.clicks.clone(),
            kinds: self.kinds(),
            premoves: self.premoves(),
            suggestions: self.suggestions(),
            draft: self.draft.clone(),
            draft_dropped: self.draft_dropped,
            news: shown.news(),
            changed: self.changes(),
        }
    }

    /// Returns the side from which the viewer sees a position. Whoever plays several seats reads the
    /// numbers of the one whose turn it is and, in a team, sees the board from that one, also while its
    /// cards are drawn.
    fn perspective(&self, shown: &AnyPosition) -> Perspective {
        let step = self.past.unwrap_or(self.moves.len());
        let last = || {
            let mut played = self.moves.iter().take(step).rev();
            let last = played.find_map(|played| played.seat);
            last.and_then(|seat| Seat::new(seat).ok())
        };
        let turn = shown.turn().seat().or_else(last);
        let own = turn.filter(|seat| self.rights.holds(*seat));
        let is_over = matches!(
            self.table.status(),
            TableStatus::Over | TableStatus::Aborted
        );
        Perspective {
            ended: is_over && self.past.is_none(),
            seat: own
                .filter(|_| self.table.kind().is_cooperative())
                .or(self.sight.seat),
            counted_by: own,
            ..self.sight
        }
    }

    /// Returns the kinds of moves that the viewer chooses between.
    fn kinds(&self) -> Vec<ActionKind> {
        if self.rights.on_turn && self.past.is_none() && self.draft.is_none() {
            self.table.position().action_kinds()
        } else {
            Vec::new()
        }
    }

    /// Returns the ids of the elements that show what has changed since the viewer's last move.
    fn changes(&self) -> Vec<String> {
        let seats: Vec<u8> = self.rights.seats.iter().map(|seat| seat.number()).collect();
        let since = history::own_last(&self.moves, &seats)
            .filter(|since| self.past.is_none() && *since < self.moves.len());
        let before = since.and_then(|since| self.table.position_after(since));
        before.map_or_else(Vec::new, |(before, _)| {
            self.table.position().changes_since(&before)
        })
    }

    /// Makes a view one of the game that still went on at the step on display.
    fn hide_result(&self, view: &mut TableView) {
        let earlier = self.past.and_then(|step| self.table.position_after(step));
        if let (Some((position, _)), TableStatus::Over) = (earlier, view.status) {
            view.status = TableStatus::Playing;
            view.ending = None;
            view.turn = position.turn().into();
        }
    }

    fn game(self, absent_since: Option<Timestamp>, now: Timestamp) -> GameSnapshot {
        let table = self.table;
        let status = table.status();
        let over = matches!(status, TableStatus::Over | TableStatus::Aborted);
        let mut view = table.view();
        let faces = name_bots(&mut view, table);
        if self.is_told {
            self.hide_result(&mut view);
        }
        let past_clock = self
            .past
            .filter(|_| over && view.clock.is_some())
            .and_then(|step| history::clock_after(table, &self.moves, step));
        // A person who plays for all is asked by the names of the seats.
        let asked = match self.rights.seats[..] {
            [only] => table.on_turn().filter(|seat| *seat == only),
            _ => None,
        };
        let question = match asked {
            Some(seat) => table.position().question_to(seat),
            None => table.position().question(),
        };
        GameSnapshot {
            kind: table.kind(),
            is_unadvised: advice::is_offered(table.kind()) && !table.has_advice(),
            now,
            turn_since: history::turn_since(table),
            clock: past_clock.or_else(|| view.clock.clone()),
            absent_since,
            claimable_from: table.claimable_from(absent_since),
            patience_ms: table
                .claimable_from(Some(now))
                .map(|from| from.millis() - now.millis()),
            paused_ms: history::paused_ms(table),
            question: question
                .filter(|_| status == TableStatus::Playing && self.past.is_none())
                .filter(|_| table.asked().is_empty()),
            asker: table
                .position()
                .consent()
                .filter(|_| status == TableStatus::Playing)
                .map(|request| request.by.number()),
            report: (over && view.luck.is_some()).then(|| verify(&table.record())),
            handovers: table.handovers().to_vec(),
            numbers: history::move_numbers(&self.moves),
            moves: self.moves,
            faces,
            view,
        }
    }
}

/// Moves that the viewer is allowed to make.
struct MoveRights {
    /// Seats of the viewer.
    seats: Vec<Seat>,
    /// True if one of the viewer's seats is on turn, and need not wait for others.
    on_turn: bool,
    /// True if one of the viewer's seats is asked for a move out of turn.
    is_asked: bool,
    /// True if seats other than the one on turn have legal moves.
    others: bool,
    /// True if one of those seats is the viewer's.
    out_of_turn: bool,
}

impl MoveRights {
    fn new(table: &Table, seats: Vec<Seat>) -> MoveRights {
        let holds = |seat: Seat| seats.contains(&seat);
        let others = if table.on_turn().is_some() {
            table.position().out_of_turn()
        } else {
            Vec::new()
        };
        MoveRights {
            on_turn: table.on_turn().is_some_and(holds) && table.asked().is_empty(),
            is_asked: table.asked().iter().any(|seat| holds(*seat)),
            others: !others.is_empty(),
            out_of_turn: others.into_iter().any(holds),
            seats,
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
        self.seats.contains(&seat)
    }
}

/// Returns the state of a game's analysis; `None` if it can't be analyzed.
async fn analysis(state: &AppState, game: &GameSnapshot) -> Option<AnalysisState> {
    let steps = game.moves.len();
    can_be_analyzed(game.kind, game.view.status, steps).ok()?;
    let key = AnalysisKey {
        table: game.view.id,
        steps,
    };
    // The page is shown without it if the database is away.
    let found = state.find_analysis(key).await.unwrap_or_default();
    Some(found.map_or(AnalysisState::Offered, AnalysisState::Requested))
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
