//! Folder of a server's git repositories, which only its user can read.

use std::fs::File;
use std::path::Path;
use std::time::Duration;
use std::{fs, io};

use tempfile::TempDir;

/// Beginning of the folders' names.
const PREFIX: &str = "parlor-git-";
/// File that a server keeps locked as long as it runs.
const LOCK: &str = "lock";
/// Age of a folder from which its server must have locked it.
const SETTLED: Duration = Duration::from_secs(60);

/// Folder for repositories, with a lock that tells other servers of this machine that it is in use.
#[derive(Debug)]
pub(super) struct Workshop {
    folder: TempDir,
    _lock: File,
}

impl Workshop {
    /// Makes a folder among the system's temporary ones, after removing those of servers that were killed.
    pub(super) fn open() -> io::Result<Workshop> {
        let all = std::env::temp_dir();
        remove_abandoned(&all)?;
        let folder = private(tempfile::Builder::new().prefix(PREFIX)).tempdir_in(all)?;
        let lock = File::create(folder.path().join(LOCK))?;
        lock.lock()?;
        Ok(Workshop {
            folder,
            _lock: lock,
        })
    }

    /// Makes a folder for one repository.
    pub(super) fn folder(&self) -> io::Result<TempDir> {
        private(tempfile::Builder::new().prefix("table-")).tempdir_in(self.folder.path())
    }
}

/// Lets nobody but this user into a folder, since tables may be private.
fn private<'a, 'b>(
    builder: &'a mut tempfile::Builder<'b, 'b>,
) -> &'a mut tempfile::Builder<'b, 'b> {
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder
}

/// Removes the folders whose servers no longer run.
fn remove_abandoned(all: &Path) -> io::Result<()> {
    for entry in fs::read_dir(all)?.flatten() {
        if entry.file_name().to_string_lossy().starts_with(PREFIX) && is_abandoned(&entry.path()) {
            // Another server may remove it as well.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
    Ok(())
}

/// True if a folder is not new, and no server holds its lock.
fn is_abandoned(folder: &Path) -> bool {
    let lock = folder.join(LOCK);
    let is_old = |path: &Path| {
        let made = fs::metadata(path).and_then(|file| file.modified());
        made.is_ok_and(|at| at.elapsed().is_ok_and(|age| age > SETTLED))
    };
    is_old(&lock) && File::open(&lock).is_ok_and(|file| file.try_lock().is_ok())
}

#[cfg(test)]
mod tests {
    use std::fs::{File, FileTimes};
    use std::time::SystemTime;

    use super::*;

    #[test]
    fn folders_of_servers_that_are_gone_are_removed_and_no_others() {
        let all = TempDir::new().unwrap();
        let made = |name: &str, age: Duration| {
            let folder = all.path().join(format!("{PREFIX}{name}"));
            fs::create_dir(&folder).unwrap();
            let lock = File::create(folder.join(LOCK)).unwrap();
            let then = SystemTime::now() - age;
            lock.set_times(FileTimes::new().set_modified(then)).unwrap();
            lock
        };
        let (hour, moment) = (Duration::from_secs(3_600), Duration::from_secs(5));
        drop(made("gone", hour));
        drop(made("new", moment));
        let running = made("running", hour);
        running.lock().unwrap();
        fs::create_dir(all.path().join("another")).unwrap();
        remove_abandoned(all.path()).unwrap();
        let left = fs::read_dir(all.path()).unwrap();
        let mut left: Vec<String> = left
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        assert_eq!(left, ["another", "parlor-git-new", "parlor-git-running"]);
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_can_enter_the_folders() {
        use std::os::unix::fs::PermissionsExt;
        let workshop = Workshop::open().unwrap();
        let table = workshop.folder().unwrap();
        for folder in [workshop.folder.path(), table.path()] {
            let mode = fs::metadata(folder).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o700, "{}", folder.display());
        }
    }
}
