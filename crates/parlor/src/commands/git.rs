//! `parlor git`: games in a git repository.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use clap::{Args, Subcommand, ValueEnum};
use parlor_git::house::{self, HouseBranch};
use parlor_git::paths::{STATE, Slug};
use parlor_git::referee::{RunContext, refusals, run as referee};
use parlor_git::refereed_table::TableSetup;
use parlor_git::{HouseSecret, Identity, Person, Repository, page, player};

use crate::error::CommandError;
use crate::game_args::GameArgs;

/// Play in a git repository: a folder is a table, a commit is a move, a referee enforces the rules.
#[derive(Args, Debug)]
#[command(after_help = "\
The referee's secret is 64 hexadecimal digits in the environment variable PARLOR_GIT_SECRET or the file given by --secret-file.
It seals the referee's commits and determines all luck; it must never enter the repository.

Examples:
  parlor git init --secret-file ~/house.secret       set up this repository (and create the secret)
  parlor git player alice --email alice@example.org
  parlor git new friday backgammon --players alice,bob --length 3
  parlor git show friday
  parlor git move friday 13/7,8/7
  parlor git referee --remote origin                 check what was pushed, and answer")]
pub struct GitArgs {
    /// Path of the repository
    #[arg(
        short = 'C',
        long,
        value_name = "FOLDER",
        default_value = ".",
        global = true
    )]
    repository: PathBuf,
    #[command(subcommand)]
    command: GitCommand,
}

#[derive(Subcommand, Debug)]
enum GitCommand {
    /// Set up a repository: player list, schemas, a page, a workflow
    Init {
        #[command(flatten)]
        branch: BranchArgs,
        #[command(flatten)]
        secret: SecretArgs,
        /// Method of identifying players
        #[arg(long, value_enum, default_value_t = IdentityKind::Email)]
        identity: IdentityKind,
    },
    /// Add a player, or add identities to one
    Player {
        #[command(flatten)]
        branch: BranchArgs,
        #[command(flatten)]
        secret: SecretArgs,
        /// The player's name
        name: String,
        /// Email address of the player's commits; may be repeated
        #[arg(long, value_name = "ADDRESS")]
        email: Vec<String>,
        /// SSH public key that signs the player's commits; may be repeated
        #[arg(long, value_name = "KEY")]
        key: Vec<String>,
        /// Account name of the player on the hosting platform; may be repeated
        #[arg(long, value_name = "NAME")]
        actor: Vec<String>,
    },
    /// Create a table
    New {
        #[command(flatten)]
        branch: BranchArgs,
        #[command(flatten)]
        secret: SecretArgs,
        /// The table's name
        table: Slug,
        // Declared before the options of games, one of which has the same name.
        /// Players in seat order; bot:level:3 is a bot that the referee plays
        #[arg(long, value_delimiter = ',', required = true, value_name = "NAMES")]
        players: Vec<String>,
        #[command(flatten)]
        game: GameArgs,
    },
    /// Make a move: write its file, commit it as you, and push
    Move {
        /// The table's name
        table: Slug,
        /// The move in the game's notation, or resign
        #[arg(value_name = "MOVE", allow_hyphen_values = true)]
        text: String,
        /// The seat that moves; by default the one on turn
        #[arg(long = "as", value_name = "SEAT")]
        seat: Option<String>,
        /// A comment for the other players
        #[arg(long)]
        comment: Option<String>,
        /// Remote to push to
        #[arg(long, default_value = "origin")]
        remote: String,
        /// Commit without pushing
        #[arg(long)]
        no_push: bool,
    },
    /// Show a table: the board, the player to move, the latest messages
    Show {
        /// The table's name
        table: Slug,
        /// Print the picture as SVG instead
        #[arg(long)]
        svg: bool,
        /// Print state.json instead
        #[arg(long, conflicts_with = "svg")]
        json: bool,
        /// List the legal moves as well
        #[arg(long)]
        legal: bool,
    },
    /// List the tables, or the moves of one
    Log {
        /// The table's name
        table: Option<Slug>,
    },
    /// Accept or reject pushed moves, draw luck, move bots, and commit the result
    Referee {
        #[command(flatten)]
        branch: BranchArgs,
        #[command(flatten)]
        secret: SecretArgs,
        /// Account name of the pusher on the hosting platform
        #[arg(long, env = "PARLOR_GIT_ACTOR", value_name = "NAME")]
        actor: Option<String>,
    },
    /// Refuse pushes that the referee would put back as a whole: for a pre-receive hook
    CheckPush {
        /// The branch with the games
        #[arg(long, default_value = "main")]
        branch: String,
    },
    /// Write web pages of all tables into a folder, for a static host
    Page {
        /// The folder to write to
        #[arg(long, short, default_value = "public")]
        out: PathBuf,
    },
}

