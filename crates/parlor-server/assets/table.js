// @ts-check
// The table page. It knows no rules: the server draws the board and lists the elements to click for each move.

import * as alerts from "./alerts.js";
import * as clocks from "./clock.js";
import * as picture from "./picture.js";

/**
 * @typedef {[move: string, partial: boolean, ...path: string[]]} Click `partial` is true for a click that starts or continues a move
 * @typedef {[sent: number, received: number]} Trip times of a request and its answer, by `performance.now()`
 * @typedef {object} Pulse
 * @property {number} now the server's time
 * @property {clocks.Clock | null} clock
 * @property {number[]} seats seats of the viewer
 * @property {boolean} turn true if one of them is on turn
 * @property {boolean} over
 *
 * @typedef {object} Picture
 * @property {number} version number of the table's last event
 * @property {number} step number of moves in the position shown
 * @property {number} steps number of moves played
 * @property {string} board the picture
 * @property {Click[]} clicks the available clicks
 * @property {string | null} draft steps of an unfinished move
 * @property {string | null} back the draft without its last step
 * @property {string | null} whole the move, once the draft is complete
 * @property {string | null} dropped notice that the draft no longer fits
 * @property {string} title
 * @property {string} say the latest event, for screen readers
 * @property {Record<string, string>} parts HTML by element id
 * @property {string | null} go URL of the next table, after a rematch
 *
 * @typedef {Pulse & Picture} State
 */

const main = /** @type {HTMLElement} */ (document.querySelector("main[data-table]"));
const board = /** @type {HTMLElement} */ (document.getElementById("board"));
const here = `/t/${main.dataset.table}`;
const calm = matchMedia("(prefers-reduced-motion: reduce)");
/** Index of the first element id in a click. */
const PATH = 2;

let version = Number(main.dataset.version);
let step = Number(main.dataset.step);
let steps = Number(main.dataset.steps);
/** @type {Click[]} */
let clicks = JSON.parse(board.dataset.clicks ?? "[]");
/** @type {string[]} */
let chosen = [];
/** The draft of a move, the same without its last step, and the complete move. */
let [draft, back, whole] = /** @type {(string | null)[]} */ (JSON.parse(main.dataset.begun ?? "[null, null, null]"));
/** @type {Pulse} */
let pulse = JSON.parse(main.dataset.pulse ?? "{}");
/** Newest version announced, which may be ahead of the one shown. */
let newest = version;
let busy = false;
let focused = "";
let aimed = "";
/** @type {Record<string, string>} */
const drawn = {};

/** @param {string} id */
const byId = (id) => document.getElementById(id);
/** @param {number} ms */
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
/** @param {string} id @param {string} text */
function setText(id, text) {
  const element = byId(id);
  if (element && element.textContent !== text) element.textContent = text;
}

