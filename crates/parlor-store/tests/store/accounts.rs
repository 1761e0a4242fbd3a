//! Accounts, sessions, tokens, and admin actions on them.

use std::sync::Arc;

use futures::future::join_all;
use parlor_store::{
    AuditEntry, AuditFilter, AuditLine, AuditSort, AuditTarget, Ban, ChallengesFrom, Closing,
    DeclaredLevel, ListPage, ListSlice, ListedAccount, NewStoredTable, PasswordHash, PlayerRole,
    RowStatus, SecretHash, Store, StoreError, StoredEvent, StoredSession, StoredToken, TokenFilter,
    TokenSort, User, UserFilter, UserKind,
};

use serde_json::json;

use crate::databases::Database;

pub async fn run(database: Arc<Database>) {
    let store = Store::open(&database.url).await.unwrap();
    let second = Store::open(&database.url).await.unwrap();
    an_account_is_read_as_it_was_written(&store).await;
    names_are_unique_without_regard_to_case(&store, &second).await;
    an_invalid_name_is_refused(&store).await;
    accounts_are_found_by_part_of_a_name(&store).await;
    a_session_ends_at_its_time_or_before(&store, &second).await;
    a_token_counts_until_it_expires_or_is_revoked(&store, &second).await;
    every_admin_action_has_an_audit_line(&store).await;
    a_reset_password_ends_the_sessions(&store).await;
    a_closed_account_leaves_its_games_and_no_name(&store).await;
    blocks_are_counted_and_hold_for_bots(&store, &second).await;
    those_have_played_who_were_seated_at_the_end(&store).await;
    the_log_is_read_newest_first_and_searched(&store).await;
    second.close().await;
    store.close().await;
    assert!(matches!(store.user(1).await, Err(StoreError::Closed)));
    assert!(matches!(
        store.create_user(User::new(9_999, "late", 0)).await,
        Err(StoreError::Closed)
    ));
}

fn secret(n: u8) -> SecretHash {
    [n; 32]
}

pub fn line(action: &str, target: &str) -> AuditLine {
    AuditLine {
        at: 77,
        admin_id: Some(1),
        admin_name: "Ada".into(),
        action: action.into(),
        target: target.into(),
        detail: "because".into(),
    }
}

async fn log(store: &Store) -> Vec<AuditEntry> {
    store
        .audit(&AuditFilter::default(), &ListPage::default())
        .await
        .unwrap()
}

async fn a_reset_password_ends_the_sessions(store: &Store) {
    let bot = User {
        kind: UserKind::Bot,
        ..User::new(351, "reset-bot", 0)
    };
    let person = User::new(350, "reset", 0);
    for user in [person, bot] {
        store.create_user(user).await.unwrap();
    }
    let session = StoredSession {
        user_id: 350,
        created_at: 1,
        expires_at: 1_000,
        browser: None,
        last_used_at: None,
    };
    store.create_session(&secret(99), session).await.unwrap();
    let reset = async |id: i64| {
        let hash = PasswordHash("other".into());
        let line = line("reset password", "player");
        store.reset_password(id, hash, line).await.unwrap()
    };
    let before = log(store).await.len();
    assert!(!reset(351).await, "a bot has no password");
    assert!(!reset(352).await, "nobody");
    assert_eq!(log(store).await.len(), before);
    assert!(reset(350).await);
    let user = store.user(350).await.unwrap().unwrap();
    assert_eq!(user.password, Some(PasswordHash("other".into())));
    assert_eq!(store.session(&secret(99), 2).await.unwrap(), None);
    assert_eq!(log(store).await.len(), before + 1);
}

