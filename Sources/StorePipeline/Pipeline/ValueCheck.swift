extension OptionReader {
  /// The value as its type wants it; nil when it cannot be, and then a mistake was reported.
  mutating func check(_ raw: RawValue, _ type: OptionType, at path: [String]) -> OptionValue? {
    if case .unknown = raw { return nil }
    guard raw.fits(type) else {
      let isFunction = raw.kind == "a function"
      let quoted = isFunction ? unquoted(path.last ?? "") : nil
      let script = isFunction && type.isExpression ? Self.inScript : ""
      return refuse(path, "must be \(type.form), not \(raw.kind)\(quoted ?? script)")
    }
    switch type {
    case .boolean, .off: return boolean(raw)
    case .integer(let range): return integer(raw, range, at: path)
    case .number(let range): return number(raw, range, at: path)
    case .text, .choice, .name, .path, .duration, .size:
      guard case .text(let text) = raw else { return nil }
      return check(text: text, type, at: path)
    case .constant, .anything: return plain(raw, at: path)
    case .expression: return expression(raw, at: path)
    case .list(let type): return list(raw, of: type, at: path)
    case .oneOrMore(let type):
      return raw.fits(type)
        ? check(raw, type, at: path).map { .list([$0]) } : list(raw, of: type, at: path)
    case .table(let table): return self.table(raw, table, at: path)
    case .fields(let type): return fields(raw, of: type, at: path)
    case .either(let types):
      guard let fitting = types.first(where: raw.fits) else { return nil }
      if fitting == .duration, case .text(let text) = raw, DurationText.read(text) == nil {
        return refuse(path, "must be \(type.form), not \(LuaText.quoted(text))")
      }
      return check(raw, fitting, at: path)
    }
  }

  private static let inScript =
    #"; a function stands in a script: stage "transform" { entity = ..., script = "file.lua" }"#

  /// Reports what an option must be.
  mutating func refuse(_ path: [String], _ message: String) -> OptionValue? {
    report(path, "option '\(path.joined(separator: "."))' \(message)")
    return nil
  }

  /// How the value of an option is written that is the name of a rule, or a function, without its
  /// quotes.
  private func unquoted(_ option: String) -> String? {
    let tokens = source.tokens?.tokens ?? []
    let place = tokens.indices.dropLast(2).first { place in
      tokens[place].text == option && tokens[place + 1].text == "="
        && tokens[place].line >= construct.line && !tokens[place].isString
    }
    guard let value = place.map({ tokens[$0 + 2] }), !value.isString, value.text != "function",
      LuaText.isName(value.text)
    else { return nil }
    return "; write \(option) = \(LuaText.quoted(value.text))"
  }

  private func boolean(_ raw: RawValue) -> OptionValue? {
    guard case .boolean(let value) = raw else { return nil }
    return .boolean(value)
  }

  private mutating func integer(
    _ raw: RawValue, _ range: ClosedRange<Int64>, at path: [String]
  ) -> OptionValue? {
    var whole: Int64?
    if case .integer(let value) = raw { whole = value }
    if case .number(let value) = raw { whole = Int64(exactly: value) }
    guard let whole else { return refuse(path, "must be a whole number") }
    guard range.contains(whole) else {
      let isOpen = range.upperBound == OptionType.exact.upperBound && whole < range.lowerBound
      let bounds = "between \(range.lowerBound) and \(range.upperBound)"
      return refuse(
        path, "must be \(isOpen ? "at least \(range.lowerBound)" : bounds), not \(whole)")
    }
    return .integer(whole)
  }

  private mutating func number(
    _ raw: RawValue, _ range: ClosedRange<Double>, at path: [String]
  ) -> OptionValue? {
    var number = Double.nan
    if case .integer(let value) = raw { number = Double(value) }
    if case .number(let value) = raw { number = value }
    guard range.contains(number) else {
      return refuse(
        path, "must be between \(range.lowerBound) and \(range.upperBound), not \(number)")
    }
    return .number(number)
  }

  private mutating func list(
    _ raw: RawValue, of type: OptionType, at path: [String]
  ) -> OptionValue? {
    guard case .table(let table) = raw else { return nil }
    let names = table.list.indices.map { place in
      Array(path.dropLast()) + [(path.last ?? "") + "[\(place + 1)]"]
    }
    return .list(zip(table.list, names).compactMap { check($0, type, at: $1) })
  }

  private mutating func table(
    _ raw: RawValue, _ type: OptionTable, at path: [String]
  ) -> OptionValue? {
    if case .table(let table) = raw { return .table(read(table, type, at: path)) }
    guard let shorthand = type.shorthand else { return nil }
    return .table(read(RawTable(fields: [shorthand: raw]), type, at: path))
  }

  private mutating func fields(
    _ raw: RawValue, of type: OptionType, at path: [String]
  ) -> OptionValue? {
    guard case .table(let table) = raw else { return nil }
    var values: [String: OptionValue] = [:]
    for name in table.names {
      values[name] = table.fields[name].flatMap { check($0, type, at: path + [name]) }
    }
    return .table(values)
  }

  /// Data of the author's own, of which only what JSON can hold is taken.
  private mutating func plain(_ raw: RawValue, at path: [String]) -> OptionValue? {
    switch raw {
    case .boolean(let value): return .boolean(value)
    case .integer(let value) where OptionType.exact.contains(value): return .integer(value)
    case .integer: return refuse(path, "is a whole number beyond 2^53; write it as a text")
    case .number(let value) where value.isFinite: return .number(value)
    case .number: return refuse(path, "must be a finite number")
    case .text(let text): return .text(text)
    case .table(let table) where table.fields.isEmpty && !table.list.isEmpty:
      return list(raw, of: .anything, at: path)
    case .table(let table) where table.list.isEmpty: return fields(raw, of: .anything, at: path)
    case .table: return refuse(path, "mixes a list and named fields")
    case .construct, .unusable, .unknown: return nil
    }
  }

  /// `from` and `convert`, as Lua writes them and as the evaluated plan does.
  private mutating func expression(_ raw: RawValue, at path: [String]) -> OptionValue? {
    switch raw {
    case .construct(let construct) where construct.kind == "from": return .from(construct.name)
    case .construct(let construct):
      guard case .text(let type)? = construct.body.list.first else { return nil }
      return conversion(construct.name, type, at: path)
    case .table(let table):
      if case .text(let name)? = table.fields["from"], table.fields.count == 1 {
        return .from(name)
      }
      guard case .text(let name)? = table.fields["convert"], table.fields.count == 2,
        case .text(let type)? = table.fields["to"]
      else { return refuse(path, "must be \(OptionType.expression.expectation), not a table") }
      return conversion(name, type, at: path)
    default: return plain(raw, at: path)
    }
  }
}

