//! Every bit of a thousand rows of tables that were really played is flipped: in the row, in an exported file, in a backup and in the pages of the
//! database. A flip is found, or it changed nothing.
//!
//! By default a sample of the bits of a few tables is flipped. `BOXPERSON_TAMPER=all` flips every bit of a hundred tables of ten rows each; of the
//! pages of the database, every bit of one table's, and a sample of all.

use crate::house::{Place, ask, opening, wish};
use craps_server::live::pit::now;
use craps_server::live::{By, DiceFrom};
use craps_store::{HeadKey, NewRow, PublicKey, Row, SignedHead, Store, Verifier, read_export};
use craps_table::Crew;
use sqlx::{Connection as _, SqliteConnection};
use std::fs::{self, File};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

/// Rows of each table.
const ROWS: usize = 10;

fn is_long() -> bool {
    std::env::var("BOXPERSON_TAMPER").is_ok_and(|value| value == "all")
}

/// The distance of the bits that are flipped. It is a prime, so that every place in a byte is flipped.
fn step(short: usize) -> usize {
    if is_long() { 1 } else { short }
}

#[expect(clippy::print_stdout, reason = "a long run prints its figures")]
fn tell(text: &str) {
    println!("flips: {text}");
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap()
}

/// Plays at these many tables and returns the first rows of each.
async fn played(tables: usize) -> Vec<Vec<Row>> {
    let place = Place::new();
    let pit = place.pit().await;
    let mut logs = Vec::new();
    for number in 0..tables {
        let table = format!("table-{number:03}");
        pit.open(&table, opening(Crew::Automatic, DiceFrom::Secret), By::machine(), now()).await.unwrap();
        for (who, seat) in [("ann", 1), ("bo", 2)] {
            let join = ask(who, seat, wish::join(who, 50_000));
            let key = Some(join.wish.keyed(format!("{who}'s key")));
            pit.ask(&table, craps_server::live::pit::Ask { key, ..join }).await.unwrap();
        }
        // Other bets at every table.
        let words = ["field 5", "12 on the six", "hard 8 for 5", "any craps 5; 12 on the eight"][number % 4];
        while pit.store().head(&table).await.unwrap().seq < ROWS as u64 {
            for (who, seat, words) in [("ann", 1, "pass 5"), ("bo", 2, words), ("ann", 1, "field 5")] {
                let _ = pit.ask(&table, ask(who, seat, wish::talk(words))).await;
            }
            let _ = pit.ask(&table, ask("bo", 2, wish::plain("undo"))).await;
            for (who, seat) in [("ann", 1), ("bo", 2)] {
                let _ = pit.ask(&table, ask(who, seat, wish::plain("roll"))).await;
            }
        }
        let rows = pit.store().load(&table, 0, u32::try_from(ROWS).unwrap()).await.unwrap();
        assert_eq!(rows.len(), ROWS);
        logs.push(rows);
    }
    pit.close().await;
    logs
}

/// A store with these logs, which are signed.
struct Copy {
    folder: tempfile::TempDir,
    file: PathBuf,
    key: HeadKey,
    heads: Vec<SignedHead>,
}

impl Copy {
    async fn of(logs: &[Vec<Row>]) -> Copy {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("copy.db");
        let store = Store::open(file.to_str().unwrap()).await.unwrap();
        for rows in logs {
            let new = rows.iter().cloned();
            let new = new.map(|Row { at, client, key, body, .. }| NewRow { at, client, key, body }).collect();
            assert_eq!(store.append(&rows[0].table, 0, new).await.unwrap(), *rows);
        }
        let key = HeadKey::open_or_create(&folder.path().join("copy.key")).unwrap();
        let heads = store.sign_heads(&key, 0).await.unwrap();
        store.close().await;
        Copy { folder, file, key, heads }
    }

    async fn open(&self) -> Store {
        Store::open(self.file.to_str().unwrap()).await.unwrap()
    }

