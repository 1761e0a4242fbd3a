//! Browsers, each with its own profile, all closed after the test whatever its result.

use std::cell::RefCell;
use std::io::{BufRead, BufReader};
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use futures::FutureExt;
use serde_json::{Value, json};
use thirtyfour::error::WebDriverErrorInner;
use thirtyfour::prelude::*;
use thirtyfour::{ChromiumLikeCapabilities, LoggingPrefsLogLevel};

use crate::house::House;

/// Time that a test waits for something to happen before it fails.
const PATIENCE: Duration = Duration::from_secs(30);
const LOOK_AGAIN: Duration = Duration::from_millis(25);

/// Runs a test with a server and as many browsers as it opens.
pub async fn with_browsers(test: impl AsyncFnOnce(&mut House, &Browsers)) {
    let program = std::env::var("PARLOR_TEST_CHROMEDRIVER")
        .expect("PARLOR_TEST_CHROMEDRIVER names the program chromedriver");
    let mut house = House::open().await;
    let browsers = Browsers::start(&program);
    let result = AssertUnwindSafe(test(&mut house, &browsers))
        .catch_unwind()
        .await;
    browsers.close().await;
    if let Err(panic) = result {
        std::panic::resume_unwind(panic);
    }
}

/// A chromedriver process and the browsers it opened.
pub struct Browsers {
    program: Child,
    url: String,
    open: RefCell<Vec<WebDriver>>,
    profiles: PathBuf,
}

/// Screen of a browser.
#[derive(Clone, Copy)]
pub struct Screen {
    pub width: u32,
    pub height: u32,
    pub dark: bool,
    pub touch: bool,
}

pub const DESK: Screen = Screen {
    width: 1280,
    height: 900,
    dark: false,
    touch: false,
};
pub const PHONE: Screen = Screen {
    width: 320,
    height: 640,
    dark: true,
    touch: true,
};

/// Common sizes of screens, with names for screenshots.
pub const SIZES: [(&str, Screen); 4] = [
    (
        "1280x800",
        Screen {
            height: 800,
            ..DESK
        },
    ),
    ("390x844", phone(390, 844)),
    ("844x390", phone(844, 390)),
    ("320x640", phone(320, 640)),
];

/// Sizes of small phones held across.
pub const ACROSS: [(&str, Screen); 3] = [
    ("568x320", phone(568, 320)),
    ("667x375", phone(667, 375)),
    ("740x360", phone(740, 360)),
];

const fn phone(width: u32, height: u32) -> Screen {
    Screen {
        width,
        height,
        dark: false,
        touch: true,
    }
}

/// Returns a desktop and a phone screen, each light and dark, with names for screenshots.
pub fn by_day_and_night(phone: Screen) -> [(&'static str, Screen); 4] {
    [
        ("desk", DESK),
        ("desk-dark", Screen { dark: true, ..DESK }),
        (
            "phone",
            Screen {
                dark: false,
                ..phone
            },
        ),
        (
            "phone-dark",
            Screen {
                dark: true,
                ..phone
            },
        ),
    ]
}

impl Browsers {
    /// Starts the driver on a port that it chooses.
    ///
    /// It chooses the port on IPv4 and then binds it on IPv6, too, where another test may hold it:
    /// then it ends, and is started again.
    fn start(program: &str) -> Browsers {
        let (program, port) = (0..20)
            .find_map(|_| Browsers::try_start(program))
            .expect("the driver says its port");
        let url = format!("http://127.0.0.1:{port}");
        let profiles = std::env::temp_dir().join(format!("parlor-profiles-{}", program.id()));
        Browsers {
            program,
            url,
            open: RefCell::default(),
            profiles,
        }
    }

    fn try_start(program: &str) -> Option<(Child, u16)> {
        let mut program = Command::new(program)
            .arg("--port=0")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(program.stdout.take().unwrap()).lines();
        let port = lines.map_while(Result::ok).find_map(|line| {
            let (_, port) = line.split_once("started successfully on port ")?;
            port.trim_end_matches('.').parse::<u16>().ok()
        });
        if port.is_none() {
            let _ = program.wait();
        }
        Some((program, port?))
    }

    /// Opens a browser with a fresh profile.
    pub async fn open(&self, screen: Screen) -> Browser {
        let mut wanted = DesiredCapabilities::chrome();
        let profile = self.profiles.join(self.open.borrow().len().to_string());
        let arguments = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--no-proxy-server",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
        ];
        for argument in arguments {
            wanted.add_arg(argument).unwrap();
        }
        wanted
            .add_arg(&format!("--user-data-dir={}", profile.display()))
            .unwrap();
        wanted
            .set_browser_log_level(LoggingPrefsLogLevel::All)
            .unwrap();
        let driver = WebDriver::new(&self.url, wanted).await.unwrap();
        self.open.borrow_mut().push(driver.clone());
        let browser = Browser { driver };
        browser.set_screen(screen).await;
        browser
    }

    async fn close(mut self) {
        for driver in self.open.take() {
            let _ = driver.quit().await;
        }
        let _ = self.program.kill();
        let _ = self.program.wait();
        let _ = std::fs::remove_dir_all(&self.profiles);
    }
}

