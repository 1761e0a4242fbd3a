//! Checks of the current moment: counts of the turn, hands, open questions, the result.

use parlor_core::Seat;

use super::{Flaw, Setup};
use crate::game::{ACTIONS, FORECAST, MAX_OUTBREAKS};
use crate::{
    Card, Color, Cubes, EventCard, Game, HAND_LIMIT, Interrupt, PandemicEnding, RATES, Role, Stage,
};

impl Setup {
    /// Checks everything against the stage of the turn.
    pub(super) fn check_moment(&self, flaws: &mut Vec<Flaw>) {
        flaws.extend(
            self.rules
                .seats()
                .filter(|seat| self.roles[seat.index()].is_none())
                .map(Flaw::NoRole),
        );
        self.check_counts(flaws);
        self.check_hands(flaws);
        let expert = self.roles.get(self.active.index()) == Some(&Some(Role::OperationsExpert));
        if self.flown && !expert {
            flaws.push(Flaw::Flown);
        }
        let over = self.ending.is_some();
        if self.hurry
            && !(self.stage == Stage::Infecting || over && self.stage == Stage::Infect(true))
        {
            flaws.push(Flaw::Hurry);
        }
        self.check_ending(flaws);
    }

    fn check_counts(&self, flaws: &mut Vec<Flaw>) {
        let rate = RATES[usize::from(self.epidemics).min(RATES.len() - 1)];
        let over = self.ending.is_some();
        let least = u8::from(!over);
        let (actions, pending, infections) = match self.stage {
            Stage::Actions => (0..=ACTIONS, 0..=0, 0..=0),
            Stage::Draw(left) => (0..=0, 0..=2_u8.saturating_sub(left), 0..=0),
            Stage::NextEpidemic => (0..=0, 1..=1, 0..=0),
            Stage::Epidemic | Stage::Intensify => (0..=0, 0..=1, 0..=0),
            Stage::Infect(false) => (0..=0, 0..=0, rate..=rate),
            Stage::Infect(true) => (0..=0, 0..=0, least..=rate - 1),
            Stage::Infecting | Stage::Setup(_) => (0..=0, 0..=0, 1..=rate),
        };
        let in_epidemic = matches!(
            self.stage,
            Stage::Epidemic | Stage::Intensify | Stage::NextEpidemic
        );
        let counts = [
            (
                actions.contains(&self.actions),
                "no or at most four actions are left",
            ),
            (
                pending.contains(&self.pending),
                "another number of epidemics waits",
            ),
            (
                infections.contains(&self.infections),
                "another number of infection cards is left to turn",
            ),
            (
                !in_epidemic || self.epidemics > 0,
                "at least one epidemic has begun",
            ),
            (
                !matches!(self.stage, Stage::Draw(left) if !(1..=2).contains(&left)),
                "one or two cards are left to draw",
            ),
            (
                !matches!(self.stage, Stage::Epidemic | Stage::Infecting)
                    || !self.layers.is_empty(),
                "the infection deck has a card: the discards are shuffled when the last is gone",
            ),
        ];
        flaws.extend(
            counts
                .into_iter()
                .filter(|(fits, _)| !fits)
                .map(|(_, wanted)| Flaw::Stage(wanted)),
        );
    }

    /// Checks hand sizes: a hand can exceed the limit by one shared card or two drawn ones.
    fn check_hands(&self, flaws: &mut Vec<Flaw>) {
        let (own, others) = match self.stage {
            Stage::Actions => (1, 1),
            Stage::Draw(1) => (1, 0),
            Stage::Epidemic | Stage::Intensify | Stage::NextEpidemic | Stage::Infect(false) => {
                (2, 0)
            }
            _ => (0, 0),
        };
        let too_many = |seat: &Seat| {
            let beyond = self.hands[seat.index()].len().saturating_sub(HAND_LIMIT);
            beyond > if *seat == self.active { own } else { others }
        };
        let cards = |seat: Seat| self.hands[seat.index()].len();
        flaws.extend(self.rules.seats().filter(too_many).map(|seat| Flaw::Hand {
            seat,
            cards: cards(seat),
        }));
        let full = self.rules.seats().filter(|seat| cards(*seat) > HAND_LIMIT);
        flaws.extend(full.skip(1).map(|seat| Flaw::Hand {
            seat,
            cards: cards(seat),
        }));
    }

