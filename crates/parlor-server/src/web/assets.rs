//! Static files and style sheets of the pages, compiled into the binary.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use parlor_games::GameKind;
use parlor_games::svg::{PICTURE_STYLE, PIECES_SCRIPT};
use sha2::{Digest, Sha256};

use super::error_page::WebError;
use crate::error::Error;
use crate::settings::Theme;

const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

/// Describes a file of the folder `assets` as in [`FILES`].
macro_rules! asset {
    ($media_type:ident, $name:literal) => {
        (
            $name,
            $media_type,
            include_str!(concat!("../../assets/", $name)),
        )
    };
}

/// Static files: name, media type, content.
const FILES: &[(&str, &str, &str)] = &[
    asset!(PICTURE, "icon.svg"),
    asset!(PICTURE, "icon-turn.svg"),
    asset!(SCRIPT, "table.js"),
    asset!(SCRIPT, "actions.js"),
    asset!(SCRIPT, "advice.js"),
    asset!(SCRIPT, "alerts.js"),
    asset!(SCRIPT, "board.js"),
    asset!(SCRIPT, "board-input.js"),
    asset!(SCRIPT, "carry.js"),
    asset!(SCRIPT, "clock.js"),
    asset!(SCRIPT, "confirm.js"),
    asset!(SCRIPT, "controls.js"),
    asset!(SCRIPT, "difficulty.js"),
    asset!(SCRIPT, "dom.js"),
    asset!(SCRIPT, "draft.js"),
    asset!(SCRIPT, "drag.js"),
    asset!(SCRIPT, "drawer.js"),
    asset!(SCRIPT, "end.js"),
    asset!(SCRIPT, "hints.js"),
    asset!(SCRIPT, "kept.js"),
    asset!(SCRIPT, "kinds.js"),
    asset!(SCRIPT, "network.js"),
    asset!(SCRIPT, "parts.js"),
    asset!(SCRIPT, "plan.js"),
    asset!(SCRIPT, "premove.js"),
    asset!(SCRIPT, "settings.js"),
    asset!(SCRIPT, "settings-page.js"),
    asset!(SCRIPT, "picture.js"),
    ("pieces.js", SCRIPT, PIECES_SCRIPT),
    asset!(SCRIPT, "sight.js"),
    asset!(SCRIPT, "slips.js"),
    asset!(SCRIPT, "state.js"),
    asset!(SCRIPT, "talk.js"),
    asset!(SCRIPT, "team.js"),
    asset!(SCRIPT, "telling.js"),
    asset!(SCRIPT, "update.js"),
    asset!(SCRIPT, "ways.js"),
    asset!(SCRIPT, "queue.js"),
    asset!(SCRIPT, "notices.js"),
    asset!(SCRIPT, "notices-worker.js"),
    asset!(SCRIPT, "notify.js"),
];

/// A style sheet that pages embed, or that is a file.
pub(super) struct StyleSheet {
    /// CSS without comments, and without white space that means nothing.
    pub(super) css: String,
    /// Source expression of the content security policy that allows a page to embed this sheet.
    source: String,
}

/// Condition under which style sheets are dark. Paper never is.
const DARK: &str = "(prefers-color-scheme: dark)";

impl StyleSheet {
    fn new(text: &str, theme: Theme) -> StyleSheet {
        let (dark, scheme) = match theme {
            Theme::System => ("screen and (prefers-color-scheme: dark)", "light dark"),
            Theme::Light => ("not all", "light"),
            Theme::Dark => ("screen", "dark"),
        };
        let text = text.replace(DARK, dark).replace(
            "color-scheme: light dark;",
            &format!("color-scheme: {scheme};"),
        );
        let css = compact(&without_comments(&text));
        let source = source(&css);
        StyleSheet { css, source }
    }
}

/// Returns the source expression of a content security policy that allows a page to embed a text.
fn source(text: &str) -> String {
    let hash = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(text));
    format!("'sha256-{hash}'")
}

/// Script that pages with a live table embed, since it has to be there as soon as the board is.
pub(super) static EARLY_SCRIPT: LazyLock<String> =
    LazyLock::new(|| without_comments(include_str!("../../assets/early.js")));

/// Returns CSS without the white space that means nothing, and without semicolons before braces.
fn compact(text: &str) -> String {
    let mut css = String::with_capacity(text.len());
    let mut quote = None;
    for c in text.chars() {
        match c {
            _ if quote.is_some() => quote = quote.filter(|open| *open != c),
            '"' | '\'' => quote = Some(c),
            '{' | '}' | ';' | ',' => {
                let end = if c == '}' { [' ', ';'] } else { [' '; 2] };
                css.truncate(css.trim_end_matches(end).len());
            }
            _ if c.is_whitespace() => {
                if !css.is_empty() && !css.ends_with([' ', '{', '}', ';', ',', ':']) {
                    css.push(' ');
                }
                continue;
            }
            _ => {}
        }
        css.push(c);
    }
    css
}