    async fn export(&self) -> Vec<u8> {
        let (store, mut file) = (self.open().await, Vec::new());
        store.export(None, &self.key, 0, &mut file).await.unwrap();
        store.close().await;
        file
    }

    async fn backup(&self) -> Vec<u8> {
        let store = self.open().await;
        store.people().add_account("ann", "a hash", 0).await.unwrap();
        let to = self.folder.path().join("copy.backup");
        store.backup(&to, 0).await.unwrap();
        store.close().await;
        fs::read(to).unwrap()
    }
}

/// What came of some flips.
#[derive(Default)]
struct Counts {
    flips: u64,
    /// Flips that made a text no text.
    unreadable: u64,
    /// Flips of bytes that mean nothing, such as free space.
    harmless: u64,
    /// Flips that changed something and weren't found, by place.
    missed: Vec<String>,
}

impl Counts {
    fn add(&mut self, other: Counts) {
        self.flips += other.flips;
        self.unreadable += other.unreadable;
        self.harmless += other.harmless;
        self.missed.extend(other.missed);
    }

    /// Prints the counts. The test fails if a flip was missed.
    fn end(self, what: &str) {
        let Counts { flips, unreadable, harmless, missed } = self;
        let missing = missed.len();
        tell(&format!(
            "{what}: {flips} bits, {unreadable} made a text unreadable, {harmless} changed nothing, {missing} not found"
        ));
        assert!(missed.is_empty(), "{what}: {:#?}", &missed[..missing.min(20)]);
        assert!(flips > harmless, "{what}");
    }
}

