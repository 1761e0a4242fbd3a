// @ts-check
// The picture of a board: animates changes, previews a piece, and finds neighboring places.

/**
 * @typedef {object} Piece
 * @property {Element} element
 * @property {string} id its place
 * @property {string} from its place before the last move; the same as `id` if it did not move
 * @property {number} step the step of the last move that moved it
 * @property {[x: number, y: number]} at its center on the screen
 */

/** Duration of a piece's travel, and delay between the steps of a move, in milliseconds. */
const TRAVEL = 400, NEXT = 230;

/** The part of a board that scrolls sideways in a narrow window. The attribute names the element to keep in view. */
const WIDE = "[data-sight]";

/** @param {Element} board @returns {HTMLElement | null} */
const scroller = (board) => board.querySelector(WIDE);

/** True if arrow keys scroll this element. @param {Element} element */
export const scrolls = (element) => element.matches(WIDE) && element.scrollWidth > element.clientWidth;

/** Scrolls a board so that its element of interest is centered. @param {Element} board */
export function center(board) {
  const part = scroller(board);
  const element = document.getElementById(part?.dataset.sight ?? "");
  if (!part || !element) return;
  const [is, room] = [element.getBoundingClientRect(), part.getBoundingClientRect()];
  part.scrollLeft += is.x + is.width / 2 - (room.x + room.width / 2);
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
    for (const place of board.querySelectorAll(".place.pending")) place.classList.remove("pending");
    return;
  }
  shown.set(board, xml);
  const next = new DOMParser().parseFromString(xml, "image/svg+xml").documentElement;
  const before = pieces(board);
  const was = scroller(board);
  const aside = was?.scrollLeft ?? 0;
  board.replaceChildren(document.adoptNode(next));
  const is = scroller(board);
  if (is) is.scrollLeft = aside;
  if (animated) move(next, before);
  if (is?.dataset.sight !== was?.dataset.sight) center(board);
}

/** Animates the pieces from their old places to the new ones. @param {Element} next @param {Piece[]} before */
function move(next, before) {
  next.classList.add("fresh");
  const after = pieces(next);
  const origin = origins(before, after);
  const moved = after.filter((piece) => far(origin(piece), piece));
  const steps = [...new Set(moved.map((piece) => piece.step))].sort((one, other) => one - other);
  for (const piece of after) {
    const from = origin(piece);
    if (!from) piece.element.classList.add("enter");
    else if (far(from, piece)) travel(piece, from, NEXT * steps.indexOf(piece.step));
  }
  next.classList.toggle("moved", moved.length > 0);
  /** @type {HTMLElement} */ (next).style.setProperty("--after", `${NEXT * steps.length}ms`);
}

/** Returns the pieces of a picture. @param {Element} within @returns {Piece[]} */
function pieces(within) {
  const all = /** @type {NodeListOf<HTMLElement | SVGElement>} */ (within.querySelectorAll(".pieces > [id]"));
  return [...all].map((element) => {
    const [{ id, dataset }, box] = [element, element.getBoundingClientRect()];
    const at = /** @type {[number, number]} */ ([box.x + box.width / 2, box.y + box.height / 2]);
    return { element, id, from: dataset.from ?? id, step: Number(dataset.step ?? 0), at };
  });
}

/**
 * Matches the pieces of the new picture with those of the old one. The new picture may show the position after another move, a
 * different part of the same move, or the position before the old move: the interpretation that explains most pieces wins.
 * @param {Piece[]} before @param {Piece[]} after @returns {(piece: Piece) => Piece | undefined}
 */
function origins(before, after) {
  const ids = new Map(before.map((piece) => [piece.id, piece]));
  const froms = new Map(before.map((piece) => [piece.from, piece]));
  const ways = [
    (/** @type {Piece} */ piece) => ids.get(piece.from),
    (/** @type {Piece} */ piece) => froms.get(piece.from),
    (/** @type {Piece} */ piece) => froms.get(piece.id),
  ];
  const explained = ways.map((way) => after.filter(way).length);
  const best = explained.indexOf(Math.max(...explained));
  // Within the same move, pieces may have swapped: a piece on an occupied place stays.
  return best === 1 ? (piece) => ids.get(piece.id) ?? ways[best](piece) : ways[best];
}

/** True if a piece has visibly moved. @param {Piece | undefined} was @param {Piece} is */
const far = (was, is) => was !== undefined && Math.hypot(was.at[0] - is.at[0], was.at[1] - is.at[1]) >= 1;

/** @param {Piece} piece @param {Piece} was @param {number} delay */
function travel(piece, was, delay) {
  const drawn = /** @type {SVGElement} */ (piece.element).ownerSVGElement;
  const scale = drawn?.getScreenCTM()?.a || 1;
  const [dx, dy] = [(was.at[0] - piece.at[0]) / scale, (was.at[1] - piece.at[1]) / scale];
  const way = [{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }];
  piece.element.animate(way, { duration: TRAVEL, delay, fill: "backwards", easing: "cubic-bezier(.2,.8,.2,1)" });
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
