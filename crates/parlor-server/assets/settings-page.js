// @ts-check
// The page with all settings.

import { switches } from "./alerts.js";

switches((text) => {
  const note = document.getElementById("say");
  if (note) note.textContent = text;
});
