//! The table as HTML for a page: the map is an SVG picture, surrounded by tracks, decks, hands and
//! discard piles in HTML, which adapts to any screen width. Ids and classes are those of the
//! picture.

use parlor_core::Seat;
use parlor_pandemic::{HAND_LIMIT, Role};

use super::discards::{self, Discards};
use super::{
    FONT, MAP, Player, Scene, WIDTH, board, cities, define, hands, ids, look, outlook, pieces,
    plates, title,
};
use crate::pandemic::view::PandemicView;
use crate::svg::Doc;

/// Draws a view for a page.
pub fn draw(view: &PandemicView) -> String {
    if view.ended {
        return draw_table(&view.clone().closed());
    }
    draw_table(view)
}

fn draw_table(view: &PandemicView) -> String {
    let table = Scene::new(view);
    let mut doc = Doc::blank();
    // Scripts parse it as XML.
    let xhtml = ("xmlns", "http://www.w3.org/1999/xhtml");
    doc.open(
        "div",
        &[
            xhtml,
            ("class", "board pandemic"),
            ("role", "group"),
            ("aria-label", &title(&table)),
        ],
    );
    // A map wider than the window can be scrolled with the keyboard, and is scrolled to the pawn on
    // turn.
    let active = table
        .players
        .get(usize::from(view.active))
        .and_then(|player| player.role);
    let sight = active.map(ids::pawn).unwrap_or_default();
    doc.open("div", &[("class", "frame")]);
    doc.open(
        "div",
        &[
            ("class", "world"),
            ("tabindex", "0"),
            ("data-sight", &sight),
        ],
    );
    doc.picture(WIDTH, MAP, "Map", "map", &[FONT]);
    define(&mut doc);
    board::draw(&mut doc);
    cities::draw(&mut doc, &table);
    pieces::draw(&mut doc, &table);
    doc.close();
    doc.close();
    doc.open(
        "button",
        &[("class", "zoom"), ("type", "button"), ("data-zoom", "")],
    );
    words(&mut doc, "span", "in", "Zoom in");
    words(&mut doc, "span", "out", "Whole map");
    doc.close();
    plates::draw(&mut doc, &table);
    doc.close();
    all_hands(&mut doc, &table);
    piles(&mut doc, &table);
    outlook::draw(&mut doc, &table);
    doc.finish()
}

/// Draws all hands, that of the viewer first.
fn all_hands(doc: &mut Doc, table: &Scene<'_>) {
    let class = if table.players.len() == 3 {
        "hands three"
    } else {
        "hands"
    };
    doc.open("div", &[("class", class)]);
    let mine = table.view.seen_from.map(usize::from);
    let mut seats: Vec<usize> = (0..table.players.len()).collect();
    seats.sort_by_key(|seat| Some(*seat) != mine);
    for seat in seats {
        hand(doc, table, seat, &table.players[seat]);
    }
    doc.close();
}

/// Draws a player's role, city and cards.
fn hand(doc: &mut Doc, table: &Scene<'_>, seat: usize, player: &Player<'_>) {
    let active = if usize::from(table.view.active) == seat {
        " active"
    } else {
        ""
    };
    doc.open("div", &[("class", &format!("hand{active}"))]);
    let id = Seat::new(seat as u8).map(ids::player).unwrap_or_default();
    let label = hands::label(table, seat, player);
    let class = format!("place player{active}");
    doc.open(
        "div",
        &[
            ("id", &id),
            ("class", &class),
            ("role", "img"),
            ("aria-label", &label),
        ],
    );
    if let Some(who) = player.role {
        // Without the letter: whoever speaks the visible words to click would have to say it.
        icon(doc, "badge", "0 0 26 26");
        hands::disc(doc, who, 13.0, 13.0);
        doc.close();
    }
    words(doc, "b", "", &player.name(seat));
    doc.content(" ");
    words(doc, "span", "soft", &format!("in {}", player.shown.city));
    doc.content(" ");
    let full = player.cards() > HAND_LIMIT as usize;
    words(
        doc,
        "span",
        if full { "tally low" } else { "tally" },
        &format!("{} / {HAND_LIMIT}", player.cards()),
    );
    doc.close();
    if player.role == Some(Role::OperationsExpert) {
        let label = hands::FLIGHT_LABEL;
        doc.open(
            "div",
            &[
                ("id", ids::EXPERT),
                ("class", "place chip"),
                ("role", "img"),
                ("aria-label", label),
            ],
        );
        doc.content("flight");
        doc.close();
    }
    doc.open("div", &[("class", "pieces cards")]);
    for (card, more) in player.held() {
        hands::place(doc, "div", card, more);
        mark(doc, hands::mark_of(card));
        words(doc, "span", "", hands::short(card));
        doc.close();
    }
    doc.close();
    doc.close();
}

/// Draws the discard piles by color. Screen readers get the same content from the piles on the map.
fn piles(doc: &mut Doc, table: &Scene<'_>) {
    let lists = Discards::new(table, 0.0);
    doc.open("div", &[("class", "piles"), ("aria-hidden", "true")]);
    for (title, lists) in discards::titles(table.view)
        .iter()
        .zip([&lists.infection, &lists.player])
    {
        doc.open("div", &[("class", "pile")]);
        words(doc, "b", "soft", title);
        for (place, names) in lists
            .iter()
            .enumerate()
            .filter(|(_, names)| !names.is_empty())
        {
            doc.open("p", &[]);
            mark(doc, discards::mark(place));
            doc.content(&names.join(", "));
            doc.close();
        }
        doc.close();
    }
    doc.close();
}

/// Draws a short text in its own element.
pub(super) fn words(doc: &mut Doc, element: &'static str, class: &str, text: &str) {
    let class = [("class", class)];
    doc.open(element, if class[0].1.is_empty() { &[] } else { &class });
    doc.content(text);
    doc.close();
}

/// Draws a color's mark, or the star of events.
pub(super) fn mark(doc: &mut Doc, which: &str) {
    icon(doc, "mark", "-9 -9 18 18");
    look::symbol(doc, which, 0.0, 0.0, &[]);
    doc.close();
}

/// Opens a small decorative picture, hidden from screen readers.
pub(super) fn icon(doc: &mut Doc, class: &str, view_box: &str) {
    doc.open(
        "svg",
        &[
            ("xmlns", "http://www.w3.org/2000/svg"),
            ("class", class),
            ("viewBox", view_box),
            ("aria-hidden", "true"),
        ],
    );
}
