//! A series of games at pages that go along by themselves.

use serde_json::json;

use crate::driver::{Browser, DESK, PHONE, with_browsers};
use crate::games::{play, seated};

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_rematch_can_be_declined_and_taken_up_later_and_is_offered_once() {
    with_browsers(async |house, browsers| {
        for screen in [DESK, PHONE] {
            let (ann, bob) = (browsers.open(screen).await, browsers.open(DESK).await);
            seated(house, &ann, &bob).await;
            play(&ann, 1, 1).await;
            play(&bob, 0, 0).await;
            bob.value("document.querySelector('form[action$=\"/resign\"] button').click()").await;
            ann.until("document.querySelector('#end:popover-open')").await;
            let seen = |text: &str| {
                format!(
                    "[...document.querySelectorAll('main button, main h2, #part-status .says')].filter((one) => \
                       one.textContent.includes('{text}') && one.checkVisibility({{ visibilityProperty: true }}) && one.offsetHeight > 1).length"
                )
            };
            ann.picture(&format!("end-once-{}", screen.width)).await;
            assert_eq!(ann.value(&seen("Rematch")).await, json!(1), "one button, in the panel");
            let result = ann.value("document.querySelector('#part-status .says').textContent").await;
            assert_eq!(ann.value(&seen(result.as_str().unwrap())).await, json!(1), "the result is said once");
            bob.click("#end form[action$='/rematch'] button").await;
            ann.says("#end", "wants a rematch").await;
            assert_eq!(ann.value(&seen_in_panel("wants a rematch")).await, json!(true), "the question is read");
            let decline = "document.querySelector('#end form[action$=\"/rematch/decline\"] button').checkVisibility()";
            assert_eq!(ann.value(decline).await, json!(true), "both answers, in the panel");
            ann.click("#end [data-end-close]").await;
            ann.until("document.querySelector('#part-offers .rematch')?.checkVisibility()").await;
            ann.picture(&format!("rematch-asked-{}", screen.width)).await;
            ann.click("#part-offers form[action$='/rematch/decline'] button").await;
            ann.until("!document.querySelector('#part-offers .rematch')").await;
            bob.says("#end .asked", "Ann doesn't want a rematch.").await;
            bob.picture(&format!("rematch-declined-{}", screen.width)).await;
            let before = ann.value("location.pathname").await;
            ann.click("#part-actions form[action$='/rematch'] button").await;
            bob.says("#end .asked", "Ann wants a rematch.").await;
            // A press where the button has just changed would be taken for a slip.
            bob.value("document.querySelector('#end form[action$=\"/rematch\"] button').click()").await;
            ann.until(&format!("location.pathname !== {before}")).await;
        }
    })
    .await;
}

/// Script that is true if a sentence with this text is whole in the panel, and nothing lies over it.
fn seen_in_panel(text: &str) -> String {
    format!(
        "[...document.querySelectorAll('#end p')].some((line) => {{ const box = line.getBoundingClientRect(); \
           return line.textContent.includes('{text}') && line.scrollWidth <= line.clientWidth && box.height > 0 && box.bottom <= innerHeight \
             && line.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)); }})"
    )
}

async fn resign(browser: &Browser) {
    let form = "details.confirm:has(form[action$='/resign'])";
    browser.click(&format!("{form} summary")).await;
    browser.click(&format!("{form} button")).await;
}

/// Points of the series as shown, by seat.
const SERIES: &str =
    "[...document.querySelectorAll('#part-seats .series')].map((b) => b.firstChild.textContent)";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn both_pages_go_to_the_rematch_once_both_have_agreed_and_show_the_series() {
    with_browsers(async |house, browsers| {
        let (ann, bob) = (browsers.open(DESK).await, browsers.open(PHONE).await);
        seated(house, &ann, &bob).await;
        let first = ann.value("location.pathname").await;
        play(&ann, 1, 1).await;
        play(&bob, 0, 0).await;
        assert_eq!(ann.value(SERIES).await, json!([]));
        resign(&bob).await;
        // Ann asks and waits; Bob agrees.
        ann.click("#end form[action$='/rematch'] button").await;
        bob.click("#end form[action$='/rematch'] button").await;
        let elsewhere =
            format!("location.pathname !== {first} && document.querySelector('main.live')");
        for who in [&ann, &bob] {
            who.until(&elsewhere).await;
            assert_eq!(who.value(SERIES).await, json!(["0", "1"]));
        }
        assert_eq!(
            ann.value("location.pathname").await,
            bob.value("location.pathname").await
        );
        ann.picture("series-desk").await;
        bob.picture("series-phone").await;
        // A visit to the finished game does not lead away again.
        ann.go(&house.url(first.as_str().unwrap())).await;
        ann.is_live().await;
        ann.says("#part-actions", "Go to the rematch").await;
        assert_eq!(ann.value("location.pathname").await, first);
        for who in [&ann, &bob] {
            assert_eq!(who.complaints().await, Vec::<String>::new());
        }
    })
    .await;
}
