//! Clients' addresses as trusted proxies report them.

use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;
use std::sync::Once;

use axum::http::HeaderMap;
use axum::http::header::FORWARDED;
use ipnet::IpNet;

/// Proxies whose reports of clients' addresses are believed: in `Forwarded` (RFC 7239) or
/// `X-Forwarded-For`.
///
/// ```
/// use parlor_server::TrustedProxies;
///
/// let proxies: TrustedProxies = "127.0.0.1, 10.0.0.0/8".parse()?;
/// assert!(proxies.trusts("10.1.2.3".parse()?));
/// assert!("localhost".parse::<TrustedProxies>().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrustedProxies(Vec<IpNet>);

/// Error for a text that is not a list of addresses and networks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not an address or a network, such as 127.0.0.1 or 10.0.0.0/8")]
pub struct BadProxy(String);

impl FromStr for TrustedProxies {
    type Err = BadProxy;

    /// Parses addresses and networks, separated by commas.
    fn from_str(text: &str) -> Result<TrustedProxies, BadProxy> {
        let parts = text.split(',').map(str::trim);
        let network = |part: &str| {
            let address = || part.parse::<IpAddr>().map(IpNet::from);
            part.parse::<IpNet>().or_else(|_| address())
        };
        parts
            .filter(|part| !part.is_empty())
            .map(|part| network(part).map_err(|_| BadProxy(part.to_owned())))
            .collect::<Result<Vec<_>, _>>()
            // Networks that are everybody together become one that is.
            .map(|networks| TrustedProxies(IpNet::aggregate(&networks)))
    }
}

impl TrustedProxies {
    /// Returns the proxies if everybody who can connect is one: for a server that only its proxies
    /// can reach.
    ///
    /// Then the last address in the header is the client's, whoever wrote it.
    pub fn everybody() -> TrustedProxies {
        let all = ["0.0.0.0/0", "::/0"].map(|network| network.parse().ok());
        TrustedProxies(all.into_iter().flatten().collect())
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns true if reports from all addresses are believed.
    pub fn trusts_everybody(&self) -> bool {
        self.0.iter().any(|network| network.prefix_len() == 0)
    }

    /// Returns true if reports from this address are believed.
    pub fn trusts(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }

    /// Returns the address of the client behind a connection. From the nearest reported address on,
    /// those of trusted proxies are passed over; the first other one is the client's, and whatever
    /// comes before it may be invented.
    pub(super) fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        if !self.trusts(peer) {
            return peer;
        }
        let (new, old) = (forwarded(headers), x_forwarded_for(headers));
        // A proxy writes one of the two and passes the other on. If they differ, a client has
        // invented one.
        let hops = match (new.is_empty(), old.is_empty()) {
            (false, false) if new.last() != old.last() => return peer,
            (true, _) => old,
            (false, _) => new,
        };
        let mut client = peer;
        for hop in hops.into_iter().rev() {
            let Some(address) = hop else {
                break;
            };
            client = address;
            if self.trusts_everybody() || !self.trusts(address) {
                break;
            }
        }
        client
    }
}

/// Logs once that an address reports clients without being trusted, so that whoever has forgotten to
/// name a proxy learns why everybody shares its limits.
pub(super) fn hint_at_unknown(peer: IpAddr, headers: &HeaderMap) {
    static TOLD: Once = Once::new();
    if headers.contains_key("x-forwarded-for") || headers.contains_key(FORWARDED) {
        TOLD.call_once(|| {
            tracing::warn!(
                %peer,
                "a request reports another client's address, but comes from no trusted proxy: if that is yours, name it in trusted_proxies"
            );
        });
    }
}

/// Returns the addresses in `X-Forwarded-For`, the farthest first; `None` for one that is none.
fn x_forwarded_for(headers: &HeaderMap) -> Vec<Option<IpAddr>> {
    let values = headers.get_all("x-forwarded-for").into_iter();
    let texts = values.map(|value| value.to_str().unwrap_or_default());
    texts.flat_map(|text| text.split(',')).map(node).collect()
}

/// Returns the addresses in `Forwarded`, the farthest first; `None` for one that is hidden.
fn forwarded(headers: &HeaderMap) -> Vec<Option<IpAddr>> {
    let values = headers.get_all(FORWARDED).into_iter();
    let texts = values.map(|value| value.to_str().unwrap_or_default());
    texts
        .flat_map(|text| split_unquoted(text, ','))
        .map(forwarded_element)
        .collect()
}

/// Returns the address in one element of `Forwarded`, such as `for="[2001:db8::1]:4711";proto=https`.
fn forwarded_element(element: &str) -> Option<IpAddr> {
    let pairs = split_unquoted(element, ';');
    let mut pairs = pairs.filter_map(|pair| pair.trim().split_once('='));
    let (_, node_text) = pairs.find(|(name, _)| name.trim().eq_ignore_ascii_case("for"))?;
    node(node_text.trim().trim_matches('"'))
}

