internal import CoreDataStore
internal import Formats
internal import Foundation
internal import OperatingSystem
internal import StoreReplacement

/// A program that a pipeline starts, found, and what it is given.
struct HookCommand: Sendable, Hashable {
  /// The words as the pipeline file has them.
  let words: [String]
  /// The program's file.
  let program: String
  /// How long it may take.
  let time: Duration
  /// The folder it is started in: that of the pipeline file.
  let folder: String

  /// Finds the program: one with a slash in its name is a path from the pipeline file on, any other
  /// is looked for in `PATH`.
  ///
  /// - Throws: `Failure` when there is none.
  init(
    _ hook: StageDeclarations.Hook, of pipeline: Pipeline, environment: [String: String]
  ) throws(Failure) {
    words = hook.words
    folder = pipeline.folder
    time = hook.time
    let name = words.first ?? ""
    let isPath = name.contains("/")
    let places =
      isPath
      ? [pipeline.resolve(name)]
      : (environment["PATH"] ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        .map { "\($0)/\(name)" }
    guard let found = places.first(where: Self.isProgram) else {
      let isFile = isPath && Self.isFile(places[0])
      throw Failure(
        .misuse, what: "cannot find the program", subject: name,
        why: isFile
          ? "\(places[0]) is not executable."
          : isPath ? "\(places[0]) is not there." : "No folder of PATH has it.",
        remedy: isFile
          ? "Type: chmod +x \(ShellWord.quoted(places[0]))"
          : "Correct the name in the stage hook, line \(hook.line).")
    }
    program = found
  }

  private static func isFile(_ path: String) -> Bool {
    let file = FileSystem.resolved(path)
    let kind = try? FileManager.default.attributesOfItem(atPath: file)[.type] as? FileAttributeType
    return kind == .typeRegular
  }

  private static func isProgram(_ path: String) -> Bool {
    isFile(path) && FileManager.default.isExecutableFile(atPath: FileSystem.resolved(path))
  }

  /// What the command is, for those who trust it: its words, where the program is, and what is in
  /// the files that it names from the pipeline's folder on.
  ///
  /// A program that `PATH` leads to is the system's, and may be updated; one that comes with the
  /// pipeline, and a file that an interpreter is given, may not change unnoticed.
  func digest(_ contents: [Content]) -> String {
    PlanDigests.of(words + [program] + contents.map(\.sha256))
  }

  /// A file that a word of the command may name, from the root on, with the digest of what is in
  /// it: empty for what is no file.
  typealias Content = (path: String, sha256: String)

  /// The files that the words name, in their order.
  var contents: [Content] {
    words.enumerated().filter { $0.offset > 0 || $0.element.contains("/") }.map { _, word in
      let path = PipelinePath.resolve(word, in: folder)
      return (URL(filePath: path).absoluteURL.standardizedFileURL.path, Self.digest(of: path))
    }
  }

  /// The digest of a file's content; empty for what is no file.
  static func digest(of path: String) -> String {
    let digest = try? NamedFile.read(path) { file in
      let hasher = Digest.Hasher(.sha256)
      while let bytes = try? file.read(upToCount: 1 << 20), !bytes.isEmpty {
        hasher.update(Array(bytes))
      }
      return Hex.encode(hasher.finish())
    }
    return digest ?? ""
  }
}
