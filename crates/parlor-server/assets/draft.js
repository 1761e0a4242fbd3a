// @ts-check
// Drafts: moves that are entered step by step and not yet sent. The server draws them; the page only keeps their text.

import * as alerts from "./alerts.js";
import { isLatest, state } from "./state.js";

/** Returns the query parameters of a draft that continues the latest position. @param {string} draft */
export const parameters = (draft) => ({ draft, of: String(state.steps) });

/** Keeps the draft in the page's URL, so that it survives a reload. */
export function remember() {
  const url = new URL(location.href);
  url.searchParams.delete("draft");
  url.searchParams.delete("of");
  if (state.draft && isLatest()) addTo(url.searchParams, state.draft);
  if (url.href !== location.href) history.replaceState(history.state, "", url);
}

/** Adds a draft to a form or a URL. @param {URLSearchParams} target @param {string} draft */
export function addTo(target, draft) {
  for (const [name, value] of Object.entries(parameters(draft))) target.append(name, value);
}

/** True if a complete draft is played at once. */
export const playsAtOnce = () => alerts.isOn("auto");

/** Updates the checkbox for playing complete moves at once. */
export function showSwitch() {
  const box = /** @type {HTMLInputElement | null} */ (document.querySelector("[data-auto]"));
  if (box) box.checked = playsAtOnce();
}
