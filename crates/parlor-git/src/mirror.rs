//! A server's table told as commits: a pure function of the table's log and of the commits that players pushed, so that every node, and
//! every process after it, makes the same commits to the last bit.
//!
//! Each move, resignation, lost clock and take-back is one commit of the house with all files of the table. A move that was pushed is
//! the player's own commit, which only adds the move file, and the house's commit on top of it.

use std::collections::BTreeMap;

use parlor_core::Seat;
use parlor_games::repository::{LastMove, MoveFile, MoveName, NoteKind, schemas, seat_words};
use parlor_games::{AnyPosition, GameKind};
use parlor_table::{BadLog, Entry, Event, How, Player, Table};

use crate::files::{LuckFile, TableFile, moment};
use crate::folder::Folder;
use crate::house::Index;
use crate::papers::Papers;
use crate::paths::{MOVES, Slug};
use crate::playing::BOT;

/// A commit that a player pushed, with the one file that it adds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pushed {
    /// The version of the table that the move makes.
    pub version: u64,
    /// The commit's id.
    pub id: String,
    /// The commit as git keeps it.
    pub commit: Vec<u8>,
    /// The name of the move file.
    pub name: String,
    /// What the file holds.
    pub bytes: Vec<u8>,
}

/// A commit of the house.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The player's commit below it.
    pub pushed: Option<Pushed>,
    /// The author's name; nobody where the house itself did something.
    pub author: Option<String>,
    /// When, in seconds since 1970.
    pub at: i64,
    /// The message.
    pub message: String,
    /// The files to be put, or taken away, by their paths.
    pub files: BTreeMap<String, Option<Vec<u8>>>,
}

/// A server's table as far as it has been told.
#[derive(Clone, Debug)]
pub struct Mirror {
    slug: Slug,
    /// As the log has it; the secret is not known before it is shown.
    table: Table,
    /// Nothing before the game begins.
    papers: Option<Papers>,
    /// What lies in the table's folder.
    folder: Folder,
    /// Where the moves that can be taken back began.
    marks: Vec<Mark>,
}

/// How the papers stood before a move.
#[derive(Clone, Debug)]
struct Mark {
    steps: usize,
    moves: usize,
    turn: u64,
    last: Option<LastMove>,
}

/// What is being told: the events of one commit.
struct Chapter {
    entries: Vec<Entry>,
    before: AnyPosition,
    steps: usize,
    file: Option<(MoveName, Seat, Vec<u8>)>,
    pushed: Option<Pushed>,
    author: Option<String>,
    title: String,
}

const README: &str = include_str!("../initial/table.md");

