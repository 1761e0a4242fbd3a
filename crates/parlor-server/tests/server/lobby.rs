#[tokio::test]
async fn an_address_has_only_so_many_open_tables() {
    let house = House::with(|config| config.limits.open_tables_per_address = Some(2)).await;
    let first = house.create(classic()).await;
    house.create(classic()).await;
    let refused = house.post("/api/v1/tables", classic()).await;
    let policy = refused.headers["ratelimit-policy"].to_str().unwrap();
    assert!(policy.starts_with(r#""open-tables";q=2"#), "{policy}");
    refused.problem(429, "too-many-requests");
    let bot = json!({ "kind": "bot", "spec": "random" });
    let full = json!({ "game": "mnk", "seats": [{ "kind": "me" }, bot] });
    house.create(full).await;
    let joined = json!({ "name": "Bob" });
    let path = format!("/api/v1/tables/{}/join", first.id);
    house.post(&path, joined).await.expect(200);
    let third = house.create(classic()).await;
    house.post("/api/v1/tables", classic()).await.expect(429);
    house
        .act(&third.token, &third.id, "abort", Value::Null)
        .await
        .expect(200);
    house.create(classic()).await;
}
