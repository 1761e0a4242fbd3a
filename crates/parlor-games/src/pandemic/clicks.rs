//! Clicks for moves, in the order in which a player would touch the pieces on a real table.
//!
//! A move that costs only an action is one click on the city. A move that also costs a card takes
//! two, the city and the card in either order, so that no card is spent by accident. To move
//! another player's pawn, click that pawn first. Events start with their card. Moves without a
//! place on the board, and frequent ones, also have a button.
//!
//! No click path is a prefix of another: otherwise a page could not tell whether to play the move
//! or wait for more clicks.

pub(super) mod kinds;
mod words;

use parlor_core::{Notation, Position, Seat};
use parlor_pandemic::{
    Action, Card, Cities, City, Color, ColorCities, EventCard, EventPlay, Game, Move, TurnStep, Way,
};

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
        // Ends the turn although actions are left.
        let asks = matches!(m, Move::Step(TurnStep::Draw)) && game.actions() > 0;
        paths.into_iter().map(move |path| Click {
            asks,
            ..Click::whole(text.clone(), path, label.clone())
        })
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
        let free = moves.iter().filter_map(|m| match *m {
            Move::Action(Action::Travel { pawn, way, to }) => {
                (way.is_free() && pawn == game.active()).then_some(to)
            }
            _ => None,
        });
        let count = |which: &dyn Fn(&Move) -> bool| moves.iter().filter(|m| which(m)).count();
        Ways {
            game,
            free: free.collect(),
            cures: Color::ALL.map(|wanted| {
                count(&|m| {
                    matches!(m, Move::Action(Action::Cure { cards }) if cards.color() == wanted)
                })
            }),
            treats: count(&|m| matches!(m, Move::Action(Action::Treat { .. }))),
            shares: count(&|m| {
                matches!(m, Move::Action(Action::Give { .. } | Action::Take { .. }))
            }),
            full: count(&|m| matches!(m, Move::Step(TurnStep::Discard { .. }))) > 0,
        }
    }

    fn has_button(&self, m: &Move) -> bool {
        match m {
            Move::Action(action) => match action {
                Action::Cure { cards } => self.cures[cards.color().index()] <= MOST_CURES,
                Action::Build { from } => from.is_none(),
                Action::Give { .. } | Action::Take { .. } => self.shares <= MOST_SHARES,
                Action::Treat { .. } | Action::Fetch { .. } => true,
                Action::Travel { .. } | Action::Expert { .. } => false,
            },
            Move::Event(event) => match event {
                EventPlay::Forecast | EventPlay::QuietNight => true,
                EventPlay::Airlift { .. }
                | EventPlay::Grant { .. }
                | EventPlay::Resilient { .. } => false,
            },
            // On a small screen the cards of a forecast, or the hand that exceeds the limit, may be
            // scrolled out of view.
            Move::Step(_) => true,
        }
    }

    /// Returns the click paths of a move on the picture.
    fn paths(&self, m: &Move) -> Vec<Vec<String>> {
        match *m {
            Move::Action(action) => self.action_paths(action),
            Move::Event(event) => vec![self.event_path(event)],
            Move::Step(step) => self.step_path(step).into_iter().collect(),
        }
    }

    fn action_paths(&self, action: Action) -> Vec<Vec<String>> {
        let game = self.game;
        let here = || ids::city(game.pawn(game.active()));
        let card = |city| ids::card(Card::City(city));
        match action {
            Action::Travel { pawn, way, to } => self.travel_paths(pawn, way, to),
            Action::Expert { to, card } => vec![self.expert(to, card)],
            Action::Build { from } => vec![with_station(vec![ids::STATIONS.to_owned()], from)],
            Action::Treat { .. } if self.treats == 1 => vec![vec![here()]],
            Action::Treat { color } => vec![vec![here(), ids::supply(color)]],
            Action::Give { card: given, to } => vec![vec![card(given), ids::player(to)]],
            Action::Take { card: taken, .. } => {
                vec![vec![card(taken), ids::player(game.active())]]
            }
            Action::Cure { cards } => vec![self.cure(cards)],
            Action::Fetch { event } => vec![vec![event_id(event), ids::player(game.active())]],
        }
    }

    fn travel_paths(&self, pawn: Seat, way: Way, to: City) -> Vec<Vec<String>> {
        let game = self.game;
        let is_own = pawn == game.active();
        let paid_with = match way {
            Way::Drive | Way::Shuttle | Way::Join => None,
            Way::Fly => Some(to),
            Way::Charter => Some(game.pawn(pawn)),
        };
        let id = game.role(pawn).map(ids::pawn).unwrap_or_default();
        match paid_with {
            None if is_own => vec![vec![ids::city(to)], vec![id, ids::city(to)]],
            None => vec![vec![id, ids::city(to)]],
            Some(card) if is_own => self.paid(to, card),
            Some(card) => vec![vec![id, ids::card(Card::City(card)), ids::city(to)]],
        }
    }

    fn event_path(&self, event: EventPlay) -> Vec<String> {
        let card = event_id(event.card());
        match event {
            EventPlay::Airlift { pawn, to } => {
                let pawn = self.game.role(pawn).map(ids::pawn);
                vec![card, pawn.unwrap_or_default(), ids::city(to)]
            }
            EventPlay::Grant { at, from } => with_station(vec![card, ids::city(at)], from),
            EventPlay::Forecast | EventPlay::QuietNight => {
                vec![card, ids::INFECTION_DECK.to_owned()]
            }
            EventPlay::Resilient { city } => vec![card, ids::city(city)],
        }
    }

    fn step_path(&self, step: TurnStep) -> Option<Vec<String>> {
        match step {
            // While a player has to discard, an event can be played as well.
            TurnStep::Discard {
                card: Card::Event(event),
            } => Some(vec![event_id(event), ids::PLAYER_DISCARD.to_owned()]),
            TurnStep::Discard { card } => Some(vec![ids::card(card)]),
            TurnStep::Next { city } => Some(vec![ids::forecast(city)]),
            TurnStep::Draw => (self.game.actions() == 0).then(|| vec![ids::PLAYER_DECK.to_owned()]),
            TurnStep::Infect => (!self.full).then(|| vec![ids::INFECTION_DECK.to_owned()]),
            TurnStep::Agree
            | TurnStep::Decline
            | TurnStep::InfectAll
            | TurnStep::Intensify
            | TurnStep::Epidemic => None,
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
    fn cure(&self, cards: ColorCities) -> Vec<String> {
        let color = cards.color();
        let mut path = vec![ids::cure(color)];
        if self.cures[color.index()] > 1 {
            let chosen = cards.cities().into_iter();
            path.extend(chosen.map(|city| ids::card(Card::City(city))));
        }
        path
    }
}

fn event_id(event: EventCard) -> String {
    ids::card(Card::Event(event))
}

fn with_station(mut path: Vec<String>, from: Option<City>) -> Vec<String> {
    path.extend(from.map(ids::city));
    path
}
