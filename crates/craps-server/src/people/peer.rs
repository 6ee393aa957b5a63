//! The client's address, and whether the connection is secure.

use super::Settings;
use axum::http::header::{FORWARDED, HOST, ORIGIN, VIA};
use axum::http::{HeaderMap, Uri};
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

const FORWARDED_FOR: &str = "x-forwarded-for";
const FORWARDED_PROTO: &str = "x-forwarded-proto";

/// The client's end of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer {
    /// Address of the client, as the nearest trusted proxy saw it.
    pub address: IpAddr,
    /// True if the request came over TLS, here or at a trusted proxy, or from this machine.
    pub secure: bool,
    /// True if the request names the host `localhost` or a loopback address. Browsers keep our secure cookies for such hosts even without TLS.
    pub local: bool,
}

impl Peer {
    /// Determines the client of a request. Forwarding headers only count if they come from a trusted proxy.
    #[must_use]
    pub fn of(
        settings: &Settings,
        connected: Option<SocketAddr>,
        encrypted: bool,
        uri: &Uri,
        headers: &HeaderMap,
    ) -> Peer {
        // Without a client address, treat the connection as insecure.
        let Some(direct) = connected.map(|connected| connected.ip().to_canonical()) else {
            return Peer { address: IpAddr::V6(Ipv6Addr::UNSPECIFIED), secure: false, local: false };
        };
        let local = is_local(host(uri, headers));
        let is_trusted = |address: &IpAddr| settings.trusted_proxies.contains(address);
        if !is_trusted(&direct) {
            // An untrusted proxy on this machine may have received the request unencrypted from anywhere.
            let carried = [FORWARDED_FOR, FORWARDED_PROTO, FORWARDED.as_str(), VIA.as_str()];
            let carried = carried.iter().any(|name| headers.contains_key(*name));
            return Peer { address: direct, secure: encrypted || direct.is_loopback() && !carried && local, local };
        }
        let address = listed(headers, FORWARDED_FOR)
            .rev()
            .filter_map(|address| address.parse().ok())
            .map(|address: IpAddr| address.to_canonical())
            .find(|address| !is_trusted(address));
        let secure = listed(headers, FORWARDED_PROTO).next_back() == Some("https");
        Peer { address: address.unwrap_or(direct), secure, local }
    }

    /// Returns the part of the address that identifies one subscriber: all of an IPv4 address, the /64 network of an IPv6 address.
    #[must_use]
    pub fn subscriber(self) -> IpAddr {
        subscriber(self.address)
    }
}

/// Returns the part of an address that identifies one subscriber.
pub(crate) fn subscriber(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX))),
    }
}

/// Returns the comma-separated values of a header, over all its lines.
fn listed<'h>(headers: &'h HeaderMap, name: &str) -> impl DoubleEndedIterator<Item = &'h str> {
    let lines: Vec<&str> = headers.get_all(name).iter().filter_map(|line| line.to_str().ok()).collect();
    lines.into_iter().flat_map(|line| line.split(',')).map(str::trim)
}

/// Returns the host that the request names.
fn host<'r>(uri: &'r Uri, headers: &'r HeaderMap) -> Option<&'r str> {
    uri.authority().map(|asked| asked.as_str()).or_else(|| headers.get(HOST)?.to_str().ok())
}

/// Returns true for `localhost` and loopback addresses. Any other name is resolved by DNS, which others may control.
fn is_local(host: Option<&str>) -> bool {
    let Some(host) = host else { return true };
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => name,
        _ => host,
    };
    let name = name.trim_start_matches('[').trim_end_matches(']').to_ascii_lowercase();
    name == "localhost" || name.parse().is_ok_and(|address: IpAddr| address.to_canonical().is_loopback())
}

