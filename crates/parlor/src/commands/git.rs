//! `parlor git`: tables in a git repository.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use clap::{Args, Subcommand, ValueEnum};
use parlor_git::house::{self, Place};
use parlor_git::paths::{STATE, Slug};
use parlor_git::playing::Invitation;
use parlor_git::referee::{Circumstances, run as referee};
use parlor_git::{HouseSecret, Identity, Person, Repository, page, player};

use crate::failure::Failure;
use crate::game::Game;

/// Tables in a git repository: a folder is a table, a commit is a move, a referee keeps it honest.
#[derive(Args, Debug)]
#[command(after_help = "\
The referee's secret is 64 hexadecimal digits in the variable PARLOR_GIT_SECRET, or in the file that --secret-file names.
It seals the referee's commits and is where all luck comes from; it never enters the repository.

Examples:
  parlor git init --secret-file ~/house.secret       make this repository a house (and the secret, if there is none)
  parlor git player alice --email alice@example.org
  parlor git new friday backgammon --players alice,bob --length 3
  parlor git show friday
  parlor git move friday 13/7,8/7
  parlor git referee --remote origin                 look at what was pushed, and answer")]
pub struct Git {
    /// The repository
    #[arg(
        short = 'C',
        long,
        value_name = "FOLDER",
        default_value = ".",
        global = true
    )]
    repository: PathBuf,
    #[command(subcommand)]
    command: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// Makes a repository a house: who plays, schemas, a page, a workflow
    Init {
        #[command(flatten)]
        whereabouts: Whereabouts,
        #[command(flatten)]
        secret: SecretSource,
        /// What a player is known by
        #[arg(long, value_enum, default_value_t = KnownBy::Email)]
        identity: KnownBy,
    },
    /// Adds a player, or more that they are known by
    Player {
        #[command(flatten)]
        whereabouts: Whereabouts,
        #[command(flatten)]
        secret: SecretSource,
        /// The player's name
        name: String,
        /// Addresses that the player's commits carry
        #[arg(long, value_name = "ADDRESS")]
        email: Vec<String>,
        /// SSH public keys that sign the player's commits
        #[arg(long, value_name = "KEY")]
        key: Vec<String>,
        /// Names that a platform gives for whoever pushed
        #[arg(long, value_name = "NAME")]
        actor: Vec<String>,
    },
    /// Sets up a table
    New {
        #[command(flatten)]
        whereabouts: Whereabouts,
        #[command(flatten)]
        secret: SecretSource,
        /// The table's name
        table: Slug,
        // Before the options of games, one of which has the same name.
        /// Who sits where, in the order of seats; bot:level:3 for a bot that the referee moves
        #[arg(long, value_delimiter = ',', required = true, value_name = "NAMES")]
        players: Vec<String>,
        #[command(flatten)]
        game: Game,
    },
    /// Makes a move: writes its file, commits it as you, and pushes it
    Move {
        /// The table's name
        table: Slug,
        /// The move in the game's notation, or resign
        #[arg(value_name = "MOVE", allow_hyphen_values = true)]
        text: String,
        /// Who moves; whoever is on turn when not said
        #[arg(long = "as", value_name = "SEAT")]
        seat: Option<String>,
        /// A word to the others
        #[arg(long)]
        comment: Option<String>,
        /// Where to push
        #[arg(long, default_value = "origin")]
        remote: String,
        /// Commit only
        #[arg(long)]
        no_push: bool,
    },
    /// Shows a table: the board, who is to move, what happened
    Show {
        /// The table's name
        table: Slug,
        /// The picture instead
        #[arg(long)]
        svg: bool,
        /// The state instead
        #[arg(long, conflicts_with = "svg")]
        json: bool,
        /// The legal moves too
        #[arg(long)]
        legal: bool,
    },
    /// Lists the tables, or the moves of one
    Log {
        /// The table's name
        table: Option<Slug>,
    },
    /// Looks at what was pushed, plays it or refuses it, draws luck, and commits the answer
    Referee {
        #[command(flatten)]
        whereabouts: Whereabouts,
        #[command(flatten)]
        secret: SecretSource,
        /// Who pushed, as the platform says
        #[arg(long, env = "PARLOR_GIT_ACTOR", value_name = "NAME")]
        actor: Option<String>,
    },
    /// Writes the page of a house with all its tables into a folder for a static host
    Page {
        /// The folder
        #[arg(long, short, default_value = "public")]
        out: PathBuf,
    },
}

