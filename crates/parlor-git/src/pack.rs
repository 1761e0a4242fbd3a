//! Packs as others have made them, looked at before git sees them.
//!
//! A pack of a few hundred bytes can describe gigabytes: a delta copies its base four hundred
//! times, the next one its result. Git needs memory for every result. Here the headers are read,
//! and contents are unpacked only to find the next header, never kept, and never beyond a limit.
//! See <https://git-scm.com/docs/gitformat-pack>.

use std::fmt;

use flate2::{Decompress, FlushDecompress, Status};

/// Length of a pack's checksum, in bytes.
const CHECKSUM: usize = 20;
/// Bytes that are unpacked at a time.
const STEP: usize = 4 << 10;
/// Most bytes of a delta's head: two sizes.
const DELTA_HEAD: usize = 20;

/// Limits on the contents of a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackLimits {
    /// Number of objects.
    pub objects: u32,
    /// Size of a commit, blob or tag in bytes.
    pub object: u64,
    /// Size of a tree in bytes, and of what a delta leads to, which may be a tree.
    pub tree: u64,
    /// Size of all objects together, in bytes.
    pub total: u64,
}

impl PackLimits {
    /// For a single move: a commit, a file and the folders above it. The folder of a table's moves
    /// grows to half a megabyte, if the game is as long as a game can be.
    pub const MOVE: PackLimits = PackLimits {
        objects: 64,
        object: 64 << 10,
        tree: 640 << 10,
        total: 2 << 20,
    };
}

/// Kind of an object in a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackedKind {
    /// A commit.
    Commit,
    /// A folder.
    Tree,
    /// A file.
    Blob,
    /// A tag.
    Tag,
    /// A change of another object, which may be of any kind.
    Delta,
}

impl fmt::Display for PackedKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PackedKind::Commit => "commit",
            PackedKind::Tree => "folder",
            PackedKind::Blob => "file",
            PackedKind::Tag => "tag",
            PackedKind::Delta => "change",
        })
    }
}

/// Reason why a pack is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadPack {
    /// The bytes do not begin as a pack does.
    #[error("this is no pack of version 2")]
    Header,
    /// The pack ends before its last object.
    #[error("the pack ends in the middle of object {0}")]
    Cut(u32),
    /// An object's header or contents make no sense.
    #[error("object {number} of the pack is damaged: {reason}")]
    Object {
        /// Number of the object, from 1.
        number: u32,
        /// Description of the problem.
        reason: &'static str,
    },
    /// There are bytes after the last object and the checksum, or too few for it.
    #[error("the pack does not end after its last object")]
    End,
    /// There are too many objects.
    #[error("{count} objects, more than any move needs: at most {most} are allowed")]
    TooManyObjects {
        /// Number of objects.
        count: u32,
        /// Most objects allowed.
        most: u32,
    },
    /// An object is too large.
    #[error("a {kind} of {size} bytes, more than any move needs: at most {most} are allowed")]
    TooLarge {
        /// Kind of the object.
        kind: PackedKind,
        /// Its size in bytes, or what a delta leads to.
        size: u64,
        /// Most bytes allowed.
        most: u64,
    },
    /// All objects together are too large.
    #[error("objects of more than {most} bytes together, more than any move needs")]
    TooMuch {
        /// Most bytes allowed.
        most: u64,
    },
}

impl BadPack {
    /// Returns true if the pack could be right, but contains too much.
    pub fn is_too_much(&self) -> bool {
        matches!(
            self,
            BadPack::TooManyObjects { .. } | BadPack::TooLarge { .. } | BadPack::TooMuch { .. }
        )
    }
}

/// Number and size of the objects in a pack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PackSummary {
    /// Number of objects.
    pub objects: u32,
    /// Size of all objects in bytes, each delta counted as what it leads to.
    pub bytes: u64,
}

/// Checks that a pack is complete and within limits. The checksum, and what deltas refer to, are
/// left to git.
///
/// # Errors
/// [`BadPack`] for the first reason not to accept it.
pub fn check(pack: &[u8], limits: &PackLimits) -> Result<PackSummary, BadPack> {
    let (head, rest) = pack.split_first_chunk::<12>().ok_or(BadPack::Header)?;
    let [b'P', b'A', b'C', b'K', 0, 0, 0, 2, count @ ..] = *head else {
        return Err(BadPack::Header);
    };
    let count = u32::from_be_bytes(count);
    if count > limits.objects {
        let most = limits.objects;
        return Err(BadPack::TooManyObjects { count, most });
    }
    let mut walk = Walk {
        rest,
        number: 0,
        limits,
        bytes: 0,
    };
    for number in 1..=count {
        walk.number = number;
        walk.object()?;
    }
    if walk.rest.len() != CHECKSUM {
        return Err(BadPack::End);
    }
    Ok(PackSummary {
        objects: count,
        bytes: walk.bytes,
    })
}

/// Position in a pack.
struct Walk<'a> {
    rest: &'a [u8],
    /// Number of the current object, from 1.
    number: u32,
    limits: &'a PackLimits,
    /// Size of the objects so far.
    bytes: u64,
}

