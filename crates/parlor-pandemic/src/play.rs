//! Effects of moves and chances on a game.

use parlor_core::Seat;

use crate::cubes::Spread;
use crate::game::{ACTIONS, FORECAST, Interrupt, MAX_OUTBREAKS, PandemicEnding, Stage};
use crate::moves::{Action, Chance, EventPlay, Move, TurnStep, Way};
use crate::{
    Card, Cards, Cities, City, Color, ColorCities, Consent, Cubes, EventCard, Game, Role, Rules,
};

impl Game {
    /// Plays a move, or asks for consent if the move needs it.
    pub(crate) fn play_move(&mut self, m: &Move) {
        let Some(by) = self.seat_moving(m) else {
            return;
        };
        if self.rules.consent().is_asked()
            && let Some(asked) = self.owner(m, by)
        {
            self.interrupt = Some(Interrupt::Consent {
                asked,
                by,
                request: *m,
            });
            return;
        }
        self.carry_out(m, by);
        self.advance_to_decision();
    }

    fn carry_out(&mut self, m: &Move, by: Seat) {
        match *m {
            Move::Action(action) => {
                self.declines = [0; Rules::MAX_PLAYERS];
                self.actions -= 1;
                self.act(action, by);
            }
            Move::Event(event) => {
                self.declines = [0; Rules::MAX_PLAYERS];
                self.discard_event(event.card());
                self.apply_event(event, by);
            }
            Move::Step(step) => self.take_step(step, by),
        }
    }

    fn act(&mut self, action: Action, by: Seat) {
        match action {
            Action::Travel { pawn, way, to } => {
                match way {
                    Way::Drive | Way::Shuttle | Way::Join => {}
                    Way::Fly => self.drop_card(by, to.into()),
                    Way::Charter => self.drop_card(by, self.pawn(pawn).into()),
                }
                self.move_pawn(pawn, to);
            }
            Action::Expert { to, card } => {
                self.flown = true;
                self.drop_card(by, card.into());
                self.move_pawn(by, to);
            }
            Action::Build { from } => {
                let here = self.pawn(by);
                if self.role(by) != Some(Role::OperationsExpert) {
                    self.drop_card(by, here.into());
                }
                self.build(here, from);
            }
            Action::Treat { color } => {
                let all = self.role(by) == Some(Role::Medic) || self.is_cured(color);
                self.cubes.take(
                    self.pawn(by),
                    color,
                    if all { Cubes::MAX_PER_CITY } else { 1 },
                );
                self.check_eradication(color);
            }
            Action::Give { card, to } => self.hand_over(card, by, to),
            Action::Take { card, from } => self.hand_over(card, from, by),
            Action::Cure { cards } => self.cure(cards, by),
            Action::Fetch { event } => {
                self.discard = self.discard.without(event);
                self.stored = Some(event);
            }
        }
    }

    /// Applies the effect of an event whose card has already left the hand.
    fn apply_event(&mut self, event: EventPlay, by: Seat) {
        match event {
            EventPlay::Airlift { pawn, to } => self.move_pawn(pawn, to),
            EventPlay::Grant { at, from } => self.build(at, from),
            EventPlay::Forecast => {
                let left = self.infection.len().min(FORECAST as u8);
                self.interrupt = Some(Interrupt::Look {
                    seat: by,
                    left,
                    seen: Cities::NONE,
                });
            }
            EventPlay::QuietNight => self.quiet_night = true,
            EventPlay::Resilient { city } => {
                self.infection.discard = self.infection.discard.without(city);
                self.infection.removed = self.infection.removed.with(city);
            }
        }
    }

