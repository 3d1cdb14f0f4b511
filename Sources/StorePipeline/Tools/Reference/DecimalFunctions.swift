extension ScriptReference {
  static let decimalFunctions = [
    ScriptFunction(
      "decimal.add", "a: string|integer, b: string|integer", "string", "The exact sum.",
      .value(#"decimal.add("0.1", "0.2")"#, gives: #""0.3""#)),
    ScriptFunction(
      "decimal.sub", "a: string|integer, b: string|integer", "string", "The exact difference.",
      .value(#"decimal.sub("1", "0.9")"#, gives: #""0.1""#)),
    ScriptFunction(
      "decimal.mul", "a: string|integer, b: string|integer", "string", "The exact product.",
      .value(#"decimal.mul("1.19", 3)"#, gives: #""3.57""#)),
    ScriptFunction(
      "decimal.div",
      "a: string|integer, b: string|integer, digits: integer, mode?: string", "string",
      "The quotient, rounded to `digits` after the point.",
      .value(#"decimal.div(2, 3, 4)"#, gives: #""0.6667""#)),
    ScriptFunction(
      "decimal.round", "a: string|integer, digits: integer, mode?: string", "string",
      "The number, rounded to `digits` after the point.",
      .value(#"decimal.round("2.345", 2, "half-even")"#, gives: #""2.34""#)),
    ScriptFunction(
      "decimal.compare", "a: string|integer, b: string|integer", "integer",
      "-1, 0 or 1: the first is less than, equal to or greater than the second.",
      .value(#"decimal.compare("1.0", "1")"#, gives: "0")),
    ScriptFunction(
      "decimal.isValid", "s: any", "boolean", "Whether it can be read as a decimal.",
      .value(#"decimal.isValid("12,5")"#, gives: "false")),
  ]
}
