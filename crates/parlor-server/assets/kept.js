// @ts-check
// What this tab keeps of a table while its page is loaded again.

import { main } from "./dom.js";

/** @param {string} name */
const key = (name) => `${name}/${main.dataset.table}`;

/** Keeps a value, or nothing. @param {string} name @param {unknown} [value] */
export function keep(name, value) {
  if (value === undefined) sessionStorage.removeItem(key(name));
  else sessionStorage.setItem(key(name), JSON.stringify(value));
}

/** Returns what was kept. @param {string} name @returns {any} */
export const kept = (name) => JSON.parse(sessionStorage.getItem(key(name)) ?? "null");
