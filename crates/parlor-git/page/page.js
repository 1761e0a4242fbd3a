// @ts-check
// Page of a house in a git repository. It polls the files that the referee writes and shows them; it knows no rules. The files are
// untrusted: texts are only ever inserted as text, and pictures are reduced to plain shapes.

import { findPieces, hasMoved, matchPieces, travel } from "./pieces.js";

/** Milliseconds until the next poll after a change; the wait grows with every poll without one. `?poll=` overrides it. */
const SOON = Math.min(60_000, Math.max(50, Number(new URLSearchParams(location.search).get("poll")) || 2_000));
const LATE = 60_000, GROWTH = 1.5;
/** Timeout of a request, in milliseconds. */
const PATIENCE = 15_000;

/** Parts of the page by name, looked up before any picture is inserted, so that ids in pictures cannot interfere. */
const parts = new Map(
  [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-part]"))].map((e) => [e.dataset.part ?? "", e]),
);
const main = /** @type {HTMLElement} */ (document.querySelector("main"));

/** @param {string} name @returns {HTMLElement} */
function part(name) {
  const found = parts.get(name);
  if (!found) throw new Error(`the page has no part ${name}`);
  return found;
}

// ---- Reading untrusted files ------------------------------------------------------------------------------------

/** Error for a missing file. */
class Missing extends Error {}

/** @typedef {Record<string, unknown>} Fields */
/** @param {unknown} x @returns {x is Fields} */
const isFields = (x) => typeof x === "object" && x !== null && !Array.isArray(x);
/** @param {unknown} x @returns {Fields} */
const fields = (x) => (isFields(x) ? x : {});
/** @param {unknown} x @returns {unknown[]} */
const list = (x) => (Array.isArray(x) ? x : []);
/** @param {unknown} x @returns {string} */
const text = (x) => (typeof x === "string" ? x : typeof x === "number" ? String(x) : "");
/** @param {unknown} x @returns {number[]} */
const dots = (x) => list(x).map(Number).filter((n) => Number.isInteger(n) && n >= 1 && n <= 6).slice(0, 4);
/** Parses a time into milliseconds since the epoch. @param {unknown} x */
const moment = (x) => Date.parse(text(x)) || 0;
/** @param {string} word */
const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

/** Fetches a file, bypassing stale caches. @param {string} path @param {AbortSignal} [signal] */
async function get(path, signal) {
  let answer;
  try {
    answer = await fetch(path, { cache: "no-cache", signal });
  } catch {
    throw new Error("The server is not responding.");
  }
  if (answer.status === 404 || answer.status === 410) throw new Missing(`There is no ${path}.`);
  if (!answer.ok) throw new Error(`The server returned status ${answer.status}.`);
  try {
    return await answer.text();
  } catch {
    throw new Error(`${path} was cut off.`);
  }
}

/** Parses a file as a JSON object. @param {string} json @param {string} path */
function object(json, path) {
  let value;
  try {
    value = JSON.parse(json);
  } catch {
    throw new Error(`${path} is incomplete.`);
  }
  if (!isFields(value)) throw new Error(`${path} has an unexpected format.`);
  return value;
}

// ---- Making elements ---------------------------------------------------------------------------------------------

/**
 * Creates an element. Children that are strings become text, never markup.
 * @param {string} tag @param {Record<string, string | undefined>} [attributes] @param {...(Node | string)} children
 */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Shows or hides an element. @param {HTMLElement} element @param {boolean} is */
function toggle(element, is) {
  if (element.hidden === is) element.hidden = !is;
}

/** Data that each element was last filled from. Unchanged elements are left alone, to keep their focus and scroll position. */
const made = new WeakMap();

/** Fills an element if its data has changed. @param {HTMLElement} element @param {unknown} from @param {() => (Node | string)[]} fill */
function refill(element, from, fill) {
  const key = JSON.stringify(from) ?? "";
  if (made.get(element) === key) return;
  made.set(element, key);
  const focused = element.contains(document.activeElement) ? document.activeElement?.getAttribute("href") : null;
  element.replaceChildren(...fill());
  const again = focused ? [...element.querySelectorAll("a")].find((link) => link.getAttribute("href") === focused) : undefined;
  again?.focus({ preventScroll: true });
}

/** Announces a text to screen readers. @param {string} what */
function say(what) {
  const said = part("said");
  said.append(make("span", {}, `${what} `));
  while (said.childElementCount > 3) said.firstElementChild?.remove();
}

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** Formats the time elapsed since a moment. @param {number} at in milliseconds */
function ago(at) {
  const seconds = Math.round((Date.now() - at) / 1000);
  if (seconds < 5) return "just now";
  if (seconds < 100) return relative.format(-seconds, "second");
  if (seconds < 90 * 60) return relative.format(-Math.round(seconds / 60), "minute");
  if (seconds < 36 * 3600) return relative.format(-Math.round(seconds / 3600), "hour");
  return relative.format(-Math.round(seconds / 86_400), "day");
}

