//! Automated accessibility checks.

use serde_json::{Value, json};

use crate::driver::{Browser, DESK, PHONE, with_browsers};

/// Returns axe's serious accessibility findings.
pub async fn findings(browser: &Browser) -> Vec<String> {
    let is_serious = |found: &Value| {
        ["serious", "critical"].contains(&found["impact"].as_str().unwrap_or_default())
    };
    let found = all_findings(browser).await.into_iter();
    found.filter(is_serious).map(described).collect()
}

fn described(found: Value) -> String {
    format!("{}: {}", found["id"], found["nodes"])
}

/// Returns all of axe's findings.
async fn all_findings(browser: &Browser) -> Vec<Value> {
    let file = std::env::var("PARLOR_TEST_AXE").expect("PARLOR_TEST_AXE names axe.min.js");
    let axe = std::fs::read_to_string(file).unwrap();
    browser
        .driver
        .execute(&axe, Vec::<Value>::new())
        .await
        .unwrap();
    let script = "const done = arguments[arguments.length - 1]; \
                  axe.run(document, { resultTypes: ['violations'] }).then((r) => done(r.violations), (e) => done([{ impact: 'critical', id: String(e), nodes: [] }]));";
    let result = browser
        .driver
        .execute_async(script, Vec::<Value>::new())
        .await
        .unwrap();
    result.json().as_array().unwrap().clone()
}

/// Checks that axe finds nothing at all.
pub async fn is_faultless(browser: &Browser, what: &str) {
    let found: Vec<String> = all_findings(browser)
        .await
        .into_iter()
        .map(described)
        .collect();
    assert_eq!(found, Vec::<String>::new(), "{what}");
}

/// True if nothing sticks out to the side. On a phone, the window would grow with it.
pub const FITS: &str = "document.documentElement.scrollWidth <= (navigator.maxTouchPoints > 0 ? screen.width : innerWidth)";

