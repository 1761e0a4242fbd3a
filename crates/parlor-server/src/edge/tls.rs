//! HTTPS without a proxy: certificates from files, read again when they change.

mod validity;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, SystemTime};

use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use time::OffsetDateTime;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;

use self::validity::validity;

/// Interval at which the files are looked at.
const EVERY: Duration = Duration::from_secs(60);
/// First byte of a TLS connection: a handshake record.
const HANDSHAKE: u8 = 22;
/// Answer to plain HTTP.
const SPEAKS_HTTPS: &[u8] = b"HTTP/1.1 400 Bad Request\r\ncontent-type: text/plain\r\n\
    content-length: 40\r\nconnection: close\r\n\r\nthis port speaks HTTPS: write https://\r\n";

/// Files with a certificate and its key, in PEM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsFiles {
    /// The certificate, followed by those that lead to its root.
    pub certificate: PathBuf,
    /// The private key.
    pub key: PathBuf,
}

/// Error with a certificate or its key.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TlsError {
    /// A file cannot be read.
    #[error("cannot read {file}: {source}")]
    File {
        /// The file.
        file: PathBuf,
        /// Reason.
        source: pem::Error,
    },
    /// A file has no certificate.
    #[error("{0} has no certificate: it must be in PEM, with BEGIN CERTIFICATE")]
    NoCertificate(PathBuf),
    /// A file has no key, or one with a password.
    #[error(
        "{0} has no private key that can be read: it must be in PEM, with BEGIN PRIVATE KEY, and without a password"
    )]
    NoKey(PathBuf),
    /// A key is damaged, too short, or of an unsupported kind.
    #[error(
        "{0} has a private key that cannot be used: it must be RSA of 2048 to 8192 bits, ECDSA on P-256 or P-384, or \
         Ed25519"
    )]
    UnusableKey(PathBuf),
    /// The key does not belong to the certificate.
    #[error(
        "{certificate} and {key} do not belong together: the key is not that of the first certificate in the file"
    )]
    Mismatch {
        /// File with the certificate.
        certificate: PathBuf,
        /// File with the key.
        key: PathBuf,
    },
    /// The certificate is damaged or of an unsupported kind.
    #[error("{certificate} and {key}: {source}")]
    Pair {
        /// File with the certificate.
        certificate: PathBuf,
        /// File with the key.
        key: PathBuf,
        /// Reason.
        source: rustls::Error,
    },
}

/// A certificate that is replaced while the server runs.
#[derive(Debug)]
pub(crate) struct Tls {
    files: TlsFiles,
    current: RwLock<(Option<SystemTime>, Arc<ServerConfig>)>,
}

impl Tls {
    pub(crate) fn load(files: TlsFiles) -> Result<Tls, TlsError> {
        warn_if_others_can_read(&files.key);
        let current = RwLock::new((changed(&files), Arc::new(read(&files)?)));
        Ok(Tls { files, current })
    }

    /// Returns the acceptor for a new connection.
    pub(crate) fn acceptor(&self) -> TlsAcceptor {
        let current = self.current.read().unwrap_or_else(PoisonError::into_inner);
        TlsAcceptor::from(current.1.clone())
    }

    /// Looks at the files every minute, forever.
    pub(crate) async fn watch(self: Arc<Tls>) {
        loop {
            tokio::time::sleep(EVERY).await;
            self.reload();
        }
    }

    /// Reads the files if they have changed. If they are wrong, the certificate stays as it was.
    pub(crate) fn reload(&self) {
        let changed = changed(&self.files);
        let known = |current: &(Option<SystemTime>, _)| current.0 == changed;
        if known(&self.current.read().unwrap_or_else(PoisonError::into_inner)) {
            return;
        }
        match read(&self.files) {
            Ok(config) => {
                let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
                *current = (changed, Arc::new(config));
                tracing::info!("the certificate was read again");
            }
            Err(error) => tracing::error!(%error, "the certificate stays as it was"),
        }
    }
}

/// Logs a warning if the file of a key can be read by everybody on this machine.
fn warn_if_others_can_read(key: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        const OTHERS: u32 = 0o004;
        let mode = key.metadata().map(|file| file.permissions().mode());
        if mode.is_ok_and(|mode| mode & OTHERS != 0) {
            tracing::warn!(file = %key.display(), "everybody on this machine can read the private key");
        }
    }
}

/// Logs a warning if a certificate is not valid now: browsers refuse it.
fn warn_if_untimely(file: &Path, certificate: &CertificateDer<'_>) {
    let file = file.display();
    match untimeliness(certificate, OffsetDateTime::now_utc()) {
        None => {}
        Some(Untimely::Early(time)) => tracing::warn!(
            %file, %time,
            "tls_certificate: the certificate is not valid before this time: until then browsers refuse it"
        ),
        Some(Untimely::Late(time)) => tracing::warn!(
            %file, %time,
            "tls_certificate: the certificate has expired at this time: browsers refuse it until there is a new one"
        ),
    }
}

/// A certificate that is not valid yet, or no longer, with the time at which that changes or did.
#[derive(Debug, PartialEq, Eq)]
enum Untimely {
    Early(OffsetDateTime),
    Late(OffsetDateTime),
}

fn untimeliness(certificate: &[u8], now: OffsetDateTime) -> Option<Untimely> {
    let (begin, end) = validity(certificate)?.into_inner();
    if now < begin {
        return Some(Untimely::Early(begin));
    }
    (now > end).then_some(Untimely::Late(end))
}

