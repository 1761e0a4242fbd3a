//! Texts that people may write.

use parlor_table::characters::{has_stacked_marks, is_control, is_invisible};

use super::MAX_LENGTH;
use crate::error::Error;

/// Returns the text without white space around it.
///
/// # Errors
/// If it is empty or too long, or has characters that change how other text is shown.
pub(super) fn checked(text: &str) -> Result<String, Error> {
    let text = text.trim();
    if !text.chars().any(|c| !c.is_whitespace() && !is_invisible(c)) {
        return Err(Error::unprocessable("the text is empty"));
    }
    if text.chars().count() > MAX_LENGTH {
        return Err(Error::unprocessable(format!(
            "the text is too long: {MAX_LENGTH} characters at most"
        )));
    }
    if text.chars().any(is_control) {
        return Err(Error::unprocessable(
            "the text has control characters, or characters that turn the direction of text",
        ));
    }
    if has_stacked_marks(text) {
        return Err(Error::unprocessable(
            "the text has too many accents on one letter",
        ));
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_any_language_pass() {
        for text in [
            "gg",
            "Schönes Spiel!",
            "よろしく",
            "שלום",
            "👩‍👩‍👧 👍🏽",
            "a > b & <i>",
        ] {
            assert_eq!(
                checked(&format!(" {text}\u{3000}")).ok().as_deref(),
                Some(text)
            );
        }
        assert!(checked(&"ñ".repeat(200)).is_ok());
    }

    #[test]
    fn empty_long_and_deceiving_texts_are_refused() {
        let long = "a".repeat(201);
        for text in [
            "",
            "  ",
            "\u{200b}\u{200d}",
            &long,
            "a\nb",
            "a\u{7}",
            "a\u{202e}b",
            "\u{2067}x",
            "a\u{2028}b",
            "\u{180e}",
            &format!("Z{}", "\u{301}".repeat(20)),
        ] {
            assert!(checked(text).is_err(), "{text:?}");
        }
    }
}
