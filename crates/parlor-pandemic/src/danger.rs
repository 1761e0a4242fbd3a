//! Danger to the cities before the next turn: exact chances of infections and outbreaks.

use crate::game::{Interrupt, MAX_OUTBREAKS, Stage};
use crate::{Cities, City, Color, Cubes, Game};

/// Number of cities.
const CITIES: usize = Cities::ALL.len() as usize;
/// Maximum number of connections of a city.
const MAX_NEIGHBORS: u32 = 6;

/// The chance of each city to be infected, and to have an outbreak, before the next turn begins, if
/// nobody plays an event or acts any more.
///
/// Infections are those of the infection step and of the epidemics that may be drawn before it;
/// outbreaks include those that spread from another city. The chances are exact: over the order of the
/// infection deck's layers, the place of the epidemic in its pile, and the bottom card.
///
/// ```
/// use parlor_core::{Position, Turn};
/// use parlor_pandemic::{Game, Rules};
/// let mut game = Game::new(Rules::new(2, 4).expect("a game of the box"));
/// while game.turn() == Turn::Chance {
///     let first = game.chances()[0].0;
///     game.resolve(&first);
/// }
/// let danger = game.danger();
/// let infected = game.infection().discard();
/// assert!(infected.into_iter().all(|city| danger.infection(city) < 0.04), "an epidemic is needed");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Danger {
    infection: [f64; CITIES],
    outbreak: [f64; CITIES],
}

impl Danger {
    const NONE: Danger = Danger {
        infection: [0.0; CITIES],
        outbreak: [0.0; CITIES],
    };

    /// Returns the chance that a city's card is turned, from 0 to 1.
    pub const fn infection(&self, city: City) -> f64 {
        self.infection[city.index()]
    }

    /// Returns the chance of an outbreak in a city, of any color, from 0 to 1.
    pub const fn outbreak(&self, city: City) -> f64 {
        self.outbreak[city.index()]
    }

    /// Adds the draws of this many player cards, and what follows from them.
    fn add_draws(&mut self, game: &Game, left: u8, chance: f64) {
        if left == 0 {
            return self.add_epidemics(game, Branch::new(chance));
        }
        let epidemic = game.deck.epidemic_chance();
        let mut next = *game;
        if epidemic > 0.0 {
            next.deck.drawn(game.rules, None);
            next.pending += 1;
            self.add_draws(&next, left - 1, chance * epidemic);
        }
        if epidemic < 1.0 {
            next = *game;
            next.deck.count_down(game.rules);
            self.add_draws(&next, left - 1, chance * (1.0 - epidemic));
        }
    }

    /// Adds the epidemics that were drawn, and the infection step after them.
    fn add_epidemics(&mut self, game: &Game, branch: Branch) {
        let mut next = *game;
        if next.pending > 0 {
            next.begin_epidemic();
            self.add_bottom_cards(&next, branch);
        } else if next.quiet_night {
            self.end(branch);
        } else {
            next.infections = next.rate();
            self.add_infections(&next, branch);
        }
    }

    /// Adds the bottom card of an epidemic, and what follows.
    fn add_bottom_cards(&mut self, game: &Game, branch: Branch) {
        let layer = game.infection.bottom_layer();
        for city in layer {
            let (mut next, mut branch) = (*game, branch);
            branch.chance /= f64::from(layer.len());
            self.turn(city, &mut branch);
            branch.outbreaks = branch.outbreaks.or(next.turn_bottom_card(city));
            self.intensify(&next, branch);
        }
    }

    /// Adds the end of an epidemic, and what follows.
    fn intensify(&mut self, game: &Game, branch: Branch) {
        if game.ending.is_some() {
            return self.end(branch);
        }
        let mut next = *game;
        next.infection.intensify();
        self.add_epidemics(&next, branch);
    }

    /// Adds the rest of the infection step.
    ///
    /// Cards that cannot matter to any outbreak are alike within a layer: one of them is turned for all,
    /// which then share its chance.
    fn add_infections(&mut self, game: &Game, branch: Branch) {
        let single = if game.infection.len() < game.infections {
            // Cards that were just turned come again.
            Cities::ALL
        } else {
            relevant(game).or(branch.turned)
        };
        let mut step = Danger::NONE;
        step.add_next_infection(game, single, branch);
        for layer in game.infection.layers() {
            let alike = layer.minus(single);
            let sum: f64 = alike.iter().map(|city| step.infection(city)).sum();
            for city in alike {
                step.infection[city.index()] = sum / f64::from(alike.len());
            }
        }
        for (all, here) in [
            (&mut self.infection, &step.infection),
            (&mut self.outbreak, &step.outbreak),
        ] {
            all.iter_mut()
                .zip(here)
                .for_each(|(all, here)| *all += here);
        }
    }

