//! Parallel map with ordered results.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

/// Maps items to results on several threads and returns them in the items' order.
///
/// Each thread has its own state, created by `init`. The results are the same for any number of
/// threads if they do not depend on that state. `on_result` is called with the number of results so
/// far and each result when it is ready.
pub fn map<I: Sync, T, R: Send>(
    threads: usize,
    items: &[I],
    init: impl Fn() -> T + Sync,
    work: impl Fn(&mut T, &I) -> R + Sync,
    mut on_result: impl FnMut(usize, &R),
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let (send, receive) = channel();
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, items.len().max(1)) {
            let (send, next, init, work) = (send.clone(), &next, &init, &work);
            scope.spawn(move || {
                let mut state = init();
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else { return };
                    if send.send((at, work(&mut state, item))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        let mut results: Vec<(usize, R)> = Vec::with_capacity(items.len());
        while let Ok(result) = receive.recv() {
            on_result(results.len() + 1, &result.1);
            results.push(result);
        }
        results.sort_by_key(|(at, _)| *at);
        results.into_iter().map(|(_, result)| result).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::map;

    #[test]
    fn results_come_back_in_order_from_any_number_of_threads() {
        let items: Vec<u64> = (0..500).collect();
        for threads in [0, 1, 3, 1000] {
            let mut counts = Vec::new();
            let squares = map(
                threads,
                &items,
                || (),
                |(), item| item * item,
                |n, _| counts.push(n),
            );
            assert_eq!(
                squares,
                items.iter().map(|item| item * item).collect::<Vec<_>>()
            );
            assert_eq!(counts, (1..=500).collect::<Vec<_>>());
        }
        assert_eq!(
            map(2, &[], || (), |(), item: &u8| *item, |_, _| {}),
            [0u8; 0]
        );
    }
}