/// Does the work for each item on all cores.
fn on_all_cores<T: Sync>(items: &[T], work: impl Fn(usize, &T) -> Counts + Sync) -> Counts {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let next = std::sync::atomic::AtomicUsize::new(0);
    let mut all = Counts::default();
    std::thread::scope(|scope| {
        let run = || {
            let mut counts = Counts::default();
            loop {
                let at = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                let Some(item) = items.get(at) else { return counts };
                counts.add(work(at, item));
            }
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
        workers.into_iter().for_each(|worker| all.add(worker.join().unwrap()));
    });
    all
}

/// The fields of a row as bytes. A missing key has none.
fn fields(row: &Row) -> [Vec<u8>; 8] {
    let text = |text: &str| text.as_bytes().to_vec();
    let key = row.key.as_ref().map_or_else(Vec::new, |key| text(key));
    let numbers = [row.seq.to_be_bytes().to_vec(), row.at.to_be_bytes().to_vec()];
    let [seq, at] = numbers;
    [text(&row.table), seq, at, text(&row.client), key, text(&row.prev), text(&row.hash), text(&row.body)]
}

/// Returns the row with another field. `None` if the bytes aren't a text, which no database and no file can return.
fn with(row: &Row, field: usize, bytes: &[u8]) -> Option<Row> {
    let mut row = row.clone();
    match field {
        1 => row.seq = u64::from_be_bytes(bytes.try_into().unwrap()),
        2 => row.at = i64::from_be_bytes(bytes.try_into().unwrap()),
        _ => {
            let text = str::from_utf8(bytes).ok()?.to_owned();
            match field {
                0 => row.table = text,
                3 => row.client = text,
                4 => row.key = Some(text),
                5 => row.prev = text,
                6 => row.hash = text,
                _ => row.body = text,
            }
        }
    }
    Some(row)
}

fn flipped_in_rows(rows: &[Row], heads: &[SignedHead], step: usize) -> Counts {
    let (mut counts, mut bits) = (Counts::default(), 0);
    let mut heads_known = Verifier::new(None, None);
    heads.iter().filter(|head| head.table == rows[0].table).for_each(|head| heads_known.head(head));
    for (at, row) in rows.iter().enumerate() {
        for (field, bytes) in fields(row).into_iter().enumerate() {
            for bit in 0..bytes.len() * 8 {
                bits += 1;
                if bits % step != 0 {
                    continue;
                }
                counts.flips += 1;
                let mut flipped = bytes.clone();
                flipped[bit / 8] ^= 1 << (bit % 8);
                let Some(changed) = with(row, field, &flipped) else {
                    counts.unreadable += 1;
                    continue;
                };
                let mut verifier = heads_known.clone();
                if let Some(before) = at.checked_sub(1) {
                    verifier.resume(&row.table, rows[before].head());
                }
                verifier.row(&changed);
                rows[at + 1..].iter().for_each(|row| verifier.row(row));
                if verifier.finish().findings.is_empty() {
                    counts.missed.push(format!("{}, row {}, field {field}, bit {bit}", row.table, row.seq));
                }
            }
        }
    }
    counts
}

fn flipped_in_file(mut file: Vec<u8>, name: &str, key: &PublicKey, step: usize) -> Counts {
    let mut counts = Counts::default();
    let is_sound = |file: &[u8]| read_export(file, &[], Some(key), |_| ()).unwrap().findings.is_empty();
    assert!(is_sound(&file), "{name}");
    for bit in (0..file.len() * 8).step_by(step) {
        file[bit / 8] ^= 1 << (bit % 8);
        counts.flips += 1;
        if is_sound(&file) {
            counts.missed.push(format!("{name}, bit {bit}"));
        }
        file[bit / 8] ^= 1 << (bit % 8);
    }
    counts
}

/// Everything that a reader gets from the database, on the way through its indexes and around them.
async fn contents(file: &Path, logs: &[Vec<Row>]) -> Result<String, Box<dyn std::error::Error>> {
    let url = file.to_str().unwrap_or_default();
    let store = Store::open_to_read(url).await?;
    let read = async {
        let mut all = format!("{} {:?}", store.id(), store.tables().await?);
        for rows in logs {
            all += &format!("{:?}", store.load(&rows[0].table, 0, u32::MAX).await?);
            for row in rows {
                if let Some(key) = &row.key {
                    all += &format!("{:?}", store.find(&row.table, &row.client, key).await?);
                }
            }
        }
        Ok::<_, craps_store::StoreError>(all + &format!("{:?}", store.signed_heads().await?))
    };
    let mut all = read.await?;
    store.close().await;
    let mut plain = SqliteConnection::connect(url).await?;
    let sql = "SELECT table_id, seq, at, client, key, prev, hash, body FROM log NOT INDEXED ORDER BY rowid";
    type Columns = (String, i64, i64, String, Option<String>, String, String, String);
    let rows: Vec<Columns> = sqlx::query_as(sql).fetch_all(&mut plain).await?;
    plain.close().await?;
    all += &format!("{rows:?}");
    Ok(all)
}

/// Does an audit of the database find something? It reads everything, and runs the database's own check.
async fn is_found(file: &Path, key: &PublicKey) -> bool {
    let Ok(store) = Store::open_to_read(file.to_str().unwrap()).await else { return true };
    let chain = store.verify(&[], Some(key)).await.map(|verified| verified.findings.len());
    let own = store.check_integrity().await.map(|found| found.len());
    store.close().await;
    !matches!((chain, own), (Ok(0), Ok(0)))
}

/// Flips these bits of the file of a database, one at a time.
fn flipped_in_database(copy: &Copy, logs: &[Vec<Row>], bits: &[usize]) -> Counts {
    let sound = runtime().block_on(contents(&copy.file, logs)).unwrap();
    assert!(!runtime().block_on(is_found(&copy.file, &copy.key.public())));
    let parts: Vec<&[usize]> = bits.chunks(bits.len().div_ceil(16).max(1)).collect();
    on_all_cores(&parts, |_, bits| {
        let (runtime, folder) = (runtime(), tempfile::tempdir().unwrap());
        let path = folder.path().join("flipped.db");
        fs::copy(&copy.file, &path).unwrap();
        let file = File::options().read(true).write(true).open(&path).unwrap();
        let mut counts = Counts::default();
        for bit in *bits {
            let (place, mut byte) = ((bit / 8) as u64, [0]);
            file.read_exact_at(&mut byte, place).unwrap();
            file.write_all_at(&[byte[0] ^ 1 << (bit % 8)], place).unwrap();
            counts.flips += 1;
            if !runtime.block_on(is_found(&path, &copy.key.public())) {
                match runtime.block_on(contents(&path, logs)) {
                    Ok(same) if same == sound => counts.harmless += 1,
                    Ok(_) => counts.missed.push(format!("bit {bit} of the database")),
                    Err(error) => counts.missed.push(format!("bit {bit} of the database: {error}")),
                }
            }
            file.write_all_at(&byte, place).unwrap();
        }
        counts
    })
}

/// Returns the pages that the log, its indexes, its end and its heads are in.
async fn pages_of(copy: &Copy, table: &str) -> Vec<usize> {
    let bytes = fs::read(&copy.file).unwrap();
    let size = usize::from(u16::from_be_bytes([bytes[16], bytes[17]]));
    let mut database = SqliteConnection::connect(copy.file.to_str().unwrap()).await.unwrap();
    let sql = "SELECT rootpage FROM sqlite_schema WHERE tbl_name IN ('log', 'ends', 'heads')";
    let roots: Vec<(i64,)> = sqlx::query_as(sql).fetch_all(&mut database).await.unwrap();
    database.close().await.unwrap();
    let has = |page: &[u8]| page.windows(table.len()).any(|bytes| bytes == table.as_bytes());
    let pages = bytes.chunks(size).enumerate();
    let is_root = |at: usize| roots.iter().any(|(root,)| usize::try_from(*root) == Ok(at + 1));
    pages
        .filter(|(at, page)| is_root(*at) || has(page))
        .flat_map(|(at, _)| at * size * 8..(at + 1) * size * 8)
        .collect()
}

#[test]
fn no_bit_of_real_rows_can_be_flipped_unseen() {
    let logs = runtime().block_on(played(if is_long() { 100 } else { 3 }));
    let copy_of = |logs: &[Vec<Row>]| runtime().block_on(Copy::of(logs));
    let all = copy_of(&logs);
    tell(&format!("{} rows of {} tables", logs.iter().map(Vec::len).sum::<usize>(), logs.len()));
    on_all_cores(&logs, |_, rows| flipped_in_rows(rows, &all.heads, step(13))).end("rows");

    let copies: Vec<(&str, Copy)> =
        logs.iter().map(|rows| (rows[0].table.as_str(), copy_of(std::slice::from_ref(rows)))).collect();
    let flipped = |_: usize, (name, copy): &(&str, Copy)| {
        flipped_in_file(runtime().block_on(copy.export()), name, &copy.key.public(), step(61))
    };
    on_all_cores(&copies, flipped).end("exported files");
    // A backup has the lines of an export, and the private records.
    let flipped = |_: usize, (name, copy): &(&str, Copy)| {
        flipped_in_file(runtime().block_on(copy.backup()), name, &copy.key.public(), step(61))
    };
    on_all_cores(&copies[..copies.len().min(5)], flipped).end("backups of one table");
    let (backup, key) = (runtime().block_on(all.backup()), all.key.public());
    flipped_in_file(backup, "backup", &key, if is_long() { 997 } else { 499 })
        .end("a sample of a backup of all tables");
}

#[test]
fn no_bit_of_the_pages_of_a_database_can_be_flipped_unseen() {
    let logs = runtime().block_on(played(if is_long() { 100 } else { 3 }));
    let one = runtime().block_on(Copy::of(&logs[..1]));
    let bits = runtime().block_on(pages_of(&one, &logs[0][0].table));
    let bits: Vec<usize> = bits.into_iter().step_by(step(463)).collect();
    flipped_in_database(&one, &logs[..1], &bits).end("pages of the log of one table");
    let all = runtime().block_on(Copy::of(&logs));
    let size = usize::try_from(fs::metadata(&all.file).unwrap().len()).unwrap() * 8;
    let bits: Vec<usize> = (0..size).step_by(if is_long() { 601 } else { 8_009 }).collect();
    flipped_in_database(&all, &logs, &bits).end("a sample of the file of a database of all tables");
}
