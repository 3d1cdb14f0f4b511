package import Formats

/// Keyed archives made in a test, object by object, so that they may be cyclic or wrong.
package struct ArchiveMaker {
  private var objects: [PropertyList] = [.string("$null")]

  /// An archive without an object.
  package init() {}

  /// Adds a value and gives the reference to it.
  package mutating func add(_ value: PropertyList) -> PropertyList {
    objects.append(value)
    return .uid(UInt64(objects.count - 1))
  }

  /// Adds an object of a class, with those it inherits from, and gives the reference to it.
  package mutating func add(
    _ name: String, from parents: String..., fields: [String: PropertyList]
  ) -> PropertyList {
    let classes = ([name] + parents).map(PropertyList.string)
    let type = add(.dictionary(["$classname": .string(name), "$classes": .array(classes)]))
    return add(.dictionary(fields.merging(["$class": type]) { own, _ in own }))
  }

  /// Adds an object of a class and gives the reference to it.
  package mutating func add(_ name: String, _ fields: [String: PropertyList]) -> PropertyList {
    add(name, fields: fields)
  }

  /// Adds an array.
  package mutating func add(list: [PropertyList]) -> PropertyList {
    add("NSArray", ["NS.objects": .array(list)])
  }

  /// Adds a dictionary.
  package mutating func add(table: [String: PropertyList]) -> PropertyList {
    let pairs = table.sorted { $0.key < $1.key }
    let keys = pairs.map { add(.string($0.key)) }
    return add(
      "NSDictionary", ["NS.keys": .array(keys), "NS.objects": .array(pairs.map(\.value))])
  }

  /// Gives a reference another field, which may lead back to itself.
  package mutating func set(_ key: String, of object: PropertyList, to value: PropertyList) {
    guard case .uid(let number) = object, case .dictionary(var fields) = objects[Int(number)]
    else { return }
    fields[key] = value
    objects[Int(number)] = .dictionary(fields)
  }

  /// The bytes of the archive with this root.
  package func bytes(root: PropertyList) throws -> [UInt8] {
    try BinaryPropertyListWriter.write(
      .dictionary([
        "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
        "$top": .dictionary(["root": root]), "$objects": .array(objects),
      ]))
  }
}
