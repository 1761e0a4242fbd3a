// @ts-check
// Talk beside the board. The server says what may be read and written; here messages are shown as they come, and sent.

import { byId, sentence } from "./dom.js";
import { keep, kept } from "./kept.js";
import { ask, share } from "./network.js";
import { state } from "./state.js";
import { loaded, plan } from "./team.js";

/**
 * @typedef {object} Line a message at the table
 * @property {number} n
 * @property {number} at
 * @property {string} room
 * @property {string} author
 * @property {string} name
 * @property {boolean} member
 * @property {number | null} seat
 * @property {string | null} phrase
 * @property {string | null} suggests move of the seat on turn
 * @property {string | null} points_at id of a place on the board
 * @property {import("./plan.js").Plan | null} plan moves of the seat on turn
 * @property {string} text
 */

const panel = byId("talk");
const news = byId("talk-news");
/** Events at the table that may change what the viewer may read or write. */
const TURNS = new Set(["joined", "left", "started", "resigned", "flagged", "returned", "ended"]);
/** True once the page was connected. */
let wasOpen = false;
/** Number of messages that were not seen, by room. @type {Map<string, number>} */
const unread = new Map();

/** @template {Element} E @param {string} selector @returns {E | null} */
const find = (selector) => /** @type {E | null} */ (panel?.querySelector(selector) ?? null);
const talk = () => /** @type {HTMLElement | null} */ (find(".talk"));
const lines = () => /** @type {HTMLElement | null} */ (find(".lines"));
const fold = () => /** @type {HTMLDetailsElement | null} */ (find("details"));

/** True if the messages are on the screen. */
function isShown() {
  const box = lines()?.getBoundingClientRect();
  return box !== undefined && box.height > 0 && box.top < innerHeight && box.bottom > 0;
}

/** True if the panel stands beside the board, not over it. */
const isBeside = () => panel !== null && !panel.matches(":popover-open") && panel.getClientRects().length > 0;

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });

/** Shows times in the viewer's own zone. @param {ParentNode} within */
function localize(within) {
  for (const time of within.querySelectorAll("time[datetime]")) {
    const at = new Date(time.getAttribute("datetime") ?? "");
    if (!Number.isNaN(at.getTime())) time.textContent = clock.format(at);
  }
}

/** Shows a number of messages. @param {Element} badge @param {number} count */
function showCount(badge, count) {
  /** @type {HTMLElement} */ (badge).hidden = count === 0;
  badge.textContent = String(count);
}

/** Shows how many messages were not seen, in all and in each room. */
function showUnread() {
  const count = [...unread.values()].reduce((sum, each) => sum + each, 0);
  for (const badge of document.querySelectorAll(".unread:not([data-choose] > *)")) showCount(badge, count);
  for (const badge of panel?.querySelectorAll("[data-choose] > .unread") ?? [])
    showCount(badge, unread.get(/** @type {HTMLElement} */ (badge.parentElement).dataset.choose ?? "") ?? 0);
  const button = document.querySelector(".talk-button");
  button?.setAttribute("aria-label", count ? `Talk, ${count} new` : "Talk");
}

/** Takes the messages of the room on the screen for seen. */
function see() {
  unread.delete(talk()?.dataset.room ?? "");
  showUnread();
}

/** Shows a message, unless it is there already. @param {Line} line */
function add(line) {
  const [here, list] = [talk(), lines()];
  const template = /** @type {HTMLTemplateElement | null} */ (byId("talk-line"));
  const blank = template?.content.firstElementChild;
  if (!here || !list || !blank || list.querySelector(`[data-n="${line.n}"]`)) return;
  const element = /** @type {HTMLElement} */ (blank.cloneNode(true));
  const isOwn = line.author === here.dataset.you;
  if (isOwn) arrive(line.text);
  element.dataset.n = String(line.n);
  element.dataset.room = line.room;
  element.dataset.author = line.author;
  if (line.phrase !== null) element.dataset.phrase = line.phrase;
  element.toggleAttribute("data-member", line.member);
  element.classList.toggle("mine", isOwn);
  const name = /** @type {HTMLElement} */ (element.querySelector(".name"));
  name.className = `name seat-${line.seat ?? 9}`;
  name.textContent = line.name;
  element.querySelector("time")?.setAttribute("datetime", new Date(line.at).toISOString());
  const text = element.querySelector(".text");
  if (text) text.textContent = line.text;
  localize(element);
  const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
  list.append(element);
  here.dataset.last = String(Math.max(line.n, Number(here.dataset.last)));
  if (isAtEnd || isOwn) list.scrollTop = list.scrollHeight;
  if (isOwn) {
    plan?.hear(line, true);
    return element.querySelector(".more")?.remove();
  }
  for (const field of element.querySelectorAll("[name=n]")) /** @type {HTMLInputElement} */ (field).value = String(line.n);
  for (const whom of element.querySelectorAll(".whom")) whom.textContent = line.name;
  element.querySelector("summary")?.setAttribute("aria-label", `Mute or report ${line.name}`);
  element.hidden = muted.has(line.author);
  if (element.hidden) return;
  plan?.hear(line);
  if (!isShown() || line.room !== here.dataset.room) {
    unread.set(line.room, (unread.get(line.room) ?? 0) + 1);
    showUnread();
    if (news) news.textContent = `New message from ${line.name}`;
  }
}

