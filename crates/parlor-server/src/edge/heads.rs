//! Reader of HTTP/1.1 that knows whether a request's head has begun and not ended yet.

/// Bytes of a line that are looked at: more than any that says how long a body is.
const LINE: usize = 80;

/// Reader of what comes over a connection of HTTP/1.1.
///
/// It judges nothing: what is not a request is refused where requests are answered. It only tells
/// how long a client may take for what comes next.
#[derive(Debug, Default)]
pub(super) struct Heads {
    part: Part,
    /// Beginning of the current line, in small letters.
    line: Vec<u8>,
    /// Body that the lines of the current head have announced.
    body: Body,
}

/// Part of the stream that the next byte belongs to.
#[derive(Debug, Default, PartialEq, Eq)]
enum Part {
    /// Nothing: a request has ended, and no other has begun.
    #[default]
    Between,
    Head,
    /// So many bytes of a body.
    Body(u64),
    ChunkSize,
    /// So many bytes of a chunk, and of the line's end after it.
    Chunk(u64),
    Trailers,
}

#[derive(Clone, Copy, Debug, Default)]
enum Body {
    #[default]
    None,
    Length(u64),
    Chunked,
}

impl Heads {
    /// Reads bytes. Returns true if they end within the head of a request.
    pub(super) fn read(&mut self, mut bytes: &[u8]) -> bool {
        while let Some((&byte, rest)) = bytes.split_first() {
            match &mut self.part {
                Part::Body(left) | Part::Chunk(left) => {
                    let skipped = (*left).min(bytes.len() as u64);
                    *left -= skipped;
                    let is_over = *left == 0;
                    // It is at most the length of `bytes`.
                    bytes = &bytes[skipped as usize..];
                    if is_over {
                        self.part = match self.part {
                            Part::Chunk(_) => Part::ChunkSize,
                            _ => Part::Between,
                        };
                    }
                }
                _ => {
                    bytes = rest;
                    self.read_byte_of_line(byte);
                }
            }
        }
        self.part == Part::Head
    }

    fn read_byte_of_line(&mut self, byte: u8) {
        if byte == b'\n' {
            let line = std::mem::take(&mut self.line);
            self.end_line(line.trim_ascii());
        } else {
            // Empty lines before a request belong to none.
            if self.part == Part::Between && byte != b'\r' {
                self.part = Part::Head;
                self.body = Body::None;
            }
            if self.line.len() < LINE {
                self.line.push(byte.to_ascii_lowercase());
            }
        }
    }

    fn end_line(&mut self, line: &[u8]) {
        match self.part {
            Part::Head if line.is_empty() => {
                self.part = match self.body {
                    Body::None | Body::Length(0) => Part::Between,
                    Body::Length(length) => Part::Body(length),
                    Body::Chunked => Part::ChunkSize,
                };
            }
            Part::Head => self.note_body(line),
            Part::ChunkSize => {
                let size = line.split(|&byte| byte == b';').next().unwrap_or(line);
                self.part = match number(size, 16) {
                    Some(size) if size > 0 => Part::Chunk(size.saturating_add(2)),
                    _ => Part::Trailers,
                };
            }
            Part::Trailers if line.is_empty() => self.part = Part::Between,
            Part::Between | Part::Body(_) | Part::Chunk(_) | Part::Trailers => {}
        }
    }

    /// Notes what a line of a head says of the body.
    fn note_body(&mut self, line: &[u8]) {
        if let Some(length) = line.strip_prefix(b"content-length:") {
            let length = number(length, 10).map(Body::Length);
            // Chunks count more than a length.
            if let (Some(length), Body::None | Body::Length(_)) = (length, self.body) {
                self.body = length;
            }
        } else if line.starts_with(b"transfer-encoding:") {
            self.body = Body::Chunked;
        }
    }
}

fn number(text: &[u8], radix: u32) -> Option<u64> {
    let text = std::str::from_utf8(text.trim_ascii()).ok()?;
    u64::from_str_radix(text, radix).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: [&str; 6] = [
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.0\n\n",
        "POST / HTTP/1.1\r\nContent-Length: 7\r\nHost: a\r\n\r\nGET / H",
        "POST / HTTP/1.1\r\nhost: a\r\nCONTENT-LENGTH:\t0\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 9\r\n\r\n\
         a;x=y\r\n\r\n\r\n0\r\n\r\n\r\n\r\n0\r\nTrailer: 1\r\n\r\n",
        "\r\n\r\nGET / HTTP/1.1\r\n\r\n\r\n",
    ];
    const HALF: [&str; 4] = [
        "G",
        "GET / HTTP/1.1\r\nHost: a\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 7\r\n\r",
        "GET / HTTP/1.1\r\nCookie: a-cookie-that-is-longer-than-what-is-looked-at-of-a-line-of-the-head-of-a-request",
    ];

    fn ends_in_head(text: &str, size: usize) -> bool {
        let mut heads = Heads::default();
        let parts = text.as_bytes().chunks(size);
        parts.fold(false, |_, part| heads.read(part))
    }

    #[test]
    fn the_end_of_each_request_is_found_however_it_arrives() {
        for first in WHOLE {
            for second in WHOLE {
                let both = format!("{first}{second}");
                for size in [1, 2, 3, 7, 30, both.len()] {
                    assert!(!ends_in_head(&both, size), "{both:?} in parts of {size}");
                    for half in HALF {
                        let more = format!("{both}{half}");
                        assert!(ends_in_head(&more, size), "{more:?} in parts of {size}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_body_is_no_head() {
        for text in [
            "POST / HTTP/1.1\r\nContent-Length: 18446744073709551615\r\n\r\nGET / HTTP/1.1\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nGET / HTTP",
        ] {
            assert!(!ends_in_head(text, text.len()), "{text:?}");
        }
    }
}
