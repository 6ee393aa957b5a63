//! Long jobs. A job waits for its turn, reports its progress and can be canceled, and its result is kept for a while. The number of jobs is limited,
//! in total and per client.

use crate::error::ApiError;
use axum::http::StatusCode;
use craps_sim::Watch;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, Semaphore, watch};

/// Limits on jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// How many jobs run at once.
    pub running: usize,
    /// How many jobs can wait for their turn.
    pub waiting: usize,
    /// How many jobs of one client can run or wait.
    pub each: usize,
    /// How many results are kept.
    pub kept: usize,
    /// How long a result is kept.
    pub keep: Duration,
    /// How long a job can run. Then it ends with what it has.
    pub longest: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            running: 2,
            waiting: 32,
            each: 4,
            kept: 200,
            keep: Duration::from_secs(15 * 60),
            longest: Duration::from_secs(60),
        }
    }
}

/// State of a job.
#[derive(Debug)]
pub enum Stage<T> {
    /// Waiting for its turn.
    Waiting,
    /// Running.
    Running,
    /// Finished, with its result.
    Done(Arc<T>),
    /// Canceled, with the partial result if it had begun.
    Cancelled(Option<Arc<T>>),
    /// Failed, with the reason.
    Failed(String),
}

impl<T> Clone for Stage<T> {
    fn clone(&self) -> Stage<T> {
        match self {
            Stage::Waiting => Stage::Waiting,
            Stage::Running => Stage::Running,
            Stage::Done(result) => Stage::Done(Arc::clone(result)),
            Stage::Cancelled(result) => Stage::Cancelled(result.clone()),
            Stage::Failed(why) => Stage::Failed(why.clone()),
        }
    }
}

impl<T> Stage<T> {
    /// Returns the name of the state, such as `running`.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Stage::Waiting => "waiting",
            Stage::Running => "running",
            Stage::Done(_) => "done",
            Stage::Cancelled(_) => "cancelled",
            Stage::Failed(_) => "failed",
        }
    }

    /// Has the job ended?
    #[must_use]
    pub fn is_over(&self) -> bool {
        !matches!(self, Stage::Waiting | Stage::Running)
    }

    /// Returns the result, which may be partial.
    #[must_use]
    pub fn result(&self) -> Option<&Arc<T>> {
        match self {
            Stage::Done(result) => Some(result),
            Stage::Cancelled(result) => result.as_ref(),
            _ => None,
        }
    }
}

/// A job with its owner, progress and state.
#[derive(Debug)]
pub struct Job<T> {
    /// Id of the job. It is random and can't be guessed.
    pub id: String,
    /// Client who started the job.
    pub owner: String,
    /// How many sessions it plays.
    pub sessions: u64,
    played: AtomicU64,
    thrown: AtomicU64,
    cancelled: AtomicBool,
    cancel: Notify,
    until: OnceLock<Instant>,
    stage: watch::Sender<Stage<T>>,
    ended: OnceLock<Instant>,
}

impl<T> Job<T> {
    /// Returns the state of the job.
    #[must_use]
    pub fn stage(&self) -> Stage<T> {
        self.stage.borrow().clone()
    }

    /// Subscribes to changes of the state.
    #[must_use]
    pub fn steps(&self) -> watch::Receiver<Stage<T>> {
        self.stage.subscribe()
    }

    /// Returns how many sessions and rolls were played so far.
    #[must_use]
    pub fn progress(&self) -> (u64, u64) {
        (self.played.load(Ordering::Relaxed), self.thrown.load(Ordering::Relaxed))
    }

    /// Cancels the job. A running job ends soon with what it has; a finished job stays as it is.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
        self.cancel.notify_one();
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    fn end(&self, stage: Stage<T>) {
        let _ = self.ended.set(Instant::now());
        self.stage.send_replace(stage);
    }
}

impl<T: Send + Sync> Watch for Job<T> {
    fn advanced(&self, sessions: u64, throws: u64) {
        self.played.fetch_add(sessions, Ordering::Relaxed);
        self.thrown.fetch_add(throws, Ordering::Relaxed);
    }

    fn stops(&self) -> bool {
        self.is_cancelled() || self.until.get().is_some_and(|until| *until <= Instant::now())
    }
}

/// All jobs that run, wait or are kept.
#[derive(Debug)]
pub struct Jobs<T> {
    limits: Limits,
    turns: Arc<Semaphore>,
    all: Mutex<HashMap<String, Arc<Job<T>>>>,
}

impl<T> Default for Jobs<T> {
    fn default() -> Jobs<T> {
        Jobs::new(Limits::default())
    }
}

impl<T> Jobs<T> {
    /// Creates an empty set of jobs with these limits.
    #[must_use]
    pub fn new(limits: Limits) -> Jobs<T> {
        Jobs { limits, turns: Arc::new(Semaphore::new(limits.running)), all: Mutex::default() }
    }

