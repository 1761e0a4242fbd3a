//! Tables as git remotes, using the installed git: cloning, pushing, refusals, and concurrent play
//! by other means.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use parlor_git::Repository;
use parlor_git::paths::Slug;
use parlor_git::player::{PlayRequest, PlayerError, play, position, read_folder};
use parlor_git::verify::verify;
use parlor_store::Store;
use reqwest::Method;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::house::{Answer, Folder, House, classic, sqlite};

/// A clone of a table.
struct Clone {
    dir: TempDir,
    slug: Slug,
}

fn run(path: &Path, args: &[&str]) -> Output {
    let mut git = Command::new("git");
    git.arg("-C").arg(path).args([
        "-c",
        "user.name=Ann",
        "-c",
        "user.email=ann@example.org",
        "-c",
        "http.proxy=",
    ]);
    git.args(args)
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1");
    git.output().unwrap()
}

fn words(output: &Output) -> String {
    String::from_utf8_lossy(&[output.stdout.as_slice(), &output.stderr].concat()).into_owned()
}

/// Runs git on another thread, since the server runs on the test's own.
async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(work).await.unwrap()
}

fn remote(house: &House, id: &str, token: &str) -> String {
    let host = house.url.strip_prefix("http://").unwrap();
    format!("http://me:{token}@{host}/git/{id}.git")
}

impl Clone {
    async fn of(house: &House, id: &str, token: &str) -> Clone {
        let (url, slug) = (remote(house, id, token), id.parse().unwrap());
        aside(move || {
            let dir = tempfile::tempdir().unwrap();
            let cloned = run(dir.path(), &["clone", "--quiet", &url, "table"]);
            assert!(cloned.status.success(), "{}", words(&cloned));
            let clone = Clone { dir, slug };
            for (name, value) in [
                ("user.name", "Ann"),
                ("user.email", "ann@example.org"),
                ("commit.gpgsign", "false"),
            ] {
                clone.git(&["config", name, value]);
            }
            clone
        })
        .await
    }

    fn path(&self) -> PathBuf {
        self.dir.path().join("table")
    }

    fn folder(&self) -> PathBuf {
        self.path().join("tables").join(self.slug.as_str())
    }

    /// Runs git, which must succeed, and returns its output.
    #[track_caller]
    fn git(&self, args: &[&str]) -> String {
        let done = run(&self.path(), args);
        assert!(done.status.success(), "git {args:?}: {}", words(&done));
        words(&done).trim_end().to_owned()
    }

    fn state(&self) -> Value {
        serde_json::from_slice(&fs::read(self.folder().join("state.json")).unwrap()).unwrap()
    }

    /// Commits a move as `parlor git move` does.
    fn play(&self, text: &str) -> Result<String, PlayerError> {
        self.play_to(text, Some("origin"))
    }

    fn play_to(&self, text: &str, remote: Option<&str>) -> Result<String, PlayerError> {
        let wanted = PlayRequest {
            table: &self.slug,
            text,
            seat: None,
            comment: None,
            remote,
            now: 1_800_000_000,
        };
        play(&Repository::open(&self.path()).unwrap(), &wanted)
    }

    /// Pushes the commits, which must be refused for this reason without leaving a trace.
    #[track_caller]
    fn refused(&self, args: &[&str], reason: &str) {
        let mut push = vec!["push", "origin"];
        push.extend(args);
        let done = run(&self.path(), &push);
        let said = words(&done);
        assert!(
            !done.status.success() && said.contains(reason),
            "{args:?}: {said}"
        );
        assert!(said.contains("remote: "), "{said}");
    }

    fn back(&self) {
        self.git(&["reset", "--quiet", "--hard", "origin/main"]);
        self.git(&["clean", "-fdq"]);
    }

    fn commit(&self, path: &str, content: &str) {
        fs::create_dir_all(self.path().join(path).parent().unwrap()).unwrap();
        fs::write(self.path().join(path), content).unwrap();
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "-m", "A try"]);
    }

    #[track_caller]
    fn assert_sound(&self) {
        let checked = verify(&read_folder(&self.folder()).unwrap());
        assert_eq!(checked.problems, []);
        self.git(&["fsck", "--strict", "--no-dangling"]);
    }
}

