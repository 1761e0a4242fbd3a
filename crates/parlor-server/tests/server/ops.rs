use std::time::Instant;

use futures::future::join_all;
use parlor_store::Store;
use reqwest::Method;
use sea_orm::{ConnectionTrait, Database, TransactionTrait};
use serde_json::json;
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;

use super::house::{Answer, Folder, House, PATIENCE, classic, sqlite};

#[tokio::test]
async fn the_house_says_that_it_is_alive_ready_and_what_it_counts() {
    let house = House::open().await;
    assert_eq!(house.get("/healthz").await.text, "ok\n");
    // On a database that several nodes may share, it also says how they hear of each other.
    let ready = house.get("/readyz").await.text;
    assert_eq!(ready.lines().next(), Some("ready"));
    let (id, tokens) = house.two(classic()).await;
    house.play(&id, &tokens, &["1,1"]).await;
    assert_eq!(house.get("/wp-admin/setup.php").await.status, 404);
    assert_eq!(house.get("/metrics").await.status, 404, "not for everybody");
    let metrics = house.metrics().await;
    assert!(
        !metrics.contains("wp-admin"),
        "a label for each address that leads nowhere would never end"
    );
    let total = |name: &str| -> f64 {
        let samples = metrics.lines().filter_map(|line| {
            let (series, value) = line.rsplit_once(' ')?;
            let is_named = series.split('{').next() == Some(name);
            is_named.then(|| value.parse::<f64>().expect("a number"))
        });
        samples.sum()
    };
    // The events are joined, started and moved; tables that were created are counted apart.
    let counted = [
        ("parlor_live_tables", 1.0),
        ("parlor_tables_created_total", 1.0),
        ("parlor_events_total", 3.0),
    ];
    for (name, count) in counted {
        // Counters belong to the process. Only nextest gives each test one of its own.
        let is_alone = std::env::var_os("NEXTEST").is_some();
        let total = total(name);
        let fits = if is_alone {
            total == count
        } else {
            total >= count
        };
        assert!(fits, "{name}: {total}\n{metrics}");
    }
    for unused in [
        "parlor_answers_dropped_total ",
        "parlor_floods_total ",
        "parlor_queue ",
        "parlor_throttled_total{policy=\"sign-ups\"} ",
        "parlor_throttled_total{policy=\"git\"} ",
        "parlor_throttled_total{policy=\"git-at-once\"} ",
        "parlor_git_seconds_count ",
        "parlor_errors_total{code=\"internal\"} ",
    ] {
        let mut lines = metrics.lines();
        let is_there = lines.any(|line| line.starts_with(unused));
        assert!(is_there, "{unused}\n{metrics}");
    }
    assert!(total("axum_http_requests_total") >= 5.0, "{metrics}");
    assert_eq!(total("parlor_database_up"), 1.0);
    assert_eq!(total("parlor_build_info"), 1.0);
    assert!(total("parlor_errors_total") >= 2.0, "{metrics}");
    assert!(total("process_resident_memory_bytes") > 1_000_000.0);
    for name in [
        "process_start_time_seconds",
        "process_open_fds",
        "process_max_fds",
    ] {
        assert!(total(name) > 0.0, "{name}: {metrics}");
    }
    let samples = metrics.lines().filter(|line| line.starts_with("parlor_"));
    for sample in samples {
        let name = sample.split(['{', ' ']).next().unwrap_or_default();
        let is_about = |help: &&str| {
            let described = help.split(' ').nth(2).unwrap_or_default();
            name.strip_prefix(described)
                .is_some_and(|rest| matches!(rest, "" | "_sum" | "_count" | "_bucket"))
        };
        let mut help = metrics.lines().filter(|line| line.starts_with("# HELP "));
        assert!(help.any(|line| is_about(&line)), "{name} is not explained");
    }
    assert!(
        !metrics.contains(&id),
        "a metric for each table would never end"
    );
}

#[tokio::test]
async fn a_nearly_full_disk_lets_games_go_on_and_nothing_new_begin() {
    let folder = Folder::new();
    let store = Store::open(&sqlite(&folder.0)).await.unwrap();
    let roomy = House::on(store.clone()).await;
    let (id, tokens) = roomy.two(classic()).await;
    // No disk is as large.
    let full = House::on_with(store, |config| config.limits.disk_reserve = Some(u64::MAX)).await;
    let refused = tokio::time::timeout(PATIENCE, async {
        loop {
            let answer = full.post("/api/v1/tables", classic()).await;
            if answer.status != 201 {
                return answer;
            }
        }
    });
    let refused = refused.await.expect("the disk is measured at the start");
    assert_eq!(
        refused.headers["retry-after"], "60",
        "an operator needs time"
    );
    let detail = refused.problem(503, "unavailable")["detail"].to_string();
    assert!(detail.contains("nearly full"), "{detail}");
    let account = json!({ "name": "newcomer", "password": "correct horse battery" });
    full.post("/api/v1/accounts", account)
        .await
        .problem(503, "unavailable");
    full.play(&id, &tokens, &["1,1", "2,2"]).await;
    assert_eq!(full.get("/readyz").await.status, 200);
}

