/// Something a contender cannot do without.
struct Need: Equatable {
  /// What to call it where it is missing.
  var name: String
  /// A command that ends with 0 where it is there.
  var test: [String]

  /// A program that can be found.
  static func program(_ name: String) -> Need {
    Need(name: name, test: ["sh", "-c", "command -v \(name)"])
  }

  /// A package of Python.
  static func module(_ name: String, of python: String) -> Need {
    Need(name: "Python's \(name)", test: [python, "-c", "import \(name)"])
  }
}
