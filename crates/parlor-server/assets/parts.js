// @ts-check
// Parts of the table page around the board, replaced with HTML from the server.

import { focus } from "./board.js";
import { board, byId, main } from "./dom.js";
import * as slips from "./slips.js";
import { state } from "./state.js";

/** HTML of each part by element id. @type {Map<string, string>} */
const drawn = new Map();
/** Parts to replace after the press: an element that moves away under the pointer would miss its click. @type {Map<string, string>} */
const held = new Map();
/** True while a button or link is pressed. */
let pressed = false;

/** Shows the parts of the page. @param {Record<string, string>} parts HTML by element id @param {string[]} there what was under the pointer */
export function show(parts, there) {
  for (const [id, html] of Object.entries(parts)) replace(id, normal(html));
  slips.note(there);
}

/** Replaces the HTML of a part of the page and keeps the focus as near as possible. @param {string} id @param {string} html */
function replace(id, html) {
  const part = byId(id);
  held.delete(id);
  if (!part || drawn.get(id) === html) return;
  if (pressed) return void held.set(id, html);
  const inside = part.contains(document.activeElement) ? document.activeElement : null;
  const action = inside?.closest("form")?.getAttribute("action");
  const keep = inside?.closest("a[data-keep]")?.getAttribute("data-keep");
  drawn.set(id, html);
  part.innerHTML = html;
  if (!inside) return;
  const same = keep && part.querySelector(`a[data-keep="${keep}"]`);
  if (same) return /** @type {HTMLElement} */ (same).focus({ preventScroll: true });
  const again = action && part.querySelector(`form[action="${action}"] button:not([hidden] *)`);
  const place = id === "part-entry" ? (board.querySelector(".place.legal") ?? byId(state.focused)) : null;
  if (place && !again && !part.querySelector("button, a[href]")) return focus(place);
  const next = again || part.querySelector(":is(button:enabled, summary, a[href]):not([hidden] *)") || main;
  /** @type {HTMLElement} */ (next).focus({ preventScroll: true });
}

/** Returns HTML as the browser serializes it. @param {string} html */
function normal(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.innerHTML;
}

/** Scrolls the move on display into view within its list, without scrolling the page. */
export function revealMove() {
  const move = byId("part-moves")?.querySelector("[aria-current]");
  const list = move?.closest(".moves");
  if (!move || !list) return;
  const [is, room] = [move.getBoundingClientRect(), list.getBoundingClientRect()];
  list.scrollTop += Math.max(0, is.bottom - room.bottom) + Math.min(0, is.top - room.top);
}

function release() {
  pressed = false;
  if (held.size === 0) return;
  const there = slips.look();
  for (const [id, html] of held) replace(id, html);
  slips.note(there);
}

/** Notes the parts that the page came with, and starts to listen to presses. */
export function start() {
  slips.start();
  for (const part of document.querySelectorAll("[id^=part-]")) drawn.set(part.id, part.innerHTML);
  document.addEventListener("pointerdown", (event) => {
    pressed = event.button === 0 && /** @type {Element} */ (event.target).closest("main :is(button, a, summary, label)") !== null;
  });
  // The click event follows the pointer's release.
  for (const end of ["pointerup", "pointercancel", "blur"]) window.addEventListener(end, () => setTimeout(release));
}
