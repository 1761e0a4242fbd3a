//! The few files that pages refer to. They are part of the binary.

use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use sha2::{Digest, Sha256};

use super::oops::Oops;
use crate::error::Error;

const SCRIPT: &str = include_str!("../../assets/table.js");
const ICON: &str = include_str!("../../assets/icon.svg");

/// The style sheet, one rule or declaration list to a line.
pub(super) static STYLE: LazyLock<String> = LazyLock::new(|| {
    let lines = include_str!("../../assets/style.css").lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with("/*")).collect::<Vec<_>>().join("\n")
});

/// The address of the script; it changes with the script.
pub(super) static SCRIPT_URL: LazyLock<String> = LazyLock::new(|| {
    let hash = hex::encode(Sha256::digest(SCRIPT));
    format!("/assets/table.js?v={}", &hash[..10])
});

/// The content security policy of pages: our own files, and the one style sheet inside.
pub(super) static POLICY: LazyLock<String> = LazyLock::new(|| {
    let hash = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(STYLE.as_bytes()));
    format!(
        "default-src 'self'; style-src 'sha256-{hash}'; img-src 'self' data:; object-src 'none'; base-uri 'none'; \
         form-action 'self'; frame-ancestors 'none'"
    )
});

/// A file of the house.
pub(super) async fn serve(Path(file): Path<String>) -> Result<Response, Oops> {
    match file.as_str() {
        "table.js" => Ok(lasting("text/javascript; charset=utf-8", SCRIPT)),
        "icon.svg" => Ok(lasting("image/svg+xml", ICON)),
        _ => Err(Error::not_found("There is no such file.").into()),
    }
}

/// For browsers that ask for an icon without being told of one.
pub(super) async fn icon() -> Response {
    lasting("image/svg+xml", ICON)
}

fn lasting(kind: &'static str, content: &'static str) -> Response {
    let headers = [(CONTENT_TYPE, kind), (CACHE_CONTROL, "public, max-age=31536000, immutable")];
    (headers, content).into_response()
}
