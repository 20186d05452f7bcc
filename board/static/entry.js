// The form for a foul that no table can sense: a table, then its seats and the fouls of its book.

import { offer } from "./asking.js";
import { item, itemsOf, watch } from "./live.js";
import { ask } from "./orders.js";

const dialog = document.getElementById("ask-enter-foul");
const opener = document.getElementById("enter-foul");
const tables = document.getElementById("enter-table");
const find = document.getElementById("find-foul");
const kinds = dialog.querySelector('[data-options="kinds"]');
const wanted = () => (location.hash.startsWith("#enter-") ? location.hash.slice(7) : "");

function about(table) {
  const book = item(`book:${table}`);
  return { ...book, kinds: item(book.kinds_of).kinds ?? [] };
}

function open(table) {
  tables.replaceChildren(...itemsOf("book").map(([, book]) => new Option(book.name, book.table)));
  const chosen = table || tables.value;
  ask("ask-enter-foul", about(chosen), opener);
  tables.value = chosen;
}

function change() {
  dialog.about = about(tables.value);
  for (const name of ["seats", "kinds"]) {
    offer(dialog.querySelector(`[data-options="${name}"]`), dialog.about[name] ?? []);
  }
  narrow();
}

// Whoever types sees the fouls that hold what was typed, in name or article.
function narrow() {
  const typed = find.value.trim().toLowerCase();
  for (const label of kinds.querySelectorAll(".choice")) {
    label.hidden = !label.textContent.toLowerCase().includes(typed);
  }
}

function openWanted() {
  const table = wanted();
  if (!table || !item(`book:${table}`).table) return;
  history.replaceState(null, "", location.pathname);
  open(table);
}

opener.addEventListener("click", () => open(""));
tables.addEventListener("change", change);
find.addEventListener("input", narrow);
watch(openWanted);
window.addEventListener("hashchange", openWanted);
