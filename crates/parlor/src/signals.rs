//! Signals that end the program.

use std::io;

/// Returns a future that completes on Ctrl-C, SIGTERM, or SIGHUP, as from a terminal that is closed. The
/// handlers are installed at once. Must be called on a tokio runtime.
///
/// # Errors
/// The system cannot install a handler.
pub fn stop_signal() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    #[cfg(unix)]
    let mut terminated = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
    #[cfg(unix)]
    let mut interrupted =
        tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt())?;
    #[cfg(unix)]
    let mut hung_up = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::hangup())?;
    Ok(async move {
        #[cfg(unix)]
        tokio::select! {
            _ = interrupted.recv() => {}
            _ = terminated.recv() => {}
            _ = hung_up.recv() => {}
        }
        #[cfg(not(unix))]
        // Without signals the process can only be ended from outside.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}
