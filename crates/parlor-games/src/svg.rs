//! A small writer of SVG: elements, attributes, escaping.
//!
//! Pictures carry their light colors as attributes, so that they stand alone in a file, a README or a PNG converter;
//! the pages' style sheet overrides them by class (any rule outranks an attribute), which gives dark and light.

use std::fmt::Write;

/// An SVG document under construction. Elements left open are closed by [`Doc::finish`].
#[derive(Clone, Debug)]
pub struct Doc {
    out: String,
    open: Vec<&'static str>,
}

impl Doc {
    /// Begins a picture of `width` x `height` user units. `title` names it for screen readers.
    pub fn new(width: f64, height: f64, title: &str) -> Doc {
        let mut doc = Doc { out: String::new(), open: Vec::new() };
        let view_box = format!("0 0 {} {}", number(width), number(height));
        doc.open(
            "svg",
            &[
                ("xmlns", "http://www.w3.org/2000/svg"),
                ("viewBox", &view_box),
                ("class", "board"),
                ("role", "group"),
                ("aria-label", title),
            ],
        );
        doc
    }

    /// Opens an element.
    pub fn open(&mut self, name: &'static str, attributes: &[(&str, &str)]) {
        self.start(name, attributes);
        self.out.push('>');
        self.open.push(name);
    }

    /// Closes the element opened last.
    pub fn close(&mut self) {
        if let Some(name) = self.open.pop() {
            let _ = write!(self.out, "</{name}>");
        }
    }

    /// Writes an element without content.
    pub fn empty(&mut self, name: &'static str, attributes: &[(&str, &str)]) {
        self.start(name, attributes);
        self.out.push_str("/>");
    }

    /// Writes a text centered on `x`, with its baseline at `y`.
    pub fn text(&mut self, x: f64, y: f64, size: f64, class: &str, text: &str) {
        let (x, y, size) = (number(x), number(y), number(size));
        self.open("text", &[("x", &x), ("y", &y), ("font-size", &size), ("text-anchor", "middle"), ("class", class)]);
        self.out.push_str(&escape(text));
        self.close();
    }

    /// The finished picture.
    pub fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.out
    }

    fn start(&mut self, name: &str, attributes: &[(&str, &str)]) {
        let _ = write!(self.out, "<{name}");
        for (key, value) in attributes {
            let _ = write!(self.out, " {key}=\"{}\"", escape(value));
        }
    }
}

/// A number without a needless fraction, at most two places.
pub fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Text made safe for content and attributes.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}
