//! Pushes that describe far more than they contain. The referee's work is bounded in objects and
//! bytes, and the tables are played.

use parlor_games::mnk;
use parlor_git::git::ReadBudget;
use parlor_git::paths::Slug;
use parlor_git::referee::RefereeReport;
use serde_json::json;

use crate::house::{Clone, House, git};

fn house() -> (House, Slug, [Clone; 3]) {
    let house = House::open(&["alice", "bob"]);
    let slug = house.table("t", mnk::KIND, json!({}), &["alice", "bob"]);
    let clones = ["alice", "bob", "mallory"].map(|name| house.clone_of(name));
    (house, slug, clones)
}

/// Runs the referee, which must have read no more than this.
#[track_caller]
fn referee_within(house: &House, objects: u64, bytes: u64) -> RefereeReport {
    let report = house.referee();
    let read = report.read;
    assert!(read.objects <= objects && read.bytes <= bytes, "{read:?}");
    report
}

/// Plays a move, which costs the referee next to nothing.
#[track_caller]
fn assert_goes_on(house: &House, slug: &Slug, players: &[Clone]) {
    let turn = house.state(slug)["turn"].as_u64().unwrap();
    let player = &players[if turn % 2 == 1 { 0 } else { 1 }];
    player.pull();
    let text = player.legal(slug)[0].clone();
    player.play(slug, &text).unwrap();
    referee_within(house, 60, 64 << 10);
    assert_eq!(house.state(slug)["turn"], turn + 1);
    assert_eq!(house.verify(slug).problems, []);
}

#[test]
fn a_tree_of_ten_million_files_is_read_once_and_put_back() {
    let (house, slug, clones) = house();
    let mallory = &clones[2];
    let blob = mallory.raw("blob", b"x");
    let mut tree = mallory.wide_tree("100644", 10, &blob);
    for _ in 0..6 {
        tree = mallory.wide_tree("40000", 10, &tree);
    }
    for name in ["bomb", "tables"] {
        mallory.fetch();
        let commit = mallory.commit_of_tree(&mallory.top_with("40000", name.as_bytes(), &tree));
        assert!(mallory.offer(&commit));
        let report = referee_within(&house, 100, 64 << 10);
        let told = report.actions.join("\n");
        assert!(told.contains("taken back: more than 10000 files"), "{told}");
        let files = git(house.branch.repository.path(), &["ls-tree", "-r", "main"]);
        assert!(files.lines().count() < 200);
        assert_goes_on(&house, &slug, &clones);
    }
}

#[test]
fn files_beside_the_tables_cost_a_move_nothing() {
    let (house, slug, clones) = house();
    let mallory = &clones[2];
    for (files, stay) in [(9_000, true), (11_000, false)] {
        mallory.fetch();
        let commands: String = (0..files)
            .map(|n| format!("M 100644 inline many{files}/{}/{n}\ndata 1\nx\n", n % 100))
            .collect();
        mallory.fast_import(&format!(
            "commit refs/heads/many\ncommitter M <m@x> 1700000100 +0000\ndata 1\nx\nfrom refs/heads/main\n{commands}"
        ));
        assert!(mallory.offer("refs/heads/many"));
        let report = referee_within(&house, 15_000, 2 << 20);
        let told = report.actions.join("\n");
        assert_eq!(
            !told.contains("taken back: more than 10000 files"),
            stay,
            "{told}"
        );
        assert_goes_on(&house, &slug, &clones);
        let kept = git(
            house.branch.repository.path(),
            &["ls-tree", "--name-only", "main"],
        );
        assert_eq!(
            kept.lines().any(|name| name == format!("many{files}")),
            stay
        );
    }
}

