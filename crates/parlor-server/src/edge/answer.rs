//! One answer, from its request to the last byte that is read.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::http::HeaderValue;
use axum::http::header::HeaderName;
use axum::response::{IntoResponseParts, ResponseParts};
use http_body::{Frame, SizeHint};
use tokio::sync::OwnedSemaphorePermit;

use super::Client;
use super::answers::{AnswerPermit, Answers};
use super::busy::{Arriving, Busy, Requests};
use super::connections::OpenConnection;
use super::progress::Progress;
use crate::error::Error;

/// Largest part that is handed to the connection at once, in bytes: the largest frame of HTTP/2.
const PART: usize = 16 << 10;

/// Size in bytes for which a text counts that is packed while it is read: its own and the packer's.
const PACKED: u64 = 256 << 10;

/// An answer, computed or read.
#[derive(Debug)]
pub(crate) struct Answer {
    progress: Arc<Progress>,
    /// True if it is one of many on its connection, which buffers what is not read yet.
    is_multiplexed: bool,
    /// Requests of its connection.
    requests: Requests,
    permit: Mutex<Option<AnswerPermit>>,
    /// Turn of its request, if it needs one and does not wait for the rest of its body.
    turn: Mutex<Option<OwnedSemaphorePermit>>,
}

/// A request that waits for the rest of its body, until this is dropped.
#[derive(Debug)]
pub(super) struct WaitingRequest {
    progress: Arc<Progress>,
    _arriving: Arriving,
}

impl Drop for WaitingRequest {
    fn drop(&mut self) {
        self.progress.set_arriving(false);
    }
}

impl Answer {
    /// Creates the only answer at a time on a connection. Who drops it closes the connection.
    pub(super) fn alone(connection: OpenConnection) -> Answer {
        Answer {
            progress: Arc::new(Progress::new(connection.cut)),
            is_multiplexed: false,
            requests: connection.requests,
            permit: Mutex::default(),
            turn: Mutex::default(),
        }
    }

    /// Creates one of several answers on a connection with these requests.
    pub(super) fn multiplexed(progress: Arc<Progress>, requests: Requests) -> Answer {
        Answer {
            progress,
            is_multiplexed: true,
            requests,
            permit: Mutex::default(),
            turn: Mutex::default(),
        }
    }

    /// Counts the answer as one of its client, until it is read.
    ///
    /// # Errors
    /// 503 if there are too many.
    pub(super) fn count(&self, answers: &Arc<Answers>, client: Client) -> Result<(), Error> {
        let permit = answers.open(client, self.progress.clone())?;
        self.set_permit(Some(permit));
        Ok(())
    }

    /// No longer counts the answer: it goes on for long, and has a limit of its own.
    pub(super) fn uncount(&self) {
        self.set_permit(None);
    }

    /// Holds the turn of the request.
    pub(super) fn hold(&self, turn: OwnedSemaphorePermit) {
        *self.turn.lock().unwrap_or_else(PoisonError::into_inner) = Some(turn);
    }

    /// Gives the turn of the request back, if it has one.
    pub(super) fn end_turn(&self) {
        *self.turn.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Records that the rest of the request's body has not arrived, until the result is dropped.
    pub(super) fn wait_for_body(&self) -> WaitingRequest {
        self.end_turn();
        self.progress.set_arriving(true);
        WaitingRequest {
            progress: self.progress.clone(),
            _arriving: self.requests.wait_for_body(),
        }
    }

    /// Counts the size of the answer's text, in bytes, as far as it is known.
    fn weigh(&self, text: u64) {
        let permit = self.permit.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(permit) = &*permit {
            permit.weigh(usize::try_from(text).unwrap_or(usize::MAX));
        }
    }

    fn set_permit(&self, permit: Option<AnswerPermit>) {
        // No code that can panic runs while this lock is held.
        let mut held = self.permit.lock().unwrap_or_else(PoisonError::into_inner);
        *held = permit;
    }
}

/// Marks a response as a stream of events, which goes on for long: it counts as a stream and not as
/// an answer, and proxies must not hold back events in a buffer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LiveStream;

impl IntoResponseParts for LiveStream {
    type Error = std::convert::Infallible;

    fn into_response_parts(self, mut parts: ResponseParts) -> Result<ResponseParts, Self::Error> {
        let name = HeaderName::from_static("x-accel-buffering");
        parts
            .headers_mut()
            .insert(name, HeaderValue::from_static("no"));
        parts.extensions_mut().insert(self);
        Ok(parts)
    }
}

/// Body of an answer, handed out in small parts. Its request is under way until it is dropped.
#[derive(Debug)]
pub(super) struct AnswerBody {
    body: Body,
    /// True once the body has said that it is over. It must not be asked again.
    is_over: bool,
    /// Rest of what was taken out of the body.
    rest: Bytes,
    answer: Arc<Answer>,
    _busy: Busy,
}

impl AnswerBody {
    pub(super) fn new(body: Body, answer: Arc<Answer>, busy: Busy) -> AnswerBody {
        answer.progress.begin();
        answer.weigh(body.size_hint().upper().unwrap_or(PACKED));
        AnswerBody {
            body,
            is_over: false,
            rest: Bytes::new(),
            answer,
            _busy: busy,
        }
    }

