// @ts-check
// A move that is shown on the board and waits to be confirmed.

import { play } from "./actions.js";
import { board, byId, placeName, setText } from "./dom.js";
import * as picture from "./picture.js";
import * as settings from "./settings.js";
import { state } from "./state.js";

const bar = /** @type {HTMLElement} */ (byId("confirm"));

/** Time after which a second press is meant, and not half of a double click, in milliseconds. */
const MEANT = 350;

/** @type {{ move: string, id: string } | undefined} */
let proposed;
let arming = 0;

/** Notes after a while that the next press is meant. */
function arm() {
  clearTimeout(arming);
  delete bar.dataset.armed;
  arming = setTimeout(() => (bar.dataset.armed = ""), MEANT);
}

/** True if every move waits for a confirmation. */
export const isWanted = () => settings.get("confirm") === "always" && "popover" in HTMLElement.prototype;

/** True while a move waits. */
export const waits = () => proposed !== undefined;

/** Shows a move, or plays it if it was shown already. @param {string} move @param {Element} place */
export function propose(move, place) {
  state.chosen = [];
  if (proposed?.move === move) return void (bar.dataset.armed !== undefined && confirm());
  drop();
  proposed = { move, id: place.id };
  arm();
  place.classList.add("proposed");
  picture.ghost(board, place.id, "aimed");
  const name = placeName(place) || move;
  setText("confirm-move", name);
  setText("say", `${name}: press Enter again or Confirm to play.`);
  bar.showPopover();
}

/** Shows the waiting move again on a picture that was replaced. */
export function renew() {
  if (!proposed) return;
  byId(proposed.id)?.classList.add("proposed");
  picture.ghost(board, proposed.id, "aimed");
}

function confirm() {
  if (!proposed) return;
  const { move, id } = proposed;
  drop();
  state.focused = id;
  play(move);
}

/** Takes the shown move back. Returns `false` if there is none. */
export function drop() {
  if (!proposed) return false;
  byId(proposed.id)?.classList.remove("proposed");
  picture.noGhost(board);
  proposed = undefined;
  bar.hidePopover();
  return true;
}

/** Starts to listen to the buttons. */
export function start() {
  bar.addEventListener("click", (event) => {
    const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("button"));
    if (button?.dataset.confirm === "yes") confirm();
    else if (button) drop();
  });
  document.addEventListener("keydown", (event) => event.key === "Escape" && drop());
}
