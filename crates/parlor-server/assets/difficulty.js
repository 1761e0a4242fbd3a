// @ts-check
// Says below custom rules how hard a game with them is.

/** Time without a change after which the house is asked, in milliseconds. */
const QUIET = 200;

/** Keeps what a form says true. @param {HTMLElement} note */
function follow(note) {
  const form = /** @type {HTMLFormElement} */ (note.closest("form"));
  let timer = 0;
  /** The latest question, whose answer counts. */
  let asked = 0;

  async function ask() {
    const question = ++asked;
    const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
    const answer = await fetch("/new/difficulty", { method: "POST", body: new URLSearchParams(fields) }).catch(() => undefined);
    const text = answer?.ok ? await answer.text().catch(() => "") : "";
    if (question === asked) note.textContent = text;
  }

  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, QUIET);
  });
}

for (const note of document.querySelectorAll("[data-difficulty]")) follow(/** @type {HTMLElement} */ (note));