async fn a_closed_account_leaves_its_games_and_no_name(store: &Store) {
    let (person, bot) = (360, 361);
    store
        .create_user(User::new(person, "Leaver", 0))
        .await
        .unwrap();
    let theirs = User {
        kind: UserKind::Bot,
        owner: Some(person),
        ..User::new(bot, "LeaversProgram", 0)
    };
    store.create_user(theirs).await.unwrap();
    for (id, status) in [(3_601, RowStatus::Over), (3_602, RowStatus::Playing)] {
        let player = json!({ "kind": "human", "name": "Leaver", "user": person });
        let event = StoredEvent {
            version: 1,
            at: 1,
            body: json!({ "type": "created", "seats": [player] }),
        };
        let table = NewStoredTable {
            status,
            seats: json!([{ "label": "X", "name": "Leaver", "member": true }]),
            players: vec![(person, PlayerRole::Seated)],
            events: vec![event],
            ..NewStoredTable::new(id, "mnk", 1)
        };
        store.create(table).await.unwrap();
    }
    let session = StoredSession {
        user_id: person,
        created_at: 1,
        expires_at: 1_000,
        browser: None,
        last_used_at: None,
    };
    store.create_session(&secret(98), session).await.unwrap();
    let close = async |id: i64| {
        let line = line("close account", "player");
        store.close_account(id, 5, line).await.unwrap()
    };
    let before = log(store).await.len();
    assert_eq!(close(bot).await, Closing::NoPerson);
    assert_eq!(close(person).await, Closing::Playing);
    assert_eq!(log(store).await.len(), before);
    let user = store.user(person).await.unwrap().unwrap();
    assert_eq!((user.name.as_str(), user.is_closed()), ("Leaver", false));

    assert!(store.delete(3_602).await.unwrap());
    assert_eq!(close(person).await, Closing::Closed);
    assert_eq!(close(person).await, Closing::NoPerson, "once");
    let user = store.user(person).await.unwrap().unwrap();
    assert_eq!((user.name.as_str(), user.is_closed()), ("gone-168", true));
    assert_eq!(store.user_by_name("leaver").await.unwrap(), None);
    assert_eq!(store.session(&secret(98), 2).await.unwrap(), None);
    let bot = store.user(bot).await.unwrap().unwrap();
    assert!(bot.ban.is_some() && bot.name == "LeaversProgram");
    let table = store.load(3_601).await.unwrap().unwrap();
    assert_eq!(table.row.seats[0]["name"], "gone-168");
    assert_eq!(table.events[0].body["seats"][0]["name"], "gone-168");
    store
        .create_user(User::new(362, "LEAVER", 0))
        .await
        .unwrap();
}

async fn blocks_are_counted_and_hold_for_bots(store: &Store, second: &Store) {
    let (ann, bob, cid, bots) = (301, 302, 303, [304, 305]);
    for (id, name) in [(ann, "Ann-3"), (bob, "Bob-3"), (cid, "Cid-3")] {
        store.create_user(User::new(id, name, 0)).await.unwrap();
    }
    for (id, owner) in bots.into_iter().zip([ann, bob]) {
        let bot = User {
            kind: UserKind::Bot,
            owner: Some(owner),
            ..User::new(id, format!("bot-{id}"), 0)
        };
        store.create_user(bot).await.unwrap();
    }
    assert!(store.block(ann, bob, 7, 2).await.unwrap());
    assert!(second.block(ann, bob, 8, 1).await.unwrap(), "nothing new");
    assert!(!store.block(ann, cid, 9, 1).await.unwrap(), "one too many");
    assert!(!store.block(9_999, cid, 9, 1).await.unwrap(), "no account");
    // Only one of two requests at once gets the last place.
    let both = tokio::join!(store.block(cid, ann, 1, 1), second.block(cid, bob, 1, 1));
    let taken = [both.0.unwrap(), both.1.unwrap()];
    assert_eq!(taken.iter().filter(|taken| **taken).count(), 1, "{taken:?}");
    let blocked = if taken[0] { ann } else { bob };
    assert!(store.unblock(cid, blocked).await.unwrap());
    assert!(store.block(ann, cid, 9, 2).await.unwrap());
    let known = |id, name: &str, at| ListedAccount {
        id,
        name: name.into(),
        at,
    };
    assert_eq!(
        second.blocks_of(ann).await.unwrap(),
        [known(cid, "Cid-3", 9), known(bob, "Bob-3", 7)]
    );
    assert_eq!(store.blocks_of(bob).await.unwrap(), []);
    assert!(store.has_blocked(ann, bob).await.unwrap());
    assert!(!store.has_blocked(bob, ann).await.unwrap());
    let among = async |users: &[i64]| {
        let blocks = store.blocks_among(users).await.unwrap();
        blocks.into_iter().collect::<Vec<_>>()
    };
    assert_eq!(among(&[bob, ann]).await, [(ann, bob)]);
    assert_eq!(among(&[bob, cid]).await, []);
    assert_eq!(among(&[ann, bots[1]]).await, [(ann, bots[1])]);
    assert_eq!(among(&[bots[0], bob]).await, [(bots[0], bob)]);
    assert_eq!(among(&bots).await, [(bots[0], bots[1])]);
    assert_eq!(among(&[]).await, []);
    assert!(store.unblock(ann, bob).await.unwrap());
    assert!(!store.unblock(ann, bob).await.unwrap());
    assert_eq!(among(&[bob, ann, bots[1], bots[0]]).await, []);

    for from in ChallengesFrom::ALL.into_iter().rev() {
        assert!(store.set_challenges_from(ann, from).await.unwrap());
        let stored = second.user(ann).await.unwrap().unwrap();
        assert_eq!(stored.challenges_from, from);
    }
    assert!(
        !store
            .set_challenges_from(9_999, ChallengesFrom::Nobody)
            .await
            .unwrap()
    );
}

