//! Addresses on the web to which the house may send: never into its own network.

use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, LazyLock};

use axum::http::Uri;
use futures::future::BoxFuture;
use ipnet::IpNet;

/// Maximum length of an address, in characters.
const MAX_LENGTH: usize = 1_000;
/// Ports of HTTPS.
const PORTS: [u16; 2] = [443, 8443];
/// Number of a host's addresses that are tried.
const MAX_TRIED: usize = 4;

/// Networks that are not of the public internet, or lead out of it: those of IANA's registries of
/// special-purpose addresses (<https://www.iana.org/assignments/iana-ipv4-special-registry>), multicast, and
/// the address of services for machines at one provider that is not among them.
static SPECIAL: LazyLock<Vec<IpNet>> = LazyLock::new(|| {
    const NETWORKS: [&str; 22] = [
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.31.196.0/24",
        "192.52.193.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "192.175.48.0/24",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/3",
        "168.63.129.16/32",
        "2001::/23",
        "2001:db8::/32",
        "2002::/16",
        "3fff::/20",
    ];
    let networks = NETWORKS.iter().map(|text| text.parse::<IpNet>());
    networks
        .map(|network| network.expect("a network was just written"))
        .collect()
});

/// Returns true for an address of the public internet.
fn is_public(ip: IpAddr) -> bool {
    let ip = ip.to_canonical();
    // Everything else of IPv6 is reserved, local, multicast, or leads to IPv4.
    let is_global = match ip {
        IpAddr::V4(_) => true,
        IpAddr::V6(ip) => ip.segments()[0] & 0xe000 == 0x2000,
    };
    is_global && !SPECIAL.iter().any(|network| network.contains(&ip))
}

/// A function that finds the addresses of a host.
type Resolve = dyn Fn(String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> + Send + Sync;

/// Finds the addresses of hosts: by the operating system, or as a test says.
#[derive(Clone)]
pub struct HostResolver(Arc<Resolve>);

impl HostResolver {
    /// Creates a resolver from a function.
    pub fn new(
        resolve: impl Fn(String) -> BoxFuture<'static, io::Result<Vec<IpAddr>>> + Send + Sync + 'static,
    ) -> HostResolver {
        HostResolver(Arc::new(resolve))
    }

    /// Returns the resolver of the operating system.
    pub fn system() -> HostResolver {
        HostResolver::new(|host| {
            Box::pin(async move {
                let found = tokio::net::lookup_host((host, 0)).await?;
                Ok(found.map(|address| address.ip()).collect())
            })
        })
    }
}

impl fmt::Debug for HostResolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HostResolver").finish_non_exhaustive()
    }
}

/// Reason why nothing is sent to an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadAddress {
    #[error("this is no address: copy it as a whole, with https:// at the beginning")]
    Invalid,
    #[error("the address must begin with https://")]
    NoHttps,
    #[error("the address must not contain a user name or password")]
    UserInfo,
    #[error("the address must be at port 443 or 8443")]
    Port,
    #[error("the address is in a private network, to which this house sends nothing")]
    Private,
    #[error("there is no host of this name")]
    NoHost,
}

/// An address to which the house may send, as far as its text tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WebAddress {
    uri: Uri,
    /// Name or number of the host, without brackets.
    host: String,
    port: u16,
    is_https: bool,
}

