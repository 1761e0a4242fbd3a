// @ts-check
// Drafts: moves that are entered step by step and not yet sent. The server draws them; the page only keeps their text.

import { main } from "./dom.js";
import * as settings from "./settings.js";
import { isLatest, state } from "./state.js";

/** Returns the query parameters of a draft that continues the latest position. @param {string} draft */
export const parameters = (draft) => ({ draft, of: String(state.steps) });

/** Keeps the step on display and the draft in the page's URL, so that they survive a reload. Steps that are being told pass by. */
export function remember() {
  const url = new URL(location.href);
  for (const name of ["step", "draft", "of"]) url.searchParams.delete(name);
  const passes = main.classList.contains("tells");
  if (!isLatest() && !passes) url.searchParams.set("step", String(state.step));
  else if (isLatest() && state.draft) addTo(url.searchParams, state.draft);
  if (url.href !== location.href) history.replaceState(history.state, "", url);
}

/** Adds a draft to a form or a URL. @param {URLSearchParams} target @param {string} draft */
export function addTo(target, draft) {
  for (const [name, value] of Object.entries(parameters(draft))) target.append(name, value);
}

/** True if a complete draft is played at once. */
export const playsAtOnce = () => settings.get("confirm") === "never";

/** Updates the checkboxes for playing complete moves at once. */
export function showSwitch() {
  for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[data-auto]"))) {
    box.checked = playsAtOnce();
  }
}
