// @ts-check
// A piece that is carried over the board by a pointer.

import { findPieces } from "./pieces.js";
import { isCalm, pace } from "./settings.js";

/**
 * @typedef {object} Carried
 * @property {HTMLElement | SVGElement} home the piece itself
 * @property {HTMLElement | SVGElement} moving what follows the pointer: a copy above everything else in a picture, or the piece itself
 * @property {number} scale pixels per unit of the picture
 * @property {[x: number, y: number]} at center of the piece on its place
 */

/** Duration of the way back from a wrong place, in milliseconds. */
const BACK = 220;

/** The piece that was last put down, until the picture shows it there. @type {Carried | undefined} */
let down;

/** Returns the center of an element. @param {Element} element @returns {[x: number, y: number]} */
export function center(element) {
  const box = element.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

/** Returns the piece on a place: the place itself, or the one under its mark. @param {Element} board @param {Element} place */
function pieceOn(board, place) {
  if (place.matches(".pieces > [id]")) return /** @type {SVGElement} */ (place);
  const [x, y] = center(place.querySelector(".mark") ?? place);
  let best, least = Infinity;
  for (const { element, at } of findPieces(board)) {
    const away = Math.hypot(at[0] - x, at[1] - y);
    if (away < least) (best = element), (least = away);
  }
  return best && least <= best.getBoundingClientRect().width / 2 ? best : undefined;
}

/** Copies a piece to the top of its picture. @param {SVGElement} home @param {SVGSVGElement} picture */
function raise(home, picture) {
  const layer = /** @type {Element} */ (/** @type {Element} */ (home.parentElement).cloneNode(false));
  const copy = /** @type {SVGElement} */ (home.cloneNode(true));
  for (const name of ["id", "role", "tabindex", "aria-label"]) copy.removeAttribute(name);
  copy.classList.remove("place", "legal", "plays", "chosen");
  layer.classList.add("carried");
  layer.setAttribute("aria-hidden", "true");
  layer.append(copy);
  picture.append(layer);
  return copy;
}

/** Lifts the piece on a place, if there is one. @param {Element} board @param {Element} place @returns {Carried | undefined} */
export function lift(board, place) {
  const home = pieceOn(board, place);
  if (!home) return undefined;
  const picture = home instanceof SVGElement ? home.ownerSVGElement : null;
  const at = center(home);
  const moving = picture ? raise(/** @type {SVGElement} */ (home), picture) : home;
  home.classList.add("lifted");
  return { home, moving, scale: picture?.getScreenCTM()?.a || 1, at };
}

/** Moves the center of a piece to a point. @param {Carried} piece @param {number} x @param {number} y */
export function moveTo({ moving, scale, at }, x, y) {
  moving.style.translate = `${(x - at[0]) / scale}px ${(y - at[1]) / scale}px`;
}

/** Puts a piece down where it is, until `settle` is called or another picture takes it from there. @param {Carried} piece */
export function putDown(piece) {
  piece.home.style.translate = piece.moving.style.translate;
  clear(piece);
  down = { ...piece, moving: piece.home };
}

/** Lets the piece that was put down glide to its place if the picture has not changed. */
export function settle() {
  if (down?.home.isConnected) glideBack(down);
  down = undefined;
}

/** Lets a piece glide back to its place. @param {Carried} piece */
export function glideBack(piece) {
  const { moving } = piece;
  const way = [{ translate: moving.style.translate || "0px" }, { translate: "0px" }];
  moving.style.translate = "";
  if (isCalm()) return clear(piece);
  moving.animate(way, { duration: BACK / pace(), easing: "ease-out" }).finished.then(() => clear(piece), () => clear(piece));
}

/** Removes the copy. @param {Carried} piece */
function clear({ home, moving }) {
  home.classList.remove("lifted");
  if (moving !== home) moving.parentElement?.remove();
}
