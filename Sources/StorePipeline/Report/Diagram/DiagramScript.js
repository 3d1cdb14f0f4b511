"use strict";
(() => {
  const all = (what, where = document) => [...where.querySelectorAll(what)];
  const controls = document.querySelector(".controls");
  const diagrams = document.querySelector(".diagrams");
  const smallest = 0.25, largest = 2, readable = 0.75;
  let scale = 1, chosen = null;

  const setScale = (wanted) => {
    scale = Math.min(largest, Math.max(smallest, wanted));
    for (const sheet of all(".sheet")) {
      sheet.style.width = `${sheet.dataset.width * scale}px`;
      sheet.style.height = `${sheet.dataset.height * scale}px`;
      sheet.firstElementChild.style.transform = `scale(${scale})`;
    }
    controls.querySelector("output").textContent = `${Math.round(scale * 100)} %`;
  };

  const room = () => {
    const view = all(".view").find((view) => view.clientWidth > 0);
    return view ? view.clientWidth / document.querySelector(".sheet").dataset.width : 1;
  };

  const fit = (least) => setScale(Math.max(least, Math.min(1, room())));

  // Side by side only where both can be read there.
  const arrange = () => {
    diagrams.classList.remove("stacked");
    diagrams.classList.toggle("stacked", room() < readable);
    fit(readable);
  };

  const paint = () => {
    const quiet = controls.elements.quiet.checked;
    const near = new Set(chosen === null ? [] : [chosen]);
    for (const line of all(".canvas .line")) {
      const ends = [line.dataset.from, line.dataset.to];
      const isChosen = chosen !== null && ends.includes(chosen);
      if (isChosen) ends.forEach((end) => near.add(end));
      line.classList.toggle("chosen", isChosen);
      const isQuiet = quiet && line.classList.contains("same");
      line.classList.toggle("faded", chosen === null ? isQuiet : !isChosen);
    }
    for (const box of all(".canvas [data-pair]")) {
      const pair = box.dataset.pair;
      const isQuiet = quiet && box.classList.contains("same");
      box.classList.toggle("chosen", pair === chosen);
      box.classList.toggle("faded", chosen === null ? isQuiet : !near.has(pair));
    }
  };

  const show = (box) => box.scrollIntoView({ block: "nearest", inline: "nearest" });

  const choose = (box) => {
    const pair = box === null ? null : box.dataset.pair;
    chosen = pair === chosen ? null : pair;
    paint();
    if (chosen === null) return;
    const panel = box.closest(".panel");
    all(`.box[data-pair="${chosen}"]`).filter((other) => !panel.contains(other)).forEach(show);
    show(box);
  };

  for (const box of all(".box")) {
    box.addEventListener("click", () => choose(box));
    box.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      choose(box);
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && chosen !== null) choose(null);
  });
  controls.addEventListener("submit", (event) => event.preventDefault());
  controls.addEventListener("change", () => {
    const wanted = controls.elements.show.value;
    diagrams.classList.toggle("single", wanted !== "both");
    for (const panel of all(".panel")) {
      panel.hidden = wanted !== "both" && wanted !== panel.id;
    }
    arrange();
    paint();
  });
  controls.addEventListener("click", (event) => {
    const zoom = event.target.dataset.zoom;
    if (zoom === "in") setScale(scale * 1.2);
    if (zoom === "out") setScale(scale / 1.2);
    if (zoom === "fit") fit(smallest);
  });
  controls.hidden = false;
  arrange();
})();
