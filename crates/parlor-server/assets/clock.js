// @ts-check
// Running clocks. The server sends their state at one moment; its present time is estimated from its answers and how long
// they took. Only the server decides that a flag has fallen: here a clock just stays at zero.

/**
 * @typedef {object} Clock
 * @property {{ initial_ms?: number, days?: number }} control
 * @property {number} [delay_ms] time from `since` on for which the running clock stands still; earlier releases send none
 * @property {number[]} left_ms time that each seat had left at `since`
 * @property {number | null} running seat whose clock runs
 * @property {number | null} since time by the server's clock
 * @property {number | null} due_at
 */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Below this, tenths of a second are shown. */
const CLOSE = 10 * SECOND;
const LOW = 20 * SECOND;

// ---- The server's time -------------------------------------------------------------------------------------------

/** Best estimate so far: the server's clock minus ours, and the maximum error. */
let offset = 0;
let maxError = Infinity;

/** Notes an answer: the server's clock said `now` between `sent` and `received` by ours. @param {number} now @param {number} sent @param {number} received */
export function sync(now, sent, received) {
  const fresh = now - (sent + received) / 2;
  const error = (received - sent) / 2 + 1;
  // A contradiction to the old estimate means that a clock was set, or that this computer slept.
  if (error <= maxError || Math.abs(fresh - offset) > error + maxError) [offset, maxError] = [fresh, error];
}

/** Returns the server's time, in milliseconds since the Unix epoch. */
export const serverNow = () => performance.now() + offset;

// ---- Formatting --------------------------------------------------------------------------------------------------

/** @param {number} n */
const two = (n) => String(n).padStart(2, "0");

/** Formats a time: "5:00", "1:02:03", "0:09.4", "2 d 4 h". @param {number} ms */
export function digits(ms) {
  const [hours, minutes, seconds] = [Math.floor(ms / HOUR), Math.floor(ms / MINUTE) % 60, Math.floor(ms / SECOND) % 60];
  if (ms >= DAY) return `${Math.floor(ms / DAY)} d ${hours % 24} h`;
  if (ms >= HOUR) return `${hours}:${two(minutes)}:${two(seconds)}`;
  return ms >= CLOSE ? `${minutes}:${two(seconds)}` : `0:${two(seconds)}.${Math.floor((ms % SECOND) / 100)}`;
}

// ---- Running clocks ----------------------------------------------------------------------------------------------

/** @type {Clock | null} */
let clock = null;
/** @type {number[]} */
let mine = [];
/** Seats whose player has been warned of low time. @type {Set<number>} */
const warned = new Set();
/** @type {(seat: number, left: number) => void} */
let warn = () => {};
let timer = 0;
/** Deadline of which the player has been warned. */
let urged = 0;
/** Last deadline that was reached, and what happens then. */
let reached = 0, ring = () => {};

/** Calls a function when a deadline on the page is reached. @param {() => void} listener */
export const onDue = (listener) => void (ring = listener);

/** Returns the time a seat has left now, in milliseconds. @param {Clock} clock @param {number} seat */
const left = (clock, seat) => Math.max(0, clock.left_ms[seat] - Math.max(0, passed(clock, seat) - (clock.delay_ms ?? 0)));

/** Returns how long a seat's running clock still stands, in milliseconds. @param {Clock} clock @param {number} seat */
const standing = (clock, seat) => (clock.running === seat ? Math.max(0, (clock.delay_ms ?? 0) - passed(clock, seat)) : 0);

/** Returns the time since a seat's running clock was last charged. @param {Clock} clock @param {number} seat */
function passed(clock, seat) {
  return clock.running === seat && clock.since !== null ? Math.max(0, serverNow() - clock.since) : 0;
}

/** True if the viewer's time has run out, as far as this page knows. */
export const isUp = () => clock !== null && clock.running !== null && mine.includes(clock.running) && left(clock, clock.running) === 0;

/** True if time is running out. @param {Clock} clock @param {number} ms */
function isLow(clock, ms) {
  const whole = clock.control.initial_ms ?? (clock.control.days ?? 1) * DAY;
  return ms < whole / 10 || ms < Math.min(LOW, whole / 3);
}

/**
 * Shows these clocks.
 * @param {Clock | null} next @param {number[]} seats seats of the viewer
 * @param {typeof warn} onLow called once when one of these seats runs low on time
 */
export function show(next, seats, onLow) {
  [clock, mine, warn] = [next, seats, onLow];
  tick();
}

/** Updates the clocks and schedules the next update. */
export function tick() {
  clearTimeout(timer);
  let wait = SECOND;
  for (const face of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-clock]"))) {
    if (!clock) break;
    const seat = Number(face.dataset.clock);
    const ms = left(clock, seat);
    const stands = standing(clock, seat);
    write(face, clock, seat, ms);
    delay(face, stands);
    if (clock.running === seat) wait = Math.min(wait, stands ? (stands % SECOND) + 5 : ms < CLOSE ? 100 : (ms % SECOND) + 5);
  }
  for (const face of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-due]"))) {
    const ms = Math.max(0, Number(face.dataset.due) - serverNow());
    put(face, digits(ms));
    urge(face, ms);
    wait = Math.min(wait, 500, ms || 500);
    const due = Number(face.dataset.due);
    if (ms > 0 || due <= reached) continue;
    reached = due;
    ring();
  }
  const idle = (!clock || clock.running === null) && !document.querySelector("[data-due]");
  if (!idle) timer = setTimeout(tick, wait);
}

/** Warns once of a game that is about to be called off. @param {HTMLElement} face @param {number} ms */
function urge(face, ms) {
  const note = face.closest("[data-urgent]");
  if (!note || ms > LOW) return;
  note.classList.add("urgent");
  const due = Number(face.dataset.due);
  if (urged !== due && mine.length > 0) warn(mine[0], ms);
  urged = due;
}

/** @param {HTMLElement} face @param {Clock} clock @param {number} seat @param {number} ms */
function write(face, clock, seat, ms) {
  const low = isLow(clock, ms) && clock.since !== null;
  put(face, digits(ms));
  face.classList.toggle("runs", clock.running === seat);
  face.classList.toggle("low", low);
  if (!low) warned.delete(seat);
  if (!low || clock.running !== seat || !mine.includes(seat) || warned.has(seat)) return;
  warned.add(seat);
  warn(seat, ms);
}

/** Shows the seconds for which a clock still stands. @param {HTMLElement} face @param {number} ms */
function delay(face, ms) {
  const text = ms ? String(Math.ceil(ms / SECOND)) : undefined;
  if (face.dataset.delay === text) return;
  if (text) face.dataset.delay = text;
  else delete face.dataset.delay;
}

/** @param {HTMLElement} element @param {string} text */
function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
