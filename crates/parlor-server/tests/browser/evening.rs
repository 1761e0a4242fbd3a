//! A longer story: two members find each other, play a rated game on clocks with offers, and play
//! again; then an admin deletes a table.

use parlor_store::{AuditFilter, AuditLine, ListPage, Store};
use serde_json::json;
use thirtyfour::By;

use crate::driver::{Browser, Browsers, DESK, with_browsers};
use crate::games::{play, stones};
use crate::house::House;
use crate::new_database::in_new_database;

async fn looks_for_a_rated_game(browser: &Browser, house: &House) {
    browser.go(&house.url("/")).await;
    browser.click("[data-queue] input[name=rated]").await;
    browser.click("[data-queue] button").await;
}

/// Waits until the table shows whose turn it is. True if it is this browser's.
async fn is_on_turn(browser: &Browser) -> bool {
    browser
        .until("/Your turn|Waiting for/.test(document.getElementById('part-status').textContent)")
        .await;
    browser
        .value("document.getElementById('part-status').textContent.includes('Your turn')")
        .await
        == json!(true)
}

async fn press(browser: &Browser, verb: &str) {
    browser
        .click(&format!("form[action$='/{verb}'] button"))
        .await;
}

pub async fn make_admin(store: &Store, name: &str) {
    let user = store.user_by_name(name).await.unwrap().unwrap();
    let line = AuditLine {
        at: 0,
        admin_id: None,
        admin_name: "test".into(),
        action: "promote".into(),
        target: name.into(),
        detail: String::new(),
    };
    assert!(store.set_admin(user.id, true, line).await.unwrap());
}

/// Plays the story with Ann and the admin at one server and Bob at another, or all at the same.
async fn an_evening(browsers: &Browsers, [anns, bobs]: [&House; 2]) {
    let (ann, bob) = (browsers.open(DESK).await, browsers.open(DESK).await);
    ann.sign_up(anns, "Ann").await;
    bob.sign_up(bobs, "Bob").await;
    looks_for_a_rated_game(&ann, anns).await;
    ann.says("[data-news]", "Looking for an opponent").await;
    looks_for_a_rated_game(&bob, bobs).await;
    for browser in [&ann, &bob] {
        browser.until("location.pathname.startsWith('/t/')").await;
        browser.is_live().await;
        browser.says(".title", "5 min + 3 s · rated").await;
    }
    let table = ann.value("location.pathname").await;
    assert_eq!(bob.value("location.pathname").await, table);
    // The first player was drawn at random.
    let (first, second) = if is_on_turn(&ann).await {
        (&ann, &bob)
    } else {
        (&bob, &ann)
    };
    press(first, "ready").await;
    play(first, 1, 1).await;
    press(first, "takeback").await;
    press(second, "takeback/accept").await;
    stones(first, 0).await;
    play(first, 0, 0).await;
    play(second, 1, 0).await;
    first
        .click("details.confirm:has(form[action$='/draw']) summary")
        .await;
    first
        .click("details[open] form[action$='/draw'] button")
        .await;
    press(second, "draw/decline").await;
    first.says("#part-status", "Your turn").await;
    for (browser, row, column) in [(first, 0, 1), (second, 1, 1), (first, 0, 2)] {
        play(browser, row, column).await;
    }
    first.says("#part-status", "You won").await;
    for text in ["1662? (+162)", "1338? (−162)"] {
        first.says("#part-seats", text).await;
        second.says("#part-seats", text).await;
    }
    // The opponent's request arrives while the button is held down, and would replace it with
    // another one elsewhere.
    let news =
        "performance.getEntriesByType('resource').filter((e) => e.name.endsWith('/state')).length";
    let before = first.value(news).await;
    // A button that still rises with its panel is not where it was.
    first
        .until("document.getAnimations().every((one) => one.playState === 'finished')")
        .await;
    let again = first
        .driver
        .find(By::Css("#end form[action$='/rematch'] button"))
        .await
        .unwrap();
    first
        .driver
        .action_chain()
        .move_to_element_center(&again)
        .click_and_hold()
        .perform()
        .await
        .unwrap();
    second.click("#end form[action$='/rematch'] button").await;
    first.until(&format!("{news} > {before}")).await;
    first
        .driver
        .action_chain()
        .release()
        .perform()
        .await
        .unwrap();
    first
        .until(&format!(
            "location.pathname !== {table} && document.querySelector('main.live')"
        ))
        .await;
    second
        .until(&format!(
            "location.pathname !== {table} && document.querySelector('main.live')"
        ))
        .await;
    second.says("#part-status", "Your turn").await;
    first.says(".title", "5 min + 3 s · rated").await;
    // The admin.
    let keeper = browsers.open(DESK).await;
    keeper.sign_up(anns, "Keeper").await;
    let store = Store::open(&anns.database()).await.unwrap();
    make_admin(&store, "Keeper").await;
    keeper.go(&anns.url("/admin/tables?status=over")).await;
    keeper.click("tbody a").await;
    keeper.says("main", "Timestamps").await;
    keeper.picture("admin-table-1280").await;
    keeper.click("a.warn").await;
    keeper.says("h1", "Delete this table?").await;
    keeper.click("form button.warn").await;
    keeper.until("location.pathname === '/admin/tables'").await;
    keeper.go(&anns.url("/admin/log")).await;
    keeper.says("tbody tr", "Keeper").await;
    keeper.says("tbody tr", "delete table").await;
    keeper.go(&anns.url("/admin/tables?status=over")).await;
    keeper.says("main", "0 tables").await;
    let lines = store
        .audit(&AuditFilter::default(), &ListPage::default())
        .await
        .unwrap();
    assert_eq!(
        (
            lines[0].line.admin_name.as_str(),
            lines[0].line.action.as_str()
        ),
        ("Keeper", "delete table")
    );
    keeper.go(&anns.url("/players/Ann")).await;
    keeper.says("main", "Tic-tac-toe").await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn two_members_play_rated_games_and_an_admin_deletes_one() {
    with_browsers(async |house, browsers| an_evening(browsers, [house, house]).await).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER and PARLOR_TEST_POSTGRES"]
async fn two_members_at_different_nodes_play_rated_games() {
    with_browsers(async |_, browsers| {
        in_new_database("PARLOR_TEST_POSTGRES", |url| async move {
            let nodes = [House::on(url.clone()).await, House::on(url).await];
            an_evening(browsers, nodes.each_ref()).await;
        })
        .await;
    })
    .await;
}
