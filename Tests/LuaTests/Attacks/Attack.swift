import Lua
import Testing

/// A hostile or careless script, and how a safe host ends it.
struct Attack: Sendable, CustomTestStringConvertible {
  /// How it must end.
  enum Ending: Sendable {
    /// With an ordinary error whose text has this in it.
    case error(String)
    /// Stopped by a limit.
    case stop(LuaError.Kind)
    /// By itself, with this as its first result; the attack came to nothing.
    case result(LuaValue)
  }

  let name: String
  let ending: Ending
  let script: String

  init(_ name: String, _ ending: Ending, _ script: String) {
    self.name = name
    self.ending = ending
    self.script = script
  }

  var testDescription: String { name }

  /// All of them.
  static let all = escapes + endless + memory + determinism + misuse + metatables + sizes
}
