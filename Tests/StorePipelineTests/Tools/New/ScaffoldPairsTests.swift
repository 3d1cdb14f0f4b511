import CoreDataStore
import Foundation
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

/// Which of several likely answers `new` offers first.
extension PipelineScaffoldTests {
  private static func item(_ names: [String], _ type: String, _ more: String) -> String {
    entity("Item", names.map { attribute($0, type, more) }.joined())
  }

  @Test(
    "values are offered first the new attribute whose name has most words in common with theirs",
    arguments: [
      ["w": "width", "h": "height"],
      ["widthText": "width", "heightText": "height"],
      ["minTemp": "temperatureMin", "maxTemp": "temperatureMax"],
      ["priceNet": "netPrice", "priceGross": "grossPrice"],
      ["homeScore": "scoreHome", "awayScore": "scoreAway"],
      ["startText": "startDate", "endText": "endDate"],
      ["latString": "latitude", "lonString": "longitude"],
      ["x": "positionX", "y": "positionY"],
      ["birth_text": "birthDate", "death_text": "deathDate"],
      ["totalText": "total", "subtotalText": "subtotal"],
      ["name": "displayName", "nickname": "displayNickname"],
    ])
  func partners(names: [String: String]) throws {
    for (before, after) in [
      ("String", "Integer 32"), ("String", "Decimal"), ("String", "Date"), ("Double", "Double"),
      ("Integer 16", "Double"),
    ] {
      for more in ["optional=\"YES\"", ""] {
        let scaffold = try write(
          Self.item(names.keys.sorted(), before, more),
          Self.item(names.values.sorted(), after, more))
        for (old, new) in names {
          let decisions = scaffold.decisions.filter {
            ["Item.\(old)", "Item.\(new)"].contains($0.name)
          }
          #expect(!decisions.isEmpty)
          for decision in decisions {
            let text = try #require(decision.answers.first).text
            let ways = [
              "\(old) = \"\(new)\"", "\(new) = convert(\"\(old)\"", "\(new) = from(\"\(old)\")",
              "\(new) = function(\(old))",
            ]
            #expect(ways.contains { text.contains($0) }, "\(before), \(after): \(decision)")
          }
        }
      }
    }
  }

