import Foundation
import StorePipelineApp
import Synchronization

/// Prints each change as a line, "12 % Updating your data".
///
/// An app shows a progress by `ProgressView(progress)`. On Linux a progress has no observers and no
/// locks, so this one prints on the thread that changes it.
final class PrintedProgress: Progress, @unchecked Sendable {
  private let last = Mutex("")

  /// A progress that nothing has been reported to.
  init() { super.init(parent: nil, userInfo: nil) }

  override var completedUnitCount: Int64 {
    didSet {
      let percent = Int(100 * fractionCompleted)
      let line = "\(percent) % \(migrationPhase?.text ?? "")"
      last.withLock { last in
        if line != last { print(line) }
        last = line
      }
    }
  }
}
