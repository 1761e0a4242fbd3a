//! The page of a team's table: names on the map, prompts for fingers, questions, hands and buttons.

use serde_json::json;

use crate::driver::{ACROSS, Browser, DESK, SIZES, with_browsers};
use crate::house::House;
use crate::pandemic::{NARROW, STEPS, first_with, made, posted, touch};

/// Form of a table without events, epidemics and questions, whose only player has all seats.
const CALM: &str =
    "opponent=here&option.players=2&option.epidemics=0&option.events=list&option.consent=implied";

/// Creates a table with the form and opens its page, and returns its path.
async fn opened(ann: &Browser, house: &House, fields: &str) -> String {
    let path = made(ann, house, fields).await;
    ann.go(&house.url(&path)).await;
    ann.is_live().await;
    path
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn the_name_of_a_city_is_part_of_it_and_no_name_covers_the_mark_of_another_city() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(DESK).await;
        opened(&ann, house, CALM).await;
        // Pawns may stand above a mark.
        let wrong = "(() => { document.getElementById('board').scrollIntoView(); \
            const at = (x, y) => document.elementsFromPoint(x, y).map((part) => part.closest('.city')).find(Boolean)?.id; \
            return [...document.querySelectorAll('.city')].flatMap((city) => { \
              const name = city.querySelector('text:not(.letter)').getBoundingClientRect(), spot = city.querySelector('.cell').getBoundingClientRect(); \
              const [x, y, r] = [spot.x + spot.width / 2, spot.y + spot.height / 2, .3 * spot.width]; \
              const all = [[name.x + name.width / 2, name.y + name.height / 2], [x, y], [x - r, y], [x + r, y], [x, y - r], [x, y + r]]; \
              return all.filter((point) => at(...point) !== city.id).map((point) => `${city.id}: ${at(...point)}`); }); })()";
        assert_eq!(ann.value(wrong).await, json!([]));
        let name = "(() => { const name = document.querySelector('#city-Miami text:not(.letter)').getBoundingClientRect(); \
            return [name.x + name.width / 2, name.y + name.height / 2]; })()";
        let at = ann.value(name).await;
        let at = [at[0].as_f64().unwrap(), at[1].as_f64().unwrap()];
        let before = ann.value(STEPS).await;
        ann.pointer_down(false, at).await;
        ann.pointer_up(false, at).await;
        ann.until(&format!("{STEPS} !== {before}")).await;
        ann.says(".hand.active .player", "in Miami").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_finger_that_aims_is_told_the_move_in_the_words_of_its_button() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(NARROW).await;
        let path = opened(&ann, house, CALM).await;
        let id = path.trim_start_matches("/t/");
        for city in ["Chicago", "Atlanta", "Chicago", "Atlanta"] {
            let body = json!({ "move": format!("drive:{city}") });
            assert_eq!(ann.value(&posted(id, "play", &body)).await, json!(200));
        }
        ann.until("document.querySelector('#player-deck.plays') && !document.querySelector('main.tells')")
            .await;
        let small = "(({ width, height }) => Math.min(width, height))(document.getElementById('player-deck').getBoundingClientRect())";
        assert!(ann.value(small).await.as_f64().unwrap() < 28.0, "smaller than a finger");
        let before = ann.value(STEPS).await;
        let tap = "document.getElementById('player-deck').dispatchEvent(new PointerEvent('click', { bubbles: true, pointerType: 'touch' }))";
        ann.value(tap).await;
        ann.until("document.getElementById('hinted').textContent === 'Tap again to draw two cards.'").await;
        assert_eq!(ann.value(STEPS).await, before);
        ann.value(tap).await;
        ann.until(&format!("{STEPS} !== {before}")).await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_team_that_gives_up_reads_why_once_and_is_asked_nothing_any_more() {
    with_browsers(async |house, browsers| {
        let (ann, bob) = (browsers.open(DESK).await, browsers.open(DESK).await);
        let id = first_with("Dispatcher", &ann, &bob, house).await;
        touch(
            &ann,
            &["pawn-Medic".to_owned(), "city-Washington".to_owned()],
        )
        .await;
        bob.until("document.querySelector('#part-entry [data-move=agree]')")
            .await;
        for who in [&ann, &bob] {
            assert_eq!(
                who.value(&posted(&id, "resign", &json!({}))).await,
                json!(200)
            );
        }
        bob.until("document.querySelector('#end:popover-open')")
            .await;
        bob.says("#end-title", ": everybody has left").await;
        bob.says("#part-status .says", ": everybody has left").await;
        bob.picture("pandemic-given-up").await;
        let more = "document.querySelector('#end .how')?.textContent.trim() ?? ''";
        assert_eq!(bob.value(more).await, json!(""));
        let open = "document.querySelectorAll('#board .question, #part-entry .entry').length";
        assert_eq!(bob.value(open).await, json!(0));
        let phase = "document.querySelector('#board .turn').getAttribute('aria-label')";
        assert_eq!(bob.value(phase).await, json!("the game is over"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn on_a_phone_across_the_actions_are_one_strip_that_lies_over_no_hand() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(DESK).await;
        for (players, clock) in [(2, "none"), (4, "none"), (3, "300%2B3"), (4, "300%2B3")] {
            let fields = format!("opponent=here&clock={clock}&option.players={players}&option.events=list");
            let path = made(&ann, house, &fields).await;
            for (size, screen) in ACROSS.into_iter().chain([SIZES[2]]) {
                let what = format!("{players} players, clock {clock}, {size}");
                ann.set_screen(screen).await;
                ann.go(&house.url(&path)).await;
                ann.is_live().await;
                ann.until("document.querySelector('#part-entry .kinds.goes-right')").await;
                let is_line = "(() => { const boxes = [...document.querySelectorAll('#part-entry .kinds button')].map((button) => button.getBoundingClientRect()); \
                    return Math.max(...boxes.map(({ top }) => top)) < Math.min(...boxes.map(({ bottom }) => bottom)); })()";
                assert_eq!(ann.value(is_line).await, json!(true), "{what}");
                // Small windows with clocks scroll down to the hands.
                let over = "(() => { const [bar, hands] = ['.entries', '.hands'].map((part) => document.querySelector(part).getBoundingClientRect()); \
                    return bar.left < hands.right && bar.right > hands.left && bar.top < hands.bottom && bar.bottom > hands.top + 1; })()";
                assert_eq!(ann.value(over).await, json!(false), "{what}");
                let stop = "(() => { const stop = document.querySelector('#part-entry summary'); stop.scrollIntoView({ block: 'nearest' }); \
                    const { x, y, width, height } = stop.getBoundingClientRect(); return stop.contains(document.elementFromPoint(x + width / 2, y + height / 2)); })()";
                assert_eq!(ann.value(stop).await, json!(true), "{what}");
                ann.picture(&format!("pandemic-across-{players}-{clock}-{size}")).await;
            }
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn the_headings_of_the_hands_are_clear_of_what_stands_beside_them() {
    with_browsers(async |house, browsers| {
        let ann = browsers.open(SIZES[0].1).await;
        const ROLES: [&str; 4] = ["Operations%20Expert", "Medic", "Dispatcher", "Scientist"];
        for players in [2, 3, 4] {
            let roles: Vec<String> = (0..players).map(|n| format!("option.roles.{n}={}", ROLES[n])).collect();
            let fields = format!("opponent=here&option.players={players}&option.roles=list&{}", roles.join("&"));
            opened(&ann, house, &fields).await;
            let wrong = "(() => { const box = (part) => part.getBoundingClientRect(); const text = (part) => { const range = document.createRange(); range.selectNodeContents(part); return box(range); }; \
                const meet = (a, b) => a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top; \
                return [...document.querySelectorAll('.hand')].flatMap((hand) => { const [name, tally] = ['b', '.tally'].map((part) => text(hand.querySelector(part))); \
                  const chip = hand.querySelector('.chip'); const out = []; \
                  if (box(hand).bottom > innerHeight) out.push('out of sight'); \
                  if (name.top < box(hand).top + 3) out.push('touches the frame'); \
                  if (chip && [name, tally, ...[...hand.querySelectorAll('.card')].map(box)].some((other) => meet(box(chip), other))) out.push('the flight lies over something'); \
                  return out; }); })()";
            assert_eq!(ann.value(wrong).await, json!([]), "{players}");
            assert_eq!(ann.value("document.querySelectorAll('.chip').length").await, json!(1), "{players}");
            ann.picture(&format!("pandemic-headings-{players}")).await;
        }
    })
    .await;
}
