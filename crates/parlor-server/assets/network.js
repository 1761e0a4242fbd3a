// @ts-check
// Connection to the server: requests that are repeated until they are answered, and the socket that announces new events.

import * as alerts from "./alerts.js";
import * as clock from "./clock.js";
import * as draft from "./draft.js";
import { byId, main, setText } from "./dom.js";
import { state } from "./state.js";

/** @typedef {import("./state.js").Trip} Trip */
/** @typedef {(answer: import("./state.js").LiveState, trip: Trip) => void} Show */

const tableUrl = `/t/${main.dataset.table}`;
/** Shortest and longest wait before another attempt, in milliseconds. */
const SOON = 250, LATE = 2000;
/** Shortest time within which something must come after a ping, and time between pings while somebody looks, in milliseconds. */
const PATIENCE = 2000, OFTEN = 1000;
/** Time for the answer to a question or a move, and for a new connection, in milliseconds: behind a proxy, another server may answer the next one. */
export const ANSWER = 6000;
const OPENED = 5000;
/** Time on the clock at the start of games that are over soon, in milliseconds. */
const QUICK = 180_000;
/** Time before others can claim the game of the one who is cut off from which on it is counted down, in milliseconds. */
const NEAR = 300_000;
/** Code with which a server that stops closes its sockets. */
const GOING_AWAY = 1001;
/** Statuses with which the server, or a proxy before it, says that it cannot answer now. */
const AWAY = [502, 503, 504];
/** Status of a request that came too soon, the longest wait after which it is made again, in seconds, and how often it is. */
const TOO_SOON = 429, SHORT = 5, TIMES = 3;

const connection = {
  /** @type {WebSocket | undefined} */
  socket: undefined,
  /** Time at which something was received last. */
  heard: 0,
  /** Time of the last ping, and whether its answer is still awaited. */
  pinged: 0,
  awaits: false,
  /** Latest round trip, in milliseconds. */
  trip: 0,
  /** Wait before the next attempt to reconnect. */
  delay: SOON,
};
/** Part that the latest round trip has in the mean, and longest one that is told, in milliseconds. */
const WEIGHT = 0.25, LONGEST = 60_000;
/** Mean round trip of pings and of what was sent, to which the latest count most, in milliseconds; 0 before the first. */
let mean = 0;

/** @param {number} ms */
const measure = (ms) => void (mean = mean ? mean + WEIGHT * (ms - mean) : ms);

/** Returns the round trip that clocks may allow for, in milliseconds. */
export const lag = () => Math.min(Math.round(mean), LONGEST);

/** Shows an answer on the page. @type {Show} */
let show = () => {};
/**
 * A part of the page that uses the socket, too.
 * @typedef {{ request: () => string | null, hear: (news: any) => void }} Listener
 * @type {Listener | undefined}
 */
let listener;
/** Request of the view on display that is on its way. @type {Promise<void> | undefined} */
let refreshing;
/** Ends the waits of requests that the server did not answer, once it is there again. @type {((_: unknown) => void)[]} */
let waiting = [];

const isOpen = () => connection.socket?.readyState === WebSocket.OPEN;

/** @param {number} ms */
export const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// ---- Requests ----------------------------------------------------------------------------------------------------

/** Returns the seconds after which a request that came too soon can be made again; 0 if that is not soon. @param {Response} response */
function soon(response) {
  const wait = response.status === TOO_SOON ? Number(response.headers.get("Retry-After")) : 0;
  return wait <= SHORT ? wait : 0;
}

/**
 * Repeats a request until the server answers, and reports a lost connection. One that has no limit is repeated only if it
 * failed: it could be done twice.
 * @param {string} url @param {RequestInit} [init] @param {number} [limit] time for an answer, in milliseconds
 * @param {() => Promise<boolean>} [mayRepeat] asked before it is repeated @returns {Promise<{ response: Response | undefined, trip: Trip }>}
 */
