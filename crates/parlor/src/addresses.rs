//! Addresses in the settings of a server: those to listen on, and its public URL.

use std::net::{Ipv6Addr, SocketAddr, ToSocketAddrs};

/// Returns the address of a host and port, or what is wrong with them and what would be right. `usual` is
/// the default.
pub fn resolve(text: &str, usual: SocketAddr) -> Result<SocketAddr, String> {
    let error = match text.to_socket_addrs().map(|mut found| found.next()) {
        Ok(Some(address)) => return Ok(address),
        Ok(None) => "it has no address".to_owned(),
        Err(error) => error.to_string(),
    };
    Err(match text.rsplit_once(':') {
        Some((host, port)) if is_host(host) && is_port(port) => {
            format!("the host {host:?} cannot be found: {error}")
        }
        _ => fault_of_address(text, usual),
    })
}

/// Says what is wrong with a text that is no host and port, and what would be right.
fn fault_of_address(text: &str, usual: SocketAddr) -> String {
    let all = |port: &str| format!("or 0.0.0.0:{port} for all addresses of this machine");
    let (host, usual_port) = (usual.ip(), usual.port());
    if text.is_empty() {
        return format!("it is empty: write a host and port, such as {usual}");
    }
    if is_port(text) {
        let all = all(text);
        return format!("{text:?} is a port without a host: write {host}:{text}, {all}");
    }
    if let Some(port) = text.strip_prefix(':').filter(|port| is_port(port)) {
        return format!("{text:?} names no host: write {host}:{port}, {}", all(port));
    }
    if text.contains("://") {
        return format!("{text:?} is a URL: write a host and port alone, such as {usual}");
    }
    let bracketed = text
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    if let Ok(ip) = bracketed.unwrap_or(text).parse() {
        let right = SocketAddr::new(ip, usual_port);
        return format!("{text:?} has no port: write {right}");
    }
    match text.rsplit_once(':') {
        None if is_host(text) => {
            format!("{text:?} has no port: write {text}:{usual_port}")
        }
        Some((host, port)) if is_host(host) && port.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("{text:?} needs a port from 0 to 65535: write {host}:{usual_port}")
        }
        _ => format!("{text:?} is not a host and port, such as {usual}"),
    }
}

/// Returns true for a text that has the form of a host name or an IPv4 address.
fn is_host(text: &str) -> bool {
    let is_fit = |c: char| c.is_alphanumeric() || ['.', '-', '_'].contains(&c);
    !text.is_empty() && text.chars().all(is_fit)
}

/// Returns true for the number of a port, 0 included.
fn is_port(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit()) && text.parse::<u16>().is_ok()
}

