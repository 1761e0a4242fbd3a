//! A game as one line of text.
//!
//! Words separated by blanks, each a key and its value, in any order; what is as in the beginning is left out. Cities stand by their three
//! letters, without anything between them, events by their names; `/` separates seats and layers.
//!
//! ```text
//! 2p4e roles=Medic,Scientist at=Lon,Atl hands=LonNYkCai+Airlift/ParMilEssTok stage=actions:3 cubes=Lon:b2 infected=Lon
//! ```
//!
//! | word | meaning | if left out |
//! |---|---|---|
//! | `2p4e` | players and epidemics; must be there | |
//! | `stage=` | `setup:N`, `actions:N` (left), `draw:N`, `epidemic`, `intensify`, `second`, `infect`, `between:N`, `turning:N` (cards left); must be there | |
//! | `consent=no` | owners of pawns and cards are not asked | they are |
//! | `events=`, `pool=` | events and roles played with, or `none` | all |
//! | `fixed=Medic,-` | roles that seats have from the beginning | none |
//! | `active=1` | whose turn it is | seat 0 |
//! | `roles=`, `at=`, `hands=` | of each seat | `-`, Atlanta, no card |
//! | `stored=` | what the Contingency Planner keeps | nothing |
//! | `discard=`, `gone=` | player discards; events removed from the game | none |
//! | `cubes=Lon:b3` | cubes by `b`, `y`, `k`, `r` | none |
//! | `stations=` | research stations | Atlanta |
//! | `outbreaks=`, `epidemics=`, `pending=` | counts; epidemics begun, and drawn but waiting | 0 |
//! | `cured=bk` | cures found | none |
//! | `infection=*/LonPar` | layers from the bottom up; `*` is the rest; `none` | `*` |
//! | `infected=`, `removed=` | infection discards; cards removed from the game | none |
//! | `declined=1` | seats that have just declined | none |
//! | `flown`, `quiet`, `hurry` | the expert's flight is used; a quiet night comes; no stop for events | no |
//! | `ask=MOVE` | a question about this move is open | no |
//! | `look=0:3:LonPar` | seat 0 turns up three more cards of a forecast | no |
//! | `order=0:Lon:ParMil` | seat 0 puts a forecast back: the rest, and what is to come first | no |
//! | `over=cured` | `cured`, `outbreaks`, `cards`, `cubes:blue` | the game goes on |
//!
//! What is placed nowhere is in the player deck.

mod read;
mod words;
mod write;

pub(crate) use read::read;
pub(crate) use write::write;
