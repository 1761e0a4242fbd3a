//! Drawer of the table page: rules, help and settings beside the board, without leaving it.

use maud::{Markup, html};
use parlor_games::GameKind;

use super::info;

/// Sections of the drawer: the id of each and the label of its button.
const SECTIONS: [(&str, &str); 3] = [
    ("rules", "Rules"),
    ("help", "Help"),
    ("settings", "Settings"),
];

/// Renders the buttons that open the drawer. They work without the script, which shows the section
/// that a button names.
pub(super) fn buttons() -> Markup {
    html! {
        div.tools role="group" aria-label="About the game" {
            @for (id, label) in SECTIONS {
                button type="button" popovertarget="drawer" popovertargetaction="show" data-drawer=(id) { (label) }
            }
        }
    }
}

/// Renders the drawer. It stays open while its reader plays on.
pub(super) fn drawer(kind: GameKind) -> Markup {
    html! {
        aside #drawer popover="manual" aria-label="Rules, help and settings" {
            div.head {
                b { (kind.title()) }
                button type="button" popovertarget="drawer" popovertargetaction="hide" { "Close" }
            }
            div.sections tabindex="0" role="region" aria-label="Rules, help and settings" {
                @for (id, label) in SECTIONS {
                    details #{ "drawer-" (id) } name="drawer" open[id == "rules"] {
                        summary { h2 { (label) } }
                        @match id {
                            "rules" => (info::rules_of(kind)),
                            "help" => { (info::help(kind)) @if kind.has_luck() { (info::about_luck()) } },
                            _ => (settings()),
                        }
                    }
                }
            }
        }
    }
}

/// Renders the switches that this browser remembers. They need the script.
fn settings() -> Markup {
    html! {
        p.nojs { "Settings need JavaScript." }
        div.alerts role="group" aria-label="Settings" {
            button type="button" data-switch="sound" aria-pressed="false" { "Sound" }
            button type="button" data-switch="notify" aria-pressed="false" { "Notify me" }
            label.pick { input type="checkbox" data-auto; "Play without confirmation" }
        }
    }
}