/// Returns when the files were last changed.
fn changed(files: &TlsFiles) -> Option<SystemTime> {
    let time = |file: &Path| file.metadata().and_then(|file| file.modified()).ok();
    time(&files.certificate).max(time(&files.key))
}

fn read(files: &TlsFiles) -> Result<ServerConfig, TlsError> {
    let TlsFiles { certificate, key } = files;
    let fault = |file: &Path, source| TlsError::File {
        file: file.to_owned(),
        source,
    };
    let chain = CertificateDer::pem_file_iter(certificate)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|source| fault(certificate, source))?;
    if chain.is_empty() {
        return Err(TlsError::NoCertificate(certificate.clone()));
    }
    let private = PrivateKeyDer::from_pem_file(key).map_err(|error| match error {
        pem::Error::NoItemsFound => TlsError::NoKey(key.clone()),
        source => fault(key, source),
    })?;
    if ring::sign::any_supported_type(&private).is_err() {
        return Err(TlsError::UnusableKey(key.clone()));
    }
    if let Some(first) = chain.first() {
        warn_if_untimely(certificate, first);
    }
    let provider = Arc::new(ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map(|builder| builder.with_no_client_auth())
        .and_then(|builder| builder.with_single_cert(chain, private));
    let mut config = config.map_err(|source| {
        let (certificate, key) = (certificate.clone(), key.clone());
        match source {
            rustls::Error::InconsistentKeys(_) => TlsError::Mismatch { certificate, key },
            source => TlsError::Pair {
                certificate,
                key,
                source,
            },
        }
    })?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}

/// Answers a client that speaks plain HTTP, and returns the socket of any other.
pub(crate) async fn without_plain_http(mut stream: TcpStream) -> io::Result<Option<TcpStream>> {
    let mut first = [0];
    let count = stream.peek(&mut first).await?;
    if count == 0 || first[0] == HANDSHAKE {
        return Ok(Some(stream));
    }
    stream.write_all(SPEAKS_HTTPS).await?;
    stream.shutdown().await?;
    Ok(None)
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};

    use time::macros::datetime;

    use super::*;

    /// Writes a new certificate and its key, as if `age` after the first.
    fn write(files: &TlsFiles, age: Duration) {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        fs::write(&files.certificate, made.cert.pem()).unwrap();
        fs::write(&files.key, made.signing_key.serialize_pem()).unwrap();
        touch(&files.key, age);
    }

    fn touch(file: &Path, age: Duration) {
        let time = SystemTime::now() + age;
        File::options()
            .write(true)
            .open(file)
            .and_then(|file| file.set_modified(time))
            .unwrap();
    }

    fn files(folder: &Path) -> TlsFiles {
        TlsFiles {
            certificate: folder.join("certificate.pem"),
            key: folder.join("key.pem"),
        }
    }

    fn current(tls: &Tls) -> Arc<ServerConfig> {
        tls.current.read().unwrap().1.clone()
    }

    #[test]
    fn a_new_certificate_is_taken_and_a_bad_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let files = files(folder.path());
        write(&files, Duration::ZERO);
        let tls = Tls::load(files.clone()).unwrap();
        let first = current(&tls);
        tls.reload();
        assert!(Arc::ptr_eq(&first, &current(&tls)), "nothing has changed");
        write(&files, Duration::from_secs(10));
        tls.reload();
        let second = current(&tls);
        assert!(!Arc::ptr_eq(&first, &second));
        fs::write(&files.certificate, "junk").unwrap();
        touch(&files.certificate, Duration::from_secs(20));
        tls.reload();
        assert!(Arc::ptr_eq(&second, &current(&tls)));
    }

    #[test]
    fn what_is_wrong_with_a_file_is_told_with_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let files = files(folder.path());
        let refusal = || Tls::load(files.clone()).unwrap_err().to_string();
        assert!(refusal().contains("certificate.pem"), "{}", refusal());
        write(&files, Duration::ZERO);
        fs::write(&files.certificate, "junk").unwrap();
        assert!(refusal().contains("has no certificate"), "{}", refusal());
        write(&files, Duration::ZERO);
        let other = rcgen::KeyPair::generate().unwrap();
        fs::write(&files.key, other.serialize_pem()).unwrap();
        let words = ["certificate.pem and", "key.pem do not belong together"];
        let said = refusal();
        assert!(words.iter().all(|word| said.contains(word)), "{said}");
        let unknown = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n";
        fs::write(&files.key, unknown).unwrap();
        let words = ["key.pem has a private key", "RSA of 2048 to 8192 bits"];
        let said = refusal();
        assert!(words.iter().all(|word| said.contains(word)), "{said}");
    }

    #[test]
    fn a_certificate_is_untimely_before_its_first_and_after_its_last_second() {
        let (begin, end) = (
            datetime!(2025-02-03 4:05:06 UTC),
            datetime!(2026-02-03 4:05:06 UTC),
        );
        let mut wanted = rcgen::CertificateParams::new(["localhost".to_owned()]).unwrap();
        (wanted.not_before, wanted.not_after) = (begin, end);
        let key = rcgen::KeyPair::generate().unwrap();
        let made = wanted.self_signed(&key).unwrap();
        let second = time::Duration::SECOND;
        for (now, found) in [
            (begin - second, Some(Untimely::Early(begin))),
            (begin, None),
            (end, None),
            (end + second, Some(Untimely::Late(end))),
        ] {
            assert_eq!(untimeliness(made.der(), now), found, "{now}");
        }
        assert_eq!(untimeliness(b"junk", begin), None);
    }
}
