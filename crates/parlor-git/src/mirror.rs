//! Conversion of a server's table to commits. It is a pure function of the table's log and of the
//! commits that players pushed, so that all nodes and later processes create bit-identical commits.
//!
//! Each move, resignation, timeout and takeback is one commit by the server with all files of the
//! table. A move that was pushed is the player's own commit, which only adds the move file,
//! followed by the server's commit.

use std::collections::BTreeMap;

use parlor_core::Seat;
use parlor_games::repository::{MoveFile, MoveName, NoteKind, TableStateMove, schemas, seat_words};
use parlor_games::{AnyPosition, GameKind};
use parlor_table::{BadLog, EndReason, LogEntry, Player, Table, TableEvent};

use crate::documents::TableDocuments;
use crate::files::{LuckFile, TableFile, format_time};
use crate::folder::TableFolder;
use crate::house::TableIndex;
use crate::paths::Slug;
use crate::refereed_table::BOT;

/// Commit that a player pushed, with the move file that it adds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushedMove {
    /// Version of the table after the move.
    pub version: u64,
    /// Id of the commit.
    pub id: String,
    /// Raw contents of the commit object.
    pub commit: Vec<u8>,
    /// Name of the move file.
    pub name: String,
    /// Contents of the move file.
    pub bytes: Vec<u8>,
}

/// Commit to create for a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MirrorCommit {
    /// Player's commit that precedes it, if the move was pushed.
    pub pushed: Option<PushedMove>,
    /// Name of the author; `None` for actions of the server itself.
    pub author: Option<String>,
    /// Commit time, in seconds since the Unix epoch.
    pub at: i64,
    /// Commit message.
    pub message: String,
    /// Contents of the changed files by path; `None` deletes a file.
    pub files: BTreeMap<String, Option<Vec<u8>>>,
}

/// Server's table, up to the last event that was converted.
#[derive(Clone, Debug)]
pub struct Mirror {
    slug: Slug,
    /// Table rebuilt from the log, without the secret until it is published.
    table: Table,
    /// `None` before the game begins.
    documents: Option<TableDocuments>,
    /// Current contents of the table's folder.
    folder: TableFolder,
    /// State before each move, to which a takeback returns.
    checkpoints: Vec<MoveCheckpoint>,
}

/// State of the documents before a move.
#[derive(Clone, Debug)]
struct MoveCheckpoint {
    steps: usize,
    moves: usize,
    turn: u64,
    last: Option<TableStateMove>,
}

/// Events and data of a commit in preparation.
struct PendingCommit {
    entries: Vec<LogEntry>,
    before: AnyPosition,
    steps: usize,
    file: Option<(MoveName, Seat, Vec<u8>)>,
    pushed: Option<PushedMove>,
    author: Option<String>,
    /// Name of the person for whom a bot made the move.
    played_for: Option<String>,
    title: String,
}

/// Bot that plays for somebody who left.
struct StandIn {
    /// Name of the bot as an author.
    author: String,
    /// Name of the person.
    played_for: String,
}

const README: &str = include_str!("../initial/table.md");

impl Mirror {
    /// Starts from a table's creation, the first event of its log. The first commit contains
    /// instructions for playing.
    ///
    /// # Errors
    /// [`BadLog`] if the event is not a table's creation.
    pub fn new(created: LogEntry) -> Result<(Mirror, MirrorCommit), BadLog> {
        let bad = |reason: String| BadLog { version: 1, reason };
        let at = created.at.millis() / 1_000;
        let table = Table::replay([created], None)?;
        let slug: Slug = table
            .id()
            .to_string()
            .parse()
            .map_err(|error| bad(format!("{error}")))?;
        let kind: GameKind = table.kind();
        let mut files = BTreeMap::new();
        let readme = README
            .replace("{table}", slug.as_str())
            .replace("{game}", kind.title());
        files.insert("README.md".to_owned(), Some(readme.into_bytes()));
        let attributes = "# Hashes are over bytes: nobody may change line endings.\n* -text\n";
        files.insert(
            ".gitattributes".to_owned(),
            Some(attributes.as_bytes().to_vec()),
        );
        for schema in schemas(kind) {
            files.insert(
                format!("schemas/{}", schema.name),
                Some(schema.text.into_bytes()),
            );
        }
        let message = format!("Set up table {slug}: {}\n", kind.title());
        let mirror = Mirror {
            slug,
            table,
            documents: None,
            folder: TableFolder::default(),
            checkpoints: Vec::new(),
        };
        Ok((
            mirror,
            MirrorCommit {
                pushed: None,
                author: None,
                at,
                message,
                files,
            },
        ))
    }

