//! Chances in words.

use parlor_core::{Notation, Position};
use parlor_pandemic::{
    Chance, Cities, City, Color, Cubes, Game, Interrupt, MAX_OUTBREAKS, PandemicEnding, Role, Stage,
};

use super::{count, list, the};

/// Returns a chance in words, from its text alone.
pub(in crate::pandemic) fn chance(game: &Game, text: &str) -> String {
    match game.parse_chance(text) {
        Ok(Chance::Infect(city)) => format!("infection card {city}"),
        Ok(Chance::Bottom(city)) => format!("epidemic in {city}"),
        Ok(Chance::Look(city)) => format!("the forecast shows {city}"),
        Ok(Chance::Role(role)) => format!("role {role}"),
        Ok(Chance::Deal(card)) => format!("dealt {card}"),
        Ok(Chance::Draw(card)) => format!("drawn {card}"),
        Ok(Chance::Epidemic) => "drawn: an epidemic".to_owned(),
        Err(_) => text.to_owned(),
    }
}

/// Returns the heading of the possible chances.
pub(in crate::pandemic) fn chances_title(game: &Game) -> &'static str {
    match (game.interrupt(), game.chances().first()) {
        (Some(Interrupt::Look { .. }), _) => "Infection cards of a forecast",
        (_, Some((Chance::Bottom(_), _))) => "Infection cards of an epidemic",
        (_, Some((Chance::Infect(_) | Chance::Look(_), _))) => "Infection cards",
        (_, Some((Chance::Role(_), _))) => "Roles",
        _ => "Player cards",
    }
}

/// Narrates a chance with its consequences, from the position before it.
pub(in crate::pandemic) fn narrate(before: &Game, text: &str) -> String {
    let Ok(chance) = before.parse_chance(text) else {
        return text.to_owned();
    };
    let mut after = *before;
    if after.try_resolve(&chance).is_err() {
        return self::chance(before, text);
    }
    let mut words = match chance {
        Chance::Infect(city) if before.is_set_up() => infected(before, &after, city),
        Chance::Infect(city) => {
            let cubes = after.cubes().count(city, city.color());
            format!(
                "{city} begins with {}",
                count(cubes, &format!("{} cube", city.color()))
            )
        }
        Chance::Bottom(city) => format!("epidemic: {}", infected(before, &after, city)),
        Chance::Role(role) => {
            let seat = after.seat_of(role).map_or(0, |seat| seat.number());
            format!("player {} is the {role}", seat + 1)
        }
        Chance::Deal(card) => {
            let seat = before
                .rules()
                .seats()
                .find(|seat| after.hand(*seat).has(card))
                .unwrap_or(before.active());
            format!("{} is dealt {card}", the(&after, seat))
        }
        Chance::Draw(card) => format!("{} draws {card}", the(before, before.active())),
        Chance::Epidemic => format!("{} draws an epidemic", the(before, before.active())),
        Chance::Look(_) => self::chance(before, text),
    };
    words.push_str(&rate(before, &after));
    words.push_str(quiet(before, &after));
    words
}

/// Describes the first step of an epidemic, which raises the infection rate.
pub(in crate::pandemic) fn rate(before: &Game, after: &Game) -> String {
    match (
        after.epidemics() > before.epidemics(),
        after.rate() > before.rate(),
    ) {
        (false, _) => String::new(),
        (true, true) => format!("; the infection rate rises to {}", after.rate()),
        (true, false) => format!("; the infection rate stays {}", after.rate()),
    }
}

/// Reports that the infection step is skipped.
pub(in crate::pandemic) fn quiet(before: &Game, after: &Game) -> &'static str {
    let passed = before.quiet_night() && !after.quiet_night() && after.stage() == Stage::Actions;
    if passed {
        "; a quiet night: no infection card is turned"
    } else {
        ""
    }
}

