//! The implementation of [`Position`] for a game.

use parlor_core::{Position, Seat, Turn};
use rand::Rng;

use crate::game::{Interrupt, PendingDecision, Stage};
use crate::moves::{Action, Chance, Move, Way};
use crate::play::SETUP_INFECTIONS;
use crate::sink::{MoveCount, RandomPick};
use crate::{Card, Cards, Cities, Game, Illegal, Roles};

impl Position for Game {
    type Move = Move;
    type Chance = Chance;
    type Illegal = Illegal;

    fn seats(&self) -> u8 {
        self.rules.players()
    }

    fn turn(&self) -> Turn {
        self.next_turn()
    }

    fn legal_moves_into(&self, out: &mut Vec<Move>) {
        out.clear();
        self.list_moves(out);
    }

    fn count_moves(&self, _: &mut Vec<Move>) -> u64 {
        let mut count = MoveCount::default();
        self.list_moves(&mut count);
        count.0.into()
    }

    /// Picks a move during generation, without building a list.
    fn random_move<R: Rng + ?Sized>(&self, rng: &mut R, _: &mut Vec<Move>) -> Option<Move> {
        let mut pick = RandomPick::new(rng);
        self.list_moves(&mut pick);
        pick.winner
    }

    fn check(&self, m: &Move) -> Result<(), Illegal> {
        self.check_move(m)
    }

    fn play_unchecked(&mut self, m: &Move) {
        let m = self.plainest(m);
        self.play_move(&m);
    }

    fn mover(&self, m: &Move) -> Option<Seat> {
        self.seat_moving(m)
    }

    fn chances_into(&self, out: &mut Vec<(Chance, u32)>) {
        out.clear();
        if self.pending_decision() != PendingDecision::Luck {
            return;
        }
        let each = |cities: Cities, chance: fn(crate::City) -> Chance| {
            cities.into_iter().map(move |c| (chance(c), 1))
        };
        match self.chance_kind() {
            ChanceKind::Infect => out.extend(each(self.infection.top_layer(), Chance::Infect)),
            ChanceKind::Bottom => out.extend(each(self.infection.bottom_layer(), Chance::Bottom)),
            ChanceKind::Look => out.extend(each(self.infection.top_layer(), Chance::Look)),
            ChanceKind::Role => {
                out.extend(self.free_roles().iter().map(|role| (Chance::Role(role), 1)))
            }
            ChanceKind::Deal => {
                out.extend(self.deck.unseen.iter().map(|card| (Chance::Deal(card), 1)))
            }
            ChanceKind::Draw => {
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

    /// Returns the position after a setup in which every chance takes its first possibility, since
    /// counting all setups is infeasible.
    fn perft_root(&self) -> Game {
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
        if self.pending_decision() != PendingDecision::Luck {
            return None;
        }
        match self.chance_kind() {
            ChanceKind::Infect => self.infection.random_top(rng).map(Chance::Infect),
            ChanceKind::Bottom => self.infection.random_bottom(rng).map(Chance::Bottom),
            ChanceKind::Look => self.infection.random_top(rng).map(Chance::Look),
            ChanceKind::Role => {
                let free = self.free_roles();
                let pick = parlor_core::random_below(rng, free.len()) as usize;
                free.iter().nth(pick).map(Chance::Role)
            }
            ChanceKind::Deal => random_card(self.deck.unseen, rng).map(Chance::Deal),
            ChanceKind::Draw => {
                let (_, left, epidemic) = self.deck.pile();
                if epidemic && parlor_core::random_below(rng, u32::from(left)) == 0 {
                    return Some(Chance::Epidemic);
                }
                random_card(self.deck.unseen, rng).map(Chance::Draw)
            }
        }
    }
}

/// Returns a random card of a set.
fn random_card<R: Rng + ?Sized>(cards: Cards, rng: &mut R) -> Option<Card> {
    cards.nth(parlor_core::random_below(rng, cards.len().max(1)))
}

/// Kind of chance that is due.
enum ChanceKind {
    Infect,
    Bottom,
    Look,
    Role,
    Deal,
    Draw,
}

impl Game {
    fn chance_kind(&self) -> ChanceKind {
        match (self.interrupt, self.stage) {
            (Some(Interrupt::Look { .. }), _) => ChanceKind::Look,
            (_, Stage::Setup(step)) if step < SETUP_INFECTIONS => ChanceKind::Infect,
            (_, Stage::Setup(_)) if self.role_seat().is_some() => ChanceKind::Role,
            (_, Stage::Setup(_)) => ChanceKind::Deal,
            (_, Stage::Epidemic) => ChanceKind::Bottom,
            (_, Stage::Draw(_)) => ChanceKind::Draw,
            _ => ChanceKind::Infect,
        }
    }

    /// Returns the roles that can still be dealt.
    fn free_roles(&self) -> Roles {
        let fixed = self.rules.fixed();
        self.roles
            .iter()
            .chain(&fixed)
            .flatten()
            .fold(self.rules.pool(), |free, role| free.without(*role))
    }

    /// Returns the plainest move with the same effect: a shuttle flight or join to a connected city
    /// becomes a drive.
    pub(crate) fn plainest(&self, m: &Move) -> Move {
        let Move::Action(Action::Travel {
            pawn,
            way: Way::Shuttle | Way::Join,
            to,
        }) = *m
        else {
            return *m;
        };
        let by = |way| Action::Travel { pawn, way, to }.into();
        if pawn.number() >= self.rules.players() {
            return *m;
        }
        let here = self.pawn(pawn);
        if here.neighbors().has(to) {
            by(Way::Drive)
        } else if self.stations.has(here) && self.stations.has(to) {
            by(Way::Shuttle)
        } else {
            *m
        }
    }
}