#[cfg(unix)]
#[tokio::test]
async fn a_house_whose_database_is_replaced_says_so_and_stores_nothing() {
    let folder = Folder::new();
    let store = Store::open(&sqlite(&folder.0)).await.unwrap();
    let copy = folder.0.join("copy.db");
    store.backup(&copy).await.unwrap();
    let house = House::on(store).await;
    std::fs::rename(&copy, folder.0.join("parlor.db")).unwrap();
    let unready = async { while house.get("/readyz").await.status != 503 {} };
    tokio::time::timeout(PATIENCE, unready)
        .await
        .expect("it looks where the name of its database leads");
    let refused = house.post("/api/v1/tables", classic()).await;
    let detail = refused.problem(503, "unavailable")["detail"].to_string();
    assert!(detail.contains("removed or replaced"), "{detail}");
}

#[tokio::test]
async fn a_house_that_cannot_write_is_not_ready() {
    let folder = Folder::new();
    let store = Store::open(&sqlite(&folder.0)).await.unwrap();
    let house = House::on(store).await;
    assert_eq!(house.get("/readyz").await.status, 200);
    let file = folder.0.join("parlor.db");
    // Another program keeps the database for itself; it can be read meanwhile.
    let other = Database::connect(format!("sqlite:{}", file.display()))
        .await
        .unwrap();
    let other = other.begin().await.unwrap();
    other
        .execute_unprepared("UPDATE server_nodes SET beat_at = beat_at")
        .await
        .unwrap();
    let until = async |status: u16| {
        let ready = async { while house.get("/readyz").await.status != status {} };
        tokio::time::timeout(PATIENCE, ready)
            .await
            .unwrap_or_else(|_| panic!("/readyz never answers {status}"));
    };
    until(503).await;
    other.rollback().await.unwrap();
    until(200).await;
}

#[tokio::test]
async fn reporters_of_weaknesses_find_the_contact() {
    let house = House::open().await;
    house
        .get("/.well-known/security.txt")
        .await
        .problem(404, "not-found");
    let house = House::with(|config| {
        config.public_url = Some("https://games.example.org".to_owned());
        config.security_contact = Some("mailto:security@example.org".to_owned());
    })
    .await;
    let answer = house.get("/.well-known/security.txt").await;
    assert_eq!(answer.headers["content-type"], "text/plain; charset=utf-8");
    let lines: Vec<&str> = answer.text.lines().collect();
    assert_eq!(lines[0], "Contact: mailto:security@example.org");
    assert!(lines[1].starts_with("Expires: 20") && lines[1].ends_with("T00:00:00Z"));
    assert_eq!(
        lines[3],
        "Canonical: https://games.example.org/.well-known/security.txt"
    );
}

#[tokio::test]
async fn every_answer_carries_a_name_and_the_headers_that_keep_pages_safe() {
    let house = House::open().await;
    for path in ["/healthz", "/api/v1/games", "/api/v1/nothing", "/api/docs/"] {
        let headers = house.get(path).await.headers;
        assert!(headers.contains_key("x-request-id"), "{path}");
        assert_eq!(headers["x-content-type-options"], "nosniff", "{path}");
        let policy = headers["content-security-policy"].to_str().unwrap();
        assert!(
            policy.contains("default-src 'self'") && policy.contains("frame-ancestors 'none'"),
            "{path}"
        );
        assert!(!policy.contains("unsafe-inline"), "{path}");
    }
}

#[tokio::test]
async fn long_texts_are_compressed_for_those_who_can_read_it() {
    let house = House::open().await;
    let request = || house.request(Method::GET, "/api/v1/games");
    let zipped = Answer::of(request().header("accept-encoding", "gzip")).await;
    assert_eq!(zipped.headers["content-encoding"], "gzip");
    assert!(
        !Answer::of(request())
            .await
            .headers
            .contains_key("content-encoding")
    );
}

#[tokio::test]
async fn idle_connections_to_the_metrics_are_few_and_do_not_last() {
    let house = House::open().await;
    let mut idle = Vec::new();
    for _ in 0..100 {
        idle.push(TcpStream::connect(house.metrics_address()).await.unwrap());
    }
    let begun = Instant::now();
    let closed = idle.iter_mut().map(async |stream| {
        let end = tokio::time::timeout(PATIENCE, stream.read(&mut [0])).await;
        // Nothing was sent, so that a reset says the same as an end.
        assert_eq!(end.expect("it is closed").unwrap_or_default(), 0);
        begun.elapsed()
    });
    let lasted = join_all(closed).await;
    // Those that are too many are closed at once, and the others after ten seconds.
    let longest = lasted.iter().max().expect("there are some");
    let served = lasted.iter().filter(|time| **time > *longest / 2).count();
    assert!((1..=32).contains(&served), "{lasted:?}");
    assert!(house.metrics().await.contains("parlor_build_info"));
}
