// The page of a seat: events are added as they come, drafts are kept, the form follows what is asked.
import "./lightbox.js";
import { update } from "./page.js";

const log = document.getElementById("log");
const ask = document.getElementById("ask");
const title = document.title;
let shown = ask.querySelector(".ask")?.dataset.number ?? "0";
let ends = 0;
let fetches = 0;

const key = (form, field) => `${log.dataset.stream} ${form.action} ${form.elements.variant.value} ${field.name}`;

function prepare() {
  const section = ask.querySelector(".ask");
  document.title = section ? `${ask.dataset.title}: ${title}` : title;
  ends = section?.dataset.left ? Date.now() + Number(section.dataset.left) * 1000 : 0;
  for (const form of ask.querySelectorAll("form.answer")) {
    for (const field of form.querySelectorAll("textarea, select")) {
      const draft = sessionStorage.getItem(key(form, field));
      if (draft !== null && !field.value) field.value = draft;
    }
  }
}

ask.addEventListener("input", (event) => {
  const form = event.target.closest("form.answer");
  if (form) sessionStorage.setItem(key(form, event.target), event.target.value);
});

async function refresh(number) {
  if (number === shown) return;
  const mine = (fetches += 1);
  const answer = await fetch(log.dataset.form);
  const text = await answer.text();
  if (!answer.ok || mine !== fetches) return;
  const fresh = document.createRange().createContextualFragment(text);
  const found = fresh.querySelector(".ask")?.dataset.number ?? "0";
  // A new copy of the form on the page would lose the click on it.
  if (found === shown) return;
  shown = found;
  ask.replaceChildren(fresh);
  prepare();
}

function follow(address) {
  const stream = new EventSource(`${address}?after=${log.dataset.last}`);
  stream.addEventListener("message", (event) => {
    const number = Number(event.lastEventId);
    if (number <= Number(log.dataset.last)) return;
    log.dataset.last = String(number);
    update(event.data, log);
  });
  stream.addEventListener("change", (event) => update(event.data, log));
  stream.addEventListener("ask", (event) => refresh(event.data));
  stream.addEventListener("over", () => {
    stream.close();
    location.reload();
  });
}

setInterval(() => {
  const left = ask.querySelector(".left");
  if (left && ends) left.value = String(Math.max(0, Math.round((ends - Date.now()) / 1000)));
}, 500);
prepare();
if (log.dataset.stream) follow(log.dataset.stream);
