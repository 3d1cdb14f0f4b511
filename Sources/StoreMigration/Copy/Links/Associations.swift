internal import SQLite

/// What the associations of old and new objects are like, asked once.
final class Associations {
  private let connection: Connection
  private var answers: [String: Bool] = [:]

  init(_ connection: Connection) { self.connection = connection }

  /// Whether some object of the source became several.
  var hasSeveral: Bool {
    get throws {
      try ask("SELECT 1 FROM main.\(BuilderTables.objects) WHERE place > 0 LIMIT 1")
    }
  }

  /// Whether several objects of the source became one.
  var hasMerged: Bool {
    get throws {
      try ask(
        """
        SELECT 1 FROM main.\(BuilderTables.objects)
        GROUP BY entity, object HAVING count(*) > 1 LIMIT 1
        """)
    }
  }

  private func ask(_ question: String) throws -> Bool {
    if let answer = answers[question] { return answer }
    let answer = try connection.integer(question) != nil
    answers[question] = answer
    return answer
  }
}
