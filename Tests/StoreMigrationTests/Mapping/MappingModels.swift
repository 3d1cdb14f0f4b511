import CoreDataStore
import Foundation
import StoreMigration
import TestSupport

/// Models for tests of mappings.
enum MappingModels {
  /// A model with this XML inside.
  static func model(_ body: String, name: String = "Test") throws -> Model {
    let xml = "<?xml version=\"1.0\"?><model documentVersion=\"1.0\">\(body)</model>"
    return try SourceModelReader.read(Array(xml.utf8), name: name)
  }

  /// The mapping between two models with these insides.
  static func mapping(
    _ before: String, _ after: String, others: [Model] = [],
    _ instruct: (inout MappingInstructions) -> Void = { _ in }
  ) throws -> Mapping {
    var instructions = MappingInstructions()
    instruct(&instructions)
    return Mapping(
      from: try model(before, name: "1"), to: try model(after, name: "2"),
      instructions: instructions, others: others)
  }

  /// The mapping between two versions of one entity `A` with these properties.
  static func entity(
    _ before: String, _ after: String,
    _ instruct: (inout MappingInstructions) -> Void = { _ in }
  ) throws -> Mapping {
    try mapping(
      "<entity name=\"A\">\(before)</entity>", "<entity name=\"A\">\(after)</entity>", instruct)
  }

  /// An attribute as XML.
  static func attribute(_ name: String, _ type: String, _ more: String = "") -> String {
    "<attribute name=\"\(name)\" attributeType=\"\(type)\" \(more)/>"
  }

  /// A model of the corpus.
  static func corpus(_ path: String, _ version: String) throws -> Model {
    let folder = OutsideMaterial.corpus.folder?.path ?? ""
    return try ModelFile("\(folder)/\(path)").model(named: version)
  }
}
