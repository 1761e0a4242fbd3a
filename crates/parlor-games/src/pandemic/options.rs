//! Options of Pandemic: players, difficulty, consent, roles and events.

use parlor_pandemic::{Card, Cards, Consent, EventCard, Game, Role, Roles, Rules};
use serde_json::{Value, json};

use crate::OptionsReader;
use crate::{OptionsError, Preset};

const PLAYERS: &str = "players";
const EPIDEMICS: &str = "epidemics";
const CONSENT: &str = "consent";
const EVENTS: &str = "events";
const ROLES: &str = "roles";
const FIELDS: [&str; 5] = [PLAYERS, EPIDEMICS, CONSENT, EVENTS, ROLES];
/// Values of the option that requires consent of the owner of a pawn or card.
const CONSENTS: [Consent; 3] = [Consent::Implied, Consent::AskedOnce, Consent::AskedAgain];
/// The usual value.
const USUAL: Consent = Consent::AskedAgain;
/// Format of events since which [`Consent::AskedAgain`] exists.
const ASKED_AGAIN_SINCE: u16 = 2;
const RANDOM: &str = "random";

const fn consent_name(consent: Consent) -> &'static str {
    match consent {
        Consent::Implied => "implied",
        Consent::AskedOnce => "ask",
        Consent::AskedAgain => "ask-again",
    }
}

pub(crate) fn schema() -> Value {
    let roles = [RANDOM]
        .into_iter()
        .chain(Role::ALL.map(Role::name))
        .collect::<Vec<_>>();
    let titles = ["At random"]
        .into_iter()
        .chain(Role::ALL.map(Role::name))
        .collect::<Vec<_>>();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Options of Pandemic",
        "type": "object",
        "additionalProperties": false,
        "x-order": FIELDS,
        "properties": {
            PLAYERS: { "title": "Players", "type": "integer", "minimum": 2, "maximum": Rules::MAX_PLAYERS, "default": 2 },
            EPIDEMICS: {
                "title": "Epidemics", "type": "integer", "minimum": 0, "maximum": Rules::MAX_EPIDEMICS, "default": 4,
                "description": "4 is introductory, 5 standard, 6 heroic",
            },
            CONSENT: {
                "title": "Asking", "type": "string", "enum": CONSENTS.map(consent_name), "x-titles": ["Nobody is asked", "The owner is asked once", "The owner is asked"],
                "default": consent_name(USUAL),
                "description": "Whether a player is asked before another moves their pawn, or shares a card with them. Who is asked once and declines is left alone until something else has been done; otherwise the next question can follow at once, until three are declined",
            },
            EVENTS: {
                "title": "Events", "type": "array", "uniqueItems": true,
                "items": { "type": "string", "enum": EventCard::ALL.map(EventCard::name) }, "default": EventCard::ALL.map(EventCard::name),
                "description": "The event cards in the deck",
            },
            ROLES: {
                "title": "Roles", "type": "array", "maxItems": Rules::MAX_PLAYERS,
                "items": { "type": "string", "enum": roles, "x-titles": titles, "default": RANDOM }, "default": [],
                "description": "The role of each seat in order; random by default",
            },
        },
    })
}

pub(crate) fn presets() -> Vec<Preset> {
    let rules = |players, epidemics| {
        let rules = Rules::new(players, epidemics).expect("a game of the box");
        rules.with_consent(USUAL)
    };
    let preset = |title, players, epidemics| Preset {
        title,
        options: to_json(rules(players, epidemics)),
    };
    vec![
        preset("Two players, introductory", 2, 4),
        preset("Two players, standard", 2, 5),
        preset("Two players, heroic", 2, 6),
        preset("Three players, standard", 3, 5),
        preset("Four players, introductory", 4, 4),
        preset("Four players, standard", 4, 5),
        preset("Four players, heroic", 4, 6),
    ]
}