/** Authors whom this page does not show. @type {Set<string>} */
const muted = new Set();
const KEY = "parlor.muted";

/** Reads the authors that this browser has muted. Each author has another id at each table. */
function readMuted() {
  try {
    for (const author of JSON.parse(localStorage.getItem(KEY) ?? "[]")) muted.add(author);
  } catch {
    // Without storage the page forgets them.
  }
}

/** Mutes or unmutes an author in this browser. @param {string} author @param {boolean} is */
function remember(author, is) {
  try {
    const known = /** @type {string[]} */ (JSON.parse(localStorage.getItem(KEY) ?? "[]")).filter((other) => other !== author);
    localStorage.setItem(KEY, JSON.stringify(is ? [...known.slice(-199), author] : known));
  } catch {
    // Without storage the page forgets it.
  }
}

function hideMuted() {
  for (const line of panel?.querySelectorAll(".line") ?? [])
    /** @type {HTMLElement} */ (line).hidden = muted.has(/** @type {HTMLElement} */ (line).dataset.author ?? "");
}

/** Tells that something is done, and how to undo it. @param {string} text @param {(() => void) | null} undo */
function tell(text, undo) {
  const [said, button] = [find(".done span"), /** @type {HTMLButtonElement | null} */ (find("[data-unmute]"))];
  const refused = find(".refused");
  if (refused) refused.textContent = "";
  if (said) said.textContent = text;
  if (!button) return;
  button.hidden = !undo;
  button.onclick = () => {
    undo?.();
    tell("", null);
    lines()?.focus();
  };
}

/** Mutes the author of a message: members for members in the account, others in this browser. @param {HTMLElement} line */
async function mute(line) {
  const author = line.dataset.author ?? "";
  const name = line.querySelector(".name")?.textContent ?? "";
  const inAccount = panel?.dataset.member !== undefined && line.dataset.member !== undefined;
  const account = `/api/v1/me/mutes/${encodeURIComponent(name)}`;
  if (inAccount) {
    const response = await fetch(account, { method: "PUT" }).catch(() => null);
    if (!response?.ok) return;
  } else {
    remember(author, true);
  }
  muted.add(author);
  hideMuted();
  tell(`${name} is muted.`, () => {
    if (inAccount) fetch(account, { method: "DELETE" }).catch(() => null);
    else remember(author, false);
    muted.delete(author);
    hideMuted();
  });
  /** @type {HTMLElement | null} */ (find("[data-unmute]"))?.focus();
}

/** Reports a message. @param {HTMLFormElement} form */
async function report(form) {
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  const response = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" } }).catch(() => null);
  const answer = response && !response.ok ? await response.json().catch(() => ({})) : {};
  // The answer stands below the menu.
  form.closest("details")?.removeAttribute("open");
  tell(response?.ok ? "Reported. Thank you." : sentence(answer.detail ?? "The report was not sent. Try again"), null);
  lines()?.focus();
}

/** Shows one room. @param {string} room */
function choose(room) {
  const here = talk();
  if (!here) return;
  here.dataset.room = room;
  for (const button of here.querySelectorAll("[data-choose]"))
    button.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (button).dataset.choose === room));
  for (const field of here.querySelectorAll("[name=room]")) /** @type {HTMLInputElement} */ (field).value = room;
  see();
  scrollToEnd();
}

