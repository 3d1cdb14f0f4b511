/// Archives plain values as NSKeyedArchiver does, for Core Data's own transformers to read.
package struct KeyedArchiveWriter {
  private var objects: [PropertyList] = [.string("$null")]
  private var scalars: [ScalarIdentity: UInt64] = [:]
  private var classes: [String: UInt64] = [:]
  private let limits: FormatLimits

  private init(limits: FormatLimits) { self.limits = limits }

  /// The archive of a value; numbers, strings and data stand in it as they are, the rest as objects
  /// of NSArray, NSDictionary, NSDate and NSNull.
  package static func write(
    _ value: PropertyList, limits: FormatLimits = .propertyList
  ) throws(FormatError) -> [UInt8] {
    var writer = KeyedArchiveWriter(limits: limits)
    let root = try writer.archive(value, level: 1)
    return try BinaryPropertyListWriter.write(
      .dictionary([
        "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
        "$top": .dictionary(["root": root]), "$objects": .array(writer.objects),
      ]))
  }

  /// Adds a value to the objects, and gives the reference to it.
  private mutating func archive(
    _ value: PropertyList, level: Int
  ) throws(FormatError) -> PropertyList {
    guard level <= limits.depth else {
      throw FormatError(.keyedArchive, "nested deeper than \(limits.depth) levels")
    }
    switch value {
    case .array(let elements):
      return try object("NSArray") { writer throws(FormatError) in
        ["NS.objects": try writer.list(elements, level: level + 1)]
      }
    case .dictionary(let entries):
      let sorted = entries.sorted { $0.key < $1.key }
      return try object("NSDictionary") { writer throws(FormatError) in
        let keys = try writer.list(sorted.map { .string($0.key) }, level: level + 1)
        return [
          "NS.keys": keys, "NS.objects": try writer.list(sorted.map(\.value), level: level + 1),
        ]
      }
    case .date(let seconds): return try object("NSDate") { _ in ["NS.time": .real(seconds)] }
    case .null: return try object("NSNull") { _ in [:] }
    case .uid: throw FormatError(.keyedArchive, "a UID is not a value")
    case .string("$null"):
      throw FormatError(.keyedArchive, "the text \"$null\" means nil there, so it cannot be kept")
    default: return scalar(value)
    }
  }

  private mutating func list(
    _ values: [PropertyList], level: Int
  ) throws(FormatError) -> PropertyList {
    var references: [PropertyList] = []
    for value in values { references.append(try archive(value, level: level)) }
    return .array(references)
  }

  private mutating func scalar(_ value: PropertyList) -> PropertyList {
    let identity = ScalarIdentity(value)
    if let known = scalars[identity] { return .uid(known) }
    let number = append(value)
    scalars[identity] = number
    return .uid(number)
  }

  /// Gives the object its number first, then numbers what it holds, then its class.
  private mutating func object(
    _ name: String,
    _ fields: (inout KeyedArchiveWriter) throws(FormatError) -> [String: PropertyList]
  ) throws(FormatError) -> PropertyList {
    let number = append(.null)
    var fields = try fields(&self)
    fields["$class"] = .uid(reference(toClass: name))
    objects[Int(number)] = .dictionary(fields)
    return .uid(number)
  }

  private mutating func reference(toClass name: String) -> UInt64 {
    if let known = classes[name] { return known }
    let number = append(
      .dictionary([
        "$classname": .string(name), "$classes": .array([.string(name), .string("NSObject")]),
      ]))
    classes[name] = number
    return number
  }

  private mutating func append(_ object: PropertyList) -> UInt64 {
    objects.append(object)
    return UInt64(objects.count - 1)
  }
}
