import CoreDataStore
import Foundation
import OperatingSystem
import StorePipeline
import TestSupport
import Testing

/// The program of samples/InApp, built by the project's own manifest.
@Suite("The sample of an app", .temporaryFolder)
struct InAppSampleTests {
  private static let project = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardizedFileURL
  private static let upgrade = project.appending(path: "samples/InApp/Sources/JournalStore/Upgrade")

  /// A journal of the first version, in the test's folder.
  private static func journal() throws -> String {
    let sample = try #require(Sample.all.first { $0.name == "four-versions" })
    _ = try SampleFolder(project).lay(sample, in: samplePath("journal"), size: .small)
    return samplePath("journal/Journal.sqlite")
  }

  private static func version(of store: String) throws -> String? {
    let models = try ModelSource([upgrade.appending(path: "Journal.xcdatamodeld").path])
    return try Store(store).recognise(among: models).model?.name
  }

  /// What the program prints and its status.
  private static func launch(_ words: [String]) throws -> (lines: [String], status: Int32) {
    let output = TemporaryFolder.url.appending(path: "output")
    try Data().write(to: output)
    let process = Process()
    process.executableURL = BuiltPrograms.folder.appending(path: "in-app")
    process.arguments = words
    process.standardOutput = try FileHandle(forWritingTo: output)
    try process.run()
    process.waitUntilExit()
    let text = String(decoding: try Data(contentsOf: output), as: UTF8.self)
    return (text.split(separator: "\n").map(String.init), process.terminationStatus)
  }

  @Test("a store of the first version is migrated, and the lines say how far it is")
  func migrates() throws {
    let store = try Self.journal()
    let (lines, status) = try Self.launch([store])
    #expect(status == 0)
    #expect(lines.first == "0 % Preparing to update your data")
    #expect(lines.suffix(2) == ["100 % Finishing the update", "migrated: the app opens the store"])
    let percents = lines.dropLast().map { Int($0.prefix { $0 != " " }) ?? -1 }
    #expect(percents == percents.sorted())
    #expect(percents.count > 10)
    #expect(try Self.version(of: store) == "Journal 4")
  }

  @Test("without time it pauses and leaves the store as it was, and the next launch finishes")
  func pauses() throws {
    let store = try Self.journal()
    let before = try Data(contentsOf: URL(filePath: store))
    let (lines, status) = try Self.launch([store, "0"])
    #expect(lines.last == "paused: the next launch resumes")
    #expect(status == 11)
    #expect(try Data(contentsOf: URL(filePath: store)) == before)
    #expect(try Self.launch([store, "600"]).status == 0)
    #expect(try Self.version(of: store) == "Journal 4")
  }

  @Test("a store of the app's version stays as it is") func upToDate() throws {
    _ = try Self.journal()
    let newest = samplePath("journal/Journal 4.sqlite")
    let before = try Data(contentsOf: URL(filePath: newest))
    let (lines, status) = try Self.launch([newest])
    #expect(lines.last == "nothing to do: the app opens the store")
    #expect(status == 10)
    #expect(try Data(contentsOf: URL(filePath: newest)) == before)
  }

  @Test("where no store is, none is made") func noStore() throws {
    let (lines, status) = try Self.launch([samplePath("None.sqlite")])
    #expect(lines == ["nothing to do: the app opens the store"])
    #expect(status == 10)
    #expect(!FileManager.default.fileExists(atPath: samplePath("None.sqlite")))
  }

  @Test("a file that is no store is reported and stays") func noDatabase() throws {
    let file = samplePath("Text.sqlite")
    try Data("no database".utf8).write(to: URL(filePath: file))
    let (lines, status) = try Self.launch([file])
    #expect(lines.contains("failed: the data is safe"))
    #expect(lines.contains("cannot open the store: \(FileSystem.resolved(file))"))
    #expect(status == 14)
    #expect(try Data(contentsOf: URL(filePath: file)) == Data("no database".utf8))
  }

  @Test(
    "words that it does not understand end it",
    arguments: [[], ["a", "soon"], ["a", "1", "2"]])
  func usage(words: [String]) throws {
    let (lines, status) = try Self.launch(words)
    #expect(lines == ["usage: in-app STORE [SECONDS]"])
    #expect(status == 2)
  }

  @Test("its pipeline, script and models are those of the sample four-versions")
  func sameUpgrade() throws {
    _ = try Self.journal()
    let journal = TemporaryFolder.url.appending(path: "journal")
    for name in ["Journal.xcdatamodeld", "journal_names.lua"] {
      #expect(
        FileManager.default.contentsEqual(
          atPath: Self.upgrade.appending(path: name).path,
          andPath: journal.appending(path: name).path), "\(name)")
    }
    #expect(
      try Data(contentsOf: Self.upgrade.appending(path: "upgrade.pipeline"))
        == Data(contentsOf: journal.appending(path: "four-versions.pipeline")))
  }

  @Test(
    "its package finds the project in any folder",
    .enabled(if: PackageManager.isThere, "swift is not in the path"))
  func package() throws {
    let json = try PackageManager.describe(
      Self.project.appending(path: "samples/InApp"), ["show-dependencies", "--format", "json"])
    let needed = try #require(json["dependencies"] as? [[String: Any]])
    #expect(json["name"] as? String == "InApp")
    #expect(needed.map { $0["name"] as? String } == ["pipeline"])
    #expect(needed.map { $0["traits"] as? [String] } == [["SystemLua"]])
  }

  @Test("the page for apps shows the code of the sample") func page() throws {
    let page = try String(
      contentsOf: Self.project.appending(
        path: "Sources/StorePipeline/StorePipeline.docc/InAnApp.md"), encoding: .utf8)
    let code = try String(
      contentsOf: Self.upgrade.appending(path: "../LaunchMigration.swift"), encoding: .utf8)
    let body = try #require(code.firstRange(of: "public func migrateAtLaunch"))
    #expect(page.contains("```swift\n\(code[body.lowerBound...])```\n"))
  }
}
