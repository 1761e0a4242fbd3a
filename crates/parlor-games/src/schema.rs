//! JSON Schemas of views, derived from their types.

use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema};
use serde_json::Value;

/// Returns the schema of a view as it is written.
pub(crate) fn view_schema<V: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12()
        .for_serialize()
        .with_transform(ForClients);
    settings
        .into_generator()
        .into_root_schema_for::<V>()
        .to_value()
}

/// Adapts schemas to readers who know JSON but not Rust.
///
/// A choice between constants becomes one list of values. Their descriptions get lost, but
/// generators of clients make a plain enum of it. Other descriptions say `null` for `None`.
#[derive(Clone)]
struct ForClients;

impl Transform for ForClients {
    fn transform(&mut self, schema: &mut Schema) {
        transform_subschemas(self, schema);
        if let Some(Value::String(text)) = schema.get_mut("description") {
            *text = text.replace("`None`", "`null`");
        }
        let constant = |variant: &Value| variant.get("const").cloned();
        let variants = schema.get("oneOf").and_then(Value::as_array);
        let values: Option<Vec<Value>> =
            variants.and_then(|variants| variants.iter().map(constant).collect());
        if let Some(values) = values {
            schema.remove("oneOf");
            schema.insert("type".to_owned(), "string".into());
            schema.insert("enum".to_owned(), values.into());
        }
    }
}