extension OptionType {
  /// Whether `from` and `convert` are values of it.
  fileprivate var isExpression: Bool { if case .expression = self { true } else { false } }
}

extension RawValue {
  /// Whether the value is of the kind that a type wants, whatever its content.
  fileprivate func fits(_ type: OptionType) -> Bool {
    switch (type, self) {
    case (.boolean, .boolean), (.off, .boolean(false)): true
    case (.integer, .integer), (.integer, .number), (.number, .integer), (.number, .number): true
    case (.text, .text), (.choice, .text), (.name, .text), (.path, .text): true
    case (.duration, .text), (.size, .text): true
    case (.constant, .boolean), (.constant, .integer), (.constant, .number), (.constant, .text):
      true
    case (.anything, .table): true
    case (.anything, _): fits(.constant)
    case (.expression, .construct(let construct)): ["from", "convert"].contains(construct.kind)
    case (.expression, .table): true
    case (.expression, _): fits(.constant)
    case (.list, .table(let table)): table.fields.isEmpty
    case (.oneOrMore(let type), _): fits(type) || fits(.list(type))
    case (.table, .table): true
    case (.table(let table), _): table.shorthandField.map { fits($0.type) } ?? false
    case (.fields, .table(let table)): table.list.isEmpty
    case (.either(let types), _): types.contains(where: fits)
    default: false
    }
  }
}
