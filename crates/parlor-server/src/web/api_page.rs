//! Page that documents the HTTP API, made from its OpenAPI document. It needs no script, and is the same
//! for everybody but for its colors, so that it is rendered and compressed once for each theme.

use std::collections::BTreeMap;

use axum::Extension;
use axum::body::Bytes;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use serde_json::{Map, Value};

use super::assets::{Section, policy, sheets};
use super::page::fixed_page;
use crate::auth::current_settings;
use crate::edge::packed::Variant;
use crate::settings::Theme;

/// The page in all themes.
#[derive(Clone, Debug)]
pub(crate) struct ApiPages(BTreeMap<Theme, ApiPage>);

impl ApiPages {
    /// Renders the pages of a document, which is at an address.
    pub(crate) fn new(document: &Value, address: &str) -> ApiPages {
        let body = body(document, address);
        let page = |theme| (theme, ApiPage::new(&body, theme));
        ApiPages(Theme::ALL.into_iter().map(page).collect())
    }

    /// Returns the page in the theme of whoever asks for it.
    pub(crate) fn chosen(&self) -> ApiPage {
        self.0[&current_settings().theme()].clone()
    }
}

/// The rendered page in one theme.
#[derive(Clone, Debug)]
pub(crate) struct ApiPage {
    html: Bytes,
    policy: String,
    variant: Variant,
}

impl ApiPage {
    fn new(body: &Markup, theme: Theme) -> ApiPage {
        let sheets = sheets(Section::Pages, None, theme);
        let page = fixed_page("HTTP API – Parlor", &sheets, body);
        ApiPage {
            html: page.into_string().into(),
            policy: policy(&sheets, Section::Pages),
            variant: Variant(theme.name()),
        }
    }
}

