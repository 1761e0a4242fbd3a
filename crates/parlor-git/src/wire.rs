//! Encoding of git's smart HTTP protocol for receiving pushes. See
//! <https://git-scm.com/docs/gitprotocol-pack> and <https://git-scm.com/docs/gitprotocol-http>.

/// Maximum payload of a side-band packet, in bytes. Longer messages are split.
const MAX_LINE_BYTES: usize = 65_000;
/// Most refs of a push that are read and answered. More than one is refused anyway.
const MAX_UPDATES: usize = 16;
/// Protocol capabilities announced by the server. Nothing can be deleted, but without `delete-refs` git
/// would not ask, and tell nobody why.
const CAPABILITIES: &str =
    "report-status delete-refs side-band-64k ofs-delta object-format=sha1 agent=parlor";

/// Parsed push request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushRequest<'a> {
    /// Refs to update, the first sixteen of them.
    pub updates: Vec<RefUpdate>,
    /// True if the client supports messages beside the report (`side-band-64k`).
    pub side_band: bool,
    /// Pack with the new objects.
    pub pack: &'a [u8],
}

/// Requested update of a ref.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefUpdate {
    /// Current commit of the ref, according to the client.
    pub old: String,
    /// New commit of the ref.
    pub new: String,
    /// Name of the ref.
    pub name: String,
}

impl RefUpdate {
    /// Returns true if the ref is to be deleted.
    pub fn is_deletion(&self) -> bool {
        self.new.bytes().all(|digit| digit == b'0')
    }
}

/// Error for a malformed push request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("malformed push request: {0}")]
pub struct MalformedPush(&'static str);

/// Encodes bytes as a packet line (`pkt-line`), prefixed with its length.
///
/// ```
/// assert_eq!(parlor_git::wire::pkt_line(b"hi\n"), b"0007hi\n");
/// ```
pub fn pkt_line(bytes: &[u8]) -> Vec<u8> {
    let mut line = format!("{:04x}", bytes.len() + 4).into_bytes();
    line.extend_from_slice(bytes);
    line
}

/// Returns the ref advertisement for a push, with the branch and its commit.
pub fn advertisement(branch: &str, tip: &str) -> Vec<u8> {
    let mut lines = pkt_line(b"# service=git-receive-pack\n");
    lines.extend_from_slice(b"0000");
    lines.extend(pkt_line(
        format!("{tip} {branch}\0{CAPABILITIES}\n").as_bytes(),
    ));
    lines.extend_from_slice(b"0000");
    lines
}

/// Returns the ref advertisement of a service for protocol versions 0 and 1.
pub fn service_advertisement(service: &str, refs: &[u8]) -> Vec<u8> {
    let mut lines = pkt_line(format!("# service={service}\n").as_bytes());
    lines.extend_from_slice(b"0000");
    lines.extend_from_slice(refs);
    lines
}

/// Parses a push request.
///
/// # Errors
/// [`MalformedPush`] if the body is not a push request.
pub fn read_push(body: &[u8]) -> Result<PushRequest<'_>, MalformedPush> {
    let (mut rest, mut updates, mut side_band) = (body, Vec::new(), false);
    loop {
        let (head, more) = rest
            .split_at_checked(4)
            .ok_or(MalformedPush("unexpected end"))?;
        let length = std::str::from_utf8(head)
            .ok()
            .and_then(|text| usize::from_str_radix(text, 16).ok());
        let length = length.ok_or(MalformedPush("a packet has no length"))?;
        if length == 0 {
            return Ok(PushRequest {
                updates,
                side_band,
                pack: more,
            });
        }
        let size = length
            .checked_sub(4)
            .ok_or(MalformedPush("a packet has an invalid length"))?;
        let (text, more) = more
            .split_at_checked(size)
            .ok_or(MalformedPush("a packet is truncated"))?;
        rest = more;
        let text = std::str::from_utf8(text)
            .map_err(|_| MalformedPush("a packet is not UTF-8"))?
            .trim_end_matches('\n');
        if text.starts_with("shallow ") {
            continue;
        }
        let (text, capabilities) = text.split_once('\0').unwrap_or((text, ""));
        side_band |= capabilities.split(' ').any(|one| one == "side-band-64k");
        let mut words = text.splitn(3, ' ');
        let (Some(old), Some(new), Some(name)) = (words.next(), words.next(), words.next()) else {
            return Err(MalformedPush("a command is not `OLD NEW REF`"));
        };
        let is_id = |id: &str| id.len() == 40 && id.bytes().all(|digit| digit.is_ascii_hexdigit());
        if !is_id(old) || !is_id(new) {
            return Err(MalformedPush(
                "a command does not begin with two object ids",
            ));
        }
        if updates.len() < MAX_UPDATES {
            updates.push(RefUpdate {
                old: old.to_owned(),
                new: new.to_owned(),
                name: name.to_owned(),
            });
        }
    }
}

