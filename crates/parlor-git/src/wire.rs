//! The lines of git's protocol, as far as a server of tables speaks it itself: what is pushed, and the answer. See
//! <https://git-scm.com/docs/gitprotocol-pack> and <https://git-scm.com/docs/gitprotocol-http>.

/// A line longer than this is cut into pieces where it is a message.
const LONGEST: usize = 65_000;
/// What this server can do beside the least.
const CAPABILITIES: &str = "report-status side-band-64k ofs-delta object-format=sha1 agent=parlor";

/// What a push asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Push<'a> {
    /// The refs to be changed.
    pub updates: Vec<Update>,
    /// Whether the answer can have messages beside it.
    pub side_band: bool,
    /// The objects.
    pub pack: &'a [u8],
}

/// A ref to be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// The commit it has, as the pusher knows.
    pub old: String,
    /// The commit it is to have.
    pub new: String,
    /// Its name.
    pub name: String,
}

impl Update {
    /// Whether the ref is to be deleted.
    pub fn is_deletion(&self) -> bool {
        self.new.bytes().all(|digit| digit == b'0')
    }
}

/// A push that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is no push as git makes it: {0}")]
pub struct BadPush(&'static str);

/// A line with its length.
///
/// ```
/// assert_eq!(parlor_git::wire::line(b"hi\n"), b"0007hi\n");
/// ```
pub fn line(bytes: &[u8]) -> Vec<u8> {
    let mut line = format!("{:04x}", bytes.len() + 4).into_bytes();
    line.extend_from_slice(bytes);
    line
}

/// What a server says to somebody who wants to push, with the branch and its commit.
pub fn advertisement(branch: &str, tip: &str) -> Vec<u8> {
    let mut said = line(b"# service=git-receive-pack\n");
    said.extend_from_slice(b"0000");
    said.extend(line(format!("{tip} {branch}\0{CAPABILITIES}\n").as_bytes()));
    said.extend_from_slice(b"0000");
    said
}

/// What a server says first to somebody who wants to fetch by the first versions of the protocol, and what follows.
pub fn announced(service: &str, refs: &[u8]) -> Vec<u8> {
    let mut said = line(format!("# service={service}\n").as_bytes());
    said.extend_from_slice(b"0000");
    said.extend_from_slice(refs);
    said
}

/// Reads a push.
///
/// # Errors
/// When it is none.
pub fn read_push(body: &[u8]) -> Result<Push<'_>, BadPush> {
    let (mut rest, mut updates, mut side_band) = (body, Vec::new(), false);
    loop {
        let (head, more) = rest.split_at_checked(4).ok_or(BadPush("it breaks off"))?;
        let length = std::str::from_utf8(head)
            .ok()
            .and_then(|text| usize::from_str_radix(text, 16).ok());
        let length = length.ok_or(BadPush("a line has no length"))?;
        if length == 0 {
            return Ok(Push {
                updates,
                side_band,
                pack: more,
            });
        }
        let size = length
            .checked_sub(4)
            .ok_or(BadPush("a line is shorter than its length"))?;
        let (text, more) = more
            .split_at_checked(size)
            .ok_or(BadPush("a line breaks off"))?;
        rest = more;
        let text = std::str::from_utf8(text)
            .map_err(|_| BadPush("a line is no text"))?
            .trim_end_matches('\n');
        if text.starts_with("shallow ") {
            continue;
        }
        let (text, capabilities) = text.split_once('\0').unwrap_or((text, ""));
        side_band |= capabilities.split(' ').any(|one| one == "side-band-64k");
        let mut words = text.splitn(3, ' ');
        let (Some(old), Some(new), Some(name)) = (words.next(), words.next(), words.next()) else {
            return Err(BadPush("a line is not `OLD NEW REF`"));
        };
        let is_id = |id: &str| id.len() == 40 && id.bytes().all(|digit| digit.is_ascii_hexdigit());
        if !is_id(old) || !is_id(new) {
            return Err(BadPush("a line does not begin with two ids"));
        }
        updates.push(Update {
            old: old.to_owned(),
            new: new.to_owned(),
            name: name.to_owned(),
        });
    }
}

/// The answer to a push: whether the refs were changed, or a few words why not, and what there is to say to the pusher.
pub fn answer(push: &Push<'_>, outcome: Result<(), &str>, said: &[String]) -> Vec<u8> {
    let mut report = line(b"unpack ok\n");
    for update in &push.updates {
        let told = match outcome {
            Ok(()) => format!("ok {}\n", update.name),
            Err(reason) => format!("ng {} {reason}\n", update.name),
        };
        report.extend(line(told.as_bytes()));
    }
    report.extend_from_slice(b"0000");
    if !push.side_band {
        return report;
    }
    let mut answer = Vec::new();
    let mut on = |band: u8, bytes: &[u8]| {
        for piece in bytes.chunks(LONGEST) {
            let mut told = vec![band];
            told.extend_from_slice(piece);
            answer.extend(line(&told));
        }
    };
    for text in said {
        on(2, format!("{text}\n").as_bytes());
    }
    on(1, &report);
    answer.extend_from_slice(b"0000");
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "1111111111111111111111111111111111111111";
    const NEW: &str = "2222222222222222222222222222222222222222";

    fn body(capabilities: &str, pack: &[u8]) -> Vec<u8> {
        let mut body = line(format!("{OLD} {NEW} refs/heads/main\0{capabilities}\n").as_bytes());
        body.extend_from_slice(b"0000");
        body.extend_from_slice(pack);
        body
    }

    #[test]
    fn a_push_is_read_as_git_writes_it() {
        let bytes = body(
            " report-status-v2 side-band-64k object-format=sha1",
            b"PACK...",
        );
        let push = read_push(&bytes).unwrap();
        let update = Update {
            old: OLD.to_owned(),
            new: NEW.to_owned(),
            name: "refs/heads/main".to_owned(),
        };
        assert_eq!(
            push,
            Push {
                updates: vec![update],
                side_band: true,
                pack: b"PACK..."
            }
        );
        assert!(!read_push(&body("report-status", b"")).unwrap().side_band);
        assert_eq!(read_push(b"0000").unwrap().updates, []);
    }

    #[test]
    fn what_is_no_push_is_refused() {
        let wrong = [
            "",
            "00",
            "zzzz",
            "0003",
            "0009a b",
            "0008a b\n0000",
            "ffffabc",
            "0006\u{0}\n0000",
        ];
        for text in wrong {
            assert!(read_push(text.as_bytes()).is_err(), "{text:?}");
        }
        let mut long = line(&[b'x'; 100]);
        long.truncate(50);
        assert!(read_push(&long).is_err());
    }

    #[test]
    fn messages_and_the_report_go_on_their_bands() {
        let bytes = body("side-band-64k", b"");
        let push = read_push(&bytes).unwrap();
        let said = answer(&push, Err("not legal"), &["a word".to_owned()]);
        let text = String::from_utf8(said).unwrap();
        assert_eq!(
            text,
            "000c\u{2}a word\n0038\u{1}000eunpack ok\n0021ng refs/heads/main not legal\n00000000"
        );
        let bytes = body("", b"");
        let plain = answer(&read_push(&bytes).unwrap(), Ok(()), &["unheard".to_owned()]);
        assert_eq!(plain, b"000eunpack ok\n0017ok refs/heads/main\n0000");
    }
}
