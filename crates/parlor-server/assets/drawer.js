// @ts-check
// The drawer with rules, help and settings. The browser opens and closes it; here a button chooses the section, and
// Escape closes it.

import { board, byId } from "./dom.js";
import { showAll } from "./settings.js";

/** Least height that it needs beside the board, in pixels. */
const LEAST = 240;
/** Least height that it needs together with the margins around it where there is little room, in pixels. */
const LOW = 96;

const drawer = /** @type {HTMLElement} */ (byId("drawer"));
/** Button that opened the drawer last. @type {HTMLElement | null} */
let opener = null;

const isOpen = () => drawer.matches(":popover-open");

/** @param {MouseEvent} event */
function choose(event) {
  const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-drawer]"));
  const section = /** @type {HTMLDetailsElement | null} */ (byId(`drawer-${button?.dataset.drawer}`));
  if (!section) return;
  opener = button;
  section.open = true;
  // The browser shows the drawer after the click.
  setTimeout(() => isOpen() && arrive(section));
}

/** Loads what the open section lacks. */
async function fill() {
  const place = /** @type {HTMLElement | null} */ (drawer.querySelector("details[open] [data-load]"));
  const url = place?.dataset.load;
  if (!place || !url) return;
  delete place.dataset.load;
  const html = await fetch(url).then((response) => (response.ok ? response.text() : undefined)).catch(() => undefined);
  // It is asked for again when the section is opened again.
  if (html === undefined) return void (place.dataset.load = url);
  place.outerHTML = html;
  showAll();
}

const entry = byId("part-entry");

/** Returns the boxes of the bars with the buttons of the turn. */
const bars = () => [...(entry?.querySelectorAll(".entries, .entry") ?? [])].map((bar) => bar.getBoundingClientRect()).filter((box) => box.height > 0);

/** Returns the box below which the drawer begins on a phone across: of the seats or, without them, of the banner. */
function lowest() {
  const boxes = [...document.querySelectorAll("#part-seats, .banner")].map((part) => part.getBoundingClientRect());
  return boxes.find((box) => box.bottom === Math.max(...boxes.map((each) => each.bottom)));
}

/**
 * Keeps the buttons of the turn in sight: below the drawer on a phone across, unless that leaves no room for the drawer, and
 * between it and the board on one upright.
 * @param {boolean} isShown @param {number} [top] upper edge of the drawer on a phone across
 */
function makeRoomForBars(isShown, top) {
  const { classList, style } = document.body;
  const height = Math.max(0, ...bars().map((bar) => bar.height));
  classList.toggle("lays-low", top !== undefined && height > 0 && innerHeight - top - height >= LOW);
  style.removeProperty("--spare");
  if (!isShown) return style.removeProperty("--bar");
  style.setProperty("--bar", `${height}px`);
  if (top !== undefined) return;
  // Of a board that is wider than a phone, the part that scrolls matters.
  const shown = /** @type {HTMLElement} */ (board.querySelector("[data-sight]") ?? board);
  const spare = innerHeight - parseFloat(getComputedStyle(board).scrollMarginTop) - shown.offsetHeight - height;
  style.setProperty("--spare", `${Math.max(LOW, Math.floor(spare))}px`);
}

/**
 * Puts the drawer where it covers neither the board nor the banner nor the clocks: in the column beside the board, below
 * what has to stay in sight there. Where there is no such column, the page makes room for it.
 * @param {boolean} isShown true if it is open, or about to be
 */
function place(isShown) {
  const isLow = matchMedia("(max-height: 30rem)").matches;
  const box = isLow ? lowest() : byId("part-actions")?.getBoundingClientRect();
  // What asks for an answer lies over the buttons as long as the drawer is open.
  const asks = isLow ? 0 : (byId("part-offers")?.offsetHeight ?? 0);
  const isBeside = box !== undefined && isShown && box.left >= board.getBoundingClientRect().right - 1;
  makeRoomForBars(isShown, isBeside && isLow ? box.bottom : undefined);
  if (isBeside) {
    // In a low window it covers the buttons of the game rather than reach below the edge.
    const top = Math.round(Math.max(isLow ? box.bottom : Math.min(box.bottom, innerHeight - LEAST), box.top + asks));
    drawer.style.setProperty("--top", `${top + scrollY}px`);
    drawer.style.setProperty("--room", `${Math.max(LEAST, innerHeight - top)}px`);
  } else drawer.style.removeProperty("--top");
  document.body.classList.toggle("makes-room", isShown && !isBeside);
}

/** Moves the focus to a section. @param {HTMLElement} section */
function arrive(section) {
  section.querySelector("summary")?.focus({ preventScroll: true });
  if (drawer.style.getPropertyValue("--top")) return;
  // On a phone the drawer lies below the board.
  const stage = board.getBoundingClientRect();
  const top = Math.min(drawer.offsetTop, ...bars().map((bar) => bar.top));
  if (drawer.offsetTop === 0 || stage.bottom <= top) return;
  left ??= scrollY;
  board.scrollIntoView({ block: "start" });
}

/** Scroll position of the page before it made room for the drawer. @type {number | undefined} */
let left;

/** Scrolls the page back after the drawer was closed. */
function goBack() {
  if (left !== undefined) scrollTo({ top: left });
  left = undefined;
}

/** @param {KeyboardEvent} event */
function pressKey(event) {
  // Keys in the drawer scroll it; they do not step through the game.
  event.stopPropagation();
  if (event.key !== "Escape") return;
  drawer.hidePopover();
  opener?.focus();
}

/** Starts to listen to the drawer and its buttons. */
export function start() {
  if (!("popover" in HTMLElement.prototype)) return;
  document.addEventListener("click", choose);
  drawer.addEventListener("keydown", pressKey);
  drawer.addEventListener("toggle", () => (isOpen() ? fill() : goBack()), true);
  // Before it is shown, so that it covers nothing for a moment.
  drawer.addEventListener("beforetoggle", (event) => place(/** @type {ToggleEvent} */ (event).newState === "open"));
  addEventListener("resize", () => place(isOpen()));
  const asks = byId("part-offers");
  if (asks) new MutationObserver(() => place(isOpen())).observe(asks, { childList: true });
  if (entry) new MutationObserver(() => isOpen() && place(true)).observe(entry, { childList: true });
}
