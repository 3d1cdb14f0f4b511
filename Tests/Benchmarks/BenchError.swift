/// What kept something from being measured.
struct BenchError: Error, Equatable, CustomStringConvertible {
  let description: String
  /// Whether something is not here, which says nothing of the command.
  let isLack: Bool

  init(_ description: String, isLack: Bool = false) {
    (self.description, self.isLack) = (description, isLack)
  }

  /// Something that is not here.
  static func lack(_ description: String) -> BenchError { BenchError(description, isLack: true) }
}