/// All style sheets in the colors of a theme.
struct Sheets {
    /// Style sheet shared by all pages, without styles of any game.
    shared: StyleSheet,
    /// Style sheet of tables of numbers, graphs and analyses.
    numbers: StyleSheet,
    /// Style sheet of the pages without a live table.
    pages: StyleSheet,
    /// Style sheet of the talk at a table.
    talk: StyleSheet,
    /// Style sheet of the tables of teams.
    team: StyleSheet,
    /// Style sheets of the games, except empty ones, by the names of their files. Only their tables need
    /// them, and that of a game with many pieces weighs more than its page.
    games: BTreeMap<String, StyleSheet>,
}

static SHEETS: LazyLock<BTreeMap<Theme, Sheets>> = LazyLock::new(|| {
    let page = include_str!("../../assets/style.css");
    let numbers = include_str!("../../assets/numbers.css");
    let pages = include_str!("../../assets/pages.css");
    let talk = include_str!("../../assets/talk.css");
    let team = include_str!("../../assets/team.css");
    let styled = || {
        GameKind::all()
            .iter()
            .filter(|kind| !kind.style().is_empty())
    };
    let sheets = |theme| Sheets {
        shared: StyleSheet::new(&format!("{page}{PICTURE_STYLE}"), theme),
        numbers: StyleSheet::new(numbers, theme),
        pages: StyleSheet::new(pages, theme),
        talk: StyleSheet::new(talk, theme),
        team: StyleSheet::new(team, theme),
        games: styled()
            .map(|kind| {
                (
                    game_file(*kind, theme),
                    StyleSheet::new(kind.style(), theme),
                )
            })
            .collect(),
    };
    Theme::ALL
        .into_iter()
        .map(|theme| (theme, sheets(theme)))
        .collect()
});

/// Part of the pages that has a style sheet of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    /// Pages without a live table.
    Pages,
    /// Live tables without talk.
    Table,
    /// Live tables with talk.
    Talk,
}

/// Returns the name of the file with the styles of a game in a theme.
fn game_file(kind: GameKind, theme: Theme) -> String {
    format!("{}-{}.css", kind.name(), theme.name())
}

/// Returns the URL of the style sheet of a game, unless that is empty. It changes with its content.
pub(super) fn game_sheet(game: GameKind, theme: Theme) -> Option<String> {
    let name = game_file(game, theme);
    SHEETS[&theme]
        .games
        .contains_key(&name)
        .then(|| versioned(&name))
}

/// Returns the style sheets that a page embeds in a theme, in order: the shared one, the one of numbers
/// if it can have any, the one of its section, and the one of teams at their tables.
pub(super) fn sheets(
    section: Section,
    game: Option<GameKind>,
    theme: Theme,
) -> Vec<&'static StyleSheet> {
    let sheets = &SHEETS[&theme];
    let of_section = match section {
        Section::Pages => Some(&sheets.pages),
        Section::Table => None,
        Section::Talk => Some(&sheets.talk),
    };
    let has_numbers = section == Section::Pages || game.is_some_and(GameKind::can_analyze);
    let has_team = section != Section::Pages && game.is_some_and(GameKind::is_cooperative);
    std::iter::once(&sheets.shared)
        .chain(has_numbers.then_some(&sheets.numbers))
        .chain(of_section)
        .chain(has_team.then_some(&sheets.team))
        .collect()
}

/// Hash of all static files and of the games' styles, as a path segment of URLs. Scripts import each
/// other by relative URL, so all of them change together.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let files = FILES.iter().map(|(_, _, content)| *content);
    let styles = GameKind::all().iter().map(|kind| kind.style());
    let all = files
        .chain(styles)
        .fold(Sha256::new(), |hash, content| hash.chain_update(content));
    hex::encode(&all.finalize()[..5])
});

/// Returns the URL of a file, which changes with the content of any file.
pub(super) fn versioned(name: &str) -> String {
    format!("/assets/{}/{name}", *VERSION)
}

/// Returns the content security policy of a page: files of this server, and the style sheets and the
/// script that the page embeds.
pub(super) fn policy(sheets: &[&StyleSheet], section: Section) -> String {
    let styles: Vec<&str> = sheets.iter().map(|sheet| sheet.source.as_str()).collect();
    let script = match section {
        Section::Pages => String::new(),
        Section::Table | Section::Talk => format!(" {}", source(&EARLY_SCRIPT)),
    };
    format!(
        "default-src 'self'; style-src 'self' {}; script-src 'self'{script}; img-src 'self' data:; \
         object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
        styles.join(" ")
    )
}