    /// Adds the next infection card, one of the `single` ones or one for all others of its layer, and
    /// those after it.
    fn add_next_infection(&mut self, game: &Game, single: Cities, branch: Branch) {
        let mut game = *game;
        game.infection.refill();
        let layer = game.infection.top_layer();
        if game.infections == 0 || game.ending.is_some() || layer.is_empty() {
            return self.end(branch);
        }
        game.infections -= 1;
        let one = branch.chance / f64::from(layer.len());
        let alike = layer.minus(single);
        let first = alike.iter().take(1);
        for city in layer.and(single).iter().chain(first) {
            let (mut next, mut branch) = (game, branch);
            next.infection.take_top(city);
            next.infection.discard = next.infection.discard.with(city);
            if single.has(city) {
                branch.chance = one;
                branch.outbreaks = branch.outbreaks.or(next.infect(city));
            } else {
                branch.chance = one * f64::from(alike.len());
            }
            self.turn(city, &mut branch);
            self.add_next_infection(&next, single, branch);
        }
    }

    /// Counts a turned card.
    fn turn(&mut self, city: City, branch: &mut Branch) {
        if !branch.turned.has(city) {
            branch.turned = branch.turned.with(city);
            self.infection[city.index()] += branch.chance;
        }
    }

    /// Counts the outbreaks when the turn or the game has ended.
    fn end(&mut self, branch: Branch) {
        for city in branch.outbreaks {
            self.outbreak[city.index()] += branch.chance;
        }
    }
}

/// Events up to a point in the rest of a turn.
#[derive(Clone, Copy)]
struct Branch {
    /// Chance that it happens.
    chance: f64,
    /// Cities whose cards were turned.
    turned: Cities,
    /// Cities that had an outbreak.
    outbreaks: Cities,
}

impl Branch {
    const fn new(chance: f64) -> Branch {
        Branch {
            chance,
            turned: Cities::NONE,
            outbreaks: Cities::NONE,
        }
    }
}

/// Returns the cities that can be infected in the rest of an infection step and whose infection can
/// matter to an outbreak: because it may cause one, or because it takes a cube that may be lacking.
fn relevant(game: &Game) -> Cities {
    let next = next_cards(game);
    let colors = Color::ALL
        .into_iter()
        .filter(|color| !game.is_eradicated(*color));
    let of_color = |color: Color| {
        let own = next.and(color.cities()).minus(game.protected(color));
        let breaking = may_break_out(game, own, color);
        let outbreaks = breaking.len() * u32::from(game.infections);
        let outbreaks = outbreaks.min(u32::from(MAX_OUTBREAKS - game.outbreaks));
        let cubes = u32::from(game.infections) + outbreaks * MAX_NEIGHBORS;
        if u32::from(game.cubes.supply(color)) < cubes {
            own
        } else {
            own.and(breaking)
        }
    };
    colors.fold(Cities::NONE, |all, color| all.or(of_color(color)))
}

/// Returns the cards that may be turned in the rest of an infection step.
fn next_cards(game: &Game) -> Cities {
    let mut next = Cities::NONE;
    for layer in game.infection.layers() {
        if next.len() >= u32::from(game.infections) {
            break;
        }
        next = next.or(layer);
    }
    next
}

/// Returns at least the cities that may have an outbreak of a color in the rest of an infection step,
/// in which these of the color may be infected.
fn may_break_out(game: &Game, infected: Cities, color: Color) -> Cities {
    let open = Cities::ALL.minus(game.protected(color));
    let mut breaking = Cities::NONE;
    loop {
        let may = |city: &City| {
            // Each turned card can cause one outbreak in each neighbor.
            let spread = city.neighbors().and(breaking).len() * u32::from(game.infections);
            let cubes = u32::from(game.cubes.count(*city, color)) + spread;
            cubes + u32::from(infected.has(*city)) > u32::from(Cubes::MAX_PER_CITY)
        };
        let more: Cities = open.iter().filter(may).collect();
        if more == breaking {
            return breaking;
        }
        breaking = more;
    }
}

impl Game {
    /// Returns what threatens the cities before the next turn, if nobody plays an event or acts any
    /// more. A forecast counts as put back as far as it is, with the other cards in any order; a
    /// request as declined. During the setup and after the end, nothing does.
    pub fn danger(&self) -> Danger {
        let mut danger = Danger::NONE;
        if self.ending.is_some() {
            return danger;
        }
        let mut game = *self;
        match game.interrupt.take() {
            Some(Interrupt::Look { seen, .. }) => game.infection.push(seen),
            Some(Interrupt::Order { seen, placed, .. }) => {
                game.infection.push(seen);
                let placed = placed.iter().rev().flatten();
                placed.for_each(|city| game.infection.push(Cities::one(*city)));
            }
            Some(Interrupt::Consent { .. }) | None => {}
        }
        let now = Branch::new(1.0);
        match game.stage {
            Stage::Setup(_) => {}
            // Too few cards lose the game before any infection.
            Stage::Actions if game.deck.len() < 2 => {}
            Stage::Actions => danger.add_draws(&game, 2, 1.0),
            Stage::Draw(left) => danger.add_draws(&game, left, 1.0),
            Stage::Epidemic => danger.add_bottom_cards(&game, now),
            Stage::Intensify => danger.intensify(&game, now),
            Stage::NextEpidemic => danger.add_epidemics(&game, now),
            Stage::Infect(false) if game.quiet_night => {}
            Stage::Infect(_) | Stage::Infecting => danger.add_infections(&game, now),
        }
        danger
    }
}