/// One person's browser.
#[derive(Clone)]
pub struct Browser {
    pub driver: WebDriver,
}

impl Browser {
    /// Gives the window another size, or its page another time of day.
    pub async fn set_screen(&self, screen: Screen) {
        let Screen {
            width,
            height,
            dark,
            touch,
        } = screen;
        let size =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": touch });
        self.command("Emulation.setDeviceMetricsOverride", size)
            .await;
        self.command(
            "Emulation.setTouchEmulationEnabled",
            json!({ "enabled": touch }),
        )
        .await;
        let scheme = if dark { "dark" } else { "light" };
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.command(
            "Emulation.setEmulatedMedia",
            json!({ "features": features }),
        )
        .await;
    }

    /// Shows the page as it is printed, in a browser that prefers dark pages.
    pub async fn print(&self) {
        let features = json!([{ "name": "prefers-color-scheme", "value": "dark" }]);
        self.command(
            "Emulation.setEmulatedMedia",
            json!({ "media": "print", "features": features }),
        )
        .await;
    }

    /// Turns on the preference for less motion.
    pub async fn reduce_motion(&self) {
        let features = json!([{ "name": "prefers-reduced-motion", "value": "reduce" }]);
        self.command(
            "Emulation.setEmulatedMedia",
            json!({ "features": features }),
        )
        .await;
    }

    async fn command(&self, method: &str, params: Value) -> Value {
        self.driver.cdp().send_raw(method, params).await.unwrap()
    }

    /// Runs a script in each page to come, before anything of it.
    pub async fn begin_pages_with(&self, script: &str) {
        let script = json!({ "source": script });
        self.command("Page.addScriptToEvaluateOnNewDocument", script)
            .await;
    }

    /// Leaves the page, whose animations would slow down what comes next.
    pub async fn leave(&self) {
        self.driver.goto("about:blank").await.unwrap();
    }

    pub async fn go(&self, url: &str) {
        self.driver.goto(url).await.unwrap();
    }

    /// Returns the value of an expression in the page.
    pub async fn value(&self, expression: &str) -> Value {
        let script = format!("return ({expression});");
        self.driver
            .execute(script, Vec::<Value>::new())
            .await
            .unwrap()
            .json()
            .clone()
    }

    /// Waits until an expression in the page is true.
    pub async fn until(&self, expression: &str) {
        let since = Instant::now();
        loop {
            let script = format!("return Boolean({expression});");
            // The script fails while a page is being left.
            let asked = self.driver.execute(script, Vec::<Value>::new()).await;
            if asked.is_ok_and(|answer| *answer.json() == Value::Bool(true)) {
                return;
            }
            if since.elapsed() > PATIENCE {
                let page = self
                    .driver
                    .execute("return document.body.innerText", Vec::<Value>::new())
                    .await;
                let text = page.map(|page| page.json().to_string()).unwrap_or_default();
                panic!("this never came true: {expression}\nthe page says: {text}");
            }
            tokio::time::sleep(LOOK_AGAIN).await;
        }
    }

