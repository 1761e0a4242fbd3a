use futures::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use super::house::{House, PATIENCE, classic};

pub struct Socket(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Socket {
    async fn try_open(
        house: &House,
        id: &str,
        token: Option<&str>,
        origin: Option<&str>,
    ) -> Result<Socket, Error> {
        let url = format!(
            "{}/api/v1/tables/{id}/socket",
            house.url.replace("http://", "ws://")
        );
        let mut request = url.into_client_request().unwrap();
        if let Some(token) = token {
            request
                .headers_mut()
                .insert("authorization", format!("Bearer {token}").parse().unwrap());
        }
        if let Some(origin) = origin {
            request
                .headers_mut()
                .insert("origin", origin.parse().unwrap());
        }
        connect_async(request)
            .await
            .map(|(socket, _)| Socket(socket))
    }

    pub async fn open(house: &House, id: &str, token: Option<&str>) -> Socket {
        Socket::try_open(house, id, token, None).await.unwrap()
    }

    pub async fn with_cookie(house: &House, id: &str, cookie: &str) -> Socket {
        let url = format!(
            "{}/api/v1/tables/{id}/socket",
            house.url.replace("http://", "ws://")
        );
        let mut request = url.into_client_request().unwrap();
        request
            .headers_mut()
            .insert("cookie", cookie.parse().unwrap());
        Socket(connect_async(request).await.unwrap().0)
    }

    pub async fn say(&mut self, message: Value) {
        self.0
            .send(Message::text(message.to_string()))
            .await
            .unwrap();
    }

    /// Returns the next message from the server.
    async fn hear(&mut self) -> Result<Value, Option<CloseFrame>> {
        loop {
            let message = tokio::time::timeout(PATIENCE, self.0.next())
                .await
                .expect("something comes in time");
            match message {
                Some(Ok(Message::Text(text))) => return Ok(serde_json::from_str(&text).unwrap()),
                Some(Ok(Message::Close(frame))) => return Err(frame),
                Some(Ok(_)) => {}
                Some(Err(error)) => panic!("{error}"),
                None => return Err(None),
            }
        }
    }

    pub async fn told(&mut self) -> Value {
        self.hear().await.expect("the socket is open")
    }

    pub async fn closed(&mut self) -> u16 {
        loop {
            if let Err(frame) = self.hear().await {
                return frame.expect("a close frame").code.into();
            }
        }
    }
}

#[tokio::test]
async fn a_game_is_played_over_two_sockets() {
    let house = House::open().await;
    let (id, tokens) = house.two(classic()).await;
    let mut ann = Socket::open(&house, &id, Some(&tokens[0])).await;
    let mut bob = Socket::open(&house, &id, Some(&tokens[1])).await;
    bob.say(json!({ "type": "subscribe", "after": 2 })).await;
    assert_eq!(bob.told().await["event"]["type"], "started");
    ann.say(json!({ "type": "move", "id": "a1", "move": "1,1", "version": 3 }))
        .await;
    let ack = ann.told().await;
    assert_eq!(
        (&ack["type"], &ack["id"], &ack["version"]),
        (&json!("ack"), &json!("a1"), &json!(4))
    );
    assert_eq!(ack["turn"], json!({ "kind": "move", "seat": 1 }));
    let event = bob.told().await;
    assert_eq!(
        (&event["type"], &event["version"], &event["event"]["move"]),
        (&json!("event"), &json!(4), &json!("1,1"))
    );
    bob.say(json!({ "type": "move", "id": "b1", "move": "1,1" }))
        .await;
    let error = bob.told().await;
    assert_eq!(
        (&error["type"], &error["id"]),
        (&json!("error"), &json!("b1"))
    );
    assert_eq!(error["problem"]["type"], "/problems/illegal-move");
    ann.say(json!({ "type": "move", "id": "a1", "move": "1,1", "version": 3 }))
        .await;
    assert_eq!(
        ann.told().await["version"],
        4,
        "a repeated move is acknowledged again"
    );
    ann.say(json!({ "type": "move", "id": "a2", "move": "0,0", "version": 3, "lag_ms": 40 }))
        .await;
    assert_eq!(ann.told().await["problem"]["current"], 4);
    ann.say(json!({ "type": "ping" })).await;
    let pong = ann.told().await;
    assert_eq!(pong["type"], "pong");
    assert!(
        pong["now"].as_i64() >= event["now"].as_i64()
            && event["now"].as_i64() >= event["event"]["at"].as_i64()
    );
    assert_eq!(house.log(&id).await.len(), 4);
}

#[tokio::test]
async fn a_socket_catches_up_from_the_version_it_names() {
    let house = House::open().await;
    let (id, tokens) = house.two(classic()).await;
    house.play(&id, &tokens, &["1,1", "0,0"]).await;
    let mut socket = Socket::open(&house, &id, None).await;
    socket.say(json!({ "type": "subscribe", "after": 3 })).await;
    assert_eq!(socket.told().await["version"], 4);
    assert_eq!(socket.told().await["version"], 5);
    house.play(&id, &tokens, &["2,2"]).await;
    assert_eq!(socket.told().await["version"], 6);
}

#[tokio::test]
async fn those_who_look_on_without_a_seat_are_counted() {
    let house = House::open().await;
    let (id, tokens) = house.two(classic()).await;
    let subscribe = json!({ "type": "subscribe", "after": 3, "audience": true });
    let mut ann = Socket::open(&house, &id, Some(&tokens[0])).await;
    ann.say(subscribe.clone()).await;
    assert_eq!(
        ann.told().await,
        json!({ "type": "audience", "count": 0 }),
        "a player does not look on"
    );
    let mut watcher = Socket::open(&house, &id, None).await;
    watcher.say(subscribe).await;
    assert_eq!(ann.told().await["count"], 1);
    drop(watcher);
    assert_eq!(ann.told().await["count"], 0);
}

#[tokio::test]
async fn a_watcher_without_a_token_cannot_move() {
    let house = House::open().await;
    let (id, _) = house.two(classic()).await;
    let mut socket = Socket::open(&house, &id, None).await;
    socket
        .say(json!({ "type": "move", "id": "x", "move": "1,1" }))
        .await;
    assert_eq!(socket.told().await["problem"]["type"], "/problems/no-token");
    assert_eq!(house.table(&id).await["version"], 3);
}

#[tokio::test]
async fn what_is_no_message_is_answered_and_the_socket_goes_on() {
    let house = House::open().await;
    let (id, tokens) = house.two(classic()).await;
    let mut socket = Socket::open(&house, &id, Some(&tokens[0])).await;
    for text in [
        "",
        "{",
        "[]",
        "{\"type\":\"dance\"}",
        "{\"type\":\"move\"}",
        "{\"type\":\"subscribe\",\"after\":-1}",
    ] {
        socket.0.send(Message::text(text)).await.unwrap();
        assert_eq!(socket.told().await["type"], "error", "{text}");
    }
    socket.say(json!({ "type": "ping" })).await;
    assert_eq!(socket.told().await["type"], "pong");
    socket.0.send(Message::binary(vec![1, 2, 3])).await.unwrap();
    assert_eq!(socket.closed().await, 1003);
}

#[tokio::test]
async fn too_long_a_message_closes_the_socket() {
    let house = House::open().await;
    let (id, tokens) = house.two(classic()).await;
    let mut socket = Socket::open(&house, &id, Some(&tokens[0])).await;
    socket
        .0
        .send(Message::text("x".repeat(9000)))
        .await
        .unwrap();
    assert_eq!(socket.closed().await, 1009);
}

#[tokio::test]
async fn a_flood_of_messages_is_refused_politely_and_changes_nothing() {
    let house = House::open().await;
    let (id, tokens) = house.two(classic()).await;
    let text = json!({ "type": "move", "id": "x", "move": "1,1" }).to_string();
    for message in [Message::text(text), Message::Ping(vec![7; 125].into())] {
        let socket = Socket::open(&house, &id, Some(&tokens[1])).await;
        let (mut out, incoming) = socket.0.split();
        let flood = tokio::spawn(async move {
            for _ in 0..50_000 {
                if out.send(message.clone()).await.is_err() {
                    break;
                }
            }
        });
        let code = tokio::time::timeout(PATIENCE, async {
            let mut incoming = incoming;
            while let Some(Ok(message)) = incoming.next().await {
                if let Message::Close(frame) = message {
                    return frame.map(|frame| u16::from(frame.code));
                }
            }
            None
        });
        assert_eq!(code.await.unwrap(), Some(1008));
        flood.await.unwrap();
    }
    assert_eq!(house.table(&id).await["version"], 3);
}

#[tokio::test]
async fn sockets_close_when_the_house_does() {
    let mut house = House::open().await;
    let (id, _) = house.two(classic()).await;
    let mut socket = Socket::open(&house, &id, None).await;
    socket.say(json!({ "type": "ping" })).await;
    socket.told().await;
    let (code, ()) = tokio::join!(socket.closed(), house.close());
    assert_eq!(code, 1001);
}

#[tokio::test]
async fn a_page_of_another_site_opens_no_socket() {
    let house = House::open().await;
    let (id, _) = house.two(classic()).await;
    match Socket::try_open(&house, &id, None, Some("https://evil.example")).await {
        Err(Error::Http(response)) => assert_eq!(response.status(), 403),
        other => panic!("{:?}", other.map(|_| ())),
    }
    assert!(
        Socket::try_open(&house, &id, None, Some(&house.url))
            .await
            .is_ok()
    );
    match Socket::try_open(&house, "00000000000", None, None).await {
        Err(Error::Http(response)) => assert_eq!(response.status(), 404),
        other => panic!("{:?}", other.map(|_| ())),
    }
}
