"use strict";
(() => {
  const form = document.querySelector(".filters");
  const rows = [...document.querySelectorAll("#stores tbody tr")];
  const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    const words = form.elements.search.value.trim().toLowerCase();
    let shown = 0;
    for (const row of rows) {
      row.hidden = !texts.get(row).includes(words);
      if (!row.hidden) shown += 1;
    }
    form.querySelector("output").textContent = shown === rows.length
      ? "" : `${shown} of ${rows.length} stores`;
  });
  form.hidden = false;
  document.documentElement.dataset.ready = "true";
})();
