// @ts-check
// Ways on the board: the places where the steps of a turn happen, and arrows between them.

import { board, byId } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
/** Length of an arrow's head, and room that an arrow leaves at the places it joins, in pixels: less where these are near. */
const HEAD = 11, ROOM = 9;

/** Steps on the board by the part of the page that shows them, each as the ids of its place or of the two places it joins. @type {Map<string, string[][]>} */
const shown = new Map();

/** Returns the middle of a place in the coordinates of its picture. @param {Element} place @param {DOMMatrix} matrix from those to the window's */
function middle(place, matrix) {
  const box = (place.querySelector(".cell") ?? place).getBoundingClientRect();
  return new DOMPoint(box.x + box.width / 2, box.y + box.height / 2).matrixTransform(matrix.inverse());
}

/** Returns an arrow as path data. @param {DOMPoint} start @param {DOMPoint} end @param {number} scale pixels per unit */
function arrow(start, end, scale) {
  const length = Math.hypot(end.x - start.x, end.y - start.y);
  if (length === 0) return "";
  const [room, head] = [Math.min(ROOM / scale, length / 4), Math.min(HEAD / scale, length / 3)];
  const [x, y] = [(end.x - start.x) / length, (end.y - start.y) / length];
  const tip = { x: end.x - x * room, y: end.y - y * room };
  const side = (/** @type {number} */ turn) => `${tip.x - head * (x + turn * y)} ${tip.y - head * (y - turn * x)}`;
  return `M${start.x + x * room} ${start.y + y * room}L${tip.x} ${tip.y}M${side(0.6)}L${tip.x} ${tip.y}L${side(-0.6)}`;
}

/** Draws an arrow from one place to another of the same picture. @param {Element} from @param {Element} to */
function draw(from, to) {
  const picture = /** @type {SVGElement} */ (from).ownerSVGElement;
  const matrix = picture?.getScreenCTM();
  if (!picture || !matrix || /** @type {SVGElement} */ (to).ownerSVGElement !== picture) return;
  const [start, end] = [middle(from, matrix), middle(to, matrix)];
  let d = arrow(start, end, matrix.a);
  if (/** @type {SVGElement} */ (from).dataset.across?.split(" ").includes(to.id)) {
    // It leaves the picture at one edge, which cuts it off, and comes in at the other.
    const { x, width } = picture.viewBox.baseVal;
    const over = start.x < x + width / 2 ? -width : width;
    d = arrow(start, new DOMPoint(end.x + over, end.y), matrix.a) + arrow(new DOMPoint(start.x - over, start.y), end, matrix.a);
  }
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", d);
  path.setAttribute("class", "advised-way");
  path.setAttribute("aria-hidden", "true");
  picture.append(path);
}

/** Draws all steps again, on a picture that was replaced, too. */
export function renew() {
  for (const path of board.querySelectorAll(".advised-way")) path.remove();
  for (const place of board.querySelectorAll(".advised")) place.classList.remove("advised");
  for (const step of [...shown.values()].flat()) {
    const places = step.map(byId);
    places.at(-1)?.classList.add("advised");
    const [from, to] = places;
    if (from && to) draw(from, to);
  }
}

/** Shows the steps of a turn in place of those that the same part of the page shows. @param {string} owner @param {string[][]} steps */
export function show(owner, steps) {
  shown.set(owner, steps);
  renew();
}

/** Removes the steps that a part of the page shows. @param {string} owner */
export function clear(owner) {
  if (shown.delete(owner)) renew();
}
