//! People in a simulation, and what they note.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep, timeout, timeout_at};

use super::house::{Door, Doors, House, MEMBERS, template};

/// Age at which no answer may be older than what everybody knows, in milliseconds: two seconds, and
/// the time of the answer itself.
const STALE_MS: i64 = 2_200;
/// Time after trouble between a node and the database in which its answers may be old, in
/// milliseconds.
const RECOVERY_MS: i64 = 4_000;
/// Maximum difference between the clocks of nodes and the time, in milliseconds, with a turn's.
const MAX_SKEW_MS: i64 = 250;
/// Time without a beat from which nodes that did not say goodbye count as dead, in milliseconds.
const MISSED_MS: i64 = 2_500;
/// Length of the boards' sides.
const SIDE: u64 = 6;

/// Actions of people in a simulation, and their notes. Cheap to clone.
#[derive(Clone)]
pub(super) struct Story {
    doors: Doors,
    /// True when people bring their games to an end.
    is_calm: Arc<AtomicBool>,
    notes: Arc<Mutex<Notes>>,
}

#[derive(Default)]
struct Notes {
    /// Descriptions of what should not have happened.
    wrong: Vec<String>,
    tables: BTreeMap<String, TableNotes>,
    /// Numbered notes of each member, as they came.
    heard: BTreeMap<&'static str, Vec<Value>>,
    /// Table and seat of those who were paired.
    matched: Vec<(String, u64)>,
    /// Number of people who still wait for an opponent.
    waiting: u32,
}

#[derive(Default)]
struct TableNotes {
    /// Seat and cell of the moves that were acknowledged, by version.
    moves: BTreeMap<u64, (usize, String)>,
    /// Times at which versions became known, in milliseconds since the Unix epoch.
    known: Vec<(i64, u64)>,
    /// Names of the members who play.
    members: Vec<&'static str>,
    /// Events that each watcher saw.
    watched: Vec<Vec<Value>>,
}

/// A player in a game.
#[derive(Clone)]
struct Player {
    table: String,
    seat: usize,
    token: String,
}

impl Story {
    /// Lets people begin.
    pub(super) fn begin(house: &mut House) -> Story {
        let story = Story {
            doors: house.doors.clone(),
            is_calm: Arc::default(),
            notes: Arc::default(),
        };
        let spawn = &house.people;
        for _ in 0..2 {
            spawn.spawn(story.clone().play_as_guests());
        }
        spawn.spawn(story.clone().play_as_members([0, 1]));
        spawn.spawn(story.clone().play_as_members([2, 3]));
        spawn.spawn(story.clone().think_for_long());
        for member in 0..MEMBERS.len() {
            spawn.spawn(story.clone().listen(member));
        }
        for _ in 0..4 {
            spawn.spawn(story.clone().wait_for_an_opponent());
        }
        story
    }

    /// Asks people to bring their games to an end.
    pub(super) fn calm(&self) {
        self.is_calm.store(true, Ordering::Relaxed);
    }

    /// Returns what was wrong in the end.
    pub(super) fn check(&self, house: &mut House) -> Vec<String> {
        let logs = Arc::new(Mutex::new(Vec::new()));
        let tables: Vec<String> = self.notes().tables.keys().cloned().collect();
        for door in self.doors.all() {
            for table in &tables {
                let (door, table, logs) = (door.clone(), table.clone(), logs.clone());
                house.people.spawn(async move {
                    let log = whole_log(&door, &table).await;
                    lock(&logs).push((door.node, table, log));
                });
            }
        }
        house.pass(2_500, false);
        let mut notes = self.notes();
        // Shown when a test fails, or is run with `--nocapture`.
        println!("{}", notes.summary());
        let mut wrong = std::mem::take(&mut notes.wrong);
        let logs = std::mem::take(&mut *lock(&logs));
        if logs.len() < tables.len() * self.doors.all().len() {
            wrong.push("not all logs could be read in the end".to_owned());
        }
        let mut ended = BTreeSet::new();
        for (node, table, log) in &logs {
            let found = &notes.tables[table];
            found.check(*node, table, log, &mut wrong);
            check_clock(table, log, &house.outages, &mut wrong);
            if log.last().is_some_and(|event| event["type"] == "ended") {
                ended.insert(table.clone());
            }
        }
        for (member, heard) in &notes.heard {
            check_notes(member, heard, &notes.tables, &ended, &mut wrong);
        }
        let seats: BTreeSet<_> = notes.matched.iter().collect();
        if seats.len() < notes.matched.len() {
            wrong.push(format!("a seat was given twice: {:?}", notes.matched));
        }
        if notes.waiting > 1 {
            wrong.push(format!("{} wait for each other", notes.waiting));
        }
        wrong
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        lock(&self.notes)
    }

