//! A minimal HTTP client: one request after the other over one connection.

use crate::Trouble;
use serde_json::Value;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// An open connection to a server.
#[derive(Debug)]
pub(crate) struct Http {
    stream: TcpStream,
    addr: SocketAddr,
    cookie: Option<String>,
}

/// The response to a request.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) cookie: Option<String>,
    /// Seconds to wait before trying again, if the server says so.
    pub(crate) again: Option<u64>,
    /// The body as text.
    pub(crate) text: String,
}

impl Http {
    /// Connects to a server. The cookie is sent with every request.
    pub(crate) async fn to(addr: SocketAddr, cookie: Option<String>) -> Result<Http, Trouble> {
        let stream = TcpStream::connect(addr).await?;
        stream.set_nodelay(true)?;
        Ok(Http { stream, addr, cookie })
    }

    /// Sends a request and waits for the response.
    pub(crate) async fn ask(&mut self, method: &str, path: &str, body: Option<&Value>) -> Result<Reply, Trouble> {
        let body = body.map(Value::to_string).unwrap_or_default();
        let mut text = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\nContent-Length: {}\r\n", self.addr, body.len());
        if let Some(cookie) = &self.cookie {
            text += &format!("Cookie: {cookie}\r\n");
        }
        if !body.is_empty() {
            text += "Content-Type: application/json\r\n";
        }
        text += "\r\n";
        text += &body;
        self.stream.write_all(text.as_bytes()).await?;
        let mut read = Vec::new();
        let head =
            self.read_until(&mut read, |read| read.windows(4).position(|four| four == b"\r\n\r\n").map(|at| at + 4));
        let head_end = head.await?;
        let head = String::from_utf8_lossy(&read[..head_end]).into_owned();
        let header = |name: &str| {
            let mut lines = head.lines().filter_map(|line| line.split_once(": "));
            lines.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
        };
        let length: usize = header("content-length").and_then(|length| length.parse().ok()).unwrap_or_default();
        let end = head_end + length;
        self.read_until(&mut read, |read| (read.len() >= end).then_some(end)).await?;
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        Ok(Reply {
            status: status
                .ok_or_else(|| Trouble::Server(format!("{path}: expected an HTTP response, found: {head}")))?,
            cookie: header("set-cookie").and_then(|cookie| cookie.split(';').next()).map(str::to_owned),
            again: header("retry-after").and_then(|seconds| seconds.parse().ok()),
            text: String::from_utf8_lossy(&read[head_end..end]).into_owned(),
        })
    }

    async fn read_until(
        &mut self,
        read: &mut Vec<u8>,
        done: impl Fn(&[u8]) -> Option<usize>,
    ) -> Result<usize, Trouble> {
        loop {
            if let Some(end) = done(read) {
                return Ok(end);
            }
            if self.stream.read_buf(read).await? == 0 {
                return Err(std::io::Error::from(std::io::ErrorKind::UnexpectedEof).into());
            }
        }
    }
}

impl Reply {
    /// Returns the body as JSON.
    pub(crate) fn body(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_default()
    }

    /// Returns the reply if its status is a success, otherwise an error.
    pub(crate) fn done(self) -> Result<Reply, Trouble> {
        if (200..300).contains(&self.status) {
            Ok(self)
        } else {
            Err(Trouble::Server(format!("{}: {}", self.status, self.text)))
        }
    }
}
