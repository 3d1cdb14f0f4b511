public import Foundation

/// Swift's package manager, for tests of manifests.
public enum PackageManager {
  /// Whether there is a `swift` in the path.
  public static let isThere: Bool = {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/swift")
    }
  }()

  /// What it says of a package as JSON; nothing is built.
  public static func describe(_ package: URL, _ words: [String]) throws -> [String: Any] {
    let scratch = FileManager.default.temporaryDirectory
      .appending(path: "pipeline-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    // A file, not a pipe: a pipe that is not read meanwhile would stop it.
    let output = scratch.appending(path: "output.json")
    try Data().write(to: output)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      ["swift", "package", "--package-path", package.path, "--scratch-path", scratch.path] + words
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: output))
    return json as? [String: Any] ?? [:]
  }
}
