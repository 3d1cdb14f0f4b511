internal import CoreDataStore

/// What a program learns of the run that starts it: in its environment, and in its arguments.
struct HookFacts: Sendable {
  /// The names of the facts: `${status}` in an argument, `PIPELINE_STATUS` in the environment.
  static let names = [
    "run", "store", "file", "source", "target", "moment", "status", "outcome", "new_store",
    "backup",
  ]

  /// The facts that are known, by name; the others are empty texts.
  private let known: [String: String]

  init(_ known: [String: String]) { self.known = known }

  /// An argument with the facts in the place of their names.
  func fill(_ argument: String) -> String {
    Self.names.reduce(argument) { $0.replacing("${\($1)}", with: known[$1] ?? "") }
  }

  /// The environment with the facts added.
  func environment(besides environment: [String: String]) -> [String: String] {
    Self.names.reduce(into: environment) { $0["PIPELINE_\($1.uppercased())"] = known[$1] ?? "" }
  }

  /// What is wrong with the names in an argument: nil when all of them are facts.
  static func mistake(in argument: String) -> String? {
    for match in argument.matches(of: /\$\{([^}]*)\}/) {
      let name = String(match.1)
      guard !names.contains(name) else { continue }
      let near = NearestName.of(name, among: names).map { "; did you mean '${\($0)}'?" }
      return "there is no '${\(name)}'" + (near ?? "; there are \(list)")
    }
    return nil
  }

  private static let list = names.map { "${\($0)}" }.joined(separator: ", ")
}
