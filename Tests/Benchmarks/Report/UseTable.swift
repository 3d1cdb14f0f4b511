/// What a run that was traced did with each file, for people.
struct UseTable {
  private let trace: Trace
  private let name: String

  init(_ trace: Trace, of name: String) {
    (self.trace, self.name) = (trace, name)
  }

  /// A line for each file, those written most first; S is the bytes of the store.
  ///
  /// Files of which little was read, and that were neither written to an extent nor synced, are
  /// added up.
  var text: String {
    var table = TextTable(["\(name), by file", "written / S", "read / S", "syncs"])
    var rest = Trace.Use()
    let uses = trace.uses.sorted {
      ($1.value.written, $1.value.read, $0.key) < ($0.value.written, $0.value.read, $1.key)
    }
    for (file, use) in uses {
      guard use.syncs > 0 || max(use.written, use.read) * 100 >= trace.size else {
        rest.written += use.written
        rest.read += use.read
        continue
      }
      table.add([file] + cells(use))
    }
    table.add(["all others"] + cells(rest))
    return table.text()
  }

  private func cells(_ use: Trace.Use) -> [String] {
    [use.written, use.read].map { Format.number(Double($0) / Double(trace.size)) }
      + ["\(use.syncs)"]
  }
}
