//! Play through a git repository: the repository is a house, a folder is a table, a commit is a
//! move, and a referee enforces the rules.
//!
//! A player adds a move file to `tables/ID/moves` and pushes the commit. The referee processes
//! every commit since its own last one: it plays moves that are legal and come from the right
//! player, draws luck, writes the table's files, and reverts all other changes below `tables` with
//! a message. Its output depends only on the commits and its secret, so two concurrent referees, or
//! one that was killed and restarted, write bit-identical commits.
//!
//! - [`paths`], [`files`]: layout of the repository and the contents of the referee's files;
//! - [`folder`], [`refereed_table`], [`replay`]: a table as files, as a running game, and step by
//!   step;
//! - [`judge`]: the referee's decisions about one table, independent of git;
//! - [`seal`]: authentication of the referee's own commits;
//! - [`git`]: the only module that runs git; [`house`], [`referee`], [`player`]: operations built
//!   on it;
//! - [`objects`], [`pack`]: commits, trees and packs as others have made them, parsed within limits;
//! - [`mirror`], [`serve`], [`wire`]: a server's table as commits, as a repository, and the push
//!   protocol;
//! - [`verify`], [`history`]: verification of tables and of the referee's commits from a clone
//!   alone; [`page`]: the static page and its pictures.
//!
//! Never here: shells, network access other than git's own, decisions based on the system clock.

mod documents;
pub mod files;
pub mod folder;
pub mod git;
pub mod history;
pub mod house;
pub mod judge;
pub mod mirror;
pub mod objects;
pub mod pack;
pub mod page;
pub mod paths;
pub mod player;
pub mod referee;
pub mod refereed_table;
pub mod replay;
pub mod seal;
pub mod serve;
pub mod verify;
pub mod wire;

pub use files::{HouseFile, Identity, Person, TableFile};
pub use git::{GitError, Repository, is_installed};
pub use seal::HouseSecret;
