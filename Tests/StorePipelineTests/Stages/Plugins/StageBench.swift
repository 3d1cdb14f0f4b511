import CoreDataStore
import Foundation
import Lua
import StoreMigration
import StoreTestSupport
import TestSupport

@testable import StorePipeline

/// A store that is being built, for stages that are run without a run around them.
enum StageBench {
  private static let model = """
    <entity name="Note">
      <attribute name="title" attributeType="String" defaultValueString="-"/>
      <attribute name="body" optional="YES" attributeType="String"/>
      <relationship name="folder" optional="YES" maxCount="1" destinationEntity="Folder"
        inverseName="notes" inverseEntity="Folder"/>
    </entity>
    <entity name="Folder">
      <attribute name="name" optional="YES" attributeType="String"/>
      <relationship name="notes" optional="YES" toMany="YES" destinationEntity="Note"
        inverseName="folder" inverseEntity="Note"/>
    </entity>
    <entity name="Attachment">
      <attribute name="data" optional="YES" attributeType="Binary"
        allowsExternalBinaryDataStorage="YES"/>
    </entity>
    """

  private static let rows = """
    INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 3, 1, 'Milk'), (2, 3, 1, 'Bread');
    """

  /// Two notes, copied into a new store.
  static func builder() throws -> StoreBuilder {
    try copied(BuildSample(model, model, rows: rows, in: TemporaryFolder.url))
  }

  /// A sample's store with all of its objects, and links that travel with them.
  static func copied(_ sample: BuildSample) throws -> StoreBuilder {
    let builder = try sample.builder()
    for object in builder.mapping.objects {
      let copy = try builder.copy(of: object)
      while try copy.chunk() {}
    }
    return builder
  }

  /// A stage with this text.
  static func stage(_ text: String) throws -> LuaStage {
    try LuaStage.load(ScriptFile(Array(text.utf8), named: "stage.lua"))
  }

  /// Runs a stage to its end.
  static func run(
    _ stage: LuaStage, _ builder: StoreBuilder, _ options: [String: OptionValue] = [:]
  ) throws {
    let facts = StepBuilder.ScriptFacts(
      run: "r", now: Date(timeIntervalSinceReferenceDate: 0), rejects: "", showsValues: false,
      canceller: LuaCanceller())
    let planned = PipelineStage(
      name: stage.description.name, line: 1, options: options, optionLines: [:], rules: [])
    let log = RunLog(run: "r", store: "") { _ in }
    try StageRun(stage, planned, builder, number: 1, facts, keepsHistory: false, log).run()
  }

  /// The failure of a stage; nil when it has none.
  static func failure(_ text: String, _ builder: StoreBuilder) throws -> ScriptFailure? {
    do {
      try run(stage(text), builder)
      return nil
    } catch let failure as ScriptFailure {
      return failure
    }
  }

  /// A stage that ships.
  static func shipped(_ name: String) throws -> LuaStage {
    guard let stage = StageRegistry.standard.kind(named: name)?.file else {
      throw CancellationError()
    }
    return stage
  }
}
