//! Verification of records: replays every move and repeats every draw of luck.

use parlor_core::{Seat, Turn};
use parlor_games::{AnyPosition, GameKind, OutcomeView, bots};
use serde::Serialize;

use crate::lag::LagQuota;
use crate::luck::TEXT_LIMIT;
use crate::{
    EndReason, Ending, HandoverReason, Record, RecordStep, RecordedHandover, RecordedLuck, Secret,
    TableId, Timestamp,
};

/// Result of verifying a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VerificationReport {
    /// Number of moves replayed.
    pub moves: usize,
    /// Number of chances in the record.
    pub draws: usize,
    /// True if the draws could be repeated, that is, the game has luck and the record contains its
    /// secret.
    pub luck_checked: bool,
    /// Problems found; empty if the record is valid.
    pub problems: Vec<RecordProblem>,
}

/// Problem in a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordProblem {
    /// Index of the step in the log, from 0; `None` if the problem concerns the whole record.
    pub step: Option<usize>,
    /// Stable name of the violated rule, for programs.
    pub rule: &'static str,
    /// Description of the problem.
    pub message: String,
}

impl VerificationReport {
    /// Returns true if no problem was found.
    pub fn is_valid(&self) -> bool {
        self.problems.is_empty()
    }

    fn note(&mut self, step: Option<usize>, rule: &'static str, message: impl Into<String>) {
        self.problems.push(RecordProblem {
            step,
            rule,
            message: message.into(),
        });
    }
}

/// Replays a record and repeats its draws of luck.
///
/// Stops at the first step that cannot be played.
pub fn verify(record: &Record) -> VerificationReport {
    let mut report = VerificationReport {
        moves: 0,
        draws: 0,
        luck_checked: false,
        problems: Vec::new(),
    };
    if record.format != Record::FORMAT {
        report.note(
            None,
            "format",
            format!(
                "the format is {:?}, not {:?}",
                record.format,
                Record::FORMAT
            ),
        );
        return report;
    }
    let table = record.table.parse::<TableId>();
    if let Err(error) = &table {
        report.note(None, "table", error.to_string());
    }
    let start = GameKind::from_name(&record.game)
        .map_err(|error| ("game", error.to_string()))
        .and_then(|kind| {
            kind.start(&record.options)
                .map_err(|error| ("options", error.to_string()))
        });
    let mut position = match start {
        Ok(position) => position,
        Err((rule, message)) => {
            report.note(None, rule, message);
            return report;
        }
    };
    let (named, seats) = (record.players.len(), usize::from(position.seats()));
    if named != seats {
        let message = format!("the record names {named} players, but the game has {seats} seats");
        report.note(None, "players", message);
    }
    // Each draw reads the texts: their length bounds the work.
    let is_long = |text: &String| text.chars().count() > TEXT_LIMIT;
    if let Some(luck) = &record.luck
        && (luck.texts.len() > seats || luck.texts.iter().any(is_long))
    {
        let message =
            format!("there is a luck text for each seat, of at most {TEXT_LIMIT} characters");
        report.note(None, "texts", message);
        return report;
    }
    let secret = secret(record.luck.as_ref(), record.ending.is_some(), &mut report);
    let dice = secret.zip(table.ok()).zip(record.luck.as_ref());
    report.luck_checked = dice.is_some();
    for (index, step) in record.log.iter().enumerate() {
        let expected = dice.as_ref().map(|((secret, table), luck)| DrawInputs {
            secret,
            table: *table,
            texts: &luck.texts,
        });
        if !follow(&mut position, index, step, expected, &mut report) {
            return report;
        }
    }
    end(&position, record, &mut report);
    check_handovers(&position, record, &mut report);
    check_lags(record, &mut report);
    report
}

/// Checks that no more was allowed for the delay of the network than a seat's quota had and its turn took,
/// and that there are clocks that allow for it, and a network.
fn check_lags(record: &Record, report: &mut VerificationReport) {
    let start = record.clock.and_then(LagQuota::new);
    let mut quotas = vec![start; record.players.len()];
    let mut before: Option<Timestamp> = None;
    for (index, step) in record.log.iter().enumerate() {
        // The first player may have been ready long before the first move.
        let at = step.at();
        let passed = before.map_or(i64::MAX, |before| {
            at.millis().saturating_sub(before.millis())
        });
        before = Some(at);
        let (Some(seat), lag) = (step.mover(), step.lag()) else {
            continue;
        };
        let allowed = lag.map_or(0, |lag| i64::from(lag.allowed_ms()));
        let quota = quotas.get_mut(seat.index()).and_then(Option::as_mut);
        let is_measured = quota.is_some() && !is_house_bot(record, seat);
        let mut most = 0;
        if let Some(quota) = quota {
            most = quota.left_ms().min(passed.max(0));
            *quota = quota.after_move(allowed);
        }
        if allowed > most || lag.is_some() && !is_measured {
            let message = format!(
                "seat {seat} is allowed {allowed} ms for the delay of the network, but could get {most} ms at most"
            );
            report.note(Some(index), "lag", message);
            return;
        }
    }
}

