internal import CoreDataStore

/// Why a migration failed, and whether another try is worth it.
///
/// The old store is in place.
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
  /// What happened: a `Failure`, a `PipelineFileError` or a `ScriptFailure`.
  public let reason: any Error
  /// What was being done, to what, why it failed and what to do; it holds no values of the store.
  public let description: String

  /// An error of the library; `folder` is where the pipeline was for this call, which means nothing
  /// to a reader.
  init(_ reason: any Error, folder: String?) {
    self.reason = reason
    let text = "\(reason)"
    description = folder.map { text.replacing("\($0)/", with: "") } ?? text
    retry = (reason as? Failure).map { Self.retry(after: $0.kind) } ?? .never
  }

  private static func retry(after kind: Failure.Kind) -> Retry {
    switch kind {
    case .busy: .soon
    case .refused: .later
    case .no, .misuse, .notCoreData, .unusable, .unusableModel, .defect: .never
    }
  }
}
