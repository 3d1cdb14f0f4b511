/// The style sheet of a page with diagrams.
///
/// The colours keep a contrast of 4.5 to 1 against their ground, in the light and in the dark
/// (WCAG 2.2, 1.4.3); lines differ by their dashes too (1.4.1, use of colour).
enum DiagramStyle {
  /// The sheet.
  static let css = colours + page + boxes + lines

  private static let colours = """
    :root {
      color-scheme: light dark;
      --ground: #f6f7f9; --paper: #ffffff; --ink: #1c2128; --faint: #5c6670; --rule: #c9d0d8;
      --added: #116329; --added-ground: #dcf5e3; --removed: #a40e26; --removed-ground: #ffe3e3;
      --renamed: #0a4f9e; --renamed-ground: #ddebfb; --changed: #7a4b00;
      --changed-ground: #fdf0cd; --stop: #8f0e4b; --stop-ground: #ffe0ee; --focus: #0b5fff;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --ground: #14171c; --paper: #1e232a; --ink: #e4e8ed; --faint: #a2acb7; --rule: #434c57;
        --added: #6fdd8b; --added-ground: #14351f; --removed: #ff9c9c; --removed-ground: #451a1d;
        --renamed: #86bcff; --renamed-ground: #17304f; --changed: #f0c264;
        --changed-ground: #3c2f10; --stop: #ff9dc9; --stop-ground: #4b1630; --focus: #7fb0ff;
      }
    }
    .added { --tone: var(--added); --tone-ground: var(--added-ground); }
    .removed { --tone: var(--removed); --tone-ground: var(--removed-ground); }
    .renamed { --tone: var(--renamed); --tone-ground: var(--renamed-ground); }
    .changed { --tone: var(--changed); --tone-ground: var(--changed-ground); }
    .same { --tone: var(--faint); --tone-ground: transparent; }

    """

  private static let page = """
    * { box-sizing: border-box; }
    body {
      margin: 0; padding: 20px 24px 48px; background: var(--ground); color: var(--ink);
      font: 14px/1.5 system-ui, sans-serif;
    }
    h1 { font-size: 24px; margin: 0 0 4px; }
    h2 { font-size: 16px; margin: 24px 0 6px; }
    .verdict { margin: 0 0 14px; font-size: 16px; }
    .legend ul {
      display: flex; flex-wrap: wrap; gap: 6px 22px; margin: 0 0 8px; padding: 0; list-style: none;
    }
    .legend svg { vertical-align: -3px; overflow: visible; }
    .count, .hint { color: var(--faint); }
    .mark {
      display: inline-block; width: 18px; height: 18px; border-radius: 4px; color: var(--tone);
      background: var(--tone-ground); text-align: center; line-height: 17px;
      font-family: ui-monospace, monospace; font-weight: 700;
    }
    .stop {
      display: inline-block; padding: 0 6px; border-radius: 4px; color: var(--stop);
      background: var(--stop-ground); font-size: 12px; line-height: 18px; white-space: nowrap;
    }
    .controls {
      display: flex; flex-wrap: wrap; align-items: center; gap: 6px 24px; margin: 16px 0 0;
    }
    .controls[hidden] { display: none; }
    fieldset { display: flex; align-items: center; gap: 10px; margin: 0; padding: 0; border: 0; }
    fieldset legend { float: left; padding: 0; color: var(--faint); }
    button { font: inherit; padding: 1px 10px; min-width: 32px; }
    output { min-width: 48px; text-align: center; }
    :focus-visible { outline: 3px solid var(--focus); outline-offset: 1px; }
    #obstacles { border-left: 4px solid var(--stop); padding-left: 14px; }
    #obstacles h2 { margin-top: 12px; }
    section > ul { margin: 0; padding-left: 20px; }
    table { border-collapse: collapse; width: 100%; max-width: 1100px; }
    th, td { text-align: left; vertical-align: top; padding: 4px 12px 4px 0; }
    th { color: var(--faint); font-weight: 600; }
    tr.entity td { border-top: 1px solid var(--rule); font-weight: 600; }
    td:first-child { white-space: nowrap; width: 110px; }
    td:last-child { overflow-wrap: anywhere; }
    a { color: inherit; }

    """

  private static let boxes = """
    .diagrams { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0 20px; }
    .diagrams.single, .diagrams.stacked { grid-template-columns: minmax(0, 1fr); }
    .panel[hidden] { display: none; }
    .panel h2 { margin-top: 16px; }
    @media (max-width: 1000px) { .diagrams { grid-template-columns: minmax(0, 1fr); } }
    .view {
      overflow: auto; max-height: 80vh; border: 1px solid var(--rule); border-radius: 8px;
      background: var(--paper);
    }
    .sheet { position: relative; overflow: hidden; margin: 0 auto; }
    .canvas { position: relative; transform-origin: 0 0; }
    .canvas svg { position: absolute; left: 0; top: 0; }
    .box, .ghost { position: absolute; width: \(DiagramMeasure.boxWidth)px; border-radius: 8px; }
    .box {
      overflow: hidden; border: 2px solid var(--tone); background: var(--paper);
      font-size: 13px; cursor: pointer;
    }
    .box.same { border-width: 1px; border-color: var(--rule); }
    .box.removed { border-style: dashed; }
    .box header {
      display: flex; align-items: center; gap: 6px; height: \(DiagramMeasure.title - 2)px;
      padding: 0 10px; background: var(--tone-ground);
    }
    .box h3 { flex: 1; margin: 0; font-size: 14px; }
    .box h3, .box p, .box .name, .box .type, .box .rest, .ghost {
      overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
    }
    .tag { color: var(--tone); font-size: 12px; font-weight: 600; white-space: nowrap; }
    .box p {
      height: \(DiagramMeasure.subtitle)px; margin: 0; padding: 0 10px; color: var(--faint);
      font-size: 12px; line-height: \(DiagramMeasure.subtitle)px; background: var(--tone-ground);
    }
    .box ul { margin: 0; padding: 0; list-style: none; }
    .box li {
      display: flex; align-items: center; gap: 6px; height: \(DiagramMeasure.row)px;
      line-height: \(DiagramMeasure.row)px; padding: 0 10px 0 6px;
    }
    .box li:not(.same):not(.rest) { color: var(--tone); background: var(--tone-ground); }
    .box li.removed .name { text-decoration: line-through; }
    .box li.rest { display: block; padding-left: 30px; color: var(--faint); font-style: italic; }
    .box .mark { flex: none; background: none; }
    .box .name { flex: 1 1 auto; min-width: 40px; }
    .box .type { flex: 0 3 auto; min-width: 44px; color: var(--faint); }
    .box .stop { flex: none; }
    .ghost {
      border: 1px dashed var(--rule); padding: 8px 12px; color: var(--faint); font-size: 13px;
    }
    .faded { opacity: .3; }
    .box.chosen { box-shadow: 0 0 0 3px var(--focus); }
    .box:target { box-shadow: 0 0 0 3px var(--focus); }
    @media print { .view { max-height: none; overflow: visible; } .controls { display: none; } }

    """

  private static let lines = """
    .line path { fill: none; stroke: var(--tone); stroke-width: 1.5; }
    .line.added path, .line.removed path, .line.renamed path, .line.changed path {
      stroke-width: 2.25;
    }
    .line.removed path { stroke-dasharray: 7 5; }
    .line.renamed path { stroke-dasharray: 2 4; stroke-linecap: round; }
    .line.changed path { stroke-dasharray: 10 4 2 4; }
    .line path.end { stroke-dasharray: none; fill: var(--paper); }
    .line.chosen path { stroke-width: 3.5; }
    """
}
