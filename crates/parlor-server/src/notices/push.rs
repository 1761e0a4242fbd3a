//! Web Push: messages that only the subscribed browser can read (RFC 8291, in the encoding of RFC 8188), and
//! the signature by which push services know the house (VAPID, RFC 8292).

use axum::http::HeaderValue;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use ring::error::Unspecified;
use ring::hkdf::{HKDF_SHA256, Prk, Salt};
use ring::rand::{SecureRandom, SystemRandom};
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::address::WebAddress;

/// Maximum size of what is encrypted, in bytes: what is left of the 4,096 bytes that every push service takes
/// by the header (86), the delimiter (1) and the tag (16).
pub(super) const MAX_MESSAGE: usize = 4_096 - 86 - 1 - 16;
/// Size of a record, in bytes. A message is one.
const RECORD: u32 = 4_096;
/// Time for which a signature is valid, in seconds; services accept at most a day.
const VALID_SECONDS: i64 = 12 * 3_600;

/// Keys of a subscribed browser, in base64url without padding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct PushKeys {
    /// Public key on the curve P-256, uncompressed.
    #[schema(max_length = 100)]
    p256dh: String,
    /// Secret that authenticates messages.
    #[schema(max_length = 30)]
    auth: String,
}

impl PushKeys {
    /// Returns the public key and the secret, if they have the lengths that they must have.
    fn decode(&self) -> Option<(Vec<u8>, Vec<u8>)> {
        let decode = |text: &str| URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok();
        let public = decode(&self.p256dh).filter(|key| key.len() == 65 && key[0] == 4)?;
        let auth = decode(&self.auth).filter(|secret| secret.len() == 16)?;
        Some((public, auth))
    }

    /// Encrypts a message of at most [`MAX_MESSAGE`] bytes for the browser. Returns `None` if its keys are
    /// not valid.
    pub(super) fn encrypt(&self, message: &[u8]) -> Option<Vec<u8>> {
        let (public, auth) = self.decode()?;
        encrypt(message, &public, &auth).ok()
    }

    /// Returns true if a message can be encrypted for the browser.
    pub(super) fn are_valid(&self) -> bool {
        self.encrypt(b"").is_some()
    }
}

fn encrypt(message: &[u8], public: &[u8], auth: &[u8]) -> Result<Vec<u8>, Unspecified> {
    let random = SystemRandom::new();
    let mut salt = [0; 16];
    random.fill(&mut salt)?;
    let own = EphemeralPrivateKey::generate(&ECDH_P256, &random)?;
    let own_public = own.compute_public_key()?;
    let own_public = own_public.as_ref();
    let theirs = UnparsedPublicKey::new(&ECDH_P256, public);
    let shared = agree_ephemeral(own, &theirs, |secret| {
        Salt::new(HKDF_SHA256, auth).extract(secret)
    })?;
    let secret = derived(&shared, &[b"WebPush: info\0", public, own_public])?;
    let record = Salt::new(HKDF_SHA256, &salt).extract(&secret);
    let key = derived(&record, &[b"Content-Encoding: aes128gcm\0"])?;
    let nonce = derived(&record, &[b"Content-Encoding: nonce\0"])?;
    let nonce = Nonce::try_assume_unique_for_key(&nonce[..12])?;
    let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key[..16])?);
    let mut sealed = message.to_vec();
    // The delimiter of the last record.
    sealed.push(2);
    key.seal_in_place_append_tag(nonce, Aad::empty(), &mut sealed)?;
    let mut body = salt.to_vec();
    body.extend(RECORD.to_be_bytes());
    body.push(65);
    body.extend(own_public);
    body.extend(sealed);
    Ok(body)
}

/// Returns 32 bytes that are derived from a key; shorter keys are their beginning.
fn derived(key: &Prk, info: &[&[u8]]) -> Result<[u8; 32], Unspecified> {
    let mut bytes = [0; 32];
    key.expand(info, HKDF_SHA256)?.fill(&mut bytes)?;
    Ok(bytes)
}

/// Key pair by which push services know the house.
pub(crate) struct HouseKey {
    pair: EcdsaKeyPair,
    random: SystemRandom,
}

