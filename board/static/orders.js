// Sends orders and shows what the table's node answered.
//
// A button with data-verb orders at once; one with data-ask opens the <dialog> of that name, whose
// form then carries the order. What the person saw when pressing (hand, machine state, revision)
// travels along, so that an order meant for something that has passed is refused.

import { boardToken, item } from "./live.js";

const LOCK_MS = 1000;
const answer = document.getElementById("answer");
const person = document.getElementById("person");
let hiding = 0;

async function post(path, body) {
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json", "x-board-token": boardToken() },
    body: JSON.stringify(body),
  });
  if (response.headers.get("content-type")?.startsWith("application/json")) return response.json();
  return { mood: "bad", title: await response.text(), detail: "" };
}

export function tell({ mood, title, detail }) {
  answer.dataset.is = mood;
  answer.querySelector("strong").textContent = title;
  answer.querySelector("span").textContent = detail;
  answer.hidden = false;
  clearTimeout(hiding);
  if (mood !== "wait") hiding = setTimeout(() => (answer.hidden = true), 12000);
}

// What the page shows now of the thing that a button is about.
function subject(button) {
  return item(button.closest("[data-key]").dataset.key);
}

function order(button, verb, about, fields) {
  const { table, hand_id: hand, machine_seq, id: alert, revision } = about;
  const seen = JSON.parse(JSON.stringify({ hand, machine_seq, alert, revision }));
  return send(button, { id: crypto.randomUUID(), table, verb, seen, ...fields });
}

async function send(button, body) {
  if (!person.dataset.name) return ask("pick-person");
  button.disabled = true;
  tell({ mood: "wait", title: button.dataset.doing ?? button.textContent.trim(), detail: "" });
  try {
    tell(await post("/order", body));
  } catch {
    tell({ mood: "bad", title: answer.dataset.lost, detail: "" });
  } finally {
    setTimeout(() => (button.disabled = false), LOCK_MS);
  }
}

function ask(name, about) {
  const dialog = document.getElementById(name);
  dialog.about = about;
  dialog.querySelector("form").reset();
  for (const spot of dialog.querySelectorAll("[data-about]")) {
    spot.textContent = about?.[spot.dataset.about] ?? "";
  }
  dialog.showModal();
}

async function pickPerson(name) {
  const told = await post("/person", { name });
  if (told.name) {
    person.dataset.name = told.name;
    person.querySelector("b").textContent = told.name;
  }
  tell(told);
}

function submitted(event) {
  const dialog = event.target.closest("dialog");
  if (!dialog || event.target.method === "dialog") return;
  event.preventDefault();
  const fields = Object.fromEntries(new FormData(event.target));
  const typed = (fields.typed ?? "").trim();
  if (lacksReason(event.target, fields.reason || typed)) return;
  dialog.close();
  if (dialog.id === "pick-person") pickPerson(typed || fields.name || "");
  else order(dialog.opener, event.target.dataset.verb, dialog.about, fieldsOf(fields, typed));
}

function lacksReason(form, reason) {
  const { typed } = form.elements;
  if (!typed?.dataset.needed) return false;
  typed.setCustomValidity(reason ? "" : typed.dataset.needed);
  return !form.reportValidity();
}

function fieldsOf({ sanction, reason }, typed) {
  const words = [reason, typed].filter(Boolean).join(". ");
  return sanction === undefined ? { reason: words } : { reason: words, sanction };
}

function notNow(button) {
  tell({ mood: "warn", title: `${button.textContent.trim()}: ${answer.dataset.notNow}`, detail: "" });
}

async function seen(button) {
  const { table, seat } = subject(button);
  button.disabled = true;
  tell(await post("/seen", { table, seat: Number(seat) }));
}

function clicked(event) {
  const button = event.target.closest("button");
  if (!button) return;
  if (button.ariaDisabled === "true") return notNow(button);
  if ("close" in button.dataset) button.closest("dialog").close();
  if ("seen" in button.dataset) seen(button);
  if (button.dataset.verb) order(button, button.dataset.verb, subject(button), {});
  if (button.dataset.ask) {
    const dialog = document.getElementById(button.dataset.ask);
    dialog.opener = button;
    ask(button.dataset.ask, button.closest("[data-key]") ? subject(button) : undefined);
  }
}

answer.addEventListener("click", () => (answer.hidden = true));
document.addEventListener("click", clicked);
document.addEventListener("submit", submitted);
document.addEventListener("input", (event) => event.target.form?.elements.typed?.setCustomValidity(""));