/// Returns true if a page of the request's origin may call this server. Programs send no origin; our own pages send our host.
#[must_use]
pub fn is_own_origin(settings: &Settings, uri: &Uri, headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(ORIGIN) else { return true };
    let Ok(origin) = origin.to_str() else { return false };
    if settings.origins.iter().any(|allowed| allowed == origin) {
        return true;
    }
    let asked = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
    asked.is_some() && asked == host(uri, headers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::{HeaderName, HeaderValue};

    fn headers(lines: &[(&str, &str)]) -> HeaderMap {
        lines
            .iter()
            .map(|(name, value)| (name.parse::<HeaderName>().unwrap(), HeaderValue::from_str(value).unwrap()))
            .collect()
    }

    fn peer(direct: &str, lines: &[(&str, &str)]) -> (String, bool) {
        let settings = Settings { trusted_proxies: vec!["10.0.0.1".parse().unwrap()], ..Settings::default() };
        let direct = SocketAddr::new(direct.parse().unwrap(), 1);
        let peer = Peer::of(&settings, Some(direct), false, &Uri::from_static("/me"), &headers(lines));
        let encrypted = Peer::of(&settings, Some(direct), true, &Uri::from_static("/me"), &headers(lines));
        assert!(encrypted.secure || settings.trusted_proxies.contains(&direct.ip()), "TLS that ends here is secure");
        (peer.address.to_string(), peer.secure)
    }

    #[test]
    fn only_this_machine_and_tls_are_secure() {
        let is = |address: &str, secure: bool| (address.to_owned(), secure);
        assert_eq!(peer("127.0.0.1", &[("host", "127.0.0.1:8080")]), is("127.0.0.1", true));
        assert_eq!(peer("::1", &[("host", "[::1]:8080")]), is("::1", true));
        assert_eq!(peer("::1", &[("host", "[::1]")]), is("::1", true), "a host without a port");
        assert_eq!(peer("127.0.0.1", &[("host", "localhost:http")]), is("127.0.0.1", false), "a port is a number");
        assert_eq!(peer("::ffff:127.0.0.1", &[("host", "localhost:80")]), is("127.0.0.1", true));
        assert_eq!(peer("192.0.2.7", &[]), is("192.0.2.7", false));
        // Forwarding headers of an untrusted client don't count.
        assert_eq!(peer("192.0.2.7", &[("x-forwarded-proto", "https")]), is("192.0.2.7", false));
        assert_eq!(peer("192.0.2.7", &[("x-forwarded-for", "127.0.0.1")]), is("192.0.2.7", false));
        // From this machine, but forwarded by a proxy, or for another host name.
        assert_eq!(peer("127.0.0.1", &[("x-forwarded-for", "192.0.2.7")]), is("127.0.0.1", false));
        assert_eq!(peer("127.0.0.1", &[("via", "1.1 carrier")]), is("127.0.0.1", false));
        assert_eq!(peer("127.0.0.1", &[("host", "rebound.example")]), is("127.0.0.1", false));
    }

    #[test]
    fn a_trusted_proxy_is_believed_about_the_one_before_it() {
        let is = |address: &str, secure: bool| (address.to_owned(), secure);
        let https = ("x-forwarded-proto", "https");
        assert_eq!(peer("10.0.0.1", &[https, ("x-forwarded-for", "192.0.2.7")]), is("192.0.2.7", true));
        // Values before the proxy's own come from the client and don't count.
        assert_eq!(peer("10.0.0.1", &[https, ("x-forwarded-for", "8.8.8.8, 192.0.2.7")]), is("192.0.2.7", true));
        assert_eq!(peer("10.0.0.1", &[("x-forwarded-proto", "https, http")]), is("10.0.0.1", false));
        assert_eq!(peer("10.0.0.1", &[("x-forwarded-for", "nonsense")]), is("10.0.0.1", false));
    }

    #[test]
    fn an_ipv6_network_is_one_subscriber() {
        let peer = |text: &str| Peer { address: text.parse().unwrap(), secure: false, local: false }.subscriber();
        assert_eq!(peer("2001:db8::1"), peer("2001:db8::ffff:2"));
        assert_ne!(peer("2001:db8::1"), peer("2001:db8:0:1::1"));
        assert_ne!(peer("192.0.2.1"), peer("192.0.2.2"));
    }

    #[test]
    fn pages_of_others_are_turned_away() {
        let settings = Settings { origins: vec!["https://club.example".to_owned()], ..Settings::default() };
        let own = |lines: &[(&str, &str)]| is_own_origin(&settings, &Uri::from_static("/me"), &headers(lines));
        assert!(own(&[]));
        assert!(own(&[("host", "localhost:8080"), ("origin", "http://localhost:8080")]));
        assert!(own(&[("host", "inner:8080"), ("origin", "https://club.example")]));
        for origin in ["null", "http://localhost:8081", "http://evil.example", "localhost:8080", ""] {
            assert!(!own(&[("host", "localhost:8080"), ("origin", origin)]), "{origin}");
        }
    }
}
