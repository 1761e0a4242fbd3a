// @ts-check
// Drags of pieces from place to place, with a mouse, a finger or a pen.

import { fitting, mark, startsDrag } from "./board.js";
import { center, glideBack, lift, moveTo, putDown, settle } from "./carry.js";
import { board, byId, hint, refuse } from "./dom.js";
import * as picture from "./picture.js";
import { state } from "./state.js";

/** Way of the pointer from which a press is a drag, and distance from a target within which a drop still hits it, in pixels. */
const SLOP = 6, REACH = 24;

/**
 * @typedef {object} Press
 * @property {string} from id of the place where the pointer went down
 * @property {number} x
 * @property {number} y
 * @property {boolean} moves true once the press is a drag
 * @property {import("./carry.js").Carried | undefined} piece
 */

/** @type {Press | undefined} */
let press;
/** True between the end of a drag and the click that some browsers report after it. */
let swallows = false;

/** Notes where a drag may begin. @param {PointerEvent} event */
function down(event) {
  const place = /** @type {Element} */ (event.target).closest(".place");
  // Two fingers zoom or scroll.
  if (!event.isPrimary) return cancel();
  press = undefined;
  if (!place || event.button !== 0 || !startsDrag(place.id)) return;
  press = { from: place.id, x: event.clientX, y: event.clientY, moves: false, piece: undefined };
}

/** Lets the piece follow the pointer. @param {PointerEvent} event */
function move(event) {
  if (!press || !event.isPrimary) return;
  if (!press.moves) {
    if (Math.hypot(event.clientX - press.x, event.clientY - press.y) < SLOP) return;
    if (!begin(press, event.pointerId)) return void (press = undefined);
  }
  const { piece } = press;
  // Another picture may have come from the server meanwhile.
  if (piece && !piece.home.isConnected) return cancel();
  if (piece) moveTo(piece, event.clientX, event.clientY);
  const over = target(event.clientX, event.clientY);
  for (const place of board.querySelectorAll(".place.over")) place.classList.toggle("over", place === over);
  if (over && fits(over)) over.classList.add("over");
}

/** Turns a press into a drag. @param {Press} press @param {number} pointer */
function begin(press, pointer) {
  const place = byId(press.from);
  if (!place || !startsDrag(press.from)) return false;
  board.setPointerCapture(pointer);
  refuse("");
  picture.noGhost(board);
  state.chosen = [press.from];
  mark();
  press.moves = true;
  press.piece = lift(board, place);
  board.classList.add("dragging");
  return true;
}

/** @param {Element} place */
const fits = (place) => fitting(place.id).length > 0;

/** Returns the place that a drop at a point means. @param {number} x @param {number} y */
function target(x, y) {
  const under = document.elementsFromPoint(x, y).map((element) => element.closest("#board .place")).filter((place) => place !== null);
  const exact = under.find(fits) ?? under.find((place) => place.id === press?.from);
  if (exact) return exact;
  const away = (/** @type {Element} */ place) => Math.hypot(center(place)[0] - x, center(place)[1] - y);
  let [best, least] = [under[0], Math.min(REACH, ...under.map(away))];
  for (const place of board.querySelectorAll(".place.legal")) {
    if (fits(place) && away(place) < least) (best = place), (least = away(place));
  }
  return best;
}

/** Ends a drag. A wrong drop lets the piece glide back. @param {PointerEvent} event @param {(place: Element) => void} click */
function drop(event, click) {
  if (!press || !event.isPrimary) return;
  const { from, moves, piece } = press;
  if (!moves) return void (press = undefined);
  if (piece && !piece.home.isConnected) return cancel();
  if (state.chosen.length === 0) state.chosen = [from];
  const to = target(event.clientX, event.clientY);
  end();
  if (to && fits(to)) {
    if (piece) putDown(piece);
    click(to);
    // More clicks are needed for this move.
    if (!state.busy) settle();
    return;
  }
  // On its own place, a piece stays chosen.
  if (to?.id !== from) state.chosen = [];
  if (to && to.id !== from && !state.status.over) hint(`${place(to)}: you can't move there.`);
  mark();
  if (piece) glideBack(piece);
}

/** Returns the name of a place: its label begins with it. @param {Element} to */
function place(to) {
  const [name = ""] = (to.getAttribute("aria-label") ?? "").split(",");
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function end() {
  press = undefined;
  swallows = true;
  setTimeout(() => (swallows = false));
  board.classList.remove("dragging");
  for (const place of board.querySelectorAll(".place.over")) place.classList.remove("over");
}

/** Gives a drag up. */
function cancel() {
  if (!press) return;
  const { moves, piece } = press;
  if (!moves) return void (press = undefined);
  end();
  if (!piece?.home.isConnected) return;
  state.chosen = [];
  mark();
  glideBack(piece);
}

/** Starts to listen to drags. @param {(place: Element) => void} click handles a click on a place */
export function start(click) {
  board.addEventListener("pointerdown", down);
  board.addEventListener("pointermove", move);
  board.addEventListener("pointerup", (event) => drop(event, click));
  board.addEventListener("pointercancel", cancel);
  board.addEventListener("click", (event) => swallows && event.stopImmediatePropagation(), true);
  // Before the board takes the key as its own.
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !press?.moves) return;
    cancel();
    event.stopImmediatePropagation();
  }, true);
  // Some browsers heed `touch-action` only outside of pictures.
  board.addEventListener("touchmove", (event) => press && event.cancelable && event.preventDefault(), { passive: false });
}
