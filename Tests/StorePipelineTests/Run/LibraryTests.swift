import CoreDataStore
import Foundation
import StorePipeline
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

/// Counts what has no title, and says so; `stage "untitled" { most = 10 }`.
struct UntitledStage: Stage {
  private var most = 0

  static let description = StageDescription(
    name: "untitled", summary: "Refuses stores with too many untitled notes.", details: "",
    consumes: [.objects], example: #"stage "untitled" { most = 10 }"#)

  static let options: [StageOption<Self>] = [
    .option("most", \.most, .atLeast(0), help: "How many may be.")
  ]

  func run(_ context: RunContext) async throws {
    let count = try context.count("count(Note where title = nil)")
    guard count > most else { return }
    throw Failure(
      .no, what: "cannot take the new store", subject: "Note.title",
      why: "\(count) notes have no title.", remedy: "Give them one.")
  }
}

/// Migrates a store as a pipeline file says, and reports how far it is.
func migrate(_ store: String, by file: String) async throws -> RunSummary {
  let stages = StageRegistry.standard.with(UntitledStage.self)
  let pipeline = try PipelineFile(path: file).pipeline(stages: stages)
  let plan = try Planner(pipeline: pipeline, stages: stages).plan(store: Store(store))
  let run = Run(plan, store: store, stages: stages)
  return try await run.execute { event in
    guard event.kind == .progress, let entity = event.entity else { return }
    progress("\(entity): \(event.rows) of \(event.total ?? 0)")
  }
}

/// What the example does with its lines.
private func progress(_ line: String) { lines.withLock { $0.append(line) } }

private let lines = Mutex<[String]>([])

@Suite("The library's example", .temporaryFolder)
struct LibraryTests {
  @Test("what the documentation shows is what is compiled here")
  func same() throws {
    let here = try String(contentsOfFile: #filePath, encoding: .utf8)
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/StorePipeline/StorePipeline.docc/Library.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let code = try #require(text.split(separator: "```swift\n").last?.split(separator: "```").first)
    let body = code.split(separator: "\n", omittingEmptySubsequences: false).drop {
      $0.hasPrefix("import") || $0.isEmpty
    }
    #expect(body.count > 20)
    #expect(here.contains(body.joined(separator: "\n")))
  }

  @Test("it migrates a store, and its own stage is heard")
  func run() async throws {
    let sample = try RunSample()
    let path = sample.path("notes.pipeline")
    let text = try String(contentsOfFile: path, encoding: .utf8)
      .replacing("stage \"swap\"", with: "stage \"untitled\" {}\nstage \"swap\"")
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    #expect(try await migrate(sample.store, by: path).outcome == .swapped)
    #expect(lines.withLock { $0 }.contains("Note: 3 of 3"))
  }

  @Test("its stage ends the run when it has to")
  func refusal() async throws {
    let sample = try RunSample(adding: "UPDATE ZNOTE SET ZTITLE = NULL WHERE Z_PK = 1;")
    let path = sample.path("notes.pipeline")
    let text = try String(contentsOfFile: path, encoding: .utf8)
      .replacing("stage \"swap\"", with: "stage \"untitled\" {}\nstage \"swap\"")
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    let before = try sample.bytes()
    await #expect(throws: (any Error).self) { try await migrate(sample.store, by: path) }
    #expect(try sample.bytes() == before)
  }
}
