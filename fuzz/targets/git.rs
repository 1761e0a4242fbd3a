//! Any bytes as a pack, a commit and a tree: they are read or refused, and never beyond a limit.

#![no_main]
#![allow(dead_code, reason = "the modules have more than is tried here")]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/parlor-git/src/objects/commit.rs"]
mod commit;
#[path = "../../crates/parlor-git/src/pack.rs"]
mod pack;
#[path = "../../crates/parlor-git/src/objects/tree.rs"]
mod tree;

use commit::RawCommit;
use pack::PackLimits;
use tree::RawTree;

fn check_pack(bytes: &[u8]) {
    let limits = PackLimits::MOVE;
    if let Ok(summary) = pack::check(bytes, &limits) {
        assert!(summary.objects <= limits.objects && summary.bytes <= limits.total);
        // Every byte counts: without the last one it is no pack.
        assert!(pack::check(&bytes[..bytes.len() - 1], &limits).is_err());
    }
}

/// Puts bytes where the objects of a pack are.
fn as_objects(bytes: &[u8]) -> Vec<u8> {
    let count = bytes.first().map_or(0, |byte| byte % 4);
    let objects = bytes.get(1..).unwrap_or_default();
    [
        b"PACK\0\0\0\x02\0\0\0".as_slice(),
        &[count],
        objects,
        &[0; 20],
    ]
    .concat()
}

fn check_tree(bytes: &[u8]) {
    let Ok(tree) = RawTree::parse(bytes, 20) else {
        return;
    };
    let mut written = Vec::new();
    for entry in &tree.entries {
        let _ = entry.check();
        written.extend_from_slice(entry.mode.as_bytes());
        written.push(b' ');
        written.extend_from_slice(&entry.name);
        written.push(0);
        written.extend(hex::decode(&entry.id).expect("an id is hexadecimal"));
    }
    assert_eq!(written, bytes, "what was read is all there was");
    let _ = tree.check_order();
}

fn check_commit(bytes: &[u8]) {
    let Some(commit) = RawCommit::parse(bytes) else {
        return;
    };
    for id in commit.parents.iter().chain([&commit.tree]) {
        assert!(matches!(id.len(), 40 | 64) && hex::decode(id).is_ok());
    }
    assert!((0..=253_402_300_799).contains(&commit.time));
}

fuzz_target!(|bytes: &[u8]| {
    check_pack(bytes);
    check_pack(&as_objects(bytes));
    check_tree(bytes);
    check_commit(bytes);
});
