//! Names that new accounts and guests cannot have.

use std::sync::LazyLock;

use parlor_store::User;
use unicode_normalization::UnicodeNormalization;
use unicode_security::confusable_detection::skeleton;
use unicode_security::general_security_profile::IdentifierType;
use unicode_security::{
    GeneralSecurityProfile, MixedScript, RestrictionLevel, RestrictionLevelDetection,
};

use crate::error::Error;

/// Words that somebody could take for the house itself or for those who run it.
const RESERVED: [&str; 71] = [
    "abuse",
    "adm",
    "admin",
    "administrador",
    "administrateur",
    "administration",
    "administrator",
    "administratorin",
    "admins",
    "amministratore",
    "api",
    "arbiter",
    "aufsicht",
    "betreiber",
    "bot",
    "bots",
    "computer",
    "contact",
    "developer",
    "gamemaster",
    "help",
    "helpdesk",
    "hostmaster",
    "house",
    "info",
    "judge",
    "legal",
    "mod",
    "moderador",
    "moderateur",
    "moderation",
    "moderator",
    "moderatore",
    "moderatorin",
    "moderators",
    "mods",
    "noreply",
    "official",
    "operator",
    "owner",
    "parlor",
    "parlour",
    "postmaster",
    "privacy",
    "referee",
    "root",
    "schiedsrichter",
    "security",
    "server",
    "service",
    "spielleitung",
    "staff",
    "superuser",
    "support",
    "sysadmin",
    "sysop",
    "system",
    "team",
    "turnierleiter",
    "umpire",
    "verwaltung",
    "vorstand",
    "webmaster",
    "www",
    "админ",
    "администратор",
    "модератор",
    "管理员",
    "管理員",
    "管理者",
    "관리자",
];

/// Words for nobody or everybody, which guests may use: they have no name that stays theirs.
const NOBODY: [&str; 6] = [
    "anonymous",
    "everyone",
    "guest",
    "nobody",
    "null",
    "undefined",
];

/// Title of a game master. Two letters are a name's beginning too often to be looked for in others.
const GAMEMASTER: &str = "gm";

/// Word for everybody, which guests may use. Letters that look like its own are not looked for: `Ali` is a
/// name.
const ALL: &str = "all";

/// Words that change nothing beside reserved ones, as in `TheAdmin`.
const FILLERS: [&str; 5] = ["iam", "real", "site", "super", "the"];

/// Most characters of a name that are compared. No account has a longer one.
const COMPARED: usize = 20;

/// Words as they look in Latin letters, as names are compared.
struct Words {
    reserved: Vec<String>,
    nobody: Vec<String>,
    fillers: Vec<String>,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let latin = |words: &[&str]| words.iter().map(|word| in_latin(word)).collect();
    Words {
        reserved: latin(&RESERVED),
        nobody: latin(&NOBODY),
        fillers: latin(&FILLERS),
    }
});

/// Refuses a name that could be taken for that of the house: one or several of the reserved words, with
/// signs or digits around them, or with digits or signs in the place of letters, too.
pub(super) fn refuse_reserved(name: &str) -> Result<(), Error> {
    if User::is_closed_name(name) {
        let detail = format!("{name} could be a closed account: choose another name");
        return Err(Error::unprocessable(detail).with("field", "name"));
    }
    refuse(name, &[&WORDS.reserved, &WORDS.nobody], &[GAMEMASTER, ALL])
}

/// Refuses the same names for a guest, apart from those that mean nobody, and names that mix alphabets.
pub(crate) fn refuse_reserved_for_guest(name: &str) -> Result<(), Error> {
    if name.split_whitespace().any(mixes_alphabets) {
        let detail = format!(
            "{name} has letters of several alphabets, or phonetic ones, in one word: write it in one alphabet"
        );
        return Err(Error::unprocessable(detail).with("field", "name"));
    }
    refuse(name, &[&WORDS.reserved], &[GAMEMASTER])
}

/// Returns true if the letters of a word are not of one alphabet, by the rules of Unicode for identifiers
/// (UTS 39), or are not used to write any language.
fn mixes_alphabets(word: &str) -> bool {
    let letters: String = word.nfkc().filter(|c| c.is_alphabetic()).collect();
    let letters = letters.as_str();
    let is_special = |c: char| {
        matches!(
            c.identifier_type(),
            Some(IdentifierType::Technical | IdentifierType::Obsolete)
        )
    };
    let is_plain = letters.is_single_script()
        || letters.check_restriction_level(RestrictionLevel::HighlyRestrictive);
    !is_plain || letters.chars().any(is_special)
}

