// @ts-check
// Clicks, taps and keys on the board.

import { begin, isPlaying, play } from "./actions.js";
import { completed, fitting, focus, mark } from "./board.js";
import * as confirm from "./confirm.js";
import { board, hint, placeName, refuse, shortName } from "./dom.js";
import * as drag from "./drag.js";
import * as kinds from "./kinds.js";
import * as picture from "./picture.js";
import * as premove from "./premove.js";
import { state } from "./state.js";
import { plan } from "./team.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Id of the place that the last tap aimed at. */
let aimed = "";

/** True if the board has the focus because somebody pointed at it. Arrow keys then step through the game. */
let isPointed = false;

/** Handles a click on a place. @param {Element} place */
function click(place) {
  state.focused = place.id;
  // While a move is being sent, a person who plays for several seats goes on for the next one, and others choose the next move.
  if (state.asks || (isPlaying() && (state.status.seats.length > 1 || premove.isPossible()))) return void state.late.push(place.id);
  refuse("");
  if (premove.click(place)) return mark();
  let found = fitting(place.id);
  if (found.length === 0 && state.chosen.length > 0) {
    const again = state.chosen[state.chosen.length - 1] === place.id;
    state.chosen = [];
    if (again) return mark();
    found = fitting(place.id);
  }
  if (found.length === 0) {
    confirm.drop();
    mark();
    if (plan?.offer(place)) return;
    if (state.clicks.length > 0 && !state.busy) hint(`${placeName(place)}: you can't play there.`);
    return;
  }
  const end = completed(place.id);
  state.chosen.push(place.id);
  if (!end) {
    mark();
    picture.reveal(board);
  } else if (end[1]) begin(end[0]);
  else if (confirm.isWanted()) confirm.propose(end[0], place);
  else play(end[0]);
}

/** The last place of a move, and when it was clicked. */
let played = { id: "", at: 0 };

/** True for the second click of a double click whose first one has played a move. @param {MouseEvent} event @param {Element} place */
function isAgain(event, place) {
  return event.detail > 1 && place.id === played.id && event.timeStamp - played.at < 500;
}

/** True if a tap only aims, because the place is smaller than a finger. @param {PointerEvent} event @param {Element} place */
function aims(event, place) {
  const box = place.getBoundingClientRect();
  if (event.pointerType !== "touch" || confirm.isWanted() || Math.min(box.width, box.height) >= 28 || aimed === place.id) return false;
  // A click that only starts a move can be undone.
  const plays = place.classList.contains("plays");
  const ahead = !premove.isOn(place.id) && premove.offered(place.id) !== undefined;
  if (!plays && !ahead) return false;
  aimed = place.id;
  picture.ghost(board, place.id, "aimed");
  hint(`Tap again ${ahead ? `to play ${shortName(place)} in advance` : doing(place)}.`);
  return true;
}

/** Returns the move that a place completes, to continue a sentence: in the words of its button, if it has one. @param {Element} place */
function doing(place) {
  const move = completed(place.id)?.[0] ?? "";
  const label = document.querySelector(`#part-entry [data-move="${CSS.escape(move)}"]:not(.sure *)`)?.textContent;
  if (!label) return `to play ${shortName(place)}`;
  // An event is told by its name.
  return label.includes(":") ? `for ${label}` : `to ${label.charAt(0).toLowerCase()}${label.slice(1)}`;
}

/** Zooms, if that is what a click means: on the button, or by a finger on a board whose places are too small for it. @param {PointerEvent} event */
function zooms(event) {
  const target = /** @type {Element} */ (event.target);
  if (target.closest("[data-zoom]")) picture.zoom(board);
  else if (event.pointerType === "touch" && picture.isWhole(board) && target.closest("[data-sight]")) picture.zoom(board, event);
  else return false;
  return true;
}

/** @param {KeyboardEvent} event */
function pressKey(event) {
  const place = /** @type {Element} */ (event.target).closest(".place");
  if (!place || event.ctrlKey || event.metaKey || event.altKey) return;
  const arrow = ARROWS[/** @type {keyof typeof ARROWS} */ (event.key)];
  if (arrow && isPointed) return;
  isPointed &&= event.key !== "Enter" && event.key !== " ";
  if (arrow) focus(picture.neighbor(board, place, arrow[0], arrow[1]));
  else if (event.key === "Enter" || event.key === " ") event.repeat || click(place);
  else if (event.key === "Escape" && (confirm.drop() || premove.cancel())) mark();
  else if (event.key === "Escape" && state.chosen.length > 0) (state.chosen = []), mark();
  else if (event.key === "Escape" && kinds.drop()) mark();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Starts to listen to the board. */
export function start() {
  board.addEventListener("click", (event) => {
    if (zooms(/** @type {PointerEvent} */ (event))) return;
    const place = /** @type {Element} */ (event.target).closest(".place");
    if (!place) return;
    if (aims(/** @type {PointerEvent} */ (event), place)) return;
    aimed = "";
    if (isAgain(event, place)) return;
    // The second click of a double click is not meant for what the first one has begun.
    if (event.detail > 1 && (state.busy || premove.isOn(place.id) || plan?.isComposing())) return;
    click(place);
    if (isPlaying()) played = { id: place.id, at: event.timeStamp };
  });
  drag.start(click);
  board.addEventListener("pointerover", (event) => {
    const place = /** @type {Element} */ (event.target).closest(".place.legal");
    if (event.pointerType === "mouse" && place && !confirm.waits()) picture.ghost(board, place.id);
  });
  board.addEventListener("pointerleave", () => !state.busy && !aimed && !confirm.waits() && picture.noGhost(board));
  board.addEventListener("focusin", (event) => {
    const place = /** @type {Element} */ (event.target);
    if (place.matches(".place.legal:focus-visible") && !confirm.waits() && !isPointed) picture.ghost(board, place.id);
  });
  board.addEventListener("pointerdown", () => (isPointed = true), true);
  addEventListener("keydown", (event) => (isPointed &&= event.key !== "Tab"), true);
  board.addEventListener("keydown", pressKey);
}

/** Takes the clicks on the board that came before this script; see `early.js`. */
export function catchUp() {
  /** @type {Window & { early?: PointerEvent[] }} */
  const kept = window;
  const { early = [] } = kept;
  kept.early = undefined;
  for (const event of early) {
    const { target } = event;
    if (target instanceof Element && board.contains(target)) target.dispatchEvent(new PointerEvent("click", event));
  }
}
