import Foundation

/// `pipeline inspect`: what a file is.
struct InspectCommand: Command {
  static let name = "inspect"
  static let summary = "Say how large a file is and whether it is an SQLite database."
  static let examples = [
    Example("Look at a store", "pipeline inspect Notes.sqlite"),
    Example("The same for a program", "pipeline inspect Notes.sqlite --json"),
  ]
  static let arguments: [Argument<Self>] = [
    .positional("store", \.store, "The file to look at.", takes: .file)
  ]
  static let shared: SharedOptions = .json

  var store = ""

  func run(_ context: Context) throws -> ExitStatus {
    let answer = try Answer(store: .init(path: store))
    if context.options.json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      context.console.result(String(decoding: try encoder.encode(answer), as: UTF8.self))
    } else {
      let kind = answer.store.isSQLite ? "an SQLite database" : "not an SQLite database"
      context.console.result("\(store.oneLine): \(kind), \(Quantity.bytes(answer.store.bytes))")
    }
    return .done
  }
}

extension InspectCommand {
  private struct Answer: Encodable {
    var format = 1
    let store: File
  }

  private struct File: Encodable {
    let path: String
    let bytes: Int
    let isSQLite: Bool

    init(path: String) throws(Failure) {
      self.path = path
      do {
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        // SQLite, Database File Format, 1.3: every valid database begins with these 16 bytes.
        isSQLite = try file.read(upToCount: 16) == Data("SQLite format 3\0".utf8)
        bytes = Int(try file.seekToEnd())
      } catch {
        let isMissing = !FileManager.default.fileExists(atPath: path)
        throw Failure(
          isMissing ? .unusable : .refused,
          "cannot inspect \(path): \(isMissing ? "there is no such file" : "it cannot be read")",
          hint: isMissing ? "Check the path." : "Check that you may read it.")
      }
    }
  }
}