/// Returns true if one of the house's bots played in a seat for the whole game.
fn is_house_bot(record: &Record, seat: Seat) -> bool {
    let player = record.players.get(seat.index());
    player.is_some_and(|player| {
        player.kind == "bot" && player.owner.is_none() && player.stands_in_for.is_none()
    })
}

/// Checks that the changes of the players follow from each other, and lead to those at the end.
fn check_handovers(position: &AnyPosition, record: &Record, report: &mut VerificationReport) {
    check_stand_ins(position, record, report);
    check_times_of_handovers(record, report);
    check_clock(record, report);
    let mut gone: Vec<Option<(&str, &str)>> = vec![None; record.players.len()];
    let mut before = 0;
    for handover in &record.handovers {
        let RecordedHandover {
            step,
            seat,
            why,
            name,
            bot,
            ..
        } = handover;
        let (place, bot) = (gone.get_mut(usize::from(*seat)), bot.as_deref());
        let is_in_order = (before..=record.log.len()).contains(step);
        before = *step;
        let follows = place.is_some_and(|place| {
            let is_same = place.is_some_and(|(gone, _)| gone == name);
            *place = bot.map(|bot| (name.as_str(), bot));
            match why {
                HandoverReason::Resigned | HandoverReason::Away => !is_same && bot.is_some(),
                HandoverReason::Time => bot.is_some(),
                HandoverReason::Chosen => is_same && bot.is_some(),
                HandoverReason::Returned => is_same && bot.is_none(),
            }
        });
        if !is_in_order || !follows {
            let message = format!("the change of seat {seat} after step {step} does not follow");
            report.note(None, "handovers", message);
            return;
        }
    }
    for (player, gone) in record.players.iter().zip(gone) {
        let told = player.stands_in_for.as_deref();
        let plays = player.name.as_deref().unwrap_or_default();
        let is_so = match gone {
            Some((name, bot)) => player.kind == "bot" && told == Some(name) && plays == bot,
            None => told.is_none(),
        };
        if !is_so {
            let message = format!(
                "the changes of the players do not lead to the player of seat {}",
                player.seat
            );
            report.note(None, "handovers", message);
        }
    }
}

/// Checks that there are such bots as those that took seats over.
fn check_stand_ins(position: &AnyPosition, record: &Record, report: &mut VerificationReport) {
    for handover in &record.handovers {
        let bot = handover.bot.as_deref();
        if let Some(Err(error)) = bot.map(|bot| bots::check(position, bot)) {
            let message = format!("seat {} is handed over to no bot: {error}", handover.seat);
            report.note(None, "handovers", message);
            return;
        }
    }
}

/// Checks that each change of a player comes after the one before and the steps before, and not after
/// the next step.
fn check_times_of_handovers(record: &Record, report: &mut VerificationReport) {
    let mut before: Option<Timestamp> = None;
    for handover in &record.handovers {
        let at = Some(handover.at);
        let played = handover.step.checked_sub(1).and_then(|n| record.log.get(n));
        let next = record.log.get(handover.step).map(RecordStep::at);
        let is_early = at < before.max(played.map(RecordStep::at));
        if is_early || next.is_some_and(|next| next < handover.at) {
            let message = format!(
                "the change of seat {} after step {} has a time that runs backwards",
                handover.seat, handover.step
            );
            report.note(None, "handovers", message);
            return;
        }
        before = at;
    }
}

/// Checks that seats ran out of time only at a table with clocks, which one with luck by hand never is.
fn check_clock(record: &Record, report: &mut VerificationReport) {
    let by_hand = record.luck.as_ref().is_some_and(|luck| luck.by_hand);
    let has_clock = record.clock.is_some() && !by_hand;
    let mut handovers = record.handovers.iter();
    let late = handovers.find(|handover| handover.why == HandoverReason::Time);
    if let Some(handover) = late.filter(|_| !has_clock) {
        let message = format!(
            "seat {} is handed over because of time, but the table has no clocks",
            handover.seat
        );
        report.note(None, "handovers", message);
    }
}

/// Inputs of a draw.
struct DrawInputs<'a> {
    secret: &'a Secret,
    table: TableId,
    texts: &'a [String],
}

