import CoreDataStore
import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

/// What `new` offers for values that go on under another name, as another type.
extension PipelineScaffoldTests {
  private static let optional = "optional=\"YES\""

  /// An invoice of such attributes, optional unless their type has an exclamation mark.
  private static func invoice(_ attributes: (name: String, type: String)...) -> String {
    entity(
      "Invoice",
      attributes.map { name, type in
        attribute(
          name, String(type.prefix { $0 != "!" }), type.hasSuffix("!") ? "" : optional)
      }.joined())
  }

  private static let texts = invoice(
    ("amount", "String"), ("flag", "String"), ("when", "String"), ("number", "Integer 32"))
  private static let typed = invoice(
    ("cents", "Integer 64"), ("isDone", "Boolean"), ("date", "Date"), ("number", "Integer 32"))

  @Test("a text that became a number, a date or a truth value of another name is converted")
  func converted() async throws {
    let scaffold = try write(Self.texts, Self.typed)
    let first = Dictionary(
      uniqueKeysWithValues: scaffold.decisions.map { ($0.name, $0.answers.first?.text ?? "") })
    #expect(first.keys.sorted() == ["Invoice.amount", "Invoice.flag", "Invoice.when"])
    #expect(first["Invoice.amount"]?.hasPrefix("cents = function(amount) if amount ") == true)
    #expect(first["Invoice.flag"]?.hasPrefix("isDone = function(flag) return ") == true)
    #expect(first["Invoice.when"]?.hasPrefix("date = function(when) return ") == true)
    #expect(
      scaffold.decisions.allSatisfy { $0.answers.last?.text == "drop { \"\($0.name)\" }" })
    try await expectNoFaults(scaffold)
    let chosen = try write(Self.texts, Self.typed) { choices in
      for decision in scaffold.decisions { choices.answers[decision] = decision.answers.first }
    }
    #expect(chosen.decisions.map(\.name) == [])
    try await expectNoFaults(chosen)
    #expect(
      try await failures(
        """
        store = { Invoice = {
          a = { number = 1, amount = "12.50", flag = "yes", when = "2001-01-02" },
          b = { number = 2, amount = "3", flag = "No", when = "2001-01-01T00:00:09Z" },
          c = { number = 3 } } },
        expect = { Invoice = {
          { number = 1, cents = 1250, isDone = true, date = 86400 },
          { number = 2, cents = 300, isDone = false, date = 9 },
          { number = 3, cents = null, isDone = null, date = null } } },
        """) == [])
  }

  @Test("an old attribute with the name of a module does not hide the module from its function")
  func hiddenModules() async throws {
    let before = Self.invoice(("date", "String"), ("error", "String"))
    let after = Self.invoice(("day", "Date"), ("isError", "Boolean"))
    let scaffold = try write(before, after)
    let chosen = try write(before, after) { choices in
      for decision in scaffold.decisions { choices.answers[decision] = decision.answers.first }
    }
    #expect(text(chosen, "invoice.lua").contains("_G.date.parse(date)"))
    #expect(
      try await failures(
        """
        store = { Invoice = { a = { date = "2001-01-02", error = "yes" } } },
        expect = { Invoice = { { day = 86400, isError = true } } },
        """) == [])
    let refused = try await failures(
      "store = { Invoice = { a = { error = \"perhaps\" } } }, expect = { Invoice = { {} } },")
    #expect(refused.contains { $0.contains("The value cannot be converted") }, "\(refused)")
  }

  private func expectNoFaults(_ scaffold: PipelineScaffold) async throws {
    let found = try await faults(scaffold)
    #expect(found == [])
  }

  /// What a migration through the pipeline has to say.
  private func failures(_ migration: String) async throws -> [String] {
    let own = TemporaryFolder.url.appending(path: "own_test.lua")
    try Data("migration \"own\" { pipeline = \"m_2.pipeline\", \(migration) }".utf8).write(to: own)
    return try await ScriptTests([own.path]).run().results.flatMap(\.failure)
  }

  @Test("an object without a value gets the model's default, and false stays false")
  func defaults() async throws {
    let before = Self.invoice(("flag", "String"), ("size", "String"), ("number", "Integer 32"))
    let after = Self.entity(
      "Invoice",
      Self.attribute("isDone", "Boolean", "defaultValueString=\"YES\"")
        + Self.attribute("sizeNumber", "Double", "defaultValueString=\"7\"")
        + Self.attribute("number", "Integer 32", Self.optional))
    let scaffold = try write(before, after)
    try await expectNoFaults(scaffold)
    let functions = scaffold.decisions.flatMap { decision in
      decision.answers.filter { $0.kind == .script }.map { (decision, $0) }
    }
    #expect(functions.map(\.0.name).sorted() == ["Invoice.flag", "Invoice.size"])
    let chosen = try write(before, after) { choices in
      for (decision, answer) in functions { choices.answers[decision] = answer }
    }
    try await expectNoFaults(chosen)
    #expect(
      try await failures(
        """
        store = { Invoice = {
          a = { number = 1, flag = "no", size = "2" }, b = { number = 2, flag = "yes", size = "0" },
          c = { number = 3 } } },
        expect = { Invoice = {
          { number = 1, isDone = false, sizeNumber = 2 },
          { number = 2, isDone = true, sizeNumber = 0 },
          { number = 3, isDone = true, sizeNumber = 7 } } },
        """) == [])
  }

  @Test("a value that has no counterpart ends the run, and is not lost in silence")
  func refused() async throws {
    let scaffold = try write(Self.texts, Self.typed)
    _ = try write(Self.texts, Self.typed) { choices in
      for decision in scaffold.decisions { choices.answers[decision] = decision.answers.first }
    }
    let amounts = [#"amount = "much""#, #"amount = "1.375""#]
    for value in amounts + [#"flag = "perhaps""#, #"when = "soon""#] {
      let failures = try await failures(
        "store = { Invoice = { a = { \(value) } } }, expect = { Invoice = { {} } },")
      #expect(failures.contains { $0.contains("The value cannot be converted") }, "\(failures)")
    }
  }

  @Test("what a pipeline file has a word for is a rule")
  func ruled() async throws {
    let models = (
      Self.invoice(("sizeText", "String"), ("weight", "Integer 16")),
      Self.invoice(("size", "Integer 32"), ("grams", "Double"))
    )
    let scaffold = try write(models.0, models.1)
    let texts = scaffold.decisions.map { $0.answers.map(\.text) }
    #expect(
      texts.first?.first
        == #"map { entity = "Invoice", attributes = { size = convert("sizeText", "Integer 32") } }"#
    )
    #expect(scaffold.decisions.first?.answers.first?.note.hasPrefix("a similar name") == true)
    #expect(
      texts.last?.contains(
        #"map { entity = "Invoice", attributes = { grams = convert("weight", "Double") } }"#)
        == true)
    for decision in scaffold.decisions {
      for answer in decision.answers {
        let chosen = try write(models.0, models.1) { $0.answers[decision] = answer }
        #expect(!chosen.decisions.contains(decision))
        try await expectNoFaults(chosen)
      }
    }
  }

  @Test("where all objects must have the new value, one answer settles both")
  func mandatoryConversion() async throws {
    let models = (
      Self.invoice(("when", "String"), ("amount", "Double!")),
      Self.invoice(("date", "Date!"), ("cents", "Integer 64!"))
    )
    let scaffold = try write(models.0, models.1)
    #expect(
      Set(scaffold.decisions.map(\.name))
        == ["Invoice.when", "Invoice.amount", "Invoice.date", "Invoice.cents"])
    try await expectNoFaults(scaffold)
    let functions = ["date = function(when)", "cents = function(amount)"]
    let answers = scaffold.decisions.flatMap { decision in
      decision.answers.filter { answer in functions.contains { answer.text.hasPrefix($0) } }
        .map { (decision, $0) }
    }
    #expect(answers.count == 4)
    let chosen = try write(models.0, models.1) { choices in
      for (decision, answer) in answers
      where ["Invoice.when", "Invoice.cents"].contains(decision.name) {
        choices.answers[decision] = answer
      }
    }
    #expect(chosen.decisions.map(\.name) == [])
    try await expectNoFaults(chosen)
  }

  @Test("the store says which conversion its values allow")
  func sampled() throws {
    let versions = try [("1", Self.texts), ("2", Self.typed)].map {
      try ModelText.model($1, name: $0)
    }
    let path = TemporaryFolder.url.appending(path: "App.sqlite").path
    try SampleStore.make(
      of: versions[0], at: path,
      adding: """
        INSERT INTO ZINVOICE (Z_PK, Z_ENT, Z_OPT, ZAMOUNT, ZFLAG, ZWHEN) VALUES
          (1, 1, 1, '12', 'on', '1700000000'), (2, 1, 1, '7', 'off', '1700000001');
        UPDATE Z_PRIMARYKEY SET Z_MAX = 2;
        """)
    var choices = PipelineScaffold.Choices(models: ["M.xcdatamodeld"], versions: versions)
    choices.samples = try .init([(store: try Store(path), version: versions[0])])
    let answers = Dictionary(
      uniqueKeysWithValues: PipelineScaffold(choices).decisions.map { ($0.name, $0.answers) })
    let amount = try #require(answers["Invoice.amount"])
    #expect(amount.count == 2, "\(amount)")
    #expect(amount[0].text.contains(#"cents = convert("amount", "Integer 64")"#))
    #expect(amount[0].note.contains("2 of 2 values in the store can be converted"))
    let flag = try #require(answers["Invoice.flag"])
    #expect(flag.count == 2 && flag[0].text.contains("off = 0, on = 1"), "\(flag)")
    let when = try #require(answers["Invoice.when"])
    #expect(when[0].text.contains("date.fromUnix(tonumber(when)"), "\(when)")
  }

  @Test("hundredths are offered where the store has no number that is finer")
  func hundredths() throws {
    func price(_ type: String, _ values: String...) throws -> StepNeeds.Answer? {
      let folder = TemporaryFolder.url.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let versions = [
        try ModelText.model(Self.invoice(("price", type)), name: "1"),
        try ModelText.model(Self.invoice(("priceCents", "Integer 32")), name: "2"),
      ]
      let path = folder.appending(path: "App.sqlite").path
      let rows = values.enumerated().map { "(\($0 + 1), 1, 1, \($1))" }.joined(separator: ", ")
      try SampleStore.make(
        of: versions[0], at: path,
        adding: "INSERT INTO ZINVOICE (Z_PK, Z_ENT, Z_OPT, ZPRICE) VALUES \(rows);")
      var choices = PipelineScaffold.Choices(models: ["M.xcdatamodeld"], versions: versions)
      choices.samples = try .init([(store: try Store(path), version: versions[0])])
      let answers = PipelineScaffold(choices).decisions.flatMap(\.answers)
      return answers.first { $0.text.contains("* 100") }
    }
    #expect(
      try price("Double", "12.5", "3", "123456789.01")?.note.contains(
        "3 of 3 values in the store can be converted; in hundredths") == true)
    #expect(try price("Float", "12.5", "19.989999771118164") != nil)
    #expect(
      try price("String", "'12.50'", "'n/a'")?.note.contains("1 of 2 values") == true)
    #expect(try price("Double", "12.5", "1.375") == nil)
    #expect(try price("String", "'12.50'", "'1.375'") == nil)
  }

  @Test("a function in hundredths takes what binary digits make of a number")
  func binaryHundredths() async throws {
    let models = (
      Self.invoice(("price", "Double"), ("tip", "Float"), ("number", "Integer 32")),
      Self.invoice(
        ("priceCents", "Integer 64"), ("tipCents", "Integer 64"), ("number", "Integer 32"))
    )
    let scaffold = try write(models.0, models.1)
    _ = try write(models.0, models.1) { choices in
      for decision in scaffold.decisions { choices.answers[decision] = decision.answers.first }
    }
    #expect(
      try await failures(
        """
        store = { Invoice = {
          a = { number = 1, price = 123456789.01, tip = 19.99 },
          b = { number = 2, price = 0.1 + 0.2, tip = -0.07 } } },
        expect = { Invoice = {
          { number = 1, priceCents = 12345678901, tipCents = 1999 },
          { number = 2, priceCents = 30, tipCents = -7 } } },
        """) == [])
    for value in ["price = 0.005", "tip = 1.375"] {
      let failures = try await failures(
        "store = { Invoice = { a = { \(value) } } }, expect = { Invoice = { {} } },")
      #expect(failures.contains { $0.contains("The value cannot be converted") }, "\(failures)")
    }
  }

  @Test("texts are no identifiers unless their name or the store says so")
  func identifiers() throws {
    func answers(_ old: String) throws -> [String] {
      try write(Self.invoice((old, "String")), Self.invoice(("code", "UUID")))
        .decisions.flatMap(\.answers).map(\.text)
    }
    #expect(try answers("city") == [#"drop { "Invoice.city" }"#])
    #expect(try answers("codeText").first?.contains(#"convert("codeText", "UUID")"#) == true)
  }

  @Test("what another attribute may become by its name is not offered to the others")
  func claimed() throws {
    let scaffold = try write(
      Self.invoice(("price", "Double"), ("rating", "String")),
      Self.invoice(("priceCents", "Integer 64"), ("stars", "Integer 16"), ("at", "Date")))
    let rating = try #require(scaffold.decisions.first { $0.name == "Invoice.rating" })
    #expect(
      rating.answers.map(\.text) == [
        #"map { entity = "Invoice", attributes = { stars = convert("rating", "Integer 16") } }"#,
        #"drop { "Invoice.rating" }"#,
      ])
    let price = try #require(scaffold.decisions.first { $0.name == "Invoice.price" })
    #expect(price.answers.first?.text.hasPrefix("priceCents = function(price)") == true)
    #expect(price.answers.count == 3, "\(price.answers)")
  }

  @Test("a text with the name of a new entity is offered an object of it")
  func entityName() throws {
    func bottle(_ more: String) -> String {
      Self.entity("Bottle", Self.attribute("label", "String") + more)
    }
    let text = { Self.attribute($0, "String", Self.optional) }
    let many = "optional=\"YES\" toMany=\"YES\""
    let scaffold = try write(
      bottle(text("region") + text("taste")),
      bottle(Self.link("origin", "Region", "bottles", "maxCount=\"1\" optional=\"YES\""))
        + Self.entity(
          "Region",
          Self.attribute("name", "String") + Self.link("bottles", "Bottle", "origin", many)))
    let answers = scaffold.decisions.first { $0.name == "Bottle.region" }?.answers
    #expect(answers?.first?.text == "new.Region with name from region")
    let taste = scaffold.decisions.first { $0.name == "Bottle.taste" }
    #expect(taste?.answers.map(\.text) == [#"drop { "Bottle.taste" }"#])
  }

  @Test("a text that is moved has a form that later steps can convert")
  func movedText() async throws {
    func customer(_ type: String) -> String {
      Self.entity(
        "Customer",
        Self.attribute("mail", type, Self.optional)
          + Self.link("bills", "Invoice", "customer", "optional=\"YES\" toMany=\"YES\""))
    }
    let link = Self.link("customer", "Customer", "bills", "maxCount=\"1\" optional=\"YES\"")
    let versions = try [
      Self.entity("Invoice", Self.attribute("mail", "String", Self.optional)),
      Self.entity("Invoice", link) + customer("String"),
      Self.entity("Invoice", link) + customer("URI"),
    ].enumerated().map { try ModelText.model($1, name: "M \($0 + 1)") }
    let choices = PipelineScaffold.Choices(models: ["M.xcdatamodeld"], versions: versions)
    let tests = try #require(PipelineScaffold(choices).files.last?.text)
    #expect(tests.contains(#"Invoice = { one = { mail = "https://example.com" } }"#))
  }

  @Test("a text that became a truth value or a date under its own name is converted, too")
  func sameName() async throws {
    let models = (
      Self.invoice(("done", "String"), ("day", "String")),
      Self.invoice(("done", "Boolean"), ("day", "Date"))
    )
    let scaffold = try write(models.0, models.1)
    let chosen = try write(models.0, models.1) { choices in
      for decision in scaffold.decisions { choices.answers[decision] = decision.answers.first }
    }
    try await expectNoFaults(chosen)
    #expect(
      try await failures(
        """
        store = { Invoice = { a = { done = "true", day = "2001-01-02" } } },
        expect = { Invoice = { { done = true, day = 86400 } } },
        """) == [])
  }

  private static func link(
    _ name: String, _ to: String, _ inverse: String, _ more: String = "maxCount=\"1\""
  ) -> String {
    "<relationship name=\"\(name)\" \(more) destinationEntity=\"\(to)\" "
      + "inverseName=\"\(inverse)\" inverseEntity=\"\(to)\"/>"
  }

  @Test("a new object has its own mandatory values and links, and those of what it leads to")
  func nested() async throws {
    let before = Self.entity("Note", Self.attribute("title", "String"))
    let many = "optional=\"YES\" toMany=\"YES\""
    let after =
      Self.entity(
        "Note", Self.attribute("title", "String") + Self.link("folder", "Folder", "notes"))
      + Self.entity(
        "Folder",
        Self.attribute("name", "String") + Self.link("notes", "Note", "folder", many)
          + Self.link("owner", "Person", "folders"))
      + Self.entity(
        "Person",
        Self.attribute("mail", "String") + Self.link("folders", "Folder", "owner", many)
          + Self.link("keys", "Key", "person", "toMany=\"YES\" minCount=\"1\""))
      + Self.entity("Key", Self.attribute("code", "UUID") + Self.link("person", "Person", "keys"))
    let scaffold = try write(before, after)
    #expect(scaffold.decisions.map(\.name) == ["Note.folder"])
    try await expectNoFaults(scaffold)
    let chosen = try write(before, after) { choices in
      for decision in scaffold.decisions { choices.answers[decision] = decision.answers.first }
    }
    #expect(chosen.decisions.map(\.name) == [])
    #expect(text(chosen, "note.lua").contains(#"creates = { "Note", "Folder", "Person", "Key" }"#))
    try await expectNoFaults(chosen)
    #expect(
      try await failures(
        """
        store = { Note = { a = { title = "a" } } },
        expect = { Note = { { title = "a" } }, Folder = { {} }, Person = { {} }, Key = { {} } },
        """) == [])
  }

  @Test("what a new object must have and nothing is known of is to be written, and listed")
  func unwritten() async throws {
    let before = Self.entity("Note", Self.attribute("title", "String"))
    let after =
      Self.entity(
        "Note", Self.attribute("title", "String") + Self.link("folder", "Folder", "notes"))
      + Self.entity(
        "Folder",
        Self.attribute("code", "String", "regularExpressionString=\"[A-Z]{3}-x\"")
          + Self.link("notes", "Note", "folder", "optional=\"YES\" toMany=\"YES\"")
          + Self.link("first", "Note", "heads")
      )
    let other = after.replacing(
      Self.link("folder", "Folder", "notes"),
      with: Self.link("folder", "Folder", "notes")
        + Self.link("heads", "Folder", "first", "optional=\"YES\" toMany=\"YES\""))
    let scaffold = try write(before, other)
    #expect(scaffold.decisions.map(\.name) == ["Note.folder", "Folder.code", "Folder.first"])
    try await expectNoFaults(scaffold)
    let folder = try #require(scaffold.decisions.first)
    let chosen = try write(before, other) { $0.answers[folder] = folder.answers.first }
    #expect(chosen.decisions.map(\.name) == ["Folder.code", "Folder.first"])
    let script = text(chosen, "note.lua").replacing(/\s+/, with: " ")
    #expect(script.contains(#"code = error("write Folder.code")"#))
    #expect(script.contains(#"first = error("write Folder.first")"#))
    try await expectNoFaults(chosen)
  }

  @Test("entities that all need each other make no script without an end")
  func tangled() throws {
    let many = "optional=\"YES\" toMany=\"YES\""
    let before = Self.entity("Trip", Self.attribute("title", "String"))
    let ways = ["from", "to"]
    let trip = Self.entity(
      "Trip",
      Self.attribute("title", "String") + ways.map { Self.link($0, "City0", $0) }.joined())
    let cities = (0..<5).map { city in
      let others = (0..<5).filter { $0 != city }.map { other in
        Self.link("to\(other)", "City\(other)", "back\(city)")
          + Self.link("back\(other)", "City\(other)", "to\(city)", many)
      }
      let trips = city == 0 ? ways.map { Self.link($0, "Trip", $0, many) } : []
      return Self.entity("City\(city)", (others + trips).joined())
    }
    let after = trip + cities.joined()
    let scaffold = try write(before, after)
    let chosen = try write(before, after) { choices in
      for decision in scaffold.decisions { choices.answers[decision] = decision.answers.first }
    }
    // One of each entity for each of the two links.
    #expect(text(chosen, "trip.lua").matches(of: /new\.City/).count == 10)
    #expect(chosen.decisions.count == 16 && chosen.decisions.allSatisfy { $0.why.contains("City") })
  }

  @Test("a second link of a new object to an entity is to be written, and listed")
  func twice() async throws {
    let before = Self.entity("Note", Self.attribute("title", "String"))
    let many = "optional=\"YES\" toMany=\"YES\""
    let after =
      Self.entity("Note", Self.attribute("title", "String") + Self.link("trip", "Trip", "notes"))
      + Self.entity(
        "Trip",
        Self.link("notes", "Note", "trip", many) + Self.link("from", "City", "starts")
          + Self.link("to", "City", "ends"))
      + Self.entity(
        "City", Self.link("starts", "Trip", "from", many) + Self.link("ends", "Trip", "to", many))
    let scaffold = try write(before, after)
    #expect(scaffold.decisions.map(\.name) == ["Note.trip", "Trip.to"])
    let chosen = try write(before, after) { choices in
      choices.answers[scaffold.decisions[0]] = scaffold.decisions[0].answers.first
    }
    #expect(text(chosen, "note.lua").contains(#"to = error("write Trip.to")"#))
    try await expectNoFaults(chosen)
  }

  @Test("a new entity with most of the properties of one that is gone is offered as its new name")
  func likeEntities() async throws {
    let many = "optional=\"YES\" toMany=\"YES\""
    func model(_ photo: String, _ more: String, _ album: String) -> String {
      Self.entity(
        photo,
        Self.attribute("data", "Binary", Self.optional) + Self.attribute("taken", "Date")
          + more + Self.link("album", "Album", album, "maxCount=\"1\" optional=\"YES\""))
        + Self.entity("Album", Self.link(album, photo, "album", many))
    }
    let before = model("Photo", Self.attribute("caption", "String", Self.optional), "photos")
    let after = model(
      "Image",
      ["title", "camera", "place", "mood", "weather"].map {
        Self.attribute($0, "String", Self.optional)
      }.joined(), "images")
    let scaffold = try write(before, after)
    let answers = scaffold.decisions.first { $0.name == "Photo" }?.answers
    #expect(
      answers?.map(\.text) == [#"rename { entity = "Photo", to = "Image" }"#, #"drop { "Photo" }"#])
    #expect(answers?.first?.note == "3 of 4 properties have the same name")
  }
}
