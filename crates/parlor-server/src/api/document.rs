//! The OpenAPI description: what the handlers and types say, and what holds for all of them.

use std::collections::HashSet;

use parlor_games::{AnyPosition, GameKind};
use serde_json::{Map, Value, json};
use utoipa::openapi::path::Operation;
use utoipa::openapi::schema::Type;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::{self, Content, HeaderBuilder, ObjectBuilder, Ref, ResponseBuilder};
use utoipa::{Modify, OpenApi};

use super::{me_events, schema, socket};

/// The parts of the description that belong to no handler.
///
/// The id of an operation is a verb and a noun, such as `create_table`.
#[derive(OpenApi)]
#[openapi(
    info(title = "Parlor", description = "Tables of turn-based board games: create, join, play, watch, verify."),
    servers((url = "/", description = "This server")),
    tags(
        (name = "games", description = "The games that can be played here"),
        (name = "tables", description = "Tables: create, list and show them"),
        (name = "play", description = "Commands to a table: join, move, resign, make offers"),
        (name = "events", description = "Events as they happen, as streams and on a WebSocket"),
        (name = "talk", description = "What people write to each other at a table"),
        (name = "queue", description = "Quick pairing with an opponent"),
        (name = "records", description = "Records, their verification, pictures and analyses"),
        (name = "players", description = "Profiles, ratings and tables of members"),
        (name = "accounts", description = "Accounts, sessions, tokens and bots")
    ),
    components(schemas(schema::ProblemSchema, socket::ClientIn, socket::ClientOut<'static>, me_events::MyEventsControl)),
    security((), ("token" = []), ("cookie" = []), ("session" = [])),
    modifiers(&SecuritySchemes)
)]
pub(super) struct ApiDescription;

/// Adds the ways to authenticate.
struct SecuritySchemes;

impl Modify for SecuritySchemes {
    fn modify(&self, description: &mut openapi::OpenApi) {
        let components = description.components.get_or_insert_default();
        components.add_security_scheme(
            "token",
            SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer)),
        );
        let cookie =
            SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::new(crate::auth::COOKIE_NAME)));
        components.add_security_scheme("cookie", cookie);
        let session = SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::new(
            crate::auth::SESSION_COOKIE,
        )));
        components.add_security_scheme("session", session);
    }
}

/// Schemas whose variants refuse unknown fields, apart from variants without fields.
const CLOSED: [&str; 3] = ["ClientIn", "SeatRequest", "TimeControl"];

/// Returns the document of a description that has all operations.
pub(super) fn complete(mut description: openapi::OpenApi) -> Value {
    describe_problems(&mut description);
    let mut document = serde_json::to_value(description).expect("a description is plain data");
    let schemas = document.pointer_mut("/components/schemas");
    if let Some(Value::Object(schemas)) = schemas {
        describe_games(schemas);
        name_variants(schemas);
    }
    each_operation(&mut document, |operation| {
        let_optional_bodies_out(operation);
        describe_server_sent_events(operation);
    });
    document
}

fn each_operation(document: &mut Value, change: impl Fn(&mut Value)) {
    let paths = document["paths"].as_object_mut();
    let items = paths.into_iter().flat_map(Map::values_mut);
    let operations = items.filter_map(Value::as_object_mut);
    operations.flat_map(Map::values_mut).for_each(change);
}

/// Describes an optional body as one that can be left out, not as one that can be `null`.
fn let_optional_bodies_out(operation: &mut Value) {
    let Some(Value::Object(content)) = operation.pointer_mut("/requestBody/content") else {
        return;
    };
    for body in content.values_mut() {
        let wanted = match body["schema"]["oneOf"].as_array().map(Vec::as_slice) {
            Some([wanted, null]) if null["type"] == "null" => wanted.clone(),
            _ => continue,
        };
        body["schema"] = wanted;
    }
}

/// Describes server-sent events as the text that they are, with the schema of each `data`.
fn describe_server_sent_events(operation: &mut Value) {
    let responses = operation["responses"].as_object_mut();
    for response in responses.into_iter().flat_map(Map::values_mut) {
        if let Some(content) = response.pointer_mut("/content/text~1event-stream") {
            let data = content["schema"].take();
            content["schema"] = json!({
                "type": "string", "contentMediaType": "text/event-stream", "contentSchema": data,
            });
        }
    }
}

