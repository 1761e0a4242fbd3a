//! `parlor admin user`: accounts.

use std::io::{Read, Write};

use clap::{Args, Subcommand};
use parlor_server::hash_password;
use parlor_store::{Ban, Page, PasswordHash, Store, StoreError, User, UserFilter};
use parlor_table::{TableId, Timestamp};
use serde_json::json;

use super::{line, now, with_store};
use crate::failure::Failure;
use crate::settings::Sources;

/// How many accounts are read at a time.
const ROWS: u64 = 500;

/// Looks after accounts.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parlor admin user add ann --admin               makes up a password and prints it
  parlor admin user add bob --password-stdin < password.txt
  parlor admin user list --json
  parlor admin user ban eve --reason 'spoke rudely'")]
pub struct Users {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand, Debug)]
enum Task {
    /// Makes an account
    Add {
        /// 1 to 20 of A-Z, a-z, 0-9, _ and -
        name: String,
        /// An admin, who may use the pages under /admin
        #[arg(long)]
        admin: bool,
        /// Reads the password from the standard input, instead of making one up
        #[arg(long)]
        password_stdin: bool,
        #[command(flatten)]
        sources: Sources,
    },
    /// Lists all accounts, the newest first
    List {
        /// One JSON object for each
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        sources: Sources,
    },
    /// Makes somebody an admin
    Promote(Named),
    /// Makes an admin a common member
    Demote(Named),
    /// Shuts somebody out: sessions end, tokens stop counting, and what a running server has open is closed within half a minute
    Ban {
        #[command(flatten)]
        named: Named,
        /// Why; it is told to whom it concerns
        #[arg(long, default_value = "")]
        reason: String,
    },
    /// Lets somebody in again
    Unban(Named),
}

#[derive(Args, Debug)]
struct Named {
    /// The account's name, in any case
    name: String,
    #[command(flatten)]
    sources: Sources,
}

pub fn run(args: &Users, out: &mut dyn Write) -> Result<(), Failure> {
    match &args.task {
        Task::Add {
            name,
            admin,
            password_stdin,
            sources,
        } => {
            let (password, made_up) = if *password_stdin {
                (typed()?, false)
            } else {
                (made_up()?, true)
            };
            let hash = hash_password(&password).map_err(Failure::refused)?;
            with_store(sources, async |store| add(store, name, hash, *admin).await)?;
            writeln!(
                out,
                "{name} has an account{}",
                if *admin { " and keeps the house" } else { "" }
            )?;
            if made_up {
                writeln!(out, "password: {password}")?;
            }
            Ok(())
        }
        Task::List { json, sources } => {
            let users = with_store(sources, async |store| {
                all(store).await.map_err(Failure::refused)
            })?;
            users.iter().try_for_each(|user| {
                writeln!(out, "{}", if *json { as_json(user) } else { as_line(user) })
            })?;
            Ok(())
        }
        Task::Promote(named) => changed(named, "promote", "", out, async |store, id, line| {
            store.set_admin(id, true, line).await
        }),
        Task::Demote(named) => changed(named, "demote", "", out, async |store, id, line| {
            store.set_admin(id, false, line).await
        }),
        Task::Ban { named, reason } => {
            let ban = Ban {
                at: now(),
                reason: reason.clone(),
            };
            changed(named, "ban", reason, out, async |store, id, line| {
                store.ban(id, ban.clone(), line).await
            })
        }
        Task::Unban(named) => changed(named, "unban", "", out, async |store, id, line| {
            store.unban(id, line).await
        }),
    }
}

/// Does something with an account, and says so.
fn changed(
    named: &Named,
    action: &str,
    detail: &str,
    out: &mut dyn Write,
    work: impl AsyncFnOnce(&Store, i64, parlor_store::AuditLine) -> Result<bool, StoreError>,
) -> Result<(), Failure> {
    let name = with_store(&named.sources, async |store| {
        let missing = || Failure::Refused(format!("there is no account {}", named.name));
        let user = store
            .user_by_name(&named.name)
            .await
            .map_err(Failure::refused)?
            .ok_or_else(missing)?;
        let audit = line(
            action,
            format!("player {} ({})", user.name, user.id),
            detail,
        );
        let done = work(store, user.id, audit)
            .await
            .map_err(Failure::refused)?;
        if done { Ok(user.name) } else { Err(missing()) }
    })?;
    writeln!(out, "{action}: {name}")?;
    Ok(())
}

async fn add(
    store: &Store,
    name: &str,
    password: PasswordHash,
    admin: bool,
) -> Result<(), Failure> {
    let mut random = [0; 8];
    getrandom::fill(&mut random).map_err(Failure::refused)?;
    let number = TableId::fresh(Timestamp::from_millis(now()), u64::from_le_bytes(random)).number();
    let id = i64::try_from(number).map_err(Failure::refused)?;
    let user = User {
        password: Some(password),
        admin,
        ..User::new(id, name, now())
    };
    store.create_user(user).await.map_err(Failure::refused)?;
    let detail = if admin { "as an admin" } else { "" };
    store
        .record_audit(line("add player", format!("player {name} ({id})"), detail))
        .await
        .map_err(Failure::refused)
}

async fn all(store: &Store) -> Result<Vec<User>, StoreError> {
    let (mut users, mut page) = (
        Vec::new(),
        Page {
            before: None,
            limit: ROWS,
        },
    );
    loop {
        let rows = store.users(&UserFilter::default(), &page).await?;
        let full = rows.len() as u64 == ROWS;
        page.before = rows.last().map(|user| user.id);
        users.extend(rows);
        if !full {
            return Ok(users);
        }
    }
}

fn as_line(user: &User) -> String {
    let admin = user.admin.then_some("admin");
    let banned = user.ban.as_ref().map(|_| "banned");
    let words = [Some(user.kind.as_str()), admin, banned];
    format!(
        "{:<20} {}",
        user.name,
        words.into_iter().flatten().collect::<Vec<_>>().join(", ")
    )
}

fn as_json(user: &User) -> String {
    let ban = user
        .ban
        .as_ref()
        .map(|ban| json!({ "at": ban.at, "reason": ban.reason }));
    json!({
        "id": user.id, "name": user.name, "kind": user.kind.as_str(), "admin": user.admin, "level": user.level.as_str(),
        "ban": ban, "created_at": user.created_at,
    })
    .to_string()
}

/// The first line of the standard input.
fn typed() -> Result<String, Failure> {
    let mut text = String::new();
    std::io::stdin()
        .take(4096)
        .read_to_string(&mut text)
        .map_err(Failure::refused)?;
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

/// A password of 100 random bits, in letters that nobody mistakes for others.
fn made_up() -> Result<String, Failure> {
    const LETTERS: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz23456789-";
    let mut bytes = [0; 20];
    getrandom::fill(&mut bytes).map_err(Failure::refused)?;
    Ok(bytes
        .iter()
        .map(|byte| char::from(LETTERS[usize::from(byte % 32)]))
        .collect())
}