fn refuse(name: &str, reserved: &[&[String]], short: &[&str]) -> Result<(), Error> {
    let latin = in_latin(name);
    let inner = latin.trim_matches(['!', '|']);
    let with_signs: String = inner.chars().map(letter_of_sign).collect();
    // Two letters that look like one are not in the words themselves.
    let joined = latin.replace("rn", "m");
    let looks_taken = |name: &str| {
        [name, undecorated(name)]
            .iter()
            .any(|name| looks_reserved(name, reserved) || is_one_of(short, undecorated(name)))
    };
    if [latin, with_signs, joined]
        .iter()
        .any(|name| looks_taken(name))
    {
        let detail = format!("{name} could be taken for the house itself: choose another name");
        return Err(Error::unprocessable(detail).with("field", "name"));
    }
    Ok(())
}

/// Returns a name with the Latin letters that others look like, by Unicode's table of confusable characters
/// (UTS 39): the Cyrillic `А` as `A`, and `ä` as `a` and a mark.
fn in_latin(name: &str) -> String {
    let mut latin = String::new();
    for c in name.nfkc().take(COMPARED) {
        if c.is_ascii() {
            latin.push(c);
            continue;
        }
        // The table has m as r and n, which are two letters here.
        let seen: String = skeleton(c.encode_utf8(&mut [0; 4])).collect();
        latin.push_str(if seen == "rn" { "m" } else { &seen });
    }
    latin
}

/// Returns the letter that a sign can be taken for.
fn letter_of_sign(c: char) -> char {
    match c {
        '@' => 'a',
        '!' | '|' => 'i',
        '$' => 's',
        other => other,
    }
}

/// Returns a name without the letters x at both of its ends, as in `xXAdminXx`.
fn undecorated(name: &str) -> &str {
    let is_sign = |c: char| !c.is_alphanumeric();
    let is_x = |c: char| c.eq_ignore_ascii_case(&'x');
    let plain = name.trim_matches(is_sign);
    match plain.starts_with(is_x) && plain.ends_with(is_x) {
        true => plain.trim_matches(|c: char| is_x(c) || is_sign(c)),
        false => name,
    }
}

/// Returns true if the letters of a name are one of the words.
fn is_one_of(words: &[&str], name: &str) -> bool {
    let letters: String = name.chars().filter(|c| c.is_alphabetic()).collect();
    words.iter().any(|word| letters.eq_ignore_ascii_case(word))
}

/// Returns true if a name looks like reserved words. Digits at its ends may be letters or not.
fn looks_reserved(name: &str, reserved: &[&[String]]) -> bool {
    let written: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
    let is_digit = |c: &char| c.is_ascii_digit();
    let leading = written.chars().take_while(is_digit).count();
    let trailing = written.chars().rev().take_while(is_digit).count();
    let seen: String = written.chars().map(letter_seen).collect();
    (0..=leading).any(|start| {
        let ends = seen.len() - trailing..=seen.len();
        ends.rev().any(|end| {
            seen.get(start..end)
                .is_some_and(|seen| is_made_of(reserved, seen, false))
        })
    })
}

/// Returns true if letters as they are seen are one or several of the reserved words, and fillers. `has_one`
/// tells that a reserved word comes before them.
fn is_made_of(reserved: &[&[String]], seen: &str, has_one: bool) -> bool {
    let words = reserved.iter().copied().flatten().map(|word| (word, true));
    let fillers = WORDS.fillers.iter().map(|word| (word, false));
    seen.is_empty() && has_one
        || words.chain(fillers).any(|(word, is_reserved)| {
            rest_after(seen, word)
                .is_some_and(|rest| is_made_of(reserved, rest, has_one || is_reserved))
        })
}

/// Returns the letters after a word, if they begin with it.
fn rest_after<'a>(seen: &'a str, word: &str) -> Option<&'a str> {
    let mut letters = seen.chars();
    word.chars()
        .all(|letter| letters.next() == Some(letter_seen(letter)))
        .then_some(letters.as_str())
}

