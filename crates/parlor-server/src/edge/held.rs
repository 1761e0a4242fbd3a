//! A socket with the permit for its connection, which is closed if nothing is read from it.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Sleep;

use super::busy::Requests;
use super::connections::ConnectionPermit;

/// A socket that holds its permit until it is closed, also after an upgrade. Writing to it fails if
/// the client reads nothing for a time, which its requests are told.
#[derive(Debug)]
pub(crate) struct Held {
    stream: TcpStream,
    unread_time: Duration,
    /// Timer of the write that waits for the client.
    unread: Option<Pin<Box<Sleep>>>,
    requests: Requests,
    _permit: ConnectionPermit,
}

impl Held {
    pub(crate) fn new(
        stream: TcpStream,
        unread_time: Duration,
        requests: Requests,
        permit: ConnectionPermit,
    ) -> Held {
        Held {
            stream,
            unread_time,
            unread: None,
            requests,
            _permit: permit,
        }
    }

    /// Fails if writes have been pending for too long.
    fn limit<T>(
        &mut self,
        written: Poll<io::Result<T>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            if self.unread.take().is_some() {
                self.requests.set_unread(false);
            }
            return written;
        }
        self.requests.set_unread(true);
        let time = self.unread_time;
        let timer = self
            .unread
            .get_or_insert_with(|| Box::pin(tokio::time::sleep(time)));
        ready!(timer.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Held {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Held {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.limit(written, context)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.limit(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
