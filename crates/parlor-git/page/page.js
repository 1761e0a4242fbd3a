// @ts-check
"use strict";
// The page of a house in a git repository. It reads the files that the referee writes, again and again, and shows them; it knows no
// rules. Everything in the files comes from others: texts only ever become text, and of pictures only shapes are kept.

/** How long after news the files are read again, in milliseconds; each time without news the wait grows. `?poll=` says otherwise. */
const SOON = Math.min(60_000, Math.max(50, Number(new URLSearchParams(location.search).get("poll")) || 2_000));
const LATE = 60_000, GROWTH = 1.5;
/** How long an answer may take. */
const PATIENCE = 15_000;

/** Where things are shown; looked up before any picture is in the page, so that no picture's ids can be in the way. */
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

// ---- Reading what others wrote -----------------------------------------------------------------------------------

/** A file that is not there. */
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
/** A moment in milliseconds. @param {unknown} x */
const moment = (x) => Date.parse(text(x)) || 0;
/** @param {string} word */
const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

/** The text of a file, fresh. @param {string} path @param {AbortSignal} [signal] */
async function get(path, signal) {
  let answer;
  try {
    answer = await fetch(path, { cache: "no-cache", signal });
  } catch {
    throw new Error("The host does not answer.");
  }
  if (answer.status === 404 || answer.status === 410) throw new Missing(`There is no ${path}.`);
  if (!answer.ok) throw new Error(`The host answers with status ${answer.status}.`);
  try {
    return await answer.text();
  } catch {
    throw new Error(`${path} broke off.`);
  }
}

/** A file's object. @param {string} json @param {string} path */
function object(json, path) {
  let value;
  try {
    value = JSON.parse(json);
  } catch {
    throw new Error(`${path} is not complete.`);
  }
  if (!isFields(value)) throw new Error(`${path} is something else than expected.`);
  return value;
}

// ---- Making elements ---------------------------------------------------------------------------------------------

/**
 * An element with attributes; children that are strings become text, never markup.
 * @param {string} tag @param {Record<string, string | undefined>} [attributes] @param {...(Node | string)} children
 */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Shows or hides. @param {HTMLElement} element @param {boolean} is */
function toggle(element, is) {
  if (element.hidden === is) element.hidden = !is;
}

/** What each element was last made from: what stays the same is left alone, with its focus and its place in a scroll. */
const made = new WeakMap();

/** Fills an element, if that changes anything. @param {HTMLElement} element @param {unknown} from @param {() => (Node | string)[]} fill */
function refill(element, from, fill) {
  const key = JSON.stringify(from) ?? "";
  if (made.get(element) === key) return;
  made.set(element, key);
  const focused = element.contains(document.activeElement) ? document.activeElement?.getAttribute("href") : null;
  element.replaceChildren(...fill());
  const again = focused ? [...element.querySelectorAll("a")].find((link) => link.getAttribute("href") === focused) : undefined;
  again?.focus({ preventScroll: true });
}

/** Says something to those who listen to the page, after what is being said. @param {string} what */
function say(what) {
  const said = part("said");
  said.append(make("span", {}, `${what} `));
  while (said.childElementCount > 3) said.firstElementChild?.remove();
}

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** How long ago something was, in words. @param {number} at in milliseconds */
function ago(at) {
  const seconds = Math.round((Date.now() - at) / 1000);
  if (seconds < 5) return "just now";
  if (seconds < 100) return relative.format(-seconds, "second");
  if (seconds < 90 * 60) return relative.format(-Math.round(seconds / 60), "minute");
  if (seconds < 36 * 3600) return relative.format(-Math.round(seconds / 3600), "hour");
  return relative.format(-Math.round(seconds / 86_400), "day");
}

/** A moment that stays true: its words are renewed. @param {unknown} when */
function time(when) {
  const at = moment(when);
  if (!at) return make("span");
  const full = new Date(at).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
  return make("time", { datetime: new Date(at).toISOString(), title: full }, ago(at));
}

