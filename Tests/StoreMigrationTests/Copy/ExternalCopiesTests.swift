import CoreDataStore
import Foundation
import SQLite
import StoreMigration
import StoreReplacement
import TestSupport
import Testing

private typealias M = MappingModels

@Suite("External values in a copy", .temporaryFolder) struct ExternalCopiesTests {
  private static let name = "0F8FAD5B-D9CB-469F-A165-70867728950E"
  private static let external = "optional=\"YES\" allowsExternalBinaryDataStorage=\"YES\""
  private static let inside = "optional=\"YES\""
  private static var reference: String {
    "02" + name.utf8.map { String($0, radix: 16) }.joined() + "00"
  }

  private func rows(_ values: String...) -> String {
    values.enumerated().map { offset, value in
      "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZX) VALUES (\(offset + 1), 1, 1, x'\(value)');"
    }.joined()
  }

  private func sample(_ before: String, _ after: String, _ rows: String) throws -> CopySample {
    let sample = try CopySample.entity(
      M.attribute("x", "Binary", before), M.attribute("x", "Binary", after), rows: rows)
    let folder = URL(filePath: sample.externalFolder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data([7, 8, 9]).write(to: folder.appending(path: Self.name))
    return sample
  }

  @Test("references travel as they are, and are listed")
  func travel() throws {
    let sample = try sample(Self.external, Self.external, rows(Self.reference, "0105"))
    let builder = try sample.builder()
    try CopySample.copyAll(builder)
    #expect(
      try builder.connection.rows("SELECT hex(ZX) FROM main.ZA").map { $0[0].string }
        == [Self.reference.uppercased(), "0105"])
    let list = try builder.externals()
    #expect(list.map(\.source) == [Self.name] && list.map(\.target) == [Self.name])
  }

  @Test("two values that refer to one file get one each, once for all")
  func twice() throws {
    let sample = try sample(Self.external, Self.external, rows(Self.reference, Self.reference))
    let builder = try sample.builder()
    try CopySample.copyAll(builder)
    let list = try builder.externals()
    #expect(list.map(\.source) == [Self.name, Self.name])
    #expect(Set(list.map(\.target)).count == 2)
    #expect(try builder.externals() == list)
    let stored = try builder.connection.rows("SELECT ZX FROM main.ZA").compactMap {
      $0[0].blob.flatMap { AttributeStorage(.binary, isExternal: true).value(of: .blob($0)) }
    }
    #expect(
      Set(stored) == Set(list.compactMap { ExternalReference($0.target).map { .external($0) } }))
  }

  @Test("two values that refer to one file that is missing refer to it still")
  func twiceMissing() throws {
    let sample = try sample(Self.external, Self.external, rows(Self.reference, Self.reference))
    try FileManager.default.removeItem(atPath: sample.externalFolder + "/" + Self.name)
    let builder = try sample.builder()
    try CopySample.copyAll(builder)
    #expect(try builder.externals().map(\.target) == [Self.name])
    #expect(
      try builder.connection.rows("SELECT hex(ZX) FROM main.ZA").map { $0[0].string }
        == [Self.reference.uppercased(), Self.reference.uppercased()])
  }

  @Test("an attribute that loses external storage gets its values into the store")
  func loses() throws {
    let sample = try sample(Self.external, Self.inside, rows(Self.reference, "0105", "01"))
    #expect(
      try sample.rows("SELECT ZX FROM main.ZA") == [
        [.blob([7, 8, 9])], [.blob([5])], [.blob([])],
      ])
  }

  @Test("an attribute that gains external storage gets the mark before its values")
  func gains() throws {
    let sample = try sample(Self.inside, Self.external, rows("05", ""))
    #expect(try sample.rows("SELECT ZX FROM main.ZA") == [[.blob([1, 5])], [.blob([1])]])
  }

  @Test("an attribute that gains external storage gets files for its large values")
  func gainsFiles() throws {
    let rows =
      "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZX) VALUES (1, 1, 1, zeroblob(102400)), "
      + "(2, 1, 1, zeroblob(102401));"
    let sample = try sample(Self.inside, Self.external, rows)
    let new = TemporaryFolder.url.appending(path: "new").path
    let builder = try sample.builder(newExternals: new)
    try CopySample.copyAll(builder)
    let found = try builder.connection.rows("SELECT length(ZX) FROM main.ZA")
    #expect(found == [[.integer(102_401)], [.integer(38)]])
    let list = try builder.externals()
    #expect(list.count == 1 && list.map(\.source) == list.map(\.target))
    let file = try Data(contentsOf: URL(filePath: "\(new)/\(list[0].target)"))
    #expect(file == Data(count: 102_401))
  }

  @Test("a value that a script gives an attribute with external storage gets a file when large")
  func scripted() throws {
    let sample = try sample(Self.external, Self.external, rows("0105"))
    let new = TemporaryFolder.url.appending(path: "new").path
    let builder = try sample.builder(newExternals: new)
    let copy = try ScriptedCopy(builder, entity: "A")
    let bytes = [UInt8](repeating: 7, count: 200_000)
    while try copy.chunk(
      state: { nil },
      { source in try copy.set(try copy.makeDefault(source), ["x": .binary(bytes)]) })
    {}
    let list = try builder.externals()
    #expect(try Data(contentsOf: URL(filePath: "\(new)/\(list[0].target)")) == Data(bytes))
    let value = try copy.value("x", ofTarget: ObjectID(entity: "A", key: 1))
    guard case .external(let reference) = value else { throw NoFile.notInFile }
    #expect(try copy.bytes(of: reference) == bytes)
  }

  private enum NoFile: Error { case notInFile }

  @Test(
    "values without a mark of Core Data's are carried over as they are, and counted",
    arguments: [external, inside])
  func malformed(after: String) throws {
    let sample = try sample(Self.external, after, rows("05", "0105", "02", "", Self.reference))
    let builder = try sample.builder()
    try CopySample.copyAll(builder)
    _ = try builder.externals()
    let values = try builder.connection.rows("SELECT ZX FROM main.ZA WHERE Z_PK IN (1, 3, 4)")
    #expect(values == [[.blob([5])], [.blob([2])], [.blob([])]])
    let summary = try StoreFinish(builder, FinishChoices()).run()
    #expect(
      summary.warnings.map(\.description) == [
        "A.x: 3 values are neither marked as stored in the row nor the name of a file; carried as "
          + "stored"
      ])
  }

  @Test("a file that is not there is an error that says whose value it is")
  func missing() throws {
    let sample = try sample(Self.external, Self.inside, rows("0105", Self.reference))
    try FileManager.default.removeItem(atPath: sample.externalFolder + "/" + Self.name)
    let error = #expect(throws: Failure.self) {
      try CopySample.copyAll(try sample.builder())
    }
    #expect(error?.subject == "entity A, Z_PK 2, attribute x")
    #expect(error?.why == "The file of the value is missing.")
    #expect(error?.kind == .unusable)
  }

  @Test("what is in the place of a file and is none makes the store unusable, not the machine")
  func noFile() throws {
    let sample = try sample(Self.external, Self.inside, rows("0105", Self.reference))
    let file = sample.externalFolder + "/" + Self.name
    for make in [
      {
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "/etc/hosts")
      },
      { try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false) },
    ] {
      try FileManager.default.removeItem(atPath: file)
      try make()
      let error = #expect(throws: Failure.self) {
        try CopySample.copyAll(try sample.builder())
      }
      #expect(error?.kind == .unusable)
      #expect(error?.why == "What is in the place of the value's file is not a regular file.")
    }
  }
}