    fn is_calm(&self) -> bool {
        self.is_calm.load(Ordering::Relaxed)
    }

    fn is_wrong(&self, what: String) {
        let seconds = self.doors.weather.now() % 1_000_000;
        self.notes().wrong.push(format!("{seconds}: {what}"));
    }

    async fn think(&self, ms: u64) {
        let ms = self.doors.chance.below(ms) + 20;
        sleep(Duration::from_millis(ms)).await;
    }

    /// Asks some node until it answers with a success.
    async fn insist(&self, path: &str, token: Option<&str>, body: &Value) -> Value {
        loop {
            if let Some(door) = self.doors.any()
                && let Some((status, answer)) =
                    door.ask(Method::POST, path, token, body.clone()).await
                && status.is_success()
            {
                return answer;
            }
            self.think(200).await;
        }
    }

    /// Makes a table of two and returns its players.
    async fn make_table(&self, clock: Value, members: Option<[usize; 2]>) -> [Player; 2] {
        let tokens = members.map(|members| members.map(|member| &template().tokens[member]));
        let other = match members {
            Some([_, other]) => json!({ "kind": "player", "name": MEMBERS[other] }),
            None => json!({ "kind": "open" }),
        };
        let wanted = json!({
            "game": "mnk",
            "options": { "rows": SIDE, "columns": SIDE, "k": SIDE },
            "seats": [{ "kind": "me" }, other],
            "clock": clock,
        });
        let token = tokens.map(|[first, _]| first.as_str());
        let made = self.insist("/api/v1/tables", token, &wanted).await;
        let table = made["table"]["id"].as_str().unwrap().to_owned();
        self.notes()
            .tables
            .entry(table.clone())
            .or_default()
            .members = members.map_or_else(Vec::new, |members| {
            members.map(|member| MEMBERS[member]).to_vec()
        });
        let join = format!("/api/v1/tables/{table}/join");
        let token = tokens.map(|[_, second]| second.as_str());
        let joined = loop {
            // A guest whose answer was lost has joined all the same, and nobody else can.
            let door = self.doors.any();
            let body = json!({ "name": "Guest" });
            let answer = match door {
                Some(door) => door.ask(Method::POST, &join, token, body).await,
                None => None,
            };
            match answer {
                Some((status, joined)) if status.is_success() => break joined,
                Some((StatusCode::CONFLICT, _)) => break Value::Null,
                _ => self.think(200).await,
            }
        };
        let token = |made: &Value, seat: usize| match tokens {
            Some(tokens) => tokens[seat].clone(),
            None => made["token"].as_str().unwrap_or_default().to_owned(),
        };
        let tokens = [token(&made, 0), token(&joined, 1)];
        let mut seat = 0..;
        tokens.map(|token| Player {
            table: table.clone(),
            seat: seat.next().unwrap(),
            token,
        })
    }

    async fn play_as_guests(self) {
        let clock = json!({ "kind": "total", "initial_ms": 10_000, "increment_ms": 5_000 });
        while !self.is_calm() {
            let players = self.make_table(clock.clone(), None).await;
            self.play_out(players).await;
        }
    }

    async fn play_as_members(self, members: [usize; 2]) {
        while !self.is_calm() {
            let players = self.make_table(Value::Null, Some(members)).await;
            self.play_out(players).await;
        }
    }

