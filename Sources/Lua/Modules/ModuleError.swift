/// Why a helper refused its arguments, in words for the script's author.
struct ModuleError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// The arguments of a helper, read one by one.
struct ModuleArguments {
  let function: String
  let values: [LuaValue]

  /// The value at a place, counted from 1 as Lua's own messages do.
  subscript(place: Int) -> LuaValue {
    place <= values.count ? values[place - 1] : .null
  }

  /// The bytes of a string argument.
  func bytes(_ place: Int) throws -> [UInt8] {
    guard let bytes = self[place].bytes else { throw wrong(place, "string") }
    return bytes
  }

  /// A string argument that must be UTF-8.
  func text(_ place: Int) throws -> String {
    guard self[place].bytes != nil else { throw wrong(place, "string") }
    guard let text = self[place].text else { throw wrong(place, "UTF-8 text") }
    return text
  }

  /// What is said of an argument that is something else.
  func wrong(_ place: Int, _ expected: String) -> ModuleError {
    let got = self[place] == .null ? "nothing" : "a \(self[place].typeName)"
    return ModuleError("bad argument #\(place) to '\(function)' (\(expected) expected, got \(got))")
  }
}

extension LuaState {
  /// Adds a helper whose arguments are checked as it reads them.
  func define(
    helper name: String, in module: String?, _ body: @escaping (ModuleArguments) throws -> LuaValue
  ) throws(LuaError) {
    try define(name, in: module) { [try body(ModuleArguments(function: name, values: $0))] }
  }
}
