// @ts-check
// Forms, links and keys of the table page, outside the board.

import { begin, goTo, post, soughtStep } from "./actions.js";
import { mark } from "./board.js";
import { byId, hint, main, setText } from "./dom.js";
import { showSwitch } from "./draft.js";
import * as end from "./end.js";
import * as kinds from "./kinds.js";
import { scrolls } from "./picture.js";
import * as settings from "./settings.js";
import { isLatest, state } from "./state.js";
import { telling } from "./team.js";
import { show } from "./update.js";

/** Sends a form without leaving the page. @param {SubmitEvent} event */
function submit(event) {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.matches("[data-live]")) return;
  event.preventDefault();
  if (state.busy) return;
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  const { leads } = form.dataset;
  post(form.action, new URLSearchParams(fields)).then(() => leads && end.leadTo(leads));
}

/** @param {MouseEvent} event */
function click(event) {
  const target = /** @type {Element} */ (event.target);
  const stepper = /** @type {HTMLElement | null} */ (target.closest("a[data-step]"));
  if (stepper && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    goTo(Number(stepper.dataset.step));
  }
  const told = /** @type {HTMLElement | null} */ (target.closest("a[data-tell]"));
  if (told && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    watch(Number(told.dataset.tell));
  }
  const begun = /** @type {HTMLElement | null} */ (target.closest("a[data-draft]"));
  if (begun && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    if (!state.busy) begin(begun.dataset.draft ?? "");
  }
  const opener = /** @type {HTMLElement | null} */ (target.closest("button[data-opens]"));
  if (opener && !state.busy) open(opener);
  if (kinds.press(target)) mark();
  const copy = target.closest("button[data-copy]");
  if (copy) copyLink(/** @type {HTMLElement} */ (copy));
}

/** Begins a move with what a button stands for, such as a card. @param {HTMLElement} opener */
function open(opener) {
  byId(opener.dataset.opens ?? "")?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  if (state.chosen.length > 0) hint(`Now choose on the board: ${opener.textContent}`);
}

/** Shows the steps after a number of moves again. @param {number} since */
async function watch(since) {
  // The address stays that of the present.
  main.classList.add("tells");
  await goTo(since);
  telling?.note();
  if (state.step === since) await telling?.tell(since, false, show);
  main.classList.remove("tells");
}

/** @param {HTMLElement} button */
async function copyLink(button) {
  const field = /** @type {HTMLInputElement} */ (button.parentElement?.querySelector("input"));
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    field.select();
    document.execCommand("copy");
  }
  setText("say", "Link copied");
  button.textContent = "Copied";
}

/** Takes back a step of a move, or steps through the game. @param {KeyboardEvent} event */
function pressKey(event) {
  const target = /** @type {Element} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.closest("input, select, textarea, summary") || scrolls(target)) return;
  // It is meant for what lies over the page.
  if (event.key === "Escape" && document.querySelector(":is(#drawer, #recap):popover-open")) return;
  if ((event.key === "Escape" || event.key === "Backspace") && state.draft && isLatest() && !state.busy) {
    event.preventDefault();
    begin(state.back ?? "");
    return;
  }
  if (event.key === "Escape" && state.chosen.length === 0 && kinds.drop()) {
    event.preventDefault();
    return mark();
  }
  const undo = /** @type {HTMLFormElement | null} */ (document.querySelector("form[data-undo]"));
  if (event.key === "Backspace" && undo && isLatest() && !state.busy) {
    event.preventDefault();
    undo.requestSubmit();
    return;
  }
  const [step, { steps }] = [soughtStep(), state];
  const wanted = { ArrowLeft: step - 1, ArrowRight: step + 1, Home: 0, End: steps }[event.key];
  if (wanted === undefined || (event.key.startsWith("A") === false && steps === 0)) return;
  event.preventDefault();
  goTo(wanted);
}

/** Keeps the place of the buttons in the column while they lie over the page. @param {Event} event */
function keepPlace(event) {
  const buttons = /** @type {HTMLElement} */ (event.target);
  if (/** @type {ToggleEvent} */ (event).newState !== "open") return;
  buttons.parentElement?.style.setProperty("--kept", `${buttons.getBoundingClientRect().height}px`);
}

/** Starts to listen to forms, links and keys. */
export function start() {
  byId("part-actions")?.addEventListener("beforetoggle", keepPlace);
  document.addEventListener("submit", submit);
  document.addEventListener("click", click);
  document.addEventListener("change", (event) => {
    const box = /** @type {HTMLInputElement} */ (event.target);
    if (!box.matches("[data-auto]")) return;
    settings.set("confirm", box.checked ? "never" : "parts");
  });
  document.addEventListener("setting", showSwitch);
  document.addEventListener("keydown", pressKey);
}
