//! One simulation: nodes on one database file, their clocks, and the people who play. One seed is one run.

use crate::chance::{Chance, source};
use crate::clients;
use crate::disk::{Drive, SimDisk, Weather};
use crate::history::{Broken, History};
use crate::network::{Call, Person, Reply};
use crate::promises::{Promise, Promises, Wrong};
use axum::Router;
use craps_law::{HouseRules, Library};
use craps_notation::RulesTag;
use craps_server::audit::Auditor;
use craps_server::live::pit::{now, told};
use craps_server::live::{By, DiceFrom, Live, Opening, Seal};
use craps_server::people::records::Records;
use craps_server::people::{Role, Settings};
use craps_server::testing::{Core, by_clock, catch_up, simulate, start};
use craps_server::{Clock, Shared, router};
use craps_store::testing::{draw_from, fail_files, open_on, tell};
use craps_store::{Before, Moved, SealKey, Session, Store, new_id, token_hash};
use craps_table::Crew;
use serde_json::json;
use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tempfile::TempDir;
use tokio::sync::broadcast::error::RecvError;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

static LIBRARY: LazyLock<Arc<Library>> = LazyLock::new(|| Arc::new(Library::shipped()));

/// The tables: one where money is real, one for practice, and one with a crew of people.
pub const TABLES: [&str; 3] = ["live", "practice", "crew"];
/// A day in November 2026, in Unix milliseconds.
const TODAY: i64 = 1_795_000_000_000;
const HOUR: i64 = 3_600_000;
/// When every session ends. No jump of a clock comes near it.
const NEVER: i64 = TODAY + 1_000_000 * HOUR;
/// How long the work of everybody may take after the last fault.
const PATIENCE: Duration = Duration::from_secs(300);

/// The clock of a machine, which anybody can set.
pub struct Machine {
    since: Instant,
    /// Thousandths by which it is too fast.
    drift: i64,
    pub wrong: AtomicI64,
}

impl Machine {
    fn now(&self) -> i64 {
        let passed = i64::try_from(self.since.elapsed().as_millis()).unwrap_or(i64::MAX);
        TODAY + passed + passed * self.drift / 1_000 + self.wrong.load(Ordering::SeqCst)
    }
}

/// A node, up or down.
pub struct Node {
    pub machine: Arc<Machine>,
    up: Mutex<Option<Arc<Up>>>,
}

