/// `stage "validate"`: the rules of the new model, over every object.
public enum ValidateStage: Stage {
  /// What is to be known of it.
  public static let description = StageDescription(
    name: "validate",
    summary: "Holds every object and link of the new store against the new model.",
    details: """
      Mandatory values, bounds, lengths, patterns, counts of links, uniqueness, links that lead \
      nowhere, and the number of objects that the mapping promises. All failures are listed, and \
      any of them ends the run with status 1. What was as wrong in the source already, its value \
      unchanged, is a warning.
      """,
    options: [
      OptionDescription(
        "strict", .boolean, default: .boolean(false),
        help: "Whether what was wrong in the source already is a failure too."),
      OptionDescription(
        "expect", .list(.table(expectation)), default: .list([]),
        help: "Checks of your own, each a count that must be as said."),
    ],
    consumes: [.objects],
    example: #"""
      stage "validate" {
        strict = false,
        expect = {
          { "every picture arrived", source = "count(Item where image != nil)",
            destination = "count(Photo)" },
          { "no item without its box", destination = "count(Item where box = nil)", equals = 0 },
        },
      }
      """#)

  private static let expectation = OptionTable(
    [
      OptionDescription(
        "name", .text, isRequired: true, isUnnamed: true, help: "What is expected, in words."),
      OptionDescription("source", .text, help: "A count in the old store, by the old names."),
      OptionDescription(
        "destination", .text, isRequired: true,
        help: "A count in the new store, by the new names."),
      OptionDescription(
        "equals", .atLeast(0), help: "What the count must be, in place of `source`."),
    ], alternatives: ["source", "equals"])
}
