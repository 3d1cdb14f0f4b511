internal import CoreDataStore
import Foundation

/// What stands in a file that somebody wrote: a pipeline, a script.
package enum WrittenText {
  /// The largest file that is read, in bytes.
  package static let largest = 1 << 20

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - kind: What the file is, as the mistake says it.
  /// - Returns: Its bytes.
  /// - Throws: What is wrong with it.
  package static func read(_ path: String, as kind: String) throws(Problem) -> [UInt8] {
    let text: [UInt8]
    do {
      text = try NamedFile.read(path) { Array(try $0.read(upToCount: largest + 1) ?? Data()) }
    } catch {
      let reason = PipelinePath.exists(path) ? "the file cannot be read" : "there is no such file"
      throw Problem(file: path, line: 0, message: reason)
    }
    guard text.count <= largest else {
      let message = "larger than \(largest >> 10) KiB, which no \(kind) needs to be"
      throw Problem(file: path, line: 0, message: message)
    }
    return text
  }
}
