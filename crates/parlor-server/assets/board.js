// @ts-check
// The board of the table page: its picture, the places that can be clicked, and the one that has the focus.

import { board, byId, setAttribute } from "./dom.js";
import * as kinds from "./kinds.js";
import * as picture from "./picture.js";
import * as premove from "./premove.js";
import { isCalm } from "./settings.js";
import { state } from "./state.js";

/** @typedef {import("./state.js").Click} Click */

/** Index of the first element id in a click. */
const PATH = 2;

/** Replaces the picture and keeps the focus on its place. @param {string} xml */
export function draw(xml) {
  const hadFocus = board.contains(document.activeElement);
  picture.swap(board, xml, !isCalm());
  mark();
  if (hadFocus) byId(state.focused)?.focus({ preventScroll: true });
}

/** Marks the places that can be clicked, and makes the board a single tab stop. */
export function mark() {
  const clicks = candidates();
  const targets = new Set(clicks.flatMap(nextPlaces));
  const ends = new Set(state.verbs.length > 0 ? [...targets].filter(completed) : clicks.filter(isLast).flatMap(nextPlaces));
  const all = /** @type {(HTMLElement | SVGElement)[]} */ ([...board.querySelectorAll(".place")]);
  if (!all.some((place) => place.id === state.focused)) {
    state.focused = (all.find((p) => targets.has(p.id)) ?? all[0])?.id ?? "";
  }
  for (const place of all) {
    const legal = targets.has(place.id);
    place.classList.toggle("legal", legal);
    place.classList.toggle("plays", ends.has(place.id));
    place.classList.toggle("chosen", state.chosen.includes(place.id));
    place.classList.toggle("changed", state.changed.includes(place.id));
    const ahead = premove.offered(place.id) !== undefined;
    place.classList.toggle("ahead", ahead);
    place.classList.toggle("premove", premove.isOn(place.id));
    setAttribute(place, "role", legal || ahead ? "button" : "img");
    // A move in advance is on until it is taken back.
    if (ahead) setAttribute(place, "aria-pressed", String(premove.isOn(place.id)));
    else place.removeAttribute("aria-pressed");
    setAttribute(place, "tabindex", place.id === state.focused ? "0" : "-1");
  }
  board.classList.toggle("yours", targets.size > 0);
  board.classList.toggle("drags", state.clicks.some((click) => click.length > PATH + 1));
}

/** Returns the places of a click. @param {Click} click @returns {string[]} */
const path = (click) => /** @type {string[]} */ (click.slice(PATH));

/** Returns the clicks that fit the places chosen so far: in their order, or in any once a kind of move is chosen. */
function candidates() {
  if (state.busy) return [];
  if (state.verbs.length === 0) return state.clicks.filter((click) => state.chosen.every((id, n) => click[n + PATH] === id));
  return state.clicks.filter((click) => kinds.has(click) && state.chosen.every((id) => click.includes(id, PATH)));
}

/** Returns the places that may come next in a click. @param {Click} click */
function nextPlaces(click) {
  if (state.verbs.length > 0) return path(click).filter((id) => !state.chosen.includes(id));
  return path(click).slice(state.chosen.length, state.chosen.length + 1);
}

/** Returns the candidates that continue with a place. @param {string} id */
export const fitting = (id) => candidates().filter((click) => nextPlaces(click).includes(id));

/** True if a drag can begin on a place. @param {string} id */
export const startsDrag = (id) => !state.busy && state.clicks.some((click) => click[PATH] === id && click.length > PATH + 1);

/** True if the next place completes a move. @param {Click} click */
const isLast = (click) => !click[1] && click.length === state.chosen.length + PATH + 1;

/**
 * Returns the click that a place completes, if it is clear which: by its last place or, of a chosen kind, because no other
 * move is left. @param {string} id @returns {Click | undefined}
 */
export function completed(id) {
  const found = fitting(id);
  const whole = found.find((click) => click.length === state.chosen.length + PATH + 1);
  if (state.verbs.length === 0) return found.length === 1 ? whole : undefined;
  return new Set(found.map(([move]) => move)).size === 1 ? found[0] : whole;
}

/** Moves the focus to a place. @param {Element | undefined} place */
export function focus(place) {
  if (!place) return;
  byId(state.focused)?.setAttribute("tabindex", "-1");
  state.focused = place.id;
  place.setAttribute("tabindex", "0");
  /** @type {HTMLElement | SVGElement} */ (place).focus();
}

/** Shows that a move to the focused place has been sent. */
export function showPending() {
  picture.ghost(board, state.focused, "pending");
  byId(state.focused)?.classList.add("pending");
}

/** Removes what `showPending` has shown, after the move was refused. */
export function hidePending() {
  byId(state.focused)?.classList.remove("pending");
  picture.noGhost(board);
}
