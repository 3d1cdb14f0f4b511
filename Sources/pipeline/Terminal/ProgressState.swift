import Foundation
import StorePipeline

/// What the events so far amount to: all that a progress line shows.
struct ProgressState: Sendable {
  /// How far back the rate looks, in seconds.
  static let window = 10.0

  private(set) var stage = ""
  private(set) var entity = ""
  /// Rows done in this stage.
  private(set) var rows = 0
  /// Rows of this stage, when known.
  private(set) var total: Int?
  /// Whether these are parts of the stage, and not rows.
  private(set) var countsParts = false
  /// Bytes done in this stage.
  private(set) var bytes = 0
  /// Objects rejected in the whole run.
  private(set) var rejected = 0
  /// How far the run is as a whole; nil for work that does not say.
  private(set) var fraction: Double?
  /// The seconds that remained of the run, and when.
  private var end: (seconds: Double, time: Date)?
  private var samples: [Sample] = []

  private struct Sample: Equatable {
    var time: Date
    var rows: Int
  }

  /// Nothing has happened yet.
  init() {}

  mutating func take(_ event: ProgressEvent) {
    switch event.kind {
    case .stageStarted:
      let (rejected, fraction, end) = (rejected, fraction, end)
      self = ProgressState()
      (self.rejected, self.fraction, self.end) = (rejected, fraction, end)
      note(event)
    case .progress, .stageFinished: note(event)
    case .rejected: rejected += 1
    case .runStarted, .warning, .output, .swapped, .runFinished: break
    }
  }

  /// Rows a second of late, once that can be measured.
  var rate: Double? {
    guard let first = samples.first, let last = samples.last, last.rows > first.rows else {
      return nil
    }
    let seconds = last.time.timeIntervalSince(first.time)
    return seconds > 0 ? Double(last.rows - first.rows) / seconds : nil
  }

  /// Of the last two seconds of a run nothing is said: a line shows whole seconds.
  private static let least = 2.0

  /// Seconds until the run is done; of other work, until the stage is, at this rate.
  func remaining(at now: Date) -> Double? {
    if fraction != nil {
      let rest = end.map { $0.seconds - now.timeIntervalSince($0.time) } ?? 0
      return rest >= Self.least ? rest : nil
    }
    guard let rate, let total, let last = samples.last else { return nil }
    return max(0, Double(total - last.rows) / rate - now.timeIntervalSince(last.time))
  }

  private mutating func note(_ event: ProgressEvent) {
    stage = event.stage ?? stage
    entity = event.entity ?? ""
    (rows, bytes, countsParts) = (event.rows, event.bytes, event.countsParts)
    total = event.total ?? total
    fraction = event.fraction ?? fraction
    end = event.remaining.map { ($0, event.time) }
    sample(event)
  }

  /// Keeps a few samples a second, over the window.
  private mutating func sample(_ event: ProgressEvent) {
    if let before = samples.dropLast().last, event.time.timeIntervalSince(before.time) < 0.25 {
      samples.removeLast()
    }
    samples.append(Sample(time: event.time, rows: event.rows))
    let isOld = { (sample: Sample) in event.time.timeIntervalSince(sample.time) >= Self.window }
    while samples.count > 2, let second = samples.dropFirst().first, isOld(second) {
      samples.removeFirst()
    }
  }
}
