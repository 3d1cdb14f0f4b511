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
    case .store, .storeOrModel: stores.append(path)
    case .file, .folder, .pipeline, .script, .model, .backup, .tests: inputs.append(path)
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

extension GivenFiles {
  /// The pipeline file of the current folder; nil where there is none, or more than one.
  static var onlyPipeline: String? {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: ".")) ?? []
    let files = names.filter { !$0.hasPrefix(".") && Kind(of: $0) == .pipeline }
    return files.count == 1 ? files.first : nil
  }

  /// What is at a path, where that can be seen at a glance.
  enum Kind: Hashable {
    case store, model, pipeline, script, backup
    /// The work folder of the store at a path.
    case work(of: String)

    /// Looks at what is there; nil where nothing is, or where it may be anything.
    init?(of path: String) {
      let place = URL(filePath: path)
      let ending = place.pathExtension.lowercased()
      if StoreFiles.isStore(path) {
        self = .store
      } else if ModelFile.Kind(rawValue: ending) != nil, WorkFolders.isThere(path) {
        self = .model
      } else if WorkFolders.isFolder(path) {
        let store = place.deletingPathExtension().relativePath
        if StoreRecovery.isBackup(path) {
          self = .backup
        } else if ending == "pipeline", StoreFiles.isStore(store) {
          self = .work(of: store)
        } else {
          return nil
        }
      } else if ["pipeline", "lua"].contains(ending), WorkFolders.isThere(path) {
        self = ending == "lua" ? .script : .pipeline
      } else {
        return nil
      }
    }

    var noun: String {
      switch self {
      case .store: "a store"
      case .model: "a model"
      case .pipeline: "a pipeline file"
      case .script: "a Lua file"
      case .backup: "a backup"
      case .work(let store): "the work folder of \(store.word)"
      }
    }
  }
}

extension ArgumentForm {
  /// Whether a word may stand for this argument; one that may be anything is read and then judged.
  func takes(_ kind: GivenFiles.Kind?) -> Bool {
    guard let kind else { return true }
    return switch content {
    case .store: kind == .store
    // Folders of stores are looked through.
    case .storeOrModel: kind != .pipeline && kind != .script
    // Some call a pipeline file upgrade.lua.
    case .pipeline: kind == .pipeline || kind == .script
    case .script, .tests: kind == .script
    case .model: kind == .model || kind == .store
    case .backup: kind == .backup
    case .written: !isPositional || kind == .backup
    case .text, .file, .folder, .choice: true
    }
  }

  /// What belongs there, as messages name it.
  var noun: String {
    switch content {
    case .store: "store"
    case .storeOrModel: "store or model"
    case .pipeline: "pipeline file"
    case .script: "script"
    case .model: "model"
    case .backup: "backup"
    case .tests: "test file"
    case .text, .file, .folder, .written, .choice: value
    }
  }
}
