//! Clicks for moves, in the order in which a player would touch the pieces on a real table.
//!
//! A move that costs only an action is one click on the city. A move that also costs a card takes
//! two, the city and the card in either order, so that no card is spent by accident. To move
//! another player's pawn, click that pawn first. Events start with their card. Moves without a
//! place on the board, and frequent ones, also have a button.
//!
//! No click path is a prefix of another: otherwise a page could not tell whether to play the move
//! or wait for more clicks.

mod words;

use parlor_core::{Notation, Position};
use parlor_pandemic::{Card, Cities, City, Color, EventCard, Game, Move};

use super::svg::ids;
use crate::Click;

/// Maximum number of ways to pay for a cure that get buttons. With more, the cards are chosen on
/// the table only.
const MOST_CURES: usize = 6;
/// Maximum number of cards to give or take that get buttons.
const MOST_SHARES: usize = 4;

/// Returns the clicks of all legal moves: a button, paths over the picture, or both for each.
pub(super) fn all(game: &Game) -> Vec<Click> {
    let moves = game.legal_moves();
    let ways = Ways::new(game, &moves);
    let clicks = moves.iter().flat_map(|m| {
        let (text, label) = (game.move_text(m), words::label(game, m));
        let button = ways.has_button(m).then(Vec::new);
        let paths: Vec<Vec<String>> = button.into_iter().chain(ways.paths(m)).collect();
        paths
            .into_iter()
            .map(move |path| Click::whole(text.clone(), path, label.clone()))
    });
    let mut clicks: Vec<Click> = clicks.collect();
    clicks.sort_by_key(|click| {
        if click.path.is_empty() {
            rank(&click.text)
        } else {
            u8::MAX
        }
    });
    clicks
}

/// Returns the rank of a move's button. The most useful button comes first.
fn rank(text: &str) -> u8 {
    let order = [
        "cure",
        "treat",
        "build",
        "give",
        "take",
        "fetch",
        "agree",
        "decline",
        "discard",
        "infect",
        "intensify",
        "epidemic",
    ];
    let verb = text.split(':').next().unwrap_or_default();
    order
        .iter()
        .position(|one| *one == verb)
        .map_or(if verb == "draw" { 50 } else { 60 }, |place| place as u8)
}

/// Facts about all legal moves, needed to find the clicks of each one.
struct Ways<'a> {
    game: &'a Game,
    /// Cities that the pawn of the player on turn can reach without spending a card.
    free: Cities,
    /// Number of ways to pay for each cure.
    cures: [usize; 4],
    treats: usize,
    shares: usize,
    /// True if a player has to discard.
    full: bool,
}

