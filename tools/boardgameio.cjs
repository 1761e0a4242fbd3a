// How fast boardgame.io takes moves: the named opponent of `cargo run --release -p parlor-server --example load`.
//
//   npm install --no-save --no-package-lock --prefix /tmp/bgio boardgame.io@0.50.2 node-persist
//   NODE_PATH=/tmp/bgio/node_modules node tools/boardgameio.cjs [games] [seconds] [memory|files]
//
// Starts its server as another process, plays that many games of tic-tac-toe at once through its own client over
// socket.io, each player moving when it sees the other's move, and prints one line of JSON with moves/s, latency from
// a move to its confirmation, and the server's CPU time per move.

const { fork } = require("node:child_process");
const { readFileSync, mkdtempSync } = require("node:fs");
const { join } = require("node:path");
const { tmpdir } = require("node:os");

/** The classic game, as boardgame.io's own tutorial plays it: a cell is claimed, the turn passes. A full board starts again. */
const game = {
  name: "tic-tac-toe",
  setup: () => ({ cells: Array(9).fill(null), moves: 0 }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    claim: {
      client: false, // decided by the server alone: no guess is shown before, which would count as a confirmation here
      move: ({ G, playerID }, id) => {
        if (G.moves % 9 === 0) G.cells.fill(null);
        if (G.cells[id] !== null) return "INVALID_MOVE";
        G.cells[id] = playerID;
        G.moves += 1;
      },
    },
  },
};

async function serve(kind) {
  const { Server, Origins, FlatFile } = require("boardgame.io/server");
  const folder = mkdtempSync(join(tmpdir(), "bgio-"));
  const db = kind === "files" ? new FlatFile({ dir: folder, logging: false }) : undefined;
  const server = Server({ games: [game], origins: [Origins.LOCALHOST], ...(db ? { db } : {}) });
  // On one port the lobby's routes are not found with today's Koa: they get a port of their own.
  const apiPort = 20_000 + (process.pid % 20_000);
  const running = await server.run({ port: 0, lobbyConfig: { apiPort } });
  process.send({ port: running.appServer.address().port, apiPort });
}

/** CPU seconds of a process so far, from the kernel's own account (ticks of 10 ms). */
function cpu(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function load(games, seconds, kind) {
  const { Client } = require("boardgame.io/client");
  const { SocketIO } = require("boardgame.io/multiplayer");
  const child = fork(__filename, ["serve", kind], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const { port, apiPort } = await new Promise((ready) => child.once("message", ready));
  const [server, lobby] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${apiPort}`];
  const latencies = [];
  let moves = 0, stop = false;
  const players = [];
  for (let n = 0; n < games; n++) {
    const made = await fetch(`${lobby}/games/tic-tac-toe/create`, {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ numPlayers: 2 }),
    });
    const { matchID } = await made.json();
    for (const playerID of ["0", "1"]) {
      const seat = await fetch(`${lobby}/games/tic-tac-toe/${matchID}/join`, {
        method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ playerID, playerName: playerID }),
      });
      const { playerCredentials: credentials } = await seat.json();
      const client = Client({ game, matchID, playerID, credentials, multiplayer: SocketIO({ server }), debug: false });
      players.push({ client, playerID, matchID });
    }
  }
  const before = cpu(child.pid), start = process.hrtime.bigint();
  const sent = new Map();
  for (const { client, playerID, matchID } of players) {
    let seen = -1;
    client.subscribe((state) => {
      // The other's client hears of a move only when the server has taken it: that is the confirmation.
      if (!state || state._stateID <= seen || state.ctx.currentPlayer !== playerID) return;
      seen = state._stateID;
      const since = sent.get(matchID);
      if (since) latencies.push(Number(process.hrtime.bigint() - since) / 1e6), (moves += 1);
      if (stop) return;
      sent.set(matchID, process.hrtime.bigint());
      setImmediate(() => client.moves.claim(state.G.moves % 9));
    });
    client.start();
  }
  await new Promise((done) => setTimeout(done, seconds * 1000));
  stop = true;
  const wall = Number(process.hrtime.bigint() - start) / 1e9, used = cpu(child.pid) - before;
  latencies.sort((a, b) => a - b);
  const at = (q) => Number((latencies[Math.floor(q * (latencies.length - 1))] ?? NaN).toFixed(2));
  console.log(JSON.stringify({
    server: "boardgame.io 0.50.2", storage: kind, games, seconds: Number(wall.toFixed(2)), moves,
    moves_per_second: Math.round(moves / wall), p50_ms: at(0.5), p99_ms: at(0.99),
    server_cpu_us_per_move: Math.round((used / moves) * 1e6),
  }));
  child.kill();
  process.exit(0);
}

const [first, second, third] = process.argv.slice(2);
if (first === "serve") serve(second);
else load(Number(first ?? 16), Number(second ?? 10), third ?? "memory");
