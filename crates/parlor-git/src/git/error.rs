//! Errors of running git.

/// Error while running git.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// Git could not be started.
    #[error("git cannot be started: {0}; is it installed?")]
    NotStarted(std::io::Error),
    /// A file could not be read or written.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// Git failed.
    #[error("git {command}: {message}")]
    Refused {
        /// Command, such as `push`.
        command: String,
        /// Error output of git.
        message: String,
    },
    /// Git was stopped at a limit.
    #[error("git {command} was stopped: it needed more than {limit}")]
    Stopped {
        /// Command, such as `index-pack`.
        command: String,
        /// The limit, such as `120 seconds`.
        limit: String,
    },
    /// Git was stopped by a [`StopSwitch`](super::StopSwitch).
    #[error("git was stopped because this program ends")]
    Ended,
    /// An object cannot be read.
    #[error("{0}")]
    Object(String),
    /// The output of git could not be parsed.
    #[error("git {command} printed unexpected output")]
    Unexpected {
        /// Command, such as `log`.
        command: String,
    },
}

impl GitError {
    /// Creates the error for output of a command that could not be parsed.
    pub(crate) fn unexpected(command: &str) -> GitError {
        GitError::Unexpected {
            command: command.to_owned(),
        }
    }
}
