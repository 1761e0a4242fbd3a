"""A client of HTTP/2 that asks and never reads: it takes the heads of answers and nothing of their bodies. It can also
send requests whose bodies never come."""

import socket
import struct
from collections import Counter

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
HEADERS, RESET, SETTINGS, GOODBYE = 1, 3, 4, 7
ACK, END_STREAM, HEAD_IS_WHOLE, WHOLE_AND_LAST = 1, 1, 4, 5
NO_WINDOW = struct.pack(">HI", 4, 0)
OK = 0x88  # ":status: 200" in the table that HTTP/2 begins with


def frame(kind, flags=0, stream=0, content=b""):
    return struct.pack(">I", len(content))[1:] + struct.pack(">BBI", kind, flags, stream) + content


def head(path):
    """Returns the head of a GET request."""
    texts = [(4, path.encode()), (1, b"parlor")]  # :path and :authority
    return b"\x82\x86" + b"".join(bytes([name, len(text)]) + text for name, text in texts)


def head_without_body(path):
    """Returns the head of a POST request whose body of a hundred bytes is to come."""
    body = b"\x0f\x0d\x03100\x0f\x10\x10application/json"  # content-length and content-type
    return b"\x83" + head(path)[1:] + body


class NeverReads:
    """A connection whose streams have no room for anything."""

    def __init__(self, port, address):
        self.socket = socket.create_connection(("127.0.0.1", port), 10, (address, 0))
        self.socket.sendall(PREFACE + frame(SETTINGS, content=NO_WINDOW))
        self.socket.setblocking(False)
        self.received, self.next = b"", 1
        self.asked, self.unread = set(), set()
        self.counts = Counter()
        self.is_closed = False

    def send(self, *parts):
        try:
            self.socket.sendall(frame(*parts))
        except OSError:
            self.is_closed = True

    def ask(self, path):
        self.send(HEADERS, WHOLE_AND_LAST, self.next, head(path))
        self.asked.add(self.next)
        self.next += 2

    def ask_without_body(self, path):
        self.send(HEADERS, HEAD_IS_WHOLE, self.next, head_without_body(path))
        self.asked.add(self.next)
        self.next += 2

    def take_counts(self):
        """Returns what was counted since this was asked last."""
        counts, self.counts = self.counts, Counter()
        return counts

    def listen(self):
        """Takes what has arrived, without waiting."""
        try:
            while more := self.socket.recv(1 << 16):
                self.received += more
            self.is_closed = True
        except BlockingIOError:
            pass
        except OSError:
            self.is_closed = True
        while len(self.received) >= 9 and len(self.received) >= 9 + (length := int.from_bytes(self.received[:3], "big")):
            kind, flags, stream = struct.unpack(">BBI", self.received[3:9])
            content, self.received = self.received[9 : 9 + length], self.received[9 + length :]
            self.take(kind, flags, stream, content)

    def take(self, kind, flags, stream, content):
        if kind == SETTINGS and not flags & ACK:
            self.send(SETTINGS, ACK)
        elif kind == HEADERS:
            is_answer = content.lstrip(b"\x20")[:1] == bytes([OK])
            self.counts["answers" if is_answer else "refused"] += 1
            if is_answer and not flags & END_STREAM:
                self.unread.add(stream)
            elif not is_answer:
                # The text of a refusal is small, and not read either.
                self.send(RESET, 0, stream, struct.pack(">I", 8))
                self.asked.discard(stream)
        elif kind == RESET:
            self.counts["dropped"] += stream in self.unread
            self.counts["reset"] += stream in self.asked
            self.unread.discard(stream)
            self.asked.discard(stream)
        elif kind == GOODBYE:
            self.is_closed = True