async function send(url, init, limit = init ? 0 : ANSWER, mayRepeat) {
  for (let wait = SOON, fails = false, refused = 0; ; wait = Math.min(2 * wait, LATE)) {
    try {
      if (fails && mayRepeat && !(await mayRepeat())) return { response: undefined, trip: [0, 0] };
      const sent = performance.now();
      const signal = limit ? AbortSignal.timeout(limit) : null;
      const response = await fetch(url, { ...init, signal, headers: { Accept: "application/json" } });
      if (!AWAY.includes(response.status)) {
        if (isOpen()) showLost(false);
        if (soon(response) && refused++ < TIMES) {
          await pause(1000 * soon(response));
          continue;
        }
        const received = performance.now();
        if (init) measure(received - sent);
        return { response, trip: [sent, received] };
      }
    } catch {
      // The connection is lost; try again below.
    }
    fails = true;
    showLost(true);
    await Promise.race([pause(wait), new Promise((done) => waiting.push(done))]);
  }
}

/**
 * Asks until the server answers.
 * @param {string} url @param {RequestInit} [init] @param {number} [limit] @returns {Promise<{ response: Response, trip: Trip }>}
 */
export async function ask(url, init, limit) {
  return /** @type {{ response: Response, trip: Trip }} */ (await send(url, init, limit));
}

/** Reads an answer; null if it is not the server's, but that of something before it. @param {Response} response */
export const read = (response) => response.json().catch(() => null);

/**
 * Sends what must not be done twice. It is repeated only while the table stands as it did when it was sent; otherwise
 * nobody knows whether it was done, and there is no response.
 * @param {string} url @param {URLSearchParams} body
 */
export function askOnce(url, body) {
  const { version } = state;
  return send(url, { method: "POST", body }, 0, async () => {
    const { response } = await ask(stateUrl(state.steps));
    return !response.ok || (await read(response))?.version === version;
  });
}

/** Returns the URL for playing a move. */
export const playUrl = () => `${tableUrl}/play`;

/** Returns the URL of the latest state with a draft. @param {string} steps */
export const draftUrl = (steps) => `${tableUrl}/state?${new URLSearchParams(draft.parameters(steps))}`;

/** Returns the URL of the state after a number of moves; by default that of the view on display. */
export function stateUrl(step = state.step) {
  // Until the end has been told, the steps before it are shown without the result.
  const told = main.classList.contains("tells") && !state.status.over ? "&told=1" : "";
  if (step !== state.steps) return `${tableUrl}/state?step=${step}${told}`;
  return state.draft ? draftUrl(state.draft) : `${tableUrl}/state`;
}

/** Requests the view on display, and again while newer events are announced. */
export async function refresh() {
  if (state.busy) return;
  refreshing ??= renew().finally(() => (refreshing = undefined));
  await refreshing;
  if (state.newest > state.version) {
    await pause(50);
    await refresh();
  }
}

/** Requests the view on display once. */
async function renew() {
  const asked = stateUrl();
  const { response, trip } = await ask(asked);
  const answer = response.ok && (await read(response));
  // If a move was started or made meanwhile, this answer is stale; newer events are requested afterwards.
  const late = state.busy || asked !== stateUrl();
  if (answer && !late) show(answer, trip);
  else if (response.status === 404) location.reload();
  else if (!late) await pause(1000);
}

// ---- Live events -------------------------------------------------------------------------------------------------

/** Time for which a server that said goodbye is expected back, in milliseconds. */
const RESTART = 3000;
/** Time until which it is. */
let back = 0;

/** Shows whether the connection is lost. @param {boolean} is */
function showLost(is) {
  if (is) setText("lag", "unknown");
  const restarts = performance.now() < back;
  setText("connection", !is ? "" : restarts ? "The server restarts. Back in a moment …" : "Connection lost, trying again …");
  claimable = is ? claimable || claim() : 0;
  if (is && !restarts) foretell();
  alerts.cutOff(is);
  main.classList.toggle("lost", is);
}

/** Time by the server's clock from which others can claim the game of the one who is cut off; 0 if they cannot. */
let claimable = 0;

/** Returns that time if the connection is lost now. */
const claim = () => (state.status.patience ? clock.serverNow() + state.status.patience : 0);

/** Says beside the loss of the connection that the viewer's time is up, or how soon others can claim the game. */
function foretell() {
  if (clock.isUp()) return void byId("connection")?.append(" Your time is up.");
  if (!claimable || claimable - clock.serverNow() > NEAR) return;
  const time = document.createElement("span");
  time.dataset.due = String(claimable);
  byId("connection")?.append(" Your game can be claimed in ", time, ".");
  clock.tick();
}

