//! Texts that people may write.

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
    if text.chars().any(is_forbidden) {
        return Err(Error::unprocessable(
            "the text has control characters, or characters that turn the direction of text",
        ));
    }
    Ok(text.to_owned())
}

/// Returns true for control characters, line and paragraph separators, and marks that override the
/// direction of text.
fn is_forbidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{061c}' | '\u{feff}')
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || matches!(c, '\u{e0000}'..='\u{e0fff}' | '\u{fff9}'..='\u{fffb}')
}

/// Returns true for characters without width.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{00ad}' | '\u{034f}' | '\u{115f}' | '\u{1160}' | '\u{200b}'..='\u{200d}'
    ) || matches!(c, '\u{2060}'..='\u{2064}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}')
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
        ] {
            assert!(checked(text).is_err(), "{text:?}");
        }
    }
}