    fn all(&self) -> MutexGuard<'_, HashMap<String, Arc<Job<T>>>> {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        let is_kept = |job: &Job<T>| job.ended.get().is_none_or(|ended| ended.elapsed() < self.limits.keep);
        all.retain(|_, job| is_kept(job));
        all
    }

    /// Returns the job with this id.
    ///
    /// # Errors
    /// When there is no such job, or it is no longer kept.
    pub fn find(&self, id: &str) -> Result<Arc<Job<T>>, ApiError> {
        let gone = || ApiError::not_found(format!("There is no job `{id}`. Results are deleted after a while."));
        self.all().get(id).cloned().ok_or_else(gone)
    }

    /// Cancels all jobs when the server shuts down.
    pub fn close(&self) {
        self.all().values().for_each(|job| job.cancel());
    }
}

impl<T: Send + Sync + 'static> Jobs<T> {
    /// Starts a job that plays `sessions` sessions.
    ///
    /// # Errors
    /// When too many jobs run and wait, of this client or in total.
    pub fn start(
        &self,
        owner: &str,
        sessions: u64,
        work: impl FnOnce(&Job<T>) -> Result<T, String> + Send + 'static,
    ) -> Result<Arc<Job<T>>, ApiError> {
        let mut all = self.all();
        let later = |status, words: String| ApiError::later(status, "too-many-jobs", words, 5);
        if open(&all, Some(owner)) >= self.limits.each {
            let words = format!(
                "You already have {} jobs running or waiting. Wait for one to end, or cancel one.",
                self.limits.each
            );
            return Err(later(StatusCode::TOO_MANY_REQUESTS, words));
        }
        if open(&all, None) >= self.limits.running + self.limits.waiting {
            let words = "Too many jobs are waiting. Try again in a moment.".to_owned();
            return Err(later(StatusCode::SERVICE_UNAVAILABLE, words));
        }
        // Make room for one more result.
        while all.len() - open(&all, None) >= self.limits.kept.max(1) {
            let oldest = all.values().filter_map(|job| Some((*job.ended.get()?, job.id.clone()))).min();
            let Some((_, id)) = oldest else { break };
            all.remove(&id);
        }
        let job = Arc::new(Job {
            id: id()?,
            owner: owner.to_owned(),
            sessions,
            played: AtomicU64::new(0),
            thrown: AtomicU64::new(0),
            cancelled: AtomicBool::new(false),
            cancel: Notify::new(),
            until: OnceLock::new(),
            stage: watch::Sender::new(Stage::Waiting),
            ended: OnceLock::new(),
        });
        all.insert(job.id.clone(), Arc::clone(&job));
        tokio::spawn(done(Arc::clone(&job), Arc::clone(&self.turns), self.limits.longest, work));
        Ok(job)
    }
}

/// Counts the jobs that run or wait, of one client or in total.
fn open<T>(all: &HashMap<String, Arc<Job<T>>>, owner: Option<&str>) -> usize {
    all.values().filter(|job| job.ended.get().is_none() && owner.is_none_or(|owner| job.owner == owner)).count()
}

/// Waits for a turn, does the work and keeps the result.
async fn done<T: Send + Sync + 'static>(
    job: Arc<Job<T>>,
    turns: Arc<Semaphore>,
    longest: Duration,
    work: impl FnOnce(&Job<T>) -> Result<T, String> + Send + 'static,
) {
    let turn = tokio::select! {
        turn = turns.acquire_owned() => turn,
        () = job.cancel.notified() => return job.end(Stage::Cancelled(None)),
    };
    // A job that was canceled just as its turn came hasn't begun.
    let (Ok(turn), false) = (turn, job.is_cancelled()) else { return job.end(Stage::Cancelled(None)) };
    let _ = job.until.set(Instant::now() + longest);
    job.stage.send_replace(Stage::Running);
    let own = Arc::clone(&job);
    let ended = tokio::task::spawn_blocking(move || {
        // The turn ends with the work, even if a canceled job takes a while to stop.
        let _turn = turn;
        work(&own)
    });
    let stage = match ended.await {
        Ok(Ok(result)) if job.is_cancelled() => Stage::Cancelled(Some(Arc::new(result))),
        Ok(Ok(result)) => Stage::Done(Arc::new(result)),
        Ok(Err(why)) => Stage::Failed(why),
        Err(_) => Stage::Failed("The run failed because of a bug in the server.".to_owned()),
    };
    job.end(stage);
}