#[test]
fn thousands_of_commits_are_looked_at_once() {
    let (house, slug, clones) = house();
    let mallory = &clones[2];
    mallory.fetch();
    let commits: String = (0..4_000)
        .map(|n| {
            let from = if n == 0 { "from refs/heads/main\n" } else { "" };
            format!(
                "commit refs/heads/junk\ncommitter M <m@x> 1700000100 +0000\ndata 1\nx\n{from}M 100644 inline junk\ndata 4\n{n:04}\n"
            )
        })
        .collect();
    mallory.fast_import(&commits);
    assert!(mallory.offer("refs/heads/junk"));
    let report = referee_within(&house, 7_000, 8 << 20);
    let told = report.actions.join("\n");
    assert!(
        told.contains("more than 3000 commits were pushed at once"),
        "{told}"
    );
    assert_goes_on(&house, &slug, &clones);
    // Commits that each change what only the referee writes.
    mallory.fetch();
    let commits: String = (0..500)
        .map(|n| {
            let from = if n == 0 { "from refs/heads/main\n" } else { "" };
            format!(
                "commit refs/heads/more\ncommitter M <m@x> 1700000100 +0000\ndata 1\nx\n{from}M 100644 inline tables/t/moves/{n:04}-x-abcdef.json\ndata 2\n{{}}\n"
            )
        })
        .collect();
    mallory.fast_import(&commits);
    assert!(mallory.offer("refs/heads/more"));
    let report = referee_within(&house, 6_000, 24 << 20);
    assert!(report.actions.len() < 300, "{}", report.actions.len());
    assert_goes_on(&house, &slug, &clones);
}

#[test]
fn large_files_are_put_back_unread() {
    let (house, slug, clones) = house();
    let mallory = &clones[2];
    let large = mallory.raw("blob", &vec![b'x'; 17 << 20]);
    mallory.fetch();
    let commit = mallory.commit_of_tree(&mallory.top_with("100644", b"large", &large));
    assert!(mallory.offer(&commit));
    let report = referee_within(&house, 20, 16 << 10);
    assert!(
        report.actions[0].contains("has 17825792 bytes"),
        "{:?}",
        report.actions
    );
    assert_goes_on(&house, &slug, &clones);
    mallory.pull();
    mallory.push_file("tables/t/moves/0002-o-abcdef.json", &vec![b' '; 1 << 20]);
    let report = referee_within(&house, 60, 64 << 10);
    assert!(
        report.actions[0].contains("has 1048576 bytes"),
        "{:?}",
        report.actions
    );
    assert_goes_on(&house, &slug, &clones);
}

#[test]
fn a_pack_is_unpacked_within_the_limits_of_git() {
    let (house, slug, clones) = house();
    let repository = &house.branch.repository;
    // A delta of a file of the house that leads to a gigabyte: 64 copies of 16 megabytes.
    let base = repository.write_blob(&vec![b'x'; 16 << 20]).unwrap();
    let mut delta = vec![0x80, 0x80, 0x80, 0x08, 0x80, 0x80, 0x80, 0x80, 0x04];
    for _ in 0..65 {
        delta.extend([0xf0, 0xff, 0xff, 0xff]);
    }
    let pack = delta_pack(&base, &delta);
    let refused = repository
        .index_pack(&pack, pack.len())
        .unwrap_err()
        .to_string();
    assert!(refused.contains("over limit 67108864"), "{refused}");
    assert_goes_on(&house, &slug, &clones);
}

/// Returns a pack with a delta of an object.
fn delta_pack(base: &str, delta: &[u8]) -> Vec<u8> {
    let mut pack = b"PACK\0\0\0\x02\0\0\0\x01".to_vec();
    let size = delta.len();
    pack.extend([0xf0 | (size & 15) as u8, (size >> 4) as u8]);
    pack.extend(bytes_of(base));
    let length = u16::try_from(size).unwrap();
    pack.extend([0x78, 0x01, 1]);
    pack.extend(length.to_le_bytes());
    pack.extend((!length).to_le_bytes());
    pack.extend_from_slice(delta);
    let (mut a, mut b) = (1_u32, 0_u32);
    for byte in delta {
        a = (a + u32::from(*byte)) % 65_521;
        b = (b + a) % 65_521;
    }
    pack.extend((b << 16 | a).to_be_bytes());
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), &pack).unwrap();
    let sum = std::process::Command::new("sha1sum")
        .arg(file.path())
        .output()
        .unwrap();
    pack.extend(bytes_of(&String::from_utf8(sum.stdout).unwrap()[..40]));
    pack
}

