internal import Formats
internal import OperatingSystem

/// Where a run is, for those who look at it from another process.
///
/// Nothing is built on it: it is written now and then, and a file that is missing or late is none.
package struct RunProgress: Sendable, Hashable {
  package var stage: String
  package var entity: String?
  /// How many objects of it are done.
  package var rows: Int
  /// How many there are.
  package var total: Int?

  package init(stage: String, entity: String? = nil, rows: Int = 0, total: Int? = nil) {
    self.stage = stage
    self.entity = entity
    self.rows = rows
    self.total = total
  }

  /// The file in which a run says where it is, written over again and again.
  ///
  /// To make a file and give it a name takes much longer than to write into one. A reader that
  /// comes in between finds what it cannot read, and has none then.
  package final class Note {
    private let file: OpenDescriptor
    private var length = 0

    /// Makes the file in the run's folder.
    package init(_ folder: WorkFolder) throws {
      try FileMoves.remove(folder.progressPath)
      file = try OpenDescriptor(creating: folder.progressPath)
    }

    /// Writes where the run is now, if that can be done.
    package func write(_ progress: RunProgress) {
      var bytes = Array(progress.document.text().utf8)
      // Else the end of a longer one would stay behind it.
      bytes += repeatElement(UInt8(ascii: " "), count: max(0, length - bytes.count))
      length = bytes.count
      try? file.write(bytes[...], at: 0)
    }
  }

  private var document: JSONValue {
    [
      "stage": .string(stage), "entity": entity.map(JSONValue.string) ?? .null,
      "rows": .integer(Int64(rows)), "total": total.map { .integer(Int64($0)) } ?? .null,
    ]
  }

  /// What a run left of it; nil when there is nothing that can be read.
  package static func read(_ folder: WorkFolder) -> RunProgress? {
    let limits = FormatLimits(bytes: 1 << 16, nodes: 100, depth: 4)
    guard let bytes = try? FileSystem.start(of: folder.progressPath, count: limits.bytes),
      let value = try? JSONValue(reading: bytes, limits: limits),
      let stage = value["stage"]?.string
    else { return nil }
    return RunProgress(
      stage: stage, entity: value["entity"]?.string,
      rows: Int(clamping: value["rows"]?.integer ?? 0),
      total: value["total"]?.integer.map { Int(clamping: $0) })
  }
}
