import Formats
import StoreTestSupport
import Testing

@testable import CoreDataStore

@Suite("Objects of a compiled model")
struct CompiledObjectTests {
  @Test("what is absent is false, 0 or nothing") func absent() throws {
    let object = try CompiledSample.object { $0.add("A", ["NSIsIndexed": .bool(true)]) }
    #expect(object.flag("NSIsIndexed") && !object.flag("NSIsOptional"))
    #expect(object.count("NSMaxCount") == 0)
    #expect(object.filled("NSName") == nil && object.userInfo.isEmpty)
  }

  @Test(
    "the name itself is no identifier, nor is an empty text",
    arguments: [("x", nil), ("", nil), ("old", "old")])
  func renaming(stored: String, identifier: String?) throws {
    let object = try CompiledSample.object { maker in
      let text = maker.add(.string(stored))
      return maker.add("A", ["NSRenamingIdentifier": text])
    }
    #expect(object.renamingIdentifier(of: "x") == identifier)
  }

  @Test("entries next to the definition are read as far as they are text") func userInfo() throws {
    let object = try CompiledSample.object { maker in
      let (text, number) = (maker.add(.string("v")), maker.add(.integer(1)))
      let table = maker.add(table: ["k": text, "n": number])
      return maker.add("A", ["NSUserInfo": table])
    }
    #expect(object.userInfo == ["k": "v"])
  }

  @Test(
    "a value is a constant of its kind",
    arguments: [
      (.integer(3), .integer(3)), (.bool(true), .boolean(true)), (.real(0.5), .real(0.5)),
      (.string("s"), .string("s")), (.data([7]), .bytes([7])),
    ] as [(PropertyList, ModelConstant)])
  func constant(stored: PropertyList, value: ModelConstant) throws {
    #expect(try CompiledSample.object { $0.add(stored) }.constant == value)
  }

  @Test("an object of somebody's class is named") func strange() throws {
    #expect(try CompiledSample.object { $0.add("MyClass", [:]) }.constant == .object("MyClass"))
  }

  @Test("once the budget is used up nothing is found any more") func usedUp() throws {
    let budget = UnfoldBudget(parts: 3)
    let object = try CompiledSample.object(budget: budget) { maker in
      let (text, list) = (maker.add(.string("v")), maker.add(list: [.uid(1), .uid(1), .uid(1)]))
      return maker.add("A", ["NSName": text, "NSList": list])
    }
    #expect(object["NSName"]?.string == "v")
    #expect(object["NSList"]?.elements == nil)
    #expect(object["NSName"] == nil && !object.isKind(of: "A"))
  }

  @Test("text costs its bytes each time it is read") func text() throws {
    let budget = UnfoldBudget(bytes: 1_000)
    let object = try CompiledSample.object(budget: budget) {
      $0.add(.string(String(repeating: "x", count: 400)))
    }
    #expect(object.string != nil && object.string != nil && object.string == nil)
  }
}
