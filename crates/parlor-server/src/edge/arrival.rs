//! Arrival of the body of a request.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use http_body::{Frame, SizeHint};

use super::answer::{Answer, WaitingRequest};

/// Arrival of the body of a request, which somebody may wait for.
#[derive(Clone, Debug, Default)]
pub(super) struct Arrival(Arc<AtomicBool>);

impl Arrival {
    /// Watches the body of a request.
    pub(super) fn watch(request: Request) -> (Arrival, Request) {
        let arrival = Arrival::default();
        let watched = arrival.clone();
        let answer = request.extensions().get::<Arc<Answer>>().cloned();
        let request = request.map(|body| {
            if body.is_end_stream() {
                body
            } else {
                Body::new(ArrivingBody {
                    body,
                    arrival,
                    answer,
                    waiting: None,
                })
            }
        });
        (watched, request)
    }

    /// Returns true if what was asked for last has not arrived.
    pub(super) fn is_awaited(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Body that tells whether somebody waits for it.
struct ArrivingBody {
    body: Body,
    arrival: Arrival,
    answer: Option<Arc<Answer>>,
    waiting: Option<WaitingRequest>,
}

impl HttpBody for ArrivingBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        self.arrival.0.store(frame.is_pending(), Ordering::Relaxed);
        if frame.is_ready() {
            self.waiting = None;
        } else if self.waiting.is_none() {
            self.waiting = self.answer.as_ref().map(|answer| answer.wait_for_body());
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
