//! Every player's hand, face up below the map.

use parlor_core::Seat;
use parlor_pandemic::{Card, Color, EventCard, HAND_LIMIT, Role};

use super::look::{Rect, breadth, initial, ink, n, on_ink, role, shape, symbol, write};
use super::{MAP, Player, Scene, WIDTH, ids};
use crate::svg::Doc;

const GAP: f64 = 10.0;
/// Space for the borders of the outermost hands.
const EDGE: f64 = 2.0;
/// Height of the line with the player's name and of a line of cards.
const HEAD: f64 = 36.0;
const LINE: f64 = 30.0;
/// Left edge of a card's name.
const TEXT: f64 = 22.0;
/// Maximum font size of a card's name.
const SIZE: f64 = 12.0;

/// Distances from the right edge to the number of cards and to the Operations Expert's button.
const TALLY: f64 = 48.0;
const FLIGHT: f64 = 104.0;

/// Label of the Operations Expert's button, needed if the cards alone would mean another flight.
pub(super) const FLIGHT_LABEL: &str = "The Operations Expert's flight from a station, for any card";

/// Layout of the hands.
pub(super) struct Hands {
    players: usize,
    /// Number of hands per row.
    columns: usize,
    /// Number of cards per row in a hand, and number of rows.
    cards: usize,
    lines: usize,
}

impl Hands {
    pub(super) fn new(table: &Scene<'_>) -> Hands {
        let players = table.players.len().max(1);
        let (columns, cards, lines) = if players == 3 { (3, 3, 3) } else { (2, 5, 2) };
        Hands {
            players,
            columns,
            cards,
            lines,
        }
    }

    fn height(&self) -> f64 {
        HEAD + LINE * self.lines as f64 + 6.0
    }

    /// Returns the lower edge of the picture.
    pub(super) fn bottom(&self) -> f64 {
        MAP + (self.height() + GAP) * self.players.div_ceil(self.columns) as f64 + 2.0
    }

    fn room(&self, seat: usize) -> Rect {
        let width = (WIDTH - 2.0 * EDGE - GAP * (self.columns as f64 - 1.0)) / self.columns as f64;
        let (column, row) = (seat % self.columns, seat / self.columns);
        let left = EDGE + (width + GAP) * column as f64;
        Rect::new(
            left,
            MAP + GAP + (self.height() + GAP) * row as f64,
            width,
            self.height(),
        )
    }

    /// Returns the area of a card in a hand.
    fn slot(&self, seat: usize, place: usize) -> Rect {
        let room = self.room(seat);
        let width = (room.width - 20.0) / self.cards as f64;
        let (column, line) = (place % self.cards, place / self.cards);
        Rect::new(
            room.left + 10.0 + width * column as f64,
            room.top + HEAD + LINE * line as f64,
            width - 6.0,
            LINE - 5.0,
        )
    }

    pub(super) fn draw(&self, doc: &mut Doc, table: &Scene<'_>) {
        for (seat, player) in table.players.iter().enumerate() {
            self.head(doc, table, seat, player);
        }
        doc.open(
            "g",
            &[
                ("class", "pieces cards"),
                ("font-size", &n(SIZE)),
                ("fill", "#2a241d"),
                ("stroke-width", "1.4"),
            ],
        );
        for (seat, player) in table.players.iter().enumerate() {
            for (place, (card, more)) in player.held().enumerate() {
                // The ninth slot is empty except briefly after drawing two cards with a full hand.
                let place = if more.is_empty() { place } else { place.max(8) };
                one(doc, self.slot(seat, place), card, more);
            }
        }
        doc.close();
    }

