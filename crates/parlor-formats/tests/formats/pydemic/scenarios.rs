//! Scenario files: examples, faults with their places, and unmet expectations.

use std::collections::BTreeMap;

use parlor_formats::pydemic::scenario::{
    ExecutedStep, InvalidScenario, Scenario, ScenarioFault, ScenarioFaultKind, ScenarioFile,
    ScenarioState, ScenarioValue, UnmetExpectation,
};
use parlor_formats::pydemic::{
    Attributes, Board, COLOUR_BLUE, COLOUR_YELLOW, CustomUseCase, Deck, Player, ROLE_MEDIC,
    Response, Unknown, UseCaseFailure, UseCaseRegister,
};
use proptest::prelude::*;

use super::{blue, board};

const OUTBREAK_CHAIN: &str = include_str!("scenarios/outbreak_chain.json");
const QUIET_NIGHT: &str = include_str!("scenarios/quiet_night.json");
const WRONG_USE_CASE: &str = include_str!("scenarios/wrong_use_case.json");

/// Use case that draws and infects as many cities as the rate says, unless the night is quiet.
fn infection_phase() -> CustomUseCase {
    let use_case = CustomUseCase::new(|request| {
        let mut board = request.board("board")?.clone();
        if board.quiet_night() {
            return Ok([("drawn", 0.into())].into());
        }
        let mut deck = request.deck("infection_deck")?.clone();
        let mut discard = request.deck("infection_discard")?.clone();
        let rate = board.rate();
        for _ in 0..rate {
            let city = deck.draw_top();
            let city = city.map_err(|empty| UseCaseFailure::UseCase(empty.to_string()))?;
            let infected = board.infect(&city, request.text("colour")?);
            infected.map_err(|error| UseCaseFailure::wrong("infection_deck", error))?;
            discard.add_top(city);
        }
        Ok([
            ("board", board.into()),
            ("infection_deck", deck.into()),
            ("infection_discard", discard.into()),
            ("drawn", i32::from(rate).into()),
        ]
        .into())
    });
    let use_case = use_case.requiring("board").requiring("infection_deck");
    use_case
        .requiring("infection_discard")
        .with_default("colour", COLOUR_YELLOW)
}

fn register() -> UseCaseRegister {
    let mut register = UseCaseRegister::new();
    let added = register.add("InfectionPhase", infection_phase());
    added.expect("the name is free");
    register
}

fn check(text: &str) -> Result<Scenario, InvalidScenario> {
    let file: ScenarioFile = serde_json::from_str(text).expect("a text of JSON");
    file.check(&register())
}

fn run(text: &str) -> Result<Vec<ExecutedStep>, UnmetExpectation> {
    check(text).expect("no faults").run()
}

/// Returns the faults of a file as texts.
fn faults(text: &str) -> Vec<String> {
    let invalid = check(text).expect_err("faults");
    invalid.faults.iter().map(ToString::to_string).collect()
}

