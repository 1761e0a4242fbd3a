//! Pushes to a table's remote that describe far more than they contain: each is refused with a
//! sentence before it costs anything, and the game goes on.

use std::io::Write;
use std::num::NonZeroU32;
use std::process::{Command, Stdio};
use std::time::Duration;

use axum::http::StatusCode;
use serde_json::json;

use super::house::{House, classic};

const ZERO: &str = "0000000000000000000000000000000000000000";

/// Runs git in a folder with input and returns its output.
fn git(at: &std::path::Path, args: &[&str], input: &[u8]) -> Vec<u8> {
    let mut child = Command::new("git")
        .arg("-C")
        .arg(at)
        .args(args)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let done = child.wait_with_output().unwrap();
    assert!(done.status.success(), "{args:?}");
    done.stdout
}

/// A repository to make packs in.
struct Workshop(tempfile::TempDir);

impl Workshop {
    fn new() -> Workshop {
        let dir = tempfile::tempdir().unwrap();
        git(dir.path(), &["init", "--quiet", "--bare"], b"");
        Workshop(dir)
    }

    fn object(&self, kind: &str, bytes: &[u8]) -> String {
        let args = ["hash-object", "-t", kind, "-w", "--literally", "--stdin"];
        let id = git(self.0.path(), &args, bytes);
        String::from_utf8(id).unwrap().trim().to_owned()
    }

    fn tree(&self, mode: &str, width: usize, id: &str) -> String {
        let entries: String = (0..width)
            .map(|n| {
                let kind = if mode == "40000" { "tree" } else { "blob" };
                format!("{mode} {kind} {id}\t{n:04}\n")
            })
            .collect();
        let id = git(self.0.path(), &["mktree", "--missing"], entries.as_bytes());
        String::from_utf8(id).unwrap().trim().to_owned()
    }

    fn commit(&self, tree: &str, parent: &str) -> String {
        let text = format!(
            "tree {tree}\nparent {parent}\nauthor A <a@x> 1 +0000\ncommitter A <a@x> 1 +0000\n\nx\n"
        );
        self.object("commit", text.as_bytes())
    }

    fn pack(&self, ids: &[String]) -> Vec<u8> {
        let list = ids.join("\n");
        git(
            self.0.path(),
            &["pack-objects", "--quiet", "--stdout"],
            list.as_bytes(),
        )
    }
}

fn pkt_line(text: &str) -> Vec<u8> {
    format!("{:04x}{text}", text.len() + 4).into_bytes()
}

/// A table, and a player's way to it.
struct Target {
    house: House,
    id: String,
    token: String,
    tip: String,
}

impl Target {
    async fn new() -> Target {
        let house = House::open().await;
        let (id, tokens) = house.two(classic()).await;
        let url = format!(
            "{}/git/{id}.git/info/refs?service=git-receive-pack",
            house.url
        );
        let refs = house
            .client
            .get(url)
            .bearer_auth(&tokens[0])
            .send()
            .await
            .unwrap();
        let refs = refs.text().await.unwrap();
        let at = refs.find(" refs/heads/main").unwrap();
        let tip = refs[at - 40..at].to_owned();
        let [token, _] = tokens;
        Target {
            house,
            id,
            token,
            tip,
        }
    }

    async fn push(&self, commands: &[u8], pack: &[u8]) -> (StatusCode, String) {
        let url = format!("{}/git/{}.git/git-receive-pack", self.house.url, self.id);
        let body = [commands, b"0000", pack].concat();
        let request = self.house.client.post(url).bearer_auth(&self.token);
        let request = request.header("content-type", "application/x-git-receive-pack-request");
        let answer = request.body(body).send().await.unwrap();
        (answer.status(), answer.text().await.unwrap())
    }