impl Walk<'_> {
    /// Passes an object.
    fn object(&mut self) -> Result<(), BadPack> {
        let (kind, size) = self.head()?;
        self.check_size(kind, size)?;
        if kind != PackedKind::Delta {
            self.contents(size, 0)?;
            return self.count(size);
        }
        let head = self.contents(size, DELTA_HEAD)?;
        let mut head = head.as_slice();
        let sizes = [read_size(&mut head), read_size(&mut head)];
        let [Some(base), Some(result)] = sizes else {
            return Err(self.damaged("a change does not begin with two sizes"));
        };
        // Git needs memory for both.
        self.check_size(kind, base)?;
        self.check_size(kind, result)?;
        self.count(result)
    }

    /// Reads an object's kind and size, and for a delta passes the reference to its base.
    fn head(&mut self) -> Result<(PackedKind, u64), BadPack> {
        let first = self.byte()?;
        let mut size = u64::from(first & 15);
        let (mut shift, mut more) = (4, first & 128 != 0);
        while more {
            let byte = self.byte()?;
            if shift > 56 {
                return Err(self.damaged("its size has too many digits"));
            }
            size |= u64::from(byte & 127) << shift;
            (shift, more) = (shift + 7, byte & 128 != 0);
        }
        let kind = match first >> 4 & 7 {
            1 => PackedKind::Commit,
            2 => PackedKind::Tree,
            3 => PackedKind::Blob,
            4 => PackedKind::Tag,
            6 => {
                // The distance of the base.
                let mut left = 10;
                while self.byte()? & 128 != 0 {
                    left -= 1;
                    if left == 0 {
                        return Err(self.damaged("the distance of its base has too many digits"));
                    }
                }
                PackedKind::Delta
            }
            7 => {
                let id = self.rest.split_at_checked(CHECKSUM);
                self.rest = id.ok_or(BadPack::Cut(self.number))?.1;
                PackedKind::Delta
            }
            _ => return Err(self.damaged("there is no such kind of object")),
        };
        Ok((kind, size))
    }

    fn check_size(&self, kind: PackedKind, size: u64) -> Result<(), BadPack> {
        let most = match kind {
            PackedKind::Tree | PackedKind::Delta => self.limits.tree,
            PackedKind::Commit | PackedKind::Blob | PackedKind::Tag => self.limits.object,
        };
        if size > most {
            return Err(BadPack::TooLarge { kind, size, most });
        }
        Ok(())
    }

    fn count(&mut self, size: u64) -> Result<(), BadPack> {
        self.bytes += size;
        let most = self.limits.total;
        if self.bytes > most {
            return Err(BadPack::TooMuch { most });
        }
        Ok(())
    }

    /// Unpacks contents of a known size, and returns their first bytes.
    fn contents(&mut self, size: u64, keep: usize) -> Result<Vec<u8>, BadPack> {
        let mut inflate = Decompress::new(true);
        let (mut kept, mut buffer) = (Vec::with_capacity(keep), [0; STEP]);
        loop {
            let (read, written) = (inflate.total_in(), inflate.total_out());
            let status = inflate
                .decompress(self.rest, &mut buffer, FlushDecompress::None)
                .map_err(|_| self.damaged("it cannot be unpacked"))?;
            let new = usize::try_from(inflate.total_out() - written).unwrap_or(STEP);
            let used = usize::try_from(inflate.total_in() - read).unwrap_or(usize::MAX);
            let wanted = keep.saturating_sub(kept.len()).min(new);
            kept.extend_from_slice(&buffer[..wanted]);
            self.rest = self.rest.get(used..).unwrap_or_default();
            if inflate.total_out() > size {
                return Err(self.damaged("it is longer than its header says"));
            }
            if status == Status::StreamEnd {
                break;
            }
            if new == 0 && (used == 0 || self.rest.is_empty()) {
                return Err(BadPack::Cut(self.number));
            }
        }
        if inflate.total_out() < size {
            return Err(self.damaged("it is shorter than its header says"));
        }
        Ok(kept)
    }

    fn byte(&mut self) -> Result<u8, BadPack> {
        let (first, rest) = self.rest.split_first().ok_or(BadPack::Cut(self.number))?;
        self.rest = rest;
        Ok(*first)
    }

    fn damaged(&self, reason: &'static str) -> BadPack {
        BadPack::Object {
            number: self.number,
            reason,
        }
    }
}

