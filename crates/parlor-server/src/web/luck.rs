//! Luck that anyone can check: what is promised of it at a table, and what it means.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use parlor_table::luck::TEXT_LIMIT;
use parlor_table::{LuckView, Status};

use super::shell::Page;
use super::snapshot::Snapshot;
use super::words;

/// The program that checks a record without any of the house's code.
const SCRIPT: &str = include_str!("../../../../docs/verify_luck.py");

/// What has been promised about the luck of a table, and whether it was kept.
pub(super) fn panel(table: &Snapshot) -> Markup {
    let Some(luck) = &table.view.luck else {
        return html! {};
    };
    if luck.by_hand {
        return html! {
            section.card {
                h2 { @if table.kind.chances_recur() { "Real dice" } @else { "Real cards" } }
                p.small { "The players bring their own luck here and type in what came up. Nobody can check that afterwards, so the table is marked, has no clocks and is not rated." }
            }
        };
    }
    html! {
        section.card {
            h2 { "Luck you can check" }
            p.small.soft {
                "Before the first draw the house committed to a secret. When the game is over the secret is shown, and everybody can draw again. "
                a href="/luck" { "How that works" }
                @if table.kind.chances_recur() { " · " a href="/statistics/dice" { "Dice statistics" } }
            }
            (proof(table, luck))
            @if may_add(table, luck) && !table.mine.is_empty() {
                form method="post" action={ "/t/" (table.view.id) "/luck" } data-live {
                    div.row {
                        label.field {
                            span { "Mix in a text of your own" }
                            input name="text" maxlength=(TEXT_LIMIT) required autocomplete="off";
                        }
                        button { "Mix in" }
                    }
                }
            }
        }
    }
}

fn may_add(table: &Snapshot, luck: &LuckView) -> bool {
    !luck.by_hand && luck.drawn == 0 && matches!(table.view.status, Status::Open | Status::Playing)
}

/// The field of the form to sit down for a text of one's own, in games with luck.
pub(super) fn field(table: &Snapshot) -> Markup {
    html! {
        @if table.view.luck.as_ref().is_some_and(|luck| may_add(table, luck)) { (text_field()) }
    }
}

/// A field for a text of one's own.
pub(super) fn text_field() -> Markup {
    html! {
        label.field {
            span { "A text to mix into the luck (if you like)" }
            input name="luck_text" maxlength=(TEXT_LIMIT) autocomplete="off";
        }
    }
}

fn proof(table: &Snapshot, luck: &LuckView) -> Markup {
    html! {
        dl {
            @if let Some(commitment) = &luck.commitment { dt { "Commitment (SHA-256)" } dd.hash { (commitment) } }
            @for (seat, text) in table.view.seats.iter().zip(&luck.texts).filter(|(_, text)| !text.is_empty()) {
                dt { "Text of " (words::who(seat)) } dd.hash { (text) }
            }
            @if let Some(secret) = &luck.secret { dt { "Secret" } dd.hash { (secret) } }
            dt { "Draws" } dd { (luck.drawn) }
        }
        @if let Some(report) = &table.report {
            @if report.holds() && report.luck_checked {
                p.ok { "Verified: all " (report.draws) " draws follow from the secret." }
            } @else {
                p.bad { "Not verified" @if let Some(problem) = report.problems.first() { ": " (problem.message) } "." }
            }
        }
    }
}

/// What all this means, in plain words.
pub(super) async fn page() -> Page {
    let body = html! {
        main #main.prose tabindex="-1" {
            h1 { "Luck you can check" }
            p { "Nobody should have to trust a house about its dice and cards. Here every roll and every card is fixed before the game begins, by something that neither you nor the house can change afterwards, and at the end you can roll it all again yourself." }
            h2 { "How it works" }
            ol.numbered {
                li { "When a table is made, the house takes 32 bytes of chance from the operating system: the secret. It shows their SHA-256 at once, the commitment. Nobody can find the secret from that number, nor another secret with the same number." }
                li { "Until the first roll every player may mix in a text. The house committed before it saw your text, so it could not have chosen a secret that suits it." }
                li { "Every roll is computed from the secret, the name of the table, the texts and the number of the roll. None of these can be changed once the game is on." }
                li { "When the game is over, the secret is shown. Whoever likes computes its SHA-256, compares it with the commitment, and computes every roll again." }
            }
            p { "At tables with real dice or cards none of this applies: the players type in what came up, and the table says so." }
            h2 { "Check it yourself" }
            p { "On the page of a finished table the house has already done so, and says what came of it. You need not believe that either: take the record of the game, from the link at the bottom of its page, and check it by a program that has nothing to do with the house. This one needs Python and nothing else:" }
            pre.program tabindex="0" aria-label="Command" { code { "python3 verify_luck.py parlor-….json" } }
            p { a.button href="/luck/verify_luck.py" download { "verify_luck.py" } }
            details {
                summary { "Read the program" }
                pre.program tabindex="0" aria-label="Program" { code { (SCRIPT) } }
            }
            h2 { "Are the dice fair?" }
            p { "A roll that can be checked could still be loaded. The " a href="/statistics/dice" { "dice statistics" } " count what came up in all finished games of late, and how that compares with fair dice." }
        }
    };
    Page {
        title: "Luck you can check – Parlor".to_owned(),
        live: false,
        body,
    }
}

/// The program itself.
pub(super) async fn script() -> Response {
    let headers = [
        (CONTENT_TYPE, "text/x-python; charset=utf-8"),
        (CACHE_CONTROL, "public, max-age=3600"),
    ];
    (headers, SCRIPT).into_response()
}
