package import CoreDataStore

/// Models written in a test as XML.
package enum ModelText {
  /// The XML of a model with this inside.
  package static func xml(_ body: String) -> [UInt8] {
    Array(
      """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      \(body)
      </model>
      """.utf8)
  }

  /// The model with this inside.
  package static func model(_ body: String, name: String = "Test") throws -> Model {
    try SourceModelReader.read(xml(body), name: name)
  }

  /// What changed between the models with these inside.
  package static func difference(_ before: String, _ after: String) throws -> ModelDifference {
    ModelDifference(from: try model(before, name: "1"), to: try model(after, name: "2"))
  }

  /// What changed about the one property of the entity `A`; `Z` and `Y` are there to lead to.
  package static func propertyDifference(
    _ before: String, _ after: String
  ) throws -> PropertyDifference? {
    let other = "<entity name=\"Z\"/><entity name=\"Y\"/>"
    let difference = try difference(
      "<entity name=\"A\">\(before)</entity>\(other)",
      "<entity name=\"A\">\(after)</entity>\(other)")
    return difference.entities.first { $0.name == "A" }?.properties.first
  }
}
