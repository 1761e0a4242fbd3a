//! Events of Pandemic in every window: at each moment of a person's and a bot's turn at which one
//! can be played, its holder is asked, the others wait, and it has its effect.
//!
//! Cards are entered by hand, so that each table has the hands and the draws that it needs.

use parlor_games::pandemic::KIND;
use serde_json::{Value, json};

use super::hands::{self, AFAR};
use super::house::{Answer, House, moves_of};

const ANN: usize = 0;
const BOB: usize = 1;
/// Seat of the bot, or of Cy, whom a bot replaces.
const THIRD: usize = 2;
/// City of the setup that is removed by Resilient Population.
const REMOVED: &str = "Paris";

/// An event card, the only one in its deck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    Airlift,
    Forecast,
    Grant,
    QuietNight,
    Resilient,
}

impl Event {
    const fn name(self) -> &'static str {
        match self {
            Event::Airlift => "Airlift",
            Event::Forecast => "Forecast",
            Event::Grant => "Government Grant",
            Event::QuietNight => "One Quiet Night",
            Event::Resilient => "Resilient Population",
        }
    }

    /// Returns the city whose infection card is removed.
    const fn removed(window: Window) -> &'static str {
        match window {
            // The city that the epidemic has just struck.
            Window::Intensify => AFAR,
            _ => REMOVED,
        }
    }

    /// Returns the move that plays it.
    fn text(self, window: Window) -> String {
        match self {
            Event::Airlift => format!("airlift:Researcher:{AFAR}"),
            Event::Forecast => "forecast".to_owned(),
            Event::Grant => format!("grant:{AFAR}"),
            Event::QuietNight => "quiet-night".to_owned(),
            Event::Resilient => format!("resilient:{}", Event::removed(window)),
        }
    }

    /// Returns the windows in which it can have an effect.
    fn windows(self) -> Vec<Window> {
        let is_open = |window: &Window| match window {
            Window::Intensify => self == Event::Resilient,
            // The infection discards have just been reshuffled.
            Window::SecondEpidemic => self != Event::Resilient,
            _ => true,
        };
        Window::ALL.into_iter().filter(is_open).collect()
    }
}

/// A moment of a turn at which events can be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    BeforeActions,
    BetweenActions,
    AfterActions,
    /// A hand is too large.
    Limit,
    Intensify,
    SecondEpidemic,
    BeforeInfections,
    BetweenInfections,
}

impl Window {
    const ALL: [Window; 8] = [
        Window::BeforeActions,
        Window::BetweenActions,
        Window::AfterActions,
        Window::Limit,
        Window::Intensify,
        Window::SecondEpidemic,
        Window::BeforeInfections,
        Window::BetweenInfections,
    ];

    /// Returns the number of turns before the one with this window.
    const fn turns_before(self) -> usize {
        match self {
            // The first player has seven cards after her first turn.
            Window::Limit => 3,
            // The first pile has five cards: its last one and the next one can be epidemics.
            Window::SecondEpidemic => 2,
            _ => 0,
        }
    }

    /// Returns the number of epidemics in the game.
    const fn epidemics(self) -> u8 {
        match self {
            Window::Intensify | Window::SecondEpidemic => 12,
            _ => 0,
        }
    }

    /// Returns true if a position of the right turn is in this window.
    fn is_at(self, position: &Value) -> bool {
        let number = |field: &str| position[field].as_u64().unwrap();
        let (actions, left) = (number("actions"), number("infections_left"));
        match (self, position["phase"].as_str().unwrap()) {
            (Window::BeforeActions, "actions") => actions == 4,
            (Window::BetweenActions, "actions") => (1..4).contains(&actions),
            (Window::AfterActions, "actions") => actions == 0,
            (Window::BeforeInfections, "infect") => left == number("rate"),
            (Window::BetweenInfections, "infect") => left < number("rate"),
            (Window::Limit, "limit")
            | (Window::Intensify, "intensify")
            | (Window::SecondEpidemic, "next_epidemic") => true,
            _ => false,
        }
    }

