// @ts-check
// Settings of this browser or account. The page's root element carries them from the start; here changes apply at once
// and are sent to the server.

const root = document.documentElement;
const calm = matchMedia("(prefers-reduced-motion: reduce)");
/** Condition of the dark styles for each theme. @type {Record<string, string>} */
const DARK = { system: "screen and (prefers-color-scheme: dark)", light: "not all", dark: "screen" };
/** @type {Record<string, string>} */
const SCHEMES = { system: "light dark", light: "light", dark: "dark" };
/** @type {Record<string, number>} */
const VOLUMES = { low: 0.06, medium: 0.16, high: 0.4 };
const FAST = 3;

/** Returns the word chosen for a setting. @param {string} name */
export const get = (name) => root.dataset[name] ?? "";

/** True if nothing should move. */
export const isCalm = () => calm.matches || get("motion") === "off";

/** Number of times as fast as usual that everything moves. */
export const pace = () => (get("motion") === "fast" ? FAST : 1);

/** Loudness of the sounds, from 0 to 1. */
export const volume = () => (get("sound") === "on" ? VOLUMES[get("volume")] ?? VOLUMES.low : 0);

/** Switches the dark rules of all style sheets. @param {string} theme */
function paint(theme) {
  const conditions = Object.values(DARK);
  for (const sheet of document.styleSheets) {
    for (const rule of sheet.cssRules) {
      if (rule instanceof CSSMediaRule && conditions.includes(rule.media.mediaText)) rule.media.mediaText = DARK[theme];
    }
  }
  root.style.colorScheme = SCHEMES[theme];
}

/** The other pages of this browser. */
const others = "BroadcastChannel" in window ? new BroadcastChannel("settings") : undefined;

/** Changes a setting of this page. @param {string} name @param {string} word */
function apply(name, word) {
  root.dataset[name.startsWith("board-") ? "board" : name] = word;
  if (name === "theme") paint(word);
  showAll();
  document.dispatchEvent(new CustomEvent("setting", { detail: name }));
}

/** Changes a setting, in all pages and on the server. @param {string} name @param {string} word */
export function set(name, word) {
  apply(name, word);
  others?.postMessage([name, word]);
  fetch("/settings", { method: "POST", headers: { Accept: "application/json" }, body: new URLSearchParams({ [name]: word }), keepalive: true }).catch(() => {
    // Without a connection the change lasts as long as the page.
  });
}

/** Shows the present choices in all controls. */
export function showAll() {
  for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[data-settings] input"))) {
    const word = root.dataset[input.name];
    if (word !== undefined) input.checked = input.value === word;
  }
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-toggle]"))) {
    button.setAttribute("aria-pressed", String(get(button.dataset.toggle ?? "") === "on"));
  }
}

document.addEventListener("change", (event) => {
  const input = /** @type {HTMLInputElement} */ (event.target);
  if (input.closest("[data-settings]") && input.checked) set(input.name, input.value);
});
document.addEventListener("click", (event) => {
  const name = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-toggle]"))?.dataset.toggle;
  if (name) set(name, get(name) === "on" ? "off" : "on");
});
others?.addEventListener("message", (/** @type {MessageEvent<[string, string]>} */ { data: [name, word] }) => {
  const inputs = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll(`[data-settings] input[name="${name}"]`));
  for (const input of inputs) input.checked = input.value === word;
  // The styles of a board belong to one game.
  if (!name.startsWith("board-") || name === `board-${root.dataset.game}`) apply(name, word);
});
root.classList.add("js");
showAll();