    fn take_step(&mut self, step: TurnStep, by: Seat) {
        if !matches!(step, TurnStep::Agree | TurnStep::Decline) {
            self.declines = [0; Rules::MAX_PLAYERS];
        }
        match step {
            TurnStep::Agree => {
                if let Some(Interrupt::Consent { by, request, .. }) = self.interrupt.take() {
                    self.carry_out(&request, by);
                }
            }
            TurnStep::Decline => {
                if let Some(Interrupt::Consent { asked, .. }) = self.interrupt.take() {
                    let declines = &mut self.declines[asked.index()];
                    *declines = declines.saturating_add(1).min(Consent::MAX_DECLINES);
                }
            }
            TurnStep::Discard { card } => self.drop_card(by, card),
            TurnStep::Next { city } => self.put_back(city),
            TurnStep::Draw if self.deck.len() < 2 => self.ending = Some(PandemicEnding::Cards),
            TurnStep::Draw => {
                self.actions = 0;
                self.stage = Stage::Draw(2);
            }
            TurnStep::Infect => self.stage = Stage::Infecting,
            TurnStep::InfectAll => {
                self.hurry = self.infections > 1;
                self.stage = Stage::Infecting;
            }
            TurnStep::Intensify => self.intensify(),
            TurnStep::Epidemic => self.begin_epidemic(),
        }
    }

    /// Moves a pawn; the Medic removes cubes of cured diseases on arrival.
    fn move_pawn(&mut self, pawn: Seat, to: City) {
        self.pawns[pawn.index()] = to;
        if self.role(pawn) == Some(Role::Medic) {
            self.remove_cured_cubes(to);
        }
    }

    fn remove_cured_cubes(&mut self, city: City) {
        for color in Color::ALL {
            if self.is_cured(color) && self.cubes.take(city, color, Cubes::MAX_PER_CITY) > 0 {
                self.check_eradication(color);
            }
        }
    }

    fn drop_card(&mut self, seat: Seat, card: Card) {
        self.set_hand(seat, self.hand(seat).without(card));
        self.discard = self.discard.with(card);
    }

    fn hand_over(&mut self, card: City, from: Seat, to: Seat) {
        self.set_hand(from, self.hand(from).without(card));
        self.set_hand(to, self.hand(to).with(card));
    }

    /// Discards an event from its holder, or removes it from the game if it was stored.
    fn discard_event(&mut self, event: EventCard) {
        if self.stored == Some(event) {
            self.stored = None;
            self.gone = self.gone.with(event);
        } else if let Some(seat) = self.holder(event) {
            self.drop_card(seat, event.into());
        }
    }

    fn build(&mut self, at: City, from: Option<City>) {
        if let Some(from) = from {
            self.stations = self.stations.without(from);
        }
        self.stations = self.stations.with(at);
    }

    fn cure(&mut self, cards: ColorCities, by: Seat) {
        let (color, cards) = (cards.color(), Cards::from_cities(cards.cities()));
        self.set_hand(by, self.hand(by).minus(cards));
        self.discard = self.discard.or(cards);
        self.cured = self.cured.with(color);
        if self.cures() == 4 {
            self.ending = Some(PandemicEnding::Cured);
        }
        if let Some(medic) = self.seat_of(Role::Medic) {
            self.remove_cured_cubes(self.pawn(medic));
        }
        self.check_eradication(color);
    }

    fn check_eradication(&mut self, color: Color) {
        if self.is_cured(color) && self.cubes.on_board(color) == 0 {
            self.eradicated = self.eradicated.with(color);
        }
    }

    /// Puts back the next card of a forecast; the last one follows automatically.
    fn put_back(&mut self, city: City) {
        let Some(Interrupt::Order {
            seat,
            seen,
            mut placed,
        }) = self.interrupt
        else {
            return;
        };
        let mut left = seen.without(city);
        let mut free = placed.iter_mut().filter(|place| place.is_none());
        if let Some(place) = free.next() {
            *place = Some(city);
        }
        if left.len() == 1 {
            if let (Some(place), last) = (free.next(), left.into_iter().next()) {
                *place = last;
            }
            left = Cities::NONE;
        }
        if left.is_empty() {
            self.interrupt = None;
            placed
                .iter()
                .rev()
                .flatten()
                .for_each(|city| self.infection.push(Cities::one(*city)));
        } else {
            self.interrupt = Some(Interrupt::Order {
                seat,
                seen: left,
                placed,
            });
        }
    }

