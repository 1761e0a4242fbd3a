//! The allocator of the program, mimalloc.
//!
//! The system's allocator keeps what each of many threads has freed: 250 wrong passwords at once
//! left 650 MB. docs/measurements/abuse.md compares them.

use libmimalloc_sys::{mi_option_set_default, mi_option_t};
use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// `mi_option_purge_delay` of mimalloc 3, which the bindings do not name.
const PURGE_DELAY: mi_option_t = 15;
/// Milliseconds for which freed memory is kept; a second by default. The searches of bots free some
/// 40 MB each, many times a second: with a second, a server under attack held 534 MB.
const KEPT_MS: std::ffi::c_long = 10;

/// Makes the allocator return freed memory to the system early, unless the environment variable
/// `MIMALLOC_PURGE_DELAY` says otherwise.
#[allow(unsafe_code)]
pub fn return_memory_early() {
    // SAFETY: the function sets a number and may be called at any time, by a single thread: here it
    // is the first of the program. Unknown options are ignored.
    unsafe { mi_option_set_default(PURGE_DELAY, KEPT_MS) }
}
