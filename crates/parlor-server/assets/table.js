// @ts-check
// The table page. It knows no rules: the server draws the board and lists the elements to click for each move.

import * as alerts from "./alerts.js";
import { mark } from "./board.js";
import * as boardInput from "./board-input.js";
import * as clocks from "./clock.js";
import * as confirm from "./confirm.js";
import * as controls from "./controls.js";
import { board, byId, refuse, setText } from "./dom.js";
import * as draft from "./draft.js";
import * as drawer from "./drawer.js";
import * as end from "./end.js";
import * as hints from "./hints.js";
import * as kinds from "./kinds.js";
import * as network from "./network.js";
import * as parts from "./parts.js";
import * as picture from "./picture.js";
import * as premove from "./premove.js";
import * as sight from "./sight.js";
import { state } from "./state.js";
import { loaded } from "./team.js";
import { followAnalysis, show, showStatus } from "./update.js";

// The browser keeps the right that comes with a link in a cookie; in the address it could be copied by accident.
const address = new URL(location.href);
for (const secret of ["invite", "watch"]) address.searchParams.delete(secret);
if (address.href !== location.href) history.replaceState(history.state, "", address);

boardInput.start();
parts.start();
controls.start();
confirm.start();
drawer.start();
end.start();
hints.start();
kinds.start();
sight.start();
const page = /** @type {PerformanceNavigationTiming | undefined} */ (performance.getEntriesByType("navigation")[0]);
clocks.sync(state.status.now, page?.requestStart ?? 0, page?.responseStart ?? performance.now());
alerts.switches((text) => setText("say", text));
alerts.name(document.title, state.status.turn);
showStatus(state.status);
draft.showSwitch();
premove.start();
refuse(byId("refused")?.textContent ?? "");
mark();
picture.start(board);
followAnalysis();
await loaded;
boardInput.catchUp();
network.start(show);
