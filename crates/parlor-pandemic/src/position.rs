//! A game as a [`Position`].

use parlor_core::{Position, Seat, Turn};
use rand::Rng;

use crate::game::{Asked, Interrupt, Stage};
use crate::moves::{Chance, Move};
use crate::play::SETUP_INFECTIONS;
use crate::sink::{Count, Lottery};
use crate::{Card, Cards, Cities, Game, Illegal, Roles};

impl Position for Game {
    type Move = Move;
    type Chance = Chance;
    type Illegal = Illegal;

    fn seats(&self) -> u8 {
        self.rules.players()
    }

    fn turn(&self) -> Turn {
        self.turn_now()
    }

    fn legal_moves_into(&self, out: &mut Vec<Move>) {
        out.clear();
        self.list_moves(out);
    }

    fn count_moves(&self, _: &mut Vec<Move>) -> u64 {
        let mut count = Count::default();
        self.list_moves(&mut count);
        count.0.into()
    }

    /// Nothing is listed for it.
    fn random_move<R: Rng + ?Sized>(&self, rng: &mut R, _: &mut Vec<Move>) -> Option<Move> {
        let mut lottery = Lottery::new(rng);
        self.list_moves(&mut lottery);
        lottery.winner
    }

    fn check(&self, m: &Move) -> Result<(), Illegal> {
        self.check_move(m)
    }

    fn play_unchecked(&mut self, m: &Move) {
        let m = self.plainer(m);
        self.play_move(&m);
    }

    fn mover(&self, m: &Move) -> Option<Seat> {
        self.mover_of(m)
    }

    fn chances_into(&self, out: &mut Vec<(Chance, u32)>) {
        out.clear();
        if self.asked() != Asked::Luck {
            return;
        }
        let each = |cities: Cities, chance: fn(crate::City) -> Chance| {
            cities.into_iter().map(move |c| (chance(c), 1))
        };
        match self.luck() {
            Luck::Infect => out.extend(each(self.infection.top_layer(), Chance::Infect)),
            Luck::Bottom => out.extend(each(self.infection.bottom_layer(), Chance::Bottom)),
            Luck::Look => out.extend(each(self.infection.top_layer(), Chance::Look)),
            Luck::Role => out.extend(self.free_roles().iter().map(|role| (Chance::Role(role), 1))),
            Luck::Deal => out.extend(self.deck.unseen.iter().map(|card| (Chance::Deal(card), 1))),
            Luck::Draw => {
                let (epidemic, other) = self.deck.weights();
                if other > 0 {
                    out.extend(
                        self.deck
                            .unseen
                            .iter()
                            .map(|card| (Chance::Draw(card), other)),
                    );
                }
                if epidemic > 0 {
                    out.push((Chance::Epidemic, epidemic));
                }
            }
        }
    }

    fn resolve_unchecked(&mut self, c: &Chance) {
        self.resolve_chance(c);
    }

    /// After a set-up in which the first card that can come always comes: counting all of them would never end.
    fn counted_from(&self) -> Game {
        let mut game = *self;
        while matches!(game.stage, Stage::Setup(_)) {
            let Some((first, _)) = game.chances().into_iter().next() else {
                break;
            };
            game.resolve_chance(&first);
        }
        game
    }

    fn random_chance<R: Rng + ?Sized>(
        &self,
        rng: &mut R,
        _: &mut Vec<(Chance, u32)>,
    ) -> Option<Chance> {
        if self.asked() != Asked::Luck {
            return None;
        }
        match self.luck() {
            Luck::Infect => self.infection.random_top(rng).map(Chance::Infect),
            Luck::Bottom => self.infection.random_bottom(rng).map(Chance::Bottom),
            Luck::Look => self.infection.random_top(rng).map(Chance::Look),
            Luck::Role => {
                let free = self.free_roles();
                let pick = parlor_core::below(rng, free.len()) as usize;
                free.iter().nth(pick).map(Chance::Role)
            }
            Luck::Deal => random_card(self.deck.unseen, rng).map(Chance::Deal),
            Luck::Draw => {
                let (_, left, epidemic) = self.deck.pile();
                if epidemic && parlor_core::below(rng, u32::from(left)) == 0 {
                    return Some(Chance::Epidemic);
                }
                random_card(self.deck.unseen, rng).map(Chance::Draw)
            }
        }
    }
}

/// A card, each equally likely.
fn random_card<R: Rng + ?Sized>(cards: Cards, rng: &mut R) -> Option<Card> {
    cards.nth(parlor_core::below(rng, cards.len().max(1)))
}

/// What luck decides.
enum Luck {
    Infect,
    Bottom,
    Look,
    Role,
    Deal,
    Draw,
}

impl Game {
    fn luck(&self) -> Luck {
        match (self.interrupt, self.stage) {
            (Some(Interrupt::Look { .. }), _) => Luck::Look,
            (_, Stage::Setup(step)) if step < SETUP_INFECTIONS => Luck::Infect,
            (_, Stage::Setup(_)) if self.role_seat().is_some() => Luck::Role,
            (_, Stage::Setup(_)) => Luck::Deal,
            (_, Stage::Epidemic) => Luck::Bottom,
            (_, Stage::Draw(_)) => Luck::Draw,
            _ => Luck::Infect,
        }
    }

    /// Roles that can still be dealt.
    fn free_roles(&self) -> Roles {
        let fixed = self.rules.fixed();
        self.roles
            .iter()
            .chain(&fixed)
            .flatten()
            .fold(self.rules.pool(), |free, role| free.without(*role))
    }

    /// The same move in its plainest form: nobody shuttles to a connected city.
    pub(crate) fn plainer(&self, m: &Move) -> Move {
        let (pawn, to) = match *m {
            Move::Shuttle { pawn, to } | Move::Join { pawn, to } => (pawn, to),
            _ => return *m,
        };
        if pawn.number() >= self.rules.players() {
            return *m;
        }
        let here = self.pawn(pawn);
        if here.neighbors().has(to) {
            Move::Drive { pawn, to }
        } else if self.stations.has(here) && self.stations.has(to) {
            Move::Shuttle { pawn, to }
        } else {
            *m
        }
    }
}