async fn those_have_played_who_were_seated_at_the_end(store: &Store) {
    let (ann, bob, cid, dan) = (301, 302, 303, 304);
    let seated = |users: &[i64]| -> Vec<_> {
        let seat = |user: &i64| (*user, PlayerRole::Seated);
        users.iter().map(seat).collect()
    };
    let invited = vec![(ann, PlayerRole::Seated), (cid, PlayerRole::Invited)];
    for (id, status, players) in [
        (401, RowStatus::Over, seated(&[ann, bob])),
        (402, RowStatus::Playing, seated(&[bob, cid])),
        (403, RowStatus::Over, invited),
        (404, RowStatus::Aborted, seated(&[ann, dan])),
    ] {
        let table = NewStoredTable {
            status,
            players,
            ..NewStoredTable::new(id, "mnk", 1)
        };
        store.create(table).await.unwrap();
    }
    let played = async |one, other| store.have_played([one, other]).await.unwrap();
    assert!(played(ann, bob).await && played(bob, ann).await);
    assert!(!played(bob, cid).await, "they still play");
    assert!(!played(ann, cid).await, "never seated");
    assert!(!played(ann, dan).await, "called off");
}

async fn an_account_is_read_as_it_was_written(store: &Store) {
    assert_eq!(store.user(1).await.unwrap(), None);
    assert_eq!(store.user_by_name("Ada").await.unwrap(), None);
    let ada = User {
        admin: true,
        password: Some(PasswordHash("$argon2id$1".into())),
        ..User::new(1, "Ada", 1_000)
    };
    let bot = User {
        kind: UserKind::Bot,
        owner: Some(1),
        level: DeclaredLevel::Club,
        ..User::new(2, "ada_s-bot", 2_000)
    };
    let large = User {
        ban: Some(Ban {
            at: 5,
            reason: "♟".into(),
        }),
        ..User::new((1 << 53) - 1, "3", i64::MAX)
    };
    for user in [&ada, &bot, &large] {
        store.create_user(user.clone()).await.unwrap();
        assert_eq!(store.user(user.id).await.unwrap().as_ref(), Some(user));
        let shouted = user.name.to_uppercase();
        assert_eq!(
            store.user_by_name(&shouted).await.unwrap().as_ref(),
            Some(user),
            "{shouted}"
        );
    }
    assert!(!format!("{ada:?}").contains("argon2"));
    let like = async |name| store.name_like(name).await.unwrap();
    assert_eq!(like("ADA_S-B0T").await.as_deref(), Some("ada_s-bot"));
    assert_eq!(like("Eda").await, None);

    let hash = |n: u8| PasswordHash(format!("$argon2id${n}"));
    assert!(store.replace_password(1, &hash(1), hash(2)).await.unwrap());
    // Somebody else who knew the one before is too late.
    assert!(!store.replace_password(1, &hash(1), hash(3)).await.unwrap());
    assert!(store.set_level(1, DeclaredLevel::Strong).await.unwrap());
    let changed = store.user(1).await.unwrap().unwrap();
    assert_eq!(
        changed,
        User {
            password: Some(PasswordHash("$argon2id$2".into())),
            level: DeclaredLevel::Strong,
            ..ada
        }
    );
    assert!(
        store.replace_password(1, &hash(2), hash(2)).await.unwrap()
            && store.set_level(1, DeclaredLevel::Undeclared).await.unwrap()
    );
    let changed = store.user(1).await.unwrap().unwrap();
    assert_eq!(
        (changed.password, changed.level),
        (Some(hash(2)), DeclaredLevel::Undeclared)
    );
    assert!(!store.replace_password(77, &hash(2), hash(3)).await.unwrap());
}

