//! Drawer of the table page: rules, help and settings beside the board, without leaving it.

use maud::{Markup, html};
use parlor_games::GameKind;

use super::{info, settings};

/// Sections of the drawer: the id of each and the label of its button.
const SECTIONS: [(&str, &str); 3] = [
    ("rules", "Rules"),
    ("help", "Help"),
    ("settings", "Settings"),
];

/// Renders the buttons that open the drawer, and further ones. They work without the script, which shows the section
/// that a button names.
pub(super) fn buttons(further: &Markup) -> Markup {
    html! {
        div.tools role="group" aria-label="About the game" {
            @for (id, label) in SECTIONS {
                button type="button" popovertarget="drawer" popovertargetaction="show" data-drawer=(id) aria-label=(label) title=(label) {
                    @if id == "settings" { (sliders()) }
                    span { (label) }
                }
            }
            (mute())
            (further)
            (menu())
        }
    }
}

/// Renders the drawer, with further switches among the settings. It stays open while its reader plays
/// on.
pub(super) fn drawer(kind: GameKind, switches: &Markup) -> Markup {
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
                            "rules" => (rules(kind)),
                            "help" => { (info::help(kind)) @if kind.has_luck() { (info::about_luck()) } },
                            _ => { (settings::quick(kind)) (switches) },
                        }
                    }
                }
            }
        }
    }
}

/// Renders the place for the rules, which the script loads when they are opened: most readers of a
/// table's page do not need them. Without the script, a link leads to them.
fn rules(kind: GameKind) -> Markup {
    html! {
        div data-load={ "/rules/" (kind.name()) "/text" } {
            p { a href={ "/rules/" (kind.name()) } { "Rules of " (kind.title()) } }
        }
    }
}

/// Renders the sign that stands for the settings where there is no room for the word.
fn sliders() -> Markup {
    html! {
        svg.sliders viewBox="0 0 24 24" aria-hidden="true" {
            path d="M3 7h3M12 7h9M3 17h9M18 17h3" {}
            circle cx="9" cy="7" r="3" {}
            circle cx="15" cy="17" r="3" {}
        }
    }
}

/// Renders the button that opens the buttons of the game, which on phones stand far below the board.
fn menu() -> Markup {
    html! {
        button.menu type="button" popovertarget="part-actions" aria-label="More actions" title="More actions" {
            svg viewBox="0 0 24 24" width="20" height="20" fill="currentColor" aria-hidden="true" {
                circle cx="5" cy="12" r="2" {}
                circle cx="12" cy="12" r="2" {}
                circle cx="19" cy="12" r="2" {}
            }
        }
    }
}

/// Renders the button that turns sounds on or off.
fn mute() -> Markup {
    html! {
        button.mute type="button" data-toggle="sound" aria-pressed="true" aria-label="Sound" title="Sound" {
            svg viewBox="0 0 24 24" aria-hidden="true" {
                path.speaker d="M3 9v6h4l5 4V5L7 9z" {}
                path.waves d="M15.5 8.5a5 5 0 0 1 0 7M18 6a8.5 8.5 0 0 1 0 12" {}
                path.crossed d="M16 9l6 6M22 9l-6 6" {}
            }
        }
    }
}
