/// What happened to many stores, as a person reads it.
package struct TextFleetSummary {
  private let summary: FleetSummary
  private let width: Int
  private let style: Style
  private let listsAll: Bool

  /// Up to how many stores are listed one by one, and how many failures of more.
  package static let most = 20
  private static let longest = 80

  /// The table of a summary; of many stores those alone that failed, unless `listsAll`.
  package init(
    _ summary: FleetSummary, listsAll: Bool = false, width: Int = 80,
    style: Style = Style(isOn: false)
  ) {
    self.summary = summary
    self.listsAll = listsAll
    self.width = width
    self.style = style
  }

  /// The lines.
  package var text: String {
    guard !summary.entries.isEmpty else { return "no store belongs to this part of the list" }
    let isWhole = listsAll || summary.entries.count <= Self.most
    // What was not begun is counted: a list of it is that of the command.
    let listed = isWhole ? summary.entries : summary.entries.filter { $0.needsLooking }
    var table = TextTable(numbers: [1, 3])
    table.add("store", "status", "outcome", "objects", "")
    var reasons: [String: String] = [:]
    for entry in isWhole ? listed[...] : listed.prefix(Self.most) {
      table.rows.append(row(entry, &reasons))
    }
    let rest = listed.count - (table.rows.count - 1)
    let note = isWhole ? "" : rest > 0 ? "and \(Quantity.count(rest)) more; " : ""
    let lines = listed.isEmpty ? [] : table.lines(width: width, style)
    let counts = isWhole ? [] : outcomes + ["\(note)--all lists every store"]
    return
      (lines + counts + (lines.isEmpty && counts.isEmpty ? [] : [""])
      + total.wrapped(to: width)).joined(separator: "\n")
  }

  /// How many stores ended how, the most first.
  private var outcomes: [String] {
    var counts: [String: Int] = [:]
    for entry in summary.entries { counts[entry.outcome.word, default: 0] += 1 }
    var table = TextTable(indent: 2, numbers: [0])
    for (word, count) in counts.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
      table.add(Quantity.count(count), word)
    }
    return table.lines(width: width, style)
  }

  private func row(
    _ entry: FleetSummary.Entry, _ reasons: inout [String: String]
  ) -> TextTable.Row {
    let status = entry.status.map(String.init) ?? "-"
    let rows = entry.outcome.run.map(\.rows) ?? 0
    let objects = rows > 0 ? Quantity.count(rows) : "-"
    var remark = remark(entry.outcome)
    // A long reason stands there once, for the first store that has it.
    if entry.isFailure, remark.count > Self.longest {
      let first = reasons[remark, default: entry.store.path]
      reasons[remark] = first
      if first != entry.store.path { remark = "as \(first)" }
    }
    let cells = [entry.store.path, status, entry.outcome.word, objects, remark]
    let tint: TextTable.Tint = entry.isFailure ? .bad : entry.status == nil ? .attention : .plain
    return TextTable.Row(cells: cells.map(\.oneLine), tint: tint)
  }

  private func remark(_ outcome: FleetSummary.Outcome) -> String {
    switch outcome {
    case .ran(let run):
      let warnings = run.warnings.isEmpty ? "" : "; warnings: \(run.warnings.count)"
      let failures = run.failureCount > 0 ? "; failures: \(Quantity.count(run.failureCount))" : ""
      let isSame = run.source == run.target
      return (isSame ? run.target : "\(run.source) -> \(run.target)") + failures + warnings
    case .failed(let error): return ErrorText("\(error)").why
    case .writtenBefore, .stopped, .notBegun: return ""
    }
  }

  private var total: String {
    let count = summary.entries.count
    let parts = [
      (summary.entries.filter { $0.status == 0 }.count, "done"),
      (summary.entries.filter(\.isFailure).count, "failed"),
      (summary.entries.filter { $0.status == nil }.count, "left; the same command takes them up"),
    ]
    let named = parts.filter { $0.0 > 0 }.map { "\(Quantity.count($0.0)) \($0.1)" }
    return "\(Quantity.count(count)) \(count == 1 ? "store" : "stores"), "
      + "\(Quantity.duration(summary.seconds)): \(named.joined(separator: ", "))"
  }
}

extension FleetSummary.Entry {
  /// Whether it failed, or was stopped in the middle.
  fileprivate var needsLooking: Bool {
    if case .stopped = outcome { true } else { isFailure }
  }
}
