use reqwest::Method;

use super::house::{Answer, House, classic};

#[tokio::test]
async fn the_house_says_that_it_is_alive_ready_and_what_it_counts() {
    let house = House::open().await;
    assert_eq!(house.get("/healthz").await.text, "ok\n");
    assert_eq!(house.get("/readyz").await.text, "ready\n");
    let (id, tokens) = house.two(classic()).await;
    house.play(&id, &tokens, &["1,1"]).await;
    assert_eq!(house.get("/wp-admin/setup.php").await.status, 404);
    let metrics = house.get("/metrics").await.text;
    assert!(
        !metrics.contains("wp-admin"),
        "a label for each address that leads nowhere would never end"
    );
    for name in [
        "axum_http_requests_total",
        "parlor_live_tables",
        "parlor_events_total",
        "parlor_tables_created_total",
    ] {
        assert!(metrics.contains(name), "{name} is missing in\n{metrics}");
    }
    assert!(
        !metrics.contains(&id),
        "a metric for each table would never end"
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
        assert_eq!(
            policy.contains("unsafe-inline"),
            path == "/api/docs/",
            "{path}"
        );
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
