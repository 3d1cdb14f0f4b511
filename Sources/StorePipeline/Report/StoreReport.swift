package import CoreDataStore

/// What `inspect STORE` says: the facts of a store, and whether a model fits it.
package struct StoreReport: Sendable {
  /// How many objects that no model explains are named; all are counted.
  static let mostForeign = StoreVersion.mostForeign

  /// A model that a store was compared with.
  package struct Comparison: Sendable {
    /// The model's name.
    package let model: String
    /// Why it does not fit; empty when it does.
    package let misfits: [ModelMisfit]

    /// The answer of a comparison.
    package init(model: String, misfits: [ModelMisfit]) {
      self.model = model
      self.misfits = misfits
    }

    /// Whether the model fits.
    package var fits: Bool { misfits.isEmpty }
  }

  /// The path as it was given.
  package let path: String
  package let facts: StoreFacts
  /// The model files that were asked for the version.
  package let models: [String]
  /// The model it was compared with.
  package let comparison: Comparison?
  package let metadata: [MetadataEntry]
  /// Whether all of the metadata was asked for.
  package let showsMetadata: Bool

  /// A report with all its parts.
  ///
  /// Values that the application wrote into the metadata may be a user's data: they are only shown
  /// with `showsValues`.
  package init(
    path: String, facts: StoreFacts, models: [String] = [], comparison: Comparison? = nil,
    showsMetadata: Bool = false, showsValues: Bool = false
  ) {
    self.path = path
    self.facts = facts
    self.models = models
    self.comparison = comparison
    self.showsMetadata = showsMetadata
    metadata = MetadataEntry.all(of: facts.metadata, showsValues: showsValues)
  }

  /// The name of the store's version, if anything gives it one.
  package var version: String? {
    let identifiers = facts.metadata.identifiers.joined(separator: ", ")
    guard facts.recognition.known != .file else { return facts.recognition.model?.name }
    return facts.recognition.known == .none || identifiers.isEmpty ? nil : identifiers
  }

  /// The version, and how it is known.
  package var versionWords: String {
    let recognition = facts.recognition
    let asked = models.joined(separator: ", ")
    switch recognition.known {
    case .file:
      let files = recognition.files.joined(separator: ", ")
      return "\(version ?? ""), by its version hashes, which are in \(files)"
    case .cache where models.isEmpty:
      return "\(version ?? "without a name"), by the model it keeps of itself"
    case .cache: return "none of \(asked)\(newer); it keeps a model of itself"
    case .none where models.isEmpty: return "unknown: \(keepsNone); name models with --models"
    case .none: return "none of \(asked)\(newer); \(keepsNone)"
    }
  }

  /// What is said of a store in WAL mode that is alone: nothing in it shows which of the two it is.
  ///
  /// "When the last connection to a database closes, ... the WAL file is deleted" (SQLite,
  /// Write-Ahead Logging): until then the latest rows may be in the -wal alone.
  package var missingLog: String? {
    guard facts.journalMode == "wal", facts.files.walBytes == nil else { return nil }
    let log = "\(facts.files.name)-wal"
    return "none here: complete if the application has closed it; if the file was copied from "
      + "somewhere, copy \(log) from there too, or its latest rows may be missing"
  }

  private var keepsNone: String {
    facts.recognition.cacheProblem == nil
      ? "it keeps no model of itself" : "the model it keeps of itself cannot be read"
  }

  private var newer: String { facts.recognition.isNewer ? ", but a newer one" : "" }
}

extension ForeignObject {
  /// Its name, with that of its table.
  var place: String { name == table ? name : "\(name) on \(table)" }

  /// What it is, and where.
  var words: String { "\(kind) \(place)" }
}