/// Builds a file of a board with three blue cubes in London, and these steps.
fn steps(steps: &str) -> String {
    let board = r#"{"infection": {"London": {"COLOUR_BLUE": 3}}}"#;
    format!(r#"{{"board": {board}, "use_cases": [{steps}]}}"#)
}

/// Builds a step that infects London, with these other fields.
fn infect_london(fields: &str) -> String {
    let request = r#"{"city": "London", "colour": "COLOUR_BLUE"}"#;
    format!(r#"{{"use_case": "BoardInfectCity", "request": {request}, {fields}}}"#)
}

#[test]
fn every_expectation_of_the_examples_holds() {
    for (file, responses) in [
        (
            OUTBREAK_CHAIN,
            &["DEFAULT_SUCCESS", "DEFAULT_SUCCESS", "GAME_OVER_ERROR"] as &[_],
        ),
        (
            QUIET_NIGHT,
            &["DEFAULT_SUCCESS", "DEFAULT_SUCCESS", "DEFAULT_SUCCESS"],
        ),
        (
            WRONG_USE_CASE,
            &[
                "PARAMETERS_ERROR",
                "DEFAULT_SUCCESS",
                "USE_CASE_ERROR",
                "PARAMETERS_ERROR",
                "DEFAULT_SUCCESS",
                "USE_CASE_ERROR",
            ],
        ),
    ] {
        let scenario = check(file).unwrap_or_else(|invalid| panic!("{invalid}"));
        assert!(scenario.description().is_some());
        let steps = scenario.run().unwrap_or_else(|unmet| panic!("{unmet}"));
        let categories: Vec<_> = steps.iter().map(|step| step.response.category()).collect();
        assert_eq!(categories, responses);
    }
}

#[test]
fn a_run_returns_every_response_and_state() {
    let scenario = check(QUIET_NIGHT).expect("no faults");
    let steps = scenario.run().expect("no unmet expectations");
    assert_eq!(steps[0].use_case, "InfectionPhaseUseCase");
    assert_eq!(&steps[0].state, scenario.start());
    let last = &steps[2];
    assert_eq!(last.response.board(), last.state.board.as_ref());
    let discard = Deck::new(["Miami".to_owned(), "Lagos".to_owned()]);
    assert_eq!(last.state.decks.get("infection_discard"), Some(&discard));
    assert_eq!(last.state.players, None);
    assert_eq!(scenario.run().expect("again"), steps);
}

#[test]
fn a_file_without_steps_has_nothing_to_execute() {
    assert_eq!(run("{}"), Ok(Vec::new()));
    assert_eq!(
        check("{}").expect("no faults").start(),
        &ScenarioState::default()
    );
}

#[test]
fn a_step_without_expectations_may_have_any_response() {
    let full = r#"{"use_case": "BoardCreateResearchCentre", "request": {"city": "Paris"}}"#;
    let executed = run(&steps(&format!("{full}, {full}"))).expect("nothing is expected");
    assert!(executed[0].response.is_success());
    assert_eq!(executed[1].response.category(), "USE_CASE_ERROR");
    assert_eq!(executed[1].state, executed[0].state);
}

#[test]
fn the_first_unmet_expectation_is_reported_with_both_values() {
    for (fields, message) in [
        (
            r#""state": {"board": {"outbreaks": 2, "infection_rate": 1}}"#,
            "state.board.outbreaks is 1, but 2 was expected",
        ),
        (
            r#""state": {"board": {"infection_rate": 1}}, "response": {"type": "GAME_OVER_ERROR"}"#,
            r#"response.type is "DEFAULT_SUCCESS", but "GAME_OVER_ERROR" was expected"#,
        ),
        (
            r#""response": {"type": "DEFAULT_SUCCESS", "content": {"board": {"quiet_night": true}}}"#,
            "response.content.board.quiet_night is false, but true was expected",
        ),
        (
            r#""response": {"type": "DEFAULT_SUCCESS", "content": {"drawn": 2}}"#,
            "response.content.drawn is absent, but 2 was expected",
        ),
        (
            r#""state": {"board": {"infection": {"London": {"COLOUR_BLUE": 2}}}}"#,
            "state.board.infection.London.COLOUR_BLUE is 3, but 2 was expected",
        ),
        (
            r#""state": {"board": {"infection": {"Milan": {"COLOUR_BLUE": 1}}}}"#,
            r#"state.board.infection.Milan is absent, but {"COLOUR_BLUE":1} was expected"#,
        ),
        (
            r#""state": {"board": {"infection": {"London": {"COLOUR_BLUE": 3}}}}"#,
            r#"state.board.infection.Essen is {"COLOUR_BLUE":1}, but was not expected"#,
        ),
        (
            r#""state": {"board": {"research_centres": ["Paris"]}}"#,
            r#"state.board.research_centres is [], but ["Paris"] was expected"#,
        ),
        (
            r#""state": {"board": {"active_events": ["One Quiet Night"]}}"#,
            r#"state.board.active_events is [], but ["One Quiet Night"] was expected"#,
        ),
        (
            r#""state": {"decks": {"player_deck": {"cards": []}}}"#,
            r#"state.decks is absent, but {"player_deck":{"cards":[]}} was expected"#,
        ),
    ] {
        let unmet = run(&steps(&infect_london(fields))).expect_err(message);
        let message = format!("step 1, BoardInfectCity: {message}");
        assert_eq!(unmet.to_string(), message);
    }
}

#[test]
fn an_unmet_expectation_keeps_what_was_executed() {
    let more = infect_london(r#""state": {"board": {"outbreaks": 5}}"#);
    let file = steps(&format!(
        r#"{}, {more}, {}"#,
        infect_london(r#""state": {}"#),
        infect_london(r#""response": {"type": "GAME_OVER_ERROR"}"#)
    ));
    let unmet = run(&file).expect_err("two outbreaks");
    assert_eq!(unmet.field, "state.board.outbreaks");
    assert_eq!(
        (unmet.expected, unmet.actual),
        (
            Some(ScenarioValue::Number(5)),
            Some(ScenarioValue::Number(2))
        )
    );
    let outbreaks: Vec<_> = unmet
        .steps
        .iter()
        .map(|step| step.state.board.as_ref().map(Board::outbreaks))
        .collect();
    assert_eq!(outbreaks, [Some(1), Some(2)]);
}

#[test]
fn an_unexpected_failure_is_reported_with_its_reason() {
    let full = r#"{
        "use_case": "BoardCreateResearchCentre",
        "request": {"city": "Paris"},
        "response": {"type": "DEFAULT_SUCCESS"}
    }"#;
    let unmet = run(&steps(&format!("{full}, {full}"))).expect_err("the second fails");
    assert_eq!(
        unmet.to_string(),
        "step 2, BoardCreateResearchCentre: response.type is \"USE_CASE_ERROR\", but \
         \"DEFAULT_SUCCESS\" was expected (there is a research centre in Paris already)"
    );
}

#[test]
fn players_are_compared_one_by_one() {
    let file = r#"{
        "players": [{"name": "Ann", "role": "ROLE_MEDIC", "city": "Paris"}],
        "use_cases": [{
            "use_case": "BoardInit",
            "state": {"players": [{"name": "Ann", "role": "ROLE_MEDIC", "city": "Milan"}]}
        }]
    }"#;
    let unmet = run(file).expect_err("she is in Paris");
    assert_eq!(
        unmet.to_string(),
        r#"step 1, BoardInit: state.players[0].city is "Paris", but "Milan" was expected"#
    );
}

#[test]
fn an_expected_board_may_spell_names_as_a_board_accepts_them() {
    let fields = r#""state": {"board": {"infection": {
        "london": {"COLOUR_BLUE": 3, "COLOUR_RED": 0},
        "New York": {"COLOUR_BLUE": 1}, "Madrid": {"COLOUR_BLUE": 1},
        "Paris": {"COLOUR_BLUE": 1}, "Essen": {"COLOUR_BLUE": 1}
    }}}"#;
    assert!(run(&steps(&infect_london(fields))).is_ok());
}

