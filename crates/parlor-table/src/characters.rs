//! Characters that make a text look like another one, or spill over what is around it.

/// Longest run of combining marks in a text: no language stacks more on one letter.
const MARKS: usize = 4;

/// Returns true for control characters, line and paragraph separators, and marks that change the
/// direction of text, which could make a name look like another or turn what follows it.
#[must_use]
pub fn is_control(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{061c}' | '\u{feff}')
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{206f}')
        || matches!(c, '\u{e0000}'..='\u{e0fff}' | '\u{fff9}'..='\u{fffb}')
}

/// Returns true for characters without width, and for blanks that do not count as white space.
#[must_use]
pub fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{00ad}' | '\u{034f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
    ) || matches!(c, '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2065}')
        || matches!(
            c,
            '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}'
        )
}

/// Returns true if so many combining marks follow each other that they would cover other lines.
#[must_use]
pub fn has_stacked_marks(text: &str) -> bool {
    let mut run = 0;
    text.chars().any(|c| {
        run = if is_mark(c) { run + 1 } else { 0 };
        run > MARKS
    })
}

/// Returns true for marks above and below letters.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{0300}'..='\u{036f}' | '\u{0483}'..='\u{0489}' | '\u{0591}'..='\u{05bd}')
        || matches!(c, '\u{0610}'..='\u{061a}' | '\u{064b}'..='\u{065f}' | '\u{06d6}'..='\u{06ed}')
        || matches!(c, '\u{0e31}' | '\u{0e34}'..='\u{0e3a}' | '\u{0e47}'..='\u{0e4e}')
        || matches!(c, '\u{0eb1}' | '\u{0eb4}'..='\u{0ebc}' | '\u{0ec8}'..='\u{0ece}')
        || matches!(c, '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}')
        || matches!(c, '\u{0f71}'..='\u{0f84}' | '\u{302a}'..='\u{302f}' | '\u{fe20}'..='\u{fe2f}')
}

/// Returns true if a text can be a name: it is not deceptive, and what it consists of can be seen.
/// Joiners and variants may follow symbols, as in emoji.
pub(crate) fn is_name(text: &str) -> bool {
    let joins = |c: char| matches!(c, '\u{200d}' | '\u{fe0e}' | '\u{fe0f}');
    let mut before = None;
    let seen = text.chars().all(|c| {
        let after_symbol = before
            .is_some_and(|b: char| !b.is_ascii() && !b.is_alphanumeric() && !b.is_whitespace());
        let again = before == Some(c);
        before = Some(c);
        !is_control(c) && (!is_invisible(c) || joins(c) && after_symbol && !again)
    });
    seen && !has_stacked_marks(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_any_language_pass() {
        let names = [
            "Ann",
            "Zoë",
            "Zoe\u{308}",
            "יעל",
            "محمّد",
            "よしこ",
            "สมชาย",
            "👩\u{200d}👩\u{200d}👧",
            "❤\u{fe0f}",
            "👍🏽",
            "O'Brien & <b>",
            "Nguyễn",
        ];
        for name in names {
            assert!(is_name(name), "{name:?}");
        }
    }

    #[test]
    fn names_that_deceive_do_not() {
        for c in ('\u{202a}'..='\u{202e}').chain('\u{2066}'..='\u{2069}') {
            assert!(!is_name(&format!("An{c}n")), "{c:?}");
        }
        for c in [
            '\u{200e}', '\u{200f}', '\u{61c}', '\u{200b}', '\u{200c}', '\u{200d}', '\u{2060}',
            '\u{feff}', '\u{ad}', '\u{180e}', '\u{3164}', '\u{2028}', '\u{7}', '\u{fe0f}',
        ] {
            assert!(!is_name(&format!("An{c}n")), "{c:?}");
        }
        assert!(!is_name("❤\u{200d}\u{200d}"));
        assert!(!is_name(&format!("A{}", "\u{301}".repeat(5))));
        assert!(!has_stacked_marks(&format!("A{}", "\u{301}".repeat(4))));
    }
}
