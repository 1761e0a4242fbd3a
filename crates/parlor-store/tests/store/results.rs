//! Results of games in ratings and records: counted once, even under races.

use std::sync::Arc;

use futures::future::{join, join_all};
use parlor_store::{
    Append, Ban, DeclaredLevel, GameScores, NewStoredTable, RatingChange, RowStatus, RowUpdate,
    Score, Standing, Store, StoreError, User,
};

use crate::accounts::line;
use crate::databases::Database;
use crate::story::{moved, opened};

const GAME: &str = "ultimate";

pub async fn run(database: Arc<Database>) {
    let store = Store::open(&database.url).await.unwrap();
    let second = Store::open(&database.url).await.unwrap();
    let levels = [
        DeclaredLevel::Undeclared,
        DeclaredLevel::Undeclared,
        DeclaredLevel::Beginner,
        DeclaredLevel::Strong,
        DeclaredLevel::Undeclared,
    ];
    for (id, level) in (1..).zip(levels) {
        store
            .create_user(User {
                level,
                ..User::new(id, format!("user{id}"), 0)
            })
            .await
            .unwrap();
    }
    the_end_of_a_game_changes_both_ratings(&store).await;
    the_same_end_is_counted_once(&store, &second).await;
    a_refused_end_changes_no_rating(&store).await;
    only_rated_games_of_two_change_ratings(&store).await;
    a_recreated_table_is_not_counted_again(&store).await;
    ends_in_one_batch_are_counted_in_sequence(&store).await;
    two_stores_with_the_same_accounts_lose_no_result(&store, &second).await;
    first_games_that_end_at_once_in_two_stores_give_one_standing(&store, &second).await;
    the_leaderboard_goes_by_rating_then_name(&store).await;
    a_variant_begins_with_the_ratings_of_its_game(&store).await;
    second.close().await;
    store.close().await;
}

fn scores(rated: bool, players: &[(i64, Score)]) -> GameScores {
    GameScores {
        game: GAME.into(),
        rated,
        players: players.to_vec(),
    }
}

fn won(winner: i64, loser: i64) -> GameScores {
    scores(true, &[(winner, Score::Win), (loser, Score::Loss)])
}

/// Returns the end of a game that is at version 1.
fn end(id: i64, scores: GameScores) -> Append {
    let update = RowUpdate {
        status: Some(RowStatus::Over),
        ..RowUpdate::default()
    };
    Append {
        update,
        scores: Some(scores),
        ..Append::new(id, vec![moved(2)])
    }
}

async fn open(store: &Store, ids: impl Iterator<Item = i64>) {
    let new = |id| NewStoredTable {
        rated: true,
        game: GAME.into(),
        ..opened(id)
    };
    join_all(ids.map(|id| store.create(new(id))))
        .await
        .into_iter()
        .for_each(Result::unwrap);
}

async fn standing(store: &Store, user: i64) -> Standing {
    store
        .rating(user, GAME)
        .await
        .unwrap()
        .map_or_else(Standing::default, |rating| rating.standing)
}

async fn elo(store: &Store, user: i64) -> i32 {
    standing(store, user).await.elo
}

async fn the_end_of_a_game_changes_both_ratings(store: &Store) {
    assert_eq!(store.rating(1, GAME).await.unwrap(), None);
    assert_eq!(store.ratings_of(1).await.unwrap(), []);
    open(store, 1..3).await;
    store.append(end(1, won(1, 2))).await.unwrap();
    let [first, second] = [1, 2].map(|user| store.rating(user, GAME));
    let (first, second) = (
        first.await.unwrap().unwrap(),
        second.await.unwrap().unwrap(),
    );
    assert_eq!(
        (
            first.standing.elo,
            first.standing.wins,
            first.standing.games()
        ),
        (1_016, 1, 1)
    );
    assert_eq!(
        (
            second.standing.elo,
            second.standing.losses,
            second.standing.games()
        ),
        (984, 1, 1)
    );
    assert_eq!(
        (first.updated_at, first.game.as_str(), first.user_id),
        (1_002, GAME, 1)
    );
    assert!(first.standing.glicko.rating() > 1_600.0 && first.standing.glicko.is_provisional());

    let changes = store.changes_of_table(1).await.unwrap();
    let expected = RatingChange {
        table_id: 1,
        user_id: 1,
        opponent: Some(2),
        game: GAME.into(),
        at: 1_002,
        score: Score::Win,
        rated: true,
        elo_before: 1_000,
        elo_after: 1_016,
        glicko_before: 1_500.0,
        glicko_after: first.standing.glicko.rating(),
        deviation_after: first.standing.glicko.deviation(),
    };
    assert_eq!(changes[0], expected);
    assert_eq!(
        (
            changes[1].user_id,
            changes[1].opponent,
            changes[1].elo_after
        ),
        (2, Some(1), 984)
    );

    // The third account starts with a beginner's Elo, the fourth with a strong player's.
    store.append(end(2, won(3, 4))).await.unwrap();
    assert_eq!((elo(store, 3).await, elo(store, 4).await), (231, 869));
    let history = store.rating_history(4, GAME, 10).await.unwrap();
    assert_eq!(
        (history.len(), history[0].elo_before, history[0].elo_after),
        (1, 900, 869)
    );
    assert_eq!(store.rating_history(4, "mnk", 10).await.unwrap(), []);
    assert_eq!(
        store.ratings_of(3).await.unwrap(),
        [store.rating(3, GAME).await.unwrap().unwrap()]
    );
}

