/// A store to try things on, with the models, the pipeline file and the scripts that migrate it.
package struct Sample: Sendable {
  /// How much of it is made.
  package enum Size: String, CaseIterable, Sendable {
    /// A handful of objects, in a moment.
    case small
    /// What an application has.
    case normal
    /// Ten times as much.
    case large

    /// How many objects there are of what there are `count` of in a sample of normal size.
    func of(_ count: Int) -> Int {
      switch self {
      case .small: max(3, count / 40)
      case .normal: count
      case .large: count * 10
      }
    }
  }

  /// The word that asks for it.
  package let name: String
  /// What it shows, in one sentence.
  package let summary: String
  let models: String
  let pipeline: String
  let scripts: [String]
  let make: @Sendable (SampleStores) throws -> Void

  /// A sample, with the code that makes its stores.
  init(
    name: String, summary: String, models: String, pipeline: String, scripts: [String] = [],
    make: @escaping @Sendable (SampleStores) throws -> Void
  ) {
    self.name = name
    self.summary = summary
    self.models = models
    self.pipeline = pipeline
    self.scripts = scripts
    self.make = make
  }

  /// The samples there are; a new one is a file next to this one, and a line here.
  package static let all: [Sample] = [
    notes, movingVan, leavingICloud, fourVersions, walTrap, swiftData,
  ]
}
