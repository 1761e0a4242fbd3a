//! Creating a table: the form and its handler.

use axum::extract::State;
use axum::http::header::SET_COOKIE;
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use maud::{Markup, html};
use parlor_games::{GameKind, Preset, bots, choices, in_order};
use parlor_table::Refusal;
use serde_json::{Map, Value};

use super::actions::FormFields;
use super::assets::versioned;
use super::error_page::WebError;
use super::faces::Face;
use super::snapshot::Viewer;
use super::{actions, clock_fields, cookies, luck};
use crate::AppState;
use crate::auth::{Requester, Visitor};
use crate::edge::{Client, TableCreator};
use crate::error::Error;
use crate::tables::{CreateTableRequest, SeatRequest};

/// Value of the choice "Custom rules" among the presets.
const OWN: &str = "own";
/// Prefix of the form fields that hold options.
const PREFIX: &str = "option.";
/// Value of the hidden field that marks an option as a list.
const LIST: &str = "list";
/// Maximum number of entries of a list in a form.
const MOST_ITEMS: usize = 16;
/// Number of players at a table with a friend and the computer.
const WITH_BOTH: u8 = 3;

/// Renders the form for one game.
pub(super) fn form(kind: GameKind, viewer: &Viewer) -> Markup {
    let (name, member) = (
        cookies::name(&viewer.headers),
        viewer.who.as_ref().and_then(Requester::member),
    );
    let presets = kind.presets();
    html! {
        form method="post" action="/new" {
            input type="hidden" name="game" value=(kind.name());
            (board(kind, &presets))
            fieldset {
                legend { @if kind.is_cooperative() { "Teammates" } @else { "Opponent" } }
                div.picks {
                    (pick("opponent", "friend", "A friend, by link", true))
                    (pick("opponent", "bot", "The computer", false))
                    @if kind.is_cooperative() { (pick_with("opponent", "both", "A friend and the computer", Some("With three players at least.".to_owned()), false)) }
                    (pick("opponent", "here", "Each other, on this device", false))
                }
            }
            (clock_fields::fields(kind, member.is_some()))
            fieldset.fields {
                @if let Some(member) = member {
                    p.field { "Playing as " b { bdi { (member.name) } } "." }
                } @else {
                    label.field {
                        span { "Your name" }
                        input name="name" maxlength="40" autocomplete="nickname" placeholder="Guest" value=[name];
                    }
                }
                label.field { span { "Computer level" } (levels(kind)) }
                // The game itself decides who goes first in a team.
                @if !kind.is_cooperative() {
                    label.field {
                        span { "First move" }
                        select name="begins" { option value="me" { "Me" } option value="other" { "My opponent" } option value="random" { "At random" } }
                    }
                }
            }
            @if kind.has_luck() { (luck_fields(kind)) }
            label.pick {
                input type="checkbox" name="listed" value="yes";
                span { "List in the lobby: anyone can join and watch. Otherwise only those can whom you send a link." }
            }
            label.pick {
                input type="checkbox" name="quiet" value="yes";
                span { "No talk at this table" }
            }
            @if kind.is_cooperative() && kind.can_analyze() {
                label.pick {
                    input type="checkbox" name="unadvised" value="yes";
                    span { "No adviser at this table" }
                }
            }
            p { button.main { "Create table" } }
        }
    }
}

/// Renders the fields for the table's luck: a text to mix in, or real dice or cards.
fn luck_fields(kind: GameKind) -> Markup {
    let (what, by_hand) = if kind.chances_recur() {
        ("Dice", "We roll real dice and enter the results")
    } else {
        ("Cards", "We draw real cards and enter the results")
    };
    html! {
        fieldset {
            legend { (what) }
            (luck::text_field())
            label.pick.rated {
                input type="checkbox" name="luck_by_hand" value="yes";
                span { (by_hand) }
            }
        }
    }
}

fn board(kind: GameKind, presets: &[Preset]) -> Markup {
    html! {
        fieldset {
            legend { "Rules" }
            div.picks {
                @for (n, preset) in presets.iter().enumerate() {
                    (pick_with("preset", &n.to_string(), preset.title, bots_win(kind, preset), n == 0))
                }
                (pick("preset", OWN, "Custom rules", false))
            }
            div.own.fields {
                (options(kind))
                @if kind.difficulty(&Value::Null).is_some() {
                    p.small.soft data-difficulty role="status" {}
                    script type="module" src=(versioned("difficulty.js")) {}
                }
            }
        }
    }
}

