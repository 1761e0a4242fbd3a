//! Addresses in the settings of a server: those to listen on, and its public URL.

use std::net::{Ipv6Addr, SocketAddr, ToSocketAddrs};

/// Public URL of messages that say what would be right.
const EXAMPLE_URL: &str = "https://games.example.org";

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

/// Says what is wrong with a public URL, if anything is, and what would be right.
pub fn fault_of_public_url(url: &str) -> Option<String> {
    if url.is_empty() {
        return Some(format!(
            "it is empty: write a site such as {EXAMPLE_URL}, or leave it out"
        ));
    }
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let scheme = scheme.to_ascii_lowercase();
    let (site, page) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    if site.contains('@') {
        // Not shown: there may be a password in it.
        return Some(format!(
            "it has a user name or a password, which would be in every link: write it without, such as {EXAMPLE_URL}"
        ));
    }
    let shown = |reason: String| Some(format!("'{url}' {reason}"));
    if url.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return shown(format!("has a space: write a site such as {EXAMPLE_URL}"));
    }
    let (host, port) = split_port(site);
    if !["http", "https"].contains(&scheme.as_str()) {
        let right = match scheme.is_empty() && is_host(host) && port.is_none_or(is_port) {
            true => format!("https://{site}"),
            false => EXAMPLE_URL.to_owned(),
        };
        return shown(format!(
            "does not begin with http:// or https://: write a site such as {right}"
        ));
    }
    if host.is_empty() {
        return shown(format!("names no host: write one, such as {EXAMPLE_URL}"));
    }
    if !host.is_ascii() {
        return shown(
            "has letters that addresses cannot have: write the host as browsers send it, in punycode, with parts such as \
             xn--mnchen-3ya for münchen"
                .to_owned(),
        );
    }
    if !is_host_of_site(host) {
        return shown(format!(
            "names a host that cannot exist: write one, such as {EXAMPLE_URL}"
        ));
    }
    if port.is_some_and(|port| !is_port(port) || port.parse::<u16>() == Ok(0)) {
        return shown("has a port that is none: write a number from 1 to 65535".to_owned());
    }
    if page.contains(['?', '#']) {
        return shown(format!(
            "has a query or a fragment: write the site alone, {scheme}://{site}"
        ));
    }
    if !["", "/"].contains(&page) {
        return shown(format!(
            "has a path, but the house is at the root of a site: write {scheme}://{site}"
        ));
    }
    None
}

/// Returns a URL with its scheme in small letters: capitals mean the same.
pub fn with_small_scheme(url: &str) -> String {
    match url.split_once("://") {
        Some((scheme, rest)) => format!("{}://{rest}", scheme.to_ascii_lowercase()),
        None => url.to_owned(),
    }
}

/// Returns true for the name of a host in ASCII, or an address, an IPv6 address in brackets.
fn is_host_of_site(host: &str) -> bool {
    if let Some(inner) = host.strip_prefix('[') {
        let inner = inner.strip_suffix(']').unwrap_or_default();
        return inner.parse::<Ipv6Addr>().is_ok();
    }
    let is_part = |part: &str| {
        let is_fit = |c: char| c.is_ascii_alphanumeric() || ['-', '_'].contains(&c);
        let is_hyphened = part.starts_with('-') || part.ends_with('-');
        !part.is_empty() && !is_hyphened && part.chars().all(is_fit)
    };
    // The root of all names may be named.
    host.strip_suffix('.')
        .unwrap_or(host)
        .split('.')
        .all(is_part)
}

/// Splits a site into its host and its port. The host may be an IPv6 address in brackets.
fn split_port(site: &str) -> (&str, Option<&str>) {
    match site.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        _ => (site, None),
    }
}
