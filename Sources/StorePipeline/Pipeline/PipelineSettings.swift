/// What a pipeline file is given from outside: values for its params, and the environment.
public struct PipelineSettings: Sendable, Equatable {
  /// Values for params by name, as `--set name=value` gives them.
  public var parameters: [String: String]
  /// The environment, for `env "NAME"` and for `PIPELINE_PARAM_NAME`.
  public var environment: [String: String]

  /// Settings; without any, each param has its default and `env` knows nothing.
  public init(parameters: [String: String] = [:], environment: [String: String] = [:]) {
    self.parameters = parameters
    self.environment = environment
  }

  /// The value meant for a param and where it comes from; `--set` goes before the environment.
  func value(of name: String) -> (text: String, source: String)? {
    if let text = parameters[name] { return (text, "--set \(name)") }
    let variable = "PIPELINE_PARAM_" + name.uppercased()
    return environment[variable].map { ($0, variable) }
  }
}
