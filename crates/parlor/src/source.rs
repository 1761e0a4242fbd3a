//! Input of records: files, standard input, servers.

use std::fs;
use std::io::{self, Read};
use std::time::Duration;

use parlor_table::TableId;

/// Maximum size of a record in bytes.
const MAX_RECORD_BYTES: usize = 16 << 20;
/// Time limit for reading from a server.
const HTTP_TIMEOUT: Duration = Duration::from_secs(10);
/// Time limit for what a server computes, also for others before.
const WORK_TIMEOUT: Duration = Duration::from_secs(60);
/// Error for an encrypted address.
const NO_TLS: &str = "only plain http is supported";

/// Reads a file, standard input for `-`, or the record at the http URL of a table or record.
///
/// # Errors
/// The reason as text.
pub fn read(name: &str) -> Result<Vec<u8>, String> {
    let limited = |source: &mut dyn Read| {
        let mut bytes = Vec::new();
        let limit = u64::try_from(MAX_RECORD_BYTES).unwrap_or(u64::MAX) + 1;
        source
            .take(limit)
            .read_to_end(&mut bytes)
            .map_err(|error| error.to_string())?;
        if bytes.len() > MAX_RECORD_BYTES {
            Err(too_long())
        } else {
            Ok(bytes)
        }
    };
    if name == "-" {
        limited(&mut io::stdin().lock())
    } else if name.starts_with("http://") {
        let client = client(HTTP_TIMEOUT)?;
        exchange(client.get(record_url(name)))
    } else if name.starts_with("https://") {
        Err(format!(
            "{NO_TLS}; download the record with another tool and pass the file"
        ))
    } else {
        limited(&mut fs::File::open(name).map_err(|error| error.to_string())?)
    }
}

/// Sends a request of a player without a body to a table, given the URL of its page and the last part of
/// the request's path, and returns the answer.
///
/// # Errors
/// The reason as text, in the server's own words if it refuses.
pub fn post(table: &str, verb: &str, token: &str) -> Result<Vec<u8>, String> {
    if table.starts_with("https://") {
        return Err(NO_TLS.to_owned());
    }
    let url = table_url(table, verb).filter(|url| url.starts_with("http://"));
    let url = url.ok_or_else(|| {
        "this is not the http URL of a table, such as http://127.0.0.1:8080/t/0c5m8xq3k2a"
            .to_owned()
    })?;
    exchange(client(WORK_TIMEOUT)?.post(url).bearer_auth(token))
}

fn too_long() -> String {
    format!("the record is longer than {MAX_RECORD_BYTES} bytes")
}

/// Returns the URL of a table's record, given that of its page; any other URL is returned as it is.
fn record_url(url: &str) -> String {
    table_url(url, "record").unwrap_or_else(|| url.to_owned())
}

/// Returns the URL of something of a table in the API, given that of its page; `None` for any other URL.
fn table_url(page: &str, verb: &str) -> Option<String> {
    let (server, rest) = page.split_once("/t/")?;
    let id = rest.split(['/', '?', '#']).next()?;
    let id = id.parse::<TableId>().ok()?;
    Some(format!("{server}/api/v1/tables/{id}/{verb}"))
}

fn client(timeout: Duration) -> Result<reqwest::Client, String> {
    let client = reqwest::Client::builder().timeout(timeout).build();
    client.map_err(|error| root_cause(&error))
}

/// Sends a request and returns the answer.
fn exchange(request: reqwest::RequestBuilder) -> Result<Vec<u8>, String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| e.to_string())?;
    runtime.block_on(async {
        let response = request.header("accept", "application/json").send().await;
        let mut response = response.map_err(|error| root_cause(&error))?;
        let status = response.status();
        let mut bytes = Vec::new();
        while let Some(part) = response.chunk().await.map_err(|error| root_cause(&error))? {
            bytes.extend_from_slice(&part);
            if bytes.len() > MAX_RECORD_BYTES {
                return Err(too_long());
            }
        }
        if status.is_success() {
            Ok(bytes)
        } else {
            Err(refusal(status, &bytes))
        }
    })
}

/// Returns the refusal of a server, with its reason if the answer is a problem document.
fn refusal(status: reqwest::StatusCode, answer: &[u8]) -> String {
    let problem = serde_json::from_slice::<serde_json::Value>(answer);
    let problem = problem.unwrap_or_default();
    match problem["detail"].as_str() {
        Some(detail) => format!("the server answered {status}: {detail}"),
        None => format!("the server answered {status}"),
    }
}

/// Returns the root cause, which is the most informative part of the error.
fn root_cause(error: &dyn std::error::Error) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    error.to_string()
}

#[cfg(test)]
mod tests {
    use super::{record_url, refusal, table_url};

    #[test]
    fn the_url_of_a_table_leads_to_its_record() {
        let record = "http://house:1/api/v1/tables/0384k0g1kd4/record";
        for page in [
            "http://house:1/t/0384k0g1kd4",
            "http://house:1/t/0384k0g1kd4?step=3#x",
            record,
        ] {
            assert_eq!(record_url(page), record);
        }
        assert_eq!(record_url("http://house/t/other"), "http://house/t/other");
    }

    #[test]
    fn a_request_goes_to_the_table_of_the_page_alone() {
        assert_eq!(
            table_url("http://house:1/t/0384k0g1kd4?step=3", "advice").as_deref(),
            Some("http://house:1/api/v1/tables/0384k0g1kd4/advice")
        );
        assert_eq!(table_url("http://house:1/lobby", "advice"), None);
    }

    #[test]
    fn a_refusal_is_told_in_the_words_of_the_server_if_it_has_any() {
        let crowded = reqwest::StatusCode::SERVICE_UNAVAILABLE;
        assert_eq!(
            refusal(crowded, br#"{"detail": "try again in a few seconds"}"#),
            "the server answered 503 Service Unavailable: try again in a few seconds"
        );
        let bare = "the server answered 503 Service Unavailable";
        assert_eq!(refusal(crowded, b"<html>"), bare);
    }
}
