import Formats
import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import CoreDataStore

@Suite("The record of compiled versions", .temporaryFolder) struct VersionRecordTests {
  private var folder: ModelPlace { ModelPlace(samplePath("App.momd")) }

  /// Writes a `VersionInfo.plist` of these bytes and gives what is read.
  private func record(_ bytes: [UInt8]) throws -> VersionRecord? {
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(filePath: folder.below("VersionInfo.plist")))
    return try VersionRecord.beside(folder, .compiledVersions)
  }

  private func record(_ entries: [String: PropertyList]) throws -> VersionRecord {
    try #require(try record(BinaryPropertyListWriter.write(.dictionary(entries))))
  }

  private static let model = Result { try ModelText.model("<entity name=\"A\"/>", name: "1") }

  @Test("hashes, checksums and the current version are read, what is no hash is left out")
  func read() throws {
    let hash = [UInt8](repeating: 7, count: 32)
    let record = try record([
      "NSManagedObjectModel_CurrentVersionName": .string("2"),
      "NSManagedObjectModel_VersionChecksums": .dictionary(["1": .string("c"), "2": .integer(1)]),
      "NSManagedObjectModel_VersionHashes": .dictionary([
        "1": .dictionary(["A": .data(hash), "B": .data([1])]), "2": .string("x"),
      ]),
    ])
    #expect(record.currentVersion == "2" && record.checksums == ["1": "c"])
    #expect(record.hashes["1"]?.mapValues(\.bytes) == ["A": hash])
    #expect(record.hashes["2"]?.isEmpty == true)
  }

  @Test("a single compiled file has the record of the folder it is in, a source none")
  func beside() throws {
    _ = try record(["NSManagedObjectModel_CurrentVersionName": .string("2")])
    let file = ModelPlace(folder.below("App.mom"))
    #expect(try VersionRecord.beside(file, .compiled)?.currentVersion == "2")
    #expect(try VersionRecord.beside(folder, .sourceVersions) == nil)
    #expect(try VersionRecord.beside(ModelPlace(samplePath("Lone.mom")), .compiled) == nil)
  }

  @Test("a record that cannot be read is an error with its path", arguments: ["", "x", "bplist00"])
  func damaged(text: String) {
    let error = #expect(throws: Failure.self) { try record(Array(text.utf8)) }
    #expect(error?.subject.hasSuffix("App.momd/VersionInfo.plist") == true)
  }

  @Test("an entity that the record does not have, or another checksum, stops")
  func check() throws {
    let model = try Self.model.get()
    let hash = try #require(VersionHashes(of: model).entities["A"])
    let good: [String: PropertyList] = ["A": .data(hash.bytes)]
    func check(_ hashes: [String: PropertyList], _ checksum: String?) throws {
      try record([
        "NSManagedObjectModel_VersionHashes": .dictionary(["1": .dictionary(hashes)]),
        "NSManagedObjectModel_VersionChecksums": .dictionary(
          checksum.map { ["1": .string($0)] } ?? [:]),
      ]).check(model)
    }
    try check(good, VersionHashes(of: model).checksum)
    try check(good, nil)
    let missing = #expect(throws: Failure.self) { try check(["B": .data(hash.bytes)], nil) }
    #expect(missing?.why.contains("does not have its entity A") == true)
    let other = #expect(throws: Failure.self) { try check(good, "c") }
    #expect(other?.why.contains("says c") == true)
  }
}
