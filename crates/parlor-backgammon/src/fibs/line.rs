//! Reading and writing of board lines.

use super::{FibsBoard, FibsError};

/// Number of fields of a line, including the word `board`.
pub const FIELDS: usize = 53;

/// Cursor over the fields of a line.
struct FibsFields<'a> {
    all: Vec<&'a str>,
    next: usize,
}

impl<'a> FibsFields<'a> {
    fn text(&mut self) -> &'a str {
        self.next += 1;
        self.all[self.next - 1].trim()
    }

    fn number<T: TryFrom<i64>>(
        &mut self,
        name: &'static str,
        from: i64,
        to: i64,
    ) -> Result<T, FibsError> {
        let text = self.text();
        let number = text
            .parse::<i64>()
            .ok()
            .filter(|number| (from..=to).contains(number));
        number
            .and_then(|number| T::try_from(number).ok())
            .ok_or_else(|| FibsError::Field {
                at: self.next,
                name,
                text: text.chars().take(20).collect(),
                expected: expected(from, to),
            })
    }

    fn flag(&mut self, name: &'static str) -> Result<bool, FibsError> {
        Ok(self.number::<u8>(name, 0, 1)? == 1)
    }

    fn pair<T: TryFrom<i64>>(&mut self, name: &'static str, to: i64) -> Result<[T; 2], FibsError> {
        Ok([self.number(name, 0, to)?, self.number(name, 0, to)?])
    }
}

/// Describes the range of a number, for errors.
const fn expected(from: i64, to: i64) -> &'static str {
    match (from, to) {
        (0, 1) => "0 or 1",
        (-1, 1) => "-1, 0 or 1",
        (0, 6) => "a number from 0 to 6",
        (0, 15) => "a number from 0 to 15",
        (-15, 15) => "a number from -15 to 15",
        (0, 255) => "a number from 0 to 255",
        _ => "a number from 0 to 9999",
    }
}

pub(super) fn read(line: &str) -> Result<FibsBoard, FibsError> {
    let line = line.trim_matches(|c: char| c.is_whitespace() || c == '\0');
    if !line.starts_with("board:") {
        return Err(FibsError::NotABoard);
    }
    let all: Vec<&str> = line.split(':').collect();
    if all.len() != FIELDS {
        return Err(FibsError::Fields { count: all.len() });
    }
    let mut fields = FibsFields { all, next: 1 };
    let names = [fields.text().to_owned(), fields.text().to_owned()];
    let length = fields.number("the match length", 0, 9_999)?;
    let scores = fields.pair("a score", 9_999)?;
    let mut points = [0; 26];
    for point in &mut points {
        *point = fields.number("a point", -15, 15)?;
    }
    Ok(FibsBoard {
        names,
        length,
        scores,
        points,
        turn: fields.number("the turn", -1, 1)?,
        dice: [fields.pair("a die", 6)?, fields.pair("a die", 6)?],
        cube: fields.number("the cube", 0, 9_999)?,
        may_double: [
            fields.flag("who may double")?,
            fields.flag("who may double")?,
        ],
        // Some programs give the doubling side by the sign, which the turn field implies as well.
        doubled: fields.number::<i8>("the double", -1, 1)? != 0,
        color: fields.number("the color", -1, 1)?,
        direction: fields.number("the direction", -1, 1)?,
        home_and_bar: fields.pair("home or bar", 255)?,
        off: fields.pair("checkers off", 15)?,
        on_bar: fields.pair("checkers on the bar", 15)?,
        can_move: fields.number("what can be moved", 0, 255)?,
        forced: fields.number("what is forced", 0, 255)?,
        post_crawford: fields.flag("whether the Crawford game is over")?,
        no_crawford: fields.number("whether this is no Crawford game", 0, 255)?,
    })
}

pub(super) fn write(board: &FibsBoard) -> String {
    let mut fields: Vec<String> = vec!["board".to_owned()];
    fields.extend(
        board
            .names
            .iter()
            .map(|name| name.replace([':', '\n', '\r', '\0'], "_")),
    );
    let head = [board.length, board.scores[0], board.scores[1]];
    fields.extend(head.map(|n| n.to_string()));
    fields.extend(board.points.map(|n| n.to_string()));
    fields.push(board.turn.to_string());
    fields.extend(board.dice.as_flattened().iter().map(u8::to_string));
    fields.push(board.cube.to_string());
    fields.extend(
        [board.may_double[0], board.may_double[1], board.doubled]
            .map(|flag| u8::from(flag).to_string()),
    );
    fields.extend([board.color, board.direction].map(|n| n.to_string()));
    let pairs = [
        board.home_and_bar,
        board.off,
        board.on_bar,
        [board.can_move, board.forced],
    ];
    fields.extend(pairs.as_flattened().iter().map(u8::to_string));
    fields.push(u8::from(board.post_crawford).to_string());
    fields.push(board.no_crawford.to_string());
    fields.join(":")
}