/// Returns the letter that a character can be taken for. `i` and `l` are one.
pub(crate) fn letter_seen(c: char) -> char {
    match c.to_ascii_lowercase() {
        '0' => 'o',
        '1' | 'l' => 'i',
        '3' => 'e',
        '4' => 'a',
        '5' => 's',
        '7' => 't',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_look_like_those_who_run_the_house_are_reserved() {
        for name in [
            "admin",
            "Adm1n",
            "ADMlN",
            "4dm1n",
            "admin2026",
            "_root_",
            "root0",
            "r00t1",
            "5upport",
            "support-1",
            "b07",
            "no-reply",
            "NoReply",
            "security",
            "webmaster",
            "Post_Master",
            "hostmaster",
            "abuse",
            "1nfo",
            "heIp",
            "0fficial",
            "5t4ff",
            "7eam",
            "parlor-team",
            "ParlorSupport",
            "TheAdmin",
            "site_admin",
            "realadmin",
            "the-house",
            "Schiedsrichter",
            "owner",
            "legal",
            "Legal-Team",
            "privacy",
            "gm",
            "GM_1",
            "xadminx",
            "xX_Adm1n_Xx",
            // Letters of other scripts, wide ones and ones with marks look like these, too.
            "\u{410}dmin",
            "\u{430}dm\u{456}n",
            "\u{ff21}\u{ff24}\u{ff2d}\u{ff29}\u{ff2e}",
            "\u{e4}dmin",
            "adm\u{131}n",
            "\u{1d42c}upport",
            "\u{3a1}arlor",
            "Adm\u{200b}in",
            "\u{2605} Admin \u{2605}",
            "SuperAdmin",
            "Adrnin",
            "Verwaltung",
            "@dmin",
            "Adm!n",
            "Adm|n",
            "$upport!",
            "\u{410}\u{434}\u{43c}\u{438}\u{43d}",
            "Mod\u{e9}rateur",
            "\u{7ba1}\u{7406}\u{5458}",
        ] {
            assert!(refuse_reserved(name).is_err(), "{name}");
            assert!(refuse_reserved_for_guest(name).is_err(), "{name}");
        }
        for name in ["gone-7", "Gone-Fishing"] {
            assert!(refuse_reserved(name).is_err(), "{name}");
        }
        for name in ["Guest", "guest 2", "Anonymous", "nobody", "all", "ALL-2"] {
            assert!(refuse_reserved(name).is_err(), "{name}");
            assert!(refuse_reserved_for_guest(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn other_names_are_free() {
        for name in [
            "",
            "Ann",
            "Badminton",
            "Adam1",
            "Robot",
            "AnnsBot",
            "Teamwork",
            "Rooted",
            "Informer",
            "Helper_7",
            "Modesty",
            "17051350",
            "b0b",
            "TheRealAnn",
            "the",
            "Xaver",
            "Ali",
            "A1i",
            "Alligator",
            "Gmork",
            "Su",
            "TeamX",
            "xBot",
            "xx",
            "Max",
            "J\u{fc}rgen",
            "\u{418}\u{432}\u{430}\u{43d}",
            "\u{5f20}\u{4f1f}",
            "Mod\u{e9}rat",
            "Arnold",
            "Corner",
            "Super",
            "Anna!",
        ] {
            assert!(refuse_reserved(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn guests_write_a_word_in_one_alphabet() {
        for name in [
            "Ad\u{43c}in",
            "Ann \u{410}nn",
            "\u{1d00}\u{1d05}\u{1d0d}\u{26a}\u{274}",
            "\u{13aa}\u{13a0}\u{13b7}\u{39d}",
        ] {
            let error = refuse_reserved_for_guest(name).expect_err(name);
            assert!(error.detail.contains("alphabet"), "{name}");
        }
        for name in [
            "Zo\u{eb} \u{418}\u{432}\u{430}\u{43d}\u{43e}\u{432}",
            "\u{5c71}\u{7530}\u{3042}\u{304d}\u{30e6}",
            "J\u{f8}rgen",
            "Tom\u{5f20}",
            "\u{5d9}\u{5e2}\u{5dc}",
            "\u{645}\u{62d}\u{645}\u{651}\u{62f}",
            "\u{e2a}\u{e21}\u{e0a}\u{e32}\u{e22}",
            "\u{13e3}\u{13b3}\u{13a9}",
            "Ann \u{2764}\u{fe0f} 2",
        ] {
            assert!(refuse_reserved_for_guest(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn account_names_look_as_unicode_says() {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        for c in ('\0'..='\x7f').filter(|c| plain(*c)) {
            let name = c.to_string();
            let wanted: String = skeleton(&name).collect();
            assert_eq!(User::skeleton(&name), wanted.to_ascii_lowercase(), "{c}");
        }
    }
}
