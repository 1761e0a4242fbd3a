//! Text for Pandemic: labels, narratives, questions, the log, the terminal and the options.

use parlor_core::Turn;
use parlor_games::{AnyPosition, Story};
use serde_json::{Value, json};

use crate::pandemic::{play, set_up, start};

/// Returns a position read from the text of another one with some words replaced.
fn with(position: &AnyPosition, words: &str) -> AnyPosition {
    let new: Vec<&str> = words.split(' ').collect();
    let key = |word: &str| word.split('=').next().unwrap_or_default().to_owned();
    let text = position.text();
    let kept = text
        .split(' ')
        .filter(|word| !new.iter().any(|new| key(new) == key(word)));
    let text = kept
        .chain(new.iter().copied())
        .collect::<Vec<_>>()
        .join(" ");
    parlor_games::pandemic::KIND
        .position(&text)
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn told(position: &AnyPosition, text: &str) -> String {
    position.narrate(text).expect("Pandemic tells everything")
}

#[test]
fn a_label_is_a_verb_and_what_it_is_about_in_any_position() {
    let position = set_up(json!({}));
    for (text, label) in [
        ("drive:Chicago", "drives to Chicago"),
        ("drive:Medic:Paris", "drives the Medic to Paris"),
        ("drive:Scientist:Paris", "drives the Scientist to Paris"),
        ("fly:Sao-Paulo", "flies to São Paulo, discarding its card"),
        ("charter:Tokyo", "charters a flight to Tokyo"),
        (
            "charter:Medic:Tokyo",
            "charters a flight for the Medic to Tokyo",
        ),
        ("shuttle:Cairo", "shuttles to Cairo"),
        (
            "join:Medic:Cairo",
            "brings the Medic to another pawn in Cairo",
        ),
        (
            "expert:Cairo:Lima",
            "flies from a station to Cairo, discarding Lima",
        ),
        ("build", "builds a research station"),
        ("build:Cairo", "builds a research station, the one of Cairo"),
        ("treat:blue", "treats blue"),
        ("give:Cairo:Scientist", "gives Cairo to the Scientist"),
        ("take:Cairo:Medic", "takes Cairo from the Medic"),
        (
            "cure:red:Tokyo,Osaka,Seoul,Manila",
            "cures red with Manila, Osaka, Seoul and Tokyo",
        ),
        (
            "fetch:Airlift",
            "takes Airlift from the discards onto the role card",
        ),
        (
            "airlift:Scientist:Tokyo",
            "plays Airlift: moves the Scientist to Tokyo",
        ),
        (
            "grant:Cairo",
            "plays Government Grant: builds a research station in Cairo",
        ),
        (
            "resilient:Cairo",
            "plays Resilient Population: removes the infection card Cairo",
        ),
        ("discard:Airlift", "discards Airlift"),
        ("next:Cairo", "puts Cairo next in the forecast"),
        ("draw", "draws two cards"),
        ("what", "what"),
    ] {
        assert_eq!(position.label(text), label);
    }
    for legal in position.legal() {
        let label = position.label(&legal.text);
        let verb = label.split(' ').next().unwrap_or_default();
        assert!(
            verb.ends_with('s') && !label.contains(':') || label.starts_with("plays "),
            "{label}"
        );
    }
}

#[test]
fn what_a_move_does_is_told_with_the_place_and_what_follows() {
    let position = set_up(json!({"consent": "implied"}));
    assert_eq!(
        told(&position, "charter:Tokyo"),
        "charters a flight to Tokyo",
        "a move that is not legal is only named"
    );
    let here = with(&position, "active=0 at=Par,Atl");
    assert_eq!(
        told(&here, "treat:blue"),
        "treats blue in Paris: 3 cubes removed, none left"
    );
    let other = with(&position, "at=Atl,Par");
    assert_eq!(
        told(&other, "treat:blue"),
        "treats blue in Paris: 1 cube removed, 2 left"
    );
    let last = with(&position, "at=Atl,Par cubes=Par:b1,Cai:k3 cured=b");
    assert_eq!(
        told(&last, "treat:blue"),
        "treats blue in Paris: 1 cube removed, none left; blue is eradicated"
    );
    let medic = with(&position, "active=0 at=Lon,Atl cubes=Par:b2,Cai:k3 cured=b");
    assert_eq!(
        told(&medic, "drive:Paris"),
        "drives to Paris; the Medic removes 2 blue cubes in Paris; blue is eradicated"
    );
    let asking = set_up(json!({"consent": "ask"}));
    assert_eq!(
        told(&asking, "airlift:Medic:Tokyo"),
        "plays Airlift: moves the Medic to Tokyo",
        "the holder asks nobody"
    );
    assert_eq!(
        told(&asking, "airlift:Scientist:Tokyo"),
        "asks whether the Scientist agrees: plays Airlift: moves the Scientist to Tokyo"
    );
}

#[test]
fn an_infection_is_told_with_what_it_does_to_its_city_and_beyond() {
    let position = set_up(json!({"consent": "implied"}));
    let at = |words: &str| with(&position, &format!("stage=turning:2 {words}"));
    for (words, card, expected) in [
        ("", "Madrid", "Madrid gets a blue cube"),
        (
            "cubes=Mad:b1",
            "Madrid",
            "Madrid gets a blue cube and has 2",
        ),
        (
            "cubes=Mad:b3",
            "Madrid",
            "outbreak in Madrid: blue cubes in London, New York, Paris, São Paulo and Algiers; 1 outbreak so far",
        ),
        (
            "cubes=Mad:b3,Alg:b3 outbreaks=2",
            "Madrid",
            "outbreak in Madrid, then in Algiers: blue cubes in London, New York, Paris (2), São Paulo, Cairo and Istanbul; 4 outbreaks so far",
        ),
        (
            "cured=b cubes=Cai:k3",
            "Madrid",
            "Madrid gets no cube, blue is eradicated",
        ),
        (
            "cured=b cubes=Par:b1 at=Mad,Atl",
            "Madrid",
            "Madrid gets no cube, the Medic protects it",
        ),
        (
            "fixed=Medic,Quarantine-Specialist roles=Medic,Quarantine-Specialist at=Atl,Par",
            "Madrid",
            "Madrid gets no cube, the Quarantine Specialist protects it",
        ),
    ] {
        let position = at(words);
        assert_eq!(told(&position, &format!("infect:{card}")), expected);
    }
}

#[test]
fn an_epidemic_is_told_from_its_card_to_its_outbreak() {
    let position = set_up(json!({"consent": "implied", "epidemics": 6}));
    let drawing = with(&position, "stage=draw:1");
    assert_eq!(
        told(&drawing, "draw:Epidemic"),
        "the Scientist draws an epidemic; the infection rate stays 2"
    );
    assert_eq!(told(&drawing, "draw:Cairo"), "the Scientist draws Cairo");
    let begun = with(&position, "stage=epidemic epidemics=1");
    assert_eq!(
        told(&begun, "bottom:Madrid"),
        "epidemic: Madrid gets 3 blue cubes"
    );
    let ill = with(&begun, "cubes=Mad:b2");
    let words = told(&ill, "bottom:Madrid");
    assert!(
        words.starts_with(
            "epidemic: Madrid gets a blue cube, and then outbreak in Madrid: blue cubes in "
        ),
        "{words}"
    );
    let full = with(&begun, "cubes=Mad:b3");
    let words = told(&full, "bottom:Madrid");
    assert!(
        words.starts_with("epidemic: outbreak in Madrid: "),
        "{words}"
    );
}

#[test]
fn whoever_is_asked_for_something_is_told_what() {
    let position = set_up(json!({}));
    assert_eq!(position.question(), None, "four actions need no question");
    assert!(!position.awaits_answer());
    let mut asking = position.clone();
    play(&mut asking, &["airlift:Scientist:Tokyo"]);
    assert_eq!(
        asking.question().as_deref(),
        Some("The Medic plays Airlift: moves the Scientist to Tokyo. Does the Scientist agree?")
    );
    assert!(asking.awaits_answer());
    let to_whom = |position: &AnyPosition| position.turn().seat().expect("somebody is asked");
    assert_eq!(
        asking.question_to(to_whom(&asking)).as_deref(),
        Some("The Medic wants to airlift your pawn to Tokyo. Do you agree?")
    );
    let mut forecast = position.clone();
    play(
        &mut forecast,
        &[
            "forecast",
            "look:Madrid",
            "look:Milan",
            "look:Mumbai",
            "look:Moscow",
            "look:Manila",
            "look:Bangkok",
        ],
    );
    let question = forecast.question().expect("an order is asked for");
    assert!(
        question.starts_with("The forecast: which card is to be turned first, Madrid, Milan"),
        "{question}"
    );
    assert!(question.ends_with("or Manila?"), "{question}");
    let full = with(
        &position,
        "active=0 stage=infect hands=AtlChiLagMiaBogKhaMosSyd+Airlift/JakSeoLim+Forecast",
    );
    assert_eq!(
        full.question().as_deref(),
        Some("The Medic holds 9 cards: discard 2 or play an event.")
    );
    assert_eq!(
        full.question_to(to_whom(&full)).as_deref(),
        Some("You hold 9 cards: discard 2 or play an event.")
    );
    assert!(full.awaits_answer(), "only the holder can discard");
    let waiting = with(&position, "stage=infect");
    assert!(
        !waiting.awaits_answer(),
        "whoever infects the cities may do it when it suits"
    );
    let question = waiting.question().expect("an event could come now");
    assert_eq!(
        question,
        "2 infection cards are turned next. Does anybody play an event before that?"
    );
}

#[test]
fn the_end_and_what_would_bring_it_are_news() {
    let position = set_up(json!({}));
    assert_eq!(position.news(), None);
    assert_eq!(
        with(&position, "outbreaks=7").news().as_deref(),
        Some("One more outbreak loses the game.")
    );
    let over = with(&position, "stage=between:0 outbreaks=8 over=outbreaks");
    assert_eq!(
        over.news().as_deref(),
        Some("The eighth outbreak has happened: the team loses.")
    );
    assert!(matches!(over.turn(), Turn::Over(_)));
}

/// Returns a whole game of two random players, as text.
fn story(seed: u64) -> Story {
    let mut position = start(json!({"epidemics": 4}));
    let mut steps = Vec::new();
    let mut state = seed;
    let mut below = |most: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % most
    };
    while !position.turn().is_over() {
        let text = match position.turn() {
            Turn::Chance => position.chances()[below(position.chances().len())]
                .0
                .clone(),
            _ => position.legal()[below(position.legal().len())].text.clone(),
        };
        play(&mut position, &[&text]);
        steps.push(text);
    }
    Story {
        options: position.options(),
        names: vec!["Ann".into(), "Bob".into()],
        steps,
    }
}

