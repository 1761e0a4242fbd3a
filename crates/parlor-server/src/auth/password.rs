//! Password hashing, on blocking threads and with limited concurrency.

use std::fmt;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use parlor_games::GameKind;
use parlor_store::PasswordHash;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::accounts::letter_seen;
use crate::edge::Client;
use crate::error::Error;
use crate::thinking::FairTurns;

/// Minimum length of a password, in characters.
const MIN_LENGTH: usize = 8;
/// Maximum length of a password, in characters.
const MAX_LENGTH: usize = 200;
/// Number of characters whose strength is estimated, since the time grows faster than the length.
const ESTIMATED_LENGTH: usize = 64;
/// Minimum strength, in guesses: what eight random characters have.
const MIN_GUESSES: u64 = 100_000_000;

/// Letters of passwords that everybody knows, as examples or as the word for one, and that are strong
/// by themselves or in a language that the estimate does not know.
const WELL_KNOWN: [&str; 16] = [
    "correcthorsebatterystaple",
    "trubdor",
    "tobeornottobethatisthequestion",
    "contraseña",
    "contrasena",
    "contrasenha",
    "motdepasse",
    "passwort",
    "kennwort",
    "wachtwoord",
    "lösenord",
    "salasana",
    "adgangskode",
    "jelszo",
    "пароль",
    "парольпароль",
];

/// Rows of keyboards that the estimate does not know.
const KEYBOARD_ROWS: [&str; 5] = [
    "qwertzuiopü",
    "azertyuiop",
    "йцукенгшщзхъ",
    "фывапролджэ",
    "ячсмитьбю",
];

/// Beginnings of declarations of love, which the estimate often takes for the words of a passphrase.
const LOVE: [&str; 12] = [
    "ilove",
    "iluv",
    "iheart",
    "welove",
    "jetaime",
    "tequiero",
    "teamo",
    "euteamo",
    "tiamo",
    "ichliebe",
    "kochamcie",
    "seniseviyorum",
];

/// Most letters and digits of what is loved.
const LOVED: usize = 10;

/// Words for the program and what it is for, beside the names of its games.
const HOUSE_WORDS: [&str; 4] = ["parlor", "parlour", "games", "game"];

/// Words of clubs and games, in languages that the estimate does not know, too: whoever guesses
/// passwords of a house for games tries them first, and joined. A word that begins with another one comes
/// before it.
const CLUB_WORDS: [&str; 72] = [
    "chess",
    "club",
    "board",
    "player",
    "play",
    "night",
    "schach",
    "dame",
    "mühle",
    "muehle",
    "skat",
    "würfel",
    "wuerfel",
    "karten",
    "brett",
    "spieler",
    "spieles",
    "spielen",
    "spiele",
    "spiel",
    "läufer",
    "laeufer",
    "springer",
    "bauer",
    "turm",
    "könig",
    "koenig",
    "matt",
    "vereinigung",
    "vereins",
    "vereine",
    "verein",
    "klubs",
    "klub",
    "heim",
    "haus",
    "abende",
    "abend",
    "nacht",
    "treffen",
    "treff",
    "turnier",
    "meister",
    "freunde",
    "runde",
    "gruppe",
    "mannschaft",
    "liga",
    "vier",
    "gewinnt",
    "gambit",
    "lokal",
    "kasse",
    "wart",
    "kreis",
    "kiste",
    "doppel",
    "schaf",
    "kopf",
    "rommé",
    "romme",
    "becher",
    "fußball",
    "fussball",
    "freitag",
    "bayern",
    "münchen",
    "tisch",
    "tennis",
    "mensch",
    "ärgere",
    "aergere",
];

/// Letters and digits that a password must have beside names, of the account or of what is played here,
/// and words of clubs and games.
const BESIDE_NAMES: usize = 5;
/// Most letters of a word that is guessed together with digits and signs around it, most of those, and most
/// capitals after the first letter, as in `MeinHund!`. Letters at random have more.
const WORD_LETTERS: usize = 12;
const AROUND_WORD: usize = 8;
const INNER_CAPITALS: usize = 2;
/// Letters that make a name, rather than part of many words.
const NAME_LETTERS: usize = 3;

/// Hash to verify against if the name is unknown, so that this takes as long as a wrong password.
static DUMMY_HASH: LazyLock<String> =
    LazyLock::new(|| password_auth::generate_hash(hex::encode(super::random_u64().to_le_bytes())));

/// A password in plain text. Its `Debug` output does not reveal it.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = String, format = Password, min_length = 8, max_length = 200)]
pub(crate) struct Password(String);

impl Password {
    pub(crate) fn new(text: impl Into<String>) -> Password {
        Password(text.into())
    }
}

