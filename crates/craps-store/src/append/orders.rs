//! The writer's core in many orders: its queue, the flush, the answers and the herald are the real ones. Only the database is a model: logs in memory
//! behind a lock, which two writers share like two servers one PostgreSQL. It fails before a commit, and loses the answers of commits that are
//! stored, not stored, or stored too late to be seen at once. Shuttle chooses the order in which tasks go on.
//!
//! `BOXPERSON_ORDERS` sets the number of orders.

use super::*;
use shuttle::future::{block_on, spawn, yield_now};
use shuttle::rand::{Rng as _, thread_rng};
use std::sync::{Mutex, PoisonError};

const TABLES: [&str; 2] = ["north", "south"];
const CLIENTS: usize = 3;
const COMMANDS: usize = 3;

/// A database in memory.
#[derive(Default)]
struct Memory {
    logs: Mutex<HashMap<String, Vec<Row>>>,
    locked: Mutex<bool>,
    /// A writer that panics is a bug of the test, not of the writer.
    failures: Mutex<u32>,
}

fn of<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An error that passes.
fn passing() -> sqlx::Error {
    sqlx::Error::WorkerCrashed
}

impl Memory {
    /// Takes the lock of all logs.
    async fn lock(&self) {
        while std::mem::replace(&mut *of(&self.locked), true) {
            yield_now().await;
        }
    }

    fn unlock(&self) {
        *of(&self.locked) = false;
    }

    /// Does the database fail now? Not forever: callers must get their answers.
    fn fails(&self) -> bool {
        let mut failures = of(&self.failures);
        let fails = *failures < 12 && thread_rng().gen_range(0..4) == 0;
        *failures += u32::from(fails);
        fails
    }

    fn end(&self, table: &str) -> Head {
        of(&self.logs).get(table).and_then(|rows| rows.last()).map(Row::head).unwrap_or_default()
    }

    fn add(&self, rows: Vec<Row>) {
        for row in rows {
            assert_eq!(
                self.end(&row.table),
                Head { seq: row.seq - 1, hash: row.prev.clone() },
                "a row follows the end of its log"
            );
            of(&self.logs).entry(row.table.clone()).or_default().push(row);
        }
    }

    fn found(&self, row: impl Fn(&Row) -> bool) -> Vec<Row> {
        of(&self.logs).values().flatten().filter(|found| row(found)).cloned().collect()
    }
}

impl Commits for Arc<Memory> {
    async fn attempt(&self, asks: &[Ask]) -> Result<Vec<Answer>, Failure> {
        self.lock().await;
        yield_now().await;
        if self.fails() {
            self.unlock();
            return Err(Failure::Before(passing()));
        }
        let mut heads: HashMap<String, Head> =
            TABLES.iter().map(|table| ((*table).to_owned(), self.end(table))).collect();
        let rows = self.found(|_| true);
        let mut known: HashMap<Command, Row> = rows.into_iter().filter_map(|row| Some((command(&row)?, row))).collect();
        let (mut answers, mut fresh) = (Vec::new(), Vec::new());
        for ask in asks {
            let answer = judge(ask, &heads, &known);
            for rows in answer.iter().flatten() {
                known.extend(rows.iter().filter_map(|row| Some((command(row)?, row.clone()))));
                heads.extend(rows.last().map(|last| (last.table.clone(), last.head())));
                fresh.extend_from_slice(rows);
            }
            answers.push(answer);
        }
        yield_now().await;
        if !self.fails() {
            self.add(fresh);
            self.unlock();
            return Ok(answers);
        }
        // The answer to the commit is lost.
        match thread_rng().gen_range(0..3) {
            0 => self.unlock(),
            1 => {
                self.add(fresh);
                self.unlock();
            }
            _ => {
                // The commit goes on, and holds the lock until it is stored.
                let memory = Arc::clone(self);
                spawn(async move {
                    yield_now().await;
                    memory.add(fresh);
                    memory.unlock();
                });
            }
        }
        Err(Failure::AtCommit(passing()))
    }

    async fn look(&self, asks: &[Ask]) -> Result<Vec<Option<Vec<Vec<Row>>>>, sqlx::Error> {
        self.lock().await;
        let fails = self.fails();
        let mut stored = Vec::new();
        for ask in asks {
            let parts = ask.parts.iter().map(|part| {
                let from = part.expected;
                let to = from + part.rows.len() as u64;
                let rows = self.found(|row| row.table == part.table && row.seq > from && row.seq <= to);
                let same =
                    rows.len() == part.rows.len() && rows.iter().zip(&part.rows).all(|(row, new)| is_of(row, new));
                same.then_some(rows)
            });
            stored.push(parts.collect());
        }
        self.unlock();
        if fails { Err(passing()) } else { Ok(stored) }
    }