impl Ways<'_> {
    fn new<'a>(game: &'a Game, moves: &[Move]) -> Ways<'a> {
        let free = moves.iter().filter_map(|m| match m {
            Move::Drive { pawn, to } | Move::Shuttle { pawn, to } | Move::Join { pawn, to } => {
                (*pawn == game.active()).then_some(*to)
            }
            _ => None,
        });
        let count = |which: &dyn Fn(&Move) -> bool| moves.iter().filter(|m| which(m)).count();
        Ways {
            game,
            free: free.collect(),
            cures: Color::ALL.map(|wanted| {
                count(&|m| matches!(m, Move::Cure { color, .. } if *color == wanted))
            }),
            treats: count(&|m| matches!(m, Move::Treat { .. })),
            shares: count(&|m| matches!(m, Move::Give { .. } | Move::Take { .. })),
            full: count(&|m| matches!(m, Move::Discard { .. })) > 0,
        }
    }

    fn has_button(&self, m: &Move) -> bool {
        match m {
            Move::Cure { color, .. } => self.cures[color.index()] <= MOST_CURES,
            Move::Build { from } => from.is_none(),
            Move::Give { .. } | Move::Take { .. } => self.shares <= MOST_SHARES,
            Move::Treat { .. } | Move::Fetch { .. } | Move::Forecast | Move::QuietNight => true,
            Move::Agree | Move::Decline | Move::Draw | Move::Infect | Move::InfectAll => true,
            // On a small screen the cards of a forecast may be scrolled out of view.
            Move::Intensify | Move::Epidemic | Move::Next { .. } => true,
            // The same applies to the hand that exceeds the limit.
            Move::Discard { .. } => true,
            _ => false,
        }
    }

    /// Returns the click paths of a move on the picture.
    fn paths(&self, m: &Move) -> Vec<Vec<String>> {
        let game = self.game;
        let pawn = |seat| game.role(seat).map(ids::pawn).unwrap_or_default();
        let event = |event: EventCard| ids::card(Card::Event(event));
        match *m {
            Move::Drive { pawn: whose, to }
            | Move::Shuttle { pawn: whose, to }
            | Move::Join { pawn: whose, to } => {
                let by_pawn = vec![pawn(whose), ids::city(to)];
                if whose == game.active() {
                    vec![vec![ids::city(to)], by_pawn]
                } else {
                    vec![by_pawn]
                }
            }
            Move::Fly { pawn: whose, to } if whose == game.active() => self.paid(to, to),
            Move::Fly { pawn: whose, to } => {
                vec![vec![pawn(whose), ids::card(Card::City(to)), ids::city(to)]]
            }
            Move::Charter { pawn: whose, to } if whose == game.active() => {
                self.paid(to, game.pawn(whose))
            }
            Move::Charter { pawn: whose, to } => {
                vec![vec![
                    pawn(whose),
                    ids::card(Card::City(game.pawn(whose))),
                    ids::city(to),
                ]]
            }
            Move::Expert { to, card } => vec![self.expert(to, card)],
            Move::Build { from } => vec![with_station(vec![ids::STATIONS.to_owned()], from)],
            Move::Treat { .. } if self.treats == 1 => {
                vec![vec![ids::city(game.pawn(game.active()))]]
            }
            Move::Treat { color } => vec![vec![
                ids::city(game.pawn(game.active())),
                ids::supply(color),
            ]],
            Move::Give { card, to } => vec![vec![ids::card(Card::City(card)), ids::player(to)]],
            Move::Take { card, .. } => vec![vec![
                ids::card(Card::City(card)),
                ids::player(game.active()),
            ]],
            Move::Cure { color, cards } => vec![self.cure(color, cards)],
            Move::Fetch { event: which } => vec![vec![event(which), ids::player(game.active())]],
            Move::Airlift { pawn: whose, to } => {
                vec![vec![event(EventCard::Airlift), pawn(whose), ids::city(to)]]
            }
            Move::Grant { at, from } => {
                vec![with_station(
                    vec![event(EventCard::GovernmentGrant), ids::city(at)],
                    from,
                )]
            }
            Move::Forecast => vec![vec![
                event(EventCard::Forecast),
                ids::INFECTION_DECK.to_owned(),
            ]],
            Move::QuietNight => vec![vec![
                event(EventCard::OneQuietNight),
                ids::INFECTION_DECK.to_owned(),
            ]],
            Move::Resilient { city } => {
                vec![vec![event(EventCard::ResilientPopulation), ids::city(city)]]
            }
            // While a player has to discard, an event can be played as well.
            Move::Discard {
                card: Card::Event(which),
            } => vec![vec![event(which), ids::PLAYER_DISCARD.to_owned()]],
            Move::Discard { card } => vec![vec![ids::card(card)]],
            Move::Next { city } => vec![vec![ids::forecast(city)]],
            Move::Draw if game.actions() == 0 => vec![vec![ids::PLAYER_DECK.to_owned()]],
            Move::Infect if !self.full => vec![vec![ids::INFECTION_DECK.to_owned()]],
            _ => Vec::new(),
        }
    }

    /// Returns the paths of a flight of the player's own pawn for a card: the card first, or the
    /// city first if no free move leads there.
    fn paid(&self, to: City, card: City) -> Vec<Vec<String>> {
        let (to, free) = (ids::city(to), self.free.has(to));
        let card = ids::card(Card::City(card));
        let mut paths = vec![vec![card.clone(), to.clone()]];
        if !free {
            paths.push(vec![to, card]);
        }
        paths
    }

    /// Returns the path of the Operations Expert's flight. It starts with the expert button if the
    /// card is that of either end, which would otherwise mean an ordinary flight.
    fn expert(&self, to: City, card: City) -> Vec<String> {
        let path = vec![ids::card(Card::City(card)), ids::city(to)];
        if card == to || card == self.game.pawn(self.game.active()) {
            return [vec![ids::EXPERT.to_owned()], path].concat();
        }
        path
    }

    /// Returns the path of a cure: its mark and, if there is a choice, the cards in hand order.
    fn cure(&self, color: Color, cards: u16) -> Vec<String> {
        let mut path = vec![ids::cure(color)];
        if self.cures[color.index()] > 1 {
            let chosen = color
                .cities()
                .into_iter()
                .enumerate()
                .filter(|(n, _)| cards >> n & 1 == 1);
            path.extend(chosen.map(|(_, city)| ids::card(Card::City(city))));
        }
        path
    }
}

fn with_station(mut path: Vec<String>, from: Option<City>) -> Vec<String> {
    path.extend(from.map(ids::city));
    path
}
