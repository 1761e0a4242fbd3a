//! All routes, and what every request passes.

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::extract::Request;
use axum::middleware;
use axum_prometheus::{EndpointLabel, PrometheusMetricLayer, PrometheusMetricLayerBuilder};
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::request_id::{PropagateRequestIdLayer, RequestId, SetRequestIdLayer};
use tower_http::trace::TraceLayer;
use tracing::Span;

use crate::edge::layers::{Names, compression};
use crate::{AppState, api, auth, edge, git, ops, tictactoe, web};

/// All routes of the house.
///
/// A service made from it should know the clients' addresses
/// ([`Router::into_make_service_with_connect_info`]): limits are per address.
pub fn router(state: AppState) -> Router {
    let layers = ServiceBuilder::new()
        .layer(SetRequestIdLayer::x_request_id(Names::new()))
        .layer(TraceLayer::new_for_http().make_span_with(span))
        .layer(PropagateRequestIdLayer::x_request_id())
        .layer(counting())
        .layer(compression())
        .layer(middleware::from_fn_with_state(state.clone(), edge::guard))
        .layer(CatchPanicLayer::custom(edge::panicked))
        .layer(middleware::from_fn_with_state(
            state.clone(),
            auth::recognize,
        ))
        .layer(DefaultBodyLimit::max(state.limits().body));
    Router::new()
        .merge(web::routes())
        .merge(api::routes())
        .merge(git::routes())
        .merge(tictactoe::routes())
        .merge(ops::routes())
        .fallback(web::nowhere)
        .method_not_allowed_fallback(edge::wrong_method)
        .layer(layers)
        .with_state(state)
}

/// Counts requests by route. What leads nowhere is counted together: a label for each would fill the memory.
fn counting() -> PrometheusMetricLayer<'static> {
    let elsewhere = EndpointLabel::MatchedPathWithFallbackFn(|_| "elsewhere".to_owned());
    PrometheusMetricLayerBuilder::new()
        .with_endpoint_label_type(elsewhere)
        .build()
}

/// What the log says of a request. Addresses can hold the token of an invitation, so their query is left out.
fn span(request: &Request) -> Span {
    let name = request
        .extensions()
        .get::<RequestId>()
        .and_then(|id| id.header_value().to_str().ok());
    let (method, path) = (request.method(), request.uri().path());
    tracing::debug_span!("request", %method, path, id = name.unwrap_or_default())
}
