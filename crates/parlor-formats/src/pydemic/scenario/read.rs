//! Reading of a file's values, with all faults.

use std::collections::{BTreeMap, BTreeSet};

use parlor_pandemic::RATES;

use super::super::board::{Attributes, Board, Infection};
use super::super::constants::{MAX_INFECTION, Unknown, city, role};
use super::super::deck::Deck;
use super::super::parameters::{ParameterValue, Reading, UseCaseRequest};
use super::super::player::Player;
use super::super::register::{RegisteredUseCase, UseCaseRegister};
use super::super::response::{ProblemKind, Response, UseCaseFailure};
use super::compare::Expected;
use super::fault::{ScenarioFault, ScenarioFaultKind};
use super::value::ScenarioValue;
use super::{ExpectedContent, ExpectedResponse, PlannedStep, ScenarioState};

const FILE: &[&str] = &["description", "board", "players", "decks", "use_cases"];
const STATE: &[&str] = &["board", "players", "decks"];
const STEP: &[&str] = &["use_case", "request", "response", "state"];
const RESPONSE: &[&str] = &["type", "content"];
const BOARD: &[&str] = &[
    "outbreaks",
    "infection_rate",
    "infection",
    "research_centres",
    "cured",
    "quiet_night",
    "active_events",
];
const PLAYER: &[&str] = &["name", "role", "city", "hand", "single_use"];
const DECK: &[&str] = &["cards"];

/// Contents of a file.
pub(super) struct Contents {
    pub(super) description: Option<String>,
    pub(super) start: ScenarioState,
    pub(super) steps: Vec<PlannedStep>,
}

/// Reads a file; the contents are of use only if there are no faults.
pub(super) fn read(
    file: &ScenarioValue,
    register: &UseCaseRegister,
) -> (Contents, Vec<ScenarioFault>) {
    let mut reader = Reader {
        register,
        step: None,
        faults: Vec::new(),
    };
    let fields = reader.fields("", file, FILE);
    let description = fields.value("description").and_then(|value| {
        let text = reader.text("description", value)?;
        Some(text.to_owned())
    });
    let start = reader.state(&fields);
    let steps = reader.steps(&fields, &start);
    let contents = Contents {
        description,
        start,
        steps,
    };
    (contents, reader.faults)
}

/// Fields of an object whose names are known.
struct Fields<'v> {
    place: String,
    fields: &'v [(String, ScenarioValue)],
}

impl<'v> Fields<'v> {
    fn value(&self, name: &str) -> Option<&'v ScenarioValue> {
        let found = self.fields.iter().find(|(field, _)| field == name);
        found.map(|(_, value)| value)
    }

    fn place(&self, name: &str) -> String {
        join(&self.place, name)
    }
}

/// Returns the path of a field of the object at a place.
pub(super) fn join(place: &str, field: &str) -> String {
    if place.is_empty() {
        field.to_owned()
    } else {
        format!("{place}.{field}")
    }
}

/// Parts of the state that a step may find, although its request does not have them.
struct Available {
    board: bool,
    players: bool,
    decks: BTreeSet<String>,
    /// True after a use case that was added to the register: it may have made anything.
    anything: bool,
}

struct Reader<'r> {
    register: &'r UseCaseRegister,
    step: Option<usize>,
    faults: Vec<ScenarioFault>,
}

