/// How far off the time was that complete runs said would remain, for people.
struct RemainingTable {
  private let findings: Findings

  init(_ findings: Findings) { self.findings = findings }

  /// A line for each run: in percent of what did remain, after each tenth.
  var text: String {
    let tenths = (1...9).map { "after \($0)0 %" }
    var table = TextTable(["said to remain", "seconds"] + tenths + ["worst"])
    for name in Course.timed {
      guard let remaining = try? findings.remaining[name]?.get() else { continue }
      let cells = remaining.errors.map { $0.map(Self.percent) ?? "-" }
      table.add(
        [name, Format.number(remaining.seconds)] + cells
          + [(remaining.worst.map(Self.percent) ?? "-") + (remaining.fell ? ", fell" : "")])
    }
    return table.text()
  }

  private static func percent(_ share: Double) -> String {
    let number = Int((share * 100).rounded())
    return "\(number > 0 ? "+" : "")\(number) %"
  }
}
