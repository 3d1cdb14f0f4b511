import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import CoreDataStore

@Suite("The model of an application", .temporaryFolder) struct ModelSourceTests {
  /// Makes an `.xcdatamodeld` whose versions hold what the test says, the last one current.
  private func versions(_ name: String, _ bodies: [(name: String, body: String)]) throws -> String {
    let folder = samplePath("\(name).xcdatamodeld")
    for (version, body) in bodies {
      let path = "\(folder)/\(version).xcdatamodel"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try Data(ModelText.xml(body)).write(to: URL(filePath: "\(path)/contents"))
    }
    let current = bodies.last?.name ?? ""
    let list =
      "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key>"
      + "<string>\(current).xcdatamodel</string></dict></plist>"
    try Data(list.utf8).write(to: URL(filePath: "\(folder)/.xccurrentversion"))
    return folder
  }

  private static let one = "<entity name=\"A\"/>"
  private static let same = "<entity name=\"A\" elementID=\"B\"/>"

  @Test("of versions with equal hashes the current one is taken")
  func equalHashes() throws {
    let path = try versions("App", [("1", Self.one), ("3", Self.same), ("2", Self.one)])
    let source = try ModelSource([path])
    let hashes = VersionHashes(of: try source.current).entities
    #expect(try source.model(matching: hashes)?.name == "2")
  }

  @Test("versions that differ only where hashes cannot be computed are not chosen among")
  func unsure() throws {
    let strange = { (type: String) in
      """
      <entity name="A"><attribute name="x" attributeType="Composite" composite="C"/></entity>
      <composite name="C"><attribute name="y" attributeType="\(type)"/></composite>
      """
    }
    let path = try versions("App", [("1", strange("String")), ("2", strange("Double"))])
    let source = try ModelSource([path])
    let hash = try #require(VersionHash(bytes: Array(repeating: 7, count: 32)))
    let error = #expect(throws: Failure.self) { try source.model(matching: ["A": hash]) }
    #expect(error?.what == "cannot find out which model version it is")
    #expect(error?.remedy.contains("VersionInfo.plist") == true)
  }

  @Test("hashes of entities that no file has are left over, and then nothing matches")
  func leftOver() throws {
    let source = try ModelSource([try versions("App", [("1", Self.one)])])
    var hashes = VersionHashes(of: try source.current).entities
    #expect(try source.model(matching: hashes) != nil)
    hashes["Stranger"] = hashes["A"]
    #expect(try source.model(matching: hashes) == nil)
    #expect(try source.model(matching: [:]) == nil)
  }

  @Test("an entity that two files have in two ways cannot be merged")
  func conflict() throws {
    let first = try versions("One", [("1", Self.one)])
    let second = try versions("Two", [("2", "<entity name=\"A\" isAbstract=\"YES\"/>")])
    let source = try ModelSource([first, second])
    #expect(source.versions == ["1", "2"])
    #expect(throws: Failure.self) { try source.current }
  }
}
