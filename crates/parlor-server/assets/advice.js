// @ts-check
// Advice to the players of a team: the best turns, and their ways on the board. Nobody sees it who does not ask.

import { board, byId, close, refuse, sentence, setText } from "./dom.js";
import { state } from "./state.js";
import * as ways from "./ways.js";

/** Name under which the advice shows ways on the board. */
const OWNER = "advice";

const panel = byId("advice");
/** True while an answer is awaited. */
let asks = false;

const isOpen = () => panel?.matches(":popover-open") ?? false;

/** Phones held upright, on which the panel lies over the lower edge. */
const UPRIGHT = "(max-width: 52.99rem) and (min-height: 30.01rem), (max-width: 29.99rem)";

/** Brings the map into sight: on a phone above the panel, which has the rest of the window. */
function reveal() {
  // Of a board that is wider than a phone, the part that scrolls matters.
  const map = board.querySelector("[data-sight]") ?? board;
  if (!matchMedia(UPRIGHT).matches) return map.scrollIntoView({ block: "nearest" });
  board.scrollIntoView({ block: "start" });
  panel?.style.setProperty("--below", `${Math.floor(innerHeight - map.getBoundingClientRect().bottom)}px`);
}

/** Shows the way of a turn. @param {Element} button */
function show(button) {
  for (const other of panel?.querySelectorAll("[data-trail]") ?? []) other.setAttribute("aria-pressed", String(other === button));
  const steps = /** @type {HTMLElement} */ (button).dataset.trail?.split(";") ?? [];
  ways.show(OWNER, steps.map((step) => step.split(" ")));
}

/** Closes the advice, which is out of date or was read. */
export function drop() {
  ways.clear(OWNER);
  if (!panel || !isOpen()) return;
  const hadFocus = panel.contains(document.activeElement);
  panel.hidePopover();
  if (hadFocus) /** @type {HTMLElement | null} */ (board.querySelector("[tabindex='0']"))?.focus({ preventScroll: true });
}

/** Asks, and shows the answer. @param {SubmitEvent} event */
async function ask(event) {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.matches("[data-advice]") || !panel || !("popover" in HTMLElement.prototype)) return;
  event.preventDefault();
  if (asks) return;
  asks = true;
  drop();
  close("part-actions");
  setText("underway", "The adviser is thinking …");
  const { steps } = state;
  const response = await fetch(form.action, { method: "POST", headers: { Accept: "application/json" } }).catch(() => null);
  const answer = await response?.json().catch(() => null);
  setText("underway", "");
  asks = false;
  if (!response?.ok || !answer) return refuse(sentence(answer?.detail ?? "The adviser could not be asked. Try again"));
  // It is about a position of the past.
  if (state.steps !== steps) return;
  panel.innerHTML = answer.html;
  panel.showPopover();
  reveal();
  panel.scrollTop = 0;
  const first = panel.querySelector("[data-trail]");
  if (first) show(first);
  /** @type {HTMLElement | null} */ (panel.querySelector("button"))?.focus({ preventScroll: true });
}

/** Shows the way again on a picture that was replaced. */
export const renew = ways.renew;

/** Starts to listen. */
export function start() {
  document.addEventListener("submit", ask);
  document.addEventListener("keydown", (event) => event.key === "Escape" && drop());
  panel?.addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (target.closest("[data-close]")) drop();
    const button = target.closest("[data-trail]");
    if (!button) return;
    reveal();
    show(button);
  });
}
