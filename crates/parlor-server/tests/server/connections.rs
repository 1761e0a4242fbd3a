use std::time::Duration;

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

use super::house::{Answer, House, Lines, PATIENCE, classic};
use super::socket::Socket;

/// A connection below the level of requests.
struct Wire(TcpStream);

impl Wire {
    async fn open(house: &House) -> Wire {
        let address = house.url.trim_start_matches("http://");
        Wire(TcpStream::connect(address).await.unwrap())
    }

    async fn open_from(house: &House, address: [u8; 4]) -> Wire {
        let server = house.url.trim_start_matches("http://").parse().unwrap();
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind((address, 0).into()).unwrap();
        Wire(socket.connect(server).await.unwrap())
    }

    async fn say(&mut self, text: &str) {
        self.0.write_all(text.as_bytes()).await.unwrap();
    }

    /// Asks for the health of the house, and waits until it begins to answer.
    async fn ask(&mut self) {
        self.say("GET /healthz HTTP/1.1\r\nHost: parlor\r\n\r\n")
            .await;
        self.until("ok\n").await;
    }

    /// Follows the events of a table.
    async fn follow(&mut self, id: &str) {
        self.say(&format!(
            "GET /api/v1/tables/{id}/events HTTP/1.1\r\nHost: parlor\r\n\r\n"
        ))
        .await;
        self.until("created").await;
    }

    /// Begins to create a table, and waits until the server wants the body.
    async fn begin_table(&mut self, length: usize) {
        self.say(&format!(
            "POST /api/v1/tables HTTP/1.1\r\nHost: parlor\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\nExpect: 100-continue\r\n\r\n"
        ))
        .await;
        self.until("100 Continue\r\n\r\n").await;
    }

    /// Reads until this text was sent.
    async fn until(&mut self, text: &str) {
        let mut read = Vec::new();
        while !String::from_utf8_lossy(&read).contains(text) {
            let byte = timeout(PATIENCE, self.0.read_u8()).await;
            let byte = byte.expect("an answer in time");
            read.push(byte.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&read))));
        }
    }

    /// Reads until the server closes the connection.
    async fn rest(mut self) -> String {
        let mut read = Vec::new();
        let end = timeout(PATIENCE, self.0.read_to_end(&mut read)).await;
        // A connection that is reset is closed, too.
        let _ = end.expect("the connection is closed in time");
        String::from_utf8_lossy(&read).into_owned()
    }
}

/// Opens a house with a short time for headers and bodies.
async fn hasty() -> House {
    House::with(|config| {
        // Enough for a busy machine to send a request.
        config.connections.header_time = Duration::from_secs(2);
        config.connections.idle_time = Duration::from_secs(2);
        config.connections.body_time = Duration::from_secs(2);
    })
    .await
}

#[tokio::test]
async fn a_house_that_closes_answers_what_was_sent_before() {
    const ASK: &str = "GET /healthz HTTP/1.1\r\nHost: parlor\r\n\r\n";
    let mut house = House::open().await;
    let mut wires = Vec::new();
    for _ in 0..20 {
        let mut kept_alive = Wire::open(&house).await;
        kept_alive.ask().await;
        wires.push(kept_alive);
    }
    for _ in 0..20 {
        // Nobody accepts it before the house is told to close.
        wires.push(Wire::open(&house).await);
    }
    let ask = async {
        for wire in &mut wires {
            wire.say(ASK).await;
        }
    };
    tokio::join!(house.close(), ask);
    for (n, wire) in wires.into_iter().enumerate() {
        let answer = wire.rest().await;
        assert!(
            answer.contains("200 OK") && answer.ends_with("ok\n"),
            "{n}: {answer}"
        );
    }
}

#[tokio::test]
async fn one_address_cannot_take_the_connections_of_others() {
    let house = House::with(|config| config.connections.per_address = Some(4)).await;
    let mut held = Vec::new();
    for _ in 0..4 {
        let mut wire = Wire::open(&house).await;
        wire.ask().await;
        held.push(wire);
    }
    let fifth = Wire::open(&house).await;
    assert_eq!(fifth.rest().await, "");
    let elsewhere = reqwest::Client::builder()
        .no_proxy()
        .timeout(PATIENCE)
        .local_address(std::net::IpAddr::from([127, 0, 0, 2]))
        .build()
        .unwrap();
    let served = Answer::of(elsewhere.get(format!("{}/readyz", house.url))).await;
    assert_eq!(served.status, 200);
    let metrics = house.metrics().await;
    for counted in ["parlor_connections ", "parlor_connections_refused_total "] {
        assert!(metrics.contains(counted), "{metrics}");
    }
    for wire in &mut held {
        wire.ask().await;
    }
}

