import Foundation

/// How long a user waits for what is on a screen.
extension Course {
  /// A script that is saved, on a small store and a large one, and a page that is opened.
  static let waits = ["small saved", "M2 saved", "changes opened"]

  /// The milliseconds of several times.
  func wait(for name: String) throws -> Spread {
    let times =
      switch name {
      case "small saved": try save(in: store("things", rows: 500))
      case "M2 saved": try save(in: store("things", rows: options.rows))
      default: try open(changes: min(100_000, options.rows))
      }
    guard let spread = Spread(of: times) else { throw BenchError("nothing was measured") }
    return spread
  }

  /// Lets `try --watch` wait, saves the script some times, and takes the time to each output.
  private func save(in store: URL) throws -> [Double] {
    let folder = store.deletingLastPathComponent()
    let (script, file) = (
      folder.appending(path: "rewrite.lua"), folder.appending(path: "tried.txt")
    )
    defer { try? FileManager.default.removeItem(at: file) }
    try Data().write(to: file)
    let process = Process()
    process.executableURL = URL(filePath: pipeline)
    process.arguments = [
      "try", script.path, store.path, "--watch",
      "--pipeline", folder.appending(path: "rewrite.pipeline").path,
    ]
    process.standardOutput = try FileHandle(forWritingTo: file)
    process.standardError = FileHandle.nullDevice
    try process.run()
    defer {
      process.terminate()
      process.waitUntilExit()
    }
    try watch(1, in: file, from: process)
    return try (1...5).map { round in
      // It looks for a save every few milliseconds; a person saves at any moment between them.
      Thread.sleep(forTimeInterval: 0.5 + Double(round) * 0.011)
      let start = ContinuousClock.now
      let text = try String(contentsOf: script, encoding: .utf8)
      try Data((text + "-- \(round)\n").utf8).write(to: script)
      try watch(round + 1, in: file, from: process)
      return Self.milliseconds(since: start)
    }
  }

  /// Waits until so many outputs are in the file: each names the fifth object, its last.
  private func watch(_ count: Int, in file: URL, from process: Process) throws {
    for _ in 0..<100_000 where process.isRunning {
      let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
      if text.components(separatedBy: "Item 5 ").count > count { return }
      Thread.sleep(forTimeInterval: 0.001)
    }
    throw BenchError("try --watch printed nothing more")
  }

  /// Opens the page of a dry run in a browser; what an empty page takes is the browser's own.
  private func open(changes: Int) throws -> [Double] {
    let browsers = ["chromium", "chromium-browser", "google-chrome"]
    guard let browser = browsers.first(where: { Meter.succeeds([$0, "--version"]) }) else {
      throw BenchError.lack("chromium is missing; `make test-deps`")
    }
    let store = try store("things", rows: changes)
    let (page, empty) = (field.appending(path: "page.html"), field.appending(path: "empty.html"))
    try FileManager.default.createDirectory(at: field, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: field) }
    try Data("<!DOCTYPE html><title>empty</title>".utf8).write(to: empty)
    let file = store.deletingLastPathComponent().appending(path: "rename.pipeline").path
    _ = try Meter.output(
      of: [pipeline, "run", file, store.path, "--quiet", "--dry-run", "--report", page.path])
    guard FileManager.default.fileExists(atPath: page.path) else {
      throw BenchError("the dry run has written no page")
    }
    func show(_ page: URL) throws -> Double {
      let start = ContinuousClock.now
      _ = try Meter.output(
        of: [
          browser, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom",
          "--user-data-dir=\(field.appending(path: "profile").path)", page.absoluteString,
        ])
      return Self.milliseconds(since: start)
    }
    // The first time it makes its profile.
    _ = try show(empty)
    return try (1...3).map { _ in try max(0, show(page) - show(empty)) }
  }

  private static func milliseconds(since start: ContinuousClock.Instant) -> Double {
    (ContinuousClock.now - start) / .milliseconds(1)
  }
}
