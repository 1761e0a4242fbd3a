use crate::{folder, run, run_with};

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
    run_with(
        &[
            "admin",
            "user",
            "add",
            "Cid",
            "--password-stdin",
            "--database",
            &database,
        ],
        b"short\n",
    )
    .is_refused_with("8 to 200");
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
fn a_missing_database_is_not_created() {
    let missing = folder("admin-missing").join("parlor.db");
    let address = format!("sqlite:{}", missing.display());
    run(&["admin", "user", "list", "--database", &address]).is_refused_with("there is no database");
    assert!(!missing.exists());
    let database = database("admin-token");
    run(&["admin", "token", "revoke", "7", "--database", &database]).is_refused_with("no token 7");
}
