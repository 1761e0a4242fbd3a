//! A team of two people and a bot: one of them leaves, the other chooses how well the computer plays, and
//! the one who left comes back.

use serde_json::json;

use crate::access::fits;
use crate::driver::{Browser, DESK, SIZES, with_browsers};
use crate::house::House;
use crate::pandemic::{NARROW, first_table, posted, seated, step};

/// Finds a table with a bot in the third seat where Ann goes first, and nobody holds an event.
async fn with_a_bot(ann: &Browser, bob: &Browser, house: &House) -> String {
    let form = "opponent=both&bot=level:1&option.players=3&option.epidemics=0&option.events=list";
    let first = first_table(ann, bob, house, form).await;
    let seats = json!([{ "kind": "me", "name": "Ann" }, { "kind": "open" }, { "kind": "bot", "spec": "level:1" }]);
    let options = json!({ "players": 3, "epidemics": 0, "events": [] });
    let wanted = json!({ "game": "pandemic", "options": options, "seats": seats });
    seated((ann, bob), house, first, wanted, |_| true).await
}

/// Bob leaves with the buttons of his phone.
async fn leave(bob: &Browser) {
    bob.click(".menu").await;
    bob.until("document.querySelector('#part-actions:popover-open')")
        .await;
    bob.click("#part-actions details:has(form[action$='/resign']) summary")
        .await;
    bob.click("#part-actions form[action$='/resign'] button")
        .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_partner_leaves_and_is_seen_to_leave_and_comes_back_and_plays_on() {
    with_browsers(async |house, browsers| {
        let (ann, bob) = (browsers.open(DESK).await, browsers.open(NARROW).await);
        let id = with_a_bot(&ann, &bob, house).await;
        leave(&bob).await;
        ann.says("#part-status", "Bob left. A computer plays on: Level 3")
            .await;
        ann.says("#part-seats", "for Bob").await;
        ann.says(
            "#part-moves .news",
            "Bob left. A computer plays on: Level 3",
        )
        .await;
        bob.says(
            "#part-offers .way-back",
            "You left, and a computer plays for you.",
        )
        .await;
        // Nothing lies over it on a phone, held upright or across.
        let in_reach = "(() => { const button = document.querySelector('#part-offers form[action$=\"/return\"] button'); \
            const { x, y, width, height } = button.getBoundingClientRect(); \
            return [.1, .5, .9].every((part) => button.contains(document.elementFromPoint(x + part * width, y + height / 2))); })()";
        for screen in [SIZES[2].1, NARROW] {
            bob.set_screen(screen).await;
            bob.until(in_reach).await;
        }
        // Upright it shows for whom the computer plays, in the place of the role.
        bob.until("document.querySelector('#part-seats .for').checkVisibility() && !document.querySelector('#part-seats .for .dot').checkVisibility()")
            .await;
        for (who, name) in [(&ann, "ann"), (&bob, "bob")] {
            fits(who, name).await;
            who.picture(&format!("left-{name}")).await;
        }
        // Ann has nobody beside her but computers, and still her talk with Bob.
        ann.driver.refresh().await.unwrap();
        ann.is_live().await;
        let talk = "document.querySelector('#talk .talk[data-room=players]') !== null";
        for who in [&ann, &bob] {
            assert_eq!(who.value(talk).await, json!(true));
        }

        ann.click(".stand-in summary").await;
        ann.until("document.querySelector('.stand-in .sure')?.checkVisibility()")
            .await;
        fits(&ann, "the choice").await;
        let marked = "(() => { const colors = [...document.querySelectorAll('.stand-in .sure button')].map((button) => [button.ariaPressed, getComputedStyle(button).backgroundColor]); \
            const present = colors.find(([is]) => is === 'true'); return colors.filter(([, color]) => color === present?.[1]).length; })()";
        assert_eq!(ann.value(marked).await, json!(1), "the present level is marked");
        ann.picture("left-choice").await;
        ann.click(".stand-in form:has([value='level:5']) button")
            .await;
        ann.says(
            "#part-status",
            "The computer that plays for Bob is now: Level 5",
        )
        .await;
        for who in [&ann, &bob] {
            who.says("#part-seats", "Level 5").await;
        }
        let chosen =
            "document.querySelector(\".stand-in [value='level:5'] + button[aria-pressed=true]\")";
        ann.until(chosen).await;
        assert_eq!(
            bob.value("document.querySelector('.stand-in')").await,
            json!(null),
            "it is not for Bob to choose"
        );

        // The lobby shows the way back.
        bob.go(&house.url("/")).await;
        bob.says("main", "You left").await;
        bob.go(&house.url(&format!("/t/{id}"))).await;
        bob.is_live().await;
        bob.click("#part-offers form[action$='/return'] button")
            .await;
        bob.until("!document.querySelector('#part-offers .way-back')")
            .await;
        ann.says("#part-status", "Bob is back.").await;
        ann.until("!document.querySelector('.stand-in')").await;
        ann.until("!document.getElementById('part-seats').textContent.includes('for Bob')")
            .await;

        assert_eq!(
            ann.value(&posted(&id, "play", &json!({ "move": "draw" })))
                .await,
            json!(200)
        );
        bob.until("document.title.startsWith('● Your turn')").await;
        bob.has_been_told().await;
        assert!(step(&bob, 0).await, "Bob plays himself");
        for who in [&ann, &bob] {
            assert_eq!(who.complaints().await, Vec::<String>::new());
        }
    })
    .await;
}