impl Node {
    pub fn up(&self) -> Option<Arc<Up>> {
        self.up.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// A node that runs.
pub struct Up {
    pub name: String,
    pub app: Shared,
    pub router: Router,
    pub disk: Arc<SimDisk>,
    pub clock: Arc<Clock>,
}

/// Everything in a simulation.
pub struct World {
    pub chance: Chance,
    pub history: Arc<History>,
    pub drive: Arc<Drive>,
    pub nodes: Vec<Node>,
    pub seal: SealKey,
    promises: Mutex<Promises>,
    folder: PathBuf,
    url: String,
}

impl World {
    pub fn promises(&self) -> MutexGuard<'_, Promises> {
        self.promises.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn is_calm(&self) -> bool {
        self.drive.weather() == Weather::Calm
    }

    pub fn judge(&self, checked: Result<(), Wrong>) {
        if let Err((promise, what)) = checked {
            self.history.broken(promise, &what);
        }
    }

    /// Starts a node, as the server starts.
    async fn begin(&self, node: usize, disk: &Arc<SimDisk>) -> Result<(Core, Arc<Clock>), String> {
        let machine = Arc::clone(&self.nodes[node].machine);
        let clock = Arc::new(Clock::of(move || machine.now()));
        let store = open_on(&self.url, Arc::<SimDisk>::clone(disk)).await.map_err(|error| error.to_string())?;
        let settings =
            Settings { rate: 1_000_000, burst: 1_000_000, guests: 1_000_000, seats: 1_000, ..Settings::default() };
        let key = self.folder.join("heads.key");
        let core = start(store, Arc::clone(&LIBRARY), Arc::clone(&clock), (&key, self.seal.clone()), settings);
        Ok((by_clock(Arc::clone(&clock), core).await?, clock))
    }

    /// Starts a node, waits until it is killed, and starts it again, as an operator would.
    async fn keep(self: Arc<Self>, node: usize) {
        for life in 1_u32.. {
            let name = format!("node {node}.{life}");
            let disk = SimDisk::new(&self.drive, name.clone());
            let started = {
                let died = std::pin::pin!(disk.died());
                let begun = std::pin::pin!(self.begin(node, &disk));
                match futures_util::future::select(died, begun).await {
                    futures_util::future::Either::Left(_) => None,
                    futures_util::future::Either::Right((begun, _)) => Some(begun),
                }
            };
            match started {
                None => {}
                Some(Err(why)) => {
                    if why.contains("not what was signed") {
                        self.history.broken(Promise::LogOnlyGrows, &why);
                    }
                    // The folder has another name each time.
                    let why = why.replace(&self.folder.display().to_string(), "");
                    disk.kill(&format!("it doesn't start: {why}"));
                }
                Some(Ok((core, clock))) => {
                    let Core { app, chores } = core;
                    let up = Up {
                        name: name.clone(),
                        router: router(Arc::clone(&app)),
                        app,
                        disk: Arc::clone(&disk),
                        clock,
                    };
                    let up = Arc::new(up);
                    self.history.note(&format!("{name} is up"));
                    let checked = self.promises().restarted();
                    self.judge(checked);
                    let mut work = JoinSet::new();
                    for table in TABLES {
                        work.spawn(Arc::clone(&self).listen(Arc::clone(&up), table));
                    }
                    work.spawn(Arc::clone(&self).pass_on(Arc::clone(&up), node));
                    *self.nodes[node].up.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&up));
                    disk.died().await;
                    *self.nodes[node].up.lock().unwrap_or_else(PoisonError::into_inner) = None;
                    drop(chores);
                }
            }
            // A dead process has nothing open. What it was about to do doesn't happen.
            let checked = self.promises().restarted();
            self.judge(checked);
            sleep(Duration::from_millis(self.chance.between(50, 2_000))).await;
        }
    }

    /// Listens to a table at a node.
    async fn listen(self: Arc<Self>, up: Arc<Up>, table: &'static str) {
        while !up.disk.is_dead() {
            let Ok((mut next, mut heard)) = up.app.pit.listen_from(table, |live| live.head().0 + 1).await else {
                sleep(Duration::from_millis(200)).await;
                continue;
            };
            loop {
                match heard.recv().await {
                    Ok(_) if up.disk.is_dead() => return,
                    Ok(told) => {
                        let checked = self.promises().heard(&told.row, next);
                        self.judge(checked);
                        next = told.row.seq + 1;
                    }
                    Err(RecvError::Lagged(_)) => break self.history.note("a listener is too slow"),
                    Err(RecvError::Closed) => break,
                }
            }
        }
    }

    /// Tells the other nodes about rows, as PostgreSQL does. Some notifications are lost, and then the others are told to look again.
    async fn pass_on(self: Arc<Self>, up: Arc<Up>, from: usize) {
        let mut moves = up.app.store().subscribe();
        while let Some(moved) = moves.next().await {
            sleep(Duration::from_millis(self.chance.between(1, 40))).await;
            let lost = self.chance.one_in(20);
            if lost {
                sleep(Duration::from_millis(self.chance.between(200, 2_000))).await;
            }
            if up.disk.is_dead() {
                return;
            }
            let others = self.nodes.iter().enumerate().filter(|(node, _)| *node != from);
            for other in others.filter_map(|(_, node)| node.up()) {
                tell(other.app.store(), if lost { Moved::LookAgain } else { moved.clone() });
            }
        }
    }

    /// Changes the weather and the clocks while people play.
    async fn troubles(self: Arc<Self>) {
        loop {
            sleep(Duration::from_millis(self.chance.between(200, 6_000))).await;
            if self.chance.one_in(3) {
                let node = self.chance.pick(&self.nodes);
                let by = *self.chance.pick(&[-400 * 24 * HOUR, -HOUR, -2_000, -300, 300, 2_000, 301_000]);
                node.machine.wrong.fetch_add(by, Ordering::SeqCst);
                self.history.note(&format!("a clock jumps by {by} ms"));
                continue;
            }
            let weather = *self.chance.pick(&[Weather::Rough, Weather::Rough, Weather::Full, Weather::Gone]);
            self.drive.set_weather(weather);
            self.history.note(&format!("weather: {weather:?}"));
            let long = if self.chance.one_in(4) { 15_000 } else { 2_500 };
            sleep(Duration::from_millis(self.chance.between(50, long))).await;
            self.drive.set_weather(Weather::Fair);
            self.history.note("weather: Fair");
        }
    }
}