/** Subscribes to events after the version shown. */
export function listen() {
  const socket = new WebSocket(`${location.origin.replace("http", "ws")}/api/v1/tables/${main.dataset.table}/socket`);
  const called = performance.now();
  hangUp();
  connection.socket = socket;
  setTimeout(() => socket === connection.socket && socket.readyState === WebSocket.CONNECTING && retry(), OPENED);
  socket.onopen = () => {
    connection.delay = SOON;
    connection.heard = performance.now();
    connection.trip = connection.heard - called;
    connection.awaits = false;
    showLost(false);
    waiting.forEach((go) => go(null));
    waiting = [];
    socket.send(JSON.stringify({ type: "subscribe", after: state.version, audience: true }));
    consult();
    main.classList.add("live");
    check();
    refresh();
  };
  socket.onmessage = (message) => {
    connection.heard = performance.now();
    const news = JSON.parse(message.data);
    listener?.hear(news);
    if (news.type === "audience") setText("audience", news.count ? `· ${news.count} watching` : "");
    if (news.type === "pong") hearPong();
    if (news.type === "event") {
      state.newest = Math.max(state.newest, news.version);
      alerts.heard(news.event, state.status.seats);
    }
    if (state.newest > state.version) refresh();
  };
  socket.onclose = (event) => {
    if (socket !== connection.socket) return;
    if (event.code === GOING_AWAY) back = performance.now() + RESTART;
    retry();
  };
}

/** Lets another part of the page use the socket. @param {Listener} other */
export function share(other) {
  listener = other;
  if (isOpen()) consult();
}

/** Sends what the other part of the page wants to know. */
function consult() {
  const question = listener?.request();
  if (question) connection.socket?.send(question);
}

function hangUp() {
  const old = connection.socket;
  connection.socket = undefined;
  old?.close();
}

/** Reopens a lost connection with growing delays, and polls the table meanwhile. */
async function retry() {
  hangUp();
  showLost(true);
  await pause(connection.delay * (0.5 + Math.random()));
  connection.delay = Math.min(2 * connection.delay, LATE);
  if (!connection.socket) listen();
  refresh();
}

/** Notes and shows the round trip. */
function hearPong() {
  connection.awaits = false;
  connection.trip = performance.now() - connection.pinged;
  measure(connection.trip);
  setText("lag", `${Math.max(1, Math.round(connection.trip))} ms`);
}

/**
 * Sends a ping unless one is on its way, and reopens a connection that died silently: one on which nothing comes for two
 * round trips.
 */
async function check() {
  if (!isOpen() || connection.awaits) return;
  const asked = connection.socket;
  connection.awaits = true;
  connection.pinged = performance.now();
  connection.socket?.send('{"type":"ping"}');
  while (connection.awaits && connection.socket === asked && isOpen()) {
    const since = performance.now();
    await pause(Math.max(PATIENCE, 2 * connection.trip));
    if (connection.heard < since && connection.socket === asked && isOpen()) return retry();
  }
}

/** Connects to the server. @param {Show} onAnswer shows an answer on the page */
export function start(onAnswer) {
  show = onAnswer;
  setInterval(() => !document.hidden && check(), OFTEN);
  setInterval(() => document.hidden && check(), 10 * OFTEN);
  // An absent player causes no event, so this is polled: in short games, which are soon lost by absence, more often.
  const whole = state.status.clock?.control.initial_ms ?? Infinity;
  setInterval(() => {
    const { seats, turn, over } = state.status;
    if (seats.length > 0 && !turn && !over) refresh();
  }, whole <= QUICK ? 4_000 : state.status.clock ? 10_000 : 30_000);
  clock.onDue(() => setTimeout(refresh, 100));
  addEventListener("pagehide", hangUp);
  addEventListener("pageshow", (event) => event.persisted && listen());
  addEventListener("online", () => !isOpen() && listen());
  // The browser knows at once, the socket only when something does not arrive.
  addEventListener("offline", () => retry());
  listen();
}
