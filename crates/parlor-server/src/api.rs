//! The JSON API under `/api/v1`, its event streams and sockets, and its OpenAPI description.

mod accounts;
mod analysis;
mod events;
mod games;
mod me_events;
mod moves;
mod offers;
mod players;
mod queue;
mod records;
pub(crate) mod schema;
pub(crate) mod sessions;
mod socket;
mod statistics;
mod tables;
mod tokens;

use axum::Router;
use utoipa::openapi::path::Operation;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::{self, Content, Ref, ResponseBuilder};
use utoipa::{Modify, OpenApi};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use utoipa_swagger_ui::SwaggerUi;

use crate::AppState;

#[derive(OpenApi)]
#[openapi(
    info(title = "Parlor", description = "Tables of turn-based board games: create, join, play, watch, verify."),
    components(schemas(schema::ProblemSchema, socket::ClientIn, socket::ClientOut<'static>, me_events::MyEventsControl)),
    security((), ("token" = []), ("cookie" = []), ("session" = [])),
    modifiers(&SecuritySchemes)
)]
struct ApiDescription;

/// Returns the routes of the API, including those that serve its OpenAPI description.
pub(crate) fn routes() -> Router<AppState> {
    let v1 = OpenApiRouter::new()
        .routes(routes!(games::catalogue))
        .routes(routes!(tables::create, tables::list))
        .routes(routes!(tables::show))
        .routes(routes!(moves::join))
        .routes(routes!(moves::leave))
        .routes(routes!(moves::play))
        .routes(routes!(moves::legal))
        .routes(routes!(moves::clicks))
        .routes(routes!(moves::chance))
        .routes(routes!(moves::resign))
        .routes(routes!(moves::abort))
        .routes(routes!(moves::rematch))
        .routes(routes!(moves::luck))
        .routes(routes!(offers::ready))
        .routes(routes!(offers::draw))
        .routes(routes!(offers::takeback))
        .routes(routes!(offers::give_time))
        .routes(routes!(offers::claim))
        .routes(routes!(events::stream))
        .routes(routes!(socket::open))
        .routes(routes!(me_events::stream))
        .routes(routes!(queue::wait, queue::listen))
        .routes(routes!(records::record))
        .routes(routes!(records::verify_table))
        .routes(routes!(records::verify_upload))
        .routes(routes!(records::svg))
        .routes(routes!(analysis::look, analysis::begin))
        .routes(routes!(accounts::create))
        .routes(routes!(accounts::me))
        .routes(routes!(accounts::password))
        .routes(routes!(accounts::create_bot, accounts::bots))
        .routes(routes!(accounts::delete_bot))
        .routes(routes!(sessions::create))
        .routes(routes!(sessions::delete))
        .routes(routes!(tokens::create, tokens::list))
        .routes(routes!(tokens::revoke))
        .routes(routes!(statistics::dice))
        .routes(routes!(players::show))
        .routes(routes!(players::ratings))
        .routes(routes!(players::games))
        .routes(routes!(players::leaderboard))
        .routes(routes!(players::my_games));
    let description = ApiDescription::openapi();
    let (router, mut description) = OpenApiRouter::with_openapi(description)
        .nest("/api/v1", v1)
        .split_for_parts();
    describe_problems(&mut description);
    router.merge(SwaggerUi::new("/api/docs").url("/api/openapi.json", description))
}

/// Adds the ways to authenticate to the OpenAPI description.
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
                .insert("default".to_owned(), problem().build().into());
        }
    }
}
