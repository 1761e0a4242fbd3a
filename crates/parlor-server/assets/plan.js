// @ts-check
// Suggestions of teammates: moves of the one on turn, plans of several, and places on the board to look at.

import { play } from "./actions.js";
import { board, byId, hint, main, placeName, refuse, sentence } from "./dom.js";
import { isLatest, state } from "./state.js";
import * as ways from "./ways.js";

/**
 * @typedef {object} Step move of a plan
 * @property {string} move
 * @property {string} label
 * @property {string[]} way ids of the place where it happens, or of those between which something moves
 *
 * @typedef {object} Rest what is left of a plan, as the server says
 * @property {number} step number of moves and draws so far
 * @property {number} seat seat whose moves they are
 * @property {Step[]} moves
 * @property {{ move: string, label: string, path: string[] }[]} next clicks of the moves that can follow
 *
 * @typedef {object} Plan
 * @property {number} since number of moves and draws before it
 * @property {string[]} moves
 *
 * @typedef {object} Proposal plan of the team
 * @property {string} words
 * @property {Plan} plan
 * @property {Rest} rest
 */

/** Time for which a place that somebody points at is marked, in milliseconds. */
const SHOWN = 10_000;
/** Name under which plans show ways on the board. */
const OWNER = "plan";
/** Id of the phrase that declines a plan. */
const NO = "no-thanks";

const bar = /** @type {HTMLFormElement | null} */ (byId("plan"));
const idea = byId("idea");
const landmarks = new Set(bar?.dataset.landmarks?.split(" "));

/** Place that the bar is about. @type {Element | undefined} */
let about;
/** Ids of the places that are marked. @type {string[]} */
let marked = [];
let fading = 0;
/** Move that the viewer is asked to play. */
let suggested = "";
/** Plan that the viewer composes. @type {{ plan: Plan, rest: Rest } | null} */
let draft = null;
/** Plan that a player of the team proposes. @type {Proposal | null} */
let proposal = null;
/** Work that is done one after the other, since it waits for the server. */
let work = Promise.resolve();

/** @param {HTMLElement | null} part */
const isOpen = (part) => part?.matches(":popover-open") ?? false;

/** Does work once all before it is done, or has failed. @param {() => Promise<void>} next */
const inTurn = (next) => (work = work.then(next, next));

/** True while a click on the board belongs to a plan. */
export const isComposing = () => draft !== null;

/** @param {string} text @param {string} name @param {string} value */
function button(text, name, value) {
  const made = document.createElement("button");
  Object.assign(made, { name, value, textContent: text });
  return made;
}

/** Returns a button that the bar itself handles. @param {string} text @param {string} name @param {string} value */
function inner(text, name, value) {
  const made = button(text, "", "");
  made.type = "button";
  made.dataset[name] = value;
  return made;
}

/** @param {string} id @param {string} text */
function write(id, text) {
  const element = byId(id);
  if (element) element.textContent = text;
}

/** Offers what can be said about a place while somebody else is on turn. Returns `false` if there is nothing. @param {Element} place */
export function offer(place) {
  if (!bar || !("popover" in HTMLElement.prototype) || state.status.seats.length === 0 || state.status.turn || state.status.over || !isLatest()) return false;
  if (draft) {
    add(place);
    return true;
  }
  const moves = state.suggestions.filter(([, , at]) => at === place.id);
  const choices = moves.map(([move, label]) => button(`Suggest: ${label}`, "suggest", move));
  if (landmarks.has(place.id)) choices.unshift(button("Point at it", "point_at", place.id));
  if (choices.length === 0) return false;
  if (state.suggestions.length > 0) choices.push(inner("Plan several moves …", "compose", ""));
  about = place;
  open(placeName(place).split(/[,:]/, 1)[0], [], choices);
  choices[0].focus({ preventScroll: true });
  return true;
}

/** Opens the bar. @param {string} title @param {Step[]} steps @param {HTMLElement[]} choices */
function open(title, steps, choices) {
  write("plan-place", title);
  byId("plan-choices")?.replaceChildren(...choices);
  number("plan-steps", steps);
  const send = /** @type {HTMLButtonElement | null} */ (byId("plan-send"));
  if (send) {
    send.hidden = steps.length === 0;
    send.value = steps.map(({ move }) => move).join(" ");
  }
  if (!isOpen(bar)) bar?.showPopover();
}

/** Lists the steps of a plan. @param {string} id @param {Step[]} steps */
function number(id, steps) {
  const chips = steps.map(({ label }, n) => {
    const chip = document.createElement("li");
    chip.textContent = `${n + 1} ${label}`;
    return chip;
  });
  byId(id)?.replaceChildren(...chips);
}

// ---- Composing a plan --------------------------------------------------------------------------------------------

