//! Files that only their owner may read: databases contain secrets.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::StoreError;

/// File that is open, and whether its name still leads to it.
#[derive(Debug)]
pub(crate) struct NamedFile {
    path: PathBuf,
    /// `None` where the system does not tell it.
    identity: Option<FileIdentity>,
    is_replaced: AtomicBool,
}

/// Numbers of a device and of a file on it, which no other file has at the same time.
type FileIdentity = (u64, u64);

impl NamedFile {
    /// Remembers the file that has this name now.
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            identity: identity(path).ok().flatten(),
            is_replaced: AtomicBool::new(false),
        }
    }

    /// Returns `true` if the name led to another file, or to none, when it was looked at last.
    pub fn is_replaced(&self) -> bool {
        self.is_replaced.load(Ordering::Relaxed)
    }

    /// Looks where the name leads. Waits for the disk.
    pub fn look(&self) {
        let is_replaced = match identity(&self.path) {
            Ok(found) => self.identity.is_some() && found != self.identity,
            // Other errors tell nothing.
            Err(e) if e.kind() == io::ErrorKind::NotFound => true,
            Err(_) => return,
        };
        let was_replaced = self.is_replaced.swap(is_replaced, Ordering::Relaxed);
        let file = self.path.display();
        if is_replaced && !was_replaced {
            tracing::error!(
                %file,
                "the file of the database was removed or replaced while it was in use, so that what is stored would be \
                 lost: it is not used any more; stop this server, and put a backup there with `parlor admin restore`"
            );
        } else if was_replaced && !is_replaced {
            tracing::info!(%file, "the file of the database is back in its place");
        }
    }
}

/// Returns the identity of the file at a path.
fn identity(path: &Path) -> io::Result<Option<FileIdentity>> {
    let found = std::fs::metadata(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        Ok(Some((found.dev(), found.ino())))
    }
    #[cfg(not(unix))]
    {
        let _ = found;
        Ok(None)
    }
}

/// Creates an empty file that only its owner may read and write, whatever the umask.
pub(crate) fn create_private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    #[cfg(unix)]
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    Ok(file)
}

/// Returns `true` if other users may read the file.
pub(crate) fn is_readable_by_others(path: &Path) -> bool {
    #[cfg(unix)]
    return std::fs::metadata(path)
        .is_ok_and(|found| std::os::unix::fs::MetadataExt::mode(&found) & 0o044 != 0);
    #[cfg(not(unix))]
    return false;
}

/// Returns the number of bytes that are free for others than root on the disk of a file.
pub(crate) fn free_space(file: &Path) -> io::Result<u64> {
    #[cfg(unix)]
    {
        let disk = rustix::fs::statvfs(file)?;
        Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Refuses a folder, a device or a pipe, a file in a folder that does not exist, and a database file with
/// several names, which are hard links to it.
pub(crate) fn refuse_impossible(file: &Path) -> Result<(), StoreError> {
    let no_file = |reason| StoreError::NoFile {
        location: file.display().to_string(),
        reason,
    };
    if file.is_dir() {
        let example = file.join("parlor.db");
        return Err(no_file(format!(
            "it is a folder: name a file in it, such as sqlite:{}",
            example.display()
        )));
    }
    if file.exists() && !file.is_file() {
        let reason = "it is no ordinary file: name one, such as sqlite:parlor.db";
        return Err(no_file(reason.to_owned()));
    }
    let folder = file.parent().filter(|folder| *folder != Path::new(""));
    if let Some(folder) = folder.filter(|folder| !folder.exists()) {
        return Err(no_file(format!(
            "the folder {} does not exist: make it, or name another",
            folder.display()
        )));
    }
    #[cfg(unix)]
    let count =
        std::fs::metadata(file).map_or(1, |found| std::os::unix::fs::MetadataExt::nlink(&found));
    #[cfg(not(unix))]
    let count = 1;
    match count {
        0 | 1 => Ok(()),
        _ => Err(StoreError::SeveralNames {
            location: file.display().to_string(),
        }),
    }
}
