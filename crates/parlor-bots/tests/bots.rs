//! What the strategies promise.

#[path = "bots/search.rs"]
mod search;
