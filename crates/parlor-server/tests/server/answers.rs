//! Answers that their clients do not read, over HTTP/2 and HTTP/1.1.

use std::future::poll_fn;
use std::io::{ErrorKind, Read};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::http::{Request, Response};
use flate2::read::GzDecoder;
use h2::RecvStream;
use h2::client::SendRequest;
use reqwest::Method;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

use super::house::{Answer, House, Lines, PATIENCE, classic};

/// The largest answer that everybody can ask for.
const LARGE: &str = "/api/openapi.json";

/// A connection of HTTP/2.
struct Multiplexed {
    url: String,
    requests: SendRequest<Bytes>,
    reading: tokio::task::JoinHandle<Result<(), h2::Error>>,
}

impl Multiplexed {
    /// Opens a connection whose streams take so many bytes until they are read.
    async fn open(house: &House, window: u32) -> Multiplexed {
        Multiplexed::open_from(house, window, [127, 0, 0, 1]).await
    }

    async fn open_from(house: &House, window: u32, address: [u8; 4]) -> Multiplexed {
        let server = house.url.trim_start_matches("http://").parse().unwrap();
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind((address, 0).into()).unwrap();
        let stream = socket.connect(server).await.unwrap();
        let builder = h2::client::Builder::new()
            .initial_window_size(window)
            .handshake(stream);
        let (requests, connection) = builder.await.unwrap();
        let reading = tokio::spawn(connection);
        Multiplexed {
            url: house.url.clone(),
            requests,
            reading,
        }
    }

    /// Asks for a page, and returns the answer as soon as it begins.
    async fn get(&self, path: &str) -> Response<RecvStream> {
        self.get_for(path, "127.0.0.1").await
    }

    /// Asks for a page as a proxy does for a client at an address.
    async fn get_for(&self, path: &str, client: &str) -> Response<RecvStream> {
        let request = Request::get(format!("{}{path}", self.url))
            .header("x-forwarded-for", client)
            .body(())
            .unwrap();
        let mut requests = self.requests.clone().ready().await.unwrap();
        let (answer, _) = requests.send_request(request, true).unwrap();
        let answer = timeout(PATIENCE, answer).await;
        answer.expect("an answer in time").unwrap()
    }
}

/// Reads some of an answer; `None` at its end.
async fn read(answer: &mut Response<RecvStream>) -> Option<Result<Bytes, h2::Error>> {
    let body = answer.body_mut();
    let data = timeout(PATIENCE, body.data()).await;
    let data = data.expect("something in time")?;
    Some(data.inspect(|data| {
        body.flow_control().release_capacity(data.len()).unwrap();
    }))
}

/// Reads all that is left of an answer.
async fn read_to_end(mut answer: Response<RecvStream>) -> Vec<u8> {
    let mut all = Vec::new();
    while let Some(data) = read(&mut answer).await {
        all.extend_from_slice(&data.unwrap());
    }
    all
}

#[tokio::test]
async fn an_address_has_so_many_answers_that_nobody_reads() {
    let house = House::with(|config| config.limits.answers_per_address = 3).await;
    // One byte short of all: the connection may buffer the rest.
    let small = house.get("/healthz").await.text.len() as u32 - 1;
    for (path, window) in [(LARGE, 1000), ("/healthz", small), ("/healthz", 0)] {
        let connection = Multiplexed::open(&house, window).await;
        let mut unread = Vec::new();
        for _ in 0..3 {
            let answer = connection.get(path).await;
            assert_eq!(answer.status(), 200);
            unread.push(answer);
        }
        let refused = connection.get("/healthz").await;
        assert_eq!(refused.status(), 503, "{path}");
        assert_eq!(refused.headers()["retry-after"], "1");
        let others = Multiplexed::open_from(&house, window, [127, 0, 0, 2]).await;
        assert_eq!(others.get(path).await.status(), 200);
        connection.reading.abort();
        // The server may see the end only after the next beginning.
        let again = async { while house.get("/healthz").await.status == 503 {} };
        timeout(PATIENCE, again).await.expect("room in time");
    }
}

#[tokio::test]
async fn a_refused_request_of_http_2_does_not_wait_for_its_body() {
    let house = House::with(|config| config.limits.answers_per_address = 1).await;
    let connection = Multiplexed::open(&house, 1_000).await;
    let unread = connection.get(LARGE).await;
    let request = Request::post(format!("{}/api/v1/tables", house.url))
        .header("content-type", "application/json")
        .header("content-length", "1000")
        .body(())
        .unwrap();
    let mut requests = connection.requests.clone().ready().await.unwrap();
    let (answer, mut body) = requests.send_request(request, false).unwrap();
    let answer = timeout(PATIENCE, answer).await.expect("an answer in time");
    assert_eq!(answer.unwrap().status(), 503);
    // The stream ends, and the connection goes on.
    let reset = timeout(PATIENCE, poll_fn(|context| body.poll_reset(context))).await;
    assert_eq!(reset.expect("in time").unwrap(), h2::Reason::NO_ERROR);
    drop(unread);
    let again = async { while connection.get("/healthz").await.status() == 503 {} };
    timeout(PATIENCE, again).await.expect("room in time");
}

