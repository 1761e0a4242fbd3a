// @ts-check
// Elements of the table page, and helpers to change elements only where they differ.

export const main = /** @type {HTMLElement} */ (document.querySelector("main[data-table]"));
export const board = /** @type {HTMLElement} */ (document.getElementById("board"));

/** @param {string} id */
export const byId = (id) => document.getElementById(id);

/** @param {string} id @param {string} text */
export function setText(id, text) {
  const element = byId(id);
  if (element && element.textContent !== text) element.textContent = text;
}

/** @param {Element} element @param {string} name @param {string} value */
export function setAttribute(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}
