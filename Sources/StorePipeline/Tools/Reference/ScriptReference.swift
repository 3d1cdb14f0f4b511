/// Every function that scripts may call in addition to Lua's own: the one place that describes
/// them.
///
/// The editor's annotations, the page of functions and its tests are made from it.
package enum ScriptReference {
  /// Functions that belong together.
  package struct Chapter: Sendable, Hashable {
    /// The heading.
    package let title: String
    /// What the reader should know before the first of them.
    package let text: String
    package let functions: [ScriptFunction]
  }

  /// The chapters, in the order of the page.
  package static let chapters = [
    Chapter(
      title: "The context",
      text: """
        Hooks get it as their last parameter, and so does a function of an attribute that has a \
        parameter `ctx`.
        """, functions: contextFunctions),
    Chapter(
      title: "Words of a script",
      text: "Where a value comes from, and what is in another file.",
      functions: words),
    Chapter(
      title: "Texts", text: "Letters are ASCII's; other characters stay as they are.",
      functions: textFunctions),
    Chapter(
      title: "Dates",
      text: "A date is a number of seconds since 2001-01-01 UTC, as Core Data keeps it.",
      functions: dateFunctions),
    Chapter(
      title: "Decimals",
      text: """
        Exact arithmetic on numbers written as text, as Decimal attributes are given to scripts; \
        integers of Lua are accepted, too, floats are refused. A number has 400 digits at most. \
        `mode` is "half-up" (the default), "half-even", "down", "up", "floor" or "ceiling".
        """, functions: decimalFunctions),
    Chapter(
      title: "Bytes and identifiers", text: "A string of Lua holds any bytes.",
      functions: byteFunctions),
    Chapter(
      title: "Documents",
      text: """
        A missing field stands for a null; an empty table is `[]` in JSON. Data and dates inside a \
        property list are `{ ["$data"] = bytes }` and `{ ["$date"] = seconds }`, so that they \
        come back as what they were.
        """, functions: documentFunctions),
    Chapter(
      title: "Pictures",
      text: """
        `image` is nil if the program was built without the trait `Images`: a script that must run \
        there, too, asks with `if image then`. A picture that is damaged, cut short, of an unknown \
        format, or that would take more than 256 MiB when decoded is no error: the function \
        returns nil and the reason. Of an animated picture, the first frame is used.
        """, functions: imageFunctions),
  ]

  package static var functions: [ScriptFunction] { chapters.flatMap(\.functions) }

  /// What `ctx` has besides functions.
  package static let contextFields: [(name: String, type: String, text: String)] = [
    (
      "state", "table",
      "A table of plain data, saved with every chunk; what was written for an object that is left "
        + "out or rejected is undone with it."
    ),
    ("params", "table", "The stage's `params`; functions find them as `params`, too."),
    ("now", "number", "The date of the run, the same for all objects."),
  ]
}
