import Foundation
import TestSupport
import Testing

@testable import CoreDataStore

@Suite("Which version is the current one", .temporaryFolder) struct CurrentVersionTests {
  /// The answer for a folder of versions whose `.xccurrentversion` is this.
  private func find(
    _ said: String?, among versions: [String], kind: ModelFile.Kind = .sourceVersions
  ) throws -> Result<String, Failure> {
    if let said {
      try Data(said.utf8).write(to: TemporaryFolder.url.appending(path: ".xccurrentversion"))
    }
    return CurrentVersion.find(
      in: ModelPlace(TemporaryFolder.url.path), kind, among: versions, record: nil)
  }

  private static func plist(_ entries: String) -> String {
    "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict>\(entries)</dict></plist>"
  }

  private static let named = plist(
    "<key>_XCCurrentVersionName</key><string>App 2.xcdatamodel</string>")

  @Test("the one that Xcode names, without its extension")
  func named() throws {
    #expect(try find(Self.named, among: ["App", "App 2"]).get() == "App 2")
  }

  @Test("the only one, when nothing is named", arguments: [nil, plist("")])
  func only(said: String?) throws { #expect(try find(said, among: ["App"]).get() == "App") }

  @Test("a single file is its own version, whatever lies next to it")
  func single() throws {
    #expect(try find(Self.named, among: ["App"], kind: .source).get() == "App")
  }

  @Test("a name that is not there is an error even when there is only one version")
  func strange() throws {
    let error = #expect(throws: Failure.self) { try find(Self.named, among: ["App"]).get() }
    #expect(error?.why == "It says \"App 2\", which is not among its versions.")
  }

  @Test(
    "a record that cannot be read is an error with its path",
    arguments: ["", "<plist", "bplist00", plist("<key>a</key>")])
  func damaged(said: String) throws {
    let error = #expect(throws: Failure.self) { try find(said, among: ["App"]).get() }
    #expect(error?.subject.hasSuffix("/.xccurrentversion") == true)
  }
}
