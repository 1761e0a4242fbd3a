//! Pages and pictures: what a house begins with, and a folder for a static host.

use std::fs;
use std::path::Path;

use parlor_table::Record;
use serde_json::{Value, json};

use crate::folder::{Broken, Folder};
use crate::house::Index;
use crate::paths::{BOARD, RECORD, Slug, TABLES};
use crate::player::{read_folder, tables};
use crate::replay::{self, Played};

/// What a new house holds besides its own files: the page, a description, a workflow.
pub const INITIAL: &[(&str, &str)] = &[
    ("index.html", include_str!("../page/index.html")),
    ("page.css", include_str!("../page/page.css")),
    ("page.js", include_str!("../page/page.js")),
    ("icon.svg", include_str!("../page/icon.svg")),
    (".nojekyll", ""),
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

/// Those of them that a static host needs.
const PAGE: [&str; 5] = ["index.html", "page.css", "page.js", "icon.svg", ".nojekyll"];

/// Why pages could not be made.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// A file cannot be read or written.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// A file of a table does not fit.
    #[error(transparent)]
    Broken(#[from] Broken),
}

/// The steps of a game with a picture of each: number, words, picture.
///
/// # Errors
/// When the record cannot be read or played.
pub fn steps(folder: &Folder) -> Result<Vec<(Value, String)>, Broken> {
    let record: Record = folder.read(RECORD)?;
    let start = replay::start(&record)?;
    let words = parlor_games::repository::seat_words(&start);
    let mut all = vec![(json!({ "n": 0, "text": "Start" }), start.svg(None))];
    replay::replay(
        &record,
        |Played {
             n,
             seat,
             text,
             before,
             after,
             mark,
             ..
         }| {
            let told = match seat {
                None => json!({ "n": n, "text": before.chance_label(text) }),
                Some(seat) => {
                    json!({ "n": n, "seat": words.get(seat.index()), "text": before.label(text) })
                }
            };
            all.push((told, after.svg(mark)));
            Ok(())
        },
    )?;
    Ok(all)
}

/// Writes the page of a house and of all its tables, with a picture of every step, for any static host. Files that have not changed are
/// not written again.
///
/// # Errors
/// When a file cannot be read or written.
pub fn build(root: &Path, out: &Path) -> Result<usize, PageError> {
    for (name, content) in INITIAL.iter().filter(|(name, _)| PAGE.contains(name)) {
        put(&out.join(name), content.as_bytes())?;
    }
    let slugs = tables(root)?;
    let mut index = Index::default();
    for slug in &slugs {
        let folder = read_folder(&root.join(slug.file("")))?;
        index.set(slug, &folder);
        build_table(slug, &folder, out)?;
    }
    put(
        &out.join(TABLES).join("index.json"),
        &crate::files::pretty(&index),
    )?;
    Ok(slugs.len())
}

fn build_table(slug: &Slug, folder: &Folder, out: &Path) -> Result<(), PageError> {
    let place = out.join(slug.file(""));
    let steps = steps(folder)?;
    let list: Vec<&Value> = steps.iter().map(|(told, _)| told).collect();
    for (n, (_, picture)) in steps.iter().enumerate() {
        put(
            &place.join("steps").join(format!("{n}.svg")),
            picture.as_bytes(),
        )?;
    }
    put(
        &place.join("steps").join("index.json"),
        &crate::files::pretty(&json!({ "steps": list })),
    )?;
    let last = steps
        .last()
        .map(|(_, picture)| picture.as_bytes())
        .unwrap_or_default();
    put(&place.join(BOARD), last)?;
    for (name, bytes) in &folder.files {
        put(&place.join(name), bytes)?;
    }
    Ok(())
}

/// Writes a file if it is another, through a file beside it: a reader never sees half of one.
fn put(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    if fs::read(path).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    std::io::Write::write_all(&mut file, bytes)?;
    file.persist(path).map(drop).map_err(|error| error.error)
}
