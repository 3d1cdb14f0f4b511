import Formats
import Foundation
import TestSupport

/// A keyed archive put together by hand; its root is the first object after "$null".
struct RawArchive {
  let objects: [PropertyList]

  init(_ objects: [PropertyList]) { self.objects = [.string("$null")] + objects }

  func archive() throws -> KeyedArchive {
    try KeyedArchive(
      BinaryPropertyListWriter.write(
        .dictionary(["$objects": .array(objects), "$top": .dictionary(["root": .uid(1)])])))
  }

  /// The description of a class.
  static func classNamed(_ name: String, below others: String...) -> PropertyList {
    .dictionary([
      "$classname": .string(name), "$classes": .array(([name] + others).map(PropertyList.string)),
    ])
  }

  /// The root of an archive that holds one object of a class.
  static func object(
    _ name: String, below others: String = "NSObject", _ fields: [String: PropertyList],
    _ more: PropertyList...
  ) throws -> KeyedArchive.Object {
    var fields = fields
    fields["$class"] = .uid(2)
    return try RawArchive([.dictionary(fields), classNamed(name, below: others)] + more).archive()
      .root
  }
}

extension OutsideMaterial {
  /// The bytes of all files with an extension.
  func files(withExtension name: String) throws -> [[UInt8]] {
    guard let folder else { return [] }
    let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    let urls = (all?.allObjects ?? []).compactMap { $0 as? URL }.filter { $0.pathExtension == name }
    return try urls.map { Array(try Data(contentsOf: $0)) }
  }
}