/** Asks the server what is left of a plan, and how it can go on. @param {Plan} plan @returns {Promise<{ rest: Rest | null, why: string }>} */
async function look({ since, moves }) {
  const query = new URLSearchParams({ moves: moves.join(" "), since: String(since) });
  const response = await fetch(`/api/v1/tables/${main.dataset.table}/plan?${query}`).catch(() => null);
  const answer = await response?.json().catch(() => null);
  return { rest: response?.ok ? answer : null, why: answer?.detail ?? "The server did not answer. Try again" };
}

/** Begins a plan with a click on a place. @param {Element | undefined} place */
function compose(place) {
  inTurn(async () => {
    const { rest, why } = await look({ since: state.steps, moves: [] });
    if (!rest) return refuse(sentence(why));
    keep(rest);
  });
  if (place) add(place);
  /** @type {HTMLElement | null} */ (byId(place?.id ?? ""))?.focus({ preventScroll: true });
}

/** Returns the moves that end at a place or, if none does, those in which it is clicked. @param {Rest} rest @param {string} id */
function movesAt({ next }, id) {
  const ends = next.filter(({ path }) => path.at(-1) === id);
  const found = ends.length > 0 ? ends : next.filter(({ path }) => path.includes(id));
  return [...new Map(found.map((click) => [click.move, click])).values()];
}

/** Adds the move that a place stands for, or asks which. @param {Element} place */
function add(place) {
  inTurn(async () => {
    if (!draft) return;
    about = place;
    const moves = movesAt(draft.rest, place.id);
    const name = placeName(place).split(/[,:]/, 1)[0];
    if (moves.length === 1) return extend(moves[0].move);
    if (moves.length === 0) return hint(`${name}: no move of this plan goes there.`);
    const choices = moves.map(({ move, label }) => inner(label, "add", move));
    open(name, draft.rest.moves, choices);
    choices[0].focus({ preventScroll: true });
  });
}

/** Adds a move, or takes the last one back. @param {string | null} move */
async function extend(move) {
  if (!draft) return;
  const { since, moves } = draft.plan;
  const { rest, why } = await look({ since, moves: move === null ? moves.slice(0, -1) : [...moves, move] });
  if (!draft) return;
  if (!rest) return refuse(sentence(why));
  keep(rest);
}

/** Goes on with a plan. @param {Rest} rest */
function keep(rest) {
  draft = { plan: { since: rest.step, moves: rest.moves.map(({ move }) => move) }, rest };
  renewDraft();
}

function renewDraft() {
  if (!draft) return;
  const { moves, next } = draft.rest;
  const title = next.length === 0 ? "The plan ends here." : moves.length === 0 ? "Click where it begins." : "Click what comes next.";
  const hadFocus = bar?.contains(document.activeElement) ?? false;
  open(title, moves, []);
  const last = byId("plan-steps")?.lastElementChild;
  if (last) {
    const remove = inner("×", "remove", "");
    remove.setAttribute("aria-label", `Remove step ${moves.length}`);
    last.append(" ", remove);
  }
  ways.show(OWNER, moves.map(({ way }) => way));
  // The plan goes on with a click on the board.
  if (hadFocus && about) /** @type {HTMLElement | null} */ (byId(about.id))?.focus({ preventScroll: true });
}

/** Checks the plan that is composed after the table has changed. */
async function recheckDraft() {
  if (!draft) return;
  const { rest } = await look(draft.plan);
  if (!draft) return;
  if (!rest || state.status.turn) {
    drop();
    return hint("The game has gone another way, so your plan was dropped.");
  }
  keep(rest);
}

// ---- The plan of the team ----------------------------------------------------------------------------------------

/** Shows a plan to the team for as long as it fits. @param {Plan} plan @param {string} words */
export function propose(plan, words) {
  inTurn(async () => {
    const { rest } = await look(plan);
    if (!rest || rest.moves.length === 0) return;
    proposal = { words, plan, rest };
    if (draft) hint(words);
    else showProposal();
  });
}

/** True if the viewer is the one who is to play the plan. */
const isAsked = () => proposal !== null && state.status.turn && state.status.seats.includes(proposal.rest.seat);

function showProposal() {
  if (!proposal || !idea) return;
  const { words, rest } = proposal;
  suggested = isAsked() ? rest.moves[0].move : "";
  openIdea(words, rest.moves, "Play the first step", isAsked() ? "No, thanks" : "Close");
  ways.show(OWNER, rest.moves.map(({ way }) => way));
}

/** Opens the bar of a suggestion or plan. @param {string} words @param {Step[]} steps @param {string} yes @param {string} no */
function openIdea(words, steps, yes, no) {
  if (!idea || !("popover" in HTMLElement.prototype)) return;
  write("idea-text", words);
  number("idea-steps", steps);
  const [plays, closes] = ["[data-play]", "[data-close]"].map((part) => /** @type {HTMLElement} */ (idea.querySelector(part)));
  plays.textContent = yes;
  plays.hidden = suggested === "";
  closes.textContent = no;
  if (!isOpen(idea)) idea.showPopover();
}

