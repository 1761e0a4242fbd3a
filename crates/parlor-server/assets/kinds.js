// @ts-check
// Kinds of moves: buttons by which a player chooses what to do before where.

import { byId, hint, setText } from "./dom.js";
import { isCalm } from "./settings.js";
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
  markEnds();
}

/** Rows of buttons that are pushed to the side where there is no room for all. */
const ROWS = ".kinds, .details:not([hidden])";

/** Marks the rows that go on beyond an edge. */
function markEnds() {
  for (const row of byId("part-entry")?.querySelectorAll(ROWS) ?? []) {
    row.classList.toggle("goes-left", row.scrollLeft > 1);
    row.classList.toggle("goes-right", row.scrollWidth - row.clientWidth - row.scrollLeft > 1);
  }
}

/** Pushes a row on where a sign says that it goes on. The sign is no element, and so is clicked as the row. @param {MouseEvent} event */
function push({ target, clientX }) {
  if (!(target instanceof Element) || !target.matches(ROWS)) return;
  const { left, right, width } = target.getBoundingClientRect();
  const way = 2 * clientX < left + right ? -1 : 1;
  if (target.classList.contains(way < 0 ? "goes-left" : "goes-right"))
    target.scrollBy({ left: 0.7 * way * width, behavior: isCalm() ? "auto" : "smooth" });
}

/** Starts to follow the rows of buttons as they are pushed to the side. */
export function start() {
  byId("part-entry")?.addEventListener("click", push);
  document.addEventListener("scroll", ({ target }) => target instanceof Element && target.matches(ROWS) && markEnds(), { capture: true, passive: true });
  addEventListener("resize", markEnds);
  markEnds();
}

/** Handles a click on a button of a kind. Returns true if it was one. @param {Element} target */
export function press(target) {
  const button = /** @type {HTMLElement | null} */ (target.closest("button[data-verbs], button[data-refused]"));
  if (!button || state.busy) return false;
  if (button.dataset.refused !== undefined) hint(button.dataset.refused);
  else choose(button);
  return true;
}
