import Formats
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
  static func show(_ page: URL, isDark: Bool = false) throws -> (page: String, talk: String) {
    try run(page, ["--dump-dom"] + (isDark ? dark : []))
  }

  /// A picture of a page, as a PNG.
  static func picture(
    of page: URL, width: Int, height: Int, isDark: Bool = false
  ) throws -> Data {
    let file = TemporaryFolder.url.appending(path: "picture.png")
    _ = try run(
      page,
      ["--screenshot=\(file.path)", "--window-size=\(width),\(height)", "--hide-scrollbars"]
        + (isDark ? dark : []))
    return try Data(contentsOf: file)
  }

  /// A page on paper, as a PDF.
  static func print(_ page: URL) throws -> Data {
    let file = TemporaryFolder.url.appending(path: "paper.pdf")
    _ = try run(page, ["--print-to-pdf=\(file.path)", "--no-pdf-header-footer"])
    return try Data(contentsOf: file)
  }

  /// A page with a script of a test's own, which its policy allows; the script is the last.
  static func adding(_ script: String, to page: String) -> String {
    let digest = Base64.encode(Digest.sha256(Array(script.utf8)))
    return page.replacing("script-src ", with: "script-src 'sha256-\(digest)' ")
      .replacing("</body>", with: "<script>\(script)</script></body>")
  }

  private static let dark = ["--blink-settings=preferredColorScheme=0"]

  private static func run(
    _ page: URL, _ arguments: [String]
  ) throws -> (page: String, talk: String) {
    let folder = TemporaryFolder.url
    let (output, errors) = (folder.appending(path: "dom"), folder.appending(path: "talk"))
    for file in [output, errors] { try Data().write(to: file) }
    let process = Process()
    process.executableURL = URL(filePath: program ?? "")
    process.arguments =
      [
        // Pages of our own need no sandbox, and in containers there is none.
        "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
        "--timeout=20000", "--user-data-dir=\(folder.appending(path: "profile").path)",
      ] + arguments + [page.absoluteString]
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
