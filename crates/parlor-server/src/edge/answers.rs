//! Requests under way, until their answers are read: how many of them an address may have.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::Client;
use super::by_address::{ByAddress, GivingWay, Place};
use super::progress::Progress;
use crate::error::Error;

/// Time without progress after which an answer can give way to those of others.
const PATIENCE: Duration = Duration::from_secs(1);
/// Time after which an answer that is read slowly can give way to those of an address that has fewer.
const SLOW: Duration = Duration::from_millis(300);
/// Size of all answers, in bytes.
const MAX_BYTES: usize = 96 << 20;
/// Size for which an answer counts until it is computed, in bytes.
const EXPECTED: usize = 64 << 10;
/// Part of the free room, as a divisor, that an address may take once half of all room is taken.
const SHARE: usize = 8;
/// Memory that an answer takes beside its text, such as for packing it, in bytes.
const OVERHEAD: usize = 16 << 10;

/// Answers of all clients that are being computed or read.
#[derive(Debug)]
pub(crate) struct Answers {
    max: usize,
    max_per_address: usize,
    open: Mutex<OpenAnswers>,
}

#[derive(Debug, Default)]
struct OpenAnswers {
    by_address: ByAddress<OpenAnswer>,
    /// Those whose clients let the server wait.
    stuck: GivingWay,
    /// Those that are read slowly.
    slow: GivingWay,
    /// Sum of their sizes.
    bytes: usize,
}

#[derive(Debug)]
struct OpenAnswer {
    progress: Arc<Progress>,
    /// Size in bytes, as far as it is known.
    bytes: usize,
}

/// Permit for one answer, returned when dropped.
#[derive(Debug)]
pub(crate) struct AnswerPermit {
    answers: Arc<Answers>,
    place: Place,
}

impl Answers {
    pub(crate) fn new(max: usize, max_per_address: usize) -> Answers {
        Answers {
            max,
            max_per_address,
            open: Mutex::default(),
        }
    }

    /// Acquires a permit for an answer. If the server has too many, one whose client neither sends the
    /// rest of the request nor reads is dropped for it.
    ///
    /// # Errors
    /// 503 if the client has too many, or the server has and no client lets it wait.
    pub(super) fn open(
        self: &Arc<Answers>,
        client: Client,
        progress: Arc<Progress>,
    ) -> Result<AnswerPermit, Error> {
        let mut open = self.lock();
        if open.by_address.len_of(client) >= self.max_per_address {
            return Err(refused(
                "too many answers to your address are not read yet: read them first",
            ));
        }
        let has_share = open.by_address.len_of(client) < open.share(self.max);
        if !has_share && !open.make_room(client) {
            return Err(refused(
                "the server has too many answers to send; try again",
            ));
        }
        let bytes = EXPECTED;
        let answer = OpenAnswer { progress, bytes };
        let place = open.by_address.add(client, answer);
        open.bytes += bytes;
        open.show();
        Ok(AnswerPermit {
            answers: self.clone(),
            place,
        })
    }

    /// Returns how many answers a client has, and how many there are in all.
    pub(super) fn len_of(&self, client: Client) -> (usize, usize) {
        let open = self.lock();
        (open.by_address.len_of(client), open.by_address.len())
    }

    fn lock(&self) -> MutexGuard<'_, OpenAnswers> {
        // No code that can panic runs while this lock is held.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn refused(detail: &str) -> Error {
    metrics::counter!("parlor_answers_refused_total").increment(1);
    Error::crowded(detail)
}

impl OpenAnswers {
    /// Returns how many answers an address may have now. Those who have many leave room for those who
    /// have few.
    fn share(&self, max: usize) -> usize {
        let whole = max.min(MAX_BYTES / EXPECTED);
        let unused = MAX_BYTES.saturating_sub(self.bytes) / EXPECTED;
        let free = max.saturating_sub(self.by_address.len()).min(unused);
        if 2 * free >= whole {
            usize::MAX
        } else {
            free.div_ceil(SHARE)
        }
    }

    /// Drops an answer whose client lets the server wait, or else one that an address with more answers
    /// than this one reads slowly; returns false if there is none.
    fn make_room(&mut self, client: Client) -> bool {
        let now = Instant::now();
        let stuck = |answer: &OpenAnswer| {
            let since = answer.progress.stalled_since()?;
            Some(since).filter(|since| now.saturating_duration_since(*since) >= PATIENCE)
        };
        let slow = |answer: &OpenAnswer| {
            let since = answer.progress.awaited_since()?;
            Some(since).filter(|since| now.saturating_duration_since(*since) >= SLOW)
        };
        let own = self.by_address.len_of(client);
        let open = &mut self.by_address;
        let stalled = self.stuck.remove_from(open, 0, stuck);
        let stalled = stalled.or_else(|| self.slow.remove_from(open, own + 2, slow));
        if let Some(stalled) = &stalled {
            self.bytes -= stalled.bytes;
            stalled.progress.drop_stalled();
        }
        stalled.is_some()
    }

    fn show(&self) {
        metrics::gauge!("parlor_answers").set(self.by_address.len() as f64);
        metrics::gauge!("parlor_answers_bytes").set(self.bytes as f64);
    }
}

