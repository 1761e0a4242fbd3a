//! Where records come from: files, standard input, servers.

use std::fs;
use std::io::{self, Read};
use std::time::Duration;

use parlor_table::TableId;

/// The longest record that is read, in bytes.
const LIMIT: usize = 16 << 20;
/// How long a server may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// Reads what a name stands for: a file, `-` for standard input, or an http address of a table or a record.
///
/// # Errors
/// Why it cannot be read, in words.
pub fn read(name: &str) -> Result<Vec<u8>, String> {
    let limited = |source: &mut dyn Read| {
        let mut bytes = Vec::new();
        let limit = u64::try_from(LIMIT).unwrap_or(u64::MAX) + 1;
        source
            .take(limit)
            .read_to_end(&mut bytes)
            .map_err(|error| error.to_string())?;
        if bytes.len() > LIMIT {
            Err(too_long())
        } else {
            Ok(bytes)
        }
    };
    if name == "-" {
        limited(&mut io::stdin().lock())
    } else if name.starts_with("http://") {
        fetch(&record_of(name))
    } else if name.starts_with("https://") {
        Err("this program speaks plain http only: fetch the record with another tool and check the file".into())
    } else {
        limited(&mut fs::File::open(name).map_err(|error| error.to_string())?)
    }
}

fn too_long() -> String {
    format!("a record has at most {LIMIT} bytes")
}

/// The address of a table's record, where the address is that of its page.
fn record_of(url: &str) -> String {
    let table = url.split_once("/t/").and_then(|(house, rest)| {
        let id = rest.split(['/', '?', '#']).next()?;
        Some((house, id.parse::<TableId>().ok()?))
    });
    table.map_or_else(
        || url.to_owned(),
        |(house, id)| format!("{house}/api/v1/tables/{id}/record"),
    )
}

fn fetch(url: &str) -> Result<Vec<u8>, String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| e.to_string())?;
    runtime.block_on(async {
        let client = reqwest::Client::builder()
            .timeout(PATIENCE)
            .build()
            .map_err(|error| innermost(&error))?;
        let answer = client
            .get(url)
            .header("accept", "application/json")
            .send()
            .await;
        let mut answer = answer.map_err(|error| innermost(&error))?;
        if !answer.status().is_success() {
            return Err(format!("the server answers {}", answer.status()));
        }
        let mut bytes = Vec::new();
        while let Some(part) = answer.chunk().await.map_err(|error| innermost(&error))? {
            bytes.extend_from_slice(&part);
            if bytes.len() > LIMIT {
                return Err(too_long());
            }
        }
        Ok(bytes)
    })
}

/// The cause at the bottom, which is what a person can do something about.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    error.to_string()
}

#[cfg(test)]
mod tests {
    use super::record_of;

    #[test]
    fn the_address_of_a_table_leads_to_its_record() {
        let record = "http://house:1/api/v1/tables/0384k0g1kd4/record";
        for page in [
            "http://house:1/t/0384k0g1kd4",
            "http://house:1/t/0384k0g1kd4?step=3#x",
            record,
        ] {
            assert_eq!(record_of(page), record);
        }
        assert_eq!(record_of("http://house/t/other"), "http://house/t/other");
    }
}