    /// Plays a game to its end, with two watchers and somebody who looks.
    async fn play_out(&self, players: [Player; 2]) {
        let table = players[0].table.clone();
        for _ in 0..2 {
            tokio::spawn(self.clone().watch(table.clone()));
        }
        tokio::spawn(self.clone().look(table));
        // A guest whose answer was lost has a seat but cannot play.
        let is_playable = players.iter().all(|player| !player.token.is_empty());
        let [first, second] = players.map(|player| self.play(player, is_playable));
        tokio::join!(first, second);
    }

    /// Plays in a seat until the game is over; resigns at once if it is not playable.
    async fn play(&self, me: Player, is_playable: bool) {
        let path = format!("/api/v1/tables/{}", me.table);
        let last = self.doors.chance.below(24) + 2;
        while !me.token.is_empty() {
            self.think(300).await;
            let Some(door) = self.doors.any() else {
                continue;
            };
            let answer = door
                .ask(Method::GET, &path, Some(&me.token), Value::Null)
                .await;
            let Some((StatusCode::OK, seen)) = answer else {
                continue;
            };
            match seen["status"].as_str() {
                Some("playing") => {}
                Some("open") if !self.is_calm() => continue,
                Some("open") => {
                    self.command(&me, "abort", json!({})).await;
                    continue;
                }
                _ => return,
            }
            if self.is_calm() || !is_playable || seen["plies"].as_u64() >= Some(last) {
                self.command(&me, "resign", json!({})).await;
            } else if seen["turn"]["seat"] == me.seat {
                self.move_at(&me, &seen).await;
            }
        }
    }

    /// Plays a random free cell in the position that was seen, at some node.
    async fn move_at(&self, me: &Player, seen: &Value) {
        let n = self.doors.chance.below(SIDE * SIDE);
        let mut cells = (0..SIDE * SIDE).map(|i| {
            let cell = (n + i) % (SIDE * SIDE);
            (cell / SIDE, cell % SIDE)
        });
        let board = &seen["position"]["board"];
        let is_free = |(row, column): &(u64, u64)| {
            let cell = &board[usize::try_from(*row).unwrap()][usize::try_from(*column).unwrap()];
            cell.is_null()
        };
        let Some((row, column)) = cells.find(is_free) else {
            return;
        };
        let cell = format!("{row},{column}");
        let version = seen["version"].as_u64().unwrap();
        let body = json!({ "move": cell, "version": version });
        let Some((status, answer)) = self.command(me, "moves", body).await else {
            return;
        };
        match status.as_u16() {
            200 => {
                let now = self.doors.weather.now();
                let version = answer["version"].as_u64().unwrap();
                let mut notes = self.notes();
                let table = notes.tables.entry(me.table.clone()).or_default();
                table.moves.insert(version, (me.seat, cell));
                table.known.push((now, version));
            }
            // Somebody was faster: an earlier attempt of the same player, or the opponent's resignation.
            409 | 500..=599 => {}
            _ => self.is_wrong(format!("move refused: {status} {answer}")),
        }
    }

    async fn command(&self, me: &Player, verb: &str, body: Value) -> Option<(StatusCode, Value)> {
        let path = format!("/api/v1/tables/{}/{verb}", me.table);
        self.doors
            .any()?
            .ask(Method::POST, &path, Some(&me.token), body)
            .await
    }

    /// Watches a table, at another node whenever the stream ends or is silent for long.
    async fn watch(self, table: String) {
        let mut seen: Vec<Value> = Vec::new();
        let is_over = |seen: &[Value]| seen.last().is_some_and(|event| event["type"] == "ended");
        let index = {
            let mut notes = self.notes();
            let watched = &mut notes.tables.entry(table.clone()).or_default().watched;
            watched.push(Vec::new());
            watched.len() - 1
        };
        while !is_over(&seen) {
            self.think(100).await;
            let Some(door) = self.doors.any() else {
                continue;
            };
            let path = format!("/api/v1/tables/{table}/events?after={}", seen.len());
            let mut lines = door.listen(Method::GET, &path, None, &Value::Null);
            let until = Instant::now() + Duration::from_secs(6);
            while let Ok(Some(event)) = timeout_at(until, lines.recv()).await {
                if event["version"].as_u64() != Some(seen.len() as u64 + 1) {
                    self.is_wrong(format!("after {} came {event}", seen.len()));
                }
                seen.push(event);
            }
            let mut notes = self.notes();
            notes.tables.entry(table.clone()).or_default().watched[index].clone_from(&seen);
        }
    }

