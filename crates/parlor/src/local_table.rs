//! Tables of one process: their time, luck and bots.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use parlor_bots::Crew;
use parlor_core::Seat;
use parlor_games::bots::{self, Bot};
use parlor_games::{AnyPosition, GameKind};
use parlor_table::{Player, Secret, Table, TableId, Timestamp};
use serde_json::{Value, json};

use crate::error::CommandError;

/// Returns the system's time.
pub fn now() -> Timestamp {
    let millis = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |elapsed| elapsed.as_millis());
    Timestamp::from_millis(i64::try_from(millis).unwrap_or(i64::MAX))
}

/// Source of the luck, the table's id and the bots' seeds.
pub struct Randomness {
    secret: [u8; 32],
    seed: Option<u64>,
}

impl Randomness {
    /// Creates a source from a seed, or from the system's random numbers.
    ///
    /// # Errors
    /// If there is no seed and the system has no random numbers.
    pub fn new(seed: Option<u64>) -> Result<Randomness, CommandError> {
        let mut secret = [0; 32];
        match seed {
            Some(seed) => secret[..8].copy_from_slice(&seed.to_be_bytes()),
            None => getrandom::fill(&mut secret).map_err(|error| {
                CommandError::Other(format!("no random numbers from the system: {error}"))
            })?,
        }
        Ok(Randomness { secret, seed })
    }

    /// Returns the secret that the table's luck is drawn from.
    pub fn secret(&self) -> Secret {
        Secret::new(self.secret)
    }

    /// Returns the table's id. It is part of every draw, so a seed determines it as well.
    pub fn table_id(&self, now: Timestamp) -> TableId {
        let fixed = self
            .seed
            .and_then(|seed| TableId::new(seed & TableId::MAX).ok());
        fixed.unwrap_or_else(|| TableId::fresh(now, getrandom::u64().unwrap_or_default()))
    }

    /// Returns the seed of a bot, which is independent of the secret: a bot must not foresee luck.
    fn bot_seed(&self, seat: Seat) -> u64 {
        let base = self
            .seed
            .or_else(|| getrandom::u64().ok())
            .unwrap_or_default();
        base.wrapping_add(u64::from(seat.number()))
    }
}

/// Returns the start of a game and its options. The number of seats is that of the named players, if
/// the game allows it and the options do not say otherwise; 0 leaves it as it is.
///
/// # Errors
/// If the options are invalid.
pub fn start(
    game: GameKind,
    options: &Value,
    players: usize,
) -> Result<(AnyPosition, Value), CommandError> {
    let start = game.start(options).map_err(CommandError::other)?;
    let schema = game.options_schema();
    let seat_option = ["seats", "players"]
        .into_iter()
        .find(|option| schema["properties"][option].is_object());
    let is_set = seat_option
        .into_iter()
        .chain(["symbols"])
        .any(|option| options.get(option).is_some());
    let fits = players == 0 || players == usize::from(start.seats());
    let Some(seat_option) = seat_option.filter(|_| !fits && !is_set) else {
        return Ok((start, options.clone()));
    };
    let mut seated = if options.is_null() {
        json!({})
    } else {
        options.clone()
    };
    seated[seat_option] = players.into();
    // If the game cannot have that many players, its default reports the mismatch.
    Ok(match game.start(&seated) {
        Ok(start) => (start, seated),
        Err(_) => (start, options.clone()),
    })
}

/// Builds the bots of a table, by seat; `None` for the seats of people.
///
/// # Errors
/// If a bot cannot play the game.
pub fn bots(
    table: &Table,
    random: &Randomness,
    crew: &Arc<impl Crew + 'static>,
) -> Result<Vec<Option<Box<dyn Bot>>>, CommandError> {
    let position = table.position();
    let bot = |seat: Seat| match &table.players()[seat.index()] {
        Player::Bot { spec } => {
            let bot = bots::bot_with_crew(position, spec, random.bot_seed(seat), crew.clone());
            bot.map(Some).map_err(CommandError::other)
        }
        Player::Open | Player::Human { .. } => Ok(None),
    };
    Seat::all(position.seats()).map(bot).collect()
}
