import Testing

@testable import StorePipeline

@Suite("Options as properties")
struct StageOptionTests {
  private enum Colour: String, OptionChoice { case red, blue }

  private struct Range: OptionRecord {
    var low = 1
    var high: Int?

    static let options: [StageOption<Self>] = [
      .option("low", \.low, help: "The least."), .option("high", \.high, help: "The most."),
    ]
    static let shorthand: String? = "high"
  }

  private struct Sample: OptionRecord {
    var name = ""
    var colour = Colour.red
    var size = 2048
    var time = Duration.seconds(3)
    var words: [String] = ["a"]
    var range = Range()
    var isLoud = false

    static let options: [StageOption<Self>] = [
      .required("name", \.name, isUnnamed: true, help: "What it is called."),
      .option("colour", \.colour, help: "Its colour."),
      .option("size", \.size, .size, help: "Its size."),
      .option("time", \.time, help: "How long it takes."),
      .option("words", \.words, help: "Its words."),
      .option("range", \.range, help: "Its range."),
      .option("loud", \.isLoud, help: "Whether it is loud."),
    ]
  }

  @Test("what a property holds at first is the option's default; one that is required has none")
  func defaults() {
    let options = Sample.descriptions
    #expect(
      options.map(\.default) == [
        nil, .text("red"), .size(2048), .duration(.seconds(3)), .list([.text("a")]),
        .table(["low": .integer(1)]), .boolean(false),
      ])
    #expect(options.map(\.isRequired) == [true] + Array(repeating: false, count: 6))
    #expect(options[0].isUnnamed)
  }

  @Test("a property's type says what values its option takes")
  func types() {
    #expect(
      Sample.descriptions.map(\.type).dropLast(2) == [
        .text, .choice(["red", "blue"]), .size, .duration, .oneOrMore(.text),
      ])
    guard case .table(let table) = Sample.descriptions[5].type else {
      Issue.record("a record is no table")
      return
    }
    #expect(table.fields.map(\.name) == ["low", "high"])
    #expect(table.shorthand == "high")
  }

  @Test("checked values reach their properties, and what is not written stays as it is")
  func filled() throws {
    let sample = try #require(
      Sample(
        .table([
          "name": .text("n"), "colour": .text("blue"), "size": .size(1 << 20),
          "words": .list([.text("b"), .text("c")]), "loud": .boolean(true),
          "range": .table(["high": .integer(9)]),
        ])))
    #expect(sample.name == "n" && sample.colour == .blue && sample.size == 1 << 20)
    #expect(sample.time == .seconds(3))
    #expect(sample.words == ["b", "c"] && sample.isLoud)
    #expect(sample.range.low == 1 && sample.range.high == 9)
  }

  @Test("each value can be written as the option that gives it back")
  func roundTrip() throws {
    var sample = Sample()
    (sample.name, sample.colour, sample.range.high) = ("n", .blue, 7)
    let value = try #require(sample.optionValue)
    let again = try #require(Sample(value))
    // What is required is no default, and so is not written.
    #expect(again.name == "" && again.colour == .blue && again.range.high == 7)
  }

  @Test("a value of another kind is none", arguments: [OptionValue.text("x"), .list([])])
  func misfits(value: OptionValue) {
    #expect(Bool(value) == nil && Int(value) == nil && Duration(value) == nil)
    #expect([String: String](value) == nil && Range(value) == nil)
  }
}
