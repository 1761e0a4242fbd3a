use parlor_store::{Store, User, UserKind};

use crate::{folder, run, run_with};

/// Fills a database with so much that copying it takes a while.
#[cfg(unix)]
fn fill(database: &str) {
    use parlor_store::{NewStoredTable, StoredEvent};
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let store = Store::open(database).await.expect("an empty file");
        for id in 1..=40 {
            let event = StoredEvent {
                version: 1,
                at: 1_000,
                body: serde_json::json!({ "text": "x".repeat(3 << 20) }),
            };
            let table = NewStoredTable {
                events: vec![event],
                ..NewStoredTable::new(id, "mnk", 1_000)
            };
            store.create(table).await.expect("there is room");
        }
        store.close().await;
    });
}

#[cfg(unix)]
#[test]
fn a_backup_that_is_interrupted_leaves_nothing_behind() {
    use std::process::Stdio;
    let place = folder("interrupted-backup");
    let database = format!("sqlite:{}", place.join("parlor.db").display());
    fill(&database);
    let mut child = crate::parlor(&["admin", "backup", "copy.db", "--database", &database])
        .current_dir(&place)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    while !place.join("copy.db.partial-journal").exists() {
        let ended = child.try_wait().expect("a child");
        assert!(ended.is_none(), "SQLite keeps a journal while it copies");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    crate::serve::send("-TERM", &child);
    let ran = crate::Ran::from(child.wait_with_output().expect("the program ends"));
    ran.is_refused_with("interrupted");
    let entries = std::fs::read_dir(&place).expect("the folder of the test");
    let names = entries.map(|entry| entry.expect("a file").file_name());
    let left: Vec<_> = names
        .filter(|name| name.to_string_lossy().starts_with("copy"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
    std::fs::remove_dir_all(&place).expect("the folder of the test");
}

/// Creates an empty database and returns its URL.
fn database(name: &str) -> String {
    let file = folder(name).join("parlor.db");
    // An empty file is an empty database; a missing one is an error.
    std::fs::write(&file, "").expect("a folder of the test");
    format!("sqlite:{}", file.display())
}

#[test]
fn accounts_are_created_listed_promoted_and_banned() {
    let database = database("admin-user");
    let user =
        |words: &[&str]| run(&[&["admin", "user"], words, &["--database", &database]].concat());
    let added = user(&["add", "Ann", "--admin"]);
    assert_eq!(added.code, Some(0), "{}", added.err);
    let password = added
        .last()
        .strip_prefix("password: ")
        .expect("a generated password");
    assert!(password.len() >= 16, "{password}");
    let piped = [
        "admin",
        "user",
        "add",
        "Bob",
        "--password-stdin",
        "--database",
        &database,
    ];
    let piped = run_with(&piped, b"correct horse battery\n");
    assert_eq!(
        (piped.code, piped.out.as_str()),
        (Some(0), "Bob has an account\n"),
        "{}",
        piped.err
    );
    user(&["add", "ANN"]).is_refused_with("taken");
    user(&["add", "no name"]).is_refused_with("1 to 20");
    for (password, reason) in [
        ("short\n", "8 to 200"),
        ("password1\n", "easily guessed"),
        ("Correct horse battery staple\n", "known to everybody"),
    ] {
        let cid = ["add", "Cid", "--password-stdin"];
        let cid = [&["admin", "user"], &cid[..], &["--database", &database]].concat();
        run_with(&cid, password.as_bytes()).is_refused_with(reason);
    }
    for (task, said) in [
        ("promote", "promote: Bob\n"),
        ("demote", "demote: Bob\n"),
        ("ban", "ban: Bob\n"),
    ] {
        assert_eq!(user(&[task, "bob"]).out, said);
    }
    let log = run(&["admin", "log", "--search", "bob", "--database", &database]);
    let actions: Vec<_> = log
        .out
        .lines()
        .map(|line| {
            let entry: serde_json::Value = serde_json::from_str(line).expect("JSON");
            assert_eq!(entry["admin"], "command line");
            entry["action"].as_str().expect("an action").to_owned()
        })
        .collect();
    assert_eq!(actions, ["ban", "demote", "promote", "add player"]);
    let lines = |ran: String| {
        ran.lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        lines(user(&["list"]).out),
        ["Bob person, banned", "Ann person, admin"]
    );
    assert_eq!(user(&["unban", "Bob"]).code, Some(0));
    let first = user(&["list", "--json"])
        .out
        .lines()
        .next()
        .map(serde_json::from_str::<serde_json::Value>);
    let first = first.expect("a line").expect("JSON");
    assert_eq!(
        (&first["name"], &first["ban"], &first["admin"]),
        (&"Bob".into(), &serde_json::Value::Null, &false.into())
    );
    user(&["ban", "Nobody"]).is_refused_with("Nobody");
}

#[test]
fn a_lost_password_is_replaced() {
    let database = database("admin-password");
    let user =
        |words: &[&str]| run(&[&["admin", "user"], words, &["--database", &database]].concat());
    let generated = |ran: crate::Ran| {
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let password = ran.last().strip_prefix("password: ").map(str::to_owned);
        password.expect("a generated password")
    };
    let first = generated(user(&["add", "Ann"]));
    let reset = user(&["password", "ann"]);
    assert!(
        reset.out.starts_with("reset password: Ann\n"),
        "{}",
        reset.out
    );
    assert_ne!(generated(reset), first);
    user(&["password", "Nobody"]).is_refused_with("Nobody");
    add_bot(&database, "Robo");
    user(&["password", "robo"]).is_refused_with("Robo is a bot");
    let piped = ["password", "Ann", "--password-stdin"];
    let piped = [&["admin", "user"], &piped[..], &["--database", &database]].concat();
    run_with(&piped, b"password1\n").is_refused_with("easily guessed");
    let set = run_with(&piped, b"correct horse battery\n");
    assert_eq!(
        (set.code, set.out.as_str()),
        (Some(0), "reset password: Ann\n"),
        "{}",
        set.err
    );
    let log = run(&["admin", "log", "--search", "ann", "--database", &database]).out;
    assert_eq!(log.matches("\"reset password\"").count(), 2, "{log}");
}

#[test]
fn a_second_ban_keeps_the_reason_unless_there_is_a_new_one() {
    let database = database("admin-ban");
    let admin = |words: &[&str]| run(&[&["admin"], words, &["--database", &database]].concat());
    assert_eq!(admin(&["user", "add", "Eve"]).code, Some(0));
    let ban = |reason: &[&str]| {
        let ran = admin(&[&["user", "ban", "eve"], reason].concat());
        assert_eq!(ran.out, "ban: Eve\n", "{}", ran.err);
        let list = admin(&["user", "list", "--json"]).out;
        let user: serde_json::Value = serde_json::from_str(&list).expect("JSON");
        user["ban"].clone()
    };
    let first = ban(&["--reason", "rude"]);
    assert_eq!(first["reason"], "rude");
    assert_eq!(ban(&[]), first, "neither reason nor time");
    let last = ban(&["--reason", "spam"]);
    assert_eq!(
        (&last["reason"], &last["at"]),
        (&"spam".into(), &first["at"])
    );
    let log = admin(&["log", "--search", "eve"]).out;
    for detail in ["the reason is kept", "spam (was banned already: rude)"] {
        assert!(log.contains(detail), "{log}");
    }
}

/// Stores an account as the server does for a member's bot.
fn add_bot(database: &str, name: &str) {
    let bot = User {
        kind: UserKind::Bot,
        owner: Some(1),
        ..User::new(7, name, 0)
    };
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let store = Store::open(database).await.expect("a database of the test");
        store.create_user(bot).await.expect("a new name");
        store.close().await;
    });
}

#[test]
fn only_people_are_admins_and_the_last_one_is_told_of() {
    let database = database("admin-last");
    let user =
        |words: &[&str]| run(&[&["admin", "user"], words, &["--database", &database]].concat());
    add_bot(&database, "Robo");
    user(&["promote", "robo"]).is_refused_with("Robo is a bot");
    let list = user(&["list"]).out;
    assert!(!list.contains("admin"), "{list}");
    for name in ["Ann", "Bob"] {
        assert_eq!(user(&["add", name, "--admin"]).code, Some(0));
    }
    assert_eq!(user(&["demote", "Ann"]).out, "demote: Ann\n");
    assert_eq!(user(&["demote", "Ann"]).out, "demote: Ann\n");
    let none = "no admin is left: make one with parlor admin user promote NAME\n";
    assert_eq!(user(&["ban", "Bob"]).out, format!("ban: Bob\n{none}"));
    assert_eq!(user(&["promote", "Ann"]).out, "promote: Ann\n");
    assert_eq!(user(&["demote", "Ann"]).out, format!("demote: Ann\n{none}"));
}

#[test]
fn an_account_is_closed_once_and_for_good() {
    let database = database("admin-close");
    let user =
        |words: &[&str]| run(&[&["admin", "user"], words, &["--database", &database]].concat());
    assert_eq!(user(&["add", "Ann", "--admin"]).code, Some(0));
    assert_eq!(user(&["add", "Eve"]).code, Some(0));
    add_bot(&database, "Robo");
    user(&["close", "eve"]).is_refused_with("--yes");
    user(&["close", "ann", "--yes"]).is_refused_with("Ann is an admin");
    user(&["close", "robo", "--yes"]).is_refused_with("Robo is a bot");
    let closed = user(&["close", "eve", "--yes"]);
    assert_eq!(closed.out, "close account: Eve\n", "{}", closed.err);
    user(&["close", "eve", "--yes"]).is_refused_with("there is no account eve");
    let list = user(&["list"]).out;
    let gone = list.lines().find(|line| line.starts_with("gone-"));
    let gone = gone.expect("it is listed under its new name");
    let name = gone.split_whitespace().next().expect("a name");
    for task in ["unban", "promote", "password"] {
        user(&[task, name]).is_refused_with("is closed");
    }
    let log = run(&["admin", "log", "--database", &database]).out;
    let last = log.lines().next().expect("a line");
    assert!(last.contains("close account") && !last.contains("Eve"));
    let again = user(&["add", "Eve"]);
    assert_eq!(again.code, Some(0), "the name is free: {}", again.err);
}

/// Stores a table of one player.
fn add_table(database: &str, id: i64, name: &str) {
    use parlor_store::{NewStoredTable, StoredEvent};
    let event = StoredEvent {
        version: 1,
        at: 1_000,
        body: serde_json::json!({ "type": "opened" }),
    };
    let seat = serde_json::json!({ "label": "X", "kind": "human", "name": name, "member": false });
    let table = NewStoredTable {
        events: vec![event],
        seats: serde_json::json!([seat]),
        ..NewStoredTable::new(id, "mnk", 1_000)
    };
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let store = Store::open(database).await.expect("a database of the test");
        store.create(table).await.expect("a new table");
        store.close().await;
    });
}

