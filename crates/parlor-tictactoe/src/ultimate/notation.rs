//! Text notation of games and moves.

use std::str::FromStr;

use parlor_core::{NoChance, Notation, NotationError, Seat};

use super::{Board, Game, Move, Rules, Setup};

/// A move is written `40`: board, then square. A position is its rules, the nine boards joined by
/// `/`, the target (`-` if there is none) and the side to move: `standard X......../........./… 0
/// O`. If won boards stay open, the owners of the nine boards precede the target, because the marks
/// do not show who won first.
impl Notation for Game {
    fn move_text(&self, m: &Move) -> String {
        m.to_string()
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        text.parse()
    }

    fn chance_text(&self, chance: &NoChance) -> String {
        match *chance {}
    }

    fn parse_chance(&self, text: &str) -> Result<NoChance, NotationError> {
        Err(NotationError::new(
            text,
            "anything that luck does in this game: there is none",
        ))
    }

    fn text(&self) -> String {
        let boards: [String; 9] =
            std::array::from_fn(|b| self.board(b as u8).to_list().map(shown).join(""));
        let mut words = vec![self.rules().name().to_owned(), boards.join("/")];
        if self.rules().open {
            let owned = |seat: Seat, b: usize| self.won(seat) >> b & 1 == 1;
            words.push(
                (0..9)
                    .map(|b| {
                        if owned(Seat::FIRST, b) {
                            'X'
                        } else if owned(Seat::SECOND, b) {
                            'O'
                        } else {
                            '.'
                        }
                    })
                    .collect(),
            );
        }
        words.push(
            self.target()
                .map_or("-".to_owned(), |target| target.to_string()),
        );
        words.push(
            if self.plies().is_multiple_of(2) {
                "X"
            } else {
                "O"
            }
            .to_owned(),
        );
        words.join(" ")
    }

    fn from_text(text: &str) -> Result<Game, NotationError> {
        let setup = Setup::from_text(text)?;
        setup
            .validate()
            .map_err(|faults| NotationError::new(text, format!("a position of a game: {faults}")))
    }
}

parlor_core::display_by_notation!(Game);

parlor_core::serde_by_text!(Move);

/// Parses `40`, a board and a square, each 0 to 8; `4,0` and `4/0` mean the same.
impl FromStr for Move {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Move, NotationError> {
        let wrong = || {
            NotationError::new(
                text,
                "a move: its board and its square, each 0 to 8, such as \"40\"",
            )
        };
        let number = |word: &str| match word.trim().as_bytes() {
            [digit @ b'0'..=b'8'] => Ok(digit - b'0'),
            _ => Err(wrong()),
        };
        let inner = text.trim();
        let (board, square) = match inner.split_once([',', '/', ' ']) {
            Some(words) => words,
            None if inner.is_char_boundary(1) && inner.len() == 2 => inner.split_at(1),
            None => return Err(wrong()),
        };
        Move::new(number(board)?, number(square)?).map_err(|_| wrong())
    }
}

fn shown(value: &'static str) -> &'static str {
    if value.is_empty() { "." } else { value }
}

impl Setup {
    /// Parses the text of a position without checking that it is reachable.
    ///
    /// # Errors
    /// Fails if the text is not of the form that [`Game`] writes.
    pub fn from_text(text: &str) -> Result<Setup, NotationError> {
        let form = || {
            NotationError::new(
                text,
                "a position: rules, nine boards such as \"X.O......\" joined by '/', (owners if open,) target, mover",
            )
        };
        let words: Vec<&str> = text.split_whitespace().collect();
        let rules = words
            .first()
            .and_then(|name| Rules::from_name(name))
            .ok_or_else(form)?;
        let (boards, owners, target, mover) = match words[1..] {
            [boards, target, mover] if !rules.open => (boards, None, target, mover),
            [boards, owners, target, mover] if rules.open => (boards, Some(owners), target, mover),
            _ => return Err(form()),
        };
        Ok(Setup {
            rules,
            boards: parse_boards(boards).ok_or_else(form)?,
            owners: owners
                .map(|word| parse_owners(word).ok_or_else(form))
                .transpose()?,
            target: match target.as_bytes() {
                b"-" => None,
                [digit @ b'0'..=b'8'] => Some(digit - b'0'),
                _ => return Err(form()),
            },
            mover: Some(parse_seat(mover).flatten().ok_or_else(form)?),
        })
    }
}

fn parse_boards(word: &str) -> Option<[Board; 9]> {
    let mut parts = word.split('/');
    let mut boards = [Board::new(); 9];
    for board in &mut boards {
        let part = parts
            .next()
            .filter(|part| part.is_ascii() && part.len() == 9)?;
        let squares: Vec<&str> = (0..9)
            .map(|pos| &part[pos..=pos])
            .map(|c| if c == "." { "" } else { c })
            .collect();
        *board = Board::from_list(&squares).ok()?;
    }
    parts.next().is_none().then_some(boards)
}

fn parse_owners(word: &str) -> Option<[Option<Seat>; 9]> {
    let seats: Vec<Option<Seat>> = word
        .split("")
        .filter(|c| !c.is_empty())
        .map(parse_seat)
        .collect::<Option<_>>()?;
    seats.try_into().ok()
}

/// Parses `X` or `O`, or `.` for neither.
fn parse_seat(word: &str) -> Option<Option<Seat>> {
    match word {
        "X" => Some(Some(Seat::FIRST)),
        "O" => Some(Some(Seat::SECOND)),
        "." => Some(None),
        _ => None,
    }
}
