//! `parlor admin talk`: reports of messages, and people who may not write.

use std::io::Write;

use clap::{Args, Subcommand};
use parlor_server::talk_key;
use parlor_store::{ListPage, ReportFilter, Silence, Store, StoreError, TalkPerson, TalkReport};
use serde_json::{Value, json};

use super::{audit_line, now, with_store};
use crate::error::CommandError;
use crate::settings::SettingsArgs;

/// Number of reports read at a time.
const PAGE_ROWS: u64 = 200;
const HOUR_MS: i64 = 3_600_000;

/// Read reports of messages at tables, and silence people.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  parlor admin talk reports                       open reports, with what was written
  parlor admin talk silence --report 7 --hours 24 its author, member or guest
  parlor admin talk silence eve --hours 168 --reason 'spam'
  parlor admin talk close 7")]
pub struct TalkArgs {
    #[command(subcommand)]
    command: TalkCommand,
}

#[derive(Subcommand, Debug)]
enum TalkCommand {
    /// List the open reports, newest first
    Reports {
        /// Closed reports, too
        #[arg(long)]
        all: bool,
        /// Print one JSON object per report
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        settings: SettingsArgs,
    },
    /// Close a report, which deletes its copies of messages
    Close {
        /// Number of the report
        report: i64,
        #[command(flatten)]
        settings: SettingsArgs,
    },
    /// Let a person write nothing for a time
    Silence {
        #[command(flatten)]
        person: PersonArgs,
        /// Number of hours
        #[arg(long, value_parser = clap::value_parser!(u32).range(1..=87_600))]
        hours: u32,
        /// Reason, for the log
        #[arg(long, default_value = "")]
        reason: String,
        #[command(flatten)]
        settings: SettingsArgs,
    },
    /// End a silence
    Unsilence {
        #[command(flatten)]
        person: PersonArgs,
        #[command(flatten)]
        settings: SettingsArgs,
    },
    /// List the people who are silenced
    Silenced {
        #[command(flatten)]
        settings: SettingsArgs,
    },
}

/// A person, by account or as the author of a reported message.
#[derive(Args, Debug)]
#[group(required = true, multiple = false)]
struct PersonArgs {
    /// Account; case does not matter
    name: Option<String>,
    /// Author of the message in this report
    #[arg(long, value_name = "NUMBER")]
    report: Option<i64>,
}

pub fn run(args: &TalkArgs, out: &mut dyn Write) -> Result<(), CommandError> {
    match &args.command {
        TalkCommand::Reports {
            all,
            json,
            settings,
        } => {
            let filter = ReportFilter { open_only: !all };
            let found = with_store(settings, async |store| {
                reports(store, filter).await.map_err(CommandError::other)
            })?;
            found.iter().try_for_each(|report| {
                if *json {
                    writeln!(out, "{}", to_json(report))
                } else {
                    print(report, out)
                }
            })?;
            Ok(())
        }
        TalkCommand::Close { report, settings } => {
            let line = audit_line("close report", format!("report {report}"), "");
            let is_closed = with_store(settings, async |store| {
                let closed = store.close_talk_report(*report, now(), line.clone());
                closed.await.map_err(CommandError::other)
            })?;
            if !is_closed {
                return Err(no_report(*report));
            }
            writeln!(out, "closed: report {report}")?;
            Ok(())
        }
        TalkCommand::Silence {
            person,
            hours,
            reason,
            settings,
        } => {
            let name = with_store(settings, async |store| {
                silence(store, person, *hours, reason).await
            })?;
            writeln!(out, "silenced for {hours} h: {name}")?;
            Ok(())
        }
        TalkCommand::Unsilence { person, settings } => {
            let name = with_store(settings, async |store| {
                let person = find(store, person).await?;
                let line = audit_line("unsilence", target(&person), "");
                let ended = store.end_silence(&person.key, line).await;
                match ended.map_err(CommandError::other)? {
                    true => Ok(person.name),
                    false => Err(CommandError::Other(format!(
                        "{} is not silenced",
                        person.name
                    ))),
                }
            })?;
            writeln!(out, "may write again: {name}")?;
            Ok(())
        }
        TalkCommand::Silenced { settings } => {
            let silences = with_store(settings, async |store| {
                store.silences(now()).await.map_err(CommandError::other)
            })?;
            silences.iter().try_for_each(|silence| {
                let minutes = (silence.until - now()).max(0) / 60_000;
                let name = &silence.person.name;
                writeln!(out, "{name:<20} {minutes} min left  {}", silence.reason)
            })?;
            Ok(())
        }
    }
}