async fn names_are_unique_without_regard_to_case(store: &Store, second: &Store) {
    for name in ["Ada", "ada", "ADA"] {
        let refused = store.create_user(User::new(10, name, 0)).await;
        assert!(
            matches!(refused, Err(StoreError::NameTaken)),
            "{name}: {refused:?}"
        );
    }
    let refused = store.create_user(User::new(1, "free", 0)).await;
    assert!(matches!(refused, Err(StoreError::Exists)), "{refused:?}");
    assert_eq!(store.user_by_name("free").await.unwrap(), None);

    let rivals = ["Zoe", "zoe", "ZOE", "zOe"].into_iter().zip(20..);
    let rivals = rivals.map(|(name, id)| {
        (if id % 2 == 0 { store } else { second }).create_user(User::new(id, name, 0))
    });
    let answers = join_all(rivals).await;
    assert_eq!(
        answers.iter().filter(|answer| answer.is_ok()).count(),
        1,
        "{answers:?}"
    );
    assert_eq!(
        answers
            .iter()
            .filter(|answer| matches!(answer, Err(StoreError::NameTaken)))
            .count(),
        3,
        "{answers:?}"
    );
}

async fn an_invalid_name_is_refused(store: &Store) {
    for name in [
        "",
        "has space",
        "Zoë",
        "a\0b",
        "twenty-one-characters",
        "a'b",
        "%",
    ] {
        let refused = store.create_user(User::new(30, name, 0)).await;
        assert!(
            matches!(refused, Err(StoreError::BadName)),
            "{name}: {refused:?}"
        );
        assert_eq!(store.user_by_name(name).await.unwrap(), None);
    }
    store
        .create_user(User::new(30, "twenty-characters-20", 0))
        .await
        .unwrap();
}

async fn accounts_are_found_by_part_of_a_name(store: &Store) {
    for (id, name) in [(40, "under_score"), (41, "underXscore"), (42, "41")] {
        store.create_user(User::new(id, name, 0)).await.unwrap();
    }
    let find = async |filter: UserFilter, before: Option<i64>, limit: u64| -> Vec<i64> {
        let found = store
            .users(&filter, &ListPage { before, limit })
            .await
            .unwrap();
        if before.is_none() && limit == 50 {
            assert_eq!(
                store.count_users(&filter).await.unwrap(),
                found.len() as u64
            );
        }
        found.into_iter().map(|user| user.id).collect()
    };
    let with = |text: &str| UserFilter {
        search: Some(text.into()),
        ..UserFilter::default()
    };
    assert_eq!(find(with("UNDER"), None, 50).await, [41, 40]);
    assert_eq!(find(with("UNDER"), Some(41), 50).await, [40]);
    assert_eq!(find(with("UNDER"), None, 1).await, [41]);
    assert_eq!(
        find(with("_"), None, 50).await,
        [40, 2],
        "an underscore is no wildcard"
    );
    assert_eq!(
        find(with("41"), None, 50).await,
        [42, 41],
        "by name and by id"
    );
    for none in ["%", "!", "' OR 1=1 --", "a\0b", "\\"] {
        assert_eq!(find(with(none), None, 50).await, [0; 0], "{none}");
    }
    let bots = UserFilter {
        kind: Some(UserKind::Bot),
        owner: Some(1),
        ..UserFilter::default()
    };
    assert_eq!(find(bots, None, 50).await, [2]);
    assert_eq!(
        find(
            UserFilter {
                admins_only: true,
                ..UserFilter::default()
            },
            None,
            50
        )
        .await,
        [1]
    );
    assert_eq!(
        find(
            UserFilter {
                banned_only: true,
                ..UserFilter::default()
            },
            None,
            50
        )
        .await,
        [(1 << 53) - 1]
    );
}

