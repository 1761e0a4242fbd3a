//! `parlor serve` as a process.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::{Ran, folder, parlor, run};

/// A running server, killed when the test ends.
pub(crate) struct RunningServer {
    child: Child,
    pub(crate) address: String,
    rest: BufReader<std::process::ChildStdout>,
}

impl Drop for RunningServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn serve(folder: &Path, args: &[&str], env: &[(&str, &str)]) -> RunningServer {
    let mut command = parlor(&[&["serve"], args].concat());
    command
        .current_dir(folder)
        .envs(env.iter().copied())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn().expect("the program starts");
    let mut rest = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    rest.read_line(&mut line)
        .expect("the program prints its address");
    let address = line
        .trim()
        .strip_prefix("http://")
        .and_then(|url| url.strip_suffix('/'));
    let address = address
        .unwrap_or_else(|| panic!("{line:?} is no address"))
        .to_owned();
    RunningServer {
        child,
        address,
        rest,
    }
}

impl RunningServer {
    fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("the server listens");
        let request = format!(
            "GET {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n",
            self.address
        );
        stream
            .write_all(request.as_bytes())
            .expect("the server reads");
        let mut answer = String::new();
        stream
            .read_to_string(&mut answer)
            .expect("the server answers");
        answer
    }

    /// Sends a signal and returns the exit code and the rest of the output.
    pub(crate) fn end(mut self, signal: &str) -> (Option<i32>, String) {
        send(signal, &self.child);
        let code = self.child.wait().expect("the server ends").code();
        let mut rest = String::new();
        self.rest.read_to_string(&mut rest).expect("text");
        (code, rest)
    }
}

/// Sends a signal to a program.
pub(crate) fn send(signal: &str, program: &Child) {
    let sent = Command::new("kill")
        .args([signal, &program.id().to_string()])
        .status()
        .expect("kill is here");
    assert!(sent.success());
}

#[test]
fn a_server_prints_its_address_answers_and_ends_on_a_signal() {
    for signal in ["-TERM", "-INT", "-HUP"] {
        let place = folder("serve");
        let server = serve(&place, &["--bind", "127.0.0.1:0"], &[]);
        assert!(server.get("/healthz").starts_with("HTTP/1.1 200 "));
        assert!(
            place.join("parlor.db").exists(),
            "the database is in the working directory"
        );
        assert_eq!(
            server.end(signal),
            (Some(0), String::new()),
            "one line of output only"
        );
    }
}

#[test]
fn settings_come_from_file_environment_and_command_line_in_this_order() {
    let place = folder("settings");
    std::fs::write(
        place.join("p.toml"),
        "bind = '127.0.0.1:1'\ndatabase = 'sqlite:file.db'\n",
    )
    .expect("a folder of the test");
    let server = serve(
        &place,
        &["--config", "p.toml", "--bind", "127.0.0.1:0"],
        &[("PARLOR_DATABASE", "sqlite:env.db")],
    );
    assert!(
        !server.address.ends_with(":1"),
        "the command line overrides the file"
    );
    assert!(
        place.join("env.db").exists() && !place.join("file.db").exists(),
        "the environment overrides the file"
    );
}

#[test]
fn a_file_is_served_by_one_process_and_administered_by_any() {
    let place = folder("one-server");
    let database = format!("sqlite:{}", place.join("house.db").display());
    let args = ["--bind", "127.0.0.1:0", "--database", &database];
    let server = serve(&place, &args, &[]);
    let second = || run(&[&["serve"], &args[..]].concat());
    second().is_refused_with("another process serves");
    let link = place.join("link.db");
    std::fs::hard_link(place.join("house.db"), &link).expect("a file system with links");
    let linked = format!("sqlite:{}", link.display());
    run(&["serve", "--bind", "127.0.0.1:0", "--database", &linked])
        .is_refused_with("another name, a hard link");
    std::fs::remove_file(&link).expect("the link");
    let added = run(&["admin", "user", "add", "Ann", "--database", &database]);
    assert_eq!(added.code, Some(0), "{}", added.err);
    server.end("-KILL");
    // The dead process holds nothing.
    let next = serve(&place, &args, &[]);
    assert_eq!(next.end("-TERM").0, Some(0));
}

