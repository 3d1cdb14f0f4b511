import CoreDataStore
import Foundation
import StorePipeline
import StorePrograms
import TestSupport
import Testing

/// The run of the sample in a folder, for a process of its own.
@discardableResult
private func runNotes(
  in folder: String, output: String? = nil, work: String? = nil
) async throws -> RunSummary {
  let pipeline = try PipelineFile(path: folder + "/notes.pipeline").pipeline()
  let store = folder + "/Notes.sqlite"
  let plan = try Planner(pipeline: pipeline).plan(store: try Store(store))
  let options = RunOptions(
    output: output.map { "\(folder)/\($0)" }, work: work.map { "\(folder)/\($0)" })
  return try await Run(plan, store: store, options: options, programs: SystemPrograms()).execute()
}

@Suite("What a run has on the disk", .temporaryFolder)
struct RunDurabilityTests {
  private static let work = "Notes.sqlite.pipeline"

  /// The calls of a run that change or sync a file, in their order.
  private static func calls(
    in folder: String, output: String? = nil, work: String? = nil
  ) async throws -> [String] {
    await #expect(processExitsWith: .success) {
      [folder = folder as String, output = output as String?, work = work as String?] in
      EnvironmentVariable.set("PIPELINE_FAULTS_LOG", folder + "/calls")
      try await runNotes(in: folder, output: output, work: work)
    }
    return try String(contentsOfFile: folder + "/calls", encoding: .utf8)
      .split(separator: "\n").map { $0.split(separator: "\t").dropFirst().joined(separator: " ") }
  }

  private static func isSync(_ call: String) -> Bool {
    call.hasPrefix("fsync ") || call.hasPrefix("xSync ")
  }

  @Test("all that the exchange builds on is there before it begins, by 24 syncs at most")
  func order() async throws {
    let sample = try RunSample()
    let calls = try await Self.calls(in: sample.folder.path)
    let begun = try #require(calls.firstIndex { $0.hasSuffix("/Notes.sqlite-journal") })
    let noted = try #require(calls[..<begun].lastIndex { $0.hasSuffix("run/state.json") })
    let synced = calls[..<noted].filter(Self.isSync)
    for name in [
      "run/next.sqlite", "run/.", "backups/.", "/Notes.sqlite", "/manifest.json.new", "/.",
    ] {
      #expect(synced.contains { $0.hasSuffix(name) && $0.contains(Self.work) }, "\(name)")
    }
    // The folder that they are all in is the store's, which is synced with the journal in it.
    let written = try #require(
      calls[begun...].firstIndex { $0.hasPrefix("xWrite ") && $0.hasSuffix("/Notes.sqlite") })
    let folder = "/\(sample.folder.lastPathComponent)/."
    #expect(calls[begun..<written].contains { Self.isSync($0) && $0.hasSuffix(folder) })
    #expect(calls[noted..<begun].contains { Self.isSync($0) && $0.hasSuffix("run/.") })
    #expect(calls.count(where: Self.isSync) <= 24)
  }

  @Test("a work folder that is elsewhere has its name on the disk before the exchange begins")
  func elsewhere() async throws {
    let sample = try RunSample()
    let other = sample.path("other")
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
    let calls = try await Self.calls(in: sample.folder.path, work: "other/work")
    let begun = try #require(calls.firstIndex { $0.hasSuffix("/Notes.sqlite-journal") })
    #expect(calls[..<begun].contains { Self.isSync($0) && $0.hasSuffix("/other/.") })
  }

  @Test("a copy that could not be synced as the backup is made again, and not believed")
  func failing() async throws {
    let folder = try RunSample().folder.path
    let trial = folder + "-trial"
    try FileManager.default.copyItem(atPath: folder, toPath: trial)
    defer { try? FileManager.default.removeItem(atPath: trial) }
    let calls = try await Self.calls(in: trial)
    let place = try #require(
      calls.firstIndex {
        $0.hasPrefix("fsync ") && $0.contains("/backups/") && $0.hasSuffix("/Notes.sqlite")
      })
    await #expect(processExitsWith: .exitCode(4)) {
      [folder = folder as String, place = place as Int] in
      EnvironmentVariable.set("PIPELINE_FAULTS", "5:\(place + 1)")
      do { try await runNotes(in: folder) } catch { exit(RunStatus.of(error)) }
    }
    let source = "\(folder)/\(Self.work)/run/source.sqlite"
    #expect(!FileManager.default.fileExists(atPath: source))
    await #expect(processExitsWith: .success) { [folder = folder as String] in
      try await runNotes(in: folder)
    }
    let models = try ModelSource([folder + "/Notes.xcdatamodeld"])
    #expect(try Store(folder + "/Notes.sqlite").recognise(among: models).model?.name == "Notes 2")
  }

  /// The calls of a run in a copy of the folder, and which of them gives the output its name.
  private static func naming(
    of output: String, in folder: String
  ) async throws -> (calls: [String], named: Int) {
    let trial = folder + "-trial"
    try FileManager.default.copyItem(atPath: folder, toPath: trial)
    defer { try? FileManager.default.removeItem(atPath: trial) }
    let calls = try await Self.calls(in: trial, output: output)
    return (
      calls,
      try #require(calls.firstIndex { $0.hasPrefix("rename ") && $0.hasSuffix("/\(output)") })
    )
  }

  @Test("a folder that cannot be synced once the new store has its name there is a warning")
  func named() async throws {
    let folder = try RunSample().folder.path
    let (calls, named) = try await Self.naming(of: "Out.sqlite", in: folder)
    let place = try #require(calls[named...].firstIndex { $0.hasPrefix("fsync ") })
    await #expect(processExitsWith: .success) {
      [folder = folder as String, place = place as Int] in
      EnvironmentVariable.set("PIPELINE_FAULTS", "5:\(place + 1)")
      let summary = try await runNotes(in: folder, output: "Out.sqlite")
      #expect(summary.warnings.contains { $0.contains("power cut") }, "\(summary.warnings)")
    }
    let models = try ModelSource([folder + "/Notes.xcdatamodeld"])
    #expect(try Store(folder + "/Out.sqlite").recognise(among: models).model?.name == "Notes 2")
  }

  @Test("a lock that cannot be removed when the new store has its name elsewhere is a warning")
  func lockStays() async throws {
    let folder = try RunSample().folder.path
    let (calls, named) = try await Self.naming(of: "Out.sqlite", in: folder)
    let place = try #require(
      calls[named...].firstIndex { $0.hasPrefix("unlink ") && $0.hasSuffix(".pipeline-lock") })
    await #expect(processExitsWith: .success) {
      [folder = folder as String, place = place as Int] in
      EnvironmentVariable.set("PIPELINE_FAULTS", "5:\(place + 1)")
      let summary = try await runNotes(in: folder, output: "Out.sqlite")
      #expect(summary.warnings.contains { $0.contains("Out.sqlite.pipeline-lock") })
    }
    let models = try ModelSource([folder + "/Notes.xcdatamodeld"])
    #expect(try Store(folder + "/Out.sqlite").recognise(among: models).model?.name == "Notes 2")
  }

  @Test("a run that was killed when the new store had its name elsewhere is continued")
  func killedNamed() async throws {
    let folder = try RunSample().folder.path
    let named = try await Self.naming(of: "Out.sqlite", in: folder).named
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [folder = folder as String, place = named as Int] in
      EnvironmentVariable.set("PIPELINE_FAULTS", "kill:\(place + 2)")
      try await runNotes(in: folder, output: "Out.sqlite")
    }
    let made = try Data(contentsOf: URL(filePath: folder + "/Out.sqlite"))
    let summary = try await runNotes(in: folder, output: "Out.sqlite")
    #expect(summary.outcome == .written(folder + "/Out.sqlite"))
    #expect(try Data(contentsOf: URL(filePath: folder + "/Out.sqlite")) == made)
    await #expect(throws: Failure.self) { try await runNotes(in: folder, output: "Out.sqlite") }
  }
}
