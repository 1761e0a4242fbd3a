//! Hashes of options, for queries by equality.

use serde_json::Value;
use sha2::{Digest, Sha256};

/// Returns 128 bits of the SHA-256 of the options, independent of key order, as 32 hexadecimal
/// digits. The database compares and indexes these instead of texts of any length.
pub(crate) fn hash(options: &Value) -> String {
    let mut text = String::new();
    write_sorted(options, &mut text);
    digest(&text)
}

/// Returns the hash of options stored as text.
pub(crate) fn hash_of_text(text: &str) -> String {
    serde_json::from_str(text).map_or_else(|_| digest(text), |options| hash(&options))
}

fn digest(text: &str) -> String {
    hex::encode(&Sha256::digest(text)[..16])
}

fn write_sorted(value: &Value, out: &mut String) {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_unstable_by_key(|(name, _)| *name);
            out.push('{');
            for (name, value) in fields {
                out.push_str(&Value::from(name.as_str()).to_string());
                out.push(':');
                write_sorted(value, out);
                out.push(',');
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for item in items {
                write_sorted(item, out);
                out.push(',');
            }
            out.push(']');
        }
        plain => out.push_str(&plain.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_keys_does_not_matter_and_everything_else_does() {
        let options = r#"{"rows": 3, "run": {"b": [1, null], "a": "x"}}"#;
        assert_eq!(
            hash_of_text(options),
            hash_of_text(r#"{"run":{"a":"x","b":[1,null]},"rows":3}"#)
        );
        let others = [
            r#"{"rows": 3, "run": {"b": [null, 1], "a": "x"}}"#,
            r#"{"rows": "3", "run": {"b": [1, null], "a": "x"}}"#,
            r#"{"rows": 3, "run": {"b": [1, null]}, "a": "x"}"#,
            r#"{"rows": 3}"#,
            "{}",
        ];
        assert!(
            others
                .iter()
                .all(|other| hash_of_text(other) != hash_of_text(options))
        );
    }

    #[test]
    fn the_hash_is_stored_and_so_never_changes() {
        assert_eq!(
            hash_of_text(r#"{"rows":3,"columns":3}"#),
            digest(r#"{"columns":3,"rows":3,}"#)
        );
        assert_eq!(hash_of_text("{}"), "44136fa355b3678a1146ad16f7e8649e");
    }
}
