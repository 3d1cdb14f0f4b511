import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

/// What `new` offers where a part of an entity becomes an entity of its own.
extension PipelineScaffoldTests {
  private static let optional = "optional=\"YES\""

  private static func link(
    _ name: String, _ far: String, _ back: String, many: Bool = false
  ) -> String {
    "<relationship name=\"\(name)\" optional=\"YES\" \(many ? "toMany=\"YES\"" : "maxCount=\"1\"") "
      + "destinationEntity=\"\(far)\" inverseName=\"\(back)\" inverseEntity=\"\(far)\"/>"
  }

  /// What a migration through the pipeline has to say, with the first answer to each decision.
  private func failures(
    _ before: String, _ after: String, _ migration: String
  ) async throws -> [String] {
    let scaffold = try write(before, after)
    let chosen = try write(before, after) { choices in
      for decision in scaffold.decisions { choices.answers[decision] = decision.answers.first }
    }
    #expect(chosen.decisions == [])
    let own = TemporaryFolder.url.appending(path: "own_test.lua")
    try Data("migration \"own\" { pipeline = \"m_2.pipeline\", \(migration) }".utf8).write(to: own)
    return try await faults(chosen) + ScriptTests([own.path]).run().results.flatMap(\.failure)
  }

  @Test("what moves behind a relationship to many is offered an object that leads back")
  func behindMany() async throws {
    let name = Self.attribute("name", "String")
    let before = Self.entity(
      "Tenant",
      name + Self.attribute("deposit", "Decimal", Self.optional)
        + Self.attribute("moveIn", "Date", Self.optional))
    let after =
      Self.entity("Tenant", name + Self.link("leases", "Lease", "tenant", many: true))
      + Self.entity(
        "Lease",
        Self.attribute("deposit", "Decimal", Self.optional)
          + Self.attribute("startsOn", "Date", Self.optional)
          + Self.link("tenant", "Tenant", "leases"))
    let decisions = try write(before, after).decisions
    #expect(decisions.map(\.name) == ["Tenant.deposit", "Tenant.moveIn"])
    #expect(
      decisions.allSatisfy {
        $0.answers.first?.text == "new.Lease with deposit, startsOn from moveIn"
      })
    let failures = try await failures(
      before, after,
      """
      store = { Tenant = {
        a = { name = "A", deposit = "12.5", moveIn = 9 }, b = { name = "B" } } },
      expect = {
        Tenant = { { name = "A" }, { name = "B" } },
        Lease = { { deposit = "12.5", startsOn = 9, tenant = { name = "A" } } },
      },
      """)
    #expect(failures == [])
  }

  @Test("a link to one object moves with the values of its object")
  func movedLink() async throws {
    let name = Self.attribute("name", "String")
    let street = Self.attribute("street", "String", Self.optional)
    let before =
      Self.entity("Person", name + street + Self.link("country", "Country", "people"))
      + Self.entity("Country", name + Self.link("people", "Person", "country", many: true))
    let after =
      Self.entity("Person", name + Self.link("address", "Address", "person"))
      + Self.entity(
        "Address",
        street + Self.link("person", "Person", "address")
          + Self.link("country", "Country", "addresses"))
      + Self.entity("Country", name + Self.link("addresses", "Address", "country", many: true))
    let decisions = try write(before, after).decisions
    let link = try #require(decisions.first { $0.name == "Person.country" })
    #expect(link.answers.first?.text == "new.Address with country, street")
    let failures = try await failures(
      before, after,
      """
      store = {
        Country = { at = { name = "AT" } },
        Person = {
          a = { name = "A", street = "S", country = "at" }, b = { name = "B", country = "at" },
          c = { name = "C" } },
      },
      expect = { Address = {
        { street = "S", country = { name = "AT" }, person = { name = "A" } },
        { street = null, country = { name = "AT" }, person = { name = "B" } } } },
      """)
    #expect(failures == [])
  }
}
