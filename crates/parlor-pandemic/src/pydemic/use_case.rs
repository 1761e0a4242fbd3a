//! The use cases of the board.

use super::board::{Attributes, Board, Fault};
use super::parameters::{Parameter, Reading, Request};
use super::response::{Failure, Response};

/// A use case: a request goes in, a response comes out, and nothing else changes.
///
/// ```
/// use parlor_pandemic::pydemic::{Request, UseCase};
/// let response = UseCase::run("BoardIncreaseRate", &Request::new().with("board", 3));
/// assert_eq!(response.to_string(), "board is a number, not a board");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UseCase {
    /// Makes a board of `outbreaks`, `infection_rate` and `infection`, each with a default.
    BoardInit,
    /// Builds a research center on `board` in `city`.
    BoardCreateResearchCentre,
    /// Ends the quiet night on `board`.
    BoardFinishQuietNight,
    /// Moves the infection rate of `board` one place on; it stays at the track's end.
    BoardIncreaseRate,
    /// Infects `city` on `board` with `colour`; `players`, who may protect cities, are none by default.
    BoardInfectCity,
}

impl UseCase {
    /// All five.
    pub const ALL: [UseCase; 5] = [
        UseCase::BoardInit,
        UseCase::BoardCreateResearchCentre,
        UseCase::BoardFinishQuietNight,
        UseCase::BoardIncreaseRate,
        UseCase::BoardInfectCity,
    ];

    /// The name: `BoardInit`.
    pub const fn name(self) -> &'static str {
        match self {
            UseCase::BoardInit => "BoardInit",
            UseCase::BoardCreateResearchCentre => "BoardCreateResearchCentre",
            UseCase::BoardFinishQuietNight => "BoardFinishQuietNight",
            UseCase::BoardIncreaseRate => "BoardIncreaseRate",
            UseCase::BoardInfectCity => "BoardInfectCity",
        }
    }

    /// The use case with this name; `UseCase` may stand behind it.
    pub fn find(name: &str) -> Option<UseCase> {
        let name = name.strip_suffix("UseCase").unwrap_or(name);
        UseCase::ALL
            .into_iter()
            .find(|use_case| use_case.name() == name)
    }

    /// Finds a use case by its name and executes it. A name that nobody knows is a failure like any other.
    pub fn run(name: &str, request: &Request) -> Response {
        let known = || UseCase::ALL.map(UseCase::name).join(", ");
        match UseCase::find(name) {
            Some(use_case) => use_case.execute(request),
            None => Response::Failure(Failure::UseCase(format!(
                "{name:?} is no use case: there are {}",
                known()
            ))),
        }
    }

    /// The parameters that a request may have, in the order in which they are declared.
    pub const fn parameters(self) -> &'static [Parameter] {
        const BOARD: Parameter = Parameter::required("board");
        const CITY: Parameter = Parameter::required("city");
        match self {
            UseCase::BoardInit => {
                const {
                    &[
                        Parameter::with_default("outbreaks"),
                        Parameter::with_default("infection_rate"),
                        Parameter::with_default("infection"),
                    ]
                }
            }
            UseCase::BoardCreateResearchCentre => const { &[BOARD, CITY] },
            UseCase::BoardFinishQuietNight | UseCase::BoardIncreaseRate => const { &[BOARD] },
            UseCase::BoardInfectCity => {
                const {
                    &[
                        BOARD,
                        CITY,
                        Parameter::required("colour"),
                        Parameter::with_default("players"),
                    ]
                }
            }
        }
    }

    /// Does what the request asks for. The board in the request stays as it is; the response has the new one.
    ///
    /// Everything that is wrong with the request is told at once.
    pub fn execute(self, request: &Request) -> Response {
        let mut reading = Reading::new(request, self.parameters());
        let result = match self {
            UseCase::BoardInit => init(&mut reading).map(Ok),
            UseCase::BoardCreateResearchCentre => create_research_centre(&mut reading),
            UseCase::BoardFinishQuietNight => changed(&mut reading, Board::finish_quiet_night),
            UseCase::BoardIncreaseRate => changed(&mut reading, Board::increase_rate),
            UseCase::BoardInfectCity => infect_city(&mut reading),
        };
        let problems = reading.into_problems();
        match result {
            Some(Ok(board)) if problems.is_empty() => Response::of_board(board),
            Some(Err(failure)) if problems.is_empty() => Response::Failure(failure),
            _ => Response::Failure(Failure::Parameters(problems)),
        }
    }
}

/// A board, a failure of the use case, or nothing where the reading has noted a problem.
type Done = Option<Result<Board, Failure>>;

fn init(reading: &mut Reading<'_>) -> Option<Board> {
    let attributes = Attributes {
        outbreaks: reading.small("outbreaks").unwrap_or_default(),
        infection_rate: reading.small("infection_rate").unwrap_or_default(),
        infection: reading.infection("infection").unwrap_or_default(),
        ..Attributes::default()
    };
    match Board::new(attributes) {
        Ok(board) => Some(board),
        Err(bad) => {
            bad.faults
                .iter()
                .for_each(|fault| reading.note(fault.attribute(), format!("is wrong: {fault}")));
            None
        }
    }
}

fn changed(reading: &mut Reading<'_>, change: impl FnOnce(&mut Board)) -> Done {
    let mut board = reading.board("board")?;
    change(&mut board);
    Some(Ok(board))
}

fn create_research_centre(reading: &mut Reading<'_>) -> Done {
    let (board, city) = (reading.board("board"), reading.city("city"));
    let (mut board, city) = (board?, city?);
    Some(match board.build_centre(city) {
        Ok(()) => Ok(board),
        Err(Fault::CentreTwice(city)) => Err(Failure::UseCase(format!(
            "there is a research centre in {city} already"
        ))),
        Err(_) => Err(Failure::UseCase(
            "all six research centres are on the board".to_owned(),
        )),
    })
}

fn infect_city(reading: &mut Reading<'_>) -> Done {
    let (board, city, color) = (
        reading.board("board"),
        reading.city("city"),
        reading.color("colour"),
    );
    let players = reading.players("players");
    let (mut board, city, color) = (board?, city?, color?);
    let safe = board.protected(color, players);
    Some(
        board
            .infect_safely(city, color, safe)
            .map(|()| board)
            .map_err(|_| Failure::GameOver),
    )
}
