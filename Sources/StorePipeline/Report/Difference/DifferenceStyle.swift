/// The style sheet of a page about two stores, beside that of the diagrams.
enum DifferenceStyle {
  /// The sheet.
  static let css = page + changes

  private static let page = """
    .aside { --tone: var(--stop); --tone-ground: var(--stop-ground); }
    body { max-width: 1280px; margin: 0 auto; }
    h2 { font-size: 19px; margin: 34px 0 8px; }
    .skip { position: absolute; left: -9999px; }
    .skip:focus {
      left: 16px; top: 8px; padding: 4px 12px; background: var(--paper); color: var(--ink);
    }
    header.page h1 { font-size: 26px; margin-top: 8px; }
    .verdict { font-size: 18px; margin: 12px 0; max-width: 60em; }
    .sides { display: flex; flex-wrap: wrap; gap: 4px 32px; margin: 8px 0 0; }
    .sides div { display: flex; gap: 8px; }
    .sides dt { color: var(--faint); }
    .sides dd { margin: 0; overflow-wrap: anywhere; }
    .tiles {
      display: flex; flex-wrap: wrap; gap: 12px; margin: 14px 0; padding: 0; list-style: none;
    }
    .tiles li {
      min-width: 150px; padding: 10px 16px 12px; border-radius: 10px; background: var(--paper);
      border: 1px solid var(--rule); border-left: 5px solid var(--tone);
    }
    .tiles strong { display: block; font-size: 28px; line-height: 1.2; }
    .tiles .same { --tone: var(--rule); }
    .scroll { overflow-x: auto; }
    table { max-width: none; background: var(--paper); border: 1px solid var(--rule); }
    th, td { padding: 7px 12px; border-top: 1px solid var(--rule); }
    thead th { border-top: 0; white-space: nowrap; font-size: 13px; }
    tbody th { color: var(--ink); }
    td:first-child { width: auto; white-space: normal; }
    td { overflow-wrap: anywhere; }
    .entities td.number, .entities thead th:nth-child(n+3):nth-child(-n+7) { text-align: right; }
    .entities td.number { font-variant-numeric: tabular-nums; overflow-wrap: normal; }
    .entities td.number.changed, .entities td.number.removed, .entities td.number.added,
    .entities td.number.aside { color: var(--tone); font-weight: 700; }
    .entities td.zero { color: var(--faint); }
    .entities .bar-head { min-width: 180px; }
    .entities td:last-child { min-width: 260px; }
    .plain { margin: 0; padding: 0; list-style: none; }
    .plain li { color: var(--faint); }
    .plain li b { color: var(--ink); font-weight: 600; }
    .plain-table td { white-space: pre-wrap; }
    .bar { display: flex; gap: 2px; height: 14px; margin-top: 4px; }
    .bar i { flex: 1 1 0; min-width: 3px; border-radius: 3px; background: var(--tone); }
    .bar i.same { background: var(--rule); }
    .bar i.removed {
      background: repeating-linear-gradient(135deg, var(--tone) 0 4px, var(--tone-ground) 4px 7px);
    }
    .bar i.changed {
      background: repeating-linear-gradient(90deg, var(--tone) 0 6px, var(--tone-ground) 6px 8px);
    }
    .notice {
      padding: 8px 14px; border-left: 4px solid var(--changed); background: var(--changed-ground);
      max-width: 70em;
    }
    footer { margin-top: 40px; border-top: 1px solid var(--rule); }

    """

  private static let changes = """
    .filters {
      display: flex; flex-wrap: wrap; align-items: center; gap: 8px 20px; padding: 10px 14px;
      background: var(--paper); border: 1px solid var(--rule); border-radius: 10px;
      position: sticky; top: 0; z-index: 2;
    }
    .filters[hidden], nav[hidden] { display: none; }
    .filters label { white-space: nowrap; }
    .filters select, .filters input[type=search] {
      font: inherit; padding: 3px 6px; max-width: 240px; color: var(--ink);
      background: var(--ground); border: 1px solid var(--faint); border-radius: 5px;
    }
    button {
      color: var(--ink); background: var(--ground); border: 1px solid var(--faint);
      border-radius: 5px; padding: 3px 12px; cursor: pointer;
    }
    button[disabled] { opacity: .5; cursor: default; }
    .result { color: var(--faint); margin: 10px 0; }
    .group {
      margin: 0 0 8px; border: 1px solid var(--rule); border-left: 5px solid var(--tone);
      border-radius: 8px; background: var(--paper);
    }
    .group > summary {
      display: flex; align-items: baseline; gap: 10px; padding: 8px 14px; cursor: pointer;
      list-style: none;
    }
    .group > summary::-webkit-details-marker { display: none; }
    .group > summary::after {
      content: "▸"; margin-left: auto; color: var(--faint); flex: none;
    }
    .group[open] > summary::after { content: "▾"; }
    .group > summary .mark { flex: none; }
    .group > summary .words { overflow-wrap: anywhere; }
    .group > summary .some { color: var(--faint); white-space: nowrap; flex: none; }
    .group .body { padding: 0 14px 12px; overflow-x: auto; }
    .group table { border: 0; table-layout: fixed; min-width: 640px; }
    .group col.what { width: 15%; } .group col.which { width: 15%; } .group col.side { width: 35%; }
    .group tbody th { font-weight: 600; overflow-wrap: anywhere; }
    .group tbody td { white-space: normal; }
    .group tbody tr.more th, .group tbody tr.more td { border-top: 1px dotted var(--rule); }
    .value { white-space: pre-wrap; overflow-wrap: anywhere; max-height: 16em; overflow: auto; }
    .value.none, .value.hidden { color: var(--faint); font-style: italic; }
    .value del, .value ins {
      text-decoration: none; border-radius: 3px; padding: 1px 0;
      color: var(--removed); background: var(--removed-ground);
      box-shadow: inset 0 -2px 0 var(--removed);
    }
    .value ins {
      color: var(--added); background: var(--added-ground);
      box-shadow: inset 0 -2px 0 var(--added);
    }
    .value img {
      display: block; max-width: 160px; max-height: 120px; margin-bottom: 4px;
      border: 1px solid var(--rule); border-radius: 4px; background: var(--paper);
    }
    .foot { display: flex; flex-wrap: wrap; align-items: center; gap: 12px; padding-top: 10px; }
    #pages { display: flex; align-items: center; gap: 12px; margin: 14px 0; }
    .unseen {
      position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
      white-space: nowrap;
    }
    @media (max-width: 700px) { body { padding: 12px; } .filters { position: static; } }
    @media print { .filters, #pages, .foot button { display: none; } }

    """
}
