internal import Foundation
internal import Testing

/// Files by which a test and a process of its own tell each other how far they are.
public enum Signal {
  /// Gives one.
  public static func give(_ path: String) throws { try Data().write(to: URL(filePath: path)) }

  /// Reports to a test that its other process has got as far as the test waits for.
  ///
  /// Other tests may not have to wait for its end meanwhile: they would keep the test from running.
  public static func ready(_ path: String) throws {
    Platform.leaveSockets()
    try give(path)
  }

  /// Whether one was given.
  public static func isThere(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path)
  }

  /// Waits in the other process, but not for a test that is gone.
  public static func wait(for path: String) {
    let test = getppid()
    while !isThere(path), getppid() == test { usleep(1000) }
  }

  /// Waits in the test.
  public static func come(_ path: String) async throws {
    for _ in 0..<6000 where !isThere(path) { try await Task.sleep(for: .milliseconds(10)) }
    try #require(isThere(path))
  }
}
