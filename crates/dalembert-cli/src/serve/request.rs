//! Requests, read with limits: so many bytes, and so much time for all of them together.

use std::io::{ErrorKind, Read};

/// Bytes of the longest head: a request line and its headers.
pub(super) const LONGEST_HEAD: usize = 16 << 10;

/// Bytes of the longest body: settings of a thousand sliders have less.
pub(super) const LONGEST_BODY: usize = 64 << 10;

/// The most headers that are looked at.
const MOST_HEADERS: usize = 64;

/// What someone asks for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) method: Method,
    /// As it stands in the request, with a query if there is one.
    pub(super) path: String,
    pub(super) host: String,
    pub(super) origin: Option<String>,
    pub(super) content_type: Option<String>,
    pub(super) body: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Get,
    Post,
}

/// Why a request is not answered as asked, by the number that HTTP has for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// It is no request, or one that nobody needs here.
    Malformed,
    /// Another method than those that are known.
    Method,
    /// It took too long to arrive.
    Slow,
    /// A body without a length that is said before it.
    NoLength,
    BodyTooLong,
    HeadTooLong,
    /// Nobody is there any more.
    Gone,
}

impl Refusal {
    /// The status of the answer; none if nobody would read it.
    pub(super) fn status(self) -> Option<&'static str> {
        Some(match self {
            Self::Malformed => "400 Bad Request",
            Self::Method => "405 Method Not Allowed",
            Self::Slow => "408 Request Timeout",
            Self::NoLength => "411 Length Required",
            Self::BodyTooLong => "413 Content Too Large",
            Self::HeadTooLong => "431 Request Header Fields Too Large",
            Self::Gone => return None,
        })
    }
}

/// Reads one request; the stream ends it when its time is over.
pub(super) fn read(stream: &mut impl Read) -> Result<Request, Refusal> {
    let mut bytes = Vec::new();
    let mut looked_at = 0;
    let end = loop {
        let from = looked_at;
        looked_at = bytes.len().saturating_sub(3);
        if let Some(at) = bytes[from..].windows(4).position(|it| it == b"\r\n\r\n") {
            break from + at;
        }
        if bytes.len() > LONGEST_HEAD {
            return Err(Refusal::HeadTooLong);
        }
        more(stream, &mut bytes)?;
    };
    if end > LONGEST_HEAD {
        return Err(Refusal::HeadTooLong);
    }
    let mut body = bytes.split_off(end + 4);
    let (mut request, length) = head(&bytes[..end])?;
    if length > LONGEST_BODY {
        return Err(Refusal::BodyTooLong);
    }
    while body.len() < length {
        more(stream, &mut body)?;
    }
    // One request a connection: what comes behind it is nothing to us.
    body.truncate(length);
    request.body = body;
    Ok(request)
}

fn more(stream: &mut impl Read, bytes: &mut Vec<u8>) -> Result<(), Refusal> {
    let mut chunk = [0; 4096];
    loop {
        match stream.read(&mut chunk) {
            Ok(0) => return Err(Refusal::Gone),
            Ok(count) => {
                bytes.extend_from_slice(&chunk[..count]);
                return Ok(());
            }
            Err(error) => match error.kind() {
                ErrorKind::Interrupted => {}
                ErrorKind::WouldBlock | ErrorKind::TimedOut => return Err(Refusal::Slow),
                _ => return Err(Refusal::Gone),
            },
        }
    }
}

