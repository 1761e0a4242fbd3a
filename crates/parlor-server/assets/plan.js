// @ts-check
// Suggestions of teammates: moves of the one on turn, and places on the board to look at.

import { play } from "./actions.js";
import { board, byId, hint, placeName, refuse, sentence } from "./dom.js";
import { isLatest, state } from "./state.js";

/** Time for which a place that somebody points at is marked, in milliseconds. */
const SHOWN = 10_000;

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

/** @param {HTMLElement | null} part */
const isOpen = (part) => part?.matches(":popover-open") ?? false;

/** @param {string} text @param {string} name @param {string} value */
function button(text, name, value) {
  const made = document.createElement("button");
  Object.assign(made, { name, value, textContent: text });
  return made;
}

/** Offers what can be said about a place while somebody else is on turn. Returns `false` if there is nothing. @param {Element} place */
export function offer(place) {
  if (!bar || !("popover" in HTMLElement.prototype) || state.status.turn || state.status.over || !isLatest()) return false;
  const moves = state.suggestions.filter(([, , at]) => at === place.id);
  const choices = moves.map(([move, label]) => button(`Suggest: ${label}`, "suggest", move));
  if (landmarks.has(place.id)) choices.unshift(button("Point at it", "point_at", place.id));
  if (choices.length === 0) return false;
  about = place;
  const title = byId("plan-place");
  if (title) title.textContent = placeName(place).split(/[,:]/, 1)[0];
  byId("plan-choices")?.replaceChildren(...choices);
  if (!isOpen(bar)) bar.showPopover();
  choices[0].focus({ preventScroll: true });
  return true;
}

/** Closes what is open, since the position has changed or the viewer has decided. Returns true if something was. */
export function drop() {
  let was = false;
  for (const part of [bar, idea]) {
    if (!part || !isOpen(part)) continue;
    was = true;
    const hadFocus = part.contains(document.activeElement);
    part.hidePopover();
    if (hadFocus) /** @type {HTMLElement | undefined} */ (byId(about?.id ?? "") ?? board)?.focus({ preventScroll: true });
  }
  return was;
}

/** Marks the places again on a picture that was replaced. */
export function renew() {
  for (const id of marked) byId(id)?.classList.add("pointed");
}

function fade() {
  for (const id of marked) byId(id)?.classList.remove("pointed");
  marked = [];
}

/** Shows what a teammate suggests or points at. @param {import("./talk.js").Line} line */
export function hear(line) {
  const { suggests, points_at: at } = line;
  if (!suggests && !at) return;
  const own = state.clicks.find(([move, partial]) => move === suggests && !partial);
  const path = own ? own.slice(2) : state.suggestions.filter(([move]) => move === suggests).map(([, , place]) => place);
  clearTimeout(fading);
  fade();
  marked = at ? [at] : /** @type {string[]} */ (path);
  renew();
  fading = setTimeout(fade, SHOWN);
  const words = `${line.name}: ${line.text}`;
  if (!own || !idea || !isLatest()) return hint(words);
  suggested = own[0];
  const text = byId("idea-text");
  if (text) text.textContent = words;
  if (!isOpen(idea)) idea.showPopover();
}

/** Sends what was chosen. @param {SubmitEvent} event */
async function send(event) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form, event.submitter)));
  drop();
  const response = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" } }).catch(() => null);
  const answer = response?.ok ? {} : await response?.json().catch(() => null);
  if (response?.ok) hint("Your team sees it.");
  else refuse(sentence(answer?.detail ?? "It was not sent. Try again"));
}

/** Starts to listen to the bars. */
export function start() {
  bar?.addEventListener("submit", send);
  for (const part of [bar, idea])
    part?.addEventListener("click", (event) => {
      const target = /** @type {Element} */ (event.target);
      if (target.closest("[data-close]")) drop();
      if (!target.closest("[data-play]")) return;
      drop();
      if (!state.busy) play(suggested);
    });
  document.addEventListener("keydown", (event) => event.key === "Escape" && drop());
}
