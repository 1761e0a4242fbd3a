//! The section of the account page about notices, the page that stops them, and the service worker that shows
//! them.

use axum::Router;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use maud::{Markup, html};

use super::actions::FormFields;
use super::assets::script;
use super::dates;
use super::error_page::WebError;
use super::page::HtmlPage;
use crate::AppState;
use crate::error::Error;
use crate::extract::NamePath;
use crate::notices::{
    DayTime, NewTarget, NoticeKind, NoticesView, QuietHours, TargetInfo, TargetKind, Wishes,
};

/// Offsets of clocks from UTC that are no half hours, in quarters of an hour.
const ODD_OFFSETS: [i32; 3] = [23, 35, 51];

/// Routes that need no session.
pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/notices-worker.js", get(worker))
        .route("/notices/stop/{secret}", get(ask_to_stop).post(stop))
}

/// Serves the service worker at the root, since it is only in charge of what is below its own address.
async fn worker() -> Response {
    let headers = [
        (CONTENT_TYPE, "text/javascript; charset=utf-8"),
        (CACHE_CONTROL, "no-cache"),
    ];
    (headers, script("notices-worker.js")).into_response()
}

/// Asks whether notices to an address are to stop: programs that look at links must not stop them.
async fn ask_to_stop(
    State(state): State<AppState>,
    NamePath(secret): NamePath,
) -> Result<HtmlPage, WebError> {
    let target = state.target_to_stop(&secret).await?;
    let body = html! {
        main #main.members tabindex="-1" {
            h1 { "Turn notices off" }
            p { (target.kind.title()) " at " (target.host()) " gets no more of them." }
            form method="post" action={ "/notices/stop/" (secret) } { button.main { "Turn off" } }
        }
    };
    Ok(HtmlPage::new("Turn notices off – Parlor", body))
}

async fn stop(
    State(state): State<AppState>,
    NamePath(secret): NamePath,
) -> Result<HtmlPage, WebError> {
    state.stop_notices(&secret).await?;
    let body = html! {
        main #main.members tabindex="-1" {
            h1 { "Notices are off" }
            p { "Nothing more is sent to this address. You can add it again on " a href="/account#notices" { "your account's page" } "." }
        }
    };
    Ok(HtmlPage::new("Notices are off – Parlor", body))
}

/// Reads wishes from a form.
pub(super) fn wishes(fields: &FormFields) -> Result<Wishes, Error> {
    let time = |name: &str| {
        let time = fields.get(name).map(str::parse::<DayTime>).transpose();
        time.map_err(|error| Error::unprocessable(error.to_string()).with("field", name))
    };
    let quiet = match (time("quiet-from")?, time("quiet-to")?) {
        (Some(from), Some(to)) => Some(QuietHours { from, to }),
        (None, None) => None,
        _ => {
            let detail = "quiet hours have a beginning and an end";
            return Err(Error::unprocessable(detail).with("field", "quiet"));
        }
    };
    let wanted = |kind: &NoticeKind| fields.get(&format!("kind.{}", kind.name())).is_some();
    let offset = fields.get("utc-offset").unwrap_or("0").parse();
    let no_number = |_| Error::unprocessable("choose a time zone").with("field", "utc-offset");
    Ok(Wishes {
        kinds: NoticeKind::ALL.into_iter().filter(wanted).collect(),
        utc_offset: offset.map_err(no_number)?,
        quiet,
        digest_at: time("digest-at")?,
    })
}

/// Reads a new address from a form.
pub(super) fn target(fields: &FormFields) -> Result<NewTarget, Error> {
    let kind = TargetKind::from_name(fields.get("kind").unwrap_or_default());
    let unknown = || Error::unprocessable("unknown kind of address").with("field", "kind");
    Ok(NewTarget {
        kind: kind.ok_or_else(unknown)?,
        address: fields.get("address").unwrap_or_default().to_owned(),
        keys: None,
    })
}

