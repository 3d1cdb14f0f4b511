import CoreDataStore
import Testing

@testable import StorePipeline

@Suite("Generated objects")
struct ObjectGeneratorTests {
  private static let stored = AttributeType.allCases.filter {
    ![.undefined, .composite, .objectID].contains($0)
  }

  /// The values that an attribute has in the first objects.
  private func values(_ type: AttributeType, isOptional: Bool = true) throws -> [AttributeValue] {
    var entity = Entity(name: "A")
    var attribute = Attribute(name: "a", type: type)
    attribute.isOptional = isOptional
    entity.attributes = [attribute]
    let model = try Model(name: "M", entities: [entity])
    var generator = ObjectGenerator(entity, in: model, name: "test")
    return (0..<40).compactMap { generator.values($0)["a"] }
  }

  @Test("each type has values that its columns hold, and NULL where that may be", arguments: stored)
  func types(type: AttributeType) throws {
    let values = try values(type)
    #expect(values.count == 40)
    #expect(values.contains(.null))
    #expect(Set(values.map { "\($0)".count }).count > 1)
    for value in values { #expect(AttributeStorage(type).stored(value) != nil) }
    #expect(try !self.values(type, isOptional: false).contains(.null))
  }

  @Test("the ends of the ranges, what is not a number, and dates before 2001 are among them")
  func extremes() throws {
    #expect(try values(.integer16).contains(.integer(-32768)))
    #expect(try values(.integer64).contains(.integer(.max)))
    let reals = try values(.double).compactMap { value in
      if case .real(let number) = value { number } else { nil }
    }
    #expect(reals.contains(where: \.isNaN) && reals.contains(.infinity))
    #expect(
      try values(.date).contains { value in
        if case .date(let seconds) = value { seconds < 0 } else { false }
      })
    #expect(try values(.string).contains(.string("")))
  }

  @Test("no two are alike where the model wants none to be", arguments: [[0], [0, 1]])
  func unique(places: [Int]) throws {
    for type in Self.stored where ![.boolean, .transformable, .codable].contains(type) {
      var entity = Entity(name: "A")
      entity.attributes = ["a", "b"].map { name in
        var attribute = Attribute(name: name, type: type)
        attribute.isOptional = false
        return attribute
      }
      let names = places.map { ["a", "b"][$0] }
      entity.uniquenessConstraints = [names]
      var generator = ObjectGenerator(
        entity, in: try Model(name: "M", entities: [entity]), name: "t")
      let keys = (0..<100).map { place in
        let values = generator.values(place)
        return names.compactMap { values[$0] }
      }.filter { !$0.contains { "\($0)".contains("nan") } }
      #expect(Set(keys).count == keys.count, "\(type)")
      #expect(!keys.contains { $0.contains(.null) }, "\(type)")
    }
  }

  @Test("one text has 10 MB, and one attribute at a time")
  func long() throws {
    var entity = Entity(name: "A")
    entity.attributes = ["a", "b"].map { Attribute(name: $0, type: .string) }
    let model = try Model(name: "M", entities: [entity])
    var generator = ObjectGenerator(entity, in: model, name: "test")
    let lengths = (0..<5).map { place in
      generator.values(place).values.compactMap { value in
        if case .string(let text) = value { text.utf8.count } else { nil }
      }.max() ?? 0
    }
    #expect(lengths.map { $0 == ObjectGenerator.longest } == [true, true, false, false, false])
  }

  @Test("the same name gives the same objects again")
  func again() throws {
    #expect("\(try values(.string))" == "\(try values(.string))")
  }
}