async fn a_session_ends_at_its_time_or_before(store: &Store, second: &Store) {
    let session = StoredSession {
        user_id: 1,
        created_at: 1_000,
        expires_at: 2_000,
        browser: Some("Firefox on Linux".to_owned()),
        last_used_at: None,
    };
    store
        .create_session(&secret(1), session.clone())
        .await
        .unwrap();
    let (found, user) = second
        .session(&secret(1), 1_999)
        .await
        .unwrap()
        .expect("it lasts a moment longer");
    assert_eq!(
        (found, user),
        (session.clone(), store.user(1).await.unwrap().unwrap())
    );
    assert_eq!(store.session(&secret(1), 2_000).await.unwrap(), None);
    assert_eq!(store.session(&secret(2), 1_500).await.unwrap(), None);
    let nobody = StoredSession {
        user_id: 77,
        ..session.clone()
    };
    let refused = store.create_session(&secret(3), nobody).await;
    assert!(matches!(refused, Err(StoreError::NoUser)), "{refused:?}");
    let refused = store.create_session(&secret(1), session.clone()).await;
    assert!(matches!(refused, Err(StoreError::Exists)), "{refused:?}");

    store.touch_session(&secret(1), 1_400).await.unwrap();
    store.touch_session(&secret(1), 1_300).await.unwrap();
    let later = StoredSession {
        created_at: 1_100,
        browser: None,
        ..session.clone()
    };
    let theirs = StoredSession {
        user_id: 2,
        ..later.clone()
    };
    store
        .create_session(&secret(4), later.clone())
        .await
        .unwrap();
    store.create_session(&secret(5), theirs).await.unwrap();
    let used = StoredSession {
        last_used_at: Some(1_400),
        ..session.clone()
    };
    assert_eq!(
        second.sessions_of(1, 1_999).await.unwrap(),
        [(secret(4), later), (secret(1), used)]
    );
    assert_eq!(second.sessions_of(1, 2_000).await.unwrap(), []);
    for n in [4, 5] {
        assert!(store.delete_session(&secret(n)).await.unwrap());
    }

    assert!(second.delete_session(&secret(1)).await.unwrap());
    assert!(!second.delete_session(&secret(1)).await.unwrap());
    assert_eq!(store.session(&secret(1), 1_500).await.unwrap(), None);

    for n in 10..20 {
        let until = StoredSession {
            user_id: 1 + i64::from(n % 2),
            expires_at: i64::from(n),
            ..session.clone()
        };
        store.create_session(&secret(n), until).await.unwrap();
    }
    assert_eq!(store.delete_expired(14).await.unwrap(), 5);
    assert_eq!(store.delete_sessions_of(1).await.unwrap(), 2);
    assert!(
        store.session(&secret(15), 0).await.unwrap().is_some()
            && store.session(&secret(16), 0).await.unwrap().is_none()
    );
}

