// @ts-check
// Shows the server's answers on the table page.

import { goTo } from "./actions.js";
import * as alerts from "./alerts.js";
import * as board from "./board.js";
import * as clocks from "./clock.js";
import * as confirm from "./confirm.js";
import { close, hint, refuse, setText } from "./dom.js";
import * as draft from "./draft.js";
import * as end from "./end.js";
import * as kinds from "./kinds.js";
import { listen, pause, refresh } from "./network.js";
import * as parts from "./parts.js";
import * as premove from "./premove.js";
import * as slips from "./slips.js";
import { isLatest, state } from "./state.js";
import { advice, plan, telling } from "./team.js";

/** True while a running analysis is polled. */
let polls = false;

/**
 * Shows an answer of the server, unless a newer one is on display.
 * @param {import("./state.js").LiveState} answer @param {import("./state.js").Trip} trip @param {boolean} [asked] true if this step was requested
 */
export function show(answer, trip, asked = false) {
  clocks.sync(answer.now, ...trip);
  if (answer.version < state.version) return;
  // Whoever is asked sees what it is about, and all answers to it, at once. The rest is in the recap.
  if (telling?.isInterrupted(answer)) return void goTo(state.steps);
  const following = isLatest();
  const there = slips.look();
  if (answer.steps !== state.steps || answer.over) {
    advice?.drop();
    confirm.drop();
    plan?.follow();
    hint("");
  }
  const was = { ...state.status, steps: state.steps };
  const isNew = answer.version > state.version;
  state.version = answer.version;
  state.newest = Math.max(state.newest, state.version);
  if (telling?.wants(answer, asked)) {
    const from = Math.max(state.steps, answer.set_up);
    state.steps = answer.steps;
    // The end is shown once it has been told.
    const before = { ...answer, over: false };
    if (isNew) alerts.changed(was, before);
    if (!answer.over) alerts.name(answer.title, answer.turn);
    showStatus(before);
    telling.tell(from, asked, show);
    return;
  }
  if (answer.steps > state.steps && !asked) telling?.note();
  if (asked || following || answer.step === state.step) {
    state.step = answer.step;
    state.clicks = answer.clicks;
    state.ahead = answer.ahead;
    state.suggestions = answer.suggestions;
    state.changed = answer.changed;
    state.chosen = [];
    // What others do leaves the kind of move that is chosen.
    if (asked) state.verbs = [];
    if (answer.step === answer.steps) {
      state.draft = answer.draft;
      state.back = answer.back;
      state.whole = answer.whole;
    }
    board.draw(answer.board);
  }
  state.steps = answer.steps;
  if (answer.dropped) refuse(answer.dropped);
  draft.remember();
  const ends = answer.over && !state.status.over;
  if (isNew || ends) alerts.changed(was, answer);
  if (ends) end.open();
  parts.show(answer.parts, there);
  kinds.show();
  if (ends) end.scatter();
  draft.showSwitch();
  parts.revealMove();
  alerts.name(answer.title, answer.turn);
  // A player goes along to a rematch agreed on while this page is open; a visit later stays here.
  const goes = answer.next && !state.status.next && answer.seats.length > 0;
  showStatus(answer);
  premove.follow();
  board.mark();
  confirm.renew();
  (plan ?? advice)?.renew();
  if (answer.say) setText("say", answer.say);
  followAnalysis();
  if (goes && answer.next) location.assign(answer.next);
}

/** Updates clocks and alerts. @param {import("./state.js").LiveStatus} status */
export function showStatus(status) {
  const sat = status.seats.length !== state.status.seats.length;
  // The way back is below the buttons of those who play.
  if (status.seats.length < state.status.seats.length) close("part-actions");
  state.status = status;
  // After sitting down, a new connection identifies the player.
  if (sat) listen();
  clocks.show(status.clock, status.seats, (_, left) => {
    setText("say", `${Math.ceil(left / 1000)} seconds left.`);
    alerts.play("low");
  });
}

const isPending = () => document.querySelector("#part-analysis [data-pending]") !== null;

/** Polls a running analysis at growing intervals. */
export async function followAnalysis() {
  if (polls || !isPending()) return;
  polls = true;
  for (let wait = 300; isPending(); wait = Math.min(1.5 * wait, 5000)) {
    await pause(wait);
    await refresh();
  }
  polls = false;
  setText("say", "The analysis is ready.");
}
