//! Bodies that are compressed at once, whether they are read or not.

use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use http_body::{Frame, SizeHint};

/// Bytes that are read ahead.
const AHEAD: usize = 256 << 10;

/// A body that is read ahead of its reader, and dropped as soon as it has ended: a compressor takes
/// more memory than what it compresses, for as long as somebody takes to read it.
#[derive(Debug)]
pub(super) struct ReadAhead {
    body: Option<Body>,
    ready: VecDeque<Frame<Bytes>>,
    bytes: usize,
}

impl ReadAhead {
    pub(super) fn new(body: Body) -> ReadAhead {
        ReadAhead {
            body: Some(body),
            ready: VecDeque::new(),
            bytes: 0,
        }
    }

    /// Reads what there is.
    fn read(&mut self, context: &mut Context<'_>) -> Result<(), axum::Error> {
        while let Some(body) = self.body.as_mut().filter(|_| self.bytes < AHEAD) {
            match Pin::new(body).poll_frame(context) {
                Poll::Pending => break,
                Poll::Ready(None) => self.body = None,
                Poll::Ready(Some(frame)) => {
                    let frame = frame?;
                    self.bytes += frame.data_ref().map_or(0, Bytes::len);
                    self.ready.push_back(frame);
                }
            }
        }
        Ok(())
    }
}

impl HttpBody for ReadAhead {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if let Err(error) = self.read(context) {
            return Poll::Ready(Some(Err(error)));
        }
        match self.ready.pop_front() {
            Some(frame) => {
                self.bytes -= frame.data_ref().map_or(0, Bytes::len);
                Poll::Ready(Some(Ok(frame)))
            }
            None if self.body.is_none() => Poll::Ready(None),
            None => Poll::Pending,
        }
    }

    fn is_end_stream(&self) -> bool {
        self.ready.is_empty() && self.body.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        let body = self.body.as_ref().map(HttpBody::size_hint);
        let body = body.unwrap_or_else(|| SizeHint::with_exact(0));
        let mut hint = SizeHint::new();
        hint.set_lower(body.lower() + self.bytes as u64);
        if let Some(upper) = body.upper() {
            hint.set_upper(upper + self.bytes as u64);
        }
        hint
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::sync::Arc;
    use std::task::Waker;

    use futures::{StreamExt, stream};

    use super::*;

    fn next(body: &mut ReadAhead) -> Option<Bytes> {
        let mut context = Context::from_waker(Waker::noop());
        match Pin::new(body).poll_frame(&mut context) {
            Poll::Ready(frame) => Some(frame?.unwrap().into_data().unwrap()),
            Poll::Pending => panic!("all of it exists"),
        }
    }

    #[test]
    fn a_body_is_dropped_as_soon_as_it_has_ended() {
        let alive = Arc::new(());
        let held = alive.clone();
        let parts = stream::iter(["one", "two", "three"]).map(move |part| {
            let _held = &held;
            Ok::<_, Infallible>(part)
        });
        let mut body = ReadAhead::new(Body::from_stream(parts));
        assert_eq!(next(&mut body).unwrap(), "one");
        assert_eq!(Arc::strong_count(&alive), 1, "the rest was read ahead");
        assert_eq!(body.size_hint().exact(), Some(8));
        assert_eq!(next(&mut body).unwrap(), "two");
        assert_eq!(next(&mut body).unwrap(), "three");
        assert!(body.is_end_stream());
        assert_eq!(next(&mut body), None);
    }

    #[test]
    fn only_so_much_is_read_ahead() {
        let parts = stream::repeat_with(|| Ok::<_, Infallible>(vec![7; AHEAD / 4]));
        let mut body = ReadAhead::new(Body::from_stream(parts));
        for _ in 0..10 {
            assert_eq!(next(&mut body).unwrap().len(), AHEAD / 4);
            assert_eq!(body.bytes, 3 * AHEAD / 4);
        }
    }
}
