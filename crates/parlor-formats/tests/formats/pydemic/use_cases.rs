//! Use cases: lookup by name, defaults, and complete error reports.

use parlor_formats::pydemic::{
    Attributes, Board, COLOUR_BLUE, COLOUR_YELLOW, CustomUseCase, Deck, MAX_OUTBREAKS,
    ParameterProblem, ParameterValue, Player, ProblemKind, ROLE_MEDIC, ROLE_QUARANTINE_SPECIALIST,
    Response, UseCase, UseCaseFailure, UseCaseRegister, UseCaseRequest,
};

use super::{blue, board, infected, infection};

fn run(name: &str, request: &UseCaseRequest) -> Response {
    UseCase::run(name, request)
}

fn infect(board: Board) -> UseCaseRequest {
    UseCaseRequest::new()
        .with("board", board)
        .with("city", "London")
        .with("colour", COLOUR_BLUE)
}

fn problems(response: &Response) -> Vec<String> {
    match response.failure() {
        Some(UseCaseFailure::Parameters(problems)) => {
            problems.iter().map(ParameterProblem::to_string).collect()
        }
        other => panic!("not about parameters: {other:?}"),
    }
}

#[test]
fn board_init_answers_as_printed() {
    let sydney = infection(&[("Sydney", &[(COLOUR_BLUE, 2), (COLOUR_YELLOW, 1)])]);
    let request = UseCaseRequest::new()
        .with("outbreaks", 2)
        .with("infection_rate", 2)
        .with("infection", sydney.clone());
    let res = run("BoardInitUseCase", &request);
    assert!(res.is_success());
    assert_eq!(res.category(), "DEFAULT_SUCCESS");
    let Some(ParameterValue::Board(b)) = res.content("board") else {
        panic!("no board in {res:?}")
    };
    assert_eq!(
        (b.outbreaks(), b.infection_rate(), b.infection()),
        (2, 2, sydney)
    );
}

#[test]
fn boards_made_by_default_share_nothing() {
    let mut first = run("BoardInit", &UseCaseRequest::new())
        .into_board()
        .expect("defaults for everything");
    assert_eq!(first.infect("London", COLOUR_BLUE), Ok(()));
    assert_eq!(
        run("BoardInit", &UseCaseRequest::new()).into_board(),
        Some(Board::default())
    );
}

#[test]
fn use_cases_are_found_with_and_without_the_suffix() {
    for use_case in UseCase::ALL {
        assert_eq!(UseCase::from_name(use_case.name()), Some(use_case));
        assert_eq!(
            UseCase::from_name(&format!("{}UseCase", use_case.name())),
            Some(use_case)
        );
    }
    assert_eq!(UseCase::from_name("UseCase"), None);
    let response = run("BoardExplode", &UseCaseRequest::new());
    assert_eq!(response.category(), "USE_CASE_ERROR");
    assert!(
        response
            .to_string()
            .starts_with("\"BoardExplode\" is no use case: there are BoardInit, ")
    );
}

#[test]
fn missing_and_undeclared_parameters_are_reported() {
    let declared: Vec<_> = UseCase::BoardInfectCity
        .parameters()
        .iter()
        .map(|p| (p.name, p.required))
        .collect();
    assert_eq!(
        declared,
        [
            ("board", true),
            ("city", true),
            ("colour", true),
            ("players", false)
        ]
    );
    let request = UseCaseRequest::new()
        .with("colour", COLOUR_BLUE)
        .with("town", "London")
        .with("color", COLOUR_BLUE);
    let response = run("BoardInfectCity", &request);
    assert!(!response.is_success());
    assert_eq!(response.category(), "PARAMETERS_ERROR");
    let expected = [
        ("board", ProblemKind::Missing),
        ("city", ProblemKind::Missing),
        ("color", ProblemKind::Undeclared),
        ("town", ProblemKind::Undeclared),
    ]
    .map(|(parameter, why)| ParameterProblem {
        parameter: parameter.to_owned(),
        why,
    });
    assert_eq!(
        response.failure(),
        Some(&UseCaseFailure::Parameters(expected.to_vec()))
    );
    assert_eq!(
        problems(&response),
        [
            "board is missing",
            "city is missing",
            "color is undeclared",
            "town is undeclared"
        ]
    );
}