/** Shows the latest plan of the team again as far as it still fits, unless it was declined. */
function recallPlan() {
  const spoken = /** @type {HTMLElement[]} */ ([...(panel?.querySelectorAll(".line[data-room=players]") ?? [])]);
  const last = spoken.findLast(({ dataset }) => dataset.plan || dataset.phrase === "no-thanks");
  if (!last?.dataset.plan || last.hidden) return;
  const name = last.querySelector(".name")?.textContent?.trim() ?? "";
  plan?.propose(JSON.parse(last.dataset.plan), plan.planWords(name, last.classList.contains("mine")));
}

function scrollToEnd() {
  const list = lines();
  if (list) list.scrollTop = list.scrollHeight;
}

/** Marks the viewer's own messages, which may have come before it was known whose they are. @param {string} author */
function own(author) {
  const here = talk();
  if (!here || here.dataset.you === author) return;
  here.dataset.you = author;
  for (const line of here.querySelectorAll(`.line[data-author="${author}"]`)) {
    line.classList.add("mine");
    line.querySelector(".more")?.remove();
  }
}

/** Least room between a menu and the lower edge of the window, in pixels. */
const MARGIN = 8;

/** Time within which the same words again are a slip, in milliseconds. */
const SLIP = 1000;

/** Message that was sent last, and its time. */
let last = { words: "", at: -SLIP };

/** Text that was sent and has not been seen at the table yet. @type {string | null} */
let underway = null;

/** Empties the field if its text has arrived at the table, whether or not its answer has. @param {string} text */
function arrive(text) {
  if (text !== underway) return;
  underway = null;
  const [typed, refused] = [field(), find(".refused")];
  if (typed?.value.trim() === text) typed.value = "";
  if (refused) refused.textContent = "";
}

/** Sends a form. @param {HTMLFormElement} form @param {HTMLElement | null} submitter */
async function send(form, submitter) {
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form, submitter)));
  const at = performance.now();
  if (body.toString() === last.words && at < last.at + SLIP) return tell("You have just said that.", null);
  last = { words: body.toString(), at };
  const refused = find(".refused");
  underway = body.get("text")?.trim() ?? null;
  const text = underway;
  try {
    const response = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" } });
    const answer = await response.json();
    tell("", null);
    if (refused) refused.textContent = response.ok ? "" : sentence(answer.detail);
    // Whoever was silenced meanwhile reads until when.
    if (!response.ok) return void refresh();
    own(answer.author);
    add(answer);
    if (text !== null) arrive(text);
  } catch {
    const isThere = text !== null && underway !== text;
    if (refused && !isThere) refused.textContent = "No answer came. If your message does not appear, send it again.";
  }
}

/** Asks what may be read and written now, and shows it if it has changed. */
async function refresh() {
  const here = talk();
  const old = here?.dataset.rights;
  const action = /** @type {HTMLElement | null} */ (document.querySelector("main[data-table]"))?.dataset.table;
  const { response } = await ask(`/t/${action}/talk`);
  const body = byId("talk-body");
  const html = response.ok ? await response.text().catch(() => null) : null;
  if (html === null || !body) return;
  const template = document.createElement("template");
  template.innerHTML = html;
  const fresh = /** @type {HTMLElement | null} */ (template.content.querySelector(".talk"));
  if (!here || !fresh || (fresh.dataset.rights === old && fresh.dataset.you === here.dataset.you)) return;
  const field = /** @type {HTMLInputElement | null} */ (body.querySelector("[name=text]"));
  const [text, isFocused] = [field?.value ?? "", document.activeElement === field];
  body.replaceChildren(template.content);
  const again = /** @type {HTMLInputElement | null} */ (body.querySelector("[name=text]"));
  if (again) again.value = text;
  if (isFocused) again?.focus({ preventScroll: true });
  localize(body);
  hideMuted();
  showUnread();
  scrollToEnd();
}

/** Handles what the table's socket says. @param {any} said */
function hear(said) {
  if (!panel) return;
  if (said.type === "talk") add(said.message);
  if (said.type === "event" && TURNS.has(said.event.type)) refresh();
}

/** Returns the question to the table's socket for messages; nothing without talk. */
function request() {
  // Another connection may be that of somebody who has sat down or signed in.
  if (wasOpen) refresh();
  wasOpen = true;
  const last = talk()?.dataset.last;
  return last === undefined ? null : JSON.stringify({ type: "talk", after: Number(last) });
}