/// Gives each variant of a tagged enum a schema with a name, since generators would number them,
/// and names the tag as discriminator.
fn name_variants(schemas: &mut Map<String, Value>) {
    let names: Vec<String> = schemas.keys().cloned().collect();
    for name in names {
        let Some(tag) = schemas[&name]["oneOf"].as_array().and_then(|all| tag(all)) else {
            continue;
        };
        let variants = schemas[&name]["oneOf"].take();
        let variants = variants.as_array().cloned().unwrap_or_default();
        let (mut refs, mut mapping) = (Vec::new(), Map::new());
        for mut variant in variants {
            let value = only_value(&variant["properties"][&tag]);
            let value = value.unwrap_or_default().to_owned();
            variant["properties"][&tag] = json!({ "type": "string", "const": &value });
            let has_fields = variant["properties"].as_object().map_or(0, Map::len) > 1;
            if has_fields && CLOSED.contains(&name.as_str()) {
                variant["additionalProperties"] = false.into();
            }
            let variant_name = format!("{name}{}", pascal_case(&value));
            let path = reference(&variant_name);
            refs.push(json!({ "$ref": path }));
            mapping.insert(value.clone(), path.into());
            let replaced = schemas.insert(variant_name, variant);
            debug_assert!(replaced.is_none(), "{name}: {value} has a name of its own");
        }
        schemas[&name]["oneOf"] = refs.into();
        schemas[&name]["discriminator"] = json!({ "propertyName": tag, "mapping": mapping });
    }
}

/// Returns the property that has exactly one value in each variant, a different one in each.
fn tag(variants: &[Value]) -> Option<String> {
    let value =
        |variant: &Value, name: &str| only_value(&variant["properties"][name]).map(str::to_owned);
    let names = variants.first()?["properties"].as_object()?.keys();
    let is_tag = |name: &&String| {
        let values: Option<HashSet<String>> = variants
            .iter()
            .map(|variant| value(variant, name))
            .collect();
        values.is_some_and(|values| values.len() == variants.len())
    };
    names.into_iter().find(is_tag).cloned()
}

/// Returns the text that a schema requires, if it allows only one.
fn only_value(schema: &Value) -> Option<&str> {
    match schema["enum"].as_array().map(Vec::as_slice) {
        Some([value]) => value.as_str(),
        Some(_) => None,
        None => schema["const"].as_str(),
    }
}

/// Describes the options and positions of all games of this server.
fn describe_games(schemas: &mut Map<String, Value>) {
    let (mut options, mut requests, mut positions) = (Vec::new(), Vec::new(), Vec::new());
    let mut mapping = Map::new();
    let kinds = GameKind::all().iter();
    let games = kinds.filter_map(|kind| Some((*kind, kind.start(&Value::Null).ok()?)));
    for (kind, start) in games {
        let title = pascal_case(kind.name());
        let mut add = |name: String, schema: Value| {
            let path = reference(&name);
            schemas.insert(name, schema);
            path
        };
        let request = options_schema(kind);
        let complete = complete_options_schema(kind, &start, request.clone());
        requests.push(add(format!("{title}OptionsRequest"), request));
        options.push(add(format!("{title}Options"), complete));
        let (position, parts) = position_schemas(kind, &start);
        for (name, part) in parts {
            add(name, part);
        }
        let names_game = position["properties"]["game"]["const"].is_string();
        let path = add(format!("{title}Position"), position);
        if names_game {
            mapping.insert(kind.name().to_owned(), path.clone().into());
        }
        positions.push(path);
    }
    let names: Vec<&str> = GameKind::all().iter().map(|kind| kind.name()).collect();
    schemas["GameName"]["enum"] = names.into();
    let mut choose = |name: &str, how: &str, paths: &[String]| {
        let description = schemas[name]["description"].take();
        let refs: Vec<Value> = paths.iter().map(|path| json!({ "$ref": path })).collect();
        schemas[name] = json!({ "description": description, how: refs });
    };
    choose("GameOptions", "anyOf", &options);
    choose("GameOptionsRequest", "anyOf", &requests);
    if mapping.len() == positions.len() {
        choose("Position", "oneOf", &positions);
        schemas["Position"]["discriminator"] =
            json!({ "propertyName": "game", "mapping": mapping });
    } else {
        choose("Position", "anyOf", &positions);
    }
}

/// Returns the schema of a game's complete options. Generators take fields with a default for
/// optional, and could then not tell the options of one game from those of another.
fn complete_options_schema(kind: GameKind, start: &AnyPosition, mut schema: Value) -> Value {
    schema["required"] = fields(&start.options()).into();
    schema["description"] = format!("Complete options of {}.", kind.title()).into();
    let properties = schema["properties"].as_object_mut();
    let properties = properties.into_iter().flat_map(Map::values_mut);
    for property in properties.filter_map(Value::as_object_mut) {
        property.remove("default");
    }
    schema
}

