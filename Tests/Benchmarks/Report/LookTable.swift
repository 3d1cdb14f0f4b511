/// What complete runs asked of the system and what they held, for people.
struct LookTable {
  private let findings: Findings

  init(_ findings: Findings) { self.findings = findings }

  /// A line for each run that was traced or watched; S is the bytes of its store.
  var text: String {
    var table = TextTable([
      "pipeline, complete", "written / S", "read / S", "syncs", "files made", "extra disk / S",
      "private MiB", "RSS MiB",
    ])
    for name in Course.traced {
      let trace = try? findings.traces[name]?.get()
      let watch = try? findings.watches[name]?.get()
      guard trace != nil || watch != nil else { continue }
      table.add([name] + cells(trace) + cells(watch))
    }
    return table.text()
  }

  private func cells(_ trace: Trace?) -> [String] {
    guard let trace else { return Array(repeating: "-", count: 4) }
    let shares = [trace.written, trace.read].map { Double($0) / Double(trace.size) }
    return shares.map(Format.number) + ["\(trace.syncs)", "\(trace.files)"]
  }

  private func cells(_ watch: Watch?) -> [String] {
    guard let watch else { return Array(repeating: "-", count: 3) }
    let own = watch.measurement.own.map(Format.mebibytes)
    return [watch.extra.map(Format.number) ?? "-", own ?? "-"]
      + [Format.mebibytes(watch.measurement.peak)]
  }
}