#[tokio::test]
async fn an_answer_that_is_read_makes_room() {
    let house = House::with(|config| config.limits.answers_per_address = 1).await;
    let whole = house.get(LARGE).await.text;
    let connection = Multiplexed::open(&house, 20_000).await;
    for _ in 0..3 {
        let answer = connection.get(LARGE).await;
        assert_eq!(answer.status(), 200);
        assert_eq!(connection.get("/healthz").await.status(), 503);
        assert!(read_to_end(answer).await == whole.as_bytes());
    }
}

#[tokio::test]
async fn at_the_total_an_answer_that_nobody_reads_gives_way() {
    let house = House::with(|config| config.limits.answers = 2).await;
    let connection = Multiplexed::open(&house, 0).await;
    let mut first = connection.get(LARGE).await;
    let mut second = connection.get(LARGE).await;
    let others = Multiplexed::open_from(&house, 1 << 20, [127, 0, 0, 2]).await;
    let served = async {
        while others.get("/healthz").await.status() == 503 {
            tokio::task::yield_now().await;
        }
    };
    timeout(PATIENCE, served).await.expect("room in time");
    let dropped = read(&mut first).await.unwrap().unwrap_err();
    assert_eq!(dropped.reason(), Some(h2::Reason::CANCEL));
    let waits = timeout(Duration::ZERO, second.body_mut().data()).await;
    assert!(waits.is_err(), "only one gave way");
}

#[tokio::test]
async fn an_answer_that_nobody_reads_is_dropped_and_its_neighbours_are_not() {
    let house = House::with(|config| {
        config.connections.unread_time = Duration::from_secs(1);
    })
    .await;
    let connection = Multiplexed::open(&house, 20_000).await;
    let mut unread = connection.get(LARGE).await;
    let end = loop {
        let data = timeout(PATIENCE, unread.body_mut().data()).await;
        if let Err(error) = data.expect("it is dropped in time").unwrap() {
            break error;
        }
    };
    assert_eq!(end.reason(), Some(h2::Reason::CANCEL));
    let whole = house.get(LARGE).await.text;
    let read = read_to_end(connection.get(LARGE).await).await;
    assert!(read == whole.as_bytes());
    let metrics = house.metrics().await;
    assert!(
        metrics.contains("parlor_answers_dropped_total"),
        "{metrics}"
    );
}

#[tokio::test]
async fn a_stream_on_which_nothing_happens_goes_on() {
    let unread_time = Duration::from_secs(1);
    let house = House::with(|config| {
        config.connections.unread_time = unread_time;
        config.limits.answers_per_address = 1;
    })
    .await;
    let made = house.create(classic()).await;
    let connection = Multiplexed::open(&house, 20_000).await;
    let path = format!("/api/v1/tables/{}/events", made.id);
    let mut stream = connection.get(&path).await;
    let mut lines = Lines::open(&house, &made.id, 1).await;
    read(&mut stream).await.unwrap().unwrap();
    tokio::time::sleep(3 * unread_time).await;
    // Neither of the streams counts as an answer.
    let join = format!("/api/v1/tables/{}/join", made.id);
    let joined = house.post(&join, json!({ "name": "Bob" })).await;
    joined.expect(200);
    let news = read(&mut stream).await.unwrap().unwrap();
    assert!(
        String::from_utf8_lossy(&news).contains("joined"),
        "{news:?}"
    );
    assert_eq!(lines.next().await.unwrap()["type"], "joined");
}

#[tokio::test]
async fn a_stream_that_ends_by_itself_is_whole() {
    let house = House::open().await;
    let (id, _) = house.two(classic()).await;
    let events = house.log(&id).await.len();
    let connection = Multiplexed::open(&house, 20_000).await;
    let path = format!("/api/v1/tables/{id}/events?follow=false");
    for _ in 0..3 {
        let told = read_to_end(connection.get(&path).await).await;
        let told = String::from_utf8(told).unwrap();
        assert_eq!(told.matches("data: ").count(), events, "{told}");
    }
}