/// Who takes part, with the ids of accounts.
pub struct Cast {
    pub pam: Person,
    pub pat: Person,
    pub mal: Person,
    pub dee: Person,
    pub dot: Person,
    pub cass: Person,
    pub ada: Person,
    pub gus: Person,
    pub gia: Person,
}

fn opening(book: &str, practice: bool, crew: Crew) -> Opening {
    let house = HouseRules::practice(LIBRARY.book(book).unwrap()).unwrap();
    Opening {
        name: "Simulated".to_owned(),
        rules: RulesTag::of(&house),
        house: house.tag(),
        game: None,
        crew,
        dice: if crew == Crew::People { DiceFrom::People } else { DiceFrom::Secret },
        practice,
        private: false,
        chat: true,
        window: None,
        asks: false,
        funded: true,
        slots: Vec::new(),
        witness: None,
    }
}

async fn person(store: &Store, seal: &Seal, name: &'static str, role: Option<Role>) -> Person {
    let who = match role {
        Some(role) => {
            let records = Records::new(store, "simulation");
            let account = records.add_account(name, "no hash").await.unwrap();
            let at = (role == Role::Dealer).then_some("crew");
            records.grant(&account.id, role, at, (None, None)).await.unwrap();
            if role == Role::Dealer {
                records.grant(&account.id, Role::Player, None, (None, None)).await.unwrap();
            }
            format!("a:{}", account.id)
        }
        None => format!("g:{}", new_id().unwrap()),
    };
    let (token, account) = (new_id().unwrap(), who.strip_prefix("a:").unwrap_or(&who).to_owned());
    // Used and created in the far future, so that no clock makes it old.
    let session =
        Session { token: token_hash(&token), account, created: NEVER, seen: NEVER, expires: NEVER, factor: None };
    store.people().add_session(&session).await.unwrap();
    Person { name, who, cookie: format!("{token}{}", seal.mark(&session)) }
}

/// Opens the tables and lets everybody in, without faults.
async fn prepare(store: &Store, up: &Up) -> Cast {
    for (table, book, practice, crew) in [
        ("live", "nj", false, Crew::Automatic),
        ("practice", "pa", true, Crew::Automatic),
        ("crew", "nj", false, Crew::People),
    ] {
        up.app.pit.open(table, opening(book, practice, crew), By::machine(), now()).await.unwrap();
    }
    let seal = up.app.pit.seal().await.unwrap();
    Cast {
        pam: person(store, seal, "Pam", Some(Role::Player)).await,
        pat: person(store, seal, "Pat", Some(Role::Player)).await,
        mal: person(store, seal, "Mal", Some(Role::Player)).await,
        dee: person(store, seal, "Dee", Some(Role::Dealer)).await,
        dot: person(store, seal, "Dot", Some(Role::Dealer)).await,
        cass: person(store, seal, "Cass", Some(Role::Cashier)).await,
        ada: person(store, seal, "Ada", Some(Role::Admin)).await,
        gus: person(store, seal, "Gus", None).await,
        gia: person(store, seal, "Gia", None).await,
    }
}

/// Result of a simulation.
#[derive(Debug)]
pub struct Outcome {
    pub seed: u64,
    pub steps: u64,
    pub rows: usize,
    pub digest: String,
    pub broken: Option<Broken>,
}

/// A folder in memory, if the system has one: the database waits for its disk often.
fn folder() -> TempDir {
    let memory = std::path::Path::new("/dev/shm");
    if memory.is_dir() { tempfile::tempdir_in(memory).unwrap() } else { tempfile::tempdir().unwrap() }
}

