internal import Formats

/// What happened to many stores, as the JSON that programs rely on.
package struct JSONFleetSummary {
  private let summary: FleetSummary
  private let status: Int32

  /// The document of a summary; `stopped` is the status of a program that was stopped.
  package init(_ summary: FleetSummary, stopped: Int32? = nil) {
    self.summary = summary
    status = stopped ?? summary.status
  }

  /// The document.
  package var text: String {
    var text = ""
    write { text += $0 }
    return text
  }

  /// Hands over the document in pieces, a store each: all of it may be large.
  package func write(_ body: (String) -> Void) {
    let document: JSONValue = [
      "format": 1,
      "status": .integer(Int64(status)),
      "seconds": .real(summary.seconds),
      "stores": .array([]),
    ]
    let (frame, end) = (document.text(.pretty), "]\n}")
    body(String(frame.dropLast(end.count)))
    for (place, entry) in summary.entries.enumerated() {
      body((place > 0 ? "," : "") + "\n    " + Self.store(entry).text(.pretty, level: 2))
    }
    body(summary.entries.isEmpty ? end : "\n  \(end)")
  }

  private static func store(_ entry: FleetSummary.Entry) -> JSONValue {
    let run = entry.outcome.run
    let error: String? = if case .failed(let error) = entry.outcome { "\(error)" } else { nil }
    let document: JSONValue = [
      "store": .string(entry.store.path),
      "path": .string(JSONRunSummary.path(of: entry.store.path)),
      "status": .count(entry.status.map(Int.init)),
      "outcome": .string(entry.outcome.word),
      "run": .text(run?.run),
      "source": .text(run?.source),
      "target": .text(run?.target),
      "output": .text(entry.store.options.output),
      "objects": .count(run?.rows),
      "bytes": run.map { .integer($0.bytes) } ?? .null,
      "seconds": .real(entry.seconds),
      "failures": .count(run?.failureCount),
      "warnings": .texts(run?.warnings ?? []),
      "backup": .text(run?.backup),
      "error": .text(error),
    ]
    return .object((document.members ?? []) + JSONRunSummary.place(of: entry.store.path))
  }
}

extension FleetSummary.Outcome {
  /// What the run has done, when there was one.
  var run: RunSummary? { if case .ran(let summary) = self { summary } else { nil } }

  /// One or two words for it.
  package var word: String {
    switch self {
    case .ran(let summary): summary.outcome.word
    case .writtenBefore: "written before"
    case .failed: "failed"
    case .stopped: "interrupted"
    case .notBegun: "not begun"
    }
  }
}