    /// Waits until the page has told all that happened.
    pub async fn has_been_told(&self) {
        self.until("!document.querySelector('main.tells')").await;
    }

    /// Waits until an element contains a text.
    pub async fn says(&self, selector: &str, text: &str) {
        let (selector, text) = (json!(selector), json!(text));
        self.until(&format!(
            "document.querySelector({selector})?.textContent.includes({text})"
        ))
        .await;
    }

    /// Clicks an element, and tries again if the page replaced it meanwhile.
    pub async fn click(&self, selector: &str) {
        let since = Instant::now();
        loop {
            self.until(&format!("document.querySelector({})", json!(selector)))
                .await;
            let clicked = match self.driver.find(By::Css(selector)).await {
                Ok(element) => element.click().await,
                Err(error) => Err(error),
            };
            match clicked.map_err(WebDriverError::into_inner) {
                Ok(()) => return,
                Err(
                    WebDriverErrorInner::StaleElementReference(_)
                    | WebDriverErrorInner::NoSuchElement(_),
                ) if since.elapsed() < PATIENCE => {}
                Err(error) => panic!("{selector} cannot be clicked: {error}"),
            }
        }
    }

    pub async fn press(&self, keys: impl Into<TypingData>) {
        self.driver
            .action_chain()
            .send_keys(keys)
            .perform()
            .await
            .unwrap();
    }

    /// Taps the middle of an element with a finger.
    pub async fn tap(&self, id: &str) {
        let middle = format!(
            "(() => {{ const b = document.getElementById({}).getBoundingClientRect(); \
             return [b.x + b.width / 2, b.y + b.height / 2]; }})()",
            json!(id)
        );
        let at = self.value(&middle).await;
        let points = json!([{ "x": at[0], "y": at[1] }]);
        self.command(
            "Input.dispatchTouchEvent",
            json!({ "type": "touchStart", "touchPoints": points }),
        )
        .await;
        self.command(
            "Input.dispatchTouchEvent",
            json!({ "type": "touchEnd", "touchPoints": [] }),
        )
        .await;
    }

    /// Presses the mouse or a finger on a point of the window.
    pub async fn pointer_down(&self, touch: bool, at: [f64; 2]) {
        if touch {
            return self.touch("touchStart", Some(at)).await;
        }
        self.mouse("mouseMoved", at, 0).await;
        self.mouse("mousePressed", at, 1).await;
    }

    /// Moves the pressed mouse or finger.
    pub async fn pointer_move(&self, touch: bool, to: [f64; 2]) {
        if touch {
            self.touch("touchMove", Some(to)).await;
        } else {
            self.mouse("mouseMoved", to, 1).await;
        }
    }

    /// Releases the mouse or finger, which is at a point.
    pub async fn pointer_up(&self, touch: bool, at: [f64; 2]) {
        if touch {
            self.touch("touchEnd", None).await;
        } else {
            self.mouse("mouseReleased", at, 0).await;
        }
    }

    async fn touch(&self, kind: &str, at: Option<[f64; 2]>) {
        let points: Vec<Value> = at.iter().map(|[x, y]| json!({ "x": x, "y": y })).collect();
        self.command(
            "Input.dispatchTouchEvent",
            json!({ "type": kind, "touchPoints": points }),
        )
        .await;
    }

    /// `buttons` is 1 while the left button is pressed.
    async fn mouse(&self, kind: &str, [x, y]: [f64; 2], buttons: u8) {
        let button = if buttons == 0 && kind == "mouseMoved" {
            "none"
        } else {
            "left"
        };
        let event = json!({
            "type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": 1,
        });
        self.command("Input.dispatchMouseEvent", event).await;
    }

