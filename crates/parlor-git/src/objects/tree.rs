//! Raw trees, and the names that may stand in them.

use std::cmp::Ordering;

/// Longest name of a file, in bytes: file systems take no more.
const MAX_NAME_BYTES: usize = 255;

/// Entry of a raw tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawEntry {
    /// File mode in octal digits, such as `100644` for a file and `40000` for a folder.
    pub mode: String,
    /// Name, which need not be UTF-8.
    pub name: Vec<u8>,
    /// Object id.
    pub id: String,
}

/// Contents of a tree object, in the order of its entries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawTree {
    /// Entries.
    pub entries: Vec<RawEntry>,
}

/// Reason why a tree cannot be judged or checked out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadTree {
    /// The bytes are not a tree.
    #[error("a folder is no list of files")]
    Malformed,
    /// A name that git refuses to write, or that no file system can hold.
    #[error("no file can be called {0:?}")]
    Name(String),
    /// A name that occurs twice.
    #[error("{0:?} is in a folder twice")]
    Twice(String),
    /// A name in the wrong place.
    #[error("{0:?} is not where git sorts it in its folder")]
    Order(String),
    /// A mode that is none.
    #[error("{name:?} has the mode {mode:?}, which no file has")]
    Mode {
        /// Name of the entry.
        name: String,
        /// Its mode.
        mode: String,
    },
}

impl RawEntry {
    /// Mode of a folder.
    pub const FOLDER: &str = "40000";
    /// Mode of a symbolic link.
    pub const LINK: &str = "120000";
    /// Mode of a commit of another repository.
    pub const MODULE: &str = "160000";

    /// Returns true for a folder.
    pub fn is_folder(&self) -> bool {
        self.mode == RawEntry::FOLDER
    }

    /// Returns the name as text, with replacements for what is not UTF-8.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.name).into_owned()
    }

    /// Checks that every git writes the file: names like `.git` would change the clone itself.
    ///
    /// # Errors
    /// [`BadTree::Name`] or [`BadTree::Mode`].
    pub fn check(&self) -> Result<(), BadTree> {
        let known = [
            "100644",
            "100755",
            "100664",
            RawEntry::FOLDER,
            RawEntry::LINK,
            RawEntry::MODULE,
        ];
        if !known.contains(&self.mode.as_str()) {
            return Err(BadTree::Mode {
                name: self.text(),
                mode: self.mode.clone(),
            });
        }
        if is_writable(&self.name, self.mode == RawEntry::LINK) {
            Ok(())
        } else {
            Err(BadTree::Name(self.text()))
        }
    }
}

impl RawTree {
    /// Parses a tree whose ids have a number of bytes. Names are not checked.
    ///
    /// # Errors
    /// [`BadTree::Malformed`] if the bytes are not a tree.
    pub fn parse(mut bytes: &[u8], id: usize) -> Result<RawTree, BadTree> {
        let mut entries = Vec::new();
        while !bytes.is_empty() {
            let end = bytes.iter().position(|byte| *byte == 0);
            let (head, rest) = bytes.split_at(end.ok_or(BadTree::Malformed)?);
            let space = head.iter().position(|byte| *byte == b' ');
            let (mode, name) = head.split_at(space.ok_or(BadTree::Malformed)?);
            let hash = rest.get(1..1 + id).ok_or(BadTree::Malformed)?;
            let is_mode = (1..=7).contains(&mode.len()) && mode.iter().all(u8::is_ascii_digit);
            if !is_mode || name.len() < 2 || name.contains(&b'/') {
                return Err(BadTree::Malformed);
            }
            entries.push(RawEntry {
                mode: String::from_utf8_lossy(mode).into_owned(),
                name: name[1..].to_vec(),
                id: hex::encode(hash),
            });
            bytes = &rest[1 + id..];
        }
        Ok(RawTree { entries })
    }

    /// Returns the entry with a name.
    pub fn get(&self, name: &str) -> Option<&RawEntry> {
        self.entries
            .iter()
            .find(|entry| entry.name == name.as_bytes())
    }

    /// Checks that names are sorted as git sorts them, and that none occurs twice.
    ///
    /// # Errors
    /// [`BadTree::Order`] or [`BadTree::Twice`] for the first such entry.
    pub fn check_order(&self) -> Result<(), BadTree> {
        let mut names = std::collections::BTreeSet::new();
        for pair in self.entries.windows(2) {
            match sort_key(&pair[0]).cmp(&sort_key(&pair[1])) {
                Ordering::Less => {}
                Ordering::Equal => return Err(BadTree::Twice(pair[1].text())),
                Ordering::Greater => return Err(BadTree::Order(pair[1].text())),
            }
        }
        for entry in &self.entries {
            if !names.insert(&entry.name) {
                return Err(BadTree::Twice(entry.text()));
            }
        }
        Ok(())
    }
}

