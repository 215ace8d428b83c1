// Elements that the server has rendered: those with an id replace what has it, the others are added.
const FOCUSABLE = "a, button, summary";

function replace(old, one) {
  const held = [old, ...old.querySelectorAll(FOCUSABLE)].indexOf(document.activeElement);
  one.className = [...new Set([...one.classList, ...old.classList])].join(" ");
  one.setAttribute("aria-live", "off"); // it was read out when it was new
  old.replaceWith(one);
  if (held >= 0) [one, ...one.querySelectorAll(FOCUSABLE)][held]?.focus({ preventScroll: true });
}

export function update(html, container) {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  for (const one of [...holder.content.children]) {
    const old = one.id && document.getElementById(one.id);
    if (old) replace(old, one);
    else if (container) container.append(one);
  }
}