/// Narrates an infection card with its outbreaks.
fn infected(before: &Game, after: &Game, city: City) -> String {
    let color = city.color();
    if before.is_eradicated(color) {
        return format!("{city} gets no cube, {color} is eradicated");
    }
    if let Some(guard) = guard(before, city, color) {
        return format!("{city} gets no cube, the {guard} protects it");
    }
    let had = before.cubes().count(city, color);
    let is_epidemic = before.stage() == Stage::Epidemic;
    let wanted = if is_epidemic {
        Cubes::MAX_PER_CITY - had
    } else {
        1
    };
    let cubes = if wanted == 1 {
        format!("a {color} cube")
    } else {
        format!("{wanted} {color} cubes")
    };
    let breaks_out = if is_epidemic {
        had > 0
    } else {
        had == Cubes::MAX_PER_CITY
    };
    if !breaks_out {
        return match after.ending() {
            Some(PandemicEnding::Cubes(_)) => format!("{city} needs {cubes}, which are not left"),
            _ if had > 0 => format!("{city} gets {cubes} and has {}", had + wanted),
            _ => format!("{city} gets {cubes}"),
        };
    }
    let outbreak = outbreak(before, after, city);
    if is_epidemic && wanted > 0 {
        format!("{city} gets {cubes}, and then {outbreak}")
    } else {
        outbreak
    }
}

fn outbreak(before: &Game, after: &Game, city: City) -> String {
    let color = city.color();
    let chain = chain(before, city, color);
    let mut words = format!(
        "outbreak in {}",
        chain
            .iter()
            .map(|city| city.name())
            .collect::<Vec<_>>()
            .join(", then in ")
    );
    let gained = |other: &City| {
        let more = after
            .cubes()
            .count(*other, color)
            .saturating_sub(before.cubes().count(*other, color));
        if *other == city { 0 } else { more }
    };
    let names = City::all()
        .filter(|city| gained(city) > 0)
        .map(|city| match gained(&city) {
            1 => city.name().to_owned(),
            more => format!("{city} ({more})"),
        });
    let names: Vec<String> = names.collect();
    if !names.is_empty() {
        words.push_str(&format!(": {color} cubes in {}", list(names)));
    }
    match after.ending() {
        Some(PandemicEnding::Cubes(_)) => {
            words.push_str(&format!("; more {color} cubes are needed than are left"))
        }
        _ => words.push_str(&format!(
            "; {} so far",
            count(after.outbreaks(), "outbreak")
        )),
    }
    words
}

/// Returns the cities of a chain of outbreaks, in the order in which they are resolved. The chain
/// ends at the eighth outbreak and when cubes run out.
pub(in crate::pandemic) fn chain(before: &Game, city: City, color: Color) -> Vec<City> {
    let (mut cubes, safe) = (
        City::all()
            .map(|city| before.cubes().count(city, color))
            .collect::<Vec<_>>(),
        before.protected(color),
    );
    let mut supply = before.cubes().supply(color);
    let (mut waiting, mut begun, mut chain) = (Cities::one(city), Cities::one(city), Vec::new());
    while let Some(next) = waiting.into_iter().next() {
        waiting = waiting.without(next);
        chain.push(next);
        let hit = next.neighbors().minus(safe).minus(begun);
        // Some cities become full only earlier in the same chain.
        let full: Cities = hit
            .into_iter()
            .filter(|city| cubes[city.index()] == Cubes::MAX_PER_CITY)
            .collect();
        let gaining = hit.minus(full);
        let is_last = before.outbreaks() + chain.len() as u8 >= MAX_OUTBREAKS;
        let Some(left) = supply.checked_sub(gaining.len() as u8).filter(|_| !is_last) else {
            break;
        };
        supply = left;
        gaining
            .into_iter()
            .for_each(|city| cubes[city.index()] += 1);
        (waiting, begun) = (waiting.or(full), begun.or(full));
    }
    chain
}

/// Returns the role that keeps cubes of a color out of a city.
fn guard(game: &Game, city: City, color: Color) -> Option<Role> {
    let stands = |role: Role| game.seat_of(role).map(|seat| game.pawn(seat));
    let near = |pawn: &City| *pawn == city || pawn.neighbors().has(city);
    if stands(Role::QuarantineSpecialist)
        .as_ref()
        .is_some_and(near)
    {
        return Some(Role::QuarantineSpecialist);
    }
    (game.is_cured(color) && stands(Role::Medic) == Some(city)).then_some(Role::Medic)
}