impl Password {
    /// Checks a new password; see [`check_password`].
    ///
    /// # Errors
    /// 422 with the reason.
    pub(crate) fn check(&self, words: &[&str]) -> Result<(), Error> {
        check_password(&self.0, words)
            .map_err(|bad| Error::unprocessable(bad.to_string()).with("field", "password"))
    }
}

/// Checks that a new password is long enough and not easily guessed, not even by somebody who knows
/// these words, such as the account's name.
///
/// ```
/// use parlor_server::check_password;
///
/// assert!(check_password("dice wander violet", &["ann"]).is_ok());
/// assert!(check_password("password1", &["ann"]).is_err());
/// ```
///
/// # Errors
/// [`BadPassword`] with the reason.
pub fn check_password(password: &str, words: &[&str]) -> Result<(), BadPassword> {
    check_length(password)?;
    if is_well_known(password) {
        return Err(BadPassword::WellKnown);
    }
    if is_made_of_names(password, words) {
        return Err(BadPassword::Guessable(
            " (little but names, or words of clubs and games)".to_owned(),
        ));
    }
    if is_word_with_digits(password) {
        let why = " (a word with a few digits or signs)";
        return Err(BadPassword::Guessable(why.to_owned()));
    }
    if is_declaration_of_love(password) {
        return Err(BadPassword::Guessable(" (a word of love)".to_owned()));
    }
    let text: String = password.chars().take(ESTIMATED_LENGTH).collect();
    let estimate = zxcvbn::zxcvbn(&text, words);
    if estimate.guesses() >= MIN_GUESSES {
        return Ok(());
    }
    let why = estimate.feedback().and_then(|feedback| feedback.warning());
    Err(BadPassword::Guessable(why.map_or(String::new(), |why| {
        format!(" ({})", why.to_string().trim_end_matches('.'))
    })))
}

/// Returns true if a password is a well-known one, however it is spaced, and whatever digits and signs
/// it has, be it for letters.
fn is_well_known(password: &str) -> bool {
    let word = password.trim_matches(|c: char| !c.is_alphabetic());
    let seen = letters(&read_as_letters(word));
    let is_seen = |known: &&str| read_as_letters(known) == seen;
    let letters = letters(password);
    let is_row = |row: &&str| letters.chars().count() >= NAME_LETTERS && row.contains(&letters);
    WELL_KNOWN.contains(&letters.as_str())
        || WELL_KNOWN.iter().any(is_seen)
        || KEYBOARD_ROWS.iter().any(is_row)
}

/// Returns a text with letters for the digits and signs that stand for them, as in `V3rein`. `i` and `l` are
/// one, as in names.
fn read_as_letters(text: &str) -> String {
    let read = |c: char| match c {
        '@' => 'a',
        '$' => 's',
        '!' => 'i',
        c => letter_seen(c),
    };
    text.chars().map(read).collect()
}

/// Returns true if a password is one word with a few digits or signs around it, such as a season with
/// its year. Those are tried first, whatever the language of the word.
fn is_word_with_digits(password: &str) -> bool {
    let is_letter = |c: char| c.is_alphabetic();
    let word = password.trim_matches(|c| !is_letter(c));
    let (letters, all) = (word.chars().count(), password.chars().count());
    let is_word = word.chars().all(is_letter)
        && word.chars().skip(1).filter(|c| c.is_uppercase()).count() <= INNER_CAPITALS
        && (1..=WORD_LETTERS).contains(&letters);
    is_word && (1..=AROUND_WORD).contains(&(all - letters))
}

/// Returns true if a password says whom or what somebody loves, and no more.
fn is_declaration_of_love(password: &str) -> bool {
    let text = letters_and_digits(password);
    let text = text.trim_start_matches(|c: char| !c.is_alphabetic());
    let loved = LOVE.iter().find_map(|love| text.strip_prefix(love));
    let pronouns = ["you", "my", "u"];
    loved.is_some_and(|loved| {
        let rest = pronouns.iter().find_map(|word| loved.strip_prefix(word));
        rest.unwrap_or(loved).chars().count() <= LOVED
    })
}

/// Returns true if a password has little beside the words, the names of the games and the program, and
/// the words of clubs and games, as it is written or with letters for digits.
fn is_made_of_names(password: &str, words: &[&str]) -> bool {
    has_little_beside_names(password, words, str::to_owned)
        || has_little_beside_names(password, words, read_as_letters)
}