#[tokio::test]
async fn the_clients_of_a_proxy_have_limits_of_their_own() {
    let house = House::with(|config| {
        config.trusted_proxies = "127.0.0.1".parse().unwrap();
        config.limits.answers_per_address = 1;
        config.connections.unread_time = Duration::from_secs(1);
    })
    .await;
    let proxy = Multiplexed::open(&house, 0).await;
    let mut unread = proxy.get_for(LARGE, "192.0.2.1").await;
    assert_eq!(proxy.get_for("/healthz", "192.0.2.1").await.status(), 503);
    let other = proxy.get_for("/healthz", "192.0.2.2").await;
    assert_eq!(other.status(), 200);
    let dropped = read(&mut unread).await.unwrap().unwrap_err();
    assert_eq!(dropped.reason(), Some(h2::Reason::CANCEL));
    assert!(
        !proxy.reading.is_finished(),
        "the proxy's connection goes on"
    );
}

#[tokio::test]
async fn a_connection_of_http_1_is_closed_if_nobody_reads() {
    let house = House::with(|config| {
        config.connections.unread_time = Duration::from_secs(1);
    })
    .await;
    let address = house.url.trim_start_matches("http://");
    let stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET {LARGE} HTTP/1.1\r\nHost: parlor\r\n\r\n");
    let end = async {
        loop {
            stream.writable().await.unwrap();
            match stream.try_write(request.as_bytes()) {
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => break error.kind(),
            }
        }
    };
    let end = timeout(PATIENCE, end).await.expect("it is closed in time");
    assert!(matches!(
        end,
        ErrorKind::ConnectionReset | ErrorKind::BrokenPipe
    ));
    let answer = Answer::of(house.request(Method::GET, "/healthz")).await;
    assert_eq!(answer.status, 200);
}

#[tokio::test]
async fn in_a_full_house_a_connection_of_http_1_that_nobody_reads_gives_way() {
    let house = House::with(|config| {
        config.connections.total = Some(1);
        config.connections.unread_time = Duration::from_secs(600);
    })
    .await;
    let address = house.url.trim_start_matches("http://");
    let stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET {LARGE} HTTP/1.1\r\nHost: parlor\r\n\r\n");
    // So many answers that neither side can keep them all.
    for _ in 0..100 {
        stream.writable().await.unwrap();
        let _ = stream.try_write(request.as_bytes());
    }
    stream.readable().await.unwrap();
    let served = async {
        loop {
            let asked = house.request(Method::GET, "/healthz");
            if asked.send().await.is_ok() {
                break;
            }
        }
    };
    timeout(PATIENCE, served).await.expect("room in time");
}

#[tokio::test]
async fn a_house_that_closes_does_not_wait_for_the_rest_of_a_request() {
    let mut house = House::with(|config| {
        config.connections.body_time = Duration::from_secs(600);
    })
    .await;
    let address = house.url.trim_start_matches("http://");
    let mut stalled = TcpStream::connect(address).await.unwrap();
    let half =
        b"POST /api/v1/tables HTTP/1.1\r\nHost: parlor\r\nContent-Type: application/json\r\n\
        Content-Length: 500\r\nExpect: 100-continue\r\n\r\n";
    stalled.write_all(half).await.unwrap();
    // The server asks for the body once the request is under way.
    let mut answer = [0; 12];
    stalled.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 100");
    stalled.write_all(b"{\"a").await.unwrap();
    let begun = Instant::now();
    house.close().await;
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(8), "the server waited: {took:?}");
    drop(stalled);
}

#[tokio::test]
async fn a_house_that_closes_does_not_wait_for_those_who_read_nothing() {
    let mut house = House::with(|config| {
        config.connections.unread_time = Duration::from_secs(600);
    })
    .await;
    let multiplexed = Multiplexed::open(&house, 1_000).await;
    let unread = multiplexed.get(LARGE).await;
    let address = house.url.trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET {LARGE} HTTP/1.1\r\nHost: parlor\r\n\r\n");
    // So many requests that the server takes no more before its answers are read.
    loop {
        let written = stream.write_all(request.as_bytes());
        if timeout(Duration::from_secs(1), written).await.is_err() {
            break;
        }
    }
    let begun = Instant::now();
    house.close().await;
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(8), "the server waited: {took:?}");
    drop((unread, stream));
}

#[tokio::test]
async fn fixed_texts_are_compressed_for_those_who_accept_it() {
    let house = House::open().await;
    for path in [LARGE, "/api/docs/"] {
        let plain = house.get(path).await.text;
        for _ in 0..2 {
            let request = house.request(Method::GET, path);
            let request = request.header("accept-encoding", "gzip");
            let answer = request.send().await.unwrap();
            assert_eq!(answer.headers()["content-encoding"], "gzip");
            let bytes = answer.bytes().await.unwrap();
            assert!(bytes.len() < plain.len() / 2, "{path}");
            let mut text = String::new();
            GzDecoder::new(&*bytes).read_to_string(&mut text).unwrap();
            assert!(text == plain, "{path}");
        }
    }
}
