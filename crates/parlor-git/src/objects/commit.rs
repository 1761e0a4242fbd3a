//! Raw commits.

/// Latest time that is taken for one, in seconds since the Unix epoch: the end of the year 9999.
const LATEST: i64 = 253_402_300_799;

/// Bytes of a name or address that are read.
const MAX_PERSON_BYTES: usize = 500;

/// Contents of a commit object, as far as they matter here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawCommit {
    /// Id of the tree.
    pub tree: String,
    /// Ids of the parents.
    pub parents: Vec<String>,
    /// Commit time, in seconds since the Unix epoch; 0 if there is none that makes sense.
    pub time: i64,
    /// Name of the committer.
    pub name: String,
    /// E-mail address of the committer; empty if there is none.
    pub email: String,
    /// Commit message.
    pub message: String,
}

impl RawCommit {
    /// Parses a commit. Only the tree and the parents must be as git wants them; `None` if they are
    /// not.
    ///
    /// ```
    /// use parlor_git::objects::RawCommit;
    /// let tree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
    /// let commit = RawCommit::parse(format!("tree {tree}\ncommitter Ann\n\nHi").as_bytes());
    /// let commit = commit.expect("it has a tree");
    /// assert_eq!((commit.name.as_str(), commit.time, commit.message.as_str()), ("Ann", 0, "Hi"));
    /// ```
    pub fn parse(bytes: &[u8]) -> Option<RawCommit> {
        let end = bytes.windows(2).position(|pair| pair == b"\n\n");
        let (head, message) = match end {
            Some(end) => (&bytes[..end], &bytes[end + 2..]),
            None => (bytes, &[][..]),
        };
        let mut lines = head.split(|byte| *byte == b'\n').peekable();
        let tree = id_after(lines.next()?, b"tree ")?;
        let mut parents = Vec::new();
        while let Some(line) = lines.next_if(|line| line.starts_with(b"parent ")) {
            parents.push(id_after(line, b"parent ")?);
        }
        let lines: Vec<&[u8]> = lines.collect();
        let value = |name: &[u8]| lines.iter().find_map(|line| line.strip_prefix(name));
        let decode = Decoder::named(value(b"encoding ").unwrap_or_default());
        let (name, email, time) = parse_person(value(b"committer ").unwrap_or_default());
        Some(RawCommit {
            tree,
            parents,
            time,
            name: decode.text(&name[..name.len().min(MAX_PERSON_BYTES)]),
            email: decode.text(&email[..email.len().min(MAX_PERSON_BYTES)]),
            message: decode.text(message),
        })
    }
}

/// Returns the id in a line that consists of a word and an id.
fn id_after(line: &[u8], word: &[u8]) -> Option<String> {
    let id = line.strip_prefix(word)?;
    let is_id = matches!(id.len(), 40 | 64) && id.iter().all(u8::is_ascii_hexdigit);
    is_id.then(|| String::from_utf8_lossy(id).to_ascii_lowercase())
}

/// Splits `Name <address> seconds zone` into its parts. Whatever is missing is empty, or 0.
fn parse_person(line: &[u8]) -> (&[u8], &[u8], i64) {
    let position = |bytes: &[u8], wanted: u8| bytes.iter().position(|byte| *byte == wanted);
    let Some(open) = position(line, b'<') else {
        return (line.trim_ascii(), &[], 0);
    };
    let (name, rest) = (line[..open].trim_ascii(), &line[open + 1..]);
    let Some(close) = position(rest, b'>') else {
        return (name, rest.trim_ascii(), 0);
    };
    // Git itself takes the time after the last of several.
    let last = rest.iter().rposition(|byte| *byte == b'>').unwrap_or(close);
    let time = String::from_utf8_lossy(&rest[last + 1..])
        .split_ascii_whitespace()
        .next()
        .and_then(|word| word.parse().ok())
        .filter(|time| (0..=LATEST).contains(time))
        .unwrap_or(0);
    (name, &rest[..close], time)
}