#[test]
fn tables_are_listed_and_deleted() {
    let database = database("admin-table");
    let admin = |words: &[&str]| run(&[&["admin"], words, &["--database", &database]].concat());
    for (id, name) in [(1_001, "Ann"), (1_002, "Bob"), (123_456_789, "Cid")] {
        add_table(&database, id, name);
    }
    let list = admin(&["table", "list", "--json"]);
    assert_eq!(list.out.lines().count(), 3, "{}", list.err);
    let found = admin(&["table", "list", "--search", "bob", "--json"]).out;
    let found: serde_json::Value = serde_json::from_str(&found).expect("one line");
    assert_eq!(
        (&found["number"], &found["players"][0], &found["status"]),
        (&serde_json::json!(1_002), &"Bob".into(), &"open".into())
    );
    admin(&["table", "delete"]).is_refused_with("required");
    admin(&["table", "delete", "nowhere"]).is_refused_with("number of a table");
    admin(&["table", "delete", "1001", "1003"]).is_refused_with("no table 1003");
    let deleted = admin(&["table", "delete", "1001", "000003nqk8n"]);
    assert_eq!(
        deleted.out, "deleted table 1001\ndeleted table 123456789\n",
        "{}",
        deleted.err
    );
    let list = admin(&["table", "list"]).out;
    assert!(
        list.lines().count() == 1 && list.ends_with("Bob\n"),
        "{list}"
    );
    let log = admin(&["log", "--search", "delete table"]).out;
    assert_eq!(log.lines().count(), 2, "{log}");
    assert!(log.contains("\"table 1001\"") && log.contains("mnk, open"));
}

