//! Tables in a git repository: a repository is the house, a folder is a table, a commit is a move, and a referee keeps it honest.
//!
//! A player adds a move file to `tables/ID/moves` and pushes the commit. The referee looks at every commit since its own last one:
//! moves that the rules allow and that come from whom they say are played, luck is drawn, and the table's files are written; all other
//! changes below `tables` are taken back with a message. What it writes depends on nothing but the commits and its secret, so two
//! referees at once, or one that was killed and began anew, write the same commit to the last bit.
//!
//! - [`paths`], [`files`]: what lies where, and what the files of the referee say;
//! - [`folder`], [`playing`], [`replay`]: a table as files, as a game that goes on, and step by step;
//! - [`judge`]: the referee's decisions about one table, without git;
//! - [`seal`]: how the referee knows its own commits;
//! - [`git`]: the one file that starts git; [`house`], [`referee`], [`player`]: what is done with it;
//! - [`mirror`], [`serve`], [`wire`]: a server's table as commits, as a repository, and git's protocol for pushing to it;
//! - [`verify`], [`history`]: everything derived again from a clone alone, and every commit of the referee; [`page`]: pages and pictures.
//!
//! What is never here: shells, networks other than git's own, clocks that decide anything.

pub mod files;
pub mod folder;
pub mod git;
pub mod history;
pub mod house;
pub mod judge;
pub mod mirror;
pub mod page;
mod papers;
pub mod paths;
pub mod player;
pub mod playing;
pub mod referee;
pub mod replay;
pub mod seal;
pub mod serve;
pub mod verify;
pub mod wire;

pub use files::{House, Identity, Person, TableFile};
pub use git::{GitError, Repository};
pub use seal::HouseSecret;