/** @param {Element} element @param {string} name @param {string} value */
function set(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

// ---- The board ---------------------------------------------------------------------------------------------------

/** Replaces the picture and keeps the focus on its place. @param {string} xml */
function draw(xml) {
  const hadFocus = board.contains(document.activeElement);
  picture.swap(board, xml, !calm.matches);
  mark();
  if (hadFocus) byId(focused)?.focus({ preventScroll: true });
}

/** Marks the places that can be clicked, and makes the board a single tab stop. */
function mark() {
  const targets = new Set(candidates().map((click) => click[chosen.length + PATH]));
  const ends = new Set(candidates().filter(isLast).map((click) => click[chosen.length + PATH]));
  const all = /** @type {(HTMLElement | SVGElement)[]} */ ([...board.querySelectorAll(".place")]);
  if (!all.some((place) => place.id === focused)) focused = (all.find((p) => targets.has(p.id)) ?? all[0])?.id ?? "";
  for (const place of all) {
    const legal = targets.has(place.id);
    place.classList.toggle("legal", legal);
    place.classList.toggle("plays", ends.has(place.id));
    place.classList.toggle("chosen", chosen.includes(place.id));
    set(place, "role", legal ? "button" : "img");
    set(place, "tabindex", place.id === focused ? "0" : "-1");
  }
  board.classList.toggle("yours", targets.size > 0);
  board.classList.toggle("drags", clicks.some((click) => click.length > PATH + 1));
}

/** Returns the clicks that start with the places chosen so far. */
const candidates = () => (busy ? [] : clicks.filter((click) => chosen.every((id, n) => click[n + PATH] === id)));

/** True if the next place completes a move. @param {Click} click */
const isLast = (click) => !click[1] && click.length === chosen.length + PATH + 1;

/** Returns the candidates that continue with a place. @param {string} id */
const fitting = (id) => candidates().filter((click) => click[chosen.length + PATH] === id);

// ---- Clicks, taps and keys ---------------------------------------------------------------------------------------

/** Handles a click on a place. @param {Element} place */
function click(place) {
  focused = place.id;
  setText("refused", "");
  let found = fitting(place.id);
  if (found.length === 0 && chosen.length > 0) {
    const again = chosen[chosen.length - 1] === place.id;
    chosen = [];
    if (again) return mark();
    found = fitting(place.id);
  }
  if (found.length === 0) {
    mark();
    if (clicks.length > 0 && !busy) setText("refused", `${place.getAttribute("aria-label")}: you can't play there.`);
    return;
  }
  chosen.push(place.id);
  const end = found.find((move) => move.length === chosen.length + PATH);
  if (!end || found.length > 1) mark();
  else if (end[1]) begin(end[0]);
  else play(end[0]);
}

/** True if a tap only aims, because the place is smaller than a finger. @param {PointerEvent} event @param {Element} place */
function aims(event, place) {
  const box = place.getBoundingClientRect();
  if (event.pointerType !== "touch" || Math.min(box.width, box.height) >= 28 || aimed === place.id) return false;
  // A click that only starts a move can be undone.
  if (!place.classList.contains("legal") || !fitting(place.id).some(isLast)) return false;
  aimed = place.id;
  picture.ghost(board, place.id, "aimed");
  setText("refused", `Tap again to play ${place.getAttribute("aria-label")}.`);
  return true;
}

board.addEventListener("click", (event) => {
  const place = /** @type {Element} */ (event.target).closest(".place");
  if (!place) return;
  if (aims(/** @type {PointerEvent} */ (event), place)) return;
  aimed = "";
  click(place);
});

/** Id of the place where the pointer went down. */
let grabbed = "";

/** A drag from one place to another clicks both. */
board.addEventListener("pointerdown", (event) => {
  const place = /** @type {Element} */ (event.target).closest(".place");
  grabbed = place && event.isPrimary && event.button === 0 ? place.id : "";
});
board.addEventListener("pointerup", (event) => {
  const from = byId(grabbed);
  grabbed = "";
  const to = document.elementFromPoint(event.clientX, event.clientY)?.closest("#board .place");
  if (!from || !to || to === from) return;
  const before = chosen;
  chosen = [];
  if (fitting(from.id).length === 0) return void (chosen = before);
  chosen = [from.id];
  if (fitting(to.id).length > 0) return click(to);
  chosen = [];
  mark();
  setText("refused", `${to.getAttribute("aria-label")}: you can't move there.`);
});
board.addEventListener("pointercancel", () => (grabbed = ""));

board.addEventListener("pointerover", (event) => {
  const place = /** @type {Element} */ (event.target).closest(".place.legal");
  if (event.pointerType === "mouse" && place) picture.ghost(board, place.id);
});
board.addEventListener("pointerleave", () => !busy && !aimed && picture.noGhost(board));
board.addEventListener("focusin", (event) => {
  const place = /** @type {Element} */ (event.target);
  if (place.matches(".place.legal:focus-visible")) picture.ghost(board, place.id);
});

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

board.addEventListener("keydown", (event) => {
  const place = /** @type {Element} */ (event.target).closest(".place");
  if (!place || event.ctrlKey || event.metaKey || event.altKey) return;
  const arrow = ARROWS[/** @type {keyof typeof ARROWS} */ (event.key)];
  if (arrow) focus(picture.neighbor(board, place, arrow[0], arrow[1]));
  else if (event.key === "Enter" || event.key === " ") click(place);
  else if (event.key === "Escape" && chosen.length > 0) (chosen = []), mark();
  else return;
  event.preventDefault();
  event.stopPropagation();
});

/** @param {Element | undefined} place */
function focus(place) {
  if (!place) return;
  byId(focused)?.setAttribute("tabindex", "-1");
  focused = place.id;
  place.setAttribute("tabindex", "0");
  /** @type {HTMLElement | SVGElement} */ (place).focus();
}

// ---- Talking to the server ---------------------------------------------------------------------------------------

/** @param {State} state @param {Trip} trip @param {boolean} [asked] true if this step was requested */
function show(state, trip, asked = false) {
  clocks.sync(state.now, ...trip);
  if (state.version < version) return;
  const following = step === steps;
  if (state.version > version) alerts.changed({ ...pulse, steps }, state);
  version = state.version;
  newest = Math.max(newest, version);
  if (asked || following || state.step === step) {
    ({ step, clicks } = state);
    chosen = [];
    if (state.step === state.steps) ({ draft, back, whole } = state);
    draw(state.board);
  }
  steps = state.steps;
  if (state.dropped) setText("refused", state.dropped);
  remember();
  for (const [id, html] of Object.entries(state.parts)) replace(id, normal(html));
  showSwitch();
  reveal(byId("part-moves")?.querySelector("[aria-current]"));
  alerts.name(state.title, state.turn);
  beat(state);
  if (state.say) setText("say", state.say);
  follow();
  if (state.go) location.href = state.go;
}

/** True while a button or link is pressed. */
let pressed = false;
/** Parts of the page to replace after the press: an element that moves away under the pointer would miss its click. @type {Map<string, string>} */
const held = new Map();

document.addEventListener("pointerdown", (event) => {
  pressed = event.button === 0 && /** @type {Element} */ (event.target).closest("main :is(button, a, summary, label)") !== null;
});
// The click event follows the pointer's release.
for (const end of ["pointerup", "pointercancel", "blur"]) window.addEventListener(end, () => setTimeout(release));

function release() {
  pressed = false;
  for (const [id, html] of held) replace(id, html);
}

/** Replaces the HTML of a part of the page and keeps the focus as near as possible. @param {string} id @param {string} html */
function replace(id, html) {
  const part = byId(id);
  held.delete(id);
  if (!part || drawn[id] === html) return;
  if (pressed) return void held.set(id, html);
  const inside = part.contains(document.activeElement) ? document.activeElement : null;
  const action = inside?.closest("form")?.getAttribute("action");
  const keep = inside?.closest("a[data-keep]")?.getAttribute("data-keep");
  part.innerHTML = drawn[id] = html;
  if (!inside) return;
  const same = keep && part.querySelector(`a[data-keep="${keep}"]`);
  if (same) return /** @type {HTMLElement} */ (same).focus({ preventScroll: true });
  const again = action && part.querySelector(`form[action="${action}"] button`);
  const place = id === "part-entry" ? (board.querySelector(".place.legal") ?? byId(focused)) : null;
  if (place && !again && !part.querySelector("button, a[href]")) return focus(place);
  const next = again || part.querySelector("button, summary, a[href]") || main;
  /** @type {HTMLElement} */ (next).focus({ preventScroll: true });
}

/** Updates clocks and alerts. @param {Pulse} next */
function beat(next) {
  const sat = next.seats.length !== pulse.seats.length;
  pulse = next;
  // After sitting down, a new connection identifies the player.
  if (sat) listen();
  clocks.show(next.clock, next.seats, (_, left) => {
    setText("say", `${Math.ceil(left / 1000)} seconds left.`);
    alerts.play("low");
  });
}

/** Scrolls a move into view within its list, without scrolling the page. @param {Element | null | undefined} move */
function reveal(move) {
  const list = move?.closest(".moves");
  if (!move || !list) return;
  const [is, room] = [move.getBoundingClientRect(), list.getBoundingClientRect()];
  list.scrollTop += Math.max(0, is.bottom - room.bottom) + Math.min(0, is.top - room.top);
}

/** Returns HTML as the browser serializes it. @param {string} html */
function normal(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.innerHTML;
}

/**
 * Repeats a request until the server answers, and reports a lost connection.
 * @param {string} url @param {RequestInit} [init] @returns {Promise<{ response: Response, trip: Trip }>}
 */
async function ask(url, init) {
  for (let wait = 250; ; wait = Math.min(2 * wait, 4000)) {
    try {
      const sent = performance.now();
      const response = await fetch(url, { ...init, headers: { Accept: "application/json" } });
      if (response.status !== 503) {
        if (socket?.readyState === WebSocket.OPEN) lost(false);
        return { response, trip: [sent, performance.now()] };
      }
    } catch {
      // The connection is lost; try again below.
    }
    lost(true);
    await pause(wait);
  }
}

/** Returns the URL of the page's state, for the view on display. */
function address(at = step) {
  if (at !== steps) return `${here}/state?step=${at}`;
  return draft ? `${here}/state?${new URLSearchParams({ draft, of: String(steps) })}` : `${here}/state`;
}

/** Keeps the draft in the page's URL, so that it survives a reload. */
function remember() {
  const url = new URL(location.href);
  url.searchParams.delete("draft");
  url.searchParams.delete("of");
  if (draft && step === steps) url.searchParams.append("draft", draft), url.searchParams.append("of", String(steps));
  if (url.href !== location.href) history.replaceState(history.state, "", url);
}

/** Starts or continues a move, or takes back a part of it. @param {string} wanted the new draft */
async function begin(wanted) {
  busy = true;
  mark();
  const query = new URLSearchParams({ draft: wanted, of: String(steps) });
  const { response, trip } = await ask(`${here}/state?${query}`);
  busy = false;
  setText("refused", "");
  if (response.ok) show(await response.json(), trip, true);
  else await refresh();
  if (whole && step === steps) {
    if (alerts.isOn("auto") && clicks.length === 0) return play(whole);
    /** @type {HTMLElement | null} */ (document.querySelector("#part-entry button.main"))?.focus({ preventScroll: true });
  }
  if (newest > version) await refresh();
}

/** Updates the checkbox for playing complete moves at once. */
function showSwitch() {
  const box = /** @type {HTMLInputElement | null} */ (document.querySelector("[data-auto]"));
  if (box) box.checked = alerts.isOn("auto");
}

/** Plays a move. It is sent again under the same id until the server answers. @param {string} move */
async function play(move) {
  const id = [...crypto.getRandomValues(new Uint8Array(12))].map((b) => b.toString(16).padStart(2, "0")).join("");
  busy = true;
  picture.ghost(board, focused, "pending");
  byId(focused)?.classList.add("pending");
  mark();
  await post(`${here}/play`, new URLSearchParams({ move, id, version: String(version) }));
}

/** Sends a form and shows the result. @param {string} url @param {URLSearchParams} body */
async function post(url, body) {
  // Other actions keep the draft.
  if (draft && !body.has("move") && !body.has("draft")) body.append("draft", draft), body.append("of", String(steps));
  const { response, trip } = await ask(url, { method: "POST", body });
  const answer = await response.json().catch(() => ({}));
  busy = false;
  chosen = [];
  if (response.ok) {
    setText("refused", "");
    show(answer, trip, step === steps);
  } else {
    setText("refused", `${answer.detail ?? "That didn't work"}.`.replace(/([.!?])\.$/, "$1"));
    byId(focused)?.classList.remove("pending");
    picture.noGhost(board);
    await refresh();
    mark();
  }
  if (newest > version) await refresh();
}

let refreshing = false;
async function refresh() {
  if (refreshing || busy) return;
  refreshing = true;
  try {
    const asked = address();
    const { response, trip } = await ask(asked);
    // If a move was started or made meanwhile, this answer is stale; newer events are requested below.
    const late = busy || asked !== address();
    if (response.ok && !late) show(await response.json(), trip);
    else if (response.status === 404) location.reload();
    else if (!late) await pause(1000);
  } finally {
    refreshing = false;
  }
  if (newest > version) {
    await pause(50);
    await refresh();
  }
}

const pending = () => document.querySelector("#part-analysis [data-pending]");
let waits = false;
/** Polls a running analysis at growing intervals. */
async function follow() {
  if (waits || !pending()) return;
  waits = true;
  for (let wait = 300; pending(); wait = Math.min(1.5 * wait, 5000)) {
    await pause(wait);
    await refresh();
  }
  waits = false;
  setText("say", "The analysis is ready.");
}

/** Shows the position after a number of moves. @param {number} wanted */
async function goTo(wanted) {
  const at = Math.max(0, Math.min(wanted, steps));
  const { response, trip } = await ask(address(at));
  if (response.ok) show(await response.json(), trip, true);
}

// ---- Live events -------------------------------------------------------------------------------------------------

let delay = 250;
let alive = true;
/** @type {WebSocket | undefined} */
let socket;

/** @param {boolean} is */
function lost(is) {
  if (is) setText("lag", "");
  setText("connection", is ? "Connection lost, trying again …" : "");
  main.classList.toggle("lost", is);
}

/** Subscribes to events after the version shown. */
function listen() {
  const mine = new WebSocket(`${location.origin.replace("http", "ws")}/api/v1/tables/${main.dataset.table}/socket`);
  hangUp();
  socket = mine;
  mine.onopen = () => {
    delay = 250;
    alive = true;
    lost(false);
    mine.send(JSON.stringify({ type: "subscribe", after: version, audience: true }));
    main.classList.add("live");
    ping();
    refresh();
  };
  mine.onmessage = (message) => {
    alive = true;
    const news = JSON.parse(message.data);
    if (news.type === "audience") setText("audience", watching(news.count));
    if (news.type === "pong") setText("lag", `${Math.max(1, Math.round(performance.now() - pinged))} ms`);
    if (news.type === "event") newest = Math.max(newest, news.version);
    if (newest > version) refresh();
  };
  mine.onclose = () => mine === socket && retry();
}

/** @param {number} count */
const watching = (count) => (count ? `${count} watching ·` : "");

function hangUp() {
  const old = socket;
  socket = undefined;
  old?.close();
}

/** Reopens a lost connection with growing delays, and polls the table meanwhile. */
async function retry() {
  hangUp();
  lost(true);
  await pause(delay * (0.5 + Math.random()));
  delay = Math.min(2 * delay, 4000);
  if (!socket) listen();
  refresh();
}

let pinged = 0;
/** Sends a ping; the answer shows the round-trip time. */
function ping() {
  pinged = performance.now();
  socket?.send('{"type":"ping"}');
}

/** A connection can die silently: without an answer, it is reopened. */
setInterval(() => {
  if (socket?.readyState !== WebSocket.OPEN) return;
  if (!alive) return retry();
  alive = false;
  ping();
}, pulse.clock ? 5_000 : 15_000);

/** An absent opponent causes no event, so this is polled. */
setInterval(() => {
  if (pulse.seats.length > 0 && !pulse.turn && (pulse.clock?.running ?? null) !== null) refresh();
}, 20_000);

addEventListener("pagehide", hangUp);
addEventListener("pageshow", (event) => event.persisted && listen());
addEventListener("online", () => socket?.readyState !== WebSocket.OPEN && listen());

// ---- The rest of the page ----------------------------------------------------------------------------------------

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.matches("[data-live]")) return;
  event.preventDefault();
  if (busy) return;
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  post(form.action, new URLSearchParams(fields));
});

