//! Reports of messages: what was written and before, closing a report, and silencing people.

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use parlor_store::{ReportFilter, ReportSort, Silence, TalkPerson, TalkReport};
use serde::Deserialize;

use super::listing::{ListAddress, PageNumber, SortOrder, no_column, sorted_links};
use super::{AdminMember, counted, page, time_text};
use crate::AppState;
use crate::error::Error;
use crate::extract::Params;
use crate::live;
use crate::talk::{ReportReason, talk_key};
use crate::web::actions::FormFields;
use crate::web::error_page::WebError;

/// Address of the list.
const PATH: &str = "/admin/talk";
/// Fields that reports are sorted by: the word and the title.
const FIELDS: [(&str, &str); 5] = [
    ("id", "Time"),
    ("reason", "Reason"),
    ("author", "Author"),
    ("reporter", "Reported by"),
    ("table", "Table"),
];
const HOUR_MS: i64 = 3_600_000;
/// Times for which a person can be silenced, in hours.
const TIMES: [(i64, &str); 4] = [
    (1, "1 hour"),
    (24, "1 day"),
    (168, "1 week"),
    (8_760, "1 year"),
];

#[derive(Debug, Deserialize)]
pub(in crate::web) struct ReportQuery {
    /// `all` for closed reports, too.
    show: Option<String>,
    /// Word of a field, after `-` for the largest value first.
    sort: Option<String>,
    page: Option<String>,
}

fn report_sort(field: &str) -> Result<ReportSort, Error> {
    Ok(match field {
        "id" => ReportSort::Id,
        "reason" => ReportSort::Reason,
        "author" => ReportSort::Author,
        "reporter" => ReportSort::Reporter,
        "table" => ReportSort::Table,
        other => return Err(no_column(other)),
    })
}

pub(super) async fn list(
    _admin: AdminMember,
    State(state): State<AppState>,
    Params(query): Params<ReportQuery>,
) -> Result<Response, WebError> {
    let show = query.show.as_deref().filter(|show| *show == "all");
    let filter = ReportFilter {
        open_only: show.is_none(),
    };
    let store = state.store();
    let open = ReportFilter { open_only: true };
    let open = store.count_talk_reports(open).await?;
    let count = store.count_talk_reports(filter).await?;
    let number = PageNumber::parse(query.page.as_deref(), count);
    let order = SortOrder::parse(query.sort.as_deref());
    let slice = order.slice(report_sort(order.column)?, number);
    let reports = store.sorted_talk_reports(filter, &slice).await?;
    let given = [("show", show), ("sort", query.sort.as_deref())];
    let address = ListAddress::new(PATH, &given);
    let silences = store.silences(state.now().millis()).await?;
    let body = html! {
        h1 { "Talk" }
        p.soft { (counted(open, "open report")) }
        p {
            @if show.is_some() { a href=(address.with(&[("show", "")])) { "Open reports only" } }
            @else { a href=(address.with(&[("show", "all")])) { "Closed reports, too" } }
        }
        @if count > 1 { (sorted_links(&address, order, &FIELDS)) }
        @for report in &reports { (card(report)) }
        @if reports.is_empty() { p.soft { "No reports." } }
        (number.links(&address))
        (silenced(&silences))
    };
    Ok(page("Talk", body).into_response())
}

fn card(report: &TalkReport) -> Markup {
    let kept = &report.report;
    let action = format!("/admin/talk/{}", report.id);
    html! {
        section.card.report aria-label={ "Report " (report.id) } {
            h2 { "Report " (report.id) ": " (reason(&kept.reason)) }
            p.small {
                (time_text(kept.at)) " by " (person(&kept.reporter)) " at "
                @match live::table_id(kept.table) {
                    Some(id) => a href={ "/admin/tables/" (kept.table) } { "table " (id) },
                    None => "a table",
                }
                @if let Some(at) = report.closed_at { ", closed " (time_text(at)) }
            }
            @if !kept.note.is_empty() { blockquote { (kept.note) } }
            p { "About " (person(&report.author)) "." }
            @if !report.messages.is_empty() {
                ol.context {
                    @for message in &report.messages {
                        li.reported[message.n == kept.n] { span.small.soft { (time_text(message.at)) } " " b { bdi { (message.author.name) } } " " (message.text) }
                    }
                }
            }
            @if report.closed_at.is_none() {
                form.row method="post" action={ (action) "/silence" } {
                    label.field {
                        span { "Silence " bdi { (report.author.name) } " for" }
                        select name="hours" { @for (hours, title) in TIMES { option value=(hours) { (title) } } }
                    }
                    label.field { span { "Reason" } input name="reason" maxlength="200" value=(reason(&kept.reason)); }
                    button.warn { "Silence and close" }
                }
                form method="post" action={ (action) "/close" } { p { button { "Close without silence" } } }
            }
        }
    }
}

