extension ScriptReference {
  /// The functions of `text` and `date`.
  static let textFunctions = [
    ScriptFunction(
      "text.trim", "s: string", "string", "The text without blanks at both ends.",
      .value(#"text.trim("  Milk ")"#, gives: #""Milk""#)),
    ScriptFunction(
      "text.trimStart", "s: string", "string", "The text without blanks at its start.",
      .value(#"text.trimStart("  Milk ")"#, gives: #""Milk ""#)),
    ScriptFunction(
      "text.trimEnd", "s: string", "string", "The text without blanks at its end.",
      .value(#"text.trimEnd("  Milk ")"#, gives: #""  Milk""#)),
    ScriptFunction(
      "text.split", "s: string, separator: string, most?: integer", "string[]",
      "The pieces between separators, `most` of them at most.",
      .value(#"text.split("a, b, c", ", ", 2)"#, gives: #"{ "a", "b, c" }"#)),
    ScriptFunction(
      "text.replace", "s: string, old: string, new: string, most?: integer", "string, integer",
      "The text with `old` replaced, and how often.",
      .value(#"text.replace("a-b-c", "-", "+")"#, gives: #""a+b+c""#)),
    ScriptFunction(
      "text.upper", "s: string", "string", "The text in upper case.",
      .value(#"text.upper("milk")"#, gives: #""MILK""#)),
    ScriptFunction(
      "text.lower", "s: string", "string", "The text in lower case.",
      .value(#"text.lower("Milk")"#, gives: #""milk""#)),
    ScriptFunction(
      "text.upperFirst", "s: string", "string", "The text with its first letter in upper case.",
      .value(#"text.upperFirst("milk")"#, gives: #""Milk""#)),
    ScriptFunction(
      "text.startsWith", "s: string, start: string", "boolean", "Whether it begins with `start`.",
      .value(#"text.startsWith("Milk", "Mi")"#, gives: "true")),
    ScriptFunction(
      "text.endsWith", "s: string, ending: string", "boolean", "Whether it ends with `ending`.",
      .value(#"text.endsWith("Milk", "Mi")"#, gives: "false")),
    ScriptFunction(
      "text.contains", "s: string, part: string", "boolean", "Whether it contains `part`.",
      .value(#"text.contains("Milk", "il")"#, gives: "true")),
    ScriptFunction(
      "text.length", "s: string", "integer", "The number of characters, not bytes.",
      .value(#"text.length("Käse")"#, gives: "4")),
  ]

  static let dateFunctions = [
    ScriptFunction(
      "date.iso", "d: number", "string",
      "The date as a text, to the microsecond where there is a fraction.",
      .value("date.iso(0)", gives: #""2001-01-01T00:00:00Z""#)),
    ScriptFunction(
      "date.parse", "s: string, form?: string", "number?, string?",
      "The date of a text such as `2001-01-02T00:00:00Z`, or of the form that is named; nil and a "
        + "reason for any other text. A form has `yyyy`, `M` or `MMM` (the month's English name), "
        + "and `d`; it may have `H`, or `h` with `a` for AM and PM, and `m` and `s`. A letter that "
        + "is there twice needs two digits. The time is UTC.",
      .value(#"date.parse("2.1.2001", "d.M.yyyy")"#, gives: "86400.0")),
    ScriptFunction(
      "date.unix", "d: number", "number", "The date as seconds since 1970.",
      .value("date.unix(0)", gives: "978307200.0")),
    ScriptFunction(
      "date.fromUnix", "seconds: number", "number", "The date of seconds since 1970.",
      .value("date.fromUnix(978307200)", gives: "0.0")),
  ]
}
