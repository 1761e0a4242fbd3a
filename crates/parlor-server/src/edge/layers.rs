//! Layers around everything: names of requests in the log, what is compressed.

use std::sync::atomic::{AtomicU64, Ordering};

use axum::http::header::CONTENT_TYPE;
use axum::http::{Extensions, HeaderMap, HeaderValue, Request, StatusCode, Version};
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{And, Predicate, SizeAbove};
use tower_http::request_id::{MakeRequestId, RequestId};

use crate::auth;

/// Gives each request a name: one random text for the process, and a number.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    process: u32,
    count: std::sync::Arc<AtomicU64>,
}

impl Names {
    pub(crate) fn new() -> Names {
        Names {
            process: auth::random() as u32,
            count: std::sync::Arc::default(),
        }
    }
}

impl MakeRequestId for Names {
    fn make_request_id<B>(&mut self, _: &Request<B>) -> Option<RequestId> {
        let count = self.count.fetch_add(1, Ordering::Relaxed);
        let name = format!("{:08x}-{count}", self.process);
        HeaderValue::try_from(name).ok().map(RequestId::new)
    }
}

type Kinds = fn(StatusCode, Version, &HeaderMap, &Extensions) -> bool;

/// Compresses texts that are long enough to gain by it. Event streams must arrive piece by piece and stay as they are.
pub(crate) fn compression() -> CompressionLayer<And<SizeAbove, Kinds>> {
    CompressionLayer::new().compress_when(SizeAbove::new(1024).and(is_text as Kinds))
}

fn is_text(_: StatusCode, _: Version, headers: &HeaderMap, _: &Extensions) -> bool {
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
