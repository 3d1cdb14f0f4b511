/// How long a user waits for what is on a screen, for people.
struct WaitTable {
  private let findings: Findings

  init(_ findings: Findings) { self.findings = findings }

  /// A line for each, in milliseconds; one that was not measured says why.
  var text: String {
    var table = TextTable(["on the screen", "median ms", "min", "max"])
    var missing: [String] = []
    for name in Course.waits {
      switch findings.waits[name] {
      case .success(let spread):
        table.add([name] + [spread.median, spread.min, spread.max].map(Format.number))
      case .failure(let why): missing.append("not measured: \(name): \(why)")
      case nil: break
      }
    }
    return ([table.text()] + missing).joined(separator: "\n")
  }
}
