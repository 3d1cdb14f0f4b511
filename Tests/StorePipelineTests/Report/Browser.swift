import Foundation
import TestSupport

/// A browser without a window, where one is installed.
enum Browser {
  /// Its program; nil when there is none.
  static let program: String? = {
    let names = [
      "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome",
      "/Applications/Chromium.app/Contents/MacOS/Chromium",
      "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    ]
    return names.first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  /// Opens a page; gives back the document as it is then, and what the browser said meanwhile.
  static func show(_ page: URL) throws -> (page: String, talk: String) {
    let folder = TemporaryFolder.url
    let (output, errors) = (folder.appending(path: "dom"), folder.appending(path: "talk"))
    for file in [output, errors] { try Data().write(to: file) }
    let process = Process()
    process.executableURL = URL(filePath: program ?? "")
    process.arguments = [
      // Pages of our own need no sandbox, and in containers there is none.
      "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--timeout=20000",
      "--user-data-dir=\(folder.appending(path: "profile").path)", "--dump-dom",
      page.absoluteString,
    ]
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return (
      String(decoding: try Data(contentsOf: output), as: UTF8.self),
      String(decoding: try Data(contentsOf: errors), as: UTF8.self)
    )
  }
}
