// @ts-check
// The table page. It knows no rules: the server draws the board and says which elements may be clicked, in which order.

import * as alerts from "./alerts.js";
import * as clocks from "./clock.js";
import * as picture from "./picture.js";

/**
 * @typedef {[move: string, partial: boolean, ...path: string[]]} Click `partial` is one that only begins a move or goes on with it
 * @typedef {[sent: number, received: number]} Trip when a request went out and its answer came, by `performance.now()`
 * @typedef {object} Pulse
 * @property {number} now what the server's clock said
 * @property {clocks.Clock | null} clock
 * @property {number[]} seats the seats of the one who looks
 * @property {boolean} turn whether one of them is to move
 * @property {boolean} over
 *
 * @typedef {object} Picture
 * @property {number} version number of the table's last event
 * @property {number} step moves in the position shown
 * @property {number} steps moves played
 * @property {string} board the picture
 * @property {Click[]} clicks what may be clicked
 * @property {string | null} draft what was done of a move that was begun
 * @property {string | null} back the same without its last step
 * @property {string | null} whole the move, once it is a whole one
 * @property {string | null} dropped what became of a begun move that cannot be gone on with
 * @property {string} title
 * @property {string} say the news, in words
 * @property {Record<string, string>} parts HTML by element id
 * @property {string | null} go where to go on
 *
 * @typedef {Pulse & Picture} State
 */

const main = /** @type {HTMLElement} */ (document.querySelector("main[data-table]"));
const board = /** @type {HTMLElement} */ (document.getElementById("board"));
const here = `/t/${main.dataset.table}`;
const calm = matchMedia("(prefers-reduced-motion: reduce)");
/** Where a click's path begins. */
const PATH = 2;

let version = Number(main.dataset.version);
let step = Number(main.dataset.step);
let steps = Number(main.dataset.steps);
/** @type {Click[]} */
let clicks = JSON.parse(board.dataset.clicks ?? "[]");
/** @type {string[]} */
let chosen = [];
/** A move that was begun: what was done, the same without the last step, and the move once it is whole. */
let [draft, back, whole] = /** @type {(string | null)[]} */ (JSON.parse(main.dataset.begun ?? "[null, null, null]"));
/** @type {Pulse} */
let pulse = JSON.parse(main.dataset.pulse ?? "{}");
/** The newest version heard of, which may be ahead of the one shown. */
let heard = version;
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
function tell(id, text) {
  const element = byId(id);
  if (element && element.textContent !== text) element.textContent = text;
}