    /// Applies a chance.
    pub(crate) fn resolve_chance(&mut self, chance: &Chance) {
        match *chance {
            Chance::Infect(city) => self.turn_infection_card(city),
            Chance::Bottom(city) => {
                self.turn_bottom_card(city);
            }
            Chance::Look(city) => self.reveal_forecast(city),
            Chance::Role(role) => {
                if let Some(seat) = self.role_seat() {
                    self.roles[seat.index()] = Some(role);
                }
            }
            Chance::Deal(card) => {
                if let Some(seat) = self.hand_seat() {
                    self.deck.unseen = self.deck.unseen.without(card);
                    self.set_hand(seat, self.hand(seat).with(card));
                }
            }
            Chance::Draw(card) => {
                self.deck.drawn(self.rules, Some(card));
                self.set_hand(self.active, self.hand(self.active).with(card));
            }
            Chance::Epidemic => {
                self.deck.drawn(self.rules, None);
                self.pending += 1;
            }
        }
        match self.stage {
            Stage::Setup(step) => self.continue_setup(step + 1),
            Stage::Draw(left) if self.interrupt.is_none() => self.continue_drawing(left - 1),
            _ => {}
        }
        self.advance_to_decision();
    }

    /// Places the cubes of a setup infection: 3, 3, 3, 2, 2, 2, 1, 1, 1.
    fn turn_infection_card(&mut self, city: City) {
        self.infection.take_top(city);
        self.infection.discard = self.infection.discard.with(city);
        if let Stage::Setup(step) = self.stage {
            self.cubes.put(city, city.color(), 3 - step / 3);
            return;
        }
        self.stage = Stage::Infect(true);
        self.infections -= 1;
        self.infect(city);
    }

    /// Adds a cube of its color to a city, unless it is protected, and returns the cities that have
    /// an outbreak.
    pub(crate) fn infect(&mut self, city: City) -> Cities {
        if self.is_eradicated(city.color()) {
            return Cities::NONE;
        }
        let safe = self.protected(city.color());
        let spread = self
            .cubes
            .infect(city, city.color(), safe, MAX_OUTBREAKS - self.outbreaks);
        self.record_spread(spread, city.color())
    }

    /// Applies the second part of an epidemic, and returns the cities that have an outbreak: three
    /// cubes, or as many as fit and one outbreak.
    pub(crate) fn turn_bottom_card(&mut self, city: City) -> Cities {
        self.infection.take_bottom(city);
        self.infection.discard = self.infection.discard.with(city);
        self.stage = Stage::Intensify;
        let color = city.color();
        let safe = self.protected(color);
        if self.is_eradicated(color) || safe.has(city) {
            return Cities::NONE;
        }
        let before = self.cubes.count(city, color);
        if !self.cubes.put(city, color, Cubes::MAX_PER_CITY - before) {
            self.ending = Some(PandemicEnding::Cubes(color));
            return Cities::NONE;
        }
        if before == 0 {
            return Cities::NONE;
        }
        let spread = self
            .cubes
            .outbreak(city, color, safe, MAX_OUTBREAKS - self.outbreaks);
        self.record_spread(spread, color)
    }

    /// Records the outbreaks of an infection, and returns where they were.
    fn record_spread(&mut self, spread: Spread, color: Color) -> Cities {
        let outbreaks = spread.outbreaks();
        match spread {
            Spread::Done { .. } => self.outbreaks += outbreaks.len() as u8,
            Spread::TooManyOutbreaks { .. } => {
                self.outbreaks = MAX_OUTBREAKS;
                self.ending = Some(PandemicEnding::Outbreaks);
            }
            Spread::NoCubes { .. } => {
                self.outbreaks += outbreaks.len() as u8;
                self.ending = Some(PandemicEnding::Cubes(color));
            }
        }
        outbreaks
    }

    fn reveal_forecast(&mut self, city: City) {
        let Some(Interrupt::Look { seat, left, seen }) = self.interrupt else {
            return;
        };
        self.infection.take_top(city);
        let seen = seen.with(city);
        self.interrupt = Some(match left {
            2.. => Interrupt::Look {
                seat,
                left: left - 1,
                seen,
            },
            _ => Interrupt::Order {
                seat,
                seen,
                placed: [None; FORECAST],
            },
        });
        if left < 2 && seen.len() == 1 {
            self.put_back(city);
        }
    }

