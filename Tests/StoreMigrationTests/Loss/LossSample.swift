import CoreDataStore
import Foundation
import SQLite
import StoreMigration
import TestSupport
import Testing

/// A store that was made of another one, and what was counted of the two.
struct LossSample {
  private let sample: CopySample
  private let associations: String

  /// Copies a store by its mapping; `change` is done to the result, as a fault would.
  init(
    _ before: String, _ after: String, rows: String, change: String = "",
    _ instruct: (inout MappingInstructions) -> Void = { _ in }
  ) throws {
    sample = try CopySample(before, after, rows: rows, instruct)
    associations = TemporaryFolder.url.appending(path: "objects.sqlite").path
    let builder = try sample.builder()
    try CopySample.copyAll(builder)
    _ = try LinkCopy(builder).run()
    _ = try StoreFinish(builder, FinishChoices(associations: associations)).run()
    try builder.close()
    let connection = try Connection(path: sample.path, mode: .own(create: false))
    try connection.execute(change)
    try connection.close()
  }

  /// The same of the entity `A` alone.
  static func entity(
    _ before: String, _ after: String, rows: String, change: String = "",
    _ instruct: (inout MappingInstructions) -> Void = { _ in }
  ) throws -> LossSample {
    try LossSample(
      "<entity name=\"A\">\(before)</entity>", "<entity name=\"A\">\(after)</entity>", rows: rows,
      change: change, instruct)
  }

  /// What was counted, which is the same where what is known of the source's pages is not counted.
  var losses: [PropertyLoss] {
    get throws {
      let losses = try losses(walk: nil)
      let source = try Connection(path: sample.sourcePath, mode: .foreign)
      let walk = try #require(try source.walk(.rows(counting: "Z_ENT")))
      try source.close()
      #expect(try self.losses(walk: walk) == losses)
      return losses
    }
  }

  private func losses(walk: PageWalk?) throws -> [PropertyLoss] {
    let isNoted = FileManager.default.fileExists(atPath: associations)
    return try LossCount(
      of: VerifiedStore(
        path: sample.sourcePath, schema: sample.source,
        externalFolders: [sample.externalFolder]),
      in: VerifiedStore(
        path: sample.path, schema: sample.target, externalFolders: [sample.externalFolder]),
      [sample.mapping], associations: isNoted ? associations : nil, walk: walk
    ).run()
  }

  /// The same as lines: "A.title kept 3, 2 arrived, 1 changed".
  var lines: [String] { get throws { try losses.map(Self.line) } }

  static func line(_ loss: PropertyLoss) -> String {
    let places =
      loss.fate == .kept || loss.places.isEmpty
      ? "" : " to " + loss.places.map(\.description).joined(separator: ", ")
    let counts = [
      (loss.changed, "changed"), (loss.emptied, "emptied"), (loss.gone, "gone"),
      (loss.dangling, "dangling"),
    ].filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined()
    return "\(loss.entity).\(loss.property) \(loss.fate.rawValue)\(places) \(loss.values), "
      + "\(loss.arrived) arrived\(counts)"
  }

  static func attribute(_ name: String, _ type: String, _ more: String = "") -> String {
    "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"\(type)\" \(more)/>"
  }
}