#[test]
fn a_medic_of_the_state_protects_unless_the_request_has_players() {
    for (players, cubes) in [("", 0), (r#", "players": []"#, 1)] {
        let file = format!(
            r#"{{
                "board": {{"cured": ["COLOUR_BLUE"]}},
                "players": [{{"name": "Ann", "role": "ROLE_MEDIC", "city": "London"}}],
                "use_cases": [{{
                    "use_case": "BoardInfectCity",
                    "request": {{"city": "London", "colour": "COLOUR_BLUE"{players}}}
                }}]
            }}"#
        );
        let executed = run(&file).expect("nothing is expected");
        let board = executed[0].response.board().expect("a success");
        assert_eq!(board.cubes("London", COLOUR_BLUE), Ok(cubes));
    }
}

#[test]
fn faults_have_their_place_and_a_remedy() {
    for (file, fault) in [
        ("[]", "the file is a list, not an object"),
        (
            r#"{"bord": {}}"#,
            "bord is no field here: there are description, board, players, decks and use_cases",
        ),
        (
            r#"{"board": {"infection_rate": 256}}"#,
            "board.infection_rate is 256, not a whole number from 0 to 6",
        ),
        (
            r#"{"board": {"infection_rate": 7}}"#,
            "board.infection_rate is wrong: the infection-rate track has places 0 to 6, not 7",
        ),
        (
            r#"{"board": {"outbreaks": 1.5}}"#,
            "board.outbreaks is 1.5, not a whole number from 0 to 255",
        ),
        (
            r#"{"board": {"outbreaks": 18446744073709551615}}"#,
            "board.outbreaks is 18446744073709551615, not a whole number from 0 to 255",
        ),
        (
            r#"{"board": {"infection": {"Paris": 2}}}"#,
            "board.infection.Paris is 2, not an object",
        ),
        (
            r#"{"board": {"infection": {"Pariss": {"COLOUR_BLUE": 2}}}}"#,
            "board.infection is wrong: \"Pariss\" is no city of the map; did you mean Paris?",
        ),
        (
            r#"{"board": {"quiet_night": "yes"}}"#,
            "board.quiet_night is a text, not true or false",
        ),
        (
            r#"{"board": {"cured": ["COLOUR_RED", null]}}"#,
            "board.cured[1] is null, not a text",
        ),
        (r#"{"board": {}, "board": {}}"#, "board is there twice"),
        (
            r#"{"players": [{"name": "Ann", "role": "ROLE_MEDIC"}]}"#,
            "players[0].city is missing",
        ),
        (
            r#"{"players": [{"name": "Ann", "role": "Medic", "city": "Paris"}]}"#,
            "players[0].role is wrong: \"Medic\" is no role, such as ROLE_MEDIC or \
             ROLE_QUARANTINE_SPECIALIST",
        ),
        (
            r#"{"decks": {"players": {"cards": []}}}"#,
            "decks.players is no name for a deck: use cases have another parameter with it",
        ),
        (r#"{"use_cases": [7]}"#, "step 1 is 7, not an object"),
        (r#"{"use_cases": [{}]}"#, "step 1: use_case is missing"),
        (
            r#"{"use_cases": [{"use_case": "BoardInit", "response": {"type": "SUCCESS"}}]}"#,
            "step 1: response.type is \"SUCCESS\", which is no type of a response: there are \
             DEFAULT_SUCCESS, PARAMETERS_ERROR, GAME_OVER_ERROR and USE_CASE_ERROR",
        ),
        (
            r#"{"use_cases": [{"use_case": "BoardInit", "response": {"type": "DEFAULT_SUCCESS", "content": "done"}}]}"#,
            "step 1: response.content is a text, not an object",
        ),
        (
            r#"{"use_cases": [{"use_case": "BoardInit", "request": {"outbreaks": true}}]}"#,
            "step 1: request.outbreaks is true, not a whole number, a text, an infection, a \
             board, a list of players or a deck",
        ),
        (
            r#"{"use_cases": [{"use_case": "BoardInit", "request": {"outbreaks": "two"}}]}"#,
            "step 1: request.outbreaks is a text, not a number",
        ),
        (
            r#"{"use_cases": [{"use_case": "BoardInit"}, {"use_case": "BoardExplode"}]}"#,
            "step 2: use_case is \"BoardExplode\", which is no use case: there are \
             BoardCreateResearchCentre, BoardFinishQuietNight, BoardIncreaseRate, \
             BoardInfectCity, BoardInit and InfectionPhase",
        ),
        (
            r#"{"use_cases": [{"use_case": "BoardInit", "state": {"board": {"outbreak": 1}}}]}"#,
            "step 1: state.board.outbreak is no field here: there are outbreaks, infection_rate, \
             infection, research_centres, cured, quiet_night and active_events",
        ),
    ] {
        assert_eq!(faults(file), [fault]);
    }
}

#[test]
fn a_fault_can_be_matched_by_programs() {
    let file = r#"{
        "players": [{"name": "Ann", "role": "ROLE_MEDIC", "city": "Paris", "hand": ["Lima", "Oz"]}]
    }"#;
    let fault = ScenarioFault {
        step: None,
        field: "players[0].hand[1]".to_owned(),
        why: ScenarioFaultKind::Unknown(Unknown::City("Oz".to_owned())),
    };
    assert_eq!(check(file).expect_err("one fault").faults, [fault]);
}

#[test]
fn every_fault_of_a_file_is_reported() {
    let file = r#"{
        "board": {"infection_rate": 7, "cured": ["COLOUR_RED", "COLOUR_RED"]},
        "use_cases": [
            {"use_case": "BoardInfect", "request": {"city": "Oz"}},
            {"use_case": "BoardInfectCity", "request": {"city": "Oz"}, "state": {"bord": {}}},
            {"use_case": "InfectionPhase", "request": {"city": "Oz"}}
        ]
    }"#;
    let places: Vec<(Option<usize>, String)> = check(file)
        .expect_err("faults")
        .faults
        .into_iter()
        .map(|fault| (fault.step, fault.field))
        .collect();
    let places: Vec<(Option<usize>, &str)> = places
        .iter()
        .map(|(step, field)| (*step, field.as_str()))
        .collect();
    assert_eq!(
        places,
        [
            (None, "board.infection_rate"),
            (None, "board.cured"),
            (Some(1), "use_case"),
            (Some(2), "request.colour"),
            (Some(2), "request.city"),
            (Some(2), "state.bord"),
            (Some(3), "request.city"),
        ]
    );
}

#[test]
fn a_board_must_come_from_the_file_or_an_earlier_step() {
    let increase = r#"{"use_case": "BoardIncreaseRate"}"#;
    assert_eq!(
        faults(&format!(r#"{{"use_cases": [{increase}]}}"#)),
        ["step 1: request.board is missing: the file has no board, and no earlier step makes one"]
    );
    for before in [
        r#""board": {}, "use_cases": ["#,
        r#""use_cases": [{"use_case": "BoardInit"}, "#,
    ] {
        assert!(run(&format!("{{{before}{increase}]}}")).is_ok(), "{before}");
    }
}

#[test]
fn a_step_that_is_not_understood_may_have_made_a_board() {
    for (step, fault) in [
        ("7", "step 1 is 7, not an object"),
        ("{}", "step 1: use_case is missing"),
    ] {
        let file = format!(r#"{{"use_cases": [{step}, {{"use_case": "BoardIncreaseRate"}}]}}"#);
        assert_eq!(faults(&file), [fault]);
    }
}

#[test]
fn a_deck_that_a_use_case_requires_must_be_in_the_file() {
    let file = r#"{
        "board": {},
        "decks": {"infection_deck": {"cards": []}},
        "use_cases": [{"use_case": "InfectionPhase"}]
    }"#;
    assert_eq!(
        faults(file),
        [
            "step 1: request.infection_discard is missing: the parameters of InfectionPhase are \
          board, infection_deck, infection_discard and colour"
        ]
    );
}

#[test]
fn wrong_parameters_are_accepted_only_where_they_are_expected() {
    let wrong = |name: &str, category: &str| {
        steps(&format!(
            r#"{{
                "use_case": "{name}",
                "request": {{"city": "Oz"}},
                "response": {{"type": "{category}"}}
            }}"#
        ))
    };
    assert!(run(&wrong("BoardInfectCity", "PARAMETERS_ERROR")).is_ok());
    assert_eq!(faults(&wrong("BoardInfectCity", "USE_CASE_ERROR")).len(), 2);
    assert!(run(&wrong("BoardExplode", "USE_CASE_ERROR")).is_ok());
    assert_eq!(faults(&wrong("BoardExplode", "PARAMETERS_ERROR")).len(), 1);
}

#[test]
fn a_use_case_of_ones_own_is_not_executed_by_reading() {
    let mut register = UseCaseRegister::new();
    let never = CustomUseCase::new(|_| panic!("executed"));
    register.add("Never", never).expect("the name is free");
    let file = r#"{"use_cases": [{"use_case": "Never"}]}"#;
    let file: ScenarioFile = serde_json::from_str(file).expect("a text of JSON");
    assert!(file.check(&register).is_ok());
}

#[test]
fn a_use_case_of_ones_own_may_create_decks_and_players() {
    let mut register = UseCaseRegister::new();
    let deal = CustomUseCase::new(|_| {
        let ann = Player::new("Ann", ROLE_MEDIC, "Atlanta");
        let deck = Deck::new(["Paris".to_owned()]);
        Ok([("players", vec![ann].into()), ("player_deck", deck.into())].into())
    });
    register.add("Deal", deal).expect("the name is free");
    let draw = CustomUseCase::new(|request| {
        let mut deck = request.deck("player_deck")?.clone();
        let card = deck.draw_top();
        let card = card.map_err(|empty| UseCaseFailure::UseCase(empty.to_string()))?;
        let mut players = request.players("players")?.to_vec();
        players[0].hand.push(card);
        Ok([("players", players.into()), ("player_deck", deck.into())].into())
    });
    let draw = draw.requiring("player_deck").requiring("players");
    register.add("Draw", draw).expect("the name is free");
    let file = r#"{"use_cases": [
        {"use_case": "Deal"},
        {"use_case": "Draw", "state": {
            "players": [{"name": "Ann", "role": "ROLE_MEDIC", "city": "Atlanta", "hand": ["Paris"]}],
            "decks": {"player_deck": {"cards": []}}
        }},
        {"use_case": "Draw", "response": {"type": "USE_CASE_ERROR", "content": "the deck is empty"}}
    ]}"#;
    let file: ScenarioFile = serde_json::from_str(file).expect("a text of JSON");
    let scenario = file.check(&register).expect("no faults");
    assert_eq!(scenario.run().map(|steps| steps.len()), Ok(3));
}