impl Mirror {
    /// Begins with a table's creation, the first event of its log; the first commit says how to play.
    ///
    /// # Errors
    /// When that is no table's creation.
    pub fn begin(created: Entry) -> Result<(Mirror, Change), BadLog> {
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
            papers: None,
            folder: Folder::default(),
            marks: Vec::new(),
        };
        Ok((
            mirror,
            Change {
                pushed: None,
                author: None,
                at,
                message,
                files,
            },
        ))
    }

    /// The table as far as it has been told.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The table's folder.
    pub fn slug(&self) -> &Slug {
        &self.slug
    }

    /// What lies in the table's folder; nothing before the game begins.
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// The number of the next move file.
    pub fn next_sequence(&self) -> u32 {
        self.papers.as_ref().map_or(1, Papers::next_sequence)
    }

    /// Goes on with the next events of the log. They must end where the server's own storing of them ended: what a move brings about
    /// belongs to its commit.
    ///
    /// # Errors
    /// When they do not follow.
    pub fn follow(&mut self, entries: &[Entry], pushed: &[Pushed]) -> Result<Vec<Change>, BadLog> {
        let mut changes = Vec::new();
        let mut chapter: Option<Chapter> = None;
        for entry in entries {
            if let Some(title) = self.title(entry, chapter.as_ref()) {
                // What came before is told first: a move file names the state that it was made on.
                changes.extend(chapter.take().and_then(|told| self.tell(told)));
                chapter = Some(self.chapter(entry, title, pushed));
            }
            self.table.fold(entry.clone())?;
            if let Some(chapter) = &mut chapter {
                chapter.entries.push(entry.clone());
            }
        }
        changes.extend(chapter.and_then(|told| self.tell(told)));
        Ok(changes)
    }

    /// What the commit is called that an event begins; nothing when it belongs to the one before it, or changes nothing that is told.
    fn title(&self, entry: &Entry, chapter: Option<&Chapter>) -> Option<String> {
        let position = self.table.position();
        let named = |seat: &Seat| position.seat_name(*seat);
        match &entry.event {
            Event::Started => Some("The game begins".to_owned()),
            Event::Moved { seat, text, .. } => {
                let forced = position.forced().is_some_and(|forced| forced.text == *text);
                (!forced).then(|| format!("{}: {text}", named(seat)))
            }
            Event::Resigned { seat, .. } => Some(format!("{} resigns", named(seat))),
            Event::Flagged { seat, .. } => Some(format!("{} has no time left", named(seat))),
            Event::TakenBack { .. } => Some("The last move was taken back".to_owned()),
            Event::Chance { chance, .. } if self.table.luck_by_hand() => {
                Some(format!("Luck: {}", position.chance_label(chance)))
            }
            Event::Ended { ending }
                if ending.how != How::Rules && !chapter.is_some_and(Chapter::is_departure) =>
            {
                Some("The game ends".to_owned())
            }
            _ => None,
        }
    }

    /// The commit that an event begins.
    fn chapter(&self, entry: &Entry, title: String, pushed: &[Pushed]) -> Chapter {
        let position = self.table.position();
        let at_this = || pushed.iter().filter(|one| one.version == entry.version);
        let (before, steps) = (position.clone(), self.table.steps().len());
        let plain = Chapter {
            entries: Vec::new(),
            before,
            steps,
            file: None,
            pushed: None,
            author: None,
            title,
        };
        match &entry.event {
            Event::Moved { seat, text, id } => {
                let own = at_this().find(|one| id.as_ref().is_some_and(|id| id.as_str() == one.id));
                self.with_file(plain, entry, *seat, text, own)
            }
            Event::Resigned { seat, .. } => {
                let own = at_this().find(|one| is_resignation(one, position, *seat));
                self.with_file(plain, entry, *seat, MoveFile::RESIGN, own)
            }
            _ => plain,
        }
    }

    /// Adds the move file: the one that was pushed, or one that the house makes.
    fn with_file(
        &self,
        chapter: Chapter,
        entry: &Entry,
        seat: Seat,
        text: &str,
        own: Option<&Pushed>,
    ) -> Chapter {
        let Some(papers) = &self.papers else {
            return chapter;
        };
        let (name, bytes) = match own {
            Some(own) => (own.name.clone(), own.bytes.clone()),
            None => {
                let (name, content) =
                    papers.write(&self.table, seat, text, entry.at.millis() / 1_000);
                (name, content.into_bytes())
            }
        };
        let author = seat_words(self.table.position())
            .get(seat.index())
            .map(|word| papers.named(word).to_owned());
        let file = MoveName::parse(&name).map(|name| (name, seat, bytes));
        Chapter {
            file,
            pushed: own.cloned(),
            author,
            ..chapter
        }
    }

    /// The commit that these events make.
    fn tell(&mut self, told: Chapter) -> Option<Change> {
        let Chapter {
            entries,
            before,
            steps,
            file,
            pushed,
            author,
            title,
        } = told;
        let at = entries.first()?.at.millis() / 1_000;
        let table = &self.table;
        let cause = &entries.first()?.event;
        let papers = match (&mut self.papers, cause) {
            (Some(papers), _) => papers,
            (none, Event::Started) => none.insert(Papers::new(agreement(table), at)),
            // A table that was called off before it began has no files.
            (None, _) => return None,
        };
        papers.updated = at.max(papers.updated);
        let said = papers.said;
        match cause {
            Event::Started => papers.tell_start(table),
            Event::Moved { .. } => self.marks.push(Mark {
                steps,
                moves: papers.moves.len(),
                turn: papers.turn,
                last: papers.last.clone(),
            }),
            Event::Resigned { seat, .. } => papers.tell_resigned(table, *seat),
            Event::Flagged { .. } => papers.note(NoteKind::Info, format!("{title}.")),
            Event::TakenBack { .. } => {
                let left = table.steps().len();
                while let Some(mark) = self.marks.pop_if(|mark| mark.steps >= left) {
                    papers.moves.truncate(mark.moves);
                    (papers.turn, papers.last) = (mark.turn, mark.last);
                }
                papers.note(NoteKind::Info, format!("{title}."));
            }
            _ => {}
        }
        if let Some((named, seat, bytes)) = &file {
            papers.played(
                (named, *seat),
                (&named.to_string(), bytes),
                before,
                &entries,
            );
        }
        papers.tell(table, steps);
        papers.close(table);
        let lines: String = papers
            .since(said)
            .iter()
            .map(|note| format!("- {}\n", note.text))
            .collect();
        let message = format!("{title}\n\n{lines}");
        let folder = papers.folder(table);
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
        let mut index = Index::default();
        index.set(&self.slug, &folder);
        files.extend(index.files());
        self.folder = folder;
        Some(Change {
            pushed,
            author,
            at,
            message,
            files,
        })
    }

    /// The path of a move file.
    pub fn path_of(&self, name: &str) -> String {
        self.slug.file(&format!("{MOVES}/{name}"))
    }
}

impl Chapter {
    /// Whether somebody left, which may end the game.
    fn is_departure(&self) -> bool {
        self.entries
            .iter()
            .any(|entry| matches!(entry.event, Event::Resigned { .. } | Event::Flagged { .. }))
    }
}

fn is_resignation(pushed: &Pushed, position: &AnyPosition, seat: Seat) -> bool {
    MoveFile::read(&pushed.name, &pushed.bytes, position)
        .is_ok_and(|file| file.seat == seat && file.text == MoveFile::RESIGN)
}

/// What was agreed at a table that begins.
fn agreement(table: &Table) -> TableFile {
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
        created_at: moment(table.created_at().millis() / 1_000),
        result: None,
    }
}
