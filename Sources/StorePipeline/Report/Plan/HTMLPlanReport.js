"use strict";
(() => {
  const all = (what, where = document) => [...where.querySelectorAll(what)];
  const form = document.querySelector(".filters");

  // The row under the pointer or the cursor shows its lines and where they lead.
  const choose = (row) => {
    all(".chosen").forEach((one) => one.classList.remove("chosen"));
    if (!row || !row.dataset.lines) return;
    const flow = row.closest(".flow");
    const lines = row.dataset.lines.split(" ");
    for (const line of all(".line", flow)) {
      line.classList.toggle("chosen", lines.includes(line.dataset.line));
    }
    for (const other of all("li[data-lines]", flow)) {
      const isMet = other.dataset.lines.split(" ").some((line) => lines.includes(line));
      other.classList.toggle("chosen", isMet);
    }
  };
  for (const flow of all(".flow")) {
    flow.addEventListener("mouseover", (event) => choose(event.target.closest("li")));
    flow.addEventListener("mouseleave", () => choose(null));
    flow.addEventListener("focusin", (event) => choose(event.target.closest("li")));
    flow.addEventListener("focusout", () => choose(null));
  }

  const search = () => {
    const words = form.elements.search.value.trim().toLowerCase();
    const isQuiet = form.elements.quiet.checked;
    const lanes = all(".lane");
    for (const lane of lanes) {
      lane.hidden = isQuiet && lane.classList.contains("same")
        || words !== "" && !lane.textContent.toLowerCase().includes(words);
    }
    for (const row of all(".words tbody tr")) {
      row.hidden = words !== "" && !row.textContent.toLowerCase().includes(words)
        || isQuiet && row.lastElementChild.textContent === "unchanged";
    }
    const shown = lanes.filter((lane) => !lane.hidden).length;
    form.querySelector("output").textContent = shown === lanes.length
      ? "" : `${shown} of ${lanes.length} groups of entities shown`;
  };
  if (form) {
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", search);
    form.hidden = false;
  }
  document.documentElement.dataset.ready = "true";
})();
