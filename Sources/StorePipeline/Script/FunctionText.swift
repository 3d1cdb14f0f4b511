import Lua

// What the text of a script says of one of its functions.

extension LuaTokens {
  /// Whether a function may return a value: one whose text is not found may.
  ///
  /// Lua knows on which lines a function was written, and not where on them: where several may be
  /// meant, one with a value is enough.
  func mayReturn(_ function: LuaReference.Parameters) -> Bool {
    let found = tokens.indices.filter { starts($0, function) }
      .compactMap { returns(from: $0, to: function.lastLine) }
    return found.isEmpty || found.contains(true)
  }

  /// Whether a function of these parameters begins at a token.
  private func starts(_ index: Int, _ function: LuaReference.Parameters) -> Bool {
    guard isWord("function", index), tokens[index].line == function.line,
      let open = tokens[index...].firstIndex(where: { $0.text == "(" && !$0.isString }),
      let close = tokens[open...].firstIndex(where: { $0.text == ")" && !$0.isString })
    else { return false }
    return tokens[open..<close].dropFirst().map(\.text).filter { $0 != "," } == function.names
  }

  /// Whether the function that begins at a token returns a value itself, and not only one inside
  /// it; nil where it does not end on this line.
  private func returns(from start: Int, to line: Int) -> Bool? {
    var areFunctions: [Bool] = []
    var returns = false
    for index in start..<tokens.count where !tokens[index].isString {
      switch tokens[index].text {
      case "function": areFunctions.append(true)
      case "do", "if", "repeat": areFunctions.append(false)
      case "end", "until": areFunctions.removeLast()
      case "return" where areFunctions.count(where: \.self) == 1:
        returns = returns || hasValue(after: index)
      default: continue
      }
      if areFunctions.isEmpty { return tokens[index].line == line ? returns : nil }
    }
    return nil
  }

  private func hasValue(after index: Int) -> Bool {
    let next = index + 1
    return next < tokens.count
      && !["end", "else", "elseif", "until", ";"].contains { isWord($0, next) }
  }

  private func isWord(_ word: String, _ index: Int) -> Bool {
    tokens[index].text == word && !tokens[index].isString
  }
}
