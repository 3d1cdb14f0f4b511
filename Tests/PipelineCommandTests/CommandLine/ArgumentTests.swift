import Testing

@testable import pipeline

@Suite("Argument")
struct ArgumentTests {
  @Test(
    "each kind puts a value where it belongs",
    arguments: [
      ("source", "s", EveryKind(sources: ["s"])), ("target", "t", EveryKind(target: "t")),
      ("output", "o", EveryKind(output: "o")), ("output", "", EveryKind(output: "")),
      ("batch", "7", EveryKind(batch: 7)), ("set", "a=b", EveryKind(sets: ["a=b"])),
      ("form", "json", EveryKind(form: .json)), ("all", "", EveryKind(all: true)),
    ])
  func stored(name: String, text: String, expected: EveryKind) throws {
    var command = EveryKind()
    try argument(name).store(&command, text)
    #expect(command == expected)
  }

  @Test(
    "what is no value of its type is named, and an empty word is nothing's place",
    arguments: [
      ("batch", "ten", "--batch takes a whole number, not 'ten'"),
      ("target", "", "TARGET is empty"),
    ])
  func refused(name: String, text: String, message: String) throws {
    let argument = try argument(name)
    var command = EveryKind()
    #expect(throws: UsageError(message)) { try argument.store(&command, text) }
    #expect(command == EveryKind())
  }

  @Test("an argument of a part fills in the part of the whole") func within() throws {
    var reading = Reading(command: EveryKind())
    let whole = try argument("target").within(\Reading<EveryKind>.command)
    try whole.store(&reading, "t")
    #expect(reading.command.target == "t")
    #expect(try whole.form == argument("target").form)
  }

  private func argument(_ name: String) throws -> Argument<EveryKind> {
    try #require(EveryKind.arguments.first { $0.form.name == name })
  }
}
