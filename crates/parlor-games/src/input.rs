//! Clicks and drafts: moves made on a picture, at once or in parts.

use parlor_core::Seat;
use serde::Serialize;
use serde_json::Value;

use crate::TextPosition;

/// Moves as clicks on the elements of a picture.
pub trait Input: TextPosition {
    /// Returns the click paths of all legal moves; where moves are made of parts, of each part that
    /// can come first. By default every move is a button of its own.
    fn clicks(&self) -> Vec<Click> {
        let button = |text: String| Click::whole(text.clone(), Vec::new(), text);
        self.legal()
            .into_iter()
            .map(|legal| button(legal.text))
            .collect()
    }

    /// Returns moves of the seat on turn that give up part of what is played for, such as one game
    /// of a match. They are legal but never listed, so that no bot plays them by chance.
    fn concessions(&self) -> Vec<Click> {
        Vec::new()
    }

    /// Returns the draft of a move that these parts begin, named as in [`Click::text`]; `None` if
    /// they begin no move. An empty text stands for the draft without a part. Games whose moves
    /// have no parts have no drafts.
    fn draft(&self, steps: &str) -> Option<Draft> {
        let _ = steps;
        None
    }

    /// Returns the seat that a move belongs to, or the move that a text begins, named as in
    /// [`Click::text`]; `None` if it can mean no move or nobody is to move. In some games a seat
    /// may move while another is on turn.
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

    /// Returns true if a move shows in the picture as the last one, as a roll of dice does not.
    fn leaves_mark(&self, text: &str) -> bool {
        let _ = text;
        true
    }
}

/// Way to make a move, or a part of one, with a pointer or keys on the board's picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Click {
    /// Canonical text of the move; for a part, the text that [`Input::draft`] takes.
    #[serde(rename = "move")]
    pub text: String,
    /// Ids of the picture's elements, to be clicked in this order. Without any, the move is a
    /// button of its own.
    pub path: Vec<String>,
    /// The move in words, for a screen reader.
    pub label: String,
    /// True if it is only a part of a move, after which a draft is asked for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub partial: bool,
}

impl Click {
    /// Creates the way to a whole move.
    pub fn whole(text: String, path: Vec<String>, label: String) -> Click {
        Click {
            text,
            path,
            label,
            partial: false,
        }
    }
}

/// Move that was begun and is not played yet.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Draft {
    /// Parts made so far, in the words of [`Click::text`].
    pub steps: String,
    /// View of the position as it would look; for [`GameKind::svg`](crate::GameKind::svg).
    pub view: Value,
    /// Parts that can follow.
    pub clicks: Vec<Click>,
    /// Canonical text of the move once it is a whole one.
    pub whole: Option<String>,
    /// The parts without the last one; `None` if there are none.
    pub back: Option<String>,
}
