import CoreDataStore
import Foundation
import StoreReplacement
import TestSupport
import Testing

@Suite("What is kept of a run", .temporaryFolder) struct BackupProvenanceTests {
  /// A run with associations, whose note is in its folder.
  private func note(_ sample: SwapSample) throws -> BackupProvenance {
    let state = try #require(try RunState.read(sample.folder))
    try Data("associations".utf8).write(to: URL(filePath: sample.folder.associations(ofStep: 0)))
    var kept = BackupProvenance(
      run: SwapSample.run, target: "App 2", pipeline: "{}", image: try #require(state.next))
    kept.acceptedLosses = ["Note.*"]
    kept.digests = ["script a.lua": "ab"]
    try kept.write(sample.folder)
    return kept
  }

  private func swapped(_ sample: SwapSample) throws -> String {
    let state = try #require(try RunState.read(sample.folder))
    return try #require(try Swap(sample.folder, state).run().backup)
  }

  @Test("it lies with the backup that the run made, and is found by the run")
  func kept() throws {
    let sample = try SwapSample()
    let kept = try note(sample)
    #expect(kept.highestKeys == ["Person": 340])
    #expect(kept.associations.keys.sorted() == ["objects-1.sqlite"])
    let backup = try swapped(sample)
    try sample.folder.removeRun()
    let place = try #require(try ProvenancePlace.find(SwapSample.run, sample.folder))
    #expect(place.kept == kept)
    #expect(place.path == "\(backup)/pipeline-run")
    #expect(try ProvenancePlace.find("another", sample.folder) == nil)
    try StoreBackup.read(backup).verify()
  }

  @Test("associations come back as they were, or not at all")
  func associations() throws {
    let sample = try SwapSample()
    _ = try note(sample)
    let backup = try swapped(sample)
    let place = try #require(try ProvenancePlace.find(SwapSample.run, sample.folder))
    try place.copyAssociations(to: sample.folder)
    let copy = sample.folder.associations(ofStep: 0)
    #expect(try String(contentsOfFile: copy, encoding: .utf8) == "associations")
    try Data("other".utf8)
      .write(to: URL(filePath: "\(backup)/pipeline-run/objects-1.sqlite"))
    let error = #expect(throws: Failure.self) {
      try place.copyAssociations(to: sample.folder)
    }
    #expect(error?.what == "cannot use what was kept of the run")
  }

  @Test("a note that was written to by others is not believed")
  func damaged() throws {
    let sample = try SwapSample()
    _ = try note(sample)
    let path = "\(sample.folder.path)/run.json"
    try String(contentsOfFile: path, encoding: .utf8).replacing("App 2", with: "App 3")
      .write(toFile: path, atomically: true, encoding: .utf8)
    #expect(throws: Failure.self) { _ = try BackupProvenance.read(in: sample.folder.path) }
  }

  @Test("a run that has noted nothing keeps nothing")
  func nothing() throws {
    let sample = try SwapSample()
    let backup = try swapped(sample)
    #expect(!FileManager.default.fileExists(atPath: "\(backup)/pipeline-run"))
    #expect(try ProvenancePlace.find(SwapSample.run, sample.folder) == nil)
  }

  @Test("the record of a run lies next to it")
  func record() throws {
    let sample = try SwapSample()
    let backup = try swapped(sample)
    for record in ["{}", "[]"] {
      try sample.folder.leave(record: record)
      try KeptRecord.keep(record, of: sample.folder, in: backup)
      let text = try String(contentsOfFile: "\(backup)/pipeline-run/record.json", encoding: .utf8)
      #expect(text == record)
    }
    try sample.folder.leave(record: "of the next run")
    let text = try String(contentsOfFile: "\(backup)/pipeline-run/record.json", encoding: .utf8)
    #expect(text == "[]")
  }
}
