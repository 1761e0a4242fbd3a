//! Messages, as each kind of address takes them.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use parlor_store::{DueNotice, NoticeTarget};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::address::WebAddress;
use super::outgoing::{NoAnswer, Post};
use super::push::{HouseKey, MAX_MESSAGE, PushKeys};
use crate::live::table_id;

/// Number of notices in a message that are told one by one.
const MAX_LINES: usize = 10;
/// Time for which a push service keeps a message for a browser that is not running, in seconds.
const KEPT_SECONDS: u32 = 24 * 3_600;

/// Kind of address to which notices can be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TargetKind {
    /// A browser, by Web Push.
    WebPush,
    /// The address of an ntfy topic.
    Ntfy,
    /// The address of a Discord webhook.
    Discord,
    /// The address of a Slack webhook, or of one that takes the same.
    Slack,
    /// The address of a webhook into a Matrix room, as matrix-hookshot makes them.
    Matrix,
}

impl TargetKind {
    /// All kinds whose addresses are typed.
    pub(crate) const TYPED: [TargetKind; 4] = [
        TargetKind::Ntfy,
        TargetKind::Discord,
        TargetKind::Slack,
        TargetKind::Matrix,
    ];

    /// Returns the name, as in JSON.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            TargetKind::WebPush => "web_push",
            TargetKind::Ntfy => "ntfy",
            TargetKind::Discord => "discord",
            TargetKind::Slack => "slack",
            TargetKind::Matrix => "matrix",
        }
    }

    /// Returns the name in words.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            TargetKind::WebPush => "Browser",
            TargetKind::Ntfy => "ntfy",
            TargetKind::Discord => "Discord",
            TargetKind::Slack => "Slack",
            TargetKind::Matrix => "Matrix",
        }
    }

    /// Returns the kind with this name.
    pub(crate) fn from_name(name: &str) -> Option<TargetKind> {
        let mut all = TargetKind::TYPED.into_iter().chain([TargetKind::WebPush]);
        all.find(|kind| kind.name() == name)
    }
}

/// News that are told in one message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Message {
    title: String,
    lines: Vec<Line>,
    /// Name of the news: a later message of the same name replaces this one.
    tag: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    text: String,
    /// Path of the page that it is about.
    path: Option<String>,
}

impl Message {
    /// Returns the message that tells these notices.
    pub(super) fn new(notices: &[DueNotice]) -> Message {
        let mut lines: Vec<Line> = Vec::new();
        for notice in notices {
            let table = notice.table.and_then(table_id);
            let line = Line {
                text: notice.text.clone(),
                path: table.map(|table| format!("/t/{table}")),
            };
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        let tag = match lines.as_slice() {
            [line] => line.path.clone().unwrap_or_default(),
            _ => "news".to_owned(),
        };
        let title = match (lines.len(), notices.first()) {
            (1, Some(notice)) => match notice.kind.as_str() {
                "turn" => "Your turn",
                "challenge" => "A challenge",
                "offer" => "An offer",
                "message" => "A message",
                "result" => "A result",
                _ => "Notices",
            }
            .to_owned(),
            (count, _) => format!("{count} notices"),
        };
        let more = lines.len().saturating_sub(MAX_LINES);
        lines.truncate(MAX_LINES);
        if more > 0 {
            let text = format!("And {more} more.");
            lines.push(Line { text, path: None });
        }
        Message { title, lines, tag }
    }

    /// Returns the message of a test.
    pub(super) fn test() -> Message {
        let text = "This is a test. Notices arrive here.".to_owned();
        Message {
            title: "A test".to_owned(),
            lines: vec![Line { text, path: None }],
            tag: "test".to_owned(),
        }
    }

    /// Returns the path of the page to open.
    fn path(&self) -> &str {
        match self.lines.as_slice() {
            [line] => line.path.as_deref().unwrap_or("/"),
            _ => "/",
        }
    }

    fn text(&self) -> String {
        let lines: Vec<&str> = self.lines.iter().map(|line| line.text.as_str()).collect();
        lines.join("\n")
    }

    /// Returns one line for each notice, and below it the address of its page, and a last line by which to
    /// stop; `quote` makes a text plain. Addresses stand in angle brackets, which make them links everywhere.
    fn marked_up(&self, house: &House<'_>, quote: fn(&str) -> String) -> String {
        let mut text = format!("Parlor: {}", quote(&self.title));
        for line in &self.lines {
            text += "\n";
            text += &quote(&line.text);
            if let Some(url) = line.path.as_deref().and_then(|path| house.url(path)) {
                text += &format!(" <{url}>");
            }
        }
        if let Some(url) = house.stop_url() {
            text += &format!("\nTurn these notices off: <{url}>");
        }
        text
    }
}

/// Facts about the house that a message tells.
#[derive(Debug)]
pub(super) struct House<'h> {
    /// Public base URL, without which a message has no links.
    pub(super) public_url: Option<&'h str>,
    /// Secret by which the reader can stop more messages.
    pub(super) stop: &'h str,
    /// Contact whom push services can tell of problems.
    pub(super) contact: Option<&'h str>,
    /// Present time, in milliseconds since the Unix epoch.
    pub(super) now: i64,
}

