// @ts-check
// The picture of a board: from one to the next, the piece that would come to a place, and which place is beside which.

/**
 * Puts a new picture in place of the old one.
 * @param {Element} board @param {string} svg @param {boolean} lively whether pieces travel there, told by their ids
 */
export function swap(board, svg, lively) {
  const next = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  const before = new Map();
  for (const piece of board.querySelectorAll(".pieces > [id]")) before.set(piece.id, piece.getBoundingClientRect());
  board.replaceChildren(document.adoptNode(next));
  if (!lively) return;
  next.classList.add("fresh");
  for (const piece of next.querySelectorAll(".pieces > [id]")) arrive(board, piece, before.get(piece.id));
}

/** @param {Element} board @param {Element} piece @param {DOMRect | undefined} was */
function arrive(board, piece, was) {
  if (!was) return piece.classList.add("enter");
  const is = piece.getBoundingClientRect();
  const [dx, dy] = [was.x - is.x, was.y - is.y];
  if (Math.hypot(dx, dy) < 1) return;
  const scale = (board.querySelector("svg")?.getScreenCTM()?.a ?? 1) || 1;
  const from = { transform: `translate(${dx / scale}px, ${dy / scale}px)` };
  piece.animate([from, { transform: "none" }], { duration: 350, easing: "cubic-bezier(.2,.8,.2,1)" });
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