async fn the_same_end_is_counted_once(store: &Store, second: &Store) {
    open(store, 10..40).await;
    let before = standing(store, 1).await;
    let pairs = (10..40).map(|id| {
        // Half of the pairs meet within one store, perhaps within one batch.
        let other = if id % 2 == 0 { second } else { store };
        join(
            store.append(end(id, won(1, 2))),
            other.append(end(id, won(2, 1))),
        )
    });
    let mut first_wins = 0;
    for (id, outcome) in (10..).zip(join_all(pairs).await) {
        let winner = match outcome {
            (Ok(()), Err(StoreError::Conflict { current: 2 })) => 1,
            (Err(StoreError::Conflict { current: 2 }), Ok(())) => 2,
            outcome => panic!("table {id}: {outcome:?}"),
        };
        first_wins += u32::from(winner == 1);
        let scores: Vec<_> = store
            .changes_of_table(id)
            .await
            .unwrap()
            .into_iter()
            .map(|c| (c.user_id, c.score))
            .collect();
        let by_winner = if winner == 1 {
            [Score::Win, Score::Loss]
        } else {
            [Score::Loss, Score::Win]
        };
        assert_eq!(scores, [(1, by_winner[0]), (2, by_winner[1])]);
    }
    let after = standing(store, 1).await;
    assert_eq!(
        (after.games() - before.games(), after.wins - before.wins),
        (30, first_wins)
    );
    assert_eq!(after.elo + elo(store, 2).await, 2_000);
}

async fn a_refused_end_changes_no_rating(store: &Store) {
    let before = standing(store, 1).await;
    let late = store.append(end(1, won(1, 2))).await;
    assert!(
        matches!(late, Err(StoreError::Conflict { current: 2 })),
        "{late:?}"
    );
    let nowhere = store.append(end(9_999, won(1, 2))).await;
    assert!(matches!(nowhere, Err(StoreError::NotFound)), "{nowhere:?}");
    let long = GameScores {
        game: "g".repeat(65),
        ..won(1, 2)
    };
    let refused = store
        .append(Append {
            scores: Some(long),
            ..Append::new(1, vec![moved(3)])
        })
        .await;
    assert!(
        matches!(refused, Err(StoreError::TooBig { .. })),
        "{refused:?}"
    );
    assert_eq!(standing(store, 1).await, before);
    assert_eq!(store.changes_of_table(9_999).await.unwrap(), []);
}

async fn only_rated_games_of_two_change_ratings(store: &Store) {
    use Score::{Draw, Loss, Win};
    let games = [
        scores(false, &[(1, Win), (2, Loss)]),
        scores(true, &[(1, Loss), (2, Win), (3, Loss)]),
        scores(true, &[(1, Win), (2, Win)]), // They have won together.
        scores(true, &[(1, Draw)]),          // Against a guest.
        scores(true, &[(1, Win), (1, Loss)]), // Against oneself.
        scores(true, &[]),
    ];
    open(store, 50..56).await;
    let (before, others) = (standing(store, 1).await, standing(store, 2).await);
    for (id, scores) in (50..).zip(games) {
        store.append(end(id, scores)).await.unwrap();
    }
    let expected = Standing {
        wins: before.wins + 2,
        losses: before.losses + 1,
        draws: before.draws + 1,
        ..before
    };
    assert_eq!(standing(store, 1).await, expected);
    assert_eq!(
        standing(store, 2).await,
        Standing {
            wins: others.wins + 2,
            losses: others.losses + 1,
            ..others
        }
    );
    let history = store.rating_history(1, GAME, u64::MAX).await.unwrap();
    assert_eq!(history.len(), 31, "a graph shows rated games");
    assert!(
        history.windows(2).all(|pair| pair[0].at <= pair[1].at),
        "the oldest first"
    );
    let unrated = store.changes_of_table(50).await.unwrap();
    assert!(
        unrated
            .iter()
            .all(|change| !change.rated && change.elo_before == change.elo_after)
    );
    assert_eq!(store.changes_of_table(54).await.unwrap(), []);
    assert_eq!(store.rating(1, "mnk").await.unwrap(), None);
}

