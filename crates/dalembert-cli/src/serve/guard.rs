//! Who may ask: whoever knows the token, and comes to this very address.

use super::request::Request;
use std::io;
use std::sync::{Mutex, PoisonError};

/// A word that nobody can guess, in the address of the page.
struct Token(String);

impl Token {
    /// Random bits of the system.
    fn new() -> io::Result<Self> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
        Ok(Self(bytes.iter().map(|it| format!("{it:02x}")).collect()))
    }

    /// Whether this is the token. All letters are looked at, so that the time it takes says nothing about where they differ.
    fn is(&self, text: &str) -> bool {
        let same_length = self.0.len() == text.len();
        let differing = self.0.bytes().zip(text.bytes());
        let differing = differing.fold(0, |found, (a, b)| found | (a ^ b));
        std::hint::black_box(differing) == 0 && same_length
    }
}

/// What is let in, and what is not.
pub(super) struct Guard {
    token: Token,
    /// Another one, which opens once: the command line of a browser is read by others, who may ask as well.
    once: Mutex<Option<Token>>,
    /// Names of this address, as browsers say them.
    hosts: [String; 2],
}

/// What somebody is let in for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Entry<'r> {
    /// To be shown the way.
    Once,
    /// What stands behind the token.
    Asked(&'r str),
}

/// Why somebody is not let in, by the number that HTTP has for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Denied {
    /// He means another address: a name that leads here, as after DNS was changed to.
    Host,
    /// Another page asks.
    Origin,
    /// He does not know the token.
    Token,
}

impl Denied {
    pub(super) fn status(self) -> &'static str {
        match self {
            Self::Host => "421 Misdirected Request",
            Self::Origin => "403 Forbidden",
            Self::Token => "404 Not Found",
        }
    }
}

impl Guard {
    /// The guard of a port, with tokens of its own.
    pub(super) fn new(port: u16) -> io::Result<Self> {
        Ok(Self::with(Token::new()?, Token::new()?, port))
    }

    fn with(token: Token, once: Token, port: u16) -> Self {
        let hosts = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{port}"));
        let once = Mutex::new(Some(once));
        Self { token, once, hosts }
    }

    /// The address of the page.
    pub(super) fn address(&self) -> String {
        format!("http://{}/{}/", self.hosts[0], self.token.0)
    }

    /// The address that leads there once.
    pub(super) fn entrance(&self) -> String {
        let once = self.once.lock().unwrap_or_else(PoisonError::into_inner);
        let token = once.as_ref().unwrap_or(&self.token);
        format!("http://{}/{}/", self.hosts[0], token.0)
    }

    /// What somebody is let in for.
    pub(super) fn admit<'r>(&self, request: &'r Request) -> Result<Entry<'r>, Denied> {
        let ours = |host: &str| self.hosts.iter().any(|it| it.eq_ignore_ascii_case(host));
        if !ours(&request.host) {
            return Err(Denied::Host);
        }
        // Pages say where they come from if they ask for anything but pages; this one asks the host it came from.
        let own = |origin: &str| origin.strip_prefix("http://") == Some(&request.host);
        if request.origin.as_deref().is_some_and(|it| !own(it)) {
            return Err(Denied::Origin);
        }
        let path = request.path.strip_prefix('/').unwrap_or_default();
        let (token, rest) = path.split_once('/').ok_or(Denied::Token)?;
        if self.token.is(token) {
            return Ok(Entry::Asked(rest));
        }
        let mut once = self.once.lock().unwrap_or_else(PoisonError::into_inner);
        match once.take_if(|once| once.is(token) && rest.is_empty()) {
            Some(_) => Ok(Entry::Once),
            None => Err(Denied::Token),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Denied, Entry, Guard, Token};
    use crate::serve::request::{Method, Request};

    fn asked(host: &str, origin: Option<&str>, path: &str) -> Request {
        Request {
            method: Method::Get,
            path: path.to_owned(),
            host: host.to_owned(),
            origin: origin.map(str::to_owned),
            content_type: None,
            body: Vec::new(),
        }
    }

    #[test]
    fn tokens_are_long_and_never_the_same() {
        let (one, other) = (Token::new().unwrap(), Token::new().unwrap());
        assert_eq!(one.0.len(), 32);
        assert_ne!(one.0, other.0);
        assert!(one.is(&one.0) && !one.is(&other.0));
        assert!(!one.is("") && !one.is(&one.0[1..]) && !one.is(&format!("{}0", one.0)));
    }

    #[test]
    fn only_who_knows_the_token_and_the_address_is_let_in() {
        let guard = Guard::with(Token("abc".to_owned()), Token("def".to_owned()), 8080);
        assert_eq!(guard.address(), "http://127.0.0.1:8080/abc/");
        let own = "http://127.0.0.1:8080";
        let known = [
            ("127.0.0.1:8080", None, "/abc/", Ok("")),
            ("127.0.0.1:8080", Some(own), "/abc/run", Ok("run")),
            ("LOCALHOST:8080", None, "/abc/events", Ok("events")),
            ("127.0.0.1:8081", None, "/abc/", Err(Denied::Host)),
            ("127.0.0.1", None, "/abc/", Err(Denied::Host)),
            ("evil.example:8080", None, "/abc/", Err(Denied::Host)),
            (
                "127.0.0.1:8080.evil.example",
                None,
                "/abc/",
                Err(Denied::Host),
            ),
            ("", None, "/abc/", Err(Denied::Host)),
            ("127.0.0.1:8080", Some("null"), "/abc/", Err(Denied::Origin)),
            ("127.0.0.1:8080", Some(""), "/abc/", Err(Denied::Origin)),
            (
                "127.0.0.1:8080",
                Some("http://evil.example"),
                "/abc/",
                Err(Denied::Origin),
            ),
            (
                "127.0.0.1:8080",
                Some("https://127.0.0.1:8080"),
                "/abc/",
                Err(Denied::Origin),
            ),
            // Another page of this machine is another page.
            ("localhost:8080", Some(own), "/abc/run", Err(Denied::Origin)),
            ("127.0.0.1:8080", None, "/", Err(Denied::Token)),
            ("127.0.0.1:8080", None, "/abc", Err(Denied::Token)),
            ("127.0.0.1:8080", None, "/abd/", Err(Denied::Token)),
            ("127.0.0.1:8080", None, "//abc/", Err(Denied::Token)),
            ("127.0.0.1:8080", None, "/abc%2f", Err(Denied::Token)),
        ];
        for (host, origin, path, wanted) in known {
            let request = asked(host, origin, path);
            let wanted = wanted.map(Entry::Asked);
            assert_eq!(guard.admit(&request), wanted, "{host} {origin:?} {path}");
        }
        // The entrance is shown once.
        assert_eq!(guard.entrance(), "http://127.0.0.1:8080/def/");
        let [run, page] = ["/def/run", "/def/"].map(|path| asked("127.0.0.1:8080", None, path));
        assert_eq!(guard.admit(&run), Err(Denied::Token));
        assert_eq!(guard.admit(&page), Ok(Entry::Once));
        assert_eq!(guard.admit(&page), Err(Denied::Token));
    }
}
