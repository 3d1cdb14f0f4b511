import Foundation
import StorePipelineApp
import Synchronization
import TestSupport
import Testing

@Suite("The progress of a migration in an app", .temporaryFolder)
struct MigrationProgressTests {
  @Test("it rises from 0 to 1 in many steps, and the phases come in their order")
  func rises() async throws {
    let sample = try AppSample(notes: 40_000)
    let progress = RecordedProgress()
    try await migrate(sample.store, with: sample.pipeline, progress: progress)
    let (fractions, phases) = progress.recorded
    #expect(fractions == fractions.sorted())
    #expect(fractions.last == 1)
    #expect(Set(fractions).count > 10)
    #expect(phases == MigrationPhase.allCases)
  }

  @Test("a migration that is resumed does not fall behind") func resumed() async throws {
    let sample = try AppSample(notes: 40_000)
    let first = RecordedProgress(pausingAt: 0.5)
    let result = try await migrate(sample.store, with: sample.pipeline, progress: first)
    try #require(result == .paused)
    let second = RecordedProgress()
    try await migrate(sample.store, with: sample.pipeline, progress: second)
    #expect(second.recorded.fractions == second.recorded.fractions.sorted())
    #expect(second.recorded.fractions.last == 1)
  }

  @Test("where nothing is to be done it is at its end") func nothing() async throws {
    let sample = try AppSample()
    try await migrate(sample.store, with: sample.pipeline)
    let progress = Progress(totalUnitCount: 0)
    try await migrate(sample.store, with: sample.pipeline, progress: progress)
    #expect(progress.fractionCompleted == 1)
    #expect(progress.isFinished)
  }

  @Test("each phase has words for people") func words() {
    #expect(Set(MigrationPhase.allCases.map(\.text)).count == MigrationPhase.allCases.count)
  }
}

/// A progress that keeps what it was set to.
final class RecordedProgress: Progress, @unchecked Sendable {
  private let kept = Mutex<(fractions: [Double], phases: [MigrationPhase])>(([], []))
  private let pause: Double
  private let resumes: Bool

  /// One that pauses itself at a fraction, above 1 never, and may resume itself in a moment.
  init(pausingAt pause: Double = 2, resumes: Bool = false) {
    (self.pause, self.resumes) = (pause, resumes)
    super.init(parent: nil, userInfo: nil)
  }

  /// The fractions in their order, and the phases, each once.
  var recorded: (fractions: [Double], phases: [MigrationPhase]) { kept.withLock { $0 } }

  override var completedUnitCount: Int64 {
    get { super.completedUnitCount }
    set {
      super.completedUnitCount = newValue
      let phase = migrationPhase
      kept.withLock { kept in
        kept.fractions.append(fractionCompleted)
        if let phase, kept.phases.last != phase { kept.phases.append(phase) }
      }
      guard fractionCompleted >= pause, !isPaused else { return }
      self.pause()
      if resumes { Task { self.resume() } }
    }
  }
}
