"use strict";
(() => {
  const source = document.getElementById("data");
  const form = document.querySelector(".filters");
  if (!form) return;
  const { groups, images, names, objects } = JSON.parse(source.textContent);
  source.remove();
  const kinds = ["changed", "removed", "added"], marks = ["~", "-", "+"];
  const groupsPerPage = 25, rowsPerPage = 20;
  const place = document.getElementById("groups");
  const pages = document.getElementById("pages");
  const count = document.getElementById("count");
  const number = (value) => value.toLocaleString("en");
  const plural = (value, word) => `${number(value)} ${word}${value === 1 ? "" : "s"}`;

  const element = (tag, attributes = {}, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== null) made.setAttribute(name, value);
    }
    made.append(...children);
    return made;
  };

  const members = groups.map(() => []);
  objects.forEach((object, index) => members[object[0]].push(index));
  const plain = (value) =>
    typeof value === "string" ? value : Array.isArray(value) ? value[1] : "";

  const texts = new Array(objects.length);
  const textOf = (index) => {
    if (texts[index] === undefined) {
      const [, key, values, origin] = objects[index];
      const parts = values.map(([name, old, now]) =>
        `${names[name]} ${plain(old)} ${plain(now)}`);
      texts[index] = `${key} ${parts.join(" ")} ${origin || ""}`.toLowerCase();
    }
    return texts[index];
  };

  // The pieces that two lists have in common, by the longest common subsequence.
  const common = (a, b) => {
    const width = b.length + 1;
    const lengths = new Uint16Array((a.length + 1) * width);
    for (let i = a.length - 1; i >= 0; i -= 1) {
      for (let k = b.length - 1; k >= 0; k -= 1) {
        lengths[i * width + k] = a[i] === b[k]
          ? lengths[(i + 1) * width + k + 1] + 1
          : Math.max(lengths[(i + 1) * width + k], lengths[i * width + k + 1]);
      }
    }
    const kept = a.map(() => false);
    for (let i = 0, k = 0; i < a.length && k < b.length;) {
      if (a[i] === b[k]) { kept[i] = true; i += 1; k += 1; }
      else if (lengths[(i + 1) * width + k] >= lengths[i * width + k + 1]) i += 1;
      else k += 1;
    }
    return kept;
  };

  // A text in pieces, each with whether the other text has it too: first what both begin and
  // end with, then words, as long as that is quickly done.
  const pieces = (own, other) => {
    const [a, b] = [Array.from(own), Array.from(other)];
    let start = 0;
    while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
    let end = 0;
    while (end < a.length - start && end < b.length - start
      && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
    const part = (list, from, to) => list.slice(from, to).join("");
    const words = (text) => text.match(/\s+|\w+|[^\s\w]/gu) || [];
    const middle = words(part(a, start, a.length - end));
    const others = words(part(b, start, b.length - end));
    const kept = middle.length * others.length > 40000
      ? middle.map(() => false) : common(middle, others);
    return [[part(a, 0, start), true], ...middle.map((word, at) => [word, kept[at]]),
      [part(a, a.length - end, a.length), true]];
  };

  const show = (value, other, tag) => {
    if (value === 0) return element("div", { class: "value none" }, "none");
    if (value === 1) return element("div", { class: "value hidden" }, "hidden");
    const box = element("div", { class: "value" });
    const text = plain(value);
    if (Array.isArray(value) && value[2] !== undefined) {
      const when = tag === "del" ? "before" : "after";
      box.append(element("img", { src: images[value[2]], alt: `${when}: ${text}` }));
    }
    if (text === "") {
      box.classList.add("none");
      box.append("empty text");
    } else if (typeof value === "string" && typeof other === "string") {
      let marked = "";
      for (const [piece, isCommon] of [...pieces(value, other), ["", true]]) {
        if (isCommon && marked !== "") box.append(element(tag, {}, marked));
        marked = isCommon ? "" : marked + piece;
        if (isCommon) box.append(piece);
      }
    } else {
      box.append(other === 0 || value[0] === "x" ? text : element(tag, {}, text));
    }
    if (text.length > 600) {
      box.classList.add("long");
      const all = element("button", { type: "button", class: "all" },
        `Show all ${number(text.length)} characters`);
      all.addEventListener("click", () => { box.classList.remove("long"); all.remove(); });
      return element("div", {}, box, all);
    }
    return box;
  };

  const rowsOf = (index, kind) => {
    const [group, key, values, origin] = objects[index];
    const name = `${names[groups[group][0]]} ${key}`;
    const lines = values.length > 0 ? values : [[null, 0, 0]];
    return lines.map(([property, old, now], line) => {
      const head = line === 0
        ? element("th", { scope: "rowgroup", rowspan: lines.length }, name) : "";
      if (line === 0 && origin) {
        head.append(element("div", { class: "count" }, `made from ${origin}`));
      }
      const cells = [element("td", {}, property === null ? "" : names[property])];
      if (kind !== 2) cells.push(element("td", { "data-label": "Before" }, show(old, now, "del")));
      if (kind !== 1) cells.push(element("td", { "data-label": "After" }, show(now, old, "ins")));
      return element("tr", { class: line > 0 ? "more" : null }, head, ...cells);
    });
  };
  const collator = new Intl.Collator("en", { numeric: true });
  const compare = (a, b) => {
    const [x, y] = [Number(a), Number(b)];
    return a !== "" && b !== "" && Number.isFinite(x) && Number.isFinite(y)
      ? x - y : collator.compare(a, b);
  };
  // What each column sorts objects by: a change's first property, or the one that is looked for.
  const sortedBy = {
    Object: ([, key]) => key,
    Property: (object) => object[2].length > 0 ? names[line(object)[0]] : "",
    Before: (object) => object[2].length > 0 ? plain(line(object)[1]) : "",
    After: (object) => object[2].length > 0 ? plain(line(object)[2]) : "",
  };
  const line = ([, , values]) =>
    values.find(([name]) => names[name] === form.elements.property.value) || values[0];

  const table = (kind, sort) => {
    const heads = ["Object", "Property", ...["Before", "After"].filter((_, side) =>
      !(side === 0 && kind === 2) && !(side === 1 && kind === 1))];
    const columns = heads.map((_, at) =>
      element("col", { class: at === 0 ? "what" : at === 1 ? "which" : "side" }));
    const cells = heads.map((head) => {
      const button = element("button", { type: "button", class: "sort" }, head);
      const cell = element("th", { scope: "col" }, button);
      button.addEventListener("click", () => {
        const order = cell.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
        for (const other of cell.parentNode.children) other.removeAttribute("aria-sort");
        cell.setAttribute("aria-sort", order);
        sort(sortedBy[head], order === "ascending" ? 1 : -1);
      });
      return cell;
    });
    return element("table", { class: "stack sorts" }, element("colgroup", {}, ...columns),
      element("thead", {}, element("tr", {}, ...cells)));
  };

  const fill = (body, group, list) => {
    const [entity, kind, words, total] = groups[group];
    let order = list;
    const grid = table(kind, (key, sign) => {
      const keys = new Map(list.map((index) => [index, key(objects[index])]));
      order = [...list].sort((a, b) => sign * compare(keys.get(a), keys.get(b)));
      [...grid.tBodies].forEach((rows) => rows.remove());
      shown = 0;
      more();
    });
    grid.prepend(element("caption", { class: "unseen" }, `${names[entity]}: ${words}`));
    const foot = element("div", { class: "foot" });
    let shown = 0;
    const more = () => {
      for (const index of order.slice(shown, shown + rowsPerPage)) {
        grid.append(element("tbody", {}, ...rowsOf(index, kind)));
      }
      shown = Math.min(list.length, shown + rowsPerPage);
      const left = list.length - shown;
      const hidden = list === members[group] ? total - list.length : 0;
      const text = `${number(shown)} of ${number(list.length)} shown`
        + (hidden > 0 ? `; ${number(hidden)} more are only counted` : "");
      foot.replaceChildren(text);
      if (left === 0) return;
      const next = Math.min(left, rowsPerPage);
      const button = element("button", { type: "button" }, `Show ${next} more`);
      button.addEventListener("click", () => {
        more();
        (foot.querySelector("button") || body.closest("details").firstChild).focus();
      });
      foot.append(button);
    };
    more();
    body.append(grid, foot);
  };

  const card = ({ group, list, total }, isOpen) => {
    const [entity, kind, words, all] = groups[group];
    const title = element("span", { class: "words" },
      element("strong", {}, `${number(total)} ${names[entity]}`),
      kind === 0 ? `: ${words}` : `, ${words}`);
    const some = total < all
      ? element("span", { class: "some" }, `of ${number(all)}`) : "";
    const mark = element("span", { class: "mark", role: "img", "aria-label": kinds[kind] },
      marks[kind]);
    const body = element("div", {
      class: "body", tabindex: "0", role: "group",
      "aria-label": `${names[entity]}: ${words}`,
    });
    const made = element("details", { class: `group ${kinds[kind]}` },
      element("summary", {}, mark, title, some), body);
    const open = () => { if (made.open && !body.firstChild) fill(body, group, list); };
    made.addEventListener("toggle", open);
    made.fill = open;
    if (isOpen) { made.open = true; open(); }
    return made;
  };
  let found = [], page = 0;

  const search = () => {
    const { entity, property, search: query } = form.elements;
    const wanted = new Set([...form.querySelectorAll("[name=kind]")]
      .filter((box) => box.checked).map((box) => kinds.indexOf(box.value)));
    const words = query.value.trim().toLowerCase();
    found = [];
    groups.forEach(([name, kind, text, total, properties], group) => {
      if (entity.value !== "" && names[name] !== entity.value) return;
      if (!wanted.has(kind)) return;
      if (property.value && !properties.some((at) => names[at] === property.value)) return;
      if (words === "" || text.toLowerCase().includes(words)) {
        found.push({ group, list: members[group], total });
        return;
      }
      const list = members[group].filter((index) => textOf(index).includes(words));
      if (list.length > 0) found.push({ group, list, total: list.length });
    });
    page = 0;
    draw();
    filterTables(entity.value, property.value, words);
  };

  // The rows of the other tables: those that are about an entity or a property.
  const filterTables = (entity, property, words) => {
    for (const table of document.querySelectorAll("table.sortable")) {
      const rows = [...table.tBodies[0].rows];
      for (const row of rows) {
        const { entity: its, property: own } = row.dataset;
        row.hidden = its !== undefined && entity !== "" && its !== entity
          || own !== undefined && property !== "" && own !== property
          || words !== "" && !row.textContent.toLowerCase().includes(words);
      }
      const shown = rows.filter((row) => !row.hidden).length;
      const frame = table.parentNode, next = frame.nextElementSibling;
      const said = next && next.classList.contains("shown") ? next
        : element("p", { class: "result shown", role: "status" });
      said.textContent = `${number(shown)} of ${plural(rows.length, "row")} shown`;
      if (shown === rows.length) said.remove(); else frame.after(said);
    }
  };

  const draw = () => {
    const start = page * groupsPerPage;
    const visible = found.slice(start, start + groupsPerPage);
    place.replaceChildren(...visible.map((entry, at) => card(entry, at === 0 && page === 0)));
    const total = found.reduce((sum, entry) => sum + entry.total, 0);
    count.textContent = found.length === 0 ? "Nothing matches."
      : `${plural(total, "object")} in ${plural(found.length, "kind")} of change`;
    const last = Math.ceil(found.length / groupsPerPage) - 1;
    pages.hidden = last < 1;
    if (last < 1) return;
    const step = (label, to) => {
      const button = element("button", { type: "button" }, label);
      button.disabled = to < 0 || to > last;
      button.addEventListener("click", () => {
        page = to;
        draw();
        document.getElementById("changes-title").focus();
      });
      return button;
    };
    pages.replaceChildren(step("Previous", page - 1),
      `page ${page + 1} of ${last + 1}`, step("Next", page + 1));
  };

  const offer = (select, values) => {
    for (const value of [...new Set(values)].sort((a, b) => a.localeCompare(b))) {
      select.append(element("option", { value }, value));
    }
  };

  const offerProperties = () => {
    const { entity, property } = form.elements;
    const chosen = property.value;
    [...property.options].slice(1).forEach((option) => option.remove());
    offer(property, groups
      .filter(([name]) => entity.value === "" || names[name] === entity.value)
      .flatMap(([, , , , properties]) => properties.map((at) => names[at])));
    property.value = [...property.options].some((option) => option.value === chosen)
      ? chosen : "";
  };

  // A link can say what to show: #entity=Note&property=title&kind=changed&search=milk
  const follow = () => {
    const wanted = new URLSearchParams(location.hash.slice(1));
    if (!["entity", "property", "kind", "search"].some((name) => wanted.has(name))) return;
    form.elements.entity.value = wanted.get("entity") || "";
    offerProperties();
    form.elements.property.value = wanted.get("property") || "";
    form.elements.search.value = wanted.get("search") || "";
    for (const box of form.querySelectorAll("[name=kind]")) {
      box.checked = !wanted.has("kind") || wanted.getAll("kind").includes(box.value);
    }
    search();
  };

  let waiting = 0;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", (event) => {
    if (event.target.name === "entity") offerProperties();
    if (event.target.name !== "search") search();
  });
  form.addEventListener("input", (event) => {
    if (event.target.name !== "search") return;
    clearTimeout(waiting);
    waiting = setTimeout(search, 200);
  });
  form.addEventListener("reset", () => setTimeout(() => { offerProperties(); search(); }));
  addEventListener("hashchange", follow);

  // On paper the first objects of every kind are open.
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...place.querySelectorAll("details:not([open])")];
    closed.forEach((details) => { details.open = true; details.fill(); });
  });
  addEventListener("afterprint", () => closed.forEach((details) => { details.open = false; }));

  offer(form.elements.entity, groups.map(([name]) => names[name]));
  offerProperties();
  form.hidden = false;
  search();
  follow();
  document.documentElement.dataset.ready = "true";
})();