#[tokio::test]
async fn a_table_is_played_by_git_and_by_requests_at_once() {
    let house = House::open().await;
    let (id, tokens) = house.two(classic()).await;
    let ann = Clone::of(&house, &id, &tokens[0]).await;
    let before = ann.git(&["rev-parse", "HEAD"]);
    let ann = aside(move || ann.play("1,1").map(|path| (ann, path))).await;
    let (ann, path) = ann.unwrap();
    assert_eq!(house.table(&id).await["plies"], 1);
    house
        .act(&tokens[1], &id, "moves", json!({ "move": "0,0" }))
        .await
        .expect(200);
    let ann = aside(move || {
        ann.git(&["pull", "--quiet", "--ff-only"]);
        let log = ann.git(&[
            "log",
            "--format=%an <%ae> %s",
            "--reverse",
            &format!("{before}..HEAD"),
        ]);
        let lines: Vec<&str> = log.lines().collect();
        assert_eq!(
            lines[0],
            format!("Ann <ann@example.org> Play 1,1 at {}", ann.slug)
        );
        assert_eq!(lines[2], "Bob <player@parlor.invalid> O: 0,0");
        assert_eq!(
            lines.len(),
            3,
            "a pushed move, the house's answer, a move by request: {log}"
        );
        let added = ann.git(&["show", "--format=", "--name-status", "HEAD~2"]);
        assert_eq!(added, format!("A\t{path}"));
        assert_eq!(ann.state()["lastMove"]["sequence"], 2);
        ann.assert_sound();
        ann
    })
    .await;
    let ann = aside(move || {
        ann.play("2,2").unwrap();
        ann
    })
    .await;
    assert_eq!(house.table(&id).await["plies"], 3);
    let resigned = house
        .act(&tokens[1], &id, "resign", json!({}))
        .await
        .expect(200);
    assert_eq!(resigned["status"], "over");
    aside(move || {
        ann.git(&["pull", "--quiet", "--ff-only"]);
        assert_eq!(ann.state()["status"], "completed");
        ann.assert_sound();
        let late = ann.play("2,0").unwrap_err().to_string();
        assert_eq!(late, "Game is already finished");
    })
    .await;
}

/// Checks that a house that is restarted makes the same commits as those of a clone.
async fn assert_same_tip_after_restart(house: House, id: &str, token: &str, clone: Clone) {
    let house = house.restart().await;
    let url = remote(&house, id, token);
    aside(move || {
        let tip = clone.git(&["rev-parse", "HEAD"]);
        let refs = clone.git(&["ls-remote", &url, "main"]);
        assert_eq!(refs, format!("{tip}\trefs/heads/main"));
    })
    .await;
}

#[tokio::test]
async fn another_process_makes_the_same_commits() {
    let house = House::open().await;
    let (id, tokens) = house.two(classic()).await;
    let ann = Clone::of(&house, &id, &tokens[0]).await;
    let ann = aside(move || ann.play("1,1").map(|_| ann)).await.unwrap();
    house
        .act(&tokens[1], &id, "moves", json!({ "move": "0,0" }))
        .await
        .expect(200);
    let ann = aside(move || {
        ann.git(&["pull", "--quiet", "--ff-only"]);
        ann.play("2,2").unwrap();
        ann.git(&["pull", "--quiet", "--ff-only"]);
        ann
    })
    .await;
    assert_same_tip_after_restart(house, &id, &tokens[0], ann).await;
}