document.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  const stepper = /** @type {HTMLElement | null} */ (target.closest("a[data-step]"));
  if (stepper && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    goTo(Number(stepper.dataset.step));
  }
  const begun = /** @type {HTMLElement | null} */ (target.closest("a[data-draft]"));
  if (begun && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    if (!busy) begin(begun.dataset.draft ?? "");
  }
  const copy = target.closest("button[data-copy]");
  if (copy) copyLink(/** @type {HTMLElement} */ (copy));
});

document.addEventListener("change", (event) => {
  const box = /** @type {HTMLInputElement} */ (event.target);
  if (box.matches("[data-auto]")) alerts.setSwitch("auto", box.checked);
});

/** @param {HTMLElement} button */
async function copyLink(button) {
  const field = /** @type {HTMLInputElement} */ (byId("link"));
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    field.select();
    document.execCommand("copy");
  }
  setText("say", "Link copied");
  button.textContent = "Copied";
}

document.addEventListener("keydown", (event) => {
  const target = /** @type {Element} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.closest("input, select, textarea, summary") || picture.scrolls(target)) return;
  if ((event.key === "Escape" || event.key === "Backspace") && draft && step === steps && !busy) {
    event.preventDefault();
    begin(back ?? "");
    return;
  }
  const undo = /** @type {HTMLFormElement | null} */ (document.querySelector("form[data-undo]"));
  if (event.key === "Backspace" && undo && step === steps && !busy) {
    event.preventDefault();
    undo.requestSubmit();
    return;
  }
  const wanted = { ArrowLeft: step - 1, ArrowRight: step + 1, Home: 0, End: steps }[event.key];
  if (wanted === undefined || (event.key.startsWith("A") === false && steps === 0)) return;
  event.preventDefault();
  goTo(wanted);
});

for (const part of document.querySelectorAll("[id^=part-]")) drawn[part.id] = part.innerHTML;
document.documentElement.classList.add("js");
const page = /** @type {PerformanceNavigationTiming | undefined} */ (performance.getEntriesByType("navigation")[0]);
clocks.sync(pulse.now, page?.requestStart ?? 0, page?.responseStart ?? performance.now());
alerts.switches((text) => setText("say", text));
alerts.name(document.title, pulse.turn);
beat(pulse);
showSwitch();
mark();
picture.center(board);
follow();
listen();
