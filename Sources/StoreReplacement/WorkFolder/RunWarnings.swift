internal import Formats
internal import OperatingSystem

/// The warnings of a run so far, for the command that resumes it.
///
/// Nothing is built on it: a file that is missing, late or of another run is none.
package enum RunWarnings {
  private static let limits = FormatLimits(bytes: 4 << 20, nodes: 100_000, depth: 4)

  /// Leaves them in the run's folder, if that can be done.
  package static func write(_ warnings: [String], run: String, _ folder: WorkFolder) {
    let document: JSONValue = [
      "run": .string(run), "warnings": .array(warnings.map(JSONValue.string)),
    ]
    try? FileMoves.writeUnsynced(Array(document.text().utf8), to: path(folder))
  }

  /// Those that a run has left.
  package static func read(run: String, _ folder: WorkFolder) -> [String] {
    guard let bytes = try? FileSystem.start(of: path(folder), count: limits.bytes),
      let value = try? JSONValue(reading: bytes, limits: limits), value["run"]?.string == run
    else { return [] }
    return (value["warnings"]?.array ?? []).compactMap(\.string)
  }

  private static func path(_ folder: WorkFolder) -> String { folder.path + "/warnings.json" }
}