    /// Pushes a commit to the branch, which must be refused for a reason.
    async fn refused(&self, new: &str, pack: &[u8], words: &[&str]) {
        let command = format!(
            "{} {new} refs/heads/main\0 report-status side-band-64k\n",
            self.tip
        );
        let (status, said) = self.push(&pkt_line(&command), pack).await;
        assert_eq!(status, 200, "{said}");
        assert!(said.contains("ng refs/heads/main"), "{said}");
        assert!(
            words.iter().all(|word| said.contains(word)),
            "{words:?}: {said}"
        );
    }

    async fn goes_on(&self) {
        let moved = json!({ "move": "1,1" });
        let played = self.house.act(&self.token, &self.id, "moves", moved).await;
        played.expect(200);
        assert_eq!(self.house.table(&self.id).await["plies"], 1);
        let refs = format!("/git/{}.git/info/refs?service=git-upload-pack", self.id);
        assert_eq!(self.house.get(&refs).await.status, 200);
    }
}

#[tokio::test]
async fn a_tree_of_ten_million_files_is_refused_by_its_first_thousands() {
    let (target, shop) = (Target::new().await, Workshop::new());
    let mut all = vec![shop.object("blob", b"x")];
    all.push(shop.tree("100644", 10, &all[0]));
    for _ in 0..6 {
        all.push(shop.tree("40000", 10, all.last().unwrap()));
    }
    let commit = shop.commit(all.last().unwrap(), &target.tip);
    all.push(commit.clone());
    let pack = shop.pack(&all);
    assert!(
        pack.len() < 2_000,
        "{} bytes for ten million files",
        pack.len()
    );
    target
        .refused(&commit, &pack, &["too much", "more than 10000 files"])
        .await;
    // Folders inside one another without an end.
    let mut all = vec![shop.object("blob", b"y")];
    all.push(shop.tree("100644", 1, &all[0]));
    for _ in 0..50 {
        all.push(shop.tree("40000", 1, all.last().unwrap()));
    }
    let commit = shop.commit(all.last().unwrap(), &target.tip);
    all.push(commit.clone());
    target
        .refused(&commit, &shop.pack(&all), &["folders inside one another"])
        .await;
    target.goes_on().await;
}

/// Returns an object of a pack: its kind, the size that its head claims, what follows the head, and
/// its contents.
fn packed(kind: u8, mut size: usize, base: &[u8], contents: &[u8]) -> Vec<u8> {
    let mut bytes = vec![kind << 4 | (size & 15) as u8];
    size >>= 4;
    while size > 0 {
        *bytes.last_mut().unwrap() |= 128;
        bytes.push((size & 127) as u8);
        size >>= 7;
    }
    bytes.extend_from_slice(base);
    // A stored block of zlib; its checksum is Adler-32.
    let (mut a, mut b) = (1_u32, 0_u32);
    for byte in contents {
        a = (a + u32::from(*byte)) % 65_521;
        b = (b + a) % 65_521;
    }
    let length = u16::try_from(contents.len()).unwrap();
    bytes.extend([0x78, 0x01, 1]);
    bytes.extend(length.to_le_bytes());
    bytes.extend((!length).to_le_bytes());
    bytes.extend_from_slice(contents);
    bytes.extend((b << 16 | a).to_be_bytes());
    bytes
}

fn pack(objects: &[Vec<u8>]) -> Vec<u8> {
    let count = u32::try_from(objects.len()).unwrap().to_be_bytes();
    [
        b"PACK\0\0\0\x02",
        count.as_slice(),
        &objects.concat(),
        &[0; 20],
    ]
    .concat()
}

fn varint(mut size: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while size > 127 {
        bytes.push((size & 127) as u8 | 128);
        size >>= 7;
    }
    bytes.push(size as u8);
    bytes
}

