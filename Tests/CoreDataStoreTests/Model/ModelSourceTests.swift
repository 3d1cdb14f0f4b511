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

  private static func attribute(_ names: String...) -> String {
    let attributes = names.map {
      "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"String\"/>"
    }
    return "<entity name=\"A\">\(attributes.joined())</entity>"
  }

  @Test("a version is recognised next to a file with other versions of its entities")
  func apart() throws {
    let first = try versions("One", [("1", Self.one)])
    let second = try versions("Two", [("2", Self.attribute("x"))])
    let hashes = VersionHashes(of: try ModelSource([second]).current).entities
    for paths in [[first, second], [second, first]] {
      #expect(try ModelSource(paths).model(matching: hashes)?.name == "2")
    }
  }

  @Test("a version that two files have is that of the first")
  func twice() throws {
    let first = try versions("One", [("1", Self.one)])
    let second = try versions("Two", [("2", Self.same)])
    let hashes = VersionHashes(of: try ModelSource([first]).current).entities
    #expect(try ModelSource([first, second]).model(matching: hashes)?.name == "1")
  }

  @Test("a store of a version that is in none of such files is unknown, and no merging fails")
  func unknown() throws {
    let files = [("One", "x"), ("Two", "y"), ("Three", "z")]
    let paths = try files.map { try versions($0, [($0, Self.attribute($1))]) }
    let store = samplePath("S.sqlite")
    try SampleStore.make(of: ModelSource([paths[2]]).current, at: store)
    let answer = try Store(store).recognise(among: ModelSource(Array(paths.prefix(2))))
    #expect(answer.known != .file && !answer.isNewer)
  }
}