/// Returns the names of an object's fields.
fn fields(value: &Value) -> Vec<String> {
    let object = value.as_object().into_iter();
    object.flat_map(|object| object.keys().cloned()).collect()
}

/// Returns the schema of a game's positions, and those of its parts by name. References to what the
/// API describes already, turns and options, go there.
fn position_schemas(kind: GameKind, start: &AnyPosition) -> (Value, Map<String, Value>) {
    let title = pascal_case(kind.name());
    let mut schema = kind.view_schema();
    let mut parts = Map::new();
    if let Some(root) = schema.as_object_mut() {
        root.remove("$schema");
        root.remove("title");
        if let Some(Value::Object(defs)) = root.remove("$defs") {
            parts = defs;
        }
    }
    let shared = |part: &str| match part {
        "TurnView" => Some("Turn"),
        "OutcomeView" => Some("Outcome"),
        _ => None,
    };
    parts.retain(|part, _| shared(part).is_none());
    let target = |part: &str| match shared(part) {
        Some(name) => reference(name),
        None => reference(&format!("{title}{part}")),
    };
    redirect(&mut schema, &target);
    parts.values_mut().for_each(|part| redirect(part, &target));
    let parts = parts.into_iter();
    let parts = parts
        .map(|(part, schema)| (format!("{title}{part}"), schema))
        .collect();
    let view = start.view(None);
    schema["description"] =
        format!("Position of {}: all that its picture shows.", kind.title()).into();
    if view["game"] == kind.name() {
        schema["properties"]["game"] = json!({ "type": "string", "const": kind.name() });
    }
    if view["options"] == start.options() {
        schema["properties"]["options"] = json!({ "$ref": reference(&format!("{title}Options")) });
    }
    (schema, parts)
}

/// Redirects all references to `#/$defs/NAME` in a schema to `target(NAME)`.
fn redirect(schema: &mut Value, target: &dyn Fn(&str) -> String) {
    match schema {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value
                    .as_str()
                    .and_then(|path| path.strip_prefix("#/$defs/"))
                {
                    Some(part) if name == "$ref" => *value = target(part).into(),
                    _ => redirect(value, target),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| redirect(item, target)),
        _ => {}
    }
}

/// Returns the schema of the options with which a game can be requested. Titles become
/// descriptions, since generators take them for names of types.
fn options_schema(kind: GameKind) -> Value {
    let mut schema = json!({});
    if let Value::Object(fields) = kind.options_schema() {
        let fields = fields.into_iter();
        schema = fields
            .filter(|(name, _)| name != "$schema" && name != "title")
            .collect();
    }
    schema["description"] = format!("Options of {}.", kind.title()).into();
    let properties = schema["properties"].as_object_mut();
    for property in properties.into_iter().flat_map(Map::values_mut) {
        let Some(Value::String(title)) = property.as_object_mut().and_then(|p| p.remove("title"))
        else {
            continue;
        };
        let more = property["description"]
            .as_str()
            .map(|more| format!("{title}. {more}."));
        property["description"] = more.unwrap_or_else(|| format!("{title}.")).into();
    }
    schema
}

fn reference(name: &str) -> String {
    format!("#/components/schemas/{name}")
}

/// Returns `DrawOffered` for `draw_offered`.
fn pascal_case(name: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().map(|first| first.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    };
    name.split(['_', '-']).map(word).collect()
}

/// Documents the problem responses that every operation can return: any, and that of a limit with the
/// time to wait.
fn describe_problems(description: &mut openapi::OpenApi) {
    let content = || Content::new(Some(Ref::from_schema_name("Problem")));
    let problem = || {
        ResponseBuilder::new()
            .description("Problem details of the error")
            .content("application/problem+json", content())
    };
    let seconds = || {
        HeaderBuilder::new()
            .description(Some("Seconds after which the request will be accepted"))
            .schema(Some(
                ObjectBuilder::new()
                    .schema_type(Type::Integer)
                    .minimum(Some(0)),
            ))
            .build()
    };
    let limited = || {
        problem()
            .description("A limit of requests or of what is made is reached")
            .header("Retry-After", seconds())
    };
    for item in description.paths.paths.values_mut() {
        let operations: [&mut Option<Operation>; 5] = [
            &mut item.get,
            &mut item.put,
            &mut item.post,
            &mut item.delete,
            &mut item.patch,
        ];
        for operation in operations.into_iter().flatten() {
            let responses = &mut operation.responses.responses;
            for (status, response) in [("429", limited()), ("default", problem())] {
                responses
                    .entry(status.to_owned())
                    .or_insert_with(|| response.build().into());
            }
        }
    }
}