/** @param {Element} element @param {string} name @param {string} value */
function set(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

// ---- The board ---------------------------------------------------------------------------------------------------

/** Puts a new picture in place of the old one. The focus stays on its place. @param {string} xml */
function draw(xml) {
  const hadFocus = board.contains(document.activeElement);
  picture.swap(board, xml, !calm.matches);
  mark();
  if (hadFocus) byId(focused)?.focus({ preventScroll: true });
}

/** Shows what can be clicked, and makes the places one stop of the tab key. */
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

/** The moves that begin with what was clicked so far. */
const candidates = () => (busy ? [] : clicks.filter((click) => chosen.every((id, n) => click[n + PATH] === id)));

/** Whether the next click on its path makes a move. @param {Click} click */
const isLast = (click) => !click[1] && click.length === chosen.length + PATH + 1;

/** Those of them that go on with a place. @param {string} id */
const fitting = (id) => candidates().filter((click) => click[chosen.length + PATH] === id);

// ---- Clicks, taps and keys ---------------------------------------------------------------------------------------

/** A place was clicked. @param {Element} place */
function click(place) {
  focused = place.id;
  tell("refused", "");
  let found = fitting(place.id);
  if (found.length === 0 && chosen.length > 0) {
    const again = chosen[chosen.length - 1] === place.id;
    chosen = [];
    if (again) return mark();
    found = fitting(place.id);
  }
  if (found.length === 0) {
    mark();
    if (clicks.length > 0 && !busy) tell("refused", `${place.getAttribute("aria-label")}: that cannot be played.`);
    return;
  }
  chosen.push(place.id);
  const end = found.find((move) => move.length === chosen.length + PATH);
  if (!end || found.length > 1) mark();
  else if (end[1]) begin(end[0]);
  else play(end[0]);
}

/** Whether a tap should only aim: a finger is wider than the place. @param {PointerEvent} event @param {Element} place */
function aims(event, place) {
  const box = place.getBoundingClientRect();
  if (event.pointerType !== "touch" || Math.min(box.width, box.height) >= 28 || aimed === place.id) return false;
  // What only begins a move can be undone.
  if (!place.classList.contains("legal") || !fitting(place.id).some(isLast)) return false;
  aimed = place.id;
  picture.ghost(board, place.id, "aimed");
  tell("refused", `Tap again to play ${place.getAttribute("aria-label")}.`);
  return true;
}

board.addEventListener("click", (event) => {
  const place = /** @type {Element} */ (event.target).closest(".place");
  if (!place) return;
  if (aims(/** @type {PointerEvent} */ (event), place)) return;
  aimed = "";
  click(place);
});

/** The place on which a pointer went down. */
let grabbed = "";

/** Dragging from a place to another is clicking both. */
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
  tell("refused", `${to.getAttribute("aria-label")}: that cannot be played from there.`);
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

/** @param {State} state @param {Trip} trip @param {boolean} [asked] whether this very step was asked for */
function show(state, trip, asked = false) {
  clocks.heard(state.now, ...trip);
  if (state.version < version) return;
  const following = step === steps;
  if (state.version > version) alerts.changed({ ...pulse, steps }, state);
  version = state.version;
  heard = Math.max(heard, version);
  if (asked || following || state.step === step) {
    ({ step, clicks } = state);
    chosen = [];
    if (state.step === state.steps) ({ draft, back, whole } = state);
    draw(state.board);
  }
  steps = state.steps;
  if (state.dropped) tell("refused", state.dropped);
  remember();
  for (const [id, html] of Object.entries(state.parts)) replace(id, normal(html));
  showSwitch();
  reveal(byId("part-moves")?.querySelector("[aria-current]"));
  alerts.name(state.title, state.turn);
  beat(state);
  if (state.say) tell("say", state.say);
  follow();
  if (state.go) location.href = state.go;
}

/** Whether a button or a link is being pressed. */
let pressed = false;
/** Parts of the page to be replaced once it no longer is: what goes or moves away under the pointer would not be clicked. @type {Map<string, string>} */
const held = new Map();

document.addEventListener("pointerdown", (event) => {
  pressed = event.button === 0 && /** @type {Element} */ (event.target).closest("main :is(button, a, summary, label)") !== null;
});
// The click comes after the pointer is up.
for (const end of ["pointerup", "pointercancel", "blur"]) window.addEventListener(end, () => setTimeout(release));

function release() {
  pressed = false;
  for (const [id, html] of held) replace(id, html);
}

/** Puts new HTML into a part of the page. The focus stays as near as can be. @param {string} id @param {string} html */
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

/** Sets the clocks. @param {Pulse} next */
function beat(next) {
  const sat = next.seats.length !== pulse.seats.length;
  pulse = next;
  // Whoever has sat down is known by a connection that shows it.
  if (sat) listen();
  clocks.show(next.clock, next.seats, (_, left) => {
    tell("say", `${Math.ceil(left / 1000)} seconds left.`);
    alerts.play("low");
  });
}

/** Brings a move into sight in its list; the page itself stays where it is. @param {Element | null | undefined} move */
function reveal(move) {
  const list = move?.closest(".moves");
  if (!move || !list) return;
  const [is, room] = [move.getBoundingClientRect(), list.getBoundingClientRect()];
  list.scrollTop += Math.max(0, is.bottom - room.bottom) + Math.min(0, is.top - room.top);
}

/** HTML as the browser would write it. @param {string} html */
function normal(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.innerHTML;
}

/**
 * Asks until the server answers; a lost connection is said and waited for.
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
      // The connection is gone; below it is waited for.
    }
    lost(true);
    await pause(wait);
  }
}

/** Where the page's state is asked for, as it is looked at. */
function address(at = step) {
  if (at !== steps) return `${here}/state?step=${at}`;
  return draft ? `${here}/state?${new URLSearchParams({ draft, of: String(steps) })}` : `${here}/state`;
}

/** Keeps a begun move in the page's own address, so that it is there when the page is loaded again. */
function remember() {
  const url = new URL(location.href);
  url.searchParams.delete("draft");
  url.searchParams.delete("of");
  if (draft && step === steps) url.searchParams.append("draft", draft), url.searchParams.append("of", String(steps));
  if (url.href !== location.href) history.replaceState(history.state, "", url);
}

/** Begins a move, goes on with it, or takes a part of it back. @param {string} wanted what is done of it */
async function begin(wanted) {
  busy = true;
  mark();
  const query = new URLSearchParams({ draft: wanted, of: String(steps) });
  const { response, trip } = await ask(`${here}/state?${query}`);
  busy = false;
  tell("refused", "");
  if (response.ok) show(await response.json(), trip, true);
  else await refresh();
  if (whole && step === steps) {
    if (alerts.isOn("auto") && clicks.length === 0) return play(whole);
    /** @type {HTMLElement | null} */ (document.querySelector("#part-entry button.main"))?.focus({ preventScroll: true });
  }
  if (heard > version) await refresh();
}

/** Shows how the switch stands that plays whole moves at once. */
function showSwitch() {
  const box = /** @type {HTMLInputElement | null} */ (document.querySelector("[data-auto]"));
  if (box) box.checked = alerts.isOn("auto");
}

/** Plays a move. It is sent again under the same id until it is answered. @param {string} move */
async function play(move) {
  const id = [...crypto.getRandomValues(new Uint8Array(12))].map((b) => b.toString(16).padStart(2, "0")).join("");
  busy = true;
  picture.ghost(board, focused, "pending");
  byId(focused)?.classList.add("pending");
  mark();
  await post(`${here}/play`, new URLSearchParams({ move, id, version: String(version) }));
}

/** Sends a form and shows what became of it. @param {string} url @param {URLSearchParams} body */
async function post(url, body) {
  // A begun move stays while something else is done.
  if (draft && !body.has("move") && !body.has("draft")) body.append("draft", draft), body.append("of", String(steps));
  const { response, trip } = await ask(url, { method: "POST", body });
  const answer = await response.json().catch(() => ({}));
  busy = false;
  chosen = [];
  if (response.ok) {
    tell("refused", "");
    show(answer, trip, step === steps);
  } else {
    tell("refused", `${answer.detail ?? "That did not work"}.`.replace(/([.!?])\.$/, "$1"));
    byId(focused)?.classList.remove("pending");
    picture.noGhost(board);
    await refresh();
    mark();
  }
  if (heard > version) await refresh();
}

let refreshing = false;
async function refresh() {
  if (refreshing || busy) return;
  refreshing = true;
  try {
    const asked = address();
    const { response, trip } = await ask(asked);
    // Meanwhile a move may have been begun or made: what is shown is newer, and what was heard since is asked for below.
    const late = busy || asked !== address();
    if (response.ok && !late) show(await response.json(), trip);
    else if (response.status === 404) location.reload();
    else if (!late) await pause(1000);
  } finally {
    refreshing = false;
  }
  if (heard > version) {
    await pause(50);
    await refresh();
  }
}

const pending = () => document.querySelector("#part-analysis [data-pending]");
let waits = false;
/** Asks how an analysis comes along that is being made, more and more seldom. */
async function follow() {
  if (waits || !pending()) return;
  waits = true;
  for (let wait = 300; pending(); wait = Math.min(1.5 * wait, 5000)) {
    await pause(wait);
    await refresh();
  }
  waits = false;
  tell("say", "The analysis is done.");
}

/** Shows the board after so many moves. @param {number} wanted */
async function look(wanted) {
  const at = Math.max(0, Math.min(wanted, steps));
  const { response, trip } = await ask(address(at));
  if (response.ok) show(await response.json(), trip, true);
}

// ---- What happens at the table -----------------------------------------------------------------------------------

let delay = 250;
let alive = true;
/** @type {WebSocket | undefined} */
let socket;

/** @param {boolean} is */
function lost(is) {
  if (is) tell("lag", "");
  tell("connection", is ? "Connection lost, trying again …" : "");
  main.classList.toggle("lost", is);
}

/** Listens for events, from the version shown on. */
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
    if (news.type === "audience") tell("audience", watching(news.count));
    if (news.type === "pong") tell("lag", `${Math.max(1, Math.round(performance.now() - pinged))} ms`);
    if (news.type === "event") heard = Math.max(heard, news.version);
    if (heard > version) refresh();
  };
  mine.onclose = () => mine === socket && retry();
}

