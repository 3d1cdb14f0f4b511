import SQLite
import Testing

@Suite("Values") struct ValueTests {
  private static let nan = Value.real(Double(nan: 1, signaling: false))

  @Test(
    "a value equals one of the same class and bits",
    arguments: [
      .null, .integer(-1), .real(0.5), .real(-0.0), nan, .text("é"), .text(Text(bytes: [0xff, 0])),
      .blob([]), .blob([1, 2]),
    ] as [Value])
  func equal(value: Value) {
    #expect(value == value)
    #expect(Set([value, value]).count == 1)
  }

  @Test(
    "values of another class or other bits differ",
    arguments: [
      (.integer(1), .real(1)), (.real(0.0), .real(-0.0)), (.text("a"), .blob([97])),
      (.null, .integer(0)), (.null, .blob([])), (.text("e\u{301}"), .text("é")),
      (nan, .real(Double(nan: 2, signaling: false))),
    ] as [(Value, Value)])
  func different(left: Value, right: Value) {
    #expect(left != right)
  }

  @Test("text that is not UTF-8 keeps its bytes and has no string")
  func invalid() {
    let text = Text(bytes: [0x61, 0xff])
    #expect(text.string == nil)
    #expect(text.bytes == [0x61, 0xff])
    #expect(Text("é").string == "é")
  }

  @Test("each accessor answers for its own class only")
  func accessors() {
    #expect(Value.integer(3).integer == 3 && Value.real(3).integer == nil)
    #expect(Value.real(3).real == 3 && Value.integer(3).real == nil)
    #expect(Value.text("x").string == "x" && Value.blob([120]).string == nil)
    #expect(Value.blob([1]).blob == [1] && Value.text("x").blob == nil)
    #expect(Value.null.isNull && !Value.integer(0).isNull)
  }
}
