//! Commands, one file for each.

pub(crate) mod abort;
pub(crate) mod ask;
pub(crate) mod claim;
pub(crate) mod draw;
pub(crate) mod give_time;
pub(crate) mod join;
pub(crate) mod leave;
pub(crate) mod luck;
pub(crate) mod luck_text;
pub(crate) mod pause;
pub(crate) mod play;
pub(crate) mod ready;
pub(crate) mod rematch;
pub(crate) mod resign;
pub(crate) mod stand_in;
pub(crate) mod takeback;
pub(crate) mod tick;