#[test]
fn every_response_has_one_of_the_categories() {
    let failures = [
        UseCaseFailure::Parameters(Vec::new()),
        UseCaseFailure::GameOver,
        UseCaseFailure::UseCase(String::new()),
    ];
    let success = Response::Success(BTreeMap::new());
    let failures = failures.into_iter().map(Response::UseCaseFailure);
    let categories: Vec<_> = [success]
        .into_iter()
        .chain(failures)
        .map(|response| response.category())
        .collect();
    assert_eq!(categories, Response::CATEGORIES);
}

#[test]
fn active_events_are_written_and_read() {
    let mut b = board(Attributes {
        infection: blue(&[("São Paulo", 1)]),
        quiet_night: true,
        ..Attributes::default()
    });
    b.set_active_event("One \"Quiet\" Night\n");
    let state = ScenarioState {
        board: Some(b),
        ..ScenarioState::default()
    };
    let text = serde_json::to_string(&state).expect("a state can be written");
    assert!(text.contains("active_events"));
    assert_eq!(check(&text).expect("no faults").start(), &state);
}

#[test]
fn values_display_as_json() {
    let text = r#"[null,true,-1,1.5,"a\"b\\c\u000a",{"x":{},"y":[]}]"#;
    let value: ScenarioValue = serde_json::from_str(text).expect("a text of JSON");
    assert_eq!(value.to_string(), text);
    let written = serde_json::to_string(&value).expect("a value can be written");
    assert_eq!(
        serde_json::from_str::<ScenarioValue>(&written).expect("a text of JSON"),
        value
    );
}

