"""Packs that describe far more than they contain, and an attacker who pushes them to a table's remote."""

import base64
import hashlib
import itertools
import random
import struct
import threading
import time
import zlib
from collections import Counter

from live_server import Client, expect, new_table

ZERO = "0" * 40


def varint(size):
    digits = bytearray()
    while True:
        digits.append(size & 127 | (128 if size > 127 else 0))
        size >>= 7
        if not size:
            return bytes(digits)


def packed(kind, contents, size=None, base=b""):
    size = len(contents) if size is None else size
    head = bytearray([kind << 4 | size & 15])
    size >>= 4
    while size:
        head[-1] |= 128
        head.append(size & 127)
        size >>= 7
    return bytes(head) + base + zlib.compress(contents)


def pack(objects):
    body = b"PACK" + struct.pack(">II", 2, len(objects)) + b"".join(objects)
    return body + hashlib.sha1(body).digest()


def object_id(kind, contents):
    return hashlib.sha1(f"{kind} {len(contents)}\0".encode() + contents).hexdigest()


def tree(entries):
    return b"".join(f"{mode} {name}\0".encode() + bytes.fromhex(id) for mode, name, id in entries)


class Bomb:
    """A commit with its objects."""

    def __init__(self):
        self.objects = []

    def add(self, kind, contents):
        self.objects.append(packed({"commit": 1, "tree": 2, "blob": 3}[kind], contents))
        return object_id(kind, contents)

    def commit(self, top, parent):
        lines = f"tree {top}\nparent {parent}\nauthor M <m@x> 1 +0000\ncommitter M <m@x> 1 +0000\n\nBoom\n"
        return self.add("commit", lines.encode())


def tree_bomb(parent):
    bomb = Bomb()
    mode, id = "100644", bomb.add("blob", b"x")
    for _ in range(7):
        id = bomb.add("tree", tree([(mode, str(n), id) for n in range(10)]))
        mode = "40000"
    return bomb.commit(id, parent), pack(bomb.objects)


def delta_bomb(parent):
    copies = varint(8 << 20) + varint(384 * (8 << 20)) + b"\xc0\x80" * 384
    base = zlib.compress(b"\0" * (8 << 20))
    head = bytearray(packed(3, b"", 8 << 20))
    blob = bytes(head[: head.index(0x78)]) + base
    id = object_id("blob", b"\0" * (8 << 20))
    return "1" * 40, pack([blob, packed(7, copies, base=bytes.fromhex(id))])


def only_delta(parent):
    copies = varint(16 << 20) + varint(1 << 40) + b"\xc0\x80" * 384
    return "1" * 40, pack([packed(7, copies, base=b"\7" * 20)])


def liar(parent):
    return "1" * 40, pack([packed(3, b"\0" * (64 << 20), size=10)])


def cut(parent):
    commit, whole = tree_bomb(parent)
    return commit, whole[: random.randrange(len(whole))]


def many(parent):
    return "1" * 40, pack([packed(3, b"%d" % n) for n in range(20_000)])


def noise(parent):
    return "1" * 40, random.randbytes(random.randrange(5_000))


BOMBS = [tree_bomb, delta_bomb, only_delta, liar, cut, many, noise]


def line(text):
    return f"{len(text) + 4:04x}{text}".encode()


class Attacker(threading.Thread):
    """A guest with a seat who pushes bombs to the table's remote."""

    def __init__(self, port, number, until):
        super().__init__(daemon=True)
        self.client, self.number, self.until = Client(port, f"127.0.5.{number}"), number, until
        self.counts, self.error = Counter(), None

    def run(self):
        try:
            table = new_table(self.client)
            basic = base64.b64encode(f"me:{self.client.token}".encode()).decode()
            self.path, self.head = f"/git/{table}.git", {"Authorization": f"Basic {basic}"}
            for make in itertools.cycle([*BOMBS, None]):
                if time.monotonic() > self.until:
                    return
                self.push(make)
        except Exception as error:
            self.error = f"{type(error).__name__}: {error}"

    def push(self, make):
        refs = self.client.get(f"{self.path}/info/refs?service=git-receive-pack", self.head)
        if refs.status == 429:
            self.counts["429"] += 1
            return time.sleep(0.2)
        expect(refs.status == 200, f"refs: {refs}")
        tip = refs.body.split(b" refs/heads/main")[0][-40:].decode()
        if make:
            new, content = make(tip)
            commands = line(f"{tip} {new} refs/heads/main\0 report-status\n")
            name = make.__name__
        else:
            content, name = b"", "refs"
            commands = b"".join(
                line(f"{ZERO} {tip} refs/heads/b{n}" + ("\0 report-status\n" if n == 0 else "\n")) for n in range(5_000)
            )
        kind = {"Content-Type": "application/x-git-receive-pack-request"}
        answer = self.client.post(f"{self.path}/git-receive-pack", commands + b"0000" + content, self.head | kind)
        if answer.status == 429:
            self.counts["429"] += 1
            return
        expect(answer.status == 200 and b"ng refs/heads/" in answer.body, f"{name}: {answer}")
        self.counts[name] += 1
