//! A small writer of SVG, and of HTML around it: elements, attributes, escaping.
//!
//! Pictures have their light colors as attributes, so that they also work as standalone files, in a
//! README or in a PNG converter. The pages' style sheet overrides them by class for light and dark
//! mode, since any CSS rule outranks a presentation attribute.

pub(crate) mod marks;
pub(crate) mod wood;

/// Style sheet shared by the pictures of several games: wood and marks in dark mode.
pub const PICTURE_STYLE: &str = include_str!("svg/style.css");

/// JavaScript module that animates the pieces when one picture replaces another. Pages import it as
/// `./pieces.js`.
pub const PIECES_SCRIPT: &str = include_str!("svg/pieces.js");

/// A document under construction. Elements left open are closed by [`Doc::finish`].
#[derive(Clone, Debug)]
pub struct Doc {
    out: String,
    open: Vec<&'static str>,
}

impl Doc {
    /// Creates a picture of `width` x `height` user units. `title` names it for screen readers.
    pub fn new(width: f64, height: f64, title: &str) -> Doc {
        Doc::with(width, height, title, "board", &[])
    }

    /// Creates a picture like [`Doc::new`], with classes and further attributes of the root
    /// element.
    pub fn with(width: f64, height: f64, title: &str, class: &str, more: &[(&str, &str)]) -> Doc {
        let mut doc = Doc::blank();
        doc.picture(width, height, title, class, more);
        doc
    }

    /// Creates an empty document, for HTML that contains pictures.
    pub fn blank() -> Doc {
        Doc {
            out: String::with_capacity(8 * 1024),
            open: Vec::new(),
        }
    }

    /// Opens a picture of `width` x `height` user units inside a document.
    pub fn picture(
        &mut self,
        width: f64,
        height: f64,
        title: &str,
        class: &str,
        more: &[(&str, &str)],
    ) {
        let view_box = format!("0 0 {} {}", number(width), number(height));
        let mut attributes = vec![
            ("xmlns", "http://www.w3.org/2000/svg"),
            ("viewBox", view_box.as_str()),
            ("class", class),
            ("role", "group"),
            ("aria-label", title),
        ];
        attributes.extend_from_slice(more);
        self.open("svg", &attributes);
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
            self.out.push_str("</");
            self.out.push_str(name);
            self.out.push('>');
        }
    }

    /// Writes an element without content.
    pub fn empty(&mut self, name: &'static str, attributes: &[(&str, &str)]) {
        self.start(name, attributes);
        self.out.push_str("/>");
    }

    /// Writes a line or shape given by path data.
    pub fn path(&mut self, d: &str, attributes: &[(&str, &str)]) {
        self.start("path", &[("d", d)]);
        self.more(attributes);
        self.out.push_str("/>");
    }

    /// Writes a text centered on `x`, with its baseline at `y`.
    pub fn text(&mut self, x: f64, y: f64, size: f64, class: &str, text: &str) {
        self.text_with(x, y, size, text, &[("class", class)]);
    }

    /// Writes a text like [`Doc::text`], with custom attributes.
    pub fn text_with(
        &mut self,
        x: f64,
        y: f64,
        size: f64,
        text: &str,
        attributes: &[(&str, &str)],
    ) {
        let (x, y, size) = (number(x), number(y), number(size));
        self.start(
            "text",
            &[
                ("x", &x),
                ("y", &y),
                ("font-size", &size),
                ("text-anchor", "middle"),
            ],
        );
        self.more(attributes);
        self.out.push('>');
        escape_into(&mut self.out, text);
        self.out.push_str("</text>");
    }

    /// Writes text into the element opened last.
    pub fn content(&mut self, text: &str) {
        escape_into(&mut self.out, text);
    }

    /// Returns the finished document, with all elements closed.
    pub fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.out
    }

    fn start(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.out.push('<');
        self.out.push_str(name);
        self.more(attributes);
    }

    fn more(&mut self, attributes: &[(&str, &str)]) {
        for (key, value) in attributes {
            self.out.push(' ');
            self.out.push_str(key);
            self.out.push_str("=\"");
            escape_into(&mut self.out, value);
            self.out.push('"');
        }
    }
}

/// Formats a number with at most two decimals and without trailing zeros.
pub fn number(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e9 {
        return (value as i64).to_string();
    }
    let text = format!("{value:.2}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" {
        "0".to_owned()
    } else {
        short.to_owned()
    }
}

/// Escapes text for content and attributes. Characters that XML cannot contain become U+FFFD.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    escape_into(&mut out, text);
    out
}

fn escape_into(out: &mut String, text: &str) {
    let plain = |b: u8| matches!(b, b' '..=b'~') && !matches!(b, b'&' | b'<' | b'>' | b'"' | b'\'');
    if text.bytes().all(plain) {
        return out.push_str(text);
    }
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
}