    /// Looks at a table at all nodes, which must not show what has been old for two seconds.
    async fn look(self, table: String) {
        let path = format!("/api/v1/tables/{table}");
        loop {
            self.think(500).await;
            let Some(door) = self.doors.any() else {
                continue;
            };
            let asked = self.doors.weather.now();
            let answer = door.ask(Method::GET, &path, None, Value::Null).await;
            let Some((StatusCode::OK, shown)) = answer else {
                continue;
            };
            let version = shown["version"].as_u64().unwrap();
            let notes = self.notes();
            let known = &notes.tables[&table].known;
            let old = known.iter().filter(|(at, _)| at + STALE_MS < asked);
            let least = old.map(|(_, version)| *version).max().unwrap_or_default();
            drop(notes);
            let is_connected = asked - door.last_trouble() > RECOVERY_MS;
            if version < least && is_connected {
                let node = door.node;
                self.is_wrong(format!("node {node} shows {version} of {least} at {table}"));
            }
            if shown["status"] == "finished" {
                return;
            }
        }
    }

    /// Thinks for long, with a stream open, while the opponent tries to claim the game.
    async fn think_for_long(self) {
        let clock = json!({ "kind": "total", "initial_ms": 90_000, "increment_ms": 0 });
        let [thinker, claimer] = self.make_table(clock, None).await;
        tokio::spawn(self.clone().watch(thinker.table.clone()));
        let presence = async {
            let path = format!("/api/v1/tables/{}/events?after=0", thinker.table);
            loop {
                if let Some(door) = self.doors.any() {
                    let token = Some(thinker.token.as_str());
                    let mut lines = door.listen(Method::GET, &path, token, &Value::Null);
                    let until = Instant::now() + Duration::from_secs(8);
                    while let Ok(Some(_)) = timeout_at(until, lines.recv()).await {}
                }
                self.think(100).await;
            }
        };
        let claims = async {
            while !claimer.token.is_empty() {
                self.think(1_500).await;
                let claimed = self
                    .command(&claimer, "claim", json!({ "claim": "win" }))
                    .await;
                if let Some((StatusCode::OK, _)) = claimed {
                    self.is_wrong("somebody who was there was claimed".to_owned());
                }
            }
        };
        tokio::join!(presence, claims);
    }

    /// Listens to a member's account: after each interruption from the last number on.
    async fn listen(self, member: usize) {
        let mut last = 0;
        loop {
            self.think(100).await;
            let Some(door) = self.doors.any() else {
                continue;
            };
            let path = format!("/api/v1/me/events?after={last}");
            let token = Some(template().tokens[member].as_str());
            let mut lines = door.listen(Method::GET, &path, token, &Value::Null);
            let until = Instant::now() + Duration::from_secs(7);
            while let Ok(Some(note)) = timeout_at(until, lines.recv()).await {
                let n = note["n"].as_u64().filter(|_| note["type"] != "caught_up");
                if let Some(n) = n {
                    last = n;
                    self.notes()
                        .heard
                        .entry(MEMBERS[member])
                        .or_default()
                        .push(note);
                }
            }
        }
    }

    /// Waits for an opponent until there is one.
    async fn wait_for_an_opponent(self) {
        self.think(6_000).await;
        self.notes().waiting += 1;
        let wish = json!({ "game": "mnk", "clock": null });
        loop {
            self.think(100).await;
            let Some(door) = self.doors.any() else {
                continue;
            };
            let mut lines = door.listen(Method::POST, "/api/v1/queue", None, &wish);
            let patience = Duration::from_secs(6);
            while let Ok(Some(news)) = timeout(patience, lines.recv()).await {
                if news["type"] == "matched" {
                    let table = news["table"].as_str().unwrap().to_owned();
                    let mut notes = self.notes();
                    notes.matched.push((table, news["seat"].as_u64().unwrap()));
                    notes.waiting -= 1;
                    return;
                }
            }
        }
    }
}

