// @ts-check
// On every page of a member: how many games wait for a move, and a message when one begins to. One page of the browser
// listens for all of them, because a browser opens only a few lines to a house.

const badge = /** @type {HTMLAnchorElement | null} */ (document.querySelector("[data-waiting]"));
const others = "BroadcastChannel" in window ? new BroadcastChannel("parlor") : undefined;
/** Tables that wait for a move, and challenges that wait for an answer. */
const turns = new Set();
const asked = new Set();

/** @param {{ turns: number, asked: number }} count */
function show({ turns, asked }) {
  if (!badge) return;
  const games = turns === 1 ? "1 game waits for you" : `${turns} games wait for you`;
  const calls = asked === 1 ? "1 challenge" : `${asked} challenges`;
  badge.hidden = turns + asked === 0;
  badge.textContent = String(turns + asked);
  badge.title = [turns ? games : "", asked ? calls : ""].filter(Boolean).join(", ");
  badge.setAttribute("aria-label", badge.title);
}

function tell() {
  const count = { turns: turns.size, asked: asked.size };
  show(count);
  others?.postMessage(count);
}

/** Whether the member wants messages of the browser. */
function wanted() {
  try {
    return localStorage.getItem("parlor.notify") === "on" && "Notification" in window && Notification.permission === "granted";
  } catch {
    return false;
  }
}

/** @param {string} text @param {string} url */
function message(text, url) {
  // The page of the table itself says its own news.
  if (!wanted() || !document.hidden || location.pathname === url) return;
  try {
    const note = new Notification("Parlor", { body: text, tag: url, icon: "/assets/icon.svg" });
    note.onclick = () => (window.focus(), location.assign(url), note.close());
  } catch {
    // Some phones allow messages only to pages that are installed.
  }
}

/** Listens until it is told to stop. @param {Promise<void>} stop */
async function listen(stop) {
  let fresh = false;
  const stream = new EventSource("/api/v1/me/events");
  stream.onopen = () => (turns.clear(), asked.clear(), (fresh = false));
  /** @param {string} kind @param {(note: any) => void} deed */
  const on = (kind, deed) =>
    stream.addEventListener(kind, (event) => {
      deed(JSON.parse(event.data));
      if (fresh) tell();
    });
  on("your_turn", ({ table, url, players }) => {
    turns.add(table);
    if (fresh) message(`Your turn: ${players.filter(Boolean).join(" – ")}`, url);
  });
  on("their_turn", ({ table }) => turns.delete(table));
  on("challenge", ({ table, url, players }) => {
    asked.add(table);
    if (fresh) message(`${players.filter(Boolean).join(", ")} wants to play`, url);
  });
  on("challenge_gone", ({ table }) => asked.delete(table));
  on("game_start", ({ table }) => asked.delete(table));
  on("game_over", ({ table }) => turns.delete(table));
  on("caught_up", () => (fresh = true));
  await stop;
  stream.close();
}

if (badge) {
  if (others) others.onmessage = ({ data }) => (data === "?" ? turns.size + asked.size > 0 && tell() : show(data));
  others?.postMessage("?");
  if (navigator.locks) {
    // The lock goes to the next page when this one is left.
    navigator.locks.request("parlor.events", () => listen(new Promise(() => {})));
  } else {
    // Without locks every page listens for itself, as long as it is seen.
    let stop = () => {};
    const look = () => {
      stop();
      if (!document.hidden) listen(new Promise((done) => (stop = /** @type {() => void} */ (done))));
    };
    document.addEventListener("visibilitychange", look);
    look();
  }
}
