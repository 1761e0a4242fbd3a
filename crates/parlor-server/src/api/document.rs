//! The OpenAPI description: what the handlers and types say, and what holds for all of them.

use serde_json::Value;
use utoipa::openapi::path::Operation;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::{self, Content, Ref, ResponseBuilder};
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

/// Returns the document of a description that has all operations.
pub(super) fn complete(mut description: openapi::OpenApi) -> Value {
    describe_problems(&mut description);
    serde_json::to_value(description).expect("a description is plain data")
}

/// Documents the problem response that every operation can return.
fn describe_problems(description: &mut openapi::OpenApi) {
    let content = || Content::new(Some(Ref::from_schema_name("Problem")));
    let problem = || {
        ResponseBuilder::new()
            .description("Problem details of the error")
            .content("application/problem+json", content())
    };
    for item in description.paths.paths.values_mut() {
        let operations: [&mut Option<Operation>; 3] =
            [&mut item.get, &mut item.post, &mut item.delete];
        for operation in operations.into_iter().flatten() {
            operation
                .responses
                .responses
                .entry("default".to_owned())
                .or_insert_with(|| problem().build().into());
        }
    }
}
