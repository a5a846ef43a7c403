//! `dalembert serve`: the page of a model, made anew whenever its file changes.
//!
//! One thread accepts, one shows the model, and each connection has its own for one request. What comes in is read with limits of bytes
//! and time (`request`, `timed`), of connections there are only so many (`connections`), and who does not know the token, or means
//! another address, is not answered (`guard`). No path of a request is ever a path of a file.

mod answer;
mod connections;
mod guard;
mod request;
mod rerun;
mod session;
mod subject;
mod timed;

use crate::arguments::Serve;
use crate::browser;
use crate::output::{Answer, Failure, line};
use answer::{Kind, answer, begin_stream, elsewhere, message};
use connections::{Connections, Place};
use dalembert::page::waiting_html;
use dalembert::report::Error;
use dalembert_expr::print::visible;
use guard::{Entry, Guard};
use request::{Method, Refusal, Request, read};
use rerun::{Rerun, Reruns};
use serde_json::json;
use session::Session;
use std::io;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;
use subject::Subject;
use timed::{Timed, is_gone};

/// Time for a request to arrive, however it is cut into pieces.
const ARRIVED: Duration = Duration::from_secs(5);

/// The most pages that hear of changes at once.
const MOST_STREAMS: usize = 32;

/// After so long without news it is looked whether a page is still there.
const SILENCE: Duration = Duration::from_secs(5);

/// Where the room for a thread's calls ends: a model is lowered and run in some of them.
const STACK: usize = 8 << 20;

/// What a page is told where too many wait already.
const BUSY: &str = "too many runs are under way";

/// What all threads share.
struct Server {
    guard: Guard,
    session: Session,
    subject: Subject,
    reruns: Reruns,
    streams: AtomicUsize,
}

pub(crate) fn run(arguments: &Serve, as_json: bool) -> Result<Answer, Failure> {
    let file = &arguments.model.model;
    if file == "-" {
        let message = "serve shows a file, and shows it again when it changes: name one";
        return Err(Failure::Usage(message.to_owned()));
    }
    let folder = match &arguments.folder {
        Some(folder) => folder.into(),
        None => Path::new(file)
            .parent()
            .map(Path::to_owned)
            .unwrap_or_default(),
    };
    let subject = Subject {
        file: file.clone(),
        set: arguments.model.set.clone(),
        folder,
    };
    // What is not there at all is told here; what is wrong with it, on the page.
    let about = |error: io::Error| Error::about(file, "E0910", error.to_string(), None);
    let file_or_error = std::fs::metadata(file).map_err(about)?;
    subject.folder().map_err(about)?;
    if !file_or_error.is_file() {
        return Err(Failure::Usage(format!(
            "{}: serve shows a file",
            visible(file)
        )));
    }
    let port = arguments.port.unwrap_or(0);
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| {
        let message = format!("cannot listen at port {port} of this machine: {error}; without --port, one that is free is taken");
        Failure::Unreadable(message)
    })?;
    let port = listener.local_addr().map_or(port, |it| it.port());
    let guard = Guard::new(port);
    let guard = guard.map_err(|error| Failure::Unreadable(format!("no random bits: {error}")))?;
    let server = Arc::new(Server {
        guard,
        session: Session::new(waiting_html(file)),
        subject,
        reruns: Reruns::new(),
        streams: AtomicUsize::new(0),
    });
    let (end, ended) = mpsc::channel();
    let unhandled = ctrlc::set_handler(move || {
        let _ = end.send(());
    });
    if let Err(error) = unhandled {
        return Err(Failure::Unreadable(format!("cannot hear Ctrl-C: {error}")));
    }
    spawn("model", &server, |server| {
        server.subject.keep_showing(&server.session)
    })?;
    spawn("listener", &server, move |server| {
        accept(&listener, &server)
    })?;
    let address = server.guard.address();
    let opened = arguments.no_open || browser::open(server.guard.entrance().as_ref());
    let text = match as_json {
        true => json!({ "status": "serving", "file": file, "address": address }).to_string(),
        false => {
            let alone = match opened {
                true => "",
                false => "; there is no browser to open it with: open the address yourself",
            };
            format!(
                "showing {} at {address}{alone}\nCtrl-C ends it",
                visible(file)
            )
        }
    };
    // Whoever does not read that has it in the browser.
    let _ = line(&text);
    let _ = ended.recv();
    Ok(Answer::nothing())
}

