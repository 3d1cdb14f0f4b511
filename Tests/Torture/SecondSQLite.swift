import Foundation
import Synchronization

/// Another SQLite than the one that this program is linked with: the wheel `apsw` brings its own.
///
/// It opens a store as an application does, checks it, and says what is in it. What any kill leaves
/// must be the same to it.
final class SecondSQLite: Sendable {
  /// The program, which reads a path from each line of its input and answers with a line.
  private static let program = [".ci/second-sqlite", ".build/second"]

  private let input: FileHandle
  private let output: FileHandle

  /// One for each worker: a program that answers one question after the other.
  private static let known = Mutex<[String: SecondSQLite]>([:])

  /// Why there is none; nil when there is one.
  static let obstacle: String? = {
    guard let second = try? SecondSQLite() else { return "python3 is missing" }
    guard let version = try? second.ask("version"), version.hasPrefix("SQLite ") else {
      return "the wheel apsw is missing; `make test-deps` installs it"
    }
    print("what a kill leaves is opened by \(version), too")
    return nil
  }()

  /// That of a worker, by its folder; nil where there is none.
  static func of(_ scratch: URL) throws -> SecondSQLite? {
    if obstacle != nil { return nil }
    return try known.withLock { known in
      if let second = known[scratch.path] { return second }
      let second = try SecondSQLite()
      known[scratch.path] = second
      return second
    }
  }

  private init() throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3"] + Self.program
    process.standardError = FileHandle.nullDevice
    let (input, output) = try process.start { process in
      let (input, output) = (Pipe(), Pipe())
      (process.standardInput, process.standardOutput) = (input, output)
      return (input, output)
    }
    (self.input, self.output) = (input.fileHandleForWriting, output.fileHandleForReading)
  }

  /// The digest of all that is in a store, which is opened to be written.
  ///
  /// - Throws: ``TortureError`` when it is damaged, or cannot be opened.
  func digest(of store: URL) throws -> String {
    let answer = try ask(store.path)
    guard answer.hasPrefix("sha256 ") else { throw TortureError("another SQLite says: \(answer)") }
    return answer
  }

  private func ask(_ question: String) throws -> String {
    try input.write(contentsOf: Data((question + "\n").utf8))
    var answer = Data()
    while let byte = try output.read(upToCount: 1), byte.count == 1, byte[byte.startIndex] != 0x0a {
      answer += byte
    }
    return String(decoding: answer, as: UTF8.self)
  }
}

extension SecondSQLite {
  /// Reads what a kill has left, with the first SQLite and, where it is there, with this one.
  ///
  /// - Throws: ``TortureError`` when they do not find the same.
  static func read(_ store: URL, in scratch: URL) throws -> Content {
    let content = try Content.read(store, in: scratch)
    let recovered = scratch.appending(path: "look/\(store.lastPathComponent)")
    if let problem = try of(scratch)?.problem(store, recovered, in: scratch) {
      throw TortureError(problem)
    }
    return content
  }

  /// What is wrong with a store as this SQLite finds it, compared with what the first one made of
  /// the same files; nil when nothing is.
  func problem(_ store: URL, _ recovered: URL, in scratch: URL) throws -> String? {
    let copy = try Content.copy(store, to: scratch.appending(path: "look-again"))
    let (own, other) = (try digest(of: recovered), try digest(of: copy))
    return own == other ? nil : "another SQLite finds something else"
  }
}