#[tokio::test]
async fn whoever_may_not_push_is_asked_for_a_token_and_may_fetch() {
    let house = House::open().await;
    let (id, _) = house.two(classic()).await;
    let refs = format!("/git/{id}.git/info/refs?service=");
    let asked = house.get(&format!("{refs}git-receive-pack")).await;
    assert_eq!(asked.status, 401);
    assert!(
        asked.headers["www-authenticate"]
            .to_str()
            .unwrap()
            .starts_with("Basic realm=")
    );
    assert_eq!(
        house.get(&format!("{refs}git-upload-pack")).await.status,
        200
    );
    assert_eq!(house.get(&format!("{refs}sh")).await.status, 403);
    assert_eq!(
        house
            .get("/git/00000000000.git/info/refs?service=git-upload-pack")
            .await
            .status,
        404
    );
    assert_eq!(
        house
            .get("/git/..%2f..%2fetc/info/refs?service=git-upload-pack")
            .await
            .status,
        404
    );
    let browser = house.get(&format!("/git/{id}")).await;
    assert!(
        browser.text.contains("<svg"),
        "a browser is led to the table"
    );
    let (member, anybody) = (house.member("Eve").await, remote(&house, &id, "wrong"));
    let eve = Clone::of(&house, &id, &member).await;
    aside(move || {
        let wrong = run(&eve.path(), &["push", &anybody, "main"]);
        assert!(
            words(&wrong).contains("Authentication failed"),
            "{}",
            words(&wrong)
        );
        eve.play_to("1,1", None).unwrap();
        eve.refused(&["main"], "you have no seat at this table");
    })
    .await;
    assert_eq!(house.table(&id).await["plies"], 0);
}

#[tokio::test]
async fn a_fetch_that_takes_too_long_says_that_nothing_was_changed() {
    let folder = Folder::new();
    let store = Store::open(&sqlite(&folder.0)).await.unwrap();
    let house = House::on(store.clone()).await;
    let (id, _) = house.two(classic()).await;
    // Starting git takes longer.
    let hasty = House::on_with(store, |config| {
        config.limits.request_time = Duration::from_millis(1);
    })
    .await;
    let refs = format!("/git/{id}.git/info/refs?service=git-upload-pack");
    let late = hasty.get(&refs).await;
    assert_eq!(late.status, 503);
    assert!(late.text.contains("nothing was changed"), "{}", late.text);
    assert_eq!(late.headers["retry-after"], "30");
    // Git shows nothing else.
    let kind = late.headers["content-type"].to_str().unwrap();
    assert!(kind.starts_with("text/plain"), "{kind}");
}

/// A flush packet, `0000`, packed with gzip.
const FLUSH_PACKED: &[u8] =
    b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x33\x30\x30\x30\x00\x00\x72\xc4\x9b\x0c\x04\x00\x00\x00";

#[tokio::test]
async fn a_body_that_cannot_be_unpacked_is_refused_with_what_can_be() {
    let house = House::open().await;
    let (id, tokens) = house.two(classic()).await;
    for service in ["git-upload-pack", "git-receive-pack"] {
        let path = format!("/git/{id}.git/{service}");
        let packed = |encoding: &'static str| {
            let request = house.request(Method::POST, &path).bearer_auth(&tokens[0]);
            Answer::of(request.header("content-encoding", encoding).body("0000"))
        };
        let refused = packed("zstd").await;
        assert_eq!(refused.status, 415, "{}", refused.text);
        assert_eq!(refused.headers["accept-encoding"], "gzip");
        let words = [
            "send the body as it is, or packed with gzip",
            "Content-Encoding",
        ];
        let said = |word: &&str| refused.text.contains(*word);
        assert!(words.iter().all(said), "{}", refused.text);
        assert_ne!(packed("identity").await.status, 415);
        let plain = packed("identity").await;
        for gzip in ["gzip", "GZIP", "x-gzip"] {
            let request = house.request(Method::POST, &path).bearer_auth(&tokens[0]);
            let request = request.header("content-encoding", gzip).body(FLUSH_PACKED);
            let unpacked = Answer::of(request).await;
            assert_eq!(
                (unpacked.status, unpacked.text),
                (plain.status, plain.text.clone()),
                "{gzip}"
            );
        }
    }
}