#[tokio::test]
async fn a_closed_connection_makes_room() {
    let house = House::with(|config| config.connections.total = Some(1)).await;
    let made = house.create(classic()).await;
    // The client's idle connection gives way. A stream is in use.
    let mut stream = Wire::open(&house).await;
    stream.follow(&made.id).await;
    assert_eq!(Wire::open(&house).await.rest().await, "");
    drop(stream);
    // The server may see the end only after the next beginning.
    let again = async {
        while house
            .request(reqwest::Method::GET, "/healthz")
            .send()
            .await
            .is_err()
        {}
    };
    timeout(PATIENCE, again).await.expect("room in time");
}

#[tokio::test]
async fn at_the_limit_the_longest_idle_of_the_address_with_the_most_gives_way() {
    let house = House::with(|config| config.connections.total = Some(4)).await;
    let mut other = Wire::open_from(&house, [127, 0, 0, 2]).await;
    other.ask().await;
    let mut held = Vec::new();
    for beginning in [
        "GET / HTTP/1.1\r\nHost: par",
        "",
        "GET /healthz HTTP/1.1\r\nHost: parlor\r\n\r\n",
    ] {
        let mut wire = Wire::open(&house).await;
        wire.say(beginning).await;
        held.push(wire);
    }
    held[2].until("ok\n").await;
    // Two newcomers take the places of the two that have not asked for anything.
    let mut newcomers = Vec::new();
    for n in [3, 4] {
        let mut newcomer = Wire::open_from(&house, [127, 0, 0, n]).await;
        newcomer.ask().await;
        newcomers.push(newcomer);
    }
    let [half, silent, answered] = <[Wire; 3]>::try_from(held).ok().unwrap();
    assert_eq!([half.rest().await, silent.rest().await], ["", ""]);
    for mut wire in newcomers.into_iter().chain([other, answered]) {
        wire.ask().await;
    }
    let metrics = house.metrics().await;
    assert!(
        metrics.contains("parlor_connections_closed_for_others_total"),
        "{metrics}"
    );
}

#[tokio::test]
async fn a_socket_does_not_give_way() {
    let house = House::with(|config| config.connections.total = Some(1)).await;
    let made = house.create(classic()).await;
    let mut socket = Socket::open(&house, &made.id, Some(&made.token)).await;
    assert_eq!(Wire::open(&house).await.rest().await, "");
    socket
        .say(json!({ "type": "move", "id": "a1", "move": "1,1" }))
        .await;
    assert_eq!(socket.told().await["type"], "error");
}

#[tokio::test]
async fn behind_a_proxy_only_the_total_counts() {
    let house = House::with(|config| {
        config.trusted_proxies = "127.0.0.1".parse().unwrap();
        config.connections.per_address = Some(1);
        config.connections.total = Some(3);
    })
    .await;
    let mut held = Vec::new();
    for _ in 0..4 {
        let mut wire = Wire::open(&house).await;
        wire.ask().await;
        held.push(wire);
    }
    assert_eq!(held.remove(0).rest().await, "");
    for wire in &mut held {
        wire.ask().await;
    }
}

#[tokio::test]
async fn a_connection_without_a_whole_request_is_closed() {
    let house = hasty().await;
    for beginning in [
        "",
        "P",
        "PRI * HTTP/2.0\r\n",
        "GET / HTTP/1.1\r\nHost: parlor\r\n",
    ] {
        let mut wire = Wire::open(&house).await;
        wire.say(beginning).await;
        let answer = wire.rest().await;
        assert!(!answer.contains("200 OK"), "{beginning}: {answer}");
    }
}

#[tokio::test]
async fn after_an_answer_the_next_request_has_more_time() {
    let header_time = Duration::from_secs(1);
    let house = House::with(|config| config.connections.header_time = header_time).await;
    let mut wire = Wire::open(&house).await;
    wire.ask().await;
    tokio::time::sleep(3 * header_time).await;
    wire.ask().await;
}

