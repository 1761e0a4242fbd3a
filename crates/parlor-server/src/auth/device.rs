//! Cookie of a browser that has signed in to an account before.

use axum::http::header::COOKIE;
use axum::http::{HeaderMap, HeaderValue};
use hmac::{Hmac, KeyInit, Mac};
use parlor_store::User;
use sha2::Sha256;

/// Name of the cookie.
const DEVICE_COOKIE: &str = "parlor_device";
/// Time for which a browser is known, in seconds.
const DEVICE_SECONDS: u32 = 365 * 24 * 60 * 60;

/// Proof that a browser has signed in to an account, valid until the account's password changes.
///
/// It grants nothing by itself: whoever shows it is not slowed by what others try.
#[derive(Clone, Debug)]
pub(crate) struct DeviceProof {
    number: u64,
    tag: String,
}

impl DeviceProof {
    /// Creates a proof for an account; `None` if the account has no password.
    pub(crate) fn new(user: &User, number: u64) -> Option<DeviceProof> {
        let tag = hex::encode(tagged(user, number)?.finalize().into_bytes());
        Some(DeviceProof { number, tag })
    }

    /// Returns the number of the browser if it shows a proof for this account.
    pub(crate) fn verify(headers: &HeaderMap, user: &User) -> Option<u64> {
        let pairs = headers
            .get_all(COOKIE)
            .into_iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(';'))
            .filter_map(|pair| pair.trim().split_once('='));
        pairs
            .filter(|(name, _)| *name == DEVICE_COOKIE)
            .find_map(|(_, proof)| {
                let (number, tag) = proof.split_once('.')?;
                let number = number.parse().ok()?;
                let tag = hex::decode(tag).ok()?;
                tagged(user, number)?.verify_slice(&tag).ok()?;
                Some(number)
            })
    }

    /// Returns the cookie that carries the proof.
    pub(crate) fn cookie(&self, secure: bool) -> HeaderValue {
        let DeviceProof { number, tag } = self;
        let secure = if secure { "; Secure" } else { "" };
        let text = format!(
            "{DEVICE_COOKIE}={number}.{tag}; Path=/; Max-Age={DEVICE_SECONDS}; HttpOnly; SameSite=Lax{secure}"
        );
        HeaderValue::try_from(text).expect("a number and hexadecimal digits")
    }
}

/// Starts the authentication code of a browser's number, with the stored hash of the account's
/// password as its key.
fn tagged(user: &User, number: u64) -> Option<Hmac<Sha256>> {
    let key = user.password.as_ref()?;
    let mut mac = Hmac::<Sha256>::new_from_slice(key.0.as_bytes()).ok()?;
    mac.update(b"parlor device");
    mac.update(&user.id.to_le_bytes());
    mac.update(&number.to_le_bytes());
    Some(mac)
}

#[cfg(test)]
mod tests {
    use parlor_store::PasswordHash;

    use super::*;

    fn user(id: i64, password: &str) -> User {
        User {
            password: Some(PasswordHash(password.to_owned())),
            ..User::new(id, "Ann".to_owned(), 0)
        }
    }

    fn shown(cookie: &HeaderValue) -> HeaderMap {
        let pair = cookie.to_str().unwrap().split(';').next().unwrap();
        let value = format!("a=b; {DEVICE_COOKIE}=rubbish; {pair}");
        HeaderMap::from_iter([(COOKIE, value.try_into().unwrap())])
    }

    #[test]
    fn a_proof_is_good_for_its_account_until_the_password_changes() {
        let ann = user(1, "$argon2id$one");
        let headers = shown(&DeviceProof::new(&ann, 7).unwrap().cookie(true));
        assert_eq!(DeviceProof::verify(&headers, &ann), Some(7));
        for other in [user(2, "$argon2id$one"), user(1, "$argon2id$two")] {
            assert_eq!(DeviceProof::verify(&headers, &other), None);
        }
        assert_eq!(DeviceProof::verify(&HeaderMap::new(), &ann), None);
        let none = User::new(1, "Ann".to_owned(), 0);
        assert!(DeviceProof::new(&none, 7).is_none());
        assert_eq!(DeviceProof::verify(&headers, &none), None);
    }

    #[test]
    fn another_number_with_the_same_tag_is_no_proof() {
        let ann = user(1, "$argon2id$one");
        let proof = DeviceProof::new(&ann, 7).unwrap();
        let forged = DeviceProof { number: 8, ..proof };
        assert_eq!(
            DeviceProof::verify(&shown(&forged.cookie(false)), &ann),
            None
        );
    }
}
