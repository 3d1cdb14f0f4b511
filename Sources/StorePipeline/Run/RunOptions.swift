internal import CoreDataStore
internal import Foundation
package import StoreReplacement

/// What one run is given besides its plan.
public struct RunOptions: Sendable, Hashable {
  /// Where the new store goes, with the old one left as it is; nil for the old one's place.
  public var output: String?
  /// The stage after which the run stops, with its work kept for the next one.
  public var until: String?
  /// The file that the report goes to, in the form that its name ends in: html, md or json.
  public var report: String?
  /// Whether a run that was begun with another pipeline, model or store is given up.
  public var restarts: Bool
  /// The folder for state, backups and rejects; nil for the one next to the store.
  public var work: String?
  /// Whether failures are reported with the values that failed, which are the user's data.
  public var showsValues: Bool
  /// How many failures are listed one by one; all are counted.
  public var failureLimit: Int
  /// Whether the swap is left out, and everything else done where it leaves nothing behind.
  public var dryRun: DryRun?
  /// How much of the values a report shows.
  package var values = ValueDisplay.short
  /// How many objects a report lists one by one; nil for as many as a page can hold.
  public var listed: Int?
  /// The threads that run the functions of one script, in addition to the one that writes; 1 for
  /// none.
  ///
  /// Nil is as many as the machine has processors, 4 at most, and none where objects are large, of
  /// which each thread holds some. What comes of the run does not depend on it, and a run may be
  /// resumed with another number.
  public var workers: Int?
  /// The runs that share the processors where nothing is said of workers.
  var runsAtOnce = 1
  /// The words of the command that would resume the run, kept in its record; none when no
  /// command began it.
  public var command: [String] = []
  /// The id of the run that has to be found cut short; nil for any, or none.
  package var resumed: String?
  /// The id of a run that is done again, so that its scripts see the same.
  package var run: String?
  /// The objects that each step of a run that is done again leaves out, by their entity.
  ///
  /// They are those that the run rejected. The stores of all steps stay then; nil in other runs.
  package var leavesOut: [[String: [Int64]]]?
  /// The run's files, when they are not those of the store.
  package var folder: WorkFolder?
  /// The environment of the programs that hooks start, `PATH` included.
  public var environment = ProcessInfo.processInfo.environment
  /// The pipelines whose programs may be started; nil for those that the user trusts whose
  /// environment this is.
  package var trusted: TrustList?

  /// Options; without any, the new store takes the place of the old one.
  public init(
    output: String? = nil, until: String? = nil, report: String? = nil, restarts: Bool = false,
    work: String? = nil,
    showsValues: Bool = false, failureLimit: Int = 100
  ) {
    self.output = output
    self.until = until
    self.report = report
    self.restarts = restarts
    self.work = work
    self.showsValues = showsValues
    self.failureLimit = failureLimit
  }

  /// The pipelines whose programs may be started.
  var trust: TrustList { trusted ?? TrustList(environment: environment) }
}
