//! Choices about the pages: colors, boards, sounds, motion and the way moves are made.
//!
//! Members keep their choices with the account, everybody else in a cookie. Pages carry them as
//! attributes of their root element, so that styles and scripts know them before anything is drawn.

use std::collections::BTreeMap;

use axum::http::HeaderMap;
use parlor_games::GameKind;

use crate::web::cookies;

/// Prefix of the settings that choose the look of a game's boards.
const BOARD: &str = "board-";
/// Maximum length of stored settings, in bytes.
const LONGEST: usize = 2_000;

/// A setting: one of a few words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Setting {
    /// Name in forms, cookies and attributes.
    pub(crate) name: String,
    /// Title for people.
    pub(crate) title: String,
    /// Explanation; may be empty.
    pub(crate) help: &'static str,
    /// Words with their titles; the first is the default.
    pub(crate) choices: Vec<(&'static str, &'static str)>,
}

impl Setting {
    fn new(
        name: &str,
        title: &str,
        help: &'static str,
        choices: &[(&'static str, &'static str)],
    ) -> Setting {
        Setting {
            name: name.to_owned(),
            title: title.to_owned(),
            help,
            choices: choices.to_vec(),
        }
    }

    /// Returns the setting for the look of a game's boards.
    pub(crate) fn board(kind: GameKind) -> Setting {
        let styles = kind.board_styles().map(|style| (style.name, style.title));
        Setting::new(
            &format!("{BOARD}{}", kind.name()),
            kind.title(),
            "",
            &styles,
        )
    }

    /// Returns all settings but the boards'.
    pub(crate) fn common() -> Vec<Setting> {
        const SWITCH: [(&str, &str); 2] = [("on", "On"), ("off", "Off")];
        vec![
            Setting::new(
                "theme",
                "Colors",
                "",
                &[
                    ("system", "Like the system"),
                    ("light", "Light"),
                    ("dark", "Dark"),
                ],
            ),
            Setting::new("sound", "Sound", "", &SWITCH),
            Setting::new(
                "volume",
                "Volume",
                "",
                &[("low", "Low"), ("medium", "Medium"), ("high", "High")],
            ),
            Setting::new(
                "motion",
                "Animation",
                "",
                &[("normal", "Normal"), ("fast", "Fast"), ("off", "Off")],
            ),
            Setting::new(
                "confirm",
                "Confirm moves",
                "Shows a move first, and plays it with a second click or the button.",
                &[
                    ("parts", "Moves of several parts"),
                    ("always", "All"),
                    ("never", "None"),
                ],
            ),
            Setting::new(
                "premoves",
                "Moves in advance",
                "While others think, a click chooses your next move. It is played at once if it is still possible, changed by a click on another place, and taken back by one on the same.",
                &SWITCH,
            ),
            Setting::new("coordinates", "Coordinates", "", &SWITCH),
        ]
    }

    /// Returns the setting with this name.
    fn find(name: &str) -> Option<Setting> {
        match name.strip_prefix(BOARD) {
            Some(game) => GameKind::from_name(game).ok().map(Setting::board),
            None => Setting::common()
                .into_iter()
                .find(|setting| setting.name == name),
        }
    }

    /// Returns the default.
    fn usual(&self) -> &'static str {
        self.choices.first().map_or("", |(word, _)| word)
    }
}

/// Returns the settings kept in a browser, as [`Settings::text`] wrote them.
pub(crate) fn stored_settings(headers: &HeaderMap) -> Option<&str> {
    cookies::settings(headers)
}

/// Colors of the pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Theme {
    /// As the system asks for.
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Theme {
    /// All themes.
    pub(crate) const ALL: [Theme; 3] = [Theme::System, Theme::Light, Theme::Dark];

    /// Returns the theme's name in the settings.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Theme::System => "system",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }
}

/// Somebody's choices. What is not chosen has its default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Settings(BTreeMap<String, &'static str>);

impl Settings {
    /// Parses stored settings. What a later or earlier release does not know is left out.
    pub(crate) fn parse(stored: &str) -> Settings {
        let mut settings = Settings::default();
        for pair in stored
            .get(..LONGEST.min(stored.len()))
            .unwrap_or_default()
            .split('&')
        {
            if let Some((name, word)) = pair.split_once('=') {
                settings.choose(name, word);
            }
        }
        settings
    }

    /// Returns the settings as they are stored: `sound=off&theme=dark`. Names and words consist of
    /// lowercase letters, digits and hyphens.
    pub(crate) fn text(&self) -> String {
        let pairs: Vec<String> = self
            .0
            .iter()
            .map(|(name, word)| format!("{name}={word}"))
            .collect();
        pairs.join("&")
    }

    /// Chooses a word for a setting. Returns `false` if there is no such word or setting.
    pub(crate) fn choose(&mut self, name: &str, word: &str) -> bool {
        let Some(setting) = Setting::find(name) else {
            return false;
        };
        let Some((word, _)) = setting.choices.iter().find(|(known, _)| *known == word) else {
            return false;
        };
        if *word == setting.usual() {
            self.0.remove(&setting.name);
        } else {
            self.0.insert(setting.name, word);
        }
        true
    }

    /// Returns the chosen word, or the default.
    pub(crate) fn get(&self, setting: &Setting) -> &'static str {
        self.0
            .get(&setting.name)
            .copied()
            .unwrap_or(setting.usual())
    }

    /// Returns the colors of the pages.
    pub(crate) fn theme(&self) -> Theme {
        match self.0.get("theme").copied() {
            Some("light") => Theme::Light,
            Some("dark") => Theme::Dark,
            _ => Theme::System,
        }
    }

    /// Returns the attributes of a page's root element: the name of each and its word. `game` is the
    /// game whose board is on the page.
    pub(crate) fn attributes(&self, game: Option<GameKind>) -> Vec<(String, &'static str)> {
        let common = Setting::common().into_iter();
        let board = game.map(|kind| ("data-board".to_owned(), self.get(&Setting::board(kind))));
        let name = game.map(|kind| ("data-game".to_owned(), kind.name()));
        common
            .map(|setting| (format!("data-{}", setting.name), self.get(&setting)))
            .chain(name)
            .chain(board)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_back_as_they_are_stored() {
        let mut settings = Settings::default();
        assert!(settings.choose("theme", "dark"));
        assert!(settings.choose("sound", "off"));
        for kind in GameKind::all() {
            let [_, second] = kind.board_styles();
            assert!(settings.choose(&format!("board-{}", kind.name()), second.name));
        }
        let text = settings.text();
        assert_eq!(Settings::parse(&text), settings);
        assert!(
            text.bytes().all(|byte| byte.is_ascii_lowercase()
                || byte.is_ascii_digit()
                || b"-=&".contains(&byte)),
            "{text}"
        );
    }

    #[test]
    fn a_default_is_not_stored_and_what_is_unknown_is_left_out() {
        let mut settings = Settings::parse("theme=dark&theme=neon&smell=on&=&sound&volume=high");
        assert_eq!(settings.text(), "theme=dark&volume=high");
        assert!(settings.choose("theme", "system"));
        assert!(!settings.choose("theme", "\" onload=\""));
        assert_eq!(settings.text(), "volume=high");
        assert_eq!(Settings::parse(&"ä".repeat(LONGEST)), Settings::default());
    }
}