#[derive(Args, Debug)]
struct Whereabouts {
    /// The branch that is played on
    #[arg(long, default_value = "main")]
    branch: String,
    /// Work on this remote's branch, by fetching and pushing, in place of the repository's own
    #[arg(long)]
    remote: Option<String>,
}

#[derive(Args, Debug)]
struct SecretSource {
    /// The file with the referee's secret
    #[arg(long, env = "PARLOR_GIT_SECRET_FILE", value_name = "FILE")]
    secret_file: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum KnownBy {
    /// The committer's address
    Email,
    /// The commit's SSH signature
    Signature,
    /// The name that the platform gives for whoever pushed
    Actor,
}

/// The variable that holds the secret.
const VARIABLE: &str = "PARLOR_GIT_SECRET";

pub fn run(args: &Git, out: &mut dyn Write) -> Result<(), Failure> {
    let folder = &args.repository;
    match &args.command {
        Action::Init {
            whereabouts,
            secret,
            identity,
        } => {
            let secret = secret.read_or_make(out)?;
            let place = whereabouts.place(&begun(folder)?)?;
            let identity = match identity {
                KnownBy::Email => Identity::Email,
                KnownBy::Signature => Identity::Signature,
                KnownBy::Actor => Identity::Actor,
            };
            let commit = house::init(&place, &secret, identity, now()).map_err(Failure::refused)?;
            catch_up(&place, out)?;
            writeln!(
                out,
                "{} is a house now (commit {})",
                folder.display(),
                short(&commit)
            )?;
        }
        Action::Player {
            whereabouts,
            secret,
            name,
            email,
            key,
            actor,
        } => {
            let (place, secret) = (whereabouts.place(folder)?, secret.read()?);
            let known = Person {
                emails: email.clone(),
                keys: key.clone(),
                actors: actor.clone(),
            };
            house::add_player(&place, &secret, name, &known, now()).map_err(Failure::refused)?;
            catch_up(&place, out)?;
            writeln!(out, "{name} plays here")?;
        }
        Action::New {
            whereabouts,
            secret,
            table,
            game,
            players,
        } => {
            let (place, secret) = (whereabouts.place(folder)?, secret.read()?);
            let now = now();
            let mut random = [0; 8];
            getrandom::fill(&mut random).map_err(Failure::refused)?;
            let invitation = Invitation {
                table: house::fresh_id(now, u64::from_ne_bytes(random)),
                game: game.kind,
                options: for_so_many(game, players.len()),
                players: players.clone(),
                now,
            };
            house::new_table(&place, &secret, table, &invitation).map_err(Failure::refused)?;
            catch_up(&place, out)?;
            writeln!(out, "table {table} is set up: {}", game.kind.title())?;
        }
        Action::Move {
            table,
            text,
            seat,
            comment,
            remote,
            no_push,
        } => {
            let repository = Repository::open(folder).map_err(Failure::refused)?;
            let wanted = player::Wanted {
                table,
                text,
                seat: seat.as_deref(),
                comment: comment.clone(),
                remote: (!no_push).then_some(remote.as_str()),
                now: now(),
            };
            let path = player::play(&repository, &wanted).map_err(Failure::refused)?;
            writeln!(out, "{path}{}", if *no_push { "" } else { ", pushed" })?;
        }
        Action::Show {
            table,
            svg,
            json,
            legal,
        } => {
            let read = player::read_folder(&root(folder)?.join(table.file("")))
                .map_err(Failure::refused)?;
            let state = read.get(STATE).map_err(|_| no_table(table))?;
            if *json {
                out.write_all(state)?;
                return Ok(());
            }
            let (position, mark) = player::position(&read).map_err(Failure::refused)?;
            if *svg {
                writeln!(out, "{}", position.svg(mark.as_deref()))?;
                return Ok(());
            }
            show(&position, mark.as_deref(), state, *legal, out)?;
        }
        Action::Log { table } => log(&root(folder)?, table.as_ref(), out)?,
        Action::Referee {
            whereabouts,
            secret,
            actor,
        } => {
            let (place, secret) = (whereabouts.place(folder)?, secret.read()?);
            let around = Circumstances {
                actor: actor.clone(),
                now: now(),
            };
            let round = referee(&place, &secret, &around).map_err(Failure::refused)?;
            for line in round.said.iter().chain(&round.trouble) {
                writeln!(out, "{line}")?;
            }
            match &round.commit {
                Some(commit) => {
                    catch_up(&place, out)?;
                    writeln!(out, "answered by commit {}", short(commit))?;
                }
                None => writeln!(out, "nothing to do")?,
            }
            if !round.trouble.is_empty() {
                return Err(Failure::Unsound);
            }
        }
        Action::Page { out: pages } => {
            let count = page::build(&root(folder)?, pages).map_err(Failure::refused)?;
            writeln!(
                out,
                "{} shows {count} {}",
                pages.display(),
                if count == 1 { "table" } else { "tables" }
            )?;
        }
    }
    Ok(())
}

impl Whereabouts {
    fn place(&self, folder: &Path) -> Result<Place, Failure> {
        let sound = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '/');
        let is_name = |text: &str| {
            !text.is_empty()
                && !text.starts_with('-')
                && !text.contains("..")
                && text.chars().all(sound)
        };
        if !is_name(&self.branch) {
            return Err(Failure::Refused(format!(
                "{:?} is no name of a branch",
                self.branch
            )));
        }
        let repository = Repository::open(folder).map_err(Failure::refused)?;
        if !Repository::is_at(folder) {
            let reason = format!(
                "{} lies in a repository, but is none: name its top folder with -C",
                folder.display()
            );
            return Err(Failure::Refused(reason));
        }
        Ok(Place {
            repository,
            branch: self.branch.clone(),
            remote: self.remote.clone(),
        })
    }
}

