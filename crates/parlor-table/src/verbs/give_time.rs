//! Giving the other side more time.

use crate::{By, Event, Refused, Table, Timestamp};

/// What is given when it is not said how much, in seconds.
const USUAL: u32 = 15;
/// The most that may be given at once, in seconds.
const MOST: u32 = 3_600;
const DAY: u32 = 86_400;

pub(crate) fn give_time(
    table: &mut Table,
    now: Timestamp,
    by: &By,
    seconds: Option<u32>,
) -> Result<(), Refused> {
    let seat = table.seat_of(by)?;
    table.must_be_playing(now)?;
    let clock = table.clock.as_ref().ok_or(Refused::NoClock)?;
    let seconds = match seconds {
        _ if clock.control().is_correspondence() => DAY,
        None => USUAL,
        Some(seconds) if (1..=MOST).contains(&seconds) => seconds,
        Some(_) => return Err(Refused::BadGift { most: MOST }),
    };
    let held = table.held(by);
    let others =
        parlor_core::Seat::all(table.position.seats()).filter(|other| !held.contains(other));
    for to in others.collect::<Vec<_>>() {
        table.push(
            now,
            Event::TimeGiven {
                seat,
                to,
                ms: i64::from(seconds) * 1_000,
            },
        );
    }
    Ok(())
}
