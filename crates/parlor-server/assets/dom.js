// @ts-check
// Elements of the table page, and helpers to change elements only where they differ.

export const main = /** @type {HTMLElement} */ (document.querySelector("main[data-table]"));
export const board = /** @type {HTMLElement} */ (document.getElementById("board"));

/** @param {string} id */
export const byId = (id) => document.getElementById(id);

/** Closes a part that lies over the page, if it does. @param {string} id */
export function close(id) {
  const part = byId(id);
  if ("popover" in HTMLElement.prototype && part?.matches(":popover-open")) part.hidePopover();
}

/** @param {string} id @param {string} text */
export function setText(id, text) {
  const element = byId(id);
  if (element && element.textContent !== text) element.textContent = text;
}

/** Time for which a refusal or a hint takes the place of the status, in milliseconds. */
const SHOWN = 6000;

let fading = 0;

/** Says in the banner why something was refused, for a while. @param {string} text */
export function refuse(text) {
  tell(text, "");
}

/** Says in the banner how to go on, for a while. @param {string} text */
export function hint(text) {
  tell("", text);
}

/** @param {string} refused @param {string} hinted */
function tell(refused, hinted) {
  setText("refused", refused);
  setText("hinted", hinted);
  clearTimeout(fading);
  if (refused || hinted) fading = setTimeout(() => tell("", ""), SHOWN);
}

/** Returns a text with a full stop, unless it has an end. @param {string} text */
const ended = (text) => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** Returns a text as a sentence. @param {string} text */
export const sentence = (text) => ended(`${text.charAt(0).toUpperCase()}${text.slice(1)}`);

/** Returns the name of a place that a move goes to. @param {Element} place */
export const placeName = (place) => (place.getAttribute("aria-label") ?? "").replace(/, empty$/, "");

/** Returns the name that is written on a place, or else the one that `placeName` returns. @param {Element} place */
export const shortName = (place) => place.querySelector(":scope > text")?.textContent || placeName(place);

/** Returns the words of the status, and of what is below it. @param {string} [below] selector of what counts of that */
export function statusWords(below = ".recent") {
  const status = byId("part-status");
  const [says, more] = [status?.querySelector(".says"), status?.querySelector(below)].map((part) => part?.textContent ?? "");
  return more ? `${ended(says)} ${more}` : says;
}

/** @param {Element} element @param {string} name @param {string} value */
export function setAttribute(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}