fn spawn(
    name: &str,
    server: &Arc<Server>,
    work: impl FnOnce(Arc<Server>) + Send + 'static,
) -> Result<(), Failure> {
    let server = Arc::clone(server);
    let thread = std::thread::Builder::new()
        .name(name.to_owned())
        .stack_size(STACK);
    let spawned = thread.spawn(move || work(server));
    match spawned {
        Ok(_) => Ok(()),
        Err(error) => Err(Failure::Unreadable(format!(
            "cannot start a thread: {error}"
        ))),
    }
}

fn accept(listener: &TcpListener, server: &Arc<Server>) {
    let connections = Connections::default();
    for stream in listener.incoming() {
        let Ok(stream) = stream else {
            // No file is left to be opened, maybe: connections end, and then there is.
            std::thread::sleep(Duration::from_millis(50));
            continue;
        };
        let Some(place) = connections.place(&stream) else {
            // Said without waiting for anything; dropped if that cannot be.
            let _ = stream.set_nonblocking(true);
            let _ = answer(&stream, "503 Service Unavailable", Kind::Text, "");
            continue;
        };
        // A thread that cannot be started drops the connection.
        let _ = spawn("connection", server, move |server| {
            // Nobody is told that the other side has gone.
            let _ = server.attend(&stream, &place);
        });
    }
}

impl Server {
    /// Reads one request and answers it.
    fn attend(&self, stream: &TcpStream, place: &Place) -> io::Result<()> {
        let _ = stream.set_nodelay(true);
        let request = match read(&mut Timed::new(stream, ARRIVED)) {
            Ok(request) => request,
            Err(refusal) => {
                return match refusal.status() {
                    // Without a body: of some methods an answer has none.
                    Some(status) => answer(stream, status, Kind::Text, ""),
                    None => Ok(()),
                };
            }
        };
        match self.guard.admit(&request) {
            Err(denied) => answer(stream, denied.status(), Kind::Text, denied.status()),
            Ok(Entry::Once) => elsewhere(stream, &self.guard.address()),
            Ok(Entry::Asked(what)) => self.give(what, &request, stream, place),
        }
    }

    fn give(
        &self,
        what: &str,
        request: &Request,
        stream: &TcpStream,
        place: &Place,
    ) -> io::Result<()> {
        let status = match (request.method, what) {
            (Method::Get, "") => {
                return answer(stream, "200 OK", Kind::Html, &self.session.page());
            }
            (Method::Get, "events") => {
                place.set_awaited(false);
                return self.stream(stream);
            }
            (Method::Post, "run")
                if request.content_type.as_deref() != Some("application/json") =>
            {
                "415 Unsupported Media Type"
            }
            (Method::Post, "run") => {
                place.set_awaited(false);
                let rerun = self.reruns.rerun(&self.subject, &request.body, stream);
                place.set_awaited(true);
                let (status, why) = match rerun {
                    Rerun::Moved(data) => return answer(stream, "200 OK", Kind::Json, &data),
                    Rerun::Refused(why) => ("422 Unprocessable Content", why),
                    Rerun::Malformed(why) => ("400 Bad Request", why),
                    Rerun::Busy => ("503 Service Unavailable", BUSY.to_owned()),
                    Rerun::Unwanted => return Ok(()),
                };
                let document = json!({ "error": why }).to_string();
                return answer(stream, status, Kind::Json, &document);
            }
            (Method::Get, "run") | (Method::Post, "" | "events") => {
                Refusal::Method.status().unwrap_or_default()
            }
            _ => "404 Not Found",
        };
        answer(stream, status, Kind::Text, status)
    }

    /// Tells a page all that is new, until it is gone.
    fn stream(&self, stream: &TcpStream) -> io::Result<()> {
        if self.streams.fetch_add(1, Ordering::Relaxed) >= MOST_STREAMS {
            self.streams.fetch_sub(1, Ordering::Relaxed);
            return answer(stream, "503 Service Unavailable", Kind::Text, "");
        }
        let told = self.tell(stream);
        self.streams.fetch_sub(1, Ordering::Relaxed);
        told
    }

    fn tell(&self, stream: &TcpStream) -> io::Result<()> {
        begin_stream(stream)?;
        let mut said = None;
        loop {
            match self.session.news(said, SILENCE) {
                Some((count, news)) => {
                    said = Some(count);
                    message(stream, Some(&serde_json::to_string(&news)?))?;
                }
                None if is_gone(stream) => return Ok(()),
                None => message(stream, None)?,
            }
        }
    }
}