#[test]
fn every_invalid_value_is_reported() {
    let players = vec![
        Player::new("Ann", "ROLE_COOK", "London"),
        Player::new("Bob", ROLE_MEDIC, "Oz"),
    ];
    let request = UseCaseRequest::new()
        .with("board", "b")
        .with("city", "Oz")
        .with("colour", 3)
        .with("players", players);
    assert_eq!(
        problems(&run("BoardInfectCity", &request)),
        [
            "board is a text, not a board",
            "city is wrong: \"Oz\" is no city of the map",
            "colour is a number, not a text",
            "players is wrong: \"ROLE_COOK\" is no role, such as ROLE_MEDIC or ROLE_QUARANTINE_SPECIALIST",
            "players is wrong: \"Oz\" is no city of the map",
        ]
    );
    let request = UseCaseRequest::new()
        .with("outbreaks", -1)
        .with("infection_rate", 7)
        .with("infection", "none");
    assert_eq!(
        problems(&run("BoardInit", &request)),
        [
            "outbreaks is -1, not 0 to 255",
            "infection is a text, not an infection",
            "infection_rate is wrong: the infection-rate track has places 0 to 6, not 7",
        ]
    );
}

#[test]
fn an_infection_returns_a_new_board_and_keeps_the_request() {
    let request = infect(Board::default());
    let b = run("BoardInfectCity", &request)
        .into_board()
        .expect("a success");
    assert_eq!(b.infection(), blue(&[("London", 1)]));
    assert_eq!(request, infect(Board::default()));
}

#[test]
fn one_outbreak_too_many_is_a_game_over_failure() {
    let attributes = Attributes {
        outbreaks: MAX_OUTBREAKS - 1,
        infection: blue(&[("London", 3)]),
        ..Default::default()
    };
    let response = run("BoardInfectCity", &infect(board(attributes)));
    assert_eq!(
        (response.category(), response.to_string()),
        ("GAME_OVER_ERROR", "Outbreak".to_owned())
    );
    assert_eq!((response.board(), response.content("board")), (None, None));
}

#[test]
fn players_protect_the_city_and_every_city_of_the_chain() {
    for (role, place, cured, outbreaks) in [
        (ROLE_QUARANTINE_SPECIALIST, "London", false, 0),
        (ROLE_QUARANTINE_SPECIALIST, "New York", false, 0),
        (ROLE_QUARANTINE_SPECIALIST, "Milan", false, 1),
        (ROLE_QUARANTINE_SPECIALIST, "Sydney", false, 2),
        (ROLE_MEDIC, "London", true, 0),
        (ROLE_MEDIC, "London", false, 2),
        (ROLE_MEDIC, "Essen", true, 1),
        (ROLE_MEDIC, "Sydney", true, 2),
    ] {
        let cured = if cured {
            vec![COLOUR_BLUE.to_owned()]
        } else {
            Vec::new()
        };
        let before = board(Attributes {
            infection: blue(&[("London", 3), ("Essen", 3)]),
            cured,
            ..Default::default()
        });
        let request = infect(before.clone()).with("players", vec![Player::new("Ann", role, place)]);
        let b = run("BoardInfectCity", &request)
            .into_board()
            .expect("a success");
        assert_eq!(b.outbreaks(), outbreaks, "{role} in {place}");
        assert_eq!(b == before, outbreaks == 0, "{role} in {place}");
    }
}

#[test]
fn a_research_centre_is_built_once_in_a_city_and_six_times_in_all() {
    let build = |board: Board, city: &str| {
        run(
            "BoardCreateResearchCentre",
            &UseCaseRequest::new()
                .with("board", board)
                .with("city", city),
        )
    };
    let mut b = build(Board::default(), "Atlanta")
        .into_board()
        .expect("the first");
    let again = build(b.clone(), "Atlanta");
    assert_eq!(again.category(), "USE_CASE_ERROR");
    assert_eq!(
        again.to_string(),
        "there is a research centre in Atlanta already"
    );
    for city in ["Paris", "Cairo", "Delhi", "Tokyo", "Lima"] {
        b = build(b, city).into_board().expect("up to six");
    }
    assert_eq!(
        b.research_centres().collect::<Vec<_>>(),
        ["Atlanta", "Paris", "Cairo", "Delhi", "Tokyo", "Lima"]
    );
    assert_eq!(
        build(b, "Sydney").to_string(),
        "all six research centres are on the board"
    );
}

#[test]
fn a_quiet_night_ends() {
    let quiet = board(Attributes {
        quiet_night: true,
        ..Attributes::default()
    });
    let b = run(
        "BoardFinishQuietNight",
        &UseCaseRequest::new().with("board", quiet),
    )
    .into_board()
    .expect("a success");
    assert!(!b.quiet_night());
}

