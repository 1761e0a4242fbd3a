//! Names that new accounts cannot have.

use crate::error::Error;

/// Names that somebody could take for the house itself.
const RESERVED: [&str; 16] = [
    "admin",
    "administrator",
    "anonymous",
    "bot",
    "computer",
    "guest",
    "help",
    "house",
    "moderator",
    "official",
    "parlor",
    "referee",
    "root",
    "staff",
    "support",
    "system",
];

/// Refuses a name that could be taken for that of the house, with signs or digits around it, too.
pub(super) fn refuse_reserved(name: &str) -> Result<(), Error> {
    let letters = name.trim_matches(|c: char| !c.is_ascii_alphabetic());
    if RESERVED
        .iter()
        .any(|word| letters.eq_ignore_ascii_case(word))
    {
        let detail = format!("{name} could be taken for the house itself: choose another name");
        return Err(Error::unprocessable(detail).with("field", "name"));
    }
    Ok(())
}