fn pick(name: &str, value: &str, text: &str, chosen: bool) -> Markup {
    pick_with(name, value, text, None, chosen)
}

/// Returns the sentence that tells how often bots win a game of a team.
fn bots_win(kind: GameKind, preset: &Preset) -> Option<String> {
    kind.difficulty(&preset.options)
        .and_then(|difficulty| difficulty.bots)
}

/// Renders a choice with a sentence below it.
fn pick_with(
    name: &str,
    value: &str,
    text: &str,
    sentence: Option<String>,
    chosen: bool,
) -> Markup {
    html! {
        label.pick {
            input type="radio" name=(name) value=(value) checked[chosen];
            span {
                (text)
                @if let Some(sentence) = sentence { br; span.small.soft { (sentence) } }
            }
        }
    }
}

/// Renders a field for every option in the game's schema.
fn options(kind: GameKind) -> Markup {
    let schema = kind.options_schema();
    html! {
        @for (field, property) in in_order(&schema) {
            @if property["type"] == "array" { (list(field, property)) } @else { label.field {
                span { (property["title"].as_str().unwrap_or(field)) }
                @if property["type"] == "integer" {
                    input type="number" inputmode="numeric" name={ (PREFIX) (field) } min=[text(&property["minimum"])]
                        max=[text(&property["maximum"])] placeholder=[text(&property["default"])] title=[property["description"].as_str()];
                } @else if !choices(property).is_empty() {
                    select name={ (PREFIX) (field) } title=[property["description"].as_str()] {
                        @for (value, title) in choices(property) {
                            option value=(value) selected[property["default"] == value] { (title) }
                        }
                    }
                } @else {
                    input name={ (PREFIX) (field) } maxlength=[text(&property["maxLength"])]
                        title=[property["description"].as_str()] autocomplete="off";
                }
            } }
        }
    }
}

