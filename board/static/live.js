// Keeps a page true: one event stream, patched into the marked places, never into markup.
//
// data-key="seat:1"       the element shows the item of that key
//   data-slot="name"      its text is the item's value of that name
//   data-mark="name"      its data-is attribute is that value (styles and icons hang on it)
//   data-clock, data-bar  its text or length follows the clock of that name (clocks.js)
// data-list="event"       items whose key begins "event:" are made here from <template id="event">
//   data-grow="top"       new ones come first
//   data-stay             one that is gone stays in place, settled, until the page removes it

import { beforeTick, learn, setClock, stopClocks } from "./clocks.js";

const SILENCE_MS = 6000;
const UNHURRIED_MS = 250;
const items = new Map();
const watchers = [];
const heard = [];
let token = document.body.dataset.token;
let lastHeard = performance.now();
let stream;

export const item = (key) => items.get(key) ?? {};
export const itemsOf = (kind) => [...items].filter(([key]) => key.startsWith(`${kind}:`));
export const boardToken = () => token;
export const watch = (watcher) => watchers.push(watcher);

export function paint(root, values) {
  for (const spot of spots(root)) {
    const { slot, mark, clock, bar } = spot.dataset;
    if (slot in values && spot.textContent !== values[slot]) spot.textContent = values[slot];
    if (mark in values && spot.dataset.is !== values[mark]) spot.dataset.is = values[mark];
    if (mark in values && spot.tagName === "BUTTON") spot.ariaDisabled = String(values[mark] === "no");
    if (clock in values) setClock(spot, values[clock]);
    if (bar in values) setClock(spot, values[bar]);
  }
}

const spotsOf = new WeakMap();

function spots(root) {
  if (!spotsOf.has(root)) {
    const inside = root.querySelectorAll("[data-slot],[data-mark],[data-clock],[data-bar]");
    const own = [...inside].filter((spot) => spot.closest("[data-key]") === root);
    spotsOf.set(root, [root, ...own]);
  }
  return spotsOf.get(root);
}

function shownAt(key) {
  return document.querySelectorAll(`[data-key="${CSS.escape(key)}"]`);
}

const listed = (key) => [...shownAt(key)].some((element) => !element.id);

function make(key, values) {
  const kind = key.slice(0, key.indexOf(":"));
  const list = document.querySelector(`[data-list="${kind}"]`);
  if (!list || values.settled === "yes") return;
  const made = document.getElementById(kind).content.firstElementChild.cloneNode(true);
  made.dataset.key = key;
  const link = made.matches("a") ? made : made.querySelector("a[data-to]");
  if (link) link.setAttribute("href", link.dataset.to + key.slice(kind.length + 1));
  if (list.dataset.grow === "top") list.prepend(made);
  else list.append(made);
}

function put(key, values) {
  const before = items.get(key);
  items.set(key, { ...before, ...values });
  if (!listed(key)) make(key, values);
  for (const root of shownAt(key)) paint(root, values);
  for (const watcher of watchers) watcher(key, items.get(key), before);
}

function drop(key) {
  const lists = [...shownAt(key)].filter((element) => element.parentElement.dataset.list);
  if (lists.some((element) => "stay" in element.parentElement.dataset)) {
    put(key, { settled: "yes" });
    return;
  }
  items.delete(key);
  for (const element of lists) element.remove();
}

function dropAbsent(present) {
  const listed = document.querySelectorAll("[data-list] > [data-key]");
  for (const element of listed) if (!(element.dataset.key in present)) drop(element.dataset.key);
}

function hear(message) {
  lastHeard = performance.now();
  const batch = JSON.parse(message.data);
  learn(batch.now);
  heard.push(batch);
  if (Number(document.body.dataset.tick) < UNHURRIED_MS) showHeard();
}

function showHeard() {
  for (const batch of heard.splice(0)) show(batch);
}

function show(batch) {
  if (batch.token) token = batch.token;
  if (batch.whole) dropAbsent(batch.items);
  for (const [key, values] of Object.entries(batch.items)) values ? put(key, values) : drop(key);
  document.body.dataset.live = batch.broker ? "on" : "no-broker";
  if (!batch.broker) stopClocks();
}

function doubt() {
  if (performance.now() - lastHeard < SILENCE_MS) return;
  document.body.dataset.live = "no-board";
  stopClocks();
}

function listen() {
  const opened = new EventSource(document.body.dataset.stream);
  stream = opened;
  opened.onmessage = hear;
  opened.onerror = () => {
    if (opened !== stream) return;
    document.body.dataset.live = "no-board";
    stopClocks();
    if (opened.readyState === EventSource.CLOSED) setTimeout(listen, 2000);
  };
}

// Another person, or other zones: the page is sent anew as it is for them.
export function listenAnew() {
  if (!stream) return;
  stream.close();
  listen();
}

if (document.body.dataset.stream) {
  listen();
  setInterval(doubt, 1000);
  beforeTick(showHeard);
}