async fn a_token_counts_until_it_expires_or_is_revoked(store: &Store, second: &Store) {
    let token = |id: i64, user_id: i64, expires_at: Option<i64>| StoredToken {
        id,
        user_id,
        name: format!("token {id}"),
        scopes: vec!["play".into(), "read".into()],
        created_at: 1_000,
        expires_at,
        revoked_at: None,
        last_used_at: None,
    };
    for (n, user, expires_at) in [(1, 1, None), (2, 1, Some(2_000)), (3, 2, None)] {
        store
            .create_token(&secret(n), token(n.into(), user, expires_at), 9)
            .await
            .unwrap();
    }
    let refused = store.create_token(&secret(4), token(4, 77, None), 9).await;
    assert!(matches!(refused, Err(StoreError::NoUser)), "{refused:?}");
    for (hash, id) in [(4, 1), (1, 4)] {
        let refused = store
            .create_token(&secret(hash), token(id, 1, None), 9)
            .await;
        assert!(matches!(refused, Err(StoreError::Exists)), "{refused:?}");
    }
    store
        .create_token(
            &secret(5),
            StoredToken {
                scopes: Vec::new(),
                ..token(5, 2, None)
            },
            9,
        )
        .await
        .unwrap();

    let (found, user) = second.token(&secret(1), i64::MAX).await.unwrap().unwrap();
    assert_eq!((found, user.id), (token(1, 1, None), 1));
    assert_eq!(
        store.token(&secret(5), 0).await.unwrap().unwrap().0.scopes,
        [""; 0]
    );
    assert!(store.token(&secret(2), 1_999).await.unwrap().is_some());
    assert_eq!(store.token(&secret(2), 2_000).await.unwrap(), None);

    store.touch_token(1, 1_500).await.unwrap();
    store.touch_token(1, 1_400).await.unwrap();
    assert_eq!(
        store.tokens_of(1).await.unwrap()[1].last_used_at,
        Some(1_500),
        "time does not run back"
    );

    assert!(
        !store.revoke_token(3, Some(1), 3_000, None).await.unwrap(),
        "somebody else's"
    );
    assert!(store.token(&secret(3), 3_000).await.unwrap().is_some());
    assert!(store.revoke_token(1, Some(1), 3_000, None).await.unwrap());
    assert!(
        !store.revoke_token(1, Some(1), 4_000, None).await.unwrap(),
        "it is revoked already"
    );
    assert_eq!(second.token(&secret(1), 1_500).await.unwrap(), None);
    let theirs: Vec<_> = store
        .tokens_of(1)
        .await
        .unwrap()
        .into_iter()
        .map(|t| (t.id, t.revoked_at))
        .collect();
    assert_eq!(theirs, [(2, None), (1, Some(3_000))]);

    let sorted = async |search: Option<&str>, live_at, sort, offset| -> Vec<i64> {
        let filter = TokenFilter {
            search: search.map(str::to_owned),
            live_at,
        };
        let slice = ListSlice {
            sort,
            ascending: false,
            offset,
            limit: 50,
        };
        let found = store.sorted_tokens(&filter, &slice).await.unwrap();
        let count = store.count_tokens(&filter).await.unwrap();
        assert_eq!(found.len() as u64 + offset, count);
        found.into_iter().map(|(token, _)| token.id).collect()
    };
    let find =
        async |search: Option<&str>, live_at| sorted(search, live_at, TokenSort::Id, 0).await;
    assert_eq!(find(None, None).await, [5, 3, 2, 1]);
    assert_eq!(sorted(None, None, TokenSort::Id, 2).await, [2, 1]);
    assert_eq!(sorted(None, None, TokenSort::Owner, 0).await, [5, 3, 2, 1]);
    let by_name = sorted(None, None, TokenSort::Name, 0).await;
    assert!(by_name.iter().position(|id| *id == 2) < by_name.iter().position(|id| *id == 1));
    assert_eq!(find(None, Some(2_000)).await, [5, 3]);
    assert_eq!(
        find(Some("S-BOT"), None).await,
        [5, 3],
        "by the owner's name"
    );
    assert_eq!(find(Some("Token 2"), None).await, [2]);
}

