// @ts-check
// Quick match in the lobby: waits for an opponent, then goes to the table.

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
function setText(name, text) {
  const element = card?.querySelector(`[data-${name}]`);
  if (element && element.textContent !== text) element.textContent = text;
}

/** Returns the chosen option of a field. @param {string} name */
function chosen(name) {
  const field = /** @type {HTMLSelectElement} */ (form?.elements.namedItem(name));
  return field.selectedOptions[0];
}

function address() {
  const data = new FormData(/** @type {HTMLFormElement} */ (form));
  const { game = "", options = "" } = chosen("board").dataset;
  const query = new URLSearchParams({ game, options });
  // Without one, it is the game's usual clock.
  const { clock: pace } = chosen("pace").dataset;
  if (pace) query.set("clock", pace);
  if (data.get("rated")) query.set("rated", "true");
  if (data.get("mixed")) query.set("mixed", "true");
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
  setText("outcome", "");
  const what = [chosen("board"), chosen("pace")].map((option) => option.textContent?.trim()).join(", ");
  setText("news", `Looking for an opponent: ${what}`);
  tick();
  clock = setInterval(tick, 1000);
  stream = new EventSource(address());
  stream.addEventListener("waiting", (event) => {
    const { window: points, rating, waiting } = JSON.parse(event.data);
    detail = `Rated ${rating - points} to ${rating + points}` + (waiting > 1 ? ` · ${waiting} waiting` : "");
    tick();
  });
  stream.addEventListener("matched", (event) => {
    const { url } = JSON.parse(event.data);
    stop();
    document.title = "● Opponent found";
    setText("outcome", "Opponent found. Opening the table …");
    location.assign(url);
  });
  stream.addEventListener("expired", () => end("No opponent found. Try again, or create a table and list it in the lobby."));
  stream.addEventListener("left", (event) => {
    const { reason } = JSON.parse(event.data);
    end(reason === "replaced" ? "You started a search on another page." : "An opponent was found, but this page didn't answer in time. Try again.");
  });
  stream.onerror = () => {
    if (stream?.readyState === EventSource.CLOSED) end("Quick match isn't available right now. Try again later.");
    else detail = "connection lost, trying again";
  };
}

function tick() {
  const seconds = Math.floor((Date.now() - since) / 1000);
  setText("detail", [`${seconds} s`, detail].filter(Boolean).join(" · "));
}

/** @param {string} text */
function end(text) {
  stop();
  setText("outcome", text);
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
// Leaving the page ends the search, even if the browser keeps the page for the back button.
addEventListener("pagehide", stop);
