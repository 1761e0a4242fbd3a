// @ts-check
// The picture of a board: animates changes, previews a piece, and finds neighboring places.

import { settle } from "./carry.js";
import { keep, kept } from "./kept.js";
import { findPieces, hasMoved, matchPieces, travel } from "./pieces.js";
import { pace } from "./settings.js";

/** Duration of a piece's travel, and delay between the steps of a move, in milliseconds. */
const TRAVEL = 400, NEXT = 230;

/** The part of a board that scrolls sideways in a narrow window. The attribute names the element to keep in view. */
const WIDE = "[data-sight]";

/** @param {Element} board @returns {HTMLElement | null} */
const scroller = (board) => board.querySelector(WIDE);

/** True if arrow keys scroll this element. @param {Element} element */
export const scrolls = (element) => element.matches(WIDE) && element.scrollWidth > element.clientWidth;

/** Shows a wide board as near as before the page was loaded again. @param {Element} board */
export function start(board) {
  if (kept("near")) scroller(board)?.classList.add("near");
  center(board);
}

/** Scrolls a board so that its element of interest is centered. @param {Element} board */
export function center(board) {
  const part = scroller(board);
  const element = document.getElementById(part?.dataset.sight ?? "");
  if (!part || !element) return;
  const is = element.getBoundingClientRect();
  bring(part, is.x + is.width / 2, is.y + is.height / 2);
}

/** Scrolls a point of the window into the middle. @param {HTMLElement} part @param {number} x @param {number} y */
function bring(part, x, y) {
  const room = part.getBoundingClientRect();
  part.scrollLeft += x - (room.x + room.width / 2);
  part.scrollTop += y - (room.y + room.height / 2);
}

/** True if a wide board is shown whole, and can be shown near. @param {Element} board */
export const isWhole = (board) => (board.querySelector("[data-zoom]")?.checkVisibility() ?? false) && !scroller(board)?.classList.contains("near");

/**
 * Shows a wide board near, around a point of the window or the element of interest, or whole again.
 * @param {Element} board @param {{ x: number, y: number }} [at]
 */
export function zoom(board, at) {
  const part = scroller(board);
  const map = part?.firstElementChild;
  if (!part || !map) return;
  const was = map.getBoundingClientRect();
  const near = part.classList.toggle("near");
  keep("near", near || undefined);
  if (!near || !at) return center(board);
  const is = map.getBoundingClientRect();
  bring(part, is.x + ((at.x - was.x) / was.width) * is.width, is.y + ((at.y - was.y) / was.height) * is.height);
}

/** Shows a wide board whole if it is shown near, and no place in sight can be clicked. @param {Element} board */
export function reveal(board) {
  const part = scroller(board);
  const room = part?.getBoundingClientRect();
  const legal = [...(part?.querySelectorAll(".place.legal") ?? [])].map((place) => place.getBoundingClientRect());
  if (!part?.classList.contains("near") || !room || legal.length === 0) return;
  const isSeen = (/** @type {DOMRect} */ box) => box.right > room.left && box.left < room.right && box.bottom > room.top && box.top < room.bottom;
  if (legal.some(isSeen)) return;
  part.classList.remove("near");
  keep("near");
}

/** Source of the picture that a board shows. @type {WeakMap<Element, string>} */
const shown = new WeakMap();

/**
 * Replaces the picture. The same picture again leaves everything in place, including running animations.
 * @param {Element} board @param {string} xml SVG, or HTML with SVG in it @param {boolean} animated true if pieces travel, matched by their ids
 */
export function swap(board, xml, animated) {
  if (shown.get(board) === xml) {
    noGhost(board);
    settle();
    for (const place of board.querySelectorAll(".place.pending")) place.classList.remove("pending");
    return;
  }
  shown.set(board, xml);
  const next = new DOMParser().parseFromString(xml, "image/svg+xml").documentElement;
  const before = findPieces(board);
  const was = scroller(board);
  const unfolded = [...board.querySelectorAll("details[open]")].map((part) => /** @type {HTMLElement} */ (part).dataset.open);
  const near = was?.classList.contains("near") ?? false;
  const [aside, down] = [was?.scrollLeft ?? 0, was?.scrollTop ?? 0];
  board.replaceChildren(document.adoptNode(next));
  for (const part of /** @type {NodeListOf<HTMLDetailsElement>} */ (board.querySelectorAll("details"))) {
    part.open ||= unfolded.includes(part.dataset.open);
  }
  const is = scroller(board);
  if (is) {
    is.classList.toggle("near", near);
    [is.scrollLeft, is.scrollTop] = [aside, down];
  }
  if (animated) move(next, before);
  if (animated && pace() !== 1) hurry(next);
  if (is?.dataset.sight !== was?.dataset.sight) center(board);
}

/** Animates the pieces from their old places to the new ones. @param {Element} next @param {import("./pieces.js").Piece[]} before */
function move(next, before) {
  next.classList.add("fresh");
  const after = findPieces(next);
  const originOf = matchPieces(before, after);
  const moved = after.filter((piece) => {
    const origin = originOf(piece);
    return origin && hasMoved(origin, piece);
  });
  const steps = [...new Set(moved.map((piece) => piece.step))].sort((one, other) => one - other);
  for (const piece of after) {
    const origin = originOf(piece);
    if (!origin) piece.element.classList.add("enter");
    else if (hasMoved(origin, piece)) travel(piece, origin, { duration: TRAVEL / pace(), delay: (NEXT / pace()) * steps.indexOf(piece.step) });
  }
  next.classList.toggle("moved", moved.length > 0);
  /** @type {HTMLElement} */ (next).style.setProperty("--after", `${(NEXT / pace()) * steps.length}ms`);
}

/** Speeds up what the style sheets animate. @param {Element} picture */
function hurry(picture) {
  for (const animation of picture.getAnimations({ subtree: true })) {
    if (animation instanceof CSSAnimation) animation.playbackRate = pace();
  }
}

/** Previews the piece that a move would put on a place. @param {Element} board @param {string} id @param {string} [kind] */
export function ghost(board, id, kind = "") {
  noGhost(board);
  const svg = board.querySelector("svg");
  const place = /** @type {SVGGraphicsElement | null} */ (/** @type {unknown} */ (document.getElementById(id)));
  if (!svg?.dataset.piece || !place) return;
  const box = place.getBBox();
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#${svg.dataset.piece}`);
  use.setAttribute("x", String(box.x + box.width / 2));
  use.setAttribute("y", String(box.y + box.height / 2));
  use.setAttribute("class", `ghost ${kind}`);
  svg.append(use);
}

/** Removes the preview. @param {Element} board */
export function noGhost(board) {
  board.querySelector(".ghost")?.remove();
}

/** Returns the nearest place in a direction. @param {Element} board @param {Element} from @param {number} right @param {number} down */
export function neighbor(board, from, right, down) {
  const middle = (/** @type {Element} */ e) => {
    const box = e.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = middle(from);
  let best, least = Infinity;
  for (const place of board.querySelectorAll(".place")) {
    const [px, py] = middle(place);
    const along = (px - x) * right + (py - y) * down;
    const aside = Math.abs((px - x) * down) + Math.abs((py - y) * right);
    if (along > 1 && along + 3 * aside < least) (best = place), (least = along + 3 * aside);
  }
  return best;
}
