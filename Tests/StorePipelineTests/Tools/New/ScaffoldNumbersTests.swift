import CoreDataStore
import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

/// What `new` offers for numbers: in another unit, in place of words, and too large.
extension PipelineScaffoldTests {
  private static let optional = "optional=\"YES\""

  private static func item(_ name: String, _ type: String, _ more: String = optional) -> String {
    entity("Item", attribute(name, type, more))
  }

  /// The files with the first answer to each decision.
  private func chosen(_ before: String, _ after: String) throws -> PipelineScaffold {
    let scaffold = try write(before, after)
    return try write(before, after) { choices in
      for decision in scaffold.decisions { choices.answers[decision] = decision.answers.first }
    }
  }

  /// What a migration through the pipeline has to say.
  private func failures(_ migration: String) async throws -> [String] {
    let own = TemporaryFolder.url.appending(path: "own_test.lua")
    try Data("migration \"own\" { pipeline = \"m_2.pipeline\", \(migration) }".utf8).write(to: own)
    return try await ScriptTests([own.path]).run().results.flatMap(\.failure)
  }

  @Test(
    "a number whose name says another unit is offered what converts it, and other answers warn",
    arguments: [
      ("tempF", "tempC", "(tempF - 32) * 5 / 9"),
      ("temp_c", "temperatureKelvin", "temp_c + 273.15"),
      ("fahrenheit", "celsius", "(fahrenheit - 32) * 5 / 9"),
      ("distanceMiles", "distanceKm", "distanceMiles * 1.609344"),
      ("distanceKm", "distanceMiles", "distanceKm / 1.609344"),
      ("weightKG", "weightLbs", "weightKG / 0.45359237"),
      ("heightInInches", "heightCm", "heightInInches * 2.54"),
      ("durationMinutes", "durationSeconds", "durationMinutes * 60"),
      ("priceCents", "priceDollars", "priceCents / 100"),
      ("heightIn", "heightCm", "heightIn * 2.54"),
      ("lapMin", "lapSeconds", "lapMin * 60"),
    ])
  func units(old: String, new: String, formula: String) async throws {
    for (more, end) in [(Self.optional, ""), ("", " or 0.0")] {
      let (before, after) = (Self.item(old, "Double", more), Self.item(new, "Double", more))
      let decision = try write(before, after).decisions.first { $0.name == "Item.\(old)" }
      let answers = try #require(decision?.answers)
      let function = "\(new) = function(\(old)) return \(old) and \(formula)\(end) end"
      #expect(answers.first?.text == function)
      let rules = answers.filter { $0.kind == .rule && !$0.text.hasPrefix("drop {") }
      let warning = "the numbers stay as they are"
      #expect(!rules.isEmpty && rules.allSatisfy { $0.note.contains(warning) }, "\(rules)")
      let chosen = try chosen(before, after)
      #expect(chosen.decisions == [])
      #expect(try await faults(chosen) == [])
    }
  }

  @Test("names that only look like units are no other units")
  func noUnits() throws {
    for (old, new) in [
      ("columnC", "columnF"), ("alarmHour", "alarmMinute"), ("startHours", "endMinutes"),
      ("sizeS", "sizeM"), ("distanceKm", "distanceKilometers"), ("isIn", "isMin"),
      ("pricePerKg", "pricePerLb"), ("areaSqFeet", "areaSqMeters"), ("templateF", "templateC"),
      ("volumeCubicCm", "volumeCubicMm"), ("lengthFeetInches", "lengthCm"),
      ("minTempF", "maxTempC"), ("scoreMin", "scoreSecs"), ("loggedIn", "loggedMm"),
      ("checkIn", "checkMeters"), ("lengthM", "lengthIn"),
    ] {
      let answers = try write(Self.item(old, "Double"), Self.item(new, "Double"))
        .decisions.flatMap(\.answers)
      #expect(!answers.contains { $0.kind == .script || $0.note.contains("the names say") })
    }
  }

