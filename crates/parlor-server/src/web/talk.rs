//! Talk beside the board: the panel, and what its forms send.

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, SET_COOKIE};
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use maud::{Markup, html};
use parlor_table::TableId;
use serde_json::json;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::actions::FormFields;
use super::cookies;
use super::error_page::{PageTablePath, ResponseFormat, WebError};
use super::snapshot::Viewer;
use crate::AppState;
use crate::auth::{Requester, Visitor};
use crate::edge::Client;
use crate::error::Error;
use crate::live::table_key;
use crate::talk::{
    ReportReason, ReportRequest, Room, SayRequest, TalkLine, TalkView, Writing, phrases,
};

/// Routes of the panel.
pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/t/{id}/talk", get(refresh).post(write))
        .route("/t/{id}/talk/mute", post(mute))
        .route("/t/{id}/talk/report", post(report))
        .route("/t/{id}/talk/hide", post(hide))
        .route("/settings/talk", post(hide_everywhere))
}

/// Panel with a table's talk, as one viewer sees it.
pub(super) struct TalkPanel {
    id: TableId,
    talk: TalkView,
    is_member: bool,
}

impl TalkPanel {
    /// Loads the talk of a table; `None` if there is none, or nobody to talk to, or the viewer does
    /// not want it.
    pub(super) async fn load(state: &AppState, id: TableId, viewer: &Viewer) -> Option<TalkPanel> {
        if cookies::hides_talk(&viewer.headers) {
            return None;
        }
        let who = viewer.who.as_ref();
        // The game goes on, whatever is wrong with the talk.
        let talk = state.talk(id, who, None, None).await.ok()?;
        let is_member = who.and_then(Requester::member).is_some();
        talk.rights.has_company().then_some(TalkPanel {
            id,
            talk,
            is_member,
        })
    }

    /// Renders the button that opens the panel where it is not beside the board.
    pub(super) fn button(&self) -> Markup {
        html! {
            button.talk-button type="button" popovertarget="talk" aria-label="Talk" {
                svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" {
                    path d="M4 5h16v11H10l-4 4v-4H4z" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round" {}
                }
                b.unread hidden {}
            }
        }
    }

    /// Renders the panel.
    pub(super) fn panel(&self) -> Markup {
        html! {
            section #talk.card popover="manual" aria-label="Talk" data-member[self.is_member] {
                details open {
                    summary { h2 { "Talk" } b.unread hidden {} }
                    div #talk-body { (self.body()) }
                }
                button.close type="button" popovertarget="talk" popovertargetaction="hide" { "Close" }
                p #talk-news.hidden role="status" {}
            }
        }
    }

    /// Renders what changes with the viewer's rights.
    fn body(&self) -> Markup {
        let rights = &self.talk.rights;
        let own = rights.own_room();
        let last = self.talk.lines.last().map_or(0, |line| line.n);
        html! {
            div.talk data-room=(own.name()) data-last=(last) data-rights=(self.rights()) data-you=[self.talk.you.as_deref()] {
                @if own == Room::Players {
                    div.rooms role="group" aria-label="Room" {
                        // Both from the start, so that nothing moves when the game ends.
                        @for room in Room::ALL {
                            button type="button" data-choose=(room.name()) aria-pressed=(room == own) disabled[!rights.may_read(room)] { (title(room)) b.unread hidden {} }
                        }
                    }
                }
                div.lines role="log" aria-live="polite" aria-label="Messages" tabindex="0" {
                    @for room in Room::ALL { p.soft.small.nobody data-room=(room.name()) { (introduction(room)) } }
                    @for line in &self.talk.lines { (self.line(line)) }
                }
                (self.forms(own))
                template #talk-line { (self.line(&blank(own))) }
            }
        }
    }

    /// Returns the rights as a text that changes with them.
    fn rights(&self) -> String {
        let right = |room: Room| self.talk.rights.writing(room).name();
        let until = self.talk.silenced_until.map(|until| until.to_string());
        let rights = Room::ALL.map(right).into_iter().chain(until.as_deref());
        rights.collect::<Vec<_>>().join(" ")
    }

    fn forms(&self, room: Room) -> Markup {
        let action = format!("/t/{}/talk", self.id);
        if let Some(until) = self.talk.silenced_until {
            return html! {
                p.small.soft { "You cannot write until " (time(until)) ": an admin has silenced you." }
            };
        }
        let writing = self.talk.rights.writing(room);
        html! {
            form.phrases method="post" action=(action) aria-label="Ready-made phrases" {
                input type="hidden" name="room" value=(room.name());
                @for phrase in phrases(self.talk.rights.kind) {
                    button name="phrase" value=(phrase.id) { (phrase.text) }
                }
            }
            @if writing == Writing::Text {
                form.say method="post" action=(action) {
                    input type="hidden" name="room" value=(room.name());
                    input name="text" maxlength="200" required autocomplete="off" enterkeyhint="send" aria-label="Message" placeholder="Write a message";
                    button { "Send" }
                }
            } @else if self.talk.rights.would_help_to_sign_in() {
                p.small.soft { a href={ "/login?next=/t/" (self.id) } { "Sign in" } " to write more than phrases." }
            }
            div.notes {
                p.refused.small role="alert" {}
                p.done.small role="status" { span {} " " button type="button" data-unmute hidden { "Undo" } }
            }
        }
    }

    fn line(&self, line: &TalkLine) -> Markup {
        let is_own = self.talk.you.as_ref() == Some(&line.author);
        html! {
            div.line.mine[is_own] data-n=(line.n) data-room=(line.room.name()) data-author=(line.author) data-phrase=[line.phrase.as_deref()] data-plan=[line.plan.as_ref().map(|plan| json!(plan).to_string())] data-member[line.member] {
                p {
                    bdi.name.{ "seat-" (line.seat.unwrap_or(9)) } { (line.name) } " "
                    (time(line.at)) " "
                    span.text { (line.text) }
                }
                @if !is_own { (self.menu(line)) }
            }
        }
    }

    /// Renders what can be done about a message of somebody else.
    fn menu(&self, line: &TalkLine) -> Markup {
        let action = |verb: &str| format!("/t/{}/talk/{verb}", self.id);
        html! {
            details.more {
                summary aria-label={ "Mute or report " (line.name) } { "⋯" }
                // It lies over the panel, so that nothing moves when it opens.
                div.message-menu {
                    form.row method="post" action=(action("mute")) {
                        input type="hidden" name="n" value=(line.n);
                        button { "Mute\u{a0}" bdi.whom { (line.name) } }
                        button.shut type="button" data-shut { "Close" }
                    }
                    form.row.report method="post" action=(action("report")) {
                        input type="hidden" name="n" value=(line.n);
                        label.field {
                            span { "Report to the admins" }
                            select name="reason" { @for reason in ReportReason::ALL { option value=(reason.name()) { (reason.title()) } } }
                        }
                        label.field { span { "Note" } input name="note" maxlength="200" autocomplete="off"; }
                        button.warn { "Report" }
                    }
                }
            }
        }
    }
}

