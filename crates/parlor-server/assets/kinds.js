// @ts-check
// Kinds of moves: buttons by which a player chooses what to do before where.

import { byId, hint, setText } from "./dom.js";
import { state } from "./state.js";

/** True if a click is of the kind that is chosen. @param {import("./state.js").Click} click */
export const has = ([move]) => state.verbs.includes(move.split(":", 1)[0]);

/** Chooses the kind of a button, or none if it is chosen already. @param {HTMLElement} button */
function choose(button) {
  const verbs = (button.dataset.verbs ?? "").split(" ");
  state.verbs = verbs.join() === state.verbs.join() ? [] : verbs;
  state.chosen = [];
  hint("");
  show();
}

/** Chooses no kind. Returns true if one was chosen. */
export function drop() {
  const was = state.verbs.length > 0;
  state.verbs = [];
  show();
  return was;
}

/** Shows which kind is chosen, if it is still possible, and the buttons for its details. */
export function show() {
  if (!document.querySelector(`button[data-verbs="${state.verbs.join(" ")}"]`)) state.verbs = [];
  const chosen = state.verbs.join(" ");
  let prompt = "";
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("button[data-verbs]"))) {
    const is = button.dataset.verbs === chosen;
    button.setAttribute("aria-pressed", String(is));
    if (is) prompt = button.dataset.prompt ?? "";
  }
  for (const details of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".details[data-of]"))) {
    details.hidden = details.dataset.of !== chosen;
  }
  // A class, since styles that look for pressed buttons would be computed again with each picture of the board.
  byId("part-entry")?.classList.toggle("chooses", chosen !== "");
  setText("prompt", prompt);
}

/** Handles a click on a button of a kind. Returns true if it was one. @param {Element} target */
export function press(target) {
  const button = /** @type {HTMLElement | null} */ (target.closest("button[data-verbs], button[data-refused]"));
  if (!button || state.busy) return false;
  if (button.dataset.refused !== undefined) hint(button.dataset.refused);
  else choose(button);
  return true;
}