#[tokio::test]
async fn what_is_no_move_is_refused_with_a_reason_and_changes_nothing() {
    let house = House::open().await;
    let (id, tokens) = house.two(classic()).await;
    let ann = Clone::of(&house, &id, &tokens[0]).await;
    let bob = Clone::of(&house, &id, &tokens[1]).await;
    let version = house.table(&id).await["version"].clone();
    let bob = aside(move || {
        // Bob's token, Ann's turn.
        bob.play_to("1,1", None).unwrap();
        bob.refused(&["main"], "is not your seat");
        bob.back();
        bob
    })
    .await;
    let ann = aside(move || {
        let table = format!("tables/{}", ann.slug);
        let state = fs::read_to_string(ann.folder().join("state.json")).unwrap();
        ann.commit(
            &format!("{table}/state.json"),
            &state.replace("\"turn\": 1", "\"turn\": 2"),
        );
        ann.refused(&["main"], "belongs to the server");
        ann.back();
        ann.commit("README.md", "mine");
        ann.refused(&["main"], "belongs to the server");
        ann.back();
        ann.commit(&format!("{table}/moves/0001-x-ffffff.json"), "{}");
        ann.refused(&["main"], "missing field `player`");
        ann.back();
        ann.commit(&format!("{table}/moves/$(id)\n.json"), "{}");
        ann.refused(&["main"], "a move's name is its number");
        ann.back();
        ann.commit(
            &format!("{table}/moves/0001-x-ffffff.json"),
            &"7".repeat(100_000),
        );
        ann.refused(&["main"], "more than any move needs");
        ann.back();
        // Three megabytes that cannot be packed any smaller.
        let mut random = 1_u64;
        let mut digits = String::new();
        while digits.len() < 6_000_000 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            digits += &format!("{random:016x}");
        }
        ann.commit("large.txt", &digits);
        ann.refused(&["main"], "this push has more than 1 MiB");
        ann.refused(&["main"], "(too much)");
        ann.back();
        // As large as it is, so that the server does not wait for the end of the push.
        ann.git(&["config", "core.compression", "0"]);
        ann.commit("huge.txt", &"x".repeat(60_000_000));
        ann.refused(&["main"], "this push has more than 1 MiB");
        ann.back();
        fs::create_dir_all(ann.folder().join("moves")).unwrap();
        std::os::unix::fs::symlink("/etc/passwd", ann.folder().join("moves/0001-x-ffffff.json"))
            .unwrap();
        ann.git(&["add", "--all"]);
        ann.git(&["commit", "--quiet", "-m", "A link"]);
        ann.refused(&["main"], "not a regular file");
        ann.back();
        let path = ann.play_to("1,1", None).unwrap();
        let file = ann.path().join(&path);
        let text = fs::read_to_string(&file).unwrap();
        ann.git(&["reset", "--quiet", "--soft", "HEAD~1"]);
        fs::write(&file, text.replace("1,1", "9,9")).unwrap();
        ann.git(&[
            "commit",
            "--quiet",
            "--all",
            "-m",
            "Changed after its name was made",
        ]);
        ann.refused(&["main"], "the name says");
        ann.back();
        ann.play_to("1,1", None).unwrap();
        ann.refused(&["main:refs/heads/other"], "push to main");
        ann.refused(&["main", "main:refs/tags/one"], "push only to main");
        ann.refused(&[":main"], "branch cannot be deleted");
        ann.commit("more.txt", "a second commit");
        ann.refused(&["main"], "push one at a time");
        ann.back();
        ann.git(&["checkout", "--quiet", "-b", "aside"]);
        ann.commit("aside.txt", "beside");
        ann.git(&["checkout", "--quiet", "main"]);
        ann.play_to("1,1", None).unwrap();
        ann.git(&["merge", "--quiet", "--no-edit", "aside"]);
        ann.refused(&["main"], "were pushed: push one at a time");
        ann.back();
        ann
    })
    .await;
    let table = house.table(&id).await;
    assert_eq!((&table["version"], &table["plies"]), (&version, &json!(0)));
    // Finally the move itself is played; the opponent's, based on the earlier state, is not.
    aside(move || {
        bob.git(&["config", "user.name", "Bob"]);
        ann.play("1,1").unwrap();
        bob.git(&["commit", "--quiet", "--allow-empty", "-m", "Nothing"]);
        let behind = run(&bob.path(), &["push", "origin", "main"]);
        assert!(words(&behind).contains("fetch first"), "{}", words(&behind));
        bob.back();
        bob.git(&["pull", "--quiet", "--ff-only"]);
        bob.play_to("0,0", None).unwrap();
        bob.git(&["pull", "--quiet", "--ff-only"]);
        let pushed = run(&bob.path(), &["push", "origin", "main"]);
        assert!(
            words(&pushed).contains("remote: git pull to get the table as it is now"),
            "{}",
            words(&pushed)
        );
    })
    .await;
    assert_eq!(house.table(&id).await["plies"], 2);
}