    /// Returns the table, up to the last event that was converted.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Returns the name of the table's folder.
    pub fn slug(&self) -> &Slug {
        &self.slug
    }

    /// Returns the contents of the table's folder, which is empty before the game begins.
    pub fn folder(&self) -> &TableFolder {
        &self.folder
    }

    /// Returns the number of the next move file.
    pub fn next_sequence(&self) -> u32 {
        self.documents
            .as_ref()
            .map_or(1, TableDocuments::next_sequence)
    }

    /// Converts the next events of the log, and passes each commit on as soon as it is complete: those
    /// of a long game, which all have the growing files of the table, would fill the memory. The events
    /// must be complete batches as the server stored them, because all consequences of a move belong to
    /// its commit.
    ///
    /// # Errors
    /// [`BadLog`] if the events do not follow the log, and the first error of `pass_on`.
    pub fn follow<E: From<BadLog>>(
        &mut self,
        entries: &[LogEntry],
        pushed: &[PushedMove],
        mut pass_on: impl FnMut(MirrorCommit) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut pending: Option<PendingCommit> = None;
        for entry in entries {
            if let Some(title) = self.commit_title(entry, pending.as_ref()) {
                // The previous commit is finished first, because a move file names the state it was made on.
                let before = pending.take();
                before
                    .and_then(|pending| self.build_commit(pending))
                    .map_or(Ok(()), &mut pass_on)?;
                pending = Some(self.start_commit(entry, title, pushed));
            }
            self.table.fold(entry.clone())?;
            if let Some(pending) = &mut pending {
                pending.entries.push(entry.clone());
            }
        }
        let last = pending.and_then(|pending| self.build_commit(pending));
        last.map_or(Ok(()), pass_on)
    }

    /// Returns the title of the commit that an event starts; `None` if the event belongs to the
    /// previous commit or does not affect the files.
    fn commit_title(&self, entry: &LogEntry, pending: Option<&PendingCommit>) -> Option<String> {
        let position = self.table.position();
        let named = |seat: &Seat| position.seat_name(*seat);
        match &entry.event {
            TableEvent::Started => Some("The game begins".to_owned()),
            TableEvent::Moved { seat, text, .. } => {
                let forced = position.forced().is_some_and(|forced| forced.text == *text);
                (!forced).then(|| format!("{}: {text}", named(seat)))
            }
            TableEvent::Resigned { seat, .. } => Some(format!("{} resigns", named(seat))),
            TableEvent::Flagged { seat, .. } => Some(format!("{} has no time left", named(seat))),
            TableEvent::StandInChosen { seat, spec, .. } => {
                Some(format!("{} is played by {spec}", named(seat)))
            }
            TableEvent::Returned { seat, .. } => Some(format!("{} is back", named(seat))),
            TableEvent::TakenBack { .. } => Some("The last move was taken back".to_owned()),
            TableEvent::Chance { chance, .. } if self.table.luck_by_hand() => {
                Some(format!("Luck: {}", position.chance_label(chance)))
            }
            TableEvent::Ended { ending }
                if ending.how != EndReason::Rules
                    && !pending.is_some_and(PendingCommit::is_departure) =>
            {
                Some("The game ends".to_owned())
            }
            _ => None,
        }
    }

