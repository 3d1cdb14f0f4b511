package import CoreDataStore
package import Foundation
internal import OperatingSystem

/// Where models, pipeline files and scripts of samples are kept: `share/pipeline` of an
/// installation, or the project's own folder.
package struct SampleFolder: Sendable {
  private let share: URL

  /// The folder that has `samples`, `pipelines` and `scripts` in it.
  package init(_ share: URL) { self.share = share }

  /// The folder that belongs to a program: above it, or in `share/pipeline` of a folder above it.
  ///
  /// - Throws: `Failure` when there is none.
  package init(of program: URL) throws(Failure) {
    var place = URL(filePath: FileSystem.resolved(program.path)).deletingLastPathComponent()
    while true {
      for found in [place.appending(path: "share/pipeline"), place] where Self.isShare(found) {
        share = found
        return
      }
      guard place.pathComponents.count > 1 else { break }
      place.deleteLastPathComponent()
    }
    throw Failure(
      .misuse, what: "cannot find the samples", subject: program.path,
      why: "No folder above the program has share/pipeline in it, which `make install` puts there.",
      remedy: "Install the program with `make install`, or run it where it was built.")
  }

  private static func isShare(_ folder: URL) -> Bool {
    ["samples", "pipelines", "scripts"].allSatisfy {
      FileManager.default.fileExists(atPath: folder.appending(path: $0).path)
    }
  }

  /// Puts a sample into a folder that is not there yet, or empty.
  ///
  /// - Returns: The names of what is there now, the stores among them.
  /// - Throws: `Failure` when something is there, or it cannot be made.
  package func lay(_ sample: Sample, in folder: String, size: Sample.Size) throws -> [String] {
    let target = URL(filePath: folder)
    try Self.refuseContent(of: folder)
    do {
      try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
      try copy("samples/\(sample.models)", to: target)
      for script in sample.scripts { try copy("scripts/\(script)", to: target) }
      try flatten(sample, to: target)
    } catch let error as CocoaError {
      throw Failure.unwritten(what: Self.what, folder, error)
    }
    try sample.make(SampleStores(sample, in: target, size: size))
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  private static let what = "cannot make the sample"

  private static func refuseContent(of folder: String) throws(Failure) {
    guard FileManager.default.fileExists(atPath: folder),
      (try? FileManager.default.contentsOfDirectory(atPath: folder))?.isEmpty != true
    else { return }
    throw Failure(
      .misuse, what: what, subject: folder, why: "Something is there already.",
      remedy: "Give a folder that is not there yet, or an empty one.")
  }

  private func copy(_ path: String, to folder: URL) throws {
    let file = share.appending(path: path)
    try FileManager.default.copyItem(
      at: file, to: folder.appending(path: file.lastPathComponent))
  }

  /// Where it is kept, the pipeline file leads to models and scripts in folders of their own.
  private func flatten(_ sample: Sample, to folder: URL) throws {
    let name = sample.pipeline
    let models = URL(filePath: sample.models).deletingLastPathComponent().lastPathComponent
    let text = try String(
      contentsOf: share.appending(path: "pipelines/\(name)"), encoding: .utf8)
    let flat = text.replacing("../samples/\(models)/", with: "").replacing("../scripts/", with: "")
    try Data(flat.utf8).write(to: folder.appending(path: name))
  }
}