    /// Hands out the next part of the rest.
    fn next_part(&mut self) -> Frame<Bytes> {
        let bytes = self.rest.split_to(self.rest.len().min(PART));
        self.answer.progress.take_part();
        let answer = self.answer.clone();
        Frame::data(Bytes::from_owner(Part { bytes, answer }))
    }

    /// Ends the body. A multiplexed one ends only when all of it is sent, so that the stream, which
    /// can be dropped, lasts as long as what the connection buffers for it.
    fn poll_end<T>(&self, context: &Context<'_>) -> Poll<Option<T>> {
        let progress = &self.answer.progress;
        if self.answer.is_multiplexed && !progress.is_sent_or_wakes(context.waker()) {
            return Poll::Pending;
        }
        progress.wait_for_more();
        Poll::Ready(None)
    }
}

impl HttpBody for AnswerBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        while self.rest.is_empty() {
            if self.is_over || self.body.is_end_stream() {
                return self.poll_end(context);
            }
            match Pin::new(&mut self.body).poll_frame(context) {
                Poll::Pending => {
                    self.answer.progress.wait_for_more();
                    return Poll::Pending;
                }
                Poll::Ready(None) => self.is_over = true,
                Poll::Ready(Some(Err(error))) => return Poll::Ready(Some(Err(error))),
                Poll::Ready(Some(Ok(frame))) => match frame.into_data() {
                    Ok(data) => self.rest = data,
                    Err(trailers) => return Poll::Ready(Some(Ok(trailers))),
                },
            }
        }
        Poll::Ready(Some(Ok(self.next_part())))
    }

    fn is_end_stream(&self) -> bool {
        let is_sent = !self.answer.is_multiplexed || self.answer.progress.is_sent();
        is_sent && self.rest.is_empty() && (self.is_over || self.body.is_end_stream())
    }

    fn size_hint(&self) -> SizeHint {
        let (body, rest) = (self.body.size_hint(), self.rest.len() as u64);
        let mut hint = SizeHint::new();
        hint.set_lower(body.lower() + rest);
        if let Some(upper) = body.upper() {
            hint.set_upper(upper + rest);
        }
        hint
    }
}

impl Drop for AnswerBody {
    fn drop(&mut self) {
        self.answer.progress.wait_for_more();
    }
}

/// Part of an answer that the connection holds until it is sent.
struct Part {
    bytes: Bytes,
    answer: Arc<Answer>,
}

impl AsRef<[u8]> for Part {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        self.answer.progress.finish_part();
    }
}

#[cfg(test)]
mod tests {
    use std::task::Waker;

    use super::*;

    fn body(content: Body, is_multiplexed: bool) -> AnswerBody {
        let answer = if is_multiplexed {
            Answer::multiplexed(Arc::default(), Requests::default())
        } else {
            Answer::alone(OpenConnection::default())
        };
        AnswerBody::new(content, Arc::new(answer), Requests::default().begin())
    }

    fn next(body: &mut AnswerBody) -> Poll<Option<Bytes>> {
        let mut context = Context::from_waker(Waker::noop());
        let frame = Pin::new(body).poll_frame(&mut context);
        frame.map(|frame| Some(frame?.unwrap().into_data().unwrap()))
    }

    fn part(body: &mut AnswerBody) -> Bytes {
        let Poll::Ready(Some(part)) = next(body) else {
            panic!("there is more")
        };
        part
    }

    #[test]
    fn an_answer_is_handed_out_in_parts_and_counts_until_all_are_sent() {
        for is_multiplexed in [false, true] {
            let answers = Arc::new(Answers::new(1, 1));
            let client = Client([10, 0, 0, 1].into());
            let content = Bytes::from(vec![7; 2 * PART + 1]);
            let mut body = body(content.clone().into(), is_multiplexed);
            body.answer.count(&answers, client).unwrap();
            assert_eq!(body.size_hint().exact(), Some(content.len() as u64));
            let parts = [part(&mut body), part(&mut body), part(&mut body)];
            assert_eq!(parts.each_ref().map(Bytes::len), [PART, PART, 1]);
            assert_eq!(parts.concat(), content);
            assert_eq!(next(&mut body).is_pending(), is_multiplexed);
            assert_eq!(body.is_end_stream(), !is_multiplexed);
            let another = body_of_nothing();
            if !is_multiplexed {
                drop(body);
                assert!(another.answer.count(&answers, client).is_err());
                drop(parts);
            } else {
                drop(parts);
                assert!(body.is_end_stream());
                assert_eq!(next(&mut body), Poll::Ready(None));
                assert!(another.answer.count(&answers, client).is_err());
                drop(body);
            }
            assert!(another.answer.count(&answers, client).is_ok());
        }
    }

    fn body_of_nothing() -> AnswerBody {
        body(Body::empty(), true)
    }

    #[test]
    fn an_empty_answer_ends_at_once() {
        let mut body = body_of_nothing();
        assert!(body.is_end_stream());
        assert_eq!(next(&mut body), Poll::Ready(None));
    }
}
