//! For those who run the house: health, readiness, metrics.

use std::sync::OnceLock;

use axum::Router;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum_prometheus::metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};

use crate::AppState;
use crate::error::Error;

static METRICS: OnceLock<Option<PrometheusHandle>> = OnceLock::new();

/// Begins to count, once in a process. Where a program counts in its own way already, that goes on.
pub(crate) fn install_metrics() {
    METRICS.get_or_init(|| {
        let recorder = PrometheusBuilder::new().build_recorder();
        let handle = recorder.handle();
        metrics::set_global_recorder(recorder).is_ok().then_some(handle)
    });
}

/// The routes.
pub(crate) fn routes() -> Router<AppState> {
    Router::new().route("/healthz", get(async || "ok\n")).route("/readyz", get(ready)).route("/metrics", get(measure))
}

async fn ready(State(state): State<AppState>) -> Result<&'static str, Error> {
    state.store().ping().await?;
    Ok("ready\n")
}

async fn measure() -> Response {
    let Some(Some(handle)) = METRICS.get() else {
        return Error::not_found("this process counts elsewhere").into_response();
    };
    handle.run_upkeep();
    ([(CONTENT_TYPE, "text/plain; version=0.0.4")], handle.render()).into_response()
}
