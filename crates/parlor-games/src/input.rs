//! Clicks and drafts: moves made on a picture, in one click or in parts.

use parlor_core::Seat;
use serde::Serialize;
use serde_json::Value;

use crate::TextPosition;

/// Moves made by clicking elements of a picture.
pub trait Input: TextPosition {
    /// Returns the click paths of all legal moves; for moves made of parts, those of every possible
    /// first part. By default every move is a separate button.
    fn clicks(&self) -> Vec<Click> {
        let button = |text: String| Click::whole(text.clone(), Vec::new(), text);
        self.legal()
            .into_iter()
            .map(|legal| button(legal.text))
            .collect()
    }

    /// Returns the kinds of moves that the seat on turn chooses between, for a bar of buttons; empty in
    /// games that do not tell kinds apart.
    fn action_kinds(&self) -> Vec<ActionKind> {
        Vec::new()
    }

    /// Returns clicks on moves that a seat can choose in advance while another is on turn, in games
    /// whose turns alternate without luck. When its turn comes, not all of them need be legal.
    fn premoves(&self) -> Vec<Click> {
        Vec::new()
    }

    /// Returns moves by which the seat on turn concedes part of the contest, such as one game of a
    /// match. They are legal but never listed as such, so that no bot plays them by chance.
    fn concessions(&self) -> Vec<Click> {
        Vec::new()
    }

    /// Returns the draft of the move that begins with these parts, written as in [`Click::text`];
    /// `None` if no move begins with them. An empty text stands for a draft without parts. Games
    /// whose moves have no parts have no drafts.
    fn draft(&self, steps: &str) -> Option<Draft> {
        let _ = steps;
        None
    }

    /// Returns the seat that a move belongs to, given the text of the move or of its first parts as
    /// in [`Click::text`]; `None` if the text cannot mean a move or no seat is to move. In some
    /// games a seat may move while another is on turn.
    ///
    /// ```
    /// # use parlor_games::GameKind;
    /// # use parlor_core::Seat;
    /// let start = GameKind::from_name("mnk")?.start(&serde_json::Value::Null)?;
    /// assert_eq!((start.seat_of("1,1"), start.seat_of("up")), (Some(Seat::FIRST), None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn seat_of(&self, text: &str) -> Option<Seat> {
        match self.canonical(text) {
            Ok(_) => self.mover(text),
            // Parts of moves belong to the seat on turn.
            Err(_) => self.turn().seat().filter(|_| self.draft(text).is_some()),
        }
    }

    /// Returns the elements of the picture that teammates can point at, such as cities, with their ids
    /// and names; none in games that are not won together.
    fn landmarks(&self) -> Vec<(String, &'static str)> {
        Vec::new()
    }

    /// Returns the elements of the picture where a legal move happens, by their ids: its place, or the two
    /// between which something moves; none if the move has no place. By default no move has one.
    fn way(&self, text: &str) -> Vec<String> {
        let _ = text;
        Vec::new()
    }

    /// Returns true if a picture marks this as the last move; false for a roll of dice, for
    /// example.
    fn leaves_mark(&self, text: &str) -> bool {
        let _ = text;
        true
    }
}

/// Way to make a move, or a part of one, with pointer or keyboard on the board's picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Click {
    /// Canonical text of the move; for a part, the argument of [`Input::draft`].
    #[serde(rename = "move")]
    pub text: String,
    /// Ids of the picture's elements, to be clicked in this order. If empty, the move is a separate
    /// button.
    pub path: Vec<String>,
    /// Move in words, for screen readers.
    pub label: String,
    /// True if this is only a part of a move and leads to a draft.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
    /// True if a button asks whether the move is meant: one that gives something up, such as the
    /// actions that are left in a turn.
    #[serde(skip)]
    pub asks: bool,
}

impl Click {
    /// Creates a click for a complete move.
    pub fn whole(text: String, path: Vec<String>, label: String) -> Click {
        Click {
            text,
            path,
            label,
            partial: false,
            asks: false,
        }
    }
}

/// Kind of move that a player can choose before its details, such as "Fly".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionKind {
    /// Name of the kind, for a button.
    pub label: &'static str,
    /// First words of its moves' texts, which end at the first colon.
    pub verbs: &'static [&'static str],
    /// Cost of a move, such as "1 action".
    pub cost: &'static str,
    /// Prompt for the next choice, such as "choose the city".
    pub prompt: &'static str,
    /// Reason why no move of the kind is possible, if none is.
    pub refused: String,
}

impl ActionKind {
    /// Returns true if a move, given by its text, is of this kind.
    ///
    /// ```
    /// # use parlor_games::GameKind;
    /// let mut game = GameKind::from_name("pandemic")?.start(&serde_json::Value::Null)?;
    /// while let Some((chance, _)) = game.chances().first() {
    ///     game.resolve(chance).expect("it is possible");
    /// }
    /// let kinds = game.action_kinds();
    /// assert_eq!(kinds[0].label, "Drive");
    /// assert!(kinds[0].contains("drive:Chicago") && !kinds[0].contains("draw"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn contains(&self, text: &str) -> bool {
        let verb = text.split(':').next().unwrap_or_default();
        self.verbs.contains(&verb)
    }
}

/// Move entered in parts and not played yet.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Draft {
    /// Parts entered so far, as in [`Click::text`].
    pub steps: String,
    /// View of the position after these parts; for [`GameKind::svg`](crate::GameKind::svg).
    pub view: Value,
    /// Possible next parts.
    pub clicks: Vec<Click>,
    /// Canonical text of the move once it is complete.
    pub whole: Option<String>,
    /// Parts without the last one; `None` if there are none.
    pub back: Option<String>,
}
