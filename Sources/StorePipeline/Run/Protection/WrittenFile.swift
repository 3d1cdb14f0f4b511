internal import CoreDataStore
internal import Foundation
internal import OperatingSystem

/// A file or folder that a command writes to, as the user named it.
package struct WrittenFile: Sendable, Hashable {
  /// What is made there.
  package enum Form: Sendable, Hashable {
    /// A file that must not be there yet.
    case new
    /// A store that must not be there yet, with the files that come next to it.
    case store
    /// A folder that files are put into.
    case folder
    /// The work folder of a store.
    case work
    /// The file of `--events`, which is appended to.
    case events
    /// The results of tests, which are written over from time to time.
    case results
    /// What a test is to get, which --update writes over.
    case golden
  }

  /// The path as it was given.
  package let path: String
  /// The option, argument or stage that names it, as messages have it: "--events".
  package let name: String
  /// What is made there.
  package let form: Form

  /// A path, who names it, and what is made there.
  package init(_ path: String, _ name: String, _ form: Form) {
    (self.path, self.name, self.form) = (path, name, form)
  }

  /// The paths that come into being with it.
  var places: [FilePlace] {
    let place = FilePlace(path)
    guard form == .store else { return [place] }
    return [place] + ProtectedFiles.suffixes.map { FilePlace(place.path + $0) }
  }

  /// Whether a file that is there may be continued, or written over.
  var isOfThisKind: Bool {
    guard FilePlace(path).isRegular else { return true }
    let start = try? NamedFile.read(path) { try $0.read(upToCount: Self.longestLine) }
    guard let start, !start.isEmpty else { return true }
    switch form {
    case .events:
      // Where the command's own output goes, the user has it appended to whatever is there.
      return Streams.standard(at: path) != nil
        || ProgressEvent.isLine(start.prefix { $0 != UInt8(ascii: "\n") })
    case .results:
      let text = String(decoding: start.prefix(512), as: UTF8.self)
      return text.hasPrefix("<?xml") && text.contains("<testsuite")
    case .golden:
      // An entity and the number of an object.
      let line = String(decoding: start.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
      let words = line.split(separator: " ")
      return words.count == 2 && Int64(words[1]) != nil
    default: return true
    }
  }

  private static let longestLine = 1 << 20
}
