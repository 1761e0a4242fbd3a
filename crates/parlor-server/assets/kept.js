// @ts-check
// Storage of this tab for one table, which outlives a reload of the page.

import { main } from "./dom.js";

/** @param {string} name */
const key = (name) => `${name}/${main.dataset.table}`;

/** Keeps a value, or nothing. @param {string} name @param {unknown} [value] */
export function keep(name, value) {
  try {
    if (value === undefined) sessionStorage.removeItem(key(name));
    else sessionStorage.setItem(key(name), JSON.stringify(value));
  } catch {
    // Without storage it lasts as long as the page.
  }
}

/** Returns what was kept. @param {string} name @returns {any} */
export function kept(name) {
  try {
    return JSON.parse(sessionStorage.getItem(key(name)) ?? "null");
  } catch {
    return null;
  }
}