    async fn wait(&self) {
        yield_now().await;
    }
}

/// Sends a client's commands through one of the writers, each until it is done. Returns the bodies and the rows that it was told. The commands of the
/// first client have no keys: it relies on it that a conflict means that nothing was stored. The others sometimes give up waiting and send a command
/// again.
async fn client(number: usize, queues: Vec<mpsc::Sender<Ask>>, memory: Arc<Memory>) -> Vec<(String, u64)> {
    let mut told = Vec::new();
    for command in 0..COMMANDS {
        let body = format!("{number}-{command}");
        let key = (number > 0).then(|| body.clone());
        loop {
            let table = TABLES[(number + command) % TABLES.len()].to_owned();
            let queue = &queues[thread_rng().gen_range(0..queues.len())];
            // The client may know an old end of the log.
            let expected = memory.end(&table).seq;
            if thread_rng().gen_range(0..2) == 0 {
                yield_now().await;
            }
            let new = NewRow { at: 0, client: format!("client {number}"), key: key.clone(), body: body.clone() };
            let (reply, answer) = oneshot::channel();
            let ask = Ask {
                parts: vec![Part { table: table.clone(), expected, rows: vec![new] }],
                reply,
                span: Span::none(),
            };
            assert!(queue.send(ask).await.is_ok(), "the writer is gone");
            if key.is_some() && thread_rng().gen_range(0..4) == 0 {
                yield_now().await;
                continue;
            }
            match answer.await {
                Ok(Ok(rows)) => {
                    told.push((body, rows[0][0].seq));
                    break;
                }
                Ok(Err(AppendError::Duplicate { row })) => {
                    told.push((body, row.seq));
                    break;
                }
                Ok(Err(AppendError::Conflict { head, .. })) => assert!(head.seq <= memory.end(&table).seq),
                Ok(Err(AppendError::NotStored(_))) => {}
                Ok(Err(error)) => panic!("{error}"),
                Err(_) => panic!("the writer gave no answer"),
            }
        }
    }
    told
}

/// Two writers on one database, clients of both, and a listener.
fn one_order() {
    block_on(async {
        let memory = Arc::new(Memory::default());
        let herald = Herald::new("node".to_owned());
        let (mut queues, mut writers) = (Vec::new(), Vec::new());
        for _ in 0..2 {
            let (queue, inbox) = mpsc::channel(2);
            queues.push(queue);
            let (memory, herald) = (Arc::clone(&memory), herald.clone());
            writers.push(spawn(async move { serve(&memory, &herald, inbox).await }));
        }
        let (mut heard, listens) = (herald.subscribe(), Arc::clone(&memory));
        let listener = spawn(async move {
            let mut last: HashMap<String, u64> = HashMap::new();
            while let Some(moved) = heard.next().await {
                let Moved::Head { table, seq } = moved else { panic!("the listener was too slow") };
                assert!(listens.end(&table).seq >= seq, "nobody hears of a row that isn't stored");
                let known = last.entry(table).or_default();
                *known = seq.max(*known);
            }
            last
        });
        let clients: Vec<_> =
            (0..CLIENTS).map(|number| spawn(client(number, queues.clone(), Arc::clone(&memory)))).collect();
        let mut told = Vec::new();
        for client in clients {
            told.extend(client.await.unwrap());
        }
        drop(queues);
        for writer in writers {
            writer.await.unwrap();
        }
        drop(herald);
        let heard = listener.await.unwrap();

        let rows = memory.found(|_| true);
        assert_eq!((rows.len(), told.len()), (CLIENTS * COMMANDS, CLIENTS * COMMANDS), "every command is done once");
        for (body, seq) in told {
            let found: Vec<u64> = rows.iter().filter(|row| row.body == body).map(|row| row.seq).collect();
            assert_eq!(found, [seq], "{body} is in the row that its sender was told");
        }
        for table in TABLES {
            let rows = memory.found(|row| row.table == table);
            assert_eq!(crate::chain::verify_chain(&rows, &[]), []);
            assert_eq!(
                heard.get(table).copied().unwrap_or_default(),
                memory.end(table).seq,
                "the listener heard of the end"
            );
        }
    });
}

#[test]
fn in_every_order_each_command_is_stored_once_before_anyone_hears_of_it() {
    let orders = std::env::var("BOXPERSON_ORDERS");
    let orders = orders.map_or(2_000, |text| text.parse().expect("BOXPERSON_ORDERS: a number"));
    let since = std::time::Instant::now();
    shuttle::check_random(one_order, orders);
    // Orders with few changes of the task find other mistakes.
    shuttle::check_pct(one_order, orders, 3);
    println!("orders: {} orders of the store's writer in {} s", 2 * orders, since.elapsed().as_secs());
}