/// Renders the section of the account page.
pub(super) fn section(notices: &NoticesView) -> Markup {
    html! {
        section.card #notices aria-labelledby="notices-title" {
            h2 #notices-title { "Notices" }
            p.soft { "What you are told when you have no page of the house open." }
            @if let Some(gone) = &notices.gone { p.refused { (gone) } }
            @if notices.targets.is_empty() { p.soft { "Nothing is sent yet: add a browser or an address." } }
            ul.rows { @for target in &notices.targets { (row(target)) } }
            p data-push=(notices.key) hidden { button type="button" { "Notify this browser" } " " span.small role="status" {} }
            details {
                summary { "Add an address" }
                form method="post" action="/account/notices/targets" {
                    div.fields {
                        label.field {
                            span { "Kind" }
                            select name="kind" { @for kind in TargetKind::TYPED { option value=(kind.name()) { (kind.title()) } } }
                        }
                        label.field {
                            span { "Address" }
                            input type="url" name="address" required maxlength="1000" placeholder="https://" autocomplete="off" spellcheck="false";
                        }
                    }
                    p.small.soft { "The address of an ntfy topic, or of a webhook that you made in Discord, Slack or Matrix. Anyone who knows it can write there, so only you see it." }
                    p { button.main { "Add address" } }
                }
            }
            details open[!notices.targets.is_empty()] {
                summary { "What and when" }
                (wishes_form(notices))
            }
            @if !notices.targets.is_empty() {
                form method="post" action="/account/notices/end" { p { button.warn { "Turn all notices off" } } }
            }
        }
    }
}

fn row(target: &TargetInfo) -> Markup {
    let (title, host) = (target.kind.title(), target.host());
    let path = format!("/account/notices/targets/{}", target.id);
    let name = format!("{title} at {host}");
    html! {
        li {
            span {
                b { (title) } " " (host) br;
                span.small.soft {
                    "added " (dates::day(target.created_at))
                    @if let Some(at) = target.sent_at { " · last sent " (dates::minute(at)) }
                    @if target.failures > 0 { " · does not answer as it should" }
                }
            }
            form method="post" action={ (path) "/test" } { button aria-label={ "Send a test to " (name) } { "Send a test" } }
            form method="post" action={ (path) "/remove" } { button.warn aria-label={ "Remove " (name) } { "Remove" } }
        }
    }
}

fn wishes_form(notices: &NoticesView) -> Markup {
    let wishes = &notices.wishes;
    let text = |time: Option<DayTime>| time.map(|time| time.to_string());
    let quiet = wishes.quiet;
    html! {
        form method="post" action="/account/notices" data-notices=[(!notices.is_begun).then_some("new")] {
            fieldset {
                legend { "Tell me" }
                div.picks {
                    @for kind in NoticeKind::ALL {
                        label.pick {
                            input type="checkbox" name={ "kind." (kind.name()) } value="yes" checked[wishes.has(kind)];
                            span { (kind_words(kind)) }
                        }
                    }
                }
            }
            div.fields {
                label.field { span { "Quiet from" } input type="time" name="quiet-from" value=[text(quiet.map(|quiet| quiet.from))]; }
                label.field { span { "Quiet until" } input type="time" name="quiet-to" value=[text(quiet.map(|quiet| quiet.to))]; }
                label.field { span { "All in one message at" } input type="time" name="digest-at" value=[text(wishes.digest_at)]; }
                label.field {
                    span { "Time zone" }
                    select name="utc-offset" {
                        @for minutes in offsets() { option value=(minutes) selected[minutes == wishes.utc_offset] { (zone(minutes)) } }
                    }
                }
            }
            p.small.soft { "Without a time for one message, each is sent at once. The time zone does not follow summer time." }
            p { button { "Save" } }
        }
    }
}

fn kind_words(kind: NoticeKind) -> &'static str {
    match kind {
        NoticeKind::Turn => "when it's my turn",
        NoticeKind::Challenge => "challenges and offers",
        NoticeKind::Message => "messages at my tables",
        NoticeKind::Result => "results of my games",
    }
}

/// Returns the offsets of clocks from UTC, in minutes.
fn offsets() -> impl Iterator<Item = i32> {
    let quarters = (-48..=56).filter(|quarter| quarter % 2 == 0 || ODD_OFFSETS.contains(quarter));
    quarters.map(|quarter| quarter * 15)
}

/// Returns the name of an offset from UTC, such as `UTC+02:00`.
fn zone(minutes: i32) -> String {
    let sign = if minutes < 0 { '−' } else { '+' };
    let minutes = minutes.abs();
    format!("UTC{sign}{:02}:{:02}", minutes / 60, minutes % 60)
}
