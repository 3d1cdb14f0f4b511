/// `stage "open"`: the source for reading alone, and an empty destination.
public enum OpenStage: Stage {
  /// What is to be known of it.
  public static let description = StageDescription(
    name: "open",
    summary: "Opens the source read-only and makes an empty store of the new version.",
    details: """
      Before anything is written, locks, permissions and space are checked and the source's \
      integrity with them. From here to the end the source is read in one snapshot.
      """,
    options: [
      OptionDescription(
        "wait", .duration, default: .duration(usualWait),
        help: "How long to wait for another process that has the store."),
      OptionDescription(
        "space", .choice(["check", "skip"]), default: .text("check"),
        help: "Whether the free space is held against the space needed, before the first write."),
      OptionDescription(
        "cloudkit", .choice(["refuse", "drop"]), default: .text("refuse"),
        help: """
          What becomes of a store that is mirrored to CloudKit: it is refused, or its tables of \
          CloudKit stay behind, counted, so that the app has to begin the mirroring anew.
          """),
    ],
    consumes: [.version], produces: [.stores], touches: [.destination],
    example: #"stage "open" { wait = "10 s", space = "check" }"#)
}

extension OpenStage {
  /// Takes the lock, checks what can be checked, and makes the copy that the run reads.
  public static func run(_ stage: PipelineStage, _ context: RunContext) async throws {
    try context.work.open(
      wait: stage["wait"]?.duration ?? usualWait, checksSpace: stage["space"]?.text != "skip")
  }

  /// How long a pipeline waits for another process that has the store.
  static func wait(of pipeline: Pipeline) -> Duration {
    let stage = pipeline.stages.map(\.stage).first { $0.name == description.name }
    return stage?["wait"]?.duration ?? usualWait
  }

  private static let usualWait = Duration.seconds(10)
}