impl Notes {
    /// Says how much happened.
    fn summary(&self) -> String {
        let moves: usize = self.tables.values().map(|table| table.moves.len()).sum();
        let heard: usize = self.heard.values().map(Vec::len).sum();
        format!(
            "{} tables, {moves} moves, {heard} notes, {} paired",
            self.tables.len(),
            self.matched.len()
        )
    }
}

impl TableNotes {
    /// Compares the log that a node shows in the end with what people noted.
    fn check(&self, node: usize, table: &str, log: &[Value], wrong: &mut Vec<String>) {
        for (version, (seat, cell)) in &self.moves {
            let index = usize::try_from(version - 1).unwrap();
            let stored = log.get(index).unwrap_or(&Value::Null);
            // The answer's version is that of the last event; a move that ends the game is before it.
            let before = index.checked_sub(1).and_then(|index| log.get(index));
            let is_it = |event: &Value| event["seat"] == *seat && event["move"] == **cell;
            if !is_it(stored) && !before.is_some_and(is_it) {
                wrong.push(format!(
                    "node {node}, {table}: {seat} played {cell} as {version}, stored is {stored}"
                ));
            }
        }
        for watched in &self.watched {
            let common = watched.len().min(log.len());
            if watched[..common] != log[..common] || watched.len() > log.len() {
                wrong.push(format!("node {node}, {table}: a watcher saw another game"));
            }
        }
        let ended = log.iter().find(|event| event["type"] == "ended");
        if let Some(ended) = ended.filter(|ended| ended.to_string().contains("\"time\"")) {
            wrong.push(format!("{table}: flagged by a failure: {ended}"));
        }
    }
}

/// Checks that a game whose clock ran got the time back in which no node was up.
fn check_clock(table: &str, log: &[Value], outages: &[Range<i64>], wrong: &mut Vec<String>) {
    if log.first().is_none_or(|created| created["clock"].is_null()) {
        return;
    }
    let at = |event: &Value| event["at"].as_i64().unwrap_or_default();
    for outage in outages
        .iter()
        .filter(|outage| outage.end - outage.start > MISSED_MS)
    {
        let before = log
            .iter()
            .filter(|event| at(event) < outage.start - MAX_SKEW_MS);
        let moves = before.clone().filter(|event| event["type"] == "moved");
        let is_running = moves.count() >= 2 && before.clone().all(|event| event["type"] != "ended");
        let mut after = log
            .iter()
            .filter(|event| at(event) > outage.end - MAX_SKEW_MS);
        if is_running && after.clone().count() > 0 && after.all(|event| event["type"] != "paused") {
            wrong.push(format!("{table} did not get the time of {outage:?} back"));
        }
    }
}

/// Checks the numbered notes that a member heard.
fn check_notes(
    member: &str,
    heard: &[Value],
    tables: &BTreeMap<String, TableNotes>,
    ended: &BTreeSet<String>,
    wrong: &mut Vec<String>,
) {
    let numbers: Vec<u64> = heard.iter().filter_map(|note| note["n"].as_u64()).collect();
    if numbers != (1..=numbers.len() as u64).collect::<Vec<_>>() {
        wrong.push(format!("{member} heard the notes {numbers:?}"));
    }
    for (table, notes) in tables {
        let is_player = notes.members.contains(&member);
        let is_end = |note: &&Value| note["type"] == "game_over" && note["table"] == **table;
        let ends = heard.iter().filter(is_end).count();
        let begun = heard
            .iter()
            .any(|note| note["type"] == "game_start" && note["table"] == **table);
        let expected = usize::from(is_player && begun && ended.contains(table));
        if ends != expected {
            wrong.push(format!(
                "{member} heard {ends} ends of {table}, expected {expected}"
            ));
        }
    }
}

/// Reads all events of a table at a node.
async fn whole_log(door: &Door, table: &str) -> Vec<Value> {
    let path = format!("/api/v1/tables/{table}/events?after=0");
    let mut lines = door.listen(Method::GET, &path, None, &Value::Null);
    let mut log = Vec::new();
    while let Ok(Some(event)) = timeout(Duration::from_secs(1), lines.recv()).await {
        log.push(event);
    }
    log
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
