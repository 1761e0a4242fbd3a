// @ts-check
// Alerts that call a player back to the table: the page's title and icon, sounds and notifications. Sounds and
// notifications are off until they are switched on.

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const icon = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=icon]"));

// ---- Switches ----------------------------------------------------------------------------------------------------

/** @param {string} name */
export function isOn(name) {
  try {
    return localStorage.getItem(`parlor.${name}`) === "on";
  } catch {
    return false;
  }
}

/** @param {string} name @param {boolean} on */
export function setSwitch(name, on) {
  try {
    localStorage.setItem(`parlor.${name}`, on ? "on" : "off");
  } catch {
    // Without storage the switch is off again on the next page.
  }
}

/** @param {HTMLElement} button @param {boolean} on */
function press(button, on) {
  button.setAttribute("aria-pressed", String(on));
}

/** Activates the switches. @param {(text: string) => void} say announces a text to screen readers */
export function switches(say) {
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-switch]"))) {
    const name = button.dataset.switch ?? "";
    press(button, isOn(name) && (name !== "notify" || mayNotify()));
    button.addEventListener("click", async () => {
      const wanted = button.getAttribute("aria-pressed") !== "true";
      const on = wanted && (name !== "notify" || (await askToNotify(say)));
      setSwitch(name, on);
      press(button, on);
      if (on && name === "sound") play("turn");
    });
  }
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
  if (!document.hidden || !isOn("notify") || !mayNotify()) return;
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

/** Plays a sound if sounds are switched on. @param {keyof typeof TONES} name */
export function play(name) {
  if (!isOn("sound") || !("AudioContext" in window)) return;
  audio ??= new AudioContext();
  // Browsers block sounds until the first click on the page.
  if (audio.state === "suspended") audio.resume().catch(() => {});
  for (const [from, pitch, length] of TONES[name]) tone(audio, audio.currentTime + from, pitch, length);
}

/** Plays one tone that fades like a strike on wood. @param {AudioContext} audio @param {number} at @param {number} pitch @param {number} length */
function tone(audio, at, pitch, length) {
  const [voice, volume] = [audio.createOscillator(), audio.createGain()];
  voice.type = "triangle";
  voice.frequency.setValueAtTime(pitch * 1.5, at);
  voice.frequency.exponentialRampToValueAtTime(pitch, at + 0.02);
  volume.gain.setValueAtTime(0.0001, at);
  volume.gain.exponentialRampToValueAtTime(0.2, at + 0.006);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + length);
  voice.connect(volume).connect(audio.destination);
  voice.start(at);
  voice.stop(at + length);
}

// ---- Title and icon ----------------------------------------------------------------------------------------------

const FLASH_MS = 1200;
let title = document.title;
let flashing = 0;

/** Sets the page's title. It flashes while the page is hidden and it is the player's turn. @param {string} text @param {boolean} waits */
export function name(text, waits) {
  clearInterval(flashing);
  document.title = title = text;
  if (icon) icon.href = icon.href.replace(/icon(-turn)?\.svg/, waits ? "icon-turn.svg" : "icon.svg");
  if (waits && document.hidden && !calm.matches) flashing = setInterval(flash, FLASH_MS);
}

function flash() {
  document.title = document.title === title ? "● ● ●" : title;
}

document.addEventListener("visibilitychange", () => {
  clearInterval(flashing);
  document.title = title;
});

// ---- Events ------------------------------------------------------------------------------------------------------

/**
 * Alerts the player to a change at the table.
 * @param {{ steps: number, turn: boolean, over: boolean }} was @param {{ steps: number, turn: boolean, over: boolean, say: string }} is
 */
export function changed(was, is) {
  const moved = is.steps !== was.steps;
  if (is.over && !was.over) {
    play("end");
    notify(is.say);
  } else if (is.turn && !was.turn) {
    play("turn");
    notify(is.say);
  } else if (moved) play("move");
}
