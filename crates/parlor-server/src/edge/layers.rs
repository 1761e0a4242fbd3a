//! Layers around all routes: request ids for the log, and compression.

use std::sync::atomic::{AtomicU64, Ordering};

use axum::http::header::CONTENT_TYPE;
use axum::http::{Extensions, HeaderMap, HeaderValue, Request, StatusCode, Version};
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{And, Predicate, SizeAbove};
use tower_http::request_id::{MakeRequestId, RequestId};

use super::packed::AsItIs;
use crate::auth;

/// Generates request ids from a random number for the process and a counter.
#[derive(Clone, Debug)]
pub(crate) struct RequestIds {
    process: u32,
    count: std::sync::Arc<AtomicU64>,
}

impl RequestIds {
    pub(crate) fn new() -> RequestIds {
        RequestIds {
            process: auth::random_u64() as u32,
            count: std::sync::Arc::default(),
        }
    }
}

impl MakeRequestId for RequestIds {
    fn make_request_id<B>(&mut self, _: &Request<B>) -> Option<RequestId> {
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        let name = format!("{:08x}-{count}", self.process);
        HeaderValue::try_from(name).ok().map(RequestId::new)
    }
}

/// Strength of the compression. The usual one, 6, takes twice the time and saves 5 % more of a page.
const LEVEL: CompressionLevel = CompressionLevel::Precise(4);

type Kinds = fn(StatusCode, Version, &HeaderMap, &Extensions) -> bool;

/// Compresses texts of at least so many bytes. Event streams are left uncompressed, so that events
/// arrive one by one.
pub(crate) fn compression(least: u64) -> CompressionLayer<And<SizeAbove, Kinds>> {
    CompressionLayer::new()
        .quality(LEVEL)
        .compress_when(SizeAbove::new(least).and(is_text as Kinds))
}

fn is_text(_: StatusCode, _: Version, headers: &HeaderMap, extensions: &Extensions) -> bool {
    if extensions.get::<AsItIs>().is_some() {
        return false;
    }
    let kind = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let whole = [
        "text/",
        "application/json",
        "application/javascript",
        "image/svg+xml",
    ];
    whole.iter().any(|start| kind.starts_with(start)) && !kind.starts_with("text/event-stream")
}
