// @ts-check
// The picture of a board: from one to the next, the piece that would come to a place, and which place is beside which.

/**
 * @typedef {object} Piece
 * @property {Element} element
 * @property {string} id where it is
 * @property {string} from where it was before the last move; where it is, if that did not move it
 * @property {number} step with which step of the last move it went there
 * @property {[x: number, y: number]} at its middle on the screen
 */

/** How long a piece travels, and how long after one the next begins, in milliseconds. */
const TRAVEL = 400, NEXT = 230;

/** What is moved sideways under a narrow window. */
const WIDE = ".world";

/** @param {Element} board @returns {HTMLElement | null} */
const wide = (board) => board.querySelector(WIDE);

/** Whether that has the focus and is moved by arrow keys. @param {Element} element */
export const slides = (element) => element.matches(WIDE) && element.scrollWidth > element.clientWidth;

/** Moves it so that what matters on it is in its middle. @param {Element} board */
export function sight(board) {
  const what = wide(board);
  const element = document.getElementById(what?.dataset.sight ?? "");
  if (!what || !element) return;
  const [is, room] = [element.getBoundingClientRect(), what.getBoundingClientRect()];
  what.scrollLeft += is.x + is.width / 2 - (room.x + room.width / 2);
}

/** The picture that a board shows, as it came. @type {WeakMap<Element, string>} */
const shown = new WeakMap();

/**
 * Puts a new picture in place of the old one. The same picture again leaves everything where it is, also what is on its way.
 * @param {Element} board @param {string} xml SVG, or HTML with SVG in it @param {boolean} lively whether pieces travel there, told by their ids
 */
export function swap(board, xml, lively) {
  if (shown.get(board) === xml) {
    noGhost(board);
    for (const place of board.querySelectorAll(".place.pending")) place.classList.remove("pending");
    return;
  }
  shown.set(board, xml);
  const next = new DOMParser().parseFromString(xml, "image/svg+xml").documentElement;
  const before = pieces(board);
  const was = wide(board);
  const aside = was?.scrollLeft ?? 0;
  board.replaceChildren(document.adoptNode(next));
  const is = wide(board);
  if (is) is.scrollLeft = aside;
  if (lively) move(next, before);
  if (is?.dataset.sight !== was?.dataset.sight) sight(board);
}

/** Lets the pieces of a picture come from where they were. @param {Element} next @param {Piece[]} before */
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

/** The pieces of a picture. @param {Element} within @returns {Piece[]} */
function pieces(within) {
  const all = /** @type {NodeListOf<HTMLElement | SVGElement>} */ (within.querySelectorAll(".pieces > [id]"));
  return [...all].map((element) => {
    const [{ id, dataset }, box] = [element, element.getBoundingClientRect()];
    const at = /** @type {[number, number]} */ ([box.x + box.width / 2, box.y + box.height / 2]);
    return { element, id, from: dataset.from ?? id, step: Number(dataset.step ?? 0), at };
  });
}

/**
 * Tells which piece of the old picture each of the new one was. The new picture may show what came of the old one by a move, as
 * much or more or less of the same move, or what was there before the old one's move: what explains most pieces is right.
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
  // Within the same move, pieces may have been exchanged: whatever lies where something lay stays.
  return best === 1 ? (piece) => ids.get(piece.id) ?? ways[best](piece) : ways[best];
}

/** Whether a piece is seen to be elsewhere than before. @param {Piece | undefined} was @param {Piece} is */
const far = (was, is) => was !== undefined && Math.hypot(was.at[0] - is.at[0], was.at[1] - is.at[1]) >= 1;

/** @param {Piece} piece @param {Piece} was @param {number} delay */
function travel(piece, was, delay) {
  const drawn = /** @type {SVGElement} */ (piece.element).ownerSVGElement;
  const scale = drawn?.getScreenCTM()?.a || 1;
  const [dx, dy] = [(was.at[0] - piece.at[0]) / scale, (was.at[1] - piece.at[1]) / scale];
  const way = [{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }];
  piece.element.animate(way, { duration: TRAVEL, delay, fill: "backwards", easing: "cubic-bezier(.2,.8,.2,1)" });
}

/** Shows the piece that would come to a place. @param {Element} board @param {string} id @param {string} [kind] */
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

/** Takes that piece away again. @param {Element} board */
export function noGhost(board) {
  board.querySelector(".ghost")?.remove();
}

/** The nearest place in a direction. @param {Element} board @param {Element} from @param {number} right @param {number} down */
export function neighbor(board, from, right, down) {
  const center = (/** @type {Element} */ e) => {
    const box = e.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = center(from);
  let best, least = Infinity;
  for (const place of board.querySelectorAll(".place")) {
    const [px, py] = center(place);
    const along = (px - x) * right + (py - y) * down;
    const aside = Math.abs((px - x) * down) + Math.abs((py - y) * right);
    if (along > 1 && along + 3 * aside < least) (best = place), (least = along + 3 * aside);
  }
  return best;
}
