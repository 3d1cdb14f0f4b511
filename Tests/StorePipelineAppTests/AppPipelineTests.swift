import Foundation
import StorePipelineApp
import TestSupport
import Testing

@Suite("A pipeline that an app brings along", .temporaryFolder)
struct AppPipelineTests {
  private static let names = ["notes.pipeline", "notes_priority.lua"]

  /// The SHA-256 of the sample's texts, as the system's own program prints them.
  private func digests(of sample: AppSample) throws -> [String: String] {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["openssl", "dgst", "-sha256", "-r"] + Self.names
    process.currentDirectoryURL = sample.resources
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    let pairs = text.split(separator: "\n").map { line in
      (String(line.dropFirst(66)), String(line.prefix(64)))
    }
    return Dictionary(pairs) { first, _ in first }
  }

  private func texts(of sample: AppSample) throws -> [String: Data] {
    Dictionary(uniqueKeysWithValues: try Self.names.map { ($0, try sample.text($0)) })
  }

  @Test("it comes as data, with the digests that the app expects") func data() async throws {
    let sample = try AppSample()
    let pipeline = try AppPipeline(
      "notes.pipeline", texts: texts(of: sample),
      models: [sample.resources.appending(path: "Notes.xcdatamodeld")],
      digests: digests(of: sample))
    try await migrate(sample.store, with: pipeline)
    #expect(try sample.version == "Notes 2")
  }

  @Test("a text that was changed, or that the app does not expect, is refused")
  func digests() throws {
    let sample = try AppSample()
    var texts = try texts(of: sample)
    let digests = try digests(of: sample)
    texts["notes_priority.lua"]?.append(0x0a)
    let changed = #expect(throws: MigrationError.self) {
      try AppPipeline("notes.pipeline", texts: texts, models: [], digests: digests)
    }
    #expect(changed?.description.contains("notes_priority.lua") == true)
    #expect(changed?.retry == .never)
    let fewer = digests.filter { $0.key == "notes.pipeline" }
    #expect(throws: MigrationError.self) {
      try AppPipeline("notes.pipeline", in: sample.resources, digests: fewer)
    }
  }

  @Test("what is read once is what runs, whatever happens to the folder") func readOnce()
    async throws
  {
    let sample = try AppSample()
    let pipeline = try AppPipeline(
      "notes.pipeline", in: sample.resources, digests: digests(of: sample))
    try sample.write("return 1", to: "notes_priority.lua")
    try await migrate(sample.store, with: pipeline)
    #expect(try sample.version == "Notes 2")
  }

  @Test(
    "a path that leads out of the folder is refused",
    arguments: ["../a.lua", "/a.lua", "b/../../a.lua", "./a.lua", "b//a.lua"])
  func paths(path: String) throws {
    let sample = try AppSample()
    var texts = try texts(of: sample)
    texts[path] = Data()
    #expect(throws: MigrationError.self) {
      try AppPipeline("notes.pipeline", texts: texts, models: [], digests: [:])
    }
  }

  @Test("a pipeline file that is not there is an error") func missing() throws {
    let sample = try AppSample()
    #expect(throws: MigrationError.self) { try AppPipeline("other.pipeline", in: sample.resources) }
  }

  @Test("values for the params of the file come from the app") func parameters() async throws {
    let sample = try AppSample()
    let text = String(decoding: try sample.text("notes.pipeline"), as: UTF8.self)
      .replacing("target = \"Notes 2\"", with: "target = param.version")
    try sample.write(
      "param \"version\" { default = \"Notes 2\", help = \"The version.\" }\n" + text,
      to: "notes.pipeline")
    var pipeline = try sample.pipeline
    pipeline.parameters = ["version": "Notes"]
    #expect(try await migrate(sample.store, with: pipeline) == .upToDate)
  }
}
