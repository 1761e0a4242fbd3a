// Load generator for boardgame.io, the rival of `cargo run --release -p parlor-server --example load`.
//
//   npm install --no-save --no-package-lock --prefix /tmp/bgio boardgame.io@0.50.2 node-persist
//   NODE_PATH=/tmp/bgio/node_modules node tools/boardgameio.cjs [games] [seconds] [memory|files]
//
// Starts the server in another process and plays that many concurrent games of tic-tac-toe with boardgame.io's own
// client over socket.io; each player moves on seeing the opponent's move. Prints one line of JSON: moves per second,
// latency from a move to its confirmation, and the server's CPU time per move.

const { fork } = require("node:child_process");
const { readFileSync, mkdtempSync } = require("node:fs");
const { join } = require("node:path");
const { tmpdir } = require("node:os");

/** Tic-tac-toe as in boardgame.io's tutorial: a player claims a cell and the turn passes. A full board is cleared. */
const game = {
  name: "tic-tac-toe",
  setup: () => ({ cells: Array(9).fill(null), moves: 0 }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    claim: {
      client: false, // no optimistic update, which would be mistaken for a confirmation
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
  // The lobby needs its own port: with current versions of Koa its routes are not found on a shared one.
  const apiPort = 20_000 + (process.pid % 20_000);
  const running = await server.run({ port: 0, lobbyConfig: { apiPort } });
  process.send({ port: running.appServer.address().port, apiPort });
}

/** Returns the CPU time that a process has used so far, in seconds, as counted by the kernel (in ticks of 10 ms). */
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
      // The opponent's client is notified once the server has accepted a move: that is the confirmation.
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