    fn check_ending(&self, flaws: &mut Vec<Flaw>) {
        let cures = self.cured.iter().filter(|cured| **cured).count();
        let on_board = |color: Color| {
            self.cubes
                .iter()
                .map(|counts| u32::from(counts[color.index()]))
                .sum::<u32>()
        };
        let in_actions = self.stage == Stage::Actions;
        let in_infection = matches!(self.stage, Stage::Intensify | Stage::Infect(true));
        let wrong = match self.ending {
            None if cures == 4 => "all four cures are found, so the game is won",
            None if self.outbreaks >= MAX_OUTBREAKS => {
                "there are eight outbreaks, so the game is lost"
            }
            Some(PandemicEnding::Cured) if cures < 4 || !in_actions => {
                "the game is won by a fourth cure, with an action"
            }
            Some(PandemicEnding::Outbreaks) if self.outbreaks != MAX_OUTBREAKS || !in_infection => {
                "outbreaks end a game with the eighth, when an infection card was turned"
            }
            Some(PandemicEnding::Cubes(color))
                if on_board(color) < u32::from(Cubes::PER_COLOR) || !in_infection =>
            {
                "cubes end a game when an infection card needs more than are left"
            }
            Some(PandemicEnding::Cards) if !in_actions => {
                "cards end a game when two have to be drawn"
            }
            Some(ending) if cures == 4 && ending != PandemicEnding::Cured => {
                "all four cures are found, so the game is won"
            }
            Some(ending)
                if self.outbreaks >= MAX_OUTBREAKS && ending != PandemicEnding::Outbreaks =>
            {
                "there are eight outbreaks, so the game is lost by them"
            }
            Some(_) if self.interrupt.is_some() => "the game is over, so nothing is open",
            _ => return,
        };
        flaws.push(Flaw::PandemicEnding(wrong));
    }
}

/// Checks that need the whole game: the deck, the Medic's city, open questions. A request is
/// replaced by its plainest form.
pub(super) fn check_game(game: &mut Game, flaws: &mut Vec<Flaw>) {
    let drawing = match game.stage {
        Stage::Draw(left) => left,
        _ => 0,
    };
    if game.deck.len() < drawing {
        flaws.push(Flaw::Stage(
            "the player deck has the cards that are to be drawn",
        ));
    }
    if game.ending == Some(PandemicEnding::Cards) && game.deck.len() >= 2 {
        flaws.push(Flaw::PandemicEnding(
            "two cards can be drawn, so the game is not lost by them",
        ));
    }
    if let Some(medic) = game.seat_of(Role::Medic) {
        let city = game.pawn(medic);
        let there = Color::ALL
            .into_iter()
            .filter(|color| game.is_cured(*color) && game.cubes.count(city, *color) > 0);
        flaws.extend(there.map(|color| Flaw::MedicAmongCubes { city, color }));
    }
    match game.interrupt {
        None => {}
        Some(Interrupt::Consent { .. }) => check_question(game, flaws),
        Some(Interrupt::Look { seat, left, seen }) => {
            let (left, seen) = (u32::from(left), seen.len());
            let fits = (1..=u32::from(game.infection.len())).contains(&left)
                && is_full(game, left + seen, left);
            check_forecast(game, seat, fits, flaws);
        }
        Some(Interrupt::Order { seat, seen, placed }) => {
            let named = placed.iter().flatten().count();
            let in_front = placed[..named].iter().all(Option::is_some);
            let fits = seen.len() >= 2 && in_front && is_full(game, seen.len() + named as u32, 0);
            check_forecast(game, seat, fits, flaws);
        }
    }
}

/// Returns true if a forecast of this many cards shows six, or all there were; `waiting` of them
/// are still in the deck.
fn is_full(game: &Game, cards: u32, waiting: u32) -> bool {
    cards == (u32::from(game.infection.len()) + cards - waiting).min(FORECAST as u32)
}

fn check_forecast(game: &Game, seat: Seat, fits: bool, flaws: &mut Vec<Flaw>) {
    if seat.number() >= game.rules.players() {
        flaws.push(Flaw::no_seat(seat.index(), game.rules));
    }
    if !fits {
        flaws.push(Flaw::Interrupt(
            "a forecast shows the top six infection cards, or all there are",
        ));
    }
    let played = Card::Event(EventCard::Forecast);
    if !game.discard.has(played) && !game.gone.has(played) {
        flaws.push(Flaw::Interrupt(
            "a forecast is open, but the card was not played",
        ));
    }
    if !matches!(
        game.stage,
        Stage::Actions | Stage::Infect(_) | Stage::NextEpidemic
    ) {
        flaws.push(Flaw::Interrupt(
            "a forecast is not possible at this stage of the turn",
        ));
    }
}

fn check_question(game: &mut Game, flaws: &mut Vec<Flaw>) {
    let Some(Interrupt::Consent { asked, by, request }) = game.interrupt.take() else {
        return;
    };
    let request = game.plainest(&request);
    if let Err(reason) = game.check_move(&request) {
        flaws.push(Flaw::Request(reason));
    } else if game.seat_moving(&request) != Some(by) || game.owner(&request, by) != Some(asked) {
        flaws.push(Flaw::Interrupt(
            "only the owner of a pawn or a card is asked, by the player who wants it",
        ));
    }
    game.interrupt = Some(Interrupt::Consent { asked, by, request });
}