    /// Starts the commit for an event.
    fn start_commit(
        &self,
        entry: &LogEntry,
        title: String,
        pushed: &[PushedMove],
    ) -> PendingCommit {
        let position = self.table.position();
        let at_this = || pushed.iter().filter(|one| one.version == entry.version);
        let (before, steps) = (position.clone(), self.table.steps().len());
        let plain = PendingCommit {
            entries: Vec::new(),
            before,
            steps,
            file: None,
            pushed: None,
            author: None,
            played_for: None,
            title,
        };
        match &entry.event {
            TableEvent::Moved { seat, text, id, .. } => {
                let own = at_this().find(|one| id.as_ref().is_some_and(|id| id.as_str() == one.id));
                self.with_file(plain, entry, *seat, text, own)
            }
            TableEvent::Resigned { seat, .. } => {
                let own = at_this().find(|one| is_resignation(one, position, *seat));
                self.with_file(plain, entry, *seat, MoveFile::RESIGN, own)
            }
            _ => plain,
        }
    }

    /// Adds the move file, either the pushed one or a generated one.
    fn with_file(
        &self,
        pending: PendingCommit,
        entry: &LogEntry,
        seat: Seat,
        text: &str,
        own: Option<&PushedMove>,
    ) -> PendingCommit {
        let Some(documents) = &self.documents else {
            return pending;
        };
        let (name, bytes) = match own {
            Some(own) => (own.name.clone(), own.bytes.clone()),
            None => {
                let (name, content) =
                    documents.write(&self.table, seat, text, entry.at.millis() / 1_000);
                (name, content.into_bytes())
            }
        };
        let (author, played_for) = match self.stand_in(seat) {
            Some(StandIn { author, played_for }) => (Some(author), Some(played_for)),
            None => {
                let words = seat_words(self.table.position());
                let word = words.get(seat.index());
                (
                    word.map(|word| documents.player_name(word).to_owned()),
                    None,
                )
            }
        };
        let file = MoveName::parse(&name).map(|name| (name, seat, bytes));
        PendingCommit {
            file,
            pushed: own.cloned(),
            author,
            played_for,
            ..pending
        }
    }

    /// Returns the bot that plays in a seat for somebody who left. Logs from before they kept the names
    /// of those who leave have none, so that their commits stay what they are in clones.
    fn stand_in(&self, seat: Seat) -> Option<StandIn> {
        let played_for = self.table.person_gone(seat)?.name()?.to_owned();
        let Player::Bot { spec } = self.table.players().get(seat.index())? else {
            return None;
        };
        let keeps_name = |entry: &LogEntry| match &entry.event {
            TableEvent::Resigned {
                seat: left, name, ..
            }
            | TableEvent::Flagged {
                seat: left, name, ..
            } => (*left == seat).then_some(name.is_some()),
            _ => None,
        };
        let mut log = self.table.log().iter().rev();
        log.find_map(keeps_name)?.then(|| StandIn {
            author: format!("{BOT}{spec}"),
            played_for,
        })
    }

