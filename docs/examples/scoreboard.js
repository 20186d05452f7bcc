// A scoreboard in a browser, by docs/contract.md alone: the clocks of one table, and all its events without gaps.
"use strict";

const given = (name, usual) => new URLSearchParams(location.search).get(name) ?? usual;
const table = given("table", "t1");
const root = given("root", "mahjong/1/demo");
const login = given("login", "scoreboard");
const broker = given("broker", "ws://127.0.0.1:9001");

const GONE_MS = 6000; // three heartbeats missed
const AGAIN_MS = 5000; // nobody answered: ask again
const WINDS = { east: "東", south: "南", west: "西", north: "北" };
const PHASES = {
  idle: "waiting", arranging: "dealt", turn: "in play", verifying: "hu is checked",
  paused: "paused", unsynced: "clocks stand", over: "hand is over",
};

// What stands, by topic below the root, and of each node: session, how far its clock is ahead of mine, when it beat last.
const seen = {};
const nodes = {};

// Keeps the newest of each topic; what a node said in a session that has passed is stale.
function remember(topic, said, now) {
  seen[topic] = said;
  if (!said || !/^(hb|avail)\/node\//.test(topic)) return;
  if (!nodes[said.node] || said.session > nodes[said.node].session) {
    nodes[said.node] = { session: said.session, ahead: [], heard: 0 };
  }
  const node = nodes[said.node];
  if (said.session < node.session) return;
  if (said.uptime_ms !== undefined) {
    node.ahead = [...node.ahead.slice(-9), said.uptime_ms - now];
    node.heard = now;
  } else if (said.status !== "online") {
    node.ahead = []; // gone, until it beats again
  }
}

// Milliseconds that a clock shows so long after it was read; null where there is none.
function shown(face, passed) {
  return face && Math.max(0, face.remaining_ms - (face.running ? passed : 0));
}

// What the board shows at a moment of my own monotonic clock; `waiting` where nothing is known for sure.
function picture(now) {
  const state = seen[`state/table/${table}`];
  const timers = seen[`state/table/${table}/timers`];
  const reach = seen[`avail/table/${table}`];
  const node = nodes[seen[`meta/table/${table}`]?.node];
  if (!node?.ahead.length || now - node.heard > GONE_MS) return { waiting: "waiting for its node" };
  if (!state || !timers || !reach || reach.status === "offline") return { waiting: "waiting for its cable" };
  const passed = now + Math.max(...node.ahead) - timers.as_of_ms; // the fastest beat is the truest
  const seats = Object.keys(state.players).map((seat) => ({
    seat, player: state.players[seat], wind: WINDS[state.seat_winds[seat]] ?? "",
    turn: state.on_turn === Number(seat), over: timers.seats[seat]?.over, left: shown(timers.seats[seat], passed),
  }));
  return { state, seats, window: shown(timers.window, passed) };
}

// The events of the table, once each and in order; `previous` shows what is missing.
const events = {
  all: [], ids: new Set(), live: [], gap: null, asked: "", again: 0,

  // Sees by the retained snapshot whether something happened while I was away.
  connected(seq) {
    const newest = this.all.at(-1);
    this.again = 0;
    if (newest && seq > newest.tableseq) this.gap = { epoch: newest.epoch, after: newest.tableseq };
  },
  // Adds what came live, as far as nothing before it is missing.
  advance() {
    while (this.live.length && !this.gap) {
      const event = this.live[0];
      const newest = this.all.at(-1) ?? event;
      const after = event.epoch === newest.epoch ? newest.tableseq : 0;
      if (event.previous > after) this.gap = { epoch: event.epoch, after, before: event.tableseq };
      else this.add(this.live.shift());
    }
  },
  // Adds a page; after the last one goes on, and does without what nobody has any more.
  replayed(reply) {
    for (const event of reply.events) {
      this.add(event);
      this.gap.after = event.tableseq;
    }
    if (reply.status !== "done" && reply.code !== "unknown-epoch") return;
    this.gap = null;
    this.again = 0;
    this.live.slice(0, 1).forEach((event) => this.add(event));
    this.advance();
  },
  add(event) {
    if (this.ids.has(event.id)) return;
    this.ids.add(event.id);
    this.all.push(event);
  },
};

function told(topic, said, retained, now) {
  if (topic.startsWith("event/")) {
    events.live.push(said);
    events.advance();
  } else if (!topic.startsWith("reply/")) {
    remember(topic, said, now);
    if (retained && topic === `state/table/${table}`) events.connected(said.seq);
  } else if (events.gap && said.id === events.asked) {
    events.replayed(said);
  }
  if (events.gap && now > events.again) {
    events.asked = Math.random().toString(36).slice(2);
    events.again = now + AGAIN_MS;
    const order = JSON.stringify({ id: events.asked, person: login, arguments: events.gap });
    const properties = { messageExpiryInterval: 5 };
    client.publish(`${root}/cmd/${login}/table/${table}/replay`, order, { qos: 1, properties });
  }
}

function draw() {
  const board = picture(performance.now());
  const put = (place, text) => (document.querySelector(place).textContent = text);
  const seconds = (left) => (left === null ? "" : Math.ceil(left / 1000));
  document.body.classList.toggle("gone", Boolean(board.waiting));
  put("#newest", events.all.at(-1)?.type.split(".")[1].replaceAll("-", " ") ?? "");
  put("#phase", board.waiting ?? PHASES[board.state.hand_phase]);
  if (board.waiting) return; // names stay, clocks are hidden
  put("#name", board.state.name);
  put("#hand", `hand ${board.state.hand_number}`);
  put("#window", board.window ? `call window ${seconds(board.window)}` : "");
  for (const { seat, player, wind, turn, over, left } of board.seats) {
    document.querySelector(`#seat-${seat}`).classList.toggle("turn", turn);
    put(`#seat-${seat} .wind`, wind);
    put(`#seat-${seat} .player`, player);
    put(`#seat-${seat} .over`, over ? "time is up" : "");
    put(`#seat-${seat} .clock`, seconds(left));
  }
}

const secret = given("login") ? { username: login, password: prompt(`Password of ${login}`) } : {};
const client = mqtt.connect(broker, { protocolVersion: 5, keepalive: 10, resubscribe: false, ...secret });
const filters = [
  "avail/node/+", "hb/node/+", `meta/table/${table}`, `avail/table/${table}`, `state/table/${table}`,
  `state/table/${table}/timers`, `event/table/${table}/+`, `reply/${login}/+`,
];
client.on("connect", () => client.subscribe(filters.map((filter) => `${root}/${filter}`), { qos: 1 }));
client.on("message", (topic, payload, packet) =>
  told(topic.slice(root.length + 1), JSON.parse(payload.toString() || "null"), packet.retain, performance.now()));
document.querySelector("#name").textContent = table;
setInterval(draw, 100);
