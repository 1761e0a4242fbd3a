// @ts-check
// Service worker that shows notices while no page is open. It serves no files.
{
  const worker = /** @type {any} */ (self);

  worker.addEventListener("push", (/** @type {any} */ event) => {
    /** @type {{ title?: string, body?: string, url?: string, tag?: string, stop?: string }} */
    let notice = {};
    try {
      notice = event.data.json();
    } catch {
      // Browsers want something to be shown for each message.
    }
    const { title = "Parlor", body = "", url = "/", tag = "news", stop } = notice;
    const actions = stop ? [{ action: "stop", title: "Turn off" }] : [];
    const options = { body, tag, actions, icon: "/assets/icon.svg", data: { url, stop } };
    event.waitUntil(worker.registration.showNotification(title, options));
  });

  worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
    const { url, stop } = event.notification.data;
    event.notification.close();
    event.waitUntil(event.action === "stop" ? turnOff(stop) : show(url));
  });

  /** Stops notices to this browser. @param {string} path */
  const turnOff = async (path) => {
    await fetch(path, { method: "POST" });
    const subscription = await worker.registration.pushManager.getSubscription();
    await subscription?.unsubscribe();
  };

  /** Shows a page of the house, in its own tab if it has one. @param {string} url */
  const show = async (url) => {
    const wanted = new URL(url, location.origin);
    if (wanted.origin !== location.origin) return;
    const pages = await worker.clients.matchAll({ type: "window" });
    const page = pages.find((/** @type {any} */ one) => new URL(one.url).pathname === wanted.pathname);
    await (page ? page.focus() : worker.clients.openWindow(wanted.href));
  };
}