    /// Finishes a commit from its events.
    fn build_commit(&mut self, pending: PendingCommit) -> Option<MirrorCommit> {
        let PendingCommit {
            entries,
            before,
            steps,
            file,
            pushed,
            author,
            played_for,
            title,
        } = pending;
        let at = entries.first()?.at.millis() / 1_000;
        let table = &self.table;
        let cause = &entries.first()?.event;
        let documents = match (&mut self.documents, cause) {
            (Some(documents), _) => documents,
            (none, TableEvent::Started) => none.insert(TableDocuments::new(table_file(table), at)),
            // A table that was aborted before the game began has no files.
            (None, _) => return None,
        };
        documents.updated = at.max(documents.updated);
        let noted = documents.total_notes;
        match cause {
            TableEvent::Started => documents.note_start(table),
            TableEvent::Moved { .. } => self.checkpoints.push(MoveCheckpoint {
                steps,
                moves: documents.moves.len(),
                turn: documents.turn,
                last: documents.last.clone(),
            }),
            TableEvent::Resigned { seat, .. } => documents.note_resignation(table, *seat),
            TableEvent::Flagged { .. }
            | TableEvent::StandInChosen { .. }
            | TableEvent::Returned { .. } => {
                documents.note(NoteKind::Info, format!("{title}."));
            }
            TableEvent::TakenBack { .. } => {
                let left = table.steps().len();
                while let Some(checkpoint) = self
                    .checkpoints
                    .pop_if(|checkpoint| checkpoint.steps >= left)
                {
                    documents.moves.truncate(checkpoint.moves);
                    (documents.turn, documents.last) = (checkpoint.turn, checkpoint.last);
                }
                documents.note(NoteKind::Info, format!("{title}."));
            }
            _ => {}
        }
        if let Some((named, seat, bytes)) = &file {
            documents.add_move(
                (named, *seat),
                (&named.to_string(), bytes),
                before,
                &entries,
            );
        }
        documents.note_steps(table, steps);
        documents.record_ending(table);
        let lines: String = documents
            .notes_since(noted)
            .iter()
            .map(|note| format!("- {}\n", note.text))
            .collect();
        let played_for =
            played_for.map_or_else(String::new, |name| format!("- Played for {name}.\n"));
        let message = format!("{title}\n\n{played_for}{lines}");
        let folder = documents.folder(table);
        let mut files = BTreeMap::new();
        for name in self
            .folder
            .files
            .keys()
            .filter(|name| !folder.files.contains_key(*name))
        {
            files.insert(self.slug.file(name), None);
        }
        let changed = folder
            .files
            .iter()
            .filter(|(name, bytes)| self.folder.files.get(*name) != Some(bytes));
        files.extend(changed.map(|(name, bytes)| (self.slug.file(name), Some(bytes.clone()))));
        let mut index = TableIndex::default();
        index.update(&self.slug, &folder);
        files.extend(index.files());
        self.folder = folder;
        Some(MirrorCommit {
            pushed,
            author,
            at,
            message,
            files,
        })
    }
}

impl MirrorCommit {
    /// Returns the number of bytes in its files.
    pub fn bytes(&self) -> usize {
        self.files.values().flatten().map(Vec::len).sum()
    }
}

impl PendingCommit {
    /// Returns true if a player resigned or ran out of time, which may end the game.
    fn is_departure(&self) -> bool {
        self.entries.iter().any(|entry| {
            matches!(
                entry.event,
                TableEvent::Resigned { .. } | TableEvent::Flagged { .. }
            )
        })
    }
}

fn is_resignation(pushed: &PushedMove, position: &AnyPosition, seat: Seat) -> bool {
    MoveFile::read(&pushed.name, &pushed.bytes, position)
        .is_ok_and(|file| file.seat == seat && file.text == MoveFile::RESIGN)
}

/// Returns the `table.json` of a game that begins.
fn table_file(table: &Table) -> TableFile {
    let name = |player: &Player| match player {
        Player::Bot { spec } => format!("{BOT}{spec}"),
        Player::Human { name, .. } => name.clone(),
        Player::Open => String::new(),
    };
    let words = seat_words(table.position());
    let luck = table.record().luck.and_then(|luck| luck.commitment);
    TableFile {
        format: TableFile::FORMAT.to_owned(),
        table: table.id(),
        game: table.kind().name().to_owned(),
        options: table.options().clone(),
        players: words
            .into_iter()
            .zip(table.players().iter().map(|player| name(player).into()))
            .collect(),
        luck: luck.map(|commitment| LuckFile {
            commitment,
            secret: None,
        }),
        created_at: format_time(table.created_at().millis() / 1_000),
        result: None,
    }
}
