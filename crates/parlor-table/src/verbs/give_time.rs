//! Giving the opponents more time.

use parlor_core::Seat;

use crate::{Issuer, Refusal, Table, TableEvent, Timestamp};

/// Default amount, in seconds.
const DEFAULT: u32 = 15;
/// Maximum amount given at once, in seconds.
const MAXIMUM: u32 = 3_600;
const DAY: u32 = 86_400;

pub(crate) fn give_time(
    table: &mut Table,
    now: Timestamp,
    by: &Issuer,
    seconds: Option<u32>,
) -> Result<(), Refusal> {
    let seat = table.acting_seat(by)?;
    table.ensure_time_left(now)?;
    let clock = table.clock.as_ref().ok_or(Refusal::NoClock)?;
    let seconds = match seconds {
        _ if clock.control().is_correspondence() => DAY,
        None => DEFAULT,
        Some(seconds) if (1..=MAXIMUM).contains(&seconds) => seconds,
        Some(_) => return Err(Refusal::BadTimeGift { max: MAXIMUM }),
    };
    let (full, wanted) = (clock.control().fullest(), i64::from(seconds) * 1_000);
    let held = table.seats_of(by);
    let others = Seat::all(table.position.seats()).filter(|other| !held.contains(other));
    let gifts: Vec<(Seat, i64)> = others
        .map(|to| (to, wanted.min(full - clock.left()[to.index()])))
        .filter(|(_, ms)| *ms > 0)
        .collect();
    if gifts.is_empty() {
        return Err(Refusal::ClockFull);
    }
    for (to, ms) in gifts {
        table.push(now, TableEvent::TimeGiven { seat, to, ms });
    }
    Ok(())
}
