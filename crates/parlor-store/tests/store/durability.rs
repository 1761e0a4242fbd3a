//! Acknowledged writes survive `kill -9` and a full disk.

use std::process::Stdio;

use futures::future::join_all;
use parlor_store::{Append, Store};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::Command;

use crate::databases::{Database, with};
use crate::story::{moved, opened};

const CHILD: &str = "PARLOR_TEST_WRITE_UNTIL_KILLED";
const TABLES: i64 = 40;
const LINES: usize = 2_000;

/// Not a test by itself: the process that gets killed. Prints `table version` after each
/// acknowledgment.
#[tokio::test]
async fn a_child_writes_until_it_is_killed() {
    let Ok(url) = std::env::var(CHILD) else {
        return;
    };
    let store = &Store::open(&url).await.unwrap();
    join_all((1..=TABLES).map(|id| async move {
        store.create(opened(id)).await.unwrap();
        for version in 2.. {
            store
                .append(Append::new(id, vec![moved(version)]))
                .await
                .unwrap();
            println!("ack {id} {version}");
        }
    }))
    .await;
}

#[tokio::test]
async fn an_acknowledged_move_survives_a_kill() {
    with(Database::sqlite(), async |database| {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args([
                "durability::a_child_writes_until_it_is_killed",
                "--exact",
                "--nocapture",
            ])
            .env(CHILD, &database.url)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut acknowledged = vec![0; TABLES as usize + 1];
        let mut seen = 0;
        while let Some(line) = lines.next_line().await.unwrap() {
            let Some((id, version)) = line
                .strip_prefix("ack ")
                .and_then(|rest| rest.split_once(' '))
            else {
                continue;
            };
            acknowledged[id.parse::<usize>().unwrap()] = version.parse::<u64>().unwrap();
            seen += 1;
            if seen == LINES {
                child.start_kill().unwrap(); // Its output until it dies is read to the end.
            }
        }
        child.wait().await.unwrap();
        assert!(seen >= LINES);

        let store = Store::open(&database.url).await.unwrap();
        for id in 1..=TABLES {
            let table = store
                .load(id)
                .await
                .unwrap()
                .expect("its creation was acknowledged");
            let acknowledged = acknowledged[id as usize];
            assert!(
                table.row.version >= acknowledged,
                "table {id}: {} < {acknowledged}",
                table.row.version
            );
            store
                .append(Append::new(id, vec![moved(table.row.version + 1)]))
                .await
                .unwrap();
        }
        store.close().await;
    })
    .await;
}

const FULL_CHILD: &str = "PARLOR_TEST_WRITE_ALTHOUGH_FULL";
/// Number of failed writes after which the disk of the child has room again.
const FAILURES: usize = 20;

/// Not a test by itself: a process whose files cannot grow until it has failed several times.
/// Prints `table version` after each acknowledgment, and ends without closing the store.
#[tokio::test]
async fn a_child_writes_although_its_disk_is_full() {
    let Ok(url) = std::env::var(FULL_CHILD) else {
        return;
    };
    let store = &Store::open(&url).await.unwrap();
    store.create(opened(1)).await.unwrap();
    let (mut version, mut failures, mut after) = (2, 0, 0);
    while after < 50 {
        let append = Append::new(1, vec![moved(version)]);
        if store.append(append).await.is_ok() {
            println!("ack 1 {version}");
            version += 1;
            after += u32::from(failures >= FAILURES);
            continue;
        }
        failures += 1;
        assert!(failures < FAILURES + 10, "there is room again");
        if failures == FAILURES {
            let pid = std::process::id().to_string();
            let lifted = Command::new("prlimit")
                .args(["--pid", &pid, "--fsize=unlimited"])
                .status();
            assert!(lifted.await.unwrap().success());
        }
    }
    println!("failed {failures}");
    std::process::abort();
}

#[tokio::test]
async fn an_acknowledged_move_survives_a_full_disk() {
    with(Database::sqlite(), async |database| {
        // Files of up to 800 blocks of 512 bytes; a longer one is an error instead of a signal.
        let limited = "trap '' XFSZ; ulimit -S -f 800; exec \"$0\" \"$@\"";
        let output = Command::new("sh")
            .args(["-c", limited])
            .arg(std::env::current_exe().unwrap())
            .args([
                "durability::a_child_writes_although_its_disk_is_full",
                "--exact",
                "--nocapture",
            ])
            .env(FULL_CHILD, &database.url)
            .output()
            .await
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        let mut acknowledged = said.lines().filter_map(|line| line.strip_prefix("ack 1 "));
        let last: u64 = acknowledged.next_back().expect(&said).parse().unwrap();
        assert!(said.contains("failed 2"), "the disk was never full: {said}");
        let store = Store::open(&database.url).await.unwrap();
        let table = store.load(1).await.unwrap().expect("it was created");
        assert_eq!(table.row.version, last);
        assert_eq!(table.events.len() as u64, last);
        store.close().await;
    })
    .await;
}
