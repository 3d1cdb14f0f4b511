import CoreDataStore

/// Models written in a test as XML.
enum ModelText {
  /// The XML of a model with this inside.
  static func xml(_ body: String) -> [UInt8] {
    Array(
      """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      \(body)
      </model>
      """.utf8)
  }

  /// The model with this inside.
  static func model(_ body: String, name: String = "Test") throws -> Model {
    try SourceModelReader.read(xml(body), name: name)
  }
}
