//! Acknowledged writes survive `kill -9`.

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
                child.start_kill().unwrap(); // What it has printed until it dies is read to the end.
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
