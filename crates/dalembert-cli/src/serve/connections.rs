//! Connections, of which there are only so many: one more takes the place of the one that has been waited for longest.

use std::collections::BTreeMap;
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How many there may be: so many that whoever has just come is not sent away by a crowd that came with him.
const MOST: usize = 256;

/// All connections that are open.
#[derive(Clone, Default)]
pub(super) struct Connections(Arc<Mutex<Open>>);

#[derive(Default)]
struct Open {
    next: u64,
    /// By age.
    list: BTreeMap<u64, Connection>,
}

struct Connection {
    stream: TcpStream,
    /// Whether we wait for the other side, and not it for us.
    awaited: bool,
}

/// The place of a connection, which is free again when this is dropped.
pub(super) struct Place {
    connections: Connections,
    number: u64,
}

impl Connections {
    fn open(&self) -> MutexGuard<'_, Open> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for another one; none if all are worked for.
    pub(super) fn place(&self, stream: &TcpStream) -> Option<Place> {
        let stream = stream.try_clone().ok()?;
        let mut open = self.open();
        if open.list.len() >= MOST {
            let oldest = open.list.iter().find(|(_, it)| it.awaited);
            let oldest = *oldest?.0;
            let left = open.list.remove(&oldest)?;
            // Whoever reads from it or writes to it is told so.
            let _ = left.stream.shutdown(Shutdown::Both);
        }
        let number = open.next;
        open.next += 1;
        let awaited = true;
        open.list.insert(number, Connection { stream, awaited });
        Some(Place {
            connections: self.clone(),
            number,
        })
    }
}

impl Place {
    /// From now on the other side waits for us, or we for it again.
    pub(super) fn set_awaited(&self, awaited: bool) {
        if let Some(connection) = self.connections.open().list.get_mut(&self.number) {
            connection.awaited = awaited;
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.connections.open().list.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::{Connections, MOST};
    use std::io::Read;
    use std::net::{TcpListener, TcpStream};

    #[test]
    fn the_one_waited_for_longest_makes_room() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Connections::default();
        let mut pairs = Vec::new();
        let mut connect = || {
            let client = TcpStream::connect(address).unwrap();
            let (server, _) = listener.accept().unwrap();
            let place = connections.place(&server);
            let there = place.is_some();
            pairs.push((client, server, place));
            there
        };
        for _ in 0..MOST {
            assert!(connect());
        }
        pairs[0].2.as_ref().unwrap().set_awaited(false);
        let connect = || {
            let client = TcpStream::connect(address).unwrap();
            let (server, _) = listener.accept().unwrap();
            (client, connections.place(&server))
        };
        let (_client, place) = connect();
        assert!(place.is_some());
        // The second of all was told to go; the first is worked for.
        assert!(matches!(pairs[1].1.read(&mut [0]), Ok(0)));
        for (_, _, place) in &pairs[2..] {
            place.as_ref().unwrap().set_awaited(false);
        }
        place.as_ref().unwrap().set_awaited(false);
        assert!(connect().1.is_none(), "nobody is waited for");
        drop(pairs.pop());
        assert!(connect().1.is_some(), "a place is free again");
    }
}