#[tokio::test]
async fn the_head_of_a_later_request_has_no_more_time_than_the_first() {
    let house = House::with(|config| {
        config.connections.header_time = Duration::from_secs(1);
        config.connections.idle_time = 10 * PATIENCE;
    })
    .await;
    let half = "GET /healthz HTTP/1.1\r\nHost: ";
    let mut wire = Wire::open(&house).await;
    wire.ask().await;
    wire.say(half).await;
    let answer = wire.rest().await;
    assert!(!answer.contains("200 OK"), "{answer}");
    let posted = "POST /healthz HTTP/1.1\r\nHost: parlor\r\nContent-Length: 4\r\n\r\nbody";
    for first in ["GET /healthz HTTP/1.1\r\nHost: parlor\r\n\r\n", posted] {
        let mut wire = Wire::open(&house).await;
        wire.say(&format!("{first}{half}")).await;
        let answers = wire.rest().await.matches("HTTP/1.1").count();
        assert_eq!(answers, 1, "after {first}");
    }
}

/// Asks for the health of the house from another address than the others' until it is told.
async fn another_is_served(house: &House) {
    Wire::open_from(house, [127, 0, 0, 9]).await.ask().await;
}

#[tokio::test]
async fn who_is_refused_too_often_is_shut_out_and_others_are_not() {
    let house = House::with(|config| {
        config.limits.requests_per_second = std::num::NonZeroU32::new(1);
        config.limits.request_burst = std::num::NonZeroU32::MIN;
        config.limits.refusals_per_second = std::num::NonZeroU32::new(20);
    })
    .await;
    let mut wire = Wire::open(&house).await;
    let request = "GET /healthz HTTP/1.1\r\nHost: parlor\r\n\r\n";
    wire.say(&request.repeat(200)).await;
    let told = wire.rest().await.matches("HTTP/1.1").count();
    assert!(
        told < 100,
        "{told} answers before the connection was closed"
    );
    another_is_served(&house).await;
    let mut again = Wire::open(&house).await;
    // It may be closed before anything is written.
    let _ = again.0.write_all(request.as_bytes()).await;
    assert_eq!(again.rest().await, "");
}

