// A seat's pad: what happened at its two inputs, in order, with the times of this page's own clock.
//
// An input tells `pressed`, then `held` after a second, then `released`. Each goes out once the one
// before is answered, and again under its id while nobody answers, until it is too old to count.
// A press carries the surest reading of the node's clock that had come before it (clocks.js), so the
// node knows when it was without anybody's clock being set.

import { surestReading } from "./clocks.js";
import { boardToken, item, watch } from "./live.js";

const HOLD_MS = 1000;
const BEAT_MS = 2000;
const SILENT_MS = 5000;
const TOO_OLD_MS = 5000;
const AGAIN_MS = 250;
const BOUNCE_MS = 150;
const COARSEST_MS = 2;
const WAIT_MS = 4000;
const SHOWN_MS = 2500;

const page = document.body;
const why = document.getElementById("why");
const said = document.getElementById("said");
const latency = document.getElementById("latency");
const alarm = document.getElementById("alarm");
const pad = crypto.randomUUID();
const { table } = page.dataset;
const seat = Number(page.dataset.seat);
const micros = (milliseconds) => Math.floor(milliseconds * 1000);
const step = measuredStep();
let lastAnswer = -Infinity;
let refusal = "";
let unreached = false;
let hiding = 0;
let sending = Promise.resolve();

async function post(path, body) {
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json", "x-board-token": boardToken() },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(WAIT_MS),
  });
  return response.ok ? response.json() : { outcome: "silent", reason: "" };
}

const asked = async (path, body) => {
  try {
    return await post(path, body);
  } catch {
    return { outcome: "unreached", reason: "" };
  }
};
const pause = (milliseconds) => new Promise((wake) => setTimeout(wake, milliseconds));

function tell(outcome, text) {
  said.dataset.is = outcome;
  said.textContent = text;
  clearTimeout(hiding);
  if (outcome === "done") hiding = setTimeout(() => (said.textContent = ""), SHOWN_MS);
}

// Whether a press would count, in words where it would not.

function objection() {
  const { live } = page.dataset;
  if (step > COARSEST_MS) return page.dataset.coarse;
  if (live === "no-board") return page.dataset.noBoard;
  if (live === "no-broker") return page.dataset.noBroker;
  const known = item("pad:");
  if (known.why) return known.why;
  if (refusal) return refusal;
  if (performance.now() - lastAnswer > SILENT_MS) {
    return unreached ? page.dataset.noBoard : page.dataset.noAnswer;
  }
  return surestReading(known.node) ? "" : page.dataset.noAnswer;
}

function look() {
  const wrong = objection();
  if (why.textContent !== wrong) why.textContent = wrong;
  page.dataset.ready = wrong ? "no" : "yes";
}

async function beat() {
  const began = performance.now();
  const body = { id: crypto.randomUUID(), table, arguments: { seat, pad } };
  const { outcome, reason } = await asked("/pad-beat", body);
  refusal = outcome === "refused" ? reason : "";
  unreached = outcome === "unreached";
  if (outcome === "done") {
    lastAnswer = performance.now();
    latency.textContent = latency.dataset.words.replace("#", Math.ceil(lastAnswer - began));
  }
  look();
  setTimeout(beat, Math.max(0, BEAT_MS - (performance.now() - began)));
}

// The step in which this browser tells its time, as seen over a few of them.
function measuredStep() {
  let widest = 0;
  for (let seen = 0; seen < 4; seen++) {
    const before = performance.now();
    let now = before;
    while (now === before) now = performance.now();
    widest = seen ? Math.min(widest, now - before) : now - before;
  }
  return widest;
}

// Presses.

