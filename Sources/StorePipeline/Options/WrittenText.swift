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
      throw problem(error, path, kind)
    }
    // What an editor of Windows may save: every second byte of it is 0.
    guard !text.starts(with: [0xff, 0xfe]), !text.starts(with: [0xfe, 0xff]) else {
      throw Problem(
        file: path, line: 0, message: "the file's text is UTF-16; save it as UTF-8")
    }
    guard text.count <= largest else {
      let message = "larger than \(largest >> 10) KiB, which no \(kind) needs to be"
      throw Problem(file: path, line: 0, message: message)
    }
    return text
  }

  /// Why a file could not be read: a folder, or a path that leads nowhere, is the user's mistake.
  private static func problem(_ error: any Error, _ path: String, _ kind: String) -> Problem {
    let code = (error as? CocoaError)?.code
    if code == .fileNoSuchFile || code == .fileReadNoSuchFile {
      return Problem(
        file: path, line: 0, message: "there is no such file\(PipelinePath.suggestion(for: path))")
    }
    let values = try? URL(filePath: path).resourceValues(forKeys: [.isDirectoryKey])
    guard values?.isDirectory != true else {
      let what = folder(path, kind)
      return Problem(file: path, line: 0, message: "the file cannot be read: it is \(what)")
    }
    // Foundation's own words for EIO are a number.
    let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    let reason = (cause ?? error as NSError).localizedDescription
    return Problem(
      file: path, line: 0, message: "the file cannot be read: \(reason)",
      isRefusal: true)
  }

  /// The message for a folder, with the files in it that are meant; a pattern like `*.pipeline`
  /// matches work folders, too.
  private static func folder(_ path: String, _ kind: String) -> String {
    let ending = ".pipeline"
    let store = URL(filePath: path.hasSuffix(ending) ? String(path.dropLast(ending.count)) : "")
    if path.hasSuffix(ending), FileManager.default.fileExists(atPath: store.path) {
      return "the work folder of the store \(store.lastPathComponent)"
    }
    let wanted = kind == "script" ? "lua" : "pipeline"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    let folder = path.hasSuffix("/") ? path : path + "/"
    let files = names.filter { name in
      let place = URL(filePath: folder + name)
      return place.pathExtension == wanted
        && (try? place.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == false
    }.sorted().prefix(3).map { folder + $0 }
    guard !files.isEmpty else { return "a folder without a \(kind)" }
    return "a folder; name the \(kind) in it, \(files.joined(separator: " or "))"
  }
}