#[test]
fn a_backup_is_taken_while_the_server_runs() {
    let place = folder("backup");
    let database = format!("sqlite:{}", place.join("house.db").display());
    let copy = place.join("copy.db");
    let copy = copy.to_str().expect("a plain path");
    let server = serve(
        &place,
        &["--bind", "127.0.0.1:0", "--database", &database],
        &[],
    );
    let ran = run(&["admin", "backup", copy, "--database", &database]);
    assert_eq!((ran.code, ran.out.trim()), (Some(0), copy), "{}", ran.err);
    assert_eq!(server.end("-TERM").0, Some(0));
    let copied = serve(
        &place,
        &[
            "--bind",
            "127.0.0.1:0",
            "--database",
            &format!("sqlite:{copy}"),
        ],
        &[],
    );
    assert!(
        copied.get("/readyz").starts_with("HTTP/1.1 200 "),
        "a server can use the copy"
    );
    run(&["admin", "backup", copy, "--database", &database]).is_refused_with("exists");
    for end in ["-journal", ".lock"] {
        let own = place.join(format!("house.db{end}"));
        let own = own.to_str().expect("a plain path");
        // The lock of a server that has ended may be there or not.
        let _ = std::fs::remove_file(own);
        run(&["admin", "backup", own, "--database", &database])
            .is_refused_with("belongs to the database");
    }
    let in_a_folder = format!("sqlite:{}", place.display());
    run(&["admin", "user", "list", "--database", &in_a_folder]).is_refused_with("it is a folder");
    run(&[
        "admin",
        "backup",
        "/tmp/x.db",
        "--database",
        "sqlite:/nowhere/at/all.db",
    ])
    .is_refused_with("no database");
}

#[test]
fn a_backup_is_restored_although_a_killed_server_has_left_its_log() {
    let place = folder("restore");
    let file = place.join("house.db");
    let database = format!("sqlite:{}", file.display());
    let copy = place.join("copy.db");
    let copy = copy.to_str().expect("a plain path");
    let admin = |words: &[&str]| run(&[&["admin"], words, &["--database", &database]].concat());
    let args = ["--bind", "127.0.0.1:0", "--database", &database];
    let server = serve(&place, &args, &[]);
    assert_eq!(admin(&["user", "add", "Ann"]).code, Some(0));
    assert_eq!(admin(&["backup", copy]).code, Some(0));
    assert_eq!(admin(&["user", "add", "Bob"]).code, Some(0));
    admin(&["restore", copy]).is_refused_with("a server uses");
    server.end("-KILL");
    let log = place.join("house.db-wal");
    assert!(log.exists(), "what was killed has left its log");
    admin(&["restore", file.to_str().expect("a plain path")])
        .is_refused_with("the database itself");
    admin(&["restore", "/nowhere/at/all.db"]).is_refused_with("cannot restore /nowhere/at/all.db");
    let text = place.join("notes.txt");
    std::fs::write(&text, "no database at all, ".repeat(100)).expect("a folder of the test");
    admin(&["restore", text.to_str().expect("a plain path")]).is_refused_with("not a database");
    std::fs::write(&text, "").expect("a folder of the test");
    admin(&["restore", text.to_str().expect("a plain path")])
        .is_refused_with("it is no database of Parlor");
    assert!(log.exists(), "a refusal changes nothing");
    let ran = admin(&["restore", copy]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.out
            .contains("house.db: tables: 0, accounts: 1, latest event: none\n"),
        "{}",
        ran.out
    );
    assert!(!log.exists(), "the old log would undo it");
    let kept = ran.last().strip_prefix("the database before is kept as ");
    let kept = format!("sqlite:{}", kept.expect("its name"));
    let names = |database: &str| run(&["admin", "user", "list", "--database", database]).out;
    let (now, before) = (names(&database), names(&kept));
    assert!(now.contains("Ann") && !now.contains("Bob"), "{now}");
    assert!(before.contains("Ann") && before.contains("Bob"), "{before}");
    let server = serve(&place, &args, &[]);
    assert!(server.get("/readyz").starts_with("HTTP/1.1 200 "));
    assert_eq!(server.end("-TERM").0, Some(0));
    run(&[
        "admin",
        "restore",
        copy,
        "--database",
        "postgres://x@localhost/x",
    ])
    .is_refused_with("use `pg_restore or psql`");
}

