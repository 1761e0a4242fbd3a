//! The pages in a real browser.
//!
//! `PARLOR_TEST_CHROMEDRIVER` names the driver's program, `PARLOR_TEST_AXE` the file `axe.min.js` for the check of
//! accessibility; what is not named is left out, and said to be. `PARLOR_TEST_PICTURES` may name a folder for pictures.
//! The tests in `forms` need no browser.

#![allow(missing_docs, clippy::unwrap_used)]

#[path = "browser/access.rs"]
mod access;
#[path = "browser/analysis.rs"]
mod analysis;
#[path = "browser/backgammon.rs"]
mod backgammon;
#[path = "browser/clocks.rs"]
mod clocks;
#[path = "browser/driver.rs"]
mod driver;
#[path = "browser/evening.rs"]
mod evening;
#[path = "browser/forms.rs"]
mod forms;
#[path = "browser/games.rs"]
mod games;
#[path = "browser/git_page.rs"]
mod git_page;
#[path = "browser/house.rs"]
mod house;
#[path = "browser/pandemic.rs"]
mod pandemic;
#[path = "browser/queue.rs"]
mod queue;