async fn a_recreated_table_is_not_counted_again(store: &Store) {
    let before = standing(store, 1).await;
    assert!(
        store
            .delete_audited(50, line("delete table", "50"))
            .await
            .unwrap()
    );
    assert_eq!(
        store.changes_of_table(50).await.unwrap().len(),
        2,
        "what a game did stays true"
    );
    assert_eq!(standing(store, 1).await, before);
    open(store, 50..51).await;
    store.append(end(50, won(1, 2))).await.unwrap();
    assert_eq!(standing(store, 1).await, before);
}

/// 40 ends that are queued together, all with the same account.
async fn ends_in_one_batch_are_counted_in_sequence(store: &Store) {
    open(store, 100..140).await;
    let ends =
        (100..140).map(|id| store.append(end(id, if id % 3 == 0 { won(2, 1) } else { won(1, 2) })));
    join_all(ends).await.into_iter().for_each(Result::unwrap);
    let mut history: Vec<_> = store.rating_history(1, GAME, u64::MAX).await.unwrap();
    history.retain(|change| change.table_id >= 100);
    assert_eq!(history.len(), 40);
    let moved: i32 = history
        .iter()
        .map(|change| change.elo_after - change.elo_before)
        .sum();
    let first = elo(store, 1).await - moved;
    // In whatever order, each end starts from the rating left by another.
    let mut before: Vec<_> = history
        .iter()
        .map(|change| change.elo_before)
        .chain([elo(store, 1).await])
        .collect();
    let mut after: Vec<_> = history
        .iter()
        .map(|change| change.elo_after)
        .chain([first])
        .collect();
    before.sort_unstable();
    after.sort_unstable();
    assert_eq!(before, after);
    assert_eq!(elo(store, 1).await + elo(store, 2).await, 2_000);
}

async fn two_stores_with_the_same_accounts_lose_no_result(store: &Store, second: &Store) {
    let ids = 200..360;
    open(store, ids.clone()).await;
    let before = [
        standing(store, 1).await,
        standing(store, 2).await,
        standing(store, 3).await,
    ];
    let ends = ids.clone().map(|id| {
        let store = if id % 2 == 0 { store } else { second };
        let scores = match id % 5 {
            0 => scores(true, &[(2, Score::Draw), (1, Score::Draw)]),
            1 => won(2, 1),
            2 => won(3, 2),
            3 => won(1, 3),
            _ => won(1, 2),
        };
        store.append(end(id, scores))
    });
    join_all(ends).await.into_iter().for_each(Result::unwrap);
    let after = [
        standing(store, 1).await,
        standing(store, 2).await,
        standing(store, 3).await,
    ];
    let sum = |standings: &[Standing]| standings.iter().map(|standing| standing.elo).sum::<i32>();
    assert_eq!(sum(&after), sum(&before), "no point is made or lost");
    let games = [0, 1, 2].map(|n: usize| after[n].games() - before[n].games());
    assert_eq!(games, [128, 128, 64]);
    assert_eq!(
        [0, 1, 2].map(|n: usize| after[n].draws - before[n].draws),
        [32, 32, 0]
    );
    assert_eq!(
        [0, 1, 2].map(|n: usize| after[n].wins - before[n].wins),
        [64, 32, 32]
    );
    for id in ids {
        let changes = store.changes_of_table(id).await.unwrap();
        let gained: i32 = changes
            .iter()
            .map(|change| change.elo_after - change.elo_before)
            .sum();
        assert_eq!((changes.len(), gained), (2, 0), "table {id}");
    }
}

