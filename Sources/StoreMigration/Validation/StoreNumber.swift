package import CoreDataStore

extension Store {
  /// A number of the store, "count(Settings where version = 3)", read by the first of some models
  /// that knows what is named.
  ///
  /// - Throws: ``Failure`` when none does.
  package func number(_ text: String, as models: [Model]) throws -> Int64 {
    var problem: Failure?
    for model in models {
      do {
        let query = try ExpectationQuery(text, schema: expectedSchema(of: model))
        return try reading("cannot count the objects", limit: .seconds(60)) {
          try query.number(in: "main", of: connection)
        }
      } catch let error as Failure where error.kind == .misuse {
        problem = problem ?? error
      }
    }
    guard let problem else { return 0 }
    throw problem
  }
}