/// Serves a file at a URL without version.
pub(super) async fn serve(Path(name): Path<String>) -> Result<Response, WebError> {
    file(&name, "public, max-age=3600")
}

/// Serves a file at a URL with version. Browsers may cache it forever if that is the current
/// version.
pub(super) async fn serve_version(
    Path((version, name)): Path<(String, String)>,
) -> Result<Response, WebError> {
    let current = version == *VERSION;
    file(
        &name,
        if current {
            "public, max-age=31536000, immutable"
        } else {
            "no-store"
        },
    )
}

/// Serves the icon to browsers that ask for `/favicon.ico`.
pub(super) async fn icon() -> Result<Response, WebError> {
    serve(Path("icon.svg".to_owned())).await
}

fn file(name: &str, keep: &'static str) -> Result<Response, WebError> {
    let style = || SHEETS.values().find_map(|sheets| sheets.games.get(name));
    let (kind, content) = match FILES.iter().find(|(file, _, _)| *file == name) {
        Some((_, kind, content)) => (*kind, SCRIPTS.get(name).map_or(*content, String::as_str)),
        None => {
            let sheet = style().ok_or_else(|| Error::not_found("There is no such file."))?;
            (STYLE, sheet.css.as_str())
        }
    };
    Ok(([(CONTENT_TYPE, kind), (CACHE_CONTROL, keep)], content).into_response())
}

/// Scripts by name, without the comments, which are a third of them.
static SCRIPTS: LazyLock<BTreeMap<&str, String>> = LazyLock::new(|| {
    let scripts = FILES.iter().filter(|(_, kind, _)| *kind == SCRIPT);
    scripts
        .map(|(name, _, content)| (*name, without_comments(content)))
        .collect()
});

/// Returns a script for an address outside the folder of static files; empty if there is none.
pub(super) fn script(name: &str) -> &'static str {
    SCRIPTS.get(name).map_or("", String::as_str)
}

/// Returns a script or a style sheet without the lines that are nothing but comments, and without
/// indentation.
fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut is_inside = false;
    for line in text.lines() {
        let words = line.trim();
        is_inside |= words.starts_with("/*") && !words.contains("*/");
        let is_comment = is_inside
            || words.starts_with("//")
            || words.starts_with("/*") && words.find("*/") == words.len().checked_sub(2);
        is_inside &= !words.ends_with("*/");
        if !is_comment && !words.is_empty() {
            kept.push_str(words);
            kept.push('\n');
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_lose_comments_but_not_what_stands_beside_them() {
        let script = "// @ts-check\n/** One. */\nlet a = /** @type {any} */ (b); // Two.\n/**\n * Three.\n * @param c\n */\n  \
                      /** @type {any} */ (c)();\n\n  // Four.\n";
        assert_eq!(
            without_comments(script),
            "let a = /** @type {any} */ (b); // Two.\n/** @type {any} */ (c)();\n"
        );
    }

    #[test]
    fn styles_lose_comments_and_keep_the_rules_beside_them() {
        let css = "/* One. */\na { color: red; }\n/* Two\n   lines. */\n* { margin: 0; }\n";
        assert_eq!(
            without_comments(css),
            "a { color: red; }\n* { margin: 0; }\n"
        );
    }

    #[test]
    fn dark_styles_are_for_screens_alone() {
        let sheet =
            |theme| StyleSheet::new(&format!("@media {DARK} {{ a {{ color: red; }} }}"), theme);
        let conditions = [
            (Theme::System, "screen and (prefers-color-scheme:dark)"),
            (Theme::Light, "not all"),
            (Theme::Dark, "screen"),
        ];
        for (theme, condition) in conditions {
            assert_eq!(
                sheet(theme).css,
                format!("@media {condition}{{a{{color:red}}}}")
            );
        }
    }

    #[test]
    fn styles_lose_white_space_but_not_their_meaning() {
        let css = "a > b, p :is(i, b) {\n  margin: 0 auto;\n}\n@media (min-width: 9rem) and (hover: hover) {\n  \
                   i::after { content: \": on, \"; width: calc(1px + 2%); }\n}\n";
        assert_eq!(
            compact(css),
            "a > b,p :is(i,b){margin:0 auto}@media (min-width:9rem) and (hover:hover){\
             i::after{content:\": on, \";width:calc(1px + 2%)}}"
        );
    }
}