#[derive(Args, Debug)]
struct BranchArgs {
    /// The branch with the games
    #[arg(long, default_value = "main")]
    branch: String,
    /// Fetch from and push to this remote's branch instead of using the local one
    #[arg(long)]
    remote: Option<String>,
}

#[derive(Args, Debug)]
struct SecretArgs {
    /// File with the referee's secret
    #[arg(long, env = "PARLOR_GIT_SECRET_FILE", value_name = "FILE")]
    secret_file: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum IdentityKind {
    /// The committer's email address
    Email,
    /// The commit's SSH signature
    Signature,
    /// The pusher's account name on the hosting platform
    Actor,
}

/// Environment variable with the secret.
const SECRET_VARIABLE: &str = "PARLOR_GIT_SECRET";

pub fn run(args: &GitArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    let folder = &args.repository;
    match &args.command {
        GitCommand::Init {
            branch,
            secret,
            identity,
        } => {
            let secret = secret.read_or_create(out)?;
            let place = branch.open(&open_or_create(folder)?)?;
            let identity = match identity {
                IdentityKind::Email => Identity::Email,
                IdentityKind::Signature => Identity::Signature,
                IdentityKind::Actor => Identity::Actor,
            };
            let commit = house::create_house(&place, &secret, identity, now())
                .map_err(CommandError::other)?;
            if place.remote.is_none() {
                place
                    .repository
                    .restrict_pushes()
                    .map_err(CommandError::other)?;
                place
                    .repository
                    .leave_unborn_branch(&place.name)
                    .map_err(CommandError::other)?;
            }
            refresh_work_tree(&place, out)?;
            writeln!(
                out,
                "set up {} (commit {})",
                folder.display(),
                short(&commit)
            )?;
        }
        GitCommand::Player {
            branch,
            secret,
            name,
            email,
            key,
            actor,
        } => {
            let (place, secret) = (branch.open(folder)?, secret.read()?);
            let known = Person {
                emails: email.clone(),
                keys: key.clone(),
                actors: actor.clone(),
            };
            house::add_player(&place, &secret, name, &known, now()).map_err(CommandError::other)?;
            refresh_work_tree(&place, out)?;
            writeln!(out, "added player {name}")?;
        }
        GitCommand::New {
            branch,
            secret,
            table,
            game,
            players,
        } => {
            let (place, secret) = (branch.open(folder)?, secret.read()?);
            let now = now();
            let mut random = [0; 8];
            getrandom::fill(&mut random).map_err(CommandError::other)?;
            let invitation = TableSetup {
                table: house::fresh_id(now, u64::from_ne_bytes(random)),
                game: game.kind,
                options: options_for_players(game, players.len()),
                players: players.clone(),
                now,
            };
            house::create_table(&place, &secret, table, &invitation)
                .map_err(CommandError::other)?;
            refresh_work_tree(&place, out)?;
            writeln!(out, "created table {table}: {}", game.kind.title())?;
        }
        GitCommand::Move {
            table,
            text,
            seat,
            comment,
            remote,
            no_push,
        } => {
            let repository = Repository::open(folder).map_err(CommandError::other)?;
            let wanted = player::PlayRequest {
                table,
                text,
                seat: seat.as_deref(),
                comment: comment.clone(),
                remote: (!no_push).then_some(remote.as_str()),
                now: now(),
            };
            let path = player::play(&repository, &wanted).map_err(CommandError::other)?;
            writeln!(out, "{path}{}", if *no_push { "" } else { ", pushed" })?;
        }
        GitCommand::Show {
            table,
            svg,
            json,
            legal,
        } => {
            let read = player::read_folder(&work_tree_root(folder)?.join(table.file("")))
                .map_err(CommandError::other)?;
            let state = read.get(STATE).map_err(|_| unknown_table(table))?;
            if *json {
                out.write_all(state)?;
                return Ok(());
            }
            let (position, mark) = player::position(&read).map_err(CommandError::other)?;
            if *svg {
                writeln!(out, "{}", position.svg(mark.as_deref()))?;
                return Ok(());
            }
            show(&position, mark.as_deref(), state, *legal, out)?;
        }
        GitCommand::Log { table } => log(&work_tree_root(folder)?, table.as_ref(), out)?,
        GitCommand::Referee {
            branch,
            secret,
            actor,
        } => {
            let (place, secret) = (branch.open(folder)?, secret.read()?);
            let circumstances = RunContext {
                actor: actor.clone(),
                now: now(),
            };
            let report = referee(&place, &secret, &circumstances).map_err(CommandError::other)?;
            for line in report.actions.iter().chain(&report.problems) {
                writeln!(out, "{line}")?;
            }
            match &report.commit {
                Some(commit) => {
                    refresh_work_tree(&place, out)?;
                    writeln!(out, "answered by commit {}", short(commit))?;
                }
                None => writeln!(out, "nothing to do")?,
            }
            if !report.problems.is_empty() {
                return Err(CommandError::CheckFailed);
            }
        }
        GitCommand::CheckPush { branch } => check_push(folder, branch, out)?,
        GitCommand::Page { out: pages } => {
            let count =
                page::build(&work_tree_root(folder)?, pages).map_err(CommandError::other)?;
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

/// Checks the updates of refs that git passes to a pre-receive hook.
fn check_push(folder: &Path, branch: &str, out: &mut dyn Write) -> Result<(), CommandError> {
    /// Git's standard input for this many refs is read.
    const LONGEST: u64 = 1 << 20;
    let folder = folder.canonicalize().map_err(CommandError::other)?;
    let mut repository = Repository::open(&folder).map_err(CommandError::other)?;
    // Git keeps what is pushed apart until the hook has accepted it.
    if let Some(quarantine) = std::env::var_os("GIT_QUARANTINE_PATH") {
        repository = repository.with_objects_in(Path::new(&quarantine));
    }
    let mut updates = String::new();
    std::io::stdin()
        .take(LONGEST)
        .read_to_string(&mut updates)?;
    let wanted = format!("refs/heads/{branch}");
    let exists = |id: &str| id.bytes().any(|digit| digit != b'0');
    let mut all_accepted = true;
    for line in updates.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let [old, new, name] = words[..] else {
            return Err(CommandError::Other(format!(
                "{line:?} is not what git passes to a pre-receive hook: OLD NEW REF"
            )));
        };
        if name != wanted || !exists(old) || !exists(new) {
            continue;
        }
        let refusals = refusals(&repository, old, new).map_err(CommandError::other)?;
        for refusal in &refusals {
            writeln!(out, "{refusal}")?;
        }
        all_accepted &= refusals.is_empty();
    }
    if all_accepted {
        Ok(())
    } else {
        Err(CommandError::CheckFailed)
    }
}

impl BranchArgs {
    fn open(&self, folder: &Path) -> Result<HouseBranch, CommandError> {
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '/');
        let is_name = |text: &str| {
            !text.is_empty()
                && !text.starts_with('-')
                && !text.contains("..")
                && text.chars().all(is_allowed)
        };
        if !is_name(&self.branch) {
            return Err(CommandError::Other(format!(
                "{:?} is not a valid branch name",
                self.branch
            )));
        }
        let repository = Repository::open(folder).map_err(CommandError::other)?;
        if !Repository::is_at(folder) {
            let reason = format!(
                "{} is inside a repository but not its top folder; pass that with -C",
                folder.display()
            );
            return Err(CommandError::Other(reason));
        }
        Ok(HouseBranch {
            repository,
            name: self.branch.clone(),
            remote: self.remote.clone(),
        })
    }
}

impl SecretArgs {
    fn read(&self) -> Result<HouseSecret, CommandError> {
        let (text, from) = match (&self.secret_file, std::env::var(SECRET_VARIABLE)) {
            (Some(file), _) => {
                let name = file.display().to_string();
                (
                    fs::read_to_string(file)
                        .map_err(|error| CommandError::Other(format!("{name}: {error}")))?,
                    name,
                )
            }
            (None, Ok(text)) => (text, SECRET_VARIABLE.to_owned()),
            (None, Err(_)) => {
                let reason = format!(
                    "the referee has no secret: set {SECRET_VARIABLE} or pass --secret-file"
                );
                return Err(CommandError::Other(reason));
            }
        };
        HouseSecret::from_hex(&text).ok_or_else(|| {
            CommandError::Other(format!("{from}: a secret is 64 hexadecimal digits"))
        })
    }

    /// Reads the secret. If its file does not exist, creates it with a new secret, readable only by its
    /// owner.
    fn read_or_create(&self, out: &mut dyn Write) -> Result<HouseSecret, CommandError> {
        let Some(file) = self.secret_file.as_ref().filter(|file| !file.exists()) else {
            return self.read();
        };
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(CommandError::other)?;
        let secret = HouseSecret::new(bytes);
        let mut options = fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let written = options
            .open(file)
            .and_then(|mut file| file.write_all((secret.to_hex() + "\n").as_bytes()));
        written.map_err(|error| CommandError::Other(format!("{}: {error}", file.display())))?;
        writeln!(
            out,
            "wrote the referee's secret to {}: keep it safe and out of the repository",
            file.display()
        )?;
        Ok(secret)
    }
}

/// Returns the options, with the number of seats set to that of players if the game allows it.
fn options_for_players(game: &GameArgs, players: usize) -> serde_json::Value {
    let has_all_seats = |options: &serde_json::Value| {
        game.kind
            .start(options)
            .is_ok_and(|start| usize::from(start.seats()) == players)
    };
    let mut options = game.options.clone();
    if !has_all_seats(&options) {
        if options.is_null() {
            options = serde_json::json!({});
        }
        options["players"] = players.into();
    }
    if has_all_seats(&options) {
        options
    } else {
        game.options.clone()
    }
}

/// Creates a repository in a folder unless the folder is the root of one. A repository further up
/// is not used.
fn open_or_create(folder: &Path) -> Result<PathBuf, CommandError> {
    fs::create_dir_all(folder).map_err(CommandError::other)?;
    if !Repository::is_at(folder) {
        Repository::create(folder, "main").map_err(CommandError::other)?;
    }
    Ok(folder.to_owned())
}

/// Returns the top of the work tree, or the folder itself outside of a repository: any copy of the
/// files can be shown.
fn work_tree_root(folder: &Path) -> Result<PathBuf, CommandError> {
    let top = Repository::open(folder)
        .ok()
        .and_then(|repository| repository.work_tree());
    Ok(top.unwrap_or_else(|| folder.to_owned()))
}

/// Updates the work tree, if it is on the branch, to the new commit.
fn refresh_work_tree(place: &HouseBranch, out: &mut dyn Write) -> Result<(), CommandError> {
    if place.remote.is_none()
        && place.repository.work_tree().is_some()
        && !place.repository.refresh_work_tree(&place.name)
    {
        writeln!(out, "the work tree has local changes and was not updated")?;
    }
    Ok(())
}

fn show(
    position: &parlor_games::AnyPosition,
    mark: Option<&str>,
    state: &[u8],
    legal: bool,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let state: serde_json::Value = serde_json::from_slice(state).map_err(CommandError::other)?;
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

fn log(root: &Path, table: Option<&Slug>, out: &mut dyn Write) -> Result<(), CommandError> {
    let Some(table) = table else {
        for slug in player::list_tables(root)
            .map_err(|error| CommandError::Other(format!("there are no tables here: {error}")))?
        {
            let read =
                player::read_folder(&root.join(slug.file(""))).map_err(CommandError::other)?;
            let state: serde_json::Value = read.read(STATE).map_err(CommandError::other)?;
            let game = read
                .read::<parlor_git::TableFile>("table.json")
                .map_err(CommandError::other)?
                .game;
            let status = state["status"].as_str().unwrap_or_default();
            writeln!(out, "{slug}: {game}, {status}, turn {}", state["turn"])?;
        }
        return Ok(());
    };
    let read = player::read_folder(&root.join(table.file(""))).map_err(CommandError::other)?;
    read.get(STATE).map_err(|_| unknown_table(table))?;
    for (step, _) in page::step_pictures(&read)
        .map_err(CommandError::other)?
        .into_iter()
        .skip(1)
    {
        let seat = step["seat"]
            .as_str()
            .map_or(String::new(), |seat| format!("{seat}: "));
        writeln!(
            out,
            "{:>4} {seat}{}",
            step["n"],
            step["text"].as_str().unwrap_or_default()
        )?;
    }
    Ok(())
}

fn unknown_table(table: &Slug) -> CommandError {
    CommandError::Other(format!(
        "there is no table {table} here; `parlor git log` lists the tables"
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