fn has_little_beside_names(password: &str, words: &[&str], read: fn(&str) -> String) -> bool {
    let games = GameKind::all().iter().map(|kind| kind.title());
    let names = words.iter().copied().chain(games).chain(HOUSE_WORDS);
    let names = names.chain(CLUB_WORDS);
    let whole = letters_and_digits(&read(password));
    let mut rest = whole.clone();
    for name in names {
        let parts = name.split(|c: char| !c.is_alphabetic());
        for part in std::iter::once(name).chain(parts).map(letters) {
            if part.chars().count() >= NAME_LETTERS {
                rest = rest.replace(&read(&part), "");
            }
        }
    }
    rest != whole && rest.chars().count() < BESIDE_NAMES
}

/// Returns the letters of a text, in lower case.
fn letters(text: &str) -> String {
    let letters = text.chars().filter(|c| c.is_alphabetic());
    letters.flat_map(char::to_lowercase).collect()
}

/// Returns the letters and digits of a text, in lower case.
fn letters_and_digits(text: &str) -> String {
    let lower = text.chars().flat_map(char::to_lowercase);
    lower.filter(|c| c.is_alphanumeric()).collect()
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(..)")
    }
}

/// Reason why a password is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadPassword {
    /// It is too short or too long.
    #[error("a password must have 8 to 200 characters")]
    Length,
    /// It is famous.
    #[error("this password is known to everybody: choose another")]
    WellKnown,
    /// It is easily guessed, for a reason in brackets if there is one.
    #[error(
        "this password is easily guessed{0}: choose a longer one, such as three or four words that do not belong \
         together"
    )]
    Guessable(String),
}

/// Hashes a password with argon2id. Takes about 20 ms and 19 MiB, so it must not run on async
/// threads.
///
/// # Errors
/// [`BadPassword::Length`] if the password is too short or too long.
pub fn hash_password(password: &str) -> Result<PasswordHash, BadPassword> {
    check_length(password)?;
    Ok(PasswordHash(password_auth::generate_hash(password)))
}

/// Characters of generated passwords, which are not easily confused.
const GENERATED: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz23456789-";
/// Length of a generated password, in characters: 100 random bits.
const GENERATED_LENGTH: usize = 20;

/// Generates a password from the randomness of the operating system.
///
/// # Panics
/// Panics if the operating system provides none.
#[must_use]
pub fn generate_password() -> String {
    let mut bytes = [0; GENERATED_LENGTH];
    super::fill_random(&mut bytes);
    let letter = |byte: &u8| char::from(GENERATED[usize::from(byte % 32)]);
    bytes.iter().map(letter).collect()
}

fn check_length(password: &str) -> Result<(), BadPassword> {
    let length = password.chars().take(MAX_LENGTH + 1).count();
    if (MIN_LENGTH..=MAX_LENGTH).contains(&length) {
        Ok(())
    } else {
        Err(BadPassword::Length)
    }
}

/// Time that a hash takes, about.
const USUAL: Duration = Duration::from_millis(20);

/// Hashes and verifies passwords, at most one per core at a time, and one more for those who are known.
#[derive(Debug)]
pub(crate) struct Passwords {
    of_strangers: Arc<FairTurns>,
    /// Members do not wait for strangers, however many addresses those have.
    of_known: Arc<FairTurns>,
}

/// Somebody who waits for a hash.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Asker {
    /// Anybody at an address.
    Stranger(Client),
    /// A member who is signed in, or whose browser was signed in to the account before.
    Known(Client),
}

impl Passwords {
    pub(crate) fn new() -> Passwords {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Passwords {
            of_strangers: FairTurns::new(cores, USUAL),
            of_known: FairTurns::new(1, USUAL),
        }
    }

    /// Hashes a password of valid length.
    pub(crate) async fn hash(
        &self,
        password: Password,
        asker: Asker,
    ) -> Result<PasswordHash, Error> {
        check_length(&password.0)
            .map_err(|bad| Error::unprocessable(bad.to_string()).with("field", "password"))?;
        self.run_blocking(asker, move || {
            PasswordHash(password_auth::generate_hash(password.0))
        })
        .await
    }

    /// Returns true if the password matches the stored hash. Takes as long if there is no hash, and
    /// returns false then.
    pub(crate) async fn verify(
        &self,
        password: Password,
        stored: Option<PasswordHash>,
        asker: Asker,
    ) -> Result<bool, Error> {
        self.run_blocking(asker, move || {
            let dummy = DUMMY_HASH.as_str();
            let hash = stored.as_ref().map_or(dummy, |hash| hash.0.as_str());
            // Truncate, so that overlong input costs no more than a password.
            let text: String = password.0.chars().take(MAX_LENGTH + 1).collect();
            password_auth::verify_password(text, hash).is_ok() && stored.is_some()
        })
        .await
    }

