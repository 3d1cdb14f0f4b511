extension StageRegistry {
  /// The stages that ship.
  public static let standard = StageRegistry([
    DetectStage.self, OpenStage.self, CopyStage.self, TransformStage.self, ConnectStage.self,
    MetadataStage.self, ValidateStage.self, VerifyStage.self, ReportStage.self, BackupStage.self,
    SwapStage.self, HookStage.self,
  ]).with(ShippedStages.names) { ShippedStages.all.map(\.kind) }
}