#[test]
fn invalid_settings_are_refused_in_one_line() {
    let place = folder("refused");
    let database = format!("sqlite:{}", place.join("p.db").display());
    let server = serve(
        &place,
        &["--bind", "127.0.0.1:0", "--database", &database],
        &[],
    );
    let other = format!("sqlite:{}", place.join("other.db").display());
    run(&["serve", "--bind", &server.address, "--database", &other])
        .is_refused_with(&format!("--bind: cannot listen on {}", server.address));
    let anywhere = ["serve", "--bind", "127.0.0.1:0"];
    let metrics = ["--metrics-bind", &server.address, "--database", &other];
    run(&[&anywhere[..], &metrics].concat()).is_refused_with("--metrics-bind: cannot listen on");
    let free = std::net::TcpListener::bind("127.0.0.1:0").and_then(|socket| socket.local_addr());
    let free = free.expect("a free port").to_string();
    let same = ["serve", "--bind", &free, "--metrics-bind", &free];
    run(&[&same[..], &["--database", &other]].concat())
        .is_refused_with("--metrics-bind: the server itself listens on");
    run(&["serve", "--bind", "nowhere", "--database", &database])
        .is_refused_with("--bind: \"nowhere\" has no port: write nowhere:8080");
    run(&[
        "serve",
        "--bind",
        "127.0.0.1:0",
        "--database",
        "postgres://u:secret@127.0.0.1:1/x",
    ])
    .is_refused_with("127.0.0.1:1");
    run(&["serve", "--database", "access:x"]).is_refused_with("access");
    run(&["serve", "--database", "sqlite:"]).is_refused_with("names no file");
    run(&["serve", "--database", "sqlite:/nowhere/at/all.db"])
        .is_refused_with("the folder /nowhere/at does not exist");
    run(&[
        &anywhere[..],
        &["--database", &database, "--trusted-proxies", ""],
    ]
    .concat())
    .is_refused_with("--trusted-proxies: it is empty");
    run(&["admin", "user", "list", "--database", "sqlite:"]).is_refused_with("names no file");
    run(&["serve", "--config", "/nowhere.toml"]).is_refused_with("/nowhere.toml");
    for url in ["gopher", "https://a.example/?b=c", "https://a.example/#b"] {
        let bind = ["--bind", "127.0.0.1:0", "--database", &database];
        run(&[&["serve", "--public-url", url], &bind[..]].concat()).is_refused_with(url);
    }
    run(&["serve", "--bind", "[::1]", "--database", &database])
        .is_refused_with("--bind: \"[::1]\" has no port: write [::1]:8080");
    let file = place.join("p.toml");
    std::fs::write(&file, "# The house\n\ntalk = false\n").expect("a folder");
    let file = file.display().to_string();
    run(&["serve", "--config", &file])
        .is_refused_with("p.toml, line 3: talk: false is none of off, phrases, on");
    run(&["serve", "--log", "=nonsense=", "--database", &database])
        .is_refused_with("--log: \"=nonsense=\" has no level");
    run(&["serve", "--database-timeout-ms", "0"]).is_refused_with("database-timeout-ms");
    for wrong in ["0", "-1", "4294967296"] {
        run(&["serve", "--database-timeout-ms", wrong])
            .is_refused_with("write a whole number from 1 to 4294967295");
    }
    let read_only = format!("{database}?mode=ro");
    run(&["serve", "--bind", "127.0.0.1:0", "--database", &read_only])
        .is_refused_with("p.db cannot be written to");
}

#[cfg(unix)]
#[test]
fn a_server_that_may_open_too_few_files_to_serve_anybody_does_not_start() {
    let place = folder("few-files");
    let program = parlor(&[]);
    let start = "ulimit -n 20 && exec \"$0\" serve --bind 127.0.0.1:0";
    let mut shell = Command::new("sh");
    shell.args(["-c", start, env!("CARGO_BIN_EXE_parlor")]);
    for (name, value) in program.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    let output = shell.current_dir(&place).stdin(Stdio::null()).output();
    let ran = Ran::from(output.expect("a shell"));
    ran.is_refused_with("open only 20 files, but it needs at least 128");
    assert!(!place.join("parlor.db").exists());
}

/// Port of a server that accepts connections and never answers.
fn silent_server() -> (std::net::TcpListener, String) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address").to_string();
    (listener, address)
}

#[test]
fn a_silent_database_is_given_up_after_the_time_that_was_set() {
    let (_listener, address) = silent_server();
    for scheme in ["postgres", "mysql"] {
        let database = format!("{scheme}://u:secret@{address}/x");
        let args = ["--bind", "127.0.0.1:0", "--database", &database];
        let place = folder("silent");
        std::fs::write(place.join("p.toml"), "database_timeout_ms = 21\n").expect("a folder");
        let file = place.join("p.toml").display().to_string();
        let by_file = ["serve", "--config", &file];
        run(&[&by_file[..], &args].concat()).is_refused_with("no answer within 21 ms");
        let by_line = ["serve", "--config", &file, "--database-timeout-ms", "22"];
        run(&[&by_line[..], &args].concat()).is_refused_with("no answer within 22 ms");
    }
}