#[tokio::test]
async fn who_floods_with_frames_is_shut_out_and_others_are_not() {
    let house = House::open().await;
    let mut wire = Wire::open(&house).await;
    wire.say("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await;
    let settings = [0, 0, 0, 4, 0, 0, 0, 0, 0];
    let window = [0, 0, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0, 1];
    wire.0.write_all(&settings).await.unwrap();
    let windows = window.repeat(1_000);
    let mut sent = 0;
    while wire.0.write_all(&windows).await.is_ok() {
        sent += 1_000;
        assert!(sent < 10_000_000, "nobody closes the connection");
    }
    another_is_served(&house).await;
    let again = Wire::open(&house).await;
    assert_eq!(again.rest().await, "");
}

#[tokio::test]
async fn who_repeats_a_long_header_thousands_of_times_is_shut_out() {
    let house = House::open().await;
    let mut wire = Wire::open(&house).await;
    wire.say("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await;
    wire.0
        .write_all(&[0, 0, 0, 4, 0, 0, 0, 0, 0])
        .await
        .unwrap();
    // GET / with a header that is kept, as `\xbe`: "a", and 3,900 bytes.
    let request = [0x82, 0x84, 0x86, 1, 1, b'x'];
    let kept = [&[0x40, 1, b'a', 0x7f, 0xbd, 0x1d], &[b'v'; 3_900][..]].concat();
    let head = |stream: u32, fields: &[u8]| {
        let length = u32::try_from(fields.len()).unwrap().to_be_bytes();
        let start = [length[1], length[2], length[3], 1, 5];
        [&start[..], &stream.to_be_bytes(), fields].concat()
    };
    let first = head(1, &[&request[..], &kept].concat());
    wire.0.write_all(&first).await.unwrap();
    let bomb = [&request[..], &[0xbe; 16_000]].concat();
    let mut stream = 3;
    while wire.0.write_all(&head(stream, &bomb)).await.is_ok() {
        stream += 2;
        assert!(stream < 10_000, "nobody closes the connection");
    }
    another_is_served(&house).await;
    let again = Wire::open(&house).await;
    assert_eq!(again.rest().await, "");
}

#[tokio::test]
async fn who_floods_a_socket_with_parts_of_a_message_is_shut_out() {
    let house = House::open().await;
    let made = house.create(classic()).await;
    let mut wire = Wire::open(&house).await;
    wire.say(&format!(
        "GET /api/v1/tables/{}/socket HTTP/1.1\r\nhost: parlor\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
         sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        made.id
    ))
    .await;
    let mut answer = [0; 12];
    wire.0.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 101");
    // A text that begins, and continues with nothing.
    wire.0.write_all(&[1, 0x80, 0, 0, 0, 0]).await.unwrap();
    let nothing = [0, 0x80, 0, 0, 0, 0].repeat(1_000);
    let mut sent = 0;
    while wire.0.write_all(&nothing).await.is_ok() {
        sent += 1_000;
        assert!(sent < 100_000_000, "nobody closes the socket");
    }
    another_is_served(&house).await;
    assert_eq!(Wire::open(&house).await.rest().await, "");
}

#[tokio::test]
async fn an_idle_connection_is_closed_after_its_answer() {
    let house = hasty().await;
    let mut wire = Wire::open(&house).await;
    wire.ask().await;
    wire.ask().await;
    assert_eq!(wire.rest().await, "");
}

#[tokio::test]
async fn streams_and_sockets_outlive_idle_connections() {
    let house = hasty().await;
    let made = house.create(classic()).await;
    let path = format!("/api/v1/tables/{}/events", made.id);
    let mut lines = Lines::open(&house, &made.id, 0).await;
    let events = house
        .request(reqwest::Method::GET, &path)
        .header("accept", "text/event-stream");
    let mut events = events.send().await.unwrap();
    assert_eq!(events.headers()["x-accel-buffering"], "no");
    let mut socket = Socket::open(&house, &made.id, Some(&made.token)).await;
    for _ in 0..3 {
        Wire::open(&house).await.rest().await;
    }
    let join = format!("/api/v1/tables/{}/join", made.id);
    house
        .post(&join, json!({ "name": "Bob" }))
        .await
        .expect(200);
    socket
        .say(json!({ "type": "move", "id": "a1", "move": "1,1" }))
        .await;
    assert_eq!(socket.told().await["type"], "ack");
    let moved = |text: &str| text.contains("\"moved\"");
    while !moved(&lines.next().await.expect("the stream goes on").to_string()) {}
    let mut text = String::new();
    while !moved(&text) {
        let chunk = timeout(PATIENCE, events.chunk()).await.expect("in time");
        let chunk = chunk.unwrap().expect("the stream goes on");
        text.push_str(&String::from_utf8_lossy(&chunk));
    }
}

#[tokio::test]
async fn a_request_that_does_not_arrive_gives_way_like_an_idle_connection() {
    let house = House::with(|config| config.connections.total = Some(3)).await;
    let mut dripping = Vec::new();
    for _ in 0..3 {
        let mut wire = Wire::open(&house).await;
        wire.begin_table(1000).await;
        dripping.push(wire);
    }
    let mut newcomer = Wire::open_from(&house, [127, 0, 0, 2]).await;
    newcomer.ask().await;
    assert_eq!(dripping.remove(0).rest().await, "", "it has waited longest");
    for mut wire in dripping {
        wire.say(&" ".repeat(1000)).await;
        wire.until("/problems/bad-request").await;
    }
}

#[tokio::test]
async fn who_announces_too_much_is_told_at_once() {
    let house = House::open().await;
    let mut wire = Wire::open(&house).await;
    wire.say(
        "POST /api/v1/tables HTTP/1.1\r\nHost: parlor\r\nContent-Type: application/json\r\n\
         Content-Length: 1000000000\r\n\r\n{",
    )
    .await;
    wire.until("/problems/too-large").await;
}

#[tokio::test]
async fn lines_are_not_buffered_by_proxies() {
    let house = House::open().await;
    let made = house.create(classic()).await;
    let path = format!("/api/v1/tables/{}/events?follow=false", made.id);
    for kind in ["application/x-ndjson", "text/event-stream"] {
        let request = house.request(reqwest::Method::GET, &path);
        let answer = Answer::of(request.header("accept", kind)).await;
        assert_eq!(answer.headers["content-type"], kind);
        assert_eq!(answer.headers["x-accel-buffering"], "no");
    }
}

#[tokio::test]
async fn a_body_that_stops_arriving_is_answered_and_the_connection_closed() {
    let house = hasty().await;
    let mut wire = Wire::open(&house).await;
    wire.begin_table(1000).await;
    wire.say("{").await;
    let answer = wire.rest().await;
    for part in [
        "HTTP/1.1 408 Request Timeout",
        "content-type: application/problem+json",
        "connection: close",
        "/problems/timeout",
    ] {
        assert!(answer.contains(part), "{part}: {answer}");
    }
}

#[tokio::test]
async fn a_body_that_arrives_in_drips_is_answered_and_the_connection_closed() {
    let house = House::with(|config| config.limits.request_time = Duration::from_secs(2)).await;
    let wire = Wire::open(&house).await;
    let (reading, mut writing) = wire.0.into_split();
    let mut answer = tokio::spawn(async move {
        let mut answer = String::new();
        let _ = BufReader::new(reading).read_to_string(&mut answer).await;
        answer
    });
    let head = "POST /api/v1/tables HTTP/1.1\r\nHost: parlor\r\nContent-Type: application/json\r\n\
                Content-Length: 1000\r\n\r\n{";
    writing.write_all(head.as_bytes()).await.unwrap();
    let drip = async {
        loop {
            tokio::time::sleep(Duration::from_millis(100)).await;
            if writing.write_all(b" ").await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    };
    let answer = tokio::select! {
        answer = timeout(PATIENCE, &mut answer) => answer.expect("an answer in time").unwrap(),
        () = drip => unreachable!("it drips forever"),
    };
    assert!(answer.contains("HTTP/1.1 408 Request Timeout"), "{answer}");
    assert!(answer.contains("/problems/timeout"), "{answer}");
}

#[tokio::test]
async fn a_request_names_its_host_once() {
    let house = House::open().await;
    for (version, hosts, status) in [
        ("1.1", "", "400"),
        ("1.1", "Host: a\r\nHost: b\r\n", "400"),
        ("1.1", "Host: a\r\n", "200"),
        ("1.0", "", "200"),
    ] {
        let mut wire = Wire::open(&house).await;
        wire.say(&format!(
            "GET /healthz HTTP/{version}\r\n{hosts}Connection: close\r\n\r\n"
        ))
        .await;
        let answer = wire.rest().await;
        let first = answer.split(' ').nth(1);
        assert_eq!(first, Some(status), "{version} {hosts}: {answer}");
    }
}

#[tokio::test]
async fn the_proxy_protocol_is_answered_with_400() {
    let house = House::open().await;
    let request = "GET /healthz HTTP/1.1\r\nHost: parlor\r\n\r\n";
    for head in [
        "PROXY TCP4 192.0.2.1 192.0.2.2 56324 80\r\n",
        "\r\n\r\n\0\r\nQUIT\n!\u{11}\0\u{c}",
    ] {
        let mut wire = Wire::open(&house).await;
        wire.say(&format!("{head}{request}")).await;
        let answer = wire.rest().await;
        assert!(answer.starts_with("HTTP/1.1 400 "), "{head:?}: {answer}");
    }
}

#[tokio::test]
async fn http_2_is_spoken_to_those_who_begin_with_it() {
    let house = hasty().await;
    let mut wire = Wire::open(&house).await;
    wire.say("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").await;
    // An empty frame of settings: length, kind, flags and stream.
    let settings = [0, 0, 0, 4, 0, 0, 0, 0, 0];
    wire.0.write_all(&settings).await.unwrap();
    let mut frame = [0; 9];
    let read = timeout(PATIENCE, wire.0.read_exact(&mut frame)).await;
    read.expect("an answer in time").unwrap();
    assert_eq!(frame[3], 4, "the kind of the first frame: {frame:?}");
    wire.rest().await;
}

#[tokio::test]
async fn a_request_under_way_is_finished_at_shutdown() {
    let mut house = House::open().await;
    let body = classic().to_string();
    let mut wire = Wire::open(&house).await;
    wire.begin_table(body.len()).await;
    let address = house.url.trim_start_matches("http://").to_owned();
    let sending = async {
        // The server has begun to shut down as soon as it no longer listens.
        while TcpStream::connect(&address).await.is_ok() {
            tokio::task::yield_now().await;
        }
        wire.say(&body).await;
        wire.rest().await
    };
    let ((), answer) = tokio::join!(house.close(), sending);
    assert!(answer.contains("HTTP/1.1 201 Created"), "{answer}");
}
