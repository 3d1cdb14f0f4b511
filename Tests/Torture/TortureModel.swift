import Foundation

/// Versions of a model, between which rows are kept, copied, changed by a script and dropped.
enum TortureModel {
  /// The folder of all versions, and their names.
  static let folder = "Torture.xcdatamodeld"
  static let first = "Torture"
  static let second = "Torture 2"
  static let third = "Torture 3"

  /// Writes the versions of a sample; the last one is the current one.
  static func write(into parent: URL, _ variant: Sample.Variant) throws {
    let folder = parent.appending(path: folder)
    let kept = variant.hasKept ? chapter : ""
    try write(body(rank: "String", "", "", kept + draft), as: first, into: folder)
    let rank = variant.drops ? "Integer 32" : "String"
    let rest = kept + (variant.drops ? "" : draft)
    try write(body(rank: rank, memo, copy, rest), as: second, into: folder)
    if variant.isChain {
      try write(body(rank: rank, memo, copy, rest, box: size), as: third, into: folder)
    }
    let last = variant.isChain ? third : second
    let current = ["_XCCurrentVersionName": "\(last).xcdatamodel"]
    try PropertyListSerialization.data(fromPropertyList: current, format: .xml, options: 0)
      .write(to: folder.appending(path: ".xccurrentversion"))
  }

  private static func write(_ body: String, as version: String, into folder: URL) throws {
    let model = folder.appending(path: "\(version).xcdatamodel")
    try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
    let text = "<?xml version=\"1.0\"?><model documentVersion=\"1.0\">\(body)</model>"
    try Data(text.utf8).write(to: model.appending(path: "contents"))
  }

  /// What no version changes; its number stays, too, since it comes before what is dropped.
  private static let chapter = """
    <entity name="Chapter">
    <attribute name="text" optional="YES" attributeType="String"/>
    </entity>
    """

  private static let draft = """
    <entity name="Draft">
    <attribute name="paper" optional="YES" attributeType="Binary" \
    allowsExternalBinaryDataStorage="YES"/>
    </entity>
    """

  private static let copy = """
    <attribute name="copy" optional="YES" attributeType="Binary" \
    allowsExternalBinaryDataStorage="YES"/>
    """

  /// It takes the values of `note`, which gets others.
  private static let memo = """
    <attribute name="memo" optional="YES" attributeType="String"/>
    """

  private static let size = """
    <attribute name="size" optional="YES" attributeType="Integer 32" defaultValueString="7"/>
    """

  private static func body(
    rank: String, _ memo: String, _ copy: String, _ others: String, box: String = ""
  ) -> String {
    """
    <entity name="Box">
    <attribute name="name" optional="YES" attributeType="String"/>
    \(box)
    <relationship name="items" optional="YES" toMany="YES" deletionRule="Nullify" \
    destinationEntity="Item" inverseName="box" inverseEntity="Item"/>
    </entity>
    \(others)
    <entity name="Item">
    <attribute name="title" optional="YES" attributeType="String"/>
    <attribute name="rank" optional="YES" attributeType="\(rank)"/>
    <attribute name="count" optional="YES" attributeType="Integer 32"/>
    <attribute name="note" optional="YES" attributeType="String"/>
    \(memo)
    <relationship name="box" optional="YES" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Box" inverseName="items" inverseEntity="Box"/>
    <relationship name="pictures" optional="YES" toMany="YES" deletionRule="Nullify" \
    destinationEntity="Picture" inverseName="item" inverseEntity="Picture"/>
    </entity>
    <entity name="Picture">
    <attribute name="data" optional="YES" attributeType="Binary" \
    allowsExternalBinaryDataStorage="YES"/>
    \(copy)
    <relationship name="item" optional="YES" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Item" inverseName="pictures" inverseEntity="Item"/>
    </entity>
    """
  }
}