impl IntoResponse for ApiPage {
    fn into_response(self) -> Response {
        let headers = [
            (CONTENT_TYPE, "text/html; charset=utf-8".to_owned()),
            (CONTENT_SECURITY_POLICY, self.policy),
        ];
        (Extension(self.variant), headers, self.html).into_response()
    }
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

fn object(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn array(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn body(document: &Value, address: &str) -> Markup {
    let schemas = &document["components"]["schemas"];
    html! {
        main #main.api tabindex="-1" {
            h1 { "HTTP API" }
            (prose(text(&document["info"], "description")))
            p {
                "Described by OpenAPI " (text(document, "openapi")) ": "
                a href=(address) { (address) } ". Errors are problem details (RFC 9457) with a stable "
                code { "type" } "."
            }
            nav.chips aria-label="Parts of the API" {
                @for tag in array(&document["tags"]) { a href={ "#" (anchor(text(tag, "name"))) } { (text(tag, "name")) } }
                a href="#access" { "access" }
                a href="#schemas" { "schemas" }
            }
            @for tag in array(&document["tags"]) { (part(document, tag)) }
            section aria-labelledby="access" {
                h2 #access { "access" }
                p { "Requests that act for somebody carry one of these. Without any, a request acts for nobody." }
                dl.entries {
                    @for (name, scheme) in object(&document["components"]["securitySchemes"]) { (way_in(name, scheme)) }
                }
            }
            section aria-labelledby="schemas" {
                h2 #schemas { "schemas" }
                @for (name, schema) in object(schemas) {
                    details.operation {
                        summary { h3 { code { (name) } } }
                        div #(reference(name)) { (prose(text(schema, "description"))) (shape(schema)) }
                    }
                }
            }
        }
    }
}

/// Renders the operations with a tag.
fn part(document: &Value, tag: &Value) -> Markup {
    let name = text(tag, "name");
    let methods = object(&document["paths"]).flat_map(|(path, item)| {
        let methods = object(item);
        methods.map(move |(method, operation)| (path, method, operation))
    });
    let tagged =
        methods.filter(|(_, _, operation)| array(&operation["tags"]).any(|tag| tag == name));
    html! {
        section aria-labelledby=(anchor(name)) {
            h2 #(anchor(name)) { (name) }
            (prose(text(tag, "description")))
            @for (path, method, operation) in tagged { (operation_of(path, method, operation)) }
        }
    }
}

fn operation_of(path: &str, method: &str, operation: &Value) -> Markup {
    html! {
        details.operation {
            summary {
                h3 { b.method { (method.to_uppercase()) } " " code { (path) } }
                " " span.soft { (coded(text(operation, "summary"))) }
            }
            div #(text(operation, "operationId")) {
                (prose(text(operation, "description")))
                @if operation["parameters"].is_array() {
                    h4 { "Parameters" }
                    dl.entries {
                        @for parameter in array(&operation["parameters"]) {
                            (field(text(parameter, "name"), parameter["required"] == true, text(parameter, "in"), &parameter["schema"], text(parameter, "description")))
                        }
                    }
                }
                @if operation["requestBody"].is_object() {
                    h4 { "Body" }
                    (prose(text(&operation["requestBody"], "description")))
                    (content(&operation["requestBody"]["content"]))
                }
                h4 { "Responses" }
                dl.entries {
                    @for (status, response) in object(&operation["responses"]) {
                        dt { code { (status) } }
                        dd { (prose(text(response, "description"))) (content(&response["content"])) }
                    }
                }
            }
        }
    }
}

/// Renders what a body contains, by media type.
fn content(content: &Value) -> Markup {
    html! {
        @for (media, body) in object(content) {
            p.small { code { (media) } ": " (kind(&body["schema"])) }
            @if body["schema"]["contentSchema"].is_object() { p.small { "Each " code { "data" } ": " (kind(&body["schema"]["contentSchema"])) } }
            @if body["schema"]["properties"].is_object() { (shape(&body["schema"])) }
        }
    }
}

fn way_in(name: &str, scheme: &Value) -> Markup {
    html! {
        dt { code { (name) } }
        dd {
            @if scheme["type"] == "http" { "Header " code { "Authorization: Bearer TOKEN" } "." }
            @else { "Cookie " code { (text(scheme, "name")) } "." }
        }
    }
}

/// Renders the fields or variants of a schema.
fn shape(schema: &Value) -> Markup {
    let required: Vec<&str> = array(&schema["required"])
        .filter_map(Value::as_str)
        .collect();
    let variants = ["oneOf", "anyOf", "allOf"]
        .into_iter()
        .find(|name| schema[*name].is_array());
    html! {
        @if let Some(properties) = schema["properties"].as_object() {
            dl.entries {
                @for (name, property) in properties {
                    (field(name, required.contains(&name.as_str()), "", property, text(property, "description")))
                }
            }
        } @else if let Some(how) = variants {
            p { @if how == "allOf" { "All of:" } @else { "One of:" } }
            ul.variants {
                @for variant in array(&schema[how]) {
                    li { (kind(variant)) (prose(text(variant, "description"))) @if variant["properties"].is_object() { (shape(variant)) } }
                }
            }
        } @else { p { (kind(schema)) } }
    }
}

/// Renders a parameter or a property.
fn field(name: &str, required: bool, place: &str, schema: &Value, description: &str) -> Markup {
    let nested = if schema["type"] == "array" {
        &schema["items"]
    } else {
        schema
    };
    html! {
        dt {
            code { (name) } " "
            span.small { (kind(schema)) @if !place.is_empty() { ", in the " (place) } @if required { ", required" } }
        }
        dd {
            (prose(description))
            @if nested["properties"].is_object() { (shape(nested)) }
        }
    }
}

/// Describes the type of a value in a few words.
fn kind(schema: &Value) -> Markup {
    let Some(schema) = schema.as_object().filter(|schema| !schema.is_empty()) else {
        return html! { "any JSON" };
    };
    if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
        let name = name.rsplit('/').next().unwrap_or(name);
        return html! { a href={ "#" (reference(name)) } { (name) } };
    }
    if let Some(value) = schema.get("const") {
        return html! { code { (value) } };
    }
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return html! { @for (n, value) in values.iter().enumerate() { @if n > 0 { " or " } code { (value) } } };
    }
    for (how, between) in [("oneOf", " or "), ("anyOf", " or "), ("allOf", " and ")] {
        if let Some(all) = schema.get(how).and_then(Value::as_array) {
            return html! { @for (n, one) in all.iter().enumerate() { @if n > 0 { (between) } (kind(one)) } };
        }
    }
    let types = match schema.get("type") {
        Some(Value::Array(types)) => types.iter().filter_map(Value::as_str).collect(),
        Some(Value::String(only)) => vec![only.as_str()],
        _ => vec!["any JSON"],
    };
    html! {
        @for (n, name) in types.iter().enumerate() {
            @if n > 0 { " or " }
            @match (*name, schema.get("items"), schema.get("additionalProperties")) {
                ("array", Some(items), _) => { "array of " (kind(items)) },
                ("object", _, Some(values)) if values.is_object() => { "object of " (kind(values)) },
                (name, _, _) => (name),
            }
        }
        (limits(schema))
    }
}