#[test]
fn people_are_silenced_and_may_write_again() {
    let database = database("admin-talk");
    let admin = |words: &[&str]| run(&[&["admin"], words, &["--database", &database]].concat());
    let piped = [
        "admin",
        "user",
        "add",
        "Eve",
        "--password-stdin",
        "--database",
        &database,
    ];
    let added = run_with(&piped, b"correct horse battery\n");
    assert_eq!(added.code, Some(0), "{}", added.err);
    assert_eq!(admin(&["talk", "reports"]).out, "");
    admin(&["talk", "close", "7"]).is_refused_with("no open report 7");
    admin(&["talk", "silence", "--report", "7", "--hours", "1"])
        .is_refused_with("no open report 7");
    admin(&["talk", "silence", "Nobody", "--hours", "1"]).is_refused_with("no account Nobody");
    admin(&["talk", "silence", "Eve", "--hours", "0"]).is_refused_with("0");
    admin(&["talk", "unsilence", "Eve"]).is_refused_with("not silenced");
    let silenced = admin(&[
        "talk", "silence", "eve", "--hours", "24", "--reason", "spam",
    ]);
    assert_eq!(silenced.out, "silenced for 24 h: Eve\n");
    let list = admin(&["talk", "silenced"]).out;
    assert!(
        list.starts_with("Eve") && list.ends_with("spam\n"),
        "{list}"
    );
    assert_eq!(
        admin(&["talk", "unsilence", "EVE"]).out,
        "may write again: Eve\n"
    );
    assert_eq!(admin(&["talk", "silenced"]).out, "");
    let log = admin(&["log", "--search", "eve"]).out;
    for part in ["\"unsilence\"", "\"silence\"", "24 h: spam"] {
        assert!(log.contains(part), "{log}");
    }
}

#[test]
fn a_missing_database_is_not_created() {
    let missing = folder("admin-missing").join("parlor.db");
    let address = format!("sqlite:{}", missing.display());
    run(&["admin", "user", "list", "--database", &address]).is_refused_with("there is no database");
    assert!(!missing.exists());
    let database = database("admin-token");
    run(&["admin", "token", "revoke", "7", "--database", &database]).is_refused_with("no token 7");
}
