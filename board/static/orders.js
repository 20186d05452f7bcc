// Sends orders and shows what the table's node answered.
//
// A button with data-verb orders at once (data-with goes along, and the number that data-carry
// names of the thing that the button is about); one with data-ask opens the <dialog> of that name,
// whose form then carries the order. What the person saw when pressing (hand, machine state,
// revision) travels along, so that an order meant for something that has passed is refused. Fields
// are filled and read in asking.js.

import { fieldsOf, fill, lacksSomething } from "./asking.js";
import { boardToken, item, listenAnew } from "./live.js";

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
const subject = (button) => item(button.closest("[data-key]")?.dataset.key);

function order(button, verb, about, fields) {
  const { table, hand_id: hand, machine_seq, id: alert, revision } = about;
  const seen = JSON.parse(JSON.stringify({ hand, machine_seq, alert, revision }));
  return send(button, "/order", { id: crypto.randomUUID(), table, verb, seen, ...fields });
}

async function send(button, path, body) {
  if (!person.dataset.name) return ask("pick-person");
  button.disabled = true;
  tell({ mood: "wait", title: button.dataset.doing ?? button.textContent.trim(), detail: "" });
  try {
    tell(await post(path, body));
  } catch {
    tell({ mood: "bad", title: answer.dataset.lost, detail: "" });
  } finally {
    setTimeout(() => (button.disabled = false), LOCK_MS);
  }
}

export function ask(name, about, opener) {
  const dialog = document.getElementById(name);
  dialog.about = about;
  dialog.opener = opener;
  fill(dialog, about);
  dialog.showModal();
}

async function pickPerson(name) {
  const told = await post("/person", { name });
  if (told.name) {
    person.dataset.name = told.name;
    person.querySelector("b").textContent = told.name;
    listenAnew();
  }
  tell(told);
}

async function pickZones(form) {
  for (const box of form.querySelectorAll("input")) box.defaultChecked = box.checked;
  tell(await post("/zones", { zones: new FormData(form).getAll("zones") }));
  listenAnew();
}

function submitted(event) {
  const form = event.target;
  const dialog = form.closest("dialog");
  if (!dialog) return;
  event.preventDefault();
  if (lacksSomething(form)) return;
  dialog.close();
  carry(dialog, form);
}

function carry(dialog, form) {
  const fields = fieldsOf(form);
  const { verb, path } = form.dataset;
  if (dialog.id === "pick-person") return pickPerson(fields.reason || fields.name || "");
  if (dialog.id === "pick-zones") return pickZones(form);
  if (!path) return order(dialog.opener, verb, dialog.about, fields);
  const everywhere = { id: crypto.randomUUID(), verb: verb.replace("-all", ""), ...fields };
  return send(dialog.opener, path, everywhere);
}

function notNow(button) {
  tell({ mood: "warn", title: `${button.textContent.trim()}: ${answer.dataset.notNow}`, detail: "" });
}

function alongWith(button) {
  const { with: more, carry } = button.dataset;
  const own = carry ? { [carry]: Number(subject(button)[carry]) } : {};
  return more ? { ...own, ...JSON.parse(more) } : own;
}

function clicked(event) {
  const button = event.target.closest("button");
  if (!button) return;
  if (button.ariaDisabled === "true") return notNow(button);
  const { verb, ask: name } = button.dataset;
  if ("close" in button.dataset) button.closest("dialog").close();
  if (verb) order(button, verb, subject(button), alongWith(button));
  if (name) ask(name, subject(button), button);
}

answer.addEventListener("click", () => (answer.hidden = true));
document.addEventListener("click", clicked);
document.addEventListener("submit", submitted);
