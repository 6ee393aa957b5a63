//! Connections: how many there can be, how long they may take, and TLS.
//!
//! A client that sends or reads slowly holds one connection and nothing else. It is let go when it takes too long to send the head of a request, to
//! send the next request, or to read an answer.

use crate::tls::Tls;
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Request, StatusCode};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::collections::HashMap;
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Sleep, sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tower::ServiceExt as _;

/// Maximum size of the head of a request, in bytes.
const HEAD_MOST: usize = 32 * 1024;
/// How long to wait when the system has no more file descriptors.
const NO_FILES: Duration = Duration::from_millis(100);

/// How long clients may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// For the head of a request, from the end of the last answer.
    pub head: Duration,
    /// For reading any part of an answer.
    pub read: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience { head: Duration::from_secs(60), read: Duration::from_secs(30) }
    }
}

/// How many connections there can be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crowd {
    /// From one address.
    pub per_address: usize,
    /// From all addresses.
    pub total: usize,
    /// Addresses that may have any number: proxies, which bring the clients of many addresses.
    pub unlimited: Vec<IpAddr>,
}

/// The request came over TLS that this server itself ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Encrypted;

/// Accepts connections and serves them.
pub(crate) struct Net {
    pub(crate) listener: TcpListener,
    pub(crate) router: Router,
    pub(crate) crowd: Crowd,
    pub(crate) patience: Patience,
    pub(crate) tls: Option<Arc<Tls>>,
}

impl Net {
    /// Serves connections until `closing` becomes true. Then it takes no more, and returns when the open requests are done.
    pub(crate) async fn serve(self, mut closing: watch::Receiver<bool>) {
        let Net { listener, router, crowd, patience, tls } = self;
        let (places, mut connections) = (Arc::new(Places::new(crowd)), JoinSet::new());
        loop {
            let accepted = tokio::select! {
                _ = closing.wait_for(|closing| *closing) => break,
                accepted = listener.accept() => accepted,
                // Collects connections that have ended.
                Some(_) = connections.join_next() => continue,
            };
            let (stream, address) = match accepted {
                Ok(accepted) => accepted,
                Err(error) if is_of_connection(&error) => continue,
                Err(error) => {
                    tracing::error!(%error, "no connection can be accepted; raise the limit of open files (LimitNOFILE)");
                    sleep(NO_FILES).await;
                    continue;
                }
            };
            let Some(place) = places.take(address.ip()) else {
                metrics::counter!("boxperson_connections_refused_total").increment(1);
                continue;
            };
            let (router, closing) = (router.clone(), closing.clone());
            let tls = tls.as_ref().map(|tls| tls.acceptor());
            connections.spawn(connected(stream, address, place, router, patience, tls, closing));
        }
        drop(listener);
        while connections.join_next().await.is_some() {}
    }
}

async fn connected(
    stream: TcpStream,
    address: SocketAddr,
    place: Place,
    router: Router,
    patience: Patience,
    tls: Option<TlsAcceptor>,
    closing: watch::Receiver<bool>,
) {
    // Small messages must not wait for each other.
    let _ = stream.set_nodelay(true);
    let doing = Arc::clone(&place.doing);
    let patient = Patient { stream, most: patience.read, stalled: None, _place: Some(place) };
    match tls {
        None => serve(patient, address, false, doing, router, patience.head, closing).await,
        Some(tls) => {
            if let Ok(Ok(stream)) = timeout(patience.head, tls.accept(patient)).await {
                serve(stream, address, true, doing, router, patience.head, closing).await;
            }
        }
    }
}

async fn serve<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(
    stream: S,
    address: SocketAddr,
    encrypted: bool,
    doing: Arc<Doing>,
    router: Router,
    head: Duration,
    mut closing: watch::Receiver<bool>,
) {
    let service = service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(address));
        if encrypted {
            request.extensions_mut().insert(Encrypted);
        }
        let (router, doing) = (router.clone(), Arc::clone(&doing));
        async move {
            doing.becomes("busy");
            let response = router.oneshot(request).await;
            let is_socket =
                response.as_ref().is_ok_and(|response| response.status() == StatusCode::SWITCHING_PROTOCOLS);
            doing.becomes(if is_socket { "websocket" } else { "idle" });
            response
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(head)
        .max_buf_size(HEAD_MOST)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut connection = std::pin::pin!(connection);
    // Errors are those of clients: they went away, took too long, or sent no HTTP.
    let ended = tokio::select! {
        ended = connection.as_mut() => Some(ended),
        _ = closing.wait_for(|closing| *closing) => None,
    };
    if ended.is_none() {
        connection.as_mut().graceful_shutdown();
        let _ = connection.await;
    }
}