async fn first_games_that_end_at_once_in_two_stores_give_one_standing(
    store: &Store,
    second: &Store,
) {
    let ids = 400..416;
    for id in 1_000..1_018 {
        store
            .create_user(User::new(id, format!("new{id}"), 0))
            .await
            .unwrap();
    }
    open(store, ids.clone()).await;
    let ends = ids.map(|id| {
        let (store, one, other) = if id % 2 == 0 {
            (store, 1_000, 1_001)
        } else {
            (second, 1_001, 1_000)
        };
        // Each account that is not in every game plays its first one here, too.
        let scores = scores(
            false,
            &[
                (one, Score::Draw),
                (other, Score::Draw),
                (602 + id, Score::Draw),
            ],
        );
        store.append(end(id, scores))
    });
    join_all(ends).await.into_iter().for_each(Result::unwrap);
    for user in [1_000, 1_001] {
        assert_eq!(
            standing(store, user).await,
            Standing {
                draws: 16,
                ..Standing::default()
            }
        );
    }
    for user in 1_002..1_018 {
        assert_eq!(
            standing(store, user).await,
            Standing {
                draws: 1,
                ..Standing::default()
            }
        );
    }
}

async fn the_leaderboard_goes_by_rating_then_name(store: &Store) {
    const GAME: &str = "mnk";
    let names = ["Carl", "bob", "Anna", "dora", "Eve", "fay", "Gus", "hal"];
    for (id, name) in (2_000..).zip(names) {
        store.create_user(User::new(id, name, 0)).await.unwrap();
    }
    open(store, 500..504).await;
    for (id, winner, loser) in [
        (500, 2_000, 2_003),
        (501, 2_001, 2_004),
        (502, 2_002, 2_005),
    ] {
        store
            .append(end(
                id,
                GameScores {
                    game: GAME.into(),
                    ..won(winner, loser)
                },
            ))
            .await
            .unwrap();
    }
    let unrated = GameScores {
        game: GAME.into(),
        ..scores(false, &[(2_006, Score::Win), (2_007, Score::Loss)])
    };
    store.append(end(503, unrated)).await.unwrap();
    let page = async |limit, after: Option<(f64, &str)>| -> Vec<(String, f64)> {
        let places = store.leaderboard(GAME, limit, after).await.unwrap();
        places
            .into_iter()
            .map(|place| (place.name, place.rating.standing.glicko.rating()))
            .collect()
    };
    let all = page(50, None).await;
    let names: Vec<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["Anna", "bob", "Carl", "dora", "Eve", "fay"]);
    let (high, low) = (all[0].1, all[5].1);
    assert!(high > 1_600.0 && low < 1_400.0, "{high} and {low}");
    let values: Vec<f64> = all.iter().map(|(_, rating)| *rating).collect();
    assert_eq!(values, [high, high, high, low, low, low]);
    assert_eq!(page(2, None).await, all[..2]);
    assert_eq!(page(2, Some((high, "bob"))).await, all[2..4]);
    assert_eq!(page(9, Some((low, "Dora"))).await, all[4..]);
    assert_eq!(page(9, Some((low, "fay"))).await, []);
    store
        .ban(
            2_001,
            Ban {
                at: 1,
                reason: String::new(),
            },
            line("ban", "bob"),
        )
        .await
        .unwrap();
    assert_eq!(page(2, None).await, [all[0].clone(), all[2].clone()]);
}

/// Runs after the leaderboard, whose accounts and ratings it goes on with.
async fn a_variant_begins_with_the_ratings_of_its_game(store: &Store) {
    const KEY: &str = "mnk:15x15x5@blitz";
    let in_game = store.rating(2_000, "mnk").await.unwrap().unwrap().standing;
    let first = store.standing(2_000, KEY).await.unwrap().unwrap();
    assert_eq!(first, in_game.elsewhere());
    assert_eq!((first.elo, first.games()), (1_016, 0));
    assert!(first.glicko.deviation() > in_game.glicko.deviation());
    assert_eq!(store.standing(9_999, KEY).await.unwrap(), None);
    let wanted = [(2_000, KEY), (2_000, "mnk"), (9_999, KEY)];
    let wanted = wanted.map(|(user, key)| (user, key.to_owned()));
    let found = store.standings(&wanted).await.unwrap();
    assert_eq!(found.len(), 2, "who is not there has none");
    assert_eq!((found[&wanted[0]], found[&wanted[1]]), (first, in_game));
    open(store, 510..511).await;
    let lost = GameScores {
        game: KEY.into(),
        ..won(2_003, 2_000)
    };
    store.append(end(510, lost)).await.unwrap();
    let after = store.rating(2_000, KEY).await.unwrap().unwrap().standing;
    assert_eq!((after.wins, after.losses), (0, 1));
    assert!(after.elo < 1_016 && after.elo > 984, "{}", after.elo);
    let unchanged = store.rating(2_000, "mnk").await.unwrap().unwrap().standing;
    assert_eq!(unchanged, in_game);
    let listed = store.listed_among(&[510, 123_456]).await.unwrap();
    assert_eq!(listed.into_iter().collect::<Vec<_>>(), [510]);
}
