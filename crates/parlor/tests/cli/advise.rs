//! `parlor advise`, which asks a server.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use serde_json::{Value, json};

use crate::serve::serve;
use crate::{Ran, folder, parlor, run};

/// Sends JSON to a server and returns the JSON of its answer.
fn posted(address: &str, path: &str, body: &Value) -> Value {
    let mut stream = TcpStream::connect(address).expect("the server listens");
    let body = body.to_string();
    let request = format!(
        "POST {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    let sent = stream.write_all(request.as_bytes());
    sent.expect("the server reads");
    let mut answer = String::new();
    let read = stream.read_to_string(&mut answer);
    read.expect("the server answers");
    let (_, json) = answer.split_once("\r\n\r\n").expect("an answer");
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{error}: {answer}"))
}

/// Asks the adviser with a token.
fn advised(url: &str, token: &str, more: &[&str]) -> Ran {
    let mut command = parlor(&[&["advise", url], more].concat());
    let output = command.env("PARLOR_TOKEN", token).output();
    output.expect("the program starts").into()
}

/// Creates a table whose seats are all of one player, and returns its URL and the player's token.
fn table(address: &str, more: &Value) -> (String, String) {
    let mut wanted = json!({ "game": "pandemic", "seats": [{ "kind": "me" }, { "kind": "me" }] });
    for (name, value) in more.as_object().into_iter().flatten() {
        wanted[name] = value.clone();
    }
    let made = posted(address, "/api/v1/tables", &wanted);
    let text = |value: &Value| {
        value
            .as_str()
            .unwrap_or_else(|| panic!("{made}"))
            .to_owned()
    };
    let id = text(&made["table"]["id"]);
    (format!("http://{address}/t/{id}"), text(&made["token"]))
}

#[test]
fn a_player_at_a_table_of_a_server_asks_its_adviser() {
    let server = serve(&folder("advise"), &["--bind", "127.0.0.1:0"], &[]);
    let (url, token) = table(&server.address, &json!({}));
    let ran = advised(&url, &token, &[]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    for part in [
        "Your team wins ",
        "\nThe best turns:\n1. ",
        "   begins with ",
    ] {
        assert!(ran.out.contains(part), "{part}\n{}", ran.out);
    }
    let json: Value = serde_json::from_str(&advised(&url, &token, &["--json"]).out).expect("JSON");
    assert_eq!(json["chance"], json["turns"][0]["worth"]);

    let (other, its_token) = table(&server.address, &json!({ "advice": false }));
    let refused = advised(&other, &its_token, &[]);
    refused.is_refused_with("403 Forbidden: there is no adviser at this table");
    advised(&url, &its_token, &[]).is_refused_with("the server answered 403 Forbidden: ");
    run(&["advise", &url]).is_refused_with("set PARLOR_TOKEN to the token");
    advised("http://127.0.0.1/", "x", &[]).is_refused_with("this is not the http URL of a table");
    advised(&url.replace("http:", "https:"), "x", &[]).is_refused_with("only plain http");
}

#[test]
fn a_server_that_has_no_time_for_advice_is_told_of_in_its_own_words() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let url = format!(
        "http://{}/t/0384k0g1kd4",
        listener.local_addr().expect("an address")
    );
    for (status, detail) in [
        (
            "429 Too Many Requests",
            "2 of your questions are being answered",
        ),
        ("503 Service Unavailable", "many ask the adviser just now"),
    ] {
        let listener = listener.try_clone().expect("a socket");
        let server = thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("a client");
            let mut request = [0; 4096];
            let read = stream.read(&mut request).expect("a request");
            let problem = json!({ "detail": detail }).to_string();
            let answer = format!(
                "HTTP/1.1 {status}\r\ncontent-type: application/problem+json\r\nconnection: close\r\n\
                 content-length: {}\r\n\r\n{problem}",
                problem.len()
            );
            stream.write_all(answer.as_bytes()).expect("it reads");
            String::from_utf8_lossy(&request[..read]).into_owned()
        });
        advised(&url, "secret", &[]).is_refused_with(&format!("{status}: {detail}"));
        let request = server.join().expect("the server answered");
        assert!(
            request.starts_with("POST /api/v1/tables/0384k0g1kd4/advice HTTP/1.1\r\n"),
            "{request}"
        );
        assert!(
            request
                .to_lowercase()
                .contains("authorization: bearer secret")
        );
    }
}
