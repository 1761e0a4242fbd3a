//! Watch over the bytes of a connection for what no request counts: heads of requests that never end,
//! frames of HTTP/2 that only cost time, and what comes over a socket without being a message.

use std::time::{Duration, Instant};

use super::Client;
use super::connections::OpenConnection;
use super::floods::FRAMES;
use super::heads::Heads;
use crate::AppState;

/// Bytes with which HTTP/2 begins.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// Bytes of a frame's head: length, kind, flags and stream.
const FRAME_HEAD: usize = 9;
/// Bytes of a socket that count as a frame: about as many as a move has.
const SOCKET_FRAME: usize = 64;
/// Bytes of packed headers that a request may have, and how many more of them count as a frame: each may be
/// a header of kilobytes that was sent before, and takes as long to read.
const PLAIN_HEADERS: usize = 256;
const HEADERS_FRAME: usize = 8;

/// Observer of the bytes that come over a connection, as HTTP/1.1 or HTTP/2.
#[derive(Debug)]
pub(super) struct Watch {
    protocol: Protocol,
    connection: OpenConnection,
    /// Client whose frames are counted, and the state that counts them; `None` for a proxy, whose
    /// clients share its connections.
    counted: Option<(AppState, Client)>,
    /// Frames that have come over a socket in the current second.
    socket: SocketSecond,
}

/// Frames of a socket in a second, which has one client even behind a proxy.
#[derive(Debug)]
struct SocketSecond {
    since: Instant,
    frames: u32,
}

#[derive(Debug)]
enum Protocol {
    /// So many bytes have come, all of which HTTP/2 begins with.
    Unknown(usize),
    One(Heads),
    Two(Frames),
}

impl Watch {
    pub(super) fn new(connection: OpenConnection, counted: Option<(AppState, Client)>) -> Watch {
        Watch {
            protocol: Protocol::Unknown(0),
            connection,
            counted,
            socket: SocketSecond {
                since: Instant::now(),
                frames: 0,
            },
        }
    }

    /// Looks at bytes that have come. Closes the connection of a client that floods it.
    pub(super) fn see(&mut self, mut bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        if let Protocol::Unknown(known) = &mut self.protocol {
            let rest = &PREFACE[*known..];
            let length = rest.len().min(bytes.len());
            if bytes[..length] != rest[..length] {
                let mut heads = Heads::default();
                heads.read(&PREFACE[..*known]);
                self.protocol = Protocol::One(heads);
            } else if length < rest.len() {
                *known += length;
                return;
            } else {
                self.protocol = Protocol::Two(Frames::default());
                bytes = &bytes[length..];
            }
        }
        let mut is_flood = false;
        let frames = match &mut self.protocol {
            Protocol::Unknown(_) => 0,
            Protocol::One(_) if self.connection.requests.is_socket() => {
                let frames = u32::try_from(1 + bytes.len() / SOCKET_FRAME).unwrap_or(u32::MAX);
                is_flood = self.socket.is_flood(frames);
                frames
            }
            Protocol::One(heads) => {
                let is_in_head = heads.read(bytes);
                self.connection.requests.set_in_head(is_in_head);
                0
            }
            Protocol::Two(frames) => frames.count(bytes),
        };
        if frames > 0
            && let Some((state, client)) = &self.counted
        {
            is_flood |= state.floods().count_frames(*client, frames);
        }
        if is_flood {
            self.connection.cut.cut();
        }
    }
}

impl SocketSecond {
    /// Counts frames. Returns true if they are too many.
    fn is_flood(&mut self, frames: u32) -> bool {
        if self.since.elapsed() >= Duration::from_secs(1) {
            self.since = Instant::now();
            self.frames = 0;
        }
        self.frames = self.frames.saturating_add(frames);
        self.frames >= FRAMES
    }
}

/// Reader of the heads of HTTP/2's frames, across reads.
#[derive(Debug, Default)]
struct Frames {
    head: [u8; FRAME_HEAD],
    /// Bytes of the head that have come.
    known: usize,
    /// Bytes of the frame that are still to come after its head.
    left: usize,
}

impl Frames {
    /// Returns how many frames begin here, without those that carry data. Many headers count as several.
    fn count(&mut self, mut bytes: &[u8]) -> u32 {
        const DATA: u8 = 0;
        const HEADERS: u8 = 1;
        const CONTINUATION: u8 = 9;
        let mut counted = 0;
        while !bytes.is_empty() {
            let skipped = self.left.min(bytes.len());
            self.left -= skipped;
            bytes = &bytes[skipped..];
            let taken = (FRAME_HEAD - self.known).min(bytes.len());
            self.head[self.known..self.known + taken].copy_from_slice(&bytes[..taken]);
            self.known += taken;
            bytes = &bytes[taken..];
            if self.known == FRAME_HEAD {
                let [a, b, c, kind, ..] = self.head;
                self.left = usize::from(a) << 16 | usize::from(b) << 8 | usize::from(c);
                self.known = 0;
                counted += match kind {
                    DATA if self.left > 0 => 0,
                    HEADERS | CONTINUATION => {
                        1 + self.left.saturating_sub(PLAIN_HEADERS) / HEADERS_FRAME
                    }
                    _ => 1,
                };
            }
        }
        u32::try_from(counted).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(kind: u8, length: u8) -> Vec<u8> {
        let mut frame = vec![0, 0, length, kind, 0, 0, 0, 0, 1];
        frame.extend(vec![kind; usize::from(length)]);
        frame
    }

    #[test]
    fn frames_are_counted_however_they_arrive() {
        // Settings, headers, a ping, data, no data, a continuation, a window and a priority.
        let frames = [
            (4, 0),
            (1, 30),
            (6, 8),
            (0, 200),
            (0, 0),
            (9, 5),
            (8, 4),
            (2, 5),
        ];
        let bytes: Vec<u8> = frames
            .iter()
            .flat_map(|&(kind, length)| frame(kind, length))
            .collect();
        for size in [1, 2, 7, 9, 10, 64, bytes.len()] {
            let mut reader = Frames::default();
            let frames: u32 = bytes.chunks(size).map(|part| reader.count(part)).sum();
            assert_eq!(frames, 7, "in parts of {size}");
        }
    }

    #[test]
    fn many_headers_count_as_several_frames() {
        let count = |length: usize| {
            let mut head = [0, 0, 0, 1, 0, 0, 0, 0, 1];
            head[1..3].copy_from_slice(&u16::try_from(length).expect("short").to_be_bytes());
            Frames::default().count(&head)
        };
        assert_eq!([120, 256, 264, 16_000].map(count), [1, 1, 2, 1_969]);
    }
}