    /// Delays every answer by this many milliseconds, but not what comes through a socket.
    pub async fn delay_answers(&self, milliseconds: u32) {
        let conditions = json!({
            "offline": false, "latency": milliseconds, "downloadThroughput": -1, "uploadThroughput": -1,
        });
        self.command("Network.enable", json!({})).await;
        self.command("Network.emulateNetworkConditions", conditions)
            .await;
    }

    /// Makes the browser compute this many times slower.
    pub async fn slow_down(&self, times: u32) {
        self.command("Emulation.setCPUThrottlingRate", json!({ "rate": times }))
            .await;
    }

    /// Takes the network away from the browser, or gives it back.
    pub async fn go_offline(&self, is_offline: bool) {
        let conditions = json!({
            "offline": is_offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1,
        });
        self.command("Network.enable", json!({})).await;
        self.command("Network.emulateNetworkConditions", conditions)
            .await;
    }

    /// Waits until a table's page is subscribed to events.
    pub async fn is_live(&self) {
        self.until("document.querySelector('main.live')").await;
    }

    /// Returns the errors in the browser's log.
    pub async fn complaints(&self) -> Vec<String> {
        let log = self.driver.browser_log().await.unwrap();
        log.into_iter()
            .filter(|entry| entry.level == "SEVERE")
            .map(|entry| entry.message)
            .collect()
    }

    /// Saves a screenshot if `PARLOR_TEST_PICTURES` names a folder.
    pub async fn picture(&self, name: &str) {
        let Ok(folder) = std::env::var("PARLOR_TEST_PICTURES") else {
            return;
        };
        let over = "a.playState === 'finished' || a.effect?.getTiming().iterations === Infinity";
        self.until(&format!("document.getAnimations().every((a) => {over})"))
            .await;
        std::fs::create_dir_all(&folder).unwrap();
        self.driver
            .screenshot(&PathBuf::from(folder).join(format!("{name}.png")))
            .await
            .unwrap();
    }

    /// Creates a table with the lobby's form.
    pub async fn set_up(&self, house: &House, board: &str, against: &str, name: &str) {
        self.go(&house.url("/")).await;
        let radio = |field: &str, label: &str| {
            format!(
                "[...document.querySelectorAll('form:has([value=mnk]) label.pick')].find((l) => \
                 l.textContent === {} && l.querySelector('[name={field}]')).click()",
                json!(label)
            )
        };
        self.value(&radio("preset", board)).await;
        self.value(&radio("opponent", against)).await;
        self.driver
            .find(By::Css("form:has([value=mnk]) [name=name]"))
            .await
            .unwrap()
            .send_keys(name)
            .await
            .unwrap();
        self.click("form:has([value=mnk]) button.main").await;
        self.until("location.pathname.startsWith('/t/')").await;
        self.is_live().await;
    }

    /// Creates an account and signs in.
    pub async fn sign_up(&self, house: &House, name: &str) {
        self.go(&house.url("/")).await;
        let body = json!({ "name": name, "password": "a long password" }).to_string();
        let init = json!({ "method": "POST", "headers": { "content-type": "application/json" }, "body": body });
        let status = self
            .value(&format!(
                "fetch('/api/v1/accounts', {init}).then((answer) => answer.status)"
            ))
            .await;
        assert_eq!(status, json!(201));
    }

    /// Creates a listed table for two with the given minutes per player; rated if signed in.
    pub async fn set_up_timed(&self, house: &House, minutes: &str, name: &str) {
        self.go(&house.url("/")).await;
        let fields = json!({ "clock": "own", "minutes": minutes, "increment": "0", "name": name });
        let fill = format!(
            "(() => {{ const form = document.querySelector('form:has([value=mnk])').elements; form.listed.checked = true; \
             if (form.rated) form.rated.checked = true; \
             for (const [name, value] of Object.entries({fields})) if (form[name]) form[name].value = value; }})()"
        );
        self.value(&fill).await;
        self.click("form:has([value=mnk]) button.main").await;
        self.until("location.pathname.startsWith('/t/')").await;
        self.is_live().await;
    }
}
