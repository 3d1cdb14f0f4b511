/// Which version of a model a store was made with, and how that is known.
package struct ModelRecognition: Sendable {
  /// How the version is known.
  package enum Known: String, Sendable {
    /// A model file has a version with the store's hashes.
    case file
    /// No file has it; the store's own model cache does.
    case cache
    /// Nothing has it.
    case none
  }

  /// How the version is known.
  package let known: Known
  /// The version, unless nothing has it.
  package let model: Model?
  /// The files that have it, when they do.
  package let files: [String]
  /// The version among the files that comes nearest, when none fits.
  package let nearest: Model?
  /// Why the nearest version does not fit.
  package let misfits: [ModelMisfit]
  /// Whether the store was made with a version newer than all that are known.
  ///
  /// That is so when its version identifiers stand after those of all versions, when its model has
  /// all of the newest version and more, or when it renames something that the newest version has.
  package let isNewer: Bool
  /// Why the store's own model could not be read, when it could not.
  package let cacheProblem: String?
}

extension Store {
  /// Finds the version of the store's model among files, or else in the store itself.
  ///
  /// - Throws: ``Failure`` when the store contradicts itself, or a model file cannot be read.
  package func recognise(among source: ModelSource? = nil) throws -> ModelRecognition {
    let cache = try cachedModel()
    let search = ModelSearch(metadata: metadata, cached: cache.model)
    var problem: String?
    if case .damaged(let why) = cache { problem = why }
    if let source, let model = try source.model(matching: metadata.hashes) {
      return ModelRecognition(
        known: .file, model: model, files: search.files(of: source), nearest: nil, misfits: [],
        isNewer: false, cacheProblem: problem)
    }
    let nearest = try source.flatMap(search.nearest)
    return ModelRecognition(
      known: cache.model == nil ? .none : .cache, model: cache.model, files: [],
      nearest: nearest?.model, misfits: nearest?.misfits ?? [],
      isNewer: try source.map { try search.isNewer(than: $0) } ?? false, cacheProblem: problem)
  }
}

/// Looks for the version that comes nearest to a store's.
struct ModelSearch {
  let metadata: Metadata
  let cached: Model?

  /// The files that know anything of the store's entities.
  func files(of source: ModelSource) -> [String] {
    guard source.files.count > 1 else { return source.files.map(\.path) }
    return source.files.filter { file in
      (try? file.models)?.contains(where: isRelated) ?? false
    }.map(\.path)
  }

  /// The version with the fewest differences, the newest of those that are equally near.
  func nearest(in source: ModelSource) throws -> (model: Model, misfits: [ModelMisfit])? {
    var candidates = try source.files.compactMap { try nearest(among: $0.models) }
    // An application merges its models: the nearest versions of all files make up the candidate.
    let related = candidates.map(\.model).filter(isRelated)
    if related.count > 1, let merged = try? Model(merging: related) {
      candidates = [(merged, misfits(of: merged))]
    }
    return candidates.min { $0.misfits.count < $1.misfits.count }
  }

  private func nearest(among models: [Model]) -> (model: Model, misfits: [ModelMisfit])? {
    models.reversed().map { ($0, misfits(of: $0)) }.min { $0.1.count < $1.1.count }
  }

  private func misfits(of model: Model) -> [ModelMisfit] {
    Misfits(model: model, metadata: metadata, cached: cached).found
  }

  private func isRelated(_ model: Model) -> Bool {
    model.entities.contains { metadata.hashes[$0.name] != nil }
  }

  /// Whether the store's version is newer than all of these.
  func isNewer(than source: ModelSource) throws -> Bool {
    let models = try source.files.flatMap { try $0.models }.filter(isRelated)
    guard !models.isEmpty else { return false }
    if identifiersFollow(models.flatMap(\.versionIdentifiers)) { return true }
    let last = try source.files.compactMap { try $0.models.last }.filter(isRelated)
    // Files with versions of one model are not parts of an application: none says what is newest.
    guard let newest = try? Model(merging: last) else { return false }
    return adds(to: newest) || renames(newest)
  }

  private func adds(to newest: Model) -> Bool {
    misfits(of: newest).allSatisfy { $0.aspect == nil && $0.inModel == nil }
  }

  /// A renaming identifier is the name in the version before.
  private func renames(_ newest: Model) -> Bool {
    guard let cached else { return false }
    return cached.entities.contains { entity in
      guard let old = newest.entity(named: entity.renamingName) else { return false }
      if old.name != entity.name, newest.entity(named: entity.name) == nil { return true }
      let names = Set(old.propertyNames)
      let properties = entity.attributes as [any Property] + entity.relationships
      return properties.contains { property in
        !names.contains(property.name) && names.contains(property.renamingName)
      }
    }
  }

  private func identifiersFollow(_ known: [String]) -> Bool {
    guard let last = ModelPlace.naturalOrder(known).last, !last.isEmpty,
      let own = ModelPlace.naturalOrder(metadata.identifiers).last, !known.contains(own)
    else { return false }
    return ModelPlace.naturalOrder([own, last]).last == own
  }
}
