internal import Formats

/// One line of a store's own log: a run that it has been through.
struct StoreLogEntry {
  /// The run's id.
  let run: String
  /// When it began, as ISO 8601.
  let date: String
  /// The versions that it led from and to.
  let versions: String
  /// How many objects there were and are, and how many were rejected.
  let counts: String
  /// The program and its version.
  let tool: String

  /// A record of the metadata; nil for what is none of ours.
  init?(_ record: PropertyList) {
    guard let entries = record.dictionary, let run = entries["run"]?.string else { return nil }
    self.run = run
    date = entries["date"]?.string ?? ""
    let (source, target) = (entries["source"]?.string ?? "", entries["target"]?.string ?? "")
    versions = "\(source.isEmpty ? "?" : source) -> \(target.isEmpty ? "?" : target)"
    tool = entries["tool"]?.string ?? ""
    let numbers = ["in", "out", "rejected"].compactMap { name in
      entries[name]?.integer.flatMap { number in
        name == "rejected" && number == 0 ? nil : "\(Quantity.count(Int(number))) \(name)"
      }
    }
    let retried = entries["retried"]?.string.map { "objects that \($0) had rejected" }
    counts = ([retried].compactMap(\.self) + numbers).joined(separator: ", ")
  }
}
