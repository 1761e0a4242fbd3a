//! Talk beside the board, in two browsers and with a watcher.

use serde_json::{Value, json};
use thirtyfour::Key;

use crate::access::fits;
use crate::driver::{ACROSS, Browser, Browsers, DESK, PHONE, SIZES, Screen, with_browsers};
use crate::games::play;
use crate::house::House;

/// Seats two new members, whose names end with `suffix`, at a table with clocks.
async fn sit_down(house: &House, ann: &Browser, bob: &Browser, suffix: impl std::fmt::Display) {
    ann.sign_up(house, &format!("Ann{suffix}")).await;
    bob.sign_up(house, &format!("Bob{suffix}")).await;
    ann.set_up_timed(house, "5", "").await;
    bob.go(ann.value("location.href").await.as_str().unwrap())
        .await;
    bob.is_live().await;
    bob.click("#part-share button").await;
}

/// Returns the browsers of two members at a table where both can write texts.
async fn members_at_a_table(house: &House, browsers: &Browsers) -> (Browser, Browser) {
    let (ann, bob) = (browsers.open(DESK).await, browsers.open(DESK).await);
    sit_down(house, &ann, &bob, "").await;
    ann.until("document.querySelector('#talk .talk[data-room=players] [name=text]')")
        .await;
    (ann, bob)
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn whoever_was_silenced_reads_so_before_writing() {
    with_browsers(async |house, browsers| {
        let (ann, _bob) = members_at_a_table(house, browsers).await;
        // The server would render this to somebody who is silenced.
        let silenced = "(() => { const real = window.fetch; window.fetch = async (url, init) => !/talk$/.test(url) || init.method ? real(url, init) \
            : new Response((await (await real(url)).text()).replace(/data-rights=\"[^\"]*\"/, 'data-rights=\"none\"') \
                .replace(/<form[^]*<.form>/, '<p>You cannot write until 12:00</p>')); \
            document.querySelector('#talk [name=text]').focus(); })()";
        // In one script: other news would have the page ask again and take the field away before.
        ann.value(silenced).await;
        ann.says("#talk-body", "You cannot write until").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_message_whose_answer_is_lost_is_not_sent_twice() {
    with_browsers(async |house, browsers| {
        let (ann, bob) = members_at_a_table(house, browsers).await;
        let loses = "(() => { const real = window.fetch; window.lost = 0; window.fetch = async (url, init) => { \
            const answer = await real(url, init); if (!/talk$/.test(url) || init.method !== 'POST') return answer; \
            lost += 1; throw new TypeError('lost'); }; })()";
        ann.value(loses).await;
        ann.value("(() => { const field = document.querySelector('#talk [name=text]'); field.value = 'Well met, Bob'; field.form.requestSubmit(); })()").await;
        bob.says("#talk .lines", "Well met, Bob").await;
        ann.until("lost === 1 && document.querySelector('#talk [name=text]').value === ''").await;
        ann.until("document.querySelector('#talk .refused').textContent === ''").await;
        shows(&ann, json!(["Well met, Bob"])).await;
    })
    .await;
}

/// Texts of the messages that are on the screen.
const SHOWN: &str = "[...document.querySelectorAll('#talk .line')].filter((l) => l.getClientRects().length).map((l) => l.querySelector('.text').textContent)";

/// Opens the talk where it is not beside the board.
async fn open_talk(browser: &Browser) {
    let is_beside = "document.querySelector('#talk .lines').getClientRects().length > 0";
    if browser.value(is_beside).await == json!(false) {
        browser.click(".talk-button").await;
        browser.until(is_beside).await;
    }
}

async fn say_phrase(browser: &Browser, id: &str) {
    browser
        .value(&format!(
            "document.querySelector('#talk .phrases [value={id}]').click()"
        ))
        .await;
}

async fn shows(browser: &Browser, texts: Value) {
    browser
        .until(&format!(
            "JSON.stringify({SHOWN}) === JSON.stringify({texts})"
        ))
        .await;
}

/// Place of the board and height of the page, which a message must not change.
async fn layout(browser: &Browser) -> Value {
    browser
        .value("(() => { const b = document.getElementById('board').getBoundingClientRect(); return [b.x, b.y + scrollY, b.width, document.documentElement.scrollHeight]; })()")
        .await
}

async fn talk_at_a_table(house: &House, ann: &Browser, bob: &Browser, eve: &Browser, name: &str) {
    ann.set_up_timed(house, "5", "Ann").await;
    let table = ann.value("location.href").await;
    for who in [bob, eve] {
        who.go(table.as_str().unwrap()).await;
        who.is_live().await;
    }
    bob.value("document.querySelector('[name=name]').value = 'Bob'")
        .await;
    bob.click("#part-share button").await;
    bob.until("document.querySelector('#talk .talk[data-room=players]')")
        .await;
    let before = layout(bob).await;
    open_talk(ann).await;
    say_phrase(ann, "good-luck").await;
    shows(ann, json!(["Good luck!"])).await;
    // A message that comes changes nothing but its count, where the talk is closed.
    let is_closed = bob
        .value("document.querySelector('#talk .lines').getClientRects().length === 0")
        .await;
    if is_closed == json!(true) {
        bob.until("document.querySelector('.talk-button .unread').textContent === '1'")
            .await;
        bob.picture(&format!("talk-unread-{name}")).await;
    }
    bob.until("document.querySelectorAll('#talk .line').length === 1")
        .await;
    assert_eq!(layout(bob).await, before, "{name}");
    bob.value("scrollTo(0, 0)").await;
    open_talk(bob).await;
    shows(bob, json!(["Good luck!"])).await;
    assert_eq!(
        bob.value("document.querySelector('.unread').hidden").await,
        json!(true)
    );
    bob.until("document.querySelector('#talk [role=log][aria-live=polite]')")
        .await;
    say_phrase(bob, "thanks").await;
    shows(ann, json!(["Good luck!", "Thank you!"])).await;
    bob.picture(&format!("talk-{name}")).await;
    fits(bob, &format!("talk, {name}")).await;
    // Watchers have a room of their own until the game is over.
    open_talk(eve).await;
    say_phrase(eve, "hello").await;
    shows(eve, json!(["Hello!"])).await;
    assert_eq!(
        eve.value("[document.querySelector('#talk .rooms') === null, document.querySelector('#talk form.say') === null]").await,
        json!([true, true]),
        "one room, and phrases only for a guest"
    );
    shows(bob, json!(["Good luck!", "Thank you!"])).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER and PARLOR_TEST_AXE"]
async fn players_and_watchers_talk_on_every_screen() {
    with_browsers(async |house, browsers| {
        for (n, (size, screen)) in SIZES.into_iter().enumerate() {
            let dark = n % 2 == 1;
            let screen = Screen { dark, ..screen };
            let name = format!("{size}{}", if dark { "-dark" } else { "" });
            let ann = browsers.open(DESK).await;
            let (bob, eve) = (browsers.open(screen).await, browsers.open(screen).await);
            talk_at_a_table(house, &ann, &bob, &eve, &name).await;
            let page_stays_in_place = bob
                .value("(() => { const board = document.getElementById('board').getBoundingClientRect(); const talk = document.getElementById('talk').getBoundingClientRect(); \
                        const seats = document.getElementById('part-seats').getBoundingClientRect(); \
                        return scrollY === 0 && (talk.x >= board.right - 1 || talk.y >= seats.bottom); })()")
                .await;
            assert_eq!(page_stays_in_place, json!(true), "{name}");
            for who in [&ann, &bob, &eve] {
                assert_eq!(who.complaints().await, Vec::<String>::new());
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER and PARLOR_TEST_AXE"]
async fn members_write_texts_mute_and_report_and_everybody_talks_after_the_game() {
    with_browsers(async |house, browsers| {
        for (name, screen) in [("desk", DESK), ("phone", Screen { width: 390, height: 844, ..PHONE })] {
            let (ann, bob) = (browsers.open(screen).await, browsers.open(DESK).await);
            ann.sign_up(house, &format!("Ann-{name}")).await;
            bob.sign_up(house, &format!("Bob-{name}")).await;
            ann.set_up_timed(house, "5", "").await;
            bob.go(ann.value("location.href").await.as_str().unwrap()).await;
            bob.is_live().await;
            bob.click("#part-share button").await;
            bob.until("document.querySelector('#talk .talk[data-room=players] form.say')").await;
            let write = async |text: &str| {
                bob.value("document.querySelector('#talk form.say [name=text]').focus()").await;
                bob.press(text).await;
                bob.press(Key::Enter).await;
            };
            write("You play <b>badly</b> http://example.org").await;
            open_talk(&ann).await;
            shows(&ann, json!(["You play <b>badly</b> http://example.org"])).await;
            assert_eq!(ann.value("document.querySelectorAll('#talk .line :is(b:not(.name), a)').length").await, json!(0), "plain text");
            // Report, once.
            ann.click("#talk .line .more summary").await;
            ann.picture(&format!("talk-menu-{name}")).await;
            fits(&ann, &format!("the menu of a message, {name}")).await;
            ann.click("#talk .line .report button").await;
            ann.says("#talk .done", "Reported").await;
            // Mute, and undo.
            ann.click("#talk .line .more summary").await;
            ann.click("#talk .line .more form button").await;
            ann.says("#talk .done", "is muted").await;
            shows(&ann, json!([])).await;
            write("Hello?").await;
            ann.until("document.querySelectorAll('#talk .line').length === 2").await;
            shows(&ann, json!([])).await;
            ann.click("#talk [data-unmute]").await;
            shows(&ann, json!(["You play <b>badly</b> http://example.org", "Hello?"])).await;
            // After the game there are two rooms. Whoever read the talk scrolls back to the board first.
            ann.value("scrollTo(0, 0)").await;
            play(&ann, 0, 0).await;
            play(&bob, 1, 0).await;
            bob.value("(() => { const form = document.querySelector('form[action$=\"/resign\"]'); form.requestSubmit(); })()").await;
            ann.until("document.querySelectorAll('#talk .rooms button:not([disabled])').length === 2").await;
            open_talk(&ann).await;
            ann.click("#talk .rooms [data-choose=watchers]").await;
            shows(&ann, json!([])).await;
            say_phrase(&ann, "well-played").await;
            shows(&ann, json!(["Well played!"])).await;
            ann.picture(&format!("talk-after-{name}")).await;
            // Off for this browser, and on again.
            ann.value("document.querySelector('form.talk-switch button').click()").await;
            ann.until("!document.getElementById('talk') && document.querySelector('form.talk-switch [value=on]')").await;
            ann.value("document.querySelector('form.talk-switch button').click()").await;
            ann.until("document.getElementById('talk')").await;
            for who in [&ann, &bob] {
                assert_eq!(who.complaints().await, Vec::<String>::new());
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER and PARLOR_TEST_AXE"]
async fn a_message_out_of_sight_is_counted_and_its_room_is_marked() {
    with_browsers(async |house, browsers| {
        for (name, screen) in [("desk", Screen { height: 800, ..DESK }), ("phone", Screen { width: 390, height: 844, ..PHONE })] {
            let (ann, bob, eve) = (browsers.open(screen).await, browsers.open(DESK).await, browsers.open(DESK).await);
            ann.set_up_timed(house, "5", "Ann").await;
            let table = ann.value("location.href").await;
            for who in [&bob, &eve] {
                who.go(table.as_str().unwrap()).await;
                who.is_live().await;
            }
            bob.click("#part-share button").await;
            bob.until("document.querySelector('#talk .talk[data-room=players]')").await;
            bob.value("document.querySelector('form[action$=\"/resign\"]').requestSubmit()").await;
            ann.until("document.querySelectorAll('#talk .rooms button:not([disabled])').length === 2").await;
            ann.value("(document.querySelector('[data-end-close]')?.click(), scrollTo(0, 0))").await;
            let before = layout(&ann).await;
            say_phrase(&eve, "well-played").await;
            ann.says(".talk-button .unread", "1").await;
            assert_eq!(layout(&ann).await, before, "{name}");
            ann.picture(&format!("talk-room-{name}")).await;
            ann.click(".talk-button").await;
            ann.until("(({ top, bottom }) => bottom > top && bottom <= innerHeight)(document.querySelector('#talk .lines').getBoundingClientRect())").await;
            ann.says("#talk [data-choose=watchers] .unread", "1").await;
            ann.until("document.querySelector('#talk .nobody[data-room=players]').checkVisibility()").await;
            assert_eq!(ann.value("document.querySelector('#talk .nobody[data-room=watchers]').checkVisibility()").await, json!(false));
            fits(&ann, &format!("an unread room, {name}")).await;
            ann.click("#talk [data-choose=watchers]").await;
            shows(&ann, json!(["Well played!"])).await;
            ann.until("[...document.querySelectorAll('.unread')].every((badge) => badge.hidden)").await;
        }
    })
    .await;
}

/// Script that returns true if a point within an element of this selector shows it.
fn is_seen(selector: &str) -> String {
    format!(
        "[...document.querySelectorAll({})].some((element) => {{ const box = element.getBoundingClientRect(); \
           return element.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)); }})",
        json!(selector)
    )
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER and PARLOR_TEST_AXE"]
async fn offers_and_the_result_are_seen_beside_the_open_talk() {
    with_browsers(async |house, browsers| {
        for (n, (size, screen)) in SIZES.into_iter().enumerate() {
            let (ann, bob) = (browsers.open(DESK).await, browsers.open(screen).await);
            sit_down(house, &ann, &bob, n).await;
            for (player, column) in [(&ann, 0), (&bob, 1), (&ann, 2)] {
                play(player, 0, column).await;
            }
            open_talk(&bob).await;
            ann.value("document.querySelector('form[action$=\"/draw\"]').requestSubmit()")
                .await;
            bob.until(&is_seen("#part-offers .ask button")).await;
            bob.picture(&format!("talk-offer-{size}")).await;
            fits(&bob, &format!("an offer beside the talk, {size}")).await;
            ann.value("document.querySelector('form[action$=\"/resign\"]').requestSubmit()")
                .await;
            bob.until("document.querySelector('#end:popover-open')")
                .await;
            bob.picture(&format!("talk-end-{size}")).await;
            bob.until(&is_seen("#end form[action$='/rematch'] button"))
                .await;
            if bob
                .value("document.querySelector('#talk:popover-open') !== null")
                .await
                == json!(true)
            {
                bob.until(&is_seen("#talk .say [name=text]")).await;
                bob.until(&format!(
                    "{} || {}",
                    is_seen("#part-status"),
                    is_seen("#end h2")
                ))
                .await;
            }
            fits(&bob, &format!("the end beside the talk, {size}")).await;
        }
    })
    .await;
}

/// Parts of the page that have to stay in sight and that the open talk covers.
const COVERED: &str = "(() => { const talk = document.getElementById('talk').getBoundingClientRect(); \
    return [...document.querySelectorAll('#board, .banner, #part-seats li, .clock')].filter((one) => { const box = one.getBoundingClientRect(); \
      return Math.min(talk.right, box.right) - Math.max(talk.left, box.left) > 1 && Math.min(talk.bottom, box.bottom) - Math.max(talk.top, box.top) > 1; \
    }).map((one) => one.className || one.id || one.textContent); })()";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER and PARLOR_TEST_AXE"]
async fn the_open_talk_leaves_banner_and_clocks_in_sight_on_a_phone_across() {
    with_browsers(async |house, browsers| {
        for (n, (size, screen)) in SIZES.into_iter().skip(2).take(1).chain(ACROSS).enumerate() {
            let (ann, bob) = (browsers.open(DESK).await, browsers.open(screen).await);
            sit_down(house, &ann, &bob, n).await;
            bob.until("document.querySelector('#talk .talk[data-room=players] form.say')")
                .await;
            ann.says("#part-status", "Your turn").await;
            open_talk(&bob).await;
            say_phrase(&ann, "good-luck").await;
            shows(&bob, json!(["Good luck!"])).await;
            bob.picture(&format!("talk-across-{size}")).await;
            assert_eq!(bob.value(COVERED).await, json!([]), "{size}");
            for control in [
                "#talk .say [name=text]",
                "#talk .say button",
                "#talk .phrases button",
                "#talk .close",
                "#talk .line .text",
            ] {
                assert_eq!(
                    bob.value(&is_seen(control)).await,
                    json!(true),
                    "{size}: {control}"
                );
            }
            fits(&bob, &format!("the open talk, {size}")).await;
            bob.leave().await;
            ann.leave().await;
        }
    })
    .await;
}

/// Boxes of what stands beside and in the talk.
const PARTS: &str = "['#board .board', '.banner', '#part-seats', '.steps', '#part-actions', '#part-moves', '#talk', '#talk .lines', '#talk .phrases', \
    '#talk .say', '.about', '.foot'].map((name) => { const box = document.querySelector(name).getBoundingClientRect(); \
    return [name, box.x, box.y + scrollY, box.width, box.height]; })";

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER and PARLOR_TEST_AXE"]
async fn the_menu_of_a_message_and_a_refusal_move_nothing() {
    with_browsers(async |house, browsers| {
        for (n, (size, screen)) in SIZES.into_iter().enumerate() {
            let (ann, bob) = (browsers.open(screen).await, browsers.open(DESK).await);
            ann.sign_up(house, &format!("Ann{n}")).await;
            bob.sign_up(house, &format!("Bob{n}")).await;
            ann.set_up_timed(house, "5", "").await;
            bob.go(ann.value("location.href").await.as_str().unwrap()).await;
            bob.is_live().await;
            bob.click("#part-share button").await;
            bob.until("document.querySelector('#talk .talk[data-room=players] form.say')").await;
            bob.value("(() => { const field = document.querySelector('#talk [name=text]'); field.value = 'Well met'; field.form.requestSubmit(); })()").await;
            ann.until("document.querySelector('#talk .line')").await;
            open_talk(&ann).await;
            ann.value("document.querySelector('#talk .line').scrollIntoView({ block: 'nearest' })").await;
            let before = ann.value(PARTS).await;
            ann.click("#talk .line .more summary").await;
            ann.until("document.querySelector('#talk .message-menu')?.checkVisibility()").await;
            let hidden = "[...document.querySelectorAll('#talk .more[open] .message-menu :is(button, select, [name=note])')].filter((control) => { \
                const box = control.getBoundingClientRect(); \
                return !control.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)); }).map((control) => control.outerHTML)";
            ann.until(&format!("{hidden}.length === 0")).await;
            assert_eq!(ann.value(PARTS).await, before, "{size}: the menu");
            ann.picture(&format!("message-menu-{size}")).await;
            fits(&ann, &format!("the menu of a message, {size}")).await;
            ann.click("#talk .more[open] [data-shut]").await;
            ann.until("!document.querySelector('#talk .more[open]') && document.activeElement.matches('#talk .more summary')").await;
            // The longest of these sentences.
            ann.value("document.querySelector('#talk .refused').textContent = 'No answer came. If your message does not appear, send it again.'").await;
            assert_eq!(ann.value(PARTS).await, before, "{size}: a refusal");
            let is_whole = "(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight)(document.querySelector('#talk .notes'))";
            assert_eq!(ann.value(is_whole).await, json!(true), "{size}");
        }
    })
    .await;
}
