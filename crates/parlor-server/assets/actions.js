// @ts-check
// What a viewer can do at the table: enter and play moves, send forms, and step through the game.

import * as board from "./board.js";
import { byId, hint, refuse, sentence, setText } from "./dom.js";
import * as draft from "./draft.js";
import { ANSWER, ask, askOnce, draftUrl, lag, playUrl, read, refresh, stateUrl } from "./network.js";
import { isLatest, state } from "./state.js";
import { show } from "./update.js";

/** Starts or continues a move, or takes back a part of it. @param {string} wanted the new draft */
export async function begin(wanted) {
  // Clicks that come meanwhile are made afterwards.
  state.busy = state.asks = true;
  board.mark();
  const { response, trip } = await ask(draftUrl(wanted));
  const answer = response.ok && (await read(response));
  state.busy = state.asks = false;
  refuse("");
  if (answer) show(answer, trip, true);
  else await refresh();
  if (state.whole && isLatest()) {
    if (draft.playsAtOnce() && state.clicks.length === 0) return play(state.whole);
    /** @type {HTMLElement | null} */ (document.querySelector("#part-entry button.main"))?.focus({ preventScroll: true });
  }
  if (state.newest > state.version) await refresh();
  clickLate();
}

/** Returns a new id, under which a move can be sent again until the server answers. */
const newId = () => [...crypto.getRandomValues(new Uint8Array(12))].map((b) => b.toString(16).padStart(2, "0")).join("");

/** Plays a move. @param {string} move */
export async function play(move) {
  state.busy = true;
  board.showPending();
  // The server works on it while the board is marked.
  const played = post(playUrl(), new URLSearchParams({ move, version: String(state.version) }));
  board.mark();
  await played;
}

/** What counts each time that it is done, and so is done only at the version for which it was asked. */
const PINNED = /\/(takeback|give-time)$/;

/** Status of an action that the state of the table does not allow. */
const CONFLICT = 409;

/** True while a move is on its way. */
let plays = false;

export const isPlaying = () => plays;

/** Sends a form and shows the result. Ignores a second press of the button that plays a move. @param {string} url @param {URLSearchParams} body */
export async function post(url, body) {
  const isMove = body.has("move");
  if (isMove && plays) return;
  plays ||= isMove;
  if (isMove) setText("underway", "Sending your move …");
  const isPinned = PINNED.test(url);
  if (isPinned) body.append("version", String(state.version));
  const seen = Number(body.get("version") ?? state.version);
  const { steps, status } = state;
  // News of this action may arrive before its answer. Asked for by themselves, they would drop the draft that is being played.
  state.busy = true;
  state.asks = !isMove;
  if (isMove && !body.has("id")) body.append("id", newId());
  if (isMove) body.append("lag_ms", String(lag()));
  // Other actions keep the draft.
  if (state.draft && !isMove && !body.has("draft")) draft.addTo(body, state.draft);
  // A move has an id, and is played once however often it is sent.
  const { response, trip } = isMove ? await ask(url, { method: "POST", body }, ANSWER) : await askOnce(url, body);
  const answer = response && (await read(response));
  if (isMove) plays = false;
  state.busy = false;
  state.asks = false;
  state.chosen = [];
  if (!response) {
    await refresh();
    hint("The connection was lost for a moment. This is how the table stands now.");
  } else if (!answer) {
    state.late = [];
    board.hidePending();
    await refresh();
    refuse("Something between you and the server has answered for it. See whether it was done.");
    board.mark();
  } else if (response.ok) {
    refuse("");
    show(answer, trip, isLatest());
  } else {
    // They were meant for another position.
    state.late = [];
    board.hidePending();
    state.newest = Math.max(state.newest, answer.current ?? 0);
    if (response.status === CONFLICT) await refresh();
    const isGone = response.status === CONFLICT && !isMove && !document.querySelector(`form[action="${new URL(url).pathname}"]`);
    // Nobody does wrong who presses what the page still showed.
    if (state.status.over) refuse("");
    else if (isGone && url.endsWith("/claim")) hint("The player is back, so nothing can be claimed.");
    else if (isGone) refuse("");
    else if (isPinned && answer.current > seen) hint("The table has just changed. Press again if you still want that.");
    else if (isMove && hasMoved(steps, status)) hint("You have moved in another window.");
    else if (answer.current > seen || state.version > seen) hint("The table had just changed, so nothing was done.");
    else refuse(sentence(answer.detail ?? "That didn't work"));
    if (response.status !== CONFLICT) await refresh();
    board.mark();
  }
  setText("underway", "");
  if (state.newest > state.version) await refresh();
  clickLate();
}

/**
 * True if the viewer, who was on turn, has moved since in another window: the turn has passed on, or nobody else plays.
 * @param {number} steps @param {import("./state.js").LiveStatus} was those seen before
 */
function hasMoved(steps, was) {
  const isAlone = was.seats.length === document.querySelectorAll("#part-seats li").length;
  return was.turn && state.steps > steps && (isAlone || !state.status.turn);
}

/** Makes the clicks that had to wait until what was asked for was done, until one of them asks for something again. */
function clickLate() {
  while (state.late.length > 0 && !state.busy) {
    byId(state.late.shift() ?? "")?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  }
}

/** Step that was asked for last and is not shown yet. @type {number | undefined} */
let sought;

/** Returns the step that will be shown once all answers have come. */
export const soughtStep = () => sought ?? state.step;

/** Shows the position after a number of moves. @param {number} wanted */
export async function goTo(wanted) {
  const step = Math.max(0, Math.min(wanted, state.steps));
  sought = step;
  const { response, trip } = await ask(stateUrl(step));
  const answer = response.ok && (await read(response));
  // Another step was asked for meanwhile.
  if (sought !== step) return;
  sought = undefined;
  if (answer) show(answer, trip, true);
}