/// Reads a size at the beginning of a delta; `None` if there is none.
fn read_size(bytes: &mut &[u8]) -> Option<u64> {
    let (mut size, mut shift) = (0, 0);
    loop {
        let (first, rest) = bytes.split_first()?;
        *bytes = rest;
        size |= u64::from(first & 127).checked_shl(shift)?;
        if first & 128 == 0 {
            return Some(size);
        }
        shift += 7;
        if shift > 56 {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::ZlibEncoder;

    use super::*;

    const LIMITS: PackLimits = PackLimits {
        objects: 4,
        object: 1_000,
        tree: 5_000,
        total: 8_000,
    };

    fn varint(mut size: u64, first_bits: u32, kind: u8) -> Vec<u8> {
        let mask = (1 << first_bits) - 1;
        let mut bytes = vec![kind << 4 | (size & mask) as u8];
        size >>= first_bits;
        while size > 0 {
            *bytes.last_mut().unwrap() |= 128;
            bytes.push((size & 127) as u8);
            size >>= 7;
        }
        bytes
    }

    fn object(kind: u8, claimed: u64, contents: &[u8]) -> Vec<u8> {
        let mut bytes = varint(claimed, 4, kind);
        if kind == 7 {
            bytes.extend([9; 20]);
        }
        if kind == 6 {
            bytes.push(5);
        }
        let mut packed = ZlibEncoder::new(bytes, Compression::best());
        packed.write_all(contents).unwrap();
        packed.finish().unwrap()
    }

    fn whole(kind: u8, contents: &[u8]) -> Vec<u8> {
        object(kind, contents.len() as u64, contents)
    }

    fn delta(kind: u8, base: u64, result: u64) -> Vec<u8> {
        let mut contents = varint(base, 7, 0);
        contents.extend(varint(result, 7, 0));
        contents.extend([0x91, 0, 1]);
        whole(kind, &contents)
    }

    fn pack(objects: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = b"PACK\0\0\0\x02".to_vec();
        bytes.extend((objects.len() as u32).to_be_bytes());
        bytes.extend(objects.concat());
        bytes.extend([0; 20]);
        bytes
    }

    fn checked(objects: &[Vec<u8>]) -> Result<PackSummary, BadPack> {
        check(&pack(objects), &LIMITS)
    }

    #[test]
    fn a_pack_within_its_limits_is_summed_up() {
        let objects = [
            whole(1, b"a commit"),
            whole(2, &[1; 4_000]),
            whole(3, b""),
            delta(7, 5_000, 3_000),
        ];
        let summary = PackSummary {
            objects: 4,
            bytes: 8 + 4_000 + 3_000,
        };
        assert_eq!(checked(&objects), Ok(summary));
        assert_eq!(checked(&[]), Ok(PackSummary::default()));
        let whole_pack = pack(&objects);
        for cut in 0..whole_pack.len() {
            assert!(check(&whole_pack[..cut], &LIMITS).is_err(), "{cut}");
        }
        let more = [whole_pack.as_slice(), b"x"].concat();
        assert_eq!(check(&more, &LIMITS), Err(BadPack::End));
    }

    #[test]
    fn what_is_too_much_is_named_with_its_limit() {
        let many = vec![whole(3, b""); 5];
        assert_eq!(
            checked(&many),
            Err(BadPack::TooManyObjects { count: 5, most: 4 })
        );
        let (kind, most) = (PackedKind::Blob, 1_000);
        let large = Err(BadPack::TooLarge {
            kind,
            size: 1_001,
            most,
        });
        assert_eq!(checked(&[whole(3, &[0; 1_001])]), large);
        // The header alone is enough.
        assert_eq!(checked(&[object(3, 1_001, b"")]), large);
        let (kind, most) = (PackedKind::Delta, 5_000);
        for (base, result, size) in [(7, 1 << 40, 1 << 40), (5_001, 1, 5_001)] {
            let too_large = Err(BadPack::TooLarge { kind, size, most });
            assert_eq!(checked(&[delta(6, base, result)]), too_large);
            assert_eq!(checked(&[delta(7, base, result)]), too_large);
        }
        let sum = checked(&[delta(6, 9, 5_000), delta(6, 9, 5_000)]);
        assert_eq!(sum, Err(BadPack::TooMuch { most: 8_000 }));
        assert!(sum.is_err_and(|bad| bad.is_too_much()));
    }

    #[test]
    fn what_a_header_says_is_not_believed() {
        let damaged = |objects: &[Vec<u8>], reason: &'static str| {
            let expected = BadPack::Object { number: 1, reason };
            assert_eq!(checked(objects), Err(expected));
        };
        damaged(
            &[object(3, 5, &[0; 900_000])],
            "it is longer than its header says",
        );
        damaged(
            &[object(3, 5, b"four")],
            "it is shorter than its header says",
        );
        damaged(&[whole(0, b"")], "there is no such kind of object");
        damaged(&[whole(5, b"")], "there is no such kind of object");
        damaged(&[whole(6, b"")], "a change does not begin with two sizes");
        damaged(
            &[whole(6, &[255; 20])],
            "a change does not begin with two sizes",
        );
        damaged(&[vec![0x30, 1, 2, 3, 4]], "it cannot be unpacked");
        damaged(&[vec![255; 40]], "its size has too many digits");
        damaged(
            &[[vec![0x60], vec![255; 40]].concat()],
            "the distance of its base has too many digits",
        );
        assert_eq!(check(b"PACK", &LIMITS), Err(BadPack::Header));
        assert_eq!(check(&pack(&[])[..12], &LIMITS), Err(BadPack::End));
        let mut third = pack(&[]);
        third[7] = 3;
        assert_eq!(check(&third, &LIMITS), Err(BadPack::Header));
    }
}
