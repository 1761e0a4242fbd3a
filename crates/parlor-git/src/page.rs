//! Initial files of a house, and its page for a static host.

use std::fs;
use std::path::Path;

use parlor_games::GameKind;
use parlor_games::svg::{PICTURE_STYLE, PIECES_SCRIPT};
use parlor_table::Record;
use serde_json::{Value, json};

use crate::folder::{FileError, TableFolder};
use crate::house::TableIndex;
use crate::paths::{BOARD, RECORD, Slug, TABLES};
use crate::player::{list_tables, read_folder};
use crate::replay::{self, ReplayedStep};

/// Files of the page for a static host, except [`PICTURE_STYLES`].
const PAGE_FILES: [(&str, &str); 6] = [
    ("index.html", include_str!("../page/index.html")),
    ("page.css", include_str!("../page/page.css")),
    ("page.js", include_str!("../page/page.js")),
    ("pieces.js", PIECES_SCRIPT),
    ("icon.svg", include_str!("../page/icon.svg")),
    (".nojekyll", ""),
];

/// Name of the file with the styles of all games' pictures.
const PICTURE_STYLES: &str = "pictures.css";

/// Other files that a new house starts with.
const OTHER_FILES: [(&str, &str); 3] = [
    (
        ".gitattributes",
        "# Hashes are over bytes: nobody may change line endings.\n* -text\n",
    ),
    ("README.md", include_str!("../initial/README.md")),
    (
        ".github/workflows/referee.yml",
        include_str!("../initial/referee.yml"),
    ),
];

/// Returns the files that a new house starts with, by name: the page, a README and a workflow.
pub fn initial_files() -> Vec<(&'static str, String)> {
    let others = OTHER_FILES.map(|(name, content)| (name, content.to_owned()));
    page_files().into_iter().chain(others).collect()
}

/// Returns the files of the page for a static host, by name.
pub fn page_files() -> Vec<(&'static str, String)> {
    let styles = GameKind::all().iter().map(|kind| kind.style());
    let styles: String = std::iter::once(PICTURE_STYLE).chain(styles).collect();
    let files = PAGE_FILES.map(|(name, content)| (name, content.to_owned()));
    files
        .into_iter()
        .chain([(PICTURE_STYLES, styles)])
        .collect()
}

/// Error while building the page.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// A file could not be read or written.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// A file of a table is invalid.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Returns the steps of a game, each as a JSON description and an SVG picture of the position after
/// it.
///
/// # Errors
/// [`FileError`] if the record cannot be read or replayed.
pub fn step_pictures(folder: &TableFolder) -> Result<Vec<(Value, String)>, FileError> {
    let record: Record = folder.read(RECORD)?;
    let start = replay::start(&record)?;
    let words = parlor_games::repository::seat_words(&start);
    let mut all = vec![(json!({ "n": 0, "text": "Start" }), start.svg(None))];
    replay::replay(
        &record,
        |ReplayedStep {
             n,
             seat,
             text,
             before,
             after,
             mark,
             ..
         }| {
            let step = match seat {
                None => json!({ "n": n, "text": before.chance_label(text) }),
                Some(seat) => {
                    json!({ "n": n, "seat": words.get(seat.index()), "text": before.label(text) })
                }
            };
            all.push((step, after.svg(mark)));
            Ok(())
        },
    )?;
    Ok(all)
}

/// Writes the page of a house for any static host, with all tables and a picture of every step.
/// Files that have not changed are not rewritten. Returns the number of tables.
///
/// # Errors
/// [`PageError`] if a file cannot be read or written.
pub fn build(root: &Path, out: &Path) -> Result<usize, PageError> {
    for (name, content) in page_files() {
        write_if_changed(&out.join(name), content.as_bytes())?;
    }
    let slugs = list_tables(root)?;
    let mut index = TableIndex::default();
    for slug in &slugs {
        let folder = read_folder(&root.join(slug.file("")))?;
        index.update(slug, &folder);
        build_table(slug, &folder, out)?;
    }
    write_if_changed(
        &out.join(TABLES).join("index.json"),
        &crate::files::to_pretty_json(&index),
    )?;
    Ok(slugs.len())
}

fn build_table(slug: &Slug, folder: &TableFolder, out: &Path) -> Result<(), PageError> {
    let target = out.join(slug.file(""));
    let steps = step_pictures(folder)?;
    let list: Vec<&Value> = steps.iter().map(|(step, _)| step).collect();
    for (n, (_, picture)) in steps.iter().enumerate() {
        write_if_changed(
            &target.join("steps").join(format!("{n}.svg")),
            picture.as_bytes(),
        )?;
    }
    write_if_changed(
        &target.join("steps").join("index.json"),
        &crate::files::to_pretty_json(&json!({ "steps": list })),
    )?;
    let last = steps
        .last()
        .map(|(_, picture)| picture.as_bytes())
        .unwrap_or_default();
    write_if_changed(&target.join(BOARD), last)?;
    for (name, bytes) in &folder.files {
        write_if_changed(&target.join(name), bytes)?;
    }
    Ok(())
}

/// Writes a file if its contents differ. The file is replaced atomically, so readers never see half
/// of it.
fn write_if_changed(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if fs::read(path).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    std::io::Write::write_all(&mut file, bytes)?;
    file.persist(path).map(drop).map_err(|error| error.error)
}
