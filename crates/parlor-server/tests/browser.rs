//! Tests of the pages in a real browser.
//!
//! `PARLOR_TEST_CHROMEDRIVER` is the path of chromedriver, and `PARLOR_TEST_AXE` that of
//! `axe.min.js` for the accessibility checks. `cargo test -- --include-ignored` runs them.
//! `PARLOR_TEST_PICTURES` can name a folder for screenshots. The tests in `forms` need no browser.

#![allow(missing_docs, clippy::unwrap_used)]

#[path = "browser/access.rs"]
mod access;
#[path = "browser/admin.rs"]
mod admin;
#[path = "browser/alarms.rs"]
mod alarms;
#[path = "browser/analysis.rs"]
mod analysis;
#[path = "browser/backgammon.rs"]
mod backgammon;
#[path = "browser/clocks.rs"]
mod clocks;
#[path = "browser/drags.rs"]
mod drags;
#[path = "browser/drawer.rs"]
mod drawer;
#[path = "browser/driver.rs"]
mod driver;
#[path = "browser/end.rs"]
mod end;
#[path = "browser/evening.rs"]
mod evening;
#[path = "browser/forms.rs"]
mod forms;
#[path = "browser/games.rs"]
mod games;
#[path = "browser/git_page.rs"]
mod git_page;
#[path = "server/hands.rs"]
mod hands;
#[path = "browser/house.rs"]
mod house;
#[path = "browser/layout.rs"]
mod layout;
#[path = "server/new_database.rs"]
mod new_database;
#[path = "browser/pandemic.rs"]
mod pandemic;
#[path = "browser/pandemic_page.rs"]
mod pandemic_page;
#[path = "browser/presses.rs"]
mod presses;
#[path = "browser/queue.rs"]
mod queue;
#[path = "browser/reach.rs"]
mod reach;
#[path = "browser/rematch.rs"]
mod rematch;
#[path = "browser/settings.rs"]
mod settings;
#[path = "browser/stand_ins.rs"]
mod stand_ins;
#[path = "browser/talk.rs"]
mod talk;
#[path = "browser/windows.rs"]
mod windows;
