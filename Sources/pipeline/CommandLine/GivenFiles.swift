internal import CoreDataStore
import Foundation
import StorePipeline

/// The files that a command is to read and to write, as its table of arguments declares them.
struct GivenFiles: Sendable {
  private var stores: [String] = []
  private var inputs: [String] = []
  private var written: [WrittenFile] = []
  private var pipelines: [Pipeline] = []

  /// Notes what an argument names, when that is a file.
  mutating func note(_ path: String, for form: ArgumentForm) {
    switch form.content {
    case .store: stores.append(path)
    case .file, .folder: inputs.append(path)
    case .written(let kind): written.append(WrittenFile(path, form.spelling, kind))
    case .text, .choice: break
    }
  }

  /// Adds stores that no word names.
  mutating func add(stores paths: [String]) { stores += paths }

  /// Adds what a pipeline names.
  mutating func add(_ pipeline: Pipeline) { pipelines.append(pipeline) }

  /// Adds what other words name.
  mutating func add(_ other: GivenFiles) {
    stores += other.stores
    inputs += other.inputs
    written += other.written
    pipelines += other.pipelines
  }

  /// What speaks against giving words again that the user has not typed: nil when they are about
  /// this store alone, and nothing is written outside its folder.
  func doubt(about store: String) -> String? {
    let place = FilePlace(store)
    guard stores.count == 1, FilePlace(stores[0]).isSame(as: place) else {
      return "is not about this store alone"
    }
    let folder = FilePlace(URL(filePath: place.path).deletingLastPathComponent().path)
    let other = written.first { !FilePlace($0.path).isWithin(folder) }
    return other.map { "would write to \($0.path), outside the store's folder" }
  }

  /// Refuses what must not be written to; nothing is done before that.
  ///
  /// - Throws: `Failure` that names the option, the path and what it is.
  func check() throws(Failure) {
    if written.isEmpty { return }
    var files = ProtectedFiles()
    let work = written.first { $0.form == .work }?.path
    for store in stores { files.protect(store: store, work: work) }
    for input in inputs { files.protect(input: input) }
    for pipeline in pipelines { files.protect(pipeline) }
    for file in written { try files.check(file) }
  }
}