impl AnswerPermit {
    /// Counts the size of the answer's text, in bytes. Answers that are not read give way if all of
    /// them are too large.
    pub(super) fn weigh(&self, text: usize) {
        let mut open = self.answers.lock();
        let Some(answer) = open.by_address.get_mut(self.place) else {
            return;
        };
        let (was, is) = (answer.bytes, text.saturating_add(OVERHEAD));
        answer.bytes = is;
        open.bytes = (open.bytes - was).saturating_add(is);
        while open.bytes > MAX_BYTES && open.make_room(self.place.client()) {}
        open.show();
    }
}

impl Drop for AnswerPermit {
    fn drop(&mut self) {
        let mut open = self.answers.lock();
        // An answer that gave way is no longer there.
        if let Some(answer) = open.by_address.remove(self.place) {
            open.bytes -= answer.bytes;
        }
        open.show();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(n: u8) -> Client {
        Client([10, 0, 0, n].into())
    }

    #[test]
    fn what_is_read_slowly_gives_way_to_those_who_have_less() {
        let answers = Arc::new(Answers::new(16, 16));
        let trickle = |n| {
            let progress = Progress::slow(SLOW);
            progress.begin();
            answers.open(client(n), Arc::new(progress))
        };
        let mut held: Vec<AnswerPermit> = std::iter::from_fn(|| trickle(1).ok()).collect();
        held.extend((2..9).filter_map(|n| trickle(n).ok()));
        assert_eq!(answers.lock().by_address.len(), 16);
        let of_first = || answers.lock().by_address.len_of(client(1));
        let before = of_first();
        assert!(trickle(9).is_ok());
        assert_eq!(of_first(), before - 1);
        held.extend(trickle(10).ok());
        assert!(trickle(1).is_err(), "nobody has more");
    }

    #[test]
    fn an_address_and_the_server_have_so_many_answers() {
        let answers = Arc::new(Answers::new(3, 2));
        let open = |n| answers.open(client(n), Arc::default());
        let first = open(1).unwrap();
        let _second = open(1).unwrap();
        let refusal = open(1).unwrap_err();
        assert_eq!(refusal.status, 503);
        assert!(
            refusal.detail.contains("your address"),
            "{}",
            refusal.detail
        );
        let _third = open(2).unwrap();
        let refusal = open(2).unwrap_err();
        assert!(refusal.detail.contains("the server"), "{}", refusal.detail);
        drop(first);
        assert!(open(2).is_err(), "the last place is for who has none");
        assert!(open(3).is_ok());
    }

    #[tokio::test]
    async fn a_request_that_does_not_arrive_gives_way_to_others() {
        let answers = Arc::new(Answers::new(2, 2));
        let [arriving, computed] = [(); 2].map(|()| Arc::<Progress>::default());
        arriving.set_arriving(true);
        let _both = [arriving.clone(), computed].map(|progress| answers.open(client(1), progress));
        tokio::time::sleep(PATIENCE).await;
        assert!(answers.open(client(2), Arc::default()).is_ok());
        arriving.cut().wait().await;
    }

    #[tokio::test]
    async fn an_unread_answer_gives_way_to_others() {
        let answers = Arc::new(Answers::new(2, 2));
        let [unread, computed] = [(); 2].map(|()| Arc::<Progress>::default());
        unread.begin();
        let _both = [unread.clone(), computed].map(|progress| answers.open(client(1), progress));
        assert!(
            answers.open(client(2), Arc::default()).is_err(),
            "it may be read yet"
        );
        tokio::time::sleep(PATIENCE).await;
        assert!(answers.open(client(2), Arc::default()).is_ok());
        unread.cut().wait().await;
    }

    #[tokio::test]
    async fn large_answers_that_nobody_reads_give_way_before_there_are_many() {
        let answers = Arc::new(Answers::new(1_000, 1_000));
        let unread: Vec<_> = (0..4).map(|_| Arc::<Progress>::default()).collect();
        let permits: Vec<_> = unread
            .iter()
            .map(|progress| {
                progress.begin();
                let permit = answers.open(client(1), progress.clone()).unwrap();
                permit.weigh(MAX_BYTES / 4);
                permit
            })
            .collect();
        assert!(
            answers.open(client(2), Arc::default()).is_err(),
            "they may be read yet"
        );
        tokio::time::sleep(PATIENCE).await;
        let small = answers.open(client(2), Arc::default()).unwrap();
        small.weigh(1_000);
        unread[0].cut().wait().await;
        drop((permits, small));
        assert_eq!(answers.lock().bytes, 0);
    }

    #[test]
    fn many_who_take_all_they_can_leave_room_for_others() {
        let answers = Arc::new(Answers::new(4_096, 256));
        let mut permits = Vec::new();
        for _ in 0..256 {
            for n in 0..200 {
                permits.extend(answers.open(client(n), Arc::default()));
            }
        }
        assert!(permits.len() > 1_000, "{} of all room", permits.len());
        for n in 200..250 {
            assert!(answers.open(client(n), Arc::default()).is_ok());
        }
    }
}