/** @param {MouseEvent} event */
function click(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  const room = /** @type {HTMLElement | null} */ (target.closest("[data-choose]"))?.dataset.choose;
  if (room) choose(room);
  for (const menu of panel?.querySelectorAll(".more[open]") ?? []) {
    if (!menu.contains(target) || target.closest("[data-shut]")) shut(menu);
  }
}

/** Closes the menu of a message. @param {Element} menu */
function shut(menu) {
  const hadFocus = menu.contains(document.activeElement);
  menu.removeAttribute("open");
  if (hadFocus) menu.querySelector("summary")?.focus({ preventScroll: true });
}

/** Puts an opened menu below its message, or higher if the window ends there. @param {Event} event */
function placeMenu(event) {
  const more = /** @type {HTMLElement} */ (event.target);
  const menu = /** @type {HTMLElement | null} */ (more.querySelector(":scope > .message-menu"));
  if (!menu || !panel) return;
  // It is seen once it has its place.
  if (!more.matches("[open]")) return menu.removeAttribute("style");
  const below = more.getBoundingClientRect().bottom;
  const top = Math.min(below, innerHeight - menu.offsetHeight - MARGIN);
  menu.style.top = `${top - panel.getBoundingClientRect().top - panel.clientTop}px`;
}

/** Least height that the panel needs, in pixels. */
const LEAST = 98;

/** Puts the panel below what has to stay in sight where it stands beside the board of a phone across. */
function place() {
  const isAcross = matchMedia("(min-width: 30rem) and (max-height: 30rem)").matches;
  if (!panel || !isAcross) return panel?.style.removeProperty("--top");
  const parts = [document.querySelector(".banner"), byId("part-seats")].map((part) => part?.getBoundingClientRect().bottom ?? 0);
  const least = byId("sight")?.getBoundingClientRect().bottom ?? 0;
  panel.style.setProperty("--top", `${Math.round(Math.max(least, Math.min(Math.max(...parts) + 1, innerHeight - LEAST)))}px`);
}

/** Returns the field for a text; `null` for those who can only say phrases. */
const field = () => /** @type {HTMLInputElement | null} */ (find("[name=text]"));

/** Keeps a text that was not sent for the next visit, which is at the rematch if there is one. */
function keepText() {
  keep("text", field()?.value || undefined, state.status.next?.replace("/t/", ""));
}

/** Starts to listen to the panel. */
function start() {
  if (!panel) return;
  const text = field();
  if (text) text.value ||= kept("text") ?? "";
  keep("text");
  addEventListener("pagehide", keepText);
  readMuted();
  hideMuted();
  loaded.then(recallPlan);
  localize(panel);
  scrollToEnd();
  panel.addEventListener("click", click);
  panel.addEventListener("submit", (event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const line = /** @type {HTMLElement | null} */ (form.closest(".line"));
    if (!line) send(form, event.submitter);
    else if (form.matches(".report")) report(form);
    else mute(line);
  });
  panel.addEventListener("keydown", (event) => {
    // Keys in the panel do not step through the game.
    event.stopPropagation();
    const menu = find(".more[open]");
    if (event.key !== "Escape") return;
    if (menu) shut(menu);
    else if (panel.matches(":popover-open")) panel.hidePopover();
  });
  for (const [element, kind] of /** @type {[HTMLElement | null, string][]} */ ([[panel, "toggle"], [fold(), "toggle"]]))
    element?.addEventListener(kind, () => {
      if (panel.matches(":popover-open") && fold()) /** @type {HTMLDetailsElement} */ (fold()).open = true;
      if (!isShown()) return;
      see();
      scrollToEnd();
    });
  panel.addEventListener("toggle", placeMenu, true);
  panel.addEventListener("beforetoggle", place);
  addEventListener("resize", place);
  addEventListener("scroll", place, { passive: true });
  addEventListener("scroll", () => unread.size > 0 && isShown() && see(), { passive: true });
  document.querySelector(".talk-button")?.addEventListener("click", (event) => {
    if (!isBeside()) return;
    event.preventDefault();
    if (fold()) /** @type {HTMLDetailsElement} */ (fold()).open = true;
    panel.scrollIntoView({ block: "nearest" });
    (field() ?? lines())?.focus({ preventScroll: true });
  });
  // Whoever was silenced meanwhile reads so before writing anything.
  panel.addEventListener("focusin", (event) => /** @type {Element} */ (event.target).matches("[name=text]") && refresh());
}

start();
share({ request, hear });