/// Splits a text at a separator outside of quotes.
fn split_unquoted(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    text.split(move |c| {
        quoted ^= c == '"';
        c == separator && !quoted
    })
}

/// Parses an address, with or without a port: `192.0.2.1`, `192.0.2.1:80`, `[2001:db8::1]:80`.
fn node(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bracketed = || text.strip_prefix('[')?.strip_suffix(']')?.parse().ok();
    let with_port = || Some(text.parse::<SocketAddr>().ok()?.ip());
    let plain = text.parse().ok();
    plain.or_else(bracketed).or_else(with_port)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(peer: &str, proxies: &TrustedProxies, headers: &[(&'static str, &str)]) -> String {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, value.parse().unwrap());
        }
        proxies.client(peer.parse().unwrap(), &map).to_string()
    }

    #[test]
    fn only_trusted_proxies_are_believed_and_passed_over() {
        let proxies = "127.0.0.1, 10.0.0.0/8, fd00::/8".parse().unwrap();
        let x = "x-forwarded-for";
        for (peer, headers, expected) in [
            ("192.0.2.9", vec![(x, "1.2.3.4")], "192.0.2.9"),
            ("127.0.0.1", vec![], "127.0.0.1"),
            ("127.0.0.1", vec![(x, "1.2.3.4")], "1.2.3.4"),
            ("::ffff:127.0.0.1", vec![(x, "1.2.3.4")], "1.2.3.4"),
            // The client invented the first entry; the nearest proxy wrote the last.
            ("127.0.0.1", vec![(x, "6.6.6.6, 1.2.3.4")], "1.2.3.4"),
            ("127.0.0.1", vec![(x, "6.6.6.6"), (x, "1.2.3.4")], "1.2.3.4"),
            (
                "127.0.0.1",
                vec![(x, "6.6.6.6, 1.2.3.4, 10.0.0.7")],
                "1.2.3.4",
            ),
            ("127.0.0.1", vec![(x, "10.0.0.8, 10.0.0.7")], "10.0.0.8"),
            ("127.0.0.1", vec![(x, "1.2.3.4:5678")], "1.2.3.4"),
            ("fd00::1", vec![(x, "[2001:db8::1]:80")], "2001:db8::1"),
            ("127.0.0.1", vec![(x, "2001:db8::1")], "2001:db8::1"),
            ("127.0.0.1", vec![(x, "unknown")], "127.0.0.1"),
            (
                "127.0.0.1",
                vec![(x, "1.2.3.4, junk, 10.0.0.7")],
                "10.0.0.7",
            ),
            (
                "127.0.0.1",
                vec![("forwarded", "for=1.2.3.4;proto=https")],
                "1.2.3.4",
            ),
            (
                "127.0.0.1",
                vec![("forwarded", "proto=https; For=\"1.2.3.4:99\"")],
                "1.2.3.4",
            ),
            (
                "127.0.0.1",
                vec![(
                    "forwarded",
                    "for=6.6.6.6, for=\"[2001:db8::1]:4711\";by=\"a,b;c\"",
                )],
                "2001:db8::1",
            ),
            ("127.0.0.1", vec![("forwarded", "for=unknown")], "127.0.0.1"),
            (
                "127.0.0.1",
                vec![("forwarded", "for=_hidden, for=10.0.0.7")],
                "10.0.0.7",
            ),
            // One of the two headers is invented, and nobody knows which.
            (
                "127.0.0.1",
                vec![("forwarded", "for=6.6.6.6"), (x, "1.2.3.4")],
                "127.0.0.1",
            ),
            (
                "127.0.0.1",
                vec![("forwarded", "for=1.2.3.4"), (x, "1.2.3.4")],
                "1.2.3.4",
            ),
        ] {
            assert_eq!(
                client(peer, &proxies, &headers),
                expected,
                "{peer} {headers:?}"
            );
        }
    }

    #[test]
    fn networks_that_are_all_addresses_together_are_everybody() {
        let is_everybody = |list: &str| list.parse::<TrustedProxies>().unwrap().trusts_everybody();
        for list in [
            "0.0.0.0/0",
            "::/0",
            "0.0.0.0/1,128.0.0.0/1",
            "192.0.0.0/2, ::1, 0.0.0.0/1, 128.0.0.0/2",
            "8000::/1,::/1",
        ] {
            assert!(is_everybody(list), "{list}");
        }
        for list in ["0.0.0.0/1", "0.0.0.0/1,128.0.0.0/2", "10.0.0.0/8, ::1"] {
            assert!(!is_everybody(list), "{list}");
        }
    }

    #[test]
    fn where_everybody_is_a_proxy_the_last_address_is_the_clients() {
        let proxies = TrustedProxies::everybody();
        let headers = [("x-forwarded-for", "6.6.6.6, 1.2.3.4")];
        assert_eq!(client("192.0.2.9", &proxies, &headers), "1.2.3.4");
        assert_eq!(client("2001:db8::9", &proxies, &headers), "1.2.3.4");
    }
}
