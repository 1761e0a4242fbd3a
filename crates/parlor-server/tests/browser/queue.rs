//! Finding an opponent: quick matches and challenges.

use serde_json::json;

use crate::driver::{Browser, DESK, PHONE, with_browsers};
use crate::house::House;

/// Creates an account and signs this browser in.
async fn sign_up(browser: &Browser, house: &House, name: &str) {
    browser.go(&house.url("/about")).await;
    let account = json!({ "name": name, "password": "correct horse" });
    let request = json!({ "method": "POST", "headers": { "content-type": "application/json" }, "body": account.to_string() });
    browser
        .value(&format!("fetch('/api/v1/accounts', {request}).then((answer) => document.title = answer.status), 0"))
        .await;
    browser.until("document.title === '201'").await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn two_guests_find_each_other_and_sit_at_one_table() {
    with_browsers(async |house, browsers| {
        let (ann, bob) = (browsers.open(DESK).await, browsers.open(PHONE).await);
        for browser in [&ann, &bob] {
            browser.go(&house.url("/")).await;
        }
        ann.picture("lobby-1280").await;
        bob.picture("lobby-320").await;
        ann.click("[data-queue] button").await;
        ann.says(
            "[data-news]",
            "Looking for an opponent: Tic-tac-toe: Classic 3 × 3, 5 min + 3 s",
        )
        .await;
        // The window widens each second, around the rating of a beginner.
        let window = "((from, to) => from >= 500 && from <= 900 && from + to === 2000)\
            (...document.querySelector('[data-detail]').textContent.match(/Rated (\\d+) to (\\d+)/).slice(1).map(Number))";
        ann.until(window).await;
        ann.picture("seeking-1280").await;
        ann.click("[data-cancel]").await;
        ann.until("!document.querySelector('[data-queue]').hidden")
            .await;
        // A player who canceled is not matched.
        bob.click("[data-queue] button").await;
        bob.until(window).await;
        bob.until(&format!("!document.querySelector('[data-detail]').textContent.includes('Rated 900 ') && {window}")).await;
        bob.picture("seeking-320").await;
        ann.click("[data-queue] button").await;
        for browser in [&ann, &bob] {
            browser.until("location.pathname.startsWith('/t/')").await;
            browser.is_live().await;
        }
        assert_eq!(
            ann.value("location.pathname").await,
            bob.value("location.pathname").await
        );
        for browser in [&ann, &bob] {
            assert_eq!(browser.complaints().await, [] as [String; 0]);
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_challenged_member_sees_it_on_every_page_and_takes_it() {
    with_browsers(async |house, browsers| {
        let (ann, bob) = (browsers.open(DESK).await, browsers.open(DESK).await);
        sign_up(&ann, house, "Ann").await;
        sign_up(&bob, house, "Bob").await;
        bob.go(&house.url("/about")).await;
        assert_eq!(
            bob.value("document.querySelector('[data-waiting]').hidden")
                .await,
            true
        );
        ann.go(&house.url("/")).await;
        ann.click("details.challenge summary").await;
        ann.value("document.querySelector('[name=player]').value = 'bob', 0")
            .await;
        ann.picture("challenge-1280").await;
        ann.click("details.challenge button").await;
        ann.until("location.pathname.startsWith('/t/')").await;
        bob.until("document.querySelector('[data-waiting]').title === '1 challenge'")
            .await;
        bob.go(&house.url("/")).await;
        bob.says("#challenges + ul", "Ann").await;
        bob.picture("challenged-1280").await;
        bob.click(".challenges button.main").await;
        bob.until("location.pathname.startsWith('/t/')").await;
        bob.is_live().await;
        let waits = "document.querySelector('[data-waiting]').title === 'Your turn in 1 game'";
        // It is the turn of one of the two.
        futures::future::select_all([&ann, &bob].map(|browser| Box::pin(browser.until(waits))))
            .await;
        for browser in [&ann, &bob] {
            assert_eq!(browser.complaints().await, [] as [String; 0]);
        }
    })
    .await;
}