/// A request but for its body, and how long that is.
fn head(bytes: &[u8]) -> Result<(Request, usize), Refusal> {
    // Nothing that we answer to has other letters in its head.
    let plain = |byte: &u8| matches!(byte, b' '..=b'~' | b'\r' | b'\n' | b'\t');
    if !bytes.iter().all(plain) {
        return Err(Refusal::Malformed);
    }
    let text = std::str::from_utf8(bytes).map_err(|_| Refusal::Malformed)?;
    let mut lines = text.split("\r\n");
    let mut words = lines.next().unwrap_or_default().split(' ');
    let first = [words.next(), words.next(), words.next(), words.next()];
    let [Some(method), Some(path), Some(version), None] = first else {
        return Err(Refusal::Malformed);
    };
    if !path.starts_with('/') || !matches!(version, "HTTP/1.1" | "HTTP/1.0") {
        return Err(Refusal::Malformed);
    }
    let mut headers = Headers::default();
    for (count, line) in lines.enumerate() {
        if count == MOST_HEADERS {
            return Err(Refusal::HeadTooLong);
        }
        headers.take(line)?;
    }
    let method = match method {
        "GET" => Method::Get,
        "POST" => Method::Post,
        _ => return Err(Refusal::Method),
    };
    let length = match (method, headers.length) {
        (Method::Post, None) => return Err(Refusal::NoLength),
        (_, length) => length.unwrap_or(0),
    };
    let request = Request {
        method,
        path: path.to_owned(),
        host: headers.host.ok_or(Refusal::Malformed)?,
        origin: headers.origin,
        content_type: headers.content_type,
        body: Vec::new(),
    };
    Ok((request, length))
}

/// The headers that matter here, each at most once.
#[derive(Default)]
struct Headers {
    host: Option<String>,
    origin: Option<String>,
    content_type: Option<String>,
    length: Option<usize>,
}

impl Headers {
    fn take(&mut self, line: &str) -> Result<(), Refusal> {
        let (name, value) = line.split_once(':').ok_or(Refusal::Malformed)?;
        let value = value.trim_matches([' ', '\t']);
        // A name with blanks, as that of a line that goes on with the one before, or one of several readings.
        let letter = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
        if name.is_empty() || !name.bytes().all(letter) || value.contains(['\r', '\n']) {
            return Err(Refusal::Malformed);
        }
        let place = match name.to_ascii_lowercase().as_str() {
            "host" => &mut self.host,
            "origin" => &mut self.origin,
            "content-type" => &mut self.content_type,
            "content-length" => {
                let digits = value.bytes().all(|byte| byte.is_ascii_digit());
                // A number beyond all is too long, not wrong.
                let length = value.parse().unwrap_or(usize::MAX);
                let right = digits && !value.is_empty() && self.length.is_none();
                self.length = Some(length);
                return right.then_some(()).ok_or(Refusal::Malformed);
            }
            "transfer-encoding" => return Err(Refusal::NoLength),
            _ => return Ok(()),
        };
        match place.replace(value.to_owned()) {
            None => Ok(()),
            Some(_) => Err(Refusal::Malformed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_BODY, LONGEST_HEAD, Method, Refusal, Request, read};

    fn of(text: &str) -> Result<Request, Refusal> {
        read(&mut text.as_bytes())
    }

    #[test]
    fn requests_are_read() {
        let found = of("GET /a/b?c HTTP/1.1\r\nHost: 127.0.0.1:80\r\nAccept: */*\r\n\r\n").unwrap();
        assert_eq!((found.method, found.path.as_str()), (Method::Get, "/a/b?c"));
        assert_eq!((found.host.as_str(), found.origin), ("127.0.0.1:80", None));
        let text = "POST /run HTTP/1.1\r\nhost: x\r\nORIGIN:\thttp://x \r\nContent-Type: application/json\r\n\
            Content-Length: 2\r\n\r\n{}GET / HTTP/1.1";
        let found = of(text).unwrap();
        assert_eq!(found.body, b"{}");
        assert_eq!(found.origin.as_deref(), Some("http://x"));
        // In pieces as in one.
        struct Slowly<'t>(&'t [u8]);
        impl std::io::Read for Slowly<'_> {
            fn read(&mut self, chunk: &mut [u8]) -> std::io::Result<usize> {
                let Some((first, rest)) = self.0.split_first() else {
                    return Ok(0);
                };
                (chunk[0], self.0) = (*first, rest);
                Ok(1)
            }
        }
        assert_eq!(read(&mut Slowly(text.as_bytes())), of(text));
    }

