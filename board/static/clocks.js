// Runs the clocks between two messages, on the node's time and never on this machine's own.
//
// A clock is {node, total, remaining, as_of, running, over} in whole milliseconds, or null.
// Every reading of a node's time is late by the time it travelled, so each is a lower bound of the
// true one and the greatest of the newest readings is the best: a clock never shows less than the
// node has, and shows 0 only when the limit is reached (seconds are rounded up).

const READINGS = 30;
const DRIFT = 1 / 2000;
const readings = new Map();
const surest = new Map();
const clocks = new Map();
const before = [];
let stopped = true;

// Runs something before each look at the clocks, so that both are drawn at once.
export const beforeTick = (run) => before.push(run);

export function learn(nodeTimes) {
  for (const [node, time] of Object.entries(nodeTimes)) {
    const known = readings.get(node) ?? [];
    known.push(time - performance.now());
    readings.set(node, known.slice(-READINGS));
    keepSurest(node, time);
  }
  stopped = false;
}

// The one reading that gives the greatest bound although two clocks drift apart.
function keepSurest(node, time) {
  const heard = performance.now();
  const known = surest.get(node);
  const least = known ? known.time + (heard - known.heard) * (1 - DRIFT) : -Infinity;
  if (time >= least) surest.set(node, { time, heard });
}

export const surestReading = (node) => surest.get(node);

export function stopClocks() {
  stopped = true;
}

export function setClock(spot, clock) {
  if (clock) clocks.set(spot, clock);
  else clocks.delete(spot);
  show(spot, clock);
}

function remaining(clock) {
  const known = readings.get(clock.node);
  if (clock.over) return 0;
  if (!clock.running || !known) return clock.remaining;
  const nodeNow = performance.now() + Math.max(...known);
  return Math.min(clock.total, Math.max(0, clock.remaining - (nodeNow - clock.as_of)));
}

function face(milliseconds) {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 100) return String(seconds);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function show(spot, clock) {
  if ("bar" in spot.dataset) {
    spot.style.transform = `scaleX(${clock ? remaining(clock) / clock.total : 0})`;
    return;
  }
  const text = clock ? face(remaining(clock)) : (spot.dataset.none ?? "–");
  if (spot.textContent !== text) spot.textContent = text;
}

function tick() {
  for (const run of before) run();
  if (stopped || document.hidden) return;
  for (const [spot, clock] of clocks) {
    if (!spot.isConnected) clocks.delete(spot);
    else if (clock.running && !clock.over) show(spot, clock);
  }
}

setInterval(tick, Number(document.body.dataset.tick ?? 100));
document.addEventListener("visibilitychange", tick);
