// A recorded match that is dropped onto the page takes the way of the form for it.
const form = document.getElementById("drop");
const field = form.elements.record;
const error = form.querySelector(".error");

function isTooLarge() {
  const large = [...field.files].some((one) => one.size > Number(form.dataset.most));
  error.hidden = !large;
  return large;
}

form.addEventListener("submit", (event) => {
  if (isTooLarge()) event.preventDefault();
});
addEventListener("dragover", (event) => {
  if (!event.dataTransfer.types.includes("Files")) return;
  event.preventDefault();
  document.body.classList.add("dropping");
});
addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) document.body.classList.remove("dropping");
});
addEventListener("drop", (event) => {
  document.body.classList.remove("dropping");
  if (!event.dataTransfer.files.length) return;
  event.preventDefault();
  field.files = event.dataTransfer.files;
  const folded = form.closest("details");
  if (folded) folded.open = true;
  if (!isTooLarge()) form.submit();
});
