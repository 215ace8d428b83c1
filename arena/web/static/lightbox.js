// A picture of the log, large, in the dialog of the page.
const dialog = document.getElementById("lightbox");
document.getElementById("log").addEventListener("click", (event) => {
  const link = event.target.closest("a.picture");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const large = dialog.querySelector("img");
  large.src = link.href;
  large.alt = link.querySelector("img").alt;
  dialog.showModal();
});
