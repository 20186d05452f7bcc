// What a dialog asks: its choices are made here from the thing that it is about, with text only.
//
// data-about="name"      the text is that value
// data-options="name"    a choice is made of each option {value, words, more, picked} of that value
//   data-field, data-type, data-required   name and kind of the inputs
// data-when="name:part"  asked only while the chosen value of `name` holds `part`

const NUMBERS = new Set(["seat", "objector", "seconds", "minutes", "throw"]);

export function fill(dialog, about = {}) {
  const form = dialog.querySelector("form");
  for (const spot of dialog.querySelectorAll("[data-about]")) {
    spot.textContent = about[spot.dataset.about] ?? "";
  }
  for (const group of dialog.querySelectorAll("[data-options]")) {
    offer(group, about[group.dataset.options] ?? []);
  }
  form.reset();
  needed(form);
}

export function offer(group, options) {
  for (const old of group.querySelectorAll(".choice")) old.remove();
  group.append(...options.map((option) => choice(group, option)));
}

function choice(group, { value, words, more, picked }) {
  const label = document.createElement("label");
  const input = document.createElement("input");
  const text = document.createElement("span");
  label.className = "choice";
  input.type = group.dataset.type;
  input.name = group.dataset.field;
  input.value = value;
  input.defaultChecked = picked;
  input.required = "required" in group.dataset;
  text.textContent = words;
  if (more) {
    const second = document.createElement("small");
    second.textContent = more;
    text.append(second);
  }
  label.append(input, text);
  return label;
}

function needed(form) {
  for (const group of form.querySelectorAll("[data-when]")) {
    const [name, part] = group.dataset.when.split(":");
    group.disabled = !(new FormData(form).get(name) ?? "").includes(part);
  }
}

// Everything filled in, by the names of the contract; picked and typed reasons are one.
export function fieldsOf(form) {
  const { reason, typed, ...filled } = gathered(form);
  const words = [reason, typed?.trim()].filter(Boolean).join(". ");
  return words || typed !== undefined ? { ...filled, reason: words } : filled;
}

function gathered(form) {
  const fields = {};
  for (const [name, value] of new FormData(form)) {
    if (name === "seats") (fields.seats ??= []).push(Number(value));
    else if (name.startsWith("values-")) (fields.values ??= []).push(Number(value));
    else if (NUMBERS.has(name)) fields[name] = value && Number(value);
    else fields[name] = value;
  }
  return fields;
}

// Complains in the form where a reason, or a tick, is missing.
export function lacksSomething(form) {
  const { typed } = form.elements;
  if (typed?.dataset.needed) typed.setCustomValidity(fieldsOf(form).reason ? "" : typed.dataset.needed);
  for (const group of form.querySelectorAll("[data-type=checkbox]")) {
    const [first] = group.querySelectorAll("input");
    first?.setCustomValidity(group.querySelector(":checked") ? "" : group.dataset.needed);
  }
  return !form.reportValidity();
}

document.addEventListener("input", ({ target }) => {
  if (!target.form) return;
  for (const field of target.form.elements) field.setCustomValidity("");
  needed(target.form);
});