    #[test]
    fn what_is_no_request_is_refused() {
        let long = "x".repeat(LONGEST_HEAD);
        let many: String = (0..65).map(|i| format!("X{i}: 1\r\n")).collect();
        let with = |rest: &str| format!("POST / HTTP/1.1\r\nHost: x\r\n{rest}\r\n\r\n");
        let known = [
            (String::new(), Refusal::Gone),
            ("GET / HTTP/1.1\r\nHost: x\r\n".to_owned(), Refusal::Gone),
            ("GET /\r\n\r\n".to_owned(), Refusal::Malformed),
            ("GET / HTTP/1.1\r\n\r\n".to_owned(), Refusal::Malformed),
            (
                "GET / HTTP/2\r\nHost: x\r\n\r\n".to_owned(),
                Refusal::Malformed,
            ),
            (
                "GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n".to_owned(),
                Refusal::Malformed,
            ),
            (
                "GET /  HTTP/1.1\r\nHost: x\r\n\r\n".to_owned(),
                Refusal::Malformed,
            ),
            (
                "GET /\u{e9} HTTP/1.1\r\nHost: x\r\n\r\n".to_owned(),
                Refusal::Malformed,
            ),
            (
                "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n".to_owned(),
                Refusal::Malformed,
            ),
            (
                "GET / HTTP/1.1\r\nHost: x\r\n y: z\r\n\r\n".to_owned(),
                Refusal::Malformed,
            ),
            (
                "GET / HTTP/1.1\r\nHost: x\nOrigin: y\r\n\r\n".to_owned(),
                Refusal::Malformed,
            ),
            (
                "GET / HTTP/1.1\r\nHost : x\r\n\r\n".to_owned(),
                Refusal::Malformed,
            ),
            (
                "PUT / HTTP/1.1\r\nHost: x\r\n\r\n".to_owned(),
                Refusal::Method,
            ),
            (with("X: 1"), Refusal::NoLength),
            (with("Transfer-Encoding: chunked"), Refusal::NoLength),
            (with("Content-Length: -1"), Refusal::Malformed),
            (with("Content-Length: "), Refusal::Malformed),
            (
                with("Content-Length: 1\r\nContent-Length: 1"),
                Refusal::Malformed,
            ),
            (
                with(&format!("Content-Length: {}", LONGEST_BODY + 1)),
                Refusal::BodyTooLong,
            ),
            (
                with("Content-Length: 99999999999999999999999"),
                Refusal::BodyTooLong,
            ),
            (with("Content-Length: 5"), Refusal::Gone),
            (
                format!("GET /{long} HTTP/1.1\r\nHost: x\r\n\r\n"),
                Refusal::HeadTooLong,
            ),
            (with(&many), Refusal::HeadTooLong),
        ];
        for (text, refusal) in known {
            let begin = text.get(..80).unwrap_or(&text);
            assert_eq!(of(&text), Err(refusal), "{begin:?}");
        }
    }

    /// Whatever comes, an answer is found: no panic, and no more is read than the limits say.
    #[test]
    fn random_bytes_are_no_harm() {
        let mut random = fastrand::Rng::with_seed(18);
        let pieces: [&[u8]; 14] = [
            b"GET ",
            b"POST ",
            b"/",
            b" HTTP/1.1",
            b"\r\n",
            b"\r\n\r\n",
            b":",
            b"Host: x",
            b"Content-Length: ",
            b"7",
            b"99999999999999999999",
            b"Transfer-Encoding: chunked",
            b"\0\xff",
            b"Origin: null",
        ];
        let mut right = 0;
        for _ in 0..200_000 {
            let mut bytes = match random.bool() {
                true => b"GET / HTTP/1.1\r\nHost: x\r\n".to_vec(),
                false => Vec::new(),
            };
            for _ in 0..random.usize(0..14) {
                match random.u8(0..6) {
                    0 => bytes.extend((0..random.usize(0..9)).map(|_| random.u8(..))),
                    _ => bytes.extend_from_slice(pieces[random.usize(0..pieces.len())]),
                }
            }
            let mut rest = bytes.as_slice();
            right += usize::from(read(&mut rest).is_ok());
        }
        assert!(right > 0, "some were requests");
        let mut endless = std::io::repeat(b'a');
        assert_eq!(read(&mut endless), Err(Refusal::HeadTooLong));
    }
}
