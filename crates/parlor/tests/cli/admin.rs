use crate::{folder, run, run_with};

/// A house of its own: the address of its database.
fn house(name: &str) -> String {
    let file = folder(name).join("parlor.db");
    // An empty file is an empty database; a missing one would be a mistake.
    std::fs::write(&file, "").expect("a folder of our own");
    format!("sqlite:{}", file.display())
}

#[test]
fn accounts_are_made_listed_promoted_and_banned() {
    let house = house("admin-user");
    let user = |words: &[&str]| run(&[&["admin", "user"], words, &["--database", &house]].concat());
    let added = user(&["add", "Ann", "--admin"]);
    assert_eq!(added.code, Some(0), "{}", added.err);
    let password = added
        .last()
        .strip_prefix("password: ")
        .expect("a password is made up");
    assert!(password.len() >= 16, "{password}");
    let piped = [
        "admin",
        "user",
        "add",
        "Bob",
        "--password-stdin",
        "--database",
        &house,
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
            &house,
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
fn what_is_not_there_is_not_made_by_looking_for_it() {
    let missing = folder("admin-missing").join("parlor.db");
    let address = format!("sqlite:{}", missing.display());
    run(&["admin", "user", "list", "--database", &address]).is_refused_with("there is no database");
    assert!(!missing.exists());
    let house = house("admin-token");
    run(&["admin", "token", "revoke", "7", "--database", &house]).is_refused_with("no token 7");
}