fn silenced(silences: &[Silence]) -> Markup {
    html! {
        h2 { "Silenced now" }
        @if silences.is_empty() { p.soft { "Nobody." } } @else {
            ul.rows {
                @for silence in silences {
                    li {
                        span { (person(&silence.person)) ", until " (time_text(silence.until)) @if !silence.reason.is_empty() { ": " (silence.reason) } }
                        form method="post" action="/admin/talk/unsilence" {
                            input type="hidden" name="person" value=(silence.person.key);
                            button { "End" span.hidden { " the silence of " bdi { (silence.person.name) } } }
                        }
                    }
                }
            }
        }
    }
}

/// Renders a person's name; a member's links to the admin page of the account.
fn person(person: &TalkPerson) -> Markup {
    html! {
        @match person.user {
            Some(id) => a href={ "/admin/players/" (id) } { (person.name) },
            None => { bdi { (person.name) } " (guest)" },
        }
    }
}

/// Returns a stored reason in words.
fn reason(stored: &str) -> &str {
    let known = ReportReason::ALL
        .into_iter()
        .find(|reason| reason.name() == stored);
    known.map_or(stored, |known| known.title())
}

/// Returns a person as the audit log names it.
fn target(person: &TalkPerson) -> String {
    match person.user {
        Some(id) => format!("player {} ({id})", person.name),
        None => format!("guest {} {}", person.key, person.name),
    }
}

async fn find(state: &AppState, id: i64) -> Result<TalkReport, Error> {
    let report = state.store().talk_report(id).await?;
    report.ok_or_else(|| Error::not_found("there is no such report"))
}

async fn close_report(state: &AppState, admin: &AdminMember, id: i64) -> Result<(), Error> {
    let line = admin.line("close report", format!("report {id}"), "");
    let now = state.now().millis();
    if state.store().close_talk_report(id, now, line).await? {
        return Ok(());
    }
    Err(Error::not_found(
        "there is no such report, or it has already been closed",
    ))
}

pub(super) async fn close(
    admin: AdminMember,
    State(state): State<AppState>,
    Path(id): Path<i64>,
) -> Result<Response, WebError> {
    close_report(&state, &admin, id).await?;
    Ok(Redirect::to("/admin/talk").into_response())
}

/// Silences the author of a reported message and closes the report.
pub(super) async fn silence(
    admin: AdminMember,
    State(state): State<AppState>,
    Path(id): Path<i64>,
    fields: FormFields,
) -> Result<Response, WebError> {
    let report = find(&state, id).await?;
    silence_person(&state, &admin, report.author, &fields).await?;
    close_report(&state, &admin, id).await?;
    Ok(Redirect::to("/admin/talk").into_response())
}

/// Silences a member.
pub(super) async fn silence_player(
    admin: AdminMember,
    State(state): State<AppState>,
    Path(id): Path<i64>,
    fields: FormFields,
) -> Result<Response, WebError> {
    let missing = || Error::not_found("there is no such player");
    let user = state.store().user(id).await?.ok_or_else(missing)?;
    let person = TalkPerson {
        key: talk_key(id).ok_or_else(missing)?,
        user: Some(id),
        name: user.name,
    };
    silence_person(&state, &admin, person, &fields).await?;
    Ok(Redirect::to("/admin/talk").into_response())
}

async fn silence_person(
    state: &AppState,
    admin: &AdminMember,
    person: TalkPerson,
    fields: &FormFields,
) -> Result<(), Error> {
    let hours = fields.get("hours").and_then(|text| text.parse().ok());
    let hours = hours.filter(|hours| TIMES.iter().any(|(known, _)| known == hours));
    let hours: i64 = hours.ok_or_else(|| Error::unprocessable("choose a time"))?;
    let reason = fields.get("reason").unwrap_or_default();
    let line = admin.line(
        "silence",
        target(&person),
        format!("{hours} h: {reason}").trim_end_matches(": "),
    );
    let at = state.now().millis();
    let silence = Silence {
        person,
        at,
        until: at + hours * HOUR_MS,
        reason: reason.chars().take(200).collect(),
    };
    Ok(state.store().silence(&silence, line).await?)
}

/// Ends a silence.
pub(super) async fn unsilence(
    admin: AdminMember,
    State(state): State<AppState>,
    fields: FormFields,
) -> Result<Response, WebError> {
    let missing = || Error::not_found("this person is not silenced");
    let key = fields.get("person").ok_or_else(missing)?;
    let silences = state
        .store()
        .silences_of(&[key.to_owned()], state.now().millis())
        .await?;
    let silence = silences.first().ok_or_else(missing)?;
    let line = admin.line("unsilence", target(&silence.person), "");
    if !state.store().end_silence(key, line).await? {
        return Err(missing().into());
    }
    Ok(Redirect::to("/admin/talk").into_response())
}

/// Renders the form that silences a member, for the account's page.
pub(super) fn silence_form(id: i64, name: &str) -> Markup {
    html! {
        section.card {
            h2 { "Silence this player" }
            p.soft { "For a time, " (name) " can write nothing at tables, not even ready-made phrases." }
            form.row method="post" action={ "/admin/players/" (id) "/silence" } {
                label.field { span { "For" } select name="hours" { @for (hours, title) in TIMES { option value=(hours) { (title) } } } }
                label.field { span { "Reason (for the log)" } input name="reason" maxlength="200" required; }
                button.warn { "Silence" }
            }
        }
    }
}
