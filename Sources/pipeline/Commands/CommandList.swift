extension Program {
  /// The program, with every command there is.
  ///
  /// A new command is one file next to this one, and one line here.
  static let pipeline = Program(
    name: "pipeline",
    summary: """
      Migrate Core Data and SwiftData stores from one model version to another, without Core Data.
      """,
    sections: [
      Section(
        "Look",
        [
          .command(InspectCommand.self), .command(PlanCommand.self), .command(CheckCommand.self),
          .command(DiffCommand.self), .command(FleetCommand.self),
          .group(models),
        ]),
      Section(
        "Change",
        [
          .command(RunCommand.self), .command(UpgradeCommand.self), .command(StatusCommand.self),
          .command(ResumeCommand.self), .command(AbandonCommand.self),
          .command(RejectsCommand.self), .command(RetryCommand.self),
        ]),
      Section(
        "Keep",
        [
          .command(BackupCommand.self), .command(RestoreCommand.self),
          .command(RollbackCommand.self), .command(VerifyCommand.self),
          .command(CleanCommand.self),
        ]),
      Section(
        "Write",
        [
          .command(NewCommand.self), .command(TryCommand.self), .command(TestCommand.self),
          .command(TypesCommand.self),
          .command(StagesCommand.self), .command(TrustCommand.self),
          .group(samples),
        ]),
      Section(
        "Learn",
        [
          .command(HelpCommand.self), .command(ManualCommand.self),
          .command(CompletionsCommand.self),
        ]),
    ])

  private static let models = CommandGroup(
    name: "model", summary: "Compare models, hash them, get them back from stores.",
    commands: [
      ModelDiffCommand.self, ModelRulesCommand.self, ModelHashCommand.self,
      ModelExtractCommand.self,
    ])

  private static let samples = CommandGroup(
    name: SampleCommand.name, summary: SampleCommand.summary, own: SampleCommand.self,
    commands: [SampleFromCommand.self])
}
