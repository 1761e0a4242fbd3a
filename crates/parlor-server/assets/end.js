// @ts-check
// The panel with the result, which opens when the game ends while the page is open, and at later visits, too, where its
// buttons are out of sight otherwise, as on a phone. It lies over the page, and what stands around the board keeps its
// height, so that nothing moves.

import { board, byId, main } from "./dom.js";
import { keep, kept } from "./kept.js";
import { isLatest, state } from "./state.js";

const panel = /** @type {HTMLElement} */ (byId("end"));
/** Parts of the page that change when a game ends. */
const STEADY = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".banner, #part-seats, #part-entry, #part-actions"));

const isOpen = () => panel.matches(":popover-open");

/**
 * Puts the buttons of the game, which may lie over the page on a phone, back into their place, which is empty for a
 * moment: nothing is seen to move there. Returns the height of that place.
 */
function putBack() {
  const buttons = byId("part-actions");
  if (!buttons?.matches(":popover-open")) return "";
  buttons.hidePopover();
  buttons.hidden = true;
  requestAnimationFrame(() => requestAnimationFrame(() => (buttons.hidden = false)));
  return buttons.parentElement?.style.getPropertyValue("--kept") ?? "";
}

/**
 * Puts the panel where the list of moves is, in the column beside the board, so that it does not lie over what people say
 * there. Where that is out of sight, or there is no such column, it stands at the lower edge of the window.
 */
function place() {
  const top = main.querySelector(".under")?.getBoundingClientRect();
  const isBeside = top && top.left >= board.getBoundingClientRect().right && !matchMedia("(max-height: 30rem)").matches;
  const isSeen = top && top.bottom >= 0 && top.bottom + panel.offsetHeight < innerHeight;
  if (isBeside && isSeen) panel.style.setProperty("--top", `${top.bottom + scrollY}px`);
  else panel.style.removeProperty("--top");
}

/** Opens the panel. The focus stays where it is. */
export function open() {
  if (!("popover" in HTMLElement.prototype) || isOpen()) return;
  const kept = putBack();
  for (const part of STEADY) part.style.minHeight = part.hidden ? kept : `${part.getBoundingClientRect().height}px`;
  panel.showPopover();
  place();
}

/** Gives the shreds of paper over the panel their places and times. */
export function scatter() {
  const shreds = /** @type {NodeListOf<HTMLElement>} */ (panel.querySelectorAll(".shreds i"));
  shreds.forEach((shred, n) => {
    shred.style.left = `${(37 * n) % 97}%`;
    shred.style.animationDelay = `${((2 * n) % 5) * 0.16}s`;
  });
}

/** True if the buttons of the game are in the window as long as nothing is scrolled. */
function hasButtonsInSight() {
  const box = byId("part-actions")?.querySelector("button, a")?.getBoundingClientRect();
  return box !== undefined && box.height > 0 && box.bottom + scrollY <= innerHeight;
}

/** Opens the panel of a game that was over before, where the buttons below the board are out of sight. */
function revisit() {
  const isPhone = matchMedia("(max-width: 52.99rem), (max-height: 30rem)").matches;
  const { over, seats } = state.status;
  // The link to a step or a part of the page asks for that.
  if ((!isPhone && hasButtonsInSight()) || !over || seats.length === 0 || !isLatest() || location.hash || kept("closed")) return;
  panel.dataset.visit = "";
  panel.showPopover();
  place();
}

function close() {
  if (!isOpen()) return;
  keep("closed", true);
  const hadFocus = panel.contains(document.activeElement);
  panel.hidePopover();
  if (hadFocus) main.focus({ preventScroll: true });
}

/** Closes the panel and shows a part of the page. @param {string} id */
export function leadTo(id) {
  close();
  byId(id)?.scrollIntoView({ block: "nearest" });
}

/** Starts to listen to what closes the panel, and opens it if it was open when the page was left. */
export function start() {
  if ("popover" in HTMLElement.prototype) revisit();
  document.addEventListener("click", (event) => {
    const closer = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-end-close]"));
    if (!closer) return;
    const { leads } = closer.dataset;
    if (!leads) return close();
    // The way back from the table is not to lead through its parts.
    event.preventDefault();
    leadTo(leads);
  });
  document.addEventListener("keydown", (event) => event.key === "Escape" && close());
  addEventListener("resize", () => {
    for (const part of STEADY) part.style.removeProperty("min-height");
    place();
  });
}