#[tokio::test]
async fn a_game_with_luck_is_played_by_git_alone_and_verifies_from_a_clone() {
    let house = House::open().await;
    let (id, tokens) = house
        .two(json!({ "game": "backgammon", "options": { "length": 1 } }))
        .await;
    let both = [
        Clone::of(&house, &id, &tokens[0]).await,
        Clone::of(&house, &id, &tokens[1]).await,
    ];
    let both = aside(move || {
        for turn in 0..2_000 {
            both[0].git(&["pull", "--quiet", "--ff-only"]);
            let (now, _) = position(&read_folder(&both[0].folder()).unwrap()).unwrap();
            let Some(seat) = now
                .turn()
                .seat()
                .filter(|_| both[0].state()["status"] == "playing")
            else {
                break;
            };
            // Occasionally a verifier checks the table.
            if turn % 16 == 0 {
                both[0].assert_sound();
            }
            let mover = &both[seat.index()];
            if seat.index() == 1 {
                mover.git(&["pull", "--quiet", "--ff-only"]);
            }
            let text = now.legal()[turn % now.legal().len()].text.clone();
            mover.play(&text).unwrap();
        }
        both
    })
    .await;
    assert_eq!(house.table(&id).await["ending"]["how"], "rules");
    let head = |clone: &Clone| clone.git(&["rev-parse", "origin/main"]);
    // Another process creates the same commits, including the players'.
    let house = house.restart().await;
    let (url, tip) = (remote(&house, &id, &tokens[0]), head(&both[0]));
    aside(move || {
        both[0].git(&["remote", "set-url", "origin", &url]);
        both[0].git(&["pull", "--quiet", "--ff-only"]);
        assert_eq!(both[0].git(&["rev-parse", "HEAD"]), tip);
        both[0].assert_sound();
        let checked = verify(&read_folder(&both[0].folder()).unwrap());
        assert!(
            checked.report.unwrap().luck_checked,
            "the secret is out, and every draw was drawn again"
        );
        let state = both[0].state();
        assert_eq!(state["status"], "completed");
        let own = both[0]
            .git(&["log", "--author=ann@example.org", "--format=%h"])
            .lines()
            .count();
        assert_eq!(
            own as u64,
            state["lastMove"]["sequence"].as_u64().unwrap(),
            "each move is its player's own commit"
        );
    })
    .await;
}

#[tokio::test]
async fn moves_taken_back_and_resignations_are_told() {
    let house = House::open().await;
    let (id, tokens) = house.two(classic()).await;
    let ann = Clone::of(&house, &id, &tokens[0]).await;
    let ann = aside(move || {
        ann.play("1,1").unwrap();
        ann
    })
    .await;
    house
        .act(&tokens[0], &id, "takeback", json!({ "action": "offer" }))
        .await
        .expect(200);
    house
        .act(&tokens[1], &id, "takeback", json!({ "action": "accept" }))
        .await
        .expect(200);
    let ann = aside(move || {
        ann.git(&["pull", "--quiet", "--ff-only"]);
        assert_eq!(ann.state()["lastMove"], Value::Null);
        assert!(
            ann.git(&["log", "-1", "--format=%s"])
                .contains("taken back")
        );
        ann.assert_sound();
        ann.play("0,0").unwrap();
        ann.git(&["pull", "--quiet", "--ff-only"]);
        ann.assert_sound();
        ann
    })
    .await;
    house
        .act(&tokens[1], &id, "moves", json!({ "move": "1,1" }))
        .await
        .expect(200);
    aside(move || {
        ann.git(&["pull", "--quiet", "--ff-only"]);
        ann.play("resign").unwrap();
        ann.git(&["pull", "--quiet", "--ff-only"]);
        assert_eq!(
            (&ann.state()["winner"], &ann.state()["status"]),
            (&json!("o"), &json!("completed"))
        );
        assert_eq!(
            ann.git(&["log", "-2", "--format=%an"]),
            "Ann\nAnn",
            "the resignation is a commit of hers"
        );
        ann.assert_sound();
    })
    .await;
    assert_eq!(house.table(&id).await["ending"]["how"], "resignation");
}

