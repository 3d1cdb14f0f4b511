/// The moments of a run at which a stage `hook` may want to be heard.
enum HookMoment: String, Sendable, CaseIterable {
  /// The run begins.
  case started
  /// The new store has taken the old one's place.
  case swapped
  /// The run has ended with another status than 0.
  case failed
  /// The run has ended.
  case finished

  /// The names, as a pipeline file writes them.
  static let names = allCases.map(\.rawValue)
}

extension PipelineStage {
  /// The moments at which this hook runs; none when it runs at its turn.
  var moments: [HookMoment] {
    (self["on"]?.list ?? []).compactMap { $0.text.flatMap(HookMoment.init) }
  }
}