#[test]
fn a_whole_game_is_told_turn_by_turn() {
    for seed in 1..6 {
        let story = story(seed);
        let log = parlor_games::pandemic::KIND
            .export("log", &story)
            .expect("a game is told");
        assert!(
            log.starts_with("Pandemic for 2 players with 4 epidemics; players are asked\n"),
            "{log}"
        );
        assert!(
            log.contains("\nTurn 1, ") && log.contains("Ann (") && log.contains("Bob ("),
            "{log}"
        );
        assert!(
            log.contains("  Draws ") && log.contains("  Infection: "),
            "{log}"
        );
        assert!(
            log.trim_end().ends_with('.') && log.contains("the team loses."),
            "{log}"
        );
        assert!(log.lines().all(|line| line.chars().count() <= 104), "{log}");
        let error = parlor_games::pandemic::KIND
            .import("log", &log)
            .expect_err("it is to be read by people")
            .to_string();
        assert_eq!(
            error,
            "pandemic is written as \"log\", but not read from it"
        );
    }
    let wrong = Story {
        steps: vec!["infect:Paris".into(), "infect:Paris".into()],
        ..story(1)
    };
    let error = parlor_games::pandemic::KIND
        .export("log", &wrong)
        .expect_err("the card is gone")
        .to_string();
    assert!(error.contains("step 2, infect:Paris"), "{error}");
}