    /// Returns the number of infection cards that are turned in this turn after the window.
    const fn infections(self, event: Event) -> usize {
        match (self, event) {
            (Window::BetweenInfections, _) => 1,
            (_, Event::QuietNight) => 0,
            _ => 2,
        }
    }
}

/// Player on turn in the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mover {
    /// Ann.
    Person,
    Bot,
    /// Cy, who leaves while Bob is asked, so that a bot goes on. Bots do not stop between infection
    /// cards, and how many actions they take, and cards, is up to them.
    StandIn,
}

impl Mover {
    /// Returns those in whose turns the window opens.
    fn all(window: Window) -> &'static [Mover] {
        match window {
            Window::BetweenActions
            | Window::AfterActions
            | Window::Limit
            | Window::BetweenInfections => &[Mover::Person, Mover::StandIn],
            Window::BeforeActions
            | Window::Intensify
            | Window::SecondEpidemic
            | Window::BeforeInfections => &[Mover::Person, Mover::Bot],
        }
    }

    const fn seat(self) -> usize {
        match self {
            Mover::Person => ANN,
            Mover::Bot | Mover::StandIn => THIRD,
        }
    }
}

/// An event in a window.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub event: Event,
    pub window: Window,
    pub mover: Mover,
}

impl Case {
    /// Returns the seat that begins, so that the mover is on turn in the window.
    fn first(self) -> usize {
        (self.mover.seat() + 3 - self.window.turns_before() % 3) % 3
    }
}

/// A table of Ann, who enters the draws, Bob, who holds the event, and a bot or Cy.
pub struct Team<'a> {
    case: Case,
    pub id: String,
    tokens: [String; 3],
    /// House at which all play but Bob.
    home: &'a House,
    /// House at which Bob plays.
    bobs: &'a House,
    /// Number of turns so far.
    turns: usize,
    /// Seat whose turn it is.
    active: Value,
}