/** Shows what is left of the team's plan after the table has changed. */
async function recheckProposal() {
  if (!proposal) return;
  const { rest } = await look(proposal.plan);
  if (!proposal) return;
  if (!rest || rest.moves.length === 0) return dropProposal();
  proposal = { ...proposal, rest };
  if (!draft) showProposal();
}

function dropProposal() {
  proposal = null;
  suggested = "";
  if (!draft) ways.clear(OWNER);
  hide(idea);
}

/** Tells the team that the viewer does not want to follow its plan. */
function decline() {
  const body = new URLSearchParams({ room: "players", phrase: NO });
  if (bar) fetch(bar.action, { method: "POST", body, headers: { Accept: "application/json" } }).catch(() => null);
}

// ---- The bars ----------------------------------------------------------------------------------------------------

/** Closes a bar. Returns true if it was open. @param {HTMLElement | null} part */
function hide(part) {
  if (!part || !isOpen(part)) return false;
  const hadFocus = part.contains(document.activeElement);
  part.hidePopover();
  if (hadFocus) /** @type {HTMLElement | undefined} */ (byId(about?.id ?? "") ?? board)?.focus({ preventScroll: true });
  return true;
}

/** Closes what the viewer has begun, and shows the team's plan again. */
function drop() {
  const isDraft = draft !== null;
  draft = null;
  hide(bar);
  if (!isDraft) return;
  ways.clear(OWNER);
  showProposal();
}

/** Closes what is out of date after the table has changed, and shows what is left of plans. */
export function follow() {
  suggested = "";
  if (!draft) hide(bar);
  if (!proposal) hide(idea);
  inTurn(recheckDraft);
  inTurn(recheckProposal);
}

/** Marks the places and ways again on a picture that was replaced. */
export function renew() {
  for (const id of marked) byId(id)?.classList.add("pointed");
  ways.renew();
}

function fade() {
  for (const id of marked) byId(id)?.classList.remove("pointed");
  marked = [];
}

/** Shows what a player of the team suggests, plans or points at. @param {import("./talk.js").Line} line @param {boolean} [isOwn] */
export function hear(line, isOwn = false) {
  const { suggests, points_at: at, plan } = line;
  if (plan) return propose(plan, planWords(line.name, isOwn));
  const words = `${line.name}: ${line.text}`;
  if (line.phrase === NO && proposal?.rest.seat === line.seat) {
    dropProposal();
    if (!isOwn) hint(words);
  }
  if (isOwn || (!suggests && !at)) return;
  const own = state.clicks.find(([move, partial]) => move === suggests && !partial);
  const path = own ? own.slice(2) : state.suggestions.filter(([move]) => move === suggests).map(([, , place]) => place);
  clearTimeout(fading);
  fade();
  marked = at ? [at] : /** @type {string[]} */ (path);
  renew();
  fading = setTimeout(fade, SHOWN);
  if (!own || !idea || !isLatest()) return hint(words);
  // It takes the place of a plan.
  dropProposal();
  suggested = own[0];
  openIdea(words, [], "Play it", "Close");
}

/** Returns the words about a plan. @param {string} name @param {boolean} isOwn */
export const planWords = (name, isOwn) => (isOwn ? "Your plan" : `${name}: How about this?`);

/** Sends what was chosen. @param {SubmitEvent} event */
async function send(event) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form, event.submitter)));
  // A plan that was refused can be changed.
  if (!draft) drop();
  const response = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" } }).catch(() => null);
  const answer = response?.ok ? {} : await response?.json().catch(() => null);
  if (!response?.ok) return refuse(sentence(answer?.detail ?? "It was not sent. Try again"));
  if (draft) drop();
  hint("Your team sees it.");
}

/** @param {Event} event */
function press(event) {
  const target = /** @type {Element} */ (event.target);
  const { compose: begins, add: move, remove } = /** @type {HTMLElement | null} */ (target.closest("button"))?.dataset ?? {};
  if (begins !== undefined) compose(about);
  if (move !== undefined) {
    // It is added once.
    byId("plan-choices")?.replaceChildren();
    /** @type {HTMLElement | null} */ (byId(about?.id ?? ""))?.focus({ preventScroll: true });
    inTurn(() => extend(move));
  }
  if (remove !== undefined) inTurn(() => extend(null));
  if (target.closest("[data-close]")) drop();
}

/** @param {Event} event */
function answer(event) {
  const target = /** @type {Element} */ (event.target);
  if (target.closest("[data-close]")) {
    if (isAsked()) decline();
    return dropProposal();
  }
  if (!target.closest("[data-play]") || state.busy || !suggested) return;
  const move = suggested;
  suggested = "";
  // Of a plan, the next step is offered once this one was played.
  if (!proposal) hide(idea);
  play(move);
}

/** Starts to listen to the bars. */
export function start() {
  bar?.addEventListener("submit", send);
  bar?.addEventListener("click", press);
  idea?.addEventListener("click", answer);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    if (isOpen(bar)) drop();
    else dropProposal();
  });
}
