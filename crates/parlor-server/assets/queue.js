// @ts-check
// Quick match in the lobby: waits for an opponent, and goes to the table when there is one.

const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form[data-queue]"));
const card = form?.closest("section");
const seeking = /** @type {HTMLElement | null} */ (card?.querySelector("[data-seeking]") ?? null);

/** @type {EventSource | undefined} */
let stream;
let since = 0;
let clock = 0;
let detail = "";
let title = document.title;

/** @param {string} name @param {string} text */
function tell(name, text) {
  const element = card?.querySelector(`[data-${name}]`);
  if (element && element.textContent !== text) element.textContent = text;
}

/** The chosen option of a field, with what it stands for. @param {string} name */
function chosen(name) {
  const field = /** @type {HTMLSelectElement} */ (form?.elements.namedItem(name));
  return field.selectedOptions[0];
}

function address() {
  const data = new FormData(/** @type {HTMLFormElement} */ (form));
  const { game = "", options = "" } = chosen("board").dataset;
  const query = new URLSearchParams({ game, options, clock: chosen("pace").dataset.clock ?? "null" });
  if (data.get("rated")) query.set("rated", "true");
  const name = String(data.get("name") ?? "").trim();
  if (name) query.set("name", name);
  return `/api/v1/queue?${query}`;
}

function seek() {
  stop();
  title = document.title;
  since = Date.now();
  detail = "";
  show(true);
  tell("outcome", "");
  const what = [chosen("board"), chosen("pace")].map((option) => option.textContent?.trim()).join(", ");
  tell("news", `Looking for an opponent. ${what}`);
  tick();
  clock = setInterval(tick, 1000);
  stream = new EventSource(address());
  stream.addEventListener("waiting", (event) => {
    const { window: points, rating, waiting } = JSON.parse(event.data);
    detail = `${rating - points} to ${rating + points} points` + (waiting > 1 ? ` · ${waiting} waiting` : "");
    tick();
  });
  stream.addEventListener("matched", (event) => {
    const { url } = JSON.parse(event.data);
    stop();
    document.title = "● Opponent found";
    tell("outcome", "An opponent is here. To the table …");
    location.assign(url);
  });
  stream.addEventListener("expired", () => end("Nobody else was looking this time. Try again, or set up a table and show it in the lobby."));
  stream.addEventListener("left", (event) => {
    const { reason } = JSON.parse(event.data);
    end(reason === "replaced" ? "You are looking on another page now." : "Somebody was there, but this page did not answer in time. Try again.");
  });
  stream.onerror = () => {
    if (stream?.readyState === EventSource.CLOSED) end("The house cannot look for an opponent now.");
    else detail = "the line is broken, trying again";
  };
}

function tick() {
  const seconds = Math.floor((Date.now() - since) / 1000);
  tell("detail", [`${seconds} s`, detail].filter(Boolean).join(" · "));
}

/** @param {string} text */
function end(text) {
  stop();
  tell("outcome", text);
  /** @type {HTMLElement | null} */ (form?.querySelector("button") ?? null)?.focus();
}

function stop() {
  stream?.close();
  stream = undefined;
  clearInterval(clock);
  document.title = title;
  show(false);
}

/** @param {boolean} waiting */
function show(waiting) {
  if (form) form.hidden = waiting;
  if (seeking) seeking.hidden = !waiting;
}

form?.addEventListener("submit", (event) => {
  event.preventDefault();
  seek();
  /** @type {HTMLElement | null} */ (seeking?.querySelector("[data-cancel]") ?? null)?.focus();
});
card?.querySelector("[data-cancel]")?.addEventListener("click", () => end(""));
// A page that is left does not look any more, also when the browser keeps it for the way back.
addEventListener("pagehide", stop);
