//! Work that is spread over threads and comes back in order.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

/// Does `work` for each item and gives the results in the items' order. Each thread has a tool of its own, made by `tool`, whose state
/// must not show in the results: then they are the same for any number of threads. `done` sees each result when it is ready, with how many
/// there are by then.
pub fn each<I: Sync, T, R: Send>(
    threads: usize,
    items: &[I],
    tool: impl Fn() -> T + Sync,
    work: impl Fn(&mut T, &I) -> R + Sync,
    mut done: impl FnMut(usize, &R),
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let (send, receive) = channel();
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, items.len().max(1)) {
            let (send, next, tool, work) = (send.clone(), &next, &tool, &work);
            scope.spawn(move || {
                let mut tool = tool();
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else { return };
                    if send.send((at, work(&mut tool, item))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        let mut results: Vec<(usize, R)> = Vec::with_capacity(items.len());
        while let Ok(result) = receive.recv() {
            done(results.len() + 1, &result.1);
            results.push(result);
        }
        results.sort_by_key(|(at, _)| *at);
        results.into_iter().map(|(_, result)| result).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::each;

    #[test]
    fn results_come_back_in_order_from_any_number_of_threads() {
        let items: Vec<u64> = (0..500).collect();
        for threads in [0, 1, 3, 1000] {
            let mut heard = Vec::new();
            let squares = each(
                threads,
                &items,
                || (),
                |(), item| item * item,
                |n, _| heard.push(n),
            );
            assert_eq!(
                squares,
                items.iter().map(|item| item * item).collect::<Vec<_>>()
            );
            assert_eq!(heard, (1..=500).collect::<Vec<_>>());
        }
        assert_eq!(
            each(2, &[], || (), |(), item: &u8| *item, |_, _| {}),
            [0u8; 0]
        );
    }
}
