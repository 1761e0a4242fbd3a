//! Text notation of boards and moves.

use std::str::FromStr;

use parlor_core::{NoChance, Notation, NotationError};

use super::{Board, Cell, Rules, Setup};

/// A move is written `1,2`; a position is written `3x3x3 XO X.O/.X./...`: rows, columns and k, the
/// symbols in turn order, the rows from the top.
impl Notation for Board {
    fn move_text(&self, cell: &Cell) -> String {
        cell.to_string()
    }

    fn parse_move(&self, text: &str) -> Result<Cell, NotationError> {
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
        let rules = self.rules();
        let symbols: String = rules.symbols().iter().collect();
        let mut text = format!(
            "{}x{}x{} {symbols} ",
            rules.rows(),
            rules.columns(),
            rules.k()
        );
        for cell in self.cells() {
            if cell.column == 0 && cell.row > 0 {
                text.push('/');
            }
            text.push(self.symbol_at(cell).unwrap_or('.'));
        }
        text
    }

    fn from_text(text: &str) -> Result<Board, NotationError> {
        let setup = Setup::from_text(text)?;
        setup
            .validate()
            .map_err(|faults| NotationError::new(text, format!("a position of a game: {faults}")))
    }
}

parlor_core::display_by_notation!(Board);

parlor_core::serde_by_text!(Cell);

/// Parses `1,2`, a row and a column as on any board; `(1, 2)` and `1 2` mean the same.
impl FromStr for Cell {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Cell, NotationError> {
        let wrong = || {
            NotationError::new(
                text,
                "a cell: its row and its column, counted from 0, such as \"1,2\"",
            )
        };
        let inner = text.trim();
        let inner = match inner.strip_prefix(['(', '[']) {
            Some(opened) => opened.strip_suffix([')', ']']).ok_or_else(wrong)?,
            None => inner,
        };
        let mut numbers = inner
            .split([',', ';', ' ', '\t'])
            .map(str::trim)
            .filter(|word| !word.is_empty());
        let mut number = || {
            numbers
                .next()
                .filter(|word| word.bytes().all(|b| b.is_ascii_digit()))?
                .parse()
                .ok()
        };
        let (Some(row), Some(column)) = (number(), number()) else {
            return Err(wrong());
        };
        if numbers.next().is_some() {
            return Err(wrong());
        }
        Ok(Cell { row, column })
    }
}

impl Setup {
    /// Parses the text of a position without checking that it is reachable.
    ///
    /// # Errors
    /// Fails if the text is not of the form `3x3x3 XO X.O/.X./...` or its rules are invalid.
    pub fn from_text(text: &str) -> Result<Setup, NotationError> {
        let wrong = |what: String| NotationError::new(text, what);
        let form = || wrong("a position such as \"3x3x3 XO X.O/.X./...\"".to_owned());
        let words: Vec<&str> = text.split_whitespace().collect();
        let [sizes, symbols, rows] = words[..] else {
            return Err(form());
        };
        let sizes: Vec<&str> = sizes.split('x').collect();
        let [height, width, k] = sizes[..] else {
            return Err(form());
        };
        let number = |word: &str| {
            let digits = word.bytes().all(|b| b.is_ascii_digit());
            digits
                .then(|| word.parse::<u8>().ok())
                .flatten()
                .ok_or_else(form)
        };
        let symbols: Vec<char> = symbols.chars().take(64).collect();
        let rules = Rules::new(number(height)?, number(width)?, number(k)?, &symbols)
            .map_err(|reason| wrong(format!("a position of a game: {reason}")))?;
        let cells = parse_cells(rows, &rules).ok_or_else(|| {
            wrong(format!(
                "a position: {} rows of {} cells, joined by '/', should follow",
                rules.rows(),
                rules.columns()
            ))
        })?;
        Ok(Setup::from_cells(rules, cells))
    }
}

/// Splits `X.O/.X./...` into cells, by counting, because a symbol may itself be a slash.
fn parse_cells(rows: &str, rules: &Rules) -> Option<Vec<Option<char>>> {
    let mut cells = Vec::with_capacity(usize::from(rules.shape().cells()));
    let mut chars = rows.chars();
    for row in 0..rules.rows() {
        if row > 0 && chars.next()? != '/' {
            return None;
        }
        for _ in 0..rules.columns() {
            let symbol = chars.next()?;
            cells.push((symbol != '.').then_some(symbol));
        }
    }
    chars.next().is_none().then_some(cells)
}
