// @ts-check
// Keeps the banner's words in sight: a line at the top of the window repeats them while the banner is scrolled away.

import { byId, main, statusWords } from "./dom.js";

const banner = /** @type {HTMLElement} */ (main.querySelector(".banner"));
const line = /** @type {HTMLElement} */ (byId("sight"));

/** Repeats the words of the banner: a refusal, or the status without the latest events. */
function copy() {
  const refused = byId("refused")?.textContent;
  const told = refused || byId("hinted")?.textContent || byId("underway")?.textContent;
  const status = byId("part-status")?.firstElementChild;
  line.textContent = told || statusWords(".note");
  line.classList.toggle("yours-now", !told && status?.classList.contains("yours-now") === true);
  line.classList.toggle("refusal", Boolean(refused));
}

/** Starts to watch the banner. */
export function start() {
  new MutationObserver(copy).observe(banner, { childList: true, characterData: true, subtree: true });
  new IntersectionObserver(([entry]) => {
    line.hidden = entry.isIntersecting || entry.boundingClientRect.top > 0;
    main.classList.toggle("scrolled", !line.hidden);
  }).observe(banner);
  copy();
}
