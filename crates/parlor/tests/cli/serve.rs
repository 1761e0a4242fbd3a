//! `parlor serve` as a process.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::{folder, parlor, run};

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
        let sent = Command::new("kill")
            .args([signal, &self.child.id().to_string()])
            .status()
            .expect("kill is here");
        assert!(sent.success());
        let code = self.child.wait().expect("the server ends").code();
        let mut rest = String::new();
        self.rest.read_to_string(&mut rest).expect("text");
        (code, rest)
    }
}

#[test]
fn a_server_prints_its_address_answers_and_ends_on_a_signal() {
    for signal in ["-TERM", "-INT"] {
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
fn invalid_settings_are_refused_in_one_line() {
    let place = folder("refused");
    let database = format!("sqlite:{}", place.join("p.db").display());
    let server = serve(
        &place,
        &["--bind", "127.0.0.1:0", "--database", &database],
        &[],
    );
    run(&["serve", "--bind", &server.address, "--database", &database])
        .is_refused_with(&server.address);
    run(&["serve", "--bind", "nowhere", "--database", &database]).is_refused_with("host and port");
    run(&[
        "serve",
        "--bind",
        "127.0.0.1:0",
        "--database",
        "postgres://u:secret@127.0.0.1:1/x",
    ])
    .is_refused_with("127.0.0.1:1");
    run(&["serve", "--database", "access:x"]).is_refused_with("access");
    run(&["serve", "--config", "/nowhere.toml"]).is_refused_with("/nowhere.toml");
    run(&[
        "serve",
        "--public-url",
        "gopher",
        "--bind",
        "127.0.0.1:0",
        "--database",
        &database,
    ])
    .is_refused_with("gopher");
    run(&["serve", "--log", "=nonsense=", "--database", &database]).is_refused_with("filter");
}
