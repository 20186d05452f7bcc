// The referee's page: an alert that is opened stays where it is, whatever else arrives.
//
// Rows never move by themselves: new alerts come last, settled ones stay greyed in place until the
// referee clears them or comes back from an opened alert.

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
  const order = (row) => item(row.dataset.key).order ?? "";
  for (const row of [...list.children].sort((a, b) => order(a).localeCompare(order(b)))) list.append(row);
  count();
}

function count() {
  const rows = [...list.children].map((row) => item(row.dataset.key));
  const settled = rows.filter((alert) => alert.settled === "yes").length;
  const more = rows.filter(({ id, status }) => status === "open" && `alert:${id}` !== sheet.dataset.key);
  next.querySelector(".count").textContent = String(more.length);
  next.dataset.is = more.length ? "open" : "none";
  next.hash = more.length ? `#a-${more[0].id}` : "";
  clear.querySelector("b").textContent = String(settled);
  clear.disabled = settled === 0;
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
window.addEventListener("hashchange", follow);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && openedKey()) location.hash = "";
});
follow();
