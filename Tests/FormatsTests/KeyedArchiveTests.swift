import Formats
import TestSupport
import Testing

@Suite("Keyed archives")
struct KeyedArchiveTests {
  @Test("objects are followed by key, and the same object has the same index")
  func graph() throws {
    let archive = try RawArchive([
      .dictionary(["$class": .uid(2), "name": .uid(3), "self": .uid(1), "none": .uid(0)]),
      RawArchive.classNamed("Thing", below: "NSObject"), .string("a name"),
    ]).archive()
    let root = try archive.root
    #expect(root.className == "Thing" && root.classNames == ["Thing", "NSObject"])
    #expect(root.isKind(of: "NSObject") && !root.isKind(of: "Other"))
    #expect(root["name"]?.string == "a name")
    #expect(root["self"]?.index == root.index)
    #expect(root["self"]?["self"]?["name"]?.index == root["name"]?.index)
    #expect(root["none"] == nil && root["missing"] == nil)
    #expect(Set(root.fields.keys) == ["name", "self", "none"])
    #expect(root.fields["none"]?.isNull == true)
    #expect(archive.top("root")?.index == root.index && archive.top("other") == nil)
  }

  @Test(
    "what is not an archive is refused",
    arguments: [
      .array([]), .dictionary([:]),
      .dictionary(["$objects": .array([]), "$top": .dictionary([:])]),
      .dictionary(["$objects": .array([.string("$null")])]),
      .dictionary(["$objects": .integer(1), "$top": .dictionary([:])]),
      .dictionary(["$objects": .array([.string("$null")]), "$top": .dictionary(["root": .uid(1)])]),
      .dictionary(["$objects": .array([.array([.uid(.max)])]), "$top": .dictionary([:])]),
    ] as [PropertyList])
  func refused(value: PropertyList) throws {
    let bytes = try BinaryPropertyListWriter.write(value)
    #expect(throws: FormatError.self) { try KeyedArchive(bytes) }
  }

  @Test("an archive without a root says so")
  func rootless() throws {
    let value = PropertyList.dictionary([
      "$objects": .array([.string("$null")]), "$top": .dictionary(["other": .uid(0)]),
    ])
    let archive = try KeyedArchive(BinaryPropertyListWriter.write(value))
    #expect(throws: FormatError(.keyedArchive, "has no root")) { try archive.root }
    #expect(archive.top("other")?.isNull == true)
  }

  @Test("a reference to a reference leads no further, and a class may be its own")
  func oddities() throws {
    let chain = try RawArchive([.uid(2), .uid(1)]).archive().root
    #expect(chain.string == nil && chain.elements == nil && chain.className == nil)
    let own = try RawArchive([.dictionary(["$class": .uid(1), "$classname": .uid(1)])]).archive()
      .root
    #expect(own.className == nil && own.classNames == [])
  }

  @Test(
    "an archive that becomes very large when its references are followed is refused",
    arguments: [
      .string(String(repeating: "x", count: 1 << 20)),
      .dictionary(["$class": .uid(2), "NS.string": .uid(3)]),
    ] as [PropertyList])
  func sharing(shared: PropertyList) throws {
    let many = [PropertyList](repeating: .uid(4), count: 300)
    let raw = RawArchive([
      .dictionary(["$class": .uid(2), "NS.objects": .array(many)]),
      RawArchive.classNamed("NSArray"), .string(String(repeating: "x", count: 1 << 20)), shared,
    ])
    let error = #expect(throws: FormatError.self) { try raw.archive() }
    #expect(error?.problem == "unfolds into too many bytes")
  }

  @Test("every truncation is an error, and every bit turned an error or a value")
  func damage() throws {
    let value = PropertyList.dictionary(["k": .array([.date(1), .string("x"), .data([1])])])
    let sample = try KeyedArchiveWriter.write(value)
    let outcomes = damaged(sample).map { try? KeyedArchive($0).readable() }
    #expect(outcomes.prefix(sample.count).allSatisfy { $0 == nil })
    #expect(outcomes.contains { $0 != nil && $0 != value })
  }

  @Test(
    "compiled models of Core Data are read",
    .enabled(if: OutsideMaterial.corpus.isThere, "set PIPELINE_CORPUS to a folder of real stores"))
  func models() throws {
    let files = try OutsideMaterial.corpus.files(withExtension: "mom")
    #expect(!files.isEmpty)
    for bytes in files {
      let model = try KeyedArchive(bytes).root
      #expect(model.className == "NSManagedObjectModel")
      let entities = try #require(model["NSEntities"]?.dictionary)
      #expect(!entities.isEmpty)
      for (name, entity) in entities {
        #expect(entity["NSEntityName"]?.string == name)
        #expect(entity["NSProperties"]?.dictionary != nil)
      }
    }
  }
}