  @Test("money of two countries has no fixed rate: a warning is all there is")
  func currencies() throws {
    let answers = try write(Self.item("priceUSD", "Double"), Self.item("priceEUR", "Double"))
      .decisions.flatMap(\.answers)
    #expect(!answers.contains { $0.kind == .script })
    #expect(
      answers.first?.note.hasSuffix(
        "but the names say dollars and euros: the numbers stay as they are") == true)
  }

  @Test("whole numbers in another unit are rounded, and one that is too large ends the run")
  func wholeUnits() async throws {
    func body(_ names: (String, String), _ types: (String, String)) -> String {
      Self.entity(
        "Item",
        Self.attribute(names.0, types.0, Self.optional)
          + Self.attribute(names.1, types.1, Self.optional))
    }
    let chosen = try chosen(
      body(("heightInches", "durationMinutes"), ("Integer 16", "Integer 64")),
      body(("heightCm", "durationSeconds"), ("Integer 16", "Integer 32")))
    #expect(chosen.decisions == [])
    #expect(try await faults(chosen) == [])
    #expect(
      try await failures(
        """
        store = { Item = { a = { heightInches = 70, durationMinutes = 3 }, b = {} } },
        expect = { Item = {
          { heightCm = 178, durationSeconds = 180 },
          { heightCm = null, durationSeconds = null } } },
        """) == [])
    let refused = try await failures(
      "store = { Item = { a = { durationMinutes = math.maxinteger } } }, "
        + "expect = { Item = { {} } },")
    #expect(refused.contains { $0.contains("The value cannot be converted") }, "\(refused)")
  }

  /// What `new` is given of two versions, and of a store that has these texts in a column.
  private func given(
    _ before: String, _ after: String, column: String, _ texts: [String]
  ) throws -> PipelineScaffold.Choices {
    let versions = try [("M", before), ("M 2", after)].map {
      try ModelText.model($1, name: $0)
    }
    let path = TemporaryFolder.url.appending(path: "\(UUID()).sqlite").path
    let rows = texts.enumerated().map { "(\($0 + 1), 1, 1, '\($1)')" }.joined(separator: ", ")
    try SampleStore.make(
      of: versions[0], at: path,
      adding: "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, \(column)) VALUES \(rows);"
        + "UPDATE Z_PRIMARYKEY SET Z_MAX = \(texts.count);")
    var choices = PipelineScaffold.Choices(models: ["M.xcdatamodeld"], versions: versions)
    choices.samples = try .init([(store: try Store(path), version: versions[0])])
    return choices
  }

  /// What is offered for an attribute that has these texts in a store.
  private func decision(
    _ before: String, _ after: String, column: String, _ texts: String...
  ) throws -> StepNeeds.Decision {
    let choices = try given(before, after, column: column, texts)
    return try #require(PipelineScaffold(choices).decisions.first)
  }

  @Test(
    "a text that becomes another type keeps its value, and one that does not fit ends the run",
    arguments: [
      ("Decimal", "?", "tonumber(size) and size or error("),
      ("Decimal", "1,250", "tonumber(size) and size or error("),
      ("Decimal", "12,50", #"local number = size:gsub("^([+-]?%d+),"#),
      ("Double", "12,50", #"tonumber((size:gsub("^([+-]?%d+),"#),
      ("UUID", "?", "size:match("), ("URI", "", "size:match("),
    ])
  func keptTexts(type: String, text: String, code: String) throws {
    let decision = try decision(
      Self.item("size", "String"), Self.item("size", type), column: "ZSIZE", text, "3")
    #expect(decision.name == "Item.size")
    #expect(decision.answers.first?.text.contains(code) == true, "\(decision)")
    #expect(!decision.answers.contains { $0.text.hasSuffix("return nil end") }, "\(decision)")
  }

  @Test("a number with a decimal comma is one, and one that may have thousands ends the run")
  func commas() async throws {
    let (before, after) = (Self.item("price", "String"), Self.item("price", "Decimal"))
    _ = try write(before, after)
    var choices = try given(before, after, column: "ZPRICE", ["12,50", "3"])
    let decision = try #require(PipelineScaffold(choices).decisions.first)
    choices.answers[decision] = decision.answers.first
    let chosen = try write(PipelineScaffold(choices))
    #expect(try await faults(chosen) == [])
    #expect(
      try await failures(
        """
        store = { Item = { a = { price = "12,50" }, b = { price = "3" }, c = {} } },
        expect = { Item = { { price = "12.5" }, { price = "3" }, { price = null } } },
        """) == [])
    let refused = try await failures(
      "store = { Item = { a = { price = \"1,250\" } } }, expect = { Item = { {} } },")
    #expect(refused.contains { $0.contains("The value cannot be converted") }, "\(refused)")
  }

  @Test(
    "of words that become numbers, the old default gets the new default's number, or the first",
    arguments: [
      ("open", "", "{ open = 0, closed = 1 }"),
      ("open", "defaultValueString=\"2\"", "{ closed = 0, open = 2 }"),
      ("open", "minValueString=\"1\"", "{ open = 1, closed = 2 }"),
      ("fresh", "defaultValueString=\"0\"", "{ fresh = 0, closed = 1, open = 2 }"),
    ])
  func words(usual: String, new: String, table: String) throws {
    let decision = try decision(
      Self.item("state", "String", "\(Self.optional) defaultValueString=\"\(usual)\""),
      Self.item("state", "Integer 16", "\(Self.optional) \(new)"), column: "ZSTATE",
      "open", "closed", "open", "closed")
    #expect(decision.answers.first?.text.contains("(\(table))[state]") == true, "\(decision)")
  }

  @Test("a unit in the name counts more than values that look like prices")
  func unitsFirst() throws {
    let decision = try decision(
      Self.item("weightKg", "Double"), Self.item("weightG", "Integer 32"), column: "ZWEIGHTKG",
      "2.5", "0.75")
    let first = try #require(decision.answers.first)
    #expect(first.text.contains("weightKg * 1000 + 0.5"))
    #expect(!first.note.contains("in the store"), "\(first)")
    #expect(!decision.answers.contains { $0.note.contains("hundredths") }, "\(decision)")
  }

  @Test("an answer says how many values of the store it does not fit, and not which")
  func misfits() throws {
    let decision = try decision(
      Self.item("sizeText", "String"), Self.item("size", "Integer 32"), column: "ZSIZETEXT",
      "S", "XXL", "12345")
    let convert = decision.answers.first { $0.kind == .rule && $0.text.contains("convert") }
    #expect(convert?.note.contains("a run ends at 2 of 3 values in the store") == true)
    #expect(convert?.note.contains("XXL") == false)
  }

  @Test("numbers that another type cannot hold pass the tests that are written")
  func largeNumbers() async throws {
    for (old, new) in [("Double", "Float"), ("Float", "Double"), ("Double", "Integer 16")] {
      let chosen = try chosen(
        Self.item("price", old), Self.item("priceCents", new, ""))
      #expect(chosen.decisions == [])
      #expect(try await faults(chosen) == [], "\(old), \(new)")
    }
  }

  @Test("a name with the letters of cent is not one of hundredths")
  func percent() throws {
    let answers = try write(Self.item("share", "Double"), Self.item("sharePercent", "Integer 16"))
      .decisions.flatMap(\.answers)
    #expect(!answers.isEmpty && !answers.contains { $0.text.contains("* 100") })
  }

  @Test("of several functions for an attribute, no test expects what another one gives back")
  func severalFunctions() throws {
    let scaffold = try write(Self.item("due", "Double"), Self.item("dueDate", "Date", ""))
    let functions = text(scaffold, "item.lua").matches(of: /dueDate = function/)
    #expect(functions.count == 2)
    #expect(scaffold.files.last?.text.contains("dueDate = ") == false)
  }
}
