// @ts-check
// Runs on every page of a member: shows the number of games waiting for a move, and notifies the member of a new turn.
// One page listens for all of them, because browsers limit the connections to a server.

const badge = /** @type {HTMLAnchorElement | null} */ (document.querySelector("[data-waiting]"));
const others = "BroadcastChannel" in window ? new BroadcastChannel("parlor") : undefined;
/** Tables waiting for a move, and challenges waiting for an answer. */
const turns = new Set();
const challenges = new Set();

/** @param {{ turns: number, challenges: number }} count */
function show({ turns, challenges }) {
  if (!badge) return;
  const games = turns === 1 ? "Your turn in 1 game" : `Your turn in ${turns} games`;
  const calls = challenges === 1 ? "1 challenge" : `${challenges} challenges`;
  badge.hidden = turns + challenges === 0;
  badge.textContent = String(turns + challenges);
  badge.title = [turns ? games : "", challenges ? calls : ""].filter(Boolean).join(", ");
  badge.setAttribute("aria-label", badge.title);
}

function announce() {
  const count = { turns: turns.size, challenges: challenges.size };
  show(count);
  others?.postMessage(count);
}

/** True if the member wants notifications. */
function wantsNotifications() {
  try {
    return localStorage.getItem("parlor.notify") === "on" && "Notification" in window && Notification.permission === "granted";
  } catch {
    return false;
  }
}

/** @param {string} text @param {string} url */
function notify(text, url) {
  // The page of the table shows its own notifications.
  if (!wantsNotifications() || !document.hidden || location.pathname === url) return;
  try {
    const note = new Notification("Parlor", { body: text, tag: url, icon: "/assets/icon.svg" });
    note.onclick = () => (window.focus(), location.assign(url), note.close());
  } catch {
    // Some phones only allow notifications from installed pages.
  }
}

/** Listens until `stop` resolves. @param {Promise<void>} stop */
async function listen(stop) {
  let fresh = false;
  const stream = new EventSource("/api/v1/me/events");
  stream.onopen = () => (turns.clear(), challenges.clear(), (fresh = false));
  /** @param {string} kind @param {(note: any) => void} handle */
  const on = (kind, handle) =>
    stream.addEventListener(kind, (event) => {
      handle(JSON.parse(event.data));
      if (fresh) announce();
    });
  on("your_turn", ({ table, url, players }) => {
    turns.add(table);
    if (fresh) notify(`Your turn: ${players.filter(Boolean).join(" – ")}`, url);
  });
  on("their_turn", ({ table }) => turns.delete(table));
  on("challenge", ({ table, url, players }) => {
    challenges.add(table);
    if (fresh) notify(`${players.filter(Boolean).join(", ")} wants to play`, url);
  });
  on("challenge_gone", ({ table }) => challenges.delete(table));
  on("game_start", ({ table }) => challenges.delete(table));
  on("game_over", ({ table }) => turns.delete(table));
  on("caught_up", () => (fresh = true));
  await stop;
  stream.close();
}

if (badge) {
  if (others) others.onmessage = ({ data }) => (data === "?" ? turns.size + challenges.size > 0 && announce() : show(data));
  others?.postMessage("?");
  if (navigator.locks) {
    // When this page is left, another one gets the lock.
    navigator.locks.request("parlor.events", () => listen(new Promise(() => {})));
  } else {
    // Without locks every visible page listens for itself.
    let stop = () => {};
    const update = () => {
      stop();
      if (!document.hidden) listen(new Promise((done) => (stop = /** @type {() => void} */ (done))));
    };
    document.addEventListener("visibilitychange", update);
    update();
  }
}
