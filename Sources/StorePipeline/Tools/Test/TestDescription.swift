internal import Lua

/// One test of a file, as it is written.
struct TestDescription {
  /// What kind of test it is.
  enum Kind: String {
    /// Objects in, objects out.
    case `case`
    /// Something that holds for generated objects.
    case property
    /// A whole pipeline on a store made for it.
    case migration
  }

  /// What kind of test it is.
  let kind: Kind
  let name: String
  let line: Int
  /// Its place among all that the file has.
  let place: Int
  let options: LuaTable
  /// The script it is for; nil for a migration behind no script.
  let script: TestScript?

  func text(_ option: String) -> String? { options[option]?.text }

  /// The texts of an option that takes one or a list of them.
  func texts(_ option: String) -> [String] {
    text(option).map { [$0] } ?? options[option]?.table?.list.compactMap(\.text) ?? []
  }
}

/// The script of a test file, and what stands around it.
struct TestScript {
  /// The file, as it is written.
  let name: String
  let line: Int
  let options: LuaTable

  func text(_ option: String) -> String? { options[option]?.text }
}
