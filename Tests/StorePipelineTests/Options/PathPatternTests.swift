import Foundation
import StorePipeline
import TestSupport
import Testing

@Suite("Patterns of paths", .temporaryFolder)
struct PathPatternTests {
  private func pipeline(_ stores: String) throws -> Pipeline {
    let text = """
      pipeline "P" { format = 1, models = "P.mom", store = \(stores) }
      stage "copy" {}
      """
    let path = TemporaryFolder.url.appending(path: "p.pipeline").path
    return try PipelineFile(text, path: path).pipeline(checksFiles: false)
  }

  private func names(_ stores: String) throws -> [String] {
    let folder = TemporaryFolder.url.standardizedFileURL.path + "/"
    return try pipeline(stores).namedStores().map { $0.replacing(folder, with: "") }
  }

  private func make(_ paths: [String]) throws {
    for path in paths {
      let url = TemporaryFolder.url.appending(path: path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: url)
    }
  }

  @Test("a pattern stands for the stores that fit it, without what SQLite keeps next to them")
  func pattern() throws {
    try make([
      "s/b.sqlite", "s/a.sqlite", "s/a.sqlite-wal", "s/a.sqlite-shm", "s/.c.sqlite", "s/d.store",
      "s/a.sqlite.pipeline/run", "t/u/e.sqlite",
    ])
    #expect(try names(#""s/*.sqlite""#) == ["s/a.sqlite", "s/b.sqlite"])
    #expect(try names(#""s/*""#) == ["s/a.sqlite", "s/b.sqlite", "s/d.store"])
    #expect(try names(#""?/*/*.sqlite""#) == ["t/u/e.sqlite"])
    #expect(
      try names(#"{ "s/d*", "s/?.sqlite", "s/a.sqlite" }"#) == [
        "s/d.store", "s/a.sqlite", "s/b.sqlite",
      ])
  }

  @Test("a path without a sign names its store, whether or not it is there")
  func plain() throws {
    #expect(try names(#""Notes.sqlite""#) == ["Notes.sqlite"])
    #expect(try pipeline(#""Notes.sqlite""#).stores == ["Notes.sqlite"])
  }

  @Test("a pattern that nothing fits is a mistake of the file, at its line")
  func nothing() throws {
    let pipeline = try pipeline(#""none/*.sqlite""#)
    let error = #expect(throws: PipelineFileError.self) { try pipeline.namedStores() }
    #expect(error?.problems.map(\.line) == [1])
    #expect(error?.problems.first?.message.hasPrefix("no store fits \"none/*.sqlite\"") == true)
  }

  @Test("a link to nothing fits, as any file that its run cannot use, and one to a folder does not")
  func links() throws {
    try make(["s/a.sqlite", "t/b"])
    for (name, target) in ["gone.sqlite": "nothing", "t.sqlite": "../t", "z.sqlite": "a.sqlite"] {
      try FileManager.default.createSymbolicLink(
        atPath: TemporaryFolder.url.appending(path: "s/\(name)").path, withDestinationPath: target)
    }
    #expect(try names(#""s/*.sqlite""#) == ["s/a.sqlite", "s/gone.sqlite", "s/z.sqlite"])
  }

  @Test(
    "a folder that cannot be read is not taken for empty",
    .enabled(if: geteuid() != 0, "the superuser may read everything"))
  func closed() throws {
    try make(["s/a/a.sqlite", "s/b/b.sqlite"])
    let closed = TemporaryFolder.url.appending(path: "s/b").path
    let manager = FileManager.default
    try manager.setAttributes([.posixPermissions: 0], ofItemAtPath: closed)
    defer { try? manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: closed) }
    let pipeline = try pipeline(#""s/*/*.sqlite""#)
    let error = #expect(throws: PipelineFileError.self) { try pipeline.namedStores() }
    #expect(error?.problems.map(\.isRefusal) == [true])
    #expect(error?.problems.first?.message.contains("s/b") == true, "\(String(describing: error))")
  }

  @Test("a list of stores goes through the JSON of the pipeline as it is")
  func json() throws {
    let pipeline = try pipeline(#"{ "a.sqlite", "s/*.sqlite" }"#)
    let again = try PipelineFile(pipeline.json, path: "p.json").pipeline(checksFiles: false)
    #expect(again.stores == ["a.sqlite", "s/*.sqlite"])
    #expect(again.digest == pipeline.digest)
  }
}
