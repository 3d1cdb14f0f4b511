import Lua

/// Reads what the prelude wrote down about a pipeline file.
struct RawDecoder {
  private var constructs: [RawConstruct] = []
  private var isNested: [Bool] = []

  /// The constructs that stand in no other, in order.
  var free: [RawConstruct] {
    constructs.indices.filter { !isNested[$0] }.map { constructs[$0] }
  }

  /// Takes the next construct; those in its table came before it.
  mutating func add(_ value: LuaValue) {
    guard let parts = value.table?.list, parts.count == 4, let kind = parts[0].text,
      let line = parts[1].integer, case .table(let body) = self.value(parts[3])
    else { return }
    note(parts[3])
    constructs.append(
      RawConstruct(kind: kind, name: parts[2].text ?? "", line: Int(line), body: body))
    isNested.append(false)
  }

  /// A value in the form that the prelude gives it.
  func value(_ value: LuaValue) -> RawValue {
    switch value {
    case .boolean(let value): return .boolean(value)
    case .integer(let value): return .integer(value)
    case .real(let value): return .number(value)
    case .string: return value.text.map(RawValue.text) ?? .unusable("a string that is not UTF-8")
    case .null: return .unusable("nil")
    case .opaque(let type): return .unusable("a \(type)")
    case .table(let table): return tagged(table.list)
    }
  }

  private func tagged(_ parts: [LuaValue]) -> RawValue {
    switch (parts.first?.text, parts.count) {
    case ("table", 4): return table(parts)
    case ("construct", 2):
      // A construct's number is smaller than that of what it stands in, so this cannot go round.
      guard let number = parts[1].integer, constructs.indices.contains(Int(number) - 1) else {
        return .unknown
      }
      return .construct(constructs[Int(number) - 1])
    case ("unusable", 2): return .unusable(parts[1].text ?? "nothing known")
    default: return .unknown
    }
  }

  private func table(_ parts: [LuaValue]) -> RawValue {
    let names = parts[2].table?.list ?? [], values = parts[3].table?.list ?? []
    var table = RawTable(list: (parts[1].table?.list ?? []).map(value))
    for (name, value) in zip(names, values) {
      guard let name = name.text else { return .unusable("a table with a name that is not UTF-8") }
      table.fields[name] = self.value(value)
    }
    return .table(table)
  }

  /// Remembers which constructs stand in a value.
  private mutating func note(_ value: LuaValue) {
    guard let parts = value.table?.list else { return }
    if parts.first?.text == "construct", let number = parts.last?.integer,
      isNested.indices.contains(Int(number) - 1)
    {
      isNested[Int(number) - 1] = true
    } else if parts.first?.text == "table", parts.count == 4 {
      for item in (parts[1].table?.list ?? []) + (parts[3].table?.list ?? []) { note(item) }
    }
  }
}
