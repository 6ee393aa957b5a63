//! The simulated disk. Every step of the store's way to its database passes here. A step can be slow, fail before or after its effect, find the disk
//! full, or be the moment at which the process is killed. While the database works, nothing else runs, so that a seed always comes to the same end.

use crate::chance::Chance;
use crate::history::History;
use craps_store::{Disk, Fate, Step};
use futures_util::future::{BoxFuture, FutureExt as _};
use sqlx::error::{DatabaseError, ErrorKind};
use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::future::Future;
use std::io;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};

/// How long a node waits for the other's transaction, as the store does with a real database.
const PATIENCE: Duration = Duration::from_secs(10);

/// The tasks of the database library run here, in real time.
static DATABASE: LazyLock<Runtime> = LazyLock::new(|| {
    Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap_or_else(|error| panic!("{error}"))
});

/// How bad things are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weather {
    /// No faults at all, and every step takes no time: while a simulation is prepared, and at its end.
    Calm,
    /// A fault now and then.
    Fair,
    /// A fault in every few steps.
    Rough,
    /// The disk is full: nothing can be written.
    Full,
    /// The disk can't be reached.
    Gone,
}

const WEATHERS: [Weather; 5] = [Weather::Calm, Weather::Fair, Weather::Rough, Weather::Full, Weather::Gone];

/// What all nodes share: the file, its lock, and the weather.
pub struct Drive {
    pub chance: Chance,
    pub history: Arc<History>,
    weather: AtomicU8,
    /// How many more times a node may be killed.
    kills: AtomicU32,
    lock: Arc<Semaphore>,
}

impl Drive {
    pub fn new(seed: u64, history: Arc<History>) -> Drive {
        let chance = Chance::of(seed ^ 0xd15c);
        let kills = u32::try_from(chance.below(5)).unwrap_or_default();
        Drive {
            chance,
            history,
            weather: AtomicU8::new(0),
            kills: AtomicU32::new(kills),
            lock: Arc::new(Semaphore::new(1)),
        }
    }

    pub fn set_weather(&self, weather: Weather) {
        self.weather.store(weather as u8, Ordering::SeqCst);
    }

    pub fn weather(&self) -> Weather {
        WEATHERS[usize::from(self.weather.load(Ordering::SeqCst))]
    }

    /// Decides how a step to a file next to the database fails, if it does.
    pub fn file_fault(&self, writes: bool) -> Option<io::Error> {
        let fails = match self.weather() {
            Weather::Calm => false,
            Weather::Fair => self.chance.one_in(100),
            Weather::Rough => self.chance.one_in(8),
            Weather::Full => writes,
            Weather::Gone => true,
        };
        let kind = if writes { io::ErrorKind::StorageFull } else { io::ErrorKind::PermissionDenied };
        fails.then(|| {
            self.history.note(&format!("a file fails: {kind}"));
            io::Error::from(kind)
        })
    }

    /// Is a node killed at this step? Most often at a commit, where most is at stake.
    fn kills(&self, step: Step) -> bool {
        let left = |left: u32| left.checked_sub(1);
        self.chance.one_in(if step == Step::Commit { 60 } else { 600 })
            && self.kills.fetch_update(Ordering::SeqCst, Ordering::SeqCst, left).is_ok()
    }

    /// Decides how long a step takes, in milliseconds, and how it goes.
    fn plan(&self, step: Step) -> (u64, Plan) {
        let (often, slow) = match self.weather() {
            Weather::Calm => return (0, Plan::Pass),
            Weather::Fair => (250, 300),
            Weather::Rough => (12, 30),
            Weather::Full if step.locks() || step == Step::Commit => return (self.chance.below(4), Plan::Full),
            Weather::Gone => return (self.chance.below(4), Plan::Lost),
            Weather::Full => (250, 300),
        };
        let time = match self.chance.below(10) {
            0..7 => 0,
            _ if self.chance.one_in(slow) => self.chance.between(1_000, 12_000),
            _ => self.chance.between(1, 6),
        };
        let plan = match () {
            () if self.kills(step) => *self.chance.pick(&[Plan::Kill, Plan::KillAfter]),
            () if !self.chance.one_in(often) => Plan::Pass,
            () => {
                *self.chance.pick(&[Plan::Busy, Plan::Io, Plan::Full, Plan::Lost, Plan::LoseAnswer, Plan::LoseAnswer])
            }
        };
        (time, plan)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Plan {
    Pass,
    /// Another program has the lock.
    Busy,
    /// The disk reports an error.
    Io,
    Full,
    /// The connection is lost before the step.
    Lost,
    /// The connection is lost after the step.
    LoseAnswer,
    /// The process is killed before the step.
    Kill,
    /// The process is killed after the step, before it does anything else.
    KillAfter,
}

/// The disk as one node sees it, from its start until it is killed.
pub struct SimDisk {
    drive: Arc<Drive>,
    name: String,
    dead: AtomicBool,
    /// It is killed at its next step.
    doomed: AtomicBool,
    death: Notify,
    held: Mutex<Option<OwnedSemaphorePermit>>,
}

impl fmt::Debug for SimDisk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SimDisk({})", self.name)
    }
}