    fn head(&self, doc: &mut Doc, table: &Scene<'_>, seat: usize, player: &Player<'_>) {
        let (room, active) = (self.room(seat), usize::from(table.view.active) == seat);
        let id = Seat::new(seat as u8).map(ids::player).unwrap_or_default();
        let class = if active {
            "place player active"
        } else {
            "place player"
        };
        doc.open(
            "g",
            &[
                ("id", &id),
                ("class", class),
                ("role", "img"),
                ("aria-label", &label(table, seat, player)),
            ],
        );
        let (edge, wide) = if active {
            ("#2f7d5b", "3")
        } else {
            ("#b9aa8a", "1")
        };
        room.draw(
            doc,
            10.0,
            &[
                ("class", "cell plate"),
                ("fill", "#fdf9f1"),
                ("stroke", edge),
                ("stroke-width", wide),
            ],
        );
        let (x, y) = (room.left + 23.0, room.top + 19.0);
        if let Some(who) = player.role {
            badge(doc, who, x, y);
        }
        let (at, top) = (n(x + 18.0), n(y + 5.0));
        doc.open(
            "text",
            &[
                ("class", "ink"),
                ("x", &at),
                ("y", &top),
                ("font-size", "15"),
                ("font-weight", "700"),
                ("fill", "#2a241d"),
            ],
        );
        doc.content(&player.name(seat));
        // Bold text is a tenth wider.
        let name = 1.1 * 15.0 * breadth(&player.name(seat));
        let right = if player.role == Some(Role::OperationsExpert) {
            FLIGHT
        } else {
            TALLY
        };
        let city = player
            .city
            .map_or(&*player.shown.city, |city| short(Card::City(city)));
        let place = format!("\u{2002}in {city}");
        let size = n(fitting(&place, room.width - 41.0 - name - right, 13.0));
        doc.open(
            "tspan",
            &[
                ("class", "soft"),
                ("font-weight", "400"),
                ("font-size", &size),
                ("fill", "#5f5444"),
            ],
        );
        doc.content(&place);
        doc.close();
        doc.close();
        self.tally(doc, room, player);
        doc.close();
        if player.role == Some(Role::OperationsExpert) {
            flight(
                doc,
                Rect::new(room.left + room.width - FLIGHT, room.top + 8.0, 50.0, 22.0),
            );
        }
    }

    /// Draws the number of cards in a hand and its limit.
    fn tally(&self, doc: &mut Doc, room: Rect, player: &Player<'_>) {
        let full = player.cards() > HAND_LIMIT as usize;
        let (class, fill) = if full {
            ("low", "#b3261e")
        } else {
            ("soft", "#5f5444")
        };
        let text = format!("{} / {HAND_LIMIT}", player.cards());
        let style = [
            ("class", class),
            ("font-size", "13"),
            ("font-weight", "700"),
            ("text-anchor", "end"),
            ("fill", fill),
        ];
        write(
            doc,
            room.left + room.width - 12.0,
            room.top + 24.0,
            &text,
            &style,
        );
    }
}

/// Draws a role's disc.
pub(super) fn disc(doc: &mut Doc, who: Role, x: f64, y: f64) {
    let (fill, _) = role(who);
    let (cx, cy) = (n(x), n(y));
    doc.empty(
        "circle",
        &[
            ("cx", &cx),
            ("cy", &cy),
            ("r", "12"),
            ("fill", fill),
            ("stroke", "#33291c"),
            ("stroke-width", "1.2"),
        ],
    );
}

/// Draws a role's disc with its letter.
pub(super) fn badge(doc: &mut Doc, who: Role, x: f64, y: f64) {
    let (_, on) = role(who);
    disc(doc, who, x, y);
    write(
        doc,
        x,
        y + 5.0,
        initial(who),
        &[
            ("font-size", "14"),
            ("font-weight", "700"),
            ("text-anchor", "middle"),
            ("fill", on),
        ],
    );
}

/// Draws the button for the Operations Expert's flight.
fn flight(doc: &mut Doc, room: Rect) {
    doc.open(
        "g",
        &[
            ("id", ids::EXPERT),
            ("class", "place chip"),
            ("role", "img"),
            ("aria-label", FLIGHT_LABEL),
        ],
    );
    room.draw(
        doc,
        11.0,
        &[
            ("class", "cell"),
            ("fill", "none"),
            ("pointer-events", "all"),
            ("stroke", "#8f7f62"),
        ],
    );
    let style = [
        ("class", "soft"),
        ("font-size", "11.5"),
        ("text-anchor", "middle"),
        ("fill", "#5f5444"),
    ];
    write(
        doc,
        room.left + room.width / 2.0,
        room.top + 15.5,
        "flight",
        &style,
    );
    doc.close();
}

/// Draws a card with its name and its color's shape and letter, or a star for events.
pub(super) fn one(doc: &mut Doc, at: Rect, card: Card, more: &str) {
    let middle = at.top + at.height / 2.0;
    place(doc, "g", card, more);
    let (paper, edge) = match card {
        Card::City(city) => ("#fffdf8", ink(city.color())),
        Card::Event(_) => ("#f4ecfa", "#7b3fa0"),
    };
    let mark = mark_of(card);
    at.draw(
        doc,
        6.0,
        &[("class", "cell"), ("fill", paper), ("stroke", edge)],
    );
    symbol(doc, mark, at.left + 12.0, middle, &[]);
    let name = short(card);
    let size = fitting(name, at.width - TEXT - 3.0, SIZE);
    let smaller = [("font-size", &*n(size))];
    write(
        doc,
        at.left + TEXT,
        middle + 4.2,
        name,
        if size < SIZE { &smaller } else { &[] },
    );
    doc.close();
}