/// Runs the simulation of a seed.
pub fn run(seed: u64, loud: bool) -> Outcome {
    LazyLock::force(&LIBRARY);
    let folder = folder();
    draw_from(Some(Box::new(source(seed))));
    simulate(true);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    let outcome = runtime.block_on(simulation(seed, loud, folder.path().to_owned()));
    drop(runtime);
    fail_files(None);
    simulate(false);
    draw_from(None);
    outcome
}

async fn simulation(seed: u64, loud: bool, folder: PathBuf) -> Outcome {
    let history = Arc::new(History::new(loud));
    let drive = Arc::new(Drive::new(seed, Arc::clone(&history)));
    let chance = Chance::of(seed);
    let file = folder.join("tables.db");
    let url = file.to_str().unwrap().to_owned();
    let observer = SimDisk::new(&Arc::new(Drive::new(seed, Arc::clone(&history))), "observer".to_owned());
    let observer = open_on(&url, observer).await.unwrap();
    let seal = SealKey::from_bytes([7; 32]);
    let mut promises = Promises::over(&file);
    promises.set_seal(Seal::open(&observer, seal.clone(), false).await.unwrap());
    let machine = |chance: &Chance| Machine {
        since: Instant::now(),
        drift: *chance.pick(&[0, 0, 3, -3]),
        wrong: AtomicI64::new(i64::try_from(chance.below(5_000)).unwrap_or_default()),
    };
    let count = 1 + usize::from(chance.one_in(3));
    let node = |_| Node { machine: Arc::new(machine(&chance)), up: Mutex::default() };
    let nodes = (0..count).map(node).collect();
    let files = Arc::clone(&drive);
    fail_files(Some(Box::new(move |writes| files.file_fault(writes))));
    let world = Arc::new(World { nodes, chance, history, drive, seal, promises: Mutex::new(promises), folder, url });
    let alarm = Arc::clone(&world);
    let broken = std::pin::pin!(async move { alarm.history.alarm.notified().await });
    let played = std::pin::pin!(play(&world, &observer));
    futures_util::future::select(broken, played).await;
    let rows = world.promises().logs.values().map(Vec::len).sum();
    let history = &world.history;
    Outcome { seed, steps: history.steps(), rows, digest: history.digest(), broken: history.is_broken() }
}

async fn play(world: &Arc<World>, observer: &Store) {
    let mut nodes = JoinSet::new();
    for node in 0..world.nodes.len() {
        nodes.spawn(Arc::clone(world).keep(node));
    }
    let up = loop {
        match world.nodes[0].up() {
            Some(up) => break up,
            None => sleep(Duration::from_millis(10)).await,
        }
    };
    let cast = by_clock(Arc::clone(&up.clock), prepare(up.app.store(), &up)).await;
    drop(up);
    clients::fund(world, &cast).await;
    world.drive.set_weather(Weather::Fair);
    let mut troubles = JoinSet::new();
    troubles.spawn(Arc::clone(world).troubles());
    let mut people = clients::start(world, &cast);
    // People play for a while, and then everything gets well. Whoever waits for an answer must get one.
    let play = async { while people.join_next().await.is_some() {} };
    let time = Duration::from_millis(world.chance.between(20_000, 90_000));
    let in_time = timeout(time, play).await.is_ok();
    troubles.shutdown().await;
    world.drive.set_weather(Weather::Calm);
    world.history.note("all is calm from now on");
    if !in_time && timeout(PATIENCE, async { while people.join_next().await.is_some() {} }).await.is_err() {
        return world.history.broken(Promise::WorksAgain, "somebody still waits for an answer");
    }
    works_again(world, &cast).await;
    at_the_end(world, observer).await;
}