async function deliver(press, change, at, words) {
  if (press.lost) return;
  const id = crypto.randomUUID();
  while (performance.now() - at < TOO_OLD_MS) {
    const sent = Math.max(at, performance.now());
    const stamps = { ...press.stamps, changed_us: micros(at), sent_us: micros(sent) };
    const body = { id, table, arguments: { seat, pad, input: press.input, change, ...stamps } };
    const { outcome, reason } = await asked("/press", body);
    if (outcome === "done") return words && tell("done", words);
    if (outcome === "refused") {
      press.lost = true;
      return tell("refused", reason);
    }
    await pause(AGAIN_MS);
  }
  press.lost = true;
  tell("silent", said.dataset.lost);
}

function send(press, change, at, words) {
  sending = sending.then(() => deliver(press, change, at, words));
}

function stampsOf(first) {
  const { node } = item("pad:");
  const known = surestReading(node);
  return {
    session: Number(node.slice(node.lastIndexOf("/") + 1)),
    node_ms: Math.floor(known.time),
    heard_us: micros(known.heard),
    first_us: micros(first),
  };
}

function listenTo(button) {
  const { input, counts, held } = button.dataset;
  const atOnce = input === "discard";
  let press;
  let last = -Infinity;

  function down(at, finger) {
    look();
    if (press || page.dataset.ready === "no" || at - last < BOUNCE_MS) return;
    press = { input, finger, stamps: stampsOf(at), newest: at };
    press.timer = setTimeout(hold, at + HOLD_MS - performance.now());
    button.dataset.is = "down";
    tell("sent", said.dataset.sent);
    send(press, "pressed", at, atOnce ? counts : "");
  }

  function hold() {
    const left = press.newest + HOLD_MS - performance.now();
    if (left > 0) return (press.timer = setTimeout(hold, left));
    press.held = true;
    press.newest = performance.now();
    button.dataset.is = "held";
    send(press, "held", press.newest, held);
  }

  // A claim that the system took the finger away from was none.
  function up(at, finger, taken) {
    if (press?.finger !== finger) return;
    clearTimeout(press.timer);
    last = Math.max(at, press.newest + 0.002);
    if (atOnce || !taken) send(press, "released", last, atOnce || press.held ? "" : counts);
    else tell("", "");
    press = undefined;
    button.dataset.is = "";
  }

  button.addEventListener("pointerdown", (event) => {
    keepAwake();
    button.setPointerCapture(event.pointerId);
    down(event.timeStamp, event.pointerId);
  });
  button.addEventListener("pointerup", (event) => up(event.timeStamp, event.pointerId, false));
  button.addEventListener("pointercancel", (event) => up(event.timeStamp, event.pointerId, true));
  button.addEventListener("keydown", (event) => {
    if (event.key === " " && !event.repeat) down(event.timeStamp, "key");
  });
  button.addEventListener("keyup", (event) => event.key === " " && up(event.timeStamp, "key", false));
}

// Light that stays on, and an alarm for whoever wants one.

async function keepAwake() {
  try {
    await navigator.wakeLock?.request("screen");
  } catch {
    // The pad only sleeps earlier.
  }
}

let sound;

function ring() {
  navigator.vibrate?.(300);
  const tone = sound.createOscillator();
  const volume = sound.createGain();
  volume.gain.value = 0.2;
  tone.frequency.value = 880;
  tone.connect(volume).connect(sound.destination);
  tone.start();
  tone.stop(sound.currentTime + 0.3);
}

function switchAlarm() {
  const on = alarm.ariaPressed !== "true";
  alarm.ariaPressed = String(on);
  alarm.textContent = on ? alarm.dataset.on : alarm.dataset.off;
  if (on) sound ??= new AudioContext();
}

watch((key, values, before) => {
  const reached = values.state === "over" && before?.state !== "over";
  if (reached && alarm.ariaPressed === "true") ring();
  look();
});

for (const button of document.querySelectorAll("[data-input]")) listenTo(button);
alarm.addEventListener("click", switchAlarm);
document.addEventListener("contextmenu", (event) => event.preventDefault());
document.addEventListener("visibilitychange", () => document.hidden || keepAwake());
setInterval(look, 250);
beat();