impl SimDisk {
    pub fn new(drive: &Arc<Drive>, name: String) -> Arc<SimDisk> {
        let (dead, doomed, death) = (AtomicBool::new(false), AtomicBool::new(false), Notify::new());
        Arc::new(SimDisk { drive: Arc::clone(drive), name, dead, doomed, death, held: Mutex::default() })
    }

    pub fn is_dead(&self) -> bool {
        self.dead.load(Ordering::SeqCst)
    }

    /// Completes when the node is killed.
    pub async fn died(&self) {
        let death = self.death.notified();
        if !self.is_dead() {
            death.await;
        }
    }

    /// Kills the node: nothing that it does reaches the disk or the network any more.
    pub fn kill(&self, why: &str) {
        if !self.dead.swap(true, Ordering::SeqCst) {
            self.drive.history.note(&format!("{} is killed: {why}", self.name));
            self.death.notify_waiters();
        }
    }

    async fn taken(&self, step: Step) -> Option<Fate> {
        if self.is_dead() {
            return None;
        }
        if self.doomed.load(Ordering::SeqCst) {
            self.kill(&format!("before {step:?}"));
            return None;
        }
        let (time, plan) = self.drive.plan(step);
        if time > 0 {
            sleep(Duration::from_millis(time)).await;
        }
        if plan == Plan::Kill {
            self.kill(&format!("at {step:?}"));
            return None;
        }
        if plan != Plan::Pass {
            self.drive.history.note(&format!("{}: {plan:?} at {step:?}", self.name));
        }
        let fate = match plan {
            Plan::Pass => Fate::Pass,
            Plan::KillAfter => {
                self.doomed.store(true, Ordering::SeqCst);
                Fate::Pass
            }
            Plan::Busy => Fate::Fails(coded("5", "database is locked")),
            Plan::Io => Fate::Fails(coded("10", "disk I/O error")),
            Plan::Full => Fate::Fails(coded("13", "database or disk is full")),
            Plan::Lost => Fate::Fails(lost()),
            Plan::LoseAnswer => Fate::Forgets(lost()),
            Plan::Kill => return None,
        };
        if step.locks() && !matches!(fate, Fate::Fails(_)) {
            let permit = timeout(PATIENCE, Arc::clone(&self.drive.lock).acquire_owned()).await;
            let Ok(Ok(permit)) = permit else { return Some(Fate::Fails(coded("5", "database is locked"))) };
            if self.is_dead() {
                return None;
            }
            *self.held.lock().unwrap_or_else(PoisonError::into_inner) = Some(permit);
        }
        (!self.is_dead()).then_some(fate)
    }
}

impl Disk for SimDisk {
    fn step(&self, step: Step) -> BoxFuture<'_, Fate> {
        async move {
            let died = pin!(self.died());
            let taken = pin!(self.taken(step));
            match futures_util::future::select(died, taken).await {
                futures_util::future::Either::Left(_) => Fate::Never,
                futures_util::future::Either::Right((fate, _)) => fate.unwrap_or(Fate::Never),
            }
        }
        .boxed()
    }

    fn unlock(&self) {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    fn run(&self, work: Pin<&mut (dyn Future<Output = ()> + Send)>) {
        at_once(work);
    }
}

/// Wakes a thread that waits for its work.
struct Woken(Thread);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Runs work of the database to its end on this thread.
pub fn at_once<T>(work: impl Future<Output = T>) -> T {
    let _in_real_time = DATABASE.enter();
    let waker = Waker::from(Arc::new(Woken(std::thread::current())));
    let mut context = Context::from_waker(&waker);
    let mut work = pin!(tokio::task::unconstrained(work));
    loop {
        match work.as_mut().poll(&mut context) {
            Poll::Ready(done) => return done,
            Poll::Pending => std::thread::park(),
        }
    }
}

fn lost() -> sqlx::Error {
    sqlx::Error::Io(io::Error::from(io::ErrorKind::ConnectionReset))
}

fn coded(code: &'static str, message: &'static str) -> sqlx::Error {
    sqlx::Error::Database(Box::new(Coded { code, message }))
}

/// An error of SQLite.
#[derive(Debug)]
struct Coded {
    code: &'static str,
    message: &'static str,
}

impl fmt::Display for Coded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "(code: {}) {}", self.code, self.message)
    }
}

impl Error for Coded {}

impl DatabaseError for Coded {
    fn message(&self) -> &str {
        self.message
    }

    fn code(&self) -> Option<Cow<'_, str>> {
        Some(Cow::from(self.code))
    }

    fn as_error(&self) -> &(dyn Error + Send + Sync + 'static) {
        self
    }

    fn as_error_mut(&mut self) -> &mut (dyn Error + Send + Sync + 'static) {
        self
    }

    fn into_error(self: Box<Self>) -> Box<dyn Error + Send + Sync + 'static> {
        self
    }

    fn kind(&self) -> ErrorKind {
        ErrorKind::Other
    }
}
