/// The moments of a run at which a stage `hook` may want to be heard.
enum HookMoment: String, OptionChoice {
  /// The run begins, or is resumed before the exchange; not where nothing, or only that, is left.
  case started
  /// The new store has taken the old one's place.
  case swapped
  /// The run has ended with another status than 0.
  case failed
  /// The run has ended.
  case finished
}
