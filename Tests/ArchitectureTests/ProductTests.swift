import Foundation
import TestSupport
import Testing

/// What an app links: a product that needs Homebrew, or a library of Linux, is of no use to it.
@Suite("The product for apps")
struct ProductTests {
  @Test(
    "on iOS it needs SQLite and zlib of the system, Lua's source, and no library of others",
    .enabled(if: PackageManager.isThere, "swift is not in the path"))
  func libraries() throws {
    let manifest = try Manifest()
    let needed = manifest.needs(of: "StorePipelineApp", on: "ios", traits: ["LuaSource"])
    #expect(manifest.systemLibraries(needed) == ["CSQLite", "CZlib"])
    #expect(needed.contains("CLuaSource"))
    #expect(needed.isDisjoint(with: ["StorePrograms", "ProcessHost", "pipeline"]))
  }

  @Test(
    "elsewhere it needs what iOS does not have, so that the test above can fail",
    .enabled(if: PackageManager.isThere, "swift is not in the path"))
  func elsewhere() throws {
    let manifest = try Manifest()
    let needed = manifest.needs(of: "StorePipelineApp", on: "linux", traits: ["SystemLua"])
    #expect(manifest.systemLibraries(needed) == ["CCrypto", "CExpat", "CLua", "CSQLite", "CZlib"])
    let pictures = manifest.needs(
      of: "StorePipelineApp", on: "ios", traits: ["Images", "SystemLua"])
    #expect(manifest.systemLibraries(pictures) == ["CJPEG", "CLua", "CSQLite", "CZlib"])
  }

  @Test(
    "no target has flags that would keep other packages from depending on it",
    .enabled(if: PackageManager.isThere, "swift is not in the path"))
  func flags() throws {
    let kinds = try Manifest().settings
    #expect(kinds.contains("treatAllWarnings"))
    #expect(!kinds.contains("unsafeFlags"))
  }
}

/// The package's own manifest, as the package manager reads it.
private struct Manifest {
  private let products: [String: [String]]
  private let targets: [String: [String: Any]]

  init() throws {
    let json = try PackageManager.describe(Repository.root, ["dump-package"])
    products = Self.byName(json["products"]).compactMapValues { $0["targets"] as? [String] }
    targets = Self.byName(json["targets"])
  }

  private static func byName(_ list: Any?) -> [String: [String: Any]] {
    let found = (list as? [[String: Any]] ?? []).compactMap { each in
      (each["name"] as? String).map { ($0, each) }
    }
    return Dictionary(found) { first, _ in first }
  }

  /// The kinds of all settings.
  var settings: Set<String> {
    let settings = targets.values.flatMap { $0["settings"] as? [[String: Any]] ?? [] }
    return Set(settings.compactMap { ($0["kind"] as? [String: Any])?.keys.first })
  }

  /// The targets that a product needs, directly and indirectly.
  func needs(of product: String, on platform: String, traits: Set<String>) -> Set<String> {
    var found: Set<String> = []
    var waiting = products[product] ?? []
    while let name = waiting.popLast() {
      guard found.insert(name).inserted else { continue }
      let dependencies = targets[name]?["dependencies"] as? [[String: [Any]]] ?? []
      for words in dependencies.flatMap(\.values) {
        guard let name = words.first as? String else { continue }
        if Self.holds(words.last as? [String: Any], platform, traits) { waiting.append(name) }
      }
    }
    return found
  }

  private static func holds(
    _ condition: [String: Any]?, _ platform: String, _ traits: Set<String>
  ) -> Bool {
    let platforms = condition?["platformNames"] as? [String] ?? []
    let wanted = condition?["traits"] as? [String]
    return (platforms.isEmpty || platforms.contains(platform))
      && wanted.map { !traits.isDisjoint(with: $0) } ?? true
  }

  /// Those of the targets that are libraries of a system.
  func systemLibraries(_ names: Set<String>) -> [String] {
    names.filter { targets[$0]?["type"] as? String == "system" }.sorted()
  }
}