impl WebAddress {
    /// Parses an address. With `to_private`, plain HTTP, all ports and private networks are allowed.
    pub(crate) fn parse(text: &str, to_private: bool) -> Result<WebAddress, BadAddress> {
        if text.len() > MAX_LENGTH || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(BadAddress::Invalid);
        }
        let uri: Uri = text.parse().map_err(|_| BadAddress::Invalid)?;
        let is_https = match uri.scheme_str() {
            Some("https") => true,
            Some("http") if to_private => false,
            Some("http") => return Err(BadAddress::NoHttps),
            _ => return Err(BadAddress::Invalid),
        };
        let authority = uri.authority().ok_or(BadAddress::Invalid)?;
        if authority.as_str().contains('@') {
            return Err(BadAddress::UserInfo);
        }
        let host = authority
            .host()
            .trim_start_matches('[')
            .trim_end_matches(']');
        if host.is_empty() {
            return Err(BadAddress::Invalid);
        }
        let host = host.to_owned();
        let port = authority
            .port_u16()
            .unwrap_or(if is_https { 443 } else { 80 });
        if !to_private && !PORTS.contains(&port) {
            return Err(BadAddress::Port);
        }
        let number = host.parse::<IpAddr>().ok();
        if number.is_some_and(|ip| !to_private && !is_public(ip)) {
            return Err(BadAddress::Private);
        }
        Ok(WebAddress {
            uri,
            host,
            port,
            is_https,
        })
    }

    /// Returns the host's addresses to connect to: all are checked, and none other may be used.
    pub(super) async fn resolve(
        &self,
        resolver: &HostResolver,
        to_private: bool,
    ) -> Result<Vec<SocketAddr>, BadAddress> {
        let found = match self.host.parse() {
            Ok(ip) => vec![ip],
            Err(_) => (resolver.0)(self.host.clone())
                .await
                .map_err(|_| BadAddress::NoHost)?,
        };
        if found.is_empty() {
            return Err(BadAddress::NoHost);
        }
        if !to_private && !found.iter().copied().all(is_public) {
            return Err(BadAddress::Private);
        }
        let found = found.into_iter().take(MAX_TRIED);
        Ok(found.map(|ip| SocketAddr::new(ip, self.port)).collect())
    }

    /// Returns the host.
    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    /// Returns true for HTTPS.
    pub(super) fn is_https(&self) -> bool {
        self.is_https
    }

    /// Returns host and port as a request names them.
    pub(super) fn authority(&self) -> &str {
        self.uri
            .authority()
            .map_or("", |authority| authority.as_str())
    }

    /// Returns path and query.
    pub(super) fn path(&self) -> &str {
        self.uri.path_and_query().map_or("/", |path| path.as_str())
    }

    /// Returns scheme, host and port.
    pub(super) fn origin(&self) -> String {
        let scheme = if self.is_https { "https" } else { "http" };
        format!("{scheme}://{}", self.authority())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_private_and_special_networks_are_not_public() {
        for special in [
            "127.0.0.1",
            "0.0.0.0",
            "10.1.2.3",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "100.100.100.200",
            "192.0.0.192",
            "168.63.129.16",
            "192.0.2.1",
            "198.18.0.1",
            "198.51.100.7",
            "203.0.113.7",
            "224.0.0.1",
            "239.255.255.250",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::127.0.0.1",
            "64:ff9b::7f00:1",
            "fe80::1",
            "fec0::1",
            "fc00::1",
            "fd00:ec2::254",
            "ff02::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::1",
            "3fff::1",
        ] {
            assert!(!is_public(special.parse().unwrap()), "{special}");
        }
        for public in ["1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111"] {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
        assert!(is_public("::ffff:1.1.1.1".parse().unwrap()));
    }

    #[test]
    fn an_address_is_https_at_a_usual_port_of_a_public_host() {
        use BadAddress::{Invalid, NoHttps, Port, Private, UserInfo};
        let parse = |text| WebAddress::parse(text, false).map(|address| address.origin());
        for (text, origin) in [
            ("https://ntfy.example/ann", "https://ntfy.example"),
            ("https://ntfy.example:8443/a?b", "https://ntfy.example:8443"),
        ] {
            assert_eq!(parse(text), Ok(origin.to_owned()));
        }
        for (text, reason) in [
            ("http://ntfy.example/ann", NoHttps),
            ("https://ntfy.example:22/", Port),
            ("https://ann:secret@ntfy.example/", UserInfo),
            ("https://127.0.0.1/", Private),
            ("https://[::1]/", Private),
            ("https://[::ffff:10.0.0.1]/", Private),
            ("https:///nowhere", Invalid),
            ("ntfy.example/ann", Invalid),
            ("/ann", Invalid),
            ("file:///etc/passwd", Invalid),
            ("https://ntfy.example/a b", Invalid),
            ("https://ntfy.example/\u{e4}", Invalid),
        ] {
            assert_eq!(parse(text), Err(reason), "{text}");
        }
        assert!(WebAddress::parse("http://127.0.0.1:9/x", true).is_ok());
    }

    #[tokio::test]
    async fn a_name_with_one_private_address_is_refused() {
        let address = WebAddress::parse("https://hook.example/x", false).unwrap();
        let answer = async |ips: &'static [&'static str]| {
            let resolver = HostResolver::new(move |host| {
                assert_eq!(host, "hook.example");
                Box::pin(async move { Ok(ips.iter().map(|ip| ip.parse().unwrap()).collect()) })
            });
            address.resolve(&resolver, false).await
        };
        let expected = "1.1.1.1:443".parse().unwrap();
        assert_eq!(answer(&["1.1.1.1"]).await, Ok(vec![expected]));
        let private = Err(BadAddress::Private);
        assert_eq!(answer(&["1.1.1.1", "10.0.0.1"]).await, private);
        assert_eq!(answer(&["::ffff:127.0.0.1"]).await, private);
        assert_eq!(answer(&[]).await, Err(BadAddress::NoHost));
    }
}
