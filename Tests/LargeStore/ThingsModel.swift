import Foundation

/// Three versions of a model: things in boxes, with labels and pictures.
///
/// The second renames an attribute and adds one with a default, so that each item is written anew
/// and everything else stays as it is. The third has the pictures in an entity of their own.
enum ThingsModel {
  /// The folder of all versions.
  static let folder = "Things.xcdatamodeld"

  /// Writes all versions; the second is the current one.
  static func write(into parent: URL) throws {
    let folder = parent.appending(path: folder)
    try write(first + picture, as: "Things", into: folder)
    try write(second + picture, as: "Things 2", into: folder)
    try write(first + pictureLink, pictureEntity, as: "Things 3", into: folder)
    let current = ["_XCCurrentVersionName": "Things 2.xcdatamodel"]
    try PropertyListSerialization.data(fromPropertyList: current, format: .xml, options: 0)
      .write(to: folder.appending(path: ".xccurrentversion"))
  }

  private static func write(
    _ item: String, _ others: String = "", as version: String, into folder: URL
  ) throws {
    let model = folder.appending(path: "\(version).xcdatamodel")
    try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
    try Data(document(item, others).utf8).write(to: model.appending(path: "contents"))
  }

  private static let first = """
    <attribute name="name" optional="YES" attributeType="String"/>
    """

  private static let second = """
    <attribute name="title" optional="YES" attributeType="String" elementID="name"/>
    <attribute name="currency" optional="YES" attributeType="String" defaultValueString="EUR"/>
    """

  private static let picture = """
    <attribute name="picture" optional="YES" attributeType="Binary"/>
    """

  private static let pictureLink = """
    <relationship name="picture" optional="YES" maxCount="1" deletionRule="Cascade" \
    destinationEntity="Picture" inverseName="item" inverseEntity="Picture"/>
    """

  private static let pictureEntity = """
    <entity name="Picture">
    <attribute name="data" attributeType="Binary"/>
    <relationship name="item" optional="YES" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Item" inverseName="picture" inverseEntity="Item"/>
    </entity>
    """

  private static func document(_ item: String, _ others: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
    <entity name="Box">
    <attribute name="name" optional="YES" attributeType="String"/>
    <relationship name="items" optional="YES" toMany="YES" deletionRule="Nullify" \
    destinationEntity="Item" inverseName="box" inverseEntity="Item"/>
    </entity>
    <entity name="Item">
    \(item)
    <attribute name="note" optional="YES" attributeType="String"/>
    <attribute name="cents" optional="YES" attributeType="Integer 64"/>
    <attribute name="created" optional="YES" attributeType="Date"/>
    <relationship name="box" optional="YES" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Box" inverseName="items" inverseEntity="Box"/>
    <relationship name="labels" optional="YES" toMany="YES" deletionRule="Nullify" \
    destinationEntity="Label" inverseName="items" inverseEntity="Label"/>
    </entity>
    <entity name="Label">
    <attribute name="name" optional="YES" attributeType="String"/>
    <relationship name="items" optional="YES" toMany="YES" deletionRule="Nullify" \
    destinationEntity="Item" inverseName="labels" inverseEntity="Item"/>
    </entity>
    \(others)
    </model>
    """
  }
}
