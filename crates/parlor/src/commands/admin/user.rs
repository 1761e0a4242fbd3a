//! `parlor admin user`: accounts.

use std::io::{Read, Write};

use clap::{Args, Subcommand};
use parlor_server::{check_password, generate_password, hash_password};
use parlor_store::{
    AuditLine, Ban, Closing, ListPage, PasswordHash, Store, StoreError, User, UserFilter, UserKind,
};
use parlor_table::{TableId, Timestamp};
use serde_json::json;

use super::{audit_line, now, with_store};
use crate::error::CommandError;
use crate::settings::SettingsArgs;

/// Number of accounts read at a time.
const PAGE_ROWS: u64 = 500;

/// Manage accounts.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parlor admin user add ann --admin               generate a password and print it
  parlor admin user add bob --password-stdin < password.txt
  parlor admin user password bob                  generate another password and print it
  parlor admin user list --json
  parlor admin user ban eve --reason 'spoke rudely'")]
pub struct UserArgs {
    #[command(subcommand)]
    command: UserCommand,
}

#[derive(Subcommand, Debug)]
enum UserCommand {
    /// Create an account
    Add {
        /// 1 to 20 characters: A-Z, a-z, 0-9, _ and -
        name: String,
        /// Make it an admin, who may use the pages under /admin
        #[arg(long)]
        admin: bool,
        /// Read the password from standard input instead of generating one
        #[arg(long)]
        password_stdin: bool,
        #[command(flatten)]
        settings: SettingsArgs,
    },
    /// List all accounts, newest first
    List {
        /// Print one JSON object per account
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        settings: SettingsArgs,
    },
    /// Give a person a new password, which ends all sessions; tokens keep working
    Password {
        #[command(flatten)]
        account: AccountArgs,
        /// Read the password from standard input instead of generating one
        #[arg(long)]
        password_stdin: bool,
    },
    /// Make a person's account an admin
    Promote(AccountArgs),
    /// Make an admin an ordinary member
    Demote(AccountArgs),
    /// Ban an account: its sessions and tokens end at once, and its open connections to a running
    /// server are closed within two seconds
    Ban {
        #[command(flatten)]
        account: AccountArgs,
        /// The reason, which is shown to the account's owner; one that is given again replaces the
        /// first
        #[arg(long, default_value = "")]
        reason: String,
    },
    /// Close a person's account for good: the name goes, from finished games, too; games and results stay
    Close {
        #[command(flatten)]
        account: AccountArgs,
        /// Confirm that it cannot be undone
        #[arg(long)]
        yes: bool,
    },
    /// Lift a ban
    Unban(AccountArgs),
}

#[derive(Args, Debug)]
struct AccountArgs {
    /// The account's name; case does not matter
    name: String,
    #[command(flatten)]
    settings: SettingsArgs,
}

pub fn run(args: &UserArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    match &args.command {
        UserCommand::Add {
            name,
            admin,
            password_stdin,
            settings,
        } => {
            let password = NewPassword::choose(name, *password_stdin)?;
            let hash = password.hash()?;
            with_store(settings, async |store| add(store, name, hash, *admin).await)?;
            writeln!(
                out,
                "{name} has an account{}",
                if *admin { " and is an admin" } else { "" }
            )?;
            password.tell(out)
        }
        UserCommand::List { json, settings } => {
            let users = with_store(settings, async |store| {
                all_users(store).await.map_err(CommandError::other)
            })?;
            users.iter().try_for_each(|user| {
                writeln!(
                    out,
                    "{}",
                    if *json {
                        format_json(user)
                    } else {
                        format_line(user)
                    }
                )
            })?;
            Ok(())
        }
        UserCommand::Password {
            account,
            password_stdin,
        } => {
            let password = NewPassword::choose(&account.name, *password_stdin)?;
            let hash = password.hash()?;
            change_account(account, "reset password", out, async |store, user| {
                if user.kind == UserKind::Bot {
                    let reason = format!("{} is a bot: only people have passwords", user.name);
                    return Err(CommandError::Other(reason));
                }
                let line = user_line("reset password", user, "");
                let reset = store.reset_password(user.id, hash.clone(), line).await;
                reset.map_err(CommandError::other)
            })?;
            password.tell(out)
        }
        UserCommand::Promote(account) => {
            change_account(account, "promote", out, async |store, user| {
                if user.kind == UserKind::Bot {
                    let reason = format!("{} is a bot: only people can be admins", user.name);
                    return Err(CommandError::Other(reason));
                }
                let line = user_line("promote", user, "");
                let promoted = store.set_admin(user.id, true, line).await;
                promoted.map_err(CommandError::other)
            })
        }
        UserCommand::Demote(account) => {
            change_account(account, "demote", out, async |store, user| {
                let line = user_line("demote", user, "");
                let demoted = store.set_admin(user.id, false, line).await;
                demoted.map_err(CommandError::other)
            })
        }
        UserCommand::Ban { account, reason } => {
            change_account(account, "ban", out, async |store, user| {
                let (at, reason) = (now(), reason.clone());
                let ban = Ban { at, reason };
                let line = user_line("ban", user, &ban.audit_detail(user.ban.as_ref()));
                let banned = store.ban(user.id, ban, line).await;
                banned.map_err(CommandError::other)
            })
        }
        UserCommand::Close { yes: false, .. } => {
            let reason = "this cannot be undone: confirm it with --yes";
            Err(CommandError::Other(reason.to_owned()))
        }
        UserCommand::Close { account, yes: true } => {
            change_account(account, "close account", out, close)
        }
        UserCommand::Unban(account) => {
            change_account(account, "unban", out, async |store, user| {
                let line = user_line("unban", user, "");
                let unbanned = store.unban(user.id, line).await;
                unbanned.map_err(CommandError::other)
            })
        }
    }
}

