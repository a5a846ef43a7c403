//! Answers, one a connection.

use super::timed::Timed;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

/// Time for an answer to be taken.
const TAKEN: Duration = Duration::from_secs(10);

/// Nothing here is kept by anyone, shown inside other pages, or told to them.
const ALWAYS: &str = "Cache-Control: no-store\r\nConnection: close\r\nX-Content-Type-Options: nosniff\r\n\
    X-Frame-Options: DENY\r\nContent-Security-Policy: frame-ancestors 'none'\r\nReferrer-Policy: no-referrer\r\n\
    Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Resource-Policy: same-origin\r\n";

/// What a body is.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Html,
    Json,
    Text,
}

/// Writes a whole answer.
pub(super) fn answer(stream: &TcpStream, status: &str, kind: Kind, body: &str) -> io::Result<()> {
    let kind = match kind {
        Kind::Html => "text/html; charset=utf-8",
        Kind::Json => "application/json",
        Kind::Text => "text/plain; charset=utf-8",
    };
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n{ALWAYS}\r\n"
    );
    let mut timed = Timed::new(stream, TAKEN);
    timed.write_all(head.as_bytes())?;
    timed.write_all(body.as_bytes())?;
    finish(stream)
}

/// Sends somebody to another page of ours.
pub(super) fn elsewhere(stream: &TcpStream, address: &str) -> io::Result<()> {
    let head = format!(
        "HTTP/1.1 303 See Other\r\nLocation: {address}\r\nContent-Length: 0\r\n{ALWAYS}\r\n"
    );
    Timed::new(stream, TAKEN).write_all(head.as_bytes())?;
    finish(stream)
}

/// A closed connection with bytes that nobody has read takes the answer with it: what little is on its way is read, and forgotten.
fn finish(stream: &TcpStream) -> io::Result<()> {
    stream.shutdown(Shutdown::Write)?;
    let rest = Timed::new(stream, Duration::from_millis(500));
    io::copy(&mut rest.take(1 << 20), &mut io::sink())?;
    Ok(())
}

/// The head of an answer that goes on for as long as both want.
pub(super) fn begin_stream(stream: &TcpStream) -> io::Result<()> {
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n{ALWAYS}\r\n");
    Timed::new(stream, TAKEN).write_all(head.as_bytes())
}

/// A message of such an answer; none only asks whether the other side is still there.
pub(super) fn message(stream: &TcpStream, data: Option<&str>) -> io::Result<()> {
    let text = data.map_or_else(|| ":\n\n".to_owned(), |data| format!("data: {data}\n\n"));
    Timed::new(stream, TAKEN).write_all(text.as_bytes())
}
