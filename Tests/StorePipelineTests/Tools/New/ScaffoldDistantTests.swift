import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

/// What `new` offers for values behind links.
extension PipelineScaffoldTests {
  private static let optional = "optional=\"YES\""

  private static func text(_ name: String, _ more: String = optional) -> String {
    attribute(name, "String", more)
  }

  private static func link(
    _ name: String, _ far: String, _ back: String, many: Bool = false
  ) -> String {
    "<relationship name=\"\(name)\" optional=\"YES\" \(many ? "toMany=\"YES\"" : "maxCount=\"1\"") "
      + "destinationEntity=\"\(far)\" inverseName=\"\(back)\" inverseEntity=\"\(far)\"/>"
  }

  private static let people =
    entity("Person", text("name") + link("address", "Address", "person"))
    + entity(
      "Address",
      text("street") + link("city", "City", "addresses") + link("person", "Person", "address"))
    + entity("City", text("name") + text("code") + link("addresses", "Address", "city", many: true))

  /// What a migration through the pipeline has to say.
  private func failures(_ migration: String) async throws -> [String] {
    let own = TemporaryFolder.url.appending(path: "own_test.lua")
    try "migration \"own\" { pipeline = \"m_2.pipeline\", \(migration) }"
      .write(to: own, atomically: true, encoding: .utf8)
    return try await ScriptTests([own.path]).run().results.flatMap(\.failure)
  }

  @Test("what lies one or two links away is offered the new attribute that is named for it")
  func distant() async throws {
    let after = Self.entity(
      "Person", Self.text("name") + Self.text("cityName") + Self.text("street"))
    let scaffold = try write(Self.people, after)
    let first = Dictionary(
      uniqueKeysWithValues: scaffold.decisions.map { ($0.name, $0.answers.first?.text ?? "") })
    #expect(
      first == [
        "City": "cityName = function(address) return address and address.city and "
          + "address.city.name end",
        "Address": "street = function(address) return address and address.street end",
      ])
    #expect(
      scaffold.decisions.allSatisfy { $0.answers.last?.text == "drop { \"\($0.name)\" }" })
    #expect(text(scaffold, "person.lua").contains("-- cityName = function(address)"))
    #expect(try await faults(scaffold) == [])
    try await settle(Self.people, after, as: scaffold)
    #expect(
      try await failures(
        """
        store = {
          City = { ulm = { name = "Ulm" } }, Address = { a = { street = "A 1", city = "ulm" } },
          Person = { x = { name = "X", address = "a" }, y = { name = "Y" } },
        },
        expect = { Person = {
          { name = "X", cityName = "Ulm", street = "A 1" },
          { name = "Y", cityName = null, street = null } } },
        """) == [])
  }

  @Test("a name that says what is half way is not that of what is behind it")
  func halfWay() throws {
    let after = Self.entity("Person", Self.text("name") + Self.text("addressName"))
    #expect(
      try write(Self.people, after).decisions.allSatisfy {
        $0.answers.map(\.text) == ["drop { \"\($0.name)\" }"]
      })
  }

  @Test("a mandatory attribute is offered it, too, with a value for objects without")
  func mandatoryDistant() async throws {
    let after = Self.entity("Person", Self.text("name") + Self.text("cityName", ""))
    let scaffold = try write(Self.people, after)
    let name = try #require(scaffold.decisions.first { $0.name == "Person.cityName" })
    #expect(
      name.answers.first?.text
        == "cityName = function(address) return address and address.city and address.city.name "
        + "or \"\" end")
    #expect(try await faults(scaffold) == [])
  }

  @Test("an object without a link gets the model's default, and what is false there stays false")
  func distantDefault() async throws {
    let home = Self.attribute("isHome", "Boolean", Self.optional)
    let before =
      Self.entity("Person", Self.text("name") + Self.link("address", "Address", "person"))
      + Self.entity("Address", home + Self.link("person", "Person", "address"))
    let after = Self.entity(
      "Person",
      Self.text("name") + Self.attribute("isHome", "Boolean", "defaultValueString=\"YES\""))
    let scaffold = try write(before, after)
    try await settle(before, after, as: scaffold)
    #expect(
      try await failures(
        """
        store = {
          Address = { a = { isHome = false } },
          Person = { x = { name = "X", address = "a" }, y = { name = "Y" } },
        },
        expect = { Person = { { name = "X", isHome = false }, { name = "Y", isHome = true } } },
        """) == [])
  }

  /// Writes the files again with the first answer to each decision: nothing is left to decide.
  private func settle(
    _ before: String, _ after: String, as scaffold: PipelineScaffold
  ) async throws {
    let chosen = try write(before, after) { choices in
      for decision in scaffold.decisions { choices.answers[decision] = decision.answers.first }
    }
    #expect(chosen.decisions.map(\.name) == [])
    #expect(try await faults(chosen) == [])
  }

  @Test("no attribute is offered what its name does not say, or what still has its place")
  func notDistant() throws {
    let after = Self.entity("Person", Self.text("name") + Self.text("town") + Self.text("zip"))
    #expect(
      try write(Self.people, after).decisions.allSatisfy {
        $0.answers.map(\.text) == ["drop { \"\($0.name)\" }"]
      })
    let kept = Self.people.replacing(
      Self.link("address", "Address", "person"),
      with: Self.link("address", "Address", "person") + Self.text("street"))
    #expect(try write(Self.people, kept).decisions.isEmpty)
  }
}
