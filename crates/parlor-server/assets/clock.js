// @ts-check
// Clocks that run on the page. The server says how they stood at a moment; what its clock says now is reckoned from its
// answers and how long they took. Who has no time left is for the server to say: here a clock stays at zero.

/**
 * @typedef {object} Clock
 * @property {{ initial_ms?: number, days?: number }} control
 * @property {number[]} left_ms what each seat had left at `since`
 * @property {number | null} running whose clock runs
 * @property {number | null} since by the server's clock
 * @property {number | null} due_at
 */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** From here on tenths are shown. */
const CLOSE = 10 * SECOND;
const LOW = 20 * SECOND;

// ---- What the server's clock says --------------------------------------------------------------------------------

/** The best reckoning so far: the server's clock minus ours, and how wrong that may be. */
let offset = 0;
let doubt = Infinity;

/** An answer came: the server's clock said `now` between `sent` and `received` by ours. @param {number} now @param {number} sent @param {number} received */
export function heard(now, sent, received) {
  const fresh = now - (sent + received) / 2;
  const wrong = (received - sent) / 2 + 1;
  // What contradicts the old reckoning shows that a clock was set, or that this computer slept.
  if (wrong <= doubt || Math.abs(fresh - offset) > wrong + doubt) [offset, doubt] = [fresh, wrong];
}

/** What the server's clock says now, in milliseconds since 1970. */
export const serverNow = () => performance.now() + offset;

// ---- How clocks are written --------------------------------------------------------------------------------------

/** @param {number} n */
const two = (n) => String(n).padStart(2, "0");

/** "5:00", "1:02:03", "0:09.4", "2 d 4 h". @param {number} ms */
export function digits(ms) {
  const [hours, minutes, seconds] = [Math.floor(ms / HOUR), Math.floor(ms / MINUTE) % 60, Math.floor(ms / SECOND) % 60];
  if (ms >= DAY) return `${Math.floor(ms / DAY)} d ${hours % 24} h`;
  if (ms >= HOUR) return `${hours}:${two(minutes)}:${two(seconds)}`;
  return ms >= CLOSE ? `${minutes}:${two(seconds)}` : `0:${two(seconds)}.${Math.floor((ms % SECOND) / 100)}`;
}

// ---- Clocks that run ---------------------------------------------------------------------------------------------

/** @type {Clock | null} */
let clock = null;
/** @type {number[]} */
let mine = [];
/** Seats whose player was told that time runs out. @type {Set<number>} */
const warned = new Set();
/** @type {(seat: number, left: number) => void} */
let warn = () => {};
let timer = 0;

/** What a seat has left now. @param {Clock} clock @param {number} seat */
function left(clock, seat) {
  const passed = clock.running === seat && clock.since !== null ? Math.max(0, serverNow() - clock.since) : 0;
  return Math.max(0, clock.left_ms[seat] - passed);
}

/** Whether time runs out. @param {Clock} clock @param {number} ms */
function isLow(clock, ms) {
  const whole = clock.control.initial_ms ?? (clock.control.days ?? 1) * DAY;
  return ms < whole / 10 || ms < Math.min(LOW, whole / 3);
}

/**
 * Shows these clocks from now on.
 * @param {Clock | null} next @param {number[]} seats the seats of the one who looks
 * @param {typeof warn} onLow is told once when such a seat runs out of time
 */
export function show(next, seats, onLow) {
  [clock, mine, warn] = [next, seats, onLow];
  tick();
}

/** Writes the clocks and waits for the next change. */
function tick() {
  clearTimeout(timer);
  let wait = SECOND;
  for (const face of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-clock]"))) {
    if (!clock) break;
    const seat = Number(face.dataset.clock);
    const ms = left(clock, seat);
    write(face, clock, seat, ms);
    if (clock.running === seat) wait = Math.min(wait, ms < CLOSE ? 100 : (ms % SECOND) + 5);
  }
  for (const face of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-due]"))) {
    put(face, digits(Math.max(0, Number(face.dataset.due) - serverNow())));
    wait = Math.min(wait, 500);
  }
  const idle = (!clock || clock.running === null) && !document.querySelector("[data-due]");
  if (!idle) timer = setTimeout(tick, wait);
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

/** @param {HTMLElement} element @param {string} text */
function put(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