/// Returns the message that the script fills in.
fn blank(room: Room) -> TalkLine {
    TalkLine {
        n: 0,
        at: 0,
        room,
        author: String::new(),
        name: String::new(),
        member: false,
        seat: None,
        phrase: None,
        suggests: None,
        points_at: None,
        plan: None,
        text: String::new(),
    }
}

/// Returns the text of a room without messages.
const fn introduction(room: Room) -> &'static str {
    match room {
        Room::Players => "Only the players read this. Say hello!",
        Room::Watchers => "Watchers talk here. The players read it after the game.",
    }
}

const fn title(room: Room) -> &'static str {
    match room {
        Room::Players => "Players",
        Room::Watchers => "Everybody",
    }
}

/// Renders a time in UTC, which the script turns into that of the viewer.
fn time(millis: i64) -> Markup {
    let at = OffsetDateTime::from_unix_timestamp_nanos(i128::from(millis) * 1_000_000).ok();
    let exact = at.and_then(|at| at.format(&Rfc3339).ok());
    let shown = at.map_or_else(String::new, |at| {
        format!("{:02}:{:02}", at.hour(), at.minute())
    });
    html! { time.soft datetime=[exact] { (shown) } }
}

/// Renders the panel again, for the script.
async fn refresh(
    State(state): State<AppState>,
    viewer: Viewer,
    PageTablePath(id): PageTablePath,
) -> Result<Response, WebError> {
    let panel = TalkPanel::load(&state, id, &viewer).await;
    let panel = panel.ok_or_else(|| Error::not_found("there is no talk at this table"))?;
    Ok(([(CACHE_CONTROL, "no-store")], panel.body()).into_response())
}

/// Writes a message. Somebody without a token gets one.
async fn write(
    State(state): State<AppState>,
    client: Client,
    PageTablePath(id): PageTablePath,
    wants: ResponseFormat,
    visitor: Visitor,
    fields: FormFields,
) -> Result<Response, WebError> {
    let room = match fields.get("room") {
        Some("players") => Some(Room::Players),
        Some("watchers") => Some(Room::Watchers),
        _ => None,
    };
    let said = SayRequest {
        room,
        text: fields.get("text").map(str::to_owned),
        phrase: fields.get("phrase").map(str::to_owned),
        suggest: fields.get("suggest").map(str::to_owned),
        point_at: fields.get("point_at").map(str::to_owned),
        plan: fields
            .get("plan")
            .map(|moves| moves.split_whitespace().map(str::to_owned).collect()),
    };
    let line = state.say(id, visitor.who(), client, said).await;
    let line = line.map_err(|error| WebError::at(error, id, wants))?;
    let cookie = visitor.set_cookie().map(|cookie| (SET_COOKIE, cookie));
    let response = match wants {
        ResponseFormat::Html => Redirect::to(&format!("/t/{id}#talk")).into_response(),
        ResponseFormat::Json => Json(line).into_response(),
    };
    Ok((AppendHeaders(cookie), response).into_response())
}

