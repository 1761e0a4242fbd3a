// @ts-check
// State of the table page, shared by its modules, and the types of the server's answers.

import { board, byId, main } from "./dom.js";

/**
 * @typedef {[move: string, partial: boolean, ...path: string[]]} Click `partial` is true for a click that starts or continues a move
 * @typedef {[move: string, label: string, place: string]} Suggestion
 * @typedef {[sent: number, received: number]} Trip times of a request and its answer, by `performance.now()`
 *
 * @typedef {object} LiveStatus
 * @property {number} now the server's time
 * @property {import("./clock.js").Clock | null} clock
 * @property {number[]} seats seats of the viewer
 * @property {boolean} turn true if one of them is on turn
 * @property {boolean} asked true if the others wait for the viewer's answer to a question
 * @property {number | null} patience time for which the viewer may be away until others can claim the game, in milliseconds
 * @property {boolean} over
 * @property {string | null} next URL of the rematch
 *
 * @typedef {object} Picture
 * @property {number} version number of the table's last event
 * @property {number} step number of moves in the position shown
 * @property {number} steps number of moves played
 * @property {string} board the picture
 * @property {Click[]} clicks the available clicks
 * @property {Click[]} ahead clicks that choose a move in advance
 * @property {Suggestion[]} suggestions moves of the teammate on turn that the viewer may suggest
 * @property {number} set_up number of draws before the first move
 * @property {string[]} changed ids of places that have changed since the viewer's last move
 * @property {string | null} draft steps of an unfinished move
 * @property {string | null} back the draft without its last step
 * @property {string | null} whole the move, once the draft is complete
 * @property {string | null} dropped notice that the draft no longer fits
 * @property {string} title
 * @property {string} say the latest event, for screen readers
 * @property {Record<string, string>} parts HTML by element id
 *
 * @typedef {LiveStatus & Picture} LiveState
 *
 * @typedef {object} State
 * @property {number} version version of the table on display
 * @property {number} newest newest version announced, which may be ahead of the one on display
 * @property {number} step number of moves in the position shown
 * @property {number} steps number of moves played
 * @property {LiveStatus} status
 * @property {Click[]} clicks
 * @property {Click[]} ahead
 * @property {Suggestion[]} suggestions
 * @property {string[]} changed
 * @property {string[]} chosen ids of the places clicked so far, at the start of a click path
 * @property {string[]} verbs first words of the moves of the kind that is chosen; empty if none is
 * @property {string} focused id of the board's tab stop
 * @property {string | null} draft as in `Picture`; kept while an earlier position is shown
 * @property {string | null} back
 * @property {string | null} whole
 * @property {boolean} busy true while anything is being sent
 * @property {boolean} asks true while what a button asks for, other than a move, or a part of a move is being sent
 * @property {string[]} late ids of the places that were clicked while the page could not take clicks
 */

const [draft, back, whole] = /** @type {(string | null)[]} */ (JSON.parse(main.dataset.begun ?? "[null, null, null]"));

/** @type {State} */
export const state = {
  version: Number(main.dataset.version),
  newest: Number(main.dataset.version),
  step: Number(main.dataset.step),
  steps: Number(main.dataset.steps),
  status: JSON.parse(main.dataset.pulse ?? "{}"),
  clicks: JSON.parse(board.dataset.clicks ?? "[]"),
  suggestions: JSON.parse(byId("plan")?.dataset.suggestions ?? "[]"),
  ahead: JSON.parse(board.dataset.ahead ?? "[]"),
  changed: (board.dataset.changed ?? "").split(" "),
  chosen: [],
  verbs: [],
  focused: "",
  draft,
  back,
  whole,
  busy: false,
  asks: false,
  late: [],
};

/** True if the page shows the position after the last move. */
export const isLatest = () => state.step === state.steps;