/// Describes the limits of a value: "1 to 200 characters", "at least 0".
fn limits(schema: &Map<String, Value>) -> Markup {
    let range = |least: &str, most: &str, unit: &str| match (schema.get(least), schema.get(most)) {
        (Some(least), Some(most)) => Some(format!("{least} to {most}{unit}")),
        (Some(least), None) => Some(format!("at least {least}{unit}")),
        (None, Some(most)) => Some(format!("at most {most}{unit}")),
        (None, None) => None,
    };
    let ranges = [
        range("minimum", "maximum", ""),
        range("minLength", "maxLength", " characters"),
        range("minItems", "maxItems", " items"),
    ];
    let default = schema.get("default").filter(|value| !value.is_null());
    html! {
        @for range in ranges.iter().flatten() { ", " (range) }
        @if let Some(pattern) = schema.get("pattern").and_then(Value::as_str) { ", " code { (pattern) } }
        @if let Some(default) = default { ", by default " code { (default) } }
    }
}

/// Renders paragraphs of a description.
fn prose(text: &str) -> Markup {
    html! { @for paragraph in text.split("\n\n").filter(|paragraph| !paragraph.is_empty()) { p { (coded(paragraph)) } } }
}

/// Renders what stands between backticks as code.
fn coded(text: &str) -> Markup {
    html! { @for (n, part) in text.split('`').enumerate() { @if n % 2 == 1 { code { (part) } } @else { (part) } } }
}

/// Returns the id of the section of a tag.
fn anchor(tag: &str) -> String {
    format!("part-{}", tag.replace(' ', "-"))
}

/// Returns the id of a schema.
fn reference(schema: &str) -> String {
    format!("schema-{schema}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn types_are_described_in_words() {
        for (schema, words) in [
            (json!({}), "any JSON"),
            (
                json!({ "type": ["string", "null"], "maxLength": 3 }),
                "string or null, at most 3 characters",
            ),
            (
                json!({ "type": "array", "items": { "$ref": "#/components/schemas/Seat" } }),
                "array of <a href=\"#schema-Seat\">Seat</a>",
            ),
            (
                json!({ "enum": ["a", 1] }),
                "<code>&quot;a&quot;</code> or <code>1</code>",
            ),
            (
                json!({ "type": "integer", "minimum": 1, "maximum": 9, "default": 3 }),
                "integer, 1 to 9, by default <code>3</code>",
            ),
            (
                json!({ "type": "object", "additionalProperties": { "type": "number" } }),
                "object of number",
            ),
            (
                json!({ "oneOf": [{ "type": "null" }, { "const": true }] }),
                "null or <code>true</code>",
            ),
        ] {
            assert_eq!(kind(&schema).into_string(), words);
        }
    }

    #[test]
    fn descriptions_have_paragraphs_and_code() {
        let shown = prose("Use `ready`.\n\nThen <play>.").into_string();
        assert_eq!(
            shown,
            "<p>Use <code>ready</code>.</p><p>Then &lt;play&gt;.</p>"
        );
    }
}
