/// One step of work that a pipeline file can ask for.
///
/// A stage is one file: its description and, as it joins the run, what it does.
public protocol Stage: Sendable {
  /// What it is called, what it takes, where it may stand.
  static var description: StageDescription { get }
}