/** Creates a `time` element, whose text is updated every second. @param {unknown} when */
function time(when) {
  const at = moment(when);
  if (!at) return make("span");
  const full = new Date(at).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
  return make("time", { datetime: new Date(at).toISOString(), title: full }, ago(at));
}

// ---- Polling -----------------------------------------------------------------------------------------------------

/** Polls something: soon after a change, less and less often without one, and not while the page is hidden. */
class Watch {
  /** Times of the last successful and the next poll; 0 for never. */
  seen = 0;
  due = 0;
  /** Error of the last poll. @type {Error | undefined} */
  trouble;
  #wait = SOON;
  #timer = 0;
  #over = false;
  /** @type {AbortController | undefined} */
  #asking;

  /** @param {(signal: AbortSignal) => Promise<boolean>} ask resolves to true if there was a change @param {() => void} told called after each poll */
  constructor(ask, told) {
    this.ask = ask;
    this.told = told;
  }

  get isAsking() {
    return this.#asking !== undefined;
  }

  /** Polls at once, and soon again. */
  hurry() {
    this.#wait = SOON;
    if (!this.isAsking) void this.#round();
  }

  /** Pauses until the next call of `hurry`. */
  rest() {
    clearTimeout(this.#timer);
  }

  stop() {
    this.#over = true;
    this.rest();
    this.#asking?.abort();
  }

  async #round() {
    this.rest();
    const asking = (this.#asking = new AbortController());
    const limit = setTimeout(() => asking.abort(), PATIENCE);
    if (this.trouble) this.told();
    let next = SOON;
    try {
      const news = await this.ask(asking.signal);
      if (this.#over) return;
      if (!news && !this.trouble) next = this.#wait * GROWTH;
      [this.trouble, this.seen] = [undefined, Date.now()];
    } catch (error) {
      if (this.#over) return;
      if (this.trouble) next = this.#wait * GROWTH;
      this.trouble = error instanceof Error ? error : new Error(String(error));
      // Bugs of the page itself are logged.
      if (error instanceof TypeError || error instanceof ReferenceError) console.error(error);
    } finally {
      clearTimeout(limit);
      this.#asking = undefined;
    }
    this.#wait = Math.min(next, LATE);
    this.due = Date.now() + this.#wait;
    if (!document.hidden) this.#timer = setTimeout(() => void this.#round(), this.#wait);
    this.told();
  }
}

// ---- Pictures ----------------------------------------------------------------------------------------------------

const SVG = "http://www.w3.org/2000/svg";
/** Elements allowed in a picture. */
const SHAPES = new Set(
  ("svg g defs symbol use path rect circle ellipse line polyline polygon text tspan title desc linearGradient radialGradient stop " +
    "pattern clipPath mask marker").split(" "),
);

/** Parses an SVG picture and removes everything active; `undefined` if it is malformed. @param {string} svg */
function picture(svg) {
  const root = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  const elements = [root, ...root.querySelectorAll("*")];
  if (root.localName !== "svg" || elements.some((element) => element.localName === "parsererror")) return undefined;
  for (const element of elements) {
    if (element.namespaceURI !== SVG || !SHAPES.has(element.localName)) {
      if (element === root) return undefined;
      element.remove();
      continue;
    }
    for (const { name, value } of [...element.attributes]) if (!isTame(name.toLowerCase(), value)) element.removeAttribute(name);
  }
  return document.adoptNode(root);
}

/** Returns true for an attribute that only describes a shape. @param {string} name @param {string} value */
function isTame(name, value) {
  if (name.startsWith("on") || ["style", "tabindex", "autofocus"].includes(name)) return false;
  if (name === "href" || name.endsWith(":href")) return value.startsWith("#");
  if (/^(aria-|data-|id$|class$)/.test(name)) return true;
  // Presentation attributes are parsed as CSS, which may contain URLs, also hidden by backslash escapes.
  return !value.includes("\\") && !value.toLowerCase().replace(/url\(#/g, "").includes("url(");
}

/** Animates the pieces from their old to their new positions. @param {import("./pieces.js").Piece[]} before @param {Element} next */
function glide(before, next) {
  const after = findPieces(next);
  const originOf = matchPieces(before, after);
  for (const piece of after) {
    const origin = originOf(piece);
    if (!origin) piece.element.animate([{ opacity: 0 }, { opacity: 1 }], 380);
    else if (hasMoved(origin, piece)) travel(piece, origin, { duration: 380, delay: 200 * piece.step });
  }
}

const still = matchMedia("(prefers-reduced-motion: reduce)");
/** Key of the picture that is shown. */
let drawn = "";

/**
 * Shows a picture.
 * @param {string | undefined} svg `undefined` if there is none @param {string} address its URL @param {string} label
 */
function draw(svg, address, label) {
  const key = `${address} ${svg ?? ""}`;
  if (drawn === key) return;
  drawn = key;
  const holder = part("picture");
  if (svg === undefined) return holder.replaceChildren(make("p", { class: "no-picture" }, "No picture of this board yet."));
  const next = picture(svg);
  if (!next) {
    // A picture that cannot be inlined is shown as an image, which cannot run anything.
    return holder.replaceChildren(make("img", { src: address, alt: label, class: "board" }));
  }
  const before = document.hidden || still.matches ? [] : findPieces(holder);
  fit(part("table"), next);
  holder.replaceChildren(next);
  if (before.length > 0) glide(before, next);
}

/**
 * Makes room for a picture by its shape: broad like a board with trays, or about square. A picture of more than 1,000
 * units, such as a map, is wide: its small text needs the width, and its lower part may lie below the window.
 * @param {HTMLElement} view @param {Element} svg
 */
function fit(view, svg) {
  const [width, height] = (svg.getAttribute("viewBox") ?? "").trim().split(/[\s,]+/).slice(2).map(Number);
  const ratio = width / height > 0 && width / height < 10 ? width / height : 1;
  const shape = width > 1000 ? "wide" : ratio > 1.1 ? "broad" : "square";
  view.style.setProperty("--ratio", shape === "wide" ? "1.6" : ratio.toFixed(3));
  view.dataset.shape = shape;
}

/** Draws a die. @param {number} eyes @param {boolean} used */
function die(eyes, used) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 40 40");
  svg.setAttribute("class", used ? "die used" : "die");
  svg.setAttribute("aria-hidden", "true");
  /** @param {string} shape @param {Record<string, number | string>} attributes */
  const add = (shape, attributes) => {
    const element = document.createElementNS(SVG, shape);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
    svg.append(element);
  };
  add("rect", { x: 1.5, y: 1.5, width: 37, height: 37, rx: 8 });
  const [near, mid, far] = [11, 20, 29];
  if (eyes % 2 === 1) add("circle", { cx: mid, cy: mid, r: 3.9 });
  const pairs = [[near, far], [far, near], [near, near], [far, far], [near, mid], [far, mid]].slice(0, eyes - (eyes % 2));
  for (const [cx, cy] of pairs) add("circle", { cx, cy, r: 3.9 });
  if (used) add("path", { d: "M5 35 35 5" });
  return svg;
}

// ---- The list of tables ------------------------------------------------------------------------------------------

/** Pattern of a table's name. */
const NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;
/** Titles of the games, from the list of tables. @type {Map<string, string>} */
const titles = new Map();
const INDEX = "tables/index.json";

/** Returns the valid tables of the list, latest first. @param {Fields} index */
function entries(index) {
  const all = list(index.tables).map(fields).filter((entry) => NAME.test(text(entry.id)));
  for (const entry of all) if (text(entry.title)) titles.set(text(entry.game), text(entry.title));
  return all.sort((one, other) => moment(other.updatedAt) - moment(one.updatedAt) || text(one.id).localeCompare(text(other.id)));
}

/** Returns the display name of a player. @param {unknown} name */
function called(name) {
  const [, bot] = /^bot:(.+)$/.exec(text(name)) ?? [];
  const [, level] = /^level:(\d+)$/.exec(bot ?? "") ?? [];
  if (level) return `Computer, level ${level}`;
  return bot ? `Computer (${bot})` : text(name) || "nobody";
}

const named = new Intl.ListFormat("en");
/** Lists the players. @param {Fields} entry */
const sides = (entry) => named.format(Object.values(fields(entry.players)).map(called)) || "nobody yet";

/** @param {Fields} entry */
function result(entry) {
  const winner = text(entry.winner);
  if (!winner) return "nobody won";
  const [, name] = Object.entries(fields(entry.players)).find(([word]) => word === winner) ?? [];
  return winner === "team" ? "the team won" : `${called(name ?? capital(winner))} won`;
}

/** Creates a table's caption: players, game and name. @param {Fields} entry */
function about(entry) {
  const game = text(entry.title) || capital(text(entry.game));
  return make("span", { class: "about" }, make("b", {}, sides(entry)), make("span", { class: "faint small" }, game, " · ", text(entry.id)));
}

/** @param {Fields} entry */
function openCard(entry) {
  const id = text(entry.id);
  // The URL changes with the table, so that the picture is reloaded.
  const src = `tables/${id}/board.svg?at=${encodeURIComponent(text(entry.updatedAt))}`;
  const image = make("img", { src, alt: "", loading: "lazy" });
  image.addEventListener("error", () => (image.hidden = true));
  const state = make("span", { class: "state small" }, make("span", { class: "tag" }, `Turn ${text(entry.turn) || "?"}`), time(entry.updatedAt));
  return make("li", {}, make("a", { class: "panel", href: `#/t/${id}` }, make("span", { class: "thumb" }, image), about(entry), state));
}

/** @param {Fields} entry */
function overRow(entry) {
  const id = text(entry.id);
  const state = make("span", { class: "state small" }, make("span", { class: "tag" }, result(entry)), time(entry.updatedAt));
  return make("li", {}, make("a", { href: `#/t/${id}` }, about(entry), state));
}

/** View of the list of tables. */
class Lobby {
  #last = "";
  view = part("lobby");

  /** @param {AbortSignal} signal */
  async ask(signal) {
    const json = await get(INDEX, signal);
    if (json === this.#last) return false;
    const index = object(json, INDEX);
    if (!Array.isArray(index.tables)) throw new Error(`${INDEX} has an unexpected format.`);
    signal.throwIfAborted();
    this.#last = json;
    const all = entries(index);
    const over = all.filter((entry) => entry.status === "completed");
    const open = all.filter((entry) => entry.status !== "completed");
    refill(part("open"), open, () => open.map(openCard));
    refill(part("over"), over, () => over.map(overRow));
    toggle(part("open-part"), open.length > 0);
    toggle(part("over-part"), over.length > 0);
    toggle(part("lobby-empty"), all.length === 0);
    reveal(this.view);
    return true;
  }

  entitle() {
    document.title = "Tables · Parlor";
  }
}

// ---- A table -----------------------------------------------------------------------------------------------------

/** Contents of a table's files. @typedef {{ state: Fields, agreed: Fields, svg: string | undefined }} Files */
/** @typedef {{ n: number, seat: string, text: string }} Step */

/** Reasons for the end of a game, other than its rules. */
const ENDINGS = new Map(Object.entries({
  resignation: "by resignation", agreement: "by agreement", time: "on time", claim: "because the opponent had left", abort: "aborted",
}));

/** Returns the seats' names with their players. @param {Files} files */
function players({ state, agreed }) {
  return Object.entries(isFields(state.players) ? state.players : fields(agreed.players));
}

/** Describes a seat, as in `alice (White)`. @param {Files} files @param {string} seat */
function seated(files, seat) {
  const found = players(files).find(([word]) => word === seat);
  return found ? `${called(found[1])} (${capital(seat)})` : capital(seat);
}

/** @param {Files} files */
const isOver = ({ state }) => state.status === "completed";

/** Returns the player to move, or the result. @param {Files} files */
function headline(files) {
  const { state, agreed } = files;
  const active = text(state.activePlayer);
  if (!isOver(files)) return active ? `${seated(files, active)} to move` : "The game goes on";
  const [ending, winner] = [fields(agreed.result), text(state.winner)];
  const kind = text(fields(isFields(state.outcome) ? state.outcome : ending.outcome).kind);
  const how = ENDINGS.get(text(ending.how));
  const what = winner === "team" || kind === "team_won" ? "The team won" : winner ? `${seated(files, winner)} won`
    : kind === "team_lost" ? "The team lost" : kind === "draw" ? "A draw" : "The game is over";
  return how ? `${what}, ${how}` : what;
}

/** View of a table, with navigation through its game. */
class Table {
  view = part("table");
  /** Step that is shown; `undefined` while following the game live. @type {number | undefined} */
  shown;
  /** @type {Step[]} */
  #steps = [];
  #last = "";
  /** Number of times each file was missing since the state last changed. @type {Map<string, number>} */
  #missing = new Map();
  /** Number of steps when the user left the live view. */
  #known = 0;
  /** Cached pictures of steps by number. @type {Map<number, string>} */
  #past = new Map();
  /** @type {Files | undefined} */
  #files;
  /** Step requested by the URL before the steps are known. @type {number | undefined} */
  #wanted;

  /** @param {string} id @param {number | undefined} step */
  constructor(id, step) {
    this.id = id;
    this.folder = `tables/${id}`;
    this.#wanted = step;
  }

  /** @param {AbortSignal} signal */
  async ask(signal) {
    const path = `${this.folder}/state.json`;
    let json;
    try {
      json = await get(path, signal);
    } catch (error) {
      if (error instanceof Missing && !this.#files) {
        unknown(`There is no table “${this.id}” here. It may not have been pushed yet; this page keeps looking.`);
      }
      throw error;
    }
    const state = object(json, path);
    const [news, before] = [json !== this.#last, this.#files];
    if (news) this.#missing.clear();
    // A server may publish the files of one commit one after the other, so all are read each time; most answers are "not modified".
    const [svg, agreed, steps] = await Promise.all([
      this.#beside("board.svg", 3, signal),
      this.#beside("table.json", 3, signal).then((json) => (json === undefined ? {} : object(json, "table.json"))),
      this.#askSteps(signal),
      before || titles.size > 0 ? undefined : get(INDEX, signal).then((json) => entries(object(json, INDEX))).catch(() => undefined),
    ]);
    // The user may have left this view in the meantime.
    signal.throwIfAborted();
    this.#last = json;
    const files = { state, agreed, svg };
    const same = JSON.stringify([agreed, svg]) === JSON.stringify([before?.agreed, before?.svg]);
    if (before && !news && same && steps === undefined) return false;
    this.#files = files;
    if (steps) this.#take(steps);
    this.#show(files);
    if (before && news) this.#announce(before, files);
    if (this.#wanted !== undefined) {
      this.go(this.#wanted);
      this.#wanted = undefined;
    }
    return true;
  }

  /**
   * Fetches a file beside the state; `undefined` if it is missing. After `often` misses it is no longer requested.
   * @param {string} name @param {number} often @param {AbortSignal} signal
   */
  async #beside(name, often, signal) {
    const missed = this.#missing.get(name) ?? 0;
    if (missed >= often) return undefined;
    try {
      return await get(`${this.folder}/${name}`, signal);
    } catch (error) {
      if (!(error instanceof Missing)) throw error;
      this.#missing.set(name, missed + 1);
      return undefined;
    }
  }

  /** Fetches the steps; `undefined` if unchanged. Errors are ignored, since the game can be shown without steps. @param {AbortSignal} signal */
  async #askSteps(signal) {
    try {
      const json = await this.#beside("steps/index.json", 1, signal);
      if (json === undefined) return undefined;
      const all = list(object(json, "steps/index.json").steps).map(fields);
      const steps = all.filter((step) => Number.isInteger(step.n) && Number(step.n) >= 0)
        .map((step) => ({ n: Number(step.n), seat: text(step.seat), text: text(step.text) })).sort((one, other) => one.n - other.n);
      return JSON.stringify(steps) === JSON.stringify(this.#steps) ? undefined : steps;
    } catch {
      return undefined;
    }
  }

  /** @param {Step[]} steps */
  #take(steps) {
    const same = this.#steps.every((step, at) => JSON.stringify(step) === JSON.stringify(steps[at]));
    // After a takeback the same numbers belong to other pictures.
    if (!same) this.#past.clear();
    this.#steps = steps;
    if (this.shown !== undefined && !steps.some((step) => step.n === this.shown)) this.shown = undefined;
  }

  entitle() {
    document.title = `${this.#files ? `${headline(this.#files)} · ` : ""}${this.id} · Parlor`;
  }

  /** @param {Files} before @param {Files} after */
  #announce(before, after) {
    const told = new Set(list(before.state.messages).map((message) => JSON.stringify(message)));
    const fresh = list(after.state.messages).filter((message) => !told.has(JSON.stringify(message)));
    const [was, is] = [headline(before), headline(after)];
    const said = fresh.map((message) => text(fields(message).text)).filter(Boolean);
    if (was !== is || before.state.turn !== after.state.turn) said.push(is);
    if (said.length > 0) say(said.map((sentence) => sentence.replace(/[^.!?]$/, "$&.")).join(" "));
  }

  /** @param {Files} files */
  #show(files) {
    const { state, agreed } = files;
    const game = text(state.game) || text(agreed.game);
    part("name").textContent = this.id;
    refill(part("subtitle"), [titles.get(game) ?? game, state.updatedAt], () =>
      [titles.get(game) ?? capital(game), ...(moment(state.updatedAt) ? [" · changed ", time(state.updatedAt)] : [])]);
    const seats = players(files);
    refill(part("players"), [seats, state.activePlayer, state.winner, state.status], () => seats.map((seat, n) => seatCard(files, seat, n)));
    part("headline").textContent = headline(files);
    part("turn").textContent = text(state.turn) ? `Turn ${text(state.turn)}` : "";
    part("standing").classList.toggle("over", isOver(files));
    showDice(state);
    showMessages(state);
    showLuck(this.folder, agreed);
    showFiles(this.folder, files);
    reveal(this.view);
    this.#showBoard();
    this.entitle();
  }

  // -- Navigation --

  /** Shows the position after a step, or follows the game again. @param {number | undefined} n */
  go(n) {
    if (!this.#files) return void (this.#wanted = n);
    const at = this.#steps.findIndex((step) => step.n === n);
    // The last step is the live view.
    const wanted = at === -1 || at === this.#steps.length - 1 ? undefined : n;
    if (wanted !== undefined && this.shown === undefined) this.#known = this.#steps.length;
    this.shown = wanted;
    history.replaceState(null, "", `#/t/${this.id}${wanted === undefined ? "" : `/${wanted}`}`);
    this.#showBoard();
    const step = this.#steps[at];
    if (step && wanted !== undefined) say(`Step ${at}: ${told(step)}`);
    else say(headline(this.#files));
  }

  /** @param {string} where */
  move(where) {
    if (this.#steps.length < 2) return;
    const [at, last] = [this.#at(), this.#steps.length - 1];
    const to = { first: 0, back: at - 1, on: at + 1, live: last }[where] ?? at;
    if (to >= 0 && to <= last && (to !== at || where === "live")) this.go(this.#steps[to]?.n);
  }

  #at() {
    const found = this.#steps.findIndex((step) => step.n === this.shown);
    return found === -1 ? this.#steps.length - 1 : found;
  }

  #showBoard() {
    const files = this.#files;
    if (!files) return;
    const [steps, at] = [this.#steps, this.#at()];
    const live = this.shown === undefined;
    const label = live ? headline(files) : "Earlier position";
    const offered = steps.length > 1;
    toggle(part("stepper"), offered);
    toggle(part("moves-part"), offered);
    this.view.classList.toggle("looks-back", !live);
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (part("stepper").querySelectorAll("[data-step]"))) {
      const off = { first: at <= 0, back: at <= 0, on: live, live: false }[button.dataset.step ?? ""];
      button.setAttribute("aria-disabled", String(off ?? false));
      if (button.dataset.step === "live") button.setAttribute("aria-pressed", String(live));
    }
    part("where").textContent = offered ? `Step ${at} of ${steps.length - 1}` : "";
    const fresh = live ? 0 : Math.max(0, steps.length - this.#known);
    part("live-word").textContent = isOver(files) ? "The end" : fresh > 0 ? `Live, ${fresh} new` : "Live";
    refill(part("moves"), [this.id, steps, at], () => steps.map((step, n) => moveRow(this.id, step, n, n === at)));
    if (offered) bringIntoView(part("moves"), at);
    toggle(part("past"), !live);
    const step = steps[at];
    part("past").textContent = step ? `Earlier position: ${told(step)}` : "";
    if (live) draw(files.svg, `${this.folder}/board.svg`, label);
    else if (this.shown !== undefined) void this.#showPast(this.shown);
  }

  /** @param {number} n */
  async #showPast(n) {
    const path = `${this.folder}/steps/${n}.svg`;
    try {
      const svg = this.#past.get(n) ?? (await get(path, AbortSignal.timeout(PATIENCE)));
      this.#past.set(n, svg);
      if (this.shown === n && current === this) draw(svg, path, "Earlier position");
    } catch {
      if (this.shown !== n || current !== this) return;
      part("past").textContent = "The picture of this step cannot be loaded right now.";
      say("The picture of this step cannot be loaded right now.");
    }
  }
}

/** Describes a step. @param {Step} step */
const told = (step) => [capital(step.seat), step.text || (step.n === 0 ? "Start" : "")].filter(Boolean).join(" ");

/** @param {string} id @param {Step} step @param {number} at @param {boolean} isShown */
function moveRow(id, step, at, isShown) {
  const seat = step.seat ? [make("b", {}, capital(step.seat)), " "] : [];
  const number = make("span", { class: "no" }, at === 0 ? "" : `${at}.`);
  const what = make("span", { class: "what" }, ...seat, step.text || (step.n === 0 ? "Start" : "…"));
  return make("li", {}, make("a", { href: `#/t/${id}/${step.n}`, "aria-current": isShown ? "step" : undefined }, number, what));
}

/** Scrolls a list to one of its rows, without scrolling the page. @param {HTMLElement} rows @param {number} at */
function bringIntoView(rows, at) {
  const row = /** @type {HTMLElement | undefined} */ (rows.children[at]);
  if (!row) return;
  const [top, bottom] = [row.offsetTop, row.offsetTop + row.offsetHeight];
  if (top < rows.scrollTop) rows.scrollTop = top;
  else if (bottom > rows.scrollTop + rows.clientHeight) rows.scrollTop = bottom - rows.clientHeight;
}

/** @param {Files} files @param {[string, unknown]} player @param {number} n */
function seatCard(files, [word, name], n) {
  const { state } = files;
  const over = isOver(files);
  const won = over && (state.winner === word || state.winner === "team");
  const turn = !over && state.activePlayer === word;
  const disc = word === "white" || word === "black";
  const look = disc ? `badge disc ${word}` : `badge seat-${n % 4}`;
  const badge = make("span", { class: look, "aria-hidden": "true" }, disc ? "" : capital(word).charAt(0));
  const news = turn ? make("span", { class: "news" }, "to move") : won ? make("span", { class: "news" }, "won") : undefined;
  const who = make("span", { class: "who" }, make("b", {}, called(name)), make("span", { class: "faint small" }, capital(word)));
  return make("li", { "data-turn": turn ? "" : undefined, "data-won": won ? "" : undefined }, badge, who, ...(news ? [news] : []));
}

/** @param {Fields} state */
function showDice(state) {
  const holder = part("dice");
  const faces = dots(state.dice);
  const left = dots(state.diceUsed);
  toggle(holder, faces.length > 0 && state.status !== "completed");
  refill(holder, [faces, left, state.activePlayer], () => {
    const used = faces.map((eyes) => {
      const at = left.indexOf(eyes);
      if (at !== -1) left.splice(at, 1);
      return at !== -1;
    });
    const count = used.filter(Boolean).length;
    const spent = faces.filter((_, n) => used[n]).join(", ");
    const note = count === 0 ? "" : count === faces.length ? "all used" : `${spent} used`;
    const words = make("span", { class: "unseen" }, `Dice: ${faces.join(", ")}${note ? `; ${note}` : ""}`);
    const seen = make("span", { class: "faint small", "aria-hidden": "true" }, note);
    return [words, ...faces.map((eyes, n) => die(eyes, used[n] ?? false)), ...(note ? [seen] : [])];
  });
}

/** Kinds of messages, each with its class, symbol and label. */
const INFO = { type: "info", sign: "i", word: "Note" };
const KINDS = new Map(
  [INFO, { type: "warning", sign: "!", word: "Warning" }, { type: "error", sign: "✕", word: "Refused" }].map((kind) => [kind.type, kind]),
);

/** @param {Fields} state */
function showMessages(state) {
  const all = list(state.messages).map(fields).filter((message) => text(message.text)).reverse();
  toggle(part("messages"), all.length > 0);
  toggle(part("no-messages"), all.length === 0);
  refill(part("messages"), all, () => all.map((message) => {
    const { type, sign, word } = KINDS.get(text(message.type)) ?? INFO;
    const mark = make("span", { class: "sign", "aria-hidden": "true" }, sign);
    const head = make("span", { class: "kind small" }, mark, make("b", {}, word), " ", time(message.timestamp));
    return make("li", { class: type }, head, make("span", { class: "words" }, text(message.text)));
  }));
}

/** Creates the rows of a description list. @param {[string, (Node | string)[]][]} rows */
const terms = (rows) => rows.flatMap(([term, what]) => [make("dt", {}, term), make("dd", {}, ...what)]);

/** @param {string} folder @param {Fields} agreed */
function showLuck(folder, agreed) {
  const luck = fields(agreed.luck);
  const [commitment, secret] = [text(luck.commitment), text(luck.secret)];
  toggle(part("luck-part"), commitment !== "");
  if (!commitment) return;
  refill(part("luck-text"), [folder, secret], () => secret
    ? ["Anyone can verify the luck: ", make("code", {}, `parlor verify ${folder}/record.json`),
      " replays the game, repeats every draw from the secret, and checks the secret against the commitment."]
    : ["Before the first draw the referee committed to a secret. It is published when the game is over, so that anyone can repeat the draws."]);
  refill(part("luck"), [folder, commitment, secret], () => {
    const rows = /** @type {[string, (Node | string)[]][]} */ ([["Commitment (SHA-256 of the secret)", [make("code", {}, commitment)]]]);
    if (secret) rows.push(["Secret", [make("code", {}, secret)]]);
    const verdict = make("span", {}, "…");
    if (secret && globalThis.crypto?.subtle) {
      rows.push(["In this browser", [verdict]]);
      void fits(secret, commitment).then((is) => {
        verdict.className = is ? "good" : "bad";
        verdict.textContent = is ? "The secret matches the commitment." : "The secret does not match the commitment!";
      });
    }
    return terms(rows);
  });
}

/** Returns true if a secret matches its commitment. @param {string} secret @param {string} commitment */
async function fits(secret, commitment) {
  const bytes = secret.match(/../g)?.map((pair) => parseInt(pair, 16)) ?? [];
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(bytes)));
  return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("") === commitment.toLowerCase();
}

/** @param {string} folder @param {Files} files */
function showFiles(folder, files) {
  const { state, agreed } = files;
  const last = fields(state.lastMove);
  const file = text(last.file);
  refill(part("files"), [folder, last, agreed.createdAt, players(files)], () => {
    const name = /^[\w.-]+$/.test(file) ? make("a", { href: `${folder}/moves/${file}` }, make("code", {}, file)) : make("code", {}, file);
    const [number, player] = [text(last.sequence), text(last.player)];
    const by = [number && `move ${number}`, player && `by ${seated(files, player)}`].filter(Boolean).join(" ");
    const move = file ? [name, ...(by ? [make("span", { class: "by faint small" }, by)] : [])] : ["none yet"];
    const links = ["state.json", "table.json", "record.json", "board.svg"].map((other) => make("a", { href: `${folder}/${other}` }, other));
    const others = links.flatMap((link, n) => (n === 0 ? [link] : [" · ", link]));
    const rows = /** @type {[string, (Node | string)[]][]} */ ([["Last move", move], ["Table", others]]);
    if (moment(agreed.createdAt)) rows.push(["Created", [time(agreed.createdAt)]]);
    return terms(rows);
  });
  const options = Object.entries(fields(agreed.options));
  toggle(part("options-part"), options.length > 0);
  /** @param {unknown} value @returns {string} */
  const plain = (value) => (Array.isArray(value) ? value.map(plain).join(", ") || "none" : text(value) || JSON.stringify(value));
  refill(part("options"), options, () => terms(options.map(([name, value]) => [capital(name.replaceAll("_", " ")), [plain(value)]])));
}

// ---- Routing and freshness ---------------------------------------------------------------------------------------

/** @type {Lobby | Table | undefined} */
let current;
/** @type {Watch | undefined} */
let watch;
/** True after announcing that the files cannot be read. */
let toldLost = false;

/** Shows one of the page's views. @param {HTMLElement} view */
function reveal(view) {
  for (const name of ["wait", "unknown", "lobby", "table"]) toggle(part(name), part(name) === view);
}

/** @param {string} why */
function unknown(why) {
  if (part("unknown").hidden) say(`No such table. ${why}`);
  part("unknown-text").textContent = why;
  document.title = "No such table · Parlor";
  reveal(part("unknown"));
}

/** Shows whether the page is up to date, and the time of the next poll. */
function showFreshness() {
  const trouble = watch?.trouble;
  const isUnknown = trouble instanceof Missing && !part("unknown").hidden;
  const lost = trouble !== undefined && !isUnknown;
  toggle(part("stale"), lost);
  if (lost !== toldLost) {
    toldLost = lost;
    say(lost ? `The files cannot be read right now. ${watch?.seen ? "This page may be out of date." : ""}` : "The files can be read again.");
  }
  if (!lost || !watch) return;
  const seen = watch.seen ? `Last updated ${ago(watch.seen)}` : "Not loaded yet";
  const left = Math.max(1, Math.ceil((watch.due - Date.now()) / 1000));
  part("stale-text").textContent = `${seen}; ${watch.isAsking ? "trying now" : `trying again in ${left} s`}`;
  part("stale-why").textContent = trouble.message;
}

/** Shows the view that the URL names. @param {boolean} isFirst */
function route(isFirst) {
  const hash = location.hash;
  if (hash !== "" && !hash.startsWith("#/")) return;
  const [, id, step] = /^#\/t\/([^/]+)(?:\/(\d{1,6}))?$/.exec(hash) ?? [];
  const n = step === undefined ? undefined : Number(step);
  if (id !== undefined && current instanceof Table && current.id === id) return current.go(n);
  watch?.stop();
  watch = current = undefined;
  drawn = "";
  toldLost = false;
  part("picture").replaceChildren();
  if (id !== undefined && !NAME.test(id)) {
    unknown("A table’s name has 1 to 40 characters from a-z, 0-9 and -.");
  } else {
    reveal(part("wait"));
    const view = (current = id === undefined ? new Lobby() : new Table(id, n));
    view.entitle();
    watch = new Watch((signal) => view.ask(signal), showFreshness);
    watch.hurry();
  }
  showFreshness();
  if (!isFirst) {
    scroll(0, 0);
    main.focus({ preventScroll: true });
  }
}

addEventListener("hashchange", () => route(false));
document.addEventListener("visibilitychange", () => (document.hidden ? watch?.rest() : watch?.hurry()));
addEventListener("online", () => watch?.hurry());
part("stale-now").addEventListener("click", () => watch?.hurry());
part("skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
part("stepper").addEventListener("click", (event) => {
  const button = /** @type {HTMLElement} */ (event.target).closest("[data-step]");
  if (button instanceof HTMLElement && current instanceof Table) current.move(button.dataset.step ?? "");
});
part("moves").addEventListener("click", (event) => {
  const link = /** @type {HTMLElement} */ (event.target).closest("a");
  const n = Number(link?.getAttribute("href")?.split("/").at(-1));
  if (!link || !(current instanceof Table) || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  current.go(n);
});
document.addEventListener("keydown", (event) => {
  if (!(current instanceof Table) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.defaultPrevented) return;
  const target = /** @type {HTMLElement} */ (event.target);
  const frame = part("frame");
  // The same keys scroll a board that is wider than the window.
  if (frame.contains(target) && frame.scrollWidth > frame.clientWidth) return;
  const where = { ArrowLeft: "back", ArrowRight: "on", Escape: current.shown === undefined ? undefined : "live" }[event.key];
  if (!where) return;
  event.preventDefault();
  current.move(where);
});
/** Makes the board focusable only if it can be scrolled. */
function stops() {
  const frame = part("frame");
  const wide = frame.scrollWidth > frame.clientWidth;
  for (const [name, value] of Object.entries({ tabindex: "0", role: "region", "aria-label": "The board" })) {
    if (wide) frame.setAttribute(name, value);
    else frame.removeAttribute(name);
  }
}
new ResizeObserver(stops).observe(part("frame"));
setInterval(() => {
  if (document.hidden) return;
  showFreshness();
  for (const element of /** @type {NodeListOf<HTMLTimeElement>} */ (main.querySelectorAll("time[datetime]"))) {
    const words = ago(moment(element.dateTime));
    if (element.textContent !== words) element.textContent = words;
  }
}, 1000);
route(true);