impl<'a> Team<'a> {
    /// Creates a table at the first house, with Bob at the second, and plays up to the first turn.
    /// `asking` is when Bob is asked.
    pub async fn seat([home, bobs]: [&'a House; 2], case: Case, asking: &str) -> Team<'a> {
        let third = match case.mover {
            Mover::StandIn => json!({ "kind": "open" }),
            Mover::Person | Mover::Bot => json!({ "kind": "bot", "spec": "level:1" }),
        };
        let options = json!({
            "players": 3, "epidemics": case.window.epidemics(), "events": [case.event.name()],
            "roles": ["Scientist", "Researcher", "Medic"],
        });
        let wanted = json!({
            "game": "pandemic", "luck_by_hand": true, "options": options,
            "seats": [{ "kind": "me", "name": "Ann" }, { "kind": "open" }, third],
        });
        let made = home.create(wanted).await;
        let mut tokens = [made.token, String::new(), String::new()];
        let joining = if case.mover == Mover::StandIn { 3 } else { 2 };
        for (token, name) in tokens[..joining]
            .iter_mut()
            .zip(["Ann", "Bob", "Cy"])
            .skip(1)
        {
            let path = format!("/api/v1/tables/{}/join", made.id);
            let joined = home.post(&path, json!({ "name": name })).await.expect(200);
            *token = joined["token"].as_str().unwrap().to_owned();
        }
        let mut team = Team {
            case,
            id: made.id,
            tokens,
            home,
            bobs,
            turns: 0,
            active: Value::Null,
        };
        let path = format!("/api/v1/tables/{}/asking", team.id);
        let chosen = bobs.put_as(&team.tokens[BOB], &path, json!({ "when": asking }));
        chosen.await.expect(200);
        for chance in hands::setup(case.first(), case.event.name()) {
            team.enter(&Value::Null, &chance).await;
        }
        let table = bobs.table_as(&team.tokens[BOB], &team.id).await;
        team.active = table["position"]["active"].clone();
        assert_eq!(team.active, json!(case.first()), "{case:?}");
        team
    }

    async fn act(&self, seat: usize, verb: &str, body: Value) -> Answer {
        let house = if seat == BOB { self.bobs } else { self.home };
        house.act(&self.tokens[seat], &self.id, verb, body).await
    }

    /// Plays a move on a table as it was seen.
    async fn play(&self, table: &Value, seat: usize, text: &str) {
        let body = json!({ "move": text, "version": table["version"] });
        self.act(seat, "moves", body).await.expect(200);
    }

    /// Enters the result of a draw.
    async fn enter(&self, version: &Value, chance: &str) {
        let body = json!({ "chance": chance, "version": version });
        self.act(ANN, "chance", body).await.expect(200);
    }

    /// Returns the table as Bob sees it, and counts the turns.
    async fn look(&mut self) -> Value {
        let table = self.bobs.table_as(&self.tokens[BOB], &self.id).await;
        assert_eq!(table["status"], "playing", "{:?}: {table}", self.case);
        if table["position"]["active"] != self.active {
            self.turns += 1;
            self.active = table["position"]["active"].clone();
        }
        table
    }

    async fn moves(&self, seat: usize) -> Vec<String> {
        let path = format!("/api/v1/tables/{}/legal", self.id);
        let legal = self.bobs.get_as(&self.tokens[BOB], &path).await.expect(200);
        moves_of(&legal, seat as u64)
    }

    /// Returns true in the turn with the window.
    fn is_due(&self) -> bool {
        self.turns == self.case.window.turns_before()
    }

    /// Chooses a draw: epidemics only in the turn in which they are wanted.
    fn chance(&self, table: &Value) -> String {
        let position = KIND.position(table["text"].as_str().unwrap()).unwrap();
        let chances = position.chances().into_iter();
        let chances: Vec<String> = chances.map(|(text, _)| text).collect();
        let strikes = self.is_due() && self.case.window.epidemics() > 0;
        let wanted = |text: &&String| match text.as_str() {
            "draw:Epidemic" => strikes,
            text => text == format!("bottom:{AFAR}"),
        };
        let ordinary = |text: &&String| text.as_str() != "draw:Epidemic";
        let chosen = chances.iter().find(wanted);
        let chosen = chosen.or_else(|| chances.iter().find(ordinary));
        let chosen = chosen.or(chances.first());
        chosen.expect("luck is next").clone()
    }

    /// Chooses a move of a person on turn that leads to the window.
    async fn choose(&self, table: &Value, seat: usize) -> String {
        let (position, window) = (&table["position"], self.case.window);
        let own = self.moves(seat).await;
        let find = |start: &str| own.iter().find(|text| text.starts_with(start)).cloned();
        match position["phase"].as_str().unwrap() {
            // Bob gives Ann and Cy what they take; a bot gets nothing.
            "consent" if asks_as_bot(table) => "decline".to_owned(),
            "consent" => "agree".to_owned(),
            "actions" => {
                let first = position["actions"] == 4;
                let drives = match window {
                    Window::BetweenActions => first,
                    Window::AfterActions => position["actions"] != 0,
                    _ => false,
                };
                let takes = window == Window::Limit && self.turns == 0;
                let action = match (self.is_due() && drives, takes) {
                    (true, _) => find("drive:"),
                    (_, true) => find("take:Osaka:").or_else(|| find("take:Madrid:")),
                    _ => None,
                };
                action.unwrap_or_else(|| "draw".to_owned())
            }
            "limit" => find("discard:").expect("a card to discard"),
            "intensify" => "intensify".to_owned(),
            "next_epidemic" => "epidemic".to_owned(),
            "infect" => "infect".to_owned(),
            phase => panic!("{:?}: nobody moves in {phase}", self.case),
        }
    }

    /// Does what comes next while nobody is asked: draws a card, lets the player on turn move, or waits
    /// for the bot.
    async fn step(&self, table: &Value) {
        if table["turn"]["kind"] == "chance" {
            return self.enter(&table["version"], &self.chance(table)).await;
        }
        let seat = usize::try_from(table["turn"]["seat"].as_u64().unwrap()).unwrap();
        if table["seats"][seat]["kind"] == "bot" {
            return self.until(table, |_| true).await;
        }
        let text = self.choose(table, seat).await;
        self.play(table, seat, &text).await;
    }

    /// Waits for an event after those of a table.
    async fn until(&self, table: &Value, enough: impl Fn(&Value) -> bool) {
        let version = table["version"].as_u64().unwrap();
        self.home.until(&self.id, version, enough).await;
    }

    /// Plays up to the window. Bob passes whenever he is asked before.
    async fn reach(&mut self) -> Value {
        for _ in 0..500 {
            let table = self.look().await;
            let window = self.case.window;
            let is_there = self.is_due() && window.is_at(&table["position"]);
            let asked = &table["asked"]["seats"];
            assert!(
                asked.is_null() || *asked == json!([BOB]),
                "{:?}: {asked}",
                self.case
            );
            if is_there && !asked.is_null() {
                return table;
            }
            if is_there {
                self.until(&table, |event| event["type"] == "asked").await;
            } else if !asked.is_null() {
                self.act(BOB, "pass", json!({})).await.expect(200);
            } else {
                self.step(&table).await;
            }
        }
        panic!("{:?}: the window never opens", self.case);
    }

    /// Turns up the cards of a forecast and puts each last one back first. Returns their order.
    async fn order(&mut self) -> Vec<Value> {
        let mut order = Vec::new();
        loop {
            let table = self.look().await;
            let seen = table["position"]["forecast"]["seen"].clone();
            match table["position"]["phase"].as_str().unwrap() {
                "look" => self.enter(&table["version"], &self.chance(&table)).await,
                "order" => {
                    assert_eq!(table["turn"], json!({ "kind": "move", "seat": BOB }));
                    let seen = seen.as_array().unwrap();
                    order.extend(seen.last().cloned());
                    if let [last, _] = &seen[..] {
                        order.push(last.clone());
                    }
                    let moves = self.moves(BOB).await;
                    assert_eq!(moves.len(), seen.len(), "{moves:?}");
                    self.play(&table, BOB, moves.last().unwrap()).await;
                }
                _ => return order,
            }
        }
    }

    /// Checks that nobody else goes on while Bob is asked, and returns the table.
    async fn check_waiting(&mut self, table: Value) -> Value {
        let Case { mover, .. } = self.case;
        if mover == Mover::Person {
            let text = self.choose(&table, ANN).await;
            let body = json!({ "move": text, "version": table["version"] });
            let waits = self.act(ANN, "moves", body).await;
            waits.problem(409, "others-asked");
            return table;
        }
        if mover == Mover::StandIn {
            self.act(THIRD, "resign", json!({})).await.expect(200);
        }
        // That the bot waits is checked in the log.
        let table = self.look().await;
        assert_eq!(table["seats"][THIRD]["kind"], "bot");
        assert_eq!(table["asked"]["seats"], json!([BOB]));
        table
    }

    /// Checks what the event has done.
    fn check_effect(&self, position: &Value, order: &[Value]) {
        let Case { event, window, .. } = self.case;
        let contains = |field: &str, name: &str| {
            let names = position[field].as_array().unwrap();
            names.contains(&json!(name))
        };
        let holds = match event {
            Event::Airlift => position["players"][BOB]["city"] == AFAR,
            Event::Grant => contains("research_centres", AFAR),
            Event::Forecast => {
                let layers = position["infection_deck"]["layers"].as_array().unwrap();
                let placed: Vec<Value> = order.iter().map(|city| json!([city])).collect();
                order.len() == 6 && layers.starts_with(&placed)
            }
            Event::Resilient => {
                let city = Event::removed(window);
                contains("infection_removed", city) && !contains("infection_discard", city)
            }
            // The step may be over already.
            Event::QuietNight => {
                window != Window::BetweenInfections || position["quiet_night"] == true
            }
        };
        assert!(holds, "{:?}: {position}", self.case);
        assert!(contains("player_discard", event.name()), "{:?}", self.case);
        assert_eq!(position["players"][BOB]["single_use"], json!([]));
    }

    /// Checks the log up to a version in the turn after the window, or in the one after that if the
    /// event skips its infections.
    fn check_log(&self, log: &[Value], text: &str) {
        let case = self.case;
        others_wait(log);
        let is_event = |event: &Value| {
            event["type"] == "moved" && event["seat"] == BOB && event["move"] == text
        };
        let played = log.iter().position(is_event).expect("the event is played");
        let before: Vec<&Value> = log[played - 2..played].iter().map(|e| &e["type"]).collect();
        match case.mover {
            Mover::StandIn => assert_eq!(before, ["asked", "resigned"], "{case:?}"),
            Mover::Person | Mover::Bot => assert_eq!(before[1], "asked", "{case:?}"),
        }
        let after = &log[played + 1..];
        let asked = |event: &&Value| event["type"] == "asked";
        assert_eq!(after.iter().find(asked), None, "he holds no other event");
        let infections = after.iter().filter(|event| {
            let chance = event["chance"].as_str();
            chance.is_some_and(|chance| chance.starts_with("infect:"))
        });
        let expected = case.window.infections(case.event);
        assert_eq!(infections.count(), expected, "{case:?}");
    }

    /// Plays up to the window, lets Bob play his event there, and checks its effect, the log, and, once
    /// all have left, the record.
    pub async fn play_in_window(&mut self) {
        let Case { event, window, .. } = self.case;
        let text = event.text(window);
        let table = self.reach().await;
        let table = self.check_waiting(table).await;
        self.play(&table, BOB, &text).await;
        let order = self.order().await;
        let position = self.look().await["position"].clone();
        self.check_effect(&position, &order);

        // A quiet night that is played between two infection cards is the next one.
        let skips_next = event == Event::QuietNight && window == Window::BetweenInfections;
        let wanted = window.turns_before() + 1 + usize::from(skips_next);
        let mut table = self.look().await;
        for _ in 0..200 {
            if self.turns >= wanted {
                break;
            }
            self.step(&table).await;
            table = self.look().await;
        }
        assert_eq!(self.turns, wanted, "{:?}: the game goes on", self.case);
        let is_there = |event: &Value| event["version"] == table["version"];
        let log = self.home.until(&self.id, 0, is_there).await;
        self.check_log(&log, &text);

        for seat in [ANN, BOB] {
            self.act(seat, "resign", json!({})).await.expect(200);
        }
        let path = format!("/api/v1/tables/{}/verify", self.id);
        let report = self.bobs.get_as(&self.tokens[BOB], &path).await.expect(200);
        assert_eq!(report["holds"], true, "{:?}: {report}", self.case);
    }
}

/// Returns true if a bot waits for the consent of another seat.
fn asks_as_bot(table: &Value) -> bool {
    let by = table["position"]["consent"]["by"].as_u64();
    let by = by.and_then(|by| usize::try_from(by).ok());
    by.is_some_and(|by| table["seats"][by]["kind"] == "bot")
}

/// Checks that nobody but those who are asked moves until all of them have answered.
fn others_wait(log: &[Value]) {
    let mut asked: Vec<Value> = Vec::new();
    for event in log {
        let seat = &event["seat"];
        match event["type"].as_str().unwrap() {
            "asked" => {
                assert!(asked.is_empty(), "asked twice: {event}");
                asked = event["seats"].as_array().unwrap().clone();
            }
            "passed" => {
                assert!(asked.contains(seat), "{event} was not asked");
                asked.retain(|other| other != seat);
            }
            "moved" => {
                let waits = !asked.is_empty() && !asked.contains(seat);
                assert!(!waits, "{event}, while {asked:?} were asked");
                asked.clear();
            }
            "chance" => assert!(asked.is_empty(), "{event}, while {asked:?} were asked"),
            _ => {}
        }
    }
}

/// Plays an event in every window of a person's turn and of a bot's.
async fn play_everywhere(event: Event) {
    let house = House::open().await;
    for window in event.windows() {
        for &mover in Mover::all(window) {
            let case = Case {
                event,
                window,
                mover,
            };
            let mut team = Team::seat([&house; 2], case, "always").await;
            team.play_in_window().await;
        }
    }
}

#[tokio::test]
async fn an_airlift_is_asked_for_and_played_in_every_window() {
    play_everywhere(Event::Airlift).await;
}

#[tokio::test]
async fn a_forecast_is_asked_for_and_played_in_every_window() {
    play_everywhere(Event::Forecast).await;
}

#[tokio::test]
async fn a_government_grant_is_asked_for_and_played_in_every_window() {
    play_everywhere(Event::Grant).await;
}

#[tokio::test]
async fn a_quiet_night_is_asked_for_and_played_in_every_window() {
    play_everywhere(Event::QuietNight).await;
}

#[tokio::test]
async fn a_resilient_population_is_asked_for_and_played_in_every_window() {
    play_everywhere(Event::Resilient).await;
}

/// Plays a game of two persons and a bot to its end. Both are asked at every moment; they play an
/// event each second time. Returns the number of events that were played when asked, and the table.
async fn play_with_questions(house: &House) -> (usize, String) {
    let seats = json!([{ "kind": "me", "name": "Ann" }, { "kind": "open" }, { "kind": "bot", "spec": "level:1" }]);
    let options = json!({ "players": 3, "epidemics": 6 });
    let wanted = json!({ "game": "pandemic", "options": options, "seats": seats });
    let (id, tokens) = house.two(wanted).await;
    let path = format!("/api/v1/tables/{id}");
    for token in &tokens {
        let asking = format!("{path}/asking");
        let chosen = house.put_as(token, &asking, json!({ "when": "always" }));
        chosen.await.expect(200);
    }
    let mut events = 0;
    for n in 0..5_000 {
        let table = house.table_as(&tokens[n % 2], &id).await;
        if table["status"] == "over" {
            return (events, id);
        }
        let asked = &table["asked"]["seats"][0];
        let seat = if asked.is_null() {
            &table["turn"]["seat"]
        } else {
            asked
        };
        let seat = seat.as_u64().expect("somebody decides");
        let Some(token) = usize::try_from(seat).ok().and_then(|seat| tokens.get(seat)) else {
            let version = table["version"].as_u64().unwrap();
            house.until(&id, version, |_| true).await;
            continue;
        };
        let legal = house.get_as(token, &format!("{path}/legal")).await;
        let own = moves_of(&legal.expect(200), seat);
        let text = own.iter().find(|text| *text == "draw");
        let text = text.unwrap_or_else(|| &own[n * 7 % own.len()]);
        if asked.is_null() {
            house
                .act(token, &id, "moves", json!({ "move": text }))
                .await
                .expect(200);
        } else if n % 2 == 0 {
            house.act(token, &id, "pass", json!({})).await.expect(200);
        } else {
            house
                .act(token, &id, "moves", json!({ "move": text }))
                .await
                .expect(200);
            events += 1;
        }
    }
    panic!("the game goes on and on");
}

#[tokio::test]
async fn the_record_of_a_game_with_questions_at_every_moment_verifies() {
    let house = House::open().await;
    for _ in 0..20 {
        let (events, id) = play_with_questions(&house).await;
        others_wait(&house.log(&id).await);
        let report = house.get(&format!("/api/v1/tables/{id}/verify")).await;
        let report = report.expect(200);
        assert_eq!(
            (&report["holds"], &report["luck_checked"]),
            (&json!(true), &json!(true))
        );
        if events > 0 {
            return;
        }
    }
    panic!("nobody played an event when asked");
}
