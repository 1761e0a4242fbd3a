//! Names of browsers, for people to tell their sessions apart.

use axum::http::HeaderMap;
use axum::http::header::USER_AGENT;

/// Marks of browsers. Later ones call themselves earlier ones as well, hence the order.
const BROWSERS: [(&str, &str); 7] = [
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];
/// Marks of operating systems, in such an order, too.
const SYSTEMS: [(&str, &str); 7] = [
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
];
/// Maximum length of the name of a program that is no known browser, in characters.
const NAME_LIMIT: usize = 40;

/// Returns a name such as `Firefox on Linux`, or the first word that an unknown program says of
/// itself, such as `curl/8.5.0`.
pub(crate) fn browser_name(headers: &HeaderMap) -> Option<String> {
    let agent = headers.get(USER_AGENT)?.to_str().ok()?;
    let known = |names: &[(&str, &'static str)]| {
        let mut found = names.iter().filter(|(mark, _)| agent.contains(mark));
        found.next().map(|(_, name)| *name)
    };
    match (known(&BROWSERS), known(&SYSTEMS)) {
        (Some(browser), Some(system)) => Some(format!("{browser} on {system}")),
        (Some(browser), None) => Some(browser.to_owned()),
        (None, _) => {
            let word = agent.split_whitespace().next()?;
            Some(word.chars().take(NAME_LIMIT).collect())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(agent: &str) -> Option<String> {
        browser_name(&HeaderMap::from_iter([(
            USER_AGENT,
            agent.parse().unwrap(),
        )]))
    }

    #[test]
    fn browsers_are_told_apart_though_they_imitate_each_other() {
        for (agent, expected) in [
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
                "Firefox on Linux",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
                "Edge on Windows",
            ),
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
                "Chrome on Android",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
                "Safari on iPhone",
            ),
            ("curl/8.5.0", "curl/8.5.0"),
        ] {
            assert_eq!(name(agent).as_deref(), Some(expected));
        }
        assert_eq!(name(&"x".repeat(500)).unwrap().len(), NAME_LIMIT);
        assert_eq!(name(" "), None);
        assert_eq!(browser_name(&HeaderMap::new()), None);
    }
}