/// Starts a server and returns the log that it has written until it is ready.
fn log_of_start(place: &Path, args: &[&str]) -> String {
    let usual = ["--bind", "127.0.0.1:0"];
    let bind = usual.iter().copied().filter(|_| !args.contains(&"--bind"));
    let args: Vec<&str> = ["serve"]
        .into_iter()
        .chain(bind)
        .chain(args.iter().copied())
        .collect();
    let mut command = parlor(&args);
    let command = command.current_dir(place).stderr(Stdio::piped());
    let mut child = command.stdout(Stdio::piped()).spawn().expect("it starts");
    let mut address = String::new();
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    out.read_line(&mut address).expect("it prints its address");
    // It writes its last lines when it ends in order.
    send("-TERM", &child);
    let output = child.wait_with_output().expect("it ends");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn an_update_of_the_schema_is_logged_with_its_database() {
    let place = folder("schema");
    let new = log_of_start(&place, &[]);
    assert!(!new.contains("the schema of the database"), "{new}");
    let earlier =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../parlor-server/tests/earlier/house.db.gz");
    let unpacked = Command::new("gzip").arg("-dc").arg(earlier).output();
    std::fs::write(
        place.join("old.db"),
        unpacked.expect("gzip is there").stdout,
    )
    .expect("a folder");
    let old = ["--database", "sqlite:old.db"];
    let first = log_of_start(&place, &old);
    for said in [
        "updating the schema of the database",
        "database=\"old.db\"",
        "from=\"m00",
        "the schema of the database is updated",
    ] {
        assert!(first.contains(said), "{said}: {first}");
    }
    let second = log_of_start(&place, &old);
    assert!(!second.contains("the schema of the database"), "{second}");
}

#[test]
fn a_time_without_a_server_is_logged_by_the_next_one_alone() {
    let place = folder("outages");
    for _ in 0..3 {
        let log = log_of_start(&place, &[]);
        let told = log.matches("nobody could play for a while").count();
        assert!(told <= 1, "{log}");
    }
}

#[test]
fn one_address_that_may_take_all_connections_is_warned_of() {
    let place = folder("of-one-address");
    let log = |of_one| log_of_start(&place, &["--connections-per-address", of_one]);
    let warning = "connections_per_address: there can be ";
    assert!(log("1000000000").contains(warning));
    assert!(!log("10").contains(warning));
}

#[test]
fn a_list_of_proxies_that_trusts_everybody_is_warned_of() {
    let place = folder("everybody");
    let log = |bind, proxies| log_of_start(&place, &["--bind", bind, "--trusted-proxies", proxies]);
    let warning = "whoever reaches this address can claim any client address";
    assert!(log("0.0.0.0:0", "10.0.0.1, 0.0.0.0/0").contains(warning));
    for (bind, proxies) in [("127.0.0.1:0", "0.0.0.0/0"), ("0.0.0.0:0", "10.0.0.0/8")] {
        assert!(!log(bind, proxies).contains(warning), "{bind}, {proxies}");
    }
}

#[test]
fn metrics_that_others_can_read_are_warned_of() {
    let place = folder("metrics");
    let log = |bind| log_of_start(&place, &["--metrics-bind", bind]);
    let warning = "whoever reaches this address can read the metrics";
    assert!(log("0.0.0.0:0").contains(warning));
    for bind in ["127.0.0.1:0", "off"] {
        assert!(!log(bind).contains(warning), "{bind}");
    }
}

#[cfg(unix)]
#[test]
fn a_database_that_others_can_read_is_reported() {
    use std::os::unix::fs::PermissionsExt;
    let place = folder("readable");
    let log = |mode| {
        let file = place.join("parlor.db");
        std::fs::set_permissions(&file, PermissionsExt::from_mode(mode)).expect("our own file");
        log_of_start(&place, &[])
    };
    let server = serve(&place, &["--bind", "127.0.0.1:0"], &[]);
    assert_eq!(server.end("-TERM").0, Some(0));
    let warning = "other users may read the database";
    assert!(log(0o644).contains(warning));
    assert!(!log(0o600).contains(warning));
}
