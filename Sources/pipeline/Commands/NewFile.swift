import CoreDataStore
import Foundation

/// A file that a command makes because it was asked to.
struct NewFile {
  /// The path as it was given.
  let path: String

  /// Refuses a path where something is.
  func checkAbsence() throws(CommandFailure) {
    guard FileManager.default.fileExists(atPath: path) else { return }
    throw CommandFailure(
      .misuse, "cannot write \(path): something is there already",
      hint: "Name another path, or move what is there away.")
  }

  /// Makes the file with this text in it; what is there already stays as it is.
  func create(_ text: String) throws(CommandFailure) {
    try checkAbsence()
    do {
      // O_EXCL below: a file that came into being meanwhile is not written over either.
      try Data(text.utf8).write(to: URL(filePath: path), options: .withoutOverwriting)
    } catch {
      throw refusal(error)
    }
  }

  /// Makes the file and lets `body` write into it; what is there already stays as it is.
  func create(_ body: (String) throws -> Void) throws {
    try create("")
    do {
      try body(path)
    } catch let error as CocoaError {
      throw refusal(error)
    }
  }

  /// Makes the file with this text in it, in the place of one that is there.
  func replace(_ text: String) throws(CommandFailure) {
    do {
      try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw refusal(error)
    }
  }

  /// Why the machine refused.
  func refusal(_ error: any Error) -> CommandFailure {
    let failure = Failure.unwritten(what: "cannot write the file", path, error)
    return CommandFailure(
      .refused, "\(failure.what): \(path)\n\(failure.why)", hint: failure.remedy)
  }
}
