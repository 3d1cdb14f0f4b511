/// One value that can be set from outside.
public struct PipelineParameter: Sendable, Equatable {
  /// Its name.
  public let name: String
  /// The value it has.
  public let value: OptionValue
  /// The value it would have; nil when it must be set.
  public let `default`: OptionValue?
  /// What it is for.
  public let help: String?
}