/// Checks that the page doesn't overflow sideways, and that axe finds nothing serious.
pub async fn fits(browser: &Browser, what: &str) {
    assert_eq!(
        browser.value(FITS).await,
        json!(true),
        "{what}: nothing sticks out to the side"
    );
    assert_eq!(findings(browser).await, Vec::<String>::new(), "{what}");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn no_page_has_a_serious_accessibility_problem_by_day_or_night() {
    with_browsers(async |house, browsers| {
        for screen in [DESK, PHONE] {
            let ann = browsers.open(screen).await;
            let none = Vec::<String>::new();
            ann.go(&house.url("/")).await;
            assert_eq!(findings(&ann).await, none, "the lobby, dark: {}", screen.dark);
            ann.set_up(house, "Classic 3 × 3", "A friend, by link", "Ann").await;
            assert_eq!(findings(&ann).await, none, "the waiting table, dark: {}", screen.dark);
            ann.set_up(house, "Classic 3 × 3", "Each other, on this device", "Ann").await;
            assert_eq!(findings(&ann).await, none, "the table, dark: {}", screen.dark);
            for (n, id) in ["cell-0-0", "cell-1-0", "cell-0-1", "cell-1-1", "cell-0-2"].into_iter().enumerate() {
                ann.until("document.querySelector('.legal')").await;
                ann.value(&format!(
                    "document.getElementById('{id}').dispatchEvent(new MouseEvent('click', {{ bubbles: true }}))"
                ))
                .await;
                ann.until(&format!("document.querySelectorAll('.stone').length === {}", n + 1)).await;
            }
            ann.says("#part-status", "X won").await;
            assert_eq!(findings(&ann).await, none, "the finished game, dark: {}", screen.dark);
            ann.go(&format!("{}?step=2", ann.value("location.href").await.as_str().unwrap())).await;
            assert_eq!(findings(&ann).await, none, "the replay, dark: {}", screen.dark);
            ann.set_up_timed(house, "5", "Ann").await;
            let bob = browsers.open(screen).await;
            bob.go(ann.value("location.href").await.as_str().unwrap()).await;
            bob.is_live().await;
            bob.value("document.querySelector('[name=name]').value = 'Bob'").await;
            bob.click("#part-share button").await;
            for who in [&ann, &bob] {
                who.says("#part-offers", "Press Ready").await;
                assert_eq!(findings(who).await, none, "the table with clocks, dark: {}", screen.dark);
                assert_eq!(who.value(FITS).await, json!(true), "nothing sticks out to the side");
            }
            for page in ["/rules/mnk", "/about", "/nothing-here"] {
                ann.go(&house.url(page)).await;
                assert_eq!(findings(&ann).await, none, "{page}, dark: {}", screen.dark);
            }
            assert_eq!(ann.value("document.querySelector('h1').textContent").await, json!("Page not found"));
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER"]
async fn a_wide_name_breaks_and_one_from_right_to_left_turns_nothing_around_it() {
    with_browsers(async |house, browsers| {
        let (ann, bob) = (browsers.open(PHONE).await, browsers.open(PHONE).await);
        let wide = "W".repeat(20);
        ann.sign_up(house, &wide).await;
        ann.set_up_timed(house, "5", "").await;
        let table = ann.value("location.href").await;
        let table = table.as_str().unwrap().to_owned();
        let player = format!("/players/{wide}");
        bob.go(&table).await;
        bob.is_live().await;
        let join = "document.querySelector('#part-share a').textContent === 'Sign in to play'";
        bob.until(join).await;
        let pages = [
            "/",
            "/leaderboard",
            "/bots",
            "/tables/open",
            "/tables/live",
            &player,
            "/account",
            "/settings",
        ];
        for page in pages {
            ann.go(&house.url(page)).await;
            assert_eq!(ann.value(FITS).await, json!(true), "{page}");
        }
        for page in [house.url(&player), table] {
            bob.go(&page).await;
            assert_eq!(bob.value(FITS).await, json!(true), "{page}");
        }
        let cleo = browsers.open(PHONE).await;
        cleo.set_up(house, "Classic 3 × 3", "A friend, by link", &"W".repeat(40)).await;
        let table = cleo.value("document.getElementById('link').value").await;
        bob.go(table.as_str().unwrap()).await;
        bob.is_live().await;
        bob.value("document.querySelector('#part-share [name=name]').value = 'אבג 1'").await;
        bob.click("#part-share button").await;
        cleo.says("#part-seats", "אבג 1").await;
        for who in [&cleo, &bob] {
            assert_eq!(who.value(FITS).await, json!(true));
        }
        let apart = "[...document.querySelectorAll('#part-seats bdi')].map((name) => name.textContent).includes('אבג 1')";
        assert_eq!(cleo.value(apart).await, json!(true));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs PARLOR_TEST_CHROMEDRIVER and PARLOR_TEST_AXE"]
async fn the_documentation_of_the_api_has_no_accessibility_problem_at_all() {
    with_browsers(async |house, browsers| {
        for screen in [DESK, PHONE] {
            let ann = browsers.open(screen).await;
            ann.go(&house.url("/api/docs")).await;
            ann.picture(&format!("api-docs-{}", screen.width)).await;
            let opened = "(() => { const all = document.querySelectorAll('details'); for (const one of all) one.open = true; return all.length > 200; })()";
            assert_eq!(ann.value(opened).await, json!(true));
            is_faultless(&ann, &screen.width.to_string()).await;
            assert_eq!(ann.value(FITS).await, json!(true));
            let broken = "[...document.querySelectorAll('main a[href^=\"#\"]')].filter((link) => !document.getElementById(link.hash.slice(1))).map((link) => link.hash)";
            assert_eq!(ann.value(broken).await, json!([]));
            assert_eq!(ann.complaints().await, Vec::<String>::new());
        }
    })
    .await;
}