fn bytes_of(hex: &str) -> Vec<u8> {
    let digits = (0..hex.len()).step_by(2);
    digits
        .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap())
        .collect()
}

#[test]
fn random_objects_are_pushed_while_two_play_on() {
    let (house, slug, clones) = house();
    let mallory = &clones[2];
    let mut random = Random(17);
    let (mut offered, mut played) = (0, 0);
    for round in 0..30 {
        mallory.fetch();
        let commit = random.commit(mallory);
        offered += usize::from(mallory.offer(&commit));
        // Sometimes the referee is late: then what was pushed stands between two moves.
        if round % 3 == 0 && played < 5 {
            house.referee();
            let turn = house.state(&slug)["turn"].as_u64().unwrap();
            let player = &clones[if turn % 2 == 1 { 0 } else { 1 }];
            player.pull();
            let text = player.legal(&slug)[0].clone();
            player.play(&slug, &text).unwrap();
            mallory.fetch();
            offered += usize::from(mallory.offer(&random.commit(mallory)));
            played += 1;
        }
        let report = house.referee();
        let ReadBudget { objects, bytes } = ReadBudget::REFEREE;
        assert!(report.read.objects < objects && report.read.bytes < bytes);
        assert_eq!(house.folder(&slug).moves().unwrap().len(), played);
        assert_eq!(house.verify(&slug).problems, []);
    }
    assert!(
        offered >= 10 && played >= 5,
        "{offered} offered, {played} played"
    );
}

/// Source of numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    /// Stores a tree with random names, modes and objects.
    fn tree(&mut self, clone: &Clone, depth: u64) -> String {
        const NAMES: [&[u8]; 12] = [
            b"tables",
            b"house.json",
            b"t",
            b"moves",
            b".git",
            b"..",
            b"state.json",
            b"\xff",
            b"0001-x-abcdef.json",
            b"a",
            b"table.json",
            b"index.json",
        ];
        const MODES: [&str; 6] = ["100644", "40000", "120000", "160000", "100664", "7"];
        let mut entries = Vec::new();
        for _ in 0..self.below(6) {
            let name = NAMES[self.below(12) as usize];
            let mode = MODES[self.below(6) as usize];
            let id = match mode {
                "40000" if depth > 0 => self.tree(clone, depth - 1),
                "160000" => "1".repeat(40),
                _ => clone.raw("blob", &self.bytes(40)),
            };
            entries.push((mode, name, id));
        }
        if self.below(2) == 0 {
            entries.sort_by_key(|(_, name, _)| *name);
            entries.dedup_by_key(|(_, name, _)| *name);
        }
        let entries: Vec<(&str, &[u8], &str)> = entries
            .iter()
            .map(|(mode, name, id)| (*mode, *name, id.as_str()))
            .collect();
        clone.raw_tree(&entries)
    }

    fn bytes(&mut self, most: u64) -> Vec<u8> {
        (0..self.below(most))
            .map(|_| self.below(256) as u8)
            .collect()
    }

    /// Stores a commit on top of the branch.
    fn commit(&mut self, clone: &Clone) -> String {
        let tree = match self.below(4) {
            0 => self.tree(clone, 3),
            1 => {
                let tables = self.tree(clone, 2);
                clone.top_with("40000", b"tables", &tables)
            }
            2 => {
                let other = self.tree(clone, 2);
                clone.top_with("40000", b"other", &other)
            }
            _ => git(&clone.path, &["rev-parse", "HEAD^{tree}"]),
        };
        let odd = self.bytes(60);
        match self.below(3) {
            0 => clone.commit_of_tree(&tree),
            1 => clone.raw_commit(&tree, b"committer M <alice@example.org>\n\n"),
            _ => clone.raw_commit(&tree, &[b"committer ", odd.as_slice()].concat()),
        }
    }
}