/// Every node takes commands again, and notices a jump of its clock.
async fn works_again(world: &Arc<World>, cast: &Cast) {
    // Copies that are on their way arrive.
    sleep(Duration::from_secs(30)).await;
    for (number, node) in world.nodes.iter().enumerate() {
        let Some(up) = node.up() else {
            return world.history.broken(Promise::WorksAgain, &format!("node {number} isn't up"));
        };
        for (person, table) in [(&cast.gus, "practice"), (&cast.pam, "live")] {
            let call = |what: &str, body, key: &str| {
                Call::to_table(person, table, what, body, format!("end-{table}-{number}-{key}"))
            };
            let ready = world.send(&Call::get(person, "/ready")).await;
            let words = world.send(&call("say", json!({ "words": "again" }), "say")).await;
            let seated = up.app.pit.look(table, |_| ()).await.is_ok();
            let good =
                |reply: &Option<Reply>| reply.as_ref().is_some_and(|reply| reply.is_done() || reply.status == 403);
            if !good(&ready) || !good(&words) || !seated {
                return world.history.broken(Promise::WorksAgain, &format!("{table}: {ready:?} {words:?}"));
            }
        }
        let noted = |world: &World| world.promises().logs.get(craps_store::SERVER).map_or(0, Vec::len);
        let before = noted(world);
        node.machine.wrong.fetch_add(2 * HOUR + 500 * 24 * HOUR, Ordering::SeqCst);
        sleep(Duration::from_secs(5)).await;
        let checked = world.promises().check();
        world.judge(checked);
        if noted(world) == before {
            return world.history.broken(Promise::JumpsAreRows, "the clock jumped ahead, and no row says so");
        }
    }
}

/// What can be checked only at the end.
async fn at_the_end(world: &Arc<World>, observer: &Store) {
    // Digests that are due are written.
    sleep(Duration::from_secs(20)).await;
    let ended = world.promises().ended();
    world.judge(ended);
    let verified = observer.verify(&[], None).await.unwrap();
    if !verified.findings.is_empty() {
        return world.history.broken(Promise::LogOnlyGrows, &format!("{:?}", verified.findings));
    }
    let mut auditor = Auditor::new(&LIBRARY);
    world.promises().logs.values().flatten().for_each(|row| auditor.row(row));
    let findings = auditor.finish().findings;
    if !findings.is_empty() {
        return world.history.broken(Promise::AuditFindsNothing, &format!("{findings:?}"));
    }
    for table in TABLES {
        states(world, observer, table).await;
    }
}

/// Compares the table at every node, every saved state and the second count of the money with what the log gives from its first row.
async fn states(world: &Arc<World>, observer: &Store, table: &str) {
    let mut shown = Vec::new();
    for up in world.nodes.iter().filter_map(Node::up) {
        let read = catch_up(&up.app.pit, table).await;
        match up.app.pit.look(table, |live| live.mark().map(|(mark, _)| mark)).await {
            Ok(Some(mark)) if read.is_ok() => shown.push((up.name.clone(), mark)),
            other => return world.history.broken(Promise::WorksAgain, &format!("{}: {table}: {other:?}", up.name)),
        }
    }
    let mut before = Before::End;
    while let Some(mark) = observer.mark(table, before).await.unwrap() {
        before = Before::Row(mark.seq);
        shown.push(("a saved state".to_owned(), mark));
    }
    let checked = world.promises().check();
    world.judge(checked);
    let rows = world.promises().logs[table].clone();
    let first = told(rows[0].clone()).unwrap();
    let mut live = Live::open(&LIBRARY, &first.entry, &first.row.hash).unwrap();
    live.stamp(first.row.at);
    for (number, row) in (1..).zip(&rows) {
        if number > 1 {
            let entry = live.names().read(&told(row.clone()).unwrap().entry).unwrap();
            live.apply(row.seq, &row.hash, &entry);
            live.stamp(row.at);
        }
        for (who, mark) in shown.iter().filter(|(_, mark)| mark.seq == number) {
            let state = live.mark().unwrap().0.body;
            if state != mark.body {
                let what = format!("{who} of {table}, row {number}: {} in place of {state}", mark.body);
                return world.history.broken(Promise::SavedStatesAreRight, &what);
            }
        }
    }
    let sums = {
        let promises = world.promises();
        promises.count(table).map(|count| count.sums().clone()).unwrap_or_default()
    };
    let accounts = live.table().accounts();
    let rails: i64 = live.table().seats().map(|(_, seat)| seat.rail.minor()).sum();
    let counted = (sums.came_in, sums.bank, sums.commission, sums.rails.values().sum::<i64>());
    let has = (accounts.came_in.minor(), accounts.bank.minor(), accounts.commission.minor(), rails);
    if counted != has {
        let what = format!("{table}: the rows give {counted:?} (in, bank, commission, rails), the table has {has:?}");
        world.history.broken(Promise::MoneyIsConserved, &what);
    }
}