async fn silence(
    store: &Store,
    person: &PersonArgs,
    hours: u32,
    reason: &str,
) -> Result<String, CommandError> {
    let person = find(store, person).await?;
    let (name, at) = (person.name.clone(), now());
    let detail = format!("{hours} h: {reason}");
    let line = audit_line("silence", target(&person), detail.trim_end_matches(": "));
    let silence = Silence {
        person,
        at,
        until: at + i64::from(hours) * HOUR_MS,
        reason: reason.chars().take(200).collect(),
    };
    let silenced = store.silence(&silence, line).await;
    silenced.map_err(CommandError::other)?;
    Ok(name)
}

async fn find(store: &Store, person: &PersonArgs) -> Result<TalkPerson, CommandError> {
    if let Some(id) = person.report {
        let report = store.talk_report(id).await.map_err(CommandError::other)?;
        return Ok(report.ok_or_else(|| no_report(id))?.author);
    }
    let name = person.name.as_deref().unwrap_or_default();
    let missing = || CommandError::Other(format!("there is no account {name}"));
    let user = store.user_by_name(name).await;
    let user = user.map_err(CommandError::other)?.ok_or_else(missing)?;
    Ok(TalkPerson {
        key: talk_key(user.id).ok_or_else(missing)?,
        user: Some(user.id),
        name: user.name,
    })
}

fn no_report(id: i64) -> CommandError {
    CommandError::Other(format!("there is no open report {id}"))
}

/// Returns a person as the audit log names it.
fn target(person: &TalkPerson) -> String {
    match person.user {
        Some(id) => format!("player {} ({id})", person.name),
        None => format!("guest {} {}", person.key, person.name),
    }
}

async fn reports(store: &Store, filter: ReportFilter) -> Result<Vec<TalkReport>, StoreError> {
    let mut found = Vec::new();
    let mut page = ListPage {
        before: None,
        limit: PAGE_ROWS,
    };
    loop {
        let rows = store.talk_reports(filter, &page).await?;
        let is_full = rows.len() as u64 == PAGE_ROWS;
        page.before = rows.last().map(|report| report.id);
        found.extend(rows);
        if !is_full {
            return Ok(found);
        }
    }
}

fn print(report: &TalkReport, out: &mut dyn Write) -> std::io::Result<()> {
    let kept = &report.report;
    let closed = report.closed_at.map_or("", |_| ", closed");
    writeln!(
        out,
        "report {}: {} about {}, by {}{closed}",
        report.id, kept.reason, report.author.name, kept.reporter.name
    )?;
    if !kept.note.is_empty() {
        writeln!(out, "  note: {}", kept.note)?;
    }
    report.messages.iter().try_for_each(|message| {
        let mark = if message.n == kept.n { '>' } else { ' ' };
        writeln!(out, "  {mark} {}: {}", message.author.name, message.text)
    })
}

fn to_json(report: &TalkReport) -> Value {
    let kept = &report.report;
    let messages: Vec<Value> = report
        .messages
        .iter()
        .map(|message| {
            json!({ "n": message.n, "at": message.at, "name": message.author.name, "text": message.text })
        })
        .collect();
    json!({
        "id": report.id, "at": kept.at, "table": kept.table, "n": kept.n, "reason": kept.reason,
        "note": kept.note, "reporter": kept.reporter.name, "author": report.author.name,
        "author_id": report.author.user, "messages": messages, "closed_at": report.closed_at,
    })
}