#[test]
fn a_terminal_shows_cities_cubes_pawns_hands_and_what_comes_next() {
    let shown = set_up(json!({})).terminal(None);
    for part in [
        ">Atl*",
        " Par b3",
        " Lon b2",
        " Cai k3",
        "outbreaks 0/8, rate 2, cards 49",
        " 1 Medic in Atlanta: b Atl Chi | y Lag | Airlift",
        ">2 Scientist in Atlanta, 4 actions: y Lim | r Jak Seo | Forecast",
        "from Atlanta: Chicago, Washington and Miami",
        "infection discards: Ess Lon Par Lim Mia Cai Del Osa Tok",
    ] {
        assert!(shown.contains(part), "{part}\n{shown}");
    }
    assert!(shown.lines().count() <= 22, "{shown}");
}

#[test]
fn people_may_type_moves_as_they_speak() {
    let position = set_up(json!({"consent": "implied"}));
    for (line, text) in [
        ("drive:Chicago", "drive:Chicago"),
        ("drive chicago", "drive:Chicago"),
        ("Chi", "drive:Chicago"),
        ("go miami", "drive:Miami"),
        ("fly seoul", "fly:Seoul"),
        ("airlift medic sao paulo", "airlift:Medic:Sao-Paulo"),
        (
            "airlift scientist hcm",
            "airlift:Scientist:Ho-Chi-Minh-City",
        ),
        ("forecast", "forecast"),
        ("fore", "forecast"),
        ("pass", "draw"),
        (" DRAW ", "draw"),
    ] {
        assert_eq!(position.answer(line).as_deref(), Ok(text), "{line}");
    }
    for (line, reason) in [
        ("drive Paris", "Atlanta and Paris are not connected."),
        ("treat blue", "There is no blue cube in Atlanta."),
        ("fly Cairo", "The card Cairo is not in this hand."),
        ("dance", "Invalid input: "),
        ("", "Invalid input: "),
        ("f", "Invalid input: "),
    ] {
        let unread = position.answer(line).expect_err(line).to_string();
        assert!(unread.contains(reason), "{line}: {unread}");
    }
    let all = position.answer("?").expect_err("a list").to_string();
    assert!(
        all.contains("  drive Chicago | Washington | Miami")
            && all.contains("airlift Medic and any other city"),
        "{all}"
    );
    assert!(all.lines().count() < 15, "{all}");
}

