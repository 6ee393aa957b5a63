//! Attacks on the connections of a server: slow bodies, invented methods, addresses without a route.

use crate::house::House;
use crate::support::{Here, Shows};
use axum::body::{Body, to_bytes};
use axum::extract::ConnectInfo;
use axum::http::Request;
use craps_server::people::Role;
use futures_util::StreamExt as _;
use serde_json::json;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tower::ServiceExt as _;

/// Clients whose bodies arrive slowly hold no turn, so that others are served.
#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_comes_slowly_holds_up_nobody() {
    let here = Here::with(|given| given.turns = Some(2)).await;
    let mut slow = Vec::new();
    for path in ["/guests", "/sign-in", "/replay", "/check", "/guests", "/sign-in"] {
        let mut stream = TcpStream::connect(here.addr).await.unwrap();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{{",
            here.addr
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        slow.push(stream);
    }
    tokio::time::sleep(Duration::from_millis(200)).await;
    for _ in 0..20 {
        assert_eq!(here.post("/guests", &Shows::Nothing, &json!({})).await.status, 201);
    }
    // One address has a limit of bodies on their way. The slow ones are told so, and the others are served again later.
    let mut answers = Vec::new();
    for _ in 0..40 {
        let mut stream = TcpStream::connect(here.addr).await.unwrap();
        let head = format!("POST /guests HTTP/1.1\r\nHost: {}\r\nContent-Length: 50\r\n\r\n{{", here.addr);
        stream.write_all(head.as_bytes()).await.unwrap();
        slow.push(stream);
    }
    for stream in &mut slow {
        let mut part = [0; 12];
        if let Ok(Ok(_)) = tokio::time::timeout(Duration::from_millis(200), stream.read_exact(&mut part)).await {
            answers.push(String::from_utf8_lossy(&part[9..]).into_owned());
        }
    }
    assert!(!answers.is_empty() && answers.iter().all(|status| status == "429"), "{answers:?}");
    drop(slow);
    let served = async {
        while here.post("/guests", &Shows::Nothing, &json!({})).await.status != 201 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), served).await.unwrap();
    here.stop().await;
}

/// A body must arrive in time: a whole game in twenty seconds, any other in ten.
#[tokio::test]
async fn a_slow_body_is_refused() {
    let house = House::open().await;
    tokio::time::pause();
    for (path, seconds) in
        [("/guests", 10), ("/check", 10), ("/fill", 10), ("/why", 20), ("/replay", 20), ("/felt", 20)]
    {
        let first = futures_util::stream::iter([Ok::<_, std::io::Error>("{")]);
        let body = Body::from_stream(first.chain(futures_util::stream::pending()));
        let mut request = Request::post(path).header("content-type", "application/json").body(body).unwrap();
        let from: std::net::SocketAddr = "127.0.0.1:9".parse().unwrap();
        request.extensions_mut().insert(ConnectInfo(from));
        let start = tokio::time::Instant::now();
        let response = house.router.clone().oneshot(request).await.unwrap();
        assert_eq!((path, response.status().as_u16()), (path, 408));
        let took = start.elapsed().as_secs();
        assert!((seconds..=seconds + 1).contains(&took), "{path}: {took} s");
        let text = String::from_utf8(to_bytes(response.into_body(), 1_000).await.unwrap().to_vec()).unwrap();
        assert!(text.contains("\"slow\"") && text.contains(&format!("{seconds} s")), "{path}: {text}");
    }
}

/// A client can invent methods and addresses. They don't fill the metrics, and they have the same rate limit as all requests.
#[tokio::test(flavor = "multi_thread")]
async fn invented_methods_and_addresses_leave_no_trace_and_have_a_limit() {
    let here = Here::with(|given| (given.rate, given.burst) = (Some(1), Some(400))).await;
    let admin = here.account("Ada").await;
    here.grant(&admin, Role::Admin, None).await;
    let admin = here.session(&admin, 3_600_000).await;
    for number in 0..150 {
        let method = format!("INVENTED-{number}{}", "X".repeat(1_000));
        here.send(&method, "/tables", &Shows::Nothing, &[], b"").await;
        here.send("GET", &format!("/invented-{number}"), &Shows::Nothing, &[], b"").await;
    }
    let metrics = here.get("/metrics", &admin).await;
    assert_eq!(metrics.status, 200);
    assert!(metrics.body.contains("method=\"other\""), "{}", metrics.body);
    assert!(!metrics.body.contains("INVENTED") && !metrics.body.contains("invented"), "{}", metrics.body);
    let mut limited = 0;
    for _ in 0..200 {
        limited += u32::from(here.send("GET", "/invented", &Shows::Nothing, &[], b"").await.status == 429);
        limited += u32::from(here.send("INVENTED", "/tables", &Shows::Nothing, &[], b"").await.status == 429);
    }
    assert!(limited > 100, "{limited}");
    here.stop().await;
}

/// The id of a request is the server's own, whatever the client sends.
#[tokio::test(flavor = "multi_thread")]
async fn a_client_cannot_choose_the_id_of_its_request() {
    let here = Here::new().await;
    let reply = here.send("GET", "/health", &Shows::Nothing, &[("X-Request-Id", "forged")], b"").await;
    let id = reply.header("x-request-id").unwrap();
    assert_eq!((id.len(), id.contains("forged")), (36, false));
    here.stop().await;
}