impl SecretSource {
    fn read(&self) -> Result<HouseSecret, Failure> {
        let (text, from) = match (&self.secret_file, std::env::var(VARIABLE)) {
            (Some(file), _) => {
                let name = file.display().to_string();
                (
                    fs::read_to_string(file)
                        .map_err(|error| Failure::Refused(format!("{name}: {error}")))?,
                    name,
                )
            }
            (None, Ok(text)) => (text, VARIABLE.to_owned()),
            (None, Err(_)) => {
                let reason = format!(
                    "the referee has no secret: set {VARIABLE} or name --secret-file; without it nothing is rolled or sealed"
                );
                return Err(Failure::Refused(reason));
            }
        };
        HouseSecret::from_hex(&text)
            .ok_or_else(|| Failure::Refused(format!("{from}: a secret is 64 hexadecimal digits")))
    }

    /// The secret; a file that is not there yet is made, readable by nobody else.
    fn read_or_make(&self, out: &mut dyn Write) -> Result<HouseSecret, Failure> {
        let Some(file) = self.secret_file.as_ref().filter(|file| !file.exists()) else {
            return self.read();
        };
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(Failure::refused)?;
        let secret = HouseSecret::new(bytes);
        let mut options = fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let written = options
            .open(file)
            .and_then(|mut file| file.write_all((secret.to_hex() + "\n").as_bytes()));
        written.map_err(|error| Failure::Refused(format!("{}: {error}", file.display())))?;
        writeln!(
            out,
            "the referee's secret is in {}: keep it, and keep it out of the repository",
            file.display()
        )?;
        Ok(secret)
    }
}

/// The options, with as many seats as there are players where the game can have them.
fn for_so_many(game: &Game, players: usize) -> serde_json::Value {
    let fits = |options: &serde_json::Value| {
        game.kind
            .start(options)
            .is_ok_and(|start| usize::from(start.seats()) == players)
    };
    let mut options = game.options.clone();
    if !fits(&options) {
        if options.is_null() {
            options = serde_json::json!({});
        }
        options["players"] = players.into();
    }
    if fits(&options) {
        options
    } else {
        game.options.clone()
    }
}

