//! Transfer of commits: from and to remotes, and from and to clients of a server.

use super::environment::UserSettings;
use super::{GitError, Repository};

impl Repository {
    /// Fetches a branch of a remote into the ref `into`, with the user's credentials.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn fetch(&self, remote: &str, branch: &str, into: &str) -> Result<(), GitError> {
        let spec = format!("+refs/heads/{branch}:{into}");
        // Everything that the remote has accepted must be judged, however odd it is.
        let args = [
            "-c",
            "fetch.fsckObjects=false",
            "fetch",
            "--quiet",
            "--no-tags",
            "--no-write-fetch-head",
            "--end-of-options",
            remote,
            &spec,
        ];
        self.git_with(UserSettings::ForRemotes, &args)
            .text(&[])
            .map(drop)
    }

    /// Pushes a commit to a branch of a remote, with the user's credentials and without force.
    /// Returns false if the remote rejected it because the branch has moved.
    ///
    /// # Errors
    /// [`GitError`] if git cannot be started or cannot reach the remote.
    pub fn push(&self, remote: &str, commit: &str, branch: &str) -> Result<bool, GitError> {
        let spec = format!("{commit}:refs/heads/{branch}");
        let args = ["push", "--quiet", "--end-of-options", remote, &spec];
        match self.git_with(UserSettings::ForRemotes, &args).text(&[]) {
            Ok(_) => Ok(true),
            Err(GitError::Refused { message, .. })
                if message.contains("rejected") || message.contains("cannot lock") =>
            {
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    /// Imports commits from a `git fast-import` stream.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn fast_import(&self, stream: &[u8]) -> Result<(), GitError> {
        self.git(&["fast-import", "--quiet", "--force", "--done"])
            .text(stream)
            .map(drop)
    }

    /// Checks and imports an untrusted pack of at most `longest` bytes.
    ///
    /// # Errors
    /// [`GitError`] if the pack is longer, corrupt, or refers to missing objects.
    pub fn index_pack(&self, pack: &[u8], longest: usize) -> Result<(), GitError> {
        let limit = format!("--max-input-size={longest}");
        // Large objects are processed as streams, not in memory.
        let args = [
            "-c",
            "core.bigFileThreshold=1m",
            "index-pack",
            "--stdin",
            "--fix-thin",
            "--strict",
            &limit,
        ];
        self.git(&args).text(pack).map(drop)
    }

    /// Returns the server's ref advertisement for a fetch, in the given version of git's protocol.
    ///
    /// # Errors
    /// [`GitError`] if git fails.
    pub fn advertise(&self, protocol: Option<&str>) -> Result<Vec<u8>, GitError> {
        self.serve_fetch(&["--http-backend-info-refs"], &[], protocol)
    }

    /// Returns the server's response to a fetch request.
    ///
    /// # Errors
    /// [`GitError`] if git fails, usually because the request is malformed.
    pub fn upload_pack(&self, request: &[u8], protocol: Option<&str>) -> Result<Vec<u8>, GitError> {
        self.serve_fetch(&[], request, protocol)
    }

    fn serve_fetch(
        &self,
        options: &[&str],
        request: &[u8],
        protocol: Option<&str>,
    ) -> Result<Vec<u8>, GitError> {
        let mut args = vec!["upload-pack", "--strict", "--stateless-rpc"];
        args.extend(options);
        args.push(".");
        let mut command = self.git(&args);
        if let Some(protocol) = protocol {
            command = command.env("GIT_PROTOCOL", protocol);
        }
        command.bytes(request)
    }
}
