//! Settings that are allowed and still unsafe, and those that can't do what they are for.

use super::Check;
use crate::config::Config;

pub(super) fn checks(config: &Config) -> Vec<Check> {
    vec![encryption(config), signatures(config), despite(config), proxies(config), origins(config)]
}

fn encryption(config: &Config) -> Check {
    const NAME: &str = "encryption";
    let local = config.addr.ip().to_canonical().is_loopback();
    match (&config.tls, config.settings.trusted_proxies.as_slice()) {
        (Some(_), _) => Check::ok(NAME, format!("TLS at {}", config.addr)),
        (None, _) if local => Check::ok(NAME, format!("plain HTTP at {}, for this machine only", config.addr)),
        (None, []) => Check::failed(
            NAME,
            format!("plain HTTP at {}, which other machines can reach; nobody can sign in from there", config.addr),
            "Set tls_cert and tls_key, or listen on a loopback address behind a TLS proxy named in trusted_proxies.",
        ),
        (None, _) => Check::warning(
            NAME,
            format!("plain HTTP between the proxy and {}", config.addr),
            "Make sure that only the proxy can reach this address. Listen on a loopback address if the proxy is on this machine.",
        ),
    }
}

fn signatures(config: &Config) -> Check {
    match config.unsigned {
        false => Check::ok("signatures", format!("the logs are signed every {} s", config.sign_every)),
        true => Check::warning(
            "signatures",
            "`unsigned` is set: without a key the logs are not signed, and nobody notices when they are changed",
            "Remove `unsigned`, and name a key file with `key`.",
        ),
    }
}

fn despite(config: &Config) -> Check {
    match &config.despite {
        None => Check::ok("despite", "a log that was changed is not served"),
        Some(reason) => Check::warning(
            "despite",
            format!("`despite` is set ({reason:?}): every start accepts the log as it is, whatever was done to it"),
            "Remove it from the settings and the environment after the one start that needed it.",
        ),
    }
}

fn proxies(config: &Config) -> Check {
    const NAME: &str = "proxies";
    let proxies = &config.settings.trusted_proxies;
    let here = config.addr.ip().to_canonical();
    let odd = |address: &&std::net::IpAddr| address.is_unspecified() || address.is_multicast();
    if let Some(odd) = proxies.iter().find(odd) {
        let found = format!("{odd} is not the address of a machine");
        return Check::failed(NAME, found, "Name in trusted_proxies the address from which the proxy connects.");
    }
    let far = |address: &&std::net::IpAddr| here.is_loopback() && !address.to_canonical().is_loopback();
    match proxies.iter().find(far) {
        Some(far) => Check::warning(
            NAME,
            format!("the proxy {far} can't reach {}, where only this machine can connect", config.addr),
            "Name the address from which the proxy connects, or listen on an address that it can reach.",
        ),
        None if proxies.is_empty() => Check::ok(NAME, "none: X-Forwarded- headers are ignored"),
        None => {
            let all: Vec<String> = proxies.iter().map(ToString::to_string).collect();
            Check::ok(NAME, format!("X-Forwarded- headers of {} are trusted", all.join(", ")))
        }
    }
}

fn origins(config: &Config) -> Check {
    const NAME: &str = "origins";
    let origins = &config.settings.origins;
    let is_plain = |origin: &&String| origin.strip_prefix("http://").is_some_and(|host| !is_local(host));
    match origins.iter().find(is_plain) {
        Some(plain) => Check::warning(
            NAME,
            format!("{plain} is a page without TLS: anybody on its way can change it and act for its visitors"),
            "Serve that page over https, and change `origins`.",
        ),
        None if origins.is_empty() => Check::ok(NAME, "only the server's own pages may call it"),
        None => Check::ok(NAME, format!("pages of {} may call it", origins.join(", "))),
    }
}

fn is_local(host: &str) -> bool {
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    name == "localhost" || name == "[::1]" || name.parse().is_ok_and(|address: std::net::IpAddr| address.is_loopback())
}