#[tokio::test]
async fn deltas_that_grow_and_packs_that_lie_are_refused_by_their_heads() {
    let target = Target::new().await;
    let commit = "1".repeat(40);
    // 384 copies of eight megabytes: three gigabytes.
    let mut copies = [varint(8 << 20), varint(384 * (8 << 20))].concat();
    for _ in 0..384 {
        copies.extend([0xc0, 0x80]);
    }
    let bomb = packed(7, copies.len(), &[0x77; 20], &copies);
    let bytes = pack(&[packed(3, 1, b"", b"x"), bomb]);
    assert!(bytes.len() < 8 << 10);
    let words = [
        "too much",
        "a change of 8388608 bytes",
        "at most 655360 are allowed",
    ];
    target.refused(&commit, &bytes, &words).await;
    // The folder of a table's moves may be a change; many of the largest together are too much.
    let grown = [varint(640 << 10), varint(640 << 10)].concat();
    let four = vec![packed(7, grown.len(), &[7; 20], &grown); 4];
    target
        .refused(&commit, &pack(&four), &["more than 2097152 bytes together"])
        .await;
    let many = vec![packed(3, 0, b"", b""); 65];
    target
        .refused(
            &commit,
            &pack(&many),
            &["65 objects", "at most 64 are allowed"],
        )
        .await;
    let claims = packed(3, 1 << 40, b"", b"");
    target
        .refused(
            &commit,
            &pack(&[claims]),
            &["a file of 1099511627776 bytes"],
        )
        .await;
    let lies = packed(3, 1, b"", &[0; 60_000]);
    target
        .refused(&commit, &pack(&[lies]), &["longer than its header says"])
        .await;
    let whole = pack(&[packed(3, 1, b"", b"x")]);
    for cut in [0, 11, 12, 15, whole.len() - 21] {
        target
            .refused(&commit, &whole[..cut], &["broken", "pack"])
            .await;
    }
    target.refused(&commit, &whole, &["broken"]).await;
    target.goes_on().await;
}

#[tokio::test]
async fn a_flood_of_refs_is_answered_with_sixteen_lines() {
    let target = Target::new().await;
    let mut commands = Vec::new();
    for n in 0..8_000 {
        let capabilities = if n == 0 { "\0 report-status" } else { "" };
        let line = format!("{ZERO} {} refs/heads/b{n}{capabilities}\n", target.tip);
        commands.extend(pkt_line(&line));
    }
    let (status, said) = target.push(&commands, b"").await;
    assert_eq!(status, 200);
    assert_eq!(said.matches("only main").count(), 16, "{said}");
    assert!(said.len() < 2_000);
    let more = vec![b'x'; 2 << 20];
    let (status, _) = target.push(&more, b"").await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
    target.goes_on().await;
}

#[tokio::test]
async fn git_has_a_budget_of_its_own_for_each_address() {
    let house =
        House::with(|config| config.limits.git_seconds_per_minute = NonZeroU32::new(1)).await;
    let (id, _) = house.two(classic()).await;
    let refs = format!("/git/{id}.git/info/refs?service=git-upload-pack");
    let (mut served, mut refused) = (0, None);
    // Four seconds at twenty milliseconds or more.
    for _ in 0..400 {
        let answer = house.get(&refs).await;
        if answer.status == 200 {
            served += 1;
        } else {
            refused = Some(answer);
            break;
        }
    }
    let refused = refused.expect("the time is used up");
    assert_eq!(refused.status, 429);
    assert!(
        served > 0 && refused.text.contains("its time for git"),
        "{served}: {}",
        refused.text
    );
    assert!(refused.headers.contains_key("retry-after"));
    assert_eq!(
        house.get(&format!("/t/{id}")).await.status,
        200,
        "everything else is served"
    );
}

#[tokio::test]
async fn an_address_has_only_so_many_requests_of_git_at_once() {
    let house = House::with(|config| config.limits.git_at_once = 0).await;
    let (id, _) = house.two(classic()).await;
    let refs = format!(
        "{}/git/{id}.git/info/refs?service=git-upload-pack",
        house.url
    );
    let answer = house
        .client
        .get(&refs)
        .timeout(Duration::from_secs(60))
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), 429);
    let said = answer.text().await.unwrap();
    assert!(said.contains("under way"), "{said}");
}
