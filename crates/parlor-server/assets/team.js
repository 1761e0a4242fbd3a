// @ts-check
// Parts that only the tables of teams need, and load: advice, plans of teammates, and the story of what has happened.

import { byId, main } from "./dom.js";

/** @type {typeof import("./advice.js") | undefined} */
export let advice;
/** @type {typeof import("./plan.js") | undefined} */
export let plan;
/** @type {typeof import("./telling.js") | undefined} */
export let telling;

/** Loads it. Modules that it needs import this one, so nothing waits for it while they begin. */
async function load() {
  [advice, plan, telling] = await Promise.all([
    byId("advice") ? import("./advice.js") : undefined,
    byId("plan") ? import("./plan.js") : undefined,
    main.dataset.tells === undefined ? undefined : import("./telling.js"),
  ]);
  advice?.start();
  plan?.start();
}

/** Fulfilled once all is there. */
export const loaded = load();
