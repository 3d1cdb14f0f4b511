internal import CoreDataStore
internal import StorePipeline

/// Why a migration failed, and whether another try is worth it.
///
/// The store is as it was, or whole and new.
public struct MigrationError: Error, Sendable, CustomStringConvertible {
  /// When to try again.
  public enum Retry: String, Sendable, CaseIterable {
    /// In a moment: the store is open elsewhere, in an extension for instance.
    case soon
    /// When something has changed: the disk is full, or the device is locked and its files with it.
    ///
    /// Ask the user to make room, and try again at the next start.
    case later
    /// Not with this version of the app: the store, the pipeline or a script needs a change.
    ///
    /// Keep the store, and send yourself the description.
    case never
  }

  /// When to try again.
  public let retry: Retry
  /// What happened: a `Failure`, a `PipelineFileError`, a `ScriptFailure` or an error of the
  /// system.
  public let reason: any Error
  /// What was being done, to what, why it failed and what to do.
  ///
  /// It holds no values of the store, unless a script puts one into the text of its own `error`.
  public let description: String

  /// An error of the library, without the path of the temporary `folder` that held the pipeline.
  init(_ reason: any Error, folder: String?) {
    self.reason = reason
    let text = "\(reason)"
    description = folder.map { text.replacing("\($0)/", with: "") } ?? text
    retry =
      switch RunStatus.of(reason) {
      case Failure.Kind.busy.status: .soon
      case Failure.Kind.refused.status: .later
      default: .never
      }
  }
}
