import Formats
import Testing

@testable import StorePipeline

@Suite("JSON parts")
struct JSONPartsTests {
  @Test("what there is none of is null") func none() {
    #expect(JSONValue.text(nil) == .null && JSONValue.text("") == "")
    #expect(JSONValue.count(nil) == .null && JSONValue.count(0) == 0)
    #expect(JSONValue.texts(["b", "a"]) == ["b", "a"])
  }

  @Test("a value on one line can be broken at its spaces, and texts stay as they are")
  func spaced() {
    let value: JSONValue = ["a": [1, "x  y"], "b": nil]
    #expect(value.spaced == #"{ "a": [ 1, "x  y" ], "b": null }"#)
  }
}
