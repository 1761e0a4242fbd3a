//! SQL statements of a batch: few distinct lengths, none too long.

use sea_orm::sea_query::{Expr, OnConflict, Query};
use sea_orm::{ConnectionTrait, DbErr};

use crate::entity::{event, person, player, table};
use crate::transaction::Transaction;

/// Maximum text size of one event, column or statement, in bytes: below the packet limit of every
/// server's default settings.
pub(crate) const MAX_TEXT: usize = 4 << 20;
/// Maximum number of rows per statement, as long as their texts stay below [`MAX_TEXT`].
const MAX_ROWS: usize = 500;
/// Maximum number of ids that a query names.
pub(crate) const MAX_IDS: usize = 1_000;

/// Writes rows of tables: new ones, or existing ones if `replace`. Replacing leaves out columns
/// that never change where the database allows it.
pub(crate) async fn write_tables(
    transaction: &Transaction,
    rows: Vec<table::Model>,
    replace: bool,
) -> Result<(), DbErr> {
    use table::Column::*;
    const ALWAYS: [table::Column; 15] = [
        Id, Game, Options, CreatedAt, Status, Listed, Version, Seats, Summary, UpdatedAt, DueAt,
        Turn, Result, Rated, MadeFrom,
    ];
    /// Columns that never change.
    const ONCE: [table::Column; 3] = [Secret, OptionsHash, InLobby];
    let size = |row: &table::Model| {
        row.seats.len() + row.options.len() + row.summary.as_ref().map_or(0, String::len)
    };
    for rows in chunks(rows, size) {
        let mut insert = Query::insert();
        let only_new: &[table::Column] = if replace { &[] } else { &ONCE };
        insert
            .into_table(table::Entity)
            .columns(ALWAYS.iter().chain(only_new).copied());
        for row in rows {
            let mut values = vec![
                Expr::from(row.id),
                row.game.into(),
                row.options.into(),
                row.created_at.into(),
                row.status.into(),
                row.listed.into(),
                row.version.into(),
                row.seats.into(),
                row.summary.into(),
                row.updated_at.into(),
                row.due_at.into(),
                row.turn.into(),
                row.result.into(),
                row.rated.into(),
                row.made_from.into(),
            ];
            if !replace {
                values.extend([
                    row.secret.into(),
                    row.options_hash.into(),
                    row.in_lobby.into(),
                ]);
            }
            insert.values_panic(values);
        }
        if replace {
            insert.on_conflict(
                OnConflict::column(Id)
                    .update_columns(ALWAYS[4..].iter().copied())
                    .to_owned(),
            );
        }
        transaction.execute(&insert).await?;
    }
    Ok(())
}

pub(crate) async fn write_events(
    transaction: &Transaction,
    events: Vec<&event::Model>,
) -> Result<(), DbErr> {
    use event::Column::*;
    for events in chunks(events, |event| event.body.len()) {
        let mut insert = Query::insert();
        insert
            .into_table(event::Entity)
            .columns([TableId, Version, At, Body]);
        for event in events {
            insert.values_panic([
                Expr::from(event.table_id),
                event.version.into(),
                event.at.into(),
                event.body.as_str().into(),
            ]);
        }
        transaction.execute(&insert).await?;
    }
    Ok(())
}

pub(crate) async fn write_players(
    transaction: &Transaction,
    rows: Vec<&player::Model>,
) -> Result<(), DbErr> {
    use player::Column::*;
    for rows in chunks(rows, |_| 0) {
        let mut insert = Query::insert();
        insert
            .into_table(player::Entity)
            .columns([TableId, UserId, Role]);
        for row in rows {
            insert.values_panic([
                Expr::from(row.table_id),
                row.user_id.into(),
                row.role.as_str().into(),
            ]);
        }
        transaction.execute(&insert).await?;
    }
    Ok(())
}

pub(crate) async fn write_people(
    transaction: &Transaction,
    rows: Vec<&person::Model>,
) -> Result<(), DbErr> {
    use person::Column::*;
    for rows in chunks(rows, |_| 0) {
        let mut insert = Query::insert();
        insert.into_table(person::Entity).columns([TableId, Person]);
        for row in rows {
            insert.values_panic([Expr::from(row.table_id), row.person.into()]);
        }
        transaction.execute(&insert).await?;
    }
    Ok(())
}

/// Splits rows into chunks that fit into one statement each. `size` returns the size of a row's
/// texts in bytes.
pub(crate) fn chunks<T>(
    mut rows: Vec<T>,
    size: impl Fn(&T) -> usize,
) -> impl Iterator<Item = Vec<T>> {
    std::iter::from_fn(move || {
        if rows.is_empty() {
            return None;
        }
        let mut bytes = 0;
        let fits = |size: &usize| {
            bytes += size;
            bytes <= MAX_TEXT
        };
        let fitting = rows
            .iter()
            .take(MAX_ROWS)
            .map(&size)
            .take_while(fits)
            .count();
        let rest = rows.split_off(rounded_length(fitting.max(1)));
        Some(std::mem::replace(&mut rows, rest))
    })
}

/// Returns the ids sorted and without duplicates, with the last one repeated until their number is
/// one that [`rounded_length`] returns.
pub(crate) fn padded_ids<Id: Ord + Clone>(mut ids: Vec<Id>) -> Vec<Id> {
    ids.sort_unstable();
    ids.dedup();
    while let Some(last) = ids.last().cloned()
        && rounded_length(ids.len()) < ids.len()
    {
        ids.push(last);
    }
    ids
}

/// Rounds a length down to its three highest bits. Statements are prepared once per length, which
/// takes a server far longer than running them: with a few dozen lengths instead of hundreds they
/// stay prepared.
fn rounded_length(length: usize) -> usize {
    let low_bits = (usize::BITS - length.leading_zeros()).saturating_sub(3);
    length >> low_bits << low_bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_lose_nothing_and_come_in_few_lengths() {
        for count in [0, 1, 2, 9, 499, 500, 501, 1_234] {
            let cut: Vec<Vec<usize>> = chunks((0..count).collect(), |_| 1).collect();
            assert_eq!(cut.concat(), (0..count).collect::<Vec<_>>());
            assert!(
                cut.iter()
                    .all(|rows| rounded_length(rows.len()) == rows.len()
                        && (1..=MAX_ROWS).contains(&rows.len()))
            );
        }
        let large = chunks(vec![1, 2, 3, 4], |_| MAX_TEXT / 2);
        assert_eq!(large.collect::<Vec<_>>(), [[1, 2], [3, 4]]);
        let larger = chunks(vec![1, 2], |_| MAX_TEXT * 2);
        assert_eq!(
            larger.collect::<Vec<_>>(),
            [[1], [2]],
            "what is too long goes alone"
        );
    }

    #[test]
    fn padding_repeats_the_last_value_and_no_other() {
        assert_eq!(padded_ids(vec![3, 1, 2, 3]), [1, 2, 3]);
        assert_eq!(
            padded_ids((1..=9).rev().collect()),
            [1, 2, 3, 4, 5, 6, 7, 8, 9, 9]
        );
        assert_eq!(padded_ids(Vec::<i64>::new()), [0; 0]);
    }
}