impl House<'_> {
    fn url(&self, path: &str) -> Option<String> {
        Some(format!("{}{path}", self.public_url?))
    }

    fn stop_path(&self) -> String {
        format!("/notices/stop/{}", self.stop)
    }

    fn stop_url(&self) -> Option<String> {
        self.url(&self.stop_path())
    }
}

/// Returns what is posted to an address to tell a message.
pub(super) fn post(
    message: &Message,
    target: &NoticeTarget,
    to: &WebAddress,
    house: &House<'_>,
    key: &HouseKey,
) -> Result<Post, NoAnswer> {
    match TargetKind::from_name(&target.kind) {
        Some(TargetKind::WebPush) => push(message, target, to, house, key),
        Some(TargetKind::Ntfy) => Ok(ntfy(message, house)),
        Some(TargetKind::Discord) => {
            let text = message.marked_up(house, without_markdown);
            let mentions = json!({ "parse": [] });
            Ok(as_json(
                json!({ "content": text, "allowed_mentions": mentions }),
            ))
        }
        Some(TargetKind::Matrix) => {
            let text = message.marked_up(house, without_markdown);
            Ok(as_json(json!({ "text": text })))
        }
        // An unknown kind can only be that of a later release.
        Some(TargetKind::Slack) | None => {
            let text = message.marked_up(house, without_entities);
            Ok(as_json(json!({ "text": text })))
        }
    }
}

fn as_json(body: serde_json::Value) -> Post {
    Post {
        media_type: "application/json",
        body: body.to_string().into_bytes(),
        ..Post::default()
    }
}

fn ntfy(message: &Message, house: &House<'_>) -> Post {
    let mut headers = HeaderMap::new();
    let mut add = |name: &'static str, value: Option<String>| {
        if let Some(value) = value.and_then(|value| HeaderValue::try_from(value).ok()) {
            headers.insert(HeaderName::from_static(name), value);
        }
    };
    add("title", Some(format!("Parlor: {}", message.title)));
    add("click", house.url(message.path()));
    let stop = house.stop_url();
    add(
        "actions",
        stop.map(|url| format!("http, Turn off, {url}, method=POST, clear=true")),
    );
    Post {
        media_type: "text/plain; charset=utf-8",
        headers,
        body: message.text().into_bytes(),
    }
}

fn push(
    message: &Message,
    target: &NoticeTarget,
    to: &WebAddress,
    house: &House<'_>,
    key: &HouseKey,
) -> Result<Post, NoAnswer> {
    let keys = target.push_keys.as_deref();
    let keys: Option<PushKeys> = keys.and_then(|keys| serde_json::from_str(keys).ok());
    let keys = keys.ok_or(NoAnswer::Unencryptable)?;
    let payload = |text: &str| {
        json!({
            "title": format!("Parlor: {}", message.title),
            "body": text,
            "url": message.path(),
            "tag": message.tag,
            "stop": house.stop_path(),
        })
        .to_string()
    };
    let mut text = message.text();
    let mut body = payload(&text);
    while body.len() > MAX_MESSAGE {
        let Some(end) = text.rfind('\n') else { break };
        text.truncate(end);
        body = payload(&text);
    }
    let mut headers = HeaderMap::new();
    headers.insert("content-encoding", HeaderValue::from_static("aes128gcm"));
    headers.insert("ttl", HeaderValue::from(KEPT_SECONDS));
    let signed = key.authorization(to, house.now, house.contact);
    headers.insert("authorization", signed.ok_or(NoAnswer::Unencryptable)?);
    Ok(Post {
        media_type: "application/octet-stream",
        headers,
        body: keys
            .encrypt(body.as_bytes())
            .ok_or(NoAnswer::Unencryptable)?,
    })
}

