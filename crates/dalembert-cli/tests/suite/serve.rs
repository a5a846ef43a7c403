//! The server from outside: what it refuses to start with, and one whole visit. Browsers and crowds are in `tests/page/serve.mjs`.

use crate::run;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

const MODEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/pendulum.toml");

#[test]
fn what_cannot_be_served_is_refused() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("its number").port().to_string();
    let known: [(&[&str], i32, &str); 7] = [
        (&["serve", "-"], 2, "name one"),
        (&["serve", "missing.toml"], 1, "E0910"),
        (&["serve", "."], 2, "serve shows a file"),
        (&["serve", MODEL, "--folder", "missing"], 1, "E0910"),
        (
            &["serve", MODEL, "--port", &port],
            1,
            "cannot listen at port",
        ),
        (&["serve", MODEL, "--port", "70000"], 2, "70000"),
        (&["view", MODEL, "--gallery", "site"], 2, "--gallery"),
    ];
    for (arguments, code, words) in known {
        let ran = run(arguments);
        assert_eq!(ran.code, code, "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(words), "{arguments:?}: {}", ran.err);
    }
    assert_eq!(run(&["view"]).code, 2);
}

/// Ends with the test, however that ends.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[cfg(unix)]
#[test]
fn the_page_is_given_to_who_knows_its_address() {
    let started = Command::new(env!("CARGO_BIN_EXE_dalembert"))
        .args(["serve", MODEL, "--no-open"])
        .stdout(Stdio::piped())
        .spawn();
    let mut server = Server(started.expect("the command starts"));
    let stdout = server.0.stdout.take().expect("its output");
    let mut line = String::new();
    BufReader::new(stdout).read_line(&mut line).expect("a line");
    let address = line.split("http://").nth(1).expect("an address").trim();
    let (host, path) = address.split_once('/').expect("a path");
    let ask = |path: &str, host_said: &str| {
        let mut stream = TcpStream::connect(host).expect("a connection");
        let request = format!("GET /{path} HTTP/1.1\r\nHost: {host_said}\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("asked");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("answered");
        answer
    };
    assert!(ask("", host).starts_with("HTTP/1.1 404 "));
    assert!(ask(path, "evil.example").starts_with("HTTP/1.1 421 "));
    loop {
        let answer = ask(path, host);
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
        assert!(answer.ends_with("</html>\n"));
        if answer.contains("data-edition=\"1\"") {
            break;
        }
    }
    let interrupted = Command::new("kill")
        .args(["-INT", &server.0.id().to_string()])
        .status();
    assert!(interrupted.expect("kill").success());
    let status = server.0.wait().expect("it ends");
    assert_eq!(status.code(), Some(0));
}
