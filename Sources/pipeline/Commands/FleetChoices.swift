import CoreDataStore
import Foundation
internal import OperatingSystem
import StorePipeline
import StorePrograms

/// The options of `run` that are about many stores.
struct FleetChoices: Sendable {
  var list: String?
  var shard: String?
  var jobs: Int?
  var failFast = false
  var listsAll = false

  static let arguments: [Argument<Self>] = [
    .option(
      "stores-from", value: "FILE", \.list,
      "Take the stores that FILE lists, one a line; - is standard input.", takes: .file),
    .option(
      "shard", value: "I/N", \.shard,
      "Take the I-th of N parts of the list: line I, and each N-th line after it."),
    .option("jobs", short: "j", value: "N", \.jobs, "Migrate N stores at a time; 1 unless given."),
    .flag("fail-fast", \.failFast, "Stop all stores when one fails; they can be resumed."),
    .flag(
      "all", \.listsAll,
      "List every store in the table; of more than 20, only those that failed unless given."),
  ]

  /// Stores that the words name: those to migrate, and all of which they are a part.
  struct Named {
    var paths: [String]
    var all: [String]
  }

  /// Whether the words mean many stores, be it that there is one.
  func isMeant(for stores: [String], _ choices: RunChoices) -> Bool {
    stores.count > 1 || list != nil || shard != nil || jobs != nil || failFast
      || [choices.output, choices.report].compactMap(\.self).contains(where: Self.isFolder)
  }

  /// All stores: those of the command line, then those of the list; or a part of the list.
  ///
  /// A part may be empty: an engine may start more tasks than there are lines.
  func stores(besides stores: [String]) async throws -> Named {
    guard jobs ?? 1 > 0 else { throw UsageError("--jobs takes a number of stores, 1 at least") }
    let shard = try part(besides: stores)
    var lines: [String] = []
    if let list { lines = try await Self.read(list) }
    let all = stores + lines.filter { !$0.isEmpty }
    guard !all.isEmpty else { throw UsageError("no store is given, and the list names none") }
    guard let shard else { return Named(paths: all, all: all) }
    return Named(paths: shard.part(of: lines).filter { !$0.isEmpty }, all: all)
  }

  private func part(besides stores: [String]) throws -> StoreList.Shard? {
    guard let shard else { return nil }
    guard let part = StoreList.Shard(shard) else {
      throw UsageError(
        "--shard takes I/N, such as 3/64: part I of N, from 1 on, not \(shard.quoted)")
    }
    guard list != nil, stores.isEmpty else {
      throw UsageError("--shard is about the lines of --stores-from: name the stores there alone")
    }
    return part
  }

  /// Carries out a pipeline on stores and reports what happened to each.
  func run(
    _ planner: Planner, _ stores: [FleetStore], _ context: Context
  ) async throws -> ExitStatus {
    var fleet = Fleet(planner, stores: stores)
    fleet.programs = SystemPrograms()
    fleet.jobs = jobs ?? 1
    fleet.failsFast = failFast
    context.progress.expectSeveralStores()
    var done = 0
    let summary = await fleet.execute(events: { context.progress.report($0) }) { entry in
      done += 1
      tell(entry, "\(done)/\(stores.count)", context.console)
    }
    context.progress.end()
    let stopped = context.cancellation.status
    tell(summary, stopped, context)
    if stopped != nil {
      throw Interruption(
        stores: "Each store is migrated or unchanged, as the table says.",
        // A list that another program has written into a pipe is gone.
        listed: list == "-" || list?.hasPrefix("/dev/") == true ? stores.map(\.path) : [])
    }
    return ExitStatus(rawValue: summary.status) ?? .no
  }

  private func tell(_ entry: FleetSummary.Entry, _ count: String, _ console: Console) {
    let path = entry.store.path
    if case .failed(let error) = entry.outcome {
      let problems = Console.problems(of: error)
      console.report(problems)
      // A mistake in a file names no store, and what is said below is left out when quiet.
      if console.isQuiet, !problems.contains(where: { $0.message.contains(path) }) {
        console.complain("  while migrating \(path.oneLine)")
      }
    }
    console.note("\(count) \(path.oneLine): \(entry.outcome.word)")
  }

  private func tell(_ summary: FleetSummary, _ stopped: ExitStatus?, _ context: Context) {
    let console = context.console
    if context.options.json {
      JSONFleetSummary(summary, stopped: stopped?.rawValue).write { console.output.write($0) }
      return console.result("")
    }
    console.result(
      TextFleetSummary(
        summary, listsAll: listsAll, width: console.reportWidth, style: console.outputStyle
      ).text)
  }

  /// As `cp` has it: what ends in a slash, or is a folder, takes files.
  private static func isFolder(_ path: String) -> Bool {
    path.hasSuffix("/") || WorkFolders.isFolder(FileSystem.resolved(path))
  }

  private static func read(_ path: String) async throws -> [String] {
    guard path == "-" || FilePlace(path).isOpenedAtOnce else {
      throw CommandFailure(
        .misuse, "cannot read the list of stores: \(path.oneLine)\nIt is not a regular file.",
        hint: "Give --stores-from a file with one path a line, or - for standard input.")
    }
    do {
      return StoreList.lines(in: String(decoding: try await bytes(of: path), as: UTF8.self))
    } catch let stopped as CancellationError {
      throw stopped
    } catch {
      throw CommandFailure(
        .misuse,
        "cannot read the list of stores: \(path.oneLine)\n\(Failure.reason(error, at: path))",
        hint: "Give --stores-from a file with one path a line, or - for standard input.")
    }
  }

  /// What a list has, be it a pipe: a signal does not wait for the program that fills it.
  private static func bytes(of path: String) async throws -> Data {
    let (parts, source) = AsyncThrowingStream<Data, any Error>.makeStream()
    Thread.detachNewThread {
      do {
        let file =
          try path == "-" ? .standardInput : FileHandle(forReadingFrom: URL(filePath: path))
        source.yield(try file.readToEnd() ?? Data())
        source.finish()
      } catch {
        source.finish(throwing: error)
      }
    }
    for try await data in parts { return data }
    // A task that is cancelled waits for no further part.
    throw CancellationError()
  }
}
