use axum_prometheus::metrics_exporter_prometheus::PrometheusBuilder;

use super::*;

#[test]
fn tables_count_as_live_until_their_tasks_end() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let count = || {
        let text = recorder.handle().render();
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix("parlor_live_tables "));
        line.and_then(|value| value.parse::<f64>().ok())
    };
    metrics::with_local_recorder(&recorder, || {
        let [one, two] = [LiveTableGauge::new(), LiveTableGauge::new()];
        assert_eq!(count(), Some(2.0));
        drop(one);
        assert_eq!(count(), Some(1.0));
        drop(two);
        assert_eq!(count(), Some(0.0));
    });
}
