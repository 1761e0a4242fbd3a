//! All routes, and the middleware around them.

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::extract::Request;
use axum::middleware;
use axum_prometheus::{EndpointLabel, PrometheusMetricLayer, PrometheusMetricLayerBuilder};
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::request_id::{PropagateRequestIdLayer, RequestId, SetRequestIdLayer};
use tower_http::trace::{DefaultOnFailure, TraceLayer};
use tracing::{Level, Span};

use crate::auth::Caller;
use crate::edge::layers::{RequestIds, compression};
use crate::{AppState, api, auth, classic, edge, git, ops, web};

/// Returns all routes of the server.
///
/// Serve it with the clients' addresses ([`Router::into_make_service_with_connect_info`]), since
/// limits are per address.
pub fn router(state: AppState) -> Router {
    let layers = ServiceBuilder::new()
        .layer(SetRequestIdLayer::x_request_id(RequestIds::new()))
        .layer(
            TraceLayer::new_for_http()
                .make_span_with(span)
                .on_failure(on_failure()),
        )
        .layer(PropagateRequestIdLayer::x_request_id())
        .layer(counting())
        .layer(compression(1024))
        .layer(middleware::from_fn_with_state(state.clone(), edge::guard))
        .layer(CatchPanicLayer::custom(edge::panicked))
        .layer(middleware::from_fn_with_state(
            state.clone(),
            auth::recognize,
        ))
        .layer(DefaultBodyLimit::max(state.limits().body));
    let for_people = web::routes().merge(api::routes());
    let in_turn = middleware::from_fn_with_state(state.clone(), edge::reading::in_turn);
    let note = middleware::from_fn_with_state(state.clone(), Caller::note_all);
    Router::new()
        .merge(for_people.layer(in_turn).layer(note))
        .merge(git::routes(&state))
        .merge(classic::routes())
        .merge(ops::routes())
        .fallback(web::nowhere)
        .method_not_allowed_fallback(web::wrong_method)
        .layer(layers)
        .with_state(state)
}

/// Logs failures for those who debug: their causes are logged where they are known.
fn on_failure() -> DefaultOnFailure {
    DefaultOnFailure::new().level(Level::DEBUG)
}

/// Counts requests by route. Unknown paths share one label, since a label for each could exhaust
/// the memory.
fn counting() -> PrometheusMetricLayer<'static> {
    let elsewhere = EndpointLabel::MatchedPathWithFallbackFn(|_| "elsewhere".to_owned());
    PrometheusMetricLayerBuilder::new()
        .with_endpoint_label_type(elsewhere)
        .build()
}

/// Creates the tracing span of a request. The query is left out, since it can contain an invite
/// token.
fn span(request: &Request) -> Span {
    let name = request
        .extensions()
        .get::<RequestId>()
        .and_then(|id| id.header_value().to_str().ok());
    let (method, path) = (request.method(), request.uri().path());
    tracing::debug_span!("request", %method, path, id = name.unwrap_or_default())
}
