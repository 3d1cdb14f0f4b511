import CoreDataStore
import Foundation
import StoreTestSupport
import Testing

/// The table of the page "What Core Data infers", each row of it with models.
@Suite("The page of what Core Data infers")
struct InferencePageTests {
  /// A change of a model.
  private struct Change {
    let before: String
    let after: String

    /// A change of the entity `A` in a model that also has `B`.
    init(_ before: String, _ after: String) {
      let other = "<entity name=\"B\"/><entity name=\"C\"/>"
      self.init(
        models: "<entity name=\"A\">\(before)</entity>\(other)",
        "<entity name=\"A\">\(after)</entity>\(other)")
    }

    init(models before: String, _ after: String) {
      (self.before, self.after) = (before, after)
    }
  }

  private struct Row: CustomTestStringConvertible {
    let change: String
    let answer: String
    let result: String

    var testDescription: String { change }
  }

  private static func x(_ settings: String, _ inside: String = "") -> String {
    "<attribute name=\"x\" \(settings)>\(inside)</attribute>"
  }

  private static func r(_ settings: String, to destination: String = "B") -> String {
    "<relationship name=\"r\" \(settings) destinationEntity=\"\(destination)\"/>"
  }

  private static func pair(_ first: String, _ second: String, name: String = "r") -> String {
    """
    <entity name="A"><relationship name="\(name)" optional="YES" \(first) destinationEntity="B"
      inverseName="s" inverseEntity="B"/></entity>
    <entity name="B"><relationship name="s" optional="YES" \(second) destinationEntity="A"
      inverseName="\(name)" inverseEntity="A"/></entity>
    """
  }

  private static let number = "attributeType=\"Integer 16\""
  private static let text = "attributeType=\"String\""
  private static let data = "optional=\"YES\" attributeType=\"Binary\""
  private static let external = data + " allowsExternalBinaryDataStorage=\"YES\""
  private static let optional = "optional=\"YES\" "
  private static let preset = " defaultValueString=\"1\""
  private static let one = "maxCount=\"1\""
  private static let allowed =
    "<userInfo><entry key=\"NSMigrationAllowTypeTransformation\" value=\"1\"/></userInfo>"

  private static let part =
    "<composite name=\"C\"><attribute name=\"city\" \(optional)\(text)/></composite>"

  private static func place(_ name: String) -> String {
    "<attribute name=\"\(name)\" attributeType=\"Composite\" composite=\"C\"/>"
  }

  private static func whole(_ inside: String) -> String {
    "<entity name=\"A\">\(inside)</entity>"
  }

  private static let attributes: [String: Change] = [
    "A new attribute, optional": Change("", x(optional + number)),
    "A new mandatory attribute with a default": Change("", x(number + preset)),
    "A new mandatory attribute without a default": Change("", x(number)),
    "An optional attribute becomes mandatory and has a default":
      Change(x(optional + number), x(number + preset)),
    "An optional attribute becomes mandatory without a default":
      Change(x(optional + number), x(number)),
    "A mandatory attribute becomes optional": Change(x(number), x(optional + number)),
    "A number or Boolean becomes one of another type":
      Change(x(number), x("attributeType=\"Boolean\"")),
    "An attribute gets any other type": Change(x(text), x(number)),
    "Data may go into files from now on": Change(x(data), x(external)),
    "Data in files comes into the store": Change(x(external), x(data)),
    "Data becomes Transformable, allowed by user info":
      Change(x(data), x("optional=\"YES\" attributeType=\"Transformable\"", allowed)),
    "Another type, allowed by user info": Change(x(number), x(text, allowed)),
    "An attribute becomes a relationship of its name":
      Change(x(number), r(optional).replacing("\"r\"", with: "\"x\"")),
    "A derived attribute becomes one that is stored":
      Change(
        x(optional + text + " derived=\"YES\" derivationExpression=\"y\""), x(optional + text)),
    "A new composite attribute": Change(models: part + whole(""), part + whole(place("p"))),
    "A composite attribute with a renaming identifier":
      Change(models: part + whole(place("p")), part + whole(place("q\" elementID=\"p"))),
    "A property with a renaming identifier":
      Change(x(number), "<attribute name=\"y\" \(number) elementID=\"x\"/>"),
    "Two properties of the source with one identifier":
      Change(x(number) + "<attribute name=\"y\" \(text) elementID=\"x\"/>", x(number + preset)),
  ]