/// The repository in a folder, made if there is none; one that the folder only lies in is somebody else's.
fn begun(folder: &Path) -> Result<PathBuf, Failure> {
    fs::create_dir_all(folder).map_err(Failure::refused)?;
    if !Repository::is_at(folder) {
        Repository::create(folder, "main").map_err(Failure::refused)?;
    }
    Ok(folder.to_owned())
}

/// The top of the work tree, or the folder itself: a page, for example, can be shown from any copy of the files.
fn root(folder: &Path) -> Result<PathBuf, Failure> {
    let top = Repository::open(folder)
        .ok()
        .and_then(|repository| repository.work_tree());
    Ok(top.unwrap_or_else(|| folder.to_owned()))
}

/// Brings a work tree that is on the branch up to date with what was just committed to it.
fn catch_up(place: &Place, out: &mut dyn Write) -> Result<(), Failure> {
    if place.remote.is_none()
        && place.repository.work_tree().is_some()
        && !place.repository.refresh(&place.branch)
    {
        writeln!(
            out,
            "the files here have changes of yours and were left as they are"
        )?;
    }
    Ok(())
}

fn show(
    position: &parlor_games::AnyPosition,
    mark: Option<&str>,
    state: &[u8],
    legal: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let state: serde_json::Value = serde_json::from_slice(state).map_err(Failure::refused)?;
    write!(out, "{}", position.terminal(mark))?;
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let players = state["players"].as_object();
    let names: Vec<String> = players
        .into_iter()
        .flatten()
        .map(|(seat, name)| format!("{} ({seat})", text(name)))
        .collect();
    writeln!(out, "{}", names.join(", "))?;
    let to_move = if state["status"] == "completed" {
        String::new()
    } else {
        format!(", {} to move", text(&state["activePlayer"]))
    };
    writeln!(out, "turn {}{to_move}", state["turn"])?;
    let messages = state["messages"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    for message in &messages[messages.len().saturating_sub(5)..] {
        writeln!(
            out,
            "  {}: {}",
            text(&message["type"]),
            text(&message["text"])
        )?;
    }
    if legal {
        for legal in position.legal() {
            writeln!(out, "{}", legal.text)?;
        }
    }
    Ok(())
}

fn log(root: &Path, table: Option<&Slug>, out: &mut dyn Write) -> Result<(), Failure> {
    let Some(table) = table else {
        for slug in player::tables(root)
            .map_err(|error| Failure::Refused(format!("there are no tables here: {error}")))?
        {
            let read = player::read_folder(&root.join(slug.file(""))).map_err(Failure::refused)?;
            let state: serde_json::Value = read.read(STATE).map_err(Failure::refused)?;
            let game = read
                .read::<parlor_git::TableFile>("table.json")
                .map_err(Failure::refused)?
                .game;
            let status = state["status"].as_str().unwrap_or_default();
            writeln!(out, "{slug}: {game}, {status}, turn {}", state["turn"])?;
        }
        return Ok(());
    };
    let read = player::read_folder(&root.join(table.file(""))).map_err(Failure::refused)?;
    read.get(STATE).map_err(|_| no_table(table))?;
    for (told, _) in page::steps(&read)
        .map_err(Failure::refused)?
        .into_iter()
        .skip(1)
    {
        let seat = told["seat"]
            .as_str()
            .map_or(String::new(), |seat| format!("{seat}: "));
        writeln!(
            out,
            "{:>4} {seat}{}",
            told["n"],
            told["text"].as_str().unwrap_or_default()
        )?;
    }
    Ok(())
}

fn no_table(table: &Slug) -> Failure {
    Failure::Refused(format!(
        "there is no table {table} here; parlor git log lists the tables"
    ))
}

fn short(commit: &str) -> &str {
    commit.get(..10).unwrap_or(commit)
}

fn now() -> i64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}
