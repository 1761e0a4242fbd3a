//! Requests that the house itself sends: to checked addresses only, without following redirects, and
//! without reading more than the head of the answer.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, HOST, RETRY_AFTER, USER_AGENT};
use axum::http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode};
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use super::address::{BadAddress, HostResolver, WebAddress};

/// Time for everything, from the question for the host's addresses to the head of the answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// Size of the head of an answer, in bytes, that is read at most.
const MAX_HEAD: usize = 16 << 10;

/// Sender of requests. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Outgoing {
    resolver: HostResolver,
    to_private: bool,
    tls: Arc<ClientConfig>,
}

/// Content and headers to post.
#[derive(Debug, Default)]
pub(super) struct Post {
    pub(super) media_type: &'static str,
    pub(super) headers: HeaderMap,
    pub(super) body: Vec<u8>,
}

/// Answer to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    /// Status of the answer.
    pub(crate) status: StatusCode,
    /// Seconds after which to try again, if the answer says so.
    pub(crate) retry_after: Option<u32>,
}

/// Reason why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoAnswer {
    #[error(transparent)]
    Address(#[from] BadAddress),
    #[error("the host does not take connections")]
    Connect(#[source] io::Error),
    #[error("the host's certificate is not valid for it")]
    Tls(#[source] io::Error),
    #[error("the host gives no answer that can be read")]
    Http(#[source] hyper::Error),
    #[error("the host does not answer in time")]
    Timeout,
    #[error("the house cannot send anything now; try again")]
    Unavailable,
    #[error("the message cannot be encrypted for this browser: turn notices on again there")]
    Unencryptable,
}

impl Outgoing {
    /// Creates a sender.
    pub(super) fn new(resolver: HostResolver, to_private: bool) -> Outgoing {
        let roots = RootCertStore {
            roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
        };
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let tls = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("the provider has the usual versions")
            .with_root_certificates(roots)
            .with_no_client_auth();
        Outgoing {
            resolver,
            to_private,
            tls: Arc::new(tls),
        }
    }

    /// Returns true if private networks are allowed.
    pub(super) fn is_to_private(&self) -> bool {
        self.to_private
    }

    /// Posts something to an address.
    pub(super) async fn post(&self, to: &WebAddress, what: Post) -> Result<Answer, NoAnswer> {
        let posted = timeout(PATIENCE, self.post_unlimited(to, what)).await;
        let response = posted.map_err(|_| NoAnswer::Timeout)??;
        let retry_after = response.headers().get(RETRY_AFTER);
        Ok(Answer {
            status: response.status(),
            retry_after: retry_after.and_then(|value| value.to_str().ok()?.parse().ok()),
        })
    }

    async fn post_unlimited(
        &self,
        to: &WebAddress,
        what: Post,
    ) -> Result<Response<Incoming>, NoAnswer> {
        let addresses = to.resolve(&self.resolver, self.to_private).await?;
        let stream = TcpStream::connect(addresses.as_slice()).await;
        let stream = stream.map_err(NoAnswer::Connect)?;
        let request = request(to, what)?;
        if !to.is_https() {
            return exchange(stream, request).await;
        }
        let name = ServerName::try_from(to.host().to_owned());
        let name = name.map_err(|_| BadAddress::Invalid)?;
        let connector = TlsConnector::from(self.tls.clone());
        let stream = connector.connect(name, stream).await;
        exchange(stream.map_err(NoAnswer::Tls)?, request).await
    }
}

/// Returns the request that posts something.
fn request(to: &WebAddress, what: Post) -> Result<Request<Body>, BadAddress> {
    let mut request = Request::new(Body::from(what.body));
    *request.method_mut() = Method::POST;
    *request.uri_mut() = to.path().parse().map_err(|_| BadAddress::Invalid)?;
    let headers = request.headers_mut();
    *headers = what.headers;
    let host = HeaderValue::from_str(to.authority()).map_err(|_| BadAddress::Invalid)?;
    headers.insert(HOST, host);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(what.media_type));
    headers.insert(USER_AGENT, HeaderValue::from_static("Parlor"));
    Ok(request)
}

/// Sends a request on a new connection, which ends with the head of the answer.
async fn exchange(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    request: Request<Body>,
) -> Result<Response<Incoming>, NoAnswer> {
    let handshake = http1::Builder::new()
        .max_buf_size(MAX_HEAD)
        .handshake(TokioIo::new(stream))
        .await;
    let (mut sender, connection) = handshake.map_err(NoAnswer::Http)?;
    // Ends with this function.
    let mut tasks = JoinSet::new();
    tasks.spawn(connection);
    sender.send_request(request).await.map_err(NoAnswer::Http)
}
