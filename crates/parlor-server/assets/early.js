// @ts-check
// Keeps clicks that come before the modules of a table's page have loaded; `board-input.js` takes those on the board.
/** @type {any} */ (window).early = [];
addEventListener("click", (event) => /** @type {any} */ (window).early?.push(event), true);