  private static let relationships: [String: Change] = [
    "A new relationship to one, optional": Change("", r(optional + one)),
    "A new mandatory relationship to one": Change("", r(one)),
    "A new mandatory relationship to many": Change("", r("")),
    "A new mandatory relationship to at least one": Change("", r("minCount=\"1\"")),
    "To one becomes to many": Change(models: pair(one, one), pair("", one)),
    "To many becomes to one": Change(r(optional), r(optional + one)),
    "To many becomes to one of another name":
      Change(models: pair("", one), pair(one, one, name: "t")),
    "A relationship becomes ordered": Change(models: pair("", one), pair("ordered=\"YES\"", one)),
    "One to many becomes many to many": Change(models: pair("", one), pair("", "")),
    "A relationship leads to another entity": Change(r(optional), r(optional, to: "C")),
    "A new inverse to one of what led to one and leads to many":
      Change(
        models: "<entity name=\"A\">\(r(optional + one))</entity><entity name=\"B\"/>",
        pair("", one)),
  ]

  private static let entities: [String: Change] = [
    "Two entities with one identifier":
      Change(
        models: "<entity name=\"A\"/>",
        "<entity name=\"A\"/><entity name=\"B\" elementID=\"A\"/>"),
    "A new parent of one entity":
      Change(
        models: "<entity name=\"A\"/>",
        "<entity name=\"P\"/><entity name=\"A\" parentEntity=\"P\"/>"),
    "A new parent of two entities":
      Change(
        models: "<entity name=\"A\"/><entity name=\"B\"/>",
        "<entity name=\"P\"/><entity name=\"A\" parentEntity=\"P\"/>"
          + "<entity name=\"B\" parentEntity=\"P\"/>"),
  ]

  private static let changes = attributes.merging(relationships) { first, _ in first }
    .merging(entities) { first, _ in first }

  /// The rows of the page's table.
  private static var rows: [Row] {
    get throws {
      let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
      let page = root.appending(
        path: "Sources/StorePipeline/StorePipeline.docc/WhatCoreDataInfers.md")
      return try String(contentsOf: page, encoding: .utf8).split(separator: "\n").compactMap {
        line in
        let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        guard cells.count == 3, ["inferred", "looked at", "refused"].contains(cells[1]) else {
          return nil
        }
        return Row(change: cells[0], answer: cells[1], result: cells[2])
      }
    }
  }

  @Test("every row is what the comparison of two models says")
  func table() throws {
    let rows = try Self.rows
    #expect(Set(rows.map(\.change)) == Set(Self.changes.keys))
    for row in rows {
      let change = try #require(Self.changes[row.change])
      let difference = try ModelText.difference(change.before, change.after)
      let properties = difference.entities.flatMap(\.properties)
      let obstacles = difference.entities.compactMap(\.obstacle) + properties.compactMap(\.obstacle)
      let conditions = properties.compactMap(\.condition)
      let answer = !obstacles.isEmpty ? "refused" : conditions.isEmpty ? "inferred" : "looked at"
      #expect(answer == row.answer, "\(row.change): \(obstacles) \(conditions)")
      #expect(difference.isInferable == (row.answer != "refused"), "\(row.change)")
      guard row.answer != "inferred" else { continue }
      #expect((obstacles + conditions).contains { $0.contains(row.result) }, "\(row.change)")
    }
  }
}
