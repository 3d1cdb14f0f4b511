"use strict";
(() => {
  const collator = new Intl.Collator("en", { numeric: true });
  const all = (what) => [...document.querySelectorAll(what)];
  const number = (text) => /^[\d,]+$/.test(text) ? Number(text.replaceAll(",", "")) : null;
  const compare = (one, other) => {
    const [a, b] = [number(one), number(other)];
    return a !== null && b !== null ? a - b : collator.compare(one, other);
  };

  // Every column sorts; numbers begin with the largest.
  const makeSortable = (table) => {
    const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
    if (!body || body.rows.length < 2) return;
    table.classList.add("sorts");
    heads.forEach((head, column) => {
      if (head.classList.contains("unsorted")) return;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const [first, second] = head.classList.contains("number")
          ? ["descending", "ascending"] : ["ascending", "descending"];
        const order = head.getAttribute("aria-sort") === first ? second : first;
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", order);
        const sign = order === "ascending" ? 1 : -1;
        const texts = new Map([...body.rows].map((row) =>
          [row, row.cells[column].textContent.trim()]));
        body.append(...[...body.rows].sort((one, other) =>
          sign * compare(texts.get(one), texts.get(other))));
      });
    });
  };
  all("table.sortable").forEach(makeSortable);

  // What is wider than its frame says so, above it.
  const hint = () => {
    for (const frame of all(".scroll, .view")) {
      const before = frame.previousElementSibling;
      const old = before && before.classList.contains("wider") ? before : null;
      const isWider = frame.scrollWidth > frame.clientWidth + 1;
      if (old && !isWider) old.remove();
      if (old || !isWider) continue;
      const words = document.createElement("p");
      words.className = "wider";
      words.textContent = "There is more to the right: scroll sideways";
      frame.before(words);
    }
  };
  hint();
  addEventListener("resize", hint);
  document.addEventListener("change", () => setTimeout(hint));
  document.addEventListener("click", () => setTimeout(hint));
})();