impl HouseKey {
    /// Returns a new key pair as text.
    pub(super) fn generate() -> Option<String> {
        let random = SystemRandom::new();
        let pair = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random);
        Some(URL_SAFE_NO_PAD.encode(pair.ok()?.as_ref()))
    }

    /// Reads a key pair from text. Returns `None` if it is none.
    pub(super) fn parse(text: &str) -> Option<HouseKey> {
        let random = SystemRandom::new();
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &bytes, &random);
        let pair = pair.ok()?;
        Some(HouseKey { pair, random })
    }

    /// Returns the public key in base64url, as browsers subscribe with it.
    pub(crate) fn public(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.pair.public_key().as_ref())
    }

    /// Returns the header that proves to the push service of an address that the house sends. `now` is in
    /// milliseconds since the Unix epoch; `contact` is whom the service can tell of problems.
    pub(super) fn authorization(
        &self,
        to: &WebAddress,
        now: i64,
        contact: Option<&str>,
    ) -> Option<HeaderValue> {
        let mut claims = json!({ "aud": to.origin(), "exp": now / 1_000 + VALID_SECONDS });
        if let Some(contact) = contact {
            claims["sub"] = contact.into();
        }
        let header = URL_SAFE_NO_PAD.encode(r#"{"typ":"JWT","alg":"ES256"}"#);
        let claims = URL_SAFE_NO_PAD.encode(claims.to_string());
        let signed = format!("{header}.{claims}");
        let signature = self.pair.sign(&self.random, signed.as_bytes()).ok()?;
        let signature = URL_SAFE_NO_PAD.encode(signature.as_ref());
        let public = self.public();
        HeaderValue::try_from(format!("vapid t={signed}.{signature}, k={public}")).ok()
    }
}

impl std::fmt::Debug for HouseKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HouseKey").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(public: &[u8], auth: &[u8]) -> PushKeys {
        PushKeys {
            p256dh: URL_SAFE_NO_PAD.encode(public),
            auth: URL_SAFE_NO_PAD.encode(auth),
        }
    }

    #[test]
    fn the_browser_alone_reads_the_message() {
        let random = SystemRandom::new();
        let browser = EphemeralPrivateKey::generate(&ECDH_P256, &random).unwrap();
        let public = browser.compute_public_key().unwrap();
        let public = public.as_ref();
        let keys = keys(public, &[7; 16]);
        assert!(keys.are_valid());
        let body = keys
            .encrypt("It is your turn \u{1f3b2}".as_bytes())
            .unwrap();
        assert_eq!((&body[16..20], body[20]), (&[0, 0, 16, 0][..], 65));
        // As the browser does it: RFC 8291, section 3.4, and RFC 8188, section 2.
        let (salt, house, sealed) = (&body[..16], &body[21..86], &body[86..]);
        let theirs = UnparsedPublicKey::new(&ECDH_P256, house);
        let shared = agree_ephemeral(browser, &theirs, |secret| {
            Salt::new(HKDF_SHA256, &[7; 16]).extract(secret)
        });
        let info = [b"WebPush: info\0".as_slice(), public, house].concat();
        let secret = derived(&shared.unwrap(), &[&info]).unwrap();
        let record = Salt::new(HKDF_SHA256, salt).extract(&secret);
        let key = derived(&record, &[b"Content-Encoding: aes128gcm\0"]).unwrap();
        let nonce = derived(&record, &[b"Content-Encoding: nonce\0"]).unwrap();
        let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key[..16]).unwrap());
        let nonce = Nonce::try_assume_unique_for_key(&nonce[..12]).unwrap();
        let mut sealed = sealed.to_vec();
        let read = key.open_in_place(nonce, Aad::empty(), &mut sealed).unwrap();
        assert_eq!(read, "It is your turn \u{1f3b2}\u{2}".as_bytes());
        let longest = keys.encrypt(&vec![b'x'; MAX_MESSAGE]).unwrap();
        assert_eq!(longest.len(), 4_096);
    }

    #[test]
    fn keys_that_are_none_are_refused() {
        let mut point = [1; 65];
        point[0] = 4;
        let secret = [7; 16];
        for (public, auth) in [
            (&point[..], &secret[..]),
            (&[][..], &secret[..]),
            (&point[..], &secret[1..]),
        ] {
            assert!(!keys(public, auth).are_valid());
        }
    }

    #[test]
    fn the_signature_is_of_the_house_and_for_the_service() {
        let text = HouseKey::generate().unwrap();
        let house = HouseKey::parse(&text).unwrap();
        let to = WebAddress::parse("https://push.example/send/1?x", false).unwrap();
        let header = house.authorization(&to, 1_800_000_000_999, Some("mailto:ops@house.example"));
        let header = header.unwrap();
        let header = header.to_str().unwrap().strip_prefix("vapid t=").unwrap();
        let (token, public) = header.split_once(", k=").unwrap();
        assert_eq!(public, house.public());
        let (signed, signature) = token.rsplit_once('.').unwrap();
        let decode = |text: &str| URL_SAFE_NO_PAD.decode(text).unwrap();
        let key = ring::signature::UnparsedPublicKey::new(
            &ring::signature::ECDSA_P256_SHA256_FIXED,
            decode(public),
        );
        key.verify(signed.as_bytes(), &decode(signature)).unwrap();
        let claims: serde_json::Value =
            serde_json::from_slice(&decode(signed.split_once('.').unwrap().1)).unwrap();
        let expected = json!({
            "aud": "https://push.example", "exp": 1_800_043_200,
            "sub": "mailto:ops@house.example",
        });
        assert_eq!(claims, expected);
        assert!(HouseKey::parse("nonsense").is_none());
    }
}
