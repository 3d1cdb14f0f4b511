/// Something that a pipeline file expects of the stores, in addition to what the model says.
package struct Expectation: Sendable, Hashable {
  /// What is expected, in the file's words.
  package var name: String
  /// A number of the source, "count(Item where image != nil)".
  package var source: String?
  /// The same for each version that the source may have, by the version's name.
  package var sources: [String: String] = [:]
  /// A number of the new store.
  package var destination: String?
  /// The number that both must be; without it they must be the same.
  package var equals: Int64?
  /// The line of the pipeline file.
  package var line: Int?

  /// An expectation in all its parts.
  package init(
    name: String, source: String? = nil, destination: String? = nil, equals: Int64? = nil,
    line: Int? = nil
  ) {
    self.name = name
    self.source = source
    self.destination = destination
    self.equals = equals
    self.line = line
  }
}

package struct ExpectationOutcome: Sendable, Hashable {
  package var expectation: Expectation
  /// The number of the source, when it was asked for.
  package var source: Int64?
  /// The number of the new store, when it was asked for.
  package var destination: Int64?

  package var isMet: Bool {
    let numbers = [expectation.equals, source, destination].compactMap(\.self)
    return Set(numbers).count == 1
  }
}
