//! HTTPS without a proxy.

use std::sync::Arc;
use std::time::Duration;

use parlor_server::TlsFiles;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::house::House;

const PATIENCE: Duration = Duration::from_secs(30);

/// A server that speaks HTTPS, and its certificate.
async fn https() -> (House, CertificateDer<'static>, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let files = TlsFiles {
        certificate: folder.path().join("certificate.pem"),
        key: folder.path().join("key.pem"),
    };
    std::fs::write(&files.certificate, made.cert.pem()).unwrap();
    std::fs::write(&files.key, made.signing_key.serialize_pem()).unwrap();
    let house = House::with(|config| {
        config.tls = Some(files);
        config.connections.header_time = Duration::from_millis(300);
    })
    .await;
    (house, made.cert.der().clone(), folder)
}

fn address(house: &House) -> &str {
    house.url.strip_prefix("http://").unwrap()
}

async fn connect(
    house: &House,
    certificate: CertificateDer<'static>,
    protocols: &[&str],
) -> TlsStream<TcpStream> {
    let mut roots = RootCertStore::empty();
    roots.add(certificate).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = protocols
        .iter()
        .map(|name| name.as_bytes().to_vec())
        .collect();
    let stream = TcpStream::connect(address(house)).await.unwrap();
    let name = ServerName::try_from("localhost").unwrap();
    let connector = TlsConnector::from(Arc::new(config));
    connector.connect(name, stream).await.unwrap()
}

#[tokio::test]
async fn the_server_speaks_https_itself() {
    let (house, certificate, _folder) = https().await;
    let mut stream = connect(&house, certificate.clone(), &["http/1.1"]).await;
    let request = b"GET /login HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    stream.write_all(request).await.unwrap();
    let mut answer = String::new();
    timeout(PATIENCE, stream.read_to_string(&mut answer))
        .await
        .unwrap()
        .unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    assert!(
        answer.contains("strict-transport-security: max-age=31536000"),
        "{answer}"
    );
    let both = connect(&house, certificate, &["h2", "http/1.1"]).await;
    assert_eq!(both.get_ref().1.alpn_protocol(), Some(&b"h2"[..]));
}

#[tokio::test]
async fn plain_http_is_told_to_use_https_and_a_slow_handshake_is_ended() {
    let (house, _, _folder) = https().await;
    for (sent, answered) in [
        (&b"GET / HTTP/1.1\r\n\r\n"[..], "this port speaks HTTPS"),
        (b"", ""),
        // The beginning of a handshake, and something that is none.
        (b"\x16\x03\x01\x02\x00\x01", ""),
        (b"\x16garbage that is no record of TLS", ""),
    ] {
        let mut stream = TcpStream::connect(address(&house)).await.unwrap();
        stream.write_all(sent).await.unwrap();
        let mut answer = Vec::new();
        // The server may reset the connection.
        let _ = timeout(PATIENCE, stream.read_to_end(&mut answer))
            .await
            .expect("the connection is ended");
        let answer = String::from_utf8_lossy(&answer);
        assert!(answer.contains(answered), "{answer}");
        assert_eq!(answer.contains("HTTP/1.1 400"), !answered.is_empty());
    }
}