#[test]
fn every_legal_move_is_chosen_by_places_of_the_screen_and_no_two_by_the_same() {
    let positions = [
        set_up(json!({})),
        with(
            &set_up(json!({})),
            "fixed=Medic,Dispatcher roles=Medic,Dispatcher",
        ),
        with(
            &set_up(json!({})),
            "fixed=Medic,Operations-Expert roles=Medic,Operations-Expert at=Atl,Cai stations=AtlCaiLimLonTokSyd",
        ),
        with(&set_up(json!({})), "stage=infect"),
        with(&set_up(json!({})), "hands=Atl/TokOsaSeoManTaiShaBei"),
    ];
    for position in positions {
        let screen = position.screen(None);
        let choices = position.choices();
        assert_eq!(choices.len(), position.legal().len());
        let mut paths: Vec<&Vec<String>> = choices.iter().map(|choice| &choice.path).collect();
        for id in paths.iter().flat_map(|path| path.iter()) {
            assert_eq!(
                screen.spots.iter().filter(|spot| spot.id == *id).count(),
                1,
                "{id}"
            );
        }
        assert!(paths.iter().all(|path| !path.is_empty()));
        paths.sort();
        assert!(
            paths
                .windows(2)
                .all(|two| two[0] != two[1] && !two[1].starts_with(two[0])),
            "{paths:?}"
        );
        assert!(screen.spots.len() < 48 + 60, "a menu, not a list");
        let wide = screen
            .spots
            .iter()
            .map(|spot| usize::from(spot.x) + spot.text.chars().count());
        assert!(wide.max() <= Some(78));
    }
}

