import Lua

/// Runs an attack the way a host runs a script: loads it, then calls what it returns with rows.
struct AttackRunner {
  private let state: LuaState

  init(_ state: LuaState) { self.state = state }

  /// A row of one attribute.
  private final class Row: LuaRecord {
    struct Unknown: Error, CustomStringConvertible {
      let description: String
    }

    func read(_ name: String) throws -> LuaValue {
      guard name == "name" else { throw Unknown(description: "no attribute '\(name)'") }
      return "a name"
    }

    func write(_ name: String, _ value: LuaValue) throws {}
  }

  /// What the script gives back; a function is called for two rows and gives the last answer.
  func run(_ script: String) throws -> [LuaValue] {
    let chunk = try state.load(script, name: "attack.lua")
    let result = try chunk.callKeepingResult()
    guard result.kind == .function else { return [try result.value()] }
    _ = try result.call([.record(Row()), .value(.fields([:]))])
    return try result.call([.record(Row()), .value(.fields([:]))])
  }

  /// One line of the table in the tests' output.
  static func row(
    _ name: String, _ outcome: Result<[LuaValue], any Error>, seconds: Double
  )
    -> String
  {
    let ending =
      switch outcome {
      case .success: "came to nothing"
      case .failure(let error as LuaError):
        "\(error.kind.rawValue): line \(error.line): \(error.message.prefix(70))"
      case .failure(let error): "\(error)"
      }
    let hundredths = (seconds * 100).rounded() / 100
    return "attack  \(name.padded(to: 34))  \(String(hundredths).padded(to: 5)) s  \(ending)"
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
