public import Foundation
internal import StorePipelineApp

/// The folder with the pipeline file, its script and the models; `Bundle.main` has it in an app.
private let upgrades = (Bundle.module.resourceURL ?? Bundle.module.bundleURL)
  .appending(path: "Upgrade")

/// Brings a store to the app's version, before Core Data or SwiftData opens it.
///
/// - Throws: `CancellationError` when the task or the progress was cancelled.
public func migrateAtLaunch(
  _ store: URL, progress: Progress, time: Duration? = nil
) async throws -> LaunchStep {
  do {
    let upgrade = try AppPipeline("upgrade.pipeline", in: upgrades)
    switch try await migrate(store, with: upgrade, progress: progress, time: time) {
    case .migrated: return .open(migrated: true)
    case .upToDate, .noStore: return .open(migrated: false)
    case .paused: return .wait
    }
  } catch let error as MigrationError {
    switch error.retry {
    case .soon: return .tryAgain(error.description)
    case .later: return .tryLater(error.description)
    case .never: return .report(error.description)
    }
  }
}
