// @ts-check
// Slips: presses that meet another button than the one they were meant for, because it took the place of the first one
// just before. The second press of a double click is one.

/** Time after which whoever presses has seen the new buttons, in milliseconds. */
const SEEN = 500;
/** Way within which a pointer counts as resting, in pixels. */
const REST = 16;
const CONTROLS = ["entry", "offers", "actions", "share", "end"].map((part) => `#part-${part} :is(button, a, summary)`).join();

/** @typedef {{ at: number, x: number, y: number, there: string[] }} Change what the pointer rested on, and when that changed */

/** Changes of buttons under the pointer that may not have been seen yet. @type {Change[]} */
let changes = [];
/** Where the pointer is; negative after a key. */
let [x, y] = [-1, -1];
/** When it was pressed last. */
let pressed = 0;

/** Returns what a control does, and for whom: the title says whose turn it is. @param {Element} control */
function meaning(control) {
  const { move } = /** @type {HTMLElement} */ (control).dataset;
  const where = control.closest("form")?.getAttribute("action") ?? control.getAttribute("href");
  // Whoever wants a rematch means the same whether the other has just asked for one or not.
  if (where?.endsWith("/rematch")) return where;
  return [where, move ?? control.textContent, document.title].join(" ");
}

/** Returns what the controls under the pointer do. */
export function look() {
  const controls = x < 0 ? [] : document.elementsFromPoint(x, y).map((element) => element.closest(CONTROLS));
  return controls.filter((control) => control !== null).map(meaning);
}

/** Notes that controls have changed just now. @param {string[]} there what those under the pointer did before */
export function note(there) {
  const at = performance.now();
  changes = changes.filter((change) => at - change.at < SEEN);
  if (x >= 0) changes.push({ at, x, y, there });
}

/** True if a click came from a pointer, not from a key or a script. @param {MouseEvent} event */
const isPointed = (event) => event.isTrusted && event.detail > 0;

/** Forgets the pointer: somebody who goes on with keys has seen what changed, and a pointer left behind means nothing. */
function forget() {
  [changes, x] = [[], -1];
}

/** True if the pointer rests where it was at a change. @param {Change} change @param {MouseEvent} event */
const isNear = (change, event) => Math.hypot(change.x - event.clientX, change.y - event.clientY) < REST;

/** True if a click is a slip. @param {MouseEvent} event @param {Element} control */
function isSlip(event, control) {
  const meant = meaning(control);
  return changes.some((change) => pressed - change.at < SEEN && isNear(change, event) && !change.there.includes(meant));
}

/** Starts to watch the pointer. */
export function start() {
  for (const kind of /** @type {const} */ (["pointermove", "pointerdown"])) {
    document.addEventListener(kind, (event) => {
      if (kind === "pointerdown") pressed = event.timeStamp;
      if (!event.isPrimary) return;
      [x, y] = [event.clientX, event.clientY];
      // Whoever went elsewhere meanwhile comes back on purpose.
      changes = changes.filter((change) => isNear(change, event));
    }, true);
  }
  document.addEventListener("keydown", forget, true);
  document.addEventListener("click", (event) => {
    if (!isPointed(event)) return forget();
    const control = /** @type {Element} */ (event.target).closest(CONTROLS);
    if (!control || !isSlip(event, control)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
}
