//! Admin pages: on every screen, and the deletion of selected tables.

use parlor_store::{NewStoredTable, Store, StoredEvent};
use serde_json::json;

use crate::access::fits;
use crate::driver::{DESK, SIZES, with_browsers};
use crate::evening::make_admin;

/// Stores an open table with a player.
async fn add_table(store: &Store, id: i64) {
    let event = StoredEvent {
        version: 1,
        at: 1_000,
        body: json!({ "type": "opened" }),
    };
    let seat = json!({ "label": "X", "kind": "human", "name": "Somebody with a long name", "member": false });
    let table = NewStoredTable {
        events: vec![event],
        listed: false,
        seats: json!([seat, { "label": "O", "kind": "open", "name": null, "member": false }]),
        ..NewStoredTable::new(id, "mnk", 1_000)
    };
    store.create(table).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER and PARLOR_TEST_AXE"]
async fn lists_fit_every_screen_and_selected_tables_are_deleted() {
    with_browsers(async |house, browsers| {
        let store = Store::open(&house.database()).await.unwrap();
        for (n, (size, screen)) in SIZES.into_iter().enumerate() {
            let keeper = browsers.open(screen).await;
            keeper.sign_up(house, &format!("Keeper-{n}")).await;
            make_admin(&store, &format!("Keeper-{n}")).await;
            let [kept, deleted] = [1_001, 1_002].map(|id| id + 10 * n as i64);
            for id in [kept, deleted] {
                add_table(&store, id).await;
            }
            keeper.go(&house.url("/admin/")).await;
            keeper.says("h1", "Tables").await;
            fits(&keeper, &format!("tables, {size}")).await;
            keeper.picture(&format!("admin-tables-{size}")).await;
            keeper
                .click(&format!("input[name='table.{deleted}']"))
                .await;
            keeper.click("main form button.warn").await;
            keeper.says("h1", "Delete 1 table?").await;
            fits(&keeper, &format!("the question, {size}")).await;
            keeper.click("main form button.warn").await;
            keeper.until("location.pathname === '/admin/tables'").await;
            let rows = "[...document.querySelectorAll('tbody input')].map((one) => one.name)";
            let names = keeper.value(rows).await.to_string();
            assert!(names.contains(&format!("table.{kept}\"")), "{names}");
            assert!(!names.contains(&format!("table.{deleted}\"")), "{names}");
            keeper.go(&house.url("/admin/players?sort=name")).await;
            fits(&keeper, &format!("players, {size}")).await;
        }
        let other = browsers.open(DESK).await;
        other.sign_up(house, "Another").await;
        let keeper = browsers.open(DESK).await;
        keeper.sign_up(house, "Keeper-last").await;
        make_admin(&store, "Keeper-last").await;
        let user = store.user_by_name("Another").await.unwrap().unwrap();
        let address = house.url(&format!("/admin/players/{}", user.id));
        keeper.go(&address).await;
        fits(&keeper, "a player").await;
        other.go(&house.url("/account")).await;
        other.click("#closing summary").await;
        fits(&other, "the account, about to be closed").await;
        store.close().await;
    })
    .await;
}
