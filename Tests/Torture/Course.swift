import Foundation
import StoreReplacement

/// What is done to one command.
struct Course: Sendable {
  let setting: Setting
  /// The ways in which each of its calls goes wrong.
  var modes = Mode.allCases
  /// At every so many calls it is killed, and then at every so many of the same command when it
  /// resumes.
  var twice: (every: Int, then: Int)?

  /// Does it, where it is wanted.
  func add(to campaign: inout Campaign, in scratch: URL) throws {
    guard campaign.wants(setting, modes + (twice == nil ? [] : [nil])) else { return }
    let bench = try Bench(setting, in: scratch)
    for mode in modes { campaign.points(mode, bench) }
    if let twice { campaign.twice(bench, every: twice.every, then: twice.then) }
  }

  /// All courses of the whole program.
  static var all: [Course] { plain + layered + others }

  /// New stores that begin empty.
  private static var plain: [Course] {
    [
      Course(setting: Setting(.run), twice: (7, 49)),
      Course(setting: Setting(.swap), modes: [], twice: (7, 7)),
      Course(setting: Setting(.swap, .rename), twice: (7, 7)),
      Course(setting: Setting(.rollback), twice: (7, 7)),
      Course(setting: Setting(.restore), twice: (7, 7)),
      Course(setting: Setting(.output)),
    ]
  }

  /// New stores that begin on top of the old one, wherever they go; and a store whose pages have
  /// another size than those of what takes its place.
  private static var layered: [Course] {
    [
      Course(setting: Setting(.run, of: .layered), twice: (7, 49)),
      Course(setting: Setting(.run, of: .short), twice: (7, 49)),
      Course(setting: Setting(.swap, of: .layered), modes: [], twice: (7, 7)),
      Course(setting: Setting(.run, of: .chain), twice: (7, 49)),
      Course(setting: Setting(.run, of: .rolling)),
      Course(setting: Setting(.run, .rename, of: .layered), twice: (7, 49)),
      Course(setting: Setting(.output, of: .layered), twice: (7, 49)),
      Course(setting: Setting(.output, of: .chain)),
      Course(setting: Setting(.rollback, of: .layered), twice: (7, 7)),
      Course(setting: Setting(.restore, of: .resized), twice: (7, 7)),
    ]
  }

  private static var others: [Course] {
    [Bench.Kind.workers, .resume, .retry].map { kind in
      Course(setting: Setting(kind), modes: [.kill, .torn, .inputOutput], twice: (21, 21))
    }
  }
}
