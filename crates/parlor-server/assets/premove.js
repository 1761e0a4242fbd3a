// @ts-check
// A move chosen in advance, while others think. It is played when the turn comes, if it is still possible.

import { play } from "./actions.js";
import { hint, main, placeName, setText } from "./dom.js";
import { keep, kept } from "./kept.js";
import * as settings from "./settings.js";
import { isLatest, state } from "./state.js";

/** Index of the first element id in a click. */
const PATH = 2;

/** @typedef {{ move: string, id: string, steps: number }} Premove `steps` is the number of moves played when it was chosen */

/** @type {Premove | undefined} */
let chosen;

/** @param {Premove} [next] */
function choose(next) {
  chosen = next;
  keep("premove", next);
}

/** Chooses again what was chosen before the page was loaded again, unless somebody has moved since. */
export function start() {
  /** @type {Premove | null} */
  const before = kept("premove");
  const stands = before?.steps === state.steps && offered(before.id)?.[0] === before.move;
  choose(before && stands ? before : undefined);
}

/** True if moves can be chosen in advance at this table. */
export const isPossible = () => settings.get("premoves") === "on" && !main.classList.contains("lucky");

/** Returns the click that chooses a move in advance on a place. @param {string} id */
export const offered = (id) =>
  isPossible() && isLatest() && !state.busy && !state.status.turn
    ? state.ahead.find((click) => click[PATH] === id)
    : undefined;

/** True if a place has the chosen move. @param {string} id */
export const isOn = (id) => chosen?.id === id;

/** Handles a click on a place: one with another move chooses that, and any other one takes the chosen move back. @param {Element} place */
export function click(place) {
  const click = isOn(place.id) ? undefined : offered(place.id);
  if (!click) {
    if (!cancel()) return false;
    setText("say", "Move in advance taken back.");
    return true;
  }
  choose({ move: click[0], id: place.id, steps: state.steps });
  setText("say", `Move in advance: ${placeName(place)}.`);
  return true;
}

/** Takes the chosen move back. Returns `false` if there is none. */
export function cancel() {
  const had = chosen !== undefined;
  choose();
  return had;
}

/** Plays the chosen move once its turn has come. */
export function follow() {
  // Whoever took a move back wants to think again, and whoever has moved elsewhere since has thought again.
  const seats = document.querySelectorAll("#part-seats li").length;
  if (chosen && (state.steps < chosen.steps || state.steps >= chosen.steps + seats)) choose();
  if (!chosen || (!state.status.turn && !state.status.over)) return;
  const { move, id } = chosen;
  choose();
  if (state.status.over || !isLatest()) return;
  if (state.clicks.some((click) => click[0] === move && !click[1])) {
    state.focused = id;
    play(move);
  } else hint("Your turn. Your move in advance isn't possible any more.");
}