/// Generates states with all parts.
fn any_state() -> impl Strategy<Value = ScenarioState> {
    let cities = || proptest::sample::subsequence(vec!["London", "Paris", "Bogotá", "Lima"], 0..=4);
    let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect::<Vec<_>>();
    let attributes = (
        any::<u8>(),
        0..=6_u8,
        cities(),
        1..=3_u8,
        cities(),
        any::<bool>(),
    );
    let board = attributes.prop_map(
        move |(outbreaks, infection_rate, infected, cubes, centres, quiet_night)| {
            let infected: Vec<_> = infected.into_iter().map(|city| (city, cubes)).collect();
            board(Attributes {
                outbreaks,
                infection_rate,
                infection: blue(&infected),
                research_centres: owned(centres),
                cured: vec![COLOUR_BLUE.to_owned()],
                quiet_night,
            })
        },
    );
    let player = (".*", cities(), ".*").prop_map(move |(name, hand, event)| Player {
        hand: owned(hand),
        single_use: vec![event],
        ..Player::new(name, ROLE_MEDIC, "Paris")
    });
    let deck = proptest::collection::vec(".*", 0..3).prop_map(Deck::new);
    let decks = proptest::collection::btree_map("[a-z]{1,4}_deck", deck, 0..3);
    let players = proptest::collection::vec(player, 0..3);
    let parts = (
        proptest::option::of(board),
        proptest::option::of(players),
        decks,
    );
    parts.prop_map(|(board, players, decks)| ScenarioState {
        board,
        players,
        decks,
    })
}

proptest! {
    #[test]
    fn a_written_state_is_read_as_it_was(state in any_state()) {
        let text = serde_json::to_string(&state).expect("a state can be written");
        let scenario = check(&text);
        let scenario = scenario.map_err(|invalid| TestCaseError::fail(invalid.to_string()))?;
        prop_assert_eq!(scenario.start(), &state);
    }
}