/// Opens the element of a card with its id, class and label. `more` says where an event is if it is
/// not in a hand.
pub(super) fn place(doc: &mut Doc, element: &'static str, card: Card, more: &str) {
    // The label must contain the visible text for voice control.
    let name = match short(card) {
        short if card.name().contains(short) => card.name().to_owned(),
        short => format!("{short} ({})", card.name()),
    };
    let label = match card {
        Card::City(city) => format!("{name}, {} card", city.color()),
        Card::Event(_) if more.is_empty() => format!("{name}, event card"),
        Card::Event(_) => format!("{name}, event card, {more}"),
    };
    let class = match card {
        Card::City(city) => format!("place card {}", city.color().letter().to_ascii_lowercase()),
        Card::Event(_) => "place card event".to_owned(),
    };
    doc.open(
        element,
        &[
            ("id", &ids::card(card)),
            ("class", &class),
            ("role", "img"),
            ("aria-label", &label),
        ],
    );
}

/// Returns the font size at which a text fits into `room`, at most the usual size.
pub(super) fn fitting(text: &str, room: f64, usual: f64) -> f64 {
    let fits = room / breadth(text);
    if fits < usual {
        (10.0 * fits).floor() / 10.0
    } else {
        usual
    }
}

/// Defines the marks of cards, for use by reference.
pub(super) fn define(doc: &mut Doc) {
    for color in Color::ALL {
        doc.open("g", &[("id", mark(color))]);
        let style = [
            ("fill", ink(color)),
            ("stroke", "#fffdf8"),
            ("stroke-width", ".8"),
        ];
        doc.path(&shape(color, 0.0, 0.0, 7.5), &style);
        let down = if color == Color::Red { 4.6 } else { 3.2 };
        let style = [
            ("font-size", "9"),
            ("font-weight", "700"),
            ("text-anchor", "middle"),
            ("fill", on_ink(color)),
            ("stroke", "none"),
        ];
        write(doc, 0.0, down, &color.letter().to_string(), &style);
        doc.close();
    }
    let star = "M0-8l2 5 5.4.4-4.1 3.5 1.3 5.2-4.6-2.8-4.6 2.8 1.3-5.2-4.1-3.5 5.4-.4z";
    doc.path(
        star,
        &[
            ("id", "star"),
            ("class", "star"),
            ("fill", "#7b3fa0"),
            ("stroke", "none"),
        ],
    );
}

/// Returns the id of a color's mark on cards.
pub(super) const fn mark(color: Color) -> &'static str {
    match color {
        Color::Blue => "mark-b",
        Color::Yellow => "mark-y",
        Color::Black => "mark-k",
        Color::Red => "mark-r",
    }
}

/// Returns the id of a card's mark.
pub(super) const fn mark_of(card: Card) -> &'static str {
    match card {
        Card::City(city) => mark(city.color()),
        Card::Event(_) => "star",
    }
}

/// Returns a card's name, shortened if it would not fit on the card.
pub(super) fn short(card: Card) -> &'static str {
    match card {
        Card::City(city) if city.name().len() > 14 => "Ho Chi Minh",
        Card::Event(EventCard::GovernmentGrant) => "Gov. Grant",
        Card::Event(EventCard::OneQuietNight) => "Quiet Night",
        Card::Event(EventCard::ResilientPopulation) => "Resilient Pop.",
        card => card.name(),
    }
}

/// Describes a player: role, city, cards.
pub(super) fn label(table: &Scene<'_>, seat: usize, player: &Player<'_>) -> String {
    // Begins as the visible text does, for people who speak the names of what they click.
    let mut words = format!(
        "{} in {}, {} / {HAND_LIMIT} cards",
        player.name(seat),
        player.shown.city,
        player.cards()
    );
    if usize::from(table.view.active) == seat {
        words.push_str(", on turn");
    }
    let cards: Vec<&str> = player
        .shown
        .hand
        .iter()
        .chain(&player.shown.single_use)
        .map(String::as_str)
        .collect();
    if !cards.is_empty() {
        words.push_str(&format!(": {}", cards.join(", ")));
    }
    if let Some(stored) = &player.shown.stored {
        words.push_str(&format!("; {stored} on the role card"));
    }
    words
}