#[test]
fn what_cannot_be_played_is_refused_with_the_reason() {
    let refused = |options: Value| {
        parlor_games::pandemic::KIND
            .start(&options)
            .expect_err("no game")
            .to_string()
    };
    for (options, reason) in [
        (
            json!({"players": 5}),
            "players: expected a whole number from 2 to 4, got 5",
        ),
        (json!({"players": 1}), "got 1"),
        (json!({"players": "two"}), "got a string"),
        (
            json!({"epidemics": 13}),
            "epidemics: expected a whole number from 0 to 12, got 13",
        ),
        (
            json!({"consent": "never"}),
            "consent: expected implied or ask or ask-again, got \"never\"",
        ),
        (
            json!({"events": "Airlift"}),
            "events: expected a list of names",
        ),
        (
            json!({"events": ["Airlift", 7]}),
            "events: expected a list of names",
        ),
        (
            json!({"events": ["Holiday"]}),
            "events: \"Holiday\" is no event; there are Airlift, Forecast",
        ),
        (
            json!({"events": ["Airlift", "airlift"]}),
            "events: Airlift is there twice",
        ),
        (
            json!({"roles": ["Doctor"]}),
            "roles: \"Doctor\" is no role; there are random, Contingency Planner",
        ),
        (
            json!({"roles": ["Medic", "Medic"]}),
            "roles: two players cannot both be the Medic",
        ),
        (
            json!({"roles": ["Medic", "Scientist", "Researcher"]}),
            "roles: 3 roles are too many for 2 players",
        ),
        (
            json!({"level": 3}),
            "level: no such option; there are players, epidemics, consent, events, roles",
        ),
        (json!([]), "options are an object"),
    ] {
        let error = refused(options);
        assert!(error.contains(reason), "{error}");
    }
    let both = refused(json!({"players": 9, "events": ["Holiday"]}));
    assert!(
        both.contains("players") && both.contains("Holiday"),
        "every reason at once: {both}"
    );
}

#[test]
fn options_start_the_game_that_they_describe_and_fit_their_schema() {
    let schema = jsonschema::validator_for(&parlor_games::pandemic::KIND.options_schema())
        .expect("a JSON Schema");
    for options in [
        json!({"players": 4, "epidemics": 6, "consent": "implied", "events": ["Airlift"], "roles": ["random", "Medic"]}),
        json!({"players": 3, "epidemics": 0, "consent": "ask", "events": [], "roles": []}),
        json!({"players": 2, "epidemics": 4, "consent": "ask-again", "events": [], "roles": []}),
    ] {
        assert!(schema.is_valid(&options), "{options}");
        assert_eq!(start(options.clone()).options(), options);
    }
    let plain =
        start(json!({"events": ["one quiet night", "government-grant"], "roles": ["operations-expert", "RANDOM"]}))
            .options();
    assert_eq!(
        plain["events"],
        json!(["Government Grant", "One Quiet Night"])
    );
    assert_eq!(plain["roles"], json!(["Operations Expert"]));
    for wrong in [
        json!({"players": 5}),
        json!({"roles": ["Doctor"]}),
        json!({"events": ["Airlift", "Airlift"]}),
        json!({"x": 1}),
    ] {
        assert!(!schema.is_valid(&wrong), "{wrong}");
    }
}

#[test]
fn the_rules_speak_of_every_role_and_event() {
    let rules = parlor_games::pandemic::KIND.rules();
    for role in parlor_pandemic::Role::ALL {
        assert!(rules.contains(role.name()), "{role}");
    }
    for event in parlor_pandemic::EventCard::ALL {
        assert!(rules.contains(event.name()), "{event}");
    }
}
