//! Files that only their owner may read: databases contain secrets.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

use crate::StoreError;

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