#[tokio::test]
async fn whoever_leaves_a_team_and_comes_back_is_told_and_the_clone_verifies() {
    let house = House::open().await;
    let wanted = json!({ "game": "pandemic", "options": { "roles": ["Dispatcher", "Medic"] } });
    let (id, tokens) = house.two(wanted).await;
    let ann = Clone::of(&house, &id, &tokens[0]).await;
    let left = house.act(&tokens[1], &id, "resign", json!({})).await;
    left.expect(200);
    let ann = aside(move || {
        ann.git(&["pull", "--quiet", "--ff-only"]);
        ann.assert_sound();
        ann
    })
    .await;
    let request = house.request(Method::PUT, &format!("/api/v1/tables/{id}/stand-in"));
    let level = json!({ "seat": 1, "spec": "level:1" });
    let chosen = Answer::of(request.bearer_auth(&tokens[0]).json(&level)).await;
    chosen.expect(200);
    let back = house.act(&tokens[1], &id, "return", json!({})).await;
    back.expect(200);
    let ann = aside(move || {
        ann.git(&["pull", "--quiet", "--ff-only"]);
        ann.assert_sound();
        let titles = ann.git(&["log", "--format=%s"]);
        for title in [
            "Medic resigns",
            "Medic is played by level:1",
            "Medic is back",
        ] {
            assert!(titles.lines().any(|line| line == title), "{titles}");
        }
        ann
    })
    .await;
    assert_same_tip_after_restart(house, &id, &tokens[0], ann).await;
}

#[tokio::test]
async fn the_moves_of_a_stand_in_are_those_of_the_computer() {
    let house = House::open().await;
    let options = json!({ "roles": ["Dispatcher", "Medic"], "consent": "implied" });
    let wanted = json!({ "game": "pandemic", "options": options });
    let (id, tokens) = loop {
        let made = house.two(wanted.clone()).await;
        if house.table(&made.0).await["turn"]["seat"] == 1 {
            break made;
        }
    };
    let version = house.table(&id).await["version"].as_u64().unwrap();
    let left = house.act(&tokens[1], &id, "resign", json!({})).await;
    left.expect(200);
    let is_played = |event: &Value| event["type"] == "moved" && event["seat"] == 1;
    house.until(&id, version, is_played).await;
    let ann = Clone::of(&house, &id, &tokens[0]).await;
    aside(move || {
        ann.assert_sound();
        let commits = ann.git(&["log", "--format=%an: %s (%b)"]);
        let has = |start: &str, end: &str| {
            let mut lines = commits.lines();
            lines.any(|line| line.starts_with(start) && line.ends_with(end))
        };
        assert!(
            has("bot:level:3: Medic: ", "(- Played for Bob."),
            "{commits}"
        );
        assert!(has("Bob: Medic resigns (", ""), "{commits}");
        assert!(!has("Bob: Medic: ", ""), "{commits}");
    })
    .await;
}

#[tokio::test]
async fn a_table_can_be_cloned_before_its_game_begins() {
    let house = House::open().await;
    let made = house.create(classic()).await;
    let ann = Clone::of(&house, &made.id, &made.token).await;
    let ann = aside(move || {
        assert!(ann.path().join("README.md").is_file() && !ann.folder().exists());
        ann.commit(
            &format!("tables/{}/moves/0001-x-ffffff.json", ann.slug),
            "{}",
        );
        ann.refused(&["main"], "the game has not started");
        ann.back();
        ann
    })
    .await;
    house
        .post(
            &format!("/api/v1/tables/{}/join", made.id),
            json!({ "name": "Bob" }),
        )
        .await
        .expect(200);
    aside(move || {
        ann.git(&["pull", "--quiet", "--ff-only"]);
        assert_eq!(
            ann.state()["messages"][0]["text"],
            "Game started. X to move."
        );
        ann.play("1,1").unwrap();
    })
    .await;
    assert_eq!(house.table(&made.id).await["plies"], 1);
}