/// Git sorts a folder as if its name ended with a slash.
fn sort_key(entry: &RawEntry) -> Vec<u8> {
    let mut key = entry.name.clone();
    if entry.is_folder() {
        key.push(b'/');
    }
    key
}

/// Returns true if git writes a file or link of this name on every system.
fn is_writable(name: &[u8], is_link: bool) -> bool {
    if name.is_empty() || name.len() > MAX_NAME_BYTES || name.contains(&b'/') || name.contains(&0) {
        return false;
    }
    if name == b"." || name == b".." {
        return false;
    }
    // A backslash separates folders elsewhere.
    name.split(|byte| *byte == b'\\').all(|part| {
        let plain = as_other_systems_see(part);
        let is_git = plain == ".git" || plain == "git~1";
        let is_modules = plain.starts_with(".gitmodules")
            || plain.starts_with("gitmod~")
            || plain.starts_with("gi7eba~");
        !(is_git || is_link && is_modules)
    })
}

/// Returns a name as systems see it that ignore case, some characters, final dots and spaces, and
/// what follows a colon.
fn as_other_systems_see(name: &[u8]) -> String {
    let text = String::from_utf8_lossy(name);
    let seen: String = text
        .split(':')
        .next()
        .unwrap_or_default()
        .chars()
        .filter(|c| !is_ignored(*c))
        .flat_map(char::to_lowercase)
        .collect();
    seen.trim_end_matches([' ', '.']).to_owned()
}

/// Returns true for characters that HFS+ ignores in names.
fn is_ignored(c: char) -> bool {
    matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(entries: &[(&str, &str)]) -> Vec<u8> {
        let entry = |(mode, name): &(&str, &str)| {
            [format!("{mode} {name}\0").as_bytes(), &[7; 20]].concat()
        };
        entries.iter().flat_map(entry).collect()
    }

    fn entry(mode: &str, name: &str) -> RawEntry {
        RawEntry {
            mode: mode.to_owned(),
            name: name.as_bytes().to_vec(),
            id: "07".repeat(20),
        }
    }

    #[test]
    fn a_tree_is_parsed() {
        let bytes = raw(&[("100644", "a b"), ("40000", "c")]);
        let tree = RawTree::parse(&bytes, 20).unwrap();
        assert_eq!(tree.entries, [entry("100644", "a b"), entry("40000", "c")]);
        assert_eq!(tree.get("c").map(RawEntry::is_folder), Some(true));
        assert_eq!(tree.check_order(), Ok(()));
        for cut in 1..=bytes.len() {
            let cut_off = RawTree::parse(&bytes[..cut], 20);
            assert_eq!(cut_off.is_ok(), [31, 59].contains(&cut), "{cut}");
        }
        for (mode, name) in [("", "a"), ("x", "a"), ("100644", ""), ("100644", "a/b")] {
            assert!(RawTree::parse(&raw(&[(mode, name)]), 20).is_err());
        }
    }

    #[test]
    fn names_of_the_repository_itself_are_refused() {
        let long = "x".repeat(256);
        for name in [
            ".",
            "..",
            ".git",
            ".GIT",
            ".Git ",
            ".git.",
            ".git::$INDEX",
            "git~1",
            "GIT~1",
            ".g\u{200c}it",
            "a\\.git",
            ".git\\config",
            "a/b",
            "",
            &long,
        ] {
            let checked = entry("100644", name).check();
            assert_eq!(checked, Err(BadTree::Name(name.to_owned())));
        }
        for name in [
            ".gitignore",
            ".gitmodules",
            ".github",
            "git",
            "a.git",
            "...",
            "a\nb",
        ] {
            assert_eq!(entry("40000", name).check(), Ok(()), "{name:?}");
        }
        assert!(entry(RawEntry::LINK, ".GitModules").check().is_err());
        assert_eq!(entry(RawEntry::LINK, "link").check(), Ok(()));
        assert!(entry("100666", "a").check().is_err());
        assert!(entry("040000", "a").check().is_err());
    }

    #[test]
    fn each_name_has_one_place() {
        let order =
            |entries: &[(&str, &str)]| RawTree::parse(&raw(entries), 20).unwrap().check_order();
        assert_eq!(
            order(&[("100644", "a-"), ("40000", "a"), ("100644", "a0")]),
            Ok(())
        );
        for wrong in [
            [("100644", "b"), ("100644", "a")],
            [("100644", "a"), ("100644", "a")],
            [("100644", "a"), ("40000", "a")],
            [("40000", "a"), ("100644", "a-")],
        ] {
            assert!(order(&wrong).is_err(), "{wrong:?}");
        }
    }
}
