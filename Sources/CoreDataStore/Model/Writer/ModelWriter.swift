internal import Foundation

/// Writes a model as the XML of an `.xcdatamodel`, which Xcode and this library read back.
package struct ModelWriter: Sendable {
  /// The text of the file `contents`.
  package let xml: String
  /// The file of the hashes that cannot be computed from the contents; nil if all can be.
  private let record: [UInt8]?
  /// What the model has and the form cannot carry, one phrase each; none of it enters a hash.
  package let losses: [String]

  /// Writes a model, reads it back and compares.
  ///
  /// - Throws: ``Failure`` when the form cannot carry something that enters a version hash.
  package init(_ model: Model) throws {
    var document = SourceDocument(model)
    xml = document.text()
    let written = try SourceModelReader.read(Array(xml.utf8), name: model.name)
    try Self.check(written, against: model)
    losses = Self.losses(from: model, to: written)
    let uncertain = VersionHashes(of: model).uncertain.keys
    record =
      uncertain.contains { model.recordedHashes[$0] != nil }
      ? try VersionRecord.bytes(of: model, contents: Array(xml.utf8)) : nil
  }

  /// Makes the folder `path`, an `.xcdatamodel`, with the file `contents` in it.
  ///
  /// - Throws: ``Failure`` when something is there already, or it cannot be written.
  package func write(to path: String) throws {
    let folder = URL(filePath: path)
    guard !FileManager.default.fileExists(atPath: path) else {
      throw Self.cannotWrite(path, "Something is there already.", "Name another path.")
    }
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(xml.utf8).write(to: folder.appending(path: "contents"))
      if let record { try Data(record).write(to: folder.appending(path: "VersionInfo.plist")) }
    } catch {
      throw Self.cannotWrite(
        path, Failure.reason(error, at: path),
        "Check that you may write there, and the space left.")
    }
  }

  private static func check(_ written: Model, against model: Model) throws {
    let (before, after) = (VersionHashes(of: model), VersionHashes(of: written))
    // A recorded hash that cannot be computed cannot be compared either.
    let differing = before.entities.keys.filter { name in
      before.uncertain[name] == nil && before.entities[name] != after.entities[name]
    }
    guard let name = differing.sortedByName().first else { return }
    throw cannotWrite(
      "model \(model.name), entity \(name)",
      "XML cannot carry all of it: its version hash would be another.",
      "Use the compiled model itself.")
  }

  private static func losses(from model: Model, to written: Model) -> [String] {
    var losses: [String] = []
    for entity in ModelDifference(from: model, to: written).entities {
      losses += entity.aspects.map { "\(entity.name): \($0.description)" }
      for property in entity.properties {
        losses += property.aspects.map { "\(entity.name).\(property.name): \($0.description)" }
      }
    }
    if written.fetchRequests != model.fetchRequests { losses.append("a fetch request") }
    if written.versionIdentifiers != model.versionIdentifiers {
      losses.append("all version identifiers but the first")
    }
    return losses
  }

  private static func cannotWrite(_ subject: String, _ why: String, _ remedy: String) -> Failure {
    Failure(
      .unusableModel, what: "cannot write the model", subject: subject, why: why, remedy: remedy)
  }
}
