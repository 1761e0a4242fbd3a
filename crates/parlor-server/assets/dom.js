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

/** Time for which a refusal takes the place of the status, in milliseconds. */
const REFUSAL = 6000;

let fading = 0;

/** Says in the banner what is not possible, for a while. @param {string} text */
export function refuse(text) {
  setText("refused", text);
  clearTimeout(fading);
  if (text) fading = setTimeout(() => setText("refused", ""), REFUSAL);
}

/** @param {Element} element @param {string} name @param {string} value */
export function setAttribute(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}
