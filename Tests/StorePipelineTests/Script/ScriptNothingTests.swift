import CoreDataStore
import Foundation
import StoreMigration
import StorePipeline
import StoreTestSupport
import TestSupport
import Testing

@Suite("What a script gives that is no value", .temporaryFolder)
struct ScriptNothingTests {
  private static let nothing = "the function returned nothing; write `return nil` to empty it"

  /// Functions of `total` that return no value for the box, Z_PK 5, which has no price.
  @Test(
    "a function that returns no value is an error with its row, and nil is a value",
    arguments: [
      "function(price) if price then return price end end",
      "function(price, ctx) if price then return price end end",
      "function(price) return (function() if price then return price end end)() end",
      "function(price) if price then return price, 1, 2 end return end",
    ])
  func nothing(function: String) throws {
    let sample = try ScriptSample("return {\n attributes = {\n  total = \(function) } }")
    let failure = try #require(try sample.failure())
    #expect(failure.message == "Item.total: \(Self.nothing)")
    #expect(failure.path == sample.script.path && failure.line == 3)
    #expect(failure.doing == "making Item.total")
    #expect(failure.entity == "Item" && failure.key == 5)
    let corrected = function.replacing("price end end", with: "price end return nil end")
      .replacing("return end", with: "return nil end")
    let sane = try ScriptSample(
      "return { attributes = { total = \(corrected) } }", in: "\(corrected.hashValue)")
    #expect(try sane.rows("SELECT ZTOTAL FROM ZITEM") == ["2.5", "30.0", "NULL"])
  }

  @Test("with on_error = \"reject\" the object of such a function is rejected")
  func reject() throws {
    let sample = try ScriptSample(
      "return { attributes = { total = function(price) if price then return price end end } }")
    let builder = try sample.stores.builder()
    let run = try sample.run(builder) { $0.onError = .reject }
    try ScriptSample.finish(run)
    #expect(run.counts.rejected == 1 && run.counts.made == ["Item": 2])
  }

  @Test("a function that returns nothing is an error within create as well")
  func create() throws {
    let failure = try ScriptSample(
      """
      return {
        attributes = { total = function(price) end },
        create = function(item, new) return new.Item(item) end,
      }
      """
    ).failure()
    #expect(failure?.message.contains(Self.nothing) == true)
    #expect(failure?.doing == "making Item.total" && failure?.key == 1)
  }

  @Test(
    "a function or a table as an attribute's value is an error on the line that gives it",
    arguments: [
      (
        "local i = new.Item { title = print }",
        "Item.title: it is a String and was given a function"
      ),
      ("local i = new.Item { title = {} }", "Item.title: it is a String and was given a table"),
      ("local i = new.Item(item) i.total = print", "was given a function"),
      ("local i = new.Item(item) i.total = { print }", "a function is in it"),
      ("local i = new.Item(item) i.total = { { print } }", "a table is in it"),
      (
        "local i = new.Item(item) i.total = ctx", "Item.total: it is a Double and was given a table"
      ),
      (
        "local i = new.Item(item) i.photo = print",
        "needs an object or nil and was given a function"
      ),
      ("local i = new.Item(item) i.tags = { print }", "a function is in it"),
      ("local i = new.Item(item) i.tags = print", "a list of objects and was given a function"),
      ("return new.Item(item), ctx.find('Item', print)", "needs a condition"),
    ])
  func values(statement: String, message: String) throws {
    let sample = try ScriptSample(
      """
      return {
        creates = { "Item", "Photo" },
        create = function(item, new, ctx)
          \(statement)
        end,
      }
      """)
    let failure = try #require(try sample.failure())
    #expect(failure.message.contains(message), "\(failure.message)")
    #expect(failure.line == 4 && failure.key == 1 && failure.entity == "Item")
  }

  @Test("a function as a value is an error in relate as well")
  func relate() throws {
    let failure = try ScriptSample(
      """
      return {
        relate = function(item, ctx)
          item.total = print
        end,
      }
      """
    ).failure()
    #expect(failure?.message.contains("it is a Double and was given a function") == true)
    #expect(failure?.line == 3 && failure?.key == 1)
  }

  @Test("an error in relate names the object that the new one came from")
  func origin() throws {
    let failure = try ScriptSample(
      """
      return {
        creates = { "Item" },
        create = function(item, new, ctx)
          if item.name == "chair" then return new.Item { name = "seat" } end
          return new.Item { name = "other" }
        end,
        relate = function(item, ctx)
          if item.name == "seat" then item.total = print end
        end,
      }
      """
    ).failure()
    #expect(failure?.line == 8 && failure?.entity == "Item" && failure?.key == 2)
  }

  @Test("with workers, what is no value is reported and rejected as by one", arguments: [2, 3])
  func workers(count: Int) throws {
    let things = try ManyThings(
      """
      name = function(name, middle) if middle ~= 7000000 then return name end end,
      small = function(small, middle) if middle == 9000000 then return print end return small end
      """)
    let (alone, _) = try things.outcome(workers: 1) { $0.onError = .reject }
    #expect(alone.counts.rejected == 2)
    #expect(alone.failures.contains { $0.contains(Self.nothing) })
    #expect(alone.failures.contains { $0.contains("it is an Integer 16 and was given a function") })
    let (found, ahead) = try things.outcome(workers: count) { $0.onError = .reject }
    #expect(found == alone)
    #expect(ahead > 0)
  }

  /// The number of digits that is held, then one more; exponents likewise.
  @Test(
    "a decimal that no Decimal attribute holds is an error with its row",
    arguments: [
      (String(repeating: "9", count: 38), true), (String(repeating: "9", count: 39), false),
      ("1" + String(repeating: "0", count: 60), true), ("1e127", true), ("1e128", false),
      ("-1e-128", true), ("1e-129", false),
    ])
  func decimals(text: String, isHeld: Bool) throws {
    let entity = { (more: String) in
      "<entity name=\"A\"><attribute name=\"n\" optional=\"YES\" attributeType=\"String\"/>\(more)"
        + "</entity>"
    }
    let script = try ScriptText("return { attributes = { d = function(n) return n end } }")
    let stores = try BuildSample(
      entity(""), entity("<attribute name=\"d\" optional=\"YES\" attributeType=\"Decimal\"/>"),
      rows: "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZN) VALUES (4, 1, 1, '\(text)')",
      in: TemporaryFolder.url
    ) { $0.scripts = [ScriptClaim(entity: "A", attributes: ["d"], reads: ["n"])] }
    var options = ScriptOptions(runID: "", now: .distantPast, rejectsPath: stores.path("rejects"))
    options.onError = .skip
    let run = try ScriptRun(
      try script.outline(), try stores.builder(), entity: "A", options)
    try ScriptSample.finish(run)
    #expect(run.failures.map(\.key) == (isHeld ? [] : [4]))
    #expect(run.failures.allSatisfy { $0.message.contains("A.d: it is a Decimal") })
  }
}