/// Does an error concern only the connection that was being accepted?
fn is_of_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// The connections that are open, by address.
#[derive(Debug)]
struct Places {
    crowd: Crowd,
    taken: Mutex<(usize, HashMap<IpAddr, usize>)>,
}

impl Places {
    fn new(crowd: Crowd) -> Places {
        Places { crowd, taken: Mutex::default() }
    }

    fn take(self: &Arc<Self>, address: IpAddr) -> Option<Place> {
        let own = address.to_canonical();
        let limited = !self.crowd.unlimited.iter().any(|proxy| proxy.to_canonical() == own);
        let address = crate::people::subscriber(own);
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let (total, by_address) = &mut *taken;
        let own = by_address.get(&address).copied().unwrap_or(0);
        if *total >= self.crowd.total || limited && own >= self.crowd.per_address {
            return None;
        }
        *total += 1;
        by_address.insert(address, own + 1);
        Some(Place { places: Arc::clone(self), address, doing: Arc::new(Doing::new()) })
    }
}

/// The place of one connection, which its stream keeps, also as a WebSocket. Dropping it makes room for another.
#[derive(Debug)]
struct Place {
    places: Arc<Places>,
    address: IpAddr,
    doing: Arc<Doing>,
}

/// What a connection is doing, for the metrics: `new`, `busy`, `idle` or `websocket`.
#[derive(Debug)]
struct Doing(Mutex<&'static str>);

impl Doing {
    fn new() -> Doing {
        count("new", 1.0);
        Doing(Mutex::new("new"))
    }

    fn becomes(&self, next: &'static str) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        count(*state, -1.0);
        count(next, 1.0);
        *state = next;
    }
}

impl Drop for Doing {
    fn drop(&mut self) {
        count(*self.0.lock().unwrap_or_else(PoisonError::into_inner), -1.0);
    }
}

/// Counts connections in a state.
fn count(state: &'static str, change: f64) {
    metrics::gauge!("boxperson_connections", "state" => state).increment(change);
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.places.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let (total, by_address) = &mut *taken;
        *total = total.saturating_sub(1);
        if let Some(own) = by_address.get_mut(&self.address) {
            *own -= 1;
            if *own == 0 {
                by_address.remove(&self.address);
            }
        }
    }
}

/// A stream whose other end must go on reading.
struct Patient<S> {
    stream: S,
    most: Duration,
    /// Runs while the other end reads nothing.
    stalled: Option<Pin<Box<Sleep>>>,
    _place: Option<Place>,
}