#[test]
fn the_infection_rate_goes_up_to_the_end_of_its_track() {
    let mut b = infected(blue(&[]));
    let mut rates = vec![(b.infection_rate(), b.rate())];
    for _ in 0..7 {
        b = run(
            "BoardIncreaseRateUseCase",
            &UseCaseRequest::new().with("board", b),
        )
        .into_board()
        .expect("a success");
        rates.push((b.infection_rate(), b.rate()));
    }
    assert_eq!(
        rates,
        [
            (0, 2),
            (1, 2),
            (2, 2),
            (3, 3),
            (4, 3),
            (5, 4),
            (6, 4),
            (6, 4)
        ]
    );
}

/// Use case that adds a number of players, and of anything else that it is given.
fn count() -> CustomUseCase {
    let use_case = CustomUseCase::new(|request| {
        let players = request.players("players")?.len() as i64;
        let count = players + request.number("more")?;
        if count > 4 {
            return Err(UseCaseFailure::wrong("players", "there are at most four"));
        }
        Ok([("count", count.into())].into())
    });
    use_case.requiring("players").with_default("more", 1)
}

#[test]
fn a_register_executes_the_use_cases_of_the_board_and_ones_own() {
    let mut register = UseCaseRegister::new();
    register.add("CountPlayersUseCase", count()).unwrap();
    let names: Vec<_> = register.names().collect();
    assert_eq!(names.len(), UseCase::ALL.len() + 1);
    assert!(names.contains(&"CountPlayers"));
    let two = vec![Player::default(), Player::default()];
    let request = UseCaseRequest::new().with("players", two);
    for name in ["CountPlayers", "CountPlayersUseCase"] {
        let created = register.create(name).expect("it was added");
        for response in [register.execute(name, &request), created.execute(&request)] {
            assert_eq!(response.content("count"), Some(&ParameterValue::Number(3)));
        }
    }
    let own = register.execute("BoardInfectCity", &infect(infected(blue(&[]))));
    assert_eq!(own, run("BoardInfectCity", &infect(infected(blue(&[])))));
}

#[test]
fn a_use_case_of_ones_own_is_asked_only_for_what_it_declares() {
    let mut register = UseCaseRegister::new();
    register.add("CountPlayers", count()).unwrap();
    let execute = |request: UseCaseRequest| register.execute("CountPlayers", &request);
    let undeclared = execute(UseCaseRequest::new().with("city", "London"));
    assert_eq!(
        problems(&undeclared),
        ["players is missing", "city is undeclared"]
    );
    let text = execute(UseCaseRequest::new().with("players", "Ann"));
    assert_eq!(
        problems(&text),
        ["players is a text, not a list of players"]
    );
    let nobody = UseCaseRequest::new().with("players", Vec::new());
    let many = execute(nobody.clone().with("more", 5));
    assert_eq!(
        problems(&many),
        ["players is wrong: there are at most four"]
    );
    assert_eq!(
        execute(nobody).content("count"),
        Some(&ParameterValue::Number(1))
    );
}

#[test]
fn a_use_case_of_ones_own_takes_and_returns_decks() {
    let draw = CustomUseCase::new(|request| {
        let mut deck = request.deck("deck")?.clone();
        match deck.draw_top() {
            Ok(card) => Ok([("card", card.into()), ("deck", deck.into())].into()),
            Err(empty) => Err(UseCaseFailure::wrong("deck", empty)),
        }
    });
    let draw = draw.requiring("deck");
    let one = Deck::new(["Paris".to_owned()]);
    let drawn = draw.execute(&UseCaseRequest::new().with("deck", one));
    assert_eq!(drawn.content("card"), Some(&"Paris".into()));
    let Some(ParameterValue::Deck(rest)) = drawn.content("deck") else {
        panic!("no deck in {drawn:?}")
    };
    assert_eq!(rest, &Deck::default());
    let again = draw.execute(&UseCaseRequest::new().with("deck", rest.clone()));
    assert_eq!(problems(&again), ["deck is wrong: the deck is empty"]);
    let text = draw.execute(&UseCaseRequest::new().with("deck", "Paris"));
    assert_eq!(problems(&text), ["deck is a text, not a deck"]);
}

#[test]
fn a_name_in_the_register_is_taken_once() {
    let mut register = UseCaseRegister::new();
    for name in ["BoardInit", "BoardInitUseCase"] {
        let taken = register.add(name, count()).unwrap_err();
        assert_eq!(
            taken.to_string(),
            "there is a use case \"BoardInit\" already"
        );
    }
    let unknown = register.execute("Vaccinate", &UseCaseRequest::new());
    let known = "BoardCreateResearchCentre, BoardFinishQuietNight, BoardIncreaseRate, BoardInfectCity, BoardInit";
    assert_eq!(
        unknown.to_string(),
        format!("\"Vaccinate\" is no use case: there are {known}")
    );
    assert!(register.create("Vaccinate").is_none());
}