  @Test("what the name of a link says names the new object, and not what named the old one")
  func namedByLink() throws {
    let before = Self.item(["name", "class"], "String", "")
    let link =
      "<relationship name=\"schoolClass\" optional=\"YES\" maxCount=\"1\" "
      + "destinationEntity=\"SchoolClass\"/>"
    let after =
      Self.entity(
        "Item",
        Self.attribute("firstName", "String") + Self.attribute("lastName", "String") + link)
      + Self.entity("SchoolClass", Self.attribute("name", "String"))
    let decisions = try write(before, after).decisions
    #expect(
      decisions.first { $0.name == "Item.class" }?.answers.first?.text
        == "new.SchoolClass with name from class")
    #expect(
      decisions.first { $0.name == "Item.name" }?.answers.contains {
        $0.text.hasPrefix("new.SchoolClass")
      } == false)
  }

  @Test("what the object itself has a likely place for is not moved to a new object")
  func nearerPlace() throws {
    let link =
      "<relationship name=\"progress\" optional=\"YES\" maxCount=\"1\" "
      + "destinationEntity=\"Progress\"/>"
    let optional = "optional=\"YES\""
    let answers = try write(
      Self.item(["published"], "String", optional),
      Self.entity("Item", Self.attribute("publishedAt", "Date", optional) + link)
        + Self.entity("Progress", Self.attribute("showTitle", "String", optional))
    ).decisions.flatMap(\.answers)
    #expect(answers.first?.text.hasPrefix("publishedAt = function(published)") == true)
    #expect(!answers.contains { $0.text.hasPrefix("new.Progress") })
  }

  @Test("no number is offered as a text of another name")
  func numberAsText() throws {
    let optional = "optional=\"YES\""
    let answers = try write(
      Self.item(["maxPulse"], "Integer 16", optional), Self.item(["city"], "String", optional)
    ).decisions.flatMap(\.answers)
    #expect(answers.map(\.text) == ["drop { \"Item.maxPulse\" }"])
  }

  /// What is offered for texts of a store that became a date under another name.
  private func dates(_ texts: [String], named new: String = "date") throws -> [StepNeeds.Answer] {
    let versions = try [("1", "when", "String"), ("2", new, "Date")].map {
      try ModelText.model(Self.item([$1], $2, "optional=\"YES\""), name: $0)
    }
    let path = TemporaryFolder.url.appending(path: "\(UUID()).sqlite").path
    let rows = texts.enumerated().map { "(\($0 + 1), 1, 1, '\($1)')" }.joined(separator: ", ")
    try SampleStore.make(
      of: versions[0], at: path,
      adding: "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZWHEN) VALUES \(rows);"
        + "UPDATE Z_PRIMARYKEY SET Z_MAX = \(texts.count);")
    var choices = PipelineScaffold.Choices(models: ["M.xcdatamodeld"], versions: versions)
    choices.samples = try .init([(store: try Store(path), version: versions[0])])
    return PipelineScaffold(choices).decisions.flatMap(\.answers)
  }

  @Test(
    "texts that name dates are offered what reads the form that they have in the store",
    arguments: [
      (["2019-12-24", "2019-12-24 10:15"], #"date.parse(when)"#, "such as 2026-11-21"),
      (["24.12.2019", "1.2.2019"], #"date.parse(when, "d.M.yyyy")"#, "the form d.M.yyyy, in UTC"),
      (["12/24/2019", "1/2/2019"], #"date.parse(when, "M/d/yyyy")"#, "the form M/d/yyyy"),
      (["24/12/2019", "1/2/2019"], #"date.parse(when, "d/M/yyyy")"#, "the form d/M/yyyy"),
      (["24 Dec 2019"], #"date.parse(when, "d MMM yyyy")"#, "the form d MMM yyyy"),
      (["12/24/2019 1:05 PM"], #"date.parse(when, "M/d/yyyy h:mm a")"#, "M/d/yyyy h:mm a"),
      (
        ["24.12.2019", "25.12.2019", "2019-12-24"],
        #"date.parse(when, "d.M.yyyy") or date.parse(when)"#,
        "the forms are mixed: 2 of 3 as d.M.yyyy, 1 of 3 as 2026-11-21"
      ),
      (
        ["24/12/2019", "12/24/2019", "1/2/2019"],
        #"date.parse(when, "d/M/yyyy") or date.parse(when, "M/d/yyyy")"#,
        "day and month cannot be distinguished in 1 of 3"
      ),
      (
        ["24.12.2019", "soon"], #"date.parse(when, "d.M.yyyy")"#,
        "a run ends at 1 of 2, of no such form"
      ),
    ])
  func dateForms(texts: [String], reading: String, note: String) throws {
    for name in ["date", "when"] {
      let answers = try dates(texts, named: name)
      let first = try #require(answers.first { $0.text.contains("function(when)") })
      #expect(first.text.contains("return when and (\(reading) or error("), "\(first)")
      #expect(first.note.contains(note), "\(first)")
      #expect(answers.count { $0.text.contains("function(when)") } == 1)
    }
  }

  @Test("where no text tells day and month apart, both ways are offered, and that is said")
  func ambiguousDates() throws {
    for name in ["date", "when"] {
      let answers = try dates(["1/2/2019", "03/04/2019"], named: name)
        .filter { $0.text.contains("function(when)") }
      #expect(answers.count == 2)
      #expect(answers.first?.text.contains("\"d/M/yyyy\"") == true)
      #expect(answers.last?.text.contains("\"M/d/yyyy\"") == true)
      #expect(answers.last?.note.contains("of the form M/d/yyyy") == true)
      #expect(
        answers.allSatisfy { $0.note.contains("day and month cannot be distinguished in 2 of 2") })
    }
    let mixed = try dates(["1/2/2019", "2019-12-24"]).filter { $0.text.contains("function(when)") }
    #expect(mixed.map { $0.text.contains("date.parse(when, \"M/d/yyyy\")") } == [false, true])
    #expect(mixed.allSatisfy { $0.note.contains("cannot be distinguished in 1 of 2") })
  }

  @Test("the answer for a form of dates is run by the tests that are written")
  func dateFormIsTested() async throws {
    let choose = { (choices: inout PipelineScaffold.Choices) in
      let store = TemporaryFolder.url.appending(path: "\(UUID()).sqlite").path
      try SampleStore.make(
        of: choices.versions[0], at: store,
        adding: """
          INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZWHEN) VALUES (1, 1, 1, '24 Dec 2019 10:15');
          UPDATE Z_PRIMARYKEY SET Z_MAX = 1;
          """)
      choices.samples = try .init([(store: try Store(store), version: choices.versions[0])])
    }
    let models = (
      Self.item(["when"], "String", "optional=\"YES\""),
      Self.item(["date"], "Date", "optional=\"YES\"")
    )
    var answers: [StepNeeds.Decision: StepNeeds.Answer] = [:]
    for decision in try write(models.0, models.1, nil, { try? choose(&$0) }).decisions {
      answers[decision] = decision.answers.first
    }
    let chosen = try write(models.0, models.1) { choices in
      try? choose(&choices)
      choices.answers = answers
    }
    #expect(text(chosen, "item.lua").contains("\"d MMM yyyy H:mm\""))
    #expect(try await faults(chosen) == [])
  }
}
