/// The words of a test file, in Lua: what each makes is kept for later, nothing runs.
///
/// The host gives `line()` and `refuse(text)`. The text returns the words, `all()`, which gives
/// everything that was written as plain data, and `check`, which calls a property's own function.
enum TestPrelude {
  /// What errors call it.
  static let name = "the words of a test file"

  /// The module of the host's functions, taken away before the test file is loaded.
  static let module = "test_host"

  /// The words that stand before a name and a table.
  static let kinds = ["script", "case", "property", "migration"]

  /// The words a test file may use besides Lua's own.
  static let words = kinds + ["object", "null"]

  /// The field that marks NULL.
  static let null = "$null"
  /// The fields of an object whose entity is said.
  static let entity = "$entity"
  static let values = "$values"
  /// What stands for a function in plain data.
  static let function = "$function"

  static let text = String(resource: PackageResources.TestPrelude_lua)
}