/// Returns the number of the message that a form is about.
fn number(fields: &FormFields) -> Result<i64, Error> {
    let number = fields.get("n").and_then(|text| text.parse().ok());
    number.ok_or_else(|| Error::not_found("there is no such message"))
}

/// Answers a form without a result: the script with nothing, a browser with the page.
fn done(id: TableId, wants: ResponseFormat) -> Response {
    match wants {
        ResponseFormat::Html => Redirect::to(&format!("/t/{id}#talk")).into_response(),
        ResponseFormat::Json => StatusCode::NO_CONTENT.into_response(),
    }
}

/// Mutes the author of a message for a member. Guests can mute with the script, in their browser.
async fn mute(
    State(state): State<AppState>,
    PageTablePath(id): PageTablePath,
    wants: ResponseFormat,
    viewer: Viewer,
    fields: FormFields,
) -> Result<Response, WebError> {
    let muted = mute_author(&state, id, &viewer, &fields).await;
    muted.map_err(|error| WebError::at(error, id, wants))?;
    Ok(done(id, wants))
}

async fn mute_author(
    state: &AppState,
    id: TableId,
    viewer: &Viewer,
    fields: &FormFields,
) -> Result<(), Error> {
    let member = viewer.who.as_ref().and_then(Requester::member);
    let member =
        member.ok_or_else(|| Error::forbidden("members-only", "sign in to mute people"))?;
    let message = state.store().talk_message(table_key(id), number(fields)?);
    let message = message.await?;
    let author = message.filter(|message| message.author.user.is_some());
    let author = author.ok_or_else(|| {
        Error::unprocessable("the message is by a guest, whom only this browser can mute")
    })?;
    state.mute(member, &author.author.name).await
}

/// Reports a message.
async fn report(
    State(state): State<AppState>,
    client: Client,
    PageTablePath(id): PageTablePath,
    wants: ResponseFormat,
    visitor: Visitor,
    fields: FormFields,
) -> Result<Response, WebError> {
    let refused = |error: Error| WebError::at(error, id, wants);
    let chosen = fields.get("reason");
    let reason = ReportReason::ALL
        .into_iter()
        .find(|reason| Some(reason.name()) == chosen);
    let report = ReportRequest {
        reason: reason.ok_or_else(|| refused(Error::unprocessable("choose a reason")))?,
        note: fields.get("note").map(str::to_owned),
    };
    let n = number(&fields).map_err(refused)?;
    let reported = state.report_talk(id, visitor.who(), client, n, report);
    reported.await.map_err(refused)?;
    let cookie = visitor.set_cookie().map(|cookie| (SET_COOKIE, cookie));
    Ok((AppendHeaders(cookie), done(id, wants)).into_response())
}

/// Hides the talk of all tables in this browser, or shows it again.
async fn hide(
    State(state): State<AppState>,
    PageTablePath(id): PageTablePath,
    fields: FormFields,
) -> Response {
    hide_and_return(&state, &fields, &format!("/t/{id}"))
}

/// Does so on the page of the settings.
async fn hide_everywhere(State(state): State<AppState>, fields: FormFields) -> Response {
    hide_and_return(&state, &fields, "/settings")
}

fn hide_and_return(state: &AppState, fields: &FormFields, to: &str) -> Response {
    let is_hidden = fields.get("talk") == Some("off");
    let cookie = cookies::with_talk_hidden(is_hidden, state.is_https());
    (AppendHeaders([(SET_COOKIE, cookie)]), Redirect::to(to)).into_response()
}

/// Renders the switch that hides the talk of all tables in this browser: at a table, or among the settings.
pub(super) fn switch(table: Option<TableId>, viewer: &Viewer) -> Markup {
    let is_hidden = cookies::hides_talk(&viewer.headers);
    let action = match table {
        Some(table) => format!("/t/{table}/talk/hide"),
        None => "/settings/talk".to_owned(),
    };
    let (value, text) = if is_hidden {
        ("on", "Show talk at tables")
    } else {
        ("off", "Hide talk at all tables")
    };
    html! {
        form.talk-switch method="post" action=(action) {
            button name="talk" value=(value) { (text) }
        }
    }
}
