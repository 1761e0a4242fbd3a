// @ts-check
// Motion of pieces when one picture of a board replaces another. Pieces are matched by their ids.

/**
 * @typedef {object} Piece
 * @property {HTMLElement | SVGElement} element
 * @property {string} id its place
 * @property {string} from its place before the last move; the same as `id` if it did not move
 * @property {number} step the step of the last move that moved it
 * @property {[x: number, y: number]} at its center on the screen
 */

/** Returns the pieces of a picture. @param {Element} within @returns {Piece[]} */
export function findPieces(within) {
  const all = /** @type {NodeListOf<HTMLElement | SVGElement>} */ (within.querySelectorAll(".pieces > [id]"));
  return [...all].map((element) => {
    const [{ id, dataset }, box] = [element, element.getBoundingClientRect()];
    return { element, id, from: dataset.from ?? id, step: Number(dataset.step) || 0, at: [box.x + box.width / 2, box.y + box.height / 2] };
  });
}

/**
 * Matches the pieces of the new picture with those of the old one. The new picture may show the position after another move, a
 * different part of the same move, or the position before the old move: the interpretation that explains most pieces wins.
 * @param {Piece[]} before @param {Piece[]} after @returns {(piece: Piece) => Piece | undefined}
 */
export function matchPieces(before, after) {
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

/** True if a piece has visibly moved. @param {Piece} was @param {Piece} is */
export const hasMoved = (was, is) => Math.hypot(was.at[0] - is.at[0], was.at[1] - is.at[1]) >= 1;

/**
 * Animates a piece from its old place to the new one.
 * @param {Piece} piece @param {Piece} was @param {{ duration: number, delay: number }} timing in milliseconds
 */
export function travel(piece, was, { duration, delay }) {
  const picture = /** @type {SVGElement} */ (piece.element).ownerSVGElement;
  const scale = picture?.getScreenCTM()?.a || 1;
  const [dx, dy] = [(was.at[0] - piece.at[0]) / scale, (was.at[1] - piece.at[1]) / scale];
  const way = [{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }];
  piece.element.animate(way, { duration, delay, fill: "backwards", easing: "cubic-bezier(.2,.8,.2,1)" });
}