/// Changes an account and prints its name, and whether it was the last admin.
fn change_account(
    account: &AccountArgs,
    action: &str,
    out: &mut dyn Write,
    change: impl AsyncFnOnce(&Store, &User) -> Result<bool, CommandError>,
) -> Result<(), CommandError> {
    let (name, was_last_admin) = with_store(&account.settings, async |store| {
        let missing = || CommandError::Other(format!("there is no account {}", account.name));
        let user = store
            .user_by_name(&account.name)
            .await
            .map_err(CommandError::other)?
            .ok_or_else(missing)?;
        if user.is_closed() {
            return Err(CommandError::Other(format!("{} is closed", user.name)));
        }
        if !change(store, &user).await? {
            return Err(missing());
        }
        let was_admin = user.admin && user.ban.is_none();
        let was_last_admin = was_admin && !has_admin(store).await.map_err(CommandError::other)?;
        Ok((user.name, was_last_admin))
    })?;
    writeln!(out, "{action}: {name}")?;
    if was_last_admin {
        writeln!(
            out,
            "no admin is left: make one with parlor admin user promote NAME"
        )?;
    }
    Ok(())
}

/// Closes the account of a person who is no admin. Returns false if there is none.
async fn close(store: &Store, user: &User) -> Result<bool, CommandError> {
    let refused = |reason: &str| Err(CommandError::Other(format!("{} {reason}", user.name)));
    if user.kind == UserKind::Bot {
        return refused("is a bot: ban it, or close the account of its owner");
    }
    if user.admin {
        return refused("is an admin: demote them first");
    }
    // The log is not to keep the name that goes.
    let target = format!("player {} ({})", User::closed_name(user.id), user.id);
    let line = audit_line("close account", target, "");
    let closed = store.close_account(user.id, now(), line).await;
    match closed.map_err(CommandError::other)? {
        Closing::Closed => Ok(true),
        Closing::Playing => refused("has games that are not over: they end first, or are deleted"),
        Closing::NoPerson => Ok(false),
    }
}

/// Returns true if there is an admin who is not banned.
async fn has_admin(store: &Store) -> Result<bool, StoreError> {
    let filter = UserFilter {
        admins_only: true,
        ..UserFilter::default()
    };
    let page = ListPage {
        before: None,
        limit: PAGE_ROWS,
    };
    let admins = store.users(&filter, &page).await?;
    let is_admin = |user: &User| user.kind == UserKind::Person && user.ban.is_none();
    Ok(admins.iter().any(is_admin))
}

/// Returns the audit log entry for an action on an account.
fn user_line(action: &str, user: &User, detail: &str) -> AuditLine {
    let target = format!("player {} ({})", user.name, user.id);
    audit_line(action, target, detail)
}

async fn add(
    store: &Store,
    name: &str,
    password: PasswordHash,
    admin: bool,
) -> Result<(), CommandError> {
    let mut random = [0; 8];
    getrandom::fill(&mut random).map_err(CommandError::other)?;
    let number = TableId::fresh(Timestamp::from_millis(now()), u64::from_le_bytes(random)).number();
    let id = i64::try_from(number).map_err(CommandError::other)?;
    let user = User {
        password: Some(password),
        admin,
        ..User::new(id, name, now())
    };
    store.create_user(user).await.map_err(CommandError::other)?;
    let detail = if admin { "as an admin" } else { "" };
    store
        .record_audit(audit_line(
            "add player",
            format!("player {name} ({id})"),
            detail,
        ))
        .await
        .map_err(CommandError::other)
}

async fn all_users(store: &Store) -> Result<Vec<User>, StoreError> {
    let (mut users, mut page) = (
        Vec::new(),
        ListPage {
            before: None,
            limit: PAGE_ROWS,
        },
    );
    loop {
        let rows = store.users(&UserFilter::default(), &page).await?;
        let full = rows.len() as u64 == PAGE_ROWS;
        page.before = rows.last().map(|user| user.id);
        users.extend(rows);
        if !full {
            return Ok(users);
        }
    }
}

fn format_line(user: &User) -> String {
    let admin = user.admin.then_some("admin");
    let banned = user.ban.as_ref().map(|_| "banned");
    let words = [Some(user.kind.as_str()), admin, banned];
    format!(
        "{:<20} {}",
        user.name,
        words.into_iter().flatten().collect::<Vec<_>>().join(", ")
    )
}

fn format_json(user: &User) -> String {
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

/// Password that an account gets.
struct NewPassword {
    text: String,
    is_generated: bool,
}

impl NewPassword {
    /// Reads a password for this account from standard input, or generates one.
    fn choose(name: &str, from_stdin: bool) -> Result<NewPassword, CommandError> {
        let text = match from_stdin {
            true => read_password()?,
            false => generate_password(),
        };
        if from_stdin {
            check_password(&text, &[name]).map_err(CommandError::other)?;
        }
        let is_generated = !from_stdin;
        Ok(NewPassword { text, is_generated })
    }

    fn hash(&self) -> Result<PasswordHash, CommandError> {
        hash_password(&self.text).map_err(CommandError::other)
    }

    /// Prints the password if it was generated.
    fn tell(&self, out: &mut dyn Write) -> Result<(), CommandError> {
        if self.is_generated {
            writeln!(out, "password: {}", self.text)?;
        }
        Ok(())
    }
}

/// Reads the first line of standard input.
fn read_password() -> Result<String, CommandError> {
    let mut text = String::new();
    std::io::stdin()
        .take(4096)
        .read_to_string(&mut text)
        .map_err(CommandError::other)?;
    Ok(text.lines().next().unwrap_or_default().to_owned())
}