/// Creates a random id that can't be guessed.
fn id() -> Result<String, ApiError> {
    let mut bytes = [0u8; 16];
    let none =
        |_| ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "no-randomness", "The system has no random numbers.");
    getrandom::fill(&mut bytes).map_err(none)?;
    Ok(bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    const SMALL: Limits = Limits {
        running: 1,
        waiting: 2,
        each: 2,
        kept: 2,
        keep: Duration::from_secs(10),
        longest: Duration::from_secs(5),
    };

    /// Returns work that runs until it is released or told to stop.
    fn held() -> (mpsc::Sender<()>, impl FnOnce(&Job<u32>) -> Result<u32, String> + Send + 'static) {
        let (release, wait) = mpsc::channel::<()>();
        let work = move |job: &Job<u32>| {
            job.advanced(1, 10);
            while !job.stops() {
                match wait.recv_timeout(Duration::from_millis(1)) {
                    Err(mpsc::RecvTimeoutError::Timeout) => {}
                    _ => break,
                }
            }
            Ok(7)
        };
        (release, work)
    }

    async fn over(job: &Job<u32>) -> Stage<u32> {
        job.steps().wait_for(Stage::is_over).await.unwrap().clone()
    }

    async fn running(job: &Job<u32>) {
        let _ = job.steps().wait_for(|stage| !matches!(stage, Stage::Waiting)).await.unwrap();
    }

    #[tokio::test]
    async fn a_job_runs_says_how_far_it_is_and_keeps_its_result() {
        let jobs = Jobs::new(SMALL);
        let (release, work) = held();
        let job = jobs.start("ann", 5, work).unwrap();
        assert_eq!(job.id.len(), 32);
        running(&job).await;
        release.send(()).unwrap();
        assert!(matches!(over(&job).await, Stage::Done(result) if *result == 7));
        assert_eq!((job.progress(), job.sessions), ((1, 10), 5));
        assert_eq!(jobs.find(&job.id).unwrap().stage().word(), "done");
        assert_eq!(jobs.find("nowhere").unwrap_err().status(), StatusCode::NOT_FOUND);
    }

    #[tokio::test]
    async fn what_runs_is_cancelled_with_what_it_has_and_what_waits_never_begins() {
        let jobs = Jobs::new(SMALL);
        let (_keep, work) = held();
        let first = jobs.start("ann", 1, work).unwrap();
        running(&first).await;
        let (_keep, work) = held();
        let second = jobs.start("ann", 1, work).unwrap();
        second.cancel();
        assert!(matches!(over(&second).await, Stage::Cancelled(None)));
        assert_eq!(second.progress(), (0, 0));
        first.cancel();
        assert!(matches!(over(&first).await, Stage::Cancelled(Some(result)) if *result == 7));
        // Canceling again does no harm.
        first.cancel();
        assert_eq!(first.stage().word(), "cancelled");
    }

    #[tokio::test]
    async fn there_are_only_so_many_of_one_client_and_altogether() {
        let jobs = Jobs::new(SMALL);
        let mut kept = Vec::new();
        let mut start = |owner: &str| {
            let (release, work) = held();
            kept.push(release);
            jobs.start(owner, 1, work)
        };
        let first = start("ann").unwrap();
        start("ann").unwrap();
        assert_eq!(start("ann").unwrap_err().status(), StatusCode::TOO_MANY_REQUESTS);
        start("bo").unwrap();
        let refused = start("cy").unwrap_err();
        assert_eq!((refused.status(), refused.problem().code), (StatusCode::SERVICE_UNAVAILABLE, "too-many-jobs"));
        first.cancel();
        over(&first).await;
        start("ann").unwrap();
        jobs.close();
        let all: Vec<_> = jobs.all().values().cloned().collect();
        for job in all {
            assert_eq!(over(&job).await.word(), "cancelled");
        }
    }

    #[tokio::test]
    async fn results_are_forgotten_after_a_while_and_the_oldest_when_there_are_many() {
        let jobs = Jobs::new(SMALL);
        let mut done = Vec::new();
        for number in 0..3u32 {
            let job = jobs.start("ann", 1, move |_| Ok(number)).unwrap();
            over(&job).await;
            done.push(job.id.clone());
        }
        assert!(jobs.find(&done[0]).is_err() && jobs.find(&done[1]).is_ok() && jobs.find(&done[2]).is_ok());
        let last = jobs.start("ann", 1, |_| Err("no".to_owned())).unwrap();
        assert!(matches!(over(&last).await, Stage::Failed(why) if why == "no"));
        assert!(jobs.find(&done[1]).is_err() && jobs.find(&done[2]).is_ok());
        let jobs = Jobs::new(Limits { keep: Duration::ZERO, ..SMALL });
        let (release, work) = held();
        let job = jobs.start("ann", 1, work).unwrap();
        assert!(jobs.find(&job.id).is_ok(), "an unfinished job isn't deleted");
        release.send(()).unwrap();
        over(&job).await;
        assert!(jobs.find(&job.id).is_err());
    }

    #[tokio::test]
    async fn a_job_that_takes_too_long_ends_with_what_it_has_and_one_that_breaks_says_so() {
        let jobs = Jobs::new(Limits { longest: Duration::from_millis(20), ..SMALL });
        let (_keep, work) = held();
        let long = jobs.start("ann", 1, work).unwrap();
        assert!(matches!(over(&long).await, Stage::Done(_)));
        let broken = jobs.start("ann", 1, |_| panic!("on purpose")).unwrap();
        assert!(matches!(over(&broken).await, Stage::Failed(why) if why.contains("bug in the server")));
        let (release, work) = held();
        let next = jobs.start("ann", 1, work).unwrap();
        release.send(()).unwrap();
        assert!(matches!(over(&next).await, Stage::Done(_)), "the turn was given back");
    }
}
