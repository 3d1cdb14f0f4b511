public import Foundation

/// One thing a run says about how far it is.
///
/// A run reports a series of these; a terminal's bar and the file of `--events` are made from them.
public struct ProgressEvent: Sendable, Equatable {
  /// What happened.
  public enum Kind: String, Sendable, CaseIterable {
    /// The run began.
    case runStarted = "run-started"
    /// A stage began.
    case stageStarted = "stage-started"
    /// Rows went by.
    case progress
    /// Something needs a person's eye, and did not stop the run.
    case warning
    /// An object was rejected.
    case rejected
    /// A program that the run has started printed a line.
    case output
    /// A stage ended.
    case stageFinished = "stage-finished"
    /// The new store is in the place of the old one.
    case swapped
    /// The run ended, with a status.
    case runFinished = "run-finished"
  }

  /// What happened.
  public var kind: Kind
  /// When it happened.
  public var time: Date
  /// The run's id.
  public var run: String
  /// The path of the store.
  public var store: String
  /// How far the run is as a whole, from 0 to 1, which never falls; nil where that is unknown.
  public var fraction: Double?
  /// The seconds until the run's end, as far as it has shown: once a tenth of the run is done and
  /// it has taken a second, as long as two remain; else nil.
  public var remaining: Double?
  /// Whether a script makes objects a second time, to verify them.
  package var isRepeated = false
  /// Whether entities or steps are counted, and not rows.
  package var countsParts = false
  /// The stage at work, if one is.
  public var stage: String?
  /// The entity at work, if one is.
  public var entity: String?
  /// Rows done so far in this stage.
  public var rows: Int
  /// Rows this stage will do, when that is known.
  public var total: Int?
  /// Bytes done so far in this stage.
  public var bytes: Int
  /// A sentence for a person, with a warning, a rejected object or a line that was printed; with
  /// `runFinished` the error that has ended the run.
  public var message: String?
  /// The exit status, with `runFinished`.
  public var status: Int32?
  /// What the run has done, with `runFinished` of a run that no error has ended.
  public var summary: RunSummary?

  /// An event, with what is known of it.
  public init(
    _ kind: Kind, time: Date, run: String, store: String, stage: String? = nil,
    entity: String? = nil, rows: Int = 0, total: Int? = nil, bytes: Int = 0,
    message: String? = nil, status: Int32? = nil
  ) {
    self.kind = kind
    self.time = time
    self.run = run
    self.store = store
    self.stage = stage
    self.entity = entity
    self.rows = rows
    self.total = total
    self.bytes = bytes
    self.message = message
    self.status = status
  }
}