/// Renders an option that is a list of named values: a checkbox for each value if they are unique,
/// otherwise a select for each entry.
fn list(field: &str, property: &Value) -> Markup {
    let items = &property["items"];
    let title = property["title"].as_str().unwrap_or(field);
    let usual: Vec<&Value> = property["default"]
        .as_array()
        .into_iter()
        .flatten()
        .collect();
    let is_usual = |n: usize, value: &str| match usual.get(n) {
        Some(usual) => *usual == value,
        None => items["default"] == value,
    };
    html! {
        fieldset.field title=[property["description"].as_str()] {
            legend { (title) }
            // Marks the list as present even if nothing is chosen.
            input type="hidden" name={ (PREFIX) (field) } value=(LIST);
            div.picks {
                @if property["uniqueItems"] == true {
                    @for (n, (value, title)) in choices(items).into_iter().enumerate() {
                        label.pick {
                            input type="checkbox" name=(item(field, n)) value=(value) checked[usual.iter().any(|usual| **usual == value)];
                            span { (title) }
                        }
                    }
                } @else {
                    @for n in 0..places(property) {
                        select name=(item(field, n)) aria-label={ (title) " " (n + 1) } {
                            @for (value, title) in choices(items) {
                                option value=(value) selected[is_usual(n, value)] { (title) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Returns the field name of one item of a list.
fn item(field: &str, n: usize) -> String {
    format!("{PREFIX}{field}.{n}")
}

/// Returns the maximum number of items of a list.
fn places(property: &Value) -> usize {
    let most = property["maxItems"]
        .as_u64()
        .and_then(|most| usize::try_from(most).ok());
    most.unwrap_or_else(|| choices(&property["items"]).len())
        .min(MOST_ITEMS)
}

/// Returns the chosen items of a list, without default values at its end.
fn chosen_items<'a>(get: impl Fn(&str) -> Option<&'a str>, field: &str, property: &Value) -> Value {
    let places = if property["uniqueItems"] == true {
        choices(&property["items"]).len()
    } else {
        places(property)
    };
    let mut items: Vec<&str> = (0..places).filter_map(|n| get(&item(field, n))).collect();
    let usual = property["items"]["default"].as_str();
    while items.last().is_some_and(|last| Some(*last) == usual) {
        items.pop();
    }
    Value::from(items)
}

fn text(value: &Value) -> Option<String> {
    (!value.is_null()).then(|| value.to_string())
}

fn levels(kind: GameKind) -> Markup {
    let usual = kind
        .presets()
        .into_iter()
        .next()
        .and_then(|preset| kind.start(&preset.options).ok());
    let bots = usual
        .map(|position| bots::list(&position))
        .unwrap_or_default();
    let middle = bots.len().min(5) / 2;
    html! {
        span.bot-pick {
            @for bot in bots.iter().filter(|bot| bot.level.is_some()) { (Face::new(bot).sized(32)) }
            select name="bot" {
                @for (n, bot) in bots.iter().enumerate() {
                    option value=(bot.spec) selected[n == middle] { (bot.introduction()) }
                }
            }
        }
    }
}

/// Says in plain text how hard a game under the chosen rules is, and nothing of rules that cannot be.
pub(super) async fn difficulty(fields: FormFields) -> Result<String, WebError> {
    let kind = chosen_kind(&fields)?;
    let difficulty = kind.difficulty(&chosen_options(kind, &fields)?);
    Ok(difficulty.map_or_else(String::new, |difficulty| {
        let bots = difficulty.bots.unwrap_or_default();
        format!("{}. {bots}", difficulty.name).trim_end().to_owned()
    }))
}

/// Creates the table and redirects to it.
pub(super) async fn create(
    State(state): State<AppState>,
    client: Client,
    guest: Visitor,
    viewer: Viewer,
    fields: FormFields,
) -> Result<Response, WebError> {
    let wanted = wanted(&fields)?;
    let creator = TableCreator::new(client, Some(guest.key()));
    let made = state.create_table(wanted, guest.who(), creator).await?;
    let id = made.view.id;
    if fields.get("opponent") != Some("here") {
        actions::ask_when_it_matters(&state, id, guest.who()).await;
    }
    let secure = state.is_https();
    let cookies = [
        guest.set_cookie(),
        Some(cookies::with_table(
            &viewer.headers,
            id,
            made.invite,
            secure,
        )),
        fields
            .get("name")
            .map(|name| cookies::with_name(name, secure)),
    ];
    let cookies = cookies
        .into_iter()
        .flatten()
        .map(|cookie| (SET_COOKIE, cookie));
    Ok((AppendHeaders(cookies), Redirect::to(&format!("/t/{id}"))).into_response())
}

fn wanted(fields: &FormFields) -> Result<CreateTableRequest, Error> {
    let kind = chosen_kind(fields)?;
    let mut options = chosen_options(kind, fields)?;
    let mut seats = kind.start(&options).map_err(Refusal::from)?.seats();
    if fields.get("opponent") == Some("both") && seats < WITH_BOTH {
        options = widened(kind, &options).ok_or_else(|| {
            let detail = "a friend and the computer are two others: choose three players or more";
            Error::unprocessable(detail).with("field", "opponent")
        })?;
        seats = WITH_BOTH;
    }
    let name = fields.get("name").map(str::to_owned);
    let me = || SeatRequest::Me { name: name.clone() };
    let bot = || SeatRequest::Bot {
        spec: fields.get("bot").unwrap_or_default().to_owned(),
    };
    let other = |seat: u8| match fields.get("opponent") {
        Some("bot") => bot(),
        Some("both") if seat > 1 => bot(),
        Some("here") => me(),
        _ => SeatRequest::Open,
    };
    let mut players: Vec<SeatRequest> = (1..seats).map(other).collect();
    let by_hand = fields.get("luck_by_hand").is_some();
    let begins = fields.get("begins") != Some("other");
    players.insert(if begins { 0 } else { players.len() }, me());
    Ok(CreateTableRequest {
        game: kind.name().to_owned(),
        options,
        seats: Some(players),
        random_seats: fields.get("begins") == Some("random"),
        listed: fields.get("listed").is_some(),
        talk: fields.get("quiet").is_none(),
        advice: fields.get("unadvised").is_none(),
        luck_text: fields
            .get("luck_text")
            .filter(|_| !by_hand)
            .map(str::to_owned),
        luck_by_hand: by_hand,
        clock: clock_fields::chosen(fields).map_err(Refusal::from)?,
        rated: fields.get("rated").is_some(),
    })
}

/// Returns the rules for two players as rules for three, by the option that is their number; `None` if
/// there is none.
fn widened(kind: GameKind, options: &Value) -> Option<Value> {
    let schema = kind.options_schema();
    let fields = schema["properties"].as_object()?.iter();
    fields
        .filter(|(_, property)| property["type"] == "integer")
        .find_map(|(field, _)| {
            let mut wider = options.clone();
            wider
                .as_object_mut()?
                .insert(field.clone(), WITH_BOTH.into());
            let seats = kind.start(&wider).ok()?.seats();
            (seats == WITH_BOTH).then_some(wider)
        })
}

fn chosen_kind(fields: &FormFields) -> Result<GameKind, Error> {
    GameKind::from_name(fields.get("game").unwrap_or_default())
        .map_err(|error| Error::unprocessable(error.to_string()))
}

/// Returns the options of the chosen preset, or the custom ones.
fn chosen_options(kind: GameKind, fields: &FormFields) -> Result<Value, Error> {
    let preset = fields.get("preset").unwrap_or("0");
    if preset != OWN {
        let presets = kind.presets();
        let preset = preset
            .parse::<usize>()
            .ok()
            .and_then(|n| presets.into_iter().nth(n));
        return preset
            .map(|preset| preset.options)
            .ok_or_else(|| Error::unprocessable("unknown preset"));
    }
    let schema = kind.options_schema();
    let mut options = Map::new();
    for (field, property) in schema["properties"].as_object().into_iter().flatten() {
        let Some(text) = fields.get(&format!("{PREFIX}{field}")) else {
            continue;
        };
        let number = || text.trim().parse::<i64>().map(Value::from);
        let value = match property["type"].as_str() {
            Some("integer") => number().unwrap_or_else(|_| Value::from(text)),
            Some("array") => chosen_items(|name| fields.get(name), field, property),
            _ => Value::from(text.trim()),
        };
        options.insert(field.clone(), value);
    }
    Ok(Value::Object(options))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn rules_for_two_are_widened_and_otherwise_stay() {
        let kind = parlor_games::pandemic::KIND;
        let mut presets = kind.presets();
        presets.retain(|preset| preset.options["players"] == 2);
        assert!(!presets.is_empty());
        for preset in presets {
            let wider = widened(kind, &preset.options).expect("the players can be chosen");
            let mut wanted = preset.options;
            wanted["players"] = 3.into();
            assert_eq!(wider, wanted, "{}", preset.title);
        }
        assert_eq!(
            widened(kind, &json!({})).expect("the players can be chosen"),
            json!({ "players": 3 })
        );
    }

    #[test]
    fn a_list_has_a_checkbox_for_each_value_or_a_select_for_each_entry() {
        let schema = parlor_games::pandemic::KIND.options_schema();
        let form = options(parlor_games::pandemic::KIND).into_string();
        assert_eq!(form.matches("type=\"checkbox\"").count(), 5, "{form}");
        assert_eq!(
            form.matches(" checked").count(),
            5,
            "all events are included by default"
        );
        assert_eq!(form.matches("name=\"option.roles.").count(), 4, "{form}");
        assert!(
            form.contains("aria-label=\"Roles 4\"") && form.contains("selected>At random<"),
            "{form}"
        );
        let sent = [
            ("option.events.1", "Forecast"),
            ("option.events.3", "One Quiet Night"),
        ];
        let sent = [
            &sent[..],
            &[
                ("option.roles.0", "random"),
                ("option.roles.1", "Medic"),
                ("option.roles.2", "random"),
            ],
        ]
        .concat();
        let get = |name: &str| {
            sent.iter()
                .find(|(sent, _)| *sent == name)
                .map(|(_, value)| *value)
        };
        let chosen = |field: &str| chosen_items(get, field, &schema["properties"][field]);
        assert_eq!(chosen("events"), json!(["Forecast", "One Quiet Night"]));
        assert_eq!(
            chosen("roles"),
            json!(["random", "Medic"]),
            "default values at the end are left out"
        );
        assert_eq!(
            chosen_items(|_| None, "events", &schema["properties"]["events"]),
            json!([])
        );
    }
}