/// The encoding that a commit names.
enum Decoder {
    Latin1,
    /// Everything else is read as UTF-8, as far as it is.
    Utf8,
}

impl Decoder {
    fn named(name: &[u8]) -> Decoder {
        match name.to_ascii_lowercase().as_slice() {
            b"iso-8859-1" | b"iso8859-1" | b"latin1" | b"latin-1" => Decoder::Latin1,
            _ => Decoder::Utf8,
        }
    }

    fn text(&self, bytes: &[u8]) -> String {
        match self {
            Decoder::Latin1 => bytes.iter().map(|byte| char::from(*byte)).collect(),
            Decoder::Utf8 => String::from_utf8_lossy(bytes).into_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TREE: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

    fn commit(rest: &[u8]) -> RawCommit {
        let head = format!("tree {TREE}\n");
        RawCommit::parse(&[head.as_bytes(), rest].concat()).unwrap()
    }

    #[test]
    fn what_git_writes_is_read() {
        let parents = ["1", "2"].map(|digit| digit.repeat(40));
        let text = format!(
            "parent {}\nparent {}\nauthor Bob <b@x> 1 +0000\ncommitter Ann Lee <a@x> 7 +0200\ngpgsig -----BEGIN\n x\n\nTitle\n\nBody\n",
            parents[0], parents[1]
        );
        let expected = RawCommit {
            tree: TREE.to_owned(),
            parents: parents.to_vec(),
            time: 7,
            name: "Ann Lee".to_owned(),
            email: "a@x".to_owned(),
            message: "Title\n\nBody\n".to_owned(),
        };
        assert_eq!(commit(text.as_bytes()), expected);
    }

    #[test]
    fn odd_committers_and_dates_are_read_as_far_as_they_go() {
        for (line, expected) in [
            ("Ann <a@x>", ("Ann", "a@x", 0)),
            ("Ann <a@x> soon +0000", ("Ann", "a@x", 0)),
            ("Ann <a@x> -5 +0000", ("Ann", "a@x", 0)),
            ("Ann <a@x> 99999999999999999999 +0000", ("Ann", "a@x", 0)),
            ("Ann <a@x> 9223372036854775807 +0000", ("Ann", "a@x", 0)),
            ("Ann <a@x 7 +0000", ("Ann", "a@x 7 +0000", 0)),
            ("Ann", ("Ann", "", 0)),
            ("<> 7", ("", "", 7)),
            ("Ann <a@x> <b@x> 7 +0000", ("Ann", "a@x", 7)),
            ("", ("", "", 0)),
        ] {
            let read = commit(format!("committer {line}\n\n").as_bytes());
            let found = (read.name.as_str(), read.email.as_str(), read.time);
            assert_eq!(found, expected, "{line:?}");
        }
        assert_eq!(commit(b"").name, "");
    }

    #[test]
    fn texts_need_not_be_utf_8() {
        let latin = commit(b"committer J\xf6rg <j@x> 1 +0000\nencoding ISO-8859-1\n\n\xe4");
        assert_eq!(
            (latin.name.as_str(), latin.message.as_str()),
            ("J\u{f6}rg", "\u{e4}")
        );
        let broken = commit(b"committer J\xf6rg <j@x> 1 +0000\n\n\0\xff\n");
        assert_eq!(broken.email, "j@x");
        assert_eq!(broken.message, "\0\u{fffd}\n");
    }

    #[test]
    fn trees_and_parents_must_be_ids() {
        let parent = format!("tree {TREE}\nparent 12\n\n");
        let no_tree = format!("author x\ntree {TREE}\n\n");
        for text in ["", "tree", "tree xyz\n\n", &parent, &no_tree] {
            assert_eq!(RawCommit::parse(text.as_bytes()), None, "{text:?}");
        }
        let late = commit(format!("author x\nparent {TREE}\n\n").as_bytes());
        assert_eq!(late.parents, Vec::<String>::new(), "as git reads it");
    }
}
