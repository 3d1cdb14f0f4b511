/// What stands in a pipeline file before anything is known of its meaning.
indirect enum RawValue: Sendable {
  case boolean(Bool)
  case integer(Int64)
  case number(Double)
  case text(String)
  case table(RawTable)
  case construct(RawConstruct)
  /// What no option takes, in words: "a function".
  case unusable(String)
  /// What came of a mistake that was reported already.
  case unknown

  var table: RawTable? { if case .table(let table) = self { table } else { nil } }

  /// What Lua calls a value of this kind, with its article.
  var kind: String {
    switch self {
    case .boolean: "a boolean"
    case .integer, .number: "a number"
    case .text: "a string"
    case .table(let table): table.list.isEmpty || !table.fields.isEmpty ? "a table" : "a list"
    case .construct(let construct): "'\(construct.kind)'"
    case .unusable(let what): what
    case .unknown: "an unknown value"
    }
  }
}

/// A table: its list, and what stands under names.
struct RawTable: Sendable {
  var list: [RawValue] = []
  var fields: [String: RawValue] = [:]

  /// The names, in an order that is always the same.
  var names: [String] { fields.keys.sorted() }
}

/// A word of a pipeline file with what it was given: `stage "copy" { ... }`.
struct RawConstruct: Sendable {
  /// The word.
  var kind: String
  /// Its name, empty where the word takes none.
  var name: String
  /// The line it stands on, 0 where that is not known.
  var line: Int
  var body: RawTable
  /// Lines of options that are known without looking for them, by the options' names.
  var lines: [String: Int] = [:]
}
