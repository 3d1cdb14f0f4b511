import CoreDataStore
import Formats
import StoreTestSupport
import Testing

@Suite("Attributes of a compiled model")
struct CompiledAttributeReaderTests {
  @Test("flags of storage")
  func flags() throws {
    let attribute = try CompiledSample.attribute(
      1000, ["NSFlagsKey": .integer(20), "NSIsOptional": .bool(true)])
    #expect(attribute.usesExternalStorage && attribute.isPreservedAfterDeletion)
    #expect(attribute.isOptional && !attribute.isTransient && attribute.type == .binary)
  }

  @Test(
    "numbers become values of the attribute's type",
    arguments: [
      (800, .integer(1), .boolean(true)), (500, .integer(2), .real(2)),
      (200, .bool(false), .integer(0)), (300, .uid(0), nil),
    ] as [(Int64, PropertyList, ModelConstant?)])
  func defaults(type: Int64, stored: PropertyList, value: ModelConstant?) throws {
    #expect(try CompiledSample.attribute(type, ["NSDefaultValue": stored]).defaultValue == value)
  }

  @Test("a type that is not known keeps its number") func unknownType() throws {
    #expect(try CompiledSample.attribute(2300).type == .unknown("2300"))
  }

  @Test("a composite that contains itself is refused")
  func compositeCircle() throws {
    let error = #expect(throws: Failure.self) {
      try CompiledSample.entity { maker in
        let name = maker.add(.string("x"))
        let composite = maker.add(
          "NSAttributeDescription", ["NSPropertyName": name, "NSAttributeType": .integer(2100)])
        let list = maker.add(list: [composite])
        maker.set("NSElements", of: composite, to: list)
        return composite
      }
    }
    #expect(error?.why.contains("nest too deeply") == true)
  }

  @Test("composites that share their elements many times over are refused")
  func compositeBomb() throws {
    let error = try CompiledSample.refusal { maker in
      let name = maker.add(.string("x"))
      var part = maker.add("NSAttributeDescription", ["NSPropertyName": name])
      for _ in 0..<7 {
        let list = maker.add(list: Array(repeating: part, count: 20))
        part = maker.add(
          "NSAttributeDescription",
          ["NSPropertyName": name, "NSAttributeType": .integer(2100), "NSElements": list])
      }
      let properties = maker.add(table: ["x": part])
      let fields = ["NSEntityName": maker.add(.string("A")), "NSProperties": properties]
      return ["A": maker.add("NSEntityDescription", fields)]
    }
    #expect(error?.why.contains("unfolds into more than any") == true)
  }

  @Test("a composite's default sets its parts' defaults; other parts keep their own")
  func compositeDefault() throws {
    let attribute = try CompiledSample.attribute(2100) { maker in
      let part = { (maker: inout ArchiveMaker, name: String, value: String) -> PropertyList in
        maker.add(
          "NSAttributeDescription",
          [
            "NSPropertyName": maker.add(.string(name)), "NSAttributeType": .integer(700),
            "NSDefaultValue": maker.add(.string(value)),
          ])
      }
      let parts = [part(&maker, "city", "own"), part(&maker, "street", "own")]
      return [
        "NSCompositeElements": maker.add(list: parts),
        "NSDefaultValue": maker.add(table: ["city": maker.add(.string("whole"))]),
      ]
    }
    #expect(attribute.name == "x.city" && attribute.defaultValue == .string("whole"))
  }
}