impl Reader<'_> {
    fn note(&mut self, field: impl Into<String>, why: ScenarioFaultKind) {
        self.faults.push(ScenarioFault {
            step: self.step,
            field: field.into(),
            why,
        });
    }

    fn note_kind(&mut self, place: &str, found: &ScenarioValue, wanted: impl Into<String>) {
        let (found, wanted) = (found.describe(), wanted.into());
        self.note(place, ScenarioFaultKind::Kind { found, wanted });
    }

    fn note_unknown<T>(&mut self, place: String, found: Result<T, Unknown>) {
        if let Err(unknown) = found {
            self.note(place, ScenarioFaultKind::Unknown(unknown));
        }
    }

    /// Reads an object with any names.
    fn object<'v>(&mut self, place: &str, value: &'v ScenarioValue) -> Fields<'v> {
        let fields: &[_] = match value {
            ScenarioValue::Object(fields) => fields,
            other => {
                self.note_kind(place, other, "an object");
                &[]
            }
        };
        let mut seen = BTreeSet::new();
        for (name, _) in fields {
            if !seen.insert(name) {
                self.note(join(place, name), ScenarioFaultKind::Twice);
            }
        }
        let place = place.to_owned();
        Fields { place, fields }
    }

    /// Reads an object with these names.
    fn fields<'v>(
        &mut self,
        place: &str,
        value: &'v ScenarioValue,
        known: &'static [&'static str],
    ) -> Fields<'v> {
        let fields = self.object(place, value);
        for (name, _) in fields.fields {
            if !known.contains(&name.as_str()) {
                self.note(join(place, name), ScenarioFaultKind::UnknownField { known });
            }
        }
        fields
    }

    /// Reads a field that may be missing.
    fn optional<T>(
        &mut self,
        fields: &Fields<'_>,
        name: &str,
        read: impl FnOnce(&mut Self, &str, &ScenarioValue) -> T,
    ) -> Option<T> {
        let value = fields.value(name)?;
        Some(read(self, &fields.place(name), value))
    }

    /// Reads a text that must be there.
    fn required_text(&mut self, fields: &Fields<'_>, name: &str) -> Option<String> {
        let Some(value) = fields.value(name) else {
            self.note(fields.place(name), ScenarioFaultKind::Missing);
            return None;
        };
        self.text(&fields.place(name), value).map(str::to_owned)
    }

    fn text<'v>(&mut self, place: &str, value: &'v ScenarioValue) -> Option<&'v str> {
        match value {
            ScenarioValue::Text(text) => Some(text),
            other => {
                self.note_kind(place, other, "a text");
                None
            }
        }
    }

    fn flag(&mut self, place: &str, value: &ScenarioValue) -> bool {
        match value {
            ScenarioValue::Bool(flag) => *flag,
            other => {
                self.note_kind(place, other, "true or false");
                false
            }
        }
    }

    /// Reads a number from 0 to 255. The error names the last one that makes sense.
    fn small(&mut self, place: &str, value: &ScenarioValue, last: u8) -> u8 {
        let small = match value {
            ScenarioValue::Number(number) => u8::try_from(*number).ok(),
            _ => None,
        };
        small.unwrap_or_else(|| {
            self.note_kind(place, value, format!("a whole number from 0 to {last}"));
            0
        })
    }

    fn list<'v>(
        &mut self,
        place: &str,
        value: &'v ScenarioValue,
        wanted: &str,
    ) -> impl Iterator<Item = (String, &'v ScenarioValue)> + use<'v> {
        let items: &[_] = match value {
            ScenarioValue::List(items) => items,
            other => {
                self.note_kind(place, other, wanted);
                &[]
            }
        };
        let place = place.to_owned();
        let items = items.iter().enumerate();
        items.map(move |(index, item)| (format!("{place}[{index}]"), item))
    }

    fn texts(&mut self, place: &str, value: &ScenarioValue) -> Vec<String> {
        let items = self.list(place, value, "a list of texts");
        items
            .filter_map(|(place, item)| self.text(&place, item).map(str::to_owned))
            .collect()
    }

    fn infection(&mut self, place: &str, value: &ScenarioValue) -> Infection {
        let mut infection = Infection::new();
        let cities = self.object(place, value);
        for (city, colors) in cities.fields {
            let colors = self.object(&cities.place(city), colors);
            let mut here = BTreeMap::new();
            for (color, cubes) in colors.fields {
                let cubes = self.small(&colors.place(color), cubes, MAX_INFECTION);
                here.insert(color.clone(), cubes);
            }
            infection.insert(city.clone(), here);
        }
        infection
    }

    fn board(&mut self, place: &str, value: &ScenarioValue) -> Board {
        let fields = self.fields(place, value, BOARD);
        let attributes = Attributes {
            outbreaks: self
                .optional(&fields, "outbreaks", |reader, place, value| {
                    reader.small(place, value, u8::MAX)
                })
                .unwrap_or_default(),
            infection_rate: self
                .optional(&fields, "infection_rate", |reader, place, value| {
                    reader.small(place, value, RATES.len() as u8 - 1)
                })
                .unwrap_or_default(),
            infection: self
                .optional(&fields, "infection", Reader::infection)
                .unwrap_or_default(),
            research_centres: self
                .optional(&fields, "research_centres", Reader::texts)
                .unwrap_or_default(),
            cured: self
                .optional(&fields, "cured", Reader::texts)
                .unwrap_or_default(),
            quiet_night: self
                .optional(&fields, "quiet_night", Reader::flag)
                .unwrap_or_default(),
        };
        let events = self.optional(&fields, "active_events", Reader::texts);
        let mut board = Board::new(attributes).unwrap_or_else(|invalid| {
            for fault in invalid.faults {
                let place = fields.place(fault.attribute());
                self.note(place, ScenarioFaultKind::Attribute(fault));
            }
            Board::default()
        });
        for event in events.unwrap_or_default() {
            board.set_active_event(event);
        }
        board
    }

    /// Reads players. Their names of cities and roles are not checked.
    fn players(&mut self, place: &str, value: &ScenarioValue) -> Vec<Player> {
        let mut players = Vec::new();
        for (place, value) in self.list(place, value, "a list of players") {
            let fields = self.fields(&place, value, PLAYER);
            players.push(Player {
                name: self.required_text(&fields, "name").unwrap_or_default(),
                role: self.required_text(&fields, "role").unwrap_or_default(),
                city: self.required_text(&fields, "city").unwrap_or_default(),
                hand: self
                    .optional(&fields, "hand", Reader::texts)
                    .unwrap_or_default(),
                single_use: self
                    .optional(&fields, "single_use", Reader::texts)
                    .unwrap_or_default(),
            });
        }
        players
    }

    /// Reads players of the state, with cities and roles that there are.
    fn players_of_state(&mut self, place: &str, value: &ScenarioValue) -> Vec<Player> {
        let faults = self.faults.len();
        let players = self.players(place, value);
        if self.faults.len() > faults {
            return players;
        }
        for (index, player) in players.iter().enumerate() {
            let place = format!("{place}[{index}]");
            self.note_unknown(join(&place, "role"), role(&player.role));
            self.note_unknown(join(&place, "city"), city(&player.city));
            for (card, name) in player.hand.iter().enumerate() {
                self.note_unknown(format!("{place}.hand[{card}]"), city(name));
            }
        }
        players
    }

    fn deck(&mut self, place: &str, value: &ScenarioValue) -> Deck<String> {
        let fields = self.fields(place, value, DECK);
        let cards = self.optional(&fields, "cards", Reader::texts);
        Deck::new(cards.unwrap_or_default())
    }

    fn decks(&mut self, place: &str, value: &ScenarioValue) -> BTreeMap<String, Deck<String>> {
        let mut decks = BTreeMap::new();
        let fields = self.object(place, value);
        for (name, value) in fields.fields {
            let place = fields.place(name);
            if ["board", "players"].contains(&name.as_str()) {
                self.note(place, ScenarioFaultKind::DeckName);
            } else {
                decks.insert(name.clone(), self.deck(&place, value));
            }
        }
        decks
    }

    fn state(&mut self, fields: &Fields<'_>) -> ScenarioState {
        ScenarioState {
            board: self.optional(fields, "board", Reader::board),
            players: self.optional(fields, "players", Reader::players_of_state),
            decks: self
                .optional(fields, "decks", Reader::decks)
                .unwrap_or_default(),
        }
    }

    /// Reads the value of a parameter or of a result. Its shape decides on its kind, and the name
    /// only on that of `{}`.
    fn parameter(&mut self, place: &str, name: &str, value: &ScenarioValue) -> ParameterValue {
        match value {
            ScenarioValue::Number(number) => ParameterValue::Number(*number),
            ScenarioValue::Text(text) => ParameterValue::from(text.as_str()),
            ScenarioValue::List(_) => ParameterValue::Players(self.players(place, value)),
            ScenarioValue::Object(fields) => {
                let has = |known: &[&str]| {
                    let mut names = fields.iter().map(|(field, _)| field.as_str());
                    names.any(|field| known.contains(&field))
                };
                if has(DECK) {
                    self.deck(place, value).into()
                } else if name == "board" || has(BOARD) {
                    self.board(place, value).into()
                } else {
                    self.infection(place, value).into()
                }
            }
            ScenarioValue::Null | ScenarioValue::Bool(_) | ScenarioValue::OtherNumber(_) => {
                let wanted =
                    "a whole number, a text, an infection, a board, a list of players or a deck";
                self.note_kind(place, value, wanted);
                ParameterValue::Number(0)
            }
        }
    }

    fn request(&mut self, place: &str, value: &ScenarioValue) -> UseCaseRequest {
        let fields = self.object(place, value);
        let mut request = UseCaseRequest::new();
        for (name, value) in fields.fields {
            request = request.with(name, self.parameter(&fields.place(name), name, value));
        }
        request
    }

    fn steps(&mut self, file: &Fields<'_>, start: &ScenarioState) -> Vec<PlannedStep> {
        let Some(value) = file.value("use_cases") else {
            return Vec::new();
        };
        let mut available = Available {
            board: start.board.is_some(),
            players: start.players.is_some(),
            decks: start.decks.keys().cloned().collect(),
            anything: false,
        };
        let mut steps = Vec::new();
        let list = self.list("use_cases", value, "a list of use cases");
        for (index, (_, value)) in list.enumerate() {
            self.step = Some(index + 1);
            steps.extend(self.planned_step(value, &mut available));
        }
        self.step = None;
        steps
    }

    fn planned_step(
        &mut self,
        value: &ScenarioValue,
        available: &mut Available,
    ) -> Option<PlannedStep> {
        let faults = self.faults.len();
        let fields = self.fields("", value, STEP);
        if !matches!(value, ScenarioValue::Object(_)) {
            available.anything = true;
            return None;
        }
        let use_case = self.required_text(&fields, "use_case").unwrap_or_default();
        let request = self.optional(&fields, "request", Reader::request);
        let request = request.unwrap_or_default();
        let response = self.optional(&fields, "response", Reader::response);
        let response = response.flatten();
        let category = response.as_ref().map(|response| response.category.as_str());
        if self.faults.len() == faults {
            self.check_request(&use_case, &request, category, available);
        }
        match self.register.create(&use_case) {
            Some(RegisteredUseCase::OfBoard(_)) => {
                available.board |= category.is_none_or(|category| category == "DEFAULT_SUCCESS");
            }
            Some(RegisteredUseCase::Custom(_)) => available.anything = true,
            // One fault must not cause others.
            None => available.anything |= self.faults.len() > faults,
        }
        let state = self.optional(&fields, "state", Reader::expected_state);
        Some(PlannedStep {
            use_case,
            request,
            response,
            state: state.unwrap_or_default(),
        })
    }

    /// Checks a name and parameters, unless the step expects them to be wrong.
    fn check_request(
        &mut self,
        name: &str,
        request: &UseCaseRequest,
        category: Option<&str>,
        available: &Available,
    ) {
        let Some(use_case) = self.register.create(name) else {
            if category != Some("USE_CASE_ERROR") {
                let known = self.register.names().map(str::to_owned).collect();
                let name = name.to_owned();
                self.note("use_case", ScenarioFaultKind::UseCase { name, known });
            }
            return;
        };
        if category == Some("PARAMETERS_ERROR") {
            return;
        }
        let declared = use_case.declared();
        let request = available.complete(request.clone(), &declared);
        let custom = matches!(use_case, RegisteredUseCase::Custom(_));
        let problems = match use_case {
            // It changes nothing, and its problems do not depend on the board.
            RegisteredUseCase::OfBoard(of_board) => match of_board.execute(&request) {
                Response::UseCaseFailure(UseCaseFailure::Parameters(problems)) => problems,
                _ => Vec::new(),
            },
            RegisteredUseCase::Custom(_) => Reading::new(&request, &declared).into_problems(),
        };
        for problem in problems {
            let missing = problem.why == ProblemKind::Missing;
            if missing && custom && available.anything {
                continue;
            }
            let why = if missing && problem.parameter == "board" {
                ScenarioFaultKind::NoBoard
            } else {
                let declared = declared.iter().map(|(name, _)| (*name).to_owned());
                ScenarioFaultKind::Parameter {
                    why: problem.why,
                    use_case: name.to_owned(),
                    declared: declared.collect(),
                }
            };
            self.note(join("request", &problem.parameter), why);
        }
    }

    fn response(&mut self, place: &str, value: &ScenarioValue) -> Option<ExpectedResponse> {
        let fields = self.fields(place, value, RESPONSE);
        let category = self.required_text(&fields, "type")?;
        if !Response::CATEGORIES.contains(&category.as_str()) {
            self.note(
                fields.place("type"),
                ScenarioFaultKind::ResponseType(category),
            );
            return None;
        }
        let content = fields.value("content").and_then(|value| {
            let place = fields.place("content");
            if category == "DEFAULT_SUCCESS" {
                Some(ExpectedContent::Results(
                    self.expected_results(&place, value),
                ))
            } else {
                let text = self.text(&place, value)?;
                Some(ExpectedContent::Reason(text.to_owned()))
            }
        });
        Some(ExpectedResponse { category, content })
    }

    fn expected_results(&mut self, place: &str, value: &ScenarioValue) -> Vec<Expected> {
        let fields = self.object(place, value);
        let mut expected = Vec::new();
        for (name, value) in fields.fields {
            let place = fields.place(name);
            expected.push(match self.parameter(&place, name, value) {
                ParameterValue::Board(board) => Expected::part_of_board(name, &board, value),
                whole => Expected::whole(name, ScenarioValue::parameter(&whole)),
            });
        }
        expected
    }

    fn expected_state(&mut self, place: &str, value: &ScenarioValue) -> Vec<Expected> {
        let fields = self.fields(place, value, STATE);
        let state = self.state(&fields);
        let mut expected = Vec::new();
        if let (Some(board), Some(value)) = (&state.board, fields.value("board")) {
            expected.push(Expected::part_of_board("board", board, value));
        }
        if let Some(players) = &state.players {
            expected.push(Expected::whole("players", ScenarioValue::players(players)));
        }
        if !state.decks.is_empty() {
            expected.push(Expected::part("decks", state.decks_value()));
        }
        expected
    }
}

impl Available {
    /// Adds what the state will have to a request, with placeholders as values.
    fn complete(&self, mut request: UseCaseRequest, declared: &[(&str, bool)]) -> UseCaseRequest {
        for (name, _) in declared {
            if request.get(name).is_some() {
                continue;
            }
            request = match *name {
                "board" if self.board || self.anything => request.with(*name, Board::default()),
                "players" if self.players => request.with(*name, Vec::new()),
                deck if self.decks.contains(deck) => request.with(deck, Deck::default()),
                _ => request,
            };
        }
        request
    }
}