/// Returns the response to a push: the success of all updates or the reason for their refusal, and
/// messages for the user.
pub fn push_report(
    push: &PushRequest<'_>,
    outcome: Result<(), &str>,
    messages: &[String],
) -> Vec<u8> {
    let mut report = pkt_line(b"unpack ok\n");
    for update in &push.updates {
        let status = match outcome {
            Ok(()) => format!("ok {}\n", update.name),
            Err(reason) => format!("ng {} {reason}\n", update.name),
        };
        report.extend(pkt_line(status.as_bytes()));
    }
    report.extend_from_slice(b"0000");
    if !push.side_band {
        return report;
    }
    let mut answer = Vec::new();
    let mut send = |band: u8, bytes: &[u8]| {
        for chunk in bytes.chunks(MAX_LINE_BYTES) {
            let mut packet = vec![band];
            packet.extend_from_slice(chunk);
            answer.extend(pkt_line(&packet));
        }
    };
    for text in messages {
        send(2, format!("{text}\n").as_bytes());
    }
    send(1, &report);
    answer.extend_from_slice(b"0000");
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "1111111111111111111111111111111111111111";
    const NEW: &str = "2222222222222222222222222222222222222222";

    fn body(capabilities: &str, pack: &[u8]) -> Vec<u8> {
        let mut body =
            pkt_line(format!("{OLD} {NEW} refs/heads/main\0{capabilities}\n").as_bytes());
        body.extend_from_slice(b"0000");
        body.extend_from_slice(pack);
        body
    }

    #[test]
    fn a_push_request_is_parsed() {
        let bytes = body(
            " report-status-v2 side-band-64k object-format=sha1",
            b"PACK...",
        );
        let push = read_push(&bytes).unwrap();
        let update = RefUpdate {
            old: OLD.to_owned(),
            new: NEW.to_owned(),
            name: "refs/heads/main".to_owned(),
        };
        assert_eq!(
            push,
            PushRequest {
                updates: vec![update],
                side_band: true,
                pack: b"PACK..."
            }
        );
        assert!(!read_push(&body("report-status", b"")).unwrap().side_band);
        assert_eq!(read_push(b"0000").unwrap().updates, []);
    }

    #[test]
    fn malformed_pushes_are_refused() {
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
        let mut long = pkt_line(&[b'x'; 100]);
        long.truncate(50);
        assert!(read_push(&long).is_err());
    }

    #[test]
    fn messages_and_report_use_their_bands() {
        let bytes = body("side-band-64k", b"");
        let push = read_push(&bytes).unwrap();
        let response = push_report(&push, Err("not legal"), &["a word".to_owned()]);
        let text = String::from_utf8(response).unwrap();
        assert_eq!(
            text,
            "000c\u{2}a word\n0038\u{1}000eunpack ok\n0021ng refs/heads/main not legal\n00000000"
        );
        let bytes = body("", b"");
        let plain = push_report(&read_push(&bytes).unwrap(), Ok(()), &["unheard".to_owned()]);
        assert_eq!(plain, b"000eunpack ok\n0017ok refs/heads/main\n0000");
    }
}
