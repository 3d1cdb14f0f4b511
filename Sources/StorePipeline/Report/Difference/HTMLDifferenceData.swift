internal import CoreDataStore
internal import Formats
internal import StoreMigration
internal import StoreReplacement

/// The changes of a report as compact JSON, for the script of its page.
///
/// Names stand there once and are referred to by number; objects follow until the page is large
/// enough.
struct HTMLDifferenceData {
  /// The most characters of JSON: a page with it opens within a second or two.
  static let most = 32_000_000

  private let objects = DiskList()
  private var start = ""
  /// How many objects are in it.
  private(set) var objectCount = 0
  private var names: [String: Int] = [:]
  private var ordered: [String] = []

  /// The data of a report.
  ///
  /// - Throws: `Failure` when its objects cannot be read, or these be kept.
  init(_ report: DifferenceReport, most: Int = HTMLDifferenceData.most) throws {
    let groups = report.groups.map { group($0) }
    let images = report.images.map { image in
      JSONValue.string("data:image/\(image.kind.rawValue);base64,\(Base64.encode(image.bytes))")
    }
    var size = 0
    try report.objects.forEach { object in
      let text = self.object(object).text().asScriptData
      size += text.utf8.count + 1
      guard size <= most else { return false }
      try objects.append(Array("\(objectCount > 0 ? ",\n" : "")\(text)".utf8))
      objectCount += 1
      return true
    }
    start =
      """
      {"groups":\(JSONValue.array(groups).text()),
      "images":\(JSONValue.array(images).text()),
      "names":\(JSONValue.texts(ordered).text()),
      "objects":[
      """.asScriptData
  }

  /// Hands over the JSON, which may stand in an element of a page.
  ///
  /// - Throws: `Failure` when the objects cannot be read, and what `sink` throws.
  func write(to sink: ([UInt8]) throws -> Void) throws {
    try sink(Array(start.utf8))
    try objects.forEachPiece(sink)
    try sink(Array("]}".utf8))
  }

  private mutating func number(_ name: String) -> JSONValue {
    if let number = names[name] { return .count(number) }
    names[name] = ordered.count
    ordered.append(name.printable)
    return .count(ordered.count - 1)
  }

  private mutating func group(_ group: ChangeGroup) -> JSONValue {
    var attributes: [JSONValue] = []
    for attribute in group.attributes { attributes.append(number(attribute)) }
    return [
      number(group.entity), .count(group.change.rank), .string(group.words.oneLine),
      .count(group.count), .array(attributes),
    ]
  }

  private mutating func object(_ object: ReportedObject) -> JSONValue {
    var values: [JSONValue] = []
    for change in object.values {
      values.append([number(change.attribute), change.old.pageJSON, change.new.pageJSON])
    }
    for link in object.links {
      let (old, new) =
        link.isReordered
        ? (["l", "one order"], ["l", "another order"])
        : (objects(link.lost, link.lostCount), objects(link.gained, link.gainedCount))
      values.append([number(link.relationship), old, new])
    }
    let origin = object.change == .added ? object.source.map { "\($0.entity) \($0.key)" } : nil
    let head: [JSONValue] = [.count(object.group), .integer(object.key), .array(values)]
    return .array(head + (origin.map { [.string($0.oneLine)] } ?? []))
  }

  private func objects(_ objects: [ObjectID], _ count: Int) -> JSONValue {
    count == 0 ? 0 : ["l", .string(ChangedLink.words(objects, count).oneLine)]
  }
}

extension ReportedValue {
  /// The value for the page: 0 for none, 1 for hidden, a text, or a kind with words.
  fileprivate var pageJSON: JSONValue {
    switch self {
    case .none: 0
    case .hidden: 1
    case .text(let text): .string(text.printable)
    case .date: ["d", .string(words)]
    case .data(_, _, _, let image):
      .array(["x", .string(words.oneLine)] + (image.map { [.count($0)] } ?? []))
    case .lost, .unexpected: ["m", .string(words.oneLine)]
    default: ["n", .string(words.oneLine)]
    }
  }
}

extension String {
  /// JSON as an element `script` may hold it: "<" begins its end tag and comments (HTML Standard,
  /// 4.12.1.3), and in JSON it stands in strings alone.
  var asScriptData: String { spelling { $0 == "<" ? "\\u003c" : nil } }
}