/// Returns the complete options for these rules.
pub(crate) fn to_json(rules: Rules) -> Value {
    let events: Vec<&str> = rules
        .events()
        .events()
        .iter()
        .map(EventCard::name)
        .collect();
    let mut roles: Vec<&str> = rules
        .fixed()
        .iter()
        .map(|role| role.map_or(RANDOM, Role::name))
        .collect();
    while roles.last() == Some(&RANDOM) {
        roles.pop();
    }
    json!({
        PLAYERS: rules.players(),
        EPIDEMICS: rules.epidemics(),
        CONSENT: consent_name(rules.consent()),
        EVENTS: events,
        ROLES: roles,
    })
}

/// Returns the format of events since which these options exist.
pub(crate) fn since(options: &Value) -> u16 {
    let consent = options.get(CONSENT).and_then(Value::as_str);
    if consent == Some(consent_name(Consent::AskedAgain)) {
        ASKED_AGAIN_SINCE
    } else {
        0
    }
}

/// Returns the game before its setup.
pub(crate) fn start(options: &Value) -> Result<Game, OptionsError> {
    let mut reader = OptionsReader::new(options, &FIELDS);
    let players = reader
        .number(PLAYERS, 2, Rules::MAX_PLAYERS as u8)
        .unwrap_or(2);
    let epidemics = reader
        .number(EPIDEMICS, 0, Rules::MAX_EPIDEMICS)
        .unwrap_or(4);
    let consent = reader
        .choice(CONSENT, &CONSENTS.map(consent_name))
        .map_or(USUAL, |chosen| CONSENTS[chosen]);
    let events = events(&mut reader);
    let roles = roles(&mut reader, players);
    reader.finish()?;
    let rules = Rules::new(players, epidemics).and_then(|rules| {
        rules
            .with_consent(consent)
            .with_events(events)
            .with_roles(Roles::ALL, roles)
    });
    rules
        .map(Game::new)
        .map_err(|reason| OptionsError::one(ROLES, reason.to_string()))
}

/// Reads a list of strings; anything else is reported as a problem.
fn words<'a>(reader: &mut OptionsReader<'a>, field: &str) -> Option<Vec<&'a str>> {
    let value = reader.get(field)?;
    let words = value
        .as_array()
        .map(|list| list.iter().map(Value::as_str).collect::<Option<Vec<_>>>());
    let words = words.flatten();
    if words.is_none() {
        reader.problem(field, "expected a list of names");
    }
    words
}

fn events(reader: &mut OptionsReader<'_>) -> Cards {
    let Some(names) = words(reader, EVENTS) else {
        return Cards::EVENTS;
    };
    let mut events = Cards::NONE;
    for name in names {
        match EventCard::from_name(name) {
            Some(event) if events.has(event) => {
                reader.problem(EVENTS, format!("{event} is there twice"))
            }
            Some(event) => events = events.with(Card::Event(event)),
            None => {
                let known = EventCard::ALL.map(EventCard::name).join(", ");
                reader.problem(
                    EVENTS,
                    format!("{:?} is no event; there are {known}", shortened(name)),
                );
            }
        }
    }
    events
}

fn roles(reader: &mut OptionsReader<'_>, players: u8) -> [Option<Role>; Rules::MAX_PLAYERS] {
    let mut roles = [None; Rules::MAX_PLAYERS];
    let names = words(reader, ROLES).unwrap_or_default();
    if names.len() > usize::from(players) {
        reader.problem(
            ROLES,
            format!("{} roles are too many for {players} players", names.len()),
        );
    }
    for (place, name) in roles.iter_mut().zip(names) {
        *place = Role::from_name(name);
        if place.is_none() && !name.eq_ignore_ascii_case(RANDOM) {
            let known = Role::ALL.map(Role::name).join(", ");
            reader.problem(
                ROLES,
                format!(
                    "{:?} is no role; there are {RANDOM}, {known}",
                    shortened(name)
                ),
            );
        }
    }
    roles
}

fn shortened(name: &str) -> String {
    name.chars().take(40).collect()
}
