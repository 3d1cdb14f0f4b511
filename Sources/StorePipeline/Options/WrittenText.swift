internal import CoreDataStore
import Foundation

/// What stands in a file that the user wrote: a pipeline, a script.
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
    // No signal would end a wait for another process.
    guard FilePlace(path).isOpenedAtOnce else {
      throw Problem(
        file: path, line: 0,
        message: "it is not a regular file; save what it gives to a file, and give that one's path")
    }
    let text: [UInt8]
    do {
      text = try NamedFile.read(path) { Array(try $0.read(upToCount: largest + 1) ?? Data()) }
    } catch {
      throw problem(error, path)
    }
    guard text.count <= largest else {
      let message = "larger than \(largest >> 10) KiB, which no \(kind) needs to be"
      throw Problem(file: path, line: 0, message: message)
    }
    return text
  }

  /// Why a file could not be read: a folder, or a path that leads nowhere, is the user's mistake.
  private static func problem(_ error: any Error, _ path: String) -> Problem {
    let code = (error as? CocoaError)?.code
    if code == .fileNoSuchFile || code == .fileReadNoSuchFile {
      return Problem(
        file: path, line: 0, message: "there is no such file\(PipelinePath.suggestion(for: path))")
    }
    let values = try? URL(filePath: path).resourceValues(forKeys: [.isDirectoryKey])
    guard values?.isDirectory != true else {
      return Problem(file: path, line: 0, message: "the file cannot be read: it is \(folder(path))")
    }
    // Foundation's own words for EIO are a number.
    let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    let reason = (cause ?? error as NSError).localizedDescription
    return Problem(
      file: path, line: 0, message: "the file cannot be read: \(reason)",
      isRefusal: true)
  }

  /// The message for a folder; a pattern like `*.pipeline` matches work folders, too.
  private static func folder(_ path: String) -> String {
    let ending = ".pipeline"
    let store = URL(filePath: path.hasSuffix(ending) ? String(path.dropLast(ending.count)) : "")
    guard path.hasSuffix(ending), FileManager.default.fileExists(atPath: store.path) else {
      return "a folder"
    }
    return "the work folder of the store \(store.lastPathComponent)"
  }
}
