// @ts-check
// Explanations of numbers, shown beside what the pointer, a tap or the focus is on.

import { byId } from "./dom.js";

const box = /** @type {HTMLElement} */ (byId("hint"));
/** Distance to the element and to the edges of the window, in pixels. */
const SPACE = 6;

/**
 * Returns the element that explains another: itself, or the heading of its row, its column or its line.
 * @param {EventTarget | null} target @returns {HTMLElement | null}
 */
function explainer(target) {
  if (!(target instanceof Element) || !target.closest(".analysis")) return null;
  const cell = /** @type {HTMLTableCellElement | null} */ (target.closest("td"));
  const row = cell?.parentElement?.querySelector("th [data-hint]");
  const column = cell?.closest("table")?.tHead?.rows[0].cells[cell.cellIndex]?.querySelector("[data-hint]");
  const line = target.closest("dl > div, .verdict, .luck")?.querySelector("[data-hint]");
  return /** @type {HTMLElement | null} */ (target.closest("[data-hint]") ?? row ?? column ?? line ?? null);
}

/** Shows the explanation of an element at this element. @param {EventTarget | null} target */
function show(target) {
  const source = explainer(target);
  if (!source) return hide();
  const at = /** @type {Element} */ (target).getBoundingClientRect();
  box.textContent = source.dataset.hint ?? "";
  if (!box.matches(":popover-open")) box.showPopover();
  source.setAttribute("aria-describedby", box.id);
  const size = box.getBoundingClientRect();
  const left = Math.min(Math.max(SPACE, at.left), innerWidth - size.width - SPACE);
  const below = at.bottom + SPACE;
  const top = below + size.height > innerHeight ? at.top - size.height - SPACE : below;
  box.style.left = `${left}px`;
  box.style.top = `${Math.max(SPACE, top)}px`;
}

function hide() {
  box.hidePopover();
}

/** Starts to listen. */
export function start() {
  if (!("popover" in HTMLElement.prototype)) return;
  document.addEventListener("pointerover", (event) => event.pointerType === "mouse" && show(event.target));
  document.addEventListener("click", (event) => show(event.target));
  document.addEventListener("focusin", (event) => show(event.target));
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
  addEventListener("scroll", hide, { capture: true, passive: true });
}
