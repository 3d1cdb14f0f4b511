import CoreDataStore
internal import StoreMigration
internal import StoreReplacement

/// What the stages of a pipeline say beforehand, and the plan or the run as a whole has to know.
///
/// Each stage writes its own part; no other code asks what a stage is called or what its options
/// say. What no stage declares is as it stands here.
public struct StageDeclarations: Sendable {
  /// The script that says which version the store has.
  var versionScript: Script?
  /// Whether a stage ends the run here when the store is of the target version already.
  var endsWhenCurrent = false
  /// How long to wait for another process that has the store.
  var wait = usualWait
  /// Whether the free space is compared with the space needed.
  var checksSpace = true
  /// What can happen to a store that is mirrored to CloudKit.
  enum CloudKit: String, OptionChoice {
    /// It is not migrated.
    case refuse
    /// The mirror is carried over.
    case carry
    /// The mirror is left behind; `drop` is the old name.
    case reset, drop
  }

  /// What happens to a store that is mirrored to CloudKit, and the line that says so.
  var cloudKit = CloudKit.refuse
  var cloudKitLine: Int?

  /// Whether a stage brings the objects that no script makes to the new store.
  var copiesRest = false
  /// Where what is wrong with the mapping is to be corrected.
  var mappingLine: Int?
  /// What is said of the mapping, the scripts not among it.
  var instructions = MappingInstructions()
  /// Conditions, as the file has them.
  var conditions: [Condition] = []
  /// How the new store begins.
  var start = Start.auto
  /// The scripts that objects are given to.
  var transforms: [Transform] = []

  /// Whether the new store is compared with the rules of its model.
  public var validates = false
  /// Counts that must be as said.
  var expectations: [Expectation] = []
  /// How the stores are compared row by row; nil when they are not.
  var verification: Verification?
  /// What happens to the metadata and the history.
  var metadata = FinishChoices()

  /// The files that stages write outside the run's own folder.
  var files: [File] = []
  /// Whether a stage reports what the run changes.
  public var reports = false
  /// The programs that are started.
  var hooks: [Hook] = []
  /// How the new store takes the place of the old one; nil when it does not.
  var swap: SwapChoices?

  /// Declares a file or folder that a stage writes, by its path in the pipeline file.
  ///
  /// A run refuses a path that leads to the store, a backup, or anything else that must not be
  /// written over.
  public mutating func write(_ path: String, isFolder: Bool = false, in stage: PipelineStage) {
    files.append(
      File(path: path, isFolder: isFolder, stage: stage, isBehindDetection: endsWhenCurrent))
  }

  /// Why the new store has to be a file of its own before it takes the old one's place, a part of a
  /// sentence; nil where it has not.
  var fileReason: String? {
    hooks.isEmpty ? nil : "a program may look at it before the swap"
  }

  /// How long a pipeline waits that says nothing of it.
  static let usualWait = Duration.seconds(10)

  /// A Lua file.
  struct Script {
    /// Its path, as it was written.
    let path: String
    let line: Int
  }

  /// How the new store begins.
  enum Start: String, OptionChoice {
    /// In the best way: on top of the source's pages where that can be had and pays.
    case auto
    /// As a copy of the source's pages.
    case clone
    /// Empty.
    case empty
  }

  /// A condition for objects of an entity.
  struct Condition {
    let entity: String
    let text: String
    let line: Int
  }

  /// A script that objects of an entity are given to.
  struct Transform {
    let stage: PipelineStage
    /// The entity, by its old name.
    let entity: String
    /// The Lua file, as it was written.
    let script: String
    /// What the script finds as its parameters.
    let params: [String: OptionValue]
    /// What happens to an object that the script fails on.
    let onError: ScriptOptions.OnError
    /// How many may be rejected; nil for any number.
    let mostRejects: Int?
  }

  /// A comparison of the stores, row by row.
  struct Verification {
    /// The name of the stage that asks for it.
    let stage: String
    /// How many objects of each entity are compared; nil for all.
    let sample: Int?
  }

  /// A file that a stage writes.
  struct File {
    /// Its path, as it was written.
    let path: String
    let isFolder: Bool
    let stage: PipelineStage
    /// Whether a run of a store that is current ends before the stage.
    let isBehindDetection: Bool
  }

  /// A program of the user's.
  struct Hook: Hashable {
    /// The program and its arguments.
    let words: [String]
    /// The moments at which it is started; none for the stage's turn.
    let moments: [HookMoment]
    /// How long it may take.
    let time: Duration
    /// The line of the stage, and that of its command.
    let line: Int
    let commandLine: Int
  }
}
