import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

/// What `new` offers where a part of an entity becomes an entity of its own.
extension PipelineScaffoldTests {
  private static let optional = "optional=\"YES\""

  private static func link(
    _ name: String, _ far: String, _ back: String, many: Bool = false, _ more: String = optional
  ) -> String {
    "<relationship name=\"\(name)\" \(more) \(many ? "toMany=\"YES\"" : "maxCount=\"1\"") "
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

  @Test("of two links to one new entity each takes the values with its name")
  func twoLinks() async throws {
    let name = Self.attribute("name", "String")
    let before = Self.entity(
      "User",
      name + Self.attribute("homeStreet", "String", Self.optional)
        + Self.attribute("workStreet", "String", Self.optional))
    let after =
      Self.entity(
        "User",
        name + Self.link("home", "Address", "homeOf") + Self.link("work", "Address", "workOf"))
      + Self.entity(
        "Address",
        Self.attribute("street", "String", Self.optional) + Self.link("homeOf", "User", "home")
          + Self.link("workOf", "User", "work"))
    let decisions = try write(before, after).decisions
    #expect(
      decisions.map { $0.answers.first?.text } == [
        "new.Address for home with street from homeStreet",
        "new.Address for work with street from workStreet",
      ])
    let failures = try await failures(
      before, after,
      """
      store = { User = { a = { name = "A", homeStreet = "H", workStreet = "W" } } },
      expect = { User = { { name = "A", home = { street = "H" }, work = { street = "W" } } } },
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

  /// Tenants with a link to a flat, which become leases of flats.
  private static func tenants(deposit: String) -> (before: String, after: String) {
    let name = attribute("name", "String")
    func flat(_ link: String) -> String { entity("Flat", name + link) }
    return (
      entity("Tenant", name + deposit + link("flat", "Flat", "tenants"))
        + flat(link("tenants", "Tenant", "flat", many: true)),
      entity("Tenant", name + link("leases", "Lease", "tenant", many: true))
        + entity(
          "Lease",
          deposit + link("tenant", "Tenant", "leases", "") + link("flat", "Flat", "leases", ""))
        + flat(link("leases", "Lease", "flat", many: true))
    )
  }

  @Test("a link that a new object must have moves to it, and else leads to another new object")
  func mandatoryLink() async throws {
    let models = Self.tenants(deposit: Self.attribute("deposit", "Decimal", Self.optional))
    let decisions = try write(models.before, models.after).decisions
    for name in ["Tenant.deposit", "Tenant.flat"] {
      let decision = try #require(decisions.first { $0.name == name })
      #expect(decision.answers.first?.text == "new.Lease with deposit, flat")
    }
    let failures = try await failures(
      models.before, models.after,
      """
      store = {
        Flat = { f = { name = "F" } },
        Tenant = {
          a = { name = "A", deposit = "12.5", flat = "f" }, b = { name = "B", flat = "f" },
          c = { name = "C" }, d = { name = "D", deposit = "1" } },
      },
      expect = { Lease = {
        { deposit = "12.5", flat = { name = "F" }, tenant = { name = "A" } },
        { deposit = null, flat = { name = "F" }, tenant = { name = "B" } },
        { deposit = "1", flat = { name = "" }, tenant = { name = "D" } } } },
      """)
    #expect(failures == [])
  }

  @Test("a link moves to a new object, too, where no value does")
  func linkAlone() async throws {
    let models = Self.tenants(deposit: "")
    let decisions = try write(models.before, models.after).decisions
    let link = try #require(decisions.first { $0.name == "Tenant.flat" })
    #expect(link.answers.map(\.text) == ["new.Lease with flat", "drop { \"Tenant.flat\" }"])
    let far = try #require(decisions.first { $0.name == "Flat.tenants" })
    #expect(far.answers.map(\.text) == ["drop { \"Flat.tenants\" }"])
    let failures = try await failures(
      models.before, models.after,
      """
      store = {
        Flat = { f = { name = "F" } },
        Tenant = { a = { name = "A", flat = "f" }, b = { name = "B" } },
      },
      expect = { Lease = { { flat = { name = "F" }, tenant = { name = "A" } } } },
      """)
    #expect(failures == [])
  }

  @Test("links between many objects become objects of a new entity, made at one of their ends")
  func joinEntity() async throws {
    let name = Self.attribute("name", "String")
    let before =
      Self.entity("Book", name + Self.link("authors", "Author", "books", many: true))
      + Self.entity("Author", name + Self.link("books", "Book", "authors", many: true))
    let after =
      Self.entity("Book", name + Self.link("authorships", "Authorship", "book", many: true))
      + Self.entity("Author", name + Self.link("authorships", "Authorship", "author", many: true))
      + Self.entity(
        "Authorship",
        Self.link("book", "Book", "authorships", "")
          + Self.link("author", "Author", "authorships", "")
          + Self.attribute("order", "Integer 16") + Self.attribute("id", "UUID"))
    let answers = try write(before, after).decisions.map { $0.answers.map(\.text) }
    // The other end has the same links: there is nothing to ask about it.
    #expect(answers.count == 1, "\(answers)")
    #expect(answers.first?.first?.hasPrefix("new.Authorship for each of ") == true)
    // Those of one book differ by their place.
    let scripts = try write(before, after).files.map(\.text).joined()
    #expect(scripts.contains("for place, one in ipairs(") && scripts.contains(" .. place)"))
    #expect(answers.allSatisfy { $0.last?.hasPrefix("drop { ") == true })
    let failures = try await failures(
      before, after,
      """
      store = {
        Author = { a = { name = "A" }, b = { name = "B" } },
        Book = {
          x = { name = "X", authors = { "a", "b" } }, y = { name = "Y", authors = { "b" } },
          z = { name = "Z" } },
      },
      expect = { Authorship = {
        { author = { name = "A" }, book = { name = "X" } },
        { author = { name = "B" }, book = { name = "X" } },
        { author = { name = "B" }, book = { name = "Y" } } } },
      """)
    #expect(failures == [])
  }

  /// Books with authors, which become objects with a unique number.
  private static func authorships(
    _ number: String, _ more: String = ""
  ) -> (before: String, after: String) {
    let name = attribute("name", "String")
    func book(_ link: String) -> String { entity("Book", name + link) }
    func author(_ link: String) -> String { entity("Author", name + link) }
    return (
      book(link("authors", "Author", "books", many: true))
        + author(link("books", "Book", "authors", many: true)),
      book(link("parts", "Authorship", "book", many: true))
        + author(link("parts", "Authorship", "author", many: true))
        + entity(
          "Authorship",
          link("book", "Book", "parts") + link("author", "Author", "parts")
            + attribute("number", number, more)
            + "<uniquenessConstraints><uniquenessConstraint><constraint value=\"number\"/>"
            + "</uniquenessConstraint></uniquenessConstraints>")
    )
  }

  @Test(
    "a unique number is another one for each of several new objects",
    arguments: ["Integer 64", "Double", "Decimal"], ["", "defaultValueString=\"0\""])
  func uniqueNumber(_ type: String, _ more: String) async throws {
    let models = Self.authorships(type, more)
    let failures = try await failures(
      models.before, models.after,
      """
      store = {
        Author = { a = { name = "A" }, b = { name = "B" } },
        Book = {
          x = { name = "X", authors = { "a", "b" } }, y = { name = "Y", authors = { "b" } } },
      },
      expect = { Authorship = {
        { author = { name = "A" }, book = { name = "X" } },
        { author = { name = "B" }, book = { name = "X" } },
        { author = { name = "B" }, book = { name = "Y" } } } },
      """)
    #expect(failures == [])
  }

  @Test(
    "a unique number that may be too large for its type is to be written, and listed",
    arguments: ["Integer 16", "Integer 32", "Float", "Date"])
  func smallUniqueNumber(_ type: String) throws {
    let models = Self.authorships(type)
    let decisions = try write(models.before, models.after).decisions
    let number = try #require(decisions.first { $0.name == "Authorship.number" })
    #expect(number.answers.map(\.kind) == [.stub])
  }

  @Test("the stage of a script that links objects stands below the stages that make them")
  func order() async throws {
    let name = Self.attribute("name", "String")
    let street = Self.attribute("street", "String", Self.optional)
    let before =
      Self.entity("Person", name + street + Self.link("zone", "Zone", "people"))
      + Self.entity("Zone", name + Self.link("people", "Person", "zone", many: true))
    let after =
      Self.entity("Person", name + Self.link("address", "Address", "person"))
      + Self.entity(
        "Address",
        street + Self.link("person", "Person", "address")
          + Self.link("zone", "Zone", "addresses"))
      + Self.entity(
        "Zone",
        name + Self.attribute("code", "UUID")
          + Self.link("addresses", "Address", "zone", many: true))
    let failures = try await failures(
      before, after,
      """
      store = { Zone = { z = { name = "Z" } }, Person = { a = { name = "A", zone = "z" } } },
      expect = { Address = { { street = null, zone = { name = "Z" } } } },
      """)
    #expect(failures == [])
  }

  @Test(
    "what moves to a new object passes the tests that are written, and none is lost",
    arguments: [
      "Binary", "Boolean", "Date", "Decimal", "Double", "Float", "Integer 16", "String",
      "Transformable", "URI", "UUID",
    ], [true, false])
  func types(_ type: String, isShared: Bool) async throws {
    let name = Self.attribute("name", "String")
    let part = Self.attribute("part", type, Self.optional)
    let before = Self.entity("Item", name + part)
    let after =
      Self.entity("Item", name + Self.link("holder", "Holder", "items"))
      + Self.entity("Holder", part + Self.link("items", "Item", "holder", many: isShared))
    let scaffold = try write(before, after)
    let offered = try #require(scaffold.files.last?.text)
    #expect(offered.contains("--   expect = { Holder = { {} }, Item = { {} } },"), "\(offered)")
    let chosen = try write(before, after) { choices in
      for decision in scaffold.decisions { choices.answers[decision] = decision.answers.first }
    }
    #expect(chosen.decisions == [])
    #expect(try await faults(chosen) == [])
  }

  @Test("an archive that became objects, or a value, is offered what reads it, to be completed")
  func archives() async throws {
    let title = Self.attribute("title", "String")
    let before = Self.entity("Note", title + Self.attribute("tags", "Transformable", Self.optional))
    func note(_ link: String, _ far: String) -> String {
      Self.entity("Note", title + Self.link(link, far, "note", many: true))
        + Self.entity(far, Self.link("note", "Note", link))
    }
    let count = Self.attribute("tagCount", "Integer 16", Self.optional)
    let pairs: [(after: String, code: String)] = [
      (
        note("tagList", "Label"),
        "ipairs(plist.decode(source.tags)) do new.Label { VALUE = part.PART, note = copy } end"
      ),
      (
        note("labels", "Tag"),
        "ipairs(plist.decode(source.tags)) do new.Tag { VALUE = part.PART, note = copy } end"
      ),
      // It is the only new relationship, and nothing says that it holds them.
      (
        note("photos", "Photo"),
        "ipairs(plist.decode(source.tags)) do new.ENTITY { VALUE = part.PART, LINK = copy } end"
      ),
      (
        Self.entity("Note", title + Self.attribute("rating", "Integer 16", Self.optional)),
        "ATTRIBUTE = function(tags) local whole = tags and plist.decode(tags) "
          + "return whole and whole.PART end"
      ),
      (
        Self.entity("Note", title + count),
        "local whole = tags and plist.decode(tags) return whole and whole.PART end"
      ),
    ]
    for (after, code) in pairs {
      let scaffold = try write(before, after)
      let decision = try #require(scaffold.decisions.first)
      #expect(decision.answers.map(\.kind) == [.stub, .rule])
      #expect(decision.answers.first?.note.contains(code) == true, "\(decision)")
      let lines = scaffold.files.flatMap { $0.text.split(separator: "\n") }
      #expect(lines.filter { $0.count > 100 } == [])
      #expect(try await faults(scaffold) == [])
    }
  }
}
