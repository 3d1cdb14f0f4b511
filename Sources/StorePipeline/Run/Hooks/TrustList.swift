internal import CoreDataStore
internal import Formats
internal import Foundation
internal import OperatingSystem

/// The pipelines whose programs a user lets start, in a file of the user's own.
package struct TrustList: Sendable, Hashable {
  private static let what = "cannot use the list of trusted pipelines"
  private static let largest = 4 << 20

  /// The file; it need not be there.
  package let path: String

  package init(path: String) { self.path = path }

  /// The list of the user whose environment this is: `$XDG_CONFIG_HOME/pipeline/trusted.json`, or
  /// the same in the folder where the system keeps such files.
  ///
  /// "All paths set in these environment variables must be absolute. If an implementation
  /// encounters a relative path ... it should consider the path invalid and ignore it" (XDG Base
  /// Directory Specification).
  package init(environment: [String: String]) {
    let named = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    path = "\(named ?? FileSystem.settings(home: environment["HOME"]))/pipeline/trusted.json"
  }

  /// What is trusted, in the order in which it was.
  ///
  /// - Throws: `Failure` when the file is there and cannot be used.
  package func entries() throws -> [HookTrust] {
    guard PipelinePath.exists(path) else { return [] }
    guard let data = FileManager.default.contents(atPath: path), data.count <= Self.largest,
      let document = try? JSONValue(reading: Array(data)), document["format"] == .integer(1),
      let entries = document["trusted"]?.array
    else { throw error("It is not a file that this version has written.") }
    return entries.compactMap(HookTrust.init)
  }

  /// Whether exactly this is trusted.
  package func has(_ trust: HookTrust) throws -> Bool {
    try entries().contains { $0.digest == trust.digest }
  }

  /// What was trusted of the same pipeline file, be it another.
  func earlier(_ trust: HookTrust) throws -> HookTrust? {
    try entries().last { $0.file == trust.file }
  }

  /// Adds a pipeline; what was trusted of the same file before goes.
  package func add(_ trust: HookTrust) throws {
    try write(try entries().filter { $0.file != trust.file } + [trust])
  }

  /// Takes a pipeline file out, whatever it says now; false when it was not there.
  package func take(file: String) throws -> Bool {
    let file = URL(filePath: file).absoluteURL.standardizedFileURL.path
    let all = try entries()
    let left = all.filter { $0.file != file }
    guard left.count < all.count else { return false }
    try write(left)
    return true
  }

  private func write(_ entries: [HookTrust]) throws {
    let file = URL(filePath: path)
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      try Data((JSONTrust(entries).text + "\n").utf8).write(to: file, options: .atomic)
    } catch {
      throw self.error(Failure.reason(error, at: path))
    }
  }

  private func error(_ why: String) -> Failure {
    Failure(
      .refused, what: Self.what, subject: path, why: why,
      remedy: "Look at the file, or move it away; what was trusted has to be trusted again then.")
  }
}

extension HookTrust {
  /// The entry as programs read it.
  var json: JSONValue {
    [
      "file": .string(file), "digest": .string(digest),
      "programs": .array(
        programs.map { ["path": .string($0.path), "command": .texts($0.words)] }),
      "files": .array(
        contents.sorted { $0.key < $1.key }
          .map { ["path": .string($0.key), "sha256": .string($0.value)] }),
    ]
  }

  fileprivate init?(_ json: JSONValue) {
    guard let file = json["file"]?.string, let digest = json["digest"]?.string,
      let programs = json["programs"]?.array
    else { return nil }
    self.init(
      file: file,
      programs: programs.map { program in
        Program(
          path: program["path"]?.string ?? "",
          words: (program["command"]?.array ?? []).compactMap(\.string))
      }, digest: digest,
      contents: (json["files"]?.array ?? []).reduce(into: [:]) { contents, file in
        if let path = file["path"]?.string { contents[path] = file["sha256"]?.string }
      })
  }
}