async fn every_admin_action_has_an_audit_line(store: &Store) {
    assert_eq!(log(store).await, []);
    store
        .create_session(
            &secret(40),
            StoredSession {
                user_id: 2,
                created_at: 0,
                expires_at: 9,
                browser: None,
                last_used_at: None,
            },
        )
        .await
        .unwrap();
    let ban = Ban {
        at: 50,
        reason: "cheats\0".into(),
    };
    assert!(store.ban(2, ban, line("ban", "ada_s-bot")).await.unwrap());
    let banned = store.user(2).await.unwrap().unwrap();
    assert_eq!(
        banned.ban,
        Some(Ban {
            at: 50,
            reason: "cheats".into()
        })
    );
    for (at, reason, kept) in [(60, "", "cheats"), (70, "rude", "rude")] {
        let reason = reason.to_owned();
        let again = Ban { at, reason };
        assert!(store.ban(2, again, line("ban", "ada_s-bot")).await.unwrap());
        let banned = store.user(2).await.unwrap().unwrap().ban.unwrap();
        assert_eq!((banned.at, banned.reason.as_str()), (50, kept));
    }
    assert_eq!(
        store.session(&secret(40), 0).await.unwrap(),
        None,
        "a ban ends what is signed in"
    );
    let (_, user) = store
        .token(&secret(3), 0)
        .await
        .unwrap()
        .expect("tokens come back with the account");
    assert!(user.ban.is_some());

    assert!(store.unban(2, line("unban", "ada_s-bot")).await.unwrap());
    assert_eq!(store.user(2).await.unwrap().unwrap().ban, None);
    assert!(
        store
            .set_admin(2, true, line("make admin", "ada_s-bot"))
            .await
            .unwrap()
    );
    assert!(store.user(2).await.unwrap().unwrap().admin);
    assert!(
        store
            .revoke_token(3, None, 60, Some(line("revoke", "token 3")))
            .await
            .unwrap()
    );
    let actions: Vec<String> = log(store)
        .await
        .into_iter()
        .map(|entry| entry.line.action)
        .collect();
    assert_eq!(
        actions,
        ["revoke", "make admin", "unban", "ban", "ban", "ban"]
    );

    let nobody = Ban {
        at: 50,
        reason: String::new(),
    };
    assert!(!store.ban(77, nobody, line("ban", "nobody")).await.unwrap());
    assert!(!store.unban(77, line("unban", "nobody")).await.unwrap());
    assert!(
        !store
            .set_admin(77, true, line("make admin", "nobody"))
            .await
            .unwrap()
    );
    assert!(
        !store
            .revoke_token(3, None, 70, Some(line("revoke", "nobody")))
            .await
            .unwrap()
    );
    assert_eq!(
        log(store).await.len(),
        6,
        "what did not happen is not in the log"
    );
}

async fn the_log_is_read_newest_first_and_searched(store: &Store) {
    let other = AuditLine {
        admin_id: None,
        admin_name: "Command line".into(),
        ..line("Backup", "100 % of it")
    };
    store.record_audit(other.clone()).await.unwrap();
    let all = log(store).await;
    assert_eq!(all[0].line, other);
    assert!(all.windows(2).all(|pair| pair[0].id > pair[1].id));
    let slice = ListSlice {
        sort: AuditSort::Action,
        ascending: true,
        offset: 1,
        limit: 500,
    };
    let everything = AuditFilter::default();
    let sorted = store.sorted_audit(&everything, &slice).await.unwrap();
    let count = store.count_audit(&everything).await.unwrap();
    assert_eq!((sorted.len() as u64 + 1, count), (count, all.len() as u64));
    let actions = sorted.iter().map(|entry| entry.line.action.to_lowercase());
    assert!(actions.is_sorted());
    let before = ListPage {
        before: Some(all[2].id),
        limit: 1,
    };
    assert_eq!(
        store.audit(&AuditFilter::default(), &before).await.unwrap(),
        all[3..4]
    );
    let find = async |search: &str, admin_id| {
        let filter = AuditFilter {
            search: Some(search.into()),
            admin_id,
            about: None,
        };
        store
            .audit(&filter, &ListPage::default())
            .await
            .unwrap()
            .len()
    };
    assert_eq!(find("COMMAND", None).await, 1);
    assert_eq!(find("% of", None).await, 1);
    assert_eq!(find("BOT", None).await, 5);
    assert_eq!(find("bot", Some(1)).await, 5);
    assert_eq!(find("bot", Some(2)).await, 0);
    assert_eq!(find("backup", None).await, 1);
    assert_eq!(find("because", None).await, 0, "the detail is not searched");
    for target in [
        "table 9001",
        "table 90012",
        "token 9001",
        "player Zed (9001)",
        "player Zed_2 (9001)",
        "player Zed (19001)",
        "guest k Zed (9001)",
    ] {
        store.record_audit(line("touch", target)).await.unwrap();
    }
    let about = async |about: AuditTarget| -> Vec<String> {
        let filter = AuditFilter {
            about: Some(about),
            ..AuditFilter::default()
        };
        let found = store.audit(&filter, &ListPage::default()).await.unwrap();
        found.into_iter().map(|entry| entry.line.target).collect()
    };
    assert_eq!(about(AuditTarget::Table(9_001)).await, ["table 9001"]);
    assert_eq!(about(AuditTarget::Token(9_001)).await, ["token 9001"]);
    assert_eq!(
        about(AuditTarget::Player(9_001)).await,
        ["player Zed_2 (9001)", "player Zed (9001)"],
        "under all of its names"
    );
}
