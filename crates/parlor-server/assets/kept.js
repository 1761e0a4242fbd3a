// @ts-check
// Storage of this tab for each table, which outlives a reload of the page.

import { main } from "./dom.js";

/** @param {string} name @param {string} [table] */
const key = (name, table = main.dataset.table) => `${name}/${table}`;

/** Keeps a value, or nothing, for this table or another one. @param {string} name @param {unknown} [value] @param {string} [table] */
export function keep(name, value, table) {
  try {
    if (value === undefined) sessionStorage.removeItem(key(name, table));
    else sessionStorage.setItem(key(name, table), JSON.stringify(value));
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