/// Returns a text in which Markdown means nothing. Names of guests are what anybody wrote.
fn without_markdown(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_punctuation() && !matches!(c, '.' | ',' | '\'' | ':' | '-' | '(' | ')') {
            plain.push('\\');
        }
        plain.push(c);
    }
    plain
}

/// Returns a text in which Slack's control characters mean nothing.
fn without_entities(text: &str) -> String {
    let text = text.replace('&', "&amp;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notice(kind: &str, table: i64, text: &str) -> DueNotice {
        DueNotice {
            source: format!("{kind}/{table}/{text}"),
            at: 1,
            kind: kind.to_owned(),
            table: Some(table),
            text: text.to_owned(),
        }
    }

    fn house(public_url: Option<&str>) -> House<'_> {
        House {
            public_url,
            stop: "abc",
            contact: None,
            now: 1,
        }
    }

    fn json_to(kind: TargetKind, message: &Message) -> serde_json::Value {
        let target = NoticeTarget::new(1, 1, kind.name(), String::new(), 1);
        let to = WebAddress::parse("https://hook.example/x", false).unwrap();
        let key = HouseKey::parse(&HouseKey::generate().unwrap()).unwrap();
        let house = house(Some("https://house.example"));
        let post = post(message, &target, &to, &house, &key).unwrap();
        assert_eq!(post.media_type, "application/json");
        serde_json::from_slice(&post.body).unwrap()
    }

    #[test]
    fn several_notices_are_one_message_and_the_same_is_said_once() {
        let one = Message::new(&[notice("turn", 7, "Your turn.")]);
        assert_eq!(
            (one.title.as_str(), one.tag.as_str()),
            ("Your turn", one.path())
        );
        let many: Vec<_> = (1..=12)
            .map(|n| notice("turn", n, &format!("Turn {n}.")))
            .chain([notice("turn", 1, "Turn 1.")])
            .collect();
        let many = Message::new(&many);
        assert_eq!((many.title.as_str(), many.path()), ("12 notices", "/"));
        let text = many.text();
        assert_eq!(text.lines().count(), MAX_LINES + 1);
        assert!(text.ends_with("And 2 more."), "{text}");
    }

    #[test]
    fn what_strangers_wrote_is_plain_text_wherever_it_is_shown() {
        let evil = "<!channel> [x](https://evil.example) *b* @everyone & co";
        let message = Message::new(&[notice("message", 7, evil)]);
        let discord = json_to(TargetKind::Discord, &message);
        let text = discord["content"].as_str().unwrap();
        assert!(text.contains("\\[x\\](https:\\/\\/evil"), "{text}");
        assert!(text.contains("\\@everyone"), "{text}");
        assert_eq!(discord["allowed_mentions"], json!({ "parse": [] }));
        let slack = json_to(TargetKind::Slack, &message);
        let text = slack["text"].as_str().unwrap();
        assert!(text.contains("&lt;!channel&gt; "), "{text}");
        assert!(
            text.ends_with("<https://house.example/notices/stop/abc>"),
            "{text}"
        );
        let matrix = json_to(TargetKind::Matrix, &message);
        assert!(matrix["text"].as_str().unwrap().contains("\\*b\\*"));
    }

    #[test]
    fn a_house_without_a_public_address_sends_no_links() {
        let message = Message::new(&[notice("turn", 7, "Your turn.")]);
        let post = ntfy(&message, &house(None));
        assert_eq!(post.headers.len(), 1, "{:?}", post.headers);
        assert_eq!(post.body, b"Your turn.");
        let post = ntfy(&message, &house(Some("https://house.example")));
        let click = post.headers["click"].to_str().unwrap();
        assert_eq!(click, format!("https://house.example{}", message.path()));
    }
}
