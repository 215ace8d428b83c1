// The page of a run: its figures and the rows of its table follow the run.
import { update } from "./page.js";

const run = document.getElementById("run");
if (run.dataset.stream) {
  const stream = new EventSource(run.dataset.stream);
  stream.addEventListener("change", (event) => update(event.data, run.querySelector("tbody")));
  stream.addEventListener("over", () => stream.close());
}
