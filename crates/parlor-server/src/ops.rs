//! Endpoints for operators: health, readiness, the contact for weaknesses, and metrics.

mod help;

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum_prometheus::metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use axum_prometheus::{AXUM_HTTP_REQUESTS_DURATION_SECONDS, utils::SECONDS_DURATION_BUCKETS};

use metrics_process::Collector;
use parlor_store::Store;
use time::OffsetDateTime;
use time::macros::format_description;

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
        let is_ours = metrics::set_global_recorder(recorder).is_ok();
        help::begin();
        is_ours.then_some(handle)
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
        .route("/.well-known/security.txt", get(security_txt))
}

/// Returns the routes for an address of their own: metrics, which are not for everybody.
pub(crate) fn metrics_routes(store: Store) -> Router {
    let process = Collector::default();
    process.describe();
    let build = metrics::gauge!("parlor_build_info", "version" => env!("CARGO_PKG_VERSION"));
    build.set(1.0);
    Router::new()
        .route("/metrics", get(render_metrics))
        .with_state((store, process))
}

/// Tells whether requests can be served, and where there can be several nodes, what is known of the
/// others.
async fn ready(State(state): State<AppState>) -> Result<String, Error> {
    state.store().ping().await?;
    state.nodes().downtime().check_writable()?;
    let Some(known) = state.nodes().report() else {
        return Ok("ready\n".to_owned());
    };
    if state.nodes().is_clock_wrong() {
        let offset = known.clock_offset;
        let cause = format!("the database's clock is {offset} ms ahead of this server's");
        return Err(Error::not_served(
            cause,
            "this server's clock differs from the database's: set both by NTP",
        ));
    }
    let (bus, nodes) = (known.bus_text(), known.nodes);
    Ok(format!("ready\nbus: {bus}\nnodes: {nodes}\n"))
}

async fn render_metrics(State((store, process)): State<(Store, Collector)>) -> Response {
    let Some(Some(handle)) = METRICS.get() else {
        return Error::not_found("this process exports its metrics elsewhere").into_response();
    };
    let asked = Instant::now();
    let is_up = store.ping().await.is_ok();
    metrics::gauge!("parlor_database_up").set(if is_up { 1.0 } else { 0.0 });
    if is_up {
        metrics::gauge!("parlor_database_ping_seconds").set(asked.elapsed().as_secs_f64());
    }
    process.collect();
    handle.run_upkeep();
    (
        [(CONTENT_TYPE, "text/plain; version=0.0.4")],
        handle.render(),
    )
        .into_response()
}

/// Returns true for a URL that a mailer or a browser opens.
pub(crate) fn is_contact(text: &str) -> bool {
    let rest = text
        .strip_prefix("mailto:")
        .or_else(|| text.strip_prefix("https://"));
    rest.is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_graphic()))
}

/// Tells whom to report weaknesses to (RFC 9116).
async fn security_txt(State(state): State<AppState>) -> Result<Response, Error> {
    let contact = state.security_contact();
    let contact = contact.ok_or_else(|| Error::not_found("this house names no contact"))?;
    // Less than a year, as the RFC recommends; the text is made anew with each request.
    let end = OffsetDateTime::now_utc() + time::Duration::days(180);
    let format = format_description!("[year]-[month]-[day]T00:00:00Z");
    let end = end.format(format).map_err(Error::internal)?;
    let mut text = format!("Contact: {contact}\nExpires: {end}\nPreferred-Languages: en\n");
    if let Some(url) = state.public_url().filter(|url| url.starts_with("https://")) {
        text.push_str(&format!("Canonical: {url}/.well-known/security.txt\n"));
    }
    Ok(([(CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}
