//! Names that new accounts cannot have.

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