    async fn run_blocking<T: Send + 'static>(
        &self,
        asker: Asker,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        let (turns, client) = match asker {
            Asker::Stranger(client) => (&self.of_strangers, client),
            Asker::Known(client) => (&self.of_known, client),
        };
        // The turn is held until the work is done, even if the caller is gone by then.
        let turn = turns.begin(client).await;
        let work = move || {
            let _turn = turn;
            work()
        };
        tokio::task::spawn_blocking(work)
            .await
            .map_err(Error::internal)
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;

    const CLIENT: Client = Client(IpAddr::V4(Ipv4Addr::LOCALHOST));
    const STRANGER: Asker = Asker::Stranger(CLIENT);

    #[test]
    fn a_password_has_eight_to_two_hundred_characters() {
        for (length, good) in [(7, false), (8, true), (200, true), (201, false)] {
            assert_eq!(check_length(&"ü".repeat(length)).is_ok(), good, "{length}");
        }
    }

    #[test]
    fn what_is_guessed_first_is_no_password() {
        let refused = |text: &str| Password::new(text).check(&["magnus_c"]).is_err();
        for weak in [
            "password",
            "12345678",
            "qwertyuiop",
            "letmein1",
            "iloveyou",
            "aaaaaaaaaaaa",
            "Magnus_C",
            "abcdefgh",
            "short",
            "correct horse battery staple",
            "Correct-Horse-Battery-Staple1!",
            "Tr0ub4dor&3",
            "magnus magnus c",
            "magnus-c!2026",
            "TicTacToe1",
            "parlor2026!",
            "contraseña",
            "йцукенгш",
            "1Passwort!",
            "Winter2025!",
            "2024Oktober",
            "Schalke04!",
            "fcbayern1900",
            "boardgames1",
            "ilovemymum",
            "I love my daughter 1!",
            "iloveyoubaby1",
            "iloveu2much",
            "galatasaray1905",
            "internazionale1908",
            "parlorgames",
            "ParlorGames2026",
            "Vereinsheim",
            "Vereinsheim2024!",
            "Schachklub",
            "Schachverein",
            "schach-verein 1921",
            "Spieleabend",
            "Brettspiele",
            "Brettspielabend",
            "Kartenspieler",
            "Meisterturnier",
            "ChessClub1!",
            "VierGewinnt",
            "Damengambit",
            "Vereinskasse",
            "Doppelkopf",
            "magnus-schach",
            "V3reinsheim",
            "Ver3insh3im!",
            "5ch4chk1ub",
            "Sch@chverein",
            "Sp1e1abend2024",
            "M4gnu5_Ch3ss",
            "P4sswort1!",
            "K3nnw0rt",
            "FCBayern1900",
            "Winter2025/26",
            "MeinHund!",
            "Klassenfahrt1",
            "TischtennisVerein",
            "Mensch-aergere",
        ] {
            assert!(refused(weak), "{weak}");
        }
        for strong in [
            "correct horse",
            "vKq8#fLw2",
            "vKq8#fLw",
            "i love rusty ferries",
            "ein Schiff wird kommen",
            "magnus plays at dawn",
            "der Springer steht am Rand",
            "Schach mit nassen Socken",
            "Sch4ch mit n4ssen Socken",
            "7kT4m!x0Zp",
            "kTmRxZpQ7",
        ] {
            assert!(!refused(strong), "{strong}");
        }
    }

    #[tokio::test]
    async fn only_the_password_itself_is_right_and_nothing_shows_it() {
        let passwords = Passwords::new();
        let hash = passwords
            .hash(Password::new("correct horse"), STRANGER)
            .await
            .expect("it is long enough");
        assert!(hash.0.starts_with("$argon2id$"), "{}", hash.0);
        for (text, stored, right) in [
            ("correct horse", Some(&hash), true),
            ("correct horsf", Some(&hash), false),
            ("correct horse", None, false),
        ] {
            let verified = passwords
                .verify(Password::new(text), stored.cloned(), STRANGER)
                .await
                .expect("the thread is there");
            assert_eq!(verified, right, "{text}");
        }
        assert_eq!(
            format!("{:?} {hash:?}", Password::new("correct horse")),
            "Password(..) PasswordHash(..)"
        );
    }

    #[tokio::test]
    async fn members_do_not_wait_for_strangers() {
        let passwords = Passwords::new();
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let mut held = Vec::new();
        for core in 0..cores {
            let other = Client([10, 0, core as u8, 1].into());
            held.push(passwords.of_strangers.begin(other).await);
        }
        let password = || Password::new("correct horse");
        let mut stranger = std::pin::pin!(passwords.hash(password(), STRANGER));
        assert!(futures::poll!(&mut stranger).is_pending());
        let hash = passwords.hash(password(), Asker::Known(CLIENT)).await;
        assert!(hash.is_ok());
        assert!(futures::poll!(&mut stranger).is_pending());
    }
}
