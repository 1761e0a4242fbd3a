// @ts-check
// Tells what has happened one step after the other, in games whose draws and moves by others come many at once.

import { main, setText, statusWords } from "./dom.js";
import { ask, pause, read, refresh, stateUrl } from "./network.js";
import { isCalm, pace } from "./settings.js";
import { isLatest, state } from "./state.js";

/** @typedef {import("./state.js").LiveState} LiveState */
/** @typedef {import("./state.js").Trip} Trip */

/** Time for each step, and for all of them at a table without and with clocks, in milliseconds. */
const STEP = 900, ALL = 9_000, HURRY = 4_000;

/** True while steps are shown one after the other. */
let tells = false;
/** Time at which the last step was shown that the viewer did not make. */
let shown = -Infinity;

/**
 * True if an answer has several steps, so that the latest position alone would not tell what happened.
 * @param {LiveState} answer @param {boolean} own true if it answers the viewer's own move
 */
export function wants(answer, own) {
  if (tells || answer.asked || isCalm() || document.hidden) return false;
  const news = answer.steps - Math.max(state.steps, answer.set_up);
  if (!isLatest() || answer.step !== answer.steps || news < 1) return false;
  return news > 1 || (!own && performance.now() < shown + STEP / pace());
}

/**
 * True if a step that is being told says that the viewer is asked something since. The step has no answers to that.
 * @param {LiveState} answer
 */
export const isInterrupted = (answer) => tells && answer.asked && !state.status.asked && answer.step !== answer.steps;

/** Notes that a step is shown. */
export function note() {
  shown = performance.now();
}

/**
 * Shows the steps after the one on display until the latest one is shown, or the viewer goes elsewhere.
 * @param {number} from number of moves in the position before the first of them
 * @param {boolean} own true if the viewer made the first of them
 * @param {(answer: LiveState, trip: Trip, asked: boolean) => void} show
 */
export async function tell(from, own, show) {
  if (tells) return;
  tells = true;
  main.classList.add("tells");
  const all = state.status.clock ? HURRY : ALL;
  let interrupted = false;
  try {
    for (let at = from, wait = own ? 0 : STEP; at < state.steps; wait = Math.min(STEP, all / (state.steps - from))) {
      const due = shown + wait / pace();
      const before = state.step;
      const { response, trip } = await ask(stateUrl(at + 1));
      await pause(due - performance.now());
      const answer = response.ok && (await read(response));
      if (state.step !== before || !answer) break;
      show(answer, trip, true);
      interrupted = isInterrupted(answer);
      if (interrupted) break;
      // News that came meanwhile make the answer stale: ask again.
      if (state.step === before && before !== at + 1) continue;
      note();
      if (state.step !== at + 1) break;
      at += 1;
    }
  } finally {
    tells = false;
    main.classList.remove("tells");
  }
  if (isLatest()) setText("say", statusWords());
  else if (!interrupted) refresh();
}
