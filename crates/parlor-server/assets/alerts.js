// @ts-check
// Alerts that call a player back to the table: the page's title and icon, sounds, and notifications, which are off until
// they are switched on.

import { hint } from "./dom.js";
import * as settings from "./settings.js";

const icon = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=icon]"));

// ---- Switch for notifications, which every browser allows or blocks by itself -------------------------------------

function wantsNotes() {
  try {
    return localStorage.getItem("parlor.notify") === "on";
  } catch {
    return false;
  }
}

/** @param {boolean} on */
function keep(on) {
  try {
    localStorage.setItem("parlor.notify", on ? "on" : "off");
  } catch {
    // Without storage the switch is off again on the next page.
  }
}

/** Activates the switches. @param {(text: string) => void} say announces a text to screen readers */
export function switches(say) {
  for (const button of document.querySelectorAll("[data-switch=notify]")) {
    const press = (/** @type {boolean} */ on) => button.setAttribute("aria-pressed", String(on));
    press(wantsNotes() && mayNotify());
    button.addEventListener("click", async () => {
      const wanted = button.getAttribute("aria-pressed") !== "true";
      const on = wanted && (await askToNotify(say));
      keep(on);
      press(on);
    });
  }
  document.addEventListener("setting", (event) => {
    const { detail } = /** @type {CustomEvent<string>} */ (event);
    if (detail === "sound" || detail === "volume") play("turn");
  });
}

// ---- Notifications -----------------------------------------------------------------------------------------------

const mayNotify = () => "Notification" in window && Notification.permission === "granted";

/** @param {(text: string) => void} say */
async function askToNotify(say) {
  if (!("Notification" in window)) return say("This browser doesn't support notifications."), false;
  const answer = Notification.permission === "default" ? await Notification.requestPermission() : Notification.permission;
  if (answer !== "granted") say("Notifications are blocked for this site. You can allow them in the browser's settings.");
  return answer === "granted";
}

/** @param {string} text */
function notify(text) {
  if (!document.hidden || !wantsNotes() || !mayNotify()) return;
  try {
    const message = new Notification(document.title.replace(/^● /, ""), { body: text, tag: location.pathname, icon: icon?.href });
    message.onclick = () => (window.focus(), message.close());
  } catch {
    // Some phones only allow notifications from installed pages.
  }
}

// ---- Sounds ------------------------------------------------------------------------------------------------------

/** Tones of each sound: start in seconds, pitch in hertz, length in seconds. @type {Record<string, [number, number, number][]>} */
const TONES = {
  move: [[0, 196, 0.09]],
  turn: [[0, 523, 0.12], [0.11, 784, 0.2]],
  low: [[0, 880, 0.08], [0.16, 880, 0.08]],
  end: [[0, 392, 0.25], [0.14, 494, 0.25], [0.28, 587, 0.5]],
};

/** @type {AudioContext | undefined} */
let audio;

/** Plays a sound unless sounds are off. @param {keyof typeof TONES} name */
export function play(name) {
  const loudness = settings.volume();
  // Browsers block sounds until the first click or key on the page.
  if (loudness === 0 || typeof AudioContext !== "function" || navigator.userActivation?.hasBeenActive === false) return;
  try {
    audio ??= new AudioContext();
  } catch {
    return; // A browser may have no sound to give.
  }
  const context = audio;
  const strike = () => {
    for (const [from, pitch, length] of TONES[name]) tone(context, context.currentTime + from, pitch, length, loudness);
  };
  if (context.state === "running") strike();
  else context.resume().then(strike, () => {});
}

/**
 * Plays one tone that fades like a strike on wood.
 * @param {AudioContext} audio @param {number} at @param {number} pitch @param {number} length @param {number} loudness
 */
function tone(audio, at, pitch, length, loudness) {
  const [voice, volume] = [audio.createOscillator(), audio.createGain()];
  voice.type = "triangle";
  voice.frequency.setValueAtTime(pitch * 1.5, at);
  voice.frequency.exponentialRampToValueAtTime(pitch, at + 0.02);
  volume.gain.setValueAtTime(0.0001, at);
  volume.gain.exponentialRampToValueAtTime(loudness, at + 0.006);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + length);
  voice.connect(volume).connect(audio.destination);
  voice.start(at);
  voice.stop(at + length);
}

// ---- Title and icon ----------------------------------------------------------------------------------------------

const FLASH_MS = 1200;
/** Time for a frame to be shown, in milliseconds. */
const FRAME = 17;
let title = document.title;
/** True while the connection is lost, so that nobody knows whose turn it is. */
let isCutOff = false;
let flashing = 0;

/** Sets the page's title. It flashes while the page is hidden and it is the player's turn. @param {string} text @param {boolean} waits */
export function name(text, waits) {
  clearInterval(flashing);
  title = text;
  showTitle();
  const href = icon?.href.replace(/icon(-turn)?\.svg/, waits ? "icon-turn.svg" : "icon.svg");
  // The browser would load it again.
  if (icon && href && icon.href !== href) icon.href = href;
  if (waits && document.hidden && !settings.isCalm()) flashing = setInterval(flash, FLASH_MS);
}

function flash() {
  document.title = document.title === title ? "● ● ●" : title;
}

/** Shows the title, or that the connection is lost. */
function showTitle() {
  const shown = isCutOff ? "Connection lost – Parlor" : title;
  if (document.title !== shown) document.title = shown;
}

/** Says in the title whether the connection is lost. @param {boolean} is */
export function cutOff(is) {
  if (is === isCutOff) return;
  isCutOff = is;
  clearInterval(flashing);
  showTitle();
}

document.addEventListener("visibilitychange", () => {
  clearInterval(flashing);
  showTitle();
});

// ---- Events ------------------------------------------------------------------------------------------------------

/**
 * Alerts the player to a change at the table.
 * @param {{ steps: number, turn: boolean, over: boolean }} was @param {{ steps: number, turn: boolean, over: boolean, say: string }} is
 */
export function changed(was, is) {
  const moved = is.steps !== was.steps;
  const sound = is.over && !was.over ? "end" : is.turn && !was.turn ? "turn" : moved ? "move" : undefined;
  // What is seen comes first. A hidden page has no frames to wait for.
  if (sound) setTimeout(() => play(sound), FRAME);
  if (sound === "end" || sound === "turn") notify(is.say);
}

/** Text for a player whose offer another one has declined, by the event. @type {Record<string, string>} */
const DECLINED = { takeback_declined: "Taking back was declined.", draw_declined: "The draw was declined." };

/**
 * Tells a player that another one has declined an offer.
 * @param {{ type: string, seat?: number }} event @param {number[]} seats those of the viewer
 */
export function heard({ type, seat = -1 }, seats) {
  if (DECLINED[type] && seats.length > 0 && !seats.includes(seat)) hint(DECLINED[type]);
}
