internal import CoreDataStore
internal import Foundation
internal import StoreMigration

/// A file that keeps what a test got once and was found good.
struct GoldenFile {
  /// The path, as it is shown.
  let path: String

  /// What objects look like in it; `WrittenFile` knows such a file by its first line.
  static func text(_ records: [ObjectRecord]) -> String {
    records.map { record in
      let lines = record.lines(most: 2000).map { "  \($0.name) = \($0.text)\n" }
      return "\(record.id.entity) \(record.id.key)\n\(lines.joined())"
    }.joined(separator: "\n")
  }

  /// Where a text differs from the file; with `updates` the file is made to hold the text.
  func differences(_ text: String, updates: Bool) throws -> [String] {
    let old = try? String(contentsOfFile: path, encoding: .utf8)
    guard old != text else { return [] }
    guard !updates else {
      try ProtectedFiles().check(WrittenFile(path, "golden", .golden))
      let folder = URL(filePath: path).deletingLastPathComponent()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(filePath: path))
      return []
    }
    guard let old else {
      return ["there is no golden file \(path); --update writes it"]
    }
    return Self.differences(old, text, path) + ["--update takes what was got for right"]
  }

  private static func differences(_ old: String, _ new: String, _ path: String) -> [String] {
    let lines = { (text: String) in
      text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
    let difference = lines(new).difference(from: lines(old))
    return difference.map { change in
      switch change {
      case .remove(let offset, let line, _): (offset, "\(path):\(offset + 1)  expected \(line)")
      case .insert(let offset, let line, _): (offset, "\(path):\(offset + 1)  got      \(line)")
      }
    }.sorted { $0.0 < $1.0 }.map(\.1)
  }
}
