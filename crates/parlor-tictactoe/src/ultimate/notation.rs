//! Games and moves as text.

use parlor_core::{NoChance, Notation, NotationError, Seat};

use super::{Board, Game, Move, Rules, Setup};

/// `40` for a move: board, then square. A position is its rules, the nine boards joined by `/`, the target (`-` when
/// there is none) and whose turn it is: `standard X......../........./… 0 O`. When won boards stay open, the owners of
/// the nine boards stand before the target, because the marks do not say who was first.
impl Notation for Game {
    fn move_text(&self, m: &Move) -> String {
        m.to_string()
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
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

fn shown(value: &'static str) -> &'static str {
    if value.is_empty() { "." } else { value }
}

impl Setup {
    /// Reads the text of a position without asking whether it can come up.
    ///
    /// # Errors
    /// When the text has not the form of [`Game`]'s texts.
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
            .and_then(|name| Rules::named(name))
            .ok_or_else(form)?;
        let (boards, owners, target, mover) = match words[1..] {
            [boards, target, mover] if !rules.open => (boards, None, target, mover),
            [boards, owners, target, mover] if rules.open => (boards, Some(owners), target, mover),
            _ => return Err(form()),
        };
        Ok(Setup {
            rules,
            boards: boards_of(boards).ok_or_else(form)?,
            owners: owners
                .map(|word| owners_of(word).ok_or_else(form))
                .transpose()?,
            target: match target.as_bytes() {
                b"-" => None,
                [digit @ b'0'..=b'8'] => Some(digit - b'0'),
                _ => return Err(form()),
            },
            mover: Some(seat_of(mover).flatten().ok_or_else(form)?),
        })
    }
}

fn boards_of(word: &str) -> Option<[Board; 9]> {
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

fn owners_of(word: &str) -> Option<[Option<Seat>; 9]> {
    let seats: Vec<Option<Seat>> = word
        .split("")
        .filter(|c| !c.is_empty())
        .map(seat_of)
        .collect::<Option<_>>()?;
    seats.try_into().ok()
}

/// `X`, `O` or `.` for nobody.
fn seat_of(word: &str) -> Option<Option<Seat>> {
    match word {
        "X" => Some(Some(Seat::FIRST)),
        "O" => Some(Some(Seat::SECOND)),
        "." => Some(None),
        _ => None,
    }
}