fn secret(
    luck: Option<&RecordedLuck>,
    over: bool,
    report: &mut VerificationReport,
) -> Option<Secret> {
    let luck = luck.filter(|luck| !luck.by_hand)?;
    let Some(text) = &luck.secret else {
        if over {
            report.note(
                None,
                "secret",
                "the game is over, but the secret of its luck is not shown",
            );
        }
        return None;
    };
    let secret = Secret::from_hex(text);
    match &secret {
        None => report.note(None, "secret", "the secret is not 64 hexadecimal digits"),
        Some(secret) if Some(secret.commitment()) != luck.commitment => {
            report.note(
                None,
                "commitment",
                "the secret is not the one that was committed to before the game",
            );
        }
        Some(_) => {}
    }
    secret
}

fn follow(
    position: &mut AnyPosition,
    index: usize,
    step: &RecordStep,
    dice: Option<DrawInputs<'_>>,
    report: &mut VerificationReport,
) -> bool {
    let at = Some(index);
    match step {
        RecordStep::Move { seat, text, .. } => {
            report.moves += 1;
            let played = Seat::new(*seat)
                .map_err(|error| error.to_string())
                .and_then(|seat| position.play(text, seat).map_err(|error| error.to_string()));
            match played {
                Ok(_) => true,
                Err(reason) => {
                    report.note(
                        at,
                        "move",
                        format!("seat {seat} cannot play {text}: {reason}"),
                    );
                    false
                }
            }
        }
        RecordStep::Chance { n, chance, .. } => {
            if usize::try_from(*n) != Ok(report.draws) {
                report.note(
                    at,
                    "order",
                    format!(
                        "draw number {n} stands where number {} belongs",
                        report.draws
                    ),
                );
            }
            report.draws += 1;
            check_draw(position, at, *n, chance, dice, report);
            match position.resolve(chance) {
                Ok(()) => true,
                Err(reason) => {
                    report.note(at, "chance", format!("{chance} cannot come up: {reason}"));
                    false
                }
            }
        }
    }
}

fn check_draw(
    position: &AnyPosition,
    at: Option<usize>,
    n: u32,
    chance: &str,
    dice: Option<DrawInputs<'_>>,
    report: &mut VerificationReport,
) {
    let Some(DrawInputs {
        secret,
        table,
        texts,
    }) = dice
    else {
        return;
    };
    let chances = position.chances();
    let weights: Vec<u32> = chances.iter().map(|(_, weight)| *weight).collect();
    let drawn = secret
        .draw(table, texts, n, &weights)
        .map(|index| chances[index].0.as_str());
    if drawn.is_some_and(|drawn| drawn != chance) {
        let drawn = drawn.unwrap_or_default();
        report.note(
            at,
            "luck",
            format!("the record says {chance}, but the secret draws {drawn}"),
        );
    }
}

fn end(position: &AnyPosition, record: &Record, report: &mut VerificationReport) {
    if position.text() != record.position {
        report.note(
            None,
            "position",
            format!(
                "the log leads to {:?}, not to {:?}",
                position.text(),
                record.position
            ),
        );
    }
    let by_rules = record
        .ending
        .filter(|ending| ending.how == EndReason::Rules);
    match (position.turn(), by_rules) {
        (Turn::Over(outcome), Some(ending)) if ending.outcome != Some(outcome.into()) => {
            report.note(
                None,
                "ending",
                "the record names another outcome than the rules",
            );
        }
        (Turn::Over(_), None) => report.note(
            None,
            "ending",
            "the game is over by the rules, but the record does not say so",
        ),
        (Turn::Move(_) | Turn::Chance, Some(_)) => {
            report.note(
                None,
                "ending",
                "the record says that the game is over by the rules, but it is not",
            );
        }
        _ => {}
    }
    if let Some(ending) = record.ending
        && matches!(ending.how, EndReason::Resignation | EndReason::Time)
        && !fits_departure(position, ending)
    {
        report.note(
            None,
            "ending",
            "the game cannot end so by resignation or on time",
        );
    }
}

/// Returns true if a game can have ended so because somebody resigned or ran out of time. A team loses
/// then; records from before there were teams name no outcome.
fn fits_departure(position: &AnyPosition, ending: Ending) -> bool {
    if position.kind().is_cooperative() {
        return matches!(ending.outcome, None | Some(OutcomeView::TeamLost));
    }
    match ending.outcome {
        Some(OutcomeView::Won { seat, .. }) => {
            // A clock runs for the seat on turn; either of two players may resign.
            let is_late = ending.how == EndReason::Time
                && position.turn().seat().map(Seat::number) == Some(seat);
            position.seats() == 2 && seat < 2 && !is_late
        }
        // A larger game has no winner once only bots are left.
        None => position.seats() != 2,
        Some(_) => false,
    }
}
