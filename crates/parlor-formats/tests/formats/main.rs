//! Tests of the formats of other programs.

mod classic;
mod pydemic;
mod state_json;