// ---- Asking again and again --------------------------------------------------------------------------------------

/** Reads something again and again: soon after news, later and later while there are none, and not while nobody looks. */
class Watch {
  /** When something was last read, and when it will be; 0 for never. */
  seen = 0;
  due = 0;
  /** What went wrong the last time. @type {Error | undefined} */
  trouble;
  #wait = SOON;
  #timer = 0;
  #over = false;
  /** @type {AbortController | undefined} */
  #asking;

  /** @param {(signal: AbortSignal) => Promise<boolean>} ask whether there are news @param {() => void} told called after each round */
  constructor(ask, told) {
    this.ask = ask;
    this.told = told;
  }

  get isAsking() {
    return this.#asking !== undefined;
  }

  /** Asks at once, and soon again. */
  hurry() {
    this.#wait = SOON;
    if (!this.isAsking) void this.#round();
  }

  /** Asks nothing from now on until told to hurry. */
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
      // A fault of the page itself is nothing to be kept quiet about.
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
/** All that a picture may be made of. */
const SHAPES = new Set(
  ("svg g defs symbol use path rect circle ellipse line polyline polygon text tspan title desc linearGradient radialGradient stop " +
    "pattern clipPath mask marker").split(" "),
);

/** A picture as elements of the page, without anything that could do something; nothing if it cannot be read. @param {string} svg */
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

/** Whether an attribute only describes a shape. @param {string} name @param {string} value */
function isTame(name, value) {
  if (name.startsWith("on") || ["style", "tabindex", "autofocus"].includes(name)) return false;
  if (name === "href" || name.endsWith(":href")) return value.startsWith("#");
  if (/^(aria-|data-|id$|class$)/.test(name)) return true;
  // Colors and the like are read as styles are: there an address can come in, and hide behind a backslash.
  return !value.includes("\\") && !value.toLowerCase().replace(/url\(#/g, "").includes("url(");
}

/** The pieces of a picture: where each is seen, and where it was before the last move. @param {Element} within */
function pieces(within) {
  const found = /** @type {NodeListOf<SVGElement>} */ (within.querySelectorAll(".pieces > [id]"));
  return [...found].map((element) => {
    const box = element.getBoundingClientRect();
    const { id, dataset } = element;
    return { element, id, from: dataset.from ?? id, step: Number(dataset.step) || 0, x: box.x + box.width / 2, y: box.y + box.height / 2 };
  });
}

/** Lets the pieces go from where they were to where they are. @param {ReturnType<typeof pieces>} before @param {SVGSVGElement} next */
function glide(before, next) {
  const after = pieces(next);
  const scale = next.getScreenCTM()?.a || 1;
  // The new picture may show what came after the old one, or what was before it: what explains more pieces is right.
  const [ids, froms] = [new Map(before.map((piece) => [piece.id, piece])), new Map(before.map((piece) => [piece.from, piece]))];
  const on = after.map((piece) => ids.get(piece.from));
  const back = after.map((piece) => froms.get(piece.id));
  const was = back.filter(Boolean).length > on.filter(Boolean).length ? back : on;
  after.forEach((piece, n) => {
    const origin = was[n];
    if (!origin) return void piece.element.animate([{ opacity: 0 }, { opacity: 1 }], 380);
    const [dx, dy] = [(origin.x - piece.x) / scale, (origin.y - piece.y) / scale];
    if (Math.hypot(dx, dy) * scale < 1) return;
    const way = [{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }];
    piece.element.animate(way, { duration: 380, delay: 200 * piece.step, easing: "cubic-bezier(.2,.8,.2,1)", fill: "backwards" });
  });
}

const still = matchMedia("(prefers-reduced-motion: reduce)");
/** The picture that is shown. */
let drawn = "";

/**
 * Shows a picture.
 * @param {string | undefined} svg nothing where there is none @param {string} address where it comes from @param {string} label
 */
function draw(svg, address, label) {
  const key = `${address} ${svg ?? ""}`;
  if (drawn === key) return;
  drawn = key;
  const holder = part("picture");
  if (svg === undefined) return holder.replaceChildren(make("p", { class: "no-picture" }, "There is no picture of this board."));
  const next = picture(svg);
  if (!next) {
    // What cannot be made part of the page may still be an image, where nothing in it can do anything.
    return holder.replaceChildren(make("img", { src: address, alt: label, class: "board" }));
  }
  const before = document.hidden || still.matches ? [] : pieces(holder);
  holder.replaceChildren(next);
  if (before.length > 0) glide(before, /** @type {SVGSVGElement} */ (/** @type {unknown} */ (next)));
}

/** A die as a picture. @param {number} eyes @param {boolean} used */
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

/** What a table may be called. */
const NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;
/** The games' names for people, as the list tells them. @type {Map<string, string>} */
const titles = new Map();
const INDEX = "tables/index.json";

/** The tables of a list that can be shown. @param {Fields} index */
function entries(index) {
  const all = list(index.tables).map(fields).filter((entry) => NAME.test(text(entry.id)));
  for (const entry of all) if (text(entry.title)) titles.set(text(entry.game), text(entry.title));
  return all.sort((one, other) => moment(other.updatedAt) - moment(one.updatedAt) || text(one.id).localeCompare(text(other.id)));
}

/** A player's name for people. @param {unknown} name */
function called(name) {
  const [, bot] = /^bot:(.+)$/.exec(text(name)) ?? [];
  const [, level] = /^level:(\d+)$/.exec(bot ?? "") ?? [];
  if (level) return `Computer, level ${level}`;
  return bot ? `Computer (${bot})` : text(name) || "nobody";
}

const named = new Intl.ListFormat("en");
/** Who plays. @param {Fields} entry */
const sides = (entry) => named.format(Object.values(fields(entry.players)).map(called)) || "nobody yet";

/** @param {Fields} entry */
function result(entry) {
  const winner = text(entry.winner);
  if (!winner) return "nobody won";
  const [, name] = Object.entries(fields(entry.players)).find(([word]) => word === winner) ?? [];
  return winner === "team" ? "the team won" : `${called(name ?? capital(winner))} won`;
}

/** Who plays what, and the table's name. @param {Fields} entry */
function about(entry) {
  const game = text(entry.title) || capital(text(entry.game));
  return make("span", { class: "about" }, make("b", {}, sides(entry)), make("span", { class: "faint small" }, game, " · ", text(entry.id)));
}

/** @param {Fields} entry */
function openCard(entry) {
  const id = text(entry.id);
  // Its address changes with the table, and so does the picture.
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

/** The list. */
class Lobby {
  #last = "";
  view = part("lobby");

  /** @param {AbortSignal} signal */
  async ask(signal) {
    const json = await get(INDEX, signal);
    if (json === this.#last) return false;
    const index = object(json, INDEX);
    if (!Array.isArray(index.tables)) throw new Error(`${INDEX} is something else than expected.`);
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

/** What the table's files say. @typedef {{ state: Fields, agreed: Fields, svg: string | undefined }} Files */
/** @typedef {{ n: number, seat: string, text: string }} Step */

/** How a game can end, other than by its rules. */
const ENDINGS = new Map(Object.entries({
  resignation: "by resignation", agreement: "by agreement", time: "on time", claim: "because the other side had left", abort: "called off",
}));

/** The players' names by their seats' words. @param {Files} files */
function players({ state, agreed }) {
  return Object.entries(isFields(state.players) ? state.players : fields(agreed.players));
}

/** A seat in words: `alice (White)`. @param {Files} files @param {string} seat */
function seated(files, seat) {
  const found = players(files).find(([word]) => word === seat);
  return found ? `${called(found[1])} (${capital(seat)})` : capital(seat);
}

/** @param {Files} files */
const isOver = ({ state }) => state.status === "completed";

/** Who is to move, or how it ended. @param {Files} files */
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

/** A table, and the way through its game. */
class Table {
  view = part("table");
  /** What is shown of the past; nothing while it is followed live. @type {number | undefined} */
  shown;
  /** @type {Step[]} */
  #steps = [];
  #last = "";
  /** How often each file was not there since the state last changed. @type {Map<string, number>} */
  #missing = new Map();
  /** How many steps there were when the look back began. */
  #known = 0;
  /** Pictures of the past by their numbers. @type {Map<number, string>} */
  #past = new Map();
  /** @type {Files | undefined} */
  #files;
  /** What the address asks for before the steps are known. @type {number | undefined} */
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
        unknown(`Nothing is known here of a table “${this.id}”. It may not have been pushed yet; this page keeps looking.`);
      }
      throw error;
    }
    const state = object(json, path);
    const [news, before] = [json !== this.#last, this.#files];
    if (news) this.#missing.clear();
    // A host may bring the files of one commit one after the other, so each is read each time; most often there is nothing new to send.
    const [svg, agreed, steps] = await Promise.all([
      this.#beside("board.svg", 3, signal),
      this.#beside("table.json", 3, signal).then((json) => (json === undefined ? {} : object(json, "table.json"))),
      this.#askSteps(signal),
      before || titles.size > 0 ? undefined : get(INDEX, signal).then((json) => entries(object(json, INDEX))).catch(() => undefined),
    ]);
    // Whoever has left meanwhile is not brought back.
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
   * A file beside the state; nothing where there is none. It may come late, but is not asked for forever.
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

  /** The steps, if they are others than before. What is wrong with them does not hinder the game. @param {AbortSignal} signal */
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
    // A game that went another way has other pictures under the same numbers.
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
    const game = text(state.game) || text(agreed.game) || (Array.isArray(state.board) ? "backgammon" : "");
    this.view.dataset.game = game;
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

  // -- The way through the game --

  /** Shows what was after a step, or follows the game again. @param {number | undefined} n */
  go(n) {
    if (!this.#files) return void (this.#wanted = n);
    const at = this.#steps.findIndex((step) => step.n === n);
    // The last step is what there is now.
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
    const label = live ? headline(files) : "A picture of the past";
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
    part("past").textContent = step ? `The past: ${told(step)}` : "";
    if (live) draw(files.svg, `${this.folder}/board.svg`, label);
    else if (this.shown !== undefined) void this.#showPast(this.shown);
  }

  /** @param {number} n */
  async #showPast(n) {
    const path = `${this.folder}/steps/${n}.svg`;
    try {
      const svg = this.#past.get(n) ?? (await get(path, AbortSignal.timeout(PATIENCE)));
      this.#past.set(n, svg);
      if (this.shown === n && current === this) draw(svg, path, "A picture of the past");
    } catch {
      if (this.shown !== n || current !== this) return;
      part("past").textContent = "The picture of this step cannot be read now.";
      say("The picture of this step cannot be read now.");
    }
  }
}

/** A step in words. @param {Step} step */
const told = (step) => [capital(step.seat), step.text || (step.n === 0 ? "Start" : "")].filter(Boolean).join(" ");

/** @param {string} id @param {Step} step @param {number} at @param {boolean} isShown */
function moveRow(id, step, at, isShown) {
  const seat = step.seat ? [make("b", {}, capital(step.seat)), " "] : [];
  const number = make("span", { class: "no" }, at === 0 ? "" : `${at}.`);
  const what = make("span", { class: "what" }, ...seat, step.text || (step.n === 0 ? "Start" : "…"));
  return make("li", {}, make("a", { href: `#/t/${id}/${step.n}`, "aria-current": isShown ? "step" : undefined }, number, what));
}

/** Brings a row of a list into view, without moving the page. @param {HTMLElement} rows @param {number} at */
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

/** The kinds of messages, each with its class, a sign and a word. */
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

/** Terms and what belongs to them. @param {[string, (Node | string)[]][]} rows */
const terms = (rows) => rows.flatMap(([term, what]) => [make("dt", {}, term), make("dd", {}, ...what)]);

/** @param {string} folder @param {Fields} agreed */
function showLuck(folder, agreed) {
  const luck = fields(agreed.luck);
  const [commitment, secret] = [text(luck.commitment), text(luck.secret)];
  toggle(part("luck-part"), commitment !== "");
  if (!commitment) return;
  refill(part("luck-text"), [folder, secret], () => secret
    ? ["Anyone can check that nobody bent the luck: ", make("code", {}, `parlor verify ${folder}/record.json`),
      " replays the game, draws every chance again from the secret, and compares the secret with the commitment."]
    : ["Before the first draw the referee committed to a secret. When the game is over the secret is shown, and everybody can draw again."]);
  refill(part("luck"), [folder, commitment, secret], () => {
    const rows = /** @type {[string, (Node | string)[]][]} */ ([["Commitment (SHA-256 of the secret)", [make("code", {}, commitment)]]]);
    if (secret) rows.push(["Secret", [make("code", {}, secret)]]);
    const verdict = make("span", {}, "…");
    if (secret && globalThis.crypto?.subtle) {
      rows.push(["In this browser", [verdict]]);
      void fits(secret, commitment).then((is) => {
        verdict.className = is ? "good" : "bad";
        verdict.textContent = is ? "The secret is the one committed to." : "This is not the secret that was committed to!";
      });
    }
    return terms(rows);
  });
}

/** Whether a secret is the one committed to. @param {string} secret @param {string} commitment */
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
    const rows = /** @type {[string, (Node | string)[]][]} */ ([["Last move", move], ["The table", others]]);
    if (moment(agreed.createdAt)) rows.push(["Set up", [time(agreed.createdAt)]]);
    return terms(rows);
  });
  const options = Object.entries(fields(agreed.options));
  toggle(part("options-part"), options.length > 0);
  /** @param {unknown} value @returns {string} */
  const plain = (value) => (Array.isArray(value) ? value.map(plain).join(", ") || "none" : text(value) || JSON.stringify(value));
  refill(part("options"), options, () => terms(options.map(([name, value]) => [capital(name.replaceAll("_", " ")), [plain(value)]])));
}

// ---- What the page shows, and whether it is fresh ----------------------------------------------------------------

/** @type {Lobby | Table | undefined} */
let current;
/** @type {Watch | undefined} */
let watch;
/** Whether the reader was told that the files cannot be read. */
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

/** Says whether what is shown is fresh, and when it will be. */
function showFreshness() {
  const trouble = watch?.trouble;
  const isUnknown = trouble instanceof Missing && !part("unknown").hidden;
  const lost = trouble !== undefined && !isUnknown;
  toggle(part("stale"), lost);
  if (lost !== toldLost) {
    toldLost = lost;
    say(lost ? `The files cannot be read at the moment. ${watch?.seen ? "What is shown may be old." : ""}` : "The files can be read again.");
  }
  if (!lost || !watch) return;
  const seen = watch.seen ? `Last seen ${ago(watch.seen)}` : "Nothing seen yet";
  const left = Math.max(1, Math.ceil((watch.due - Date.now()) / 1000));
  part("stale-text").textContent = `${seen}; ${watch.isAsking ? "trying now" : `trying again in ${left} s`}`;
  part("stale-why").textContent = trouble.message;
}

/** Shows what the address asks for. @param {boolean} isFirst */
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
    unknown("A table’s name has 1 to 40 of the characters a-z, 0-9 and -.");
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
  // A board that is wider than the window is moved by the same keys.
  if (frame.contains(target) && frame.scrollWidth > frame.clientWidth) return;
  const where = { ArrowLeft: "back", ArrowRight: "on", Escape: current.shown === undefined ? undefined : "live" }[event.key];
  if (!where) return;
  event.preventDefault();
  current.move(where);
});
/** Only what can be moved aside needs a stop of the tab key. */
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
