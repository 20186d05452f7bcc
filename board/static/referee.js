// The referee's page: an alert that is opened stays where it is, whatever else arrives.
//
// Rows never move by themselves: new alerts come last, settled ones stay greyed in place until the
// referee sorts and clears, comes back from an opened alert or looks at the page again.

import { item, paint, watch } from "./live.js";

const LOOK_AGAIN_MS = 800;
const sheet = document.getElementById("sheet");
const list = document.querySelector('[data-list="alert"]');
const clear = document.getElementById("clear-settled");
const next = document.getElementById("next");
const toTable = document.getElementById("to-table");

const openedKey = () => (location.hash.startsWith("#a-") ? `alert:${location.hash.slice(3)}` : "");

function follow() {
  const key = decodeURIComponent(openedKey());
  document.body.dataset.opened = key ? "yes" : "no";
  for (const row of list.children) row.ariaCurrent = String(row.dataset.key === key);
  if (!key) {
    sheet.removeAttribute("data-key");
    tidy();
    return;
  }
  sheet.dataset.key = key;
  paint(sheet, item(key));
  toTable.href = `/table/${item(key).table ?? ""}`;
  count();
}

function tidy() {
  const rows = [...list.children];
  for (const row of rows) if (item(row.dataset.key).settled === "yes") row.remove();
  for (const row of [...list.children].sort(byUrgency)) list.append(row);
  count();
}

const urgency = (row) => item(row.dataset.key).order ?? "";
const byUrgency = (a, b) => urgency(a).localeCompare(urgency(b));

function count() {
  const places = [...list.children];
  const sorted = places.every((row, at) => at === 0 || byUrgency(places[at - 1], row) <= 0);
  const rows = places.sort(byUrgency).map((row) => item(row.dataset.key));
  const settled = rows.filter((alert) => alert.settled === "yes").length;
  const more = rows.filter(({ id, status }) => status === "open" && `alert:${id}` !== sheet.dataset.key);
  next.querySelector(".count").textContent = String(more.length);
  next.dataset.is = more.length ? "open" : "none";
  next.hash = more.length ? `#a-${more[0].id}` : "";
  clear.querySelector("b").textContent = String(settled);
  clear.disabled = settled === 0 && sorted;
}

function changed(key, now, before) {
  if (!key.startsWith("alert:")) return;
  count();
  if (key !== sheet.dataset.key || !before || before.revision === now?.revision) return;
  sheet.dataset.changed = "yes";
  setTimeout(() => delete sheet.dataset.changed, LOOK_AGAIN_MS);
}

watch(changed);
clear.addEventListener("click", tidy);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && !openedKey()) tidy();
});
window.addEventListener("hashchange", follow);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && openedKey()) location.hash = "";
});
follow();
