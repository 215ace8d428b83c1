// A match page: what comes is added at the end, and what is there can be played again.
import "./lightbox.js";
import { update } from "./page.js";

const log = document.getElementById("log");
const player = document.getElementById("player");
const state = document.getElementById("state");
let items = [...log.children];
let at = items.length;
let timer = 0;

// What is off the screen has a height that is only estimated until it is drawn: aim again then.
function bring(item, block, tries = 4) {
  item.scrollIntoView({ block, behavior: "instant" });
  if (tries > 1) requestAnimationFrame(() => bring(item, block, tries - 1));
}

function show(count, { focus = false } = {}) {
  at = Math.max(1, Math.min(count, items.length));
  items.forEach((one, number) => one.classList.toggle("later", number >= at));
  player.elements.place.value = `${at} / ${items.length}`;
  const last = items[at - 1];
  if (focus && last) {
    last.focus({ preventScroll: true });
    bring(last, "nearest");
    history.replaceState(null, "", `#${last.id}`);
  }
}

function pause() {
  clearInterval(timer);
  timer = 0;
  player.querySelector('[data-do="play"]').setAttribute("aria-pressed", "false");
}

function play() {
  if (timer) return pause();
  if (at >= items.length) show(1);
  player.querySelector('[data-do="play"]').setAttribute("aria-pressed", "true");
  timer = setInterval(() => {
    show(at + 1, { focus: true });
    if (at >= items.length) pause();
  }, Number(player.elements.speed.value));
}

const actions = {
  first: () => show(1, { focus: true }),
  back: () => show(at - 1, { focus: true }),
  play,
  next: () => show(at + 1, { focus: true }),
  last: () => show(items.length, { focus: true }),
};
const keys = { Home: "first", ArrowLeft: "back", " ": "play", ArrowRight: "next", End: "last" };

player.addEventListener("click", (event) => {
  const name = event.target.closest("[data-do]")?.dataset.do;
  if (!name) return;
  if (name !== "play") pause();
  actions[name]();
});
player.elements.speed.addEventListener("change", () => {
  if (!timer) return;
  pause();
  play();
});
player.addEventListener("submit", (event) => event.preventDefault());
player.elements.search.addEventListener("input", () => {
  const wanted = player.elements.search.value.trim().toLowerCase();
  let first = null;
  for (const one of items) {
    const found = wanted !== "" && one.textContent.toLowerCase().includes(wanted);
    one.classList.toggle("found", found);
    if (found && !first) first = one;
  }
  if (first) {
    show(Math.max(at, items.indexOf(first) + 1));
    bring(first, "center");
  }
});
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, select, textarea, button, summary, a, dialog");
  const name = keys[event.key];
  if (!name || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  if (name !== "play") pause();
  actions[name]();
});
function take(html) {
  const wasAtEnd = at >= items.length;
  update(html, log);
  items = [...log.children];
  show(wasAtEnd ? items.length : at);
}

function follow(address) {
  const stream = new EventSource(`${address}&after=${log.dataset.last}`);
  stream.addEventListener("message", (event) => {
    const number = Number(event.lastEventId);
    if (number <= Number(log.dataset.last)) return;
    log.dataset.last = String(number);
    take(event.data);
  });
  stream.addEventListener("change", (event) => take(event.data));
  stream.addEventListener("over", () => {
    stream.close();
    state.textContent = "";
  });
}

player.hidden = false;
const linked = document.getElementById(location.hash.slice(1));
show(items.length);
if (linked) bring(linked, "center");
if (log.dataset.stream) follow(log.dataset.stream);
