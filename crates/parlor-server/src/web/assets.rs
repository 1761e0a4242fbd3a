//! The few files that pages refer to. They are part of the binary.

use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use sha2::{Digest, Sha256};

use super::oops::Oops;
use crate::error::Error;

const SCRIPT: &str = "text/javascript; charset=utf-8";
const PICTURE: &str = "image/svg+xml";
/// The files: name, kind, content.
const FILES: [(&str, &str, &str); 8] = [
    ("icon.svg", PICTURE, include_str!("../../assets/icon.svg")),
    (
        "icon-turn.svg",
        PICTURE,
        include_str!("../../assets/icon-turn.svg"),
    ),
    ("table.js", SCRIPT, include_str!("../../assets/table.js")),
    ("clock.js", SCRIPT, include_str!("../../assets/clock.js")),
    (
        "picture.js",
        SCRIPT,
        include_str!("../../assets/picture.js"),
    ),
    ("alerts.js", SCRIPT, include_str!("../../assets/alerts.js")),
    ("queue.js", SCRIPT, include_str!("../../assets/queue.js")),
    ("notify.js", SCRIPT, include_str!("../../assets/notify.js")),
];

/// The style sheet, one rule or declaration list to a line.
pub(super) static STYLE: LazyLock<String> = LazyLock::new(|| {
    let lines = include_str!("../../assets/style.css")
        .lines()
        .map(str::trim);
    lines
        .filter(|line| !line.is_empty() && !line.starts_with("/*"))
        .collect::<Vec<_>>()
        .join("\n")
});

/// Stands in the addresses of scripts, so that they change together: a script asks for others by their names alone.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let all = FILES.iter().fold(Sha256::new(), |hash, (_, _, content)| {
        hash.chain_update(content)
    });
    hex::encode(&all.finalize()[..5])
});

/// The address of a script; it changes with the scripts.
pub(super) fn script(name: &str) -> String {
    format!("/assets/{}/{name}", *VERSION)
}

/// The content security policy of pages: our own files, and the one style sheet inside.
pub(super) static POLICY: LazyLock<String> = LazyLock::new(|| {
    let hash = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(STYLE.as_bytes()));
    format!(
        "default-src 'self'; style-src 'sha256-{hash}'; img-src 'self' data:; object-src 'none'; base-uri 'none'; \
         form-action 'self'; frame-ancestors 'none'"
    )
});

/// A file of the house.
pub(super) async fn serve(Path(name): Path<String>) -> Result<Response, Oops> {
    file(&name, "public, max-age=3600")
}

/// A file of one version of the house. Browsers may keep it for ever, unless it is of another version.
pub(super) async fn serve_version(
    Path((version, name)): Path<(String, String)>,
) -> Result<Response, Oops> {
    let current = version == *VERSION;
    file(
        &name,
        if current {
            "public, max-age=31536000, immutable"
        } else {
            "no-store"
        },
    )
}

/// For browsers that ask for an icon without being told of one.
pub(super) async fn icon() -> Result<Response, Oops> {
    serve(Path("icon.svg".to_owned())).await
}

fn file(name: &str, keep: &'static str) -> Result<Response, Oops> {
    let found = FILES.iter().find(|(file, _, _)| *file == name);
    let (_, kind, content) = found.ok_or_else(|| Error::not_found("There is no such file."))?;
    Ok(([(CONTENT_TYPE, *kind), (CACHE_CONTROL, keep)], *content).into_response())
}
