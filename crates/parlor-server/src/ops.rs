//! Endpoints for operators: health, readiness, metrics.

use std::sync::OnceLock;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum_prometheus::metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use axum_prometheus::{AXUM_HTTP_REQUESTS_DURATION_SECONDS, utils::SECONDS_DURATION_BUCKETS};

use crate::AppState;
use crate::error::Error;

static METRICS: OnceLock<Option<PrometheusHandle>> = OnceLock::new();

/// Installs the metrics recorder, once per process. If the program has one already, that one stays.
pub(crate) fn install_metrics() {
    METRICS.get_or_init(|| {
        let builder = PrometheusBuilder::new();
        let durations = Matcher::Full(AXUM_HTTP_REQUESTS_DURATION_SECONDS.to_owned());
        let builder = builder
            .set_buckets_for_metric(durations, SECONDS_DURATION_BUCKETS)
            .unwrap_or_default();
        let recorder = builder.build_recorder();
        let handle = recorder.handle();
        metrics::set_global_recorder(recorder)
            .is_ok()
            .then_some(handle)
    });
}

/// Runs the recorder's periodic upkeep, without which samples would pile up until the next scrape.
pub(crate) async fn run_metrics_upkeep() {
    const EVERY: Duration = Duration::from_secs(5);
    while let Some(Some(handle)) = METRICS.get() {
        tokio::time::sleep(EVERY).await;
        handle.run_upkeep();
    }
}

/// Returns the operators' routes.
pub(crate) fn routes() -> Router<AppState> {
    Router::new()
        .route("/healthz", get(async || "ok\n"))
        .route("/readyz", get(ready))
        .route("/metrics", get(render_metrics))
}

async fn ready(State(state): State<AppState>) -> Result<&'static str, Error> {
    state.store().ping().await?;
    Ok("ready\n")
}

async fn render_metrics() -> Response {
    let Some(Some(handle)) = METRICS.get() else {
        return Error::not_found("this process exports its metrics elsewhere").into_response();
    };
    handle.run_upkeep();
    (
        [(CONTENT_TYPE, "text/plain; version=0.0.4")],
        handle.render(),
    )
        .into_response()
}
