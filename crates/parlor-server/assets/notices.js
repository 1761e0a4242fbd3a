// @ts-check
// Notices on the account page: subscribes this browser to Web Push, and suggests its time zone.

const place = /** @type {HTMLElement | null} */ (document.querySelector("[data-push]"));
const button = place?.querySelector("button");
const note = place?.querySelector("[role=status]");

/** @param {string} text */
function say(text) {
  if (note) note.textContent = text;
}

/** Returns the bytes of a text in base64url. @param {string} text */
function bytes(text) {
  const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(plain, (c) => c.charCodeAt(0));
}

async function subscribe() {
  if ((await Notification.requestPermission()) !== "granted") {
    return say("Notifications are blocked for this site. You can allow them in the browser's settings.");
  }
  const registration = await navigator.serviceWorker.register("/notices-worker.js");
  await navigator.serviceWorker.ready;
  const known = await registration.pushManager.getSubscription();
  // One that was made with another key could not be sent to.
  await known?.unsubscribe();
  const applicationServerKey = bytes(place?.dataset.push ?? "");
  const made = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  const { endpoint, keys } = made.toJSON();
  const body = JSON.stringify({ kind: "web_push", address: endpoint, keys: { p256dh: keys?.p256dh, auth: keys?.auth } });
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch("/api/v1/account/notices/targets", { method: "POST", headers, body });
  if (answer.ok) return location.assign("/account#notices"), location.reload();
  await made.unsubscribe();
  say((await answer.json()).detail);
}

if (place && button && "serviceWorker" in navigator && "PushManager" in window) {
  place.hidden = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await subscribe();
    } catch {
      say("This browser could not subscribe.");
    } finally {
      button.disabled = false;
    }
  });
}

const zone = /** @type {HTMLSelectElement | null} */ (document.querySelector("[data-notices=new] [name=utc-offset]"));
if (zone) {
  const own = String(-new Date().getTimezoneOffset());
  if ([...zone.options].some((option) => option.value === own)) zone.value = own;
}

export {};