impl<S: Unpin> Patient<S> {
    /// Passes a result of writing on, or fails if nothing was written for too long.
    fn watched<T>(&mut self, written: Poll<io::Result<T>>, cx: &mut Context<'_>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let most = self.most;
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(most)));
        ready!(stalled.as_mut().poll(cx));
        metrics::counter!("boxperson_slow_readers_total").increment(1);
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client reads too slowly")))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.watched(written, cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, bytes);
        self.watched(written, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(cx);
        self.watched(flushed, cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = Pin::new(&mut self.stream).poll_shutdown(cx);
        self.watched(shut, cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    #[test]
    fn an_address_has_its_share_of_connections_and_a_proxy_any_number() {
        let proxy: IpAddr = [10, 0, 0, 1].into();
        let places = Arc::new(Places::new(Crowd { per_address: 2, total: 6, unlimited: vec![proxy] }));
        let address = |last: u8| IpAddr::from([192, 0, 2, last]);
        let mut held: Vec<Place> = (0..2).map(|_| places.take(address(1)).unwrap()).collect();
        assert!(places.take(address(1)).is_none(), "its share is used up");
        held.extend(places.take(address(2)));
        held.extend((0..3).map(|_| places.take(proxy).unwrap()));
        assert!(places.take(address(3)).is_none(), "all places are taken");
        held.remove(0);
        held.extend(places.take(address(1)));
        assert_eq!(held.len(), 6);
        drop(held);
        assert_eq!(*places.taken.lock().unwrap(), (0, HashMap::new()), "nothing is kept of those who went away");
    }

    /// A proxy is one address, and not the network that it is in.
    #[test]
    fn an_ipv6_network_has_one_share_and_a_proxy_in_it_any_number() {
        let address = |text: &str| -> IpAddr { text.parse().unwrap() };
        for proxy in ["::1", "2001:db8::1", "::ffff:10.0.0.1"] {
            let crowd = Crowd { per_address: 2, total: 100, unlimited: vec![address(proxy)] };
            let places = Arc::new(Places::new(crowd));
            let held: Vec<Place> = (0..9).map_while(|_| places.take(address(proxy))).collect();
            assert_eq!(held.len(), 9, "{proxy}");
        }
        let crowd = Crowd { per_address: 2, total: 100, unlimited: vec![address("2001:db8::1")] };
        let places = Arc::new(Places::new(crowd));
        let held: Vec<Place> = (2..9).map_while(|last| places.take(address(&format!("2001:db8::{last}")))).collect();
        assert_eq!(held.len(), 2, "others in the network of a proxy have one share together");
    }

    /// Every connection is an open file. The store and the logs of the service need some more.
    #[test]
    fn the_service_may_open_as_many_files_as_the_server_takes_connections() {
        let unit = include_str!("../../../deploy/boxperson.service");
        let most = unit.lines().find_map(|line| line.strip_prefix("LimitNOFILE=")).unwrap();
        let most: usize = most.parse().unwrap();
        assert!(most >= crate::server::CONNECTIONS + 1_000, "{most}");
    }

    /// Serves an address that answers with many bytes, to clients who have half a second.
    async fn short_of_time(per_address: usize) -> (SocketAddr, watch::Sender<bool>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new()
            .route("/long", axum::routing::get(|| async { vec![0_u8; 64 << 20] }))
            .route("/short", axum::routing::get(|| async { "short" }));
        let half = Duration::from_millis(500);
        let patience = Patience { head: half, read: half };
        let crowd = Crowd { per_address, total: 100, unlimited: Vec::new() };
        let (close, closing) = watch::channel(false);
        tokio::spawn(Net { listener, router, crowd, patience, tls: None }.serve(closing));
        (address, close)
    }

    const SHORT: &[u8] = b"GET /short HTTP/1.1\r\nHost: here\r\n\r\n";

    /// Waits until the server closes the connection, and returns what it sent.
    async fn until_closed(stream: &mut TcpStream) -> Vec<u8> {
        let mut read = Vec::new();
        let closed = timeout(Duration::from_secs(20), stream.read_to_end(&mut read)).await;
        assert!(closed.is_ok(), "the server keeps the connection");
        read
    }

    #[tokio::test]
    async fn clients_that_take_too_long_are_let_go() {
        let (address, _close) = short_of_time(100).await;
        for head in [&b""[..], b"GET /short HTT", b"GET /short HTTP/1.1\r\nHost: here\r\nX: "] {
            let mut stream = TcpStream::connect(address).await.unwrap();
            stream.write_all(head).await.unwrap();
            let read = until_closed(&mut stream).await;
            assert!(!read.starts_with(b"HTTP/1.1 200"), "{head:?}");
        }
        // One request, and then silence.
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(SHORT).await.unwrap();
        assert!(until_closed(&mut stream).await.starts_with(b"HTTP/1.1 200"));
        // A request whose answer nobody reads. The bytes on their way are far less than the whole answer.
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(b"GET /long HTTP/1.1\r\nHost: here\r\n\r\n").await.unwrap();
        sleep(Duration::from_secs(2)).await;
        let mut read = Vec::new();
        let _ = timeout(Duration::from_secs(20), stream.read_to_end(&mut read)).await.unwrap();
        assert!(read.len() < 64 << 20, "{}", read.len());
    }

    #[tokio::test]
    async fn one_address_has_only_its_share_and_gets_it_back() {
        let (address, close) = short_of_time(2).await;
        let connect = || async { TcpStream::connect(address).await.unwrap() };
        let mut held = [connect().await, connect().await];
        for stream in &mut held {
            stream.write_all(SHORT).await.unwrap();
            stream.read_u8().await.unwrap();
        }
        let mut third = connect().await;
        let _ = third.write_all(SHORT).await;
        assert!(third.read_u8().await.is_err(), "there is no third place");
        drop(held);
        let served = async {
            loop {
                let mut stream = connect().await;
                if stream.write_all(SHORT).await.is_ok() && stream.read_u8().await.is_ok() {
                    break;
                }
                sleep(Duration::from_millis(10)).await;
            }
        };
        timeout(Duration::from_secs(20), served).await.unwrap();
        // Closing ends what is open.
        close.send_replace(true);
        let refused = async {
            while TcpStream::connect(address).await.is_ok() {
                sleep(Duration::from_millis(10)).await;
            }
        };
        timeout(Duration::from_secs(20), refused).await.unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn a_reader_that_stops_is_let_go_and_a_slow_one_is_not() {
        let (near, mut far) = tokio::io::duplex(4);
        let mut patient = Patient { stream: near, most: Duration::from_secs(30), stalled: None, _place: None };
        let reader = tokio::spawn(async move {
            // One byte in 20 seconds is slow, but it is reading.
            for _ in 0..8 {
                sleep(Duration::from_secs(20)).await;
                far.read_u8().await.unwrap();
            }
            sleep(Duration::from_secs(600)).await;
            far
        });
        patient.write_all(&[0; 12]).await.unwrap();
        let error = patient.write_all(&[0; 12]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        reader.abort();
    }
}
