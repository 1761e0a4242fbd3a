//! The use cases of the board.

use super::board::{AttributeFault, Attributes, Board};
use super::parameters::{Parameter, Reading, UseCaseRequest};
use super::response::{Response, UseCaseFailure};

/// A use case: it turns a request into a response and changes nothing else.
///
/// ```
/// use parlor_formats::pydemic::{UseCaseRequest, UseCase};
/// let response = UseCase::run("BoardIncreaseRate", &UseCaseRequest::new().with("board", 3));
/// assert_eq!(response.to_string(), "board is a number, not a board");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UseCase {
    /// Creates a board from `outbreaks`, `infection_rate` and `infection`, each with a default.
    BoardInit,
    /// Builds a research center on `board` in `city`.
    BoardCreateResearchCentre,
    /// Ends the quiet night on `board`.
    BoardFinishQuietNight,
    /// Advances the infection rate of `board` by one step; it stays at the end of its track.
    BoardIncreaseRate,
    /// Infects `city` on `board` with `colour`. The optional `players` may protect cities.
    BoardInfectCity,
}

impl UseCase {
    /// All five use cases.
    pub const ALL: [UseCase; 5] = [
        UseCase::BoardInit,
        UseCase::BoardCreateResearchCentre,
        UseCase::BoardFinishQuietNight,
        UseCase::BoardIncreaseRate,
        UseCase::BoardInfectCity,
    ];

    /// Returns the name, such as `BoardInit`.
    pub const fn name(self) -> &'static str {
        match self {
            UseCase::BoardInit => "BoardInit",
            UseCase::BoardCreateResearchCentre => "BoardCreateResearchCentre",
            UseCase::BoardFinishQuietNight => "BoardFinishQuietNight",
            UseCase::BoardIncreaseRate => "BoardIncreaseRate",
            UseCase::BoardInfectCity => "BoardInfectCity",
        }
    }

    /// Returns the use case with this name, with or without the suffix `UseCase`.
    pub fn from_name(name: &str) -> Option<UseCase> {
        UseCase::ALL
            .into_iter()
            .find(|use_case| use_case.name() == base_name(name))
    }

    /// Executes the use case with this name. An unknown name yields a failure like any other.
    pub fn run(name: &str, request: &UseCaseRequest) -> Response {
        match UseCase::from_name(name) {
            Some(use_case) => use_case.execute(request),
            None => Response::unknown(name, UseCase::ALL.iter().map(|known| known.name())),
        }
    }

    /// Returns the parameters that a request may have, in order of declaration.
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

    /// Executes a request. The board in the request is unchanged; the response contains the new
    /// one.
    ///
    /// All problems of the request are reported at once.
    pub fn execute(self, request: &UseCaseRequest) -> Response {
        let mut reading = Reading::new(request, &self.declared());
        let result = match self {
            UseCase::BoardInit => init(&mut reading).map(Ok),
            UseCase::BoardCreateResearchCentre => create_research_centre(&mut reading),
            UseCase::BoardFinishQuietNight => changed(&mut reading, Board::finish_quiet_night),
            UseCase::BoardIncreaseRate => changed(&mut reading, Board::increase_rate),
            UseCase::BoardInfectCity => infect_city(&mut reading),
        };
        let problems = reading.into_problems();
        match result {
            Some(Ok(board)) if problems.is_empty() => Response::from_board(board),
            Some(Err(failure)) if problems.is_empty() => Response::UseCaseFailure(failure),
            _ => Response::UseCaseFailure(UseCaseFailure::Parameters(problems)),
        }
    }

    /// Returns the parameters' names, each with true if it is required.
    pub(super) fn declared(self) -> Vec<(&'static str, bool)> {
        let parameters = self.parameters().iter();
        parameters.map(|it| (it.name, it.required)).collect()
    }
}

/// Returns the name of a use case without the suffix `UseCase`.
pub(super) fn base_name(name: &str) -> &str {
    name.strip_suffix("UseCase").unwrap_or(name)
}

/// A board, a failure of the use case, or `None` if the reader recorded a problem.
type Done = Option<Result<Board, UseCaseFailure>>;

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
        Err(AttributeFault::CentreTwice(city)) => Err(UseCaseFailure::UseCase(format!(
            "there is a research centre in {city} already"
        ))),
        Err(_) => Err(UseCaseFailure::UseCase(
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
            .map_err(|_| UseCaseFailure::GameOver),
    )
}