/** @param {number} count */
const watching = (count) => (count ? `${count} looking on ·` : "");

function hangUp() {
  const old = socket;
  socket = undefined;
  old?.close();
}

/** Opens a lost connection again, sooner at first; until then the table is asked how it stands. */
async function retry() {
  hangUp();
  lost(true);
  await pause(delay * (0.5 + Math.random()));
  delay = Math.min(2 * delay, 4000);
  if (!socket) listen();
  refresh();
}

let pinged = 0;
/** Asks for a sign of life; the answer shows how long messages take. */
function ping() {
  pinged = performance.now();
  socket?.send('{"type":"ping"}');
}

/** A connection can die without a word: whoever does not answer is called again. */
setInterval(() => {
  if (socket?.readyState !== WebSocket.OPEN) return;
  if (!alive) return retry();
  alive = false;
  ping();
}, pulse.clock ? 5_000 : 15_000);

/** That the other side is away is no event: it is asked for now and then. */
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
    look(Number(stepper.dataset.step));
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
  if (box.matches("[data-auto]")) alerts.turn("auto", box.checked);
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
  tell("say", "Link copied");
  button.textContent = "Copied";
}

document.addEventListener("keydown", (event) => {
  const target = /** @type {Element} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.closest("input, select, textarea, summary") || picture.slides(target)) return;
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
  look(wanted);
});

for (const part of document.querySelectorAll("[id^=part-]")) drawn[part.id] = part.innerHTML;
document.documentElement.classList.add("js");
const page = /** @type {PerformanceNavigationTiming | undefined} */ (performance.getEntriesByType("navigation")[0]);
clocks.heard(pulse.now, page?.requestStart ?? 0, page?.responseStart ?? performance.now());
alerts.switches((text) => tell("say", text));
alerts.name(document.title, pulse.turn);
beat(pulse);
showSwitch();
mark();
picture.sight(board);
follow();
listen();
