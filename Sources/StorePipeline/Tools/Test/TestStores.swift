internal import CoreDataStore
internal import Foundation
internal import StoreReplacement

// The stores that tests make, for those who want to look at them.
extension TestBench {
  /// Makes the folder where they stay.
  ///
  /// What earlier tests left there goes.
  ///
  /// - Throws: `Failure` when something else is in it: nothing is written over.
  static func makeFolder(_ path: String) throws {
    let what = "cannot keep the tests' stores"
    let manager = FileManager.default
    if try StoreOutput.removeListed(in: path) { return }
    let names = try? manager.contentsOfDirectory(atPath: path)
    guard names?.isEmpty ?? !manager.fileExists(atPath: path) else {
      throw Failure(
        .misuse, what: what, subject: path, why: "Something is there already.",
        remedy: "Give a folder that is not there yet, or an empty one.")
    }
    do {
      try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw Failure.unwritten(what: what, path, error)
    }
  }

  /// Leaves a copy of a store where they stay, named for the test; does nothing where none do.
  func keep(_ store: String, of test: TestDescription, _ ending: String = "") throws {
    guard let folder = settings.keep else { return }
    let path = file.path.hasSuffix(".lua") ? String(file.path.dropLast(4)) : file.path
    let name = "\(path.suffix(100))-\(test.line)-\(test.name.prefix(60))".map { letter in
      letter.isASCII && (letter.isLetter || letter.isNumber || letter == "_") ? letter : "-"
    }
    let parts = String(name).split(separator: "-")
    let output = "\(parts.joined(separator: "-"))\(ending).sqlite"
    try StoreOutput.place(made: store, at: "\(folder)/\(output)")
    try StoreOutput.list(output, in: folder)
  }
}
