/// `stage "connect"`: links that could not be made while objects were.
package struct ConnectStage: Stage {
  /// The stage with all its defaults.
  package init() {}

  /// What it is called, what it does, where it may stand.
  package static let description = {
    var description = plain
    description.connects = true
    return description
  }()

  private static let plain = StageDescription(
    name: "connect",
    summary: "Makes the links that had to wait until all objects were there.",
    details: """
      Runs the scripts' `relate`, `related` and `finish` hooks, and makes links between objects \
      of different chunks. If the scripts need this stage and the file does not name it, it runs \
      before `validate`; name it to put it in another place.
      """,
    consumes: [.objects], produces: [.objects], touches: [.destination], place: .inStep,
    example: #"stage "connect" {}"#)
}

extension ConnectStage {
  /// Makes the links that do not travel with their objects, then runs the scripts' later hooks.
  package func run(_ context: RunContext) async throws {
    try context.session.builder().connect(context.session.log)
  }
}
