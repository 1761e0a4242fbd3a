//! Requests under way on a connection, from the headers to the end of the answer.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use http_body::{Frame, SizeHint};
use tokio::sync::watch;

/// Counter of the requests under way on a connection.
#[derive(Clone, Debug, Default)]
pub(crate) struct Requests {
    state: watch::Sender<RequestsState>,
}

#[derive(Debug, Default)]
struct RequestsState {
    under_way: usize,
    begun: bool,
}

/// A request under way, until it is dropped.
#[derive(Debug)]
pub(crate) struct Busy(watch::Sender<RequestsState>);

impl Requests {
    /// Counts a request.
    pub(crate) fn begin(&self) -> Busy {
        self.state.send_modify(|state| {
            state.under_way += 1;
            state.begun = true;
        });
        Busy(self.state.clone())
    }

    /// Completes when there has been no request under way for `first`, before the first one, or for
    /// `later`, after another.
    pub(crate) async fn until_idle(&self, first: Duration, later: Duration) {
        let mut state = self.state.subscribe();
        loop {
            // The sender is in `self`: neither can fail.
            let idle = state.wait_for(|state| state.under_way == 0).await;
            let begun = idle.is_ok_and(|state| state.begun);
            let time = if begun { later } else { first };
            if tokio::time::timeout(time, state.changed()).await.is_err() {
                return;
            }
        }
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.send_modify(|state| state.under_way -= 1);
    }
}

/// The body of an answer, whose request is under way until it is dropped.
#[derive(Debug)]
pub(crate) struct BusyBody {
    pub(crate) body: Body,
    pub(crate) _busy: Busy,
}

impl HttpBody for BusyBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
