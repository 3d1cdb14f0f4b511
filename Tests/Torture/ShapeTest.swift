import CoreDataStore
import Foundation
import SQLite
import StoreReplacement

/// A swap by itself, of stores of some shape, that goes wrong at each of its calls.
///
/// The old store has its very bytes again, no matter which SQLite rolls back; the new one has the
/// pages that SQLite's backup API makes.
struct ShapeTest: Sendable {
  let name: String
  /// The calls of an uninterrupted swap.
  let calls: [String]
  private let shape: Shape

  /// Does it once, uninterrupted.
  init(_ name: String, _ shape: Shape, in scratch: URL) throws {
    (self.name, self.shape) = ("a swap of \(name)", shape)
    let place = try Self.lay(shape, in: scratch)
    let log = scratch.appending(path: "calls.log")
    try? FileManager.default.removeItem(at: log)
    let end = try Self.child(place.trial, log: log).run()
    guard end.status == 0, end.text.isEmpty else { throw TortureError(end.text) }
    calls = try Child.calls(in: log)
    guard try Self.image(place.trial.store, in: scratch).image == place.wanted else {
      throw TortureError("\(name): other pages than the backup API's")
    }
  }

  /// Lets it go wrong at a call, and does it again.
  func fail(_ mode: Mode, at point: Int, in scratch: URL) throws -> Score {
    let (trial, old, wanted) = try Self.lay(shape, in: scratch)
    let end = try Self.child(trial, fault: mode.fault(at: point)).run()
    let call = calls[point - 1].replacing("\t", with: " ")
    func failed(_ why: String) -> Score {
      Score(points: 1, failures: ["\(why), at \(call); status \(end.status): \(end.text)"])
    }
    if mode.kills != end.isKilled { return failed(mode.kills ? "not killed" : "it crashed") }
    let found = try Self.image(trial.store, in: scratch)
    let isNew = found.image == wanted
    if !isNew, found.image != old.image { return failed("neither the old pages nor the new") }
    if !isNew, shape.journal == "DELETE", found.bytes != old.bytes { return failed("other bytes") }
    if !mode.kills, ![0, 4].contains(end.status) || (end.status == 0) != isNew {
      return failed("status \(end.status) with \(isNew ? "the new" : "the old") store")
    }
    let recovered = scratch.appending(path: "look/\(Sample.store)")
    if let problem = try SecondSQLite.of(scratch)?.problem(trial.store, recovered, in: scratch) {
      return failed(problem)
    }
    let isWithoutBase = try shape.isLayered && !isNew && Self.hasLostBase(trial)
    let again = try Self.child(trial).run()
    if isWithoutBase {
      // A run copies the store once more; an exchange by itself can only leave the store alone.
      let isRefused = again.status != 0 && !again.isKilled
      guard isRefused, try Self.image(trial.store, in: scratch).image == old.image else {
        return failed("again, without the copy: status \(again.status): \(again.text)")
      }
      return Score(points: 1)
    }
    guard again.status == 0 else { return failed("again: status \(again.status): \(again.text)") }
    let last = try Self.image(trial.store, in: scratch)
    guard last.image == wanted else { return failed("again: other pages than the backup API's") }
    let left = try trial.files().filter { $0.contains("-journal") || $0.contains("next.sqlite") }
    return left.isEmpty ? Score(points: 1) : failed("left: \(left)")
  }

  /// Whether the copy that the new store is on top of has been removed, as one that could not be
  /// synced is.
  private static func hasLostBase(_ trial: Trial) throws -> Bool {
    let place = try WorkFolder(store: trial.store.path)
    return !FileManager.default.fileExists(atPath: place.sourcePath)
  }

  private static func child(_ trial: Trial, fault: String? = nil, log: URL? = nil) -> Child {
    var child = Child(
      words: ["swap", trial.store.path], folder: trial.folder, fault: fault, log: log)
    child.program = URL(filePath: CommandLine.arguments[0])
    return child
  }

  /// Both stores in a folder that is made for them, what the old one is, and the pages that it must
  /// get.
  private static func lay(
    _ shape: Shape, in scratch: URL
  ) throws -> (trial: Trial, old: (image: PageImage, bytes: Data), wanted: PageImage) {
    let trial = Trial(at: scratch.appending(path: "trial"))
    try? FileManager.default.removeItem(at: trial.folder)
    try FileManager.default.createDirectory(at: trial.folder, withIntermediateDirectories: true)
    try shape.lay(in: trial.folder)
    let old = try image(trial.store, in: scratch)
    guard let wanted = try Pages.byBackup(trial, in: scratch), wanted != old.image else {
      throw TortureError("no store is ready for the swap")
    }
    return (trial, old, wanted)
  }

  /// The pages of a store after whatever a process has left was rolled back, and the bytes of its
  /// file.
  private static func image(
    _ store: URL, in scratch: URL
  ) throws -> (image: PageImage, bytes: Data) {
    let copy = try Content.copy(store, to: scratch.appending(path: "look"))
    let connection = try Connection(path: copy.path, mode: .own(create: false))
    let problems = try connection.problems(.full)
    guard problems.isEmpty else { throw TortureError("damaged: \(problems[0])") }
    let image = try connection.pageImage()
    try connection.close()
    return (image, try Data(contentsOf: copy))
  }
}
