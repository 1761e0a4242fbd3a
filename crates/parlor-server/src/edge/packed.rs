//! Texts that stay the same while the server runs, compressed once for all who ask for them.

use std::collections::HashMap;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, VARY};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::error::Error;

/// Marks a response of which the server has several at one path, by name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variant(pub(crate) &'static str);

/// Compressed texts by their paths and variants.
#[derive(Clone, Debug, Default)]
pub(crate) struct Packed(Arc<Mutex<HashMap<String, Bytes>>>);

/// Marks a response that is sent as it is: it is compressed already, or must not be.
#[derive(Clone, Copy, Debug)]
pub(super) struct AsItIs;

impl Packed {
    fn find(&self, path: &str) -> Option<Bytes> {
        // No code that can panic runs while this lock is held.
        let packed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        packed.get(path).cloned()
    }

    fn keep(&self, path: &str, bytes: &Bytes) {
        let mut packed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        packed.insert(path.to_owned(), bytes.clone());
    }
}

/// Middleware for routes with fixed texts: each is compressed when it is asked for first. To do it for
/// each reader would cost strangers nothing, and the server all its time.
pub(crate) async fn pack(State(packed): State<Packed>, request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    let is_wanted = request.method() == Method::GET && accepts_gzip(request.headers());
    let mut response = next.run(request).await;
    response.extensions_mut().insert(AsItIs);
    if !is_wanted || response.status() != StatusCode::OK {
        return response;
    }
    let variant = response.extensions().get::<Variant>();
    let path = variant.map_or(path.clone(), |Variant(name)| format!("{path} {name}"));
    match packed_response(&packed, &path, response).await {
        Ok(response) => response,
        Err(error) => Error::internal(error).into_response(),
    }
}

async fn packed_response(
    packed: &Packed,
    path: &str,
    response: Response,
) -> Result<Response, Box<dyn std::error::Error + Send + Sync>> {
    let (mut parts, body) = response.into_parts();
    let bytes = match packed.find(path) {
        Some(bytes) => bytes,
        None => {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(&to_bytes(body, usize::MAX).await?)?;
            let bytes = Bytes::from(encoder.finish()?);
            packed.keep(path, &bytes);
            bytes
        }
    };
    let gzip = HeaderValue::from_static("gzip");
    parts.headers.insert(CONTENT_ENCODING, gzip);
    parts.headers.insert(CONTENT_LENGTH, bytes.len().into());
    let vary = HeaderValue::from_static("accept-encoding");
    parts.headers.insert(VARY, vary);
    Ok(Response::from_parts(parts, Body::from(bytes)))
}

/// Returns true if a request names gzip among what it accepts, with any weight but 0.
fn accepts_gzip(headers: &HeaderMap) -> bool {
    let values = headers.get_all(ACCEPT_ENCODING).into_iter();
    let texts = values.filter_map(|value| value.to_str().ok());
    texts.flat_map(|text| text.split(',')).any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let is_refused = matches!(weight.trim(), "q=0" | "q=0.0" | "q=0.00" | "q=0.000");
        name.trim().eq_ignore_ascii_case("gzip") && !is_refused
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_sent_to_those_who_accept_it() {
        for (accepted, is_sent) in [
            ("gzip", true),
            ("br, GZIP;q=0.5", true),
            ("gzip;q=0, identity", false),
            ("br", false),
            ("*", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(accepted));
            assert_eq!(accepts_gzip(&headers), is_sent, "{accepted}");
        }
    }
}
