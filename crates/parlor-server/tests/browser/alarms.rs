//! Alerts of the table page, which must not come from what the player did.

use serde_json::json;

use crate::backgammon::{TO_DO, made, turn};
use crate::driver::{Browser, DESK, PHONE, Screen, with_browsers};
use crate::house::House;

/// Script that counts the alerts shown on the page from now on.
const COUNT_ALERTS: &str = "(() => { window.alerts = []; \
     for (const note of document.querySelectorAll('#refused, #hinted')) \
       new MutationObserver(() => note.textContent && window.alerts.push(note.textContent)) \
         .observe(note, { childList: true, characterData: true, subtree: true }); })()";

/// Opens a fresh table for two at this browser and counts its alerts.
async fn fresh_table(browser: &Browser, house: &House) {
    made(browser, house, json!({ "opponent": "here" })).await;
    browser.value(COUNT_ALERTS).await;
}

/// Makes plays with late and with prompt answers. There must be no alert.
async fn play_without_alerts(screen: Screen, plays: usize) {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(screen).await;
        fresh_table(&ann, house).await;
        let mut played = 0;
        while played < plays {
            let to_do = ann.value(TO_DO).await;
            match to_do.as_str().unwrap() {
                "over" => fresh_table(&ann, house).await,
                "board" => {
                    // News through the socket then comes well before the answer to the play.
                    ann.delay_answers(if played % 2 == 0 { 60 } else { 0 })
                        .await;
                    turn(&ann).await;
                    played += 1;
                }
                "said" => ann.click("#part-entry [data-move]").await,
                _ => tokio::task::yield_now().await,
            }
            assert_eq!(
                ann.value("window.alerts").await,
                json!([]),
                "in play {played}"
            );
        }
        assert_eq!(ann.complaints().await, Vec::<String>::new());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn no_alert_follows_the_own_plays() {
    play_without_alerts(DESK, 8).await;
    play_without_alerts(PHONE, 6).await;
}

/// Tests that take minutes.
mod full {
    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    #[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
    async fn no_alert_follows_any_of_200_own_plays() {
        play_without_alerts(DESK, 200).await;
    }
}
