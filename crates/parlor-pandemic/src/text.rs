//! A game as one line of text.
//!
//! The line consists of words separated by spaces, each a key with its value, in any order; default
//! values are omitted. Cities are given by their three-letter codes, without separators, events by
//! their names; `/` separates seats and layers.
//!
//! ```text
//! 2p4e roles=Medic,Scientist at=Lon,Atl hands=LonNYkCai+Airlift/ParMilEssTok stage=actions:3 cubes=Lon:b2 infected=Lon
//! ```
//!
//! | word | meaning | default |
//! |---|---|---|
//! | `2p4e` | players and epidemics | required |
//! | `stage=` | `setup:N`, `actions:N` (left), `draw:N`, `epidemic`, `intensify`, `second`, `infect`, `between:N`, `turning:N` (cards left) | required |
//! | `consent=no` | owners of pawns and cards are not asked for consent; with `again`, whoever declines may be asked again | they are asked once |
//! | `events=`, `pool=` | events and roles played with, or `none` | all |
//! | `fixed=Medic,-` | roles assigned to seats from the beginning | none |
//! | `active=1` | seat on turn | seat 0 |
//! | `roles=`, `at=`, `hands=` | role, city and hand of each seat | `-`, Atlanta, no card |
//! | `stored=` | event kept by the Contingency Planner | none |
//! | `discard=`, `gone=` | player discards; events removed from the game | none |
//! | `cubes=Lon:b3` | cubes by `b`, `y`, `k`, `r` | none |
//! | `stations=` | research stations | Atlanta |
//! | `outbreaks=`, `epidemics=`, `pending=` | counts; epidemics started, and drawn but waiting | 0 |
//! | `cured=bk` | cured diseases | none |
//! | `infection=*/LonPar` | layers from the bottom up; `*` is the rest; `none` | `*` |
//! | `infected=`, `removed=` | infection discards; cards removed from the game | none |
//! | `declined=113` | seats that have just declined, each as often as it did | none |
//! | `flown`, `quiet`, `hurry` | the expert's flight is used; the next infection step is skipped; no stop for events | no |
//! | `ask=MOVE` | a question about this move is open | no |
//! | `look=0:3:LonPar` | seat 0 turns up three more cards of a forecast | no |
//! | `order=0:Lon:ParMil` | seat 0 puts a forecast back: remaining cards, and those already ordered | no |
//! | `over=cured` | `cured`, `outbreaks`, `cards`, `cubes:blue` | the game goes on |
//!
//! Cards that are placed nowhere are in the player deck.

mod read;
mod words;
mod write;

pub(crate) use read::read;
pub(crate) use write::write;
