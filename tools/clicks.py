#!/usr/bin/env python3
"""Measures how soon a click shows on the board, in a real browser on this machine.

    tools/clicks.py

Plays 15x15 games of one browser against itself with trusted mouse clicks, and prints milliseconds from
the click to the frame that shows its preview, and to the frame that shows the mark that the server has
stored and confirmed. Frames come every 16.7 ms, so that even a mark that is drawn at once is seen up to
16.7 ms later; `script` is the time without the wait for the frame.

PARLOR_TEST_CHROMEDRIVER names chromedriver, PARLOR_BINARY the server if it is not target/release/parlor.
GAMES and MOVES are the numbers of games (5) and of moves in each (60).
"""

import json
import os
import statistics
import subprocess
import sys
import urllib.request

from live_server import Fault, Server, binary, expect, free_port, run, wait_for

BOARD, MOVES = 15, int(os.environ.get("MOVES", 60))
# Notes the times of each click. The page's own listeners are done when an event reaches the window, and a
# callback of the next frame runs just before the frame is painted.
WATCH = """
window.clicks = [];
const note = (click, name, holds) => {
  if (!holds || click[`${name}Script`]) return;
  click[`${name}Script`] = performance.now() - click.at;
  requestAnimationFrame(() => (click[name] = performance.now() - click.at));
};
addEventListener("click", (event) => {
  if (!event.target.closest(".place")) return;
  clicks.push({ at: event.timeStamp, stones: document.querySelectorAll(".stone").length });
}, true);
addEventListener("click", () => {
  const click = clicks.at(-1);
  if (click) note(click, "preview", document.querySelector(".place.pending"));
});
new MutationObserver(() => {
  const click = clicks.at(-1);
  if (click) note(click, "mark", document.querySelectorAll(".stone").length > click.stones);
}).observe(document.getElementById("board"), { childList: true });
"""


class Browser:
    """A headless Chromium behind chromedriver."""

    def __init__(self, program):
        self.port = free_port()
        self.process = subprocess.Popen([program, f"--port={self.port}"], stdout=subprocess.DEVNULL)
        wait_for(self.ready, "chromedriver")
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        options = {"goog:chromeOptions": {"args": arguments}}
        self.session = self.ask("/session", {"capabilities": {"alwaysMatch": options}})["sessionId"]

    def ready(self):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/status") as answer:
                return json.load(answer)["value"]["ready"]
        except OSError:
            return False

    def ask(self, path, body):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)["value"]

    def command(self, path, body):
        return self.ask(f"/session/{self.session}{path}", body)

    def script(self, script):
        return self.command("/execute/sync", {"script": script, "args": []})

    def click(self, x, y):
        for kind, buttons in [("mouseMoved", 0), ("mousePressed", 1), ("mouseReleased", 0)]:
            event = {"type": kind, "x": x, "y": y, "buttons": buttons, "clickCount": 1}
            event["button"] = "none" if kind == "mouseMoved" else "left"
            self.command("/goog/cdp/execute", {"cmd": "Input.dispatchMouseEvent", "params": event})

    def close(self):
        try:
            urllib.request.urlopen(
                urllib.request.Request(f"http://127.0.0.1:{self.port}/session/{self.session}", method="DELETE")
            ).close()
        finally:
            self.process.terminate()
            self.process.wait()


def play(browser, address):
    """Plays a game and returns the times of its clicks."""
    browser.command("/url", {"url": address + "/about"})
    fields = "game=mnk&preset=2&opponent=here&clock=none&name=Ann"
    browser.script(
        "return fetch('/new', { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, "
        f"body: '{fields}' }}).then((answer) => location.assign(answer.url))"
    )
    wait_for(lambda: browser.script("return document.querySelector('main.live') !== null"), "the table")
    browser.script(WATCH)
    for n in range(MOVES):
        # No five in a row: each player's marks lie two columns apart.
        row, column = divmod(n, BOARD)
        place = f"cell-{row * 2 + n % 2}-{(column * 4 + row) % BOARD}"
        legal = f"return document.querySelector('#{place}.legal') !== null"
        if not wait_for(lambda: browser.script("return document.querySelector('.legal, .line') !== null"), "a turn"):
            break
        if not browser.script(legal):
            continue
        x, y = browser.script(
            f"const box = document.getElementById('{place}').getBoundingClientRect(); "
            "return [box.x + box.width / 2, box.y + box.height / 2];"
        )
        browser.click(x, y)
        wait_for(lambda: browser.script("return clicks.every((click) => click.mark !== undefined)"), place)
    return browser.script("return clicks")


def main(work):
    games = int(os.environ.get("GAMES", 5))
    driver = os.environ.get("PARLOR_TEST_CHROMEDRIVER")
    if not driver:
        raise Fault("PARLOR_TEST_CHROMEDRIVER names the program chromedriver")
    with Server(binary(), work, f"sqlite:{work / 'parlor.db'}", requests_per_second=0) as server:
        browser = Browser(driver)
        try:
            clicks = [click for _ in range(games) for click in play(browser, f"http://127.0.0.1:{server.port}")]
        finally:
            browser.close()
    expect(clicks, "no click was counted")
    print(f"{len(clicks)} clicks in {games} games, load {os.getloadavg()[0]:.1f}; milliseconds: median, 90 %, largest")
    for name in ["previewScript", "preview", "markScript", "mark"]:
        times = sorted(click[name] for click in clicks if name in click)
        tenth = times[int(0.9 * (len(times) - 1))]
        label = name.replace("Script", ", script")
        print(f"{label:16} {statistics.median(times):7.1f} {tenth:7.1f} {times[-1]:7.1f}   of {len(times)}")


if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(__file__))
    run(main)