    fn continue_drawing(&mut self, left: u8) {
        if left > 0 {
            self.stage = Stage::Draw(left);
        } else if self.pending > 0 {
            self.begin_epidemic();
        } else {
            self.begin_infections();
        }
    }

    /// Applies the first part of an epidemic: the infection rate increases.
    pub(crate) fn begin_epidemic(&mut self) {
        self.pending -= 1;
        self.epidemics += 1;
        self.infection.refill();
        self.stage = Stage::Epidemic;
    }

    /// Applies the third part of an epidemic.
    fn intensify(&mut self) {
        self.infection.intensify();
        if self.pending > 0 {
            self.stage = Stage::NextEpidemic;
        } else {
            self.begin_infections();
        }
    }

    fn begin_infections(&mut self) {
        self.infections = self.rate();
        self.stage = Stage::Infect(false);
    }

    /// Advances the stage until a decision or a chance is due.
    pub(crate) fn advance_to_decision(&mut self) {
        while self.ending.is_none() && self.interrupt.is_none() {
            match self.stage {
                Stage::Intensify if !self.can_play_resilient() => self.intensify(),
                Stage::NextEpidemic if self.playable().is_empty() => self.begin_epidemic(),
                Stage::Infect(begun) => {
                    if !self.full.is_empty() {
                        return;
                    }
                    if self.infections == 0 || (self.quiet_night && !begun) {
                        self.quiet_night &= begun;
                        self.end_turn();
                        return;
                    }
                    if !self.hurry && !self.playable().is_empty() {
                        return;
                    }
                    self.stage = Stage::Infecting;
                }
                Stage::Infecting => {
                    self.infection.refill();
                    if self.infection.is_empty() {
                        self.infections = 0;
                        self.stage = Stage::Infect(true);
                        continue;
                    }
                    return;
                }
                _ => return,
            }
        }
    }

    fn can_play_resilient(&self) -> bool {
        self.playable().has(EventCard::ResilientPopulation)
    }

    fn end_turn(&mut self) {
        self.infections = 0;
        self.hurry = false;
        self.flown = false;
        self.declines = [0; Rules::MAX_PLAYERS];
        self.active = self.active.next(self.rules.players());
        self.actions = ACTIONS;
        self.stage = Stage::Actions;
    }

    fn continue_setup(&mut self, step: u8) {
        self.stage = Stage::Setup(step);
        if let Some(seat) = self.role_seat()
            && let Some(role) = self.rules.fixed()[seat.index()]
        {
            self.roles[seat.index()] = Some(role);
            self.continue_setup(step + 1);
        } else if self.role_seat().is_none()
            && self.hand_seat().is_none()
            && step >= SETUP_INFECTIONS
        {
            self.active = self.first_seat();
            self.actions = ACTIONS;
            self.stage = Stage::Actions;
        }
    }

    /// Returns the seat that is dealt a role next.
    pub(crate) fn role_seat(&self) -> Option<Seat> {
        let Stage::Setup(step) = self.stage else {
            return None;
        };
        let number = step.checked_sub(SETUP_INFECTIONS)?;
        self.rules.seats().nth(usize::from(number))
    }

    /// Returns the seat that is dealt a card next.
    pub(crate) fn hand_seat(&self) -> Option<Seat> {
        let Stage::Setup(step) = self.stage else {
            return None;
        };
        let number = step.checked_sub(SETUP_INFECTIONS + self.rules.players())?;
        self.rules
            .seats()
            .nth(usize::from(number) / self.rules.first_hand() as usize)
    }

    /// Returns the starting seat: the one with the most populous city in hand, the lower seat on a
    /// tie.
    fn first_seat(&self) -> Seat {
        let most = |seat: &Seat| {
            self.hand(*seat)
                .cities()
                .into_iter()
                .map(City::population)
                .max()
        };
        self.rules
            .seats()
            .rev()
            .max_by_key(most)
            .unwrap_or(Seat::FIRST)
    }
}

/// Number of infection cards turned during the setup.
pub(crate) const SETUP_INFECTIONS: u8 = 9;
