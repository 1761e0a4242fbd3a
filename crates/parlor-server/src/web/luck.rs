//! Verifiable luck: the panel of a table, and the page that explains it.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use parlor_table::luck::TEXT_LIMIT;
use parlor_table::{LuckView, TableStatus};

use super::page::HtmlPage;
use super::phrases;
use super::snapshot::TableSnapshot;

/// Python program that verifies a record without any of the server's code.
const SCRIPT: &str = include_str!("../../assets/verify_luck.py");

/// Renders the commitment behind a table's luck, and the result of checking it.
pub(super) fn panel(table: &TableSnapshot) -> Markup {
    let Some(luck) = &table.game.view.luck else {
        return html! {};
    };
    if luck.by_hand {
        return html! {
            section {
                h3 { @if table.game.kind.chances_recur() { "Real dice" } @else { "Real cards" } }
                p.small { "The players roll or draw for themselves and enter the results. These can't be verified, so the game has no clocks and isn't rated." }
            }
        };
    }
    html! {
        section {
            h3 { "Verifiable luck" }
            p.small.soft {
                "The server committed to a secret before the first draw. It is revealed after the game, so anyone can recompute every draw. "
                a href="/luck" { "How it works" }
                @if table.game.kind.chances_recur() { " · " a href="/statistics/dice" { "Dice statistics" } }
            }
            (proof(table, luck))
            @if can_add_text(table, luck) && !table.may.seats.is_empty() {
                form method="post" action={ "/t/" (table.game.view.id) "/luck" } data-live {
                    div.row {
                        label.field {
                            span { "Mix in your own text" }
                            input name="text" maxlength=(TEXT_LIMIT) required autocomplete="off";
                        }
                        button { "Mix in" }
                    }
                }
            }
        }
    }
}

fn can_add_text(table: &TableSnapshot, luck: &LuckView) -> bool {
    !luck.by_hand
        && luck.drawn == 0
        && matches!(
            table.game.view.status,
            TableStatus::Open | TableStatus::Playing
        )
}

/// Renders the field for the player's own text in the form to sit down, in games with luck.
pub(super) fn field(table: &TableSnapshot) -> Markup {
    html! {
        @if table.game.view.luck.as_ref().is_some_and(|luck| can_add_text(table, luck)) { (text_field()) }
    }
}

/// Renders a field for a text to mix into the luck.
pub(super) fn text_field() -> Markup {
    html! {
        label.field {
            span { "Text to mix into the luck (optional)" }
            input name="luck_text" maxlength=(TEXT_LIMIT) autocomplete="off";
        }
    }
}

fn proof(table: &TableSnapshot, luck: &LuckView) -> Markup {
    html! {
        dl {
            @if let Some(commitment) = &luck.commitment { dt { "Commitment (SHA-256)" } dd.hash { (commitment) } }
            @for (seat, text) in table.game.view.seats.iter().zip(&luck.texts).filter(|(_, text)| !text.is_empty()) {
                dt { "Text of " (phrases::player_name(seat)) } dd.hash { (text) }
            }
            @if let Some(secret) = &luck.secret { dt { "Secret" } dd.hash { (secret) } }
            dt { "Draws" } dd { (luck.drawn) }
        }
        @if let Some(report) = &table.game.report {
            @if report.is_valid() && report.luck_checked {
                p.ok { "Verified: all " (report.draws) " draws follow from the secret." }
            } @else {
                p.bad { "Not verified" @if let Some(problem) = report.problems.first() { ": " (problem.message) } "." }
            }
        }
    }
}

/// Explains verifiable luck.
pub(super) async fn page() -> HtmlPage {
    let body = html! {
        main #main.prose tabindex="-1" {
            h1 { "Verifiable luck" }
            p { "You shouldn't have to trust a server about its dice and cards. Here, every roll and every card is fixed before the game begins by something that neither you nor the server can change later. After the game you can recompute all of it yourself." }
            h2 { "How it works" }
            ol.numbered {
                li { "When a table is created, the server takes 32 random bytes from the operating system: the secret. It publishes the secret's SHA-256 right away: the commitment. Nobody can derive the secret from it, or find another secret with the same commitment." }
                li { "Until the first roll, every player can mix in a text. The server committed before it saw your text, so it can't have picked a secret to suit it." }
                li { "Every roll is computed from the secret, the table's id, the texts and the number of the roll. None of these can change once the game is under way." }
                li { "When the game is over, the secret is revealed. Anyone can compute its SHA-256, compare it with the commitment, and recompute every roll." }
            }
            p { "None of this applies to tables with real dice or cards, where the players enter the results. Such tables are marked." }
            h2 { "Check it yourself" }
            p { "The page of a finished game shows the server's own check. You don't have to believe it: download the game record from the link at the bottom of that page, and check it with an independent program. This one needs only Python:" }
            pre.program tabindex="0" aria-label="Command" { code { "python3 verify_luck.py parlor-….json" } }
            p { a.button href="/luck/verify_luck.py" download { "verify_luck.py" } }
            details {
                summary { "Read the program" }
                pre.program tabindex="0" aria-label="Program" { code { (SCRIPT) } }
            }
            h2 { "Are the dice fair?" }
            p { "Verifiable dice could still be loaded. The " a href="/statistics/dice" { "dice statistics" } " compare the rolls of recently finished games with fair dice." }
        }
    };
    HtmlPage::new("Verifiable luck – Parlor", body)
}

/// Serves the program that verifies a record.
pub(super) async fn script() -> Response {
    let headers = [
        (CONTENT_TYPE, "text/x-python; charset=utf-8"),
        (CACHE_CONTROL, "public, max-age=3600"),
    ];
    (headers, SCRIPT).into_response()
}
